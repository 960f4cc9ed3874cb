//! The trajectories that come with the program.

use std::path::{Path, PathBuf};

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::corpus::{Builder, Corpus};
use crate::read::{ReadError, ReadOptions, read_lines};

macro_rules! texts {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../data/", $name, ".txt"))),)*]
    };
}

/// Name and text of each embedded trajectory, sorted by name.
pub const EMBEDDED: &[(&str, &str)] = texts! {
    "01-bakery-production-plan"
    "02-boat-rental-log"
    "03-school-timetable"
    "04-clinic-rota"
    "05-vineyard-tank-log"
    "06-climbing-gym-inventory"
    "07-theatre-budget"
    "08-apiary-records"
    "09-print-shop-quote"
    "10-rowing-club-fees"
    "11-choir-concert-programme"
    "12-bike-workshop-job-sheet"
    "13-greenhouse-trial"
    "14-loan-amortisation"
    "15-household-year-budget"
    "16-gradebook-classe-3eC"
    "17-gardener-invoice"
    "18-hardware-store-inventory"
    "19-aguas-potables-laboratorio"
    "20-football-league-table"
    "21-japan-walking-tour"
    "22-questionnaire-form"
    "23-bakery-payroll"
    "24-dressing-exported-weather"
    "25-tea-sales-dashboard"
    "26-kitchen-rebuild-gantt"
    "27-holiday-planner-pl"
    "28-dish-costing-it"
    "29-library-loans"
    "30-study-visit-matrix"
    "31-marathon-diary"
    "32-museum-condition-report"
    "33-petty-cash-pt"
    "34-pantry-pasted"
    "35-building-barn-bill-of-quantities"
    "36-library-survey-crosstable"
    "37-coop-heat-meter-readings"
    "38-wedding-guests-and-budget"
    "39-vet-vaccination-register"
    "40-chess-club-crosstable"
    "41-fund-portfolio-weights"
    "42-film-shoot-call-sheet"
    "43-soil-test-report"
    "44-school-exam-timetable"
    "45-warehouse-stock-count"
    "46-conference-programme"
    "47-landlord-income-statement"
    "48-farm-milk-recording"
    "49-sailing-series-results"
    "50-bus-depot-maintenance-log"
    "51-charity-donation-tracker"
    "52-it-move-risk-register"
};

/// The name of the embedded corpus.
pub const EMBEDDED_NAME: &str = "napsim-52";

impl Corpus {
    /// The trajectories that come with the program.
    ///
    /// # Errors
    /// None in practice: every embedded text is read without a diagnostic, which a test makes sure of.
    pub fn embedded() -> Result<Self, ReadError> {
        let read = |(name, text): &(&str, &str)| {
            let path = PathBuf::from(format!("{EMBEDDED_NAME}/{name}.txt"));
            let read = read_lines(text.as_bytes(), &path, ReadOptions::default());
            (path, read)
        };
        let files: Vec<_> = EMBEDDED.par_iter().with_max_len(1).map(read).collect();
        Builder::of(files)?.finish(EMBEDDED_NAME.to_owned(), Path::new(EMBEDDED_NAME))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_equals_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
            .map(|path| {
                let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                (name, std::fs::read_to_string(&path).unwrap())
            })
            .collect();
        files.sort();
        let table: Vec<_> = EMBEDDED
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect();
        assert!(
            table == files,
            "the table of src/embedded.rs and the folder data differ"
        );
    }

    #[test]
    fn every_text_is_read_strictly() {
        let corpus = Corpus::embedded().unwrap();
        assert_eq!(corpus.name, "napsim-52");
        assert_eq!(corpus.skipped_lines, 0);
        for (trajectory, (name, _)) in corpus.trajectories.iter().zip(EMBEDDED) {
            assert_eq!(trajectory.name, *name);
            assert!(trajectory.title.is_some() && trajectory.description.is_some(), "{name}");
        }
        assert_eq!(corpus.trajectories.len(), EMBEDDED.len());
    }
}
