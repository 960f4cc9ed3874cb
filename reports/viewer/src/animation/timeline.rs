//! What each cell of a sheet shows from which picture on.

use std::collections::{BTreeMap, BTreeSet};

use super::frames::Frame;
use super::lasts;
use crate::film::Film;
use crate::film::change::Block;
use crate::film::step::Step;

/// Row and column.
pub(super) type Place = (u32, u32);

/// What a cell shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Face {
    /// Number of its look.
    pub(super) look: u32,
    /// Number of its content.
    pub(super) content: u32,
    /// First row and column of the merged range that it lies in; its own if it lies in none.
    pub(super) first: Place,
    /// Last row and column of that range.
    pub(super) last: Place,
}

impl Face {
    /// Whether a cell lies within a merged range without being its first one, so that nothing but its lines shows.
    pub(super) fn is_covered(&self, place: Place) -> bool {
        self.first != place
    }
}

/// What a cell shows for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The first picture.
    pub(super) from: usize,
    /// The picture from which it no longer does, if any.
    pub(super) to: Option<usize>,
    /// What it shows.
    pub(super) face: Face,
}

impl Span {
    /// Whether there is a picture that belongs to both.
    pub(super) fn overlaps(&self, other: &Span) -> bool {
        let ends_before = |a: &Span, b: &Span| a.to.is_some_and(|to| to <= b.from);
        !ends_before(self, other) && !ends_before(other, self)
    }
}

/// What the cells of one sheet show.
#[derive(Debug)]
pub(super) struct Timeline<'a> {
    film: &'a Film,
    sheet: u32,
    cells: BTreeMap<Place, (u32, u32)>,
    merges: Vec<[u32; 4]>,
    /// What each cell shows over time, in order.
    spans: BTreeMap<Place, Vec<Span>>,
    n_frames: usize,
}

impl<'a> Timeline<'a> {
    pub(super) fn new(film: &'a Film, sheet: u32) -> Self {
        Self {
            film,
            sheet,
            cells: BTreeMap::new(),
            merges: Vec::new(),
            spans: BTreeMap::new(),
            n_frames: 0,
        }
    }

    /// Cells with what they show over time, row by row.
    pub(super) fn spans(&self) -> &BTreeMap<Place, Vec<Span>> {
        &self.spans
    }

    /// What a cell shows in the end.
    pub(super) fn last_face(&self, place: Place) -> Option<Face> {
        let span = self.spans.get(&place)?.last()?;
        span.to.is_none().then_some(span.face)
    }

    /// Goes on by one picture.
    pub(super) fn advance(&mut self, frame: &Frame) {
        let mut touched = BTreeSet::new();
        let steps = self.film.steps.get(frame.steps.clone()).unwrap_or_default();
        for change in steps.iter().filter(|step| lasts(step)).flat_map(Step::changes) {
            if change.sheet != self.sheet {
                continue;
            }
            for [row, col, last_row, last_col, look] in &change.looks {
                for place in (*row..=*last_row).flat_map(|row| (*col..=*last_col).map(move |col| (row, col))) {
                    self.cells.entry(place).or_default().0 = *look;
                    touched.insert(place);
                }
            }
            for (row, col, content) in change.contents.iter().flat_map(Block::cells) {
                self.cells.entry((row, col)).or_default().1 = content;
                touched.insert((row, col));
            }
            self.merges.retain(|merge| !change.unmerged.contains(merge));
            self.merges.extend_from_slice(&change.merged);
            for [row, col, last_row, last_col] in change.unmerged.iter().chain(&change.merged) {
                let cells = (*row..=*last_row).flat_map(|row| (*col..=*last_col).map(move |col| (row, col)));
                touched.extend(cells);
            }
        }
        for place in touched {
            self.show(place);
        }
        self.n_frames += 1;
    }

    /// Notes what a cell shows from now on.
    fn show(&mut self, place: Place) {
        let (look, content) = self.cells.get(&place).copied().unwrap_or_default();
        let (row, col) = place;
        let around = self
            .merges
            .iter()
            .find(|[r, c, last_row, last_col]| (*r..=*last_row).contains(&row) && (*c..=*last_col).contains(&col));
        let (first, last) = around.map_or((place, place), |[row, col, last_row, last_col]| {
            ((*row, *col), (*last_row, *last_col))
        });
        let face = Face {
            look,
            content,
            first,
            last,
        };
        let is_empty = (look, content) == (0, 0) && first == last;
        let spans = self.spans.entry(place).or_default();
        if let Some(span) = spans.last_mut().filter(|span| span.to.is_none()) {
            if span.face == face {
                return;
            }
            span.to = Some(self.n_frames);
        }
        if !is_empty {
            spans.push(Span {
                from: self.n_frames,
                to: None,
                face,
            });
        }
    }
}
