//! Every workbook that can be read is made again by actions, exactly.
//!
//! The workbooks are found by `NAPSIM_SHARED`, else in `../shared` beside the project; without them the tests say so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use napsim_corpora::import::{ImportOptions, import};
use napsim_corpora::reconstruct::{PROFILES, Profile, ReconstructError, reconstruct, verify};
use napsim_corpora::stats;
use napsim_trajectories::{Corpus, ReadOptions};
use rayon::prelude::*;

/// A folder of the shared data, if it is there.
fn shared(folder: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let root = std::env::var_os("NAPSIM_SHARED").map_or(beside, PathBuf::from);
    let path = root.join(folder);
    if path.is_dir() {
        return Some(path);
    }
    #[expect(clippy::print_stderr, reason = "a skipped test says so loudly")]
    {
        eprintln!("SKIPPED: {} is not there; set NAPSIM_SHARED", path.display());
    }
    None
}

/// The workbooks of a folder, sorted.
fn workbooks(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// What became of one workbook: why it was refused, or how its sheets fared under the profiles.
struct Outcome {
    refused: Option<String>,
    n_sequences: usize,
    failures: Vec<String>,
}

fn outcome(path: &Path, profiles: &[Profile], seed: u64) -> Outcome {
    let mut outcome = Outcome {
        refused: None,
        n_sequences: 0,
        failures: Vec::new(),
    };
    let imported = match import(path, &ImportOptions::default()) {
        Ok(imported) => imported,
        Err(error) => {
            outcome.refused = Some(error.to_string());
            return outcome;
        }
    };
    for sheet in &imported.sheets {
        for profile in profiles {
            match reconstruct(&sheet.sheet, profile, seed) {
                Ok(made) => {
                    outcome.n_sequences += 1;
                    if let Err(difference) = verify(&made.actions, &made.sheet) {
                        outcome.failures.push(format!("{}: {difference}", path.display()));
                    }
                }
                Err(ReconstructError::Empty) => {}
                Err(error) => outcome
                    .failures
                    .push(format!("{} as {}: {error}", path.display(), profile.name)),
            }
        }
    }
    outcome
}

fn check_folder(folder: &str, profiles: &[Profile]) {
    let Some(folder) = shared(folder) else { return };
    let paths = workbooks(&folder);
    assert!(paths.len() > 50, "the workbooks were found");
    let outcomes: Vec<Outcome> = (0_u64..)
        .zip(&paths)
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|(seed, path)| outcome(path, profiles, seed))
        .collect();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in outcomes.iter().filter_map(|outcome| outcome.refused.as_deref()) {
        *reasons.entry(reason).or_default() += 1;
    }
    let n_imported = paths.len() - reasons.values().sum::<usize>();
    let n_sequences: usize = outcomes.iter().map(|outcome| outcome.n_sequences).sum();
    #[expect(clippy::print_stdout, reason = "the share imported is a result of the test")]
    {
        println!(
            "{}: {n_imported} of {} imported, {n_sequences} sequences; refused: {reasons:?}",
            folder.display(),
            paths.len()
        );
    }
    let failures: Vec<&String> = outcomes.iter().flat_map(|outcome| &outcome.failures).collect();
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(n_imported * 100 >= paths.len() * 95, "{reasons:#?}");
    assert!(n_sequences >= n_imported);
}

fn profiles(names: &[&str], seed: u64) -> Vec<Profile> {
    names.iter().filter_map(|name| Profile::named(name, seed)).collect()
}

#[test]
fn training_workbooks_are_made_again() {
    check_folder(
        "corpus/train",
        &profiles(&["natural", "dragger", "paster", "sampled"], 7),
    );
}

#[test]
fn benchmark_workbooks_are_made_again_by_every_profile_and_ten_seeds() {
    let names: Vec<&str> = PROFILES.iter().map(|(name, _)| *name).collect();
    let mut all = profiles(&names, 1);
    all.extend((0..10).filter_map(|seed| Profile::named("sampled", seed)));
    check_folder("nape/workbooks", &all);
}

/// Each hostile file is refused, or its sheets are made again or refused for their size.
#[test]
fn hostile_workbooks_are_made_again_or_refused() {
    let Some(folder) = shared("corpus/stress") else { return };
    let natural = profiles(&["natural"], 1);
    let mut n_made = 0;
    for path in workbooks(&folder) {
        let outcome = outcome(&path, &natural, 1);
        let unexpected = outcome
            .failures
            .iter()
            .find(|failure| !failure.contains("text_bytes_max"));
        assert_eq!(unexpected, None);
        n_made += outcome.n_sequences;
    }
    assert!(n_made > 100, "{n_made} sequences");
}

/// The published drafts were at a mean distance of 0.69 from the final trajectories.
#[test]
fn natural_sequences_are_near_the_published_ones() {
    let Some(nape) = shared("nape") else { return };
    let corpus = Corpus::open(&nape, ReadOptions::default()).unwrap();
    let natural = Profile::named("natural", 1).unwrap();
    let distances: Vec<f64> = corpus
        .trajectories
        .par_iter()
        .map(|trajectory| {
            let path = nape.join(format!("workbooks/{}.xlsx", trajectory.name));
            let imported = import(&path, &ImportOptions::default()).unwrap();
            let made = reconstruct(&imported.sheets[0].sheet, &natural, 1).unwrap();
            stats::edit_distance(&made.actions, &trajectory.actions)
        })
        .collect();
    let mean = distances.iter().sum::<f64>() / 52.0;
    println!("mean normalised edit distance to the published trajectories: {mean:.3}");
    assert_eq!(distances.len(), 52);
    assert!((0.3..0.69).contains(&mean), "{mean}");
}
