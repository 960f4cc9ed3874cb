//! What is exported of a run: names are checked and values cut before anything is written.

use crate::error::TrackerError;
use crate::mlflow::{ID, NAME_BYTES_MAX, PARAM_BYTES_MAX, TAG_BYTES_MAX};
use crate::run::TrackedRun;

/// What marks a value that was cut.
const CUT: char = '…';

/// A run as MLflow takes it.
#[derive(Debug)]
pub(super) struct Content<'a> {
    pub(super) run: &'a TrackedRun,
    /// See [`TrackedRun::digest`].
    pub(super) digest: String,
    /// Its parameters, not too long.
    pub(super) params: Vec<(&'a str, String)>,
    /// Its tags, not too long, with those that MLflow gives its own runs; all but the digest.
    pub(super) tags: Vec<(&'a str, String)>,
    /// How many values were cut.
    pub(super) n_cut: usize,
}

impl<'a> Content<'a> {
    /// Checks the names of a run and cuts its values.
    pub(super) fn of(run: &'a TrackedRun) -> Result<Self, TrackerError> {
        let names = |what, names: Vec<&str>| names.iter().try_for_each(|name| check(what, name, run));
        names("parameter", run.params.iter().map(|(name, _)| name.as_str()).collect())?;
        names("metric", run.metrics.iter().map(|(name, _)| name.as_str()).collect())?;
        names("series", run.series.iter().map(|(name, _)| name.as_str()).collect())?;
        names("tag", run.tags.iter().map(|(name, _)| name.as_str()).collect())?;
        names("file", run.artifacts.iter().map(|(name, _)| name.as_str()).collect())?;
        check_id(run)?;
        let mut n_cut = 0;
        let params = run.params.iter();
        let params = params.map(|(name, value)| (name.as_str(), cut(value, PARAM_BYTES_MAX, &mut n_cut)));
        let params = params.collect();
        let own = [
            (ID, run.id.as_str()),
            ("mlflow.runName", &run.name),
            ("mlflow.source.name", "napsim"),
            ("mlflow.source.type", "LOCAL"),
            ("mlflow.user", "napsim"),
        ];
        let given = run.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let tags = own.into_iter().chain(given);
        let tags = tags.map(|(name, value)| (name, cut(value, TAG_BYTES_MAX, &mut n_cut)));
        Ok(Self {
            tags: tags.collect(),
            digest: run.digest(),
            run,
            params,
            n_cut,
        })
    }
}

/// What MLflow says of names, which become paths in its folder. Colons are left to newer versions of it.
fn check(what: &'static str, name: &str, run: &TrackedRun) -> Result<(), TrackerError> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || "_-. /".contains(c);
    let reason = if name.is_empty() {
        "is empty".to_owned()
    } else if name.len() > NAME_BYTES_MAX {
        format!("has {} bytes; expected {NAME_BYTES_MAX} at most", name.len())
    } else if let Some(c) = name.chars().find(|c| !is_fine(*c)) {
        format!("has {c:?} in it; expected ASCII letters, digits, blanks, `_`, `-`, `.` and `/`")
    } else if name.split('/').any(|part| matches!(part, "" | "." | "..")) {
        "is no plain path; expected parts with single slashes between".to_owned()
    } else {
        return Ok(());
    };
    Err(refused(what, name, run, reason))
}

/// The id becomes a part of a search.
fn check_id(run: &TrackedRun) -> Result<(), TrackerError> {
    if run.id.is_empty() || !run.id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(refused("id", &run.id, run, "is no hexadecimal number".to_owned()));
    }
    let is_plain = |c: char| !c.is_control() && c != '\'';
    if run.experiment.is_empty() || !run.experiment.chars().all(is_plain) {
        let reason = "is empty or has an apostrophe or a control character in it".to_owned();
        return Err(refused("experiment", &run.experiment, run, reason));
    }
    Ok(())
}

fn refused(what: &'static str, name: &str, run: &TrackedRun, reason: String) -> TrackerError {
    TrackerError::Name {
        what,
        name: name.chars().take(NAME_BYTES_MAX).collect(),
        run: run.name.clone(),
        reason,
    }
}

/// The value, or as much of its beginning as has room, with a mark.
fn cut(value: &str, bytes_max: usize, n_cut: &mut usize) -> String {
    if value.len() <= bytes_max {
        return value.to_owned();
    }
    *n_cut += 1;
    let room = bytes_max.saturating_sub(CUT.len_utf8());
    let fits = |(at, c): (usize, char)| (at + c.len_utf8() <= room).then_some(c);
    let mut start: String = value.char_indices().map_while(fits).collect();
    start.push(CUT);
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> TrackedRun {
        TrackedRun {
            experiment: "stride".to_owned(),
            name: "stride=1".to_owned(),
            id: "0a".to_owned(),
            ..TrackedRun::default()
        }
    }

    #[test]
    fn names_that_mlflow_refuses_are_refused_before() {
        for name in [
            "",
            "a:b",
            "a=b",
            "../x",
            "/x",
            "a//b",
            "x/",
            ".",
            "ä",
            "a\nb",
            &"x".repeat(251),
        ] {
            let mut run = run();
            run.metrics.push((name.to_owned(), 1.0));
            let error = Content::of(&run).unwrap_err().to_string();
            assert!(error.starts_with("export the metric `"), "{error}");
        }
        for name in [
            "uas_mean",
            "a b",
            "by kind/FONT_BOLD.uas",
            "max-actions",
            &"x".repeat(250),
        ] {
            let mut run = run();
            run.metrics.push((name.to_owned(), 1.0));
            assert!(Content::of(&run).is_ok(), "{name}");
        }
        for (experiment, id) in [("a'b", "0a"), ("", "0a"), ("a", "x' or '1"), ("a", "")] {
            let mut run = run();
            (run.experiment, run.id) = (experiment.to_owned(), id.to_owned());
            assert!(Content::of(&run).is_err(), "{experiment} {id}");
        }
    }

    #[test]
    fn long_values_are_cut_between_characters() {
        let mut run = run();
        run.params = vec![
            ("fits".to_owned(), "x".repeat(PARAM_BYTES_MAX)),
            ("long".to_owned(), "ä".repeat(PARAM_BYTES_MAX)),
        ];
        run.tags = vec![("long".to_owned(), "x".repeat(TAG_BYTES_MAX + 1))];
        let content = Content::of(&run).unwrap();
        assert_eq!(content.n_cut, 2);
        assert_eq!(content.params[0].1, run.params[0].1);
        let (value, tag) = (&content.params[1].1, &content.tags.last().unwrap().1);
        assert!(value.len() <= PARAM_BYTES_MAX && value.len() > PARAM_BYTES_MAX - 3 && value.ends_with("ä…"));
        assert!(tag.len() == TAG_BYTES_MAX && tag.ends_with("x…"));
    }
}
