//! `napsim prompt`: what language models are asked.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, Subcommand, ValueEnum};
use napsim_predictors::language::{PromptPart, PromptTemplates};
use napsim_predictors::registry::Defaults;
use napsim_predictors::{Context, Llm, LlmSetup, PredictorFactory};
use napsim_remote::{Prompt, Question, wire};
use napsim_sim::predictor::{Budget, CurrentWorkbook, Predictor as _, Seed, TrajectoryHead, View};
use napsim_trajectories::Trajectory;

use super::corpus;
use super::remote::PromptArgs;
use super::run::ModeArg;
use crate::console;
use crate::exit::{Exit, Failure};
use napsim_experiments::nearest::hint;

/// Look at what language models are asked.
#[derive(Debug, Subcommand)]
pub(super) enum PromptCommand {
    Show(Box<ShowArgs>),
    Template(TemplateArgs),
}

/// Print what a model would be asked at one step of a trajectory; nobody is asked.
#[derive(Debug, Args)]
#[command(about = "Print what a model would be asked at one step of a trajectory", after_help = SHOW_EXAMPLES, after_long_help = SHOW_EXAMPLES)]
pub(super) struct ShowArgs {
    /// File, folder or glob pattern with trajectories; without it the built-in corpus.
    #[arg(default_value = "napsim-52")]
    corpus: PathBuf,

    /// A language model over HTTP, with options (see `napsim list predictors`).
    #[arg(long, value_name = "NAME", default_value = "openai/gpt-5-mini")]
    predictor: String,

    /// Name of the trajectory [default: the first one].
    #[arg(long, value_name = "NAME")]
    trajectory: Option<String>,

    /// After how many of its actions.
    #[arg(long, value_name = "N", default_value_t = 10)]
    step: usize,

    /// One action a call, or as many as the predictor likes.
    #[arg(long, value_enum, default_value_t = ModeArg::Single)]
    mode: ModeArg,

    /// Actions of the history that the model sees.
    #[arg(long, value_name = "N|all")]
    context: Option<Context>,

    /// Print the body of the request instead, as it would be sent.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    prompts: PromptArgs,
}

const SHOW_EXAMPLES: &str = "\
Examples:
  napsim prompt show
  napsim prompt show --predictor 'openai/gpt-5?sheet_view=markdown' --step 40 --mode multi
  napsim prompt show --system-prompt my-system.jinja --json | jq .messages";

/// Print a built-in template, to begin one's own with.
#[derive(Debug, Args)]
#[command(after_help = TEMPLATE_EXAMPLES)]
pub(super) struct TemplateArgs {
    /// Which one; without it, what variables templates see.
    #[arg(value_enum)]
    part: Option<Part>,
}

const TEMPLATE_EXAMPLES: &str = "\
Examples:
  napsim prompt template
  napsim prompt template system > my-system.jinja";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Part {
    /// The system message.
    System,
    /// The user's message.
    User,
    /// What a model continues.
    Completion,
}

impl From<Part> for PromptPart {
    fn from(part: Part) -> Self {
        match part {
            Part::System => Self::System,
            Part::User => Self::User,
            Part::Completion => Self::Completion,
        }
    }
}

/// Does what is asked with prompts.
pub(super) fn prompt(command: &PromptCommand) -> Result<Exit, Failure> {
    match command {
        PromptCommand::Show(args) => show(args),
        PromptCommand::Template(args) => {
            match args.part {
                Some(part) => console::print(PromptPart::from(part).built_in())?,
                None => console::print(&variables())?,
            }
            Ok(Exit::Complete)
        }
    }
}

fn variables() -> String {
    PromptTemplates::variables()
        .iter()
        .map(|variable| format!("{:<14} {}\n", variable.name, variable.meaning))
        .collect()
}

fn show(args: &ShowArgs) -> Result<Exit, Failure> {
    let defaults = Defaults {
        context: args.context,
        remote: args.prompts.options(),
        ..Defaults::default()
    };
    let factory = PredictorFactory::parse(&args.predictor, defaults)
        .map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
    let setups = factory.remote_models();
    if setups.is_empty() {
        return Err(Failure::Input(anyhow!(
            "failed to show a prompt: `{}` asks no language model over HTTP",
            factory.id()
        )));
    }
    let corpus = corpus::open(&args.corpus, false).map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
    let trajectory = find(&corpus.trajectories, args.trajectory.as_deref())?;
    let n_actions = trajectory.actions.len();
    if args.step > n_actions {
        return Err(Failure::Input(anyhow!(
            "failed to show the prompt after {} actions: {} has {n_actions}",
            args.step,
            trajectory.name
        )));
    }
    for setup in &setups {
        let question = question(setup, trajectory, args)?;
        if args.json {
            let body = wire::body(&setup.endpoint, &question);
            console::print(&format!("{body:#}\n"))?;
        } else {
            console::print_untrusted(&text(setup, &question))?;
        }
    }
    Ok(Exit::Complete)
}

fn find<'a>(trajectories: &'a [Trajectory], name: Option<&str>) -> Result<&'a Trajectory, Failure> {
    let found = match name {
        Some(name) => trajectories.iter().find(|trajectory| trajectory.name == name),
        None => trajectories.first(),
    };
    found.ok_or_else(|| {
        let name = name.unwrap_or_default();
        let hint = hint(name, trajectories.iter().map(|trajectory| trajectory.name.as_str()));
        Failure::Input(anyhow!("failed to find the trajectory `{name}`{hint}"))
    })
}

fn question(setup: &LlmSetup, trajectory: &Trajectory, args: &ShowArgs) -> Result<Question, Failure> {
    let history = trajectory.actions.get(..args.step).unwrap_or_default();
    let mut llm = Llm::new(setup.clone());
    let sheet = trajectory.actions.first().map_or("", |action| action.range().sheet());
    let head = TrajectoryHead {
        name: &trajectory.name,
        sheet,
    };
    llm.begin(head, Seed(0));
    llm.observe(history);
    let current = CurrentWorkbook::default();
    let view = View {
        history,
        current: &current,
        user_steps: u32::try_from(args.step).unwrap_or(u32::MAX),
        call_idx: 0,
    };
    let budget = Budget {
        actions_max: args.mode.mode().settings().actions_max,
    };
    llm.question(view, budget)
        .map_err(|error| Failure::Input(anyhow!("{error}")))
}

fn text(setup: &LlmSetup, question: &Question) -> String {
    let endpoint = &setup.endpoint;
    let tokens = question.prompt.tokens_estimated();
    let mut text = format!(
        "== {} at {} ({}, about {tokens} tokens)\n",
        endpoint.name(),
        endpoint.address(),
        endpoint.api
    );
    match &question.prompt {
        Prompt::Chat { system, user } => text.push_str(&format!("== system\n{system}\n== user\n{user}\n")),
        Prompt::Text(prompt) => text.push_str(&format!("== prompt\n{prompt}\n")),
    }
    text
}
