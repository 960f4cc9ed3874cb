//! Output files: links, pipes, what must not be replaced, and what an earlier call has left.

use std::fs;

use crate::command::{Folder, PLAN};

/// A folder with two workbooks in `g/workbooks`, made up.
fn workbooks() -> Folder {
    let folder = Folder::new();
    folder
        .napsim("corpus generate --seed 5 --count 2 --xlsx --quiet -o g")
        .output(0);
    folder
}

#[cfg(unix)]
#[test]
fn links_are_written_through() {
    use std::os::unix::fs::symlink;

    let folder = workbooks();
    folder.write("plan.txt", PLAN);
    folder.write("kept/old.jsonl", "old\n");
    symlink("kept/old.jsonl", folder.path("link.jsonl")).unwrap();
    symlink("kept/new.jsonl", folder.path("calls.jsonl")).unwrap();
    folder
        .napsim("corpus build g/workbooks --quiet -o c --jsonl link.jsonl")
        .output(0);
    folder.napsim("corpus refine plan.txt --log calls.jsonl").output(0);
    for (link, target) in [("link.jsonl", "kept/old.jsonl"), ("calls.jsonl", "kept/new.jsonl")] {
        assert!(fs::symlink_metadata(folder.path(link)).unwrap().is_symlink(), "{link}");
        assert!(folder.read(target).starts_with('{'), "{target}");
    }
    assert_eq!(folder.files("kept").len(), 2);
}

#[cfg(unix)]
#[test]
fn pipes_are_written_to_and_stay() {
    use std::fs::File;
    use std::os::unix::fs::{FileTypeExt, symlink};
    use std::process::{Command, Stdio};
    use std::thread;

    let folder = workbooks();
    let pipe = folder.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    symlink("pipe", folder.path("to-pipe")).unwrap();
    let build = |to: &str| {
        folder.napsim(&format!(
            "corpus build g/workbooks --quiet -o c --profile all --jsonl {to}"
        ))
    };
    build("file.jsonl").output(0);
    let expected = folder.read("file.jsonl");
    for name in ["pipe", "to-pipe"] {
        let path = pipe.clone();
        let reader = thread::spawn(move || fs::read_to_string(path).unwrap());
        build(name).output(0);
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert!(reader.join().unwrap() == expected);
    }
    // More than a pipe holds: a reader that goes away cannot be overlooked.
    assert!(expected.len() > 1 << 16);
    let path = pipe.clone();
    let reader = thread::spawn(move || drop(File::open(path).unwrap()));
    let talk = build("pipe").talk(30);
    assert!(talk.contains("failed to write pipe: "), "{talk}");
    reader.join().unwrap();
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    // A folder is no regular file either.
    build("g").talk(2);
    // What is written to the standard output does not overwrite what else is there.
    let both = build("/dev/stdout").output(0);
    assert!(both.starts_with(&expected));
    let whole = File::create(folder.path("both")).unwrap();
    let mut command =
        folder.command("corpus build g/workbooks --quiet -o c --profile all --jsonl /dev/stdout".split(' '));
    assert!(command.stdout(whole).stderr(Stdio::null()).status().unwrap().success());
    assert!(folder.read("both") == both);
}

#[test]
fn inputs_and_the_corpus_itself_are_not_replaced() {
    let folder = workbooks();
    folder.write("plans/first.txt", PLAN);
    folder.napsim("corpus build g/workbooks --quiet -o c").output(0);
    let workbook = format!("g/workbooks/{}", folder.files("g/workbooks").remove(0).0);
    let trajectory = format!("c/trajectories/{}", folder.files("c/trajectories").remove(0).0);
    let name = trajectory
        .trim_start_matches("c/trajectories/")
        .trim_end_matches(".txt");
    let before = (folder.files("g"), folder.files("c"), folder.files("plans"));
    for (arguments, option, path) in [
        ("build g/workbooks -o c", "jsonl", workbook.as_str()),
        ("build g/workbooks -o c", "jsonl", "./c/manifest.json"),
        ("build g/workbooks -o c", "jsonl", "c/trajectories/train.jsonl"),
        ("build g/workbooks -o new", "jsonl", "new/manifest.json"),
        ("build g/workbooks -o new", "jsonl", "g/../new/trajectories/a.txt"),
        ("generate --count 1 -o g", "jsonl", "g/manifest.json"),
        (&format!("refine c {name}"), "log", "c/manifest.json"),
        (&format!("refine c {name}"), "log", trajectory.as_str()),
        (&format!("refine c/trajectories {name}"), "log", "c/manifest.json"),
        (&format!("refine {trajectory}"), "log", "c/manifest.json"),
        (&format!("refine {trajectory}"), "log", trajectory.as_str()),
        ("refine plans", "log", "plans/first.txt"),
        ("refine plans/*.txt", "log", "plans/first.txt"),
    ] {
        let talk = folder.napsim(&format!("corpus {arguments} --{option} {path}")).talk(2);
        let expected = format!("failed to write --{option} {path}: it is ");
        assert!(talk.contains(&expected), "{arguments} {path}: {talk}");
    }
    assert!(!folder.path("new").exists());
    assert!(before == (folder.files("g"), folder.files("c"), folder.files("plans")));
    // Beside them there is room.
    folder
        .napsim("corpus build g/workbooks --quiet -o c --jsonl c/train.jsonl")
        .output(0);
    folder
        .napsim(&format!("corpus refine c {name} --log c/calls.jsonl"))
        .output(0);
}

#[test]
fn what_the_manifest_does_not_name_is_removed_in_the_end() {
    let folder = workbooks();
    folder.napsim("corpus build g/workbooks --quiet -o c").output(0);
    for (corpus, again) in [("c", "build g/workbooks"), ("g", "generate --seed 5 --count 2 --xlsx")] {
        let whole = folder.files(corpus);
        // What a program leaves that was killed before it could write its manifest.
        folder.write(&format!("{corpus}/trajectories/stray.txt"), PLAN);
        folder.napsim(&format!("corpus {again} --quiet -o {corpus}")).output(0);
        assert!(folder.files(corpus) == whole, "{corpus}");
    }
}

#[test]
fn damaged_manifests_are_named() {
    let folder = workbooks();
    let text = folder.read("g/manifest.json");
    for damaged in [
        &text[..text.len() / 2],
        "",
        "no JSON",
        "{\"schema\": \"napsim-corpus/1\"}",
    ] {
        folder.write("g/manifest.json", damaged);
        let before = folder.files("g");
        for command in ["generate --count 1", "build g/workbooks"] {
            let talk = folder.napsim(&format!("corpus {command} -o g")).talk(2);
            for part in [
                "g/manifest.json: it is damaged (",
                "build into another folder, or remove this one",
            ] {
                assert!(talk.contains(part), "{command}: {talk}");
            }
        }
        assert!(folder.files("g") == before);
    }
}

#[test]
fn a_split_does_not_pass_over_a_damaged_manifest() {
    let folder = workbooks();
    folder.napsim("corpus split g").output(0);
    folder.write("g/manifest.json", "{");
    let talk = folder.napsim("corpus split g").talk(2);
    assert!(talk.contains("g/manifest.json: it is damaged ("), "{talk}");
}

#[test]
fn series_have_a_beginning_and_an_end() {
    let folder = Folder::new();
    let last = u64::MAX;
    for (arguments, expected) in [
        ("--count 0".to_owned(), "--count"),
        (format!("--first {last} --count 1"), "beyond the end of the series"),
        (format!("--count {last} --first 1"), "beyond the end of the series"),
    ] {
        let talk = folder.napsim(&format!("corpus generate {arguments} -o g")).talk(2);
        assert!(talk.contains(expected), "{arguments}: {talk}");
        assert!(!folder.path("g").exists());
    }
    let first = last - 1;
    folder
        .napsim(&format!("corpus generate --first {first} --count 1 --quiet -o g"))
        .output(0);
}
