//! Laboratory results, trials and readings.

use napsim_trajectories::Value;
use napsim_trajectories::range::column_name;

use super::{Story, numbering};
use crate::generate::palette::Style;
use crate::generate::parts::{Aggregate, Column, Desk, area};
use crate::generate::quantity::{clock, date, hundredths, some_day, tenths};
use crate::generate::words::{List, Term, person, place, words};

/// Values against reference ranges.
pub(in crate::generate) fn laboratory(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = desk.term(Term::Laboratory).to_owned();
    let row = desk.title(row, col, 6, &title);
    let name = person(&mut desk.draw, desk.language);
    let fields = [
        (desk.term(Term::Name), Value::text(name), None),
        (
            desk.term(Term::Date),
            date(some_day(&mut desk.draw)),
            Some(desk.palette.date),
        ),
        (
            desk.term(Term::Sample),
            Value::text(format!("L-{}", desk.draw.between(10_000, 99_999))),
            None,
        ),
    ];
    let head = desk.fields(row, col, &fields) + 1;
    let kinds = [
        ("Na", "mmol/l", 1350, 1450),
        ("K", "mmol/l", 35, 51),
        ("Ca", "mmol/l", 21, 26),
        ("Fe", "µmol/l", 90, 300),
        ("pH", "", 73, 75),
        ("Hb", "g/dl", 120, 175),
        ("Glc", "mg/dl", 700, 1000),
        ("NO3", "mg/l", 0, 500),
        ("Cl", "mmol/l", 960, 1060),
        ("Mg", "mmol/l", 7, 11),
        ("CRP", "mg/l", 0, 50),
        ("Zn", "µmol/l", 90, 180),
    ];
    let n_rows = desk.draw.n_rows(6).min(48);
    let (mut names, mut values, mut units, mut lows, mut highs) = (vec![], vec![], vec![], vec![], vec![]);
    while i64::try_from(names.len()).unwrap_or(n_rows) < n_rows {
        let round = names.len() / kinds.len() + 1;
        for (name, unit, low, high) in desk.draw.sample(&kinds, kinds.len()) {
            let spread = (high - low).max(4);
            names.push(Value::text(if round == 1 {
                name.to_owned()
            } else {
                format!("{name} ({round})")
            }));
            values.push(tenths(desk.draw.between((low - spread / 5).max(0), high + spread / 4)));
            units.push(if unit.is_empty() {
                Value::Null
            } else {
                Value::text(unit)
            });
            lows.push(tenths(low));
            highs.push(tenths(high));
        }
    }
    let [value, low, high] = [1, 3, 4].map(|idx| column_name(col + idx));
    let columns = [
        Column::values(desk.term(Term::Sample), names),
        Column::values(desk.term(Term::Value), values).format("0.0"),
        Column::values(desk.term(Term::Unit), units).styled(Style::aligned("center")),
        Column::values(desk.term(Term::Minimum), lows).format("0.0"),
        Column::values(desk.term(Term::Maximum), highs).format("0.0"),
        Column::formula(desk.term(Term::Result), move |row| {
            format!("=IF({value}{row}<{low}{row},\"-\",IF({value}{row}>{high}{row},\"+\",\"ok\"))")
        })
        .styled(Style::aligned("center")),
    ];
    let placed = desk.table(head, col, n_rows, &columns);
    let body = placed.column(5);
    let fields = [
        (
            desk.term(Term::Count),
            Value::text(format!("=COUNTA({})", placed.column(0))),
            None,
        ),
        (
            desk.term(Term::Reference),
            Value::text(format!("=COUNTIF({body},\"ok\")")),
            None,
        ),
    ];
    desk.fields(placed.below() + 1, col, &fields);
    Story::new(
        title,
        "Measured values of one sample against their reference ranges, judged by a formula.",
    )
}

/// Treatments against replicates with their means and spread.
pub(in crate::generate) fn experiment(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = format!(
        "{} {}",
        desk.term(Term::Experiment),
        place(&mut desk.draw, desk.language)
    );
    let n_runs = desk.draw.between(3, 8);
    let row = desk.title(row, col, n_runs + 4, &title);
    let remarks = words(List::Remarks, desk.language);
    let remark = desk.draw.pick(&remarks).filter(|_| desk.draw.chance(50));
    let head = remark.map_or(row, |remark| desk.note(row, col, n_runs + 4, remark) + 1);
    let head = desk.over_head(head, col + 1, col + n_runs, desk.term(Term::Replicate));
    let n_rows = desk.draw.n_rows(n_runs + 4).min(60);
    let (low, spread) = (desk.draw.between(40, 900), desk.draw.between(10, 200));
    let treatments = (1..=n_rows)
        .map(|n| Value::text(format!("{} {n}", desk.term(Term::Treatment))))
        .collect();
    let mut columns = vec![Column::values(desk.term(Term::Treatment), treatments)];
    let two_decimals = desk.draw.chance(40);
    for run in 1..=n_runs {
        let reading = |desk: &mut Desk| {
            let n = desk.draw.between(low, low + spread);
            if two_decimals { hundredths(n) } else { tenths(n) }
        };
        let values = (0..n_rows).map(|_| reading(desk)).collect();
        let column = Column::values(format!("{} {run}", desk.term(Term::Replicate)), values);
        columns.push(
            column
                .format(if two_decimals { "0.00" } else { "0.0" })
                .sum(Aggregate::Average),
        );
    }
    let body = move |row: i64| format!("{}{row}:{}{row}", column_name(col + 1), column_name(col + n_runs));
    for (term, function) in [
        (Term::Average, "AVERAGE"),
        (Term::Maximum, "MAX"),
        (Term::Minimum, "MIN"),
    ] {
        let column = Column::formula(desk.term(term), move |row| format!("={function}({})", body(row)));
        columns.push(column.format("0.00"));
    }
    let placed = desk.table(head, col, n_rows, &columns);
    let mean = placed.column(n_runs + 1);
    let fields = [
        (
            desk.term(Term::Maximum),
            Value::text(format!("=MAX({mean})")),
            Some("0.00"),
        ),
        (
            desk.term(Term::Minimum),
            Value::text(format!("=MIN({mean})")),
            Some("0.00"),
        ),
        (
            desk.term(Term::Difference),
            Value::text(format!("=MAX({mean})-MIN({mean})")),
            Some("0.00"),
        ),
    ];
    desk.fields(placed.below() + 1, col, &fields);
    Story::new(
        title,
        "A trial with several runs of each treatment; means and extremes stand beside and below.",
    )
}

/// A log of a meter with differences.
pub(in crate::generate) fn readings(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = format!("{} {}", desk.term(Term::Readings), place(&mut desk.draw, desk.language));
    let head = desk.title(row, col, 6, &title);
    let n_rows = desk.draw.n_rows(6);
    let mut day = some_day(&mut desk.draw);
    let mut meter = desk.draw.between(1000, 60_000);
    let (mut days, mut times, mut meters, mut degrees) = (vec![], vec![], vec![], vec![]);
    for _ in 0..n_rows {
        day += desk.draw.weighted(1, &[(75, 1), (15, 2), (10, 7)]);
        meter += desk.draw.between(2, 95);
        days.push(date(day));
        times.push(clock(desk.draw.between(24, 80) * 15));
        meters.push(tenths(meter));
        degrees.push(tenths(desk.draw.between(-60, 290)));
    }
    let name = column_name(col + 3);
    let first = head + 1;
    let columns = [
        Column::values(desk.term(Term::Number), numbering(n_rows)),
        Column::values(desk.term(Term::Date), days).format(desk.palette.date),
        Column::values(desk.term(Term::Time), times).format("hh:mm"),
        Column::values(desk.term(Term::Value), meters).format("#,##0.0"),
        Column::formula(desk.term(Term::Difference), move |row| {
            if row == first {
                "=0".to_owned()
            } else {
                format!("={name}{row}-{name}{}", row - 1)
            }
        })
        .format("0.0"),
        Column::values("°C", degrees).format("0.0"),
    ];
    let placed = desk.table(head, col, n_rows, &columns);
    let beside = placed.last_col + 2;
    let used = placed.column(4);
    let fields = [
        (
            desk.term(Term::Total),
            Value::text(format!("=SUM({used})")),
            Some("#,##0.0"),
        ),
        (
            desk.term(Term::Average),
            Value::text(format!("=ROUND(AVERAGE({used}),1)")),
            Some("0.0"),
        ),
        (
            desk.term(Term::Maximum),
            Value::text(format!("=MAX({})", placed.column(5))),
            Some("0.0"),
        ),
        (
            desk.term(Term::Minimum),
            Value::text(format!("=MIN({})", placed.column(5))),
            Some("0.0"),
        ),
    ];
    let at_side = desk.draw.chance(55);
    let (row, col) = if at_side {
        (head, beside)
    } else {
        (placed.below() + 1, col)
    };
    let below = desk.fields(row, col, &fields);
    if at_side {
        desk.canvas
            .outline(area(row, col, below - 1, col + 1), desk.palette.line);
    }
    Story::new(
        title,
        "A meter and a thermometer read day by day, with what was used in between.",
    )
}
