//! Addresses of MLflow servers, and what is secret with them.

use std::net::IpAddr;

use napsim_remote::{Redactor, Secret, shown_address};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};

use crate::credentials::Credentials;
use crate::error::TrackerError;

/// Where a server is and how it is spoken to.
pub(super) struct Address {
    /// As it may be shown.
    pub(super) shown: String,
    /// Where its interface begins, without a slash at the end.
    base: Url,
    pub(super) headers: HeaderMap,
    pub(super) redactor: Redactor,
}

impl Address {
    /// Reads an address.
    pub(super) fn read(text: &str, credentials: Option<&Credentials>) -> Result<Self, TrackerError> {
        let shown = shown_address(text);
        let refused = |reason: &str| TrackerError::Address {
            address: shown.clone(),
            reason: reason.to_owned(),
        };
        let mut base = Url::parse(text.trim()).map_err(|error| refused(&error.to_string()))?;
        if !matches!(base.scheme(), "http" | "https") || !base.has_host() {
            return Err(refused(
                "expected the address of an MLflow server, with http: or https:",
            ));
        }
        if base.query().is_some() || base.fragment().is_some() {
            return Err(refused(
                "it holds a `?` or a `#`; expected the address that MLflow's pages are at",
            ));
        }
        let mut headers = HeaderMap::new();
        match credentials {
            Some(Credentials::Token(token)) => {
                let value = HeaderValue::from_str(&format!("Bearer {}", token.expose()));
                let mut value = value.map_err(|_| refused("the token holds characters that no header may hold"))?;
                value.set_sensitive(true);
                headers.insert(AUTHORIZATION, value);
            }
            // The client makes a header of what stands in the address.
            Some(Credentials::Password { user, password }) => {
                let _ = base.set_username(user);
                let _ = base.set_password(Some(password.expose()));
            }
            None => {}
        }
        let is_secret = credentials.is_some() || !base.username().is_empty() || base.password().is_some();
        if is_secret && base.scheme() == "http" && !is_this_machine(&base) {
            return Err(refused(
                "a token or password is sent over plain HTTP to this machine alone; expected https:",
            ));
        }
        let given = base.password().and_then(Secret::new);
        let pair = credentials.and_then(Credentials::pair);
        let secrets = credentials
            .map(Credentials::secret)
            .into_iter()
            .chain(&given)
            .chain(&pair);
        Ok(Self {
            redactor: Redactor::new(secrets),
            shown,
            base,
            headers,
        })
    }

    /// The address of a request, such as `runs/create`.
    pub(super) fn of(&self, request: &str) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty();
            path.extend(["api", "2.0", "mlflow"]).extend(request.split('/'));
        }
        url
    }
}

/// Whether an address leads to this machine and nowhere else.
fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let number = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || number.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_go_below_the_address() {
        for (text, expect) in [
            (
                "http://127.0.0.1:5000",
                "http://127.0.0.1:5000/api/2.0/mlflow/runs/create",
            ),
            ("https://host/mlflow/", "https://host/mlflow/api/2.0/mlflow/runs/create"),
        ] {
            let address = Address::read(text, None).unwrap();
            assert_eq!(address.of("runs/create").as_str(), expect);
        }
    }

    #[test]
    fn secrets_go_over_encrypted_connections_and_into_no_message() {
        let password = Credentials::Password {
            user: "me".to_owned(),
            password: Secret::new("canary-1").unwrap(),
        };
        let token = Credentials::Token(Secret::new("canary-2").unwrap());
        assert!(!format!("{password:?} {token:?}").contains("canary"));
        for credentials in [&password, &token] {
            assert!(Address::read("https://host", Some(credentials)).is_ok());
            assert!(Address::read("http://localhost:1", Some(credentials)).is_ok());
            assert!(Address::read("http://host", Some(credentials)).is_err());
        }
        assert!(Address::read("http://host", None).is_ok());
        for text in [
            "http://u:canary@host",
            "databricks",
            "file:///x",
            "http://127.0.0.1/?x=canary",
        ] {
            let error = Address::read(text, None).err().unwrap().to_string();
            assert!(!error.contains("canary") && error.starts_with("export to "), "{error}");
        }
    }
}
