//! `napsim list`: what there is to choose from.

use clap::{Args, ValueEnum};
use napsim_acceptance::NamedPolicy;
use napsim_corpora::reconstruct::PROFILES;
use napsim_predictors::registry::{OptionInfo, PREDICTORS};
use napsim_sim::policy::Metric;
use napsim_sim::protocol::Protocol;

use crate::console;
use crate::exit::{Exit, Failure};

/// List predictors, policies, protocols or profiles.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ListArgs {
    /// What to list.
    #[arg(value_enum)]
    what: What,
}

const EXAMPLES: &str = "\
Examples:
  napsim list predictors
  napsim list policies
  napsim list protocols
  napsim list profiles";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Predictors with their options, for `--predictor`.
    Predictors,
    /// Acceptance policies with their rules, for `--policy`.
    Policies,
    /// Protocols, for `--protocol`.
    Protocols,
    /// Profiles of users, for `corpus build --profile`.
    Profiles,
}

/// Lists one name a line, with what it is.
pub(super) fn list(args: &ListArgs) -> Result<Exit, Failure> {
    console::print(&match args.what {
        What::Predictors => predictors(),
        What::Policies => policies(),
        What::Protocols => protocols(),
        What::Profiles => profiles(),
    })?;
    Ok(Exit::Complete)
}

fn predictors() -> String {
    let mut text = String::new();
    let mut options_before: &[OptionInfo] = &[];
    for info in PREDICTORS {
        text.push_str(&format!("{:<14} {}\n", info.typed(), info.summary));
        // All providers of models have the same options, which are told once.
        if std::ptr::eq(options_before, info.options) && !info.options.is_empty() {
            text.push_str("  (the same options)\n");
            continue;
        }
        options_before = info.options;
        for option in info.options {
            text.push_str(&format!(
                "  {:<22} {}\n",
                format!("?{}={}", option.name, option.default),
                option.summary
            ));
        }
    }
    text
}

fn policies() -> String {
    let mut text = String::new();
    for named in NamedPolicy::ALL {
        let aliases = if named.aliases.is_empty() {
            String::new()
        } else {
            format!("  ({})", named.aliases.join(", "))
        };
        text.push_str(&format!("{:<14} {}{aliases}\n", named.name, named.rule()));
    }
    text.push_str("\nor a rule of your own with `and`, `or`, `not` over\n");
    for metric in Metric::ALL {
        text.push_str(&format!("  {:<12} {}\n", metric.name(), metric.about()));
    }
    text
}

fn profiles() -> String {
    let line = |(name, about): &(&str, &str)| format!("{name:<14} {about}\n");
    PROFILES.iter().map(line).collect()
}

fn protocols() -> String {
    Protocol::ALL
        .iter()
        .map(|protocol| format!("{}\n", protocol.name()))
        .collect()
}
