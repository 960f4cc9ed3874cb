//! `napsim cache`: the answers of language models that runs share.

mod lines;
mod watched;

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use anyhow::anyhow;
use clap::{Args, Subcommand};
use napsim_remote::ExchangeError;
use napsim_remote::cache::{Cache, CacheError, Filter, Group, Pruning, default_dir};
use napsim_reports::table::{count, counts_table, duration};
use serde_json::json;

use crate::console;
use crate::exit::{Exit, Failure};
use lines::LinesOut;
use watched::Watched;

/// Look at, check and tidy up the answers of language models that runs share.
#[derive(Debug, Subcommand)]
pub(super) enum CacheCommand {
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
struct Place {
    /// Folder of the cache [default: NAPSIM_CACHE, or napsim in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  napsim cache stat\n  napsim cache stat --json")]
pub(super) struct StatArgs {
    #[command(flatten)]
    place: Place,

    /// Print one JSON object (schema napsim-cache/1).
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  napsim cache verify\n  napsim cache verify --fix\n\nExit codes: 0 all answers are \
                        whole, 20 some are not."
)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    place: Place,

    /// Remove what is damaged; it is asked for again when it is needed.
    #[arg(long)]
    fix: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  napsim cache prune --older-than 90d --dry-run\n  napsim cache prune --max-bytes \
                        2000000000\n  napsim cache prune --model local/my-model --all"
)]
pub(super) struct PruneArgs {
    #[command(flatten)]
    place: Place,

    /// Remove answers that were not used for so long: 12h, 90d.
    #[arg(long, value_name = "TIME", value_parser = time)]
    older_than: Option<Duration>,

    /// Remove answers until the others take no more than so many bytes.
    #[arg(long, value_name = "BYTES")]
    max_bytes: Option<u64>,

    /// Remove all answers, of the model of `--model` if it is given.
    #[arg(long, conflicts_with_all = ["older_than", "max_bytes"])]
    all: bool,

    /// Remove only answers of this model: MODEL or PROVIDER/MODEL.
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,

    /// Say what would be removed, and remove nothing.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  napsim cache export --model openai/gpt-5-mini --output mini.jsonl\n  napsim cache \
                        export | gzip > answers.jsonl.gz"
)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    place: Place,

    /// Only answers of this model: MODEL or PROVIDER/MODEL.
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,

    /// File to write [default: the standard output].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  napsim cache import mini.jsonl\n\nExit codes: 0 all lines were taken in or known, \
                        20 some were not."
)]
pub(super) struct ImportArgs {
    #[command(flatten)]
    place: Place,

    /// File with one answer a line.
    file: PathBuf,
}

/// Does what is asked with the cache.
pub(super) fn cache(command: &CacheCommand) -> Result<Exit, Failure> {
    match command {
        CacheCommand::Stat(args) => stat(args),
        CacheCommand::Verify(args) => verify(args),
        CacheCommand::Prune(args) => prune(args),
        CacheCommand::Export(args) => export(args),
        CacheCommand::Import(args) => import(args),
    }
}

impl Place {
    fn open(&self) -> Result<Cache, Failure> {
        let folder = match &self.cache {
            Some(folder) => folder.clone(),
            None => default_dir(|name| std::env::var_os(name))
                .map_err(|error| Failure::Input(anyhow!("failed to {error}; give --cache DIR")))?,
        };
        Cache::open(&folder).map_err(failure)
    }
}

/// An error of the cache as what it means for the program.
fn failure(error: CacheError) -> Failure {
    match error {
        CacheError::Transfer { ref reason, .. } if reason.kind() == std::io::ErrorKind::BrokenPipe => Failure::Closed,
        error => ExchangeError::from(error).into(),
    }
}

fn stat(args: &StatArgs) -> Result<Exit, Failure> {
    let cache = args.place.open()?;
    let watched = Watched::begin()?;
    let stat = match cache.stat(watched.watch()) {
        Err(CacheError::Stopped) => return Ok(watched.interrupted()),
        stat => stat.map_err(failure)?,
    };
    watched.finish();
    if args.json {
        let group = |group: &Group| json!({ "entries": group.entries, "bytes": group.bytes });
        let models: serde_json::Map<_, _> = stat.models.iter().map(|(name, of)| (name.clone(), group(of))).collect();
        let object = json!({
            "schema": "napsim-cache/1",
            "folder": cache.folder(),
            "entries": stat.all.entries,
            "bytes": stat.all.bytes,
            "damaged": stat.damaged,
            "models": models,
        });
        console::print(&format!("{object}\n"))?;
        return Ok(Exit::Complete);
    }
    let now = SystemTime::now();
    let age = |time: Option<SystemTime>| {
        let age = time.and_then(|time| now.duration_since(time).ok());
        age.map_or_else(|| "-".to_owned(), |age| days(age.as_secs_f64()))
    };
    let row = |name: &str, group: &Group| {
        vec![
            name.to_owned(),
            count(group.entries),
            count(group.bytes),
            age(group.newest),
            age(group.oldest),
        ]
    };
    let mut rows: Vec<_> = stat.models.iter().map(|(name, group)| row(name, group)).collect();
    if stat.unnamed.entries > 0 {
        rows.push(row("(others)", &stat.unnamed));
    }
    rows.push(row("all", &stat.all));
    let header = ["model", "answers", "bytes", "last used", "longest unused"].map(str::to_owned);
    console::print(&counts_table(&header, &rows, console::width()))?;
    console::say(&format!("napsim: {}", cache.folder().display()));
    if stat.damaged > 0 {
        let files = counted(stat.damaged, "damaged file", "damaged files");
        console::say(&format!("napsim: note: {files}; `napsim cache verify` names them"));
    }
    Ok(Exit::Complete)
}

fn verify(args: &VerifyArgs) -> Result<Exit, Failure> {
    let cache = args.place.open()?;
    let watched = Watched::begin()?;
    let verified = match cache.verify(args.fix, watched.watch()) {
        Err(CacheError::Stopped) => return Ok(watched.interrupted()),
        verified => verified.map_err(failure)?,
    };
    watched.finish();
    for (path, damage) in &verified.files {
        console::print_untrusted(&format!("{}: {damage}\n", path.display()))?;
    }
    let (whole, damaged) = (
        counted(verified.whole, "answer is whole", "answers are whole"),
        counted(verified.damaged, "file is damaged", "files are damaged"),
    );
    let removed = if args.fix {
        format!(", {} removed", count(verified.removed))
    } else {
        String::new()
    };
    console::say(&format!("napsim: {whole}, {damaged}{removed}"));
    Ok(if verified.damaged > verified.removed {
        Exit::Incomplete
    } else {
        Exit::Complete
    })
}

fn prune(args: &PruneArgs) -> Result<Exit, Failure> {
    if !args.all && args.older_than.is_none() && args.max_bytes.is_none() {
        return Err(Failure::Input(anyhow!(
            "failed to prune the cache: give --older-than TIME, --max-bytes BYTES or --all"
        )));
    }
    let cache = args.place.open()?;
    let watched = Watched::begin()?;
    let pruning = Pruning {
        older_than: args.older_than,
        bytes_max: args.max_bytes.or(args.all.then_some(0)),
        models: Filter {
            model: args.model.clone(),
        },
    };
    let pruned = match cache.prune(&pruning, args.dry_run, watched.watch()) {
        Err(CacheError::Stopped) => return Ok(watched.interrupted()),
        pruned => pruned.map_err(failure)?,
    };
    watched.finish();
    let verb = if args.dry_run { "would be removed" } else { "removed" };
    console::say(&format!(
        "napsim: {} ({} bytes) {verb}, {} ({} bytes) stay",
        counted(pruned.entries, "answer", "answers"),
        count(pruned.bytes),
        count(pruned.kept_entries),
        count(pruned.kept_bytes)
    ));
    Ok(Exit::Complete)
}

fn export(args: &ExportArgs) -> Result<Exit, Failure> {
    let cache = args.place.open()?;
    let watched = Watched::begin()?;
    let filter = Filter {
        model: args.model.clone(),
    };
    let mut out = LinesOut::begin(args.output.as_deref())?;
    let exported = match cache.export(&mut out, &filter, watched.watch()) {
        Err(CacheError::Stopped) => return Ok(watched.interrupted()),
        exported => exported.map_err(failure)?,
    };
    out.finish()?;
    watched.finish();
    console::say(&format!(
        "napsim: {} exported",
        counted(exported.entries, "answer", "answers")
    ));
    if exported.damaged > 0 {
        let files = counted(exported.damaged, "damaged file", "damaged files");
        console::say(&format!("napsim: note: {files} left out"));
    }
    Ok(Exit::Complete)
}

fn import(args: &ImportArgs) -> Result<Exit, Failure> {
    let name = args.file.display();
    let file = File::open(&args.file).map_err(|error| Failure::Input(anyhow!("failed to read {name}: {error}")))?;
    let cache = args.place.open()?;
    let watched = Watched::begin()?;
    let imported = match cache.import(BufReader::new(file), watched.watch()) {
        Err(CacheError::Stopped) => return Ok(watched.interrupted()),
        imported => imported.map_err(failure)?,
    };
    watched.finish();
    for (line, error) in &imported.lines {
        console::say(&format!("napsim: {name}:{line}: {error}"));
    }
    console::say(&format!(
        "napsim: {} new, {} known, {} refused",
        counted(imported.added, "answer", "answers"),
        count(imported.present),
        count(imported.refused)
    ));
    Ok(if imported.refused > 0 {
        Exit::Incomplete
    } else {
        Exit::Complete
    })
}

fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A time in days, where it is long.
fn days(seconds: f64) -> String {
    const DAY: f64 = 86_400.0;
    if seconds >= 2.0 * DAY {
        format!("{:.0} days", seconds / DAY)
    } else {
        duration(seconds)
    }
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
