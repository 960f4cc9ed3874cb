//! What kinds of sheets there are.

mod leisure;
mod money;
mod people;
mod plans;
mod school;
mod science;
mod trade;

use napsim_trajectories::Value;
use napsim_trajectories::range::column_name;

use super::parts::Desk;
use super::words::{List, person, words};

/// What a sheet is about.
pub(super) struct Story {
    pub(super) title: String,
    pub(super) plot: String,
}

impl Story {
    fn new(title: impl Into<String>, plot: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            plot: plot.into(),
        }
    }
}

/// A kind of sheet: its name, and what lays it out.
pub(super) type Family = (&'static str, fn(&mut Desk) -> Story);

/// All kinds of sheets.
pub(super) const FAMILIES: [Family; 20] = [
    ("budget", money::budget),
    ("cash-book", money::cash_book),
    ("loan", money::loan),
    ("invoice", money::invoice),
    ("price-list", trade::price_list),
    ("inventory", trade::inventory),
    ("sales", trade::sales),
    ("payroll", people::payroll),
    ("rota", people::rota),
    ("attendance", people::attendance),
    ("form", people::form),
    ("project", plans::project),
    ("travel", plans::travel),
    ("timetable", school::timetable),
    ("grade-book", school::grade_book),
    ("survey", school::survey),
    ("laboratory", science::laboratory),
    ("experiment", science::experiment),
    ("readings", science::readings),
    ("league", leisure::league),
];

impl Desk {
    /// Where the sheet begins: mostly in A1.
    fn origin(&mut self) -> (i64, i64) {
        self.draw
            .weighted((1, 1), &[(70, (1, 1)), (18, (2, 2)), (7, (1, 2)), (5, (2, 1))])
    }

    /// So many persons.
    fn persons(&mut self, n: i64) -> Vec<Value> {
        (0..n)
            .map(|_| Value::text(person(&mut self.draw, self.language)))
            .collect()
    }

    /// So many words of a list; where it is too short, they come again with a mark: goods in sizes, others numbered.
    fn list(&mut self, list: List, n: i64) -> Vec<Value> {
        let words = words(list, self.language);
        let n = usize::try_from(n).unwrap_or(0);
        let mut listed = Vec::with_capacity(n);
        for round in 1_usize.. {
            for word in self.draw.sample(&words, words.len()) {
                if listed.len() == n {
                    return listed;
                }
                let sizes = ["", "M", "L", "XL", "S", "XS", "XXL"];
                let size = sizes.get(round - 1).filter(|_| list == List::Goods);
                let text = match (round, size) {
                    (1, _) => word.to_owned(),
                    (_, Some(size)) => format!("{word} {size}"),
                    (round, None) => format!("{word} {round}"),
                };
                listed.push(Value::text(text));
            }
        }
        listed
    }

    /// So many words of a list, each as often as it comes.
    fn repeated(&mut self, list: List, n: i64, n_different: usize) -> Vec<Value> {
        let words = words(list, self.language);
        let words = self.draw.sample(&words, n_different);
        (0..n).filter_map(|_| self.draw.pick(&words).map(Value::text)).collect()
    }

    /// So many whole numbers.
    fn numbers(&mut self, n: i64, low: i64, high: i64) -> Vec<Value> {
        (0..n).map(|_| Value::Int(self.draw.between(low, high))).collect()
    }

    /// So many amounts of money.
    fn amounts(&mut self, n: i64, low: i64, high: i64) -> Vec<Value> {
        (0..n)
            .map(|_| super::quantity::money(&mut self.draw, self.language, low, high))
            .collect()
    }
}

/// The numbers from 1.
fn numbering(n: i64) -> Vec<Value> {
    (1..=n).map(Value::Int).collect()
}

/// The text of a cell's address.
fn at(row: i64, col: i64) -> String {
    format!("{}{row}", column_name(col))
}
