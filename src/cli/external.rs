//! The options about predictors that are programs of their own or services.

use std::time::Duration;

use clap::{Args, ValueEnum};
use napsim_external::{ExternalSettings, OnCrash, StderrMode};
use napsim_remote::transport::Stop;

use crate::signals::Interruption;

/// How programs and services are treated.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Predictors of your own (exec:, http:)")]
pub(super) struct ExternalArgs {
    /// Seconds that a program may take until it says hello, and until it is ready for a trajectory.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    start_timeout: u32,

    /// What follows when a program crashes, hangs or breaks the protocol: the trajectory fails, or a fresh program is told
    /// the history and asked again.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = OnCrashArg::Fail)]
    on_crash: OnCrashArg,

    /// Fresh programs a trajectory at most, with `--on-crash resume`.
    #[arg(long, value_name = "N", default_value_t = 3)]
    restarts: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnCrashArg {
    /// The trajectory fails.
    Fail,
    /// A fresh program goes on.
    Resume,
}

/// Seconds that a call may take unless others are asked for.
const CALL_SECONDS: u32 = 60;

impl ExternalArgs {
    /// What is meant; `timeout` is in seconds a call.
    pub(super) fn settings(
        &self,
        timeout: Option<u32>,
        stderr: StderrMode,
        interruption: &Interruption,
    ) -> ExternalSettings {
        let seconds = |n: u32| Duration::from_secs(n.into());
        ExternalSettings {
            call_timeout: seconds(timeout.unwrap_or(CALL_SECONDS)),
            start_timeout: seconds(self.start_timeout),
            on_crash: match self.on_crash {
                OnCrashArg::Fail => OnCrash::Fail,
                OnCrashArg::Resume => OnCrash::Resume,
            },
            restarts_max: self.restarts,
            stderr,
            stop: Stop::new(interruption.question()),
        }
    }

    /// The option that means nothing to predictors within the program, if one is given.
    pub(super) fn given(&self) -> Option<&'static str> {
        (self.on_crash != OnCrashArg::Fail).then_some("--on-crash")
    }
}
