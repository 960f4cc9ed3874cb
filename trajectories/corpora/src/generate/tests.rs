use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use napsim_sim::state::{CellKey, Property, Workbook};
use napsim_sim::state_actions::actions_of;
use napsim_trajectories::{Value, json, rewrite_clock_text};
use sha2::{Digest, Sha256};

use super::words::{List, Term, words};
use super::*;

fn state(generated: &Generated) -> Workbook {
    let mut workbook = Workbook::default();
    workbook.push_sheet("Sheet1".into(), generated.sheet.clone());
    workbook
}

fn text(generated: &Generated) -> String {
    let state = json::write(&state(generated).to_json());
    format!("{}\n{}\n{}\n{state}\n", generated.name, generated.title, generated.plot)
}

#[test]
fn the_same_numbers_give_the_same_bytes() {
    let mut digest = Sha256::new();
    for index in 0..60 {
        digest.update(text(&workbook(7, index)));
    }
    let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        digest, "8c0a8400999fdb0c73bb06e881d2b24b1023de5a1b720a80d4157e8d5900d2ca",
        "made-up workbooks have changed: say so in the change log"
    );
    let alone = text(&workbook(7, 41));
    assert_eq!(alone, text(&workbook(7, 41)));
    assert_ne!(alone, text(&workbook(8, 41)));
}

#[test]
fn every_sheet_can_be_made_by_actions() {
    for index in 0..240 {
        let generated = workbook(3, index);
        let target = state(&generated);
        let mut made = Workbook::default();
        made.apply_strict(&actions_of(&target).unwrap()).unwrap();
        let name: Arc<str> = "Sheet1".into();
        let made_sheet = made.sheet(&name).unwrap();
        assert_eq!(made_sheet.merges(), generated.sheet.merges(), "{}", generated.name);
        let properties = |sheet: &Sheet| -> BTreeMap<(CellKey, Property), String> {
            let cells = sheet.cells.as_ref().unwrap().sorted();
            let entries = cells.flat_map(|(key, cell)| cell.entries().iter().map(move |entry| (key.clone(), entry)));
            let plain = entries.filter(|(_, (property, _))| !property.is_container());
            plain
                .map(|(key, (property, value))| ((key, *property), json::write(value)))
                .collect()
        };
        let (wanted, got) = (properties(&generated.sheet), properties(made_sheet));
        let wrong = wanted.iter().find(|(key, value)| got.get(key) != Some(value));
        assert_eq!(wrong, None, "{}", generated.name);
        assert_eq!(wanted.len(), got.len(), "{}", generated.name);
    }
}

#[test]
fn cells_are_in_order_and_hold_what_typing_leaves() {
    for index in 0..200 {
        let generated = workbook(5, index);
        let cells = generated.sheet.cells.as_ref().unwrap();
        let in_order: Vec<&CellKey> = cells.in_insertion_order().into_iter().map(|(key, _)| key).collect();
        assert!(in_order.is_sorted(), "{}", generated.name);
        assert!(generated.sheet.merges().is_sorted(), "{}", generated.name);
        for (key, cell) in cells.sorted() {
            assert!(!cell.is_empty(), "{} {key}", generated.name);
            if let Some(Value::Text(value)) = cell.get(Property::Value) {
                let is_clock = value.len() >= 8 && value.get(2..3) == Some(":");
                let is_date = value.ends_with(" 00:00:00");
                let rewritten = rewrite_clock_text(value);
                assert_eq!(
                    rewritten.is_some(),
                    is_clock || is_date,
                    "{} {key} {value}",
                    generated.name
                );
                assert!(!value.contains(" | "), "{value}");
            }
        }
    }
}

#[test]
fn formulas_refer_to_cells_with_values() {
    for index in 0..120 {
        let generated = workbook(11, index);
        let cells = generated.sheet.cells.as_ref().unwrap();
        let mut n_formulas = 0;
        for (key, cell) in cells.sorted() {
            let Some(formula) = cell
                .get(Property::Value)
                .and_then(Value::as_text)
                .filter(|text| text.starts_with('='))
            else {
                continue;
            };
            n_formulas += 1;
            let at = key.address().unwrap();
            for reference in crate::regions::references(formula) {
                assert!(!reference.range.contains_cell(at), "{} {key} {formula}", generated.name);
                let mut read = reference.range.cells();
                let any = read.any(|at| cells.get(&at.into()).is_some_and(|cell| cell.has(Property::Value)));
                let may_be_empty = generated.family == "cash-book" || generated.family == "form";
                assert!(any || may_be_empty, "{} {key} {formula}", generated.name);
            }
        }
        assert!(n_formulas > 0 || generated.family == "form", "{}", generated.name);
    }
}

#[test]
fn all_families_and_languages_come_and_sizes_vary() {
    let mut n_cells = Vec::new();
    let (mut found, mut spoken, mut fonts) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for index in 0..200 {
        let generated = workbook(1, index);
        found.insert(generated.family);
        spoken.insert(generated.language);
        let cells = generated.sheet.cells.as_ref().unwrap();
        n_cells.push(cells.len());
        let named = cells.sorted().find_map(|(_, cell)| cell.get(Property::FontName));
        fonts.extend(named.and_then(Value::as_text).map(str::to_owned));
    }
    assert_eq!(found, families().collect());
    assert_eq!(spoken, Language::ALL.into_iter().collect());
    assert!(fonts.len() >= 6, "{fonts:?}");
    n_cells.sort_unstable();
    let quantile = |percent: usize| n_cells[percent * (n_cells.len() - 1) / 100];
    let quantiles = [0, 10, 50, 90, 99, 100].map(quantile);
    eprintln!("cells at 0, 10, 50, 90, 99, 100 %: {quantiles:?}");
    assert!(quantiles[0] >= 35 && quantiles[1] < 90, "{quantiles:?}");
    assert!((90..320).contains(&quantiles[2]), "{quantiles:?}");
    assert!(quantiles[4] > 600 && quantiles[5] <= 1500, "{quantiles:?}");
}

#[test]
fn every_language_has_every_word() {
    for language in Language::ALL {
        for list in List::ALL {
            let words = words(list, language);
            assert!(
                words.len() >= 6 && words.iter().all(|word| !word.is_empty()),
                "{language:?} {list:?}"
            );
        }
        assert_eq!(words(List::Months, language).len(), 12);
        assert_eq!(words(List::Weekdays, language).len(), 7);
        for term in Term::ALL {
            assert!(!term.text(language).is_empty());
        }
    }
}

#[test]
fn regions_of_generated_sheets_are_sound() {
    for index in 0..100 {
        let generated = workbook(2, index);
        let annotation = crate::regions::annotate(&generated.sheet);
        let mut problems = crate::regions::validate(&annotation, &generated.sheet);
        problems.retain(|problem| !problem.is_warning());
        assert_eq!(problems, [], "{}", generated.name);
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    #[test]
    fn any_numbers_give_a_sheet_within_bounds(seed: u64, index: u64) {
        let generated = workbook(seed, index);
        let n_cells = generated.sheet.cells.as_ref().map_or(0, napsim_sim::state::Cells::len);
        proptest::prop_assert!((35..=1500).contains(&n_cells), "{n_cells}");
        proptest::prop_assert!(generated.name.starts_with(generated.family));
        proptest::prop_assert!(generated.plot.ends_with('.') && !generated.title.is_empty());
    }
}
