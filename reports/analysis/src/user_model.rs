//! How long things take a user: typing, pointing, reading proposals, being interrupted.
//!
//! Times of operators are those of the keystroke-level model (Card, Moran and Newell: "The keystroke-level model for user
//! performance time with interactive systems", CACM 23(7), 1980; "The Psychology of Human-Computer Interaction", 1983,
//! chapter 8): what an expert takes for a task that goes without error. How many of them an action takes is our reading of
//! how spreadsheets are worked with. The cost of reading and of being interrupted is an assumption, and said to be one.

use napsim_trajectories::Group;
use serde::{Deserialize, Serialize};

use crate::kind::Kind;
use crate::number::float;
use crate::work::{KindWork, Work};

/// A model of the user: seconds, and numbers of clicks. Every field that a file leaves out keeps its default.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UserModel {
    /// Seconds to press a key: 0.28, an average non-secretarial typist of 40 words a minute (operator K; 0.2 for a
    /// skilled typist of 55, 0.5 for random letters).
    pub keystroke_s: f64,
    /// Seconds to point at something with a mouse: 1.1 (operator P).
    pub point_s: f64,
    /// Seconds to press or to release a button: 0.1 (operator B, added by Kieras 1993; a click is two).
    pub button_s: f64,
    /// Seconds to move a hand between mouse and keyboard: 0.4 (operator H).
    pub home_s: f64,
    /// Seconds to prepare an action in the mind: 1.35 (operator M).
    pub think_s: f64,
    /// Clicks in menus and bars that an action takes once its range is selected.
    pub clicks: Clicks,
    /// Seconds to read one proposed action: 0.69, three movements of the eye at 0.23 (Card, Moran and Newell 1983, chapter
    /// 2) for what is done, where, and with which value. An assumption.
    pub review_action_s: f64,
    /// Seconds to accept a proposal: 0.28, one key.
    pub accept_s: f64,
    /// Seconds that a rejected proposal costs besides reading it: 1.35, as the next action has to be prepared in the mind
    /// anew. An assumption, on the low side: studies of interrupted work find more.
    pub interruption_s: f64,
}

/// Clicks that actions take once their range is selected.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clicks {
    /// Merging: a button.
    pub merge: f64,
    /// A number format: a list and its entry.
    pub format: f64,
    /// A fill: a palette and its colour.
    pub fill: f64,
    /// A font: a button for bold, italic and underline; a list and its entry for size, colour and name.
    pub font: f64,
    /// Borders: a list and its entry.
    pub border: f64,
    /// Alignment, wrapping: a button.
    pub align: f64,
}

/// A number of a user model that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{name}` is {value}, but has to lie between 0 and {max}")]
pub struct UserModelError {
    /// The field.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// The largest that makes sense.
    pub max: f64,
}

impl Default for Clicks {
    fn default() -> Self {
        Self {
            merge: 1.0,
            format: 2.0,
            fill: 2.0,
            font: 1.5,
            border: 2.0,
            align: 1.0,
        }
    }
}

impl Default for UserModel {
    fn default() -> Self {
        Self {
            keystroke_s: 0.28,
            point_s: 1.1,
            button_s: 0.1,
            home_s: 0.4,
            think_s: 1.35,
            clicks: Clicks::default(),
            review_action_s: 0.69,
            accept_s: 0.28,
            interruption_s: 1.35,
        }
    }
}

/// More seconds than this for any one thing are a mistake in the file, such as milliseconds.
const SECONDS_MAX: f64 = 600.0;
/// More clicks than this are a mistake in the file.
const CLICKS_MAX: f64 = 100.0;

impl UserModel {
    /// Makes sure that every number makes sense.
    ///
    /// # Errors
    /// [`UserModelError`] names the first number that is below zero, too large or none.
    pub fn validate(&self) -> Result<(), UserModelError> {
        let seconds = [
            ("keystroke_s", self.keystroke_s),
            ("point_s", self.point_s),
            ("button_s", self.button_s),
            ("home_s", self.home_s),
            ("think_s", self.think_s),
            ("review_action_s", self.review_action_s),
            ("accept_s", self.accept_s),
            ("interruption_s", self.interruption_s),
        ];
        let clicks = [
            ("clicks.merge", self.clicks.merge),
            ("clicks.format", self.clicks.format),
            ("clicks.fill", self.clicks.fill),
            ("clicks.font", self.clicks.font),
            ("clicks.border", self.clicks.border),
            ("clicks.align", self.clicks.align),
        ];
        let seconds = seconds.map(|(name, value)| (name, value, SECONDS_MAX));
        let clicks = clicks.map(|(name, value)| (name, value, CLICKS_MAX));
        for (name, value, max) in seconds.into_iter().chain(clicks) {
            if !(0.0..=max).contains(&value) {
                return Err(UserModelError { name, value, max });
            }
        }
        Ok(())
    }

    /// Seconds that a user takes for the actions among the work, without proposals.
    pub(crate) fn actions_s(&self, work: &Work) -> f64 {
        Kind::all()
            .zip(&work.kinds)
            .map(|(kind, work)| self.kind_s(kind, work))
            .fold(0.0, |sum, seconds| sum + seconds)
    }

    /// Seconds for the actions of one kind: to think of each, to select, and to do it.
    pub(crate) fn kind_s(&self, kind: Kind, work: &KindWork) -> f64 {
        let click = self.point_s + 2.0 * self.button_s;
        let drag = 2.0 * (self.point_s + self.button_s);
        let actions = float(work.actions);
        let selecting = click * float(work.cells) + drag * float(work.ranges);
        let clicks = |n: f64| actions * n * click;
        let doing = match kind.group() {
            // To the keyboard and back, except from one cell to the next; each entry ends with a key.
            Some(Group::Input) => {
                let by_mouse = float(work.actions.saturating_sub(work.by_key));
                2.0 * self.home_s * by_mouse + self.keystroke_s * float(work.characters + work.entries)
            }
            Some(Group::Merge) => clicks(self.clicks.merge),
            Some(Group::Format) => clicks(self.clicks.format),
            Some(Group::Fill) => clicks(self.clicks.fill),
            Some(Group::Font) => clicks(self.clicks.font),
            Some(Group::Border) => clicks(self.clicks.border),
            Some(Group::Align) => clicks(self.clicks.align),
            // Two keys to copy and two to paste, the hand going to the keyboard and back for either.
            Some(Group::Paste) => actions * (4.0 * self.keystroke_s + 4.0 * self.home_s),
            Some(Group::Autofill) => actions * drag,
            None => 0.0,
        };
        actions * self.think_s + selecting + doing
    }

    /// Seconds to read proposals.
    pub(crate) fn review_s(&self, work: &Work) -> f64 {
        self.review_action_s * float(work.proposed)
    }

    /// Seconds to accept proposals.
    pub(crate) fn accept_s(&self, work: &Work) -> f64 {
        self.accept_s * float(work.accepted)
    }

    /// Seconds that rejected proposals cost besides reading them.
    pub(crate) fn interruption_s(&self, work: &Work) -> f64 {
        self.interruption_s * float(work.rejected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: Group, work: KindWork, expect: f64) {
        let seconds = UserModel::default().kind_s(kind.into(), &work);
        assert!((seconds - expect).abs() < 1e-9, "{kind:?}: {seconds} for {expect}");
    }

    #[test]
    fn seconds_are_those_of_the_operators() {
        let one = KindWork {
            actions: 1,
            cells: 1,
            ..KindWork::default()
        };
        // M + P + 2B + 2H + 5K + K.
        let typed = KindWork {
            characters: 5,
            entries: 1,
            ..one
        };
        check(Group::Input, typed, 1.35 + 1.3 + 0.8 + 6.0 * 0.28);
        // M + 3K, the cell being next.
        let next = KindWork {
            actions: 1,
            by_key: 1,
            characters: 2,
            entries: 1,
            ..KindWork::default()
        };
        check(Group::Input, next, 1.35 + 3.0 * 0.28);
        // M + a drag + two clicks.
        let range = KindWork {
            actions: 1,
            ranges: 1,
            ..KindWork::default()
        };
        check(Group::Border, range, 1.35 + 2.4 + 2.6);
        check(Group::Autofill, one, 1.35 + 1.3 + 2.4);
        let paste = KindWork { cells: 2, ..one };
        check(Group::Paste, paste, 1.35 + 2.6 + 4.0 * 0.28 + 1.6);
    }

    #[test]
    fn files_may_leave_out_what_they_do_not_change() {
        let model: UserModel = serde_json::from_str(r#"{"keystroke_s": 0.2, "clicks": {"fill": 3}}"#).unwrap();
        assert_eq!(
            (model.keystroke_s, model.clicks.fill, model.clicks.border, model.point_s),
            (0.2, 3.0, 2.0, 1.1)
        );
        let error = serde_json::from_str::<UserModel>(r#"{"keystrokes": 1}"#).unwrap_err();
        assert!(error.to_string().contains("unknown field"), "{error}");
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        assert_eq!(UserModel::default().validate(), Ok(()));
        for value in [-0.1, f64::NAN, f64::INFINITY, 1350.0] {
            let model = UserModel {
                think_s: value,
                ..UserModel::default()
            };
            let error = model.validate().unwrap_err();
            assert_eq!(error.name, "think_s");
            assert!(error.to_string().contains("between 0 and 600"), "{error}");
        }
        let mut model = UserModel::default();
        model.clicks.align = -1.0;
        assert_eq!(model.validate().unwrap_err().name, "clicks.align");
    }
}
