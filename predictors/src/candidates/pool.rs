//! Candidates, each kept once with the evidence of all who proposed it.

use rustc_hash::FxHashMap;

use super::edits::EditId;
use super::place::Place;

/// Who proposes a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Source {
    /// What followed an earlier, similar action, moved along.
    Replay,
    /// The next cell to type in.
    Cursor,
    /// A recent format on a recent place.
    SamePlace,
    /// A format that the neighbours have.
    Neighbours,
    /// The last steps of a keyword, gone on.
    Progression,
    /// A recent format on a larger part of the block.
    Extension,
    /// A series or formula for the rest of a block.
    Fill,
    /// A format that is common everywhere.
    Common,
    /// An earlier place moved to the row or column of the last action.
    Aligned,
}

/// How many sources there are.
pub const N_SOURCES: usize = 9;

/// Where a candidate's value comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ValueModel {
    /// The value of an earlier action as it was.
    #[default]
    Same,
    /// Numbers that go on by a step.
    Number,
    /// Dates that go on by days or months.
    Date,
    /// Texts with a number that goes on.
    Label,
    /// Names of months or weekdays.
    Calendar,
    /// A formula with its references moved.
    Formula,
    /// The value of the cell above or before.
    Neighbour,
    /// The value that followed the same value before in the column.
    Cycle,
    /// The value that stood beside the same value in another row.
    Beside,
    /// The column's most frequent value.
    Frequent,
    /// A source of a fill or paste, moved.
    Source,
    /// A table in another size.
    Resized,
    /// The value most formats of the kind have.
    Common,
}

/// What speaks for a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Who proposes it, a bit each.
    pub sources: u16,
    /// The source that proposed it first.
    pub first_source: u8,
    /// Actions before that match the analogy, at best.
    pub match_length: u8,
    /// How often it was proposed.
    pub votes: u8,
    /// How many actions ahead of the analogy it lies, at best; 1 for the next one.
    pub ahead: u8,
    /// Actions since the one that it is modelled on, at least.
    pub age: u32,
    /// Where the value comes from.
    pub value_model: ValueModel,
    /// How sure the value model is, from 0 to 1.
    pub value_confidence: f32,
}

impl Evidence {
    /// A proposal of a source, with a value that an earlier action had.
    pub fn of(source: Source) -> Self {
        Self {
            sources: 1 << source as u16,
            first_source: source as u8,
            votes: 1,
            age: u32::MAX,
            value_confidence: 0.5,
            ..Self::default()
        }
    }

    /// The same, modelled on an action so many ago.
    #[must_use]
    pub fn aged(self, age: usize) -> Self {
        Self {
            age: u32::try_from(age).unwrap_or(u32::MAX),
            ..self
        }
    }

    /// The same with another value model.
    #[must_use]
    pub fn valued(self, value_model: ValueModel, value_confidence: f32) -> Self {
        Self {
            value_model,
            value_confidence,
            ..self
        }
    }

    fn add(&mut self, other: &Evidence) {
        self.sources |= other.sources;
        self.match_length = self.match_length.max(other.match_length);
        self.votes = self.votes.saturating_add(1);
        self.ahead = match (self.ahead, other.ahead) {
            (0, ahead) | (ahead, 0) => ahead,
            (a, b) => a.min(b),
        };
        self.age = self.age.min(other.age);
        if other.value_confidence > self.value_confidence {
            self.value_model = other.value_model;
            self.value_confidence = other.value_confidence;
        }
    }
}

/// An action that might come next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// What it would do.
    pub edit: EditId,
    /// Where.
    pub place: Place,
    /// What speaks for it.
    pub evidence: Evidence,
}

/// Candidates in the order of their first proposal.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    candidates: Vec<Candidate>,
    positions: FxHashMap<(EditId, Place), usize>,
}

impl Pool {
    /// Adds a proposal; one that is there already gains evidence.
    pub fn add(&mut self, edit: EditId, place: Place, evidence: Evidence) {
        let next = self.candidates.len();
        let position = *self.positions.entry((edit, place)).or_insert(next);
        match self.candidates.get_mut(position) {
            Some(known) => known.evidence.add(&evidence),
            None => self.candidates.push(Candidate { edit, place, evidence }),
        }
    }

    /// All candidates.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Keeps the candidates for which a test holds.
    pub fn retain(&mut self, keep: impl FnMut(&Candidate) -> bool) {
        self.candidates.retain(keep);
        self.positions.clear();
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.candidates.clear();
        self.positions.clear();
    }
}
