//! Timetables, grade books and surveys.

use napsim_trajectories::Value;
use napsim_trajectories::range::column_name;

use super::{Story, at, numbering};
use crate::generate::palette::{Lines, Style};
use crate::generate::parts::{Aggregate, Column, Desk, area};
use crate::generate::quantity::clock;
use crate::generate::words::{List, Term, place, words};

/// Lessons against days, with double lessons merged and subjects coloured.
pub(in crate::generate) fn timetable(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = format!(
        "{} {}",
        desk.term(Term::Timetable),
        place(&mut desk.draw, desk.language)
    );
    let n_days = desk.draw.weighted(5, &[(80, 5), (20, 6)]);
    let mut head = desk.title(row, col, n_days + 1, &title);
    if desk.draw.chance(35) {
        let room = Value::Int(desk.draw.between(101, 340));
        head = desk.fields(head, col, &[(desk.term(Term::Room), room, None)]) + 1;
    }
    let n_lessons = desk.draw.between(6, 10);
    let subjects = words(List::Subjects, desk.language);
    let colors = [
        "#FCE4D6", "#DDEBF7", "#E2EFDA", "#FFF2CC", "#EDEDED", "#E4DFEC", "#DAEEF3", "#F2DCDB", "#EBF1DE", "#FDE9D9",
    ];
    let is_colored = desk.draw.chance(45);
    let (begin, length) = (
        desk.draw.between(14, 17) * 30,
        desk.draw.pick(&[45, 50, 60]).unwrap_or(45),
    );
    let times = (0..n_lessons)
        .map(|lesson| clock(begin + lesson * (length + 5)))
        .collect();
    let mut columns = vec![Column::values(desk.term(Term::Time), times).format("hh:mm")];
    let weekdays = words(List::Weekdays, desk.language);
    let mut doubles = Vec::new();
    let mut fills = Vec::new();
    for (day, weekday) in (1..=n_days).zip(&weekdays) {
        let mut lessons = Vec::new();
        while i64::try_from(lessons.len()).unwrap_or(n_lessons) < n_lessons {
            let lesson = i64::try_from(lessons.len()).unwrap_or(0);
            let is_free = desk.draw.chance(8);
            let idx = desk.draw.below(u64::try_from(subjects.len()).unwrap_or(1));
            let idx = usize::try_from(idx).unwrap_or(0);
            let subject = subjects.get(idx).filter(|_| !is_free);
            lessons.push(subject.map_or(Value::Null, |subject| Value::text(*subject)));
            let mut last = lesson;
            if subject.is_some() && lesson + 1 < n_lessons && desk.draw.chance(22) {
                lessons.push(Value::Null);
                last = lesson + 1;
                doubles.push(area(head + 1 + lesson, col + day, head + 1 + last, col + day));
            }
            if let Some(color) = colors.get(idx).filter(|_| subject.is_some()) {
                fills.push((area(head + 1 + lesson, col + day, head + 1 + last, col + day), *color));
            }
        }
        columns.push(Column::values(*weekday, lessons).styled(Style {
            wrap: desk.draw.chance(30),
            ..Style::aligned("center")
        }));
    }
    if desk.draw.chance(60) {
        desk.palette.lines = Lines::All;
    }
    let placed = desk.table(head, col, n_lessons, &columns);
    for (range, color) in fills.iter().filter(|_| is_colored) {
        desk.canvas.dress(*range, &Style::filled(color));
    }
    for double in doubles {
        desk.canvas.merge(double);
        let middle = Style {
            vertical: Some("center"),
            ..Style::default()
        };
        desk.canvas.dress(
            area(double.first_row, double.first_col, double.first_row, double.first_col),
            &middle,
        );
    }
    counts(
        desk,
        placed.below() + 1,
        col,
        &placed_body(head, col, n_lessons, n_days),
    );
    Story::new(
        title,
        "A week of lessons: days across, times down, double lessons merged, hours of each subject counted.",
    )
}

/// The cells of the lessons in absolute terms.
fn placed_body(head: i64, col: i64, n_lessons: i64, n_days: i64) -> String {
    let (first, last) = (column_name(col + 1), column_name(col + n_days));
    format!("${first}${}:${last}${}", head + 1, head + n_lessons)
}

fn counts(desk: &mut Desk, row: i64, col: i64, body: &str) {
    let subjects = words(List::Subjects, desk.language);
    let n = usize::try_from(desk.draw.between(3, 7)).unwrap_or(4);
    let name = column_name(col);
    let labels: Vec<Value> = desk.draw.sample(&subjects, n).into_iter().map(Value::text).collect();
    let n_rows = i64::try_from(labels.len()).unwrap_or(0);
    let body = body.to_owned();
    let columns = [
        Column::values(desk.term(Term::Subject), labels),
        Column::formula(desk.term(Term::Count), move |row| {
            format!("=COUNTIF({body},{name}{row})")
        }),
    ];
    desk.table(row, col, n_rows, &columns);
}

/// Marks of a class with weighted averages.
pub(in crate::generate) fn grade_book(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let subjects = words(List::Subjects, desk.language);
    let subject = desk.draw.pick(&subjects).unwrap_or_default();
    let title = format!("{} {subject}", desk.term(Term::GradeBook));
    let n_tests = desk.draw.between(3, 8);
    let head = desk.title(row, col, n_tests + 3, &title);
    let head = desk.over_head(head, col + 1, col + n_tests, desk.term(Term::Points));
    let n_rows = desk.draw.n_rows(n_tests + 3).min(40);
    let top = desk.draw.pick(&[10, 20, 100]).unwrap_or(100);
    let mut columns = vec![Column::values(desk.term(Term::Student), desk.persons(n_rows))];
    for test in 1..=n_tests {
        let missed = desk.draw.between(0, 12).unsigned_abs();
        let mut mark = || {
            let mark = desk.draw.between(top * 3 / 10, top);
            if desk.draw.chance(missed) {
                Value::Null
            } else {
                Value::Int(mark)
            }
        };
        let marks = (0..n_rows).map(|_| mark()).collect();
        let column = Column::values(format!("T{test}"), marks).styled(Style::aligned("center"));
        columns.push(column.sum(Aggregate::Average));
    }
    let (first, last) = (column_name(col + 1), column_name(col + n_tests));
    let (mean, pass) = (column_name(col + n_tests + 1), top / 2);
    let decimals = desk.draw.between(0, 2);
    columns.push(
        Column::formula(desk.term(Term::Average), move |row| {
            format!("=ROUND(AVERAGE({first}{row}:{last}{row}),{decimals})")
        })
        .format(if top == 100 { "0" } else { "0.0" })
        .sum(Aggregate::Average),
    );
    let (graded, good) = (mean.clone(), top * 8 / 10);
    columns.push(
        Column::formula(desk.term(Term::Grade), move |row| {
            format!("=IF({graded}{row}>={good},\"A\",IF({graded}{row}>={pass},\"B\",\"C\"))")
        })
        .styled(Style::aligned("center")),
    );
    let placed = desk.table(head, col, n_rows, &columns);
    let body = format!("{mean}{}:{mean}{}", placed.first_row, placed.last_row);
    let fields = [
        (desk.term(Term::Maximum), Value::text(format!("=MAX({body})")), None),
        (desk.term(Term::Minimum), Value::text(format!("=MIN({body})")), None),
        (
            desk.term(Term::Count),
            Value::text(format!("=COUNTIF({body},\">={pass}\")")),
            None,
        ),
    ];
    desk.fields(placed.below() + 1, col, &fields);
    Story::new(
        title,
        "A teacher enters the tests of a class; averages stand at the right and below.",
    )
}

/// Answers on a scale, row by row, and a table of how often each came.
pub(in crate::generate) fn survey(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = format!("{} {}", desk.term(Term::Survey), place(&mut desk.draw, desk.language));
    let n_questions = desk.draw.between(3, 6);
    let row = desk.title(row, col, n_questions + 1, &title);
    let questions = desk.list(List::Questions, n_questions);
    let mut head = row;
    let legend = desk.draw.chance(55);
    if legend {
        for (row, (n, question)) in (row..).zip((1..).zip(&questions)) {
            let text = question.as_text().unwrap_or_default();
            desk.canvas.put(row, col, format!("{n}. {text}").as_str());
            head = row + 2;
        }
    }
    let n_rows = desk.draw.n_rows(n_questions + 1);
    let top = desk.draw.pick(&[5, 6, 10]).unwrap_or(5);
    let mut columns = vec![Column::values(desk.term(Term::Number), numbering(n_rows)).styled(Style::aligned("center"))];
    for (n, question) in (1..).zip(&questions) {
        let answers = desk.numbers(n_rows, 1, top);
        let full = question.as_text().unwrap_or_default().to_owned();
        let heading = if legend { format!("Q{n}") } else { full };
        columns.push(Column::values(heading, answers).sum(Aggregate::Average).format("0.0"));
    }
    if !legend {
        desk.palette.head.wrap = true;
    }
    let placed = desk.table(head, col, n_rows, &columns);
    let start = placed.below() + 2;
    let labels: Vec<Value> = (1..=top).map(Value::Int).collect();
    let mut counts = vec![Column::values(desk.term(Term::Answer), labels)];
    for n in 1..=n_questions {
        let (body, name) = (placed.column(n), column_name(col));
        let count = Column::formula(format!("Q{n}"), move |row| format!("=COUNTIF({body},${name}{row})"));
        counts.push(count.sum(Aggregate::Sum));
    }
    let counted = desk.table(start, col, top, &counts);
    if let (Some(total), true) = (counted.total_row, desk.draw.chance(40)) {
        desk.canvas.put(total + 1, col, desk.term(Term::Share));
        for n in 1..=n_questions {
            let formula = format!("={}/{}", at(counted.last_row, col + n), at(total, col + n));
            desk.canvas.put(total + 1, col + n, formula.as_str());
        }
        let line = area(total + 1, col + 1, total + 1, col + n_questions);
        desk.canvas.dress(line, &Style::formatted(desk.palette.percent));
    }
    Story::new(
        title,
        "Answers of a survey typed sheet by sheet; below, how often each answer came.",
    )
}
