//! Streaks as text for a terminal.

use std::fmt::Write as _;

use napsim_reports::table::{count, counts_table, percent};

use super::{After, AfterRate, Lengths, Streaks, Turn};
use crate::bars::bar;

/// The rows of the table of lengths; what is longer is summed up in the last row.
const ROWS: usize = 12;

/// The figures in a table, the lengths, what starts and ends streaks, and the runs test.
pub fn text(streaks: &Streaks, width: u16) -> String {
    let mut text = figures(streaks, width);
    if streaks.streaks.n > 0 {
        text.push('\n');
        text.push_str(&survival(streaks, width));
        text.push('\n');
        text.push_str(&turns(streaks, width));
    }
    text.push('\n');
    text.push_str(&chance(streaks));
    for note in streaks.basis.notes() {
        let _ = writeln!(text, "{note}");
    }
    text
}

fn owned(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn figures(streaks: &Streaks, width: u16) -> String {
    let published = &streaks.published;
    let decimals = |value: Option<f64>, n: usize| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.n$}"));
    let row = |name: &str, figure: fn(&Lengths) -> String, published: String| {
        vec![
            name.to_owned(),
            figure(&streaks.streaks),
            figure(&streaks.chains),
            published,
        ]
    };
    let long = format!("{} or longer", published.long);
    let rows = [
        row("how many", |lengths| count(lengths.n), String::new()),
        row(
            "mean length",
            |lengths| lengths.mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.2}")),
            decimals(Some(published.mean), 2),
        ),
        row(
            "median length",
            |lengths| {
                lengths
                    .median
                    .map_or_else(|| "-".to_owned(), |median| format!("{median}"))
            },
            decimals(Some(published.median), 0),
        ),
        row(
            &long,
            |lengths| percent(lengths.share_long),
            percent(Some(published.share_long)),
        ),
        row("longest", |lengths| lengths.longest.to_string(), String::new()),
    ];
    counts_table(&owned(&["", "streaks", "chains", "GPT-5*"]), &rows, width)
}

fn survival(streaks: &Streaks, width: u16) -> String {
    let header = owned(&["at least", "streaks", "share", "95 %", "by chance", ""]);
    let rows: Vec<Vec<String>> = streaks
        .survival
        .iter()
        .take(ROWS)
        .map(|point| {
            let interval = point
                .interval
                .map(|interval| format!("{:.1}–{:.1}", 100.0 * interval.low, 100.0 * interval.high));
            vec![
                point.length.to_string(),
                count(point.n),
                percent(Some(point.share)),
                interval.unwrap_or_default(),
                percent(Some(point.expected)),
                padded(&bar(point.share, 20), 20),
            ]
        })
        .collect();
    counts_table(&header, &rows, width)
}

/// The bar with blanks behind, since columns of numbers are set to the right.
fn padded(bar: &str, width: usize) -> String {
    format!("{bar:<width$}")
}

fn turns(streaks: &Streaks, width: u16) -> String {
    let header = owned(&["kind", "starts with", "ends with", "starts after", "ends after"]);
    let share = |n: u64, share: Option<f64>| if n == 0 { String::new() } else { percent(share) };
    let find = |turns: &[Turn], name: &str| turns.iter().find(|turn| turn.kind.name() == name).copied();
    let names = streaks.by_kind.iter().chain(&streaks.by_trigger).map(|turn| turn.kind);
    let mut kinds: Vec<_> = names.collect();
    kinds.sort_unstable_by_key(|kind| kind.place());
    kinds.dedup();
    let rows: Vec<Vec<String>> = kinds
        .iter()
        .map(|kind| {
            let mut cells = vec![kind.name().to_owned()];
            for turns in [&streaks.by_kind, &streaks.by_trigger] {
                let turn = find(turns, kind.name());
                cells.push(turn.map_or_else(String::new, |turn| share(turn.starts, turn.start_share)));
                cells.push(turn.map_or_else(String::new, |turn| share(turn.ends, turn.end_share)));
            }
            cells
        })
        .filter(|cells| cells.iter().skip(1).any(|cell| !cell.is_empty()))
        .collect();
    let mut text = counts_table(&header, &rows, width);
    let ends: Vec<String> = streaks
        .ends
        .rows()
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(what, n)| format!("{what} {}", count(*n)))
        .collect();
    let _ = writeln!(text, "ended by: {}", ends.join(" · "));
    text
}

/// The runs test, and acceptance after acceptance.
fn chance(streaks: &Streaks) -> String {
    let mut text = String::new();
    let After { accepted, rejected, .. } = streaks.after;
    let rate = |after: AfterRate| format!("{} of {}", percent(after.rate), count(after.predictions));
    let _ = writeln!(
        text,
        "accepted after an accepted prediction {}, after a rejected one {}",
        rate(accepted),
        rate(rejected)
    );
    if let Some(test) = &streaks.runs_test {
        let _ = writeln!(
            text,
            "runs test: {} runs where chance would give {:.1}; p {} ({})\n{}",
            count(test.runs),
            test.expected,
            p_text(test.p),
            match test.method {
                super::RunsMethod::Exact => "exact",
                super::RunsMethod::Normal => "normal approximation",
            },
            test.verdict()
        );
    }
    let _ = writeln!(
        text,
        "streaks: accepted predictions with no rejected one between; chains: with no user action between\n* published"
    );
    text
}

/// A probability, or that it is below a thousandth.
fn p_text(p: f64) -> String {
    if p < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("= {p:.3}")
    }
}
