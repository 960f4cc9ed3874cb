//! Rules written as expressions over metrics.

pub(crate) mod error;
mod parse;
mod token;

use std::fmt;
use std::str::FromStr;

use napsim_sim::policy::{Check, Metric, Verdict};

use crate::bound::Bound;
use crate::expression::error::ExpressionError;

pub(crate) use crate::expression::token::is_word_character;

/// The greatest nesting of parentheses, `not` and chains in an expression.
pub const DEPTH_MAX: u32 = 64;

/// A rule such as `precision >= 90% and (saved >= 1 or not undo > 0)`.
///
/// ```text
/// any   = all ("or" all)*
/// all   = term ("and" term)*
/// term  = "not" term | "(" any ")" | bound
/// bound = metric sign number | number sign metric | number sign metric sign number
/// sign  = ">=" | ">" | "<=" | "<" | "=="             (also "≥" and "≤")
/// number = "-"? digits ("." digits)? "%"?             (`90%` is 0.9)
/// ```
///
/// Metrics are those of [`Metric::ALL`]. Both signs of a chain such as `0.5 <= precision < 0.9` point the same way.
/// Words may be in upper or lower case. Nesting beyond [`DEPTH_MAX`] is refused.
///
/// Its text form is canonical: the metric first, chains taken apart, only the parentheses that are needed. Reading
/// it gives an equal expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression(Node);

impl Expression {
    /// The verdict where `metric` gives the value of each metric.
    ///
    /// There is one check for every bound, in the order written, also where earlier ones settle the matter.
    /// A check under `not` says whether the bound itself holds.
    pub fn decide_with(&self, metric: impl Fn(Metric) -> f64) -> Verdict {
        let mut checks = Vec::new();
        let accepted = self.0.evaluate(&metric, &mut checks);
        Verdict { accepted, checks }
    }
}

impl FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse::parse(text).map(Self)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A part of an expression, at most [`DEPTH_MAX`] deep.
///
/// `All` and `Any` have at least two parts, and none of their own kind directly below them.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Bound(Bound),
    Not(Box<Node>),
    All(Vec<Node>),
    Any(Vec<Node>),
}

impl Node {
    /// The conjunction of the parts, without another conjunction directly below.
    fn all(parts: Vec<Self>) -> Self {
        let parts = parts.into_iter().flat_map(|part| match part {
            Self::All(inner) => inner,
            other => vec![other],
        });
        Self::single(parts.collect(), Self::All)
    }

    /// The disjunction of the parts, without another disjunction directly below.
    fn any(parts: Vec<Self>) -> Self {
        let parts = parts.into_iter().flat_map(|part| match part {
            Self::Any(inner) => inner,
            other => vec![other],
        });
        Self::single(parts.collect(), Self::Any)
    }

    fn single(mut parts: Vec<Self>, join: fn(Vec<Self>) -> Self) -> Self {
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            Some(last) => {
                parts.push(last);
                join(parts)
            }
            None => join(parts),
        }
    }

    /// Whether the part holds. Adds a check for each bound in it, so no part may be skipped.
    fn evaluate(&self, metric: &dyn Fn(Metric) -> f64, checks: &mut Vec<Check>) -> bool {
        match self {
            Self::Bound(bound) => {
                let check = bound.check(metric(bound.metric));
                checks.push(check);
                check.passed
            }
            Self::Not(inner) => !inner.evaluate(metric, checks),
            Self::All(parts) => parts
                .iter()
                .fold(true, |holds, part| holds & part.evaluate(metric, checks)),
            Self::Any(parts) => parts
                .iter()
                .fold(false, |holds, part| holds | part.evaluate(metric, checks)),
        }
    }

    fn write_parts(f: &mut fmt::Formatter<'_>, parts: &[Node], separator: &str) -> fmt::Result {
        for (part_idx, part) in parts.iter().enumerate() {
            if part_idx > 0 {
                f.write_str(separator)?;
            }
            // `and` binds tighter, so of the two only `or` below `and` needs parentheses.
            match part {
                Self::Any(_) => write!(f, "({part})")?,
                _ => write!(f, "{part}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bound(bound) => bound.fmt(f),
            Self::Not(inner) => match inner.as_ref() {
                Self::All(_) | Self::Any(_) => write!(f, "not ({inner})"),
                Self::Bound(_) | Self::Not(_) => write!(f, "not {inner}"),
            },
            Self::All(parts) => Self::write_parts(f, parts, " and "),
            Self::Any(parts) => Self::write_parts(f, parts, " or "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_canonical(text: &str, expect: &str) {
        let expression: Expression = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(expression.to_string(), expect, "from {text}");
        assert_eq!(expect.parse(), Ok(expression), "from {text}");
    }

    #[test]
    fn expressions_have_one_canonical_text() {
        check_canonical("precision>=0.90 AND Saved>=1", "precision >= 0.9 and saved >= 1");
        check_canonical("precision ≥ 90% or saved ≤ -2.50", "precision >= 0.9 or saved <= -2.5");
        check_canonical("33.3% < f1", "f1 > 0.333");
        check_canonical("0.5<=precision<0.9", "precision >= 0.5 and precision < 0.9");
        check_canonical("((fp == -0))", "fp == 0");
        check_canonical("not not (mm>0)", "not not mm > 0");
        check_canonical(
            "(fp<1 or fp>2 and mm<1) or (tp>3)",
            "fp < 1 or fp > 2 and mm < 1 or tp > 3",
        );
        check_canonical(
            "(fp<1 or fp>2) and (mm<1 and tp>3)",
            "(fp < 1 or fp > 2) and mm < 1 and tp > 3",
        );
        check_canonical("not 9>length>1", "not (length < 9 and length > 1)");
    }

    #[test]
    fn every_metric_can_be_bounded() {
        for metric in Metric::ALL {
            check_canonical(&format!("{}>1", metric.name()), &format!("{} > 1", metric.name()));
        }
    }

    #[test]
    fn every_bound_is_checked_in_order() {
        let expression: Expression = "saved >= 1 or not (precision > 0.5 and undo == 0)".parse().unwrap();
        let verdict = expression.decide_with(|metric| match metric {
            Metric::Saved => 1.0,
            Metric::Precision => 0.25,
            _ => 0.0,
        });
        assert!(verdict.accepted);
        let checks: Vec<_> = verdict
            .checks
            .iter()
            .map(|check| (check.metric, check.value, check.bound, check.passed))
            .collect();
        let expect = [
            (Metric::Saved, 1.0, 1.0, true),
            (Metric::Precision, 0.25, 0.5, false),
            (Metric::Undo, 0.0, 0.0, true),
        ];
        assert_eq!(checks, expect);
    }

    #[test]
    fn and_binds_tighter_than_or_and_not_tightest() {
        let holds = |text: &str| text.parse::<Expression>().unwrap().decide_with(|_| 1.0).accepted;
        assert!(holds("tp == 1 or tp == 1 and tp == 0"));
        assert!(!holds("(tp == 1 or tp == 1) and tp == 0"));
        assert!(holds("not tp == 0 or tp == 1"));
        assert!(!holds("not (tp == 0 or tp == 1)"));
    }
}
