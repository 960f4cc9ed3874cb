//! Broken pipes and signals.

use std::process::Stdio;

use crate::command::{Answer, Folder};

#[test]
fn a_reader_that_goes_away_is_no_mistake() {
    let folder = Folder::new();
    let mut command = folder.command(["trajectory", "show", "napsim-52"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let answer = Answer::of(&child.wait_with_output().unwrap());
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_goes_on() {
    use std::process::Command;

    use crate::command::PLAN;

    let folder = Folder::new();
    folder.napsim("corpus generate --count 6 --xlsx --quiet -o g").output(0);
    for (name, bytes) in folder.files("g/workbooks") {
        for copy in 0..4 {
            folder.write(&format!("many/{copy}-{name}"), &bytes);
        }
    }
    let build = |out: &str| {
        format!("corpus build many --profile natural --profile typist --jobs 1 --quiet -o {out} --jsonl {out}.jsonl")
    };
    folder.napsim(&build("whole")).output(0);
    let mut command = folder.command(build("broken").split(' '));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The program listens to signals before it writes anything.
    let trajectories = folder.path("broken/trajectories");
    let has_begun = || {
        trajectories
            .read_dir()
            .is_ok_and(|mut entries| entries.next().is_some())
    };
    while !has_begun() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    // As one that was killed in the middle of a file may leave it.
    folder.write("broken/trajectories/stray.txt", PLAN);
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .output()
        .unwrap();
    assert!(kill.status.success(), "{kill:?}");
    let answer = Answer::of(&child.wait_with_output().unwrap());
    // The build may have been faster than the signal.
    if answer.code != Some(0) {
        assert!(!folder.path("broken.jsonl").exists());
        assert!(folder.path("broken/trajectories/stray.txt").exists());
        assert!(
            answer
                .talk(130)
                .contains("of 24 files are done; the same command goes on from there")
        );
    }
    folder.napsim(&build("broken")).output(0);
    assert!(folder.files("broken") == folder.files("whole"));
    assert_eq!(folder.read("broken.jsonl"), folder.read("whole.jsonl"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_whole_records_and_goes_on() {
    use std::process::Command;

    let folder = Folder::new();
    folder.napsim("run --out whole").output(0);
    for (signal, code, broken) in [("-INT", 130, "first"), ("-TERM", 143, "second")] {
        let mut command = folder.command(["run", "--out", broken, "--jobs", "1"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The program listens to signals before it writes anything.
        let units = folder.path(broken).join("units");
        let has_begun = || units.read_dir().is_ok_and(|mut entries| entries.next().is_some());
        while !has_begun() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let kill = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .output()
            .unwrap();
        assert!(kill.status.success(), "{kill:?}");
        let answer = Answer::of(&child.wait_with_output().unwrap());
        // The run may have been faster than the signal.
        if answer.code != Some(0) {
            assert!(
                answer.stderr.contains("the same command goes on from there"),
                "{}",
                answer.stderr
            );
            answer.talk(code);
        }
        let files = folder.files(broken);
        assert!(files.iter().all(|(name, _)| !name.ends_with(".tmp")));
        folder.napsim(&format!("run --out {broken}")).output(0);
        assert!(folder.files(broken) == folder.files("whole"));
    }
}
