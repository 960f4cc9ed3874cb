//! Requests to a hub, and where its answers send us.

use std::error::Error;
use std::io::Read;
use std::str::FromStr;
use std::time::Duration;

use reqwest::blocking::{Client, ClientBuilder, Response};
use reqwest::header::{self, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{StatusCode, Url};
use serde::de::DeserializeOwned;

use crate::HubError;
use crate::checksum::Checksum;

/// The hub that is asked unless another is named.
pub const ENDPOINT: &str = "https://huggingface.co";

/// Longest time to wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Longest time to wait for the beginning of an answer, or for its next bytes.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// Most times that an answer may send us elsewhere.
const REDIRECTS_MAX: usize = 10;

/// Largest answer that is read as JSON.
const JSON_BYTES_MAX: u64 = 16 << 20;

/// The address of a hub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint(Url);

impl FromStr for Endpoint {
    type Err = HubError;

    /// Reads the address of a hub; a path in it goes before the paths of the hub.
    fn from_str(text: &str) -> Result<Self, HubError> {
        let refused = |what: String| HubError::Endpoint {
            endpoint: text.to_owned(),
            what,
        };
        let url = Url::parse(text.trim())
            .map_err(|error| refused(format!("{error}; expected an address such as {ENDPOINT}")))?;
        if !matches!(url.scheme(), "https" | "http") || !url.has_host() {
            return Err(refused(format!("expected an address such as {ENDPOINT}")));
        }
        if url.query().is_some() || url.fragment().is_some() || url.password().is_some() || !url.username().is_empty() {
            return Err(refused("expected no user, `?` or `#` in it".to_owned()));
        }
        Ok(Self(url))
    }
}

/// A hub that can be asked.
#[derive(Debug)]
pub(crate) struct Connection {
    client: Client,
    endpoint: Url,
    token: Option<HeaderValue>,
}

/// An answer whose body is still to be read.
pub(crate) struct Answer {
    pub(crate) response: Response,
    /// The checksum of a large file, as the hub told it before it sent us elsewhere.
    pub(crate) linked: Option<Checksum>,
    /// The machine that answers.
    pub(crate) host: String,
}

impl Connection {
    /// Prepares for asking a hub. The token goes to the hub and never to where its answers send us.
    pub(crate) fn new(endpoint: &Endpoint, token: Option<&str>) -> Result<Self, HubError> {
        let endpoint = endpoint.0.clone();
        let token = token
            .map(str::trim)
            .filter(|token| !token.is_empty())
            .map(bearer)
            .transpose()?;
        let client = match builder(&endpoint).build() {
            // A system without certificates can ask in the clear nevertheless.
            Err(_) if endpoint.scheme() == "http" => builder(&endpoint).tls_certs_only([]).build(),
            client => client,
        };
        let client = client.map_err(|error| HubError::Client { reason: reason(error) })?;
        Ok(Self {
            client,
            endpoint,
            token,
        })
    }

    /// An address on the hub.
    pub(crate) fn url(&self, before: &[&str], repository: &str, after: &[&str]) -> Url {
        let mut url = self.endpoint.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            // A revision may hold slashes, and is one word of the path all the same.
            path.pop_if_empty()
                .extend(before)
                .extend(repository.split('/'))
                .extend(after);
        }
        url
    }

    /// Asks for a file, from a byte on, and goes where the answers send us.
    pub(crate) fn get(&self, url: &Url, what: &str, from: u64) -> Result<Answer, HubError> {
        let mut url = url.clone();
        let mut linked = None;
        for _ in 0..=REDIRECTS_MAX {
            let is_hub = url.origin() == self.endpoint.origin();
            let host = host(&url);
            let mut request = self.client.get(url.clone()).header(header::ACCEPT_ENCODING, "identity");
            if let Some(token) = self.token.clone().filter(|_| is_hub) {
                request = request.header(header::AUTHORIZATION, token);
            }
            if from > 0 {
                request = request.header(header::RANGE, format!("bytes={from}-"));
            }
            let response = request.send().map_err(|error| HubError::Unreachable {
                host: host.clone(),
                reason: reason(error),
            })?;
            if is_hub {
                linked = linked.or_else(|| linked_checksum(response.headers()));
            }
            if !is_elsewhere(response.status()) {
                self.check(response.status(), what, &host)?;
                return Ok(Answer { response, linked, host });
            }
            url = elsewhere(&url, response.headers()).map_err(|problem| answer_error(what, &host, problem))?;
        }
        Err(self.senseless(what, format!("it sends us elsewhere more than {REDIRECTS_MAX} times")))
    }

    /// Asks for JSON; with it comes the address of the next page, where there is one.
    pub(crate) fn json<T: DeserializeOwned>(&self, url: &Url, what: &str) -> Result<(T, Option<Url>), HubError> {
        let Answer { response, host, .. } = self.get(url, what, 0)?;
        let next = next_page(url, response.headers());
        let mut bytes = Vec::new();
        let read = response.take(JSON_BYTES_MAX + 1).read_to_end(&mut bytes);
        read.map_err(|error| HubError::Broken {
            what: what.to_owned(),
            host: host.clone(),
            reason: cause(&error),
        })?;
        if bytes.len() as u64 > JSON_BYTES_MAX {
            return Err(answer_error(
                what,
                &host,
                format!("it is longer than {JSON_BYTES_MAX} bytes"),
            ));
        }
        let value = serde_json::from_slice(&bytes)
            .map_err(|error| answer_error(what, &host, format!("it is not what a hub answers ({error})")))?;
        Ok((value, next))
    }

    /// The error that an answer of the hub makes no sense.
    pub(crate) fn senseless(&self, what: &str, problem: String) -> HubError {
        answer_error(what, &host(&self.endpoint), problem)
    }

    fn check(&self, status: StatusCode, what: &str, host: &str) -> Result<(), HubError> {
        let (what, host) = (what.to_owned(), host.to_owned());
        match status {
            StatusCode::OK | StatusCode::PARTIAL_CONTENT => Ok(()),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(HubError::Hidden {
                what,
                host,
                hint: if self.token.is_some() {
                    "the one in HF_TOKEN does not open it"
                } else {
                    "set HF_TOKEN"
                },
            }),
            StatusCode::NOT_FOUND => Err(HubError::NotThere { what, host }),
            status => Err(HubError::Status {
                what,
                host,
                status: status.as_u16(),
            }),
        }
    }
}

fn builder(endpoint: &Url) -> ClientBuilder {
    let builder = Client::builder()
        .user_agent(concat!("napsim/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(READ_TIMEOUT);
    // No proxy knows this machine by its own name.
    if is_this_machine(endpoint) {
        builder.no_proxy()
    } else {
        builder
    }
}

fn bearer(token: &str) -> Result<HeaderValue, HubError> {
    let mut value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| HubError::Token)?;
    value.set_sensitive(true);
    Ok(value)
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    host == "localhost" || host == "[::1]" || host.starts_with("127.")
}

/// Another machine as messages name it. The rest of an address may hold signatures, which are nobody's business.
fn host(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn answer_error(what: &str, host: &str, problem: String) -> HubError {
    HubError::Answer {
        what: what.to_owned(),
        host: host.to_owned(),
        problem,
    }
}

fn is_elsewhere(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Where an answer sends us.
fn elsewhere(from: &Url, headers: &HeaderMap) -> Result<Url, String> {
    let location = headers
        .get(header::LOCATION)
        .and_then(|location| location.to_str().ok());
    let location = location.ok_or_else(|| "it sends us elsewhere and does not say where".to_owned())?;
    let url = from
        .join(location)
        .map_err(|error| format!("it sends us to an address that is none ({error})"))?;
    match (from.scheme(), url.scheme()) {
        (_, "https") | ("http", "http") => Ok(url),
        _ => Err(format!("it sends us to {}, where nothing is encrypted", host(&url))),
    }
}

/// The next page of a listing, as the header `Link` names it.
fn next_page(from: &Url, headers: &HeaderMap) -> Option<Url> {
    let links = headers.get(header::LINK)?.to_str().ok()?;
    let next = links.split(',').find(|link| link.contains("rel=\"next\""))?;
    let address = next.split_once('<')?.1.split_once('>')?.0;
    from.join(address).ok().filter(|url| url.origin() == from.origin())
}

fn linked_checksum(headers: &HeaderMap) -> Option<Checksum> {
    let tag = headers.get("x-linked-etag")?.to_str().ok()?;
    Checksum::sha256(tag.trim_start_matches("W/").trim_matches('"'))
}

/// Why a request failed, without its address.
fn reason(error: reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer came in time".to_owned();
    }
    cause(&error.without_url())
}

/// The innermost cause of an error, which says most.
pub(crate) fn cause(error: &(dyn Error + 'static)) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection(endpoint: &str) -> Connection {
        Connection::new(&endpoint.parse().unwrap(), None).unwrap()
    }

    #[test]
    fn addresses_are_put_together() {
        let url = |endpoint: &str| {
            let url = connection(endpoint).url(&["api", "models"], "a/b", &["revision", "refs/pr/1"]);
            url.to_string()
        };
        assert_eq!(url("http://h"), "http://h/api/models/a/b/revision/refs%2Fpr%2F1");
        assert_eq!(
            url("http://h/mirror/"),
            "http://h/mirror/api/models/a/b/revision/refs%2Fpr%2F1"
        );
        for endpoint in [
            "huggingface.co",
            "ftp://h",
            "http://",
            "https://u:p@h",
            "https://h?x",
            "file:///x",
        ] {
            let error = endpoint.parse::<Endpoint>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("read the endpoint `{endpoint}`: ")),
                "{error}"
            );
        }
    }

    #[test]
    fn tokens_are_kept_quiet() {
        let endpoint: Endpoint = "http://127.0.0.1".parse().unwrap();
        let connection = Connection::new(&endpoint, Some(" hf_secret\n")).unwrap();
        assert!(!format!("{connection:?}").contains("secret"));
        let error = Connection::new(&endpoint, Some("hf_\u{1}secret")).unwrap_err();
        assert!(!error.to_string().contains("secret"));
    }

    #[test]
    fn answers_send_us_nowhere_unencrypted() {
        let to = |from: &str, location: &str| {
            let headers = HeaderMap::from_iter([(header::LOCATION, HeaderValue::from_str(location).unwrap())]);
            elsewhere(&from.parse().unwrap(), &headers).map(|url| url.to_string())
        };
        assert_eq!(to("https://a/b", "/c").as_deref(), Ok("https://a/c"));
        assert_eq!(to("http://a/b", "https://c/").as_deref(), Ok("https://c/"));
        assert!(
            to("https://a/b", "http://c/?signature=x")
                .unwrap_err()
                .contains("http://c,")
        );
        assert!(to("http://a/b", "file:///etc/passwd").is_err());
        assert!(elsewhere(&"http://a".parse().unwrap(), &HeaderMap::new()).is_err());
    }

    #[test]
    fn pages_follow_each_other_on_one_machine() {
        let next = |link: &str| {
            let headers = HeaderMap::from_iter([(header::LINK, HeaderValue::from_str(link).unwrap())]);
            next_page(&"https://a/x".parse().unwrap(), &headers).map(|url| url.to_string())
        };
        assert_eq!(
            next("<https://a/x?cursor=1>; rel=\"next\"").as_deref(),
            Some("https://a/x?cursor=1")
        );
        assert_eq!(next("<https://b/x>; rel=\"next\""), None);
        assert_eq!(next("<https://a/x>; rel=\"prev\""), None);
    }
}
