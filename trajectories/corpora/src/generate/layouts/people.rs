//! Payrolls, rotas, attendance lists and forms.

use napsim_sim::state::Property;
use napsim_trajectories::Value;
use napsim_trajectories::range::column_name;

use super::{Story, numbering};
use crate::generate::palette::{Line, Style};
use crate::generate::parts::{Aggregate, Column, Desk, area};
use crate::generate::quantity::{date, fraction, hundredths, some_day, tenths};
use crate::generate::words::{List, Term, company, person, place, words};

/// Hours times rate, bonus and deductions.
pub(in crate::generate) fn payroll(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let months = words(List::Months, desk.language);
    let month = desk.draw.pick(&months).unwrap_or_default();
    let title = format!("{} {month} {}", desk.term(Term::Payroll), desk.draw.between(2021, 2027));
    let row = desk.title(row, col, 8, &title);
    let share = desk.draw.between(12, 38);
    let head = desk.fields(
        row,
        col,
        &[(desk.term(Term::Deduction), Value::Float(fraction(share)), Some("0%"))],
    ) + 1;
    let rate_of = format!("${}${row}", column_name(col + 1));
    let n_rows = desk.draw.n_rows(8);
    let [hours, rate, gross, bonus, off] = [2, 3, 4, 5, 6].map(|idx| column_name(col + idx));
    let money = desk.palette.money;
    let n_hours = (0..n_rows).map(|_| tenths(desk.draw.between(16, 176) * 10 + desk.draw.between(0, 1) * 5));
    let n_hours: Vec<Value> = n_hours.collect();
    let rates = (0..n_rows)
        .map(|_| hundredths(desk.draw.between(1150, 3890) / 5 * 5))
        .collect();
    let bonuses = (0..n_rows)
        .map(|_| Value::Int(desk.draw.weighted(0, &[(60, 0), (25, 50), (15, 120)])))
        .collect();
    let (base, paid) = (gross.clone(), (gross, bonus.clone(), off));
    let columns = [
        Column::values(desk.term(Term::Employee), desk.persons(n_rows)),
        Column::values(desk.term(Term::Department), desk.repeated(List::Departments, n_rows, 4)),
        Column::values(desk.term(Term::Hours), n_hours)
            .format("0.0")
            .sum(Aggregate::Sum),
        Column::values(desk.term(Term::Rate), rates).format(money),
        Column::formula(desk.term(Term::Salary), move |row| format!("={hours}{row}*{rate}{row}"))
            .format(money)
            .sum(Aggregate::Sum),
        Column::values(desk.term(Term::Bonus), bonuses)
            .format(money)
            .sum(Aggregate::Sum),
        Column::formula(desk.term(Term::Deduction), move |row| {
            format!("=ROUND(({base}{row}+{bonus}{row})*{rate_of},2)")
        })
        .format(money)
        .sum(Aggregate::Sum),
        Column::formula(desk.term(Term::Net), move |row| {
            format!("={}{row}+{}{row}-{}{row}", paid.0, paid.1, paid.2)
        })
        .format(money)
        .sum(Aggregate::Sum),
    ];
    desk.table(head, col, n_rows, &columns);
    Story::new(
        title,
        "Wages of one month from hours and rates, with one cell for the share that is held back.",
    )
}

/// Persons against days, in codes of one letter that are coloured and counted.
pub(in crate::generate) fn rota(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = format!("{} {}", desk.term(Term::Rota), place(&mut desk.draw, desk.language));
    let n_days = desk.draw.weighted(7, &[(45, 7), (35, 14), (20, 28)]);
    let row = desk.title(row, col, n_days + 2, &title);
    let shifts = [Term::Morning, Term::Evening, Term::Night].map(|term| desk.term(term));
    let codes: Vec<String> = shifts
        .iter()
        .zip(["", "2", "3"])
        .map(|(word, mark)| word.chars().take(1).chain(mark.chars()).collect())
        .collect();
    let n_rows = desk.draw.n_rows(n_days + 3).min(30);
    let weekdays = words(List::Weekdays, desk.language);
    let mut columns = vec![Column::values(desk.term(Term::Name), desk.persons(n_rows))];
    let narrow = Style::aligned("center");
    let blanks = desk.draw.between(10, 40).unsigned_abs();
    for day in 0..n_days {
        let weekday = usize::try_from(day % 7).ok().and_then(|day| weekdays.get(day));
        let short: String = weekday.unwrap_or(&"").chars().take(3).collect();
        let head = if n_days > 7 {
            format!("{short} {}", day + 1)
        } else {
            short
        };
        let mut shift = || {
            let code = desk.draw.below(3);
            let code = usize::try_from(code).ok().and_then(|code| codes.get(code));
            let is_off = desk.draw.chance(blanks);
            code.filter(|_| !is_off)
                .map_or(Value::Null, |code| Value::text(code.as_str()))
        };
        let values = (0..n_rows).map(|_| shift()).collect();
        columns.push(Column::values(head, values).styled(narrow));
    }
    let (first, last) = (column_name(col + 1), column_name(col + n_days));
    columns.push(
        Column::formula(desk.term(Term::Count), move |row| {
            format!("=COUNTA({first}{row}:{last}{row})")
        })
        .styled(narrow),
    );
    let placed = desk.table(row, col, n_rows, &columns);
    let colors = ["#FFF2CC", "#DDEBF7", "#D9D9D9"];
    let is_colored = desk.draw.chance(60);
    let below = placed.below() + i64::from(desk.draw.chance(50));
    for ((row, code), (shift, color)) in (below..).zip(&codes).zip(shifts.iter().zip(colors)) {
        desk.canvas.put(row, col, format!("{shift} ({code})").as_str());
        for day in 1..=n_days {
            let name = column_name(col + day);
            let body = format!("{name}${}:{name}${}", placed.first_row, placed.last_row);
            desk.canvas
                .put(row, col + day, format!("=COUNTIF({body},\"{code}\")").as_str());
        }
        if is_colored {
            desk.canvas
                .dress(area(row, col, row, col + n_days), &Style::filled(color));
        }
    }
    Story::new(
        title,
        "Shifts of a team typed code by code and counted per day and per person.",
    )
}

/// Who was there on which day.
pub(in crate::generate) fn attendance(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = format!(
        "{} {}",
        desk.term(Term::Attendance),
        place(&mut desk.draw, desk.language)
    );
    let n_days = desk.draw.between(5, 16);
    let row = desk.title(row, col, n_days + 4, &title);
    let n_rows = desk.draw.n_rows(n_days + 4).min(40);
    let mut day = some_day(&mut desk.draw);
    let step = desk.draw.pick(&[1, 7]).unwrap_or(7);
    let mark = desk.draw.pick(&["x", "1", "✓"]).unwrap_or("x");
    let upright = desk.draw.chance(50);
    let mut columns = vec![
        Column::values(desk.term(Term::Number), numbering(n_rows)),
        Column::values(desk.term(Term::Name), desk.persons(n_rows)),
    ];
    for _ in 0..n_days {
        let text = date(day);
        let head: String = text.as_text().unwrap_or_default().chars().skip(5).take(5).collect();
        let head = head.replace('-', "/");
        day += step;
        let came = desk.draw.between(55, 97).unsigned_abs();
        let mut value = || match (desk.draw.chance(came), mark) {
            (false, _) => Value::Null,
            (true, "1") => Value::Int(1),
            (true, mark) => Value::text(mark),
        };
        let values = (0..n_rows).map(|_| value()).collect();
        columns.push(Column::values(head, values).styled(Style::aligned("center")));
    }
    let (first, last) = (column_name(col + 2), column_name(col + 1 + n_days));
    let (for_share, end) = (column_name(col + 2 + n_days), n_days);
    columns.push(Column::formula(desk.term(Term::Count), move |row| {
        format!("=COUNTA({first}{row}:{last}{row})")
    }));
    let share = Column::formula(desk.term(Term::Share), move |row| format!("={for_share}{row}/{end}"));
    columns.push(share.format(desk.palette.percent));
    desk.table(row, col, n_rows, &columns);
    if upright {
        let style = Style {
            degrees: Some(90),
            ..Style::default()
        };
        desk.canvas.dress(area(row, col + 2, row, col + 1 + n_days), &style);
    }
    Story::new(
        title,
        "A class list with a mark for each day somebody came, counted to the right.",
    )
}

/// A form to be printed: merged fields, boxes and lines to write on.
pub(in crate::generate) fn form(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = desk.term(Term::Form).to_owned();
    let firm = company(&mut desk.draw, desk.language);
    let mut row = desk.title(row, col, 6, &format!("{title} – {firm}"));
    let labels = [
        Term::Name,
        Term::Address,
        Term::Phone,
        Term::Date,
        Term::Department,
        Term::Number,
    ];
    let n = usize::try_from(desk.draw.between(3, 6)).unwrap_or(4);
    let filled_in = desk.draw.chance(50);
    for term in desk.draw.sample(&labels, n) {
        desk.canvas.put(row, col, desk.term(term));
        let label = desk.palette.label;
        desk.canvas
            .dress(area(row, col, row, col), &Style { bold: true, ..label });
        let field = area(row, col + 1, row, col + 5);
        desk.canvas.merge(field);
        desk.canvas.outline(field, desk.palette.line);
        if filled_in {
            let value = match term {
                Term::Name => Value::text(person(&mut desk.draw, desk.language)),
                Term::Date => date(some_day(&mut desk.draw)),
                Term::Number => Value::Int(desk.draw.between(1000, 9999)),
                Term::Phone => Value::text(format!(
                    "+00 {} {}",
                    desk.draw.between(200, 999),
                    desk.draw.between(1000, 9999)
                )),
                _ => Value::text(place(&mut desk.draw, desk.language)),
            };
            desk.canvas.put(row, col + 1, value);
            if term == Term::Date {
                desk.canvas
                    .dress(area(row, col + 1, row, col + 1), &Style::formatted(desk.palette.date));
            }
        }
        row += 1;
    }
    let head = row + 1;
    desk.canvas.put(head, col, desk.term(Term::Question));
    desk.canvas.merge(area(head, col, head, col + 3));
    for (at, term) in (col + 4..).zip([Term::Yes, Term::No]) {
        desk.canvas.put(head, at, desk.term(term));
    }
    let style = desk.palette.head;
    desk.canvas.dress(area(head, col, head, col + 5), &style);
    let n_questions = desk.draw.between(4, 6);
    for (row, question) in (head + 1..).zip(desk.list(List::Questions, n_questions)) {
        desk.canvas.put(row, col, question);
        let at = area(row, col, row, col + 3);
        desk.canvas.merge(at);
        desk.canvas.dress(
            area(row, col, row, col),
            &Style {
                wrap: true,
                ..Style::default()
            },
        );
        desk.canvas.outline(at, desk.palette.line);
        desk.canvas.grid(area(row, col + 4, row, col + 5), desk.palette.line);
        if filled_in {
            let at = col + 4 + desk.draw.between(0, 1);
            desk.canvas.put(row, at, "x");
            desk.canvas.dress(area(row, at, row, at), &Style::aligned("center"));
        }
    }
    let end = head + n_questions + 1;
    if filled_in {
        for at in [col + 4, col + 5] {
            let name = column_name(at);
            desk.canvas.put(
                end,
                at,
                format!("=COUNTA({name}{}:{name}{})", head + 1, end - 1).as_str(),
            );
        }
    }
    desk.canvas.put(end + 2, col, desk.term(Term::Note));
    let notes = area(end + 3, col, end + 5, col + 5);
    desk.canvas.merge(notes);
    desk.canvas.outline(notes, desk.palette.line);
    desk.canvas.put(end + 7, col, desk.term(Term::Signature));
    desk.canvas.side(
        area(end + 7, col + 1, end + 7, col + 3),
        Property::BorderBottom,
        Line::THIN,
    );
    Story::new(
        title,
        "A form for the counter: merged fields with lines around them, questions with boxes, room for notes.",
    )
}
