//! `napsim cache`: the answers of language models that runs share.

mod args;
mod lines;
mod watched;

use std::fs::File;
use std::io::BufReader;
use std::time::SystemTime;

use anyhow::anyhow;
use napsim_remote::ExchangeError;
use napsim_remote::cache::{Cache, CacheError, Filter, Group, Pruning};
use napsim_reports::table::{count, counts_table, duration};
use serde_json::json;

use crate::console;
use crate::exit::{Exit, Failure};
pub(super) use args::CacheCommand;
use args::{ExportArgs, ImportArgs, Place, PruneArgs, StatArgs, VerifyArgs};
use lines::LinesOut;
use watched::Watched;

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
    /// Opens a cache that is there.
    fn open(&self) -> Result<Cache, Failure> {
        match &self.cache {
            Some(folder) if !Cache::is_there(folder) => Err(Failure::Input(anyhow!(
                "failed to find the cache: {} holds none",
                folder.display()
            ))),
            _ => self.make(),
        }
    }

    /// Opens a cache, which is made if need be.
    fn make(&self) -> Result<Cache, Failure> {
        let folder = match &self.cache {
            Some(folder) => folder.clone(),
            None => super::remote::cache_folder()?,
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
    let cache = args.place.make()?;
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
