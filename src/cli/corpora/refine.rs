//! `napsim corpus refine`: sequences that read more like a person's.

mod player;
mod report;

use std::fs;
use std::io::IsTerminal as _;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use napsim_corpora::draft;
use napsim_corpora::refine::{LogEntry, RefineOptions, Refined, write_log};
use napsim_reports::store::{LineFile, write_file};
use napsim_sim::state::Workbook;
use napsim_trajectories::Trajectory;

use player::{Cast, Player};
use report::{Answer, Row};

use super::{open, outputs};
use crate::console;
use crate::exit::{Exit, Failure};

/// Edit trajectories so that they read more like a person's.
///
/// A judge says what is odd about a trajectory; an editor rewrites it; what it writes is carried out, and counts only if
/// it makes the same sheet. So it goes on until the judge accepts the trajectory. Both can be played by rules or by the
/// replies in a call log, which any program can put in, such as one that asks a language model;
/// `docs/RECONSTRUCTION.md` describes the loop.
#[derive(Debug, Args)]
#[command(
    about = "Edit trajectories so that they read more like a person's",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(crate) struct RefineArgs {
    /// File, folder or glob pattern with trajectories; `napsim-52` is the built-in corpus.
    corpus: PathBuf,

    /// Names of trajectories; all without any.
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Folder other than the corpus, which gets a file `NAME.txt` a trajectory; without it, one trajectory goes to the standard output.
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Who edits: `rules`, or a call log whose replies are given in order.
    #[arg(long, value_name = "rules|LOG", default_value = player::RULES, value_parser = player::player)]
    editor: Player,

    /// Who judges: `rules`, or a call log whose verdicts are given in order.
    #[arg(long, value_name = "rules|LOG", default_value = player::RULES, value_parser = player::player)]
    judge: Player,

    /// Write every call as a JSON line to this file: what was asked, the reply and what came of it.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// The most rewritten sequences that are judged for one trajectory.
    #[arg(long, value_name = "N", default_value = "4")]
    iterations: NonZeroU32,

    /// Print one JSON object (schema napsim-refinement/1) with the sequences instead of text.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus refine napsim-52 06-climbing-gym-inventory
  napsim corpus refine my/corpus -o my/refined --log calls.jsonl
  napsim corpus refine my/corpus plan-Sheet1 --editor calls.jsonl --log calls.jsonl -o my/refined

Exit codes: 0 refined or accepted as far as the judge goes, 2 bad input, 20 ended early for lack of a reply.";

/// Refines each trajectory, writes what was asked for and says how it went.
pub(super) fn refine(args: &RefineArgs) -> Result<Exit, Failure> {
    let corpus = open::corpus(&args.corpus)?;
    let chosen = open::chosen(&corpus, &args.names)?;
    if args.out.is_none() && !args.json && chosen.len() > 1 {
        let n = chosen.len();
        return Err(Failure::Input(anyhow!(
            "{n} trajectories need a folder to go to: give `--out DIR`, or a name"
        )));
    }
    if let Some(path) = &args.log {
        outputs::check_log(path, &args.corpus)?;
    }
    if let Some(out) = &args.out {
        check_folder(&args.corpus, out)?;
    }
    // The logs are read before one of them may be written anew.
    let editor = Cast::read(&args.editor, chosen.len())?;
    let judge = Cast::read(&args.judge, chosen.len())?;
    let mut log = args.log.as_deref().map(LineFile::create).transpose()?;
    if let Some(folder) = &args.out {
        fs::create_dir_all(folder)
            .with_context(|| format!("failed to make the folder {}", folder.display()))
            .map_err(Failure::Environment)?;
    }
    let mut answer = Answer::new(&args.editor, &args.judge);
    for trajectory in chosen {
        let refined = one(args, trajectory, &editor, &judge)?;
        if let Some(log) = &mut log {
            let lines = write_log(&named(&refined.log, &trajectory.name));
            lines.lines().try_for_each(|line| log.push(line))?;
        }
        let row = Row::new(trajectory, &refined);
        if !args.json {
            say(args, &row)?;
        }
        answer.trajectories.push(row);
        write(args, trajectory, refined)?;
    }
    if let Some(log) = log {
        log.finish()?;
    }
    if args.json {
        let object = serde_json::to_string(&answer).map_err(Failure::environment)?;
        console::print(&format!("{object}\n"))?;
    }
    Ok(if answer.is_whole() {
        Exit::Complete
    } else {
        Exit::Incomplete
    })
}

/// Refuses to write into the corpus, whose manifest would no longer say what it holds.
fn check_folder(corpus: &Path, out: &Path) -> Result<(), Failure> {
    // A folder that is not there yet is none of these.
    let Ok(place) = out.canonicalize() else {
        return Ok(());
    };
    let of_corpus = [
        corpus.to_owned(),
        corpus.join("trajectories"),
        corpus.join("data/trajectories"),
    ];
    if of_corpus
        .iter()
        .any(|own| own.canonicalize().is_ok_and(|own| own == place))
    {
        let out = out.display();
        return Err(Failure::Input(anyhow!(
            "{out} holds the corpus that is refined; give another folder"
        )));
    }
    Ok(())
}

/// Refines one trajectory; what it makes is the target.
fn one(args: &RefineArgs, trajectory: &Trajectory, editor: &Cast, judge: &Cast) -> Result<Refined, Failure> {
    let Trajectory { name, actions, .. } = trajectory;
    let mut target = Workbook::default();
    target
        .apply_strict(actions)
        .map_err(|error| Failure::Input(anyhow!("failed to replay {name}: {error}")))?;
    let options = RefineOptions {
        iterations_max: args.iterations.get(),
        prompts: args.log.is_some(),
        ..RefineOptions::default()
    };
    let (mut editor, mut judge) = (editor.editor(name), judge.judge(name));
    napsim_corpora::refine::refine(actions, &target, &options, &mut *editor, &mut *judge)
        .map_err(|error| Failure::Input(anyhow!("{name}: failed to {error}")))
}

/// The calls with the trajectory that they are about.
fn named(calls: &[LogEntry], name: &str) -> Vec<LogEntry> {
    let named = calls.iter().cloned().map(|call| LogEntry {
        trajectory: Some(name.to_owned()),
        ..call
    });
    named.collect()
}

/// Says how it went, beside the trajectory where that takes the standard output.
fn say(args: &RefineArgs, row: &Row) -> Result<(), Failure> {
    let text = row.text();
    if args.out.is_some() {
        return console::print_untrusted(&text);
    }
    console::say(text.trim_end());
    Ok(())
}

/// Writes the refined trajectory where it goes.
fn write(args: &RefineArgs, trajectory: &Trajectory, refined: Refined) -> Result<(), Failure> {
    let text = draft::write(&Trajectory {
        actions: refined.actions,
        lines: Vec::new(),
        predictable: None,
        ..trajectory.clone()
    });
    match &args.out {
        Some(folder) => {
            let path = folder.join(format!("{}.txt", trajectory.name));
            Ok(write_file(&path, text.as_bytes())?)
        }
        None if args.json => Ok(()),
        // Elsewhere than on a terminal the text is data, of which nothing may change.
        None if std::io::stdout().is_terminal() => console::print_untrusted(&text),
        None => console::print(&text),
    }
}
