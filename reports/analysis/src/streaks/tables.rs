//! Streaks as tables for other programs.

use super::{LengthCount, Streaks};
use crate::csv_rows::CsvRows;

impl Streaks {
    /// The survival curve as a table: one row a length.
    pub fn survival_csv(&self) -> CsvRows {
        let header = [
            "length",
            "n",
            "share",
            "low",
            "high",
            "expected",
            "expected_pooled",
            "interval",
        ];
        let mut rows = CsvRows::new(&header);
        for point in &self.survival {
            let interval = point.interval;
            rows.push([
                point.length.into(),
                point.n.into(),
                point.share.into(),
                interval.map(|interval| interval.low).into(),
                interval.map(|interval| interval.high).into(),
                point.expected.into(),
                point.expected_pooled.into(),
                interval.map_or("", |interval| interval.method.name()).into(),
            ]);
        }
        rows
    }

    /// The lengths as a table: one row a length, streaks and chains.
    pub fn lengths_csv(&self) -> CsvRows {
        let mut rows = CsvRows::new(&["of", "length", "n"]);
        for (of, lengths) in [("streaks", &self.streaks), ("chains", &self.chains)] {
            for LengthCount { length, n } in &lengths.histogram {
                rows.push([of.into(), (*length).into(), (*n).into()]);
            }
        }
        rows
    }

    /// Where streaks start and end as a table: one row a kind of proposal or of user action.
    pub fn turns_csv(&self) -> CsvRows {
        let mut rows = CsvRows::new(&["by", "kind", "starts", "start_share", "ends", "end_share"]);
        for (by, turns) in [("kind", &self.by_kind), ("trigger", &self.by_trigger)] {
            for turn in turns {
                rows.push([
                    by.into(),
                    turn.kind.name().into(),
                    turn.starts.into(),
                    turn.start_share.into(),
                    turn.ends.into(),
                    turn.end_share.into(),
                ]);
            }
        }
        rows
    }
}
