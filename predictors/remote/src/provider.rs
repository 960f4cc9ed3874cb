//! Who serves models, and where.

use std::fmt;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use crate::secret::{MASK, Redactor, Secret};
use crate::wire::Api;

/// A provider of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provider {
    /// OpenAI.
    OpenAi,
    /// OpenAI's models on Azure; the model is the name of a deployment.
    Azure,
    /// Anthropic.
    Anthropic,
    /// OpenRouter.
    OpenRouter,
    /// Ollama on this machine or another one.
    Ollama,
    /// Any server that speaks as OpenAI does, such as vLLM, llama.cpp or LM Studio.
    Local,
}

/// Version of Azure's interface unless `AZURE_OPENAI_API_VERSION` names another.
const AZURE_API_VERSION: &str = "2024-10-21";

impl Provider {
    /// All of them, in the order of listings.
    pub const ALL: [Self; 6] = [
        Self::OpenAi,
        Self::Azure,
        Self::Anthropic,
        Self::OpenRouter,
        Self::Ollama,
        Self::Local,
    ];

    /// The name before the slash.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Azure => "azure",
            Self::Anthropic => "anthropic",
            Self::OpenRouter => "openrouter",
            Self::Ollama => "ollama",
            Self::Local => "local",
        }
    }

    /// The provider of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.name() == name)
    }

    /// Environment variables that hold the key, the first one set counts.
    pub fn key_variables(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => &["OPENAI_API_KEY"],
            Self::Azure => &["AZURE_OPENAI_API_KEY"],
            Self::Anthropic => &["ANTHROPIC_API_KEY"],
            Self::OpenRouter => &["OPENROUTER_API_KEY"],
            Self::Ollama => &["OLLAMA_API_KEY"],
            Self::Local => &["NAPSIM_API_KEY"],
        }
    }

    /// Environment variables that hold the address, the first one set counts.
    pub fn address_variables(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => &["OPENAI_BASE_URL"],
            Self::Azure => &["AZURE_OPENAI_ENDPOINT"],
            Self::Anthropic => &["ANTHROPIC_BASE_URL"],
            Self::OpenRouter => &["OPENROUTER_BASE_URL"],
            Self::Ollama => &["OLLAMA_HOST"],
            Self::Local => &["NAPSIM_BASE_URL"],
        }
    }

    /// The address where none is given; none where there is no usual one.
    fn usual_address(self) -> Option<&'static str> {
        match self {
            Self::OpenAi => Some("https://api.openai.com/v1"),
            Self::Anthropic => Some("https://api.anthropic.com"),
            Self::OpenRouter => Some("https://openrouter.ai/api/v1"),
            Self::Ollama => Some("http://127.0.0.1:11434/v1"),
            Self::Azure | Self::Local => None,
        }
    }

    /// Whether the usual address answers without a key.
    fn needs_key(self) -> bool {
        !matches!(self, Self::Ollama | Self::Local)
    }

    /// The interfaces it has, the usual one first.
    pub fn apis(self) -> &'static [Api] {
        match self {
            Self::OpenAi => &[Api::Chat, Api::Responses, Api::Completion],
            Self::Anthropic => &[Api::Messages],
            Self::Azure | Self::OpenRouter | Self::Ollama | Self::Local => &[Api::Chat, Api::Completion],
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a model cannot be asked. Messages fit "failed to …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// Nobody said where the server is.
    #[error("find the server of {provider}/{model}: give --base-url URL, or set {variable}")]
    NoAddress {
        /// The provider.
        provider: Provider,
        /// The model.
        model: String,
        /// The environment variable that may hold the address.
        variable: &'static str,
    },
    /// The address is none.
    #[error("read the address `{address}` of {provider}: {reason}; expected one such as http://127.0.0.1:8080/v1")]
    Address {
        /// The provider.
        provider: Provider,
        /// The address without what may be secret.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A key holds characters that no header may hold.
    #[error("use the key in {variable}: it holds characters that no key has")]
    Key {
        /// The environment variable.
        variable: &'static str,
    },
    /// The provider has no such interface.
    #[error("ask {provider} by `{api}`: it has {}", names(*provider))]
    Api {
        /// The provider.
        provider: Provider,
        /// The interface.
        api: Api,
    },
}

fn names(provider: Provider) -> String {
    let names: Vec<&str> = provider.apis().iter().map(|api| api.name()).collect();
    names.join(", ")
}

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
    url: Url,
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

/// An address that a user gave as it may be shown: what may be secret in it is masked.
pub fn shown_address(text: &str) -> String {
    Url::parse(text.trim()).map_or_else(
        // What cannot be read may hold a password anywhere.
        |_| text.rsplit_once('@').map_or(text, |(_, rest)| rest).to_owned(),
        |url| shown(&url),
    )
}

fn shown(url: &Url) -> String {
    let mut shown = url.clone();
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
fn base(provider: Provider, address: &str) -> Result<(Url, Vec<Secret>), ProviderError> {
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

/// The address of an interface.
fn address_of(provider: Provider, mut url: Url, model: &str, api: Api, azure_version: &str) -> Url {
    let _ = url.set_username("");
    let _ = url.set_password(None);
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty();
        if provider == Provider::Azure {
            path.extend(["openai", "deployments", model]);
        }
        path.extend(api.path(provider).split('/'));
    }
    if provider == Provider::Azure && !url.query_pairs().any(|(name, _)| name == "api-version") {
        url.query_pairs_mut().append_pair("api-version", azure_version);
    }
    url
}

#[cfg(test)]
mod tests {
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
        let shown = format!("{:?} {with_all:?} {:?}", with_all.headers(), with_all.redactor);
        assert!(!shown.contains("canary"), "{shown}");
        let echo = "key-canary pass-canary user-canary query-canary";
        assert_eq!(with_all.redact(echo), "*** *** *** ***");
        assert_eq!(shown_address("http://u:p@h/x?key=1"), "http://***@h/x?key=***");
        assert_eq!(shown_address("nonsense u:p@h"), "h");
        // Without a key the user of the address is one.
        let user = endpoint("local/m", None, Some("http://u:p@h/v1"), &[]).unwrap();
        assert_eq!(user.headers().get(AUTHORIZATION).unwrap(), "Basic dTpw");
    }
}
