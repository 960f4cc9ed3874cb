//! The embedded corpus and the drafts that it is written as.

use std::path::{Path, PathBuf};

use napsim_corpora::draft;
use napsim_trajectories::embedded::EMBEDDED;

fn drafts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../drafts");
    let entries = std::fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = entries.map(Iterator::collect).unwrap_or_default();
    paths.sort();
    paths
}

#[test]
fn drafts_expand_to_the_embedded_texts() {
    let drafts = drafts();
    assert!(drafts.len() >= 38, "the drafts were found");
    for path in drafts {
        let text = std::fs::read_to_string(&path).unwrap();
        let expanded = draft::expand(&text, &path).unwrap_or_else(|error| panic!("failed to {error}"));
        let name = path.file_stem().unwrap().to_str().unwrap();
        let (_, embedded) = EMBEDDED.iter().find(|(known, _)| *known == name).unwrap();
        assert!(
            draft::write(&expanded.trajectory) == *embedded,
            "{name} differs from its draft; run `napsim corpus write`"
        );
    }
}

/// The distribution that the published corpus has: 35 to about 800 actions, some 12,000 in all.
#[test]
fn lengths_are_spread_as_promised() {
    let mut lengths: Vec<usize> = EMBEDDED
        .iter()
        .map(|(_, text)| {
            text.lines()
                .filter(|line| !line.starts_with('#') && !line.is_empty())
                .count()
        })
        .collect();
    lengths.sort_unstable();
    assert_eq!(lengths.len(), 52);
    assert!(
        (35..=47).contains(&lengths[0]) && (750..=850).contains(&lengths[51]),
        "{lengths:?}"
    );
    assert!((150..=200).contains(&lengths[26]), "{lengths:?}");
    assert!((11_500..=13_000).contains(&lengths.iter().sum::<usize>()));
}
