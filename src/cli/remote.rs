//! The options about language models that others serve.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use napsim_predictors::LlmSetup;
use napsim_remote::cache::default_dir;
use napsim_remote::ledger::Budget;
use napsim_remote::money::Money;
use napsim_remote::price::Prices;
use napsim_remote::transport::{Stop, TransportSettings};
use napsim_remote::{Exchange, ExchangeSettings, NoAnswerKind};

use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// What models are asked, and where; also for looking at prompts.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Language models over HTTP")]
pub(crate) struct PromptArgs {
    /// Address of the server [default: the provider's own, or that of OPENAI_BASE_URL and the like].
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,

    /// Template of the system message (docs/PROMPTS.md; `napsim prompt template system` prints the built-in one).
    #[arg(long, value_name = "FILE")]
    system_prompt: Option<String>,

    /// Template of the user's message.
    #[arg(long, value_name = "FILE")]
    user_prompt: Option<String>,

    /// Template of what a model continues, for `api=completion`.
    #[arg(long, value_name = "FILE")]
    completion_prompt: Option<String>,
}

impl PromptArgs {
    /// The options of predictors that are given, as their texts have them.
    pub(crate) fn options(&self) -> Vec<(&'static str, String)> {
        let all = [
            ("base_url", &self.base_url),
            ("system_prompt", &self.system_prompt),
            ("user_prompt", &self.user_prompt),
            ("completion_prompt", &self.completion_prompt),
        ];
        all.into_iter()
            .filter_map(|(name, value)| Some((name, value.clone()?)))
            .collect()
    }
}

/// How models are asked, what is kept and what may be spent.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Language models over HTTP")]
pub(crate) struct RemoteArgs {
    #[command(flatten)]
    pub(crate) prompts: PromptArgs,

    /// Say how many questions the run would ask and what that would take, and ask none.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// What follows a refusal, a filtered or cut-off answer and the like: the trajectory stops there and is incomplete, or
    /// goes on with a failed call.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = OnFailedCall::Stop)]
    on_failed_call: OnFailedCall,

    #[command(flatten)]
    pub(in crate::cli) exchange: ExchangeArgs,
}

/// How servers are asked, what is kept of their answers and what may be spent: nothing that a figure depends on.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Language models over HTTP")]
pub(crate) struct ExchangeArgs {
    /// Folder of answers that all runs share [default: NAPSIM_CACHE, or napsim in the user's cache folder].
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    cache: Option<PathBuf>,

    /// Share no answers with other runs; what `napsim run --out` keeps has its own.
    #[arg(long)]
    no_cache: bool,

    /// Add all answers of the run to a file that others can replay without keys; until the end they are in FILE.partial.
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    record: Option<PathBuf>,

    /// Take all answers from a recording and ask nobody.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "cache"])]
    replay: Option<PathBuf>,

    /// What models cost: a file in TOML such as examples/prices.toml.
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,

    /// Stop cleanly (exit code 30) before this costs more; all sittings of a `napsim run --out` count together.
    #[arg(long, value_name = "AMOUNT", requires = "prices")]
    budget_usd: Option<Money>,

    /// Stop cleanly (exit code 30) before the run takes more tokens than this.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    budget_tokens: Option<u64>,

    /// Requests at a time at most; fewer where the server is busy.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    connections: u32,

    /// Requests a minute at most.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    requests_per_minute: Option<u32>,

    /// Tokens a minute at most, by estimates from the length of prompts.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    tokens_per_minute: Option<u64>,

    /// Seconds that one attempt may take [default: 300; 60 for a call of `exec:` and `http:`].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) timeout: Option<u32>,

    /// Attempts after the first one that a call may take while the server is busy or failing.
    #[arg(long, value_name = "N", default_value_t = 6)]
    retries: u32,
}

/// Seconds that an attempt may take unless others are asked for.
const ATTEMPT_SECONDS: u32 = 300;

/// What follows a verdict of a model or its provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnFailedCall {
    /// The trajectory is incomplete; the next run goes on with the same question.
    Stop,
    /// The call counts as failed, and the trajectory goes on.
    GoOn,
}

impl RemoteArgs {
    /// Whether trajectories go on after a refusal and the like.
    pub(in crate::cli) fn goes_on(&self) -> bool {
        self.on_failed_call == OnFailedCall::GoOn
    }

    /// Refuses options that mean nothing to a predictor that asks nobody.
    pub(in crate::cli) fn refuse(&self, predictor: &str) -> Result<(), Failure> {
        let own = [("--dry-run", self.dry_run), ("--on-failed-call", self.goes_on())];
        let own = own.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name);
        match own.or(self.exchange.given()) {
            Some(name) => Err(Failure::Input(anyhow!(
                "failed to use {name}: `{predictor}` asks no language model over HTTP"
            ))),
            None => Ok(()),
        }
    }
}

impl ExchangeArgs {
    /// The option that means nothing to predictors that ask nobody, if one is given.
    pub(in crate::cli) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--cache", self.cache.is_some()),
            ("--no-cache", self.no_cache),
            ("--record", self.record.is_some()),
            ("--replay", self.replay.is_some()),
            ("--prices", self.prices.is_some()),
            ("--budget-tokens", self.budget_tokens.is_some()),
            ("--requests-per-minute", self.requests_per_minute.is_some()),
            ("--tokens-per-minute", self.tokens_per_minute.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }

    /// Opens the places where answers are kept; `journal` is the file of the run's own.
    pub(in crate::cli) fn open(
        &self,
        models: &[LlmSetup],
        journal: Option<PathBuf>,
        interruption: &Interruption,
    ) -> Result<Exchange, Failure> {
        let cache = match (&self.cache, self.no_cache || self.replay.is_some()) {
            (Some(folder), _) => Some(folder.clone()),
            (None, true) => None,
            (None, false) => Some(cache_folder()?),
        };
        let prices = self.prices()?;
        let unpriced = models.iter().find(|setup| prices.of(&setup.endpoint.name()).is_none());
        if let Some((setup, path)) = unpriced.zip(self.prices.as_ref()) {
            let lack = format!("{} has no price for {}", path.display(), setup.endpoint.name());
            if self.budget_usd.is_some() {
                return Err(Failure::Input(anyhow!("failed to use --budget-usd: {lack}")));
            }
            console::say(&format!("napsim: note: {lack}, so that its cost is not told"));
        }
        let settings = ExchangeSettings {
            transport: self.transport(),
            cache,
            journal,
            recording: self.record.clone(),
            replay: self.replay.clone(),
            prices,
            budget: Budget {
                money: self.budget_usd,
                tokens: self.budget_tokens,
            },
        };
        let (exchange, notes) = Exchange::open(settings, Stop::new(interruption.question()))?;
        for note in notes {
            console::say(&format!("napsim: note: {note}"));
        }
        Ok(exchange)
    }

    fn transport(&self) -> TransportSettings {
        let timeout = Duration::from_secs(self.timeout.unwrap_or(ATTEMPT_SECONDS).into());
        let usual = TransportSettings::default();
        TransportSettings {
            timeout,
            connect_timeout: usual.connect_timeout.min(timeout),
            chunk_timeout: usual.chunk_timeout.min(timeout),
            retries_max: self.retries,
            malformed_retries_max: usual.malformed_retries_max.min(self.retries),
            connections_max: self.connections,
            requests_per_minute: self.requests_per_minute,
            tokens_per_minute: self.tokens_per_minute,
            ..usual
        }
    }

    fn prices(&self) -> Result<Prices, Failure> {
        let Some(path) = &self.prices else {
            return Ok(Prices::default());
        };
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::Input(anyhow!("failed to read the prices {name}: {error}")))?;
        let prices = Prices::read(&text, &name).map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
        if self.budget_usd.is_some() && prices.currency != "USD" {
            let currency = &prices.currency;
            return Err(Failure::Input(anyhow!(
                "failed to use --budget-usd: the prices in {name} are in {currency}"
            )));
        }
        Ok(prices)
    }
}

/// The folder of answers that all runs share, where none is named.
pub(crate) fn cache_folder() -> Result<PathBuf, Failure> {
    let variable = std::env::var_os("NAPSIM_CACHE").map(PathBuf::from);
    if let Some(folder) = variable.filter(|folder| !folder.as_os_str().is_empty() && !folder.is_absolute()) {
        return Err(Failure::Input(anyhow!(
            "failed to find the cache: NAPSIM_CACHE holds `{}`; expected an absolute path",
            folder.display()
        )));
    }
    default_dir(|name| std::env::var_os(name))
        .map_err(|error| Failure::Input(anyhow!("failed to {error}; give --cache DIR or --no-cache")))
}

/// The exit code of a run that stopped because nobody can be asked any more.
pub(in crate::cli) fn exit_of(kind: NoAnswerKind) -> Exit {
    match kind {
        NoAnswerKind::Unauthorized | NoAnswerKind::NoSuchModel | NoAnswerKind::NotRecorded => Exit::BadInput,
        _ => Exit::Environment,
    }
}

/// Where the answers of a run are kept and how it goes on after such a stop.
pub(in crate::cli) fn go_on_hint(kind: NoAnswerKind, exchange: &Exchange) -> String {
    let places: Vec<String> = exchange
        .places()
        .iter()
        .map(|place| place.display().to_string())
        .collect();
    if places.is_empty() {
        return "no answers are kept (--out DIR or a cache would keep them)".to_owned();
    }
    let kept = match kind {
        NoAnswerKind::CannotKeep => "what could be kept of the answers is",
        _ => "the answers so far are kept",
    };
    let then = match kind {
        NoAnswerKind::BudgetSpent => "the same command with a larger budget goes on from there",
        NoAnswerKind::Unauthorized => "the same command with the right key goes on from there",
        NoAnswerKind::NoSuchModel => "no other command asks for them again",
        NoAnswerKind::NotRecorded => "without --replay the others are asked for",
        _ => "the same command goes on from there",
    };
    format!("{kept} in {}; {then}", places.join(" and "))
}
