//! A trajectory being built, as an animated picture: SVG with CSS keyframes, without any script.
//!
//! User actions and accepted proposals follow one another in a loop. Whoever asks for reduced motion sees the finished
//! sheet.

mod draw;
mod frames;
mod layout;
mod style;
mod timeline;

use std::fmt::Write as _;

use napsim_reports::printable::printable;

use crate::film::Film;
use crate::film::step::Step;
use crate::page::escaped;
use draw::Drawing;
use layout::Layout;
use style::Style;
use timeline::Timeline;

/// How an animated picture is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnimationOptions {
    /// Pictures at most. Of a longer trajectory all accepted proposals are shown as far as they take no more than half of
    /// them, and some of the user's actions.
    pub frames_max: usize,
    /// Seconds each picture is shown.
    pub frame_seconds: f64,
    /// Rows of the sheet at most.
    pub rows_max: u32,
    /// Width of the sheet at most, in pixels.
    pub width_max: u32,
}

impl Default for AnimationOptions {
    fn default() -> Self {
        Self {
            frames_max: 120,
            frame_seconds: 0.4,
            rows_max: 36,
            width_max: 960,
        }
    }
}

/// Seconds that the finished sheet is shown.
const END_SECONDS: f64 = 3.0;

/// The trajectory of a film being built, as an SVG that plays in a loop.
///
/// Shown is the sheet in which most happens. What is left out (pictures, rows, columns, other sheets) the picture says.
pub fn animated_svg(film: &Film, options: AnimationOptions) -> String {
    let frames = frames::choose(&film.steps, options.frames_max);
    let sheet = busiest_sheet(film);
    let mut timeline = Timeline::new(film, sheet);
    for frame in &frames {
        timeline.advance(frame);
    }
    let layout = Layout::of(film, sheet, &timeline, options);
    let mut style = Style::new(frames.len(), options.frame_seconds, END_SECONDS);
    let mut drawing = Drawing::new(film, &layout, &mut style);
    drawing.cells(&timeline);
    drawing.captions(&frames, sheet);
    let body = drawing.finish();
    let notes = notes(film, frames.len(), &layout);
    let (width, height) = (layout.width(), layout.height());
    let title = text(film.title().unwrap_or(film.name()));
    let mut svg = String::new();
    // Writing to a text does not fail.
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"Calibri, Carlito, Arial, Helvetica, sans-serif\" font-size=\"12\">\n\
         <title>{title}: how the sheet is built</title>\n<desc>{notes}</desc>\n<style>path,rect{{shape-rendering:crispEdges}}{}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#f6f7f9\"/>\n\
         <text x=\"12\" y=\"24\" font-size=\"16\" font-weight=\"700\" fill=\"#16191d\">{}</text>\n{body}\
         <text x=\"12\" y=\"{}\" font-size=\"11\" fill=\"#5b6570\">{notes}</text>\n</svg>\n",
        style.sheet(),
        text(&shortened(film.title().unwrap_or(film.name()), width / 9)),
        height - 8,
    );
    svg
}

/// The sheet that most steps that last have to do with; the first of several.
fn busiest_sheet(film: &Film) -> u32 {
    let mut counts: Vec<u64> = vec![0; film.extents.len()];
    for change in film.steps.iter().filter(|step| lasts(step)).flat_map(Step::changes) {
        let idx = usize::try_from(change.sheet).unwrap_or(usize::MAX);
        if let Some(count) = counts.get_mut(idx) {
            *count += 1;
        }
    }
    let most = counts.iter().copied().max().unwrap_or(0);
    let found = counts.iter().position(|count| *count == most).unwrap_or(0);
    u32::try_from(found).unwrap_or(0)
}

/// Whether a step changes the sheets for good.
fn lasts(step: &Step) -> bool {
    match step {
        Step::User(_) => true,
        Step::Proposal(step) => step.accepted,
        Step::Empty(_) | Step::Failed(_) | Step::End => false,
    }
}

/// What the picture is of and what it leaves out.
fn notes(film: &Film, n_frames: usize, layout: &Layout) -> String {
    let n_lasting = film.steps.iter().filter(|step| lasts(step)).count();
    let mut notes = vec![format!("{n_lasting} steps")];
    if n_frames < n_lasting {
        notes.push(format!("{n_frames} of them shown one by one"));
    }
    let n_sheets = film.names.sheets.values().len();
    if n_sheets > 1 {
        notes.push(format!("one of {n_sheets} sheets"));
    }
    notes.extend(layout.cut());
    notes.join(" · ")
}

/// A text for an SVG: control characters become visible, and characters that XML does not know are replaced.
fn text(text: &str) -> String {
    let shown = printable(text, false);
    let known: String = shown
        .chars()
        .map(|c| {
            if matches!(c, '\u{fffe}' | '\u{ffff}') {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect();
    escaped(&known)
}

/// A text of at most so many characters.
fn shortened(text: &str, n_chars: u32) -> String {
    let n_chars = usize::try_from(n_chars).unwrap_or(usize::MAX).max(1);
    if text.chars().count() <= n_chars {
        return text.to_owned();
    }
    let kept: String = text.chars().take(n_chars - 1).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests;
