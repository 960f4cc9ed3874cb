//! Tests of converting published configurations.

use insta::assert_snapshot;

use super::*;
use crate::experiment::Experiment;

fn converted(yaml: &str) -> (Converted, Experiment) {
    let converted = convert(yaml, "base run.yaml").unwrap();
    let known = crate::read::tests::known();
    let experiment = Experiment::read(&converted.toml, "x.toml", Syntax::Toml, &known, &[]);
    let experiment = experiment.unwrap_or_else(|error| panic!("{error}\n{}", converted.toml));
    (converted, experiment)
}

fn arguments(yaml: &str) -> String {
    let (_, experiment) = converted(yaml);
    experiment
        .variants
        .iter()
        .map(|one| one.arguments().join(" "))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_published_protocol_is_converted() {
    let yaml = "
name: single action
trajectory_paths: [data/release/*.json]
max_steps: 1200
max_steps_pct: 1.2
max_context_ops: 32
online_mode: on
repredict_after_accept: true
max_predictions_per_step: 1
heuristics: [steps_saved]
workers: 8
stride: {mode: fixed_interval, interval: 1}
context_shortening: {enabled: true, max_chars: 32, corner_cells_dim: 2}
solver:
  type: llm
  adapter: openai
  model: gpt-5
  num_op_to_pred: 1
  temprature: 0.0
sweep:
  stride.interval: [1, 2]
  max_context_ops: [8, null]
";
    assert_snapshot!(converted(yaml).0.toml, @r#"
    # Converted from base run.yaml.
    # - line 2, `name`: names have only letters, digits, `-` and `_`; it became `single-action`
    # - line 11, `workers`: say `--jobs` on the command line; it changes no figure
    # - line 19, `solver.temprature`: the published system knows no such key and would not have said so (did you mean `solver.temperature`?)
    # - line 22, `max_context_ops`: without a bound the published language models fail at every call; here they see the whole history

    name = "single-action"

    [base]
    corpus = "data/release/*.json"
    predictor = "openai/gpt-5?reading=published&max_actions=1"
    policy = "greedy"
    mode = "single"
    max-actions = 1
    stride = 1
    context = 32
    step-limit = "1200,120%"

    [grid]
    context = [8, { name = "none", value = "all" }]
    stride = [1, 2]
    "#);
}

#[test]
fn published_defaults_are_written_out() {
    assert_snapshot!(converted("solver: {type: online_ngram, max_ngram_n: 3}").0.toml, @r#"
    # Converted from base run.yaml.
    # - `online_mode`, which is not given: napsim always measures on-policy: what is accepted changes what the user still has to do. Measuring offline, the published default, has no counterpart, and figures will differ
    # - `max_context_ops`, which is not given: with a bound the published classical predictors stop learning after 50 actions and repeat themselves; here the last 50 are always known. The paper's rows come out with `context = "all"`
    # - line 1, `solver.max_ngram_n`: the published system does not read it from its files and takes its default, and so does this experiment

    name = "base-run"

    [base]
    corpus = "data/trajectories/*.json"
    predictor = "online-ngram?values=v1"
    policy = "hybrid-1"
    mode = "multi"
    max-actions = "none"
    stride = 1
    context = 50
    step-limit = "none"
    "#);
}

#[test]
fn sweeps_keep_their_order() {
    let yaml = "
online_mode: true
max_context_ops: null
solver: {type: online_ngram}
sweep:
  solver.min_match_length: [2, 3]
  heuristics: [[steps_saved], [ideal_user, precision_60], [nonsense]]
  solver.max_ngram_n: [4, 5]
sweep_zip:
  repredict_after_accept: [yes, no]
  max_predictions_per_step: [1, null]
";
    assert_snapshot!(arguments(yaml), @"
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=4&min_match=2 --policy=greedy --mode=single --max-actions=1 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=4&min_match=2 --policy=greedy --mode=multi --max-actions=1000 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=4&min_match=3 --policy=greedy --mode=single --max-actions=1 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=4&min_match=3 --policy=greedy --mode=multi --max-actions=1000 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=5&min_match=2 --policy=greedy --mode=single --max-actions=1 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=5&min_match=2 --policy=greedy --mode=multi --max-actions=1000 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=5&min_match=3 --policy=greedy --mode=single --max-actions=1 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=5&min_match=3 --policy=greedy --mode=multi --max-actions=1000 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=4&min_match=2 --policy=(precision >= 0.9 and saved >= 1) or (precision >= 0.6) --mode=single --max-actions=1 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=4&min_match=2 --policy=(precision >= 0.9 and saved >= 1) or (precision >= 0.6) --mode=multi --max-actions=1000 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=4&min_match=3 --policy=(precision >= 0.9 and saved >= 1) or (precision >= 0.6) --mode=single --max-actions=1 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=4&min_match=3 --policy=(precision >= 0.9 and saved >= 1) or (precision >= 0.6) --mode=multi --max-actions=1000 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=5&min_match=2 --policy=(precision >= 0.9 and saved >= 1) or (precision >= 0.6) --mode=single --max-actions=1 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=5&min_match=2 --policy=(precision >= 0.9 and saved >= 1) or (precision >= 0.6) --mode=multi --max-actions=1000 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=5&min_match=3 --policy=(precision >= 0.9 and saved >= 1) or (precision >= 0.6) --mode=single --max-actions=1 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=5&min_match=3 --policy=(precision >= 0.9 and saved >= 1) or (precision >= 0.6) --mode=multi --max-actions=1000 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=4&min_match=2 --policy=hybrid-1 --mode=single --max-actions=1 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=4&min_match=2 --policy=hybrid-1 --mode=multi --max-actions=1000 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=4&min_match=3 --policy=hybrid-1 --mode=single --max-actions=1 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=4&min_match=3 --policy=hybrid-1 --mode=multi --max-actions=1000 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=5&min_match=2 --policy=hybrid-1 --mode=single --max-actions=1 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=5&min_match=2 --policy=hybrid-1 --mode=multi --max-actions=1000 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=5&min_match=3 --policy=hybrid-1 --mode=single --max-actions=1 --stride=1 --context=all --step-limit=none
    data/trajectories/*.json --predictor=online-ngram?values=v1&max_n=5&min_match=3 --policy=hybrid-1 --mode=multi --max-actions=1000 --stride=1 --context=all --step-limit=none
    ");
}

#[test]
fn single_changes_keep_the_base() {
    let yaml = "
online_mode: true
solver: {type: completion, adapter: local, model: HuggingFaceTB/SmolLM2-135M}
sweep_independent:
  context_shortening.enabled: [true, false]
  solver.temperature: [0.0, 0.5]
  solver.confidence_threshold: [-0.5]
  stride.interval: [2, 4]
  workers: [1, 2]
";
    let (converted, _) = converted(yaml);
    assert_snapshot!(converted.toml, @r#"
    # Converted from base run.yaml.
    # - `context_shortening_max_chars`, which is not given: values are shortened as in the paper's protocol, by 32, where this configuration has 128
    # - `context_shortening_corner_cells_dim`, which is not given: values are shortened as in the paper's protocol, by 2, where this configuration has 3
    # - line 3, `solver.model`: `napsim model pull smollm/135m` fetches it
    # - line 5, `sweep_independent.context_shortening.enabled`: the published system stops at this spelling; it is read as it was meant
    # - line 5, `sweep_independent`: the base itself is measured, too, and a value that equals it is not measured twice
    # - line 8, `stride.interval`: without `mode: fixed_interval` the published system asks after every step
    # - line 9, `sweep_independent.workers`: say `--jobs` on the command line; it changes no figure

    name = "base-run"

    [base]
    corpus = "data/trajectories/*.json"
    predictor = "smollm/135m?reading=published&context_block=1&max_tokens=4096"
    policy = "hybrid-1"
    mode = "multi"
    max-actions = "none"
    stride = 1
    context = 50
    step-limit = "none"

    [one-at-a-time]
    predictor = [
        { name = "context_shortening_enabled=true", value = "smollm/135m?reading=published&context_block=1&max_tokens=4096" },
        { name = "context_shortening_enabled=false", value = "smollm/135m?reading=published&context_block=1&max_tokens=4096&shorten=false" },
        { name = "temperature=0.0", value = "smollm/135m?reading=published&context_block=1&temperature=0&max_tokens=4096" },
        { name = "temperature=0.5", value = "smollm/135m?reading=published&context_block=1&temperature=0.5&max_tokens=4096" },
        { name = "confidence_threshold=-0.5", value = "smollm/135m?reading=published&context_block=1&max_tokens=4096&confidence=0.6065306597126334" },
    ]
    stride = [{ name = "2", value = 1 }, { name = "4", value = 1 }]
    "#);
}

#[test]
fn whatever_has_no_counterpart_is_named_with_its_line() {
    let yaml = "
online_mode: maybe
trajectories: [a.json, b.json]
stride: {mode: adaptive}
heuristics: [greedy, stepssaved, accept_all]
solver: {type: llm, adapter: custom, model: x?y, device: cuda, system_prompt_file: p.txt, range_mode: absolute}
sweep_zip: {max_steps: [1, 2], max_steps_pct: [0.5]}
colour: red
";
    let (converted, _) = converted(yaml);
    let notes: Vec<String> = converted.notes.iter().map(ToString::to_string).collect();
    assert_snapshot!(notes.join("\n"), @"
    line 2, `online_mode`: expected true or false, found `maybe`; the published default stands for it
    line 2, `online_mode`: napsim always measures on-policy: what is accepted changes what the user still has to do. Measuring offline, the published default, has no counterpart, and figures will differ
    line 3, `trajectory_paths`: a corpus is one file, folder or pattern; only the first one was taken over: put all into one folder
    line 4, `stride.mode`: the published system knows no stride `adaptive` and asks after every step
    line 5, `heuristics`: there is no rule `stepssaved` (did you mean `steps_saved`?); the published system drops it
    line 5, `heuristics`: the published code's `greedy` is `saved >= 0`, which is `non-negative` here; the paper's GREEDY is `steps_saved`
    line 6, `solver.device`: models run on the processor, with the same figures everywhere
    line 6, `solver.system_prompt_file`: templates of prompts are written otherwise here (docs/PROMPTS.md): `--system-prompt`, `--user-prompt` and `--completion-prompt` name files
    line 6, `solver.range_mode`: the published system does not read it from its files and takes its default, and so does this experiment
    line 6, `solver.model`: `x?y` cannot stand in a predictor's name here
    line 6, `solver.adapter`: the adapter `custom` is a class of the published program; serve the model (`local/MODEL`) or write a program of your own (`exec:COMMAND`)
    line 7, `max_steps`: the lists of `sweep_zip` are not equally long, and so none of them was converted
    line 7, `max_steps_pct`: the lists of `sweep_zip` are not equally long, and so none of them was converted
    line 8, `colour`: the published system knows no such key and would not have said so
    ");
    let error = convert("- a", "x.yaml").unwrap_err();
    assert_eq!(
        error.to_string(),
        "read x.yaml:1: expected names with values, found a list"
    );
}

#[test]
fn texts_survive() {
    let yaml = "name: \"a\\\"b\"\nonline_mode: true\ntrajectory_paths: \"x\\\\y\\n\\\"z\\\"\"\n";
    let (_, experiment) = converted(yaml);
    assert_eq!(experiment.variants[0].corpus, "x\\y\n\"z\"");
}
