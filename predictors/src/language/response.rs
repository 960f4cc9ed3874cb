//! From a model's answer to proposals (spec chapter 03, 8.5).

mod confidence;
mod lines;

use napsim_sim::predictor::{Budget, Proposals};
use napsim_trajectories::parse::SEPARATOR;
use napsim_trajectories::{Keyword, json};

use super::repetition::{Cycle, Repetition};
use super::sheet::{Sources, with_sheet};

pub use confidence::ScoredToken;

/// What the published system does oddly when it reads an answer, by the numbers of spec chapter 03, section 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quirks {
    /// Q7: the source of an AUTOFILL stays without its sheet, and the `clear` of a PASTE_FROM gets one.
    pub forgets_sources: bool,
    /// Q9: no line counts against the budget here; what is left of the readable ones is cut later, so that a line
    /// that cannot be read hands its place to the next one.
    pub unreadable_lines_are_free: bool,
    /// Q14: a typed value that is cut off or broken is a text that begins with a bracket or a quote.
    pub broken_values_are_texts: bool,
    /// Q15: bullets, numbers with a parenthesis and back-ticks are part of a line, the stop word and the intent
    /// are lines like any other.
    pub takes_lines_literally: bool,
}

impl Quirks {
    /// All of them: answers are read as the published system reads them.
    pub const PUBLISHED: Self = Self {
        forgets_sources: true,
        unreadable_lines_are_free: true,
        broken_values_are_texts: true,
        takes_lines_literally: true,
    };

    /// None of them.
    pub const NONE: Self = Self {
        forgets_sources: false,
        unreadable_lines_are_free: false,
        broken_values_are_texts: false,
        takes_lines_literally: false,
    };
}

/// How an answer is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResponseRules {
    /// What is done as the published system does it.
    pub quirks: Quirks,
    /// Whether the model was asked to begin with its intent.
    pub expects_intent: bool,
    /// When an answer that repeats itself is cut, if ever.
    pub repetition: Option<Repetition>,
    /// The answer ends before the first line whose tokens have a smaller mean log-probability than this.
    pub log_probability_min: Option<f64>,
    /// Whether the lines were written without the name of their sheet, so that it has to be put back.
    pub restores_sheet: bool,
}

impl ResponseRules {
    /// The rules of the published system in its default settings.
    pub fn published() -> Self {
        Self {
            quirks: Quirks::PUBLISHED,
            expects_intent: false,
            repetition: None,
            log_probability_min: None,
            restores_sheet: true,
        }
    }

    /// The rules without the quirks, and with answers cut that repeat themselves.
    pub fn corrected() -> Self {
        Self {
            quirks: Quirks::NONE,
            repetition: Some(Repetition::default()),
            ..Self::published()
        }
    }
}

/// A model's answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<'a> {
    /// The text.
    pub text: &'a str,
    /// The tokens of the text, one after another, where the runtime says how likely each was; empty otherwise.
    pub tokens: &'a [ScoredToken<'a>],
}

/// What an answer was, apart from the proposals in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// What the user is after in the model's words, where it was asked for and given.
    pub intent: Option<String>,
    /// The lines that could be actions, stripped of what surrounds them, before any was dropped.
    pub candidates: Vec<String>,
    /// The cycle at which the answer was cut.
    pub cycle: Option<Cycle>,
    /// What became no proposal, in the order in which it was dropped. Lines that were proposed and could not be read
    /// are not here but among [`Proposals::rejected`].
    pub dropped: Vec<DroppedLine>,
}

/// A line of an answer that became no proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedLine {
    /// The line.
    pub text: String,
    /// Why it was dropped.
    pub why: WhyDropped,
}

/// Why a line of an answer became no proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WhyDropped {
    /// It has no separator: prose, or the beginning of an action.
    NotAnAction,
    /// It says what the user is after.
    Intent,
    /// It is the stop word or stands behind it.
    AfterStop,
    /// The answer repeats itself from here or from before.
    Repetition,
    /// It, or a line before it, is less likely than was asked for.
    Unlikely,
    /// The budget was used up.
    BeyondBudget,
}

impl WhyDropped {
    /// The reason in a few words, as records have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotAnAction => "no action",
            Self::Intent => "intent",
            Self::AfterStop => "after the stop word",
            Self::Repetition => "repetition",
            Self::Unlikely => "unlikely",
            Self::BeyondBudget => "beyond the bound",
        }
    }
}

/// A candidate and the mean log-probability of its tokens.
struct Candidate {
    line: String,
    log_probability: Option<f64>,
}

impl ResponseRules {
    /// Proposes the actions of an answer and says what else was in it.
    ///
    /// `sheet` is the name that lines without one get, as it is written before a `!`. Lines that cannot be read go to
    /// [`Proposals::rejected`]. The confidence of a proposal is the geometric mean of its tokens' probabilities.
    pub fn read(&self, answer: Answer<'_>, sheet: Option<&str>, budget: Budget, out: &mut Proposals) -> Reading {
        let mut reading = Reading {
            intent: self.expects_intent.then(|| lines::intent(answer.text)).flatten(),
            ..Reading::default()
        };
        reading.candidates = if self.quirks.takes_lines_literally {
            lines::literal(answer.text, &mut reading.dropped)
        } else {
            lines::bare(answer.text, &mut reading.dropped)
        };
        reading.cycle = self
            .repetition
            .and_then(|repetition| repetition.find(&reading.candidates));
        let n_kept = reading.cycle.as_ref().map_or(usize::MAX, |cycle| cycle.n_kept);
        let mut candidates = weighed(&reading.candidates, answer.tokens);
        reading.cut(&mut candidates, n_kept, WhyDropped::Repetition);
        let n_kept = self.n_likely(&candidates);
        reading.cut(&mut candidates, n_kept, WhyDropped::Unlikely);
        let n_kept = budget.actions_max.filter(|_| !self.quirks.unreadable_lines_are_free);
        let n_kept = n_kept.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
        reading.cut(&mut candidates, n_kept, WhyDropped::BeyondBudget);
        for candidate in candidates {
            self.propose(&candidate, sheet, out);
        }
        reading
    }

    /// How many candidates stand before the first unlikely one.
    fn n_likely(&self, candidates: &[Candidate]) -> usize {
        let unlikely = self.log_probability_min.and_then(|min| {
            candidates
                .iter()
                .position(|candidate| candidate.log_probability.is_some_and(|mean| mean < min))
        });
        unlikely.unwrap_or(candidates.len())
    }

    fn propose(&self, candidate: &Candidate, sheet: Option<&str>, out: &mut Proposals) {
        let sources = if self.quirks.forgets_sources {
            Sources::OfPastesAlone
        } else {
            Sources::Ranges
        };
        let restored = sheet
            .filter(|_| self.restores_sheet)
            .map(|sheet| with_sheet(&candidate.line, sheet, sources));
        let line = restored.as_deref().unwrap_or(&candidate.line);
        if !self.quirks.broken_values_are_texts
            && let Some(reason) = broken_value(line)
        {
            out.reject(line, reason);
            return;
        }
        // A line that cannot be read is among the rejected ones then, which is all there is to do.
        let _ = out.push_text(line, candidate.log_probability.map(f64::exp));
    }
}

impl Reading {
    /// Keeps the first `n_kept` candidates and notes why the others were dropped.
    fn cut(&mut self, candidates: &mut Vec<Candidate>, n_kept: usize, why: WhyDropped) {
        let n_kept = n_kept.min(candidates.len());
        self.dropped
            .extend(candidates.drain(n_kept..).map(|candidate| DroppedLine {
                text: candidate.line,
                why,
            }));
    }
}

/// The candidates with the mean log-probabilities of their tokens, where they are found among them.
fn weighed(lines: &[String], tokens: &[ScoredToken<'_>]) -> Vec<Candidate> {
    let means = confidence::means(lines, tokens);
    let candidates = lines.iter().zip(means);
    candidates
        .map(|(line, log_probability)| Candidate {
            line: line.clone(),
            log_probability,
        })
        .collect()
}

/// What is wrong with a typed value that begins like a list or a quoted text and is neither.
fn broken_value(line: &str) -> Option<String> {
    let mut pieces = line.splitn(3, SEPARATOR);
    let typed = matches!(
        pieces.next().and_then(Keyword::from_text),
        Some(Keyword::Input | Keyword::Value)
    );
    let value = pieces.nth(1).filter(|value| typed && value.starts_with(['[', '"']))?;
    let error = json::read(value).err()?;
    Some(format!("the value is broken or cut off: failed to {error}"))
}

/// How many tokens a text has where nobody counted them: a quarter of its characters.
pub fn estimated_tokens(text: &str) -> u64 {
    u64::try_from(text.chars().count() / 4).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
