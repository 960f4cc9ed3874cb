//! Clients of HTTP, one for each kind of address.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Url};

use super::{TransportError, TransportSettings};

/// How long an idle connection is kept. Servers close theirs after a minute or more.
const IDLE: Duration = Duration::from_secs(50);

/// How often a silent connection is checked, so that nothing on the way forgets it while a model thinks.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// The kind of an address, by what a client needs for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    is_this_machine: bool,
    is_encrypted: bool,
}

impl Kind {
    fn of(url: &Url) -> Self {
        let host = url.host_str().unwrap_or_default();
        Self {
            is_this_machine: host == "localhost" || host == "[::1]" || host.starts_with("127."),
            is_encrypted: url.scheme() == "https",
        }
    }
}

/// Clients that are made when they are first needed.
pub(super) struct Clients {
    connect_timeout: Duration,
    connections_max: usize,
    clients: Mutex<BTreeMap<Kind, Client>>,
}

impl Clients {
    pub(super) fn new(settings: &TransportSettings) -> Self {
        Self {
            connect_timeout: settings.connect_timeout,
            connections_max: usize::try_from(settings.connections_max).unwrap_or(usize::MAX),
            clients: Mutex::default(),
        }
    }

    /// The client for an address; it shares its connections.
    pub(super) fn client(&self, url: &Url) -> Result<Client, TransportError> {
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(TransportError::Client {
                reason: format!("its address begins with `{}:`; expected http: or https:", url.scheme()),
            });
        }
        let kind = Kind::of(url);
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&kind) {
            return Ok(client.clone());
        }
        let client = match self.builder(kind).build() {
            // A system without certificates can ask in the clear nevertheless.
            Err(_) if !kind.is_encrypted => self.builder(kind).tls_certs_only([]).build(),
            client => client,
        };
        let client = client.map_err(|error| TransportError::Client { reason: cause(&error) })?;
        clients.insert(kind, client.clone());
        Ok(client)
    }

    fn builder(&self, kind: Kind) -> ClientBuilder {
        let builder = Client::builder()
            .user_agent(concat!("napsim/", env!("CARGO_PKG_VERSION")))
            .http1_only()
            .redirect(Policy::none())
            .referer(false)
            .retry(reqwest::retry::never())
            .connect_timeout(self.connect_timeout)
            .tcp_keepalive(KEEPALIVE)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(self.connections_max);
        // No proxy knows this machine by its own name.
        if kind.is_this_machine {
            builder.no_proxy()
        } else {
            builder
        }
    }
}

/// The innermost cause of an error, which says most and holds no address.
pub(super) fn cause(error: &(dyn Error + 'static)) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    match innermost.downcast_ref::<reqwest::Error>() {
        // Its own message would name the address.
        Some(error) if error.is_builder() => "the request is not valid".to_owned(),
        Some(_) => "the request failed".to_owned(),
        None => innermost.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_http_is_spoken() {
        let clients = Clients::new(&TransportSettings::default());
        for address in ["file:///etc/passwd", "ftp://user:canary@h/", "data:canary"] {
            let error = clients.client(&address.parse().unwrap()).unwrap_err().to_string();
            assert!(error.contains("expected http: or https:"), "{error}");
            assert!(!error.contains("canary"), "{error}");
        }
        assert!(clients.client(&"http://127.0.0.1:1/".parse().unwrap()).is_ok());
    }

    #[test]
    fn proxies_are_for_other_machines() {
        let is_here = |url: &str| Kind::of(&url.parse().unwrap()).is_this_machine;
        for url in [
            "http://localhost:1",
            "http://127.0.0.1",
            "http://127.1.2.3/x",
            "http://[::1]:8",
        ] {
            assert!(is_here(url), "{url}");
        }
        for url in ["http://example.org", "http://localhost.example.org", "http://10.0.0.1"] {
            assert!(!is_here(url), "{url}");
        }
    }
}
