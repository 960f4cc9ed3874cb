//! `napsim explain`: what figures, protocols, policies and predictors mean.

use clap::Args;
use napsim_acceptance::NamedPolicy;
use napsim_predictors::registry::{PREDICTORS, PredictorInfo};
use napsim_reports::explain::{Topic, figures, protocol_rules, protocols};

use crate::console;
use crate::exit::{Exit, Failure};
use napsim_experiments::nearest::hint;

/// Explain a figure, a protocol and its rules, a policy or a predictor.
///
/// Without a topic, list what can be explained.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExplainArgs {
    /// Word to explain.
    topic: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  napsim explain
  napsim explain uas
  napsim explain nape-1
  napsim explain greedy";

/// Explains a topic, or lists them all.
pub(super) fn explain(args: &ExplainArgs) -> Result<Exit, Failure> {
    let text = match &args.topic {
        None => listing(),
        Some(word) => match groups()
            .into_iter()
            .flat_map(|(_, topics)| topics)
            .find(|topic| topic.is_called(word))
        {
            Some(topic) => topic.text(console::width()),
            None => {
                let topics: Vec<Topic> = groups().into_iter().flat_map(|(_, topics)| topics).collect();
                let names = topics
                    .iter()
                    .flat_map(|topic| topic.aliases.iter().copied().chain([topic.name.as_str()]));
                let hint = hint(word, names);
                let message = format!("unknown topic `{word}`{hint}; `napsim explain` lists them");
                return Err(Failure::Input(anyhow::anyhow!(message)));
            }
        },
    };
    console::print(&text)?;
    Ok(Exit::Complete)
}

fn groups() -> [(&'static str, Vec<Topic>); 5] {
    [
        ("Figures", figures()),
        ("Protocols", protocols()),
        ("Rules of protocols", protocol_rules()),
        ("Policies", NamedPolicy::ALL.iter().map(policy).collect()),
        ("Predictors", PREDICTORS.iter().map(predictor).collect()),
    ]
}

fn listing() -> String {
    let mut text = String::new();
    for (group, topics) in groups() {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("{group}\n"));
        let n_columns = topics.iter().map(|topic| topic.name.len()).max().unwrap_or(0);
        for topic in topics {
            text.push_str(&format!(
                "  {:<n_columns$}  {}\n",
                topic.name,
                gist(&topic.line, n_columns)
            ));
        }
    }
    text
}

/// The first clause, or as much of it as a line holds beside a name of so many columns.
fn gist(line: &str, n_columns: usize) -> String {
    let ends = [". ", "; ", ": "].iter().filter_map(|mark| line.find(mark));
    let clause = line.get(..ends.min().unwrap_or(line.len())).unwrap_or(line);
    let n_chars_max = usize::from(console::width()).saturating_sub(n_columns + 4).max(20);
    if clause.chars().count() <= n_chars_max {
        return clause.to_owned();
    }
    clause.chars().take(n_chars_max - 1).chain(['…']).collect()
}

fn policy(named: &NamedPolicy) -> Topic {
    let rule = if named.bounds.is_empty() {
        "saved >= 1".to_owned()
    } else {
        named.rule()
    };
    Topic {
        name: named.name.to_owned(),
        aliases: named.aliases.to_vec(),
        line: named.about.to_owned(),
        formula: named.rule(),
        example: format!(
            "napsim run --policy {}\nor a rule of your own: napsim run --policy '{rule}'",
            named.name
        ),
        source: "acceptance policy; spec 02, 13".to_owned(),
    }
}

fn predictor(info: &PredictorInfo) -> Topic {
    let option = |option: &napsim_predictors::registry::OptionInfo| {
        format!(
            "{}: {} ({}; default {})",
            option.name, option.summary, option.expected, option.default
        )
    };
    let options: Vec<String> = info.options.iter().map(option).collect();
    let example = if options.is_empty() {
        "It has no options.".to_owned()
    } else {
        options.join("\n")
    };
    Topic {
        // `none` and others are words of their own; a predictor is asked for by its name.
        name: info.name.to_owned(),
        aliases: Vec::new(),
        line: info.summary.to_owned(),
        formula: String::new(),
        example,
        source: "predictor".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_has_two_meanings() {
        let mut seen = std::collections::BTreeSet::new();
        for topic in groups().into_iter().flat_map(|(_, topics)| topics) {
            for name in topic.aliases.iter().copied().chain([topic.name.as_str()]) {
                assert!(seen.insert(name.to_owned()), "{name} is there twice");
            }
        }
    }
}
