//! Price lists, inventories and sales.

use napsim_sim::state::Property;
use napsim_trajectories::range::column_name;
use napsim_trajectories::{Bounds, Value};

use super::{Story, at};
use crate::generate::palette::Style;
use crate::generate::parts::{Aggregate, Column, Content, Desk, area};
use crate::generate::quantity::{date, some_day};
use crate::generate::words::{List, Term, company, place, words};

/// Goods with their prices and what is left after a discount.
pub(in crate::generate) fn price_list(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = format!(
        "{} {}",
        desk.term(Term::PriceList),
        company(&mut desk.draw, desk.language)
    );
    let row = desk.title(row, col, 5, &title);
    let day = some_day(&mut desk.draw);
    let discount = desk.draw.between(1, 8) * 5;
    let fields = [
        (desk.term(Term::Version), date(day), Some(desk.palette.date)),
        (
            desk.term(Term::Discount),
            Value::Float(crate::generate::quantity::fraction(discount)),
            Some("0%"),
        ),
    ];
    let head = desk.fields(row, col, &fields) + 1;
    let n_rows = desk.draw.n_rows(5);
    let rate = format!("${}${}", column_name(col + 1), row + 1);
    let price = column_name(col + 3);
    let prefix = desk.draw.pick(&["A-", "K-", "HX-", "PR-", "Z"]).unwrap_or("A-");
    let codes = desk.numbers(n_rows, 100, 9999);
    let codes = codes.into_iter().map(|code| match code {
        Value::Int(code) => Value::text(format!("{prefix}{code:04}")),
        other => other,
    });
    let money = desk.palette.money;
    let (categories, blocks) = if desk.draw.chance(45) {
        desk.blocks(List::Departments, n_rows)
    } else {
        (desk.repeated(List::Departments, n_rows, 3), Vec::new())
    };
    let columns = [
        Column::values(desk.term(Term::Number), codes.collect()),
        Column::values(desk.term(Term::Product), desk.list(List::Goods, n_rows)),
        Column::values(desk.term(Term::Category), categories),
        Column::values(desk.term(Term::Price), desk.amounts(n_rows, 1, 480)).format(money),
        Column::formula(desk.term(Term::Amount), move |row| {
            format!("=ROUND({price}{row}*(1-{rate}),2)")
        })
        .format(money),
    ];
    let placed = desk.table(head, col, n_rows, &columns);
    for (first, last) in blocks {
        let block = area(placed.first_row + first, col + 2, placed.first_row + last, col + 2);
        desk.canvas.merge(block);
        let middle = Style {
            vertical: Some("center"),
            ..Style::default()
        };
        desk.canvas.dress(
            Bounds {
                last_row: block.first_row,
                ..block
            },
            &middle,
        );
    }
    let remarks = words(List::Remarks, desk.language);
    if let Some(remark) = desk.draw.pick(&remarks).filter(|_| desk.draw.chance(40)) {
        desk.note(placed.below() + 1, col, 5, remark);
    }
    Story::new(
        title,
        "A dealer lists goods with codes and prices and lets one discount cell work out the rest.",
    )
}

/// What is in stock, what it is worth and what has to be ordered.
pub(in crate::generate) fn inventory(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = format!(
        "{} {}",
        desk.term(Term::Inventory),
        place(&mut desk.draw, desk.language)
    );
    let row = desk.title(row, col, 7, &title);
    let n_rows = desk.draw.n_rows(7);
    let [stock, minimum, price, reorder] = [2, 3, 4, 6].map(|idx| column_name(col + idx));
    let (worth, flag) = (stock.clone(), (stock.clone(), minimum));
    let (yes, no) = (desk.term(Term::Yes), desk.term(Term::No));
    let money = desk.palette.money;
    let whence = if desk.draw.chance(50) {
        let firms: Vec<Value> = (0..4)
            .map(|_| Value::text(company(&mut desk.draw, desk.language)))
            .collect();
        let mut firm = || {
            usize::try_from(desk.draw.below(4))
                .ok()
                .and_then(|idx| firms.get(idx))
                .cloned()
        };
        let supplied = (0..n_rows).filter_map(|_| firm()).collect();
        Column::values(desk.term(Term::Supplier), supplied)
    } else {
        Column::values(desk.term(Term::Place), desk.repeated(List::Departments, n_rows, 4))
    };
    let columns = [
        Column::values(desk.term(Term::Item), desk.list(List::Goods, n_rows)),
        whence,
        Column::values(desk.term(Term::Stock), desk.numbers(n_rows, 0, 180)).format("0"),
        Column::values(desk.term(Term::MinStock), desk.numbers(n_rows, 2, 60)),
        Column::values(desk.term(Term::UnitPrice), desk.amounts(n_rows, 1, 120)).format(money),
        Column::formula(desk.term(Term::Value), move |row| format!("={worth}{row}*{price}{row}"))
            .format(money)
            .sum(Aggregate::Sum),
        Column::formula(desk.term(Term::Reorder), move |row| {
            format!("=IF({}{row}<{}{row},\"{yes}\",\"{no}\")", flag.0, flag.1)
        })
        .styled(Style::aligned("center")),
    ];
    let placed = desk.table(row, col, n_rows, &columns);
    let below = placed.below() + 1;
    let body = format!("{reorder}{}:{reorder}{}", placed.first_row, placed.last_row);
    let fields = [
        (
            desk.term(Term::Count),
            Value::text(format!("=COUNTA({})", placed.column(0))),
            None,
        ),
        (
            desk.term(Term::Reorder),
            Value::text(format!("=COUNTIF({body},\"{yes}\")")),
            None,
        ),
    ];
    desk.fields(below, col, &fields);
    if desk.draw.chance(45) {
        shade_some(desk, placed.first_row, placed.last_row, col + 6);
    }
    Story::new(
        title,
        "The store is counted shelf by shelf; a formula says what has to be ordered.",
    )
}

/// Shades a few cells of a column by hand.
fn shade_some(desk: &mut Desk, first_row: i64, last_row: i64, col: i64) {
    let color = desk.draw.pick(&["#FFFF00", "#FFC7CE", "#F8CBAD"]).unwrap_or("#FFFF00");
    for row in first_row..=last_row {
        if desk.draw.chance(18) {
            desk.canvas.dress(area(row, col, row, col), &Style::filled(color));
        }
    }
}

/// Months against regions, with a summary that reads from them and a block of key figures.
pub(in crate::generate) fn sales(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let n_regions = desk.draw.between(3, 6);
    let year = desk.draw.between(2021, 2027);
    let title = format!("{} {year}", desk.term(Term::Sales));
    let row = desk.title(row, col, n_regions + 2, &title);
    let row = desk.over_head(row, col + 1, col + n_regions, desk.term(Term::Region));
    let months = words(List::Months, desk.language);
    let n_rows = desk.draw.weighted(12, &[(60, 12), (25, 6), (15, 3)]);
    let labels = months.iter().map(|month| Value::text(*month));
    let labels = labels.take(usize::try_from(n_rows).unwrap_or(12)).collect();
    let money = desk.draw.pick(&["#,##0", desk.palette.money]).unwrap_or("#,##0");
    let mut columns = vec![Column::values(desk.term(Term::Month), labels)];
    let regions: Vec<String> = (0..n_regions).map(|_| place(&mut desk.draw, desk.language)).collect();
    for region in &regions {
        let amounts = desk.amounts(n_rows, 800, 24_000);
        columns.push(
            Column::values(region.as_str(), amounts)
                .format(money)
                .sum(Aggregate::Sum),
        );
    }
    let (first, last) = (column_name(col + 1), column_name(col + n_regions));
    let total = Column::formula(desk.term(Term::Total), move |row| {
        format!("=SUM({first}{row}:{last}{row})")
    });
    columns.push(total.format(money).sum(Aggregate::Sum));
    let placed = desk.table(row, col, n_rows, &columns);
    let total_row = placed.total_row.unwrap_or(placed.last_row);
    summary(
        desk,
        &Origin {
            row: placed.below() + 2,
            col,
            total_row,
            n_regions,
        },
        &regions,
        money,
    );
    if desk.draw.chance(50) {
        let beside = placed.last_col + 2;
        let body = placed.column(n_regions + 1);
        let fields = [
            (
                desk.term(Term::Maximum),
                Value::text(format!("=MAX({body})")),
                Some(money),
            ),
            (
                desk.term(Term::Minimum),
                Value::text(format!("=MIN({body})")),
                Some(money),
            ),
            (
                desk.term(Term::Average),
                Value::text(format!("=ROUND(AVERAGE({body}),0)")),
                Some(money),
            ),
        ];
        let below = desk.fields(row, beside, &fields);
        desk.canvas
            .outline(area(row, beside, below - 1, beside + 1), desk.palette.line);
    }
    Story::new(
        title,
        "Monthly sales of several places, and below them targets, shares and the best and worst month.",
    )
}

/// Where the summary stands and what it reads.
struct Origin {
    row: i64,
    col: i64,
    total_row: i64,
    n_regions: i64,
}

fn summary(desk: &mut Desk, origin: &Origin, regions: &[String], money: &'static str) {
    let Origin {
        row,
        col,
        total_row,
        n_regions,
    } = *origin;
    let heading = desk.term(Term::Summary);
    desk.canvas.put(row, col, heading);
    let style = Style {
        color: Some(desk.palette.accent),
        ..Style::bold()
    };
    desk.canvas.dress(area(row, col, row, col), &style);
    let head = row + 1;
    let grand = format!("${}${total_row}", column_name(col + n_regions + 1));
    let read = move |row: i64| at(total_row, col + row - head);
    let (sales, target) = (column_name(col + 1), column_name(col + 2));
    let met = (sales.clone(), target);
    let (yes, no) = (desk.term(Term::Yes), desk.term(Term::No));
    let labels = regions.iter().map(|region| Value::text(region.as_str())).collect();
    let targets = (0..n_regions)
        .map(|_| Value::Int(desk.draw.between(20, 160) * 1000))
        .collect();
    let columns = [
        Column::values(desk.term(Term::Region), labels),
        Column::formula(desk.term(Term::Sales), move |row| format!("={}", read(row))).format(money),
        Column::values(desk.term(Term::Target), targets).format("#,##0"),
        Column::formula(desk.term(Term::Share), move |row| format!("={sales}{row}/{grand}"))
            .format(desk.palette.percent),
        Column {
            content: Content::Formula(Box::new(move |row| {
                format!("=IF({}{row}>={}{row},\"{yes}\",\"{no}\")", met.0, met.1)
            })),
            ..Column::values(desk.term(Term::Done), Vec::new())
        }
        .styled(Style::aligned("center")),
    ];
    let placed = desk.table(head, col, n_regions, &columns);
    if desk.draw.chance(30) {
        let line = area(placed.last_row, col, placed.last_row, placed.last_col);
        desk.canvas.side(line, Property::BorderBottom, desk.palette.line);
    }
}
