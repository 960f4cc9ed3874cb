//! Addresses of services, and what is secret with them.

use std::net::IpAddr;

use napsim_remote::{Secret, shown_address};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};

use crate::ExternalError;

/// Reads an address, and what is secret in it.
pub(super) fn read(text: &str, token: Option<&Secret>) -> Result<(Url, Vec<Secret>), ExternalError> {
    let refused = |reason: String| ExternalError::Address {
        address: shown_address(text),
        reason,
    };
    let url = Url::parse(text.trim()).map_err(|error| refused(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(refused("it is no address of a web server".to_owned()));
    }
    let has_user = !url.username().is_empty() || url.password().is_some();
    let is_open = url.scheme() == "http" && !is_this_machine(&url);
    if is_open && (has_user || token.is_some()) {
        let what = if token.is_some() { "a token" } else { "a password" };
        return Err(refused(format!(
            "{what} is sent over plain HTTP to this machine alone; expected https:"
        )));
    }
    let of_query = url.query_pairs().map(|(_, value)| value.into_owned());
    let of_user = [url.username().to_owned(), url.password().unwrap_or_default().to_owned()];
    let secrets = of_query.chain(of_user).filter_map(|text| Secret::new(&text)).collect();
    Ok((url, secrets))
}

/// Whether an address leads to this machine and nowhere else, whatever names mean elsewhere.
fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let number = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || number.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The headers of every request.
pub(super) fn headers(shown: &str, token: Option<&Secret>) -> Result<HeaderMap, ExternalError> {
    let mut headers = HeaderMap::new();
    if let Some(token) = token {
        let value = HeaderValue::from_str(&format!("Bearer {}", token.expose()));
        let mut value = value.map_err(|_| ExternalError::Address {
            address: shown.to_owned(),
            reason: "the token holds characters that no header may hold".to_owned(),
        })?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_sent_in_the_clear_to_this_machine_alone() {
        let token = Secret::new("canary-token").unwrap();
        for url in [
            "http://localhost:1/predict",
            "http://127.0.0.1/x",
            "http://127.1.2.3/x",
            "http://[::1]:8/x",
            "https://example.org/x",
            "https://127.evil.example/x",
        ] {
            assert!(read(url, Some(&token)).is_ok(), "{url}");
            assert!(read(url, None).is_ok(), "{url}");
        }
        for url in [
            "http://example.org/x",
            "http://10.0.0.1/x",
            "http://127.evil.example/x",
            "http://localhost.example/x",
            "http://[::2]/x",
        ] {
            assert!(read(url, None).is_ok(), "{url}");
            let error = read(url, Some(&token)).unwrap_err().to_string();
            assert!(error.contains("https") && !error.contains("canary"), "{error}");
        }
        let error = read("http://user:canary@example.org/x", None).unwrap_err().to_string();
        assert!(
            error.contains("***@example.org") && !error.contains("canary"),
            "{error}"
        );
    }

    #[test]
    fn only_web_servers_are_asked() {
        for url in [
            "ftp://h/x",
            "file:///etc/passwd",
            "exec:x",
            "no address",
            "http://",
            "http:",
        ] {
            assert!(read(url, None).is_err(), "{url}");
        }
        let headers = headers("http://h", Secret::new("a\u{1}b").as_ref());
        assert!(headers.is_err());
    }
}
