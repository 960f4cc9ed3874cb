//! What a rollout is asked to do besides the protocol: when to ask, how often, and where to stop.

use napsim_trajectories::{Action, Group};
use serde::{Deserialize, Serialize};

use crate::predictor::Seed;

/// How many user actions a rollout may take (spec 02, 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepLimit {
    /// An absolute number of user actions.
    pub steps: Option<u32>,
    /// A share of the trajectory's length, such as 1.2.
    pub share: Option<f64>,
}

impl StepLimit {
    /// The published setting: 1200 and 120 %, whichever is smaller.
    pub const PUBLISHED: StepLimit = StepLimit {
        steps: Some(1200),
        share: Some(1.2),
    };

    /// No limit of its own: the protocol's default applies.
    pub const NONE: StepLimit = StepLimit {
        steps: None,
        share: None,
    };

    /// The limit for a trajectory of that length; none where neither setting is given.
    pub fn for_length(&self, actions: u32) -> Option<u32> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates, as meant"
        )]
        let share = self.share.map(|share| (share * f64::from(actions)) as u32);
        match (self.steps, share) {
            (Some(steps), Some(share)) => Some(steps.min(share)),
            (steps, share) => steps.or(share),
        }
    }
}

/// A cheap reason to ask the predictor after a user action, besides the stride.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// After actions of these groups.
    After(Vec<Group>),
    /// After every n-th action in a row of one group.
    Run(u32),
    /// After an action of another group than the one before.
    GroupChange,
    /// After an action whose range neither overlaps nor adjoins the range before, or lies on another sheet.
    AreaChange,
}

impl Trigger {
    /// Whether the last action of `history` is a reason to ask.
    pub fn fires(&self, history: &[Action]) -> bool {
        let mut latest = history.iter().rev();
        let Some(last) = latest.next() else { return false };
        let before = latest.next();
        match self {
            Self::After(groups) => groups.contains(&last.group()),
            Self::Run(n) => {
                let run = history
                    .iter()
                    .rev()
                    .take_while(|action| action.group() == last.group())
                    .count();
                *n > 0 && u32::try_from(run).is_ok_and(|run| run % n == 0)
            }
            Self::GroupChange => before.is_some_and(|before| before.group() != last.group()),
            Self::AreaChange => before.is_some_and(|before| !adjoins(before, last)),
        }
    }
}

impl std::fmt::Display for Trigger {
    /// The spelling of the command line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::After(groups) => {
                let names: Vec<&str> = groups.iter().map(|group| group.name()).collect();
                write!(f, "after:{}", names.join(","))
            }
            Self::Run(n) => write!(f, "run:{n}"),
            Self::GroupChange => f.write_str("kind-change"),
            Self::AreaChange => f.write_str("area-change"),
        }
    }
}

fn adjoins(before: &Action, last: &Action) -> bool {
    let mut grown = before.range().bounds();
    grown.first_row -= 1;
    grown.first_col -= 1;
    grown.last_row += 1;
    grown.last_col += 1;
    before.range().sheet() == last.range().sheet() && grown.overlaps(&last.range().bounds())
}

/// Actions left to do after an acceptance at which a rollout is stopped, for trajectories of up to half as many.
///
/// Undo actions of a chain that never shortens the future pile up, and every further prediction costs more (Q6).
pub const FUTURE_MAX: usize = 50_000;

/// The undo actions of a pass of rewriting unless another limit is set.
pub const UNDO_MAX: u32 = 250;

/// Settings of a rollout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Ask after every `stride`-th executed action, predicted ones included (Q9).
    pub stride: u32,
    /// Where given, ask only when one of these fires as well.
    pub triggers: Vec<Trigger>,
    /// Ask again at once after an acceptance, until the predictor is refused or has nothing to say.
    pub repredict: bool,
    /// Keep at most this many proposed actions a call.
    pub actions_max: Option<u32>,
    /// Limit on user actions.
    pub step_limit: StepLimit,
    /// At most this many undo actions a pass of rewriting (`undo_max`; spec 02, 12).
    pub undo_max: u32,
    /// Accepted predictions in a row that may fail to shorten the future before the rollout is stopped (Q6).
    pub chain_max: u32,
    /// Seed handed to the predictor.
    pub seed: Seed,
    /// Whether each prediction carries a digest of the rewritten future.
    pub digest_future: bool,
}

impl Settings {
    /// The published single-action setting: one action a call, asked again after an acceptance.
    pub fn single() -> Self {
        Self {
            stride: 1,
            triggers: Vec::new(),
            repredict: true,
            actions_max: Some(1),
            step_limit: StepLimit::PUBLISHED,
            undo_max: UNDO_MAX,
            chain_max: 1000,
            seed: Seed(0),
            digest_future: false,
        }
    }

    /// The published multi-action setting: the predictor decides its own length, once a user action.
    pub fn multi() -> Self {
        Self {
            repredict: false,
            actions_max: None,
            ..Self::single()
        }
    }
}
