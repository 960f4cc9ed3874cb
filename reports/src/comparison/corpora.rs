//! What tables call corpora: short names that tell them apart.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::run::ComparedRun;
use crate::record::hex;

/// The name of each run's corpus: the last part of its path, or as many parts as tell it from the corpora of other
/// runs. Corpora of one name and path that hold different trajectories get the first digits of a checksum of them.
pub(super) fn names(runs: &[ComparedRun]) -> Vec<String> {
    let mut by_path: BTreeMap<&str, Vec<&ComparedRun>> = BTreeMap::new();
    for run in runs {
        by_path.entry(&run.setup.corpus).or_default().push(run);
    }
    let named = by_path.iter().map(|(path, runs)| {
        let name = (shortened(path, by_path.keys()), is_ambiguous(runs));
        (*path, name)
    });
    let named: BTreeMap<&str, (&str, bool)> = named.collect();
    let name = |run: &ComparedRun| match named.get(run.setup.corpus.as_str()) {
        Some((name, true)) => format!("{name} ({})", checksum(run)),
        Some((name, false)) => (*name).to_owned(),
        None => run.setup.corpus.clone(),
    };
    runs.iter().map(name).collect()
}

/// As much of the end of a path as no other one ends with. Patterns keep the folder that they are about.
fn shortened<'a, 'b>(path: &'a str, all: impl Iterator<Item = &'b &'b str>) -> &'a str {
    let path = without_slash(path);
    let others = all.map(|other| without_slash(other));
    let others: Vec<&str> = others.filter(|other| *other != path).collect();
    let starts = path.rmatch_indices(['/', '\\']).map(|(place, _)| place + 1);
    let mut tails = starts.filter_map(|start| path.get(start..));
    let is_pattern = |tail: &str| tail.contains(['*', '?', '[']);
    let is_enough =
        |tail: &&str| !tail.is_empty() && !is_pattern(tail) && !others.iter().any(|other| ends_with(other, tail));
    tails.find(is_enough).unwrap_or(path)
}

fn without_slash(path: &str) -> &str {
    match path.trim_end_matches(['/', '\\']) {
        "" => path,
        trimmed => trimmed,
    }
}

/// Whether a path ends with those parts.
fn ends_with(path: &str, tail: &str) -> bool {
    path.strip_suffix(tail)
        .is_some_and(|before| before.is_empty() || before.ends_with(['/', '\\']))
}

/// Whether runs of one path cannot have had the same corpus: neither of two has all trajectories of the other.
fn is_ambiguous(runs: &[&ComparedRun]) -> bool {
    let mut kinds: Vec<&ComparedRun> = Vec::new();
    for run in runs.iter().filter(|run| !run.digests.is_empty()) {
        if kinds.iter().any(|known| known.digests == run.digests) {
            continue;
        }
        let holds = |all: &ComparedRun, part: &ComparedRun| {
            let has = |(name, digest)| all.digests.get(name) == Some(digest);
            part.digests.iter().all(has)
        };
        if kinds.iter().any(|known| !holds(known, run) && !holds(run, known)) {
            return true;
        }
        kinds.push(run);
    }
    false
}

/// The first digits of SHA-256 over the names and digests of a run's trajectories.
fn checksum(run: &ComparedRun) -> String {
    const DIGITS: usize = 6;
    let mut hasher = Sha256::new();
    for (name, digest) in &run.digests {
        hasher.update(format!("{name}\n{digest}\n"));
    }
    hex(&hasher.finalize()).chars().take(DIGITS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::run;

    fn of(corpora: &[&str]) -> Vec<String> {
        let runs: Vec<ComparedRun> = corpora
            .iter()
            .map(|corpus| {
                let mut run = run("x", &[1]);
                (*corpus).clone_into(&mut run.setup.corpus);
                run
            })
            .collect();
        names(&runs)
    }

    #[test]
    fn as_many_parts_of_paths_are_told_as_needed() {
        assert_eq!(of(&["napsim-52"]), ["napsim-52"]);
        assert_eq!(of(&["a/b/c/", "a/b/c"]), ["c", "c"]);
        assert_eq!(of(&["a/b/c", "a/d"]), ["c", "d"]);
        assert_eq!(
            of(&["x/one/data", "y/one/data", "z/data"]),
            ["x/one/data", "y/one/data", "z/data"]
        );
        assert_eq!(of(&["data", "one/data"]), ["data", "one/data"]);
        assert_eq!(of(&["/p/one/data", "/p/two/data"]), ["one/data", "two/data"]);
        assert_eq!(of(&["p/new-data", "data"]), ["new-data", "data"]);
        assert_eq!(
            of(&["/", "p/*.txt", "q/[ab].txt", "C:\\x\\y"]),
            ["/", "p/*.txt", "q/[ab].txt", "y"]
        );
    }

    #[test]
    fn corpora_of_one_name_are_told_apart_by_what_they_hold() {
        let mut runs = [run("x", &[1, 2]), run("y", &[1, 2])];
        let digests = |pairs: &[(&str, &str)]| {
            let pairs = pairs
                .iter()
                .map(|(name, digest)| ((*name).to_owned(), (*digest).to_owned()));
            pairs.collect()
        };
        runs[0].digests = digests(&[("t1", "a"), ("t2", "b")]);
        runs[1].digests = digests(&[("t1", "a")]);
        assert_eq!(names(&runs), ["trades", "trades"], "one has a part of the other");
        runs[1].digests = digests(&[("t1", "a"), ("t2", "c")]);
        let [one, other] = names(&runs).try_into().unwrap();
        // Worked out with `printf 't1\na\nt2\nb\n' | sha256sum`.
        assert_eq!((one.as_str(), other.as_str()), ("trades (4e8050)", "trades (4d11e2)"));
    }
}
