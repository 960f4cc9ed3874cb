//! `napsim export mlflow`: what a tracker is told of measured runs.

use anyhow::anyhow;
use napsim_remote::secret::Secret;
use napsim_remote::transport::Stop;
use napsim_reports::{Aggregate, UnitResult};
use napsim_trackers::{Credentials, Exported, TrackedRun, TrackerError, mlflow};
use sha2::{Digest, Sha256};

use super::{MlflowArgs, Repeat, ending};
use crate::cli::sources::MeasuredUnit;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Exports to a folder or a server.
pub(super) fn to_mlflow(args: &MlflowArgs) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let sources = match args.sources.read(&interruption) {
        Ok(sources) => sources,
        Err(failure) => return interruption.or(failure),
    };
    let runs: Vec<TrackedRun> = Repeat::all(&sources).iter().map(tracked).collect();
    let exported = match Target::of(&args.to)? {
        Target::Server => mlflow::send(
            &args.to,
            credentials().as_ref(),
            &runs,
            Stop::new(interruption.question()),
        ),
        Target::Folder(folder) => mlflow::write_folder(folder.as_ref(), &runs),
    };
    let Exported {
        created,
        replaced,
        unchanged,
        values_cut,
        artifacts_left_out: _,
    } = match exported {
        Ok(exported) => exported,
        Err(error) => return interruption.or(failure(error)),
    };
    let mut text = format!(
        "{} in {}: {created} new, {replaced} replaced, {unchanged} there already",
        console::counted(runs.len(), "run", "runs"),
        args.to
    );
    if values_cut > 0 {
        text.push_str(&format!("; {values_cut} values were too long for MLflow and are cut"));
    }
    console::say(&format!("napsim: {text}"));
    Ok(ending(&sources))
}

/// Where a tracking URI leads.
#[derive(Debug, PartialEq, Eq)]
enum Target<'a> {
    Server,
    Folder(&'a str),
}

impl<'a> Target<'a> {
    fn of(uri: &'a str) -> Result<Self, Failure> {
        let scheme = uri.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
        let is_scheme =
            |scheme: &str| scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        let target = match scheme.as_deref() {
            Some("http" | "https") => Self::Server,
            Some("file") => {
                let path = uri.get("file:".len()..).unwrap_or_default();
                Self::Folder(path.strip_prefix("//").unwrap_or(path))
            }
            Some(scheme) if is_scheme(scheme) => {
                return Err(Failure::Input(anyhow!(
                    "failed to export to {uri}: give a folder, file:FOLDER, http://… or https://…"
                )));
            }
            _ => Self::Folder(uri),
        };
        match target {
            Self::Folder("") => Err(Failure::Input(anyhow!(
                "failed to export: give a folder or the address of a server; MLFLOW_TRACKING_URI must not be empty either"
            ))),
            target => Ok(target),
        }
    }
}

fn failure(error: TrackerError) -> Failure {
    match error {
        TrackerError::Store(error) => Failure::from(error),
        TrackerError::Io { verb, path, reason } => Failure::at_path(verb, &path, &reason),
        error => Failure::Environment(anyhow!("failed to {error}")),
    }
}

/// What the environment says about the server.
fn credentials() -> Option<Credentials> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let secret = |name: &str| variable(name).and_then(|value| Secret::new(&value));
    if let Some(token) = secret("MLFLOW_TRACKING_TOKEN") {
        return Some(Credentials::Token(token));
    }
    let user = variable("MLFLOW_TRACKING_USERNAME")?;
    let password = secret("MLFLOW_TRACKING_PASSWORD")?;
    Some(Credentials::Password { user, password })
}

/// What a tracker is told of everything measured with one set-up.
fn tracked(repeat: &Repeat<'_>) -> TrackedRun {
    let setup = &repeat.setup;
    let settings = serde_json::to_string(&setup.settings).unwrap_or_default();
    let text = |name: &str, value: String| (name.to_owned(), value);
    let params = vec![
        text("protocol", setup.protocol.clone()),
        text("corpus", setup.corpus.clone()),
        text("predictor", setup.predictor.clone()),
        text("policy", setup.policy.clone()),
        text("mode", setup.mode.name().to_owned()),
        text("stride", setup.settings.stride.to_string()),
        text(
            "context",
            setup
                .context
                .map_or_else(|| "none".to_owned(), |context| context.to_string()),
        ),
        text("seed", setup.settings.seed.0.to_string()),
        text("settings", settings.clone()),
    ];
    let results: Vec<UnitResult> = repeat.units.iter().map(|unit| unit.result.clone()).collect();
    let aggregate = Aggregate::of(&results);
    let figures = [
        ("uas", aggregate.uas_mean),
        ("uas_pooled", aggregate.uas_pooled),
        ("acceptance_rate", aggregate.ar_mean),
        ("acceptance_rate_pooled", aggregate.ar_pooled),
        ("precision", aggregate.precision_mean),
        ("pcov_accepted", aggregate.pcov_accepted),
        ("pcov_attempted", aggregate.pcov_attempted),
    ];
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let counts = [
        ("trajectories", aggregate.trajectories as f64),
        ("predictions", aggregate.predictions as f64),
        ("accepted", aggregate.accepted as f64),
        ("undo_actions", aggregate.undo_actions as f64),
    ];
    let figures = figures
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let metrics = figures.chain(counts.map(|(name, value)| (name.to_owned(), value)));
    let steps = (0_u64..).zip(&repeat.units);
    let uas = steps.filter_map(|(step, unit)| Some((step, unit.result.summary.uas?)));
    let seconds = |unit: &&MeasuredUnit| unit.times.read().map(|times| times.done_at);
    let ends: Vec<u64> = repeat.units.iter().filter_map(seconds).collect();
    // Where nobody knows when it was, the beginning of time is at least the same every time.
    let end_ms = ends.iter().max().copied().unwrap_or(0).saturating_mul(1000);
    let start_ms = ends.iter().min().copied().unwrap_or(0).saturating_mul(1000);
    let identity = format!(
        "{}\n{}\n{}\n{settings}\n{}",
        repeat.experiment, repeat.variant.name, setup.corpus, setup.fingerprint.0
    );
    let digest = Sha256::digest(identity.as_bytes());
    TrackedRun {
        experiment: if repeat.experiment.is_empty() {
            "napsim".to_owned()
        } else {
            repeat.experiment.to_owned()
        },
        name: repeat.variant.name.clone(),
        id: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        params,
        metrics: metrics.collect(),
        series: vec![("uas_by_trajectory".to_owned(), uas.collect())],
        tags: vec![
            text("napsim.version", env!("CARGO_PKG_VERSION").to_owned()),
            text("napsim.fingerprint", setup.fingerprint.0.clone()),
        ],
        start_ms,
        end_ms,
        artifacts: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracking_uris_are_folders_or_servers() {
        for (uri, folder) in [
            ("mlruns", "mlruns"),
            ("a/b:c", "a/b:c"),
            ("file:///tmp/mlruns", "/tmp/mlruns"),
            ("file:/tmp/mlruns", "/tmp/mlruns"),
            ("file:./mlruns", "./mlruns"),
        ] {
            assert_eq!(Target::of(uri).unwrap(), Target::Folder(folder));
        }
        for uri in ["http://127.0.0.1:5000", "HTTPS://mlflow.example"] {
            assert_eq!(Target::of(uri).unwrap(), Target::Server);
        }
        for uri in ["", "file:", "sqlite:///m.db", "ftp://x", "databricks:x"] {
            assert!(Target::of(uri).is_err(), "{uri}");
        }
    }
}
