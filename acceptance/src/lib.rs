//! Acceptance policies: when the simulated user takes a proposal.
//!
//! A policy is a rule over the metrics of [`napsim_sim::policy::Metric`] (spec 02, section 13). It is written as
//! a name (`greedy`, `hybrid-1`, … all in [`NamedPolicy::ALL`]), as the reference's code name where that does not
//! mislead, or as an expression such as `precision >= 0.9 and saved >= 1` (see [`Expression`]).
//! [`parse_policy`] reads all three.
//!
//! Numbers are compared as plain doubles, without any tolerance: `0.9 >= 0.9` holds, and 0.8999999 is below 0.9.
//! The reference accepts when one of several rules does; here that is one expression with `or`.
//!
//! Everything in the crate is pure and total: a verdict depends on the metrics alone and always exists.

mod bound;
mod expression;
mod named;
mod nearest;

use std::fmt;
use std::str::FromStr;

use napsim_sim::policy::{AcceptancePolicy, Evidence, Metric, Verdict};

pub use crate::bound::Bound;
pub use crate::expression::error::{ExpressionError, Problem};
pub use crate::expression::{DEPTH_MAX, Expression};
pub use crate::named::NamedPolicy;

/// Reads a policy from its name, an alias of it or an expression; upper and lower case are the same.
///
/// ```
/// use napsim_acceptance::parse_policy;
///
/// assert_eq!(parse_policy("steps_saved")?.to_string(), "greedy");
/// assert_eq!(parse_policy("90% <= precision and saved>=1")?.to_string(), "precision >= 0.9 and saved >= 1");
/// # Ok::<(), napsim_acceptance::PolicyError>(())
/// ```
pub fn parse_policy(text: &str) -> Result<Policy, PolicyError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(PolicyError::Empty);
    }
    if let Some(named) = NamedPolicy::from_name(text) {
        return Ok(Policy::from(named));
    }
    if looks_like_name(text) {
        return Err(PolicyError::UnknownName {
            name: text.to_owned(),
            nearest: nearest::nearest(text, NamedPolicy::spellings()),
        });
    }
    Ok(Policy::from(text.parse::<Expression>()?))
}

/// Whether text that is no policy's name was meant as one, rather than as the start of an expression.
fn looks_like_name(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(expression::is_word_character)
        && !matches!(lower.as_str(), "and" | "or" | "not")
        && Metric::from_name(&lower).is_none()
}

/// A rule for when the simulated user takes a proposal, with the id under which it is recorded.
///
/// The id of a named policy is its name, also when it was asked for by an alias; the id of an expression is its
/// canonical text. Either reads back as the same policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    id: String,
    rule: Rule,
}

#[derive(Clone, Debug, PartialEq)]
enum Rule {
    Named(&'static NamedPolicy),
    Expression(Expression),
}

impl Policy {
    /// The entry in the table of named policies, if the policy has a name.
    pub fn named(&self) -> Option<&'static NamedPolicy> {
        match self.rule {
            Rule::Named(named) => Some(named),
            Rule::Expression(_) => None,
        }
    }

    /// The rule in the language of expressions, or `no bounds`.
    pub fn rule(&self) -> String {
        match &self.rule {
            Rule::Named(named) => named.rule(),
            Rule::Expression(expression) => expression.to_string(),
        }
    }

    /// The verdict where `metric` gives the value of each metric.
    ///
    /// There is one check for every bound, in the order written, also where earlier ones settle the matter.
    /// A check under `not` says whether the bound itself holds.
    pub fn decide_with(&self, metric: impl Fn(Metric) -> f64) -> Verdict {
        match &self.rule {
            Rule::Named(named) => named.decide_with(metric),
            Rule::Expression(expression) => expression.decide_with(metric),
        }
    }
}

impl AcceptancePolicy for Policy {
    fn id(&self) -> &str {
        &self.id
    }

    fn decide(&self, evidence: &Evidence) -> Verdict {
        self.decide_with(|metric| evidence.metric(metric))
    }
}

impl From<&'static NamedPolicy> for Policy {
    fn from(named: &'static NamedPolicy) -> Self {
        Self {
            id: named.name.to_owned(),
            rule: Rule::Named(named),
        }
    }
}

impl From<Expression> for Policy {
    fn from(expression: Expression) -> Self {
        Self {
            id: expression.to_string(),
            rule: Rule::Expression(expression),
        }
    }
}

impl FromStr for Policy {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_policy(text)
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)
    }
}

/// Why a text is no policy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// There is nothing but white space.
    #[error("the policy is empty; give one of {}, or an expression such as `{EXAMPLE}`", names())]
    Empty,
    /// The text is one word and no policy has that name.
    #[error(
        "unknown policy `{name}`{}; give one of {}, or an expression such as `{EXAMPLE}`",
        nearest::hint(*nearest),
        names()
    )]
    UnknownName {
        /// The word.
        name: String,
        /// The name or alias that is spelled most like it.
        nearest: Option<&'static str>,
    },
    /// The text is an expression with a mistake.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
}

const EXAMPLE: &str = "precision >= 0.9 and saved >= 1";

fn names() -> String {
    let names: Vec<_> = NamedPolicy::ALL.iter().map(|named| named.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        parse_policy(text).unwrap_err().to_string()
    }

    #[test]
    fn names_and_aliases_of_any_case_keep_the_paper_name_as_id() {
        for (text, id) in [
            ("greedy", "greedy"),
            ("GREEDY-2", "greedy-2"),
            (" ideal_user ", "hybrid-1"),
            ("ideal_user_hard_2", "hybrid-2"),
        ] {
            let policy = parse_policy(text).unwrap();
            assert_eq!(policy.id(), id);
            assert_eq!(policy.named().map(|named| named.name), Some(id));
        }
    }

    #[test]
    fn an_unknown_name_gives_the_nearest_and_the_list() {
        let text = message("gredy");
        assert!(text.starts_with("unknown policy `gredy` (did you mean `greedy`?); give one of greedy, greedy-2,"));
        assert!(text.contains("non-negative"));
        let far = message("something-else");
        assert!(!far.contains("did you mean"), "{far}");
        assert!(message("  ").starts_with("the policy is empty; give one of greedy,"));
    }

    #[test]
    fn a_lone_metric_is_an_unfinished_expression() {
        assert!(message("Precision").starts_with("expected a comparison such as `>=`, found the end"));
    }

    #[test]
    fn decide_reads_the_evidence() {
        let policy = parse_policy("saved >= 1 or confidence > 0.5").unwrap();
        let verdict = policy.decide(&Evidence {
            saved: 2,
            confidence: Some(0.25),
            ..Evidence::default()
        });
        assert!(verdict.accepted);
        let values: Vec<_> = verdict.checks.iter().map(|check| (check.value, check.passed)).collect();
        assert_eq!(values, [(2.0, true), (0.25, false)]);
    }

    #[test]
    fn the_id_reads_back_as_the_same_policy() {
        for text in [
            "never",
            "always",
            "f1_80",
            "not (undo>2 or fp>0) and 50%<=precision<90%",
        ] {
            let policy = parse_policy(text).unwrap();
            assert_eq!(parse_policy(policy.id()), Ok(policy));
        }
    }
}
