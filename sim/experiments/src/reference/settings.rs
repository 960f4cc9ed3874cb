//! Settings, one family of published keys after the other.

use super::config::{Value, Values};
use super::notes::Notes;
use super::predictor;
use crate::nearest::hint;

/// Most proposed actions where the published system knows no bound and asks again after each acceptance.
const UNBOUNDED: &str = "1000";

/// Published keys that together make one setting here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Corpus,
    Predictor,
    Policy,
    Mode,
    MaxActions,
    Stride,
    Context,
    StepLimit,
}

impl Family {
    pub(super) const ALL: [Self; 8] = [
        Self::Corpus,
        Self::Predictor,
        Self::Policy,
        Self::Mode,
        Self::MaxActions,
        Self::Stride,
        Self::Context,
        Self::StepLimit,
    ];

    /// The family of a key; none if it makes no setting.
    pub(super) fn of(key: &str) -> Option<Self> {
        match key {
            "trajectory_paths" => Some(Self::Corpus),
            "heuristics" => Some(Self::Policy),
            "repredict_after_accept" => Some(Self::Mode),
            "max_predictions_per_step" => Some(Self::MaxActions),
            "stride.mode" | "stride.interval" => Some(Self::Stride),
            "max_context_ops" => Some(Self::Context),
            "max_steps" | "max_steps_pct" => Some(Self::StepLimit),
            _ if key.starts_with("solver.") || key.starts_with("context_shortening_") => Some(Self::Predictor),
            _ => None,
        }
    }

    /// The setting here.
    pub(super) fn setting(self) -> &'static str {
        match self {
            Self::Corpus => "corpus",
            Self::Predictor => "predictor",
            Self::Policy => "policy",
            Self::Mode => "mode",
            Self::MaxActions => "max-actions",
            Self::Stride => "stride",
            Self::Context => "context",
            Self::StepLimit => "step-limit",
        }
    }

    /// The value of the setting.
    pub(super) fn value(self, values: &Values, notes: &mut Notes) -> String {
        match self {
            Self::Corpus => corpus(values, notes),
            Self::Predictor => predictor::spec(values, notes),
            Self::Policy => policy(values, notes),
            Self::Mode => mode(values, notes).to_owned(),
            Self::MaxActions => max_actions(values, notes),
            Self::Stride => stride(values, notes),
            Self::Context => context(values, notes),
            Self::StepLimit => step_limit(values, notes),
        }
    }
}

/// All settings of the base, and how many trajectories are taken.
pub(super) struct Base {
    pub(super) first: Option<u32>,
    pub(super) settings: Vec<(&'static str, String)>,
}

pub(super) fn base(values: &Values, notes: &mut Notes) -> Base {
    if !values.flag("online_mode", false, notes) {
        let why = "napsim always measures on-policy: what is accepted changes what the user still has to do. Measuring offline, \
                   the published default, has no counterpart, and figures will differ";
        notes.about("online_mode", values.given("online_mode"), why);
    }
    let first = values.count("max_runs", notes).filter(|first| *first > 0);
    let settings = Family::ALL
        .iter()
        .map(|family| (family.setting(), family.value(values, notes)))
        .collect();
    Base { first, settings }
}

fn corpus(values: &Values, notes: &mut Notes) -> String {
    const DEFAULT: &str = "data/trajectories/*.json";
    let paths = values.texts("trajectory_paths", notes).unwrap_or_default();
    if paths.len() > 1 {
        let why = "a corpus is one file, folder or pattern; only the first one was taken over: put all into one folder";
        notes.about("trajectory_paths", values.get("trajectory_paths"), why);
    }
    paths.into_iter().next().unwrap_or_else(|| DEFAULT.to_owned())
}

/// Published names of acceptance rules with ours and what they say.
const RULES: [(&str, &str, &str); 13] = [
    ("steps_saved", "greedy", "saved >= 1"),
    ("ssav2", "greedy-2", "saved >= 2"),
    ("ideal_user", "hybrid-1", "precision >= 0.9 and saved >= 1"),
    ("ideal_user_strict", "hybrid-2", "precision >= 1 and saved >= 2"),
    ("ideal_user_hard_2", "hybrid-2", "precision >= 1 and saved >= 2"),
    ("precision_100", "p100", "precision >= 1"),
    ("precision_90", "p90", "precision >= 0.9"),
    ("precision_60", "p60", "precision >= 0.6"),
    ("perfect", "perfect", "precision >= 1 and recall >= 1"),
    ("f1_80", "f1-80", "f1 >= 0.8"),
    ("greedy", "non-negative", "saved >= 0"),
    ("accept_all", "always", ""),
    ("reject_all", "never", "precision >= 2"),
];

fn policy(values: &Values, notes: &mut Notes) -> String {
    let value = values.get("heuristics");
    let mut rules = Vec::new();
    for name in values.texts("heuristics", notes).unwrap_or_default() {
        match RULES.iter().find(|(published, _, _)| *published == name) {
            Some(rule) if !rules.contains(&rule) => rules.push(rule),
            Some(_) => {}
            None => {
                let hint = hint(&name, RULES.iter().map(|(published, _, _)| *published));
                notes.about(
                    "heuristics",
                    value,
                    format!("there is no rule `{name}`{hint}; the published system drops it"),
                );
            }
        }
    }
    if rules.iter().any(|(published, _, _)| *published == "greedy") {
        let why = "the published code's `greedy` is `saved >= 0`, which is `non-negative` here; the paper's GREEDY is `steps_saved`";
        notes.about("heuristics", value, why);
    }
    match rules.as_slice() {
        [] => "hybrid-1".to_owned(),
        [(_, name, _)] => (*name).to_owned(),
        several if several.iter().any(|(_, _, rule)| rule.is_empty()) => "always".to_owned(),
        several => {
            let rules: Vec<String> = several.iter().map(|(_, _, rule)| format!("({rule})")).collect();
            rules.join(" or ")
        }
    }
}

fn mode(values: &Values, notes: &mut Notes) -> &'static str {
    if values.flag("repredict_after_accept", false, notes) {
        "single"
    } else {
        "multi"
    }
}

fn max_actions(values: &Values, notes: &mut Notes) -> String {
    match values.count("max_predictions_per_step", notes) {
        Some(0) => {
            let value = values.get("max_predictions_per_step");
            notes.about(
                "max_predictions_per_step",
                value,
                "there is no limit of 0 here; it was taken for none",
            );
            UNBOUNDED.to_owned()
        }
        Some(count) => count.to_string(),
        None if values.may_ask_again => UNBOUNDED.to_owned(),
        None => "none".to_owned(),
    }
}

fn stride(values: &Values, notes: &mut Notes) -> String {
    let mode = values
        .text("stride.mode", notes)
        .unwrap_or_else(|| "every_step".to_owned());
    let interval = values.count("stride.interval", notes).unwrap_or(1).max(1);
    if mode == "fixed_interval" {
        return interval.to_string();
    }
    if mode != "every_step" {
        let why = format!("the published system knows no stride `{mode}` and asks after every step");
        notes.about("stride.mode", values.get("stride.mode"), why);
    } else if interval > 1 {
        let why = "without `mode: fixed_interval` the published system asks after every step";
        notes.about("stride.interval", values.get("stride.interval"), why);
    }
    "1".to_owned()
}

fn context(values: &Values, notes: &mut Notes) -> String {
    const DEFAULT: u32 = 50;
    let given = values.given("max_context_ops");
    let context = match given {
        Some(_) => values.count("max_context_ops", notes).unwrap_or(0),
        None => DEFAULT,
    };
    if context == 0 {
        if predictor::is_language_model(values, notes) {
            let why =
                "without a bound the published language models fail at every call; here they see the whole history";
            notes.about("max_context_ops", given, why);
        }
        return "all".to_owned();
    }
    if predictor::is_classical(values, notes) {
        let why = format!(
            "with a bound the published classical predictors stop learning after {context} actions and repeat themselves; \
             here the last {context} are always known. The paper's rows come out with `context = \"all\"`"
        );
        notes.about("max_context_ops", given, why);
    }
    context.to_string()
}

fn step_limit(values: &Values, notes: &mut Notes) -> String {
    let mut parts = Vec::new();
    if let Some(steps) = values.count("max_steps", notes) {
        parts.push(steps.to_string());
    }
    if let Some(share) = values.number("max_steps_pct", notes) {
        parts.push(percent(share, values.get("max_steps_pct"), notes));
    }
    if parts.is_empty() {
        "none".to_owned()
    } else {
        parts.join(",")
    }
}

/// A share in per cent, without what binary fractions add.
fn percent(share: f64, value: Option<&Value>, notes: &mut Notes) -> String {
    const PERCENT_MAX: f64 = 1e6;
    let percent = (share * 100.0).clamp(0.0, PERCENT_MAX);
    if !(0.0..=PERCENT_MAX).contains(&(share * 100.0)) {
        notes.about(
            "max_steps_pct",
            value,
            "shares go from 0 to 10,000 times the length here",
        );
    }
    let text = format!("{percent:.10}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}%")
}
