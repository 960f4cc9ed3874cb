//! The settings that an experiment may have: the options of `napsim run`.

use clap::{ArgAction, Args, Command};
use napsim_experiments::{KnownSettings, Setting};

use crate::cli::run::RunArgs;

/// Options that say how a command is carried out, which no figure depends on.
const COMMAND_LINE_ONLY: [&str; 22] = [
    "jobs",
    "engine",
    "out",
    "force",
    "gate",
    "log-calls",
    "per-trajectory",
    "json",
    "timings",
    "quiet",
    "dry-run",
    "cache",
    "no-cache",
    "record",
    "replay",
    "prices",
    "budget-usd",
    "budget-tokens",
    "connections",
    "requests-per-minute",
    "tokens-per-minute",
    "retries",
];

/// What a variant may set.
pub(in crate::cli) fn known_settings() -> KnownSettings {
    let command = RunArgs::augment_args(Command::new("run"));
    let options = command
        .get_arguments()
        .filter_map(|argument| Some((argument.get_long()?, argument)));
    let settings = options
        .filter(|(name, _)| !COMMAND_LINE_ONLY.contains(name))
        .map(|(name, argument)| Setting {
            name: name.to_owned(),
            is_flag: matches!(argument.get_action(), ArgAction::SetTrue),
            is_list: matches!(argument.get_action(), ArgAction::Append),
        });
    KnownSettings {
        settings: settings.collect(),
        command_line_only: COMMAND_LINE_ONLY.map(str::to_owned).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_a_setting_or_of_the_command_line() {
        let command = RunArgs::augment_args(Command::new("run"));
        let names: Vec<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
        for name in COMMAND_LINE_ONLY {
            assert!(names.contains(&name), "there is no --{name} any more");
        }
        let known = known_settings();
        let of = |name: &str| known.settings.iter().find(|setting| setting.name == name);
        assert!(of("stride").is_some_and(|setting| !setting.is_flag && !setting.is_list));
        assert!(of("trigger").is_some_and(|setting| setting.is_list));
        assert!(of("lenient").is_some_and(|setting| setting.is_flag));
        assert!(of("jobs").is_none());
    }

    /// The schema is for editors, which know nothing of the program.
    #[test]
    fn the_schema_names_the_same_settings() {
        let text = include_str!("../../../docs/schemas/napsim-experiment-1.schema.json");
        let schema: serde_json::Value = serde_json::from_str(text).unwrap();
        let names = schema["$defs"]["setting-name"]["enum"].as_array().unwrap();
        let spelled = |name: &str| name.replace('_', "-");
        let mut in_schema: Vec<String> = names.iter().filter_map(|name| name.as_str()).map(spelled).collect();
        in_schema.sort_unstable();
        in_schema.dedup();
        let mut known: Vec<String> = known_settings()
            .settings
            .into_iter()
            .map(|setting| setting.name)
            .collect();
        known.push("corpus".to_owned());
        known.sort_unstable();
        assert_eq!(in_schema, known);
    }
}
