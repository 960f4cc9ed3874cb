//! Trajectories: named sequences of actions with the lines they were read from.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::Action;
use crate::predictable::PredictableState;

/// The line of a source that an action was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The line as written, without the blanks around it.
    pub text: String,
    /// The number of the line in its file, from 1.
    pub line_no: u64,
}

/// One recorded way of building a sheet, from the first action to the last.
#[derive(Clone, Debug)]
pub struct Trajectory {
    /// The name that identifies it within a corpus.
    pub name: String,
    /// A heading for people, where the source gives one.
    pub title: Option<String>,
    /// A description for people, where the source gives one.
    pub description: Option<String>,
    /// The actions in order.
    pub actions: Vec<Action>,
    /// The source line of each action, in the same order.
    pub lines: Vec<SourceLine>,
    /// Which properties of the final state count as predictable, where that is known.
    pub predictable: Option<PredictableState>,
}

impl Trajectory {
    /// The digest of the actions: equal digests mean equal canonical texts in equal order.
    ///
    /// It is the SHA-256, in 64 lower-case hexadecimal digits, of every canonical text preceded by its length in bytes
    /// (decimal, then a line feed) and followed by a line feed. Name, title and description do not count.
    pub fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        for action in &self.actions {
            let text = action.to_string();
            hasher.update(format!("{}\n{text}\n", text.len()));
        }
        let mut digest = String::with_capacity(64);
        for byte in hasher.finalize() {
            // Writing to a string does not fail.
            let _ = write!(digest, "{byte:02x}");
        }
        digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trajectory(lines: &[&str]) -> Trajectory {
        Trajectory {
            name: "t".to_owned(),
            title: None,
            description: None,
            actions: lines.iter().map(|line| Action::parse(line).unwrap()).collect(),
            lines: Vec::new(),
            predictable: None,
        }
    }

    #[test]
    fn digest_depends_on_actions_and_their_order_alone() {
        let digest = trajectory(&["INPUT | A1 | 1", "FONT_BOLD | A1 | true"]).digest();
        assert_eq!(
            digest,
            "28e6f969edde5d55217660b2eba9d6b143c2325dd07dcea2a00d88a0fcac2d6f"
        );
        let respelled = trajectory(&["INPUT | Sheet1!A1 | 1", "FONT_BOLD | A1 | True"]);
        assert_eq!(respelled.digest(), digest);
        let reordered = trajectory(&["FONT_BOLD | A1 | true", "INPUT | A1 | 1"]);
        assert_ne!(reordered.digest(), digest);
    }

    #[test]
    fn digest_keeps_texts_with_line_feeds_apart_from_two_texts() {
        let one = trajectory(&["FORMULA | A1 | =1\nFORMULA | Sheet1!A2 | =2"]);
        let two = trajectory(&["FORMULA | A1 | =1", "FORMULA | A2 | =2"]);
        assert_ne!(one.digest(), two.digest());
    }
}
