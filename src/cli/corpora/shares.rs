//! How the actions of trajectories are made up.

use napsim_trajectories::{Action, Keyword};

/// `INPUT 57.3 %, FONT_BOLD 6.1 %`: the share of each keyword that occurs, in the order of the keywords.
pub(super) fn by_keyword<'a>(actions: impl IntoIterator<Item = &'a Action>) -> String {
    let keywords: Vec<Keyword> = actions.into_iter().map(Action::keyword).collect();
    let shares = Keyword::ALL.iter().filter_map(|keyword| {
        let n = keywords.iter().filter(|known| *known == keyword).count();
        (n > 0).then(|| format!("{} {}", keyword.text(), percent(n, keywords.len())))
    });
    shares.collect::<Vec<_>>().join(", ")
}

/// A share with one decimal: `57.3 %`.
#[expect(clippy::cast_precision_loss, reason = "counts of actions are far below 2^53")]
pub(super) fn percent(n: usize, n_all: usize) -> String {
    format!("{:.1} %", 100.0 * n as f64 / n_all.max(1) as f64)
}
