//! Where models are asked, and what is shown of it.

use reqwest::header::AUTHORIZATION;

use super::*;

fn endpoint(
    name: &str,
    api: Option<Api>,
    base_url: Option<&str>,
    variables: &[(&str, &str)],
) -> Result<Endpoint, ProviderError> {
    let (provider, model) = name.split_once('/').unwrap();
    let variable = |name: &str| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    Endpoint::new(Provider::from_name(provider).unwrap(), model, api, base_url, &variable)
}

#[test]
fn every_provider_has_its_address() {
    let url = |name: &str, api: Option<Api>, variables: &[(&str, &str)]| {
        endpoint(name, api, None, variables).unwrap().url().to_string()
    };
    assert_eq!(
        url("openai/gpt-5", None, &[]),
        "https://api.openai.com/v1/chat/completions"
    );
    assert_eq!(
        url(
            "openai/gpt-5",
            Some(Api::Responses),
            &[("OPENAI_BASE_URL", "http://proxy/openai/")]
        ),
        "http://proxy/openai/responses"
    );
    assert_eq!(
        url(
            "azure/my deployment",
            None,
            &[("AZURE_OPENAI_ENDPOINT", "https://me.openai.azure.com/")]
        ),
        "https://me.openai.azure.com/openai/deployments/my%20deployment/chat/completions?api-version=2024-10-21"
    );
    assert_eq!(
        url("anthropic/claude", None, &[]),
        "https://api.anthropic.com/v1/messages"
    );
    assert_eq!(
        url("openrouter/meta-llama/llama-3:free", Some(Api::Completion), &[]),
        "https://openrouter.ai/api/v1/completions"
    );
    for address in [
        "http://h/v1",
        "http://h/v1/",
        "http://h/v1/chat",
        "http://h/v1/chat/completions",
    ] {
        assert_eq!(
            url("local/m", None, &[("NAPSIM_BASE_URL", address)]),
            "http://h/v1/chat/completions"
        );
    }
    for address in ["http://h", "http://h/v1", "http://h/v1/messages"] {
        assert_eq!(
            url("anthropic/m", None, &[("ANTHROPIC_BASE_URL", address)]),
            "http://h/v1/messages"
        );
    }
    for host in ["0.0.0.0:11434", "http://127.0.0.1", "127.0.0.1/v1"] {
        assert_eq!(
            url("ollama/llama3.2:3b", None, &[("OLLAMA_HOST", host)]),
            "http://127.0.0.1:11434/v1/chat/completions"
        );
    }
}

#[test]
fn a_server_must_be_named_and_make_sense() {
    let message = |base_url| endpoint("local/m", None, base_url, &[]).unwrap_err().to_string();
    assert_eq!(
        message(None),
        "find the server of local/m: give --base-url URL, or set NAPSIM_BASE_URL"
    );
    for text in ["localhost:80", "ftp://h", "http://", "h", "http://h/#x"] {
        assert!(message(Some(text)).starts_with("read the address `"), "{text}");
    }
    let error = endpoint("anthropic/m", Some(Api::Chat), None, &[]).unwrap_err();
    assert_eq!(error.to_string(), "ask anthropic by `chat`: it has messages");
}

#[test]
fn a_missing_key_is_named_where_one_is_needed() {
    assert_eq!(
        endpoint("openai/m", None, None, &[]).unwrap().missing_key(),
        Some("OPENAI_API_KEY")
    );
    for endpoint in [
        endpoint("openai/m", None, Some("http://127.0.0.1:1/v1"), &[]),
        endpoint("openai/m", None, None, &[("OPENAI_API_KEY", "sk-canary-1")]),
        endpoint("ollama/m", None, None, &[]),
        endpoint("local/m", None, Some("http://127.0.0.1:1"), &[]),
    ] {
        assert_eq!(endpoint.unwrap().missing_key(), None);
    }
    let error = endpoint("openai/m", None, None, &[("OPENAI_API_KEY", "sk-\u{1}canary")]).unwrap_err();
    assert!(!error.to_string().contains("canary"));
}

#[test]
fn keys_are_shown_nowhere() {
    let with_all = endpoint(
        "local/m",
        None,
        Some("http://user-canary:pass-canary@h/v1?token=query-canary&api-version=1"),
        &[("NAPSIM_API_KEY", "key-canary")],
    )
    .unwrap();
    assert_eq!(
        with_all.address(),
        "http://h/v1/chat/completions?token=***&api-version=1"
    );
    let shown = format!("{:?} {with_all:?} {:?}", with_all.headers(), with_all.redact(""));
    assert!(!shown.contains("canary"), "{shown}");
    let echo = "key-canary pass-canary user-canary query-canary";
    assert_eq!(with_all.redact(echo), "*** *** *** ***");
    assert_eq!(shown_address("http://u:p@h/x?key=1"), "http://***@h/x?key=***");
    assert_eq!(shown_address("nonsense u:p@h?key=1#x"), "h");
    assert_eq!(shown_address("http://u:p@h:99999/x?key=1"), "h:99999/x");
    assert_eq!(shown_address("http://h/x#secret"), "http://h/x");
    // Without a key the user of the address is one.
    let user = endpoint("local/m", None, Some("http://u:p@h/v1"), &[]).unwrap();
    assert_eq!(user.headers().get(AUTHORIZATION).unwrap(), "Basic dTpw");
}
