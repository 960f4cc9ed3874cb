//! A conversation about one trajectory, from the side of the predictor.

use napsim_sim::predictor::{
    Budget, CurrentWorkbook, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use super::{error, kind};
use crate::message::{
    ANSWER_ACTIONS_MAX, Answer, Begin, ErrorAnswer, KIND_CHARS_MAX, Predict, Prediction, ProposedLine, Tokens, is_kind,
};

/// A conversation about one trajectory.
pub(super) struct Session {
    predictor: Box<dyn Predictor>,
    head: Head,
    lines: Vec<String>,
    history: Vec<Action>,
    current: CurrentWorkbook,
    /// What makes every further answer of this trajectory meaningless: a kind and a message.
    trouble: Option<(&'static str, String)>,
}

/// How the trajectory begins.
struct Head {
    trajectory: String,
    sheet: String,
    seed: Seed,
}

impl Session {
    pub(super) fn begin(predictor: Box<dyn Predictor>, begin: &Begin<'_>) -> Self {
        let mut session = Self {
            predictor,
            head: Head {
                trajectory: begin.trajectory.clone().into_owned(),
                sheet: begin.sheet.clone().into_owned(),
                seed: Seed(begin.seed),
            },
            lines: Vec::new(),
            history: Vec::new(),
            current: CurrentWorkbook::default(),
            trouble: None,
        };
        session.restart();
        session
    }

    pub(super) fn into_predictor(self) -> Box<dyn Predictor> {
        self.predictor
    }

    fn restart(&mut self) {
        let Head {
            trajectory,
            sheet,
            seed,
        } = &self.head;
        let head = TrajectoryHead {
            name: trajectory,
            sheet,
        };
        self.predictor.begin(head, *seed);
        self.lines.clear();
        self.history.clear();
        self.current = CurrentWorkbook::default();
        self.trouble = None;
    }

    /// From here on there are no answers in this trajectory.
    pub(super) fn spoil(&mut self, kind: &'static str, message: String) {
        self.trouble.get_or_insert((kind, message));
    }

    /// Takes actions of which some may be known already.
    pub(super) fn observe(&mut self, from: u64, actions: &[String]) {
        let n_known = self.lines.len();
        let Some(n_overlap) = usize::try_from(from).ok().and_then(|from| n_known.checked_sub(from)) else {
            let message = format!("observe from action {from} on: only {n_known} are known");
            return self.spoil(kind::BAD_HISTORY, message);
        };
        let known = self.lines.iter().skip(n_known - n_overlap);
        if let Some((known, told)) = known.zip(actions).find(|(known, told)| known != told) {
            let message = format!("observe `{told}`: it was told as `{known}` before");
            return self.spoil(kind::BAD_HISTORY, message);
        }
        self.extend(actions.get(n_overlap..).unwrap_or_default());
    }

    fn extend(&mut self, lines: &[String]) {
        let n_before = self.history.len();
        for line in lines {
            match Action::parse(line) {
                Ok(action) => self.history.push(action),
                Err(reason) => {
                    let message = format!("observe `{line}`: {reason}");
                    return self.spoil(kind::BAD_ACTION, message);
                }
            }
            self.lines.push(line.clone());
        }
        self.predictor.observe(self.history.get(n_before..).unwrap_or_default());
    }

    /// Takes the whole history; one that does not go on from what is known begins anew.
    fn replace(&mut self, lines: &[String]) {
        if self.trouble.is_some() || !lines.starts_with(&self.lines) {
            self.restart();
        }
        self.extend(lines.get(self.lines.len()..).unwrap_or_default());
    }

    pub(super) fn withdrawn(&mut self) {
        self.predictor.withdrawn();
    }

    pub(super) fn refused(&mut self, lines: &[String]) {
        let actions: Result<Vec<Action>, _> = lines.iter().map(|line| Action::parse(line)).collect();
        match actions {
            Ok(actions) => self.predictor.refused(&actions),
            Err(reason) => self.spoil(kind::BAD_ACTION, format!("take a refusal: {reason}")),
        }
    }

    pub(super) fn predict(&mut self, question: &Predict<'_>) -> Answer {
        let id = question.id;
        if let Some(lines) = &question.history {
            self.replace(lines);
        }
        if let Some((kind, message)) = &self.trouble {
            return error(id, kind, message.clone());
        }
        if question.n_history != self.lines.len() as u64 {
            let (asked, known) = (question.n_history, self.lines.len());
            let message = format!("predict after {asked} actions: {known} are known");
            return error(id, kind::BAD_HISTORY, message);
        }
        let view = View {
            history: &self.history,
            current: &self.current,
            user_steps: question.user_steps,
            call_idx: question.call_idx,
        };
        let budget = Budget {
            actions_max: question.max_actions,
        };
        let mut proposals = Proposals::default();
        match self.predictor.predict(view, budget, &mut proposals) {
            Ok(usage) => prediction(id, &proposals, budget, usage),
            Err(failure) => Answer::Error(reported(id, failure)),
        }
    }
}

fn prediction(id: u64, proposals: &Proposals, budget: Budget, usage: Usage) -> Answer {
    let actions_max = budget.actions_max.map_or(ANSWER_ACTIONS_MAX, |max| max as usize);
    // Where they stood among the others is not known, and these alone are sure to be read.
    let rejected = proposals.rejected().iter().map(|rejected| &rejected.text);
    let rejected = rejected
        .filter(|text| Action::parse(text).is_err())
        .map(|text| ProposedLine {
            action: text.clone(),
            confidence: None,
        });
    let proposed = proposals
        .actions()
        .iter()
        .take(actions_max)
        .map(|proposal| ProposedLine {
            action: proposal.line.clone().unwrap_or_else(|| proposal.action.to_string()),
            confidence: proposal.confidence,
        });
    let actions: Vec<ProposedLine> = rejected.chain(proposed).take(ANSWER_ACTIONS_MAX).collect();
    let mut confidences = actions.iter().filter_map(|line| line.confidence);
    if let Some(confidence) = confidences.find(|confidence| !(0.0..=1.0).contains(confidence)) {
        return error(
            id,
            kind::BAD_CONFIDENCE,
            format!("give a confidence: {confidence} is not between 0 and 1"),
        );
    }
    let remarks = proposals.remarks().cloned().unwrap_or_default();
    Answer::Prediction(Prediction {
        id,
        actions,
        usage: (!usage.is_none()).then_some(Tokens {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
        }),
        raw: remarks.raw,
        intent: remarks.intent,
        truncated: remarks.truncated,
    })
}

fn reported(id: u64, failure: PredictError) -> ErrorAnswer {
    let error = ErrorAnswer {
        id,
        message: failure.to_string(),
        fatal: failure.is_fatal(),
        ..ErrorAnswer::default()
    };
    match failure {
        PredictError::Unanswered(call) => ErrorAnswer {
            kind: Some(word(&call.kind)).filter(|kind| is_kind(kind)),
            raw: call.raw,
            ..error
        },
        _ => error,
    }
}

/// The kind in letters that a kind may have.
fn word(kind: &str) -> String {
    let letter = |character: char| match character.to_ascii_lowercase() {
        letter @ ('a'..='z' | '0'..='9') => letter,
        _ => '_',
    };
    kind.chars().map(letter).take(KIND_CHARS_MAX).collect()
}
