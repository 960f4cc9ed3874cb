//! Downloads that end well.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use napsim_hub::{Event, HubError, Kind, ModelName, Origin, Patience, Pull, Pulled, Watch, examine, locate_in};

use crate::server::{COMMIT, REPOSITORY, Server, sha256};

pub(crate) const NAME: &str = "smollm/135m";

/// Weights of some length, no two stretches alike.
pub(crate) fn weights(n: usize) -> Vec<u8> {
    (0..n)
        .map(|i| u8::try_from((i * i / 7 + i) % 251).unwrap_or(0))
        .collect()
}

/// A hub with a small Hugging Face folder.
pub(crate) fn small() -> Server {
    let weights = weights(300_000);
    Server::with_files(&[
        ("README.md", b"hello"),
        ("config.json", b"{}"),
        ("tokenizer.json", b"{\"x\":1}"),
        ("model.safetensors", &weights),
    ])
}

#[expect(clippy::unwrap_used, reason = "a test that cannot use its server has failed")]
pub(crate) fn request(server: &Server, tries: usize) -> Pull {
    Pull {
        repository: REPOSITORY.to_owned(),
        revision: "main".to_owned(),
        file: None,
        endpoint: server.endpoint().parse().unwrap(),
        token: None,
        patience: Patience {
            pauses: vec![Duration::ZERO; tries],
        },
    }
}

pub(crate) fn go_on() -> impl FnMut(Event<'_>) -> ControlFlow<()> {
    |_| ControlFlow::Continue(())
}

pub(crate) fn fetch(pull: &Pull, folder: &Path) -> Result<Pulled, HubError> {
    fetch_watched(pull, folder, &mut go_on())
}

#[expect(clippy::unwrap_used, reason = "a test that cannot use its names has failed")]
fn fetch_watched(pull: &Pull, folder: &Path, watch: &mut Watch<'_>) -> Result<Pulled, HubError> {
    pull.fetch(folder, &ModelName::parse(NAME).unwrap(), watch)
}

/// The names of the files of the model.
#[expect(clippy::unwrap_used, reason = "a test that cannot use its folder has failed")]
pub(crate) fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join(NAME)).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

const WHOLE: [&str; 4] = ["config.json", "model.safetensors", "napsim-hub.json", "tokenizer.json"];

#[test]
fn a_model_is_fetched_once() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    // As Git names the contents `{}`.
    let as_git = "\"size\":2,\"oid\":\"9e26dfeeb6e641a33dae4961196235bdb965b21b\"";
    server
        .behaviour()
        .listed
        .insert("config.json".to_owned(), as_git.to_owned());
    let pulled = fetch(&request(&server, 0), folder.path()).unwrap();
    assert_eq!(pulled.path, folder.path().join("smollm").join("135m"));
    assert_eq!(locate_in(folder.path(), NAME).unwrap(), pulled.path);
    assert_eq!(pulled.n_fetched, 3);
    assert_eq!(files(folder.path()), WHOLE);
    assert_eq!(
        fs::read(pulled.path.join("model.safetensors")).unwrap(),
        weights(300_000)
    );
    let origin = Origin::Repository {
        repository: REPOSITORY.to_owned(),
        revision: "main".to_owned(),
        commit: COMMIT.to_owned(),
    };
    assert_eq!(pulled.manifest.origin, origin);
    let config = &pulled.manifest.files[0];
    assert_eq!(
        (config.name.as_str(), config.size, &config.sha256),
        ("config.json", 2, &sha256(b"{}"))
    );

    let again = fetch(&request(&server, 0), folder.path()).unwrap();
    assert_eq!((again.n_fetched, again.manifest), (0, pulled.manifest));
    assert_eq!(server.ranges("model.safetensors").len(), 1);
    assert_eq!(server.ranges("README.md").len(), 0);
}

#[test]
fn a_connection_that_breaks_is_continued() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    server.behaviour().cuts = [2, 7, 100_000, 50_000].into();
    let mut n_retries = 0;
    let mut watch = |event: Event<'_>| {
        n_retries += u32::from(matches!(event, Event::Retrying { .. }));
        ControlFlow::Continue(())
    };
    // One more try is enough, because each brings the file further.
    let pulled = fetch_watched(&request(&server, 1), folder.path(), &mut watch).unwrap();
    assert_eq!(n_retries, 2);
    let range = |start: u32| Some(format!("bytes={start}-"));
    assert_eq!(
        server.ranges("model.safetensors"),
        [None, range(100_000), range(150_000)]
    );
    assert_eq!(
        fs::read(pulled.path.join("model.safetensors")).unwrap(),
        weights(300_000)
    );
}

#[test]
fn a_server_without_ranges_starts_over() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    server.behaviour().ignores_ranges = true;
    server.behaviour().cuts = [2, 7, 100_000].into();
    let pulled = fetch(&request(&server, 1), folder.path()).unwrap();
    assert_eq!(
        server.ranges("model.safetensors"),
        [None, Some("bytes=100000-".to_owned())]
    );
    assert_eq!(
        fs::read(pulled.path.join("model.safetensors")).unwrap(),
        weights(300_000)
    );
}

#[test]
fn a_later_call_goes_on() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    server.behaviour().cuts = [2, 7, 100_000].into();
    let error = fetch(&request(&server, 0), folder.path()).unwrap_err().to_string();
    assert!(
        error.starts_with("get model.safetensors from http://127.0.0.1:"),
        "{error}"
    );
    assert!(error.contains("byte 100000 of 300000"), "{error}");
    let error = locate_in(folder.path(), NAME).unwrap_err();
    assert!(matches!(error, HubError::Unfinished { .. }), "{error}");
    let pulled = fetch(&request(&server, 0), folder.path()).unwrap();
    assert_eq!(pulled.n_fetched, 1);
    assert_eq!(
        server.ranges("model.safetensors"),
        [None, Some("bytes=100000-".to_owned())]
    );
    assert_eq!(files(folder.path()), WHOLE);
}

#[test]
fn a_call_that_is_stopped_goes_on() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    let mut watch = |event: Event<'_>| match event {
        Event::Reached { done } if done > 100_000 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let error = fetch_watched(&request(&server, 0), folder.path(), &mut watch).unwrap_err();
    assert!(matches!(error, HubError::Stopped));
    assert!(files(folder.path()).iter().any(|name| name.ends_with(".part")));
    fetch(&request(&server, 0), folder.path()).unwrap();
    let ranges = server.ranges("model.safetensors");
    assert!(ranges.len() == 2 && ranges[1].is_some(), "{ranges:?}");
    assert_eq!(files(folder.path()), WHOLE);
}

#[test]
fn a_part_of_other_bytes_is_fetched_anew() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    server.behaviour().cuts = [2, 7, 100_000].into();
    fetch(&request(&server, 0), folder.path()).unwrap_err();
    let part = files(folder.path())
        .into_iter()
        .find(|name| name.ends_with(".part"))
        .unwrap();
    fs::write(folder.path().join(NAME).join(part), vec![0; 200_000]).unwrap();
    let pulled = fetch(&request(&server, 0), folder.path()).unwrap();
    assert_eq!(
        fs::read(pulled.path.join("model.safetensors")).unwrap(),
        weights(300_000)
    );
    let ranges = server.ranges("model.safetensors");
    assert_eq!(ranges, [None, Some("bytes=200000-".to_owned()), None]);
}

#[test]
fn a_newer_version_replaces_the_older() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    fetch(&request(&server, 0), folder.path()).unwrap();
    server
        .behaviour()
        .files
        .insert("model.safetensors".to_owned(), b"newer".to_vec());
    let pulled = fetch(&request(&server, 0), folder.path()).unwrap();
    assert_eq!(pulled.n_fetched, 1);
    assert_eq!(fs::read(pulled.path.join("model.safetensors")).unwrap(), b"newer");
}

#[test]
fn a_mixture_of_two_versions_is_no_model() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    fetch(&request(&server, 0), folder.path()).unwrap();
    // Of the same lengths, so that only the mark tells.
    server
        .behaviour()
        .files
        .insert("config.json".to_owned(), b"[]".to_vec());
    server
        .behaviour()
        .files
        .insert("model.safetensors".to_owned(), vec![3; 300_000]);
    let mut watch = |event: Event<'_>| match event {
        Event::Begun {
            file: "model.safetensors",
            ..
        } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    fetch_watched(&request(&server, 0), folder.path(), &mut watch).unwrap_err();
    assert_eq!(fs::read(folder.path().join(NAME).join("config.json")).unwrap(), b"[]");
    let error = locate_in(folder.path(), NAME).unwrap_err();
    assert!(matches!(error, HubError::Unfinished { .. }), "{error}");
    fetch(&request(&server, 0), folder.path()).unwrap();
    locate_in(folder.path(), NAME).unwrap();
    assert_eq!(files(folder.path()), WHOLE);
}

#[test]
fn shards_come_with_their_index() {
    let index = br#"{"metadata":{"total_size":2},"weight_map":{"x":"model-1.safetensors","y":"model-2.safetensors"}}"#;
    let server = Server::with_files(&[
        ("config.json", b"{}"),
        ("tokenizer.json", b"{}"),
        ("generation_config.json", b"{}"),
        ("model.safetensors.index.json", index),
        ("model-1.safetensors", b"one"),
        ("model-2.safetensors", b"two"),
        ("other.safetensors", b"other"),
    ]);
    let folder = tempfile::tempdir().unwrap();
    let pulled = fetch(&request(&server, 0), folder.path()).unwrap();
    assert_eq!(pulled.n_fetched, 6);
    let expected = [
        "config.json",
        "generation_config.json",
        "model-1.safetensors",
        "model-2.safetensors",
        "model.safetensors.index.json",
        "napsim-hub.json",
        "tokenizer.json",
    ];
    assert_eq!(files(folder.path()), expected);
    fs::remove_file(pulled.path.join("model-2.safetensors")).unwrap();
    let error = locate_in(folder.path(), NAME).unwrap_err().to_string();
    assert!(error.contains("model-2.safetensors is missing"), "{error}");

    server.behaviour().files.remove("model-2.safetensors");
    let error = fetch(&request(&server, 0), folder.path()).unwrap_err().to_string();
    assert!(error.contains("it holds no model-2.safetensors"), "{error}");
}

#[test]
fn one_gguf_file_is_fetched_by_name() {
    let server = Server::with_files(&[("a.gguf", b"GGUFa"), ("b.gguf", b"GGUFb"), ("config.json", b"{}")]);
    let folder = tempfile::tempdir().unwrap();
    let error = fetch(&request(&server, 0), folder.path()).unwrap_err().to_string();
    assert!(error.contains("--file: a.gguf, b.gguf"), "{error}");
    assert!(!folder.path().join("smollm").exists());
    let pull = Pull {
        file: Some("b.gguf".to_owned()),
        ..request(&server, 0)
    };
    let pulled = fetch(&pull, folder.path()).unwrap();
    assert_eq!(pulled.path, folder.path().join(NAME).join("b.gguf"));
    let contents = examine(&folder.path().join(NAME)).unwrap().unwrap();
    assert_eq!(contents.kind, Kind::Gguf);
    let other = Pull {
        file: Some("a.gguf".to_owned()),
        ..request(&server, 0)
    };
    let error = fetch(&other, folder.path()).unwrap_err().to_string();
    assert!(
        error.contains("holds another model (b.gguf)") && error.contains("--name"),
        "{error}"
    );
    assert_eq!(files(folder.path()), ["b.gguf", "napsim-hub.json"]);
}
