//! Sheet states as natural sequences of actions, verified by replay.
//!
//! A sheet becomes a target, which is the sheet as far as actions can say it. Contents, merges, formats and borders are
//! gathered into pieces of work; a [`Profile`] says which kinds of pieces a person prefers and in which order they come
//! to them; constraints keep that order from showing in the result. Everything is replayed at the end, and a sequence
//! that does not make the target again is an error (spec 04, 2.6).

mod blocks;
mod borders;
mod constraints;
mod contents;
mod copies;
mod fills;
mod looks;
mod order;
mod piece;
mod profile;
mod rectangles;
mod second_thoughts;
pub(crate) mod seeding;
mod target;
mod verify;

use std::sync::Arc;

use napsim_sim::state::{Cells, Property, Sheet};
use napsim_trajectories::{Action, Bounds, CellAddress};
use rustc_hash::FxHashSet;

pub use piece::Rule;
pub use profile::{Copying, Moment, PROFILES, Profile, Reading, Scope, Timing};
pub use target::SHEET_NAME;
pub use verify::{ReplayDifference, verify};

use crate::import::Note;
use crate::regions::{Annotation, Region, RegionKind, annotate};
use constraints::Constraints;
use fills::Drags;
use looks::Carried;
use piece::Piece;
use seeding::rng_of;
use target::Target;

/// A sequence of actions that makes a sheet.
#[derive(Clone, Debug)]
pub struct Reconstruction {
    /// The actions in order, all on the sheet [`SHEET_NAME`].
    pub actions: Vec<Action>,
    /// Why each action is there, in the same order.
    pub rules: Vec<Rule>,
    /// What the actions make: the given sheet as far as actions can say it.
    pub sheet: Sheet,
    /// What actions cannot say, counted.
    pub notes: Vec<Note>,
    /// The regions that ordered the actions.
    pub annotation: Annotation,
    /// Whether habits of the profile were given up because their constraints went round in a circle.
    pub simplified: bool,
}

/// The most text that the cells of a sheet may hold, in bytes (64 MiB).
///
/// A file may hold one long text and show it in every cell; actions would have to write it out each time.
pub const TEXT_BYTES_MAX: u64 = 64 << 20;

/// Why a sheet has no sequence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReconstructError {
    /// Nothing in the sheet can be said by actions.
    #[error("the sheet holds nothing that actions can make")]
    Empty,
    /// The cells hold more text than [`TEXT_BYTES_MAX`].
    #[error("the sheet's cells hold {bytes} bytes of text, more than the limit of {TEXT_BYTES_MAX} (text_bytes_max)")]
    TooMuchText {
        /// The bytes of all texts, each as often as it occurs.
        bytes: u64,
    },
    /// The sequence does not make the sheet again: a defect of the reconstruction, never passed over.
    #[error("the replay does not reach the sheet: {0}")]
    Replay(ReplayDifference),
}

/// A natural sequence of actions that makes a sheet, as a person of that profile might work.
///
/// The same sheet, profile and seed give the same actions.
///
/// # Errors
/// [`ReconstructError`] for an empty sheet, or where the replay does not reach it.
pub fn reconstruct(sheet: &Sheet, profile: &Profile, seed: u64) -> Result<Reconstruction, ReconstructError> {
    let bytes = text_bytes(sheet);
    if bytes > TEXT_BYTES_MAX {
        return Err(ReconstructError::TooMuchText { bytes });
    }
    let (target, notes) = Target::of(sheet);
    if target.cells.is_empty() && target.merges.is_empty() {
        return Err(ReconstructError::Empty);
    }
    let expected = target.to_sheet();
    let annotation = annotate(&expected);
    let planned = plan(&target, profile, &annotation, seed);
    let (pieces, simplified) = match planned {
        Some(pieces) => (pieces, false),
        None => (plan_plainly(&target, profile, &annotation, seed), true),
    };
    let name: Arc<str> = SHEET_NAME.into();
    let actions: Vec<Action> = pieces.iter().map(|piece| piece.action(&name)).collect();
    verify(&actions, &expected).map_err(ReconstructError::Replay)?;
    Ok(Reconstruction {
        actions,
        rules: pieces.iter().map(|piece| piece.rule).collect(),
        sheet: expected,
        notes,
        annotation,
        simplified,
    })
}

/// The bytes of all texts, each as often as it occurs.
fn text_bytes(sheet: &Sheet) -> u64 {
    let cells = sheet.cells.iter().flat_map(Cells::sorted);
    let texts = cells.filter_map(|(_, cell)| cell.get(Property::Value)?.as_text());
    texts.map(|text| text.len() as u64).sum()
}

/// The pieces of a sheet in order; none if the profile's habits hold each other up.
fn plan(target: &Target, profile: &Profile, annotation: &Annotation, seed: u64) -> Option<Vec<Piece>> {
    let copies = copies::plan(target, profile.copying, annotation);
    let tables = annotation
        .regions
        .iter()
        .filter(|region| region.kind == RegionKind::DataTable);
    let bodies: Vec<Bounds> = tables.flat_map(bodies_of).collect();
    let mut pieces = contents::plan(target, profile, &bodies, &copies.contents, &copies.closed);
    let carried = Carried {
        properties: if profile.drag_formats {
            carried_by_drags(target, &pieces, &copies.formats)
        } else {
            FxHashSet::default()
        },
        formats: copies.formats,
    };
    pieces.extend(copies.pieces);
    pieces.extend(looks::merges(target, &copies.merges));
    pieces.extend(looks::formats(target, profile, &carried, &mut rng_of(seed, "looks")));
    pieces.extend(looks::borders(target, profile, &carried, &order::blocks(annotation)));
    let mut constraints = Constraints::of(target, &pieces, &carried);
    let mut keys = order::keys(
        &pieces,
        &contents::placed_at(&pieces),
        profile,
        annotation,
        &mut rng_of(seed, "order"),
    );
    second_thoughts::add(
        &mut pieces,
        &mut keys,
        &mut constraints,
        profile.second_thoughts_permille,
        &mut rng_of(seed, "second thoughts"),
    );
    let order = order::schedule(&keys, &constraints)?;
    let mut pieces: Vec<Option<Piece>> = pieces.into_iter().map(Some).collect();
    order
        .into_iter()
        .map(|idx| pieces.get_mut(idx).and_then(Option::take))
        .collect()
}

/// The body of a table, and the same without its column of labels.
fn bodies_of(table: &Region) -> Vec<Bounds> {
    let body = table.body();
    let beside = body.zip(table.labels).map(|(body, labels)| Bounds {
        first_col: labels.last_col + 1,
        ..body
    });
    body.into_iter().chain(beside).filter(|body| body.width() > 0).collect()
}

/// The pieces of a sheet without the habits that can hold each other up.
fn plan_plainly(target: &Target, profile: &Profile, annotation: &Annotation, seed: u64) -> Vec<Piece> {
    let plain = Profile {
        drag_formats: false,
        copying: Copying::Never,
        base_and_exceptions: false,
        format_before_merge: false,
        ..profile.clone()
    };
    plan(target, &plain, annotation, seed).unwrap_or_default()
}

/// Properties of filled cells that their source shows as well, so that a drag carries them along.
///
/// A property is carried by all cells of a drag or by none, and never over a merged range or a copied block.
fn carried_by_drags(
    target: &Target,
    pieces: &[Piece],
    copied: &FxHashSet<CellAddress>,
) -> FxHashSet<(Property, CellAddress)> {
    const CARRIED: [Property; 8] = [
        Property::NumberFormat,
        Property::FontName,
        Property::FontSize,
        Property::FontBold,
        Property::FontItalic,
        Property::FontColor,
        Property::Fill,
        Property::HorizontalAlignment,
    ];
    let drags = Drags::of(pieces);
    let mut carried = FxHashSet::default();
    for drag in &drags.all {
        if drag.destination.cells().any(|at| copied.contains(&at)) {
            continue;
        }
        for property in CARRIED {
            let same = drag.filled().all(|at| {
                let source = drag.source_of(at);
                target.look_at(source, property).is_some()
                    && target.shows_same(source, at, property)
                    && drags.go_no_further(target, at, property)
            });
            if same {
                carried.extend(drag.filled().map(|at| (property, at)));
            }
        }
    }
    carried
}

#[cfg(test)]
mod tests;
