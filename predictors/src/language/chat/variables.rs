//! What templates are filled in with.

use minijinja::{Value, context};

use crate::language::prompt::history_text;

/// What is known when a prompt is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PromptFacts<'a> {
    /// The lines of the history that the model sees, oldest first.
    pub lines: &'a [String],
    /// How many actions are wanted at most; exactly one makes the prompt for a single action.
    pub actions_max: Option<u32>,
    /// Whether the model is to say what the user is after.
    pub intent: bool,
    /// Whether the model is told to write `STOP` when it is done or unsure.
    pub stop_sentence: bool,
    /// The sheet that lines without a sheet's name mean; none where lines keep the names.
    pub sheet: Option<&'a str>,
    /// The sheet as it is, as a [`SheetView`](crate::language::SheetView) writes it.
    pub sheet_view: Option<&'a str>,
    /// Whether the answer is to be a JSON object.
    pub structured: bool,
}

/// A variable of templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateVariable {
    /// The name.
    pub name: &'static str,
    /// What it holds.
    pub meaning: &'static str,
}

macro_rules! variables {
    ($($name:literal: $meaning:literal;)*) => {
        /// All of them.
        pub(super) const ALL: &[TemplateVariable] = &[$(TemplateVariable { name: $name, meaning: $meaning },)*];
    };
}

variables! {
    "history": "the lines of the history, oldest first, or a remark in parentheses that there are none";
    "n_actions": "how many lines the history has";
    "actions_max": "how many actions are wanted at most; empty where there is no bound";
    "single": "true where exactly one action is wanted";
    "intent": "true where the model is to say what the user is after";
    "stop_sentence": "true where the model is to write STOP when it is done or unsure";
    "sheet": "the name of the active sheet; empty where lines keep their sheet's name";
    "sheet_view": "the sheet around the latest action; empty without the option sheet_view";
    "structured": "true where the answer is to be a JSON object";
}

impl PromptFacts<'_> {
    /// The facts as variables of templates.
    pub(super) fn variables(&self) -> Value {
        // What is not known stays undefined, so that it is empty where it is written.
        let known = |text: Option<&str>| text.map_or(Value::UNDEFINED, Value::from);
        context! {
            history => history_text(self.lines),
            n_actions => self.lines.len(),
            actions_max => self.actions_max.map_or(Value::UNDEFINED, Value::from),
            single => self.actions_max == Some(1),
            intent => self.intent,
            stop_sentence => self.stop_sentence,
            sheet => known(self.sheet),
            sheet_view => known(self.sheet_view),
            structured => self.structured,
        }
    }
}
