//! `napsim model complete`: texts continued by a language model.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use clap::Args;
use napsim_llama::{Choice, Chooser, Ending, GeneratedToken, Listener, LlamaError, generate};
use napsim_predictors::LanguageModel;
use serde::Serialize;

use crate::console;
use crate::exit::{Exit, Failure};

/// Continue texts with a language model, to see what it does and how fast.
///
/// The likeliest token is taken each time. Texts after the first one cost only the tokens that are new, as in a run.
#[derive(Debug, Args)]
#[command(
    about = "Continue texts with a language model, to see what it does and how fast",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(crate) struct CompleteArgs {
    /// Model: smollm/tiny, smollm/135m, smollm:PATH (see `napsim model list`).
    model: String,

    /// Text to continue; repeatable.
    #[arg(required_unless_present = "prompts")]
    text: Vec<String>,

    /// File with a JSON array of texts to continue.
    #[arg(long, value_name = "FILE.json", conflicts_with = "text")]
    prompts: Option<PathBuf>,

    /// Tokens of an answer at most.
    #[arg(long, value_name = "N", default_value_t = 64)]
    max_tokens: usize,

    /// Read every text from its beginning, as if nothing had been read before.
    #[arg(long)]
    no_reuse: bool,

    /// Print JSON, schema `napsim-completions/1`: tokens and answers with their log-probabilities and speeds.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim model complete smollm/tiny 'INPUT | A1 | 1'
  napsim model complete smollm/135m-instruct --max-tokens 20 'The capital of France is'
  napsim model complete smollm:model.gguf --prompts prompts.json --json";

/// One text and its answer.
#[derive(Serialize)]
struct Completion {
    /// Tokens of the text.
    tokens: Vec<u32>,
    /// Tokens of the answer.
    output: Vec<u32>,
    log_probabilities: Vec<f32>,
    /// What the answer says.
    text: String,
    ending: &'static str,
    /// Tokens of the text that were not read before.
    n_read: usize,
    read_tokens_per_second: f64,
    written_tokens_per_second: f64,
}

#[derive(Serialize)]
struct Completions<'a> {
    schema: &'static str,
    model: &'a str,
    sha256: &'a str,
    completions: &'a [Completion],
}

/// Keeps what comes.
#[derive(Default)]
struct Keeper {
    tokens: Vec<GeneratedToken>,
    bytes: Vec<u8>,
}

impl Listener for Keeper {
    fn token(&mut self, token: GeneratedToken, bytes: &[u8]) -> ControlFlow<()> {
        self.tokens.push(token);
        self.bytes.extend_from_slice(bytes);
        ControlFlow::Continue(())
    }
}

/// Continues the texts and prints the answers.
pub(super) fn complete(args: &CompleteArgs) -> Result<Exit, Failure> {
    let texts = texts(args).map_err(Failure::Input)?;
    let model = LanguageModel::named(&args.model).map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
    let mut session = model.session();
    let mut completions = Vec::new();
    for text in &texts {
        if args.no_reuse {
            session = model.session();
        }
        let completion = continued(&model, &mut session, text, args.max_tokens)
            .map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
        if !args.json {
            console::print_untrusted(&format!("{}\n", completion.text))?;
            console::say(&format!(
                "napsim: read {} of {} tokens at {:.0}/s, wrote {} at {:.0}/s ({})",
                completion.n_read,
                completion.tokens.len(),
                completion.read_tokens_per_second,
                completion.output.len(),
                completion.written_tokens_per_second,
                completion.ending,
            ));
        }
        completions.push(completion);
    }
    if args.json {
        let completions = Completions {
            schema: "napsim-completions/1",
            model: model.name(),
            sha256: model.sha256(),
            completions: &completions,
        };
        let json = serde_json::to_string_pretty(&completions).map_err(Failure::environment)?;
        console::print(&format!("{json}\n"))?;
    }
    Ok(Exit::Complete)
}

fn texts(args: &CompleteArgs) -> Result<Vec<String>, anyhow::Error> {
    let Some(file) = &args.prompts else {
        return Ok(args.text.clone());
    };
    let shown = file.display();
    let json = std::fs::read_to_string(file).with_context(|| format!("failed to read {shown}"))?;
    serde_json::from_str(&json).with_context(|| format!("failed to read {shown}: expected a JSON array of texts"))
}

fn continued(
    model: &LanguageModel,
    session: &mut napsim_llama::Session,
    text: &str,
    tokens_max: usize,
) -> Result<Completion, LlamaError> {
    let tokens = model.tokenizer().encode(text)?;
    let start = Instant::now();
    let n_read = session.read(&tokens)?;
    let read = Instant::now();
    let mut keeper = Keeper::default();
    let mut chooser = Chooser::new(Choice::GREEDY, 0);
    let ending = generate(session, model.tokenizer(), &mut chooser, tokens_max, &mut keeper)?;
    let writing = read.elapsed();
    Ok(Completion {
        read_tokens_per_second: per_second(n_read, read - start),
        written_tokens_per_second: per_second(keeper.tokens.len(), writing),
        output: keeper.tokens.iter().map(|token| token.token).collect(),
        log_probabilities: keeper.tokens.iter().map(|token| token.log_probability).collect(),
        text: String::from_utf8_lossy(&keeper.bytes).into_owned(),
        ending: match ending {
            Ending::EndToken => "ended",
            Ending::ContextFull => "context full",
            _ => "cut off",
        },
        tokens,
        n_read,
    })
}

fn per_second(n: usize, time: Duration) -> f64 {
    n as f64 / time.as_secs_f64().max(1e-9)
}
