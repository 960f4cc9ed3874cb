//! An answer while it is written: when there is enough of it, and what may come next.

use std::ops::ControlFlow;

use napsim_llama::{GeneratedToken, Listener};
use napsim_trajectories::parse::SEPARATOR;

use crate::language::{LineState, Repetition};

/// Listens to an answer.
#[derive(Debug)]
pub(super) struct AnswerListener {
    lines_max: usize,
    repetition: Option<Repetition>,
    /// Where in a line the answer is, if lines must be actions.
    grammar: Option<LineState>,
    tokens: Vec<GeneratedToken>,
    bytes: Vec<u8>,
    /// Where the line begins that is being written.
    line_start: usize,
    /// The finished lines that could be actions.
    lines: Vec<String>,
}

impl AnswerListener {
    pub(super) fn new(lines_max: usize, repetition: Option<Repetition>, grammar: bool) -> Self {
        Self {
            lines_max,
            repetition,
            grammar: grammar.then(LineState::start),
            tokens: Vec::new(),
            bytes: Vec::new(),
            line_start: 0,
            lines: Vec::new(),
        }
    }

    /// The tokens and what they say.
    pub(super) fn into_answer(self) -> (Vec<GeneratedToken>, Vec<u8>) {
        (self.tokens, self.bytes)
    }

    /// Looks at the lines that were finished since the last time. Says whether there are enough.
    fn finished_lines(&mut self) -> bool {
        while let Some(length) = self.rest().iter().position(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(self.rest().get(..length).unwrap_or_default()).into_owned();
            self.line_start += length + 1;
            // The answer begins with the line break that ends the history.
            if line.trim().is_empty() {
                if self.lines.is_empty() {
                    continue;
                }
                return true;
            }
            if line.contains(SEPARATOR) {
                self.lines.push(line);
            }
            let repeats = self
                .repetition
                .is_some_and(|repetition| repetition.is_repeating(&self.lines));
            if self.lines.len() >= self.lines_max || repeats {
                return true;
            }
        }
        false
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.line_start..).unwrap_or_default()
    }
}

/// The state after a token, which may end one line and begin the next.
fn after(state: LineState, bytes: &[u8]) -> Option<LineState> {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines.try_fold(state, |state, bytes| {
        let start = if state.has_ended() { LineState::start() } else { state };
        start.advance_all(bytes)
    })
}

impl Listener for AnswerListener {
    fn constrains(&self) -> bool {
        self.grammar.is_some()
    }

    fn allows(&self, bytes: &[u8]) -> bool {
        self.grammar.is_none_or(|state| after(state, bytes).is_some())
    }

    fn may_end(&self) -> bool {
        // Nothing more to propose, or the line is whole.
        self.grammar
            .is_none_or(|state| state.has_ended() || state == LineState::start() || state.may_end())
    }

    fn token(&mut self, token: GeneratedToken, bytes: &[u8]) -> ControlFlow<()> {
        self.tokens.push(token);
        self.bytes.extend_from_slice(bytes);
        self.grammar = self.grammar.and_then(|state| after(state, bytes));
        if self.finished_lines() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(listener: &mut AnswerListener, text: &str) -> bool {
        let token = GeneratedToken {
            token: 0,
            log_probability: -1.0,
        };
        listener.token(token, text.as_bytes()).is_break()
    }

    #[test]
    fn one_line_is_enough_where_one_action_is_wanted() {
        let mut listener = AnswerListener::new(1, None, false);
        for text in ["\n", "INPUT | A1", " | 5"] {
            assert!(!write(&mut listener, text), "{text}");
        }
        assert!(write(&mut listener, "\nINPUT"));
        let (tokens, bytes) = listener.into_answer();
        assert_eq!((tokens.len(), bytes.len()), (4, 21));
    }

    #[test]
    fn an_empty_line_or_a_repetition_ends_an_answer() {
        let mut listener = AnswerListener::new(100, None, false);
        assert!(!write(&mut listener, "\n\nA | b\nA | c\nprose\n"));
        assert!(write(&mut listener, " \n"));
        let mut listener = AnswerListener::new(100, Some(Repetition::default()), false);
        assert!(!write(&mut listener, "\nA | 1 | b\nA | 2 | b\nA | 3 | b\n"));
        assert!(write(&mut listener, "A | 4 | b\n"));
    }

    #[test]
    fn lines_are_actions_where_they_must_be() {
        let mut listener = AnswerListener::new(5, None, true);
        assert!(listener.constrains() && listener.may_end());
        assert!(listener.allows(b"INPUT") && !listener.allows(b"Hello") && !listener.allows(b"\n"));
        assert!(!write(&mut listener, "FONT_BOLD | A1 | tr"));
        assert!(!listener.may_end() && listener.allows(b"ue\nINP") && !listener.allows(b"ap"));
        assert!(!write(&mut listener, "ue"));
        assert!(listener.may_end() && listener.allows(b"\n") && !listener.allows(b"r"));
        assert!(!write(&mut listener, "\n"));
        assert!(listener.may_end() && listener.allows(b"FONT_SIZE"));
    }
}
