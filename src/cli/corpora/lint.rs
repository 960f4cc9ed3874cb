//! `napsim corpus lint`: what people rarely do.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use napsim_corpora::refine::{Finding, RuleJudge, Severity};
use napsim_reports::table::{count, counts_table};
use napsim_trajectories::Trajectory;
use serde::Serialize;

use super::open;
use super::shares::percent;
use crate::console;
use crate::exit::{Exit, Failure};

/// Find what people rarely do in trajectories.
///
/// The rules are those of the judge of `napsim corpus refine`; `docs/RECONSTRUCTION.md` lists them. A hint is a matter
/// of taste; few work as a warning says, and nobody as an error says. A trajectory is accepted without an error and with
/// at most one warning, or one every 40 actions.
#[derive(Debug, Args)]
#[command(about = "Find what people rarely do in trajectories", after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct LintArgs {
    /// File, folder or glob pattern with trajectories; `napsim-52` is the built-in corpus.
    corpus: PathBuf,

    /// Names of trajectories; all without any.
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Leave out the lines, and print the table alone.
    #[arg(long, conflicts_with = "json")]
    summary: bool,

    /// Print one JSON object (schema napsim-lint/1) instead of lines and a table.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus lint my/corpus
  napsim corpus lint napsim-52 --summary
  napsim corpus lint my/corpus plan-Sheet1 --json";

/// Everything that is printed.
#[derive(Debug, Serialize)]
struct Answer {
    schema: &'static str,
    trajectories: Vec<Linted>,
}

#[derive(Debug, Serialize)]
struct Linted {
    name: String,
    n_actions: usize,
    /// Whether the judge accepts it.
    accepted: bool,
    findings: Vec<Found>,
}

#[derive(Debug, Serialize)]
struct Found {
    rule: &'static str,
    severity: &'static str,
    /// Number of the action, from 1; none where it is about the finished sheet.
    action_no: Option<usize>,
    reason: String,
    /// What should be done, where that can be said.
    edit: Option<String>,
}

/// Prints what the rules find.
pub(super) fn lint(args: &LintArgs) -> Result<Exit, Failure> {
    let corpus = open::corpus(&args.corpus)?;
    let chosen = open::chosen(&corpus, &args.names)?;
    let answer = Answer {
        schema: "napsim-lint/1",
        trajectories: chosen.into_iter().map(Linted::of).collect(),
    };
    if args.json {
        let object = serde_json::to_string(&answer).map_err(Failure::environment)?;
        console::print(&format!("{object}\n"))?;
        return Ok(Exit::Complete);
    }
    if !args.summary {
        let lines = answer.trajectories.iter().flat_map(Linted::lines);
        console::print_untrusted(&lines.collect::<String>())?;
    }
    console::print(&answer.table())?;
    Ok(Exit::Complete)
}

impl Answer {
    /// How often each rule finds something, with the verdicts.
    fn table(&self) -> String {
        let n_all = self.trajectories.len();
        let n_accepted = self.trajectories.iter().filter(|linted| linted.accepted).count();
        let mut rules: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for found in self.trajectories.iter().flat_map(|linted| &linted.findings) {
            *rules.entry((found.rule, found.severity)).or_default() += 1;
        }
        let row = |cells: [&str; 2], n: usize, share: String| {
            let n = count(u64::try_from(n).unwrap_or(u64::MAX));
            vec![cells[0].to_owned(), cells[1].to_owned(), n, share]
        };
        let mut rows = vec![
            row(["trajectories", ""], n_all, String::new()),
            row(["  accepted", ""], n_accepted, percent(n_accepted, n_all)),
        ];
        rows.extend(
            rules
                .iter()
                .map(|((rule, severity), n)| row([rule, severity], *n, String::new())),
        );
        let header = ["", "severity", "n", "share"].map(str::to_owned);
        counts_table(&header, &rows, console::width())
    }
}

impl Linted {
    fn of(trajectory: &Trajectory) -> Self {
        let findings = RuleJudge::findings(&trajectory.actions);
        Self {
            name: trajectory.name.clone(),
            n_actions: trajectory.actions.len(),
            accepted: RuleJudge::accepts(&findings, trajectory.actions.len()),
            findings: findings.into_iter().map(Found::of).collect(),
        }
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        self.findings.iter().map(|found| {
            let place = found
                .action_no
                .map_or_else(String::new, |number| format!("action {number}: "));
            let Found {
                rule, severity, reason, ..
            } = found;
            format!("{}: {place}{severity}: {reason} ({rule})\n", self.name)
        })
    }
}

impl Found {
    fn of(finding: Finding) -> Self {
        Self {
            rule: finding.rule,
            severity: match finding.severity {
                Severity::Hint => "hint",
                Severity::Warning => "warning",
                Severity::Error => "error",
            },
            action_no: finding.action_idx.map(|idx| idx + 1),
            reason: finding.reason,
            edit: finding.edit,
        }
    }
}
