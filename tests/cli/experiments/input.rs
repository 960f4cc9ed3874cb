//! What is wrong with an experiment is said with its place, and nothing runs.

use super::{SMALL, small};

#[track_caller]
fn refused(text: &str, options: &str, expected: &str) {
    let folder = small();
    folder.write("bad.toml", text);
    let talk = folder.napsim(&format!("sweep bad.toml {options}")).talk(2);
    assert!(talk.contains(expected), "{talk}");
    assert!(!folder.path("napsim-store").exists(), "nothing has begun");
}

#[test]
fn wrong_experiments_are_refused_with_their_place() {
    refused(
        "[base]\nstrid = 4\n",
        "",
        "bad.toml:2: `strid` is no setting (did you mean `stride`?)",
    );
    refused("[gird]\nstride = [4]\n", "", "bad.toml:1");
    refused("[base]\njobs = 4\n", "", "belongs to the command line");
    refused(
        "[base]\nstride = 0\n",
        "",
        "variant `base`: invalid value '0' for '--stride <N>'",
    );
    refused(
        "[base]\npredictor = \"online-ngrm\"\n",
        "",
        "did you mean `online-ngram`?",
    );
    refused("[base]\ncorpus = \"nowhere\"\n", "", "nowhere");
    refused("[base]\npolicy = \"greedyy\"\n", "", "greedyy");
    refused("[base\n", "", "bad.toml:1");
    refused(SMALL, "--set strid=4", "did you mean `stride`?");
    refused(SMALL, "--baseline stride=7", "there is no such variant");
    refused(SMALL, "--gate uass>=0.1", "uas");
    refused(SMALL, "--metric usa", "uas");
    refused(SMALL, "--partition slice:3/2", "slice:K/N");
    refused(SMALL, "--units nowhere.txt", "nowhere.txt");
    refused(
        SMALL,
        "--prices nowhere.toml",
        "no variant asks a language model over HTTP",
    );
}

#[test]
fn an_option_may_mean_something_to_one_variant_alone() {
    let folder = small();
    let own = "\n[[variant]]\nname = \"own\"\npredictor = \"exec:sh own.sh\"\n";
    folder.write("mixed.toml", format!("{SMALL}{own}"));
    folder.write(
        "own.sh",
        "#!/bin/sh\nexec \"$NAPSIM\" suggest --serve --predictor repeat-last\n",
    );
    let mut command = folder.command("sweep mixed.toml --set on-crash=resume --quiet".split(' '));
    command.env("NAPSIM", env!("CARGO_BIN_EXE_napsim"));
    crate::command::Answer::of(&command.output().unwrap()).output(0);
    refused(SMALL, "--set on-crash=resume", "is no program or service of its own");
    refused(SMALL, "--set predictor=local/x", "--set KEY=VALUE");
}

#[test]
fn variants_that_cannot_be_measured_cost_no_others() {
    let folder = small();
    let gone = "\n[[variant]]\nname = \"gone\"\npredictor = \"exec:sh nowhere.sh\"\n";
    folder.write("partly.toml", format!("{SMALL}{gone}"));
    let partly = folder.napsim("sweep partly.toml");
    assert!(
        partly.stderr.contains("`gone` cannot be measured now"),
        "{}",
        partly.stderr
    );
    assert!(partly.stdout.contains("stride=2"), "{}", partly.stdout);
    assert_eq!(partly.code, Some(20), "{}", partly.stderr);
    for command in ["status", "plan", "compare", "export csv -o tables"] {
        let code = folder.napsim(&format!("{command} partly.toml")).code;
        assert_eq!(code, Some(20), "{command}");
    }
    // A kept plan knows what it lacks.
    let plans = folder.files("napsim-store/experiments");
    let kept = folder.napsim(&format!(
        "compare napsim-store/experiments/{} --gate uas>=-9",
        plans[0].0
    ));
    assert_eq!(kept.code, Some(20), "{}", kept.stderr);
    assert!(kept.stderr.contains("`gone` could not be measured"), "{}", kept.stderr);
    let status = folder.napsim("status partly.toml --json");
    assert!(
        status.stdout.contains("\"unavailable\":[\"gone\"]"),
        "{}",
        status.stdout
    );
    // Without any other there is nothing to do.
    folder.write(
        "gone.toml",
        "[base]\ncorpus = \"corpus\"\npredictor = \"exec:sh nowhere.sh\"\n",
    );
    folder.napsim("sweep gone.toml").output(2);
    folder.write(
        "far.toml",
        "[base]\ncorpus = \"corpus\"\npredictor = \"http://127.0.0.1:1/\"\n",
    );
    folder.napsim("sweep far.toml").output(30);
}

#[test]
fn names_hold_nothing_that_a_script_would_run() {
    let folder = small();
    folder.write("a\nb.toml", SMALL);
    for scheduler in ["slurm", "k8s", "parallel"] {
        let answer = folder
            .command(["plan", "a\nb.toml", "--emit", scheduler])
            .output()
            .unwrap();
        let answer = crate::command::Answer::of(&answer);
        assert!(answer.talk(2).contains("control character"));
    }
}

#[test]
fn scripts_have_no_more_parts_than_units_and_no_options_for_files() {
    let folder = small();
    folder.napsim("plan small.toml --emit slurm --parts 65").output(2);
    folder.write("-x.toml", SMALL);
    let answer = folder
        .command(["plan", "--emit", "parallel", "--", "-x.toml"])
        .output()
        .unwrap();
    let script = crate::command::Answer::of(&answer).output(0);
    assert!(script.contains("napsim sweep ./-x.toml"), "{script}");
    folder.write("a$$b.toml", SMALL);
    let script = folder.napsim("plan a$$b.toml --emit k8s").output(0);
    assert!(script.contains("a$$$$b.toml"), "{script}");
}

#[test]
fn too_many_units_are_refused_before_they_are_made() {
    let folder = small();
    let talk = folder
        .napsim("plan small.toml --set repeats=10000 --set stride=1")
        .talk(0);
    assert!(talk.contains("20000 units"), "{talk}");
    let steps: Vec<String> = (1..=300).map(|n| n.to_string()).collect();
    folder.write(
        "huge.toml",
        format!(
            "repeats = 10000\n\n[base]\ncorpus = \"corpus\"\n\n[grid]\nstride = [{}]\n",
            steps.join(", ")
        ),
    );
    let talk = folder.napsim("plan huge.toml").talk(2);
    assert!(talk.contains("6000000 units"), "{talk}");
}

#[test]
fn variants_that_are_the_same_are_measured_once_and_told() {
    let folder = small();
    folder.write(
        "same.toml",
        "[base]\ncorpus = \"corpus\"\n\n[one-at-a-time]\nstride = [1, 2]\n",
    );
    let talk = folder.napsim("plan same.toml").talk(0);
    assert!(talk.contains("have units in common"), "{talk}");
    assert!(
        talk.contains("6 units (4 of them different): 0 done, 4 to be done"),
        "{talk}"
    );
}

#[test]
fn settings_of_the_command_line_win() {
    let folder = small();
    let plan = folder.napsim("plan small.toml --set stride=4 --format jsonl").output(0);
    assert_eq!(plan.lines().count(), 2, "{plan}");
    assert!(plan.lines().all(|line| !line.contains("stride=1")), "{plan}");
}

#[test]
fn units_of_another_experiment_are_refused() {
    let folder = small();
    folder.write("ids.txt", format!("{}\n", "0123456789abcdef".repeat(4)));
    let talk = folder.napsim("sweep small.toml --units ids.txt").talk(2);
    assert!(
        talk.contains("ids.txt:1: 0123456789ab is no unit of this experiment"),
        "{talk}"
    );
    folder.write("ids.txt", "0123\n");
    let talk = folder.napsim("sweep small.toml --units ids.txt").talk(2);
    assert!(talk.contains("ids.txt:1: `0123` is no id of a unit"), "{talk}");
}

#[test]
fn gates_decide_the_exit_code() {
    let folder = small();
    let talk = folder.napsim("sweep small.toml --gate uas>=99%").talk(10);
    assert!(talk.contains("gate failed: uas>=99%"), "{talk}");
    folder.napsim("sweep small.toml --gate uas>=-1").output(0);
    folder.napsim("run corpus --out kept --gate uas<=1").output(0);
    let talk = folder.napsim("run corpus --gate uas>=99%").talk(10);
    assert!(talk.contains("gate failed: uas>=99%"), "{talk}");
    folder.napsim("compare kept --gate uas>=99%").output(10);
    folder.napsim("compare kept small.toml --gate uas<=100%").output(0);
}

#[test]
fn scripts_measure_everything() {
    let folder = small();
    let script = folder.napsim("plan small.toml --emit parallel --parts 3").output(0);
    assert_eq!(script.lines().count(), 3);
    for line in script.lines() {
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        folder.napsim_with(words).output(0);
    }
    folder.napsim("status small.toml").output(0);
    let slurm = folder.napsim("plan small.toml --emit slurm").output(0);
    assert!(
        slurm.contains("#SBATCH --array=1-1\n") && slurm.contains("slice:$SLURM_ARRAY_TASK_ID/1"),
        "{slurm}"
    );
    let job = folder.napsim("plan small.toml --emit k8s --parts 5").output(0);
    assert!(
        job.contains("completions: 5\n") && job.contains("JOB_COMPLETION_INDEX + 1))/5"),
        "{job}"
    );
}

#[test]
fn a_dry_run_measures_nothing() {
    let folder = small();
    let answer = folder.napsim("sweep small.toml --dry-run");
    assert!(answer.stdout.contains("stride=1"), "{}", answer.stdout);
    answer.output(0);
    assert!(!folder.path("napsim-store").exists());
    let json = folder.napsim("sweep small.toml --dry-run --json").output(0);
    assert!(json.contains("\"n_missing\":4"), "{json}");
}
