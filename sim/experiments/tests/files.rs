//! The experiments that come with the program, and the schema of experiment files.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds something else has failed"
)]

use std::path::{Path, PathBuf};

use napsim_experiments::{Experiment, KnownSettings, Setting, Syntax};
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schema() -> Value {
    let file = root().join("docs/schemas/napsim-experiment-1.schema.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// The settings that the schema names.
fn known() -> KnownSettings {
    let schema = schema();
    let names = schema["$defs"]["setting-name"]["enum"].as_array().unwrap();
    let names = names
        .iter()
        .map(|name| name.as_str().unwrap())
        .filter(|name| !name.contains('_') && *name != "corpus");
    let settings = names.map(|name| Setting {
        name: name.to_owned(),
        is_flag: name == "lenient",
        is_list: name == "trigger",
    });
    KnownSettings {
        settings: settings.collect(),
        command_line_only: vec!["jobs".to_owned()],
    }
}

fn read(text: &str, file: &str) -> Result<Experiment, String> {
    let syntax = Syntax::of_file(Path::new(file)).unwrap();
    Experiment::read(text, file, syntax, &known(), &[]).map_err(|error| error.to_string())
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if Syntax::of_file(&path).is_some() {
            found.push(path);
        }
    }
}

#[test]
fn the_experiments_that_come_along_can_be_read() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let mut all = Vec::new();
    files(&root().join("experiments"), &mut all);
    assert!(all.len() >= 10, "{all:?}");
    for file in all {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        let experiment = read(&text, name).unwrap_or_else(|error| panic!("{error}"));
        assert!(
            experiment.variants.len() > 1 && experiment.description.is_some(),
            "{name}"
        );
        assert_eq!(experiment.name, file.file_stem().unwrap().to_str().unwrap());
        if name.ends_with(".toml") {
            let value: Value = toml::from_str(&text).unwrap();
            let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{name}: {errors:?}");
        }
    }
}

#[test]
fn the_first_experiment_is_the_same_in_both_syntaxes() {
    let [toml, yaml] = ["first.toml", "first.yaml"].map(|name| {
        let text = std::fs::read_to_string(root().join("experiments").join(name)).unwrap();
        let mut experiment = read(&text, name).unwrap();
        experiment.variants.iter_mut().for_each(|variant| variant.line = None);
        experiment
    });
    assert_eq!(toml.variants, yaml.variants);
    assert_eq!((toml.name, toml.baseline), (yaml.name, yaml.baseline));
}

#[test]
fn the_schema_and_the_reader_agree_on_what_is_wrong() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let wrong = [
        "x = 1",
        "name = 'a b'",
        "name = true",
        "repeats = 0",
        "repeats = 10001",
        "repeats = 1.5",
        "first = 0",
        "names = '{stride'",
        "base = 3",
        "[base]\nstrid = 1",
        "[base]\nfirst = 1",
        "[base]\npredictor = ''",
        "[base]\ntrigger = ['']",
        "[grid]\npredictor = ['none', '']",
        "[base]\njobs = 1",
        "[base]\nstride = { name = 'a', value = 1 }",
        "[grid]\nstride = 1",
        "[grid]\nstride = []",
        "[grid]\nstrid = [1]",
        "[grid]\nstride = [{ name = 'a' }]",
        "[grid]\nstride = [{ name = 'a', value = 1, more = 2 }]",
        "[one-at-a-time]\nstride = 1",
        "[zip]\nstride = 'x'",
        "variant = 1",
        "[[variant]]\nstride = 1",
        "[[variant]]\nname = 'a'\nstrid = 1",
        "[[variant]]\nname = ''",
    ];
    for text in wrong {
        let value: Value = toml::from_str(text).unwrap();
        assert!(!validator.is_valid(&value), "the schema takes {text:?}");
        assert!(read(text, "x.toml").is_err(), "the reader takes {text:?}");
    }
}

#[test]
fn the_file_that_the_documentation_shows_can_be_read() {
    let text = std::fs::read_to_string(root().join("docs/EXPERIMENTS.md")).unwrap();
    let (_, rest) = text.split_once("```toml\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let experiment = read(example, "x.toml").unwrap();
    assert_eq!((experiment.name.as_str(), experiment.variants.len()), ("asking", 12));
    let value: Value = toml::from_str(example).unwrap();
    assert!(jsonschema::validator_for(&schema()).unwrap().is_valid(&value));
}
