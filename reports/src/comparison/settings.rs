//! The settings of runs, and which of them differ.

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

/// Settings that a mode brings with it.
const OF_THE_MODE: [&str; 2] = ["max-actions", "repredict"];

/// The settings that are not the same in all runs, by name, with one value a run. Where every run's own name says
/// `setting=value`, the setting is left out, and so is what follows from the mode.
pub(super) fn differing(runs: &[(&str, &RunSetup)]) -> Vec<(&'static str, Vec<String>)> {
    let of_runs: Vec<Vec<(&'static str, String)>> = runs.iter().map(|(_, setup)| settings_of(setup)).collect();
    let Some(first) = of_runs.first() else {
        return Vec::new();
    };
    let values = |place: usize| -> Vec<String> {
        let value = |settings: &Vec<(&'static str, String)>| settings.get(place).map(|(_, value)| value.clone());
        of_runs.iter().filter_map(value).collect()
    };
    let is_said = |setting: &str, values: &[String]| {
        let says = |(run, value): (&(&str, &RunSetup), &String)| {
            let (wanted, name) = (format!("{setting}={value}"), run.0.replace('_', "-"));
            name.split(',').any(|part| part == wanted.replace('_', "-"))
        };
        runs.iter().zip(values).all(says)
    };
    let is_usual = |setup: &RunSetup| {
        let usual = setup.mode.settings();
        (usual.actions_max, usual.repredict) == (setup.settings.actions_max, setup.settings.repredict)
    };
    let is_usual = runs.iter().all(|(_, setup)| is_usual(setup));
    let mut differing = Vec::new();
    for (place, (setting, value)) in first.iter().enumerate() {
        let values = values(place);
        if values.iter().any(|other| other != value)
            && !is_said(setting, &values)
            && !(is_usual && OF_THE_MODE.contains(setting))
        {
            differing.push((*setting, values));
        }
    }
    differing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::setup;

    fn with_stride(stride: u32) -> RunSetup {
        let mut setup = setup();
        setup.settings.stride = stride;
        setup
    }

    #[test]
    fn only_what_differs_and_is_not_said_is_left() {
        let (one, four) = (with_stride(1), with_stride(4));
        let columns = |names: [&'static str; 2]| differing(&[(names[0], &one), (names[1], &four)]);
        assert_eq!(columns(["a", "b"]), [("stride", vec!["1".to_owned(), "4".to_owned()])]);
        assert_eq!(columns(["stride=1", "stride=4"]), []);
        assert_eq!(columns(["stride=1", "stride=40"]).len(), 1);
        assert_eq!(differing(&[("a", &one), ("b", &one)]), []);
        assert_eq!(differing(&[]), []);
    }
}
