//! What other programs get: tables, trackers, comparisons; and what comes from the published system.

use super::small;

#[test]
fn tables_have_a_row_a_unit_and_a_row_a_prediction() {
    let folder = small();
    folder.napsim("sweep small.toml").output(0);
    folder.napsim("run corpus --out kept").output(0);
    folder.napsim("export csv small.toml kept -o tables").output(0);
    let units = folder.read("tables/units.csv");
    assert_eq!(units.lines().count(), 1 + 4 + 2, "{units}");
    let (of_sweep, of_run): (Vec<&str>, Vec<&str>) = units.lines().skip(1).partition(|line| line.starts_with("small,"));
    assert_eq!((of_sweep.len(), of_run.len()), (4, 2));
    let n_predictions = |text: &str| text.lines().skip(1).filter(|line| !line.is_empty()).count();
    let n = n_predictions(&folder.read("tables/predictions.csv"));
    assert!(n > 4, "{n}");
    folder.napsim("export csv small.toml -o few --units-only").output(0);
    assert!(!folder.path("few/predictions.csv").exists());
    folder.napsim("export csv nowhere -o few").output(2);
}

#[test]
fn what_is_exported_is_told_apart_and_known_to_be_whole() {
    let folder = small();
    folder.napsim("sweep small.toml").output(0);
    folder.write("other.toml", super::SMALL);
    folder
        .napsim("export csv small.toml other.toml -o tables --units-only")
        .output(0);
    let units = folder.read("tables/units.csv");
    for file in ["small.toml,", "other.toml,"] {
        assert_eq!(
            units.lines().filter(|line| line.starts_with(file)).count(),
            4,
            "{units}"
        );
    }
    folder.napsim("compare small.toml other.toml").output(0);
    let more = folder.napsim("export csv small.toml -o tables --units-only --set stride=3");
    assert_eq!(more.code, Some(20));
    assert!(more.stderr.contains("2 units missing or failed"), "{}", more.stderr);
    folder.napsim("export csv small.toml -o small.toml").output(2);
    folder.napsim("export mlflow small.toml --to small.toml").output(2);
    folder.napsim("sweep small.toml --set stride=3").output(0);
    folder.napsim("compare small.toml --set stride=3").output(0);
    folder
        .napsim("compare napsim-store/experiments --set stride=3")
        .output(2);
}

#[test]
fn runs_are_exported_to_mlflow_once() {
    let folder = small();
    folder.napsim("sweep small.toml").output(0);
    let talk = folder.napsim("export mlflow small.toml --to runs").talk(0);
    assert!(
        talk.contains("2 runs in runs: 2 new, 0 replaced, 0 there already"),
        "{talk}"
    );
    let before = folder.files("runs");
    assert!(before.iter().any(|(name, _)| name.ends_with("/metrics/uas")));
    let talk = folder.napsim("export mlflow small.toml --to runs").talk(0);
    assert!(talk.contains("0 new, 0 replaced, 2 there already"), "{talk}");
    assert!(folder.files("runs") == before);
    let talk = folder
        .napsim("export mlflow small.toml --to http://127.0.0.1:1")
        .talk(30);
    assert!(talk.contains("127.0.0.1:1"), "{talk}");
}

#[test]
fn comparisons_come_in_every_format() {
    let folder = small();
    let table = folder.napsim("sweep small.toml --quiet").output(0);
    assert!(table.contains("difference in UAS from `stride=1`"), "{table}");
    assert_eq!(folder.napsim("compare small.toml").output(0), table);
    let json: serde_json::Value = serde_json::from_str(&folder.napsim("compare small.toml --json").output(0)).unwrap();
    assert_eq!(json["schema"], "napsim-comparison/1");
    for (format, expected) in [("csv", "stride=2,"), ("md", "| stride=2 |"), ("latex", "\\toprule")] {
        let text = folder
            .napsim(&format!("compare small.toml --export {format}"))
            .output(0);
        assert!(text.contains(expected), "{text}");
    }
    folder.napsim("run corpus --out one").output(0);
    folder.napsim("run corpus --out two --stride 2").output(0);
    let runs = folder.napsim("compare one two").output(0);
    assert!(runs.contains("one") && runs.contains("+/=/-"), "{runs}");
    folder.napsim("compare one one").output(2);
    folder.napsim("compare one nowhere").output(2);
}

#[test]
fn an_incomplete_experiment_is_not_ranked() {
    let folder = small();
    folder.napsim("sweep small.toml --partition slice:1/2").output(0);
    let answer = folder.napsim("compare small.toml --gate uas>=-1");
    assert!(answer.stdout.contains("incomplete"), "{}", answer.stdout);
    assert!(answer.stderr.contains("gate failed"), "{}", answer.stderr);
    assert_eq!(answer.code, Some(20));
}

#[test]
fn configs_of_the_published_system_become_experiments() {
    let folder = small();
    folder.write(
        "published.yaml",
        "name: old\ntrajectory_paths: [corpus/*.txt]\nonline_mode: true\nheuristics: [steps_saved]\nstride:\n  mode: \
         fixed_interval\n  interval: 2\nsolver:\n  type: online_ngram\nworkers: 4\nsweep:\n  max_context_ops: [8, null]\n",
    );
    let answer = folder.napsim("import-config published.yaml -o new.toml");
    assert!(
        answer.stderr.contains("published.yaml:10: workers"),
        "{}",
        answer.stderr
    );
    answer.output(0);
    let plan = folder.napsim("plan new.toml --format jsonl").output(0);
    assert_eq!(plan.lines().count(), 4, "two trajectories with two contexts: {plan}");
    folder.napsim("sweep new.toml").output(0);
    folder.write("broken.yaml", "name: [\n");
    folder.napsim("import-config broken.yaml").output(2);
    folder.napsim("import-config nowhere.yaml").output(2);
}
