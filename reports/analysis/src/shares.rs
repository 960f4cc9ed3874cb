//! Kinds of action in the trajectories, in what is proposed, accepted and rejected.

use napsim_reports::table::{count, counts_table, percent};
use serde::Serialize;

use crate::csv_rows::CsvRows;
use crate::kind::Kind;
use crate::number::ratio;
use crate::published::{self, PublishedShares};
use crate::run::{Basis, RunAnalysis};
use crate::tally::Places;

/// Shares of the kinds. The shares of each column sum to 1, or are absent where there is nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindShares {
    /// What the figures are made of.
    pub basis: Basis,
    /// The paper's nine kinds in its order, and `other` where there is any.
    pub rows: Vec<KindShare>,
}

/// One kind of action. Actions are counted, not predictions: a proposal of three counts three times.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindShare {
    /// The kind.
    pub kind: Kind,
    /// Actions of the trajectories, and their share of all of those.
    pub truth: u64,
    #[expect(missing_docs, reason = "see above")]
    pub truth_share: Option<f64>,
    /// Proposed actions, and their share.
    pub proposed: u64,
    #[expect(missing_docs, reason = "see above")]
    pub proposed_share: Option<f64>,
    /// Actions of accepted predictions, and their share.
    pub accepted: u64,
    #[expect(missing_docs, reason = "see above")]
    pub accepted_share: Option<f64>,
    /// Actions of rejected predictions, and their share.
    pub rejected: u64,
    #[expect(missing_docs, reason = "see above")]
    pub rejected_share: Option<f64>,
    /// Accepted / proposed actions.
    pub acceptance_rate: Option<f64>,
    /// Share of the proposed less share of the true actions: above 0 is proposed too often, below 0 too rarely.
    pub over: Option<f64>,
    /// Future actions that accepted predictions made unnecessary: what was saved.
    pub removed: u64,
    /// Undo actions that accepted predictions added: what it cost.
    pub undo: u64,
    /// What the paper reports of GPT-5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<PublishedShares>,
}

impl KindShares {
    /// The rows as a table.
    pub fn csv(&self) -> CsvRows {
        let header = [
            "kind",
            "truth",
            "truth_share",
            "proposed",
            "proposed_share",
            "accepted",
            "accepted_share",
            "rejected",
            "rejected_share",
            "acceptance_rate",
            "over",
            "removed",
            "undo",
        ];
        let mut rows = CsvRows::new(&header);
        for row in &self.rows {
            rows.push([
                row.kind.name().into(),
                row.truth.into(),
                row.truth_share.into(),
                row.proposed.into(),
                row.proposed_share.into(),
                row.accepted.into(),
                row.accepted_share.into(),
                row.rejected.into(),
                row.rejected_share.into(),
                row.acceptance_rate.into(),
                row.over.into(),
                row.removed.into(),
                row.undo.into(),
            ]);
        }
        rows
    }
}

/// The shares as text for a terminal: of the trajectories, of what is proposed, accepted and rejected.
pub fn text(shares: &KindShares, width: u16) -> String {
    let header = [
        "kind", "truth", "proposed", "over", "accepted", "rejected", "AR", "removed", "undo",
    ]
    .map(str::to_owned);
    let points = |over: Option<f64>| over.map_or_else(|| "-".to_owned(), |over| format!("{:+.1}", 100.0 * over));
    let cells = |row: &KindShare| {
        vec![
            row.kind.name().to_owned(),
            percent(row.truth_share),
            percent(row.proposed_share),
            points(row.over),
            percent(row.accepted_share),
            percent(row.rejected_share),
            percent(row.acceptance_rate),
            count(row.removed),
            count(row.undo),
        ]
    };
    let rows: Vec<Vec<String>> = shares.rows.iter().map(cells).collect();
    let notes = shares.basis.notes().into_iter().map(|note| note + "\n");
    counts_table(&header, &rows, width) + &notes.collect::<String>()
}

pub(crate) fn of(run: &RunAnalysis) -> KindShares {
    let mut sums: [Places; 5] = Default::default();
    for unit in run.counted() {
        let kinds = &unit.kinds;
        let parts = [
            &kinds.truth,
            &kinds.accepted,
            &kinds.rejected,
            &kinds.removed,
            &kinds.undo,
        ];
        for (sum, part) in sums.iter_mut().zip(parts) {
            sum.add_all(part);
        }
    }
    let [truth, accepted, rejected, removed, undo] = &sums;
    let n_proposed = accepted.sum() + rejected.sum();
    let row = |kind: Kind| {
        let of = |places: &Places| places.get(kind.place());
        let proposed = of(accepted) + of(rejected);
        let share = |places: &Places| ratio(of(places), places.sum());
        let proposed_share = ratio(proposed, n_proposed);
        KindShare {
            kind,
            truth: of(truth),
            truth_share: share(truth),
            proposed,
            proposed_share,
            accepted: of(accepted),
            accepted_share: share(accepted),
            rejected: of(rejected),
            rejected_share: share(rejected),
            acceptance_rate: ratio(of(accepted), proposed),
            over: proposed_share
                .zip(share(truth))
                .map(|(proposed, truth)| proposed - truth),
            removed: of(removed),
            undo: of(undo),
            published: published::shares(kind),
        }
    };
    let is_shown =
        |row: &KindShare| row.kind.group().is_some() || row.truth + row.proposed + row.removed + row.undo > 0;
    KindShares {
        basis: run.basis(),
        rows: Kind::all().map(row).filter(is_shown).collect(),
    }
}

#[cfg(test)]
mod tests;
