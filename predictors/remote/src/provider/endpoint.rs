//! A model, where it is asked and with what key.

use std::fmt;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use super::address::{address_of, base, shown};
use super::{Provider, ProviderError};
use crate::secret::{Redactor, Secret};
use crate::wire::Api;

/// Version of Azure's interface unless `AZURE_OPENAI_API_VERSION` names another.
const AZURE_API_VERSION: &str = "2024-10-21";

/// A model and where it is asked.
#[derive(Clone)]
pub struct Endpoint {
    /// The provider.
    pub provider: Provider,
    /// The model, as the provider names it.
    pub model: String,
    /// How it is asked.
    pub api: Api,
    /// The address that a request goes to, without user and password, but with what its query may hold.
    pub(super) url: Url,
    /// The address as it may be shown.
    shown: String,
    headers: HeaderMap,
    redactor: Redactor,
    /// The environment variable that should hold a key and does not.
    missing_key: Option<&'static str>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({} at {})", self.name(), self.shown)
    }
}

impl Endpoint {
    /// Finds out where and with what key a model is asked. `variable` looks an environment variable up.
    ///
    /// A key that is missing is an error only once somebody has to be asked ([`missing_key`](Self::missing_key)), since
    /// answers that are kept need none.
    ///
    /// # Errors
    /// [`ProviderError`].
    pub fn new(
        provider: Provider,
        model: &str,
        api: Option<Api>,
        base_url: Option<&str>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ProviderError> {
        let api = api.or_else(|| provider.apis().first().copied()).unwrap_or(Api::Chat);
        if !provider.apis().contains(&api) {
            return Err(ProviderError::Api { provider, api });
        }
        let given = base_url.map(str::to_owned);
        let set = |names: &[&'static str]| {
            names.iter().find_map(|name| {
                variable(name)
                    .filter(|value| !value.trim().is_empty())
                    .map(|value| (*name, value))
            })
        };
        let named = given.or_else(|| set(provider.address_variables()).map(|(_, value)| value));
        let is_usual = named.is_none();
        let address = named.or_else(|| provider.usual_address().map(str::to_owned));
        let address = address.ok_or_else(|| ProviderError::NoAddress {
            provider,
            model: model.to_owned(),
            variable: provider.address_variables().first().copied().unwrap_or_default(),
        })?;
        let (base, mut secrets) = base(provider, &address)?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let mut missing_key = None;
        if let Some((name, key)) = set(provider.key_variables())
            && let Some(key) = Secret::new(&key)
        {
            let (header, value) = key_header(provider, &key).ok_or(ProviderError::Key { variable: name })?;
            headers.insert(header, value);
            secrets.push(key);
        } else if let Some(value) = user_header(&base) {
            headers.insert(AUTHORIZATION, value);
        } else if provider.needs_key() && (is_usual || provider == Provider::Azure) {
            missing_key = provider.key_variables().first().copied();
        }
        if provider == Provider::Anthropic {
            headers.insert(
                HeaderName::from_static("anthropic-version"),
                HeaderValue::from_static("2023-06-01"),
            );
        }
        let version = variable("AZURE_OPENAI_API_VERSION").unwrap_or_else(|| AZURE_API_VERSION.to_owned());
        let url = address_of(provider, base, model, api, version.trim());
        Ok(Self {
            provider,
            model: model.to_owned(),
            api,
            shown: shown(&url),
            url,
            headers,
            redactor: Redactor::new(&secrets),
            missing_key,
        })
    }

    /// `PROVIDER/MODEL`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }

    /// The address as it may be shown and kept: without user, password and the values of a query.
    pub fn address(&self) -> &str {
        &self.shown
    }

    /// The environment variable that must hold a key before this model can be asked.
    pub fn missing_key(&self) -> Option<&'static str> {
        self.missing_key
    }

    /// Takes the keys out of a text.
    pub fn redact(&self, text: &str) -> String {
        self.redactor.redact(text)
    }

    /// The address that requests go to.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// The headers of a request. Those with keys are marked as sensitive.
    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.headers
    }
}

fn key_header(provider: Provider, key: &Secret) -> Option<(HeaderName, HeaderValue)> {
    let (name, text) = match provider {
        Provider::Azure => (HeaderName::from_static("api-key"), key.expose().to_owned()),
        Provider::Anthropic => (HeaderName::from_static("x-api-key"), key.expose().to_owned()),
        _ => (AUTHORIZATION, format!("Bearer {}", key.expose())),
    };
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    Some((name, value))
}

/// User and password of an address as the header that says them.
fn user_header(url: &Url) -> Option<HeaderValue> {
    use base64::Engine as _;
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let pair = format!("{}:{}", url.username(), url.password().unwrap_or_default());
    let encoded = base64::engine::general_purpose::STANDARD.encode(pair);
    let mut value = HeaderValue::from_str(&format!("Basic {encoded}")).ok()?;
    value.set_sensitive(true);
    Some(value)
}
