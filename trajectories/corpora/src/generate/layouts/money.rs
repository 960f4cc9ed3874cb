//! Budgets, cash books, loans and invoices.

use napsim_sim::state::Property;
use napsim_trajectories::Value;
use napsim_trajectories::range::column_name;

use super::{Story, at, numbering};
use crate::generate::palette::Style;
use crate::generate::parts::{Aggregate, Column, Desk, area};
use crate::generate::quantity::{date, hundredths, some_day};
use crate::generate::words::{List, Term, company, person, place, words};

/// Income and expenses, planned and actual, and what is left.
pub(in crate::generate) fn budget(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let has_share = desk.draw.chance(45);
    let year = desk.draw.between(2022, 2027);
    let title = format!("{} {year}", desk.term(Term::Budget));
    let mut row = desk.title(row, col, 4 + i64::from(has_share), &title);
    let mut totals = Vec::new();
    for (term, list, low, high) in [
        (Term::Income, List::Incomes, 200, 3200),
        (Term::Expense, List::Expenses, 15, 900),
    ] {
        let n_rows = if list == List::Incomes {
            desk.draw.between(2, 6)
        } else {
            desk.draw.n_rows(5)
        };
        let (planned, actual) = (column_name(col + 1), column_name(col + 2));
        let money = desk.palette.money;
        let mut columns = vec![
            Column::values(desk.term(term), desk.list(list, n_rows)),
            Column::values(desk.term(Term::Planned), desk.amounts(n_rows, low, high)),
            Column::values(desk.term(Term::Actual), desk.amounts(n_rows, low, high)),
            Column::formula(desk.term(Term::Difference), move |row| {
                format!("={actual}{row}-{planned}{row}")
            }),
        ];
        for column in columns.iter_mut().skip(1) {
            column.style.format = Some(money);
            column.sum = Aggregate::Sum;
        }
        if has_share {
            let (name, total) = (column_name(col + 2), row + n_rows + 1);
            let share = Column::formula(desk.term(Term::Share), move |row| {
                format!("={name}{row}/{name}${total}")
            });
            columns.push(share.format(desk.palette.percent));
        }
        let placed = desk.table(row, col, n_rows, &columns);
        totals.extend(placed.total_row);
        row = placed.below() + 1;
    }
    if let [income, expense] = *totals {
        desk.canvas.put(row, col, desk.term(Term::Balance));
        for col in [col + 1, col + 2] {
            let formula = format!("={}-{}", at(income, col), at(expense, col));
            desk.canvas.put(row, col, formula.as_str());
            desk.canvas
                .dress(area(row, col, row, col), &Style::formatted(desk.palette.money));
        }
        let style = desk.palette.total;
        desk.canvas.dress(area(row, col, row, col + 2), &style);
    }
    Story::new(
        title,
        "A household plans income and expenses, fills in what they came to and sees what is left.",
    )
}

/// A running balance.
pub(in crate::generate) fn cash_book(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = format!(
        "{} {}",
        desk.term(Term::CashBook),
        company(&mut desk.draw, desk.language)
    );
    let row = desk.title(row, col, 6, &title);
    let (money, opening) = (
        desk.palette.money,
        desk.amounts(1, 50, 900).pop().unwrap_or(Value::Int(100)),
    );
    let head = desk.fields(row, col, &[(desk.term(Term::Opening), opening, Some(money))]);
    let n_rows = desk.draw.n_rows(6);
    let mut day = some_day(&mut desk.draw);
    let (mut days, mut texts, mut ins, mut outs) = (vec![], vec![], vec![], vec![]);
    for _ in 0..n_rows {
        day += desk.draw.between(0, 3);
        days.push(date(day));
        let amount = desk.amounts(1, 3, 420).pop().unwrap_or(Value::Null);
        let comes_in = desk.draw.chance(38);
        let list = if comes_in { List::Incomes } else { List::Expenses };
        let things = words(list, desk.language);
        texts.push(desk.draw.pick(&things).map_or(Value::Null, Value::text));
        ins.push(if comes_in { amount.clone() } else { Value::Null });
        outs.push(if comes_in { Value::Null } else { amount });
    }
    let [income, expense, balance] = [3, 4, 5].map(|idx| column_name(col + idx));
    let (first, opening) = (head + 2, at(row, col + 1));
    let columns = [
        Column::values(desk.term(Term::Date), days).format(desk.palette.date),
        Column::values(desk.term(Term::Number), numbering(n_rows)),
        Column::values(desk.term(Term::Description), texts),
        Column::values(desk.term(Term::Income), ins)
            .format(money)
            .sum(Aggregate::Sum),
        Column::values(desk.term(Term::Expense), outs)
            .format(money)
            .sum(Aggregate::Sum),
        Column::formula(desk.term(Term::Balance), move |row| {
            let before = if row == first {
                opening.clone()
            } else {
                format!("{balance}{}", row - 1)
            };
            format!("={before}+{income}{row}-{expense}{row}")
        })
        .format(money),
    ];
    let placed = desk.table(head + 1, col, n_rows, &columns);
    let name = person(&mut desk.draw, desk.language);
    if desk.draw.chance(40) {
        desk.footer(placed.below() + 1, col, &name);
    }
    Story::new(
        title,
        "The till is written up entry by entry with a balance that runs down the page.",
    )
}

/// A loan paid back month by month.
pub(in crate::generate) fn loan(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = format!("{} {}", desk.term(Term::Loan), company(&mut desk.draw, desk.language));
    let row = desk.title(row, col, 5, &title);
    let n_rows = desk.draw.n_rows(5).max(8);
    let money = desk.palette.money;
    let amount = desk.draw.between(12, 900) * 100;
    let rate = hundredths(desk.draw.between(150, 780));
    let fields = [
        (desk.term(Term::Loan), Value::Int(amount), Some(money)),
        (desk.term(Term::Interest), rate, Some("0.00\"%\"")),
        (desk.term(Term::Count), Value::Int(n_rows), None),
    ];
    let head = desk.fields(row, col, &fields) + 1;
    let value = |row: i64| format!("${}${row}", column_name(col + 1));
    let (amount, rate, count) = (value(row), value(row + 1), value(row + 2));
    let [interest, principal, balance] = [2, 3, 4].map(|idx| column_name(col + idx));
    let first = head + 1;
    let (for_interest, for_payment, for_balance) = (balance.clone(), (interest.clone(), principal.clone()), balance);
    let (owed, at_first) = (amount.clone(), amount.clone());
    let rounded = desk.draw.chance(70);
    let columns = [
        Column::values(desk.term(Term::Month), numbering(n_rows)),
        Column::formula(desk.term(Term::Payment), move |row| {
            format!("={}{row}+{}{row}", for_payment.0, for_payment.1)
        })
        .sum(Aggregate::Sum),
        Column::formula(desk.term(Term::Interest), move |row| {
            let left = if row == first {
                owed.clone()
            } else {
                format!("{for_interest}{}", row - 1)
            };
            let monthly = format!("{left}*{rate}/1200");
            if rounded {
                format!("=ROUND({monthly},2)")
            } else {
                format!("={monthly}")
            }
        })
        .sum(Aggregate::Sum),
        Column::formula(desk.term(Term::Principal), move |_| {
            format!("=ROUND({amount}/{count},2)")
        })
        .sum(Aggregate::Sum),
        Column::formula(desk.term(Term::Balance), move |row| {
            let before = if row == first {
                at_first.clone()
            } else {
                format!("{for_balance}{}", row - 1)
            };
            format!("={before}-{principal}{row}")
        }),
    ];
    let columns = columns.into_iter().enumerate();
    let columns: Vec<Column> = columns
        .map(|(idx, column)| if idx == 0 { column } else { column.format(money) })
        .collect();
    desk.table(head, col, n_rows, &columns);
    Story::new(
        title,
        "Amount, rate and months stand above; the schedule below is dragged down from its first row.",
    )
}

/// A letterhead, lines with prices, and what is to be paid.
pub(in crate::generate) fn invoice(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let firm = company(&mut desk.draw, desk.language);
    let street = format!("{} {}", place(&mut desk.draw, desk.language), desk.draw.between(2, 98));
    let title = format!("{} {}", desk.term(Term::Invoice), desk.draw.between(1001, 9899));
    let row = desk.title(row, col, 5, &firm);
    desk.canvas.put(row, col, street.as_str());
    let day = some_day(&mut desk.draw);
    let customer = person(&mut desk.draw, desk.language);
    desk.canvas.put(row + 2, col, title.as_str());
    desk.canvas.dress(
        area(row + 2, col, row + 2, col),
        &Style {
            size: Some(13),
            ..Style::bold()
        },
    );
    let fields = [
        (desk.term(Term::Customer), Value::text(customer), None),
        (desk.term(Term::Date), date(day), Some(desk.palette.date)),
        (
            desk.term(Term::Place),
            Value::text(place(&mut desk.draw, desk.language)),
            None,
        ),
    ];
    let head = desk.fields(row + 3, col, &fields) + 1;
    let n_rows = desk.draw.n_rows(5).min(40);
    let (money, quantity, price) = (desk.palette.money, column_name(col + 2), column_name(col + 3));
    let columns = [
        Column::values(desk.term(Term::Number), numbering(n_rows)).styled(Style::aligned("center")),
        Column::values(desk.term(Term::Description), desk.list(List::Goods, n_rows)),
        Column::values(desk.term(Term::Quantity), desk.numbers(n_rows, 1, 24)),
        Column::values(desk.term(Term::UnitPrice), desk.amounts(n_rows, 2, 240)).format(money),
        Column::formula(desk.term(Term::Amount), move |row| {
            format!("={quantity}{row}*{price}{row}")
        })
        .format(money),
    ];
    let placed = desk.table(head, col, n_rows, &columns);
    let (amount, below) = (col + 4, placed.below());
    let rate = desk.draw.pick(&[5_i64, 7, 8, 10, 19, 20, 21, 22]).unwrap_or(20);
    let (first, last) = (at(placed.first_row, amount), at(placed.last_row, amount));
    let lines = [
        (desk.term(Term::Subtotal).to_owned(), format!("=SUM({first}:{last})")),
        (
            format!("{} {rate}%", desk.term(Term::Tax)),
            format!("=ROUND({}*{rate}%,2)", at(below, amount)),
        ),
        (
            desk.term(Term::Total).to_owned(),
            format!("={}+{}", at(below, amount), at(below + 1, amount)),
        ),
    ];
    for (row, (label, formula)) in (below..).zip(&lines) {
        desk.canvas.put(row, amount - 1, label.as_str());
        desk.canvas.put(row, amount, formula.as_str());
        desk.canvas
            .dress(area(row, amount, row, amount), &Style::formatted(money));
    }
    let style = desk.palette.total;
    let total = area(below + 2, amount - 1, below + 2, amount);
    desk.canvas.dress(total, &style);
    desk.canvas.side(total, Property::BorderTop, desk.palette.line);
    let remarks = words(List::Remarks, desk.language);
    if let Some(remark) = desk.draw.pick(&remarks).filter(|_| desk.draw.chance(55)) {
        desk.note(below + 4, col, 4, remark);
    }
    Story::new(
        title,
        "A small firm bills a customer: letterhead, lines with quantity and price, tax and total.",
    )
}
