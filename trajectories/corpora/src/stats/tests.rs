//! Descriptions against hand counts, and against the published figures where the data are at hand.

use super::*;
use crate::shared_data::published;

fn trajectory(name: &str, lines: &[&str]) -> Trajectory {
    Trajectory {
        name: name.to_owned(),
        title: None,
        description: None,
        actions: lines.iter().filter_map(|line| Action::parse(line).ok()).collect(),
        lines: Vec::new(),
        predictable: None,
    }
}

const INVOICE: [&str; 10] = [
    "INPUT | A1 | \"Invoice\"",
    "FONT_BOLD | A1 | true",
    "INPUT | A3 | \"Item\"",
    "INPUT | B3 | \"Price\"",
    "FONT_BOLD | A3:B3 | true",
    "INPUT | B4 | 10",
    "INPUT | C4 | \"=B4*2\"",
    "AUTOFILL | C4:C6 | C4",
    "MERGE | A1:C1 | true",
    "INPUT | B4 | 12",
];

#[test]
fn a_small_corpus_is_counted_by_hand() {
    let stats = describe(&[trajectory("a", &INVOICE), trajectory("b", &INVOICE[..2])]);
    assert_eq!((stats.n_trajectories, stats.n_actions), (2, 12));
    assert_eq!(stats.lengths.quantiles().unwrap().mean.to_string(), "6");
    let input = stats.kinds["INPUT"];
    assert_eq!((input.actions, input.trajectories), (7, 2));
    assert_eq!(stats.shapes["font"].row, 1);
    assert_eq!(
        stats.formatting,
        [Share { part: 4, whole: 10 }, Share { part: 1, whole: 2 }]
    );
    let habits = &stats.habits;
    assert_eq!(habits.same_kind, Share { part: 2, whole: 10 });
    assert_eq!(habits.run_lengths.n(), 10);
    assert_eq!((habits.offsets.get("same"), habits.input_offsets.get("right")), (3, 2));
    assert_eq!(habits.repeated_formats, Share { part: 1, whole: 4 });
    assert_eq!(habits.formats_on_blank, Share { part: 0, whole: 4 });
    // Formats at 1 and 4 of 10, a merge at 8 of 10, and a format at 1 of 2.
    near(
        "place of formats",
        habits.mean_format_place(),
        (0.15 + 0.45 + 0.85 + 0.55) / 4.0,
        1e-12,
    );
    assert_eq!(habits.merges.get("after"), 1);
    assert_eq!(habits.overwrites, Share { part: 1, whole: 7 });
    assert_eq!((habits.idle.total(), habits.failed.total()), (0, 0));
    assert_eq!(stats.autofills.directions.get("down"), 1);
    assert_eq!((stats.extent_rows.sum(), stats.extent_cols.sum()), (6 + 1, 3 + 1));
}

#[test]
fn descriptions_survive_json() {
    let stats = describe(&[trajectory("a", &INVOICE)]);
    let text = serde_json::to_string(&stats).unwrap();
    assert_eq!(serde_json::from_str::<CorpusStats>(&text).unwrap(), stats);
}

#[test]
fn alike_corpora_are_at_no_distance() {
    let stats = describe(&[trajectory("a", &INVOICE)]);
    for distance in distance(&stats, &stats) {
        assert!(distance.value.abs() < 1e-12, "{distance:?}");
    }
    let other = describe(&[trajectory("b", &["FILL_COLOR | A1:B2 | #FF0000", "INPUT | A1 | 5"])]);
    let distances = distance(&stats, &other);
    let value = |name: &str| distances.iter().find(|known| known.name == name).unwrap();
    assert!((value("kind-mix").value - 0.5).abs() < 1e-12);
    assert_eq!(value("kind-mix-largest").detail.as_deref(), Some("FILL_COLOR"));
    assert!((value("length").value - 5_f64.log2()).abs() < 1e-12);
    assert!((value("habit:starts-with-input").value - 100.0).abs() < 1e-12);
    // Distances are the same both ways.
    let back = super::distance(&other, &stats);
    for (there, back) in distances.iter().zip(&back) {
        assert!((there.value - back.value).abs() < 1e-12, "{there:?} {back:?}");
    }
}

#[test]
fn published_trajectories_have_the_published_mix() {
    let Some(corpus) = published() else { return };
    let stats = describe(&corpus.trajectories);
    assert_eq!((stats.n_trajectories, stats.n_actions), (52, 11_907));
    for (kind, actions, trajectories) in [
        ("INPUT", 6796, 52),
        ("FONT_BOLD", 705, 48),
        ("NUMBER_FORMAT", 671, 41),
        ("FILL_COLOR", 652, 37),
        ("MERGE", 580, 40),
        ("ALIGN_HORIZONTAL", 516, 48),
        ("AUTOFILL", 208, 23),
        ("BORDER_INSIDE_VERTICAL", 5, 2),
        ("PASTE_FROM", 46, 8),
    ] {
        let expected = KindCount { actions, trajectories };
        assert_eq!(stats.kinds[kind], expected, "{kind}");
    }
    assert_eq!(stats.kinds.len(), 23);
    let lengths = stats.lengths.quantiles().unwrap();
    check("lengths", &lengths, [35.0, 97.75, 164.0, 314.0, 490.0, 821.0, 229.0]);
    let cells = stats.cells_per_action.quantiles().unwrap();
    check("cells", &cells, [1.0, 1.0, 1.0, 3.0, 12.0, 3116.0, 11.7]);
    for (family, shares) in [
        ("input", [97.8, 0.4, 0.7, 1.0]),
        ("font", [42.8, 23.9, 22.7, 10.6]),
        ("align", [37.8, 17.8, 29.9, 14.5]),
        ("border", [7.0, 42.0, 13.8, 37.1]),
        ("merge", [0.0, 80.7, 11.7, 7.6]),
        ("autofill", [0.0, 38.0, 60.1, 1.9]),
        ("paste", [0.0, 43.5, 15.2, 41.3]),
    ] {
        let shapes = stats.shapes[family].tally();
        for (shape, expected) in ["single", "row", "column", "block"].into_iter().zip(shares) {
            near(
                &format!("{shape} of {family}"),
                shapes.share(shape).value() * 100.0,
                expected,
                0.06,
            );
        }
    }
    let formatting: Vec<f64> = stats.formatting.iter().map(|share| share.value() * 100.0).collect();
    near(
        "least formatting",
        formatting.iter().copied().fold(100.0, f64::min),
        9.9,
        0.06,
    );
    near(
        "most formatting",
        formatting.iter().copied().fold(0.0, f64::max),
        97.1,
        0.06,
    );
}

#[test]
fn published_trajectories_have_the_published_habits() {
    let Some(corpus) = published() else { return };
    let stats = describe(&corpus.trajectories);
    let (inputs, habits) = (&stats.inputs, &stats.habits);
    assert_eq!(
        inputs.single_cell,
        Share {
            part: 6649,
            whole: 6796
        }
    );
    assert_eq!((inputs.cells_typed, inputs.cells_of_arrays.sum()), (19_625, 12_976));
    assert_eq!(
        (inputs.kinds_of_cells.get("formula"), inputs.functions.get("SUM")),
        (378, 288)
    );
    assert_eq!(
        (
            stats.autofills.directions.get("down"),
            stats.autofills.directions.get("right")
        ),
        (128, 80)
    );
    assert_eq!(
        (stats.autofills.source_shapes.single, stats.autofills.cells_filled.sum()),
        (179, 3697)
    );
    assert_eq!(stats.autofills.source_contents.get("formula"), 157);
    assert_eq!(
        (stats.pastes.modes.get("values"), stats.pastes.fits.get("equal")),
        (27, 40)
    );
    assert_eq!(
        (habits.first_kinds.get("INPUT"), habits.last_kinds.get("INPUT")),
        (43, 12)
    );
    near("same kind", habits.same_kind.value() * 100.0, 49.6, 0.06);
    near("right", habits.offsets.share("right").value() * 100.0, 25.2, 0.06);
    near("same cell", habits.offsets.share("same").value() * 100.0, 24.8, 0.06);
    near(
        "inputs to the right",
        habits.input_offsets.share("right").value() * 100.0,
        42.8,
        0.06,
    );
    near("repeated formats", habits.repeated_formats.value() * 100.0, 82.6, 0.1);
    near(
        "formats on blank cells",
        habits.formats_on_blank.value() * 100.0,
        29.0,
        0.5,
    );
    let merges = ["after", "before", "without"].map(|name| habits.merges.get(name));
    assert_eq!(merges, [385, 22, 173]);
    assert_eq!(habits.run_lengths.quantiles().unwrap().max, 204);
    assert_eq!(habits.cells_overwritten, 292);
    assert_eq!((habits.idle.total(), habits.failed.total()), (89, 0));
}

#[track_caller]
fn check(name: &str, figures: &Quantiles, [min, q1, median, q3, p90, max, mean]: [f64; 7]) {
    let whole = |number: u64| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    near(name, whole(figures.min), min, 1e-9);
    near(name, figures.q1, q1, 1e-9);
    near(name, figures.median, median, 1e-9);
    near(name, figures.q3, q3, 1e-9);
    near(name, figures.p90, p90, 1e-9);
    near(name, whole(figures.max), max, 1e-9);
    near(name, figures.mean, mean, 0.06);
}

#[track_caller]
fn near(name: &str, got: f64, expected: f64, within: f64) {
    assert!((got - expected).abs() <= within, "{name}: {got} is not {expected}");
}
