//! Laws of the expression language, over random expressions and random text.

use napsim_acceptance::{Expression, parse_policy};
use napsim_sim::policy::{AcceptancePolicy, Comparison, Metric};
use proptest::prelude::*;

/// A second, naive model of an expression, written with every parenthesis.
#[derive(Clone, Debug)]
enum Model {
    Bound(Metric, Comparison, i32),
    Not(Box<Model>),
    Two(Box<Model>, bool, Box<Model>),
}

impl Model {
    fn text(&self) -> String {
        match self {
            Self::Bound(metric, comparison, tenths) => {
                format!("{} {} {}%", metric.name(), comparison.sign(), tenths * 10)
            }
            Self::Not(inner) => format!("(not {})", inner.text()),
            Self::Two(left, true, right) => format!("({} and {})", left.text(), right.text()),
            Self::Two(left, false, right) => format!("({} or {})", left.text(), right.text()),
        }
    }

    fn holds(&self, tenths: &[i32]) -> bool {
        match self {
            Self::Bound(metric, comparison, bound) => {
                comparison.holds(value(tenths, *metric), f64::from(*bound) / 10.0)
            }
            Self::Not(inner) => !inner.holds(tenths),
            Self::Two(left, true, right) => left.holds(tenths) && right.holds(tenths),
            Self::Two(left, false, right) => left.holds(tenths) || right.holds(tenths),
        }
    }

    fn n_bounds(&self) -> usize {
        match self {
            Self::Bound(..) => 1,
            Self::Not(inner) => inner.n_bounds(),
            Self::Two(left, _, right) => left.n_bounds() + right.n_bounds(),
        }
    }
}

fn value(tenths: &[i32], metric: Metric) -> f64 {
    let mut values = Metric::ALL.iter().zip(tenths);
    let found = values.find(|&(&each, _)| each == metric);
    found.map_or(f64::NAN, |(_, &tenths)| f64::from(tenths) / 10.0)
}

fn comparisons() -> impl Strategy<Value = Comparison> {
    use Comparison::{AtLeast, AtMost, Equal, LessThan, MoreThan};
    prop::sample::select(vec![AtLeast, MoreThan, AtMost, LessThan, Equal])
}

fn models() -> impl Strategy<Value = Model> {
    let bound = (prop::sample::select(Metric::ALL), comparisons(), -3..3_i32)
        .prop_map(|(metric, comparison, tenths)| Model::Bound(metric, comparison, tenths));
    bound.prop_recursive(12, 40, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| Model::Not(Box::new(inner))),
            (inner.clone(), any::<bool>(), inner).prop_map(|(left, is_and, right)| Model::Two(
                Box::new(left),
                is_and,
                Box::new(right)
            )),
        ]
    })
}

fn words() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "and",
        "or",
        "not",
        "(",
        ")",
        ">=",
        ">",
        "<=",
        "<",
        "==",
        "≥",
        "=",
        "&&",
        "!",
        "%",
        "-",
        ".",
        "0",
        "0.9",
        "90%",
        "-2",
        "1e9",
        "precision",
        "saved",
        "fn",
        "Confidence",
        "greedy",
        "greedy-2",
        "é",
        "\n",
        "",
    ])
}

/// What must hold of any text: no panic, and what is read has a text that reads back.
fn check_text(text: &str) -> Result<(), TestCaseError> {
    match parse_policy(text) {
        Ok(policy) => {
            prop_assert_eq!(parse_policy(policy.id()), Ok(policy.clone()));
            let _ = policy.decide_with(|_| f64::NAN);
        }
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

proptest! {
    #[test]
    fn reading_the_text_of_an_expression_gives_it_back(model in models()) {
        let expression: Expression = model.text().parse().unwrap();
        let text = expression.to_string();
        let again: Expression = text.parse().unwrap();
        prop_assert_eq!(&again, &expression);
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn verdicts_are_those_of_the_model(
        model in models(),
        tenths in prop::collection::vec(-3..3_i32, Metric::ALL.len()),
    ) {
        let expression: Expression = model.text().parse().unwrap();
        let verdict = expression.decide_with(|metric| value(&tenths, metric));
        prop_assert_eq!(verdict.accepted, model.holds(&tenths));
        prop_assert_eq!(verdict.checks.len(), model.n_bounds());
        for check in verdict.checks {
            prop_assert_eq!(check.value.to_bits(), value(&tenths, check.metric).to_bits());
            prop_assert_eq!(check.passed, check.comparison.holds(check.value, check.bound));
        }
    }

    #[test]
    fn token_soup_never_panics(words in prop::collection::vec(words(), 0..24), spaced in any::<bool>()) {
        check_text(&words.join(if spaced { " " } else { "" }))?;
    }

    #[test]
    fn near_expressions_never_panic(
        parts in prop::collection::vec(
            prop::sample::select(vec!["fp > 1", "0 < mm < 2", "not", "(", ")", "and", "or"]), 0..16,
        ),
    ) {
        check_text(&parts.join(" "))?;
    }

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        check_text(&text)?;
    }

    #[test]
    fn nesting_of_any_depth_is_read_or_refused(
        openings in prop::collection::vec(prop::sample::select(vec!["(", "not ", "not ("]), 0..200),
        chained in any::<bool>(),
    ) {
        let n_closings = openings.iter().filter(|opening| opening.ends_with('(')).count();
        let bound = if chained { "0 <= fp <= 1" } else { "fp > 0" };
        check_text(&format!("{}{bound}{}", openings.concat(), ")".repeat(n_closings)))?;
    }
}
