//! A judge and an editor made of rules, so that refinement works without a model (spec chapter 04, sections 3.3 and 3.9).

mod border;
mod content;
mod delay;
mod format;
mod references;
mod view;

use napsim_trajectories::Action;

use super::mechanical;
use super::reply::{EditReply, Usage, Verdict};
use super::{EditRequest, Editor, Judge, JudgeRequest, RefineError};
use view::View;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A matter of taste: told, never a reason to reject.
    Hint,
    /// Few people work this way: too many of them are a reason to reject.
    Warning,
    /// Nobody works this way: one is a reason to reject.
    Error,
}

impl Severity {
    /// What one finding adds to the penalty.
    pub fn weight(self) -> u32 {
        match self {
            Self::Hint => 1,
            Self::Warning => 5,
            Self::Error => 25,
        }
    }
}

/// Something odd in a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Name of the rule, such as `idle`.
    pub rule: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// Index of the action that it is about; none where it is about the finished sheet.
    pub action_idx: Option<usize>,
    /// What is odd.
    pub reason: String,
    /// What should be done, where that can be said.
    pub edit: Option<String>,
}

/// A judge that looks for what people rarely do.
///
/// | rule | severity | finds |
/// |---|---|---|
/// | `idle` | warning | an action that changes nothing |
/// | `scattered` | warning | equal formats close to each other whose ranges make up a rectangle |
/// | `four-sides` | warning | four sides of a range drawn alike, one by one |
/// | `three-sides` | hint | three of four sides drawn alike, one by one |
/// | `formula-first` | warning | a formula typed while everything it refers to is still blank, and filled later |
/// | `mixed-array` | warning | a block of more than 64 cells typed at once that mixes formulas with other content |
/// | `fill-missed` | warning | four or more formulas typed one after the other that a fill would have made |
/// | `huge-format-early` | warning, error from 1024 cells on | a format on 64 cells or more that are all blank and get content only later |
/// | `outside-content` | hint | a format that touches nothing within one cell of any content |
/// | `default-noise` | hint | a format that only spells out the default, such as a white fill |
/// | `wrap-before-merge` | hint | wrapping a range that is merged only afterwards |
/// | `merge-far` | hint | a merge after more than 60 other actions that type |
/// | `dark-on-dark` | warning | content in the finished sheet with a dark fill and a dark font |
/// | `paste-missed` | hint | four or more formats repeated one by one at a constant distance |
///
/// A sequence is accepted without errors and with at most one warning for every 40 actions, but always with one:
/// people differ, and only clear oddities count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleJudge;

impl RuleJudge {
    /// Everything odd in a sequence, by rule and then by place.
    ///
    /// A sequence that cannot be carried out is judged as far as it goes.
    pub fn findings(actions: &[Action]) -> Vec<Finding> {
        let view = View::of(actions);
        let rules: [fn(&View<'_>) -> Vec<Finding>; 14] = [
            format::idle,
            format::scattered,
            border::four_sides,
            border::three_sides,
            content::formula_first,
            content::mixed_array,
            content::fill_missed,
            format::huge_format_early,
            format::outside_content,
            format::default_noise,
            format::wrap_before_merge,
            format::merge_far,
            format::dark_on_dark,
            format::paste_missed,
        ];
        rules.iter().flat_map(|rule| rule(&view)).collect()
    }

    /// Whether a sequence of so many actions is accepted in spite of what was found.
    pub fn accepts(findings: &[Finding], n_actions: usize) -> bool {
        let n_of = |severity: Severity| findings.iter().filter(|finding| finding.severity == severity).count();
        let warnings_max = (n_actions / 40).max(1);
        n_of(Severity::Error) == 0 && n_of(Severity::Warning) <= warnings_max
    }
}

impl Judge for RuleJudge {
    fn judge(&mut self, request: &JudgeRequest<'_>) -> Result<Verdict, RefineError> {
        let findings = Self::findings(request.candidate);
        let reason = |finding: &Finding| match finding.action_idx {
            Some(action_idx) => format!("{}: action {}: {}", finding.rule, action_idx + 1, finding.reason),
            None => format!("{}: {}", finding.rule, finding.reason),
        };
        Ok(Verdict {
            accepted: Self::accepts(&findings, request.candidate.len()),
            reasons: findings.iter().map(reason).collect(),
            edits: findings.iter().filter_map(|finding| finding.edit.clone()).collect(),
            penalty: findings.iter().map(|finding| finding.severity.weight()).sum(),
            usage: Usage::default(),
        })
    }
}

/// An editor that makes the edits which need no judgement: it drops actions that change nothing, joins equal formats of
/// adjacent ranges, draws four alike sides as one border and moves large formats behind the content of their ranges.
///
/// Each edit leaves the finished sheet as it is. A second call has nothing left to do and gives the same sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleEditor;

impl Editor for RuleEditor {
    fn edit(&mut self, request: &EditRequest<'_>) -> Result<EditReply, RefineError> {
        let tidy = mechanical::tidy(request.current, &[delay::delay_huge_formats]);
        let n_saved = request.current.len() - tidy.len();
        Ok(EditReply {
            operations: tidy.iter().map(ToString::to_string).collect(),
            rationale: format!(
                "{n_saved} actions fewer: idle ones dropped, equal ones joined, large formats put later"
            ),
            ..EditReply::default()
        })
    }
}

#[cfg(test)]
mod tests;
