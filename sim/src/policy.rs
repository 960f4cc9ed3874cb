//! What an acceptance policy is to the simulator: evidence in, verdict out.

use serde::{Deserialize, Serialize};

use crate::counts::Counts;

/// Everything a policy may look at: what the proposal would do, measured by the protocol's rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Properties of the cells that the proposal changes: right, wrong, missing, mismatching (spec 02, 3.4).
    pub counts: Counts,
    /// Actions in the proposal.
    pub length: u32,
    /// User actions that accepting would save; negative when it would cost some (spec 02, 12).
    pub saved: i64,
    /// Undo actions that the user would have to make.
    pub undo: u32,
    /// Actions of the future that accepting would make unnecessary.
    pub removed: u32,
    /// Like `saved`, with the proposed actions themselves charged.
    pub net: i64,
    /// Actions the user still has to do before accepting.
    pub future: u32,
    /// Proposed actions that strictly match an action of the future.
    pub matches: u32,
    /// The predictor's own confidence between 0 and 1, if it gave one.
    pub confidence: Option<f64>,
}

macro_rules! metrics {
    ($($variant:ident $name:literal $about:literal;)*) => {
        /// A figure that a policy can put a bound on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Metric { $(#[doc = $about] $variant,)* }

        impl Metric {
            /// Every metric.
            pub const ALL: &'static [Metric] = &[$(Metric::$variant,)*];

            /// The name used in policy expressions and records.
            pub fn name(self) -> &'static str {
                match self { $(Metric::$variant => $name,)* }
            }

            /// One sentence on what it measures.
            pub fn about(self) -> &'static str {
                match self { $(Metric::$variant => $about,)* }
            }

            /// The metric of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Metric::$variant),)* _ => None }
            }
        }
    };
}

metrics! {
    Precision "precision" "tp / (tp + fp + mm): the share of changed properties that end up right.";
    Recall "recall" "tp / (tp + fn + mm).";
    F1 "f1" "2 tp / (2 tp + fp + fn + 2 mm).";
    Saved "saved" "User actions that accepting saves; negative when it costs some.";
    Net "net" "Like saved, with the proposed actions themselves charged.";
    Undo "undo" "Undo actions that accepting would add.";
    Removed "removed" "Future actions that accepting makes unnecessary.";
    Length "length" "Actions in the proposal.";
    Future "future" "Actions the user still has to do before accepting.";
    Matches "matches" "Proposed actions that strictly match an action of the future.";
    Tp "tp" "Changed properties that are right.";
    Fp "fp" "Changed properties that should not be there.";
    Fn "fn" "Properties still missing in the cells that the proposal and the future touch.";
    Mm "mm" "Changed properties with a wrong value.";
    Confidence "confidence" "The predictor's own confidence; a proposal without one counts as 1.";
}

impl Evidence {
    /// The value of a metric.
    pub fn metric(&self, metric: Metric) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts of actions are far below 2^53")]
        let signed = |count: i64| count as f64;
        match metric {
            Metric::Precision => self.counts.precision(),
            Metric::Recall => self.counts.recall(),
            Metric::F1 => self.counts.f1(),
            Metric::Saved => signed(self.saved),
            Metric::Net => signed(self.net),
            Metric::Undo => f64::from(self.undo),
            Metric::Removed => f64::from(self.removed),
            Metric::Length => f64::from(self.length),
            Metric::Future => f64::from(self.future),
            Metric::Matches => f64::from(self.matches),
            Metric::Tp => f64::from(self.counts.tp),
            Metric::Fp => f64::from(self.counts.fp),
            Metric::Fn => f64::from(self.counts.missing),
            Metric::Mm => f64::from(self.counts.mm),
            Metric::Confidence => self.confidence.unwrap_or(1.0),
        }
    }
}

/// How a metric is compared with a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Comparison {
    #[serde(rename = ">=")]
    AtLeast,
    #[serde(rename = ">")]
    MoreThan,
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = "<")]
    LessThan,
    #[serde(rename = "==")]
    Equal,
}

impl Comparison {
    /// The sign as written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::AtLeast => ">=",
            Self::MoreThan => ">",
            Self::AtMost => "<=",
            Self::LessThan => "<",
            Self::Equal => "==",
        }
    }

    /// Whether `value` stands in this relation to `bound`, compared as plain doubles.
    pub fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Self::AtLeast => value >= bound,
            Self::MoreThan => value > bound,
            Self::AtMost => value <= bound,
            Self::LessThan => value < bound,
            #[expect(clippy::float_cmp, reason = "an equality that the user wrote is meant exactly")]
            Self::Equal => value == bound,
        }
    }
}

/// One bound of a policy, held against the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// What was looked at.
    pub metric: Metric,
    /// Its value.
    pub value: f64,
    /// How it was compared.
    pub comparison: Comparison,
    /// With what.
    pub bound: f64,
    /// Whether the bound holds.
    pub passed: bool,
}

/// A policy's decision with every check behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether the simulated user takes the proposal.
    pub accepted: bool,
    /// Every bound, its value and whether it holds.
    pub checks: Vec<Check>,
}

/// Decides whether the simulated user takes a proposal. Pure and total.
pub trait AcceptancePolicy: Sync + Send {
    /// What the user types to get this policy.
    fn id(&self) -> &str;

    /// The verdict with every check, its value and its bound.
    fn decide(&self, evidence: &Evidence) -> Verdict;
}
