//! The predictor that asks several others and offers the answer that is most likely right.

mod share;

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Remarks, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use share::Share;

/// Asks its members and proposes the answer with the highest confidence.
///
/// - A member that gives no confidence has one learnt while running: the share of its shown answers that was taken.
/// - Members that propose the same first action are evidence for each other: of confidences p and q comes
///   1 − (1 − p)(1 − q), as if they were right independently.
/// - What the user refused as a single action is not offered again in the trajectory, whoever proposes it; the next best
///   answer is.
/// - Where a member fails the call fails, and says whose failure it was.
///
/// Members whose answer was not shown are told so ([`Predictor::withdrawn`]), and of a single action that was refused all
/// learn that had not proposed it ([`Predictor::refused`]).
pub struct BestOf {
    members: Vec<Member>,
    confidence: f64,
    /// The answer shown last, until it is known what became of it.
    shown: Vec<Action>,
    /// Single actions that were refused.
    refused: Vec<Action>,
}

/// One of the predictors asked.
struct Member {
    name: String,
    predictor: Box<dyn Predictor>,
    share: Share,
    answer: Proposals,
    /// Whether its answer begins with the same action as the one shown.
    agrees: bool,
    /// Whether its answer is the one shown.
    is_shown: bool,
}

/// An answer that may be shown.
#[derive(Clone, Copy)]
struct Choice {
    member_idx: usize,
    /// That of all members who propose its first action.
    combined: f64,
}

impl BestOf {
    /// Asks these predictors, each with the name that errors call it by, and proposes nothing below a confidence (0 to 1).
    pub fn new(members: Vec<(String, Box<dyn Predictor>)>, confidence: f64) -> Self {
        let member = |(name, predictor)| Member {
            name,
            predictor,
            share: Share::default(),
            answer: Proposals::default(),
            agrees: false,
            is_shown: false,
        };
        Self {
            members: members.into_iter().map(member).collect(),
            confidence,
            shown: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Learns from what became history whether the answer shown last was taken.
    fn settle(&mut self, observed: &[Action]) {
        if observed.is_empty() || self.shown.is_empty() {
            return;
        }
        let shown = std::mem::take(&mut self.shown);
        // What is taken comes at once and before anything else.
        let taken = observed.starts_with(&shown);
        for member in self.members.iter_mut().filter(|member| member.agrees) {
            member.share.count(taken);
        }
        // Of several actions refused together nobody knows which one was wrong.
        if taken || shown.len() > 1 {
            return;
        }
        // Those whose own answer it was see it for themselves.
        for member in self.members.iter_mut().filter(|member| !member.is_shown) {
            member.predictor.refused(&shown);
        }
        self.refused.extend(shown);
    }

    /// Asks every member. A failure is reported after the answers before it are taken back.
    fn ask(&mut self, view: View<'_>, budget: Budget) -> Result<Usage, PredictError> {
        let actions_max = budget.actions_max.and_then(|n| usize::try_from(n).ok());
        let mut usage = Usage::default();
        for idx in 0..self.members.len() {
            let Some(member) = self.members.get_mut(idx) else { break };
            member.answer.clear();
            (member.agrees, member.is_shown) = (false, false);
            match member.predictor.predict(view, budget, &mut member.answer) {
                Ok(own) => {
                    usage.input_tokens = usage.input_tokens.saturating_add(own.input_tokens);
                    usage.output_tokens = usage.output_tokens.saturating_add(own.output_tokens);
                    member.answer.truncate(actions_max.unwrap_or(usize::MAX));
                }
                Err(error) => {
                    let error = named(&member.name, error);
                    for member in self.members.iter_mut().take(idx) {
                        member.predictor.withdrawn();
                    }
                    return Err(error);
                }
            }
        }
        Ok(usage)
    }

    /// The answer with the highest confidence; of equals that of the member named first.
    fn choose(&self) -> Option<Choice> {
        let mut best: Option<(Choice, f64)> = None;
        for (member_idx, member) in self.members.iter().enumerate() {
            let Some((first, own)) = member.offer(&self.refused) else {
                continue;
            };
            let doubt: f64 = self
                .members
                .iter()
                .filter_map(|other| other.offer(&self.refused))
                .filter(|(other, _)| *other == first)
                .map(|(_, confidence)| 1.0 - confidence)
                .product();
            let combined = 1.0 - doubt;
            // Of those who agree on the first action the surest one goes on.
            let is_better = best.is_none_or(|(choice, best_own)| {
                combined
                    .total_cmp(&choice.combined)
                    .then(own.total_cmp(&best_own))
                    .is_gt()
            });
            if is_better {
                best = Some((Choice { member_idx, combined }, own));
            }
        }
        best.map(|(choice, _)| choice)
            .filter(|choice| choice.combined >= self.confidence)
    }

    /// Puts an answer where it is shown, and remembers whose it was.
    fn show(&mut self, choice: Choice, out: &mut Proposals) {
        let Some(winner) = self.members.get(choice.member_idx) else {
            return;
        };
        let share = winner.share.taken();
        for (idx, proposal) in winner.answer.actions().iter().enumerate() {
            let confidence = match idx {
                0 => choice.combined,
                _ => proposal.confidence.unwrap_or(share),
            };
            match &proposal.line {
                // It was read once, so it is read again.
                Some(line) => {
                    let _ = out.push_text(line, Some(confidence));
                }
                None => out.push(proposal.action.clone(), Some(confidence)),
            }
            self.shown.push(proposal.action.clone());
        }
        for member in &mut self.members {
            let mut answer = member.answer.actions().iter().map(|proposal| &proposal.action);
            member.agrees = answer.clone().next() == self.shown.first();
            member.is_shown = answer.by_ref().eq(self.shown.iter());
        }
    }
}

impl BestOf {
    /// Tells what was lost of all answers and said about them, whoever's is shown.
    fn tell(&self, out: &mut Proposals) {
        let mut together = Remarks::default();
        for member in &self.members {
            for rejected in member.answer.rejected() {
                out.reject(rejected.text.clone(), rejected.reason.clone());
            }
            let Some(remarks) = member.answer.remarks() else {
                continue;
            };
            together.dropped.extend(remarks.dropped.iter().cloned());
            together.truncated |= remarks.truncated;
            together.restarts.extend(remarks.restarts.iter().cloned());
            if member.is_shown || together.source.is_none() {
                together.intent.clone_from(&remarks.intent);
                together.raw.clone_from(&remarks.raw);
                together.source.clone_from(&remarks.source);
            }
        }
        out.remark(together);
    }
}

impl Member {
    /// The first action of its answer with its confidence in it; none where there is no answer, or a refused one.
    fn offer(&self, refused: &[Action]) -> Option<(&Action, f64)> {
        let actions = self.answer.actions();
        let first = actions.first()?;
        if actions.len() == 1 && refused.contains(&first.action) {
            return None;
        }
        let confidence = first.confidence.unwrap_or_else(|| self.share.taken());
        Some((&first.action, confidence.clamp(0.0, 1.0)))
    }
}

/// A member's failure under its name.
fn named(name: &str, error: PredictError) -> PredictError {
    match error {
        PredictError::Fatal(message) => PredictError::Fatal(format!("{name}: {message}")),
        PredictError::Unanswered(mut call) => {
            call.message = format!("{name}: {}", call.message);
            PredictError::Unanswered(call)
        }
        error => PredictError::Call(format!("{name}: {error}")),
    }
}

impl Predictor for BestOf {
    fn fingerprint(&self) -> Fingerprint {
        let members: Vec<String> = self
            .members
            .iter()
            .map(|member| member.predictor.fingerprint().0)
            .collect();
        let (version, members) = (env!("CARGO_PKG_VERSION"), members.join(","));
        Fingerprint(format!("best-of/{version}({members})?confidence={}", self.confidence))
    }

    fn begin(&mut self, head: TrajectoryHead<'_>, seed: Seed) {
        self.shown.clear();
        self.refused.clear();
        for member in &mut self.members {
            member.share = Share::default();
            member.answer.clear();
            (member.agrees, member.is_shown) = (false, false);
            member.predictor.begin(head, seed);
        }
    }

    fn observe(&mut self, actions: &[Action]) {
        self.settle(actions);
        for member in &mut self.members {
            member.predictor.observe(actions);
        }
    }

    fn predict(&mut self, view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        self.shown.clear();
        let usage = self.ask(view, budget)?;
        if let Some(choice) = self.choose() {
            self.show(choice, out);
        }
        self.tell(out);
        for member in self.members.iter_mut().filter(|member| !member.is_shown) {
            member.predictor.withdrawn();
        }
        Ok(usage)
    }

    /// Whoever asks several predictors, this one among them, preferred another one's answer.
    fn withdrawn(&mut self) {
        self.shown.clear();
        for member in self.members.iter_mut().filter(|member| member.is_shown) {
            member.predictor.withdrawn();
        }
    }

    fn refused(&mut self, actions: &[Action]) {
        for member in &mut self.members {
            member.predictor.refused(actions);
        }
        if let [action] = actions {
            self.refused.push(action.clone());
        }
    }
}

#[cfg(test)]
mod tests;
