//! Stores: what is stale, damaged, needed or not.

use std::fs;

use super::{SMALL, small, units};

#[test]
fn what_changes_is_measured_again_and_nothing_else() {
    let folder = small();
    folder.napsim("sweep small.toml").output(0);
    let before = units(&folder, "napsim-store");
    folder.write("small.toml", SMALL.replace("[1, 2]", "[1, 2, 3]"));
    let talk = folder.napsim("sweep small.toml").talk(0);
    assert!(talk.contains("4 done, 2 to be done"), "{talk}");
    let after = units(&folder, "napsim-store");
    assert!(before.iter().all(|unit| after.contains(unit)));
    let text = folder.read("corpus/plan.txt");
    folder.write("corpus/plan.txt", format!("{text}INPUT | D1 | 9\n"));
    let talk = folder.napsim("status small.toml").talk(20);
    assert!(talk.contains("3 done, 3 to be done"), "{talk}");
    // Names of variants and files of experiments are no part of what is measured.
    folder.write("other.toml", "[base]\ncorpus = \"corpus\"\nstride = 1\n");
    let talk = folder.napsim("status other.toml").talk(20);
    assert!(talk.contains("1 done, 1 to be done"), "{talk}");
}

#[test]
fn damaged_units_are_told_and_measured_again() {
    let folder = small();
    let report = folder.napsim("sweep small.toml --quiet").output(0);
    let before = units(&folder, "napsim-store");
    let (name, bytes) = &before[0];
    let path = folder.path("napsim-store/units").join(name);
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let verified = folder.napsim("verify");
    assert!(verified.stdout.contains("torn"), "{}", verified.stdout);
    assert_eq!(verified.code, Some(20));
    let again = folder.napsim("sweep small.toml");
    assert!(
        again.stderr.contains("1 to be done") && again.stderr.contains(name),
        "{}",
        again.stderr
    );
    assert_eq!(again.output(0), report);
    assert!(units(&folder, "napsim-store") == before);
    let verified = folder.napsim("verify").output(0);
    assert_eq!(verified, "4 units: everything comes out as recorded\n");
}

#[test]
fn only_what_no_experiment_needs_goes() {
    let folder = small();
    folder.napsim("sweep small.toml").output(0);
    folder.napsim("sweep small.toml --set stride=5").output(0);
    assert_eq!(
        folder.napsim("gc --dry-run").output(0),
        "would remove 0 units (0 kB) and 0 plans\n"
    );
    let would = folder.napsim("gc small.toml --dry-run").output(0);
    assert!(would.starts_with("would remove 2 units"), "{would}");
    assert_eq!(units(&folder, "napsim-store").len(), 6);
    let removed = folder.napsim("gc small.toml").output(0);
    assert!(
        removed.starts_with("removed 2 units") && removed.contains("1 plan,"),
        "{removed}"
    );
    assert_eq!(units(&folder, "napsim-store").len(), 4);
    folder.napsim("status small.toml").output(0);
    // What was kept is still known to be needed.
    let removed = folder.napsim("gc").output(0);
    assert!(removed.starts_with("removed 0 units"), "{removed}");
    assert_eq!(units(&folder, "napsim-store").len(), 4);
}

#[test]
fn what_is_kept_by_name_is_needed_from_then_on() {
    let folder = small();
    folder.napsim("sweep small.toml").output(0);
    // Units that came from elsewhere, without their plan.
    folder.napsim("merge napsim-store -o united").output(0);
    fs::remove_dir_all(folder.path("united/experiments")).ok();
    folder.napsim("gc small.toml --store united").output(0);
    folder.napsim("gc --store united").output(0);
    assert_eq!(units(&folder, "united").len(), 4);
    // An experiment that cannot be planned in full says nothing of what it needs.
    let text = format!("{SMALL}\n[[variant]]\nname = \"gone\"\npredictor = \"exec:sh nowhere.sh\"\n");
    folder.write("partly.toml", text);
    let talk = folder.napsim("gc partly.toml --store united").talk(2);
    assert!(talk.contains("nothing is removed"), "{talk}");
    assert_eq!(units(&folder, "united").len(), 4);
}

#[test]
fn what_is_needed_is_not_guessed() {
    let folder = small();
    folder.napsim("sweep small.toml").output(0);
    let plans = folder.files("napsim-store/experiments");
    let plan = folder.path("napsim-store/experiments").join(&plans[0].0);
    // Stores unite to the same whichever comes first, damaged plans or not.
    folder.napsim("merge napsim-store -o other").output(0);
    fs::write(&plan, &plans[0].1[..100]).unwrap();
    for line in ["merge napsim-store other -o one", "merge other napsim-store -o two"] {
        let answer = folder.napsim(line);
        assert_eq!(answer.code, Some(20), "{}", answer.stderr);
        assert!(answer.stderr.contains("it is left out"), "{}", answer.stderr);
    }
    assert!(folder.files("one/experiments") == plans && folder.files("two/experiments") == plans);
    folder.napsim("gc").output(2);
    fs::remove_file(&plan).unwrap();
    fs::create_dir(&plan).unwrap();
    folder.napsim("gc").output(2);
    fs::remove_dir(&plan).unwrap();
    let talk = folder.napsim("gc").talk(2);
    assert!(talk.contains("no experiment is kept"), "{talk}");
    assert_eq!(units(&folder, "napsim-store").len(), 4);
    let (name, _) = &units(&folder, "napsim-store")[0];
    let record = folder.path("napsim-store/units").join(name);
    fs::remove_file(&record).unwrap();
    fs::create_dir(&record).unwrap();
    assert_eq!(folder.napsim("verify").code, Some(20));
}

#[test]
fn nothing_is_removed_under_a_sweep() {
    let folder = small();
    folder.napsim("sweep small.toml").output(0);
    let store = napsim_reports::store::UnitStore::open(&folder.path("napsim-store")).unwrap();
    let at_work = store.measure().unwrap();
    let talk = folder.napsim("gc small.toml").talk(30);
    assert!(talk.contains("a sweep is at work there"), "{talk}");
    folder.napsim("gc small.toml --dry-run").output(0);
    drop(at_work);
    folder.napsim("gc small.toml").output(0);
}

#[test]
fn a_kept_plan_stands_for_its_experiment() {
    let folder = small();
    let table = folder.napsim("sweep small.toml --quiet").output(0);
    let plans = folder.files("napsim-store/experiments");
    let [(plan, _)] = plans.as_slice() else {
        panic!("there is one plan");
    };
    // Neither the file nor the corpus is needed any more.
    fs::remove_dir_all(folder.path("corpus")).unwrap();
    fs::remove_file(folder.path("small.toml")).unwrap();
    let line = format!("compare napsim-store/experiments/{plan}");
    assert_eq!(folder.napsim(&line).output(0), table);
    let (_, bytes) = &units(&folder, "napsim-store")[0];
    assert!(!bytes.is_empty());
    let name = units(&folder, "napsim-store")[0].0.clone();
    fs::remove_file(folder.path("napsim-store/units").join(name)).unwrap();
    let partly = folder.napsim(&line);
    assert_eq!(partly.code, Some(20), "{}", partly.stderr);
}

#[test]
fn failed_units_are_not_results() {
    let folder = small();
    folder.write(
        "moody.sh",
        "#!/bin/sh\n[ -e well ] || exit 3\nexec \"$NAPSIM\" suggest --serve --predictor repeat-last\n",
    );
    folder.write(
        "moody.toml",
        "[base]\ncorpus = \"corpus\"\npredictor = \"online-ngram\"\n\n[[variant]]\nname = \"sound\"\n\n[[variant]]\nname = \
         \"moody\"\npredictor = \"exec:sh moody.sh\"\n",
    );
    folder.write("well", "");
    let run = |line: &str| {
        let mut command = folder.command(line.split(' '));
        command.env("NAPSIM", env!("CARGO_BIN_EXE_napsim"));
        crate::command::Answer::of(&command.output().unwrap())
    };
    run("sweep moody.toml --quiet").output(0);
    let expected = units(&folder, "napsim-store");
    // A program that ends as soon as a trajectory begins, after it has said hello.
    folder.write(
        "moody.sh",
        "#!/bin/sh\n[ -e well ] || { read -r hello; \"$NAPSIM\" suggest --serve --predictor repeat-last < /dev/null; exit 3; }\n\
         exec \"$NAPSIM\" suggest --serve --predictor repeat-last\n",
    );
    fs::remove_file(folder.path("well")).unwrap();
    let broken = run("sweep moody.toml --store other --quiet");
    assert_ne!(broken.code, Some(0), "{}", broken.stdout);
    folder.write("well", "");
    run("sweep moody.toml --store other --quiet").output(0);
    assert_eq!(units(&folder, "other").len(), expected.len());
}

#[test]
fn only_stores_are_taken_for_stores() {
    let folder = small();
    folder.write("full/notes.txt", "mine");
    let talk = folder.napsim("sweep small.toml --store full").talk(2);
    assert!(talk.contains("not empty and no store"), "{talk}");
    for path in ["small.toml", "small.toml/store", "/dev/null/store"] {
        folder.napsim(&format!("sweep small.toml --store {path}")).output(2);
    }
    folder
        .napsim(&format!("sweep small.toml --store {}", "a".repeat(300)))
        .output(2);
    let mut empty = folder.command("status small.toml".split(' '));
    empty.env("NAPSIM_STORE", "");
    let answer = crate::command::Answer::of(&empty.output().unwrap());
    assert!(answer.talk(2).contains("NAPSIM_STORE"));
    folder.napsim("verify --store nowhere").output(2);
    folder.napsim("merge full -o united").output(2);
    assert!(
        !folder.path("united").exists(),
        "nothing is written before all stores are looked at"
    );
}
