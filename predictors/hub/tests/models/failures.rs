//! Downloads that cannot end well.

use std::fs::{self, File};
use std::net::TcpListener;

use napsim_hub::{HubError, Pull};

use crate::pull::{NAME, fetch, files, request, small};
use crate::server::Server;

#[test]
fn wrong_bytes_are_not_kept() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    server
        .behaviour()
        .wrong
        .insert("model.safetensors".to_owned(), vec![7; 300_000]);
    let error = fetch(&request(&server, 3), folder.path()).unwrap_err();
    assert!(matches!(error, HubError::Checksum { .. }), "{error}");
    let error = error.to_string();
    assert!(
        error.contains("model.safetensors") && error.contains("nothing of it was kept"),
        "{error}"
    );
    let files = files(folder.path());
    assert!(
        !files.iter().any(|name| name.starts_with("model.safetensors")),
        "{files:?}"
    );
    assert_eq!(server.ranges("model.safetensors").len(), 1);
}

#[test]
fn files_of_another_length_are_refused() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    for (n, message) in [(300_001, "it has 300001 bytes"), (200_000, "it has 200000 bytes")] {
        server
            .behaviour()
            .wrong
            .insert("model.safetensors".to_owned(), vec![7; n]);
        let error = fetch(&request(&server, 3), folder.path()).unwrap_err().to_string();
        assert!(error.contains(message) && error.contains("says 300000"), "{error}");
    }
    let huge = format!(
        "\"size\":1,\"lfs\":{{\"oid\":\"{}\",\"size\":99999999999999}}",
        "0".repeat(64)
    );
    server.behaviour().listed.insert("model.safetensors".to_owned(), huge);
    let error = fetch(&request(&server, 3), folder.path()).unwrap_err().to_string();
    assert!(error.contains("are the most that are fetched"), "{error}");
}

#[test]
fn files_without_a_checksum_are_refused() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    server
        .behaviour()
        .listed
        .insert("config.json".to_owned(), "\"size\":2".to_owned());
    let error = fetch(&request(&server, 3), folder.path()).unwrap_err().to_string();
    assert!(
        error.contains("get config.json") && error.contains("tells no checksum"),
        "{error}"
    );
}

#[test]
fn a_server_that_is_busy_is_asked_again() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    server.behaviour().statuses = [503, 429, 500].into();
    fetch(&request(&server, 3), folder.path()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    server.behaviour().statuses = [503, 503, 503].into();
    let error = fetch(&request(&server, 2), folder.path()).unwrap_err();
    assert!(matches!(error, HubError::Status { status: 503, .. }), "{error}");
    assert!(!folder.path().join("smollm").exists());
}

#[test]
fn what_is_not_there_is_said() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    let pull = |repository: &str, revision: &str| Pull {
        repository: repository.to_owned(),
        revision: revision.to_owned(),
        ..request(&server, 3)
    };
    for (repository, revision) in [("owner/other", "main"), ("owner/repo", "v9")] {
        let error = fetch(&pull(repository, revision), folder.path()).unwrap_err();
        assert!(matches!(error, HubError::NotThere { .. }), "{error}");
        assert!(
            error
                .to_string()
                .contains(&format!("get {repository} at {revision} from")),
            "{error}"
        );
    }
    let n_requests = server.requests().len();
    let error = fetch(&pull("owner/../repo", "main"), folder.path()).unwrap_err();
    assert!(matches!(error, HubError::Name { .. }), "{error}");
    assert_eq!(server.requests().len(), n_requests);
    server.behaviour().files.remove("tokenizer.json");
    let error = fetch(&pull("owner/repo", "main"), folder.path())
        .unwrap_err()
        .to_string();
    assert_eq!(error, "use the repository owner/repo: it holds no tokenizer.json");
}

#[test]
fn without_a_network_nobody_waits() {
    // A port on which nobody listens any more.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let pull = Pull {
        endpoint: format!("http://127.0.0.1:{port}").parse().unwrap(),
        patience: napsim_hub::Patience {
            pauses: vec![std::time::Duration::from_secs(3600)],
        },
        ..request(&small(), 0)
    };
    let folder = tempfile::tempdir().unwrap();
    let error = fetch(&pull, folder.path()).unwrap_err();
    assert!(error.is_offline() && !error.is_environment(), "{error}");
    assert!(
        error
            .to_string()
            .starts_with(&format!("reach http://127.0.0.1:{port}: ")),
        "{error}"
    );
    assert!(!folder.path().join("smollm").exists());
}

#[test]
fn answers_that_make_no_sense_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::with_files(&[]);
    let error = fetch(&request(&server, 3), folder.path()).unwrap_err().to_string();
    assert!(error.contains("neither model.safetensors nor"), "{error}");
    server.behaviour().files.insert("config.json".to_owned(), Vec::new());
    server
        .behaviour()
        .listed
        .insert("config.json".to_owned(), "nonsense".to_owned());
    let error = fetch(&request(&server, 3), folder.path()).unwrap_err().to_string();
    assert!(error.contains("it is not what a hub answers"), "{error}");
}

#[test]
fn a_model_of_ones_own_is_not_overwritten() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    let model = folder.path().join(NAME);
    fs::create_dir_all(&model).unwrap();
    fs::write(model.join("config.json"), "{}").unwrap();
    fs::write(model.join("model.safetensors"), "mine").unwrap();
    let error = fetch(&request(&server, 3), folder.path()).unwrap_err();
    assert!(matches!(error, HubError::Occupied { .. }), "{error}");
    assert_eq!(fs::read(model.join("model.safetensors")).unwrap(), b"mine");
    assert_eq!(files(folder.path()), ["config.json", "model.safetensors"]);
    fs::remove_file(model.join("model.safetensors")).unwrap();
    let pulled = fetch(&request(&server, 3), folder.path()).unwrap();
    assert_eq!(pulled.n_fetched, 2);
}

#[cfg(unix)]
#[test]
fn one_process_at_a_time_fetches_a_model() {
    let (server, folder) = (small(), tempfile::tempdir().unwrap());
    let model = folder.path().join(NAME);
    fs::create_dir_all(&model).unwrap();
    let other = File::open(&model).unwrap();
    other.try_lock().unwrap();
    let error = fetch(&request(&server, 3), folder.path()).unwrap_err();
    assert!(matches!(error, HubError::InUse { .. }), "{error}");
    drop(other);
    fetch(&request(&server, 3), folder.path()).unwrap();
}
