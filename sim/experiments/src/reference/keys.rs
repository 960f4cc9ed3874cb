//! The keys of published configurations and what becomes of them.

/// What becomes of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is converted.
    Converted,
    /// The published loader does not read it from a file, but sweeps over it have an effect.
    NotLoaded,
    /// It has no counterpart, for this reason.
    Without(&'static str),
}

use Fate::{Converted, NotLoaded, Without};

const KEPT_ANYWAY: &str = "records are kept in the store by themselves";
const PROMPTS: &str = "templates of prompts are written otherwise here (docs/PROMPTS.md): `--system-prompt`, `--user-prompt` and \
                       `--completion-prompt` name files";
const ANSWERS_KEPT: &str =
    "answers are always kept and shared (`--cache`, `--no-cache`); the published system kept none";
const STOPS: &str = "where an answer stops cannot be set";
const CYCLES: &str = "repetitions are ended by rules of our own";
const OBSOLETE: &str = "the published system uses it nowhere, either";

/// Every key, with dots where it stands in a table.
pub(super) const KEYS: [(&str, Fate); 58] = [
    ("name", Converted),
    ("trajectory_paths", Converted),
    ("max_runs", Converted),
    ("max_steps", Converted),
    ("max_steps_pct", Converted),
    (
        "workers",
        Without("say `--jobs` on the command line; it changes no figure"),
    ),
    ("max_context_ops", Converted),
    ("online_mode", Converted),
    ("repredict_after_accept", Converted),
    ("max_predictions_per_step", Converted),
    ("output_dir", Without("say `--store` on the command line")),
    ("save_prediction_folders", Without(KEPT_ANYWAY)),
    ("buffered_writes", Without(KEPT_ANYWAY)),
    ("heuristics", Converted),
    ("stride.mode", Converted),
    ("stride.interval", Converted),
    ("context_shortening_enabled", Converted),
    ("context_shortening_max_chars", Converted),
    ("context_shortening_corner_cells_dim", Converted),
    ("context_shortening_max_cells_2d", Converted),
    ("solver.type", Converted),
    ("solver.adapter", Converted),
    ("solver.model", Converted),
    ("solver.adapter_class", Converted),
    ("solver.adapter_kwargs", Converted),
    ("solver.temperature", Converted),
    ("solver.max_tokens", Converted),
    ("solver.num_op_to_pred", Converted),
    ("solver.cache_enabled", Without(ANSWERS_KEPT)),
    ("solver.cache_path", Without(ANSWERS_KEPT)),
    ("solver.emit_intent", Converted),
    ("solver.remove_sheet_name", Converted),
    ("solver.system_prompt", Without(PROMPTS)),
    ("solver.system_prompt_file", Without(PROMPTS)),
    ("solver.user_prompt", Without(PROMPTS)),
    ("solver.user_prompt_file", Without(PROMPTS)),
    ("solver.completion_prompt", Without(PROMPTS)),
    ("solver.completion_prompt_file", Without(PROMPTS)),
    ("solver.stop_sequences", Without(STOPS)),
    ("solver.detect_repetition", Without(CYCLES)),
    ("solver.max_cycle_len", Without(CYCLES)),
    ("solver.max_repeats", Without(CYCLES)),
    ("solver.confidence_threshold", Converted),
    (
        "solver.repetition_penalty",
        Without("there is no penalty on repetitions here"),
    ),
    (
        "solver.device",
        Without("models run on the processor, with the same figures everywhere"),
    ),
    (
        "solver.torch_dtype",
        Without("weights are used as they lie in the model's file"),
    ),
    ("solver.base_url", Converted),
    ("solver.emit_stop_instruction", NotLoaded),
    ("solver.training_data_path", NotLoaded),
    ("solver.max_n", NotLoaded),
    ("solver.model_dir", NotLoaded),
    ("solver.window_size", NotLoaded),
    ("solver.range_mode", NotLoaded),
    ("solver.max_predictions", NotLoaded),
    ("solver.stop_on_type_change", NotLoaded),
    ("solver.max_ngram_n", NotLoaded),
    ("solver.min_match_length", NotLoaded),
    ("solver.transforms", NotLoaded),
];

/// Keys that old configurations have and nothing reads.
pub(super) const OBSOLETE_KEYS: [&str; 2] = ["solver.num_predictions", "solver.use_cell_patterns"];

/// The tables in which keys may stand.
pub(super) const TABLES: [&str; 3] = ["stride", "solver", "context_shortening"];

/// What becomes of that key; none if there is no such key.
pub(super) fn fate(key: &str) -> Option<Fate> {
    if OBSOLETE_KEYS.contains(&key) {
        return Some(Without(OBSOLETE));
    }
    KEYS.iter().find(|(known, _)| *known == key).map(|(_, fate)| *fate)
}
