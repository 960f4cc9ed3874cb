//! The loop between editor and judge (spec chapter 04, section 3.1).

use napsim_sim::state::Workbook;
use napsim_trajectories::Action;

use super::declared::Declared;
use super::difference::differences;
use super::log::{CallRole, LogEntry, Prompt};
use super::reply::{EditReply, ReplyError, Usage, Verdict};
use super::verify::verify;
use super::{EditRequest, Editor, Feedback, Judge, JudgeRequest, RefineError, RefineOptions};

/// The outcome of a refinement. Whatever happened, the actions have been replayed and lead to the target, apart from
/// what is declared.
#[derive(Clone, Debug)]
pub struct Refined {
    /// The accepted sequence or else the best one: the baseline or the candidate with the smallest penalty.
    pub actions: Vec<Action>,
    /// What these actions do otherwise than the target on purpose.
    pub declared: Declared,
    /// Whether the judge accepted them.
    pub success: bool,
    /// What the judge said of the baseline; none where it said nothing that can be read.
    pub verdict_before: Option<Verdict>,
    /// What the judge said of these actions; none where it said nothing that can be read.
    pub verdict: Option<Verdict>,
    /// Candidates tried; 0 when the baseline was accepted.
    pub iterations: u32,
    /// Tokens of all calls.
    pub usage: Usage,
    /// Why the refinement ended early, if it did.
    pub failure: Option<RefineError>,
    /// Every call in order.
    pub log: Vec<LogEntry>,
}

/// Refines a sequence that leads from an empty workbook to `target` until the judge accepts it or the bounds of
/// `options` are reached.
///
/// The baseline is judged first and returned as it is when accepted. Then the editor is asked for whole new sequences;
/// each is replayed and compared with the target in all properties before the judge sees it.
///
/// # Errors
/// [`RefineError::Baseline`] when the baseline itself fails or misses the target. Failing calls end the refinement with
/// the best sequence so far and are told in [`Refined::failure`].
pub fn refine(
    baseline: &[Action],
    target: &Workbook,
    options: &RefineOptions,
    editor: &mut dyn Editor,
    judge: &mut dyn Judge,
) -> Result<Refined, RefineError> {
    check_baseline(baseline, target)?;
    let mut refinement = Refinement {
        baseline,
        target,
        options,
        best: baseline.to_vec(),
        declared: Declared::default(),
        verdict: None,
        asked: None,
        feedback: Vec::new(),
        log: Vec::new(),
        usage: Usage::default(),
    };
    let (mut iterations, mut failure) = (0, None);
    let mut success = false;
    match refinement.judge(baseline, &Declared::default(), 0, judge) {
        Ok(accepted) => success = accepted,
        Err(error) => failure = Some(error),
    }
    let verdict_before = refinement.verdict.clone();
    while !success && failure.is_none() && iterations < options.iterations_max {
        iterations += 1;
        match refinement.iterate(iterations, editor, judge) {
            Ok(accepted) => success = accepted,
            Err(error) => failure = Some(error),
        }
    }
    Ok(Refined {
        actions: refinement.best,
        declared: refinement.declared,
        success,
        verdict_before,
        verdict: refinement.verdict,
        iterations,
        usage: refinement.usage,
        failure,
        log: refinement.log,
    })
}

fn check_baseline(baseline: &[Action], target: &Workbook) -> Result<(), RefineError> {
    let mut state = Workbook::default();
    let refused = |difference: String| RefineError::Baseline { difference };
    state
        .apply_strict(baseline)
        .map_err(|error| refused(error.to_string()))?;
    match differences(&state, target).first() {
        Some(difference) => Err(refused(difference.to_string())),
        None => Ok(()),
    }
}

/// A refinement on its way.
struct Refinement<'a> {
    baseline: &'a [Action],
    target: &'a Workbook,
    options: &'a RefineOptions,
    best: Vec<Action>,
    declared: Declared,
    /// What the judge said of the best.
    verdict: Option<Verdict>,
    /// What the present call asks, where that is to be noted.
    asked: Option<Prompt>,
    feedback: Vec<Feedback>,
    log: Vec<LogEntry>,
    usage: Usage,
}

impl Refinement<'_> {
    /// One candidate: edited until it holds, then judged. Tells whether it was accepted.
    fn iterate(&mut self, iteration: u32, editor: &mut dyn Editor, judge: &mut dyn Judge) -> Result<bool, RefineError> {
        for call in 1..=self.options.calls_per_iteration_max.max(1) {
            if let Some((candidate, declared)) = self.edit(iteration, call, editor)? {
                return self.judge(&candidate, &declared, iteration, judge);
            }
        }
        // Without a candidate the notes go on to the next iteration.
        Ok(false)
    }

    /// One call of the editor; none when its reply cannot be used, which is noted.
    fn edit(
        &mut self,
        iteration: u32,
        call: u32,
        editor: &mut dyn Editor,
    ) -> Result<Option<(Vec<Action>, Declared)>, RefineError> {
        let request = EditRequest {
            baseline: self.baseline,
            current: &self.best,
            feedback: &self.feedback,
            iteration,
            call,
        };
        self.asked = self.options.prompts.then(|| Prompt::of_edit(&request));
        let reply = match editor.edit(&request) {
            Ok(reply) => reply,
            Err(RefineError::Reply(error)) => {
                let note = Feedback::Malformed(malformed(&error));
                self.record(
                    CallRole::Editor,
                    (iteration, call),
                    &error.text,
                    note.kind(),
                    note.text(),
                    error.usage,
                );
                self.note(note);
                return Ok(None);
            }
            Err(error) => return Err(self.failed(CallRole::Editor, (iteration, call), error)),
        };
        let EditReply { usage, .. } = reply;
        let text = reply.to_json();
        match verify(&reply, self.target, self.options) {
            Ok(actions) => {
                self.record(CallRole::Editor, (iteration, call), &text, "candidate", "", usage);
                Ok(Some((actions, reply.declared)))
            }
            Err(note) => {
                self.record(
                    CallRole::Editor,
                    (iteration, call),
                    &text,
                    note.kind(),
                    note.text(),
                    usage,
                );
                self.note(note);
                Ok(None)
            }
        }
    }

    /// Has a verified sequence judged and keeps it when it is the best so far. Tells whether it was accepted.
    fn judge(
        &mut self,
        candidate: &[Action],
        declared: &Declared,
        iteration: u32,
        judge: &mut dyn Judge,
    ) -> Result<bool, RefineError> {
        let request = JudgeRequest {
            baseline: self.baseline,
            candidate,
            declared,
            iteration,
        };
        self.asked = self.options.prompts.then(|| Prompt::of_judgement(&request));
        let verdict = match judge.judge(&request) {
            Ok(verdict) => verdict,
            Err(RefineError::Reply(error)) => {
                // An unreadable verdict is no acceptance, and no opinion that the editor could use.
                let note = malformed(&error);
                self.record(
                    CallRole::Judge,
                    (iteration, 1),
                    &error.text,
                    "malformed",
                    &note,
                    error.usage,
                );
                return Ok(false);
            }
            Err(error) => return Err(self.failed(CallRole::Judge, (iteration, 1), error)),
        };
        let outcome = if verdict.accepted { "accepted" } else { "rejected" };
        let note = if verdict.accepted {
            String::new()
        } else {
            verdict.note()
        };
        self.record(
            CallRole::Judge,
            (iteration, 1),
            &verdict.to_json(),
            outcome,
            &note,
            verdict.usage,
        );
        if let Some(entry) = self.log.last_mut() {
            entry.penalty = Some(verdict.penalty);
        }
        let accepted = verdict.accepted;
        self.keep(candidate, declared, verdict);
        if !accepted {
            self.note(Feedback::Judge(note));
        }
        Ok(accepted)
    }

    fn keep(&mut self, candidate: &[Action], declared: &Declared, verdict: Verdict) {
        let penalty_max = self.verdict.as_ref().map(|verdict| verdict.penalty);
        if verdict.accepted || penalty_max.is_none_or(|penalty| verdict.penalty < penalty) {
            self.best = candidate.to_vec();
            self.declared = declared.clone();
            self.verdict = Some(verdict);
        }
    }

    fn note(&mut self, note: Feedback) {
        self.feedback.push(note);
        let n_old = self.feedback.len().saturating_sub(self.options.feedback_max);
        self.feedback.drain(..n_old);
    }

    fn failed(&mut self, role: CallRole, place: (u32, u32), error: RefineError) -> RefineError {
        self.record(role, place, "", "failed", &error.to_string(), Usage::default());
        error
    }

    fn record(
        &mut self,
        role: CallRole,
        (iteration, call): (u32, u32),
        reply: &str,
        outcome: &str,
        note: &str,
        usage: Usage,
    ) {
        self.usage += usage;
        self.log.push(LogEntry {
            trajectory: None,
            role,
            iteration,
            call,
            prompt: self.asked.take(),
            reply: reply.to_owned(),
            penalty: None,
            outcome: outcome.to_owned(),
            note: note.to_owned(),
            usage,
        });
    }
}

fn malformed(error: &ReplyError) -> String {
    format!(
        "The reply did not have the form agreed on:\n- {}",
        error.problems.join("\n- ")
    )
}
