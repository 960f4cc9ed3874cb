//! Addresses of servers: what is secret in them, and what is added to them.

use reqwest::Url;

use super::{Provider, ProviderError};
use crate::secret::{MASK, Secret};
use crate::wire::Api;

/// An address that a user gave as it may be shown: what may be secret in it is masked.
pub fn shown_address(text: &str) -> String {
    Url::parse(text.trim()).map_or_else(
        // What cannot be read may hold a password or a key anywhere but in the middle.
        |_| {
            let start = text.split(['?', '#']).next().unwrap_or_default();
            start.rsplit_once('@').map_or(start, |(_, rest)| rest).to_owned()
        },
        |url| shown(&url),
    )
}

pub(super) fn shown(url: &Url) -> String {
    let mut shown = url.clone();
    shown.set_fragment(None);
    let had_user = !url.username().is_empty() || url.password().is_some();
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    if url.query().is_some() {
        let names: Vec<String> = url
            .query_pairs()
            .map(|(name, value)| {
                let is_harmless = name == "api-version";
                format!("{name}={}", if is_harmless { value.as_ref() } else { MASK })
            })
            .collect();
        shown.set_query(None);
        return format!("{}?{}", with_user(&shown, had_user), names.join("&"));
    }
    with_user(&shown, had_user)
}

fn with_user(url: &Url, had_user: bool) -> String {
    let text = url.as_str();
    if had_user {
        text.replacen("://", &format!("://{MASK}@"), 1)
    } else {
        text.to_owned()
    }
}

/// The address that the paths of an interface are added to, and the secrets in it.
pub(super) fn base(provider: Provider, address: &str) -> Result<(Url, Vec<Secret>), ProviderError> {
    let refused = |reason: String| ProviderError::Address {
        provider,
        address: shown_address(address),
        reason,
    };
    let mut text = address.trim().to_owned();
    // `OLLAMA_HOST` is usually written without a scheme, and as the address that the server listens at.
    if provider == Provider::Ollama {
        if !text.contains("://") {
            text = format!("http://{text}");
        }
        text = text.replacen("://0.0.0.0", "://127.0.0.1", 1);
    }
    let mut url = Url::parse(&text).map_err(|error| refused(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(refused("it is no address of a web server".to_owned()));
    }
    if url.fragment().is_some() {
        return Err(refused("it holds a `#`".to_owned()));
    }
    if provider == Provider::Ollama {
        if url.port().is_none() && url.scheme() == "http" && !text.trim_end_matches('/').ends_with(":80") {
            let _ = url.set_port(Some(11434));
        }
        if url.path() == "/" {
            url.set_path("/v1");
        }
    }
    let password = url.password().map(str::to_owned);
    let from_query = url.query_pairs().filter(|(name, _)| name != "api-version");
    let secrets: Vec<String> = from_query
        .map(|(_, value)| value.into_owned())
        .chain(password)
        .chain([url.username().to_owned()])
        .collect();
    Ok((url, secrets.iter().filter_map(|text| Secret::new(text)).collect()))
}

/// The address of an interface.
pub(super) fn address_of(provider: Provider, mut url: Url, model: &str, api: Api, azure_version: &str) -> Url {
    let _ = url.set_username("");
    let _ = url.set_password(None);
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty();
    }
    let own: Vec<&str> = api.path(provider).split('/').collect();
    let given: Vec<String> = url.path().split('/').map(str::to_owned).collect();
    // People copy the whole address, or one that ends with the version, from where it is described.
    let n_known = (0..=own.len()).rev().find(|n| {
        let known = own.get(..*n).unwrap_or_default();
        given.ends_with(&known.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    });
    let rest = own.get(n_known.unwrap_or(0)..).unwrap_or_default();
    if let Ok(mut path) = url.path_segments_mut() {
        if provider == Provider::Azure {
            path.extend(["openai", "deployments", model]);
        }
        path.extend(rest);
    }
    if provider == Provider::Azure && !url.query_pairs().any(|(name, _)| name == "api-version") {
        url.query_pairs_mut().append_pair("api-version", azure_version);
    }
    url
}
