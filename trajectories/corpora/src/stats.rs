//! Description of a corpus, and distances between two (spec chapter 04, sections 8.1 to 8.5).
//!
//! A description holds counts and full distributions of whole numbers, so nothing is rounded before display and two
//! descriptions can be compared in any way later on. [`describe`] replays every trajectory once.

mod content;
mod copy;
mod count;
mod distance;
mod edit_distance;
mod habit;
pub(crate) mod replay;
mod shape;
mod tally;

use std::collections::{BTreeMap, BTreeSet};

use napsim_trajectories::{Action, Group, Trajectory};
use serde::{Deserialize, Serialize};

pub use content::InputStats;
pub use copy::{AutofillStats, PasteStats};
pub use count::{Histogram, Quantiles, Share};
pub use distance::{Distance, Unit, distance};
pub use edit_distance::{edit_distance, kind_edit_distance, place_edit_distance};
pub use habit::HabitStats;
use replay::Replay;
pub use shape::ShapeCounts;
pub use tally::Tally;

/// How often a kind of action occurs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindCount {
    /// Actions of the kind.
    pub actions: u64,
    /// Trajectories with at least one of them.
    pub trajectories: u64,
}

/// A corpus in figures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusStats {
    /// Trajectories.
    pub n_trajectories: u64,
    /// Actions over all trajectories.
    pub n_actions: u64,
    /// Actions of each trajectory.
    pub lengths: Histogram,
    /// Each kind that occurs, by keyword.
    pub kinds: BTreeMap<String, KindCount>,
    /// Actions by family, in the nine groups of the paper.
    pub families: Tally,
    /// Shapes of ranges by family; for fills and pastes those of the destination.
    pub shapes: BTreeMap<String, ShapeCounts>,
    /// Cells in the range of each action.
    pub cells_per_action: Histogram,
    /// The last row that each trajectory reaches.
    pub extent_rows: Histogram,
    /// The last column that each trajectory reaches.
    pub extent_cols: Histogram,
    /// Typed content.
    pub inputs: InputStats,
    /// Fills.
    pub autofills: AutofillStats,
    /// Pastes.
    pub pastes: PasteStats,
    /// Order and repetition.
    pub habits: HabitStats,
    /// Actions other than typing in each trajectory, in the order of the trajectories.
    pub formatting: Vec<Share>,
}

/// Describes trajectories: counts, distributions and habits, replaying each from an empty workbook.
///
/// An action that cannot be carried out is counted under [`HabitStats::failed`] and skipped. The figures do not depend
/// on the order of the trajectories, apart from the order of [`CorpusStats::formatting`].
pub fn describe(trajectories: &[Trajectory]) -> CorpusStats {
    let mut stats = CorpusStats::default();
    for trajectory in trajectories {
        stats.add(trajectory);
    }
    stats
}

impl CorpusStats {
    /// Adds one trajectory.
    pub fn add(&mut self, trajectory: &Trajectory) {
        let actions = &trajectory.actions;
        let n_actions = actions.iter().fold(0, |n, _| n + 1);
        self.n_trajectories += 1;
        self.n_actions += n_actions;
        self.lengths.add(n_actions);
        let n_typing = actions.iter().fold(0, |n, action| n + u64::from(action.is_content()));
        self.formatting.push(Share {
            part: n_actions - n_typing,
            whole: n_actions,
        });
        self.habits.add_order(trajectory);
        let mut kinds = BTreeSet::new();
        let mut replay = Replay::default();
        for action in actions {
            kinds.insert(action.keyword().text());
            self.add_action(action);
            self.autofills.add(action, &replay.state);
            let step = replay.step(action).ok();
            self.habits.add_step(action, step);
        }
        for kind in kinds {
            self.kinds.entry(kind.to_owned()).or_default().trajectories += 1;
        }
        let reach = |side: fn(&Action) -> i64| actions.iter().map(side).max().unwrap_or(0);
        let size = |length: i64| u64::try_from(length).unwrap_or(0);
        self.extent_rows
            .add(size(reach(|action| action.range().bounds().last_row)));
        self.extent_cols
            .add(size(reach(|action| action.range().bounds().last_col)));
    }

    fn add_action(&mut self, action: &Action) {
        let (family, bounds) = (action.group().name(), action.range().bounds());
        self.kinds
            .entry(action.keyword().text().to_owned())
            .or_default()
            .actions += 1;
        self.families.add(family);
        self.shapes.entry(family.to_owned()).or_default().add(&bounds);
        self.cells_per_action.add(bounds.n_cells());
        match action.group() {
            Group::Input => self.inputs.add(action),
            Group::Paste => self.pastes.add(action),
            _ => {}
        }
    }

    /// Actions by kind.
    pub fn kind_tally(&self) -> Tally {
        Tally(
            self.kinds
                .iter()
                .map(|(kind, count)| (kind.clone(), count.actions))
                .collect(),
        )
    }

    /// Shapes over all families.
    pub fn all_shapes(&self) -> ShapeCounts {
        self.shapes
            .values()
            .fold(ShapeCounts::default(), |sum, shapes| ShapeCounts {
                single: sum.single + shapes.single,
                row: sum.row + shapes.row,
                column: sum.column + shapes.column,
                block: sum.block + shapes.block,
                reversed: sum.reversed + shapes.reversed,
            })
    }

    /// The shares of actions other than typing, in tenths of a percent, rounded down: 0 to 1000 for each trajectory.
    ///
    /// A trajectory without actions counts as 0.
    pub fn formatting_per_mille(&self) -> Histogram {
        let mut shares = Histogram::default();
        for share in &self.formatting {
            shares.add((share.part * 1000).checked_div(share.whole).unwrap_or(0));
        }
        shares
    }
}

#[cfg(test)]
mod tests;
