use std::fs;

use napsim_sim::event::{Event, Summary};
use napsim_trajectories::{Action, SourceLine, Trajectory};

use super::*;
use crate::fixtures::{setup, summary};

const VERSION: &str = "0.1.0";

fn header(name: &str) -> UnitHeader {
    let line = "INPUT | A1 | 1";
    let trajectory = Trajectory {
        name: name.to_owned(),
        title: None,
        description: None,
        actions: vec![Action::parse(line).unwrap()],
        lines: vec![SourceLine {
            text: line.to_owned(),
            line_no: 1,
        }],
        predictable: None,
    };
    UnitHeader::new(&setup(), &trajectory, VERSION)
}

/// Puts the record of a unit into a store.
fn put(store: &UnitStore, name: &str, end: Summary, outcome: Finished) -> UnitId {
    let header = header(name);
    let id = UnitId::of(&header).unwrap();
    let mut writer = store.write_unit(&id, &header).unwrap();
    writer.see(&Event::End(Box::new(end)));
    store.finish_unit(&id, writer, None, outcome).unwrap();
    id
}

fn store(folder: &tempfile::TempDir, name: &str) -> UnitStore {
    UnitStore::begin(&folder.path().join(name)).unwrap()
}

#[test]
fn a_unit_is_there_when_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder, "store");
    let id = UnitId::of(&header("t")).unwrap();
    let writer = store.write_unit(&id, &header("t")).unwrap();
    assert!(!store.has(&id));
    assert_eq!(store.end(&id).unwrap(), None);
    drop(writer);
    put(&store, "t", summary("t", 1, 1), Finished::Complete);
    assert_eq!(store.end(&id).unwrap().unwrap().summary, summary("t", 1, 1));
    assert_eq!(store.record(&id).unwrap().unwrap().header, header("t"));
    assert_eq!(store.ids().unwrap(), [id]);
}

#[test]
fn equal_units_are_equal_files() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (store(&folder, "one"), store(&folder, "other"));
    let id = put(&one, "t", summary("t", 1, 1), Finished::Complete);
    put(&other, "t", summary("t", 1, 1), Finished::Complete);
    assert_eq!(
        fs::read(one.unit_path(&id)).unwrap(),
        fs::read(other.unit_path(&id)).unwrap()
    );
}

#[test]
fn whatever_decides_the_result_makes_another_unit() {
    let id = |change: &dyn Fn(&mut UnitHeader)| {
        let mut header = header("t");
        change(&mut header);
        UnitId::of(&header).unwrap()
    };
    let same = id(&|_| {});
    assert_eq!(id(&|_| {}), same);
    let changes: [&dyn Fn(&mut UnitHeader); 7] = [
        &|header| header.setup.protocol = "exact-1".to_owned(),
        &|header| header.setup.fingerprint.0.push('x'),
        &|header| header.setup.policy = "p90".to_owned(),
        &|header| header.setup.settings.stride = 2,
        &|header| header.setup.settings.seed.0 = 1,
        &|header| header.trajectory.lines.push("INPUT | A2 | 1".to_owned()),
        &|header| header.napsim = "0.2.0".to_owned(),
    ];
    for (idx, change) in changes.iter().enumerate() {
        assert_ne!(id(change), same, "change {idx}");
    }
}

#[test]
fn a_failed_unit_is_not_there_and_gives_way_to_a_complete_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder, "store");
    let mut failed = summary("t", 1, 1);
    failed.error = Some("gone".to_owned());
    let id = put(&store, "t", failed, Finished::Failed);
    store.keep_stderr(&id, "a trace").unwrap();
    assert!(!store.has(&id));
    assert_eq!(store.failure(&id).unwrap().summary.error.as_deref(), Some("gone"));
    assert_eq!(store.failed_ids().unwrap(), std::slice::from_ref(&id));
    put(&store, "t", summary("t", 1, 1), Finished::Complete);
    assert!(store.has(&id));
    assert_eq!(store.failed_ids().unwrap(), []);
    assert_eq!(
        entries_in(&store.stderr_path().join(id.folder())).unwrap(),
        Vec::<PathBuf>::new()
    );
}

#[test]
fn no_flipped_bit_and_no_cut_goes_unnoticed() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder, "store");
    let id = put(&store, "t", summary("t", 1, 1), Finished::Complete);
    let path = store.unit_path(&id);
    let bytes = fs::read(&path).unwrap();
    let end = store.end(&id).unwrap();
    let mut n_harmless = 0;
    for idx in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[idx] ^= 1 << (idx % 8);
        fs::write(&path, &changed).unwrap();
        // Bits that stand for nothing may change, as at the end of compressed data and in its head, where ten bytes say
        // how, when and where it was compressed; what is read never does.
        match store.end(&id) {
            Ok(read) => {
                assert_eq!(read, end);
                n_harmless += 1;
            }
            Err(error) => assert!(error.to_string().contains(&format!("{}", path.display())), "{error}"),
        }
        fs::write(&path, &bytes[..idx]).unwrap();
        assert!(store.end(&id).is_err(), "cut after {idx} bytes");
    }
    assert!(n_harmless <= 9, "{n_harmless}");
    fs::write(&path, [bytes.as_slice(), b"x"].concat()).unwrap();
    assert!(store.end(&id).is_err());
}

#[test]
fn a_record_under_another_name_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder, "store");
    let id = put(&store, "t", summary("t", 1, 1), Finished::Complete);
    let other = UnitId::of(&header("other")).unwrap();
    fs::create_dir_all(store.unit_path(&other).parent().unwrap()).unwrap();
    fs::copy(store.unit_path(&id), store.unit_path(&other)).unwrap();
    assert!(matches!(store.end(&other), Err(RecordError::OtherUnit { .. })));
    assert!(matches!(store.record(&other), Err(RecordError::OtherUnit { .. })));
}

#[test]
fn only_stores_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(
        UnitStore::open(folder.path()),
        Err(StoreError::NoStore { .. })
    ));
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    assert!(matches!(
        UnitStore::begin(folder.path()),
        Err(StoreError::NotAStore { .. })
    ));
    let root = folder.path().join("store");
    UnitStore::begin(&root).unwrap();
    fs::write(root.join(STORE), "{\"schema\":\"napsim-store/2\"}").unwrap();
    assert!(matches!(UnitStore::begin(&root), Err(StoreError::Schema { .. })));
}

#[test]
fn damage_says_which_file_it_is_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("store");
    let store = UnitStore::begin(&root).unwrap();
    let plan = PlanRecord::new(VERSION, "first", Vec::new());
    let path = store.keep_plan(&plan).unwrap();
    assert_eq!(store.plans().unwrap().len(), 1);
    let shown = |error: StoreError| {
        let text = error.to_string();
        text.replace(&format!("{}", path.display()), "PLAN")
            .replace(&format!("{}", root.display()), "DIR")
    };
    let texts = [
        "",
        "{",
        "[]",
        "{\"schema\":3}",
        "{\"schema\":\"napsim-plan/1\"}",
        "{\"schema\":\"napsim-plan/2\"}",
    ];
    let mut messages = Vec::new();
    for text in texts {
        fs::write(&path, text).unwrap();
        messages.push(shown(store.plans().unwrap_err()));
    }
    for text in ["", "{}", "no JSON", "{\"schema\":\"napsim-store/2\"}"] {
        fs::write(root.join(STORE), text).unwrap();
        messages.push(shown(UnitStore::open(&root).unwrap_err()));
        assert!(UnitStore::begin(&root).is_err());
    }
    insta::assert_snapshot!(messages.join("\n"), @r#"
    read PLAN: it is damaged (EOF while parsing a value at line 1 column 0); expected the plan of an experiment (napsim-plan/1); delete it and run the experiment again, which writes it anew and measures nothing twice
    read PLAN: it is damaged (EOF while parsing an object at line 1 column 1); expected the plan of an experiment (napsim-plan/1); delete it and run the experiment again, which writes it anew and measures nothing twice
    read PLAN: it is damaged (invalid length 0, expected an object with a schema at line 1 column 2); expected the plan of an experiment (napsim-plan/1); delete it and run the experiment again, which writes it anew and measures nothing twice
    read PLAN: it is damaged (invalid type: integer `3`, expected a string at line 1 column 11); expected the plan of an experiment (napsim-plan/1); delete it and run the experiment again, which writes it anew and measures nothing twice
    read PLAN: it is damaged (missing field `napsim` at line 1 column 26); expected the plan of an experiment (napsim-plan/1); delete it and run the experiment again, which writes it anew and measures nothing twice
    read PLAN: its schema is `napsim-plan/2`, but this program reads `napsim-plan/1`
    read DIR/store.json: it is damaged (EOF while parsing a value at line 1 column 0); expected one line, {"schema":"napsim-store/1"}; put it there again, the units are kept elsewhere
    read DIR/store.json: it is damaged (missing field `schema` at line 1 column 2); expected one line, {"schema":"napsim-store/1"}; put it there again, the units are kept elsewhere
    read DIR/store.json: it is damaged (expected ident at line 1 column 2); expected one line, {"schema":"napsim-store/1"}; put it there again, the units are kept elsewhere
    read DIR/store.json: its schema is `napsim-store/2`, but this program reads `napsim-store/1`
    "#);
}

#[test]
fn what_killed_processes_left_goes() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("store");
    let store = store(&folder, "store");
    let id = UnitId::of(&header("t")).unwrap();
    let alive = store.write_unit(&id, &header("t")).unwrap();
    let left = store
        .unit_path(&id)
        .with_file_name(".left.jsonl.gz.0123456789abcdef.tmp");
    fs::write(&left, "half").unwrap();
    UnitStore::begin(&root).unwrap();
    assert!(!left.exists());
    store
        .finish_unit(&id, alive_with_end(alive), None, Finished::Complete)
        .unwrap();
    assert!(store.end(&id).unwrap().is_some());
}

fn alive_with_end(mut writer: UnitWriter) -> UnitWriter {
    writer.see(&Event::End(Box::new(summary("t", 1, 1))));
    writer
}

/// The names and bytes of all records.
fn records(store: &UnitStore) -> Vec<(UnitId, Vec<u8>)> {
    let ids = store.ids().unwrap();
    ids.into_iter()
        .map(|id| (id.clone(), fs::read(store.unit_path(&id)).unwrap()))
        .collect()
}

#[test]
fn merging_is_the_same_in_any_order_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let parts: Vec<UnitStore> = ["a", "b", "c"].map(|name| store(&folder, name)).into();
    for (idx, part) in parts.iter().enumerate() {
        put(part, &format!("own-{idx}"), summary("own", 1, 1), Finished::Complete);
        // A predictor that does not do the same each time.
        put(
            part,
            "shared",
            summary("shared", 10, u32::try_from(idx).unwrap()),
            Finished::Complete,
        );
    }
    let mut failed = summary("t", 1, 1);
    failed.error = Some("gone".to_owned());
    put(&parts[0], "own-2", failed.clone(), Finished::Failed);
    put(&parts[1], "never", failed, Finished::Failed);
    let united: Vec<UnitStore> = [[0, 1, 2], [2, 1, 0], [1, 0, 2]]
        .iter()
        .enumerate()
        .map(|(idx, order)| {
            let united = store(&folder, &format!("united-{idx}"));
            for part in order {
                united.take_over(&parts[*part]).unwrap();
            }
            united
        })
        .collect();
    for other in &united {
        assert_eq!(records(other), records(&united[0]));
        assert_eq!(
            other.failed_ids().unwrap().len(),
            1,
            "what is complete somewhere has not failed"
        );
    }
    assert_eq!(united[0].ids().unwrap().len(), 4);
    let before = records(&united[0]);
    let again = united[0].take_over(&parts[1]).unwrap();
    assert_eq!((again.n_added, again.n_same + again.differing.len()), (0, 2));
    assert_eq!(records(&united[0]), before);
}

#[test]
fn damaged_records_are_not_taken_over_and_give_way() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (store(&folder, "one"), store(&folder, "other"));
    let id = put(&one, "t", summary("t", 1, 1), Finished::Complete);
    put(&other, "t", summary("t", 1, 1), Finished::Complete);
    fs::write(one.unit_path(&id), "torn").unwrap();
    let merged = other.take_over(&one).unwrap();
    assert_eq!((merged.damaged.len(), merged.n_added), (1, 0));
    let merged = one.take_over(&other).unwrap();
    assert_eq!((merged.damaged.len(), merged.n_added), (0, 1));
    assert!(one.end(&id).unwrap().is_some());
}

#[test]
fn plans_are_kept_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder, "store");
    let variant = PlannedVariant {
        name: "base".to_owned(),
        setup: setup(),
        units: vec![PlannedUnit {
            digest: None,
            id: UnitId::of(&header("t")).unwrap(),
            trajectory: "t".to_owned(),
            actions: 1,
            seed: 0,
        }],
    };
    let plan = PlanRecord::new(VERSION, "../first", vec![variant]);
    let path = store.keep_plan(&plan).unwrap();
    assert_eq!(store.keep_plan(&plan).unwrap(), path);
    assert!(path.starts_with(store.root().join(EXPERIMENTS)), "{}", path.display());
    assert_eq!(store.plans().unwrap(), [(path.clone(), plan)]);
    store.remove_plan(&path).unwrap();
    assert_eq!(store.plans().unwrap(), []);
}
