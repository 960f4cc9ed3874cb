//! Distances between two described corpora, each a number of which 0 means alike.

use serde::{Deserialize, Serialize};

use super::CorpusStats;
use super::count::{Histogram, Share, as_f64};
use super::shape::ShapeCounts;
use super::tally::Tally;

/// What a distance is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// From 0 to 1: the share of one corpus that would have to be otherwise (total variation), or the largest gap
    /// between two distribution functions (Kolmogorov–Smirnov).
    Share,
    /// Percentage points between two shares, 0 to 100.
    Points,
    /// Doublings: the mean factor between sorted lengths as a binary logarithm (Wasserstein-1 of logarithms).
    Doublings,
}

/// How far two corpora are apart in one respect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distance {
    /// The respect, for example `kind-mix` or `habit:same-kind`.
    pub name: String,
    /// The distance, 0 or more.
    pub value: f64,
    /// What it is measured in.
    pub unit: Unit,
    /// What the distance is about in particular, such as the kind with the largest difference.
    pub detail: Option<String>,
}

/// How far two corpora are apart, in a fixed order.
///
/// | name | unit | measures |
/// |---|---|---|
/// | `kind-mix` | share | total variation of the kinds of action |
/// | `kind-mix-largest` | points | the largest difference of one kind's share, the kind in the detail |
/// | `family-mix` | share | total variation of the nine families |
/// | `length` | doublings | Wasserstein-1 of the binary logarithms of trajectory lengths |
/// | `length-ks` | share | Kolmogorov–Smirnov of trajectory lengths |
/// | `shapes` | share | total variation of range shapes within each family, weighted by the family's mean share |
/// | `cells-per-action` | share | Kolmogorov–Smirnov of the number of cells of an action |
/// | `offsets` | share | total variation of steps between successive actions |
/// | `input-offsets` | share | total variation of steps between successive INPUTs |
/// | `runs` | share | total variation of run lengths of one kind, from 5 on by powers of two |
/// | `contents` | share | total variation of the kinds of what an action types |
/// | `format-times` | share | total variation of the tenths of a trajectory in which formatting is done |
/// | `formatting` | points | Wasserstein-1 of the share of actions other than typing in a trajectory |
/// | `habit:…` | points | difference of the shares of one habit |
///
/// A family that only one corpus has counts with a distance of 1 in `shapes`. Where a corpus has no trajectories,
/// `length` and `formatting` are left out.
pub fn distance(a: &CorpusStats, b: &CorpusStats) -> Vec<Distance> {
    let share = |name: &str, value: f64| Distance {
        name: name.to_owned(),
        value,
        unit: Unit::Share,
        detail: None,
    };
    let mut distances = Vec::new();
    let (kinds, other_kinds) = (a.kind_tally(), b.kind_tally());
    distances.push(share("kind-mix", kinds.total_variation(&other_kinds)));
    if let Some((kind, gap)) = kinds.largest_gap(&other_kinds) {
        distances.push(Distance {
            name: "kind-mix-largest".to_owned(),
            value: gap.abs() * 100.0,
            unit: Unit::Points,
            detail: Some(kind),
        });
    }
    distances.push(share("family-mix", a.families.total_variation(&b.families)));
    distances.extend(a.lengths.wasserstein(&b.lengths, doublings).map(|value| Distance {
        unit: Unit::Doublings,
        ..share("length", value)
    }));
    distances.push(share("length-ks", a.lengths.ks(&b.lengths)));
    distances.push(share("shapes", shape_distance(a, b)));
    distances.push(share("cells-per-action", a.cells_per_action.ks(&b.cells_per_action)));
    distances.push(share("offsets", a.habits.offsets.total_variation(&b.habits.offsets)));
    let input_offsets = a.habits.input_offsets.total_variation(&b.habits.input_offsets);
    distances.push(share("input-offsets", input_offsets));
    let runs = |histogram: &Histogram| histogram.bucketed();
    distances.push(share(
        "runs",
        runs(&a.habits.run_lengths).total_variation(&runs(&b.habits.run_lengths)),
    ));
    let contents = a.inputs.kinds_of_actions.total_variation(&b.inputs.kinds_of_actions);
    distances.push(share("contents", contents));
    distances.push(share(
        "format-times",
        a.habits.format_tenths.total_variation(&b.habits.format_tenths),
    ));
    let per_mille = a.formatting_per_mille().wasserstein(&b.formatting_per_mille(), as_f64);
    distances.extend(per_mille.map(|value| Distance {
        unit: Unit::Points,
        ..share("formatting", value / 10.0)
    }));
    let pairs = habit_shares(a).into_iter().zip(habit_shares(b));
    distances.extend(pairs.map(|((name, mine), (_, theirs))| Distance {
        value: (mine.value() - theirs.value()).abs() * 100.0,
        unit: Unit::Points,
        ..share(&format!("habit:{name}"), 0.0)
    }));
    distances
}

#[expect(clippy::cast_precision_loss, reason = "lengths stay far below 2^53")]
fn doublings(length: u64) -> f64 {
    (length.max(1) as f64).log2()
}

fn shape_distance(a: &CorpusStats, b: &CorpusStats) -> f64 {
    let shapes =
        |stats: &CorpusStats, family: &str| stats.shapes.get(family).map(ShapeCounts::tally).unwrap_or_default();
    let families = a
        .shapes
        .keys()
        .chain(b.shapes.keys().filter(|family| !a.shapes.contains_key(*family)));
    let terms = families.map(|family| {
        let weight = f64::midpoint(a.families.share(family).value(), b.families.share(family).value());
        weight * shapes(a, family).total_variation(&shapes(b, family))
    });
    terms.sum()
}

/// The shares by which habits are compared, always the same names in the same order.
pub(super) fn habit_shares(stats: &CorpusStats) -> Vec<(&'static str, Share)> {
    let (habits, inputs) = (&stats.habits, &stats.inputs);
    let of_actions = |part: u64| Share {
        part,
        whole: stats.n_actions,
    };
    let of = |tally: &Tally, name: &str| tally.share(name);
    vec![
        ("same-kind", habits.same_kind),
        ("starts-with-input", of(&habits.first_kinds, "INPUT")),
        ("ends-with-input", of(&habits.last_kinds, "INPUT")),
        ("repeated-formats", habits.repeated_formats),
        ("formats-on-blank", habits.formats_on_blank),
        ("merges-before-typing", of(&habits.merges, "before")),
        ("merges-without-typing", of(&habits.merges, "without")),
        ("overwrites", habits.overwrites),
        ("idle", of_actions(habits.idle.total())),
        ("single-cell-inputs", inputs.single_cell),
        ("typed-formulas", of(&inputs.kinds_of_actions, "formula")),
        ("fills-down", of(&stats.autofills.directions, "down")),
        ("fills-from-formulas", of(&stats.autofills.source_contents, "formula")),
    ]
}
