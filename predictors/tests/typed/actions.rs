//! Random actions, with whatever makes reading a text give something else than was written.

use std::sync::Arc;

use napsim_trajectories::action::{Axis, BorderLine, BorderSide, Edit, FontProperty};
use napsim_trajectories::{Action, Bounds, Range, Value};
use proptest::prelude::*;

/// Texts that stay, that change when they are read, and that look like something else.
fn text() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "tea",
        "#AABBCC",
        "#aabbcc",
        "none",
        "None",
        "null",
        "clear",
        "",
        " x",
        "x ",
        "=A1+1",
        "=$B2 ",
        "12:30",
        "2024",
        "a | b",
        "a|b",
        "Thin",
        "Calibri",
        "Ünï",
        "CENTER",
        "center",
        "1",
        "\u{10D83D}\u{10DC00}",
        "single",
        "a, b",
        "Sheet1!A1",
        "A1:A3",
        "\"x\"",
        "\"=A1\"",
    ])
    .prop_map(str::to_owned)
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        2 => any::<i8>().prop_map(|integer| Value::Int(integer.into())),
        2 => text().prop_map(Value::text),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
        1 => prop::sample::select(vec![0.0, -0.0, 5.0, 2.5, 1e300, 1e-7, f64::NAN, f64::INFINITY]).prop_map(Value::Float),
        1 => any::<i128>().prop_map(|integer| Value::from_bigint(integer.into())),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let row = prop::collection::vec(scalar(), 0..3).prop_map(Value::list);
    prop_oneof![
        4 => scalar(),
        1 => prop::collection::vec(row, 0..3).prop_map(Value::list),
        1 => prop::collection::vec(scalar(), 0..3).prop_map(Value::list),
        1 => text().prop_map(|key| Value::Object(vec![(key.into(), Value::Int(1))].into())),
    ]
}

fn edit() -> impl Strategy<Value = Edit> {
    let arc = || text().prop_map(|text| Arc::from(text.as_str()));
    let option = || prop::option::weighted(0.8, arc());
    let property = prop::sample::select(vec![
        FontProperty::Bold,
        FontProperty::Italic,
        FontProperty::Size,
        FontProperty::Color,
        FontProperty::Underline,
        FontProperty::Name,
    ]);
    let axis = prop::sample::select(vec![Axis::Horizontal, Axis::Vertical]);
    let side = prop::sample::select(vec![BorderSide::All, BorderSide::Left, BorderSide::DiagonalUp]);
    prop_oneof![
        (value(), prop::option::weighted(0.1, arc())).prop_map(|(value, datatype)| Edit::Value { value, datatype }),
        option().prop_map(|text| Edit::Formula { text }),
        value().prop_map(|value| Edit::Input { value }),
        arc().prop_map(|format| Edit::NumberFormat { format }),
        option().prop_map(|color| Edit::Fill { color }),
        (property, value()).prop_map(|(property, value)| Edit::Font { property, value }),
        (axis, arc()).prop_map(|(axis, value)| Edit::Align { axis, value }),
        any::<bool>().prop_map(|on| Edit::Wrap { on }),
        any::<bool>().prop_map(|on| Edit::Merge { on }),
        scalar().prop_map(|degrees| Edit::Orientation { degrees }),
        (side, option(), option(), option()).prop_map(|(side, weight, style, color)| Edit::Border {
            side,
            line: BorderLine { weight, style, color }
        }),
        (arc(), arc()).prop_map(|(source, mode)| Edit::Paste { source, mode }),
        arc().prop_map(|source| Edit::Autofill { source }),
    ]
}

fn range() -> impl Strategy<Value = Range> {
    let sheet = prop::sample::select(vec![
        "Sheet1",
        "Sheet1",
        "'My list'",
        "",
        " x",
        "x ",
        "a!b",
        "a|b",
        "a | b",
        "| b",
        "Dépôt",
    ]);
    let written = prop::sample::select(vec![
        "A1",
        "B2",
        "a1",
        "$A$1",
        "A1:B2",
        "B2:A1",
        "A0",
        "A01",
        "A٣",
        "A1\n",
        "ZZZ1",
        "A1:ZZZ9",
        "A1:A250000",
        "A999999999999",
        "B2:B3",
        "B4:B5",
        "C3",
        "C4",
        "C5",
    ]);
    let bounds = (0..5_i64, 0..4_i64, 0..3_i64, 0..3_i64).prop_map(|(row, col, rows, cols)| Bounds {
        first_row: row,
        first_col: col,
        last_row: row + rows,
        last_col: col + cols,
    });
    prop_oneof![
        (sheet.clone(), written).prop_filter_map("no range", |(sheet, text)| Range::new(sheet, text).ok()),
        (sheet, bounds).prop_map(|(sheet, bounds)| Range::from_bounds(sheet.into(), bounds)),
        (0..4_i64, 0..3_i64).prop_map(|(row, col)| {
            let (row, col) = (row + 1, col + 1);
            let bounds = Bounds {
                first_row: row,
                first_col: col,
                last_row: row,
                last_col: col,
            };
            Range::from_bounds("Sheet1".into(), bounds)
        }),
    ]
}

/// Any action, as a user, a predictor or an undo could make it, and some that nobody makes.
pub(crate) fn action() -> impl Strategy<Value = Action> {
    (range(), edit(), any::<bool>()).prop_map(|(range, edit, inverse)| Action::new(range, edit).with_inverse(inverse))
}

/// A few different actions in any order, so that something repeats.
pub(crate) fn history() -> impl Strategy<Value = Vec<Action>> {
    (
        prop::collection::vec(action(), 1..5),
        prop::collection::vec(any::<prop::sample::Index>(), 0..25),
    )
        .prop_map(|(some, order)| order.iter().map(|idx| idx.get(&some).clone()).collect())
}
