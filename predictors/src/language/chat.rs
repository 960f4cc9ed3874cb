//! The prompts as templates that users can replace (spec chapter 03, 8.3).

mod variables;

use std::fmt;
use std::sync::Arc;

use minijinja::{Environment, Value};

use crate::model::hex_sha256;

pub use variables::{PromptFacts, TemplateVariable};

/// The work that filling in one template may take, in minijinja's unit, which bounds time and memory (64 MB).
const FUEL: u64 = 1_000_000;

/// One of the three templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PromptPart {
    /// The system message of a chat.
    System,
    /// The user's message of a chat.
    User,
    /// The prompt of a model that continues a text.
    Completion,
}

impl PromptPart {
    /// All three, in the order in which they are hashed.
    pub const ALL: [Self; 3] = [Self::System, Self::User, Self::Completion];

    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Completion => "completion",
        }
    }

    /// The text of the built-in template.
    pub fn built_in(self) -> &'static str {
        match self {
            Self::System => include_str!("prompts/system.jinja"),
            Self::User => include_str!("prompts/user.jinja"),
            Self::Completion => include_str!("prompts/completion.jinja"),
        }
    }
}

/// A template that a user wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateSource<'a> {
    /// What errors call it: the name of its file.
    pub what: &'a str,
    /// Its text; an empty one counts as none.
    pub text: &'a str,
}

/// A template that is none, or that cannot be filled in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// The text is no template.
    #[error("read the prompt template {what}, line {line}: {reason}")]
    Syntax {
        /// The file, or the name of the built-in template.
        what: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The template cannot be filled in: an unknown filter, or work without end.
    #[error("fill in the prompt template {what}, line {line}: {reason}")]
    Rendering {
        /// The file, or the name of the built-in template.
        what: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// The two messages of a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatPrompt {
    /// The system message.
    pub system: String,
    /// The user's message.
    pub user: String,
}

/// The templates of all prompts, parsed. Copies share them.
///
/// Templates are Jinja2: unknown variables are empty, and one line break at the end of a template is dropped. They
/// cannot read files or each other, and one whose work does not end is an error.
#[derive(Clone)]
pub struct PromptTemplates {
    shared: Arc<Shared>,
}

struct Shared {
    environment: Environment<'static>,
    /// What errors call each part, and its text.
    parts: [(String, String); 3],
}

impl PromptTemplates {
    /// The built-in templates.
    ///
    /// # Panics
    /// Never: a test fills them all in.
    pub fn built_in() -> Self {
        #[expect(clippy::expect_used, reason = "the built-in templates are fixed and tested")]
        Self::with(None, None, None).expect("the built-in templates can be read")
    }

    /// The templates that are given, and the built-in ones for the others.
    ///
    /// # Errors
    /// [`TemplateError`] where one is no template or cannot be filled in.
    pub fn with(
        system: Option<TemplateSource<'_>>,
        user: Option<TemplateSource<'_>>,
        completion: Option<TemplateSource<'_>>,
    ) -> Result<Self, TemplateError> {
        let sources = [
            (PromptPart::System, system),
            (PromptPart::User, user),
            (PromptPart::Completion, completion),
        ];
        let parts = sources.map(|(part, source)| match source.filter(|source| !source.text.is_empty()) {
            Some(source) => (source.what.to_owned(), source.text.to_owned()),
            None => (format!("`{}` (built in)", part.name()), part.built_in().to_owned()),
        });
        let mut environment = Environment::new();
        environment.set_fuel(Some(FUEL));
        for (part, (what, text)) in PromptPart::ALL.into_iter().zip(&parts) {
            let added = environment.add_template_owned(part.name(), text.clone());
            added.map_err(|error| TemplateError::Syntax {
                what: what.clone(),
                line: line_of(&error),
                reason: reason_of(&error),
            })?;
        }
        let templates = Self {
            shared: Arc::new(Shared { environment, parts }),
        };
        templates.try_out()?;
        Ok(templates)
    }

    /// Fills in the templates with an example, so that what cannot work is known before the first model is asked.
    fn try_out(&self) -> Result<(), TemplateError> {
        let lines = ["INPUT | A1 | 1".to_owned(), "INPUT | A2 | 2".to_owned()];
        for (actions_max, structured) in [(1, false), (5, false), (1, true), (5, true)] {
            let facts = PromptFacts {
                lines: &lines,
                actions_max: Some(actions_max),
                intent: true,
                stop_sentence: true,
                sheet: Some("Sheet1"),
                sheet_view: Some("A1 | 1\nA2 | 2"),
                structured,
            };
            self.chat(&facts)?;
            self.completion(&facts)?;
        }
        Ok(())
    }

    /// Whether both the messages and the text to continue hold the history.
    pub fn show_history(&self) -> bool {
        let lines = ["INPUT | A1 | \"a history\"".to_owned()];
        let facts = PromptFacts {
            lines: &lines,
            actions_max: Some(1),
            intent: false,
            stop_sentence: false,
            sheet: None,
            sheet_view: None,
            structured: false,
        };
        let has_line = |text: &str| lines.iter().all(|line| text.contains(line.as_str()));
        let in_chat = self
            .chat(&facts)
            .is_ok_and(|chat| has_line(&chat.system) || has_line(&chat.user));
        in_chat && self.completion(&facts).is_ok_and(|text| has_line(&text))
    }

    /// The messages that a chat model is sent.
    ///
    /// # Errors
    /// [`TemplateError::Rendering`] where a template cannot be filled in with these facts.
    pub fn chat(&self, facts: &PromptFacts<'_>) -> Result<ChatPrompt, TemplateError> {
        let variables = facts.variables();
        Ok(ChatPrompt {
            system: self.fill_in(PromptPart::System, &variables)?,
            user: self.fill_in(PromptPart::User, &variables)?,
        })
    }

    /// The text that a model is to continue.
    ///
    /// # Errors
    /// [`TemplateError::Rendering`] where the template cannot be filled in with these facts.
    pub fn completion(&self, facts: &PromptFacts<'_>) -> Result<String, TemplateError> {
        self.fill_in(PromptPart::Completion, &facts.variables())
    }

    fn fill_in(&self, part: PromptPart, variables: &Value) -> Result<String, TemplateError> {
        let template = self.shared.environment.get_template(part.name());
        let filled_in = template.and_then(|template| template.render(variables.clone()));
        filled_in.map_err(|error| TemplateError::Rendering {
            what: self.what(part).to_owned(),
            line: line_of(&error),
            reason: reason_of(&error),
        })
    }

    /// What errors call a part: the file that it is from, or its own name.
    pub fn what(&self, part: PromptPart) -> &str {
        &self.entry(part).0
    }

    /// The text of a template.
    pub fn text(&self, part: PromptPart) -> &str {
        &self.entry(part).1
    }

    fn entry(&self, part: PromptPart) -> &(String, String) {
        let [system, user, completion] = &self.shared.parts;
        match part {
            PromptPart::System => system,
            PromptPart::User => user,
            PromptPart::Completion => completion,
        }
    }

    /// The identity of the three texts, in hexadecimal digits; where they are from does not count.
    pub fn sha256(&self) -> String {
        let mut bytes = Vec::new();
        for part in PromptPart::ALL {
            let text = self.text(part);
            bytes.extend((text.len() as u64).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        hex_sha256(&bytes)
    }

    /// The variables that templates see.
    pub fn variables() -> &'static [TemplateVariable] {
        variables::ALL
    }
}

impl Default for PromptTemplates {
    fn default() -> Self {
        Self::built_in()
    }
}

impl fmt::Debug for PromptTemplates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("PromptTemplates");
        for part in PromptPart::ALL {
            shown.field(part.name(), &self.what(part));
        }
        shown.finish()
    }
}

fn line_of(error: &minijinja::Error) -> usize {
    error.line().unwrap_or(1)
}

fn reason_of(error: &minijinja::Error) -> String {
    let kind = error.kind();
    error
        .detail()
        .map_or_else(|| kind.to_string(), |detail| format!("{kind}: {detail}"))
}

#[cfg(test)]
mod tests;
