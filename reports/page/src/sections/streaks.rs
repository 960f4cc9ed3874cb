//! Acceptance streaks: how many accepted predictions come in a row, and whether that is more than chance.

mod after;
mod lengths;
mod survival;
mod turns;

use napsim_analysis::{RateInterval, Streaks};

use super::Section;
use crate::choice::{Page, Shown};

/// A shown run and its streaks.
type Of<'a, 'p> = (&'p Shown<'a>, Streaks);

pub(super) fn section(page: &Page<'_>) -> Section {
    let mut section = Section::new(
        "streaks",
        "Acceptance streaks",
        "A streak is a run of accepted predictions within one trajectory with no rejected one between them: stretches where the \
         user only has to nod. What the user does between them, and calls without a suggestion, do not end it.",
    );
    let all: Vec<Of<'_, '_>> = page
        .shown
        .iter()
        .map(|shown| (shown, shown.run.analysis.streaks()))
        .collect();
    if all.iter().all(|(_, streaks)| streaks.streaks.n == 0) {
        section.absent("No prediction was accepted, so there are no streaks.");
        return section;
    }
    section.figure(&survival::figure(&all));
    section.figure(&lengths::lengths(&all));
    section.figure(&lengths::means(&all));
    section.figure(&after::figure(&all));
    section.figures(turns::figures(&all));
    section
}

/// The best run that has streaks.
fn first<'a, 'o, 'p>(all: &'o [Of<'a, 'p>]) -> Option<&'o Of<'a, 'p>> {
    all.iter().find(|(_, streaks)| streaks.streaks.n > 0)
}

fn ends(interval: Option<RateInterval>) -> Option<(f64, f64)> {
    interval.map(|interval| (interval.low, interval.high))
}
