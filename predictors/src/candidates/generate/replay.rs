//! By analogy: what followed an earlier action like the last one, moved by as much as lies between the two.

use napsim_trajectories::{Edit, Value, shift_references};

use super::Generator;
use crate::candidates::edits::{ContentKind, EditId};
use crate::candidates::place::Place;
use crate::candidates::pool::{Evidence, Pool, Source, ValueModel};
use crate::candidates::scene::{Scene, Step};
use crate::values;

/// Earlier actions that are looked at.
const SEARCHED: usize = 48;
/// Analogies that are followed.
const FOLLOWED: usize = 6;
/// Actions before the last one that are compared.
const MATCH_MAX: usize = 8;
/// How far ahead an analogy is read.
const AHEAD: usize = 3;

/// An earlier action like the last one.
#[derive(Clone, Copy)]
struct Analogy {
    position: usize,
    length: usize,
    rows: i32,
    cols: i32,
}

pub(super) fn propose(scene: &mut Scene, generator: &mut Generator, last: Step, pool: &mut Pool) {
    let n_steps = scene.steps().len();
    for analogy in analogies(scene, last) {
        for ahead in 1..=AHEAD {
            let position = analogy.position + ahead;
            if position >= n_steps {
                break;
            }
            let Some(step) = scene.steps().get(position).copied() else {
                break;
            };
            let Some(place) = step.place.moved(analogy.rows, analogy.cols) else {
                continue;
            };
            let evidence = Evidence {
                match_length: u8::try_from(analogy.length).unwrap_or(u8::MAX),
                ahead: u8::try_from(ahead).unwrap_or(u8::MAX),
                ..Evidence::of(Source::Replay).aged(n_steps - position)
            };
            propose_like(scene, generator, step, place, evidence, pool);
        }
    }
}

/// Proposes an action like an earlier one at another place, with every value that it may have there.
fn propose_like(
    scene: &mut Scene,
    generator: &mut Generator,
    like: Step,
    place: Place,
    evidence: Evidence,
    pool: &mut Pool,
) {
    let (rows, cols) = (place.row - like.place.row, place.col - like.place.col);
    if like.content == ContentKind::None && super::is_format(like.keyword_idx) {
        pool.add(like.edit, place, evidence);
        return;
    }
    let edit = scene.edits.get(like.edit).edit.clone();
    match (&edit, like.content) {
        (Edit::Input { value }, ContentKind::Grid) => {
            if let Some(table) = values::resized(value, (place.height, place.width), (rows, cols)) {
                let id = scene.edits.input(table);
                pool.add(id, place, evidence.valued(ValueModel::Resized, 0.3));
            }
        }
        (Edit::Autofill { .. } | Edit::Paste { .. }, _) => {
            if matches!(edit, Edit::Paste { .. }) {
                pool.add(like.edit, place, evidence.valued(ValueModel::Same, 0.4));
            }
            if let Some(moved) = values::moved_source(&edit, rows, cols) {
                let id = scene.edits.intern(&moved);
                pool.add(id, place, evidence.valued(ValueModel::Source, 0.7));
            }
        }
        _ => {
            if place.is_cell() {
                propose_content(scene, generator, place, evidence, pool);
            }
            let same = moved_content(scene, like.edit, &edit, rows, cols);
            let model = if same == like.edit {
                ValueModel::Same
            } else {
                ValueModel::Formula
            };
            pool.add(same, place, evidence.valued(model, 0.3));
        }
    }
}

/// Proposes to type into a cell whatever the value models say.
pub(super) fn propose_content(
    scene: &mut Scene,
    generator: &mut Generator,
    place: Place,
    evidence: Evidence,
    pool: &mut Pool,
) {
    if !place.is_on_sheet() {
        return;
    }
    for (edit, model, confidence) in generator.suggestions(scene, (place.sheet, place.row, place.col)) {
        pool.add(*edit, place, evidence.valued(*model, *confidence));
    }
}

/// The same content with the references of a formula moved.
fn moved_content(scene: &mut Scene, id: EditId, edit: &Edit, rows: i32, cols: i32) -> EditId {
    let shifted = |text: &str| shift_references(text, rows.into(), cols.into());
    let moved = match edit {
        Edit::Input {
            value: Value::Text(text),
        } if text.starts_with('=') => Edit::Input {
            value: Value::text(shifted(text)),
        },
        Edit::Formula { text: Some(text) } => Edit::Formula {
            text: Some(shifted(text).into()),
        },
        _ => return id,
    };
    scene.edits.intern(&moved)
}

/// The earlier actions most like the last one: longest match first, then latest.
fn analogies(scene: &Scene, last: Step) -> Vec<Analogy> {
    let steps = scene.steps();
    let n_steps = steps.len();
    let mut found = Vec::new();
    let positions = scene.positions(last.keyword_idx);
    for position in positions.iter().rev().skip(1).take(SEARCHED) {
        let Some(step) = steps.get(*position) else { continue };
        let like = step.place.sheet == last.place.sheet
            && (step.place.height, step.place.width) == (last.place.height, last.place.width)
            && kinds_agree(step, &last);
        if !like {
            continue;
        }
        let (rows, cols) = (last.place.row - step.place.row, last.place.col - step.place.col);
        let before = steps.get(..*position).unwrap_or_default().iter().rev();
        let now = steps.get(..n_steps - 1).unwrap_or_default().iter().rev();
        let agrees = |(before, now): &(&Step, &Step)| {
            before.keyword_idx == now.keyword_idx
                && kinds_agree(before, now)
                && before.place.moved(rows, cols) == Some(now.place)
        };
        let length = 1 + before.zip(now).take(MATCH_MAX - 1).take_while(agrees).count();
        found.push(Analogy {
            position: *position,
            length,
            rows,
            cols,
        });
    }
    // The sort is stable, so that of equal lengths the latest stays first.
    found.sort_by_key(|analogy| std::cmp::Reverse(analogy.length));
    found.truncate(FOLLOWED);
    found
}

/// Whether two actions do the same kind of thing: the same format, or content of the same kind.
fn kinds_agree(a: &Step, b: &Step) -> bool {
    match (a.content, b.content) {
        (ContentKind::None, ContentKind::None) => a.edit == b.edit || !super::is_format(a.keyword_idx),
        (a, b) => a == b,
    }
}
