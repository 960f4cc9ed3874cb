//! How refinements went.

use napsim_corpora::refine::{Declared, Refined, Usage, Verdict};
use napsim_trajectories::{Action, Trajectory};
use serde::Serialize;

use super::Player;
use crate::console::counted;

/// Everything that is printed as JSON.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    schema: &'static str,
    /// `rules` or `log`.
    editor: &'static str,
    judge: &'static str,
    pub(super) trajectories: Vec<Row>,
}

/// How the refinement of one trajectory went.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    name: String,
    before: Judged,
    after: Judged,
    /// Rewritten sequences that were asked for; 0 where the first one was accepted.
    iterations: u32,
    /// Calls of editor and judge together.
    n_calls: usize,
    usage: Usage,
    /// What the sequence does otherwise than before on purpose.
    declared: Declared,
    /// Why it ended early, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// Canonical texts.
    actions: Vec<String>,
}

/// A sequence with what the judge says of it.
#[derive(Debug, Serialize)]
struct Judged {
    /// `accepted`, `rejected`, or `unknown` where the judge said nothing that can be read.
    verdict: &'static str,
    n_actions: usize,
    penalty: Option<u32>,
    reasons: Vec<String>,
}

impl Answer {
    pub(super) fn new(editor: &Player, judge: &Player) -> Self {
        Self {
            schema: "napsim-refinement/1",
            editor: editor.kind(),
            judge: judge.kind(),
            trajectories: Vec::new(),
        }
    }

    /// Whether no refinement ended early.
    pub(super) fn is_whole(&self) -> bool {
        self.trajectories.iter().all(|row| row.failure.is_none())
    }
}

impl Row {
    pub(super) fn new(trajectory: &Trajectory, refined: &Refined) -> Self {
        Self {
            name: trajectory.name.clone(),
            before: Judged::new(refined.verdict_before.as_ref(), &trajectory.actions),
            after: Judged::new(refined.verdict.as_ref(), &refined.actions),
            iterations: refined.iterations,
            n_calls: refined.log.len(),
            usage: refined.usage,
            declared: refined.declared.clone(),
            failure: refined.failure.as_ref().map(|error| format!("failed to {error}")),
            actions: refined.actions.iter().map(ToString::to_string).collect(),
        }
    }

    /// A line on how it went, and one for everything that is left to say.
    pub(super) fn text(&self) -> String {
        let Self {
            name, before, after, ..
        } = self;
        let mut text = if self.iterations == 0 {
            let n_actions = counted(before.n_actions, "action", "actions");
            format!("{name}: {} as it is; {n_actions}\n", before.verdict)
        } else {
            let n_iterations = usize::try_from(self.iterations).unwrap_or(usize::MAX);
            format!(
                "{name}: {} before, {} after {}; {} before, {} after\n",
                before.verdict,
                after.verdict,
                counted(n_iterations, "iteration", "iterations"),
                counted(before.n_actions, "action", "actions"),
                after.n_actions
            )
        };
        for reason in &after.reasons {
            text.push_str(&format!("  {reason}\n"));
        }
        for ignore in &self.declared.ignore {
            text.push_str(&format!(
                "  declared: without {} on {}\n",
                ignore.operation,
                ignore.ranges.join(", ")
            ));
        }
        for correction in &self.declared.corrections {
            text.push_str(&format!(
                "  declared: {} {} corrected from {} to {}: {}\n",
                correction.cell, correction.property, correction.from, correction.to, correction.reason
            ));
        }
        if let Some(failure) = &self.failure {
            text.push_str(&format!("  ended early: {failure}\n"));
        }
        text
    }
}

impl Judged {
    fn new(verdict: Option<&Verdict>, actions: &[Action]) -> Self {
        Self {
            verdict: match verdict {
                None => "unknown",
                Some(verdict) if verdict.accepted => "accepted",
                Some(_) => "rejected",
            },
            n_actions: actions.len(),
            penalty: verdict.map(|verdict| verdict.penalty),
            reasons: verdict.map(|verdict| verdict.reasons.clone()).unwrap_or_default(),
        }
    }
}
