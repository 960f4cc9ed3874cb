//! From a history to a prompt (spec chapter 03, 8.1 and 8.3).

use std::num::NonZeroU32;

use super::sheet::{LineError, without_sheet};
use super::shorten::Shortening;
use crate::Context;

/// Which lines of the history a model sees, and how they are written. The default is the published protocol's:
/// the last 32 actions, values of at most 32 characters, no sheet names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContextSettings {
    /// How many actions a model sees.
    pub context: Context,
    /// How long values are shortened, if they are.
    pub shorten: Option<Shortening>,
    /// Whether lines are written without the name of their sheet.
    pub remove_sheet_name: bool,
}

impl Default for ContextSettings {
    fn default() -> Self {
        Self {
            context: NonZeroU32::new(32).map_or(Context::All, Context::Last),
            shorten: Some(Shortening::default()),
            remove_sheet_name: true,
        }
    }
}

impl ContextSettings {
    /// One line of the history as the model sees it; it depends on nothing but the line.
    ///
    /// # Errors
    /// [`LineError::NoSeparator`] where sheet names are removed from a line that has no range.
    pub fn line(&self, line: &str) -> Result<String, LineError> {
        let shortened = match &self.shorten {
            Some(shortening) => shortening.line(line),
            None => line.into(),
        };
        if self.remove_sheet_name {
            without_sheet(&shortened)
        } else {
            Ok(shortened.into_owned())
        }
    }

    /// The lines of a history that the model sees, oldest first.
    ///
    /// # Errors
    /// As for [`line`](Self::line); lines that the model does not see cannot fail.
    pub fn lines<S: AsRef<str>>(&self, history: &[S]) -> Result<Vec<String>, LineError> {
        let seen = history.iter().skip(self.context.n_dropped(history.len()));
        seen.map(|line| self.line(line.as_ref())).collect()
    }
}

/// The task in one sentence.
const TASK: &str = "Below is a list of the edits made to a spreadsheet so far; continue it with the edits that its \
                    regularities make most likely.";

/// How a model may end the list.
const STOP_SENTENCE: &str = "Write STOP as soon as the next edit is unclear or the work looks complete.";

/// What stands for the lines while there are none.
const NO_LINES: &str = "(no edits yet)";

/// The prompt of models that continue a text, one wording for prompting and fine-tuning.
///
/// A prompt is a preamble and the lines of the history. It ends without a line break, so that is what a model
/// begins its answer with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CompletionTemplate {
    /// Whether the model is told to write `STOP` when it is done or unsure.
    pub stop_sentence: bool,
}

impl CompletionTemplate {
    /// What stands before the lines, with the empty line that ends it.
    pub fn preamble(self) -> String {
        if self.stop_sentence {
            format!("{TASK}\n{STOP_SENTENCE}\n\n")
        } else {
            format!("{TASK}\n\n")
        }
    }

    /// The whole prompt: the preamble, then the lines, oldest first, or a remark that there are none.
    pub fn prompt<S: AsRef<str>>(self, lines: &[S]) -> String {
        self.preamble() + &history_text(lines)
    }
}

/// The lines, oldest first, without a line break at the end, or a remark that there are none.
pub(super) fn history_text<S: AsRef<str>>(lines: &[S]) -> String {
    let Some((first, others)) = lines.split_first() else {
        return NO_LINES.to_owned();
    };
    let mut text = first.as_ref().to_owned();
    for line in others {
        text.push('\n');
        text.push_str(line.as_ref());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_grows_at_its_end_alone() {
        let template = CompletionTemplate::default();
        let lines = ["INPUT | A1 | 1", "INPUT | A2 | 2"];
        let (one, two) = (template.prompt(lines.get(..1).unwrap()), template.prompt(&lines));
        assert_eq!(one, format!("{}INPUT | A1 | 1", template.preamble()));
        assert_eq!(two, format!("{one}\nINPUT | A2 | 2"));
    }

    #[test]
    fn a_preamble_is_a_sentence_or_two_and_an_empty_line() {
        let plain = CompletionTemplate { stop_sentence: false }.preamble();
        let stopping = CompletionTemplate { stop_sentence: true }.preamble();
        assert_eq!((plain.lines().count(), stopping.lines().count()), (2, 3));
        assert!(plain.ends_with(".\n\n") && stopping.ends_with(".\n\n"));
        assert!(stopping.starts_with(plain.trim_end()) && stopping.contains("STOP"));
    }

    #[test]
    fn an_empty_history_is_remarked_in_parentheses() {
        let prompt = CompletionTemplate::default().prompt::<&str>(&[]);
        let last = prompt.lines().last().unwrap();
        assert!(last.starts_with('(') && prompt.ends_with(')'), "{prompt}");
    }

    #[test]
    fn only_the_last_lines_are_seen() {
        let settings = ContextSettings {
            context: "2".parse().unwrap(),
            ..ContextSettings::default()
        };
        let history = ["no range", "INPUT | S!A1 | 1", "AUTOFILL | S!A1:A3 | S!A1"];
        assert_eq!(
            settings.lines(&history).unwrap(),
            ["INPUT | A1 | 1", "AUTOFILL | A1:A3 | A1"]
        );
        let all = ContextSettings {
            context: Context::All,
            ..settings
        };
        assert!(all.lines(&history).is_err());
    }
}
