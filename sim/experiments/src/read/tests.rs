//! Tests of reading experiment files.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;
use crate::error::Place;
use crate::experiment::Variant;
use crate::known::Setting;

mod syntaxes;

/// Some options of `napsim run`.
pub(crate) fn known() -> KnownSettings {
    let setting = |name: &str, is_flag, is_list| Setting {
        name: name.to_owned(),
        is_flag,
        is_list,
    };
    let single = "predictor policy protocol mode stride context context-block values confidence max-actions step-limit \
                  undo-max chain-max seed base-url system-prompt user-prompt completion-prompt on-failed-call timeout \
                  start-timeout on-crash restarts";
    let mut settings: Vec<Setting> = single
        .split_whitespace()
        .map(|name| setting(name, false, false))
        .collect();
    settings.push(setting("trigger", false, true));
    settings.push(setting("lenient", true, false));
    let command_line_only = ["out", "force", "json", "jobs", "engine", "retries"];
    KnownSettings {
        settings,
        command_line_only: command_line_only.map(str::to_owned).to_vec(),
    }
}

fn read_as(text: &str, syntax: Syntax, overrides: &[&str]) -> Result<Experiment, ExperimentError> {
    let overrides: Vec<Override> = overrides.iter().map(|text| Override::parse(text).unwrap()).collect();
    let file = if syntax == Syntax::Toml { "my.toml" } else { "my.yaml" };
    Experiment::read(text, file, syntax, &known(), &overrides)
}

fn read(text: &str, overrides: &[&str]) -> Result<Experiment, ExperimentError> {
    read_as(text, Syntax::Toml, overrides)
}

/// One line a variant: its name and arguments.
fn lines(experiment: &Experiment) -> String {
    let lines = experiment
        .variants
        .iter()
        .map(|variant| format!("{}: {}", variant.name, variant.arguments().join(" ")));
    lines.collect::<Vec<_>>().join("\n")
}

fn variants(text: &str, overrides: &[&str]) -> String {
    lines(&read(text, overrides).unwrap())
}

fn message(text: &str) -> String {
    read(text, &[]).unwrap_err().to_string()
}

const FULL: &str = r#"
name = "full"
repeats = 3
baseline = "policy=sure,mode=multi,max_actions=5"
first = 10
[base]
corpus = "my/corpus"
lenient = true
trigger = ["after:merge", "run:3"]
context = 32
[grid]
policy = ["greedy", { name = "sure", value = "precision >= 0.9" }]
[zip]
mode = ["single", "multi"]
max_actions = ["none", 5]
[one-at-a-time]
context = ["all", 32, 8]
confidence = ["default", 0.50]
[[variant]]
name = "floor"
predictor = "repeat-last"
trigger = []
"#;

#[test]
fn a_file_without_sweeps_is_one_variant() {
    let experiment = read("[base]\nstride = 2\n", &[]).unwrap();
    assert_eq!(lines(&experiment), "base: napsim-52 --stride=2");
    assert_eq!(
        (experiment.name.as_str(), experiment.repeats, experiment.first),
        ("my", 1, None)
    );
    assert_eq!(variants("", &[]), "base: napsim-52");
    assert_eq!(
        read("[base]\n", &["name=other", "repeats=5", "first=3"])
            .unwrap()
            .repeats,
        5
    );
}

#[test]
fn all_kinds_of_sweeps_stand_side_by_side() {
    let experiment = read(FULL, &[]).unwrap();
    assert_eq!(
        experiment.baseline.as_deref(),
        Some("policy=sure,mode=multi,max_actions=5")
    );
    assert_snapshot!(lines(&experiment), @"
    policy=greedy,mode=single,max_actions=none: my/corpus --lenient --trigger=after:merge --trigger=run:3 --context=32 --policy=greedy --mode=single
    policy=greedy,mode=multi,max_actions=5: my/corpus --lenient --trigger=after:merge --trigger=run:3 --context=32 --policy=greedy --mode=multi --max-actions=5
    policy=sure,mode=single,max_actions=none: my/corpus --lenient --trigger=after:merge --trigger=run:3 --context=32 --policy=precision >= 0.9 --mode=single
    policy=sure,mode=multi,max_actions=5: my/corpus --lenient --trigger=after:merge --trigger=run:3 --context=32 --policy=precision >= 0.9 --mode=multi --max-actions=5
    base: my/corpus --lenient --trigger=after:merge --trigger=run:3 --context=32
    context=all: my/corpus --lenient --trigger=after:merge --trigger=run:3 --context=all
    context=8: my/corpus --lenient --trigger=after:merge --trigger=run:3 --context=8
    confidence=0.50: my/corpus --lenient --trigger=after:merge --trigger=run:3 --context=32 --confidence=0.50
    floor: my/corpus --lenient --context=32 --predictor=repeat-last
    ");
}

#[test]
fn overrides_win() {
    let text = "baseline = 'stride=1'\n[grid]\nstride = [1, 2]\nmode = ['single', 'multi']\n[[variant]]\nname = 'x'\nstride = 9";
    let experiment = read(text, &["stride=4", "stride=5"]).unwrap();
    assert_snapshot!(lines(&experiment), @"
    mode=single: napsim-52 --stride=5 --mode=single
    mode=multi: napsim-52 --stride=5 --mode=multi
    x: napsim-52 --stride=5
    ");
    assert_eq!(experiment.baseline, None);
    assert_snapshot!(experiment.notes.join("\n"), @"
    `--set stride=4` takes the place of the values of `stride` in the file.
    With these settings there is no variant `stride=1` to compare with.
    ");
    let zip = "[zip]\nmode = ['single', 'multi', 'multi']\nmax-actions = [1, 1, 2]";
    assert_snapshot!(variants(zip, &["max_actions=3"]), @"
    mode=single: napsim-52 --max-actions=3 --mode=single
    mode=multi: napsim-52 --max-actions=3 --mode=multi
    ");
    assert_snapshot!(variants("[grid]\nstride = [1, 2]", &["stride=4"]), @"base: napsim-52 --stride=4");
    assert_snapshot!(variants("[base]\ncontext = 8\nlenient = true", &["context=default", "lenient=false"]), @"base: napsim-52");
    assert_snapshot!(variants("", &["policy=precision >= 0.9", "trigger=['run:3', 'kind-change']"]), @"base: napsim-52 --policy=precision >= 0.9 --trigger=run:3 --trigger=kind-change");
}

#[test]
fn names_come_from_a_template() {
    let text =
        "names = '{predictor} every {stride}'\n[base]\npredictor = 'none'\n[grid]\nstride = [1, {name='two', value=2}]";
    assert_snapshot!(variants(text, &[]), @"
    none every 1: napsim-52 --predictor=none --stride=1
    none every two: napsim-52 --predictor=none --stride=2
    ");
    let of_base = "baseline = 'context=8'\n[base]\ncontext = 8\n[one-at-a-time]\ncontext = [8, 32]";
    assert_eq!(read(of_base, &[]).unwrap().baseline.as_deref(), Some("base"));
}

#[test]
fn what_equals_the_base_is_measured_once() {
    let text = "[base]\nstride = 1\nconfidence = 0.5\ntrigger = ['run:3']\n[one-at-a-time]\nstride = [1, 2]\nconfidence = [0.50, 0.05, '.5']\n\
                trigger = [['run:3'], []]\ncorpus = ['napsim-52', 'other']\nlenient = [false, true]\ncontext = ['default', 8]\n";
    let experiment = read(text, &[]).unwrap();
    let names: Vec<&str> = experiment.variants.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "base",
            "stride=2",
            "confidence=0.05",
            "confidence=.5",
            "trigger=none",
            "corpus=other",
            "lenient=true",
            "context=8"
        ]
    );
    assert_eq!(
        experiment.notes,
        [
            "`stride=1`, `confidence=0.50`, `trigger=run:3`, `corpus=napsim-52`, `lenient=false` and 1 more equal the base, which \
          is measured once, as `base`."
        ]
    );
    let of = |values: &str| read(&format!("[base]\nstride = 1\n[one-at-a-time]\n{values}"), &[]).unwrap();
    assert_eq!(
        of("stride = [1, 2]").notes,
        ["`stride=1` equals the base and is measured once, as `base`."]
    );
    assert_eq!(
        of("stride = [1, 2]\nlenient = [false]").notes,
        ["`stride=1` and `lenient=false` equal the base, which is measured once, as `base`."]
    );
    assert!(of("stride = [2, 10, 100]").notes.is_empty());
}

#[test]
fn values_of_the_command_line_are_known_as_such() {
    let experiment = read(
        "[base]\nstride = 1\n[grid]\nmode = ['single', 'multi']",
        &["stride=0", "context=8"],
    )
    .unwrap();
    let place = |setting| experiment.place(&experiment.variants[0], setting);
    assert_eq!(place("stride"), Place::Override("stride=0".to_owned()));
    assert_eq!(
        (place("context"), place("mode")),
        (Place::Override("context=8".to_owned()), Place::Line(4))
    );
    let without = read("", &["first=3"]).unwrap();
    assert_eq!(without.place(&without.variants[0], "first"), Place::File);
}

#[test]
fn toml_and_yaml_mean_the_same() {
    let yaml = "
name: full
repeats: 3
baseline: policy=sure,mode=multi,max_actions=5
first: 10
base: {corpus: my/corpus, lenient: true, trigger: &t [after:merge, run:3], context: 32}
grid:
  policy: [greedy, {name: sure, value: precision >= 0.9}]
zip:
  mode: [single, multi]
  max_actions: [none, 5]
one_at_a_time:
  context: [all, 32, 8]
  confidence: [~, 0.50]
variant:
- name: floor
  predictor: repeat-last
  trigger: []
";
    let mut from_yaml = read_as(yaml, Syntax::Yaml, &[]).unwrap();
    let mut from_toml = read(FULL, &[]).unwrap();
    for variant in from_yaml.variants.iter_mut().chain(&mut from_toml.variants) {
        variant.line = None;
    }
    assert_eq!(from_yaml, from_toml);
}

#[test]
fn messages_name_file_line_and_what_was_expected() {
    let texts = [
        "x = 1",
        "name = 'a b'",
        "repeats = 0",
        "repeats = 10001",
        "stride = 4",
        "jobs = 4",
        "griid = 4",
        "[base]\nstrid = 4",
        "[base]\njobs = 4",
        "[base]\nfirst = 4",
        "[grid]\nrepeats = [4]",
        "[[variant]]\nname = 'a'\none_at_a_time = 4",
        "[base]\npredictor = ''",
        "[grid]\npredictor = ['none', '']",
        "[base]\ntrigger = ['run:3', '']",
        "[base]\nstride = [1, 2]",
        "[base]\nlenient = 1",
        "[base]\nstride = 2024-01-01",
        "[base]\nconfidence = nan",
        "[base]\nmax_actions = 1\nmax-actions = 2",
        "[base]\nstride = 1\nstride = 2",
        "[grid]\nstride = 4",
        "[grid]\nstride = []",
        "[grid]\nstride = [1,\n 1]",
        "[grid]\nstride = [{ name = 'x', valu = 1 }]",
        "[grid]\nstride = [{ name = 'x' }]",
        "[grid]\nstride = [1]\n[zip]\nstride = [2]",
        "[zip]\nstride = [1, 2]\nmode = ['single']",
        "[[variant]]\nstride = 1",
        "variant = 3",
        "[[variant]]\nname = 'a'\n[[variant]]\nname = 'a'",
        "[[variant]]\nname = \"a\\nb\"",
        "baseline = 'stride=3'\n[grid]\nstride = [1, 2]",
        "names = '{strid}'",
        "names = '{stride'",
        "names = 'x'\n[grid]\nstride = [1, 2]",
        "[base",
    ];
    let messages: Vec<String> = texts.into_iter().map(message).collect();
    assert_snapshot!(messages.join("\n"), @r"
    read my.toml:1: `x` is no part of an experiment
    read my.toml:1: the name `a b` has other characters than letters, digits, `-` and `_`
    read my.toml:1: expected a whole number from 1 as `repeats`, found `0`
    read my.toml:1: expected at most 10000 repeats (repeats_max), found more
    read my.toml:1: the setting `stride` belongs into [base], or with a list of values into [grid], [zip] or [one-at-a-time]
    read my.toml:1: `jobs` belongs to the command line: it says how a command is carried out, not what is measured
    read my.toml:1: `griid` is no part of an experiment (did you mean `grid`?)
    read my.toml:2: `strid` is no setting (did you mean `stride`?)
    read my.toml:2: `jobs` belongs to the command line: it says how a command is carried out, not what is measured
    read my.toml:2: `first` is no setting but a part of the experiment: it belongs to the top of the file
    read my.toml:2: `repeats` is no setting but a part of the experiment: it belongs to the top of the file
    read my.toml:3: `one_at_a_time` is no setting but a part of the experiment: it belongs to the top of the file
    read my.toml:2: expected a value of `predictor`, found empty text; write `default` to leave the setting away
    read my.toml:2: expected a value of `predictor`, found empty text; write `default` to leave the setting away
    read my.toml:2: expected a value of `trigger`, found empty text; write `default` to leave the setting away
    read my.toml:2: expected a single value as `stride`, found a list
    read my.toml:2: expected `true` or `false` as `lenient`, found `1`
    read my.toml:2: found a date or time, which experiment files do not have: write it as text in quotes
    read my.toml:2: found infinity or no number, which experiment files do not have: write a finite number, or text in quotes
    read my.toml:3: `max-actions` is given twice, first in line 2
    read my.toml:3: expected TOML: duplicate key
    read my.toml:2: expected a list of values as `stride`, found `4`
    read my.toml:2: expected at least one value of `stride`
    read my.toml:3: `1` stands twice among the values of `stride`
    read my.toml:2: `valu` is no part of a named value (did you mean `value`?)
    read my.toml:2: expected a `value` in a named value
    read my.toml:4: `stride` is given twice, first in line 2
    read my.toml:3: expected as many values of `mode` as of `stride` (2), found 1
    read my.toml:1: expected a `name` in a variant
    read my.toml:1: expected a list of tables, each with a `name` as `variant`, found `3`
    read my.toml:4: two variants have the name `a` (from lines 2 and 4); give values, or variants, names of their own
    read my.toml:2: the name `a\nb` has line breaks or other control characters
    read my.toml:1: there is no variant `stride=3` to compare with (did you mean `stride=1`?)
    read my.toml:1: `strid` is no setting (did you mean `stride`?)
    read my.toml:1: expected names in braces as in `{predictor} every {stride}`, found `{stride`
    read my.toml:3: two variants have the name `x`; give values, or variants, names of their own
    read my.toml:1: expected TOML: unclosed table, expected `]`
    ");
}

#[test]
fn messages_about_yaml_and_overrides() {
    let deep = "[".repeat(40);
    let texts = [
        "base: {stride: 1, stride: 2}",
        "base: 1\n---\nbase: 2",
        "1: 2",
        "[a]: 2",
        "- a",
        "base: !x {}",
        "base: {confidence: .nan}",
        "base: &a [*a]",
        "base: {stride: [}",
        deep.as_str(),
        "base: {lenient: yes}",
    ];
    let mut messages: Vec<String> = texts
        .into_iter()
        .map(|text| read_as(text, Syntax::Yaml, &[]).unwrap_err().to_string())
        .collect();
    for one in [
        "strid=4",
        "jobs=4",
        "grid=4",
        "stride=[1, 2]",
        "repeats=x",
        "repeat=2",
        "stride=\"\"",
        "trigger=['']",
        "frst=2",
    ] {
        messages.push(read("", &[one]).unwrap_err().to_string());
    }
    messages.push(Override::parse("stride").unwrap_err().to_string());
    assert_snapshot!(messages.join("\n"), @r#"
    read my.yaml:1: `stride` is given twice, first in line 1
    read my.yaml:2: found a second document, which experiment files do not have: write one file an experiment
    read my.yaml:1: found a key that is no text, which experiment files do not have: write a name, if need be in quotes
    read my.yaml:1: found a list or table as a key, which experiment files do not have: write a name
    read my.yaml:1: expected names with values, found a list
    read my.yaml:1: found a tag (`!`), which experiment files do not have: leave it out
    read my.yaml:1: found infinity or no number, which experiment files do not have: write a finite number, or text in quotes
    read my.yaml:1: found an alias inside of what it stands for, which experiment files do not have: write the values out
    read my.yaml:1: expected YAML: while parsing a node, did not find expected node content
    read my.yaml:1: expected at most 16 lists and tables inside of each other (depth_max), found more
    read my.yaml:1: expected `true` or `false` as `lenient`, found `yes`
    read my.toml with `--set strid=4`: `strid` is no setting (did you mean `stride`?)
    read my.toml with `--set jobs=4`: `jobs` belongs to the command line: it says how a command is carried out, not what is measured
    read my.toml with `--set grid=4`: expected a setting or a single value of the top of the file as `grid`, found a part of it
    read my.toml with `--set stride=[1, 2]`: expected a single value as `stride`, found a list
    read my.toml with `--set repeats=x`: expected a whole number from 1 as `repeats`, found `x`
    read my.toml with `--set repeat=2`: `repeat` is no setting (did you mean `repeats`?)
    read my.toml with `--set stride=""`: expected a value of `stride`, found empty text; write `default` to leave the setting away
    read my.toml with `--set trigger=['']`: expected a value of `trigger`, found empty text; write `default` to leave the setting away
    read my.toml with `--set frst=2`: `frst` is no setting (did you mean `first`?)
    read `--set stride`: expected KEY=VALUE, such as `--set stride=4`
    "#);
}

#[test]
fn too_much_is_refused_by_name() {
    let values: Vec<String> = (0..400).map(|value| value.to_string()).collect();
    let values = values.join(",");
    let grid = format!("[grid]\nstride = [{values}]\ncontext = [{values}]\n");
    assert!(message(&grid).contains("variants_max"));
    assert!(message(&" ".repeat((1 << 20) + 1)).contains("file_bytes_max"));
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let list = vec![format!("*a{}", level - 1); 10].join(", ");
        laughs.push_str(&format!("a{level}: &a{level} [{list}]\n"));
    }
    let error = read_as(&laughs, Syntax::Yaml, &[]).unwrap_err();
    assert!(error.to_string().contains("nodes_max"), "{error}");
}

#[test]
fn numbers_keep_their_spelling() {
    let toml = "[base]\nconfidence = 1.50\nstride = 1_000\nseed = 0x10\ncontext = 1e-3\n";
    let yaml =
        "base: {confidence: 1.50, stride: 1000, seed: 0x10, context: 1e-3, mode: on, values: 1.2.3, policy: '5'}";
    assert_snapshot!(variants(toml, &[]), @"base: napsim-52 --confidence=1.50 --stride=1000 --seed=16 --context=1e-3");
    assert_snapshot!(lines(&read_as(yaml, Syntax::Yaml, &[]).unwrap()), @"base: napsim-52 --confidence=1.50 --stride=1000 --seed=16 --context=1e-3 --mode=on --values=1.2.3 --policy=5");
}

proptest! {
    #[test]
    fn a_grid_has_every_combination_once(sizes in prop::collection::vec(1_usize..5, 1..4), rows in 1_usize..4) {
        let keys = ["stride", "context", "seed"];
        let list = |count: usize| (0..count).map(|value| value.to_string()).collect::<Vec<_>>().join(", ");
        let mut text = "[grid]\n".to_owned();
        for (key, size) in keys.iter().zip(&sizes) {
            text.push_str(&format!("{key} = [{}]\n", list(*size)));
        }
        text.push_str(&format!("[zip]\nundo-max = [{0}]\nchain-max = [{0}]\n", list(rows)));
        let experiment = read(&text, &[]).unwrap();
        prop_assert_eq!(experiment.variants.len(), sizes.iter().product::<usize>() * rows);
        let names: std::collections::HashSet<_> = experiment.variants.iter().map(|one| &one.name).collect();
        let arguments: std::collections::HashSet<_> = experiment.variants.iter().map(Variant::arguments).collect();
        prop_assert_eq!(names.len(), experiment.variants.len());
        prop_assert_eq!(arguments.len(), experiment.variants.len());
        let once = read(&text, &["stride=7"]).unwrap().variants;
        prop_assert_eq!(&once, &read(&text, &["stride=7", "stride=7"]).unwrap().variants);
        prop_assert!(once.iter().all(|one| one.settings["stride"] == ["7"]));
    }

    #[test]
    fn reading_never_panics(text in "[\\PC\n]{0,80}", more in "(base|grid|zip|variant|name|[-\\[\\]{}&*:=,'\"|>!#\n 0-9a-z])*") {
        for text in [text, more] {
            for syntax in [Syntax::Toml, Syntax::Yaml] {
                let _ = read_as(&text, syntax, &[]);
            }
            let _ = crate::reference::convert(&text, "x.yaml");
            let _ = Override::parse(&text);
        }
    }
}
