//! The options of `napsim cache`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

/// Look at, check and tidy up the answers of language models that runs share.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum CacheCommand {
    /// Count the answers, by model.
    Stat(StatArgs),
    /// Check that every answer is whole and its own.
    Verify(VerifyArgs),
    /// Remove answers, those out of use for longest first.
    Prune(PruneArgs),
    /// Write answers to a file that others can import, or replay with `napsim run --replay`.
    Export(ExportArgs),
    /// Take in the answers of a file that was exported or recorded.
    Import(ImportArgs),
}

/// Which cache.
#[derive(Debug, Args)]
pub(in crate::cli) struct Place {
    /// Folder of the cache [default: NAPSIM_CACHE, or napsim in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub(super) cache: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  napsim cache stat\n  napsim cache stat --json")]
pub(in crate::cli) struct StatArgs {
    #[command(flatten)]
    pub(super) place: Place,

    /// Print one JSON object (schema napsim-cache/1).
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  napsim cache verify\n  napsim cache verify --fix\n\nExit codes: 0 all answers are \
                        whole, 20 some are not."
)]
pub(in crate::cli) struct VerifyArgs {
    #[command(flatten)]
    pub(super) place: Place,

    /// Remove what is damaged; it is asked for again when it is needed.
    #[arg(long)]
    pub(super) fix: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  napsim cache prune --older-than 90d --dry-run\n  napsim cache prune --max-bytes \
                        2000000000\n  napsim cache prune --model local/my-model --all"
)]
pub(in crate::cli) struct PruneArgs {
    #[command(flatten)]
    pub(super) place: Place,

    /// Remove answers that were not used for so long: 12h, 90d.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(super) older_than: Option<Duration>,

    /// Remove answers until the others take no more than so many bytes.
    #[arg(long, value_name = "BYTES")]
    pub(super) max_bytes: Option<u64>,

    /// Remove all answers, of the model of `--model` if it is given.
    #[arg(long, conflicts_with_all = ["older_than", "max_bytes"])]
    pub(super) all: bool,

    /// Remove only answers of this model: MODEL or PROVIDER/MODEL.
    #[arg(long, value_name = "MODEL")]
    pub(super) model: Option<String>,

    /// Say what would be removed, and remove nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  napsim cache export --model openai/gpt-5-mini --output mini.jsonl\n  napsim cache \
                        export | gzip > answers.jsonl.gz"
)]
pub(in crate::cli) struct ExportArgs {
    #[command(flatten)]
    pub(super) place: Place,

    /// Only answers of this model: MODEL or PROVIDER/MODEL.
    #[arg(long, value_name = "MODEL")]
    pub(super) model: Option<String>,

    /// File to write [default: the standard output].
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  napsim cache import mini.jsonl\n\nExit codes: 0 all lines were taken in or known, \
                        20 some were not."
)]
pub(in crate::cli) struct ImportArgs {
    #[command(flatten)]
    pub(super) place: Place,

    /// File with one answer a line.
    pub(super) file: PathBuf,
}

/// `12h`, `90d`.
fn time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time; write hours or days, such as 12h or 90d");
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
    let hours: u64 = match unit {
        "h" => 1,
        "d" => 24,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let seconds = number.checked_mul(hours * 3_600).ok_or_else(wrong)?;
    Ok(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_hours_or_days() {
        assert_eq!(time("12h"), Ok(Duration::from_secs(43_200)));
        assert_eq!(time("2d"), Ok(Duration::from_secs(172_800)));
        for text in [
            "",
            "d",
            "-1d",
            "5",
            "5m",
            "99999999999999999999d",
            "9999999999999999d",
            "5é",
        ] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
