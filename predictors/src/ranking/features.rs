//! Numbers that describe a candidate in its surroundings: the columns of the ranking models.

use crate::candidates::{Candidate, ContentKind, N_SOURCES, Place, Scene, Step, TextId, slots_at};
use crate::feature::Movement;
use crate::ranking::Outcomes;

/// Names of the features in order. A model holds the list that it was trained on and works with no other.
pub static FEATURES: [&str; N_FEATURES] = [
    "keyword",
    "family",
    "value_type",
    "content",
    "source_first",
    "n_sources",
    "by_replay",
    "by_cursor",
    "by_same_place",
    "by_neighbours",
    "by_progression",
    "by_extension",
    "by_fill",
    "by_common",
    "by_aligned",
    "match_length",
    "votes",
    "ahead",
    "age",
    "value_model",
    "value_confidence",
    "last_keyword",
    "last_keyword_2",
    "last_keyword_3",
    "keyword_run",
    "last_movement",
    "last_height",
    "last_width",
    "last_content",
    "n_actions",
    "since_format",
    "since_typed",
    "format_share",
    "rows_from_last",
    "cols_from_last",
    "height_change",
    "width_change",
    "is_last_place",
    "overlaps_last",
    "within_last",
    "height",
    "width",
    "row",
    "col",
    "rows_from_same",
    "cols_from_same",
    "same_size_as_same",
    "filled_share",
    "set_share",
    "same_share",
    "content_here",
    "content_above",
    "content_left",
    "content_below",
    "content_right",
    "agrees_above",
    "agrees_left",
    "agrees_below",
    "agrees_right",
    "run_left",
    "run_right",
    "run_up",
    "run_down",
    "fits_row_run",
    "fits_column_run",
    "merged_here",
    "column_agreement",
    "edit_times",
    "edit_age",
    "keyword_times",
    "keyword_age",
    "refused_in_a_row",
    "source_rate",
    "keyword_rate",
    "rate",
    "typed_rows_from_last",
    "typed_cols_from_last",
    "is_keyword_of_last",
    "edit_is_last_of_keyword",
];

/// How many features there are.
pub const N_FEATURES: usize = 79;

/// How far runs are followed.
const RUN_MAX: i32 = 60;
/// Cells of a place that are looked at.
const CELLS_MAX: usize = 24;

/// What is the same for all candidates of a moment.
#[derive(Clone, Debug)]
pub struct Surroundings {
    last: Option<Step>,
    typed: Option<Step>,
    context: [f32; 12],
}

#[expect(
    clippy::cast_precision_loss,
    reason = "features need no more precision than a float has"
)]
fn number(n: usize) -> f32 {
    n as f32
}

#[expect(clippy::cast_precision_loss, reason = "clamped to a few hundred")]
fn clamped(n: i32, max: i32) -> f32 {
    n.clamp(-max, max) as f32
}

fn flag(on: bool) -> f32 {
    f32::from(u8::from(on))
}

fn kind(kind: ContentKind) -> f32 {
    f32::from(kind as u8)
}

impl Surroundings {
    /// The surroundings after the history.
    pub fn of(scene: &Scene) -> Self {
        let steps = scene.steps();
        let keyword = |back: usize| scene.back(back).map_or(-1.0, |step| number(step.keyword_idx));
        let last = scene.last().copied();
        let run = last.map_or(0, |last| {
            steps
                .iter()
                .rev()
                .take(50)
                .take_while(|step| step.keyword_idx == last.keyword_idx)
                .count()
        });
        let movement = match (scene.back(0), scene.back(1)) {
            (Some(now), Some(before)) => Movement::of(
                (now.place.row - before.place.row).into(),
                (now.place.col - before.place.col).into(),
                now.place.sheet != before.place.sheet,
            ) as u8,
            _ => 0,
        };
        let since =
            |test: fn(&Step) -> bool| number(steps.iter().rev().take(60).take_while(|step| !test(step)).count());
        let recent = steps.iter().rev().take(16);
        let formats = recent.clone().filter(|step| step.content == ContentKind::None).count();
        let typed = steps
            .iter()
            .rev()
            .take(60)
            .find(|step| step.content != ContentKind::None)
            .copied();
        Self {
            last,
            typed,
            context: [
                keyword(0),
                keyword(1),
                keyword(2),
                number(run),
                f32::from(movement),
                last.map_or(0.0, |step| clamped(step.place.height, 200)),
                last.map_or(0.0, |step| clamped(step.place.width, 200)),
                last.map_or(0.0, |step| kind(step.content)),
                number(steps.len()),
                since(|step| step.content == ContentKind::None),
                since(|step| step.content != ContentKind::None),
                number(formats) / number(recent.count().max(1)),
            ],
        }
    }

    /// Appends the features of a candidate.
    pub fn describe(&self, scene: &Scene, outcomes: &Outcomes, candidate: &Candidate, row: &mut Vec<f32>) {
        let begin = row.len();
        let known = scene.edits.get(candidate.edit);
        let Candidate { place, evidence, edit } = *candidate;
        row.extend([
            number(known.keyword_idx),
            f32::from(known.keyword.family() as u8),
            f32::from(known.value_type.id()),
            kind(known.content),
            f32::from(evidence.first_source),
            number(evidence.sources.count_ones() as usize),
        ]);
        row.extend((0..N_SOURCES).map(|source| flag(evidence.sources >> source & 1 == 1)));
        row.extend([
            f32::from(evidence.match_length),
            f32::from(evidence.votes),
            f32::from(evidence.ahead),
            number(evidence.age.min(1000) as usize),
            f32::from(evidence.value_model as u8),
            evidence.value_confidence,
        ]);
        row.extend(self.context);
        self.geometry(scene, place, known.keyword_idx, row);
        cells(scene, candidate, row);
        let used = scene.used(edit);
        let n_steps = scene.steps().len();
        let positions = scene.positions(known.keyword_idx);
        let age = |since: Option<usize>| since.map_or(1000.0, |since| number((n_steps - since).min(1000)));
        row.extend([
            number(used.times as usize),
            age((used.times > 0).then_some(used.until)),
            number(positions.len()),
            age(positions.last().map(|position| position + 1)),
            number(outcomes.refused_in_a_row.min(100) as usize),
            outcomes.source_share(candidate),
            outcomes.keyword_share(known.keyword_idx),
            outcomes.share(),
        ]);
        let from_typed = |number: fn(Place) -> i32| self.typed.map_or(0, |typed| number(place) - number(typed.place));
        let last_of_keyword = scene.latest_of(known.keyword_idx).next();
        row.extend([
            clamped(from_typed(|place| place.row), 60),
            clamped(from_typed(|place| place.col), 60),
            flag(self.last.is_some_and(|last| last.keyword_idx == known.keyword_idx)),
            flag(last_of_keyword.is_some_and(|step| step.edit == edit)),
        ]);
        debug_assert_eq!(row.len() - begin, N_FEATURES);
    }

    /// How the place lies to the last action and to the last one of the same keyword.
    fn geometry(&self, scene: &Scene, place: Place, keyword_idx: usize, row: &mut Vec<f32>) {
        let last = self.last.map_or(place, |last| last.place);
        let same = scene.latest_of(keyword_idx).next().map(|step| step.place);
        row.extend([
            clamped(place.row - last.row, 60),
            clamped(place.col - last.col, 60),
            clamped(place.height - last.height, 60),
            clamped(place.width - last.width, 60),
            flag(place == last),
            flag(place.overlaps(last)),
            flag(last.contains(place)),
            clamped(place.height, 200),
            clamped(place.width, 200),
            clamped(place.row, 200),
            clamped(place.col, 100),
            same.map_or(99.0, |same| clamped(place.row - same.row, 60)),
            same.map_or(99.0, |same| clamped(place.col - same.col, 60)),
            flag(same.is_some_and(|same| (same.height, same.width) == (place.height, place.width))),
        ]);
    }
}

/// What stands in the place and around it.
fn cells(scene: &Scene, candidate: &Candidate, row: &mut Vec<f32>) {
    let Candidate { place, edit, .. } = *candidate;
    let known = scene.edits.get(edit);
    let (mut filled, mut set, mut same, mut n) = (0, 0, 0, 0);
    for (at_row, at_col) in place.cells().take(CELLS_MAX) {
        let look = scene.look(place.sheet, at_row, at_col);
        n += 1;
        filled += usize::from(look.content.is_some());
        let slots = slots_at(known.keyword, place, at_row, at_col);
        let formats = look.formats.iter().enumerate();
        let mut own = formats
            .filter(|(slot, _)| slots >> slot & 1 == 1)
            .map(|(_, format)| *format);
        let first = own.next().unwrap_or(TextId::FRESH);
        set += usize::from(first != TextId::FRESH);
        same += usize::from(slots != 0 && first == known.text);
    }
    let share = |count: usize| number(count) / number(n.max(1));
    let own = scene.look(place.sheet, place.row, place.col);
    let beside = [
        (place.row - 1, place.col),
        (place.row, place.col - 1),
        (place.last_row() + 1, place.col),
        (place.row, place.last_col() + 1),
    ]
    .map(|(row, col)| scene.look(place.sheet, row, col));
    row.extend([share(filled), share(set), share(same), kind(own.kind)]);
    row.extend(beside.iter().map(|look| kind(look.kind)));
    let slots = slots_at(known.keyword, place, place.row, place.col);
    row.extend(beside.iter().map(|look| {
        if slots == 0 {
            return flag(look.kind == known.content && look.content.is_some());
        }
        let mut formats = look.formats.iter().enumerate();
        flag(formats.any(|(slot, format)| slots >> slot & 1 == 1 && *format == known.text))
    }));
    let corner = (place.row, place.col);
    let end = (place.last_row(), place.last_col());
    let runs = [
        scene.run(place.sheet, corner, (0, -1), RUN_MAX),
        scene.run(place.sheet, (place.row, end.1), (0, 1), RUN_MAX),
        scene.run(place.sheet, corner, (-1, 0), RUN_MAX),
        scene.run(place.sheet, (end.0, place.col), (1, 0), RUN_MAX),
    ];
    row.extend(runs.map(|run| clamped(run, RUN_MAX)));
    let own_filled = own.content.is_some();
    row.extend([
        flag(own_filled && runs.first() == Some(&0) && runs.get(1) == Some(&0)),
        flag(own_filled && runs.get(2) == Some(&0) && runs.get(3) == Some(&0)),
        flag(own.merged),
        column_agreement(scene, candidate),
    ]);
}

/// The share of the cells above that have the same format, or content of the same kind.
fn column_agreement(scene: &Scene, candidate: &Candidate) -> f32 {
    let Candidate { place, edit, .. } = *candidate;
    let known = scene.edits.get(edit);
    let slots = slots_at(known.keyword, place, place.row, place.col);
    let (mut agree, mut n) = (0, 0);
    for back in 1..=8 {
        let look = scene.look(place.sheet, place.row - back, place.col);
        if look.content.is_none() {
            break;
        }
        n += 1;
        let mut formats = look.formats.iter().enumerate();
        agree += usize::from(if slots == 0 {
            look.kind == known.content
        } else {
            formats.any(|(slot, format)| slots >> slot & 1 == 1 && *format == known.text)
        });
    }
    if n == 0 { -1.0 } else { number(agree) / number(n) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = FEATURES.iter().collect();
        assert_eq!(names.len(), N_FEATURES);
    }
}
