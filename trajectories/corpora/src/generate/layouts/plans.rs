//! Project plans and travel plans.

use napsim_trajectories::Value;
use napsim_trajectories::range::column_name;

use super::{Story, at};
use crate::generate::palette::Style;
use crate::generate::parts::{Aggregate, Column, Desk, area};
use crate::generate::quantity::{clock, date, fraction, some_day};
use crate::generate::words::{List, Term, person, place, words};

/// Tasks with days and progress, and bars drawn with fills.
pub(in crate::generate) fn project(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = format!("{} {}", desk.term(Term::Project), place(&mut desk.draw, desk.language));
    let n_weeks = if desk.draw.chance(65) {
        desk.draw.between(8, 20)
    } else {
        0
    };
    let row = desk.title(row, col, 6, &title);
    let n_rows = desk.draw.n_rows(6 + n_weeks).min(36);
    let start = some_day(&mut desk.draw);
    let starts: Vec<i64> = (0..n_rows).map(|n| n * 4 + desk.draw.between(0, 6)).collect();
    let lengths: Vec<i64> = (0..n_rows).map(|_| desk.draw.between(2, 18)).collect();
    let owners = desk.persons(4);
    let picked = (0..n_rows).map(|_| {
        let idx = usize::try_from(desk.draw.below(4)).unwrap_or(0);
        owners.get(idx).cloned().unwrap_or(Value::Null)
    });
    let picked: Vec<Value> = picked.collect();
    let progress = (0..n_rows).map(|_| desk.draw.between(0, 20) * 5).map(|n| match n {
        0 => Value::Int(0),
        100 => Value::Int(1),
        n => Value::Float(fraction(n)),
    });
    let progress = progress.collect();
    let [begin, days, done] = [2, 3, 5].map(|idx| column_name(col + idx));
    let [open, finished, late] = [Term::Open, Term::Done, Term::Late].map(|term| desk.term(term));
    let mut columns = vec![
        Column::values(desk.term(Term::Task), desk.list(List::Tasks, n_rows)),
        Column::values(desk.term(Term::Owner), picked),
        Column::values(
            desk.term(Term::Start),
            starts.iter().map(|day| date(start + day)).collect(),
        )
        .format(desk.palette.date),
        Column::values(
            desk.term(Term::Duration),
            lengths.iter().copied().map(Value::Int).collect(),
        )
        .sum(Aggregate::Sum),
        Column::formula(desk.term(Term::End), move |row| format!("={begin}{row}+{days}{row}-1"))
            .format(desk.palette.date),
        Column::values(desk.term(Term::Progress), progress).format("0%"),
        Column::formula(desk.term(Term::Status), move |row| {
            format!("=IF({done}{row}>=1,\"{finished}\",IF({done}{row}<0.2,\"{late}\",\"{open}\"))")
        }),
    ];
    columns.truncate(if desk.draw.chance(70) { 7 } else { 6 });
    let placed = desk.table(row, col, n_rows, &columns);
    bars(desk, row, placed.last_col + 1, &starts, &lengths, n_weeks);
    let below = placed.below() + 1;
    let body = placed.column(5);
    let fields = [(
        desk.term(Term::Progress),
        Value::text(format!("=AVERAGE({body})")),
        Some("0%"),
    )];
    desk.fields(below, col, &fields);
    Story::new(
        title,
        "Tasks, owners and days of a building project, with bars of filled cells for the weeks.",
    )
}

/// A column for each week, filled where a task runs.
fn bars(desk: &mut Desk, row: i64, col: i64, starts: &[i64], lengths: &[i64], n_weeks: i64) {
    let color = desk.palette.head.fill.unwrap_or(desk.palette.accent);
    let word: String = desk.term(Term::Week).chars().take(1).collect();
    for week in 0..n_weeks {
        desk.canvas.put(row, col + week, format!("{word}{}", week + 1).as_str());
        let style = Style {
            bold: true,
            ..Style::aligned("center")
        };
        desk.canvas.dress(area(row, col + week, row, col + week), &style);
    }
    for (row, (start, length)) in (row + 1..).zip(starts.iter().zip(lengths)) {
        let (first, last) = (start / 7, (start + length - 1) / 7);
        if first < n_weeks {
            let bar = area(row, col + first, row, col + last.min(n_weeks - 1));
            desk.canvas.dress(bar, &Style::filled(color));
        }
    }
}

/// Legs of a journey with times, distances and costs.
pub(in crate::generate) fn travel(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let somewhere = place(&mut desk.draw, desk.language);
    let title = format!("{} {somewhere}", desk.term(Term::Travel));
    let row = desk.title(row, col, 8, &title);
    let n_persons = desk.draw.between(2, 6);
    let name = person(&mut desk.draw, desk.language);
    let fields = [
        (desk.term(Term::Prepared), Value::text(name), None),
        (desk.term(Term::Count), Value::Int(n_persons), None),
    ];
    let head = desk.fields(row, col, &fields) + 1;
    let n_rows = desk.draw.n_rows(8).min(60);
    let mut day = some_day(&mut desk.draw);
    let weekdays = words(List::Weekdays, desk.language);
    let mut minute = 8 * 60;
    let (mut days, mut names, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..n_rows {
        if desk.draw.chance(45) {
            day += 1;
            minute = desk.draw.between(14, 20) * 30;
        } else {
            minute += desk.draw.between(2, 9) * 15;
        }
        days.push(date(day));
        let weekday = usize::try_from((day + 4) % 7).ok().and_then(|day| weekdays.get(day));
        names.push(Value::text(*weekday.unwrap_or(&"")));
        starts.push(clock(minute.min(23 * 60)));
    }
    let places = (0..n_rows)
        .map(|_| Value::text(place(&mut desk.draw, desk.language)))
        .collect();
    let [price, count] = [6, 1].map(|idx| column_name(col + idx));
    let persons = format!("${count}${}", row + 1);
    let money = desk.palette.money;
    let columns = [
        Column::values(desk.term(Term::Date), days).format(desk.palette.date),
        Column::values(desk.term(Term::Day), names),
        Column::values(desk.term(Term::Time), starts).format("hh:mm"),
        Column::values(desk.term(Term::Place), places),
        Column::values(desk.term(Term::Note), desk.repeated(List::Remarks, n_rows, 5)).styled(Style {
            wrap: desk.draw.chance(50),
            ..Style::default()
        }),
        Column::values(desk.term(Term::Distance), desk.numbers(n_rows, 3, 320))
            .format("0 \"km\"")
            .sum(Aggregate::Sum),
        Column::values(desk.term(Term::Price), desk.amounts(n_rows, 4, 160))
            .format(money)
            .sum(Aggregate::Sum),
        Column::formula(desk.term(Term::Cost), move |row| format!("={price}{row}*{persons}"))
            .format(money)
            .sum(Aggregate::Sum),
    ];
    let placed = desk.table(head, col, n_rows, &columns);
    if let Some(total) = placed.total_row {
        let label = format!("{} / {n_persons}", desk.term(Term::Cost));
        let formula = Value::text(format!("=ROUND({}/{n_persons},2)", at(total, col + 7)));
        desk.fields(total + 2, col, &[(&label, formula, Some(money))]);
    }
    Story::new(
        title,
        "The legs of a journey with days, times and costs, shared between those who travel.",
    )
}
