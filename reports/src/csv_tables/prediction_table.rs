//! The table of predictions: one row a non-empty proposal.

use std::fmt;
use std::io;

use napsim_sim::event::{Event, Prediction};

use super::cell::Cell;
use super::{CsvTableError, Origin, Rows};

/// The columns of `predictions.csv`, in order.
const COLUMNS: [&str; 29] = [
    "experiment",
    "variant",
    "unit",
    "predictor",
    "seed",
    "trajectory",
    "prediction_idx",
    "t",
    "user_steps",
    "history",
    "future_before",
    "future_after",
    "proposed",
    "kind",
    "confidence",
    "accepted",
    "exact_matches",
    "tp",
    "fp",
    "fn",
    "mm",
    "precision",
    "recall",
    "ops_saved",
    "undo_actions",
    "removed_actions",
    "rejected_proposals",
    "input_tokens",
    "output_tokens",
];

/// A table with one row a prediction.
pub struct PredictionTable<W: io::Write>(Rows<W, { COLUMNS.len() }>);

impl<W: io::Write> PredictionTable<W> {
    /// The names of its columns.
    pub const COLUMNS: &'static [&'static str] = &COLUMNS;

    /// Begins the table with the names of its columns.
    ///
    /// # Errors
    /// [`CsvTableError`] for whatever the system says.
    pub fn begin(out: W) -> Result<Self, CsvTableError> {
        Rows::begin("predictions", COLUMNS, out).map(Self)
    }

    /// Adds a row for an event that is a prediction; other events add nothing.
    ///
    /// # Errors
    /// [`CsvTableError`] for whatever the system says.
    pub fn add(&mut self, origin: Origin<'_>, trajectory: &str, event: &Event) -> Result<(), CsvTableError> {
        let Event::Prediction(prediction) = event else {
            return Ok(());
        };
        let Prediction { metrics, usage, .. } = &**prediction;
        self.0.add([
            Cell::Text(origin.experiment),
            Cell::Text(origin.variant),
            Cell::Text(origin.unit),
            Cell::Text(&origin.setup.predictor),
            Cell::Count(origin.setup.settings.seed.0),
            Cell::Text(trajectory),
            prediction.prediction_idx.into(),
            prediction.t.into(),
            prediction.user_steps.into(),
            prediction
                .sequence_before
                .saturating_sub(prediction.future_before)
                .into(),
            prediction.future_before.into(),
            prediction.future_after.map_or(Cell::Empty, Cell::from),
            prediction.predicted.len().into(),
            Cell::Text(first_kind(prediction)),
            Cell::ratio(prediction.confidence),
            Cell::Flag(prediction.accepted),
            metrics.exact_matches.into(),
            metrics.tp.into(),
            metrics.fp.into(),
            metrics.missing.into(),
            metrics.mm.into(),
            Cell::Ratio(metrics.precision),
            Cell::Ratio(metrics.recall),
            Cell::Difference(metrics.ops_saved),
            prediction.undo.len().into(),
            prediction.removed.len().into(),
            prediction.rejected.len().into(),
            Cell::Count(usage.input_tokens),
            Cell::Count(usage.output_tokens),
        ])
    }

    /// Ends the table: everything is handed to what it is written to.
    ///
    /// # Errors
    /// [`CsvTableError`] for whatever the system says.
    pub fn finish(self) -> Result<(), CsvTableError> {
        self.0.finish()
    }
}

/// The kind of the first proposed action.
fn first_kind(prediction: &Prediction) -> &str {
    let first = prediction.predicted.first().map_or("", String::as_str);
    first.split(" | ").next().unwrap_or_default()
}

impl<W: io::Write> fmt::Debug for PredictionTable<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PredictionTable").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use napsim_sim::event::{Metrics, UserStep};

    use super::*;
    use crate::fixtures::setup;

    fn prediction() -> Event {
        Event::Prediction(Box::new(Prediction {
            prediction_idx: 1,
            t: 4,
            user_steps: 3,
            predicted: vec![
                "FONT_BOLD | Sheet1!A1 | true".to_owned(),
                "MERGE | Sheet1!A1:B1".to_owned(),
            ],
            confidence: Some(0.75),
            metrics: Metrics {
                tp: 1,
                missing: 2,
                precision: 1.0,
                recall: 1.0 / 3.0,
                ops_saved: -1,
                ..Metrics::default()
            },
            accepted: true,
            sequence_before: 10,
            future_before: 7,
            undo: vec!["FONT_BOLD | Sheet1!A1 | false".to_owned()],
            ..Prediction::default()
        }))
    }

    fn step() -> Event {
        Event::UserStep(UserStep {
            t: 1,
            user_steps: 1,
            action: String::new(),
            future: 9,
        })
    }

    #[test]
    fn only_predictions_have_a_row() {
        let setup = setup();
        let origin = Origin {
            experiment: "e",
            variant: "v",
            unit: "u",
            setup: &setup,
        };
        let mut bytes = Vec::new();
        let mut table = PredictionTable::begin(&mut bytes).unwrap();
        for event in [step(), prediction(), step()] {
            table.add(origin, "@t", &event).unwrap();
        }
        table.finish().unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, rows) = text.split_once('\n').unwrap();
        assert_eq!(head.split(',').collect::<Vec<_>>(), PredictionTable::<Vec<u8>>::COLUMNS);
        assert_eq!(
            rows,
            "e,v,u,online-ngram,0,'@t,1,4,3,3,7,,2,FONT_BOLD,0.75,true,0,1,0,2,0,1,0.3333333333333333,-1,1,0,0,0,0\n"
        );
    }

    /// Takes so many bytes and no more.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let n_bytes = bytes.len().min(self.0);
            self.0 -= n_bytes;
            Ok(n_bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_told() {
        let setup = setup();
        let origin = Origin {
            experiment: "",
            variant: "v",
            unit: "",
            setup: &setup,
        };
        let mut table = PredictionTable::begin(Full(1 << 14)).unwrap();
        let added = (0..10_000).try_for_each(|_| table.add(origin, "t", &prediction()));
        let error = added.and_then(|()| table.finish()).unwrap_err();
        assert!(
            error.to_string().starts_with("write the table of predictions: "),
            "{error}"
        );
    }
}
