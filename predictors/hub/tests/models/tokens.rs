//! Tokens, and where they go.

use napsim_hub::{HubError, Pull};

use crate::pull::{fetch, request, small};

const TOKEN: &str = "hf_secret";

fn with_token(pull: Pull) -> Pull {
    Pull {
        token: Some(TOKEN.to_owned()),
        ..pull
    }
}

#[test]
fn a_token_goes_to_the_hub_and_to_nobody_else() {
    let (hub, store, folder) = (small(), small(), tempfile::tempdir().unwrap());
    hub.behaviour().token = Some(TOKEN.to_owned());
    hub.behaviour().elsewhere = Some(store.endpoint());
    fetch(&with_token(request(&hub, 0)), folder.path()).unwrap();
    let authorized = |request: &crate::server::Request| request.headers.contains_key("authorization");
    assert_eq!(hub.requests().len(), 5);
    assert!(hub.requests().iter().all(authorized));
    let stored = store.requests();
    assert_eq!(stored.len(), 3);
    for request in stored {
        assert!(request.path.starts_with("/blob/"));
        assert!(!format!("{request:?}").contains("secret"), "{request:?}");
    }
}

#[test]
fn the_hubs_checksum_counts_for_what_comes_from_elsewhere() {
    let (hub, store, folder) = (small(), small(), tempfile::tempdir().unwrap());
    hub.behaviour().elsewhere = Some(store.endpoint());
    // A hub that lists no checksums tells them on the way.
    hub.behaviour()
        .listed
        .insert("config.json".to_owned(), "\"size\":2".to_owned());
    store.behaviour().wrong.insert("config.json".to_owned(), b"[]".to_vec());
    let error = fetch(&request(&hub, 0), folder.path()).unwrap_err();
    assert!(matches!(error, HubError::Checksum { .. }), "{error}");
    store.behaviour().wrong.clear();
    fetch(&request(&hub, 0), folder.path()).unwrap();
}

#[test]
fn who_lacks_a_token_is_told() {
    let (hub, folder) = (small(), tempfile::tempdir().unwrap());
    hub.behaviour().token = Some("another".to_owned());
    let error = fetch(&request(&hub, 3), folder.path()).unwrap_err().to_string();
    assert!(error.contains("set HF_TOKEN"), "{error}");
    let error = fetch(&with_token(request(&hub, 3)), folder.path())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("does not open it") && !error.contains("secret"),
        "{error}"
    );
}

#[test]
fn answers_that_go_round_in_circles_end() {
    let (hub, folder) = (small(), tempfile::tempdir().unwrap());
    let endpoint = hub.endpoint();
    hub.behaviour().elsewhere = Some(endpoint);
    let error = fetch(&request(&hub, 3), folder.path()).unwrap_err().to_string();
    assert!(error.contains("elsewhere more than 10 times"), "{error}");
}
