//! The settings in which the runs of a report differ.

use std::collections::BTreeSet;

use napsim_reports::RunSetup;
use napsim_reports::comparison::settings_of;

/// A setting that is not the same in all runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Varying {
    /// Its name.
    pub(super) name: String,
    /// Its value in each run, in the order of the runs.
    pub(super) values: Vec<String>,
    /// The values that occur, in the order of the axis.
    pub(super) levels: Vec<String>,
    /// Whether the values have an order, so that a line may join them.
    pub(super) is_ordered: bool,
}

/// The settings that vary, each with one value a run. What follows from another setting is left out: what the mode brings
/// with it, and what tells exactly the same runs apart.
pub(super) fn varying(setups: &[&RunSetup]) -> Vec<Varying> {
    let of_runs: Vec<Vec<(String, String)>> = setups.iter().map(|setup| all(setup)).collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in of_runs.iter().flatten() {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut found: Vec<Varying> = Vec::new();
    for name in names {
        let value = |settings: &Vec<(String, String)>| {
            let pair = settings.iter().find(|(other, _)| other == name);
            pair.map_or_else(|| "default".to_owned(), |(_, value)| value.clone())
        };
        let values: Vec<String> = of_runs.iter().map(value).collect();
        let distinct: BTreeSet<&String> = values.iter().collect();
        if distinct.len() < 2 || found.iter().any(|other| determines(&other.values, &values, name)) {
            continue;
        }
        let levels = levels(&values);
        found.push(Varying {
            name: name.to_owned(),
            is_ordered: levels.iter().all(|level| number(level).is_some()),
            levels,
            values,
        });
    }
    found
}

/// Whether a setting need not be looked at besides another one: it tells the same runs apart, or it is one that the mode
/// brings with it and follows from the other.
fn determines(one: &[String], other: &[String], name: &str) -> bool {
    // Settings that a mode brings with it, or that belong to one predictor.
    let may_follow = ["max-actions", "repredict", "context"].contains(&name) || name.starts_with('?');
    let pairs: BTreeSet<(&String, &String)> = one.iter().zip(other).collect();
    let distinct = |values: &[String]| values.iter().collect::<BTreeSet<_>>().len();
    pairs.len() == distinct(one) && (may_follow || pairs.len() == distinct(other))
}

/// The settings of a run, the predictor's options as settings of their own.
fn all(setup: &RunSetup) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    for (name, value) in settings_of(setup) {
        if name == "seed" {
            continue;
        }
        if name != "predictor" {
            settings.push((name.to_owned(), value));
            continue;
        }
        let (base, options) = split(&value);
        settings.push(("predictor".to_owned(), base.to_owned()));
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let (option, value) = option.split_once('=').unwrap_or((option, ""));
            settings.push((format!("?{option}"), value.to_owned()));
        }
    }
    settings
}

/// A predictor's name and its options: what stands behind the last question mark outside of parentheses.
fn split(id: &str) -> (&str, &str) {
    let mut depth = 0_i32;
    let mut at = None;
    for (place, c) in id.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '?' if depth == 0 && at.is_none() => at = Some(place),
            _ => {}
        }
    }
    // A command or an address may hold question marks of its own, and its options cannot be told from it.
    let is_foreign = id.starts_with("exec:") || id.starts_with("http:") || id.starts_with("https:");
    match at {
        Some(place) if !is_foreign => (id.get(..place).unwrap_or(id), id.get(place + 1..).unwrap_or_default()),
        _ => (id, ""),
    }
}

/// Distinct values: numbers by size, with `all` behind them and `none` before; others in the order in which they come.
fn levels(values: &[String]) -> Vec<String> {
    let mut levels: Vec<String> = Vec::new();
    for value in values {
        if !levels.contains(value) {
            levels.push(value.clone());
        }
    }
    if levels.iter().all(|level| number(level).is_some()) {
        levels.sort_by(|left, right| {
            number(left)
                .unwrap_or_default()
                .total_cmp(&number(right).unwrap_or_default())
        });
    }
    levels
}

/// The size of a value that has one.
fn number(value: &str) -> Option<f64> {
    match value {
        "all" => Some(f64::INFINITY),
        "none" | "default" => Some(f64::NEG_INFINITY),
        _ => value.trim_end_matches('%').parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_told_from_names() {
        assert_eq!(
            split("online-ngram?max_n=4&context=32"),
            ("online-ngram", "max_n=4&context=32")
        );
        assert_eq!(
            split("best-of(ngram?model=x,lstm?model=y)?confidence=0.1").1,
            "confidence=0.1"
        );
        assert_eq!(split("exec:python p.py?x=1"), ("exec:python p.py?x=1", ""));
        assert_eq!(split("none"), ("none", ""));
    }

    #[test]
    fn levels_are_in_order() {
        let sorted = |values: &[&str]| levels(&values.iter().map(|v| (*v).to_owned()).collect::<Vec<_>>());
        assert_eq!(sorted(&["all", "32", "8", "128", "8"]), ["8", "32", "128", "all"]);
        assert_eq!(sorted(&["greedy", "always"]), ["greedy", "always"]);
    }

    #[test]
    fn what_follows_is_left_out() {
        let own = |values: &[&str]| values.iter().map(|v| (*v).to_owned()).collect::<Vec<_>>();
        assert!(determines(
            &own(&["single", "multi"]),
            &own(&["1", "all"]),
            "max-actions"
        ));
        assert!(determines(&own(&["a", "b"]), &own(&["x", "y"]), "policy"));
        assert!(!determines(&own(&["a", "a", "b"]), &own(&["1", "4", "1"]), "stride"));
        assert!(!determines(&own(&["a", "b", "c"]), &own(&["1", "4", "1"]), "stride"));
    }
}
