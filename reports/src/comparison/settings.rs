//! The settings of runs, and which of them differ.

use super::RunFigures;
use crate::setup::RunSetup;

/// Name and value of each setting of a run, always the same names in the same order.
pub fn settings_of(setup: &RunSetup) -> Vec<(&'static str, String)> {
    let settings = &setup.settings;
    let or = |value: Option<String>, otherwise: &str| value.unwrap_or_else(|| otherwise.to_owned());
    let triggers: Vec<String> = settings.triggers.iter().map(ToString::to_string).collect();
    let steps = settings.step_limit.steps.map(|steps| steps.to_string());
    let share = settings.step_limit.share.map(|share| format!("{}%", 100.0 * share));
    let limits: Vec<String> = steps.into_iter().chain(share).collect();
    let joined = |parts: Vec<String>, with: &str| (!parts.is_empty()).then(|| parts.join(with));
    vec![
        ("corpus", setup.corpus.clone()),
        ("predictor", setup.predictor.clone()),
        ("policy", setup.policy.clone()),
        ("mode", setup.mode.name().to_owned()),
        ("stride", settings.stride.to_string()),
        ("context", or(setup.context.map(|context| context.to_string()), "none")),
        ("trigger", or(joined(triggers, " or "), "none")),
        (
            "max-actions",
            or(settings.actions_max.map(|most| most.to_string()), "all"),
        ),
        ("step-limit", or(joined(limits, ","), "none")),
        ("undo-max", settings.undo_max.to_string()),
        ("chain-max", settings.chain_max.to_string()),
        ("repredict", settings.repredict.to_string()),
        ("seed", settings.seed.0.to_string()),
    ]
}

/// The settings of a run in a comparison, the corpus by the name that tables give it.
pub(super) fn settings_of_run(run: &RunFigures) -> Vec<(&'static str, String)> {
    let settings = settings_of(&run.setup).into_iter();
    settings
        .map(|(setting, value)| match setting {
            "corpus" => (setting, run.corpus.clone()),
            _ => (setting, value),
        })
        .collect()
}

/// Settings that a mode brings with it.
const OF_THE_MODE: [&str; 2] = ["max-actions", "repredict"];

/// A setting that is not the same in all runs.
struct Differing {
    setting: &'static str,
    /// One value a run.
    values: Vec<String>,
    /// The value of the runs whose names do not say it; absent where all do, or where these runs differ themselves.
    unsaid: Unsaid,
}

enum Unsaid {
    /// Every run's name says its value.
    Nothing,
    /// The names of some runs say nothing of it, and these have the same value.
    One(String),
    /// Names say too little.
    Many,
}

/// Columns for the settings that differ and that names do not tell, with one value a run. A name tells a setting by
/// `setting=value` in it; a name without it tells a setting too where the value is the same in all such runs, which is
/// then said once ([`otherwise`]). What follows from the mode is left out.
pub(super) fn columns(runs: &[RunFigures]) -> Vec<(&'static str, Vec<String>)> {
    let differing = differing(runs).into_iter();
    differing
        .filter(|one| matches!(one.unsaid, Unsaid::Many))
        .map(|one| (one.setting, one.values))
        .collect()
}

/// The settings that some names tell, with the value that all other runs have.
pub(super) fn otherwise(runs: &[RunFigures]) -> Vec<(&'static str, String)> {
    let value = |one: Differing| match one.unsaid {
        Unsaid::One(value) => Some((one.setting, value)),
        Unsaid::Nothing | Unsaid::Many => None,
    };
    differing(runs).into_iter().filter_map(value).collect()
}

fn differing(runs: &[RunFigures]) -> Vec<Differing> {
    let of_runs: Vec<Vec<(&'static str, String)>> = runs.iter().map(settings_of_run).collect();
    let Some(first) = of_runs.first() else {
        return Vec::new();
    };
    let is_usual = |setup: &RunSetup| {
        let usual = setup.mode.settings();
        (usual.actions_max, usual.repredict) == (setup.settings.actions_max, setup.settings.repredict)
    };
    let is_usual = runs.iter().all(|run| is_usual(&run.setup));
    let mut differing = Vec::new();
    for (place, (setting, value)) in first.iter().enumerate() {
        let values = of_runs.iter().filter_map(|settings| settings.get(place));
        let values: Vec<String> = values.map(|(_, value)| value.clone()).collect();
        let is_told = is_usual && OF_THE_MODE.contains(setting);
        if !is_told && values.iter().any(|other| other != value) {
            differing.push(Differing {
                setting,
                unsaid: unsaid(setting, runs, &values),
                values,
            });
        }
    }
    differing
}

fn unsaid(setting: &str, runs: &[RunFigures], values: &[String]) -> Unsaid {
    let mut unsaid = Vec::new();
    for (run, value) in runs.iter().zip(values) {
        match said(&run.name, setting, value) {
            Said::Value => {}
            Said::Nothing => unsaid.push(value),
            // A name of its own, such as `policy=sure`, of which only the column tells what it stands for.
            Said::Otherwise => return Unsaid::Many,
        }
    }
    match unsaid.split_first() {
        None => Unsaid::Nothing,
        // Where no name says anything, a column is read more easily.
        Some((value, others)) if unsaid.len() < runs.len() && others.iter().all(|other| other == value) => {
            Unsaid::One((*value).clone())
        }
        Some(_) => Unsaid::Many,
    }
}

/// What a name says of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Nothing,
    /// The value that it has.
    Value,
    /// Something else.
    Otherwise,
}

/// Looks for `setting=value` in a name, between commas or behind the name of an experiment.
fn said(name: &str, setting: &str, value: &str) -> Said {
    let name = name.replace('_', "-");
    let wanted = format!("{setting}=");
    let mut found = name.match_indices(&wanted).filter_map(|(start, wanted)| {
        let (before, after) = (name.get(..start)?, name.get(start + wanted.len()..)?);
        (before.is_empty() || before.ends_with([',', '/'])).then_some(after)
    });
    let Some(rest) = found.next() else {
        return Said::Nothing;
    };
    let begins = |value: &str| {
        let rest = rest.strip_prefix(value.replace('_', "-").as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
    };
    // Files may write `none` for no limit.
    if begins(value) || (setting == "max-actions" && value == "all" && begins("none")) {
        Said::Value
    } else {
        Said::Otherwise
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::{Comparison, ComparisonSettings};
    use crate::fixtures::run;

    /// The figures of runs by name, stride and context.
    fn runs(of: &[(&str, u32, u32)]) -> Vec<RunFigures> {
        let run = |(name, stride, undo_max): &(&str, u32, u32)| {
            let mut run = run(name, &[50]);
            run.setup.settings.stride = *stride;
            run.setup.settings.undo_max = *undo_max;
            run
        };
        let runs: Vec<_> = of.iter().map(run).collect();
        Comparison::of(&runs, &ComparisonSettings::default()).unwrap().runs
    }

    fn named(of: &[(&str, u32, u32)]) -> Vec<&'static str> {
        columns(&runs(of)).into_iter().map(|(setting, _)| setting).collect()
    }

    #[test]
    fn only_what_differs_and_is_not_said_is_a_column() {
        let different = runs(&[("a", 1, 9), ("b", 4, 9)]);
        assert_eq!(columns(&different), [("stride", vec!["1".to_owned(), "4".to_owned()])]);
        assert_eq!(otherwise(&different), []);
        assert!(named(&[("stride=1", 1, 9), ("stride=4", 4, 9)]).is_empty());
        assert!(named(&[("x/stride=1,mode=single", 1, 9), ("mode=single,stride=4", 4, 9)]).is_empty());
        assert!(named(&[("stride=1,undo_max=9", 1, 9), ("stride=1,undo_max=8", 1, 8)]).is_empty());
        assert_eq!(named(&[("stride=1", 1, 9), ("stride=40", 4, 9)]), ["stride"]);
        assert_eq!(named(&[("stride=few", 1, 9), ("stride=4", 4, 9)]), ["stride"]);
        assert!(named(&[("a", 1, 9), ("b", 1, 9)]).is_empty());
        assert!(columns(&[]).is_empty());
    }

    #[test]
    fn what_names_do_not_say_is_told_once_where_it_is_the_same() {
        let varied = runs(&[("base", 1, 9), ("stride=2", 2, 9), ("undo-max=3", 1, 3)]);
        assert_eq!(columns(&varied), []);
        let told = [("stride", "1".to_owned()), ("undo-max", "9".to_owned())];
        assert_eq!(otherwise(&varied), told);
        let more = runs(&[("base", 1, 9), ("stride=2", 2, 9), ("other", 5, 9)]);
        assert_eq!(columns(&more).len(), 1);
        assert_eq!(otherwise(&more), []);
    }

    #[test]
    fn values_with_commas_and_slashes_are_found_in_names() {
        let says = |name, setting, value| said(name, setting, value) == Said::Value;
        assert!(says("predictor=best-of(a,b),stride=1", "predictor", "best-of(a,b)"));
        assert!(says("x/predictor=openai/gpt-5", "predictor", "openai/gpt-5"));
        assert!(says("max_actions=none", "max-actions", "all"));
        assert_eq!(
            said("predictor=openai/gpt-5", "predictor", "openai/gpt"),
            Said::Otherwise
        );
        assert_eq!(said("stride=12", "stride", "1"), Said::Otherwise);
        assert_eq!(said("my-stride=1", "stride", "1"), Said::Nothing);
    }
}
