//! One answer of a predictor, and how two are held against each other.

use std::time::Duration;

use napsim_sim::predictor::{Proposal, Proposals};

use crate::conversation::Conversation;
use crate::shown::{counted, shown};

/// What came back from one question.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The proposals.
    pub(crate) proposals: Proposals,
    /// What answering took, with what was told since the question before.
    pub(crate) time: Duration,
}

/// A demand that is not met, in words for a person.
#[derive(Clone, Debug)]
pub(crate) struct Failure(pub(crate) String);

/// Answers with the conversation that they came in.
#[derive(Clone, Copy)]
pub(crate) struct Answered<'a> {
    /// Who answered and how it was asked, such as `a fresh predictor`.
    pub(crate) who: &'a str,
    pub(crate) conversation: &'a Conversation,
    pub(crate) answers: &'a [Answer],
}

/// That answers are the same: proposals in canonical spelling, their confidences, and what was rejected.
pub(crate) fn must_agree(expected: Answered<'_>, came: Answered<'_>) -> Result<(), Failure> {
    for (idx, (first, second)) in expected.answers.iter().zip(came.answers).enumerate() {
        let Some((one, other)) = difference(&first.proposals, &second.proposals) else {
            continue;
        };
        let mut text = format!(
            "answer {} of {} differs\nexpected (of {}): {one}\ncame (of {}): {other}",
            idx + 1,
            expected.answers.len(),
            expected.who,
            came.who,
        );
        text.push_str("\nto reproduce, with both:");
        for line in came.conversation.reproduction(came.conversation.step_of_question(idx)) {
            text.push_str("\n  ");
            text.push_str(&line);
        }
        return Err(Failure(text));
    }
    Ok(())
}

/// Whether two answers say the same.
pub(crate) fn agree(one: &Proposals, other: &Proposals) -> bool {
    difference(one, other).is_none()
}

/// Where two answers differ first, in words.
fn difference(one: &Proposals, other: &Proposals) -> Option<(String, String)> {
    let (first, second) = (one.actions(), other.actions());
    for idx in 0..first.len().max(second.len()) {
        let (a, b) = (first.get(idx), second.get(idx));
        if !same_proposal(a, b) {
            return Some((proposal_in_words(idx, a, one), proposal_in_words(idx, b, other)));
        }
    }
    let (first, second) = (one.rejected(), other.rejected());
    for idx in 0..first.len().max(second.len()) {
        let text = |rejected: &Proposals| rejected.rejected().get(idx).map(|rejected| rejected.text.clone());
        let (a, b) = (text(one), text(other));
        if a != b {
            let words = |text: Option<String>| match text {
                Some(text) => format!("what is no action: `{}`", shown(&text)),
                None => "nothing that is no action".to_owned(),
            };
            return Some((words(a), words(b)));
        }
    }
    None
}

fn same_proposal(a: Option<&Proposal>, b: Option<&Proposal>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            let bits = |proposal: &Proposal| proposal.confidence.map(f64::to_bits);
            bits(a) == bits(b) && a.action.to_string() == b.action.to_string()
        }
        (None, None) => true,
        _ => false,
    }
}

fn proposal_in_words(idx: usize, proposal: Option<&Proposal>, all: &Proposals) -> String {
    let Some(proposal) = proposal else {
        return match all.actions().len() {
            0 => "no proposal".to_owned(),
            n => format!("no more than {}", counted(n, "proposal")),
        };
    };
    let text = shown(&proposal.action.to_string());
    let confidence = match proposal.confidence {
        Some(confidence) => format!("confidence {confidence}"),
        None => "no confidence".to_owned(),
    };
    format!("proposal {}: `{text}`, {confidence}", idx + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposals(lines: &[(&str, Option<f64>)]) -> Proposals {
        let mut proposals = Proposals::default();
        for (line, confidence) in lines {
            let _ = proposals.push_text(line, *confidence);
        }
        proposals
    }

    fn check(one: &[(&str, Option<f64>)], other: &[(&str, Option<f64>)], expect: Option<(&str, &str)>) {
        let got = difference(&proposals(one), &proposals(other));
        let got = got.as_ref().map(|(one, other)| (one.as_str(), other.as_str()));
        assert_eq!(got, expect);
    }

    #[test]
    fn spelling_makes_no_difference() {
        check(
            &[("FONT_BOLD | A1 | True", None)],
            &[("FONT_BOLD | Sheet1!A1 | true", None)],
            None,
        );
        check(&[("x", Some(f64::NAN))], &[("x", Some(f64::NAN))], None);
    }

    #[test]
    fn actions_confidences_number_and_what_is_no_action_make_one() {
        let (bold, italic) = ("FONT_BOLD | A1 | true", "FONT_ITALIC | A1 | true");
        let bold_shown = "proposal 1: `FONT_BOLD | Sheet1!A1 | true`, no confidence";
        check(
            &[(bold, None)],
            &[(italic, None)],
            Some((
                bold_shown,
                "proposal 1: `FONT_ITALIC | Sheet1!A1 | true`, no confidence",
            )),
        );
        check(
            &[(bold, None)],
            &[(bold, Some(0.0))],
            Some((bold_shown, "proposal 1: `FONT_BOLD | Sheet1!A1 | true`, confidence 0")),
        );
        check(&[(bold, None)], &[], Some((bold_shown, "no proposal")));
        check(
            &[(bold, None)],
            &[(bold, None), (italic, None)],
            Some((
                "no more than 1 proposal",
                "proposal 2: `FONT_ITALIC | Sheet1!A1 | true`, no confidence",
            )),
        );
        check(
            &[("Sure!\n", None)],
            &[],
            Some(("what is no action: `Sure!\\n`", "nothing that is no action")),
        );
    }
}
