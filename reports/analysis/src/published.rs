//! What the paper (arXiv 2606.13802) reports of GPT-5, as marks to compare with.
//!
//! The paper gives these figures in its text, some of them as "about"; nothing else of its distributions is known. They
//! are never mixed with what is measured.

use serde::Serialize;

use crate::by::By;
use crate::kind::Kind;

/// What a legend calls the marks.
pub const LABEL: &str = "published, GPT-5";

/// A published figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Published {
    /// The figure, a share between 0 and 1; the middle where a range is given.
    pub value: f64,
    /// As the paper has it.
    pub text: &'static str,
    /// Where it stands.
    pub source: &'static str,
}

/// What the paper reports of GPT-5's streaks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PublishedStreaks {
    /// Median length.
    pub median: f64,
    /// Mean length.
    pub mean: f64,
    /// Length from which on a streak counts as long.
    pub long: u32,
    /// Share of streaks at least so long.
    pub share_long: f64,
    /// Smallest and largest mean length of the other predictors.
    pub other_means: [f64; 2],
    /// Where it stands.
    pub source: &'static str,
}

/// Streaks of GPT-5.
pub const STREAKS: PublishedStreaks = PublishedStreaks {
    median: 1.0,
    mean: 2.21,
    long: 7,
    share_long: 0.05,
    other_means: [1.6, 2.3],
    source: "arXiv 2606.13802: streaks have a median of 1 and a mean of 2.21; 5 % are at least 7 long",
};

const PROGRESS: &str = "arXiv 2606.13802: about 12.5 % are accepted early in a trajectory and about 24 % late";
const TRIGGER: &str = "arXiv 2606.13802: about 24 % are accepted after INPUT or AUTOFILL, 10–12 % after MERGE or ALIGN";
const LENGTH: &str =
    "arXiv 2606.13802: 18 % are accepted of proposals of one action, 31 % of 11–15, 51 % of more than 15";
const SHARES: &str = "arXiv 2606.13802: input is 33.0 % of proposed and 57.1 % of true actions, align 14.1 and 6.9 %, \
                      border 12.3 and 6.3 %; align is 15.9 % of rejected and 8.0 % of accepted actions, border 13.6 and \
                      8.0 %";

/// The published acceptance rate for a row of a breakdown.
///
/// The paper does not say where "early" ends and "late" begins; the marks stand at the first and the last tenth.
pub fn rate(by: By, label: &str) -> Option<Published> {
    let (value, text, source) = match (by, label) {
        (By::Progress, "0–10 %") => (0.125, "about 12.5 % early", PROGRESS),
        (By::Progress, "90–100 %") => (0.24, "about 24 % late", PROGRESS),
        (By::Trigger, "input" | "autofill") => (0.24, "about 24 %", TRIGGER),
        (By::Trigger, "merge" | "align") => (0.11, "10–12 %", TRIGGER),
        (By::Length, "1") => (0.18, "18 %", LENGTH),
        (By::Length, "11–15") => (0.31, "31 %", LENGTH),
        (By::Length, "16+") => (0.51, "51 %", LENGTH),
        _ => return None,
    };
    Some(Published { value, text, source })
}

/// Published shares of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PublishedShares {
    /// Share of the trajectories' actions.
    pub truth: Option<Published>,
    /// Share of the proposed actions.
    pub proposed: Option<Published>,
    /// Share of the accepted actions.
    pub accepted: Option<Published>,
    /// Share of the rejected actions.
    pub rejected: Option<Published>,
}

/// The published shares of a kind; absent where the paper names none.
pub fn shares(kind: Kind) -> Option<PublishedShares> {
    let figure = |value, text| {
        Some(Published {
            value,
            text,
            source: SHARES,
        })
    };
    let published = match kind.name() {
        "input" => PublishedShares {
            truth: figure(0.571, "57.1 %"),
            proposed: figure(0.330, "33.0 %"),
            ..PublishedShares::default()
        },
        "align" => PublishedShares {
            truth: figure(0.069, "6.9 %"),
            proposed: figure(0.141, "14.1 %"),
            accepted: figure(0.080, "8.0 %"),
            rejected: figure(0.159, "15.9 %"),
        },
        "border" => PublishedShares {
            truth: figure(0.063, "6.3 %"),
            proposed: figure(0.123, "12.3 %"),
            accepted: figure(0.080, "8.0 %"),
            rejected: figure(0.136, "13.6 %"),
        },
        _ => return None,
    };
    Some(published)
}

/// What the paper says of corrections.
pub const UNDO: &str = "arXiv 2606.13802: most trajectories need fewer than 10 corrective actions, a few 20 or more";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_has_a_row_to_stand_at() {
        let count = |by: By| by.labels().iter().filter(|label| rate(by, label).is_some()).count();
        assert_eq!([By::Progress, By::Trigger, By::Length].map(count), [2, 4, 3]);
        assert_eq!(Kind::all().filter(|kind| shares(*kind).is_some()).count(), 3);
    }
}
