use std::fs;
use std::path::PathBuf;

use napsim_sim::event::{Event, UserStep};
use napsim_trajectories::SourceLine;

use super::*;
use crate::fixtures::{setup, summary};

fn trajectory() -> Trajectory {
    let line = "INPUT | A1 | 1";
    Trajectory {
        name: "t".to_owned(),
        title: None,
        description: Some("a \u{1b} b".to_owned()),
        actions: vec![Action::parse(line).unwrap()],
        lines: vec![SourceLine {
            text: line.to_owned(),
            line_no: 1,
        }],
        predictable: None,
    }
}

fn written(folder: &tempfile::TempDir) -> PathBuf {
    written_at(folder.path().join("0001-t.jsonl"))
}

fn written_at(path: PathBuf) -> PathBuf {
    let header = UnitHeader::new(&setup(), &trajectory(), "0.1.0");
    let mut writer = UnitWriter::create(&path, &header).unwrap();
    writer.see(&Event::UserStep(UserStep {
        t: 1,
        user_steps: 1,
        action: "INPUT | Sheet1!A1 | 1".to_owned(),
        future: 0,
    }));
    assert!(!path.exists());
    writer.see(&Event::End(Box::new(summary("t", 1, 1))));
    writer
        .finish(
            Some(CoverageCounts {
                predictable: 3,
                accepted: 1,
                attempted: 2,
            }),
            false,
        )
        .unwrap();
    path
}

#[test]
fn a_record_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(&folder);
    let record = read(&path).unwrap().intact(&path).unwrap();
    assert_eq!(record.header, UnitHeader::new(&setup(), &trajectory(), "0.1.0"));
    assert_eq!(record.events.len(), 2);
    assert_eq!(record.result().coverage.unwrap().accepted, 1);
    assert_eq!(record.header.trajectory.actions().unwrap(), trajectory().actions);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn an_unfinished_record_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("0001-t.jsonl");
    drop(UnitWriter::create(&path, &UnitHeader::new(&setup(), &trajectory(), "0.1.0")).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// What reading says about a record after `change` was done to its text.
fn complaint(change: impl Fn(&str) -> String) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = written(&folder);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, change(&text)).unwrap();
    let error = read(&path).and_then(|record| record.intact(&path)).unwrap_err();
    error.to_string().replace(&format!("{}", path.display()), "FILE")
}

#[test]
fn damage_is_named_with_file_and_line() {
    assert_eq!(
        complaint(|_| String::new()),
        "read FILE: the file is torn: it ends before its first line"
    );
    let first_two = |text: &str| text.split_inclusive('\n').take(2).collect::<String>();
    assert_eq!(
        complaint(first_two),
        "read FILE:2: the file is torn: it ends before its seal"
    );
    let torn = |text: &str| text.get(..text.len() - 5).unwrap().to_owned();
    assert_eq!(
        complaint(torn),
        "read FILE:4: the file is torn: it ends before the end of this line"
    );
    let edited = |text: &str| text.replace("\"user_steps\":1,\"action\"", "\"user_steps\":2,\"action\"");
    assert_eq!(
        complaint(edited),
        "read FILE:4: the file was changed after it was written"
    );
    let newer = |text: &str| text.replace(SCHEMA, "napsim-unit/2");
    assert_eq!(
        complaint(newer),
        "read FILE:1: its schema is `napsim-unit/2`, but this program reads `napsim-unit/1`"
    );
    let other = complaint(|text| text.replace("\"event\":\"user_step\"", "\"event\":\"walk\""));
    assert!(other.starts_with("read FILE:2: unknown variant `walk`"), "{other}");
    let more = complaint(|text| format!("{text}{{}}\n"));
    assert_eq!(more, "read FILE:5: there is more after the seal");
}

/// What is wrong with a compressed record after `change` was done to its bytes, or nothing.
fn complaint_of_compressed(change: impl Fn(&[u8]) -> Vec<u8>) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = written_at(folder.path().join("0001-t.jsonl.gz"));
    fs::write(&path, change(&fs::read(&path).unwrap())).unwrap();
    let error = read(&path).and_then(|record| record.intact(&path)).err();
    assert_eq!(error.is_some(), read_end(&path).is_err());
    error.map(|error| error.to_string().replace(&format!("{}", path.display()), "FILE"))
}

#[test]
fn damage_to_compressed_bytes_has_no_line() {
    let cut = |n_bytes: usize| complaint_of_compressed(|bytes| bytes[..n_bytes].to_vec()).unwrap();
    let torn = "read FILE: the file is torn: it ends before ";
    for n_bytes in [0, 2, 5, 15] {
        assert_eq!(
            cut(n_bytes),
            format!("{torn}the end of the compressed file"),
            "{n_bytes}"
        );
    }
    let corrupt = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes[10..30].fill(0xff);
        bytes
    };
    assert_eq!(
        complaint_of_compressed(corrupt).unwrap(),
        "read FILE: its compressed bytes are damaged (corrupt deflate stream)"
    );
    let more = complaint_of_compressed(|bytes| [bytes, b"more than there was"].concat()).unwrap();
    assert_eq!(
        more,
        "read FILE: its compressed bytes are damaged (invalid gzip header)"
    );
    let plain = complaint_of_compressed(|_| b"{\"schema\":\"napsim-unit/1\"}\n".to_vec()).unwrap();
    assert_eq!(plain, "read FILE: expected a file compressed by gzip, as its name says");
}

#[test]
fn a_record_may_be_compressed_again_by_others() {
    use std::io::{Read, Write};
    let again = |bytes: &[u8], builder: flate2::GzBuilder, level: u32| {
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(bytes).read_to_end(&mut text).unwrap();
        let mut writer = builder.write(Vec::new(), flate2::Compression::new(level));
        writer.write_all(&text).unwrap();
        writer.finish().unwrap()
    };
    // As `gzip -n9` and as `gzip` write it.
    let plain = |bytes: &[u8]| again(bytes, flate2::GzBuilder::new().operating_system(3), 9);
    assert_eq!(complaint_of_compressed(plain), None);
    let named = |bytes: &[u8]| {
        again(
            bytes,
            flate2::GzBuilder::new().filename("0001-t.jsonl").mtime(1_700_000_000),
            6,
        )
    };
    assert_eq!(complaint_of_compressed(named), None);
}
