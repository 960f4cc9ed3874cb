//! Made-up sheets, and the published trajectories against themselves where they are at hand.

use napsim_sim::state::{CellKey, Property, Sheet, Workbook};
use napsim_trajectories::{CellAddress, Value};

use super::*;
use crate::shared_data::published;

fn sheet(rows: &[Vec<Value>]) -> Sheet {
    let mut sheet = Sheet::default();
    for (row, values) in (1..).zip(rows) {
        for (col, value) in (1..).zip(values) {
            if let Some(cells) = sheet.cells.as_mut() {
                cells
                    .touch(CellKey::Address(CellAddress::new(row, col)))
                    .set(Property::Value, value.clone());
            }
        }
    }
    sheet
}

/// A price list whose names and prices depend on `start`.
fn price_list(start: i64, n: i64) -> Vec<Vec<Value>> {
    let item = |idx: i64| {
        let price = f64::from(u16::try_from(idx * 7 + 13).unwrap_or(0)) / 16.0 + 100.0;
        vec![
            Value::text(format!("Galvanised bracket no. {idx}")),
            Value::Float(price),
            Value::Int(idx % 5),
            Value::text("each"),
        ]
    };
    (start..start + n).map(item).collect()
}

fn named(name: &str, sheet: &Sheet) -> (String, Signature) {
    (name.to_owned(), Signature::of_sheet(sheet))
}

fn found(train: &[(String, Signature)], benchmark: &[(String, Signature)]) -> Vec<(String, String)> {
    let overlaps = check(train, benchmark, Thresholds::default());
    overlaps
        .into_iter()
        .map(|overlap| (overlap.train, overlap.benchmark))
        .collect()
}

#[test]
fn copies_and_parts_are_found_and_others_are_not() {
    let benchmark = [
        named("brackets", &sheet(&price_list(1, 40))),
        named("others", &sheet(&price_list(900, 40))),
    ];
    let mut shuffled = price_list(1, 40);
    shuffled.reverse();
    let mut embedded = price_list(2000, 300);
    embedded.extend(price_list(10, 5));
    let train = [
        named("copy", &sheet(&price_list(1, 40))),
        named("shuffled", &sheet(&shuffled)),
        named("half", &sheet(&price_list(1, 20))),
        named("five rows in a long list", &sheet(&embedded)),
        named("different", &sheet(&price_list(5000, 40))),
        named("empty", &sheet(&[])),
    ];
    let expected = ["copy", "shuffled", "half", "five rows in a long list"];
    assert_eq!(
        found(&train, &benchmark),
        expected.map(|train| (train.to_owned(), "brackets".to_owned()))
    );
    let overlaps = check(&train, &benchmark, Thresholds::default());
    assert_eq!((overlaps[0].shared_rows, overlaps[0].benchmark_rows), (40, 40));
    assert!(overlaps[0].same_contents && !overlaps[1].same_contents);
    assert!((overlaps[0].jaccard_estimate - 1.0).abs() < 1e-12);
    // Twenty of forty items: the true index is 0.5.
    assert!((overlaps[2].jaccard_estimate - 0.5).abs() < 0.15, "{:?}", overlaps[2]);
    assert_eq!(overlaps[3].shared_rows, 5);
}

#[test]
fn kin_is_found_through_others() {
    let sheets = [
        named("version 3", &sheet(&price_list(40, 40))),
        named("version 1", &sheet(&price_list(1, 40))),
        named("alone", &sheet(&price_list(5000, 40))),
        named("version 2", &sheet(&price_list(20, 40))),
        // A workbook of two sheets, one of which is alone.
        named("version 2", &sheet(&price_list(9000, 40))),
    ];
    let kin = kin(&sheets, Thresholds::default());
    assert_eq!(kin, ["version 1", "version 1", "alone", "version 1", "version 1"]);
}

#[test]
fn trivial_rows_do_not_count() {
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let mut rows = vec![weekdays.map(Value::text).to_vec()];
    for first in 0..40 {
        rows.push((first..first + 7).map(Value::Int).collect());
        rows.push(vec![Value::text("Total"), Value::Int(2024), Value::Int(first)]);
        rows.push(vec![Value::text("A rather long single text in its row")]);
    }
    let mut other = rows.clone();
    other.push(vec![Value::text("x")]);
    let signature = Signature::of_sheet(&sheet(&rows));
    assert_eq!(signature.n_rows(), 0);
    assert_eq!(found(&[named("b", &sheet(&other))], &[named("a", &sheet(&rows))]), []);
    // An exact copy is found all the same.
    assert_eq!(
        found(&[named("b", &sheet(&rows))], &[named("a", &sheet(&rows))]).len(),
        1
    );
}

#[test]
fn spelling_and_place_do_not_matter() {
    let mut moved: Vec<Vec<Value>> = vec![vec![Value::text("Prices")], vec![]];
    for row in price_list(1, 12) {
        let mut cells = vec![Value::text("")];
        cells.extend(row.iter().map(|value| match value {
            Value::Text(text) => Value::text(format!(" {}  ", text.to_uppercase())),
            Value::Int(integer) => Value::Float(f64::from(i32::try_from(*integer).unwrap_or(0))),
            other => other.clone(),
        }));
        moved.push(cells);
    }
    let train = [named("moved", &sheet(&moved))];
    let overlaps = check(
        &train,
        &[named("plain", &sheet(&price_list(1, 12)))],
        Thresholds::default(),
    );
    assert_eq!(overlaps[0].shared_rows, 12);
}

#[test]
fn signatures_survive_json_and_do_not_change() {
    let signature = Signature::of_sheet(&sheet(&price_list(1, 12)));
    let text = serde_json::to_string(&signature).unwrap();
    assert_eq!(serde_json::from_str::<Signature>(&text).unwrap(), signature);
    // Stored signatures must stay comparable with those of later versions.
    assert_eq!(signature.contents(), 389_626_081_703_527_373);
}

#[test]
fn published_trajectories_overlap_with_themselves_alone() {
    let Some(corpus) = published() else { return };
    let signatures: Vec<(String, Signature)> = corpus
        .trajectories
        .iter()
        .map(|trajectory| {
            let mut state = Workbook::default();
            state.apply_strict(&trajectory.actions).unwrap();
            (trajectory.name.clone(), Signature::of_workbook(&state))
        })
        .collect();
    let expected: Vec<(String, String)> = signatures
        .iter()
        .map(|(name, _)| (name.clone(), name.clone()))
        .collect();
    assert_eq!(found(&signatures, &signatures), expected);
}
