//! What is proposed: that it is actions, and not too many.

use napsim_sim::predictor::Proposal;
use napsim_trajectories::Action;

use super::Found;
use crate::answer::{Answer, Failure};
use crate::bench::Bench;
use crate::conversation::Conversation;
use crate::shown::{counted, grouped, shown};

/// Examples of one fault that are shown.
const EXAMPLES: usize = 3;

/// The most actions that an answer may have where their number is left to the predictor.
const ACTIONS_MAX: usize = 10_000;

/// Proposals are actions that survive being printed, with sound confidences.
pub(super) fn readable(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let recorded = &bench.histories.first().actions;
    let recorded = recorded.get(..40).unwrap_or(recorded);
    let begun = |name| Conversation::new(name, bench.suite.seed);
    let conversations = [
        begun("proposals").asked_every(5, recorded),
        begun("proposals-generated").asked_every(5, &bench.histories.generated(40)),
    ];
    let mut subject = bench.subject();
    let mut seen = Seen::default();
    for conversation in &conversations {
        for (idx, answer) in bench.hold(&mut subject, conversation)?.iter().enumerate() {
            seen.add(answer, || end_of(conversation, idx));
        }
    }
    bench.keep(subject);
    seen.conclude()
}

/// The last action told before a question, to find the place again.
fn end_of(conversation: &Conversation, question: usize) -> String {
    let lines = conversation.reproduction(conversation.step_of_question(question));
    lines.last().map_or_else(String::new, |line| line.trim().to_owned())
}

/// What was seen of the answers.
#[derive(Default)]
struct Seen {
    n_answers: usize,
    n_proposals: usize,
    n_rejected: usize,
    rejected: Vec<String>,
    wrong_confidences: Vec<String>,
    unstable: Vec<String>,
}

impl Seen {
    fn add(&mut self, answer: &Answer, place: impl Fn() -> String) {
        let proposals = &answer.proposals;
        self.n_answers += 1;
        self.n_proposals += proposals.actions().len();
        self.n_rejected += proposals.rejected().len();
        for rejected in proposals.rejected() {
            example(&mut self.rejected, || {
                let (text, reason) = (shown(&rejected.text), shown(&rejected.reason));
                format!("`{text}`: {reason}, after `{}`", place())
            });
        }
        for proposal in proposals.actions().iter().take(ACTIONS_MAX) {
            self.add_proposal(proposal, &place);
        }
    }

    fn add_proposal(&mut self, proposal: &Proposal, place: &impl Fn() -> String) {
        let text = proposal.action.to_string();
        if let Some(confidence) = proposal.confidence.filter(|given| !(0.0..=1.0).contains(given)) {
            example(&mut self.wrong_confidences, || {
                format!("{confidence} for `{}`, after `{}`", shown(&text), place())
            });
        }
        let reread = Action::parse(&text);
        if !reread.as_ref().is_ok_and(|reread| reread.to_string() == text) {
            example(&mut self.unstable, || {
                let became = reread.map_or_else(|error| error.to_string(), |reread| reread.to_string());
                format!("`{}`: {}, after `{}`", shown(&text), shown(&became), place())
            });
        }
    }

    fn conclude(self) -> Result<Found, Failure> {
        let n_answers = counted(self.n_answers, "answer");
        let n_texts = self.n_rejected + self.n_proposals;
        let mut failures = Vec::new();
        if self.n_rejected > 0 && self.n_proposals == 0 {
            failures.push(list("none of its proposals is an action, such as", &self.rejected));
        }
        if !self.wrong_confidences.is_empty() {
            let what = "expected: confidences from 0 to 1 or none at all\ncame";
            failures.push(list(what, &self.wrong_confidences));
        }
        if !self.unstable.is_empty() {
            let what =
                "expected: actions that are the same when their text is read again, since records keep texts\ncame";
            failures.push(list(what, &self.unstable));
        }
        if !failures.is_empty() {
            return Err(Failure(failures.join("\n")));
        }
        let found = Found::well(format!("{} in {n_answers}", counted(self.n_proposals, "proposal")));
        Ok(if self.n_rejected > 0 {
            let share = format!("{} of {n_texts} proposals are no actions", self.n_rejected);
            found.warn(list(&share, &self.rejected))
        } else if self.n_proposals == 0 {
            found.warn(format!(
                "not one proposal in {n_answers}, so there was nothing to look at"
            ))
        } else {
            found
        })
    }
}

/// Keeps the first few examples of a fault.
fn example(examples: &mut Vec<String>, text: impl FnOnce() -> String) {
    if examples.len() < EXAMPLES {
        examples.push(text());
    }
}

fn list(what: &str, examples: &[String]) -> String {
    let mut text = format!("{what}:");
    for example in examples {
        text.push_str("\n  ");
        text.push_str(example);
    }
    text
}

/// No more than was asked for.
///
/// What is over would be cut off, so no figure would be wrong by it. It is a failure all the same: a predictor that
/// plans more than it may say gives the beginning of another plan, and pays for what nobody sees.
pub(super) fn budget(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let actions = &bench.histories.second().actions;
    // Plans grow with what is known, so it is asked after few actions and after many.
    let actions = actions.get(..150).unwrap_or(actions);
    let pieces = actions.chunks(actions.len().div_ceil(5).max(1));
    let conversation = pieces.fold(Conversation::new("budget", bench.suite.seed), |told, piece| {
        told.tell(piece).ask(Some(1)).ask(Some(3)).ask(None)
    });
    let mut subject = bench.subject();
    let answers = bench.hold(&mut subject, &conversation)?;
    bench.keep(subject);
    let mut most = [0; 3];
    for (idx, answer) in answers.iter().enumerate() {
        let n_actions = answer.proposals.actions().len();
        let (kind, actions_max) = [1, 3, ACTIONS_MAX]
            .into_iter()
            .enumerate()
            .nth(idx % 3)
            .unwrap_or_default();
        if n_actions > actions_max {
            return Err(over_budget(&conversation, idx, n_actions, actions_max));
        }
        if let Some(most) = most.get_mut(kind) {
            *most = n_actions.max(*most);
        }
    }
    let [one, three, any] = most;
    Ok(Found::well(format!(
        "at most {one} of 1, {three} of 3, {any} where it may choose"
    )))
}

fn over_budget(conversation: &Conversation, question: usize, n_actions: usize, actions_max: usize) -> Failure {
    let mut text = format!(
        "expected: at most {}\ncame: {}\nwhat is over is cut off, and is not what it would have said had it kept to it\nto reproduce:",
        counted(actions_max, "action"),
        grouped(n_actions)
    );
    for line in conversation.reproduction(conversation.step_of_question(question)) {
        text.push_str("\n  ");
        text.push_str(&line);
    }
    Failure(text)
}
