//! `napsim corpus validate`: whether a corpus can be read and carried out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use napsim_corpora::draft::actions_without_effect;
use napsim_trajectories::{Corpus, Trajectory};
use serde::Serialize;

use crate::cli::corpus;
use crate::console;
use crate::exit::{Exit, Failure};

/// Check that a corpus can be read and carried out.
///
/// Every line must be an action, every action must be carried out without an error, and no two trajectories may share
/// a name. Actions that change nothing, and trajectories with the same actions, are listed but are no mistake.
#[derive(Debug, Args)]
#[command(about = "Check that a corpus can be read and carried out", after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct ValidateArgs {
    /// File, folder or glob pattern with trajectories; `napsim-52` is the built-in corpus.
    corpus: PathBuf,

    /// Take actions that change nothing, and trajectories with the same actions, for mistakes.
    #[arg(long)]
    strict: bool,

    /// Print one JSON object (schema napsim-validation/1) instead of lines.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus validate my/trajectories
  napsim corpus validate 'more/*.json' --strict
  napsim corpus validate napsim-52 --json

Exit codes: 0 no mistake, 2 mistakes.";

/// What was found.
#[derive(Debug, Serialize)]
struct Findings {
    schema: &'static str,
    n_trajectories: usize,
    n_actions: usize,
    /// What is wrong, one message each.
    mistakes: Vec<String>,
    /// Actions that change nothing.
    without_effect: Vec<Idle>,
    /// Names of trajectories that have the same actions, several a list.
    same_actions: Vec<Vec<String>>,
}

#[derive(Debug, Serialize)]
struct Idle {
    trajectory: String,
    /// Number of the action, from 1.
    action_no: usize,
    action: String,
}

/// Looks at everything before it ends, so that one call shows all that is wrong.
pub(super) fn validate(args: &ValidateArgs) -> Result<Exit, Failure> {
    let mut findings = Findings {
        schema: "napsim-validation/1",
        n_trajectories: 0,
        n_actions: 0,
        mistakes: Vec::new(),
        without_effect: Vec::new(),
        same_actions: Vec::new(),
    };
    // Read strictly, a file without a single good line shows what is wrong with each of them.
    let read =
        corpus::open(&args.corpus, true).map_err(|error| corpus::open(&args.corpus, false).err().unwrap_or(error));
    match read {
        Ok(corpus) => findings.look_at(&corpus),
        Err(error) => findings.mistakes.push(format!("failed to {error}")),
    }
    let n_doubts = findings.without_effect.len() + findings.same_actions.len();
    let n_mistakes = findings.mistakes.len() + if args.strict { n_doubts } else { 0 };
    if args.json {
        let object = serde_json::to_string(&findings).map_err(Failure::environment)?;
        console::print(&format!("{object}\n"))?;
    } else {
        console::print_untrusted(&findings.lines())?;
    }
    let checked = format!(
        "{} with {} checked",
        console::counted(findings.n_trajectories, "trajectory", "trajectories"),
        console::counted(findings.n_actions, "action", "actions")
    );
    if n_mistakes > 0 {
        let mistakes = console::counted(n_mistakes, "mistake", "mistakes");
        console::say(&format!("napsim: {checked}, {mistakes} found"));
        return Ok(Exit::BadInput);
    }
    if !args.json {
        console::print(&format!("{checked}, no mistake found\n"))?;
    }
    Ok(Exit::Complete)
}

impl Findings {
    fn look_at(&mut self, corpus: &Corpus) {
        self.mistakes.extend(corpus.diagnostics.iter().map(ToString::to_string));
        let n_listed = u64::try_from(corpus.diagnostics.len()).unwrap_or(u64::MAX);
        if corpus.skipped_lines > n_listed {
            self.mistakes
                .push(format!("{} malformed lines more", corpus.skipped_lines - n_listed));
        }
        let mut by_digest: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for trajectory in &corpus.trajectories {
            self.n_trajectories += 1;
            self.n_actions += trajectory.actions.len();
            self.replay(trajectory);
            by_digest
                .entry(trajectory.digest())
                .or_default()
                .push(trajectory.name.clone());
        }
        self.same_actions = by_digest.into_values().filter(|names| names.len() > 1).collect();
        self.same_actions.sort();
    }

    fn replay(&mut self, trajectory: &Trajectory) {
        let Trajectory { name, actions, .. } = trajectory;
        match actions_without_effect(actions) {
            Err(error) => self.mistakes.push(format!("{name}: {error}")),
            Ok(idle) => {
                let idle = idle.into_iter().filter_map(|idx| Some((idx, actions.get(idx)?)));
                self.without_effect.extend(idle.map(|(idx, action)| Idle {
                    trajectory: name.clone(),
                    action_no: idx + 1,
                    action: action.to_string(),
                }));
            }
        }
    }

    fn lines(&self) -> String {
        let mut text = String::new();
        for mistake in &self.mistakes {
            text.push_str(&format!("{mistake}\n"));
        }
        for idle in &self.without_effect {
            let Idle {
                trajectory,
                action_no,
                action,
            } = idle;
            text.push_str(&format!("{trajectory}: action {action_no} changes nothing: {action}\n"));
        }
        for names in &self.same_actions {
            text.push_str(&format!("the same actions: {}\n", names.join(", ")));
        }
        text
    }
}
