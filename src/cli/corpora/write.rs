//! `napsim corpus write`: trajectories out of drafts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use napsim_corpora::draft::{self, Expanded};
use napsim_reports::store::write_file;
use napsim_sim::state::Workbook;
use napsim_trajectories::Trajectory;

use super::{extent, shares};
use crate::console;
use crate::exit::{Exit, Failure};

/// Expand drafts into trajectories.
///
/// A draft is a shorthand for trajectories written by hand, one step a line; `docs/DRAFTS.md` describes it. Every
/// draft is expanded and carried out; a line on each says what it is made of.
#[derive(Debug, Args)]
#[command(about = "Expand drafts into trajectories", after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct WriteArgs {
    /// Drafts, or folders with files `*.draft`.
    #[arg(required = true, value_name = "DRAFT")]
    drafts: Vec<PathBuf>,

    /// Folder that gets a file `NAME.txt` a draft; without it, one draft goes to the standard output.
    #[arg(short, long, value_name = "DIR", conflicts_with = "check")]
    out: Option<PathBuf>,

    /// Write nothing, only say what is wrong.
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus write seed-bank.draft
  napsim corpus write --check drafts/
  napsim corpus write drafts/*.draft -o my/trajectories";

/// Expands every draft, so that one call shows all that is wrong; drafts without a mistake are written.
pub(super) fn write(args: &WriteArgs) -> Result<Exit, Failure> {
    let drafts = drafts(&args.drafts)?;
    if args.out.is_none() && !args.check && drafts.len() > 1 {
        let n = drafts.len();
        return Err(Failure::Input(anyhow!(
            "{n} drafts need a folder to go to: give `--out DIR`, or `--check`"
        )));
    }
    if args.out.is_some() {
        check_names(&drafts)?;
    }
    let (mut good, mut n_mistakes, mut n_doubts) = (Vec::new(), 0, 0);
    for path in &drafts {
        let review = Review::of(path)?;
        n_mistakes += review.mistakes.len();
        n_doubts += review.doubts.len();
        for line in review.mistakes.iter().chain(&review.doubts) {
            console::say(line);
        }
        if review.mistakes.is_empty() {
            report(args, &review)?;
            good.push(review.expanded.trajectory);
        }
    }
    if drafts.len() > 1 {
        let actions = good.iter().flat_map(|trajectory| &trajectory.actions);
        let n_actions = actions.clone().count();
        report_line(
            args,
            &format!(
                "all {}: {}; {}",
                good.len(),
                console::counted(n_actions, "action", "actions"),
                shares::by_keyword(actions)
            ),
        )?;
    }
    let mistakes = console::counted(n_mistakes, "mistake", "mistakes");
    let doubts = console::counted(n_doubts, "warning", "warnings");
    if n_mistakes > 0 {
        console::say(&format!(
            "napsim: {mistakes} and {doubts} in {}",
            counted_drafts(drafts.len())
        ));
        return Ok(Exit::BadInput);
    }
    if n_doubts > 0 {
        console::say(&format!("napsim: {doubts} in {}", counted_drafts(drafts.len())));
    }
    Ok(Exit::Complete)
}

fn counted_drafts(n: usize) -> String {
    console::counted(n, "draft", "drafts")
}

/// The files that are meant: those given, and those in folders whose name ends in `.draft`, sorted.
fn drafts(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut drafts = Vec::new();
    for path in given {
        if !path.is_dir() {
            drafts.push(path.clone());
            continue;
        }
        let reading = || format!("failed to read the folder {}", path.display());
        let entries = std::fs::read_dir(path).with_context(reading).map_err(Failure::Input)?;
        let mut found = Vec::new();
        for entry in entries {
            let file = entry.with_context(reading).map_err(Failure::Environment)?.path();
            if file.extension().is_some_and(|ending| ending == "draft") {
                found.push(file);
            }
        }
        if found.is_empty() {
            let path = path.display();
            return Err(Failure::Input(anyhow!(
                "{path} holds no file whose name ends in `.draft`"
            )));
        }
        found.sort();
        drafts.extend(found);
    }
    Ok(drafts)
}

/// Refuses two drafts of one name, of which the second would replace the first.
fn check_names(drafts: &[PathBuf]) -> Result<(), Failure> {
    let mut by_name = BTreeMap::new();
    for path in drafts {
        // Some file systems take names for one that differ in case alone.
        let name = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        if let Some(other) = by_name.insert(name, path) {
            return Err(Failure::Input(anyhow!(
                "{} and {} would become one file; write them to two folders",
                other.display(),
                path.display()
            )));
        }
    }
    Ok(())
}

/// A draft with what is wrong with it.
struct Review {
    path: PathBuf,
    expanded: Expanded,
    mistakes: Vec<String>,
    doubts: Vec<String>,
    state: Workbook,
}

impl Review {
    fn of(path: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("failed to read the draft {}", path.display()))
            .map_err(Failure::Input)?;
        let (expanded, errors) = draft::check(&text, path);
        let shown = path.display();
        let mut review = Self {
            path: path.to_owned(),
            mistakes: errors.iter().map(|error| format!("failed to {error}")).collect(),
            doubts: Vec::new(),
            state: Workbook::default(),
            expanded,
        };
        let warnings = review.expanded.warnings.iter();
        let warnings = warnings.map(|warning| format!("{shown}:{}: warning: {}", warning.line_no, warning.message));
        review.doubts.extend(warnings);
        if review.mistakes.is_empty() {
            review.replay();
        }
        Ok(review)
    }

    /// Carries the actions out and notes what fails or changes nothing.
    fn replay(&mut self) {
        let Trajectory { actions, lines, .. } = &self.expanded.trajectory;
        let line_no = |idx: usize| lines.get(idx).map_or(0, |line| line.line_no);
        let shown = self.path.display();
        match draft::actions_without_effect(actions) {
            Err(error) => {
                let line_no = line_no(error.action_idx);
                self.mistakes.push(format!("{shown}:{line_no}: {error}"));
            }
            Ok(idle) => {
                for (idx, action) in idle.iter().filter_map(|idx| Some((*idx, actions.get(*idx)?))) {
                    let line_no = line_no(idx);
                    self.doubts
                        .push(format!("{shown}:{line_no}: warning: changes nothing: `{action}`"));
                }
                self.state.apply_lenient(actions);
            }
        }
    }

    /// One line on what the draft is made of.
    fn summary(&self) -> String {
        let Trajectory { name, actions, .. } = &self.expanded.trajectory;
        let extent = extent::last_cell(&self.state).map_or_else(String::new, |cell| format!("A1:{cell}, "));
        format!(
            "{name}: {}, {extent}{}; {}",
            console::counted(actions.len(), "action", "actions"),
            console::counted(self.doubts.len(), "warning", "warnings"),
            shares::by_keyword(actions)
        )
    }
}

/// Writes a good draft where it goes, and says what it is made of.
fn report(args: &WriteArgs, review: &Review) -> Result<(), Failure> {
    let trajectory = &review.expanded.trajectory;
    let text = draft::write(trajectory);
    match &args.out {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("failed to make the folder {}", folder.display()))
                .map_err(Failure::Environment)?;
            write_file(&folder.join(format!("{}.txt", trajectory.name)), text.as_bytes())?;
        }
        None if !args.check => console::print(&text)?,
        None => {}
    }
    report_line(args, &review.summary())
}

/// Prints a line, or says it where the standard output holds a trajectory.
fn report_line(args: &WriteArgs, line: &str) -> Result<(), Failure> {
    if args.out.is_none() && !args.check {
        console::say(line);
        return Ok(());
    }
    console::print_untrusted(&format!("{line}\n"))
}
