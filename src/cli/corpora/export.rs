//! `napsim corpus export`: trajectories as workbook files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use napsim_corpora::export::{ExportOptions, write_xlsx};
use napsim_reports::store::write_file;
use napsim_sim::state::Workbook;
use napsim_trajectories::{Corpus, Trajectory};

use super::names::{Names, plain};
use super::open;
use crate::console;
use crate::exit::{Exit, Failure};

/// Write the sheets that trajectories make as workbook files.
///
/// The files are styled .xlsx workbooks, which spreadsheet programs open: of a whole trajectory, or of its first actions.
#[derive(Debug, Args)]
#[command(
    about = "Write the sheets that trajectories make as workbook files",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(crate) struct ExportArgs {
    /// File, folder or glob pattern with trajectories; `napsim-52` is the built-in corpus.
    corpus: PathBuf,

    /// Names of trajectories; all without any.
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Carry out the first N actions alone.
    #[arg(long, value_name = "N")]
    step: Option<usize>,

    /// File whose name ends in .xlsx, for one trajectory, or folder that gets a file `NAME.xlsx` each: `NAME-40.xlsx`
    /// with `--step 40`; in NAME, `-` stands for what is no letter, digit, `_` or `.`.
    #[arg(short, long, value_name = "FILE|DIR")]
    out: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus export napsim-52 06-climbing-gym-inventory -o gym.xlsx
  napsim corpus export napsim-52 06-climbing-gym-inventory --step 20 -o half-done.xlsx
  napsim corpus export my/corpus -o my/workbooks";

/// Writes one file a trajectory, and says what a file does not hold.
pub(super) fn export(args: &ExportArgs) -> Result<Exit, Failure> {
    let corpus = open::corpus(&args.corpus)?;
    let chosen = open::chosen(&corpus, &args.names)?;
    let is_file = args
        .out
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("xlsx"));
    if is_file && chosen.len() > 1 {
        let n = chosen.len();
        return Err(Failure::Input(anyhow!(
            "{n} trajectories do not go into one file; give a folder, or a name"
        )));
    }
    // Before anything is written, so that no mistake leaves some of the files behind.
    for trajectory in &chosen {
        open::prefix(trajectory, args.step)?;
    }
    if !is_file {
        fs::create_dir_all(&args.out)
            .with_context(|| format!("failed to make the folder {}", args.out.display()))
            .map_err(Failure::Environment)?;
    }
    let file_names = file_names(&corpus, args.step);
    for trajectory in chosen {
        let path = match file_names.get(&*trajectory.name) {
            Some(name) if !is_file => args.out.join(name),
            _ => args.out.clone(),
        };
        one(trajectory, args.step, &path)?;
    }
    Ok(Exit::Complete)
}

/// The most bytes of a file's name on common file systems, less those of the ending it has while it is written.
const FILE_NAME_BYTES_MAX: usize = 255 - ".tmp".len();

/// The files of all trajectories by name, so that a trajectory's does not depend on which others are exported.
fn file_names(corpus: &Corpus, step: Option<usize>) -> BTreeMap<&str, String> {
    let ending = step.map_or_else(|| ".xlsx".to_owned(), |step| format!("-{step}.xlsx"));
    let bytes_max = FILE_NAME_BYTES_MAX - ending.len();
    let mut names = Names::default();
    let mut file_name = |name: &str| format!("{}{ending}", names.unique_within(&plain(name), bytes_max));
    let all = corpus.trajectories.iter();
    all.map(|trajectory| (&*trajectory.name, file_name(&trajectory.name)))
        .collect()
}

fn one(trajectory: &Trajectory, step: Option<usize>, path: &Path) -> Result<(), Failure> {
    let mut state = Workbook::default();
    state
        .apply_strict(open::prefix(trajectory, step)?)
        .map_err(|error| Failure::Input(anyhow!("failed to replay {}: {error}", trajectory.name)))?;
    let mut bytes = Vec::new();
    let notes = write_xlsx(&state, &mut bytes, &ExportOptions::default())
        .map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
    write_file(path, &bytes)?;
    for note in notes {
        console::say(&format!(
            "napsim: note: {}: {} ({})",
            trajectory.name, note.what, note.count
        ));
    }
    console::print_untrusted(&format!("{}\n", path.display()))
}
