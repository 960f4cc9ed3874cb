//! What each figure means: one line, the formula, a worked example and where it comes from.

mod topics;

use napsim_sim::protocol::Protocol;

/// Something that can be explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// The word to ask for.
    pub name: String,
    /// Other words that mean the same.
    pub aliases: Vec<&'static str>,
    /// What it is, in one line.
    pub line: String,
    /// How it is computed; empty where there is nothing to compute.
    pub formula: String,
    /// A worked example or what else is to be known; empty where the line says all.
    pub example: String,
    /// Where it is defined.
    pub source: String,
}

impl Topic {
    /// Whether the word asks for this topic.
    pub fn is_called(&self, word: &str) -> bool {
        self.name.eq_ignore_ascii_case(word) || self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(word))
    }
}

impl Topic {
    /// The explanation, broken into lines of at most so many columns.
    pub fn text(&self, width: u16) -> String {
        let width = usize::from(width);
        let mut text = format!("{}\n{}", self.name, wrapped(&self.line, 2, width));
        for (label, part) in [
            ("formula", &self.formula),
            ("example", &self.example),
            ("source", &self.source),
        ] {
            if !part.is_empty() {
                text.push_str(&format!("\n  {label}\n"));
                part.lines().for_each(|line| text.push_str(&wrapped(line, 4, width)));
            }
        }
        text
    }
}

/// Lines of at most `width` columns, broken between words and indented; what goes on is indented further.
fn wrapped(line: &str, indent: usize, width: usize) -> String {
    let mut text = " ".repeat(indent);
    let mut n_columns = indent;
    for (idx, word) in line.split(' ').enumerate() {
        let length = word.chars().count();
        if idx > 0 && n_columns + 1 + length > width {
            text.push('\n');
            text.push_str(&" ".repeat(indent + 2));
            n_columns = indent + 2;
        } else if idx > 0 {
            text.push(' ');
            n_columns += 1;
        }
        text.push_str(word);
        n_columns += length;
    }
    text.push('\n');
    text
}

/// The figures of tables and records.
pub fn figures() -> Vec<Topic> {
    topics::FIGURES
        .iter()
        .map(|figure| Topic {
            name: figure.name.to_owned(),
            aliases: figure.aliases.to_vec(),
            line: figure.line.to_owned(),
            formula: figure.formula.to_owned(),
            example: figure.example.to_owned(),
            source: figure.source.to_owned(),
        })
        .collect()
}

/// The protocols, each with its rules.
pub fn protocols() -> Vec<Topic> {
    let of = |protocol: &Protocol| Topic {
        name: protocol.name().to_owned(),
        aliases: Vec::new(),
        line: "a set of rules of measurement; these are the rules by which it departs from what one might expect"
            .to_owned(),
        formula: String::new(),
        example: rules(protocol),
        source: "docs/PROTOCOL.md; quirk numbers are those of its table".to_owned(),
    };
    Protocol::ALL.iter().map(of).collect()
}

fn rules(protocol: &Protocol) -> String {
    let rule = |rule: &napsim_sim::protocol::Rule| format!("{} ({}): {}", rule.name, rule.quirk, rule.text);
    protocol.rules().iter().map(rule).collect::<Vec<_>>().join("\n")
}

/// The rules of all protocols by their own names.
pub fn protocol_rules() -> Vec<Topic> {
    let of = |protocol: &'static Protocol| {
        protocol.rules().iter().map(|rule| Topic {
            name: rule.name.to_owned(),
            aliases: Vec::new(),
            line: rule.text.to_owned(),
            formula: String::new(),
            example: String::new(),
            source: format!("protocol {}, quirk {}", protocol.name(), rule.quirk),
        })
    };
    Protocol::ALL.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_too_long() {
        for topic in figures().into_iter().chain(protocols()) {
            let text = topic.text(60);
            assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        }
    }

    #[test]
    fn every_topic_has_a_name_of_its_own_and_says_something() {
        let mut seen = std::collections::BTreeSet::new();
        for topic in figures().into_iter().chain(protocols()).chain(protocol_rules()) {
            assert!(!topic.line.is_empty() && !topic.source.is_empty(), "{}", topic.name);
            let names = std::iter::once(topic.name.as_str()).chain(topic.aliases.iter().copied());
            names.for_each(|name| assert!(seen.insert(name.to_owned()), "{name} is there twice"));
        }
    }
}
