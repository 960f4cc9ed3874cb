//! What became of offers: refused ones are not made again, and sources that do well are trusted more.

use rustc_hash::FxHashMap;

use crate::candidates::{Candidate, EditId, N_SOURCES, Place, Scene, Step};

/// Counts of taken and refused offers, started as if there had been a few.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rate {
    taken: f32,
    refused: f32,
}

impl Default for Rate {
    fn default() -> Self {
        Self {
            taken: 0.5,
            refused: 2.0,
        }
    }
}

impl Rate {
    /// The share taken.
    fn share(self) -> f32 {
        self.taken / (self.taken + self.refused)
    }

    fn add(&mut self, taken: bool) {
        // Older outcomes fade, since people change what they do.
        self.taken *= 0.95;
        self.refused *= 0.95;
        if taken {
            self.taken += 1.0;
        } else {
            self.refused += 1.0;
        }
    }
}

/// The offers of one trajectory and what became of them.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    refused: FxHashMap<(EditId, Place), u32>,
    /// Offers not answered yet with their keywords, and how many of them were carried out.
    pending: Vec<(Candidate, usize)>,
    carried_out: usize,
    sources: [Rate; N_SOURCES],
    keywords: FxHashMap<usize, Rate>,
    all: Rate,
    /// Offers refused since one was taken.
    pub refused_in_a_row: u32,
}

impl Outcomes {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Offers are about to be made, in order of execution.
    pub fn offer(&mut self, scene: &Scene, offers: impl IntoIterator<Item = Candidate>) {
        self.pending.clear();
        let with_keyword = |offer: Candidate| (offer, scene.edits.get(offer.edit).keyword_idx);
        self.pending.extend(offers.into_iter().map(with_keyword));
        self.carried_out = 0;
    }

    /// An action became history.
    pub fn observe(&mut self, step: &Step) {
        let awaited = self.pending.get(self.carried_out);
        if awaited.is_some_and(|(offer, _)| offer.edit == step.edit && offer.place == step.place) {
            self.carried_out += 1;
        }
    }

    /// So many actions became history at once, all of them observed: offers are taken all together or not at all.
    pub fn settle(&mut self, n_observed: usize) {
        if n_observed == 0 || self.pending.is_empty() {
            return;
        }
        let taken = self.carried_out == self.pending.len();
        let alone = self.pending.len() == 1;
        for (offer, keyword_idx) in std::mem::take(&mut self.pending) {
            self.count(&offer, keyword_idx, taken);
            // Of several offers refused together nobody knows which one was wrong.
            if !taken && alone {
                *self.refused.entry((offer.edit, offer.place)).or_default() += 1;
            }
        }
        self.refused_in_a_row = if taken { 0 } else { self.refused_in_a_row + 1 };
        self.carried_out = 0;
    }

    fn count(&mut self, offer: &Candidate, keyword_idx: usize, taken: bool) {
        for (source, rate) in self.sources.iter_mut().enumerate() {
            if offer.evidence.sources >> source & 1 == 1 {
                rate.add(taken);
            }
        }
        self.keywords.entry(keyword_idx).or_default().add(taken);
        self.all.add(taken);
    }

    /// An offer of somebody else was refused.
    pub fn refuse(&mut self, edit: EditId, place: Place) {
        *self.refused.entry((edit, place)).or_default() += 1;
    }

    /// Whether the same offer was refused before.
    pub fn is_refused(&self, candidate: &Candidate) -> bool {
        self.refused.contains_key(&(candidate.edit, candidate.place))
    }

    /// The largest share taken among the sources of a candidate.
    pub fn source_share(&self, candidate: &Candidate) -> f32 {
        let rates = self.sources.iter().enumerate();
        rates
            .filter(|(source, _)| candidate.evidence.sources >> source & 1 == 1)
            .map(|(_, rate)| rate.share())
            .fold(0.0, f32::max)
    }

    /// The share taken of offers with a keyword.
    pub fn keyword_share(&self, keyword_idx: usize) -> f32 {
        self.keywords.get(&keyword_idx).copied().unwrap_or_default().share()
    }

    /// The share taken of all offers.
    pub fn share(&self) -> f32 {
        self.all.share()
    }
}
