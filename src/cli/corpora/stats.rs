//! `napsim corpus stats`: a corpus in figures, and how far it is from another.

use std::path::PathBuf;

use clap::Args;
use napsim_corpora::stats::{
    CorpusStats, Distance, Histogram, Share, Unit, describe, distance, edit_distance, kind_edit_distance,
    place_edit_distance,
};
use napsim_reports::table::{count, counts_table};
use napsim_trajectories::{Corpus, Group, Keyword};
use serde::Serialize;

use super::open;
use crate::console;
use crate::exit::{Exit, Failure};

/// Describe a corpus in figures.
///
/// Counts actions by kind, lengths, shapes of ranges, what is typed and in which order things are done. With another
/// corpus beside it, also how far the two are apart in each respect, and how far trajectories of the same name are.
#[derive(Debug, Args)]
#[command(about = "Describe a corpus in figures", after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct StatsArgs {
    /// File, folder or glob pattern with trajectories; `napsim-52` is the built-in corpus.
    corpus: PathBuf,

    /// Another corpus to measure the distance to.
    #[arg(long, value_name = "CORPUS")]
    against: Option<PathBuf>,

    /// Print one JSON object (schema napsim-corpus-stats/1) with full distributions instead of tables.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus stats napsim-52
  napsim corpus stats my/corpus --against napsim-52
  napsim corpus stats my/corpus --against benchmark/ --json";

/// Everything that is printed.
#[derive(Debug, Serialize)]
struct Answer {
    schema: &'static str,
    corpus: Described,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Described>,
    /// How far the two are apart, where there are two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    distances: Vec<Distance>,
    /// Trajectories that the two have in common by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<Pair>,
}

#[derive(Debug, Serialize)]
struct Described {
    name: String,
    stats: CorpusStats,
}

/// Two trajectories of the same sheet; distances from 0 (alike) to 1.
#[derive(Debug, Serialize)]
struct Pair {
    name: String,
    against: String,
    /// Over whole actions.
    edit_distance: f64,
    /// Over kinds and ranges.
    place_edit_distance: f64,
    /// Over kinds alone.
    kind_edit_distance: f64,
}

/// Prints the figures.
pub(super) fn stats(args: &StatsArgs) -> Result<Exit, Failure> {
    let corpus = open::corpus(&args.corpus)?;
    let against = args.against.as_deref().map(open::corpus).transpose()?;
    let described = |corpus: &Corpus| Described {
        name: corpus.name.clone(),
        stats: describe(&corpus.trajectories),
    };
    let mut answer = Answer {
        schema: "napsim-corpus-stats/1",
        corpus: described(&corpus),
        against: against.as_ref().map(described),
        distances: Vec::new(),
        pairs: Vec::new(),
    };
    if let (Some(other), Some(against)) = (&answer.against, &against) {
        answer.distances = distance(&answer.corpus.stats, &other.stats);
        answer.pairs = pairs(&corpus, against);
    }
    if args.json {
        let object = serde_json::to_string(&answer).map_err(Failure::environment)?;
        console::print(&format!("{object}\n"))?;
        return Ok(Exit::Complete);
    }
    console::print(&answer.tables())?;
    Ok(Exit::Complete)
}

/// Trajectories of the same name, or of a name that goes on behind the other's with a hyphen, as `plan-Sheet1` and `plan`.
fn pairs(corpus: &Corpus, against: &Corpus) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for trajectory in &corpus.trajectories {
        let goes_on = |name: &str| {
            trajectory
                .name
                .strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        // The longest name is the one that says most.
        let candidates = against.trajectories.iter().filter(|other| goes_on(&other.name));
        let Some(other) = candidates.max_by_key(|other| other.name.len()) else {
            continue;
        };
        let (mine, theirs) = (&trajectory.actions, &other.actions);
        pairs.push(Pair {
            name: trajectory.name.clone(),
            against: other.name.clone(),
            edit_distance: edit_distance(mine, theirs),
            place_edit_distance: place_edit_distance(mine, theirs),
            kind_edit_distance: kind_edit_distance(mine, theirs),
        });
    }
    pairs
}

impl Answer {
    fn tables(&self) -> String {
        let corpora: Vec<&Described> = std::iter::once(&self.corpus).chain(&self.against).collect();
        let mut header = vec![String::new()];
        header.extend(corpora.iter().map(|described| described.name.clone()));
        let mut rows = Vec::new();
        let mut row = |what: &str, figure: &dyn Fn(&CorpusStats) -> String| {
            let mut row = vec![what.to_owned()];
            row.extend(corpora.iter().map(|described| figure(&described.stats)));
            // What no corpus has is not worth a line.
            if row.iter().skip(1).any(|figure| !figure.is_empty()) {
                rows.push(row);
            }
        };
        row("trajectories", &|stats| count(stats.n_trajectories));
        row("actions", &|stats| count(stats.n_actions));
        row("actions a trajectory, median", &|stats| median(&stats.lengths));
        row("  mean", &|stats| mean(&stats.lengths));
        row("  least to most", &|stats| reach(&stats.lengths));
        row("rows, median", &|stats| median(&stats.extent_rows));
        row("columns, median", &|stats| median(&stats.extent_cols));
        for group in Group::ALL {
            let name = group.name();
            row(&format!("share of {name}"), &|stats| {
                percent(stats.families.share(name))
            });
            for keyword in Keyword::ALL.iter().filter(|keyword| of_group(**keyword, group)) {
                let text = keyword.text();
                row(&format!("  {text}"), &|stats| percent(stats.kind_tally().share(text)));
            }
        }
        for shape in ["single", "row", "column", "block"] {
            row(&format!("ranges: {shape}"), &|stats| {
                percent(stats.all_shapes().tally().share(shape))
            });
        }
        row("inputs of one cell", &|stats| percent(stats.inputs.single_cell));
        row("actions of the kind before", &|stats| percent(stats.habits.same_kind));
        row("formats that were used before", &|stats| {
            percent(stats.habits.repeated_formats)
        });
        row("formats on blank cells", &|stats| {
            percent(stats.habits.formats_on_blank)
        });
        row("typing over content", &|stats| percent(stats.habits.overwrites));
        row("actions without effect", &|stats| {
            percent(Share {
                part: stats.habits.idle.total(),
                whole: stats.n_actions,
            })
        });
        row("actions that fail", &|stats| match stats.habits.failed.total() {
            0 => String::new(),
            n => count(n),
        });
        let mut text = counts_table(&header, &rows, console::width());
        text.push_str(&self.distance_tables());
        text
    }

    fn distance_tables(&self) -> String {
        if self.against.is_none() {
            return String::new();
        }
        let header = ["distance", "value", "unit", "largest"].map(str::to_owned);
        let rows: Vec<Vec<String>> = self.distances.iter().map(distance_row).collect();
        let mut text = format!("\n{}", counts_table(&header, &rows, console::width()));
        if self.pairs.is_empty() {
            return text;
        }
        #[expect(clippy::cast_precision_loss, reason = "trajectories are far fewer than 2^53")]
        let n = self.pairs.len() as f64;
        let mean = |of: fn(&Pair) -> f64| format!("{:.3}", self.pairs.iter().map(of).sum::<f64>() / n);
        let header = ["mean edit distance of trajectories of the same name", "value"].map(str::to_owned);
        let rows = [
            ("actions", mean(|pair| pair.edit_distance)),
            ("kinds and ranges", mean(|pair| pair.place_edit_distance)),
            ("kinds", mean(|pair| pair.kind_edit_distance)),
            ("pairs", self.pairs.len().to_string()),
        ];
        let rows = rows.map(|(what, value)| vec![what.to_owned(), value]);
        text.push_str(&format!("\n{}", counts_table(&header, &rows, console::width())));
        text
    }
}

fn distance_row(distance: &Distance) -> Vec<String> {
    let (value, unit) = match distance.unit {
        Unit::Share => (format!("{:.3}", distance.value), ""),
        Unit::Points => (format!("{:.1}", distance.value), "points"),
        Unit::Doublings => (format!("{:.2}", distance.value), "doublings"),
    };
    let detail = distance.detail.clone().unwrap_or_default();
    vec![distance.name.clone(), value, unit.to_owned(), detail]
}

/// Whether actions of the keyword count under the group; of a group with one keyword the keyword says nothing new.
fn of_group(keyword: Keyword, group: Group) -> bool {
    match group {
        Group::Input => matches!(keyword, Keyword::Value | Keyword::Formula | Keyword::Input),
        Group::Font => keyword.font_property().is_some(),
        Group::Border => keyword.border_side().is_some(),
        Group::Align => matches!(
            keyword,
            Keyword::AlignHorizontal | Keyword::AlignVertical | Keyword::WrapText | Keyword::TextOrientation
        ),
        Group::Merge | Group::Format | Group::Fill | Group::Paste | Group::Autofill => false,
    }
}

/// A share with one decimal; nothing where nothing was counted.
fn percent(share: Share) -> String {
    if share.part == 0 {
        return String::new();
    }
    format!("{:.1} %", 100.0 * share.value())
}

fn median(histogram: &Histogram) -> String {
    histogram
        .quantiles()
        .map_or_else(String::new, |quantiles| trimmed(quantiles.median))
}

fn mean(histogram: &Histogram) -> String {
    histogram
        .quantiles()
        .map_or_else(String::new, |quantiles| trimmed(quantiles.mean))
}

fn reach(histogram: &Histogram) -> String {
    let quantiles = histogram.quantiles();
    quantiles.map_or_else(String::new, |quantiles| {
        format!("{} to {}", quantiles.min, quantiles.max)
    })
}

/// One decimal, unless it is a zero.
fn trimmed(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
