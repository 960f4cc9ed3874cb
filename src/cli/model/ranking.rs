//! What a model's card says of its ranking: savings at each threshold, and the risk–coverage curve.

use napsim_predictors::model::Card;
use napsim_predictors::ranking::CoveragePoint;
use napsim_reports::table::{count, counts_table, percent};
use napsim_training::ranking::OnPolicy;
use serde::Deserialize;

/// The metric of a card that this is made from.
pub(super) const RANKING: &str = "ranking";

#[derive(Deserialize)]
struct Ranking {
    confidence: f32,
    on_policy: Vec<OnPolicy>,
    risk_coverage: Vec<CoveragePoint>,
}

fn ranking(card: &Card) -> Option<Ranking> {
    serde_json::from_value(card.metrics.get(RANKING)?.clone()).ok()
}

/// Savings on the validation sequences by threshold; the one chosen is marked. Nothing where there is no ranking.
pub(super) fn savings(card: &Card, width: u16) -> Option<String> {
    let ranking = ranking(card)?;
    let n_sequences = ranking.on_policy.first()?.n_sequences as u64;
    let header = ["confidence", "UAS", "AR", "proposals"].map(str::to_owned);
    let row = |point: &OnPolicy| {
        // Both were read from the same text, so that the chosen one is the same to the bit.
        let chosen = point.confidence.to_bits() == ranking.confidence.to_bits();
        vec![
            format!("{:.2}{}", point.confidence, if chosen { " (default)" } else { "" }),
            percent(Some(point.uas)),
            percent(Some(point.acceptance)),
            count(point.n_proposals as u64),
        ]
    };
    let rows: Vec<_> = ranking.on_policy.iter().map(row).collect();
    let table = counts_table(&header, &rows, width);
    Some(format!(
        "{} validation sequences, one action at a time (values=v2):\n{table}",
        count(n_sequences)
    ))
}

/// What becomes of the best candidates by how sure the model is of them. Nothing where there is no ranking.
pub(crate) fn risk_coverage(card: &Card, width: u16) -> Option<String> {
    let ranking = ranking(card)?;
    let header = ["confidence", "coverage", "risk"].map(str::to_owned);
    let row = |point: &CoveragePoint| {
        vec![
            format!("{:.2}", point.confidence),
            percent(Some(point.coverage)),
            percent(Some(point.risk)),
        ]
    };
    let rows: Vec<_> = ranking.risk_coverage.iter().map(row).collect();
    let table = counts_table(&header, &rows, width);
    Some(format!(
        "Of the chances to propose, the share taken up (coverage), and of the proposals the share refused (risk):\n{table}"
    ))
}
