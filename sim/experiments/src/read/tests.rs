//! Tests of reading experiment files.

use super::*;
use crate::known::Setting;

/// Some options of `napsim run`.
pub(crate) fn known() -> KnownSettings {
    let setting = |name: &str, is_flag, is_list| Setting {
        name: name.to_owned(),
        is_flag,
        is_list,
    };
    let single = [
        "predictor",
        "policy",
        "protocol",
        "mode",
        "stride",
        "context",
        "context-block",
        "values",
        "confidence",
        "max-actions",
        "step-limit",
        "undo-max",
        "chain-max",
        "seed",
        "base-url",
        "system-prompt",
        "user-prompt",
        "completion-prompt",
        "on-failed-call",
        "timeout",
        "start-timeout",
        "on-crash",
        "restarts",
    ];
    let mut settings: Vec<Setting> = single.into_iter().map(|name| setting(name, false, false)).collect();
    settings.push(setting("trigger", false, true));
    settings.push(setting("lenient", true, false));
    let command_line_only = ["out", "force", "json", "jobs", "engine", "retries"];
    KnownSettings {
        settings,
        command_line_only: command_line_only.map(str::to_owned).to_vec(),
    }
}

fn read(text: &str, overrides: &[&str]) -> Result<Experiment, ExperimentError> {
    let overrides: Vec<Override> = overrides.iter().map(|text| Override::parse(text).unwrap()).collect();
    Experiment::read(text, "my.toml", Syntax::Toml, &known(), &overrides)
}

fn names(experiment: &Experiment) -> Vec<&str> {
    experiment
        .variants
        .iter()
        .map(|variant| variant.name.as_str())
        .collect()
}

#[test]
fn a_file_without_sweeps_is_one_variant() {
    let experiment = read("[base]\nstride = 2\n", &[]).unwrap();
    assert_eq!(names(&experiment), ["base"]);
    assert_eq!(experiment.name, "my");
    assert_eq!(experiment.variants[0].arguments(), ["napsim-52", "--stride=2"]);
}
