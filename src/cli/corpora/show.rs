//! `napsim corpus show`: one trajectory and the sheet that it makes.

use std::path::PathBuf;

use clap::Args;
use napsim_sim::state::Workbook;

use super::{extent, open, picture, shares};
use crate::console;
use crate::exit::{Exit, Failure};

/// Show a trajectory and the sheet that it makes.
///
/// Prints title, description, what the actions are, the first of them, and the values of the sheet as a text picture.
#[derive(Debug, Args)]
#[command(about = "Show a trajectory and the sheet that it makes", after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct ShowArgs {
    /// File, folder or glob pattern with trajectories; `napsim-52` is the built-in corpus.
    corpus: PathBuf,

    /// Name of the trajectory; not needed where there is only one.
    name: Option<String>,

    /// Carry out the first N actions alone, and print the last ones of those.
    #[arg(long, value_name = "N")]
    step: Option<usize>,

    /// How many actions are printed.
    #[arg(long, value_name = "N", default_value_t = 10)]
    actions: usize,

    /// Most rows of the picture.
    #[arg(long, value_name = "N", default_value_t = 40)]
    rows: usize,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus show napsim-52 06-climbing-gym-inventory
  napsim corpus show napsim-52 06-climbing-gym-inventory --step 20
  napsim corpus show my/plan.txt --actions 50 --rows 100";

/// Prints the trajectory; what stands in it of files cannot steer the terminal.
pub(super) fn show(args: &ShowArgs) -> Result<Exit, Failure> {
    let corpus = open::corpus(&args.corpus)?;
    let trajectory = open::trajectory(&corpus, args.name.as_deref())?;
    let actions = open::prefix(trajectory, args.step)?;
    let mut state = Workbook::default();
    if let Err(error) = state.apply_strict(actions) {
        console::say(&format!(
            "napsim: {}: {error}; the picture shows what was done before",
            trajectory.name
        ));
    }
    let mut text = format!("{}\n", trajectory.name);
    for line in [&trajectory.title, &trajectory.description].into_iter().flatten() {
        text.push_str(&format!("{line}\n"));
    }
    let counted = console::counted(actions.len(), "action", "actions");
    let of_all = args
        .step
        .map_or_else(String::new, |_| format!(" of {}", trajectory.actions.len()));
    let extent = extent::last_cell(&state).map_or_else(String::new, |cell| format!(", A1:{cell}"));
    text.push_str(&format!(
        "\n{counted}{of_all}{extent}\n{}\n\n",
        shares::by_keyword(actions)
    ));
    // Of a prefix the end is what is new; of a whole trajectory the beginning says how it goes about.
    let skipped = if args.step.is_some() {
        actions.len().saturating_sub(args.actions)
    } else {
        0
    };
    let numbered = (1_usize..).zip(actions).skip(skipped).take(args.actions);
    for (number, action) in numbered {
        text.push_str(&format!("{number:>5}  {action}\n"));
    }
    let n_left = actions.len().saturating_sub(skipped + args.actions);
    if n_left > 0 {
        text.push_str(&format!("       and {n_left} more\n"));
    }
    for (name, sheet) in state.sheets() {
        text.push_str(&format!("\n{name}\n"));
        text.push_str(&picture::of_sheet(sheet, usize::from(console::width()), args.rows));
    }
    console::print_untrusted(&text)?;
    Ok(Exit::Complete)
}
