//! A trace as text for a terminal.

use napsim_reports::printable::printable;
use napsim_reports::record::UnitRecord;
use napsim_reports::table::percent;
use napsim_sim::policy::Check;
use unicode_width::UnicodeWidthChar;

use super::{NoSuchStep, Trace, TraceCall, TraceProposal};
use crate::progress::Answer;

/// The whole course of a record, or one step of it, in lines of at most `width` columns.
///
/// # Errors
/// [`NoSuchStep`] where the user did not carry out so many actions.
pub fn text(record: &UnitRecord, step: Option<u32>, width: u16) -> Result<String, NoSuchStep> {
    let trace = Trace::of(record, step)?;
    let mut lines = Lines {
        text: String::new(),
        width: usize::from(width).max(40),
    };
    let heading = format!(
        "{} · {} · {} · {} actions, {} by the user",
        trace.name, trace.predictor, trace.policy, trace.actions, trace.user_steps
    );
    lines.add(0, "", &heading);
    for step in &trace.steps {
        lines.blank();
        let label = format!("step {}  ", step.user_step);
        lines.add(0, &label, step.action);
        lines.add(2, "", &format!("left to do {}", step.left));
        for call in &step.calls {
            lines.call(call);
        }
    }
    if step.is_none() {
        let summary = &record.summary;
        lines.blank();
        let end = format!(
            "{}: {} of {} predictions accepted, UAS {}, {} left undone",
            summary.outcome.name(),
            summary.accepted,
            summary.predictions,
            percent(summary.uas),
            summary.remaining.len()
        );
        lines.add(0, "", &end);
        if let Some(error) = &summary.error {
            lines.add(0, "error  ", error);
        }
    }
    Ok(lines.text)
}

/// Lines in the making.
struct Lines {
    text: String,
    width: usize,
}

impl Lines {
    fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A label and a text of anybody's making, which goes on under itself where it is too long for a line.
    fn add(&mut self, indent: usize, label: &str, text: &str) {
        let hang = indent + label.chars().count();
        self.text.push_str(&" ".repeat(indent));
        self.text.push_str(label);
        let mut column = hang;
        for c in printable(text, false).chars() {
            let wide = c.width().unwrap_or(0);
            if column + wide > self.width && column > hang {
                self.text.push('\n');
                self.text.push_str(&" ".repeat(hang));
                column = hang;
            }
            self.text.push(c);
            column += wide;
        }
        let trimmed = self.text.trim_end_matches(' ').len();
        self.text.truncate(trimmed);
        self.text.push('\n');
    }

    fn call(&mut self, call: &TraceCall<'_>) {
        match &call.proposal {
            Some(proposal) => self.proposal(call.answer, proposal),
            None => self.add(2, "", call.answer.label()),
        }
        if let Some(message) = call.message {
            self.add(4, "because  ", message);
        }
        for invalid in call.invalid {
            self.add(4, "not an action  ", &invalid.text);
            self.add(6, "", &invalid.reason);
        }
    }

    fn proposal(&mut self, answer: Answer, proposal: &TraceProposal<'_>) {
        let confidence = proposal
            .confidence
            .map_or_else(String::new, |confidence| format!(", confidence {confidence:.2}"));
        let heading = format!("proposal {}{confidence}: {}", proposal.prediction_idx, answer.label());
        self.add(2, "", &heading);
        for action in &proposal.actions {
            self.add(4, &format!("{:<9} ", action.kind.name()), action.action);
        }
        for check in proposal.checks {
            self.check(check);
        }
        let metrics = &proposal.metrics;
        let properties = format!(
            "precision {}: right {}, not wanted {}, other value {}",
            percent(Some(metrics.precision)),
            metrics.tp,
            metrics.fp,
            metrics.mm
        );
        self.add(4, "", &properties);
        let if_taken = answer != Answer::Accepted;
        self.list(if if_taken { "would remove" } else { "removed" }, proposal.removed);
        self.list(if if_taken { "would undo" } else { "to undo" }, proposal.undo);
        let after = proposal
            .left_after
            .map_or_else(|| "cannot be told".to_owned(), |after| after.to_string());
        let label = if if_taken {
            "left to do, if accepted"
        } else {
            "left to do"
        };
        self.add(4, "", &format!("{label} {} → {after}", proposal.left_before));
    }

    fn check(&mut self, check: &Check) {
        let verdict = if check.passed { "yes" } else { "no" };
        let text = format!(
            "{} {} {}? {verdict}, it is {}",
            check.metric.name(),
            check.comparison.sign(),
            check.bound,
            check.value
        );
        self.add(4, "", &text);
    }

    fn list(&mut self, label: &str, actions: &[String]) {
        if actions.is_empty() {
            return;
        }
        self.add(4, "", &format!("{label} {}:", actions.len()));
        for action in actions {
            self.add(6, "", action);
        }
    }
}
