//! What a build has to say: a line a file, and a table.

use std::collections::BTreeMap;

use napsim_reports::store::{BuiltTrajectory, CorpusManifest, SourceFile};
use napsim_reports::table::{count, counts_table};

use super::BuildArgs;
use crate::cli::corpora::shares::percent;
use crate::console;
use crate::exit::Failure;

/// What became of a file.
pub(super) fn line(file: &SourceFile) -> String {
    let mut text = String::new();
    if file.is_imported() {
        let n_actions: u64 = file.trajectories.iter().map(|built| built.n_actions).sum();
        let n_notes: usize = file.notes.len();
        let trajectories = console::counted(file.trajectories.len(), "trajectory", "trajectories");
        let notes = if n_notes > 0 {
            format!(", {}", console::counted(n_notes, "note", "notes"))
        } else {
            String::new()
        };
        let refined =
            Refined::of(&file.trajectories).map_or_else(String::new, |refined| format!(", {}", refined.phrase()));
        text.push_str(&format!(
            "imported {}: {trajectories}, {} {}{refined}{notes}\n",
            file.path,
            count(n_actions),
            if n_actions == 1 { "action" } else { "actions" }
        ));
    }
    for refusal in &file.refused {
        let sheet = refusal
            .sheet
            .as_ref()
            .map_or_else(String::new, |sheet| format!(", sheet {sheet}"));
        let profile = refusal
            .profile
            .as_ref()
            .map_or_else(String::new, |profile| format!(", profile {profile}"));
        text.push_str(&format!("refused {}{sheet}{profile}: {}\n", file.path, refusal.reason));
    }
    text
}

/// What refinements came to.
#[derive(Default)]
struct Refined {
    n_accepted: usize,
    n_before: u64,
    n_after: u64,
}

impl Refined {
    /// The sum over trajectories; none where none was refined.
    fn of<'a>(trajectories: impl IntoIterator<Item = &'a BuiltTrajectory>) -> Option<Self> {
        let refinements = trajectories
            .into_iter()
            .filter_map(|built| Some((built, built.refined?)));
        let mut sum = None;
        for (built, refinement) in refinements {
            let sum: &mut Self = sum.get_or_insert_default();
            sum.n_accepted += usize::from(refinement.accepted);
            sum.n_before += refinement.n_actions_before;
            sum.n_after += built.n_actions;
        }
        sum
    }

    /// How many actions fewer there are. No editor of a build writes longer sequences.
    fn n_saved(&self) -> u64 {
        self.n_before.saturating_sub(self.n_after)
    }

    fn phrase(&self) -> String {
        format!(
            "the judge accepts {}, {} saved",
            self.n_accepted,
            console::counted(
                usize::try_from(self.n_saved()).unwrap_or(usize::MAX),
                "action",
                "actions"
            )
        )
    }
}

/// Prints the manifest, or a table of how many files came to what.
pub(super) fn print(args: &BuildArgs, manifest: &CorpusManifest) -> Result<(), Failure> {
    if args.json {
        let object = serde_json::to_string(manifest).map_err(Failure::environment)?;
        return console::print(&format!("{object}\n"));
    }
    let n_files = manifest.files.len();
    let n_imported = manifest.files.iter().filter(|file| file.is_imported()).count();
    let mut rows = vec![
        row("files", n_files, None),
        row("  imported", n_imported, Some(n_files)),
    ];
    rows.push(row("  refused", n_files - n_imported, Some(n_files)));
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for file in manifest.files.iter().filter(|file| !file.is_imported()) {
        let kind = file.refused.first().map_or("nothing in it", |refusal| &refusal.kind);
        *kinds.entry(kind).or_default() += 1;
    }
    rows.extend(
        kinds
            .iter()
            .map(|(kind, n)| row(&format!("    {kind}"), *n, Some(n_files))),
    );
    let n_trajectories = manifest.trajectories().count();
    let n_refused: usize = manifest
        .files
        .iter()
        .filter(|file| file.is_imported())
        .map(|file| file.refused.len())
        .sum();
    rows.push(row("trajectories", n_trajectories, None));
    if n_refused > 0 {
        rows.push(row("  refused in imported files", n_refused, None));
    }
    let refined = Refined::of(manifest.trajectories());
    if let Some(refined) = &refined {
        rows.push(row("  accepted by the judge", refined.n_accepted, Some(n_trajectories)));
    }
    let n_actions: u64 = manifest.trajectories().map(|built| built.n_actions).sum();
    rows.push(vec!["actions".to_owned(), count(n_actions), String::new()]);
    if let Some(refined) = &refined {
        let n_saved = count(refined.n_saved());
        rows.push(vec!["  saved by refinement".to_owned(), n_saved, String::new()]);
    }
    let mut parts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in &manifest.files {
        if let Some(split) = &file.split {
            *parts.entry(split).or_default() += file.trajectories.len();
        }
    }
    rows.extend(
        parts
            .iter()
            .map(|(part, n)| row(&format!("  {part}"), *n, Some(n_trajectories))),
    );
    let header = ["", "n", "share"].map(str::to_owned);
    console::print(&counts_table(&header, &rows, console::width()))
}

fn row(what: &str, n: usize, of: Option<usize>) -> Vec<String> {
    let share = of.map_or_else(String::new, |n_all| percent(n, n_all));
    vec![what.to_owned(), count(u64::try_from(n).unwrap_or(u64::MAX)), share]
}
