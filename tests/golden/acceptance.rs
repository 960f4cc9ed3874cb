//! Verdicts of every policy of the reference on given metrics (spec 02, section 13).

use napsim_acceptance::{Policy, parse_policy};
use napsim_sim::policy::{Metric, Verdict};
use napsim_trajectories::Value;

use crate::vectors::{Vector, check_same, for_each_vector};

/// How many policies each vector has a verdict for.
const N_POLICIES: usize = 13;

#[test]
fn golden_verdicts_of_named_policies() {
    check_verdicts(|policy| policy);
}

#[test]
fn golden_verdicts_of_the_same_rules_as_expressions() {
    check_verdicts(|policy| match &*policy.rule() {
        // The one rule that no expression says.
        "no bounds" => policy,
        rule => parse_policy(rule).unwrap(),
    });
}

#[test]
fn golden_code_name_greedy_is_not_the_paper_policy() {
    assert_eq!(parse_policy("greedy").unwrap().rule(), "saved >= 1");
}

/// The policy of a code name of the reference.
fn policy_of(code_name: &str) -> Result<Policy, String> {
    // Quirk Q36: the code's `greedy` is not the paper's GREEDY, so it has another name here.
    let name = if code_name == "greedy" {
        "non-negative"
    } else {
        code_name
    };
    parse_policy(name).map_err(|error| error.to_string())
}

/// Checks every vector with each policy as `spelled` gives it, and names all the policies that fail.
fn check_verdicts(spelled: impl Fn(Policy) -> Policy) {
    for_each_vector("acceptance.jsonl", "", |vector| {
        let Value::Object(accepted) = vector.get("accepted")? else {
            return Err("`accepted` is not an object".to_owned());
        };
        if accepted.len() != N_POLICIES {
            return Err(format!("expected {N_POLICIES} policies\n    got {}", accepted.len()));
        }
        let mut wrong = Vec::new();
        for (code_name, expected) in accepted.iter() {
            let policy = spelled(policy_of(code_name)?);
            let verdict = decide(&policy, vector)?;
            if let Err(reason) = check_same(verdict.accepted, expected) {
                wrong.push(format!("{code_name} as `{policy}`: {reason} from {:?}", verdict.checks));
            }
        }
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(wrong.join("; "))
        }
    });
}

/// The verdict on the metrics of the vector, of which a policy may ask for no others.
fn decide(policy: &Policy, vector: &Vector) -> Result<Verdict, String> {
    let precision = number(vector, "precision")?;
    let recall = number(vector, "recall")?;
    let f1 = number(vector, "f1")?;
    let saved = number(vector, "ops_saved")?;
    Ok(policy.decide_with(|metric| match metric {
        Metric::Precision => precision,
        Metric::Recall => recall,
        Metric::F1 => f1,
        Metric::Saved => saved,
        other => panic!("`{policy}` asks for {}", other.name()),
    }))
}

fn number(vector: &Vector, key: &str) -> Result<f64, String> {
    match vector.get(key)? {
        Value::Float(number) => Ok(*number),
        Value::Int(integer) => Ok(*integer as f64),
        _ => Err(format!("`{key}` is not a number")),
    }
}
