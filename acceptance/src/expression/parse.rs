//! From tokens to an expression, by recursive descent with a limit on its depth.

use napsim_sim::policy::{Comparison, Metric};

use crate::bound::Bound;
use crate::expression::error::{ExpressionError, Problem};
use crate::expression::token::{Kind, Token, tokens};
use crate::expression::{DEPTH_MAX, Node};
use crate::named::NamedPolicy;
use crate::nearest::nearest;

/// Reads a whole expression.
pub(super) fn parse(text: &str) -> Result<Node, ExpressionError> {
    let mut parser = Parser {
        text,
        tokens: tokens(text)?,
        token_idx: 0,
        depth: 0,
    };
    let node = parser.any()?;
    parser.take(Kind::End, "`and`, `or` or the end")?;
    Ok(node)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    token_idx: usize,
    depth: u32,
}

impl Parser<'_> {
    fn any(&mut self) -> Result<Node, ExpressionError> {
        let mut parts = vec![self.all()?];
        while self.take_if(Kind::Or) {
            parts.push(self.all()?);
        }
        Ok(Node::any(parts))
    }

    fn all(&mut self) -> Result<Node, ExpressionError> {
        let mut parts = vec![self.term()?];
        while self.take_if(Kind::And) {
            parts.push(self.term()?);
        }
        Ok(Node::all(parts))
    }

    fn term(&mut self) -> Result<Node, ExpressionError> {
        match self.kind() {
            Kind::Not => self.deeper(|parser| {
                parser.advance();
                Ok(Node::Not(Box::new(parser.term()?)))
            }),
            Kind::Open => self.deeper(|parser| {
                parser.advance();
                let inner = parser.any()?;
                parser.take(Kind::Close, "`and`, `or` or `)`")?;
                Ok(inner)
            }),
            Kind::Word => {
                let metric = self.metric()?;
                let comparison = self.comparison()?;
                let limit = self.number()?;
                Ok(Node::Bound(Bound {
                    metric,
                    comparison,
                    limit,
                }))
            }
            Kind::Number(limit) => self.chain(limit),
            _ => Err(self.expected("a metric, a number, `not` or `(`")),
        }
    }

    /// A bound with the number first, and the rest of the chain if it goes on.
    fn chain(&mut self, limit: f64) -> Result<Node, ExpressionError> {
        self.advance();
        let first_sign = self.comparison()?;
        let metric = self.metric()?;
        let first = Node::Bound(Bound {
            metric,
            comparison: mirrored(first_sign),
            limit,
        });
        let Kind::Sign(comparison) = self.kind() else {
            return Ok(first);
        };
        if !point_the_same_way(first_sign, comparison) {
            return Err(self.error(Problem::CrookedChain));
        }
        // Written apart, a chain may need parentheses: it counts as a level so that its text can be read again.
        self.deeper(|parser| {
            parser.advance();
            let limit = parser.number()?;
            let second = Node::Bound(Bound {
                metric,
                comparison,
                limit,
            });
            Ok(Node::all(vec![first, second]))
        })
    }

    fn metric(&mut self) -> Result<Metric, ExpressionError> {
        if self.kind() != Kind::Word {
            return Err(self.expected("a metric"));
        }
        let name = self.found();
        let Some(metric) = Metric::from_name(&name.to_ascii_lowercase()) else {
            return Err(self.error(unknown_metric(name)));
        };
        self.advance();
        Ok(metric)
    }

    fn comparison(&mut self) -> Result<Comparison, ExpressionError> {
        let Kind::Sign(comparison) = self.kind() else {
            return Err(self.expected("a comparison such as `>=`"));
        };
        self.advance();
        Ok(comparison)
    }

    fn number(&mut self) -> Result<f64, ExpressionError> {
        let Kind::Number(number) = self.kind() else {
            return Err(self.expected("a number"));
        };
        self.advance();
        Ok(number)
    }

    /// Runs `read` one level down, unless that is too deep.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, ExpressionError>) -> Result<T, ExpressionError> {
        if self.depth == DEPTH_MAX {
            return Err(self.error(Problem::TooDeep));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn kind(&self) -> Kind {
        self.tokens.get(self.token_idx).map_or(Kind::End, |token| token.kind)
    }

    fn advance(&mut self) {
        self.token_idx += 1;
    }

    fn take_if(&mut self, kind: Kind) -> bool {
        let is_next = self.kind() == kind;
        if is_next {
            self.advance();
        }
        is_next
    }

    fn take(&mut self, kind: Kind, expected: &'static str) -> Result<(), ExpressionError> {
        if self.take_if(kind) {
            Ok(())
        } else {
            Err(self.expected(expected))
        }
    }

    /// The text of the token ahead.
    fn found(&self) -> &str {
        let token = self.tokens.get(self.token_idx);
        token
            .and_then(|token| self.text.get(token.bytes.clone()))
            .unwrap_or_default()
    }

    fn expected(&self, expected: &'static str) -> ExpressionError {
        let found = match self.kind() {
            Kind::End => "the end".to_owned(),
            _ => format!("`{}`", self.found()),
        };
        self.error(Problem::Expected { expected, found })
    }

    fn error(&self, problem: Problem) -> ExpressionError {
        let start = self
            .tokens
            .get(self.token_idx)
            .map_or(self.text.len(), |token| token.bytes.start);
        ExpressionError::new(self.text, start, problem)
    }
}

fn unknown_metric(name: &str) -> Problem {
    match NamedPolicy::from_name(name) {
        Some(named) => Problem::PolicyName {
            name: named.name,
            rule: named.rule(),
        },
        None => Problem::UnknownMetric {
            name: name.to_owned(),
            nearest: nearest(name, Metric::ALL.iter().map(|metric| metric.name())),
        },
    }
}

/// The comparison with its sides exchanged: `1 <= saved` is `saved >= 1`.
fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::AtLeast => Comparison::AtMost,
        Comparison::MoreThan => Comparison::LessThan,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::LessThan => Comparison::MoreThan,
        Comparison::Equal => Comparison::Equal,
    }
}

fn point_the_same_way(first: Comparison, second: Comparison) -> bool {
    let is_down = |comparison| matches!(comparison, Comparison::AtLeast | Comparison::MoreThan);
    let is_up = |comparison| matches!(comparison, Comparison::AtMost | Comparison::LessThan);
    is_down(first) && is_down(second) || is_up(first) && is_up(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_error(text: &str, position: usize, expect: &str) {
        let error = parse(text).unwrap_err();
        let got = (error.position(), error.problem().to_string());
        assert_eq!(got, (position, expect.to_owned()), "from {text}");
    }

    #[test]
    fn mistakes_are_named_and_placed() {
        check_error("precision 0.9", 11, "expected a comparison such as `>=`, found `0.9`");
        check_error("precision >= saved", 14, "expected a number, found `saved`");
        check_error(
            "precison >= 1",
            1,
            "unknown metric `precison` (did you mean `precision`?)",
        );
        check_error("mm > 0 and quality > 1", 12, "unknown metric `quality`");
        check_error("(fp > 0", 8, "expected `and`, `or` or `)`, found the end");
        check_error("fp > 0) or", 7, "expected `and`, `or` or the end, found `)`");
        check_error(
            "fp > 0 and",
            11,
            "expected a metric, a number, `not` or `(`, found the end",
        );
        check_error("()", 2, "expected a metric, a number, `not` or `(`, found `)`");
        check_error("1 < 2", 5, "expected a metric, found `2`");
        check_error("0.5 <= f1 <= mm", 14, "expected a number, found `mm`");
        check_error("1e3 < fp", 2, "expected a comparison such as `>=`, found `e3`");
    }

    #[test]
    fn a_policy_name_in_an_expression_is_explained() {
        let expect =
            "`hybrid-1` is a policy, not a metric; in an expression write its rule (precision >= 0.9 and saved >= 1)";
        check_error("undo < 2 and ideal_user", 14, expect);
    }

    #[test]
    fn the_signs_of_a_chain_point_the_same_way() {
        let expect = "both signs of a chain point the same way, as in `0.5 <= precision < 0.9`";
        for text in ["1 <= fp >= 2", "1 == fp == 1", "1 < fp == 1"] {
            check_error(text, text.rfind("fp").unwrap() + 4, expect);
        }
        assert!(parse("3 > fp >= 1").is_ok());
    }

    #[test]
    fn nesting_is_limited() {
        let nested = |open: &str, close: &str, depth: usize| {
            parse(&format!("{}fp > 0{}", open.repeat(depth), close.repeat(depth))).is_ok()
        };
        let limit = DEPTH_MAX as usize;
        assert!(nested("(", ")", limit) && nested("not ", "", limit) && nested("not (", ")", limit / 2));
        assert!(!nested("(", ")", limit + 1) && !nested("not ", "", limit + 1));
        check_error(&"(".repeat(1_000_000), limit + 1, "more than 64 levels of nesting");
        assert!(parse(&format!("fp > 0{}", " or fp > 0 and fp > 1".repeat(100_000))).is_ok());
    }
}
