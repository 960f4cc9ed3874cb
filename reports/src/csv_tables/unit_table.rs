//! The table of units: one row a trajectory, variant and seed.

use std::fmt;
use std::io;

use napsim_sim::event::Limit;

use super::cell::Cell;
use super::{CsvTableError, Origin, Rows};
use crate::aggregate::{UnitResult, acceptance_rate};
use crate::coverage::CoverageCounts;

/// The columns of `units.csv`, in order.
const COLUMNS: [&str; 44] = [
    "experiment",
    "variant",
    "unit",
    "protocol",
    "corpus",
    "predictor",
    "policy",
    "mode",
    "stride",
    "triggers",
    "repredict",
    "max_actions",
    "context",
    "seed",
    "trajectory",
    "outcome",
    "limit",
    "actions",
    "user_steps",
    "uas",
    "predictions",
    "accepted",
    "rejected",
    "empty",
    "errors",
    "divergences",
    "rejected_proposals",
    "acceptance_rate",
    "precision",
    "tp",
    "fp",
    "fn",
    "mm",
    "ops_saved",
    "undo_actions",
    "removed_actions",
    "final_length",
    "formatting_actions",
    "user_formatting_steps",
    "pcov_accepted",
    "pcov_attempted",
    "input_tokens",
    "output_tokens",
    "error",
];

/// A table with one row a unit.
pub struct UnitTable<W: io::Write>(Rows<W, { COLUMNS.len() }>);

impl<W: io::Write> UnitTable<W> {
    /// The names of its columns.
    pub const COLUMNS: &'static [&'static str] = &COLUMNS;

    /// Begins the table with the names of its columns.
    ///
    /// # Errors
    /// [`CsvTableError`] for whatever the system says.
    pub fn begin(out: W) -> Result<Self, CsvTableError> {
        Rows::begin("units", COLUMNS, out).map(Self)
    }

    /// Adds the row of a unit.
    ///
    /// # Errors
    /// [`CsvTableError`] for whatever the system says.
    pub fn add(&mut self, origin: Origin<'_>, result: &UnitResult) -> Result<(), CsvTableError> {
        let (setup, settings) = (origin.setup, &origin.setup.settings);
        let triggers: Vec<String> = settings.triggers.iter().map(ToString::to_string).collect();
        let (triggers, context) = (triggers.join(" "), setup.context.map(|context| context.to_string()));
        let UnitResult { summary, coverage } = result;
        let covered = |share: fn(&CoverageCounts) -> Option<f64>| Cell::ratio(coverage.as_ref().and_then(share));
        self.0.add([
            Cell::Text(origin.experiment),
            Cell::Text(origin.variant),
            Cell::Text(origin.unit),
            Cell::Text(&setup.protocol),
            Cell::Text(&setup.corpus),
            Cell::Text(&setup.predictor),
            Cell::Text(&setup.policy),
            Cell::Text(setup.mode.name()),
            settings.stride.into(),
            Cell::Text(&triggers),
            Cell::Flag(settings.repredict),
            settings.actions_max.map_or(Cell::Empty, Cell::from),
            context.as_deref().map_or(Cell::Empty, Cell::Text),
            Cell::Count(settings.seed.0),
            Cell::Text(&summary.name),
            Cell::Text(summary.outcome.name()),
            Cell::Text(summary.limit.map_or("", limit_name)),
            summary.actions.into(),
            summary.user_steps.into(),
            Cell::ratio(summary.uas),
            summary.predictions.into(),
            summary.accepted.into(),
            summary.rejected.into(),
            summary.empty.into(),
            summary.errors.into(),
            summary.divergences.into(),
            summary.rejected_proposals.into(),
            Cell::ratio(acceptance_rate(summary)),
            Cell::ratio(summary.precision),
            summary.counts.tp.into(),
            summary.counts.fp.into(),
            summary.counts.missing.into(),
            summary.counts.mm.into(),
            Cell::Difference(summary.ops_saved),
            summary.undo_actions.into(),
            summary.removed_actions.into(),
            summary.final_length.into(),
            summary.formatting_actions.into(),
            summary.user_formatting_steps.into(),
            covered(CoverageCounts::share_accepted),
            covered(CoverageCounts::share_attempted),
            Cell::Count(summary.usage.input_tokens),
            Cell::Count(summary.usage.output_tokens),
            Cell::Text(summary.error.as_deref().unwrap_or_default()),
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

/// The name of a limit, as in records.
fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::StepLimit => "step_limit",
        Limit::ChainMax => "chain_max",
        Limit::FutureMax => "future_max",
    }
}

impl<W: io::Write> fmt::Debug for UnitTable<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnitTable").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use napsim_sim::event::Outcome;
    use napsim_sim::settings::Trigger;
    use napsim_trajectories::Group;

    use super::*;
    use crate::fixtures::{setup, summary};

    fn table(fill: impl Fn(&mut UnitTable<&mut Vec<u8>>)) -> Vec<Vec<(String, String)>> {
        let mut bytes = Vec::new();
        let mut table = UnitTable::begin(&mut bytes).unwrap();
        fill(&mut table);
        table.finish().unwrap();
        let mut reader = csv::Reader::from_reader(bytes.as_slice());
        let names = reader.headers().unwrap().clone();
        let row = |row: csv::StringRecord| {
            let pairs = names
                .iter()
                .zip(&row)
                .map(|(name, cell)| (name.to_owned(), cell.to_owned()));
            pairs.collect()
        };
        reader.records().map(|record| row(record.unwrap())).collect()
    }

    fn cell<'a>(row: &'a [(String, String)], column: &str) -> &'a str {
        &row.iter().find(|(name, _)| name == column).unwrap().1
    }

    #[test]
    fn each_value_stands_under_its_name() {
        let mut setup = setup();
        setup.settings.triggers = vec![Trigger::After(vec![Group::Input]), Trigger::Run(3)];
        let mut end = summary("a,\"b\"\nc", 30, 20);
        end.limit = Some(Limit::ChainMax);
        end.outcome = Outcome::Truncated;
        (end.predictions, end.accepted, end.rejected, end.empty) = (8, 2, 6, 9);
        (end.counts.tp, end.counts.fp, end.counts.missing, end.counts.mm) = (1, 2, 3, 4);
        end.ops_saved = -5;
        end.precision = Some(0.1);
        let result = UnitResult {
            summary: end,
            coverage: Some(CoverageCounts {
                predictable: 8,
                accepted: 1,
                attempted: 2,
            }),
        };
        let rows = table(|table| {
            let origin = Origin {
                experiment: "stride",
                variant: "=stride",
                unit: "abc",
                setup: &setup,
            };
            table.add(origin, &result).unwrap();
        });
        for (column, expect) in [
            ("experiment", "stride"),
            ("variant", "'=stride"),
            ("unit", "abc"),
            ("mode", "single"),
            ("triggers", "after:input run:3"),
            ("repredict", "true"),
            ("max_actions", "1"),
            ("context", "all"),
            ("seed", "0"),
            ("trajectory", "a,\"b\"\nc"),
            ("outcome", "truncated"),
            ("limit", "chain_max"),
            ("uas", "0.3333333333333333"),
            ("acceptance_rate", "0.25"),
            ("precision", "0.1"),
            ("fn", "3"),
            ("mm", "4"),
            ("ops_saved", "-5"),
            ("pcov_accepted", "0.125"),
            ("pcov_attempted", "0.25"),
            ("error", ""),
        ] {
            assert_eq!(cell(&rows[0], column), expect, "{column}");
        }
    }

    #[test]
    fn what_is_undefined_is_empty() {
        let mut setup = setup();
        setup.context = None;
        setup.settings.actions_max = None;
        let rows = table(|table| {
            let origin = Origin {
                experiment: "",
                variant: "run",
                unit: "",
                setup: &setup,
            };
            let result = UnitResult::lost("t", 30, "-gone".to_owned());
            table.add(origin, &result).unwrap();
        });
        for column in [
            "context",
            "max_actions",
            "limit",
            "uas",
            "acceptance_rate",
            "precision",
            "pcov_accepted",
        ] {
            assert_eq!(cell(&rows[0], column), "", "{column}");
        }
        assert_eq!(cell(&rows[0], "error"), "'-gone");
    }

    #[test]
    fn a_table_without_units_names_its_columns() {
        assert!(table(|_| ()).is_empty());
    }
}
