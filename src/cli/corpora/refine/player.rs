//! Who plays editor and judge.

use std::convert::Infallible;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use napsim_corpora::refine::{Editor, Judge, LogEntry, RuleEditor, RuleJudge, ScriptedEditor, ScriptedJudge, read_log};

use crate::exit::Failure;

/// The word for the players made of rules.
pub(super) const RULES: &str = "rules";

/// Who plays a role.
#[derive(Clone, Debug)]
pub(super) enum Player {
    /// The rules.
    Rules,
    /// The replies in a call log.
    Log(PathBuf),
}

/// `rules`, or else the path of a call log.
#[expect(clippy::unnecessary_wraps, reason = "the form that option parsers have")]
pub(super) fn player(text: &str) -> Result<Player, Infallible> {
    Ok(if text == RULES {
        Player::Rules
    } else {
        Player::Log(text.into())
    })
}

impl Player {
    /// One word for what plays.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Rules => RULES,
            Self::Log(_) => "log",
        }
    }
}

/// A player, with the replies of its log where it has one.
pub(super) struct Cast(Option<Vec<LogEntry>>);

impl Cast {
    /// Reads the log of a player that has one.
    ///
    /// Of several trajectories, each call must say which one it is about.
    pub(super) fn read(player: &Player, n_trajectories: usize) -> Result<Self, Failure> {
        let Player::Log(path) = player else {
            return Ok(Self(None));
        };
        let shown = path.display();
        let text = fs::read_to_string(path)
            .with_context(|| format!("failed to read the call log {shown}; give `{RULES}` or such a file"))
            .map_err(Failure::Input)?;
        let calls = read_log(&text).map_err(|error| Failure::Input(anyhow!("{shown}: failed to {error}")))?;
        if n_trajectories > 1 && calls.iter().any(|call| call.trajectory.is_none()) {
            return Err(Failure::Input(anyhow!(
                "{shown}: expected the key `trajectory` in every line, as {n_trajectories} trajectories are refined"
            )));
        }
        Ok(Self(Some(calls)))
    }

    /// The calls about a trajectory.
    fn calls(&self, name: &str) -> Option<Vec<LogEntry>> {
        let calls = self.0.as_ref()?.iter();
        let about = calls.filter(|call| call.trajectory.as_deref().is_none_or(|trajectory| trajectory == name));
        Some(about.cloned().collect())
    }

    /// The editor of a trajectory.
    pub(super) fn editor(&self, name: &str) -> Box<dyn Editor> {
        match self.calls(name) {
            None => Box::new(RuleEditor),
            Some(calls) => Box::new(ScriptedEditor::from_log(&calls)),
        }
    }

    /// The judge of a trajectory.
    pub(super) fn judge(&self, name: &str) -> Box<dyn Judge> {
        match self.calls(name) {
            None => Box::new(RuleJudge),
            Some(calls) => Box::new(ScriptedJudge::from_log(&calls)),
        }
    }
}
