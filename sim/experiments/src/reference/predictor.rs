//! The published `solver` as a predictor here.

use super::config::Values;
use super::notes::Notes;
use crate::tree::{Kind, Node};

/// Makes a run stop with a clear message where a solver has no counterpart.
const MISSING: &str = "exec:./the-published-solver-has-no-counterpart";

/// Whether the solver is one of those that learn or were trained without a language model.
pub(super) fn is_classical(values: &Values, notes: &mut Notes) -> bool {
    matches!(
        kind(values, notes).as_str(),
        "ngram" | "online_ngram" | "lstm" | "xgboost"
    )
}

/// Whether the solver is a language model.
pub(super) fn is_language_model(values: &Values, notes: &mut Notes) -> bool {
    matches!(kind(values, notes).as_str(), "llm" | "chat" | "completion")
}

fn kind(values: &Values, notes: &mut Notes) -> String {
    values
        .text("solver.type", notes)
        .unwrap_or_else(|| "constant".to_owned())
}

/// The predictor with its options.
pub(super) fn spec(values: &Values, notes: &mut Notes) -> String {
    let kind = kind(values, notes);
    let about = |why: String, notes: &mut Notes| notes.about("solver.type", values.get("solver.type"), why);
    match kind.as_str() {
        "constant" => "none".to_owned(),
        "online_ngram" => {
            let mut options = feature_options(
                values,
                &[("max_n", "max_ngram_n"), ("min_match", "min_match_length")],
                notes,
            );
            options.insert(0, "values=v1".to_owned());
            join("online-ngram", &options)
        }
        "ngram" | "lstm" => {
            let why = format!(
                "the published training data is not public: this is the model that comes with the program; train another by \
                 `napsim train {kind}` and name it, `{kind}?values=v1&model=FILE`"
            );
            about(why, notes);
            let mut options = feature_options(values, &[], notes);
            options.insert(0, "values=v1".to_owned());
            join(&kind, &options)
        }
        "xgboost" => {
            let why = "the published training data is not public, and the model that comes with the program ranks candidates, \
                       which the published one does not; train another by `napsim train xgboost`";
            about(why.to_owned(), notes);
            join("xgboost", &feature_options(values, &[], notes))
        }
        "llm" | "chat" | "completion" => language_model(values, &kind, notes),
        other => {
            about(
                format!("there is no solver `{other}`; write the predictor that is meant"),
                notes,
            );
            MISSING.to_owned()
        }
    }
}

/// Options of the classical predictors, which only sweeps can set.
fn feature_options(values: &Values, own: &[(&str, &str)], notes: &mut Notes) -> Vec<String> {
    let common = [
        ("range_mode", "range_mode"),
        ("max_actions", "max_predictions"),
        ("stop_on_type_change", "stop_on_type_change"),
    ];
    let mut options = Vec::new();
    for (ours, published) in common.iter().chain(own) {
        if let Some(text) = simple(values, &format!("solver.{published}"), notes) {
            options.push(format!("{ours}={text}"));
        }
    }
    for published in ["training_data_path", "model_dir", "max_n", "window_size", "transforms"] {
        let key = format!("solver.{published}");
        if let Some(value) = values.get(&key) {
            notes.about(
                &key,
                Some(value),
                "it has no counterpart as an option; name a trained model, `?model=FILE`, instead",
            );
        }
    }
    options
}

fn language_model(values: &Values, kind: &str, notes: &mut Notes) -> String {
    let adapter = simple(values, "solver.adapter", notes).unwrap_or_else(|| "openai".to_owned());
    let model = simple(values, "solver.model", notes).unwrap_or_else(|| "gpt-4o-mini".to_owned());
    let address = simple(values, "solver.base_url", notes);
    let mut options = vec!["reading=published".to_owned()];
    let name = match (adapter.as_str(), address) {
        ("openai", None) => format!("openai/{model}"),
        ("openai", Some(address)) => {
            options.push(format!("base_url={address}"));
            format!("local/{model}")
        }
        ("local", _) => local_model(&model, kind, values, notes),
        (_, _) => {
            let why = format!(
                "the adapter `{adapter}` is a class of the published program; serve the model (`local/MODEL`) or write a \
                 program of your own (`exec:COMMAND`)"
            );
            notes.about("solver.adapter", values.get("solver.adapter"), why);
            return MISSING.to_owned();
        }
    };
    let is_local = adapter == "local";
    if is_local {
        options.push("context_block=1".to_owned());
    } else if kind == "completion" {
        options.push("api=completion".to_owned());
    }
    prompt_options(values, is_local, kind, &mut options, notes);
    join(&name, &options)
}

/// A model in a folder, or one that is known by a short name.
fn local_model(model: &str, kind: &str, values: &Values, notes: &mut Notes) -> String {
    if kind != "completion" {
        let why = "models that run in the program here continue a text, as `completion` does; the published chat prompt can be had \
                   through a server, `local/MODEL?base_url=URL`";
        notes.about("solver.type", values.get("solver.type"), why);
    }
    let short = match model {
        "HuggingFaceTB/SmolLM2-135M" => "135m",
        "HuggingFaceTB/SmolLM2-360M" => "360m",
        "HuggingFaceTB/SmolLM2-135M-Instruct" => "135m-instruct",
        "HuggingFaceTB/SmolLM2-360M-Instruct" => "360m-instruct",
        path => {
            notes.about(
                "solver.model",
                values.get("solver.model"),
                "it is read as a folder here",
            );
            return format!("smollm:{path}");
        }
    };
    let why = format!("`napsim model pull smollm/{short}` fetches it");
    notes.about("solver.model", values.get("solver.model"), why);
    format!("smollm/{short}")
}

fn prompt_options(values: &Values, is_local: bool, kind: &str, options: &mut Vec<String>, notes: &mut Notes) {
    const TOKENS_DEFAULT: &str = "4096";
    if let Some(temperature) = values.number("solver.temperature", notes) {
        // The shortest spelling, as predictors have it: `0` for `0.0`.
        options.push(format!("temperature={temperature}"));
    }
    if let Some(count) = values.count("solver.num_op_to_pred", notes).filter(|count| *count > 0) {
        options.push(format!("max_actions={count}"));
    }
    let tokens = simple(values, "solver.max_tokens", notes);
    if tokens.is_some() || is_local || kind == "completion" {
        options.push(format!("max_tokens={}", tokens.as_deref().unwrap_or(TOKENS_DEFAULT)));
    }
    let intent = values.flag("solver.emit_intent", false, notes);
    if intent && (is_local || kind == "completion") {
        let why = "a model that continues a text is asked for actions alone here";
        notes.about("solver.emit_intent", values.get("solver.emit_intent"), why);
    } else if intent {
        options.push("intent=true".to_owned());
    }
    if values.flag("solver.emit_stop_instruction", false, notes) {
        options.push("stop_sentence=true".to_owned());
    }
    if !values.flag("solver.remove_sheet_name", true, notes) {
        let why = "names of sheets are always left out of the prompt here";
        notes.about("solver.remove_sheet_name", values.get("solver.remove_sheet_name"), why);
    }
    if let Some(threshold) = values.number("solver.confidence_threshold", notes) {
        // Published thresholds are mean log-probabilities, ours their exponentials.
        options.push(format!("confidence={}", threshold.exp().clamp(0.0, 1.0)));
    }
    shortening(values, options, notes);
}

fn shortening(values: &Values, options: &mut Vec<String>, notes: &mut Notes) {
    if !values.flag("context_shortening_enabled", true, notes) {
        options.push("shorten=false".to_owned());
        return;
    }
    let published = [
        ("context_shortening_max_chars", 128, 32),
        ("context_shortening_corner_cells_dim", 3, 2),
    ];
    for (key, default, ours) in published {
        let count = values.count(key, notes).unwrap_or(default);
        if count != ours {
            let why = format!(
                "values are shortened as in the paper's protocol, by {ours}, where this configuration has {count}"
            );
            notes.about(key, values.get(key), why);
        }
    }
    if let Some(value) = values.get("context_shortening_max_cells_2d") {
        notes.about(
            "context_shortening_max_cells_2d",
            Some(value),
            "the limit of cells follows from the corners here",
        );
    }
}

/// A single value that can stand in a predictor's name.
fn simple(values: &Values, key: &str, notes: &mut Notes) -> Option<String> {
    let value = values.get(key)?;
    let text = match &value.kind {
        Kind::Text(text) | Kind::Number(text) => Some(text.clone()),
        Kind::Flag(flag) => Some(flag.to_string()),
        Kind::Nothing | Kind::List(_) | Kind::Table(_) => None,
    };
    let is_simple = |text: &String| !text.is_empty() && !text.contains(['?', '&', '(', ')', '\n']);
    let text = text.filter(is_simple);
    if text.is_none() {
        let found = Node::describe(value);
        notes.about(
            key,
            Some(value),
            format!("{found} cannot stand in a predictor's name here"),
        );
    }
    text
}

fn join(name: &str, options: &[String]) -> String {
    if options.is_empty() {
        name.to_owned()
    } else {
        format!("{name}?{}", options.join("&"))
    }
}
