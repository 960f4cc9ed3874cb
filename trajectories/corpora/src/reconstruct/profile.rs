//! How a person works: the habits that order and shape a reconstruction.

use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::seeding::rng_of;

/// Whether a sheet is worked through by rows or by columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// Left to right, then down.
    Rows,
    /// Top to bottom, then right.
    Columns,
}

/// How far a person looks before going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The whole sheet is worked through by place alone.
    Sheet,
    /// One region after the other, each after the region that it depends on.
    Regions,
}

/// When a kind of formatting is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// Before the region's contents: the frame comes first.
    FrameFirst,
    /// When the work comes to the first cell of its range.
    AtPlace,
    /// When the last content within its range is there.
    AfterRange,
    /// When the row (or column) of its first cell is done.
    AfterLine,
    /// When the region's contents are there.
    AfterRegion,
    /// When everything else is done.
    AtEnd,
}

/// The moment of each kind of formatting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each is the moment of the kind it names")]
pub struct Timing {
    pub merge: Moment,
    pub number_format: Moment,
    pub fill: Moment,
    pub border: Moment,
    pub font: Moment,
    pub alignment: Moment,
}

impl Timing {
    fn all(moment: Moment) -> Self {
        Self {
            merge: moment,
            number_format: moment,
            fill: moment,
            border: moment,
            font: moment,
            alignment: moment,
        }
    }
}

/// Whether alike blocks are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Copying {
    /// Each block is made anew.
    Never,
    /// The formats of a finished block are pasted on the next.
    Formats,
    /// A finished block is pasted whole and what differs is typed over.
    All,
}

/// The habits of one user. Every field is a knob; the named profiles are starting points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// What the profile is called.
    pub name: String,
    /// By rows or by columns.
    pub reading: Reading,
    /// By place alone or region by region.
    pub scope: Scope,
    /// When each kind of formatting is done.
    pub timing: Timing,
    /// Whether actions at one place come in a drawn order rather than in a fixed one.
    pub shuffled: bool,
    /// Whether the header of a table is typed after its body.
    pub header_last: bool,
    /// Whether formulas are dragged rather than typed.
    pub drag_formulas: bool,
    /// Whether series of numbers and labels are dragged rather than typed.
    pub drag_values: bool,
    /// How many cells a drag fills at least.
    pub drag_cells_min: u32,
    /// Whether a source is formatted first, so that dragging carries its formats along.
    pub drag_formats: bool,
    /// Blocks of constants of at least so many cells are pasted at once; never where absent.
    pub paste_cells_min: Option<u32>,
    /// Whether alike blocks are copied.
    pub copying: Copying,
    /// Whether formats are given to large ranges first and exceptions made afterwards.
    pub base_and_exceptions: bool,
    /// Whether ranges are formatted and framed before some of their cells are merged.
    pub format_before_merge: bool,
    /// Out of a thousand small ranges of formats, how many are given cell by cell.
    pub cell_by_cell_permille: u32,
    /// Whether a grid with another line around it is drawn as a grid first and a frame over it.
    pub boxes: bool,
    /// Whether the final touches of a region (highlights, a bold last row) wait until all else in it is done.
    pub closing_last: bool,
    /// Out of a thousand typed cells and formats, how many are got wrong first and corrected later.
    pub second_thoughts_permille: u32,
}

/// The names of the profiles, in the order in which they are listed, with what each is like.
pub const PROFILES: &[(&str, &str)] = &[
    (
        "natural",
        "by place, contents and formats mixed, drags formulas, pastes large blocks",
    ),
    (
        "tidy",
        "region by region, contents first, then formats on whole ranges; drags",
    ),
    (
        "typist",
        "types every cell, formats cell by cell on the way, never drags or pastes",
    ),
    (
        "formatter-last",
        "types the whole sheet first and formats it at the end",
    ),
    (
        "dragger",
        "formats a source cell first and drags formulas, series and formats",
    ),
    (
        "framer",
        "draws fills, borders and merges first and types into the frame",
    ),
    (
        "paster",
        "pastes blocks of data, copies finished blocks, formats afterwards",
    ),
    ("columnist", "works column by column, headers after the data"),
    ("hesitant", "as natural, with many second thoughts and corrections"),
    ("sampled", "every habit drawn from the seed"),
];

impl Profile {
    /// The profile of that name; `seed` matters to `sampled` alone. None for an unknown name.
    pub fn named(name: &str, seed: u64) -> Option<Self> {
        let natural = Self::natural();
        let profile = match name {
            "natural" => natural,
            "tidy" => Self {
                scope: Scope::Regions,
                timing: Timing::all(Moment::AfterRegion),
                shuffled: false,
                closing_last: true,
                base_and_exceptions: true,
                format_before_merge: true,
                cell_by_cell_permille: 0,
                second_thoughts_permille: 0,
                ..natural
            },
            "typist" => Self {
                timing: Timing::all(Moment::AtPlace),
                drag_formulas: false,
                drag_values: false,
                paste_cells_min: None,
                cell_by_cell_permille: 700,
                second_thoughts_permille: 15,
                ..natural
            },
            "formatter-last" => Self {
                scope: Scope::Regions,
                timing: Timing::all(Moment::AtEnd),
                base_and_exceptions: true,
                ..natural
            },
            "dragger" => Self {
                scope: Scope::Regions,
                drag_values: true,
                drag_formats: true,
                cell_by_cell_permille: 50,
                ..natural
            },
            "framer" => Self {
                scope: Scope::Regions,
                timing: Timing {
                    number_format: Moment::AfterLine,
                    font: Moment::AtPlace,
                    ..Timing::all(Moment::FrameFirst)
                },
                format_before_merge: true,
                ..natural
            },
            "paster" => Self {
                scope: Scope::Regions,
                timing: Timing::all(Moment::AfterRegion),
                paste_cells_min: Some(8),
                copying: Copying::All,
                ..natural
            },
            "columnist" => Self {
                reading: Reading::Columns,
                scope: Scope::Regions,
                header_last: true,
                ..natural
            },
            "hesitant" => Self {
                second_thoughts_permille: 60,
                ..natural
            },
            "sampled" => Self::sampled(seed),
            _ => return None,
        };
        Some(Self {
            name: name.to_owned(),
            ..profile
        })
    }

    /// The habits that come closest to the published trajectories on the whole (spec 04, 8.4).
    fn natural() -> Self {
        Self {
            name: "natural".to_owned(),
            reading: Reading::Rows,
            scope: Scope::Sheet,
            timing: Timing::all(Moment::AtPlace),
            shuffled: true,
            header_last: false,
            drag_formulas: true,
            drag_values: false,
            drag_cells_min: 1,
            drag_formats: false,
            paste_cells_min: Some(30),
            copying: Copying::Never,
            base_and_exceptions: false,
            format_before_merge: false,
            cell_by_cell_permille: 10,
            boxes: true,
            closing_last: false,
            second_thoughts_permille: 4,
        }
    }

    /// Every habit drawn on its own; weights after the published knobs where there is one (spec 04, 2.3).
    fn sampled(seed: u64) -> Self {
        let mut rng = rng_of(seed, "profile");
        let moments = [
            Moment::AtPlace,
            Moment::AtPlace,
            Moment::AfterRange,
            Moment::AfterLine,
            Moment::AfterRegion,
            Moment::AtEnd,
            Moment::FrameFirst,
        ];
        let base = draw(&mut rng, &moments, Moment::AtPlace);
        // Most people do most formatting at one moment and make an exception for a kind or two.
        let mut moment = || {
            if rng.random_ratio(7, 10) {
                base
            } else {
                draw(&mut rng, &moments, Moment::AtPlace)
            }
        };
        let timing = Timing {
            merge: moment(),
            number_format: moment(),
            fill: moment(),
            border: moment(),
            font: moment(),
            alignment: moment(),
        };
        Self {
            name: "sampled".to_owned(),
            reading: draw(
                &mut rng,
                &[Reading::Rows, Reading::Rows, Reading::Columns],
                Reading::Rows,
            ),
            scope: draw(&mut rng, &[Scope::Sheet, Scope::Regions], Scope::Sheet),
            timing,
            shuffled: rng.random_ratio(3, 4),
            header_last: rng.random_ratio(1, 10),
            drag_formulas: rng.random_ratio(4, 5),
            drag_values: rng.random_ratio(1, 2),
            drag_cells_min: draw(&mut rng, &[1, 2, 2, 3], 2),
            drag_formats: rng.random_ratio(1, 4),
            paste_cells_min: draw(&mut rng, &[None, Some(16), Some(32), Some(64)], None),
            copying: draw(
                &mut rng,
                &[Copying::Never, Copying::Never, Copying::Formats, Copying::All],
                Copying::Never,
            ),
            base_and_exceptions: rng.random_ratio(1, 2),
            format_before_merge: rng.random_ratio(1, 2),
            cell_by_cell_permille: draw(&mut rng, &[0, 100, 250, 500], 0),
            boxes: rng.random_ratio(4, 5),
            closing_last: rng.random_ratio(3, 4),
            second_thoughts_permille: draw(&mut rng, &[0, 0, 8, 20, 50], 0),
        }
    }
}

fn draw<T: Copy>(rng: &mut ChaCha8Rng, choices: &[T], otherwise: T) -> T {
    choices.choose(rng).copied().unwrap_or(otherwise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_profile_exists_and_no_other() {
        for (name, _) in PROFILES {
            assert_eq!(
                Profile::named(name, 1).map(|profile| profile.name).as_deref(),
                Some(*name)
            );
        }
        assert_eq!(Profile::named("neat", 1), None);
    }

    #[test]
    fn sampling_depends_on_the_seed_alone() {
        let profiles: Vec<_> = (0..20).map(|seed| Profile::named("sampled", seed)).collect();
        assert_eq!(
            profiles,
            (0..20).map(|seed| Profile::named("sampled", seed)).collect::<Vec<_>>()
        );
        assert!(profiles.windows(2).any(|pair| pair[0] != pair[1]));
    }
}
