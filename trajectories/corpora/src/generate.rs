//! Synthetic workbooks without end, so that training works where no corpus is at hand.
//!
//! Every workbook is one styled sheet of some trade in one of twelve languages, put together from parts: titles, notes,
//! fields, tables, summaries that read from them, footers. [`workbook`] depends on its two numbers alone and works in
//! whole numbers, so it gives the same on every platform. Persons, firms and places are made of syllables. Whatever a
//! sheet holds can be typed and set by actions: only texts that typing leaves alone, and only lines that actions draw.

mod canvas;
mod draw;
mod layouts;
mod palette;
mod parts;
mod quantity;
mod words;

use napsim_sim::state::Sheet;

use canvas::Canvas;
use draw::Draw;
use layouts::FAMILIES;
use palette::Palette;
use parts::Desk;
pub use words::Language;
use words::person;

/// A workbook that was made up.
#[derive(Clone, Debug)]
pub struct Generated {
    /// A name that no other workbook of any seed has: `budget-de-7-42`.
    pub name: String,
    /// What the sheet says it is, in its own language.
    pub title: String,
    /// Who builds it and how, in one line of English.
    pub plot: String,
    /// The kind of sheet, one of [`families`].
    pub family: &'static str,
    /// The language of its labels.
    pub language: Language,
    /// The sheet: cells in row-major order and merges sorted by first row and column.
    pub sheet: Sheet,
}

/// The fewest and the most cells of a sheet.
const CELLS: std::ops::RangeInclusive<usize> = 35..=1500;

/// Sheets that are drawn before one outside the bounds is taken.
const TRIES_MAX: usize = 16;

/// The kinds of sheets by name.
pub fn families() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().map(|(name, _)| *name)
}

/// The workbook with this index of a seed's endless series; each is independent of the others.
pub fn workbook(seed: u64, index: u64) -> Generated {
    let mut draw = Draw::new(seed, index);
    let mut tries = 0;
    loop {
        tries += 1;
        let (generated, n_cells, used) = lay_out(draw, seed, index);
        if CELLS.contains(&n_cells) || tries == TRIES_MAX {
            return generated;
        }
        draw = used;
    }
}

/// One sheet with how many cells it has, and the stream behind it.
fn lay_out(mut draw: Draw, seed: u64, index: u64) -> (Generated, usize, Draw) {
    let [first, ..] = FAMILIES;
    let (family, layout) = draw.pick(&FAMILIES).unwrap_or(first);
    let language = if draw.chance(36) {
        Language::English
    } else {
        draw.pick(&Language::ALL).unwrap_or(Language::English)
    };
    let palette = Palette::draw(&mut draw, language);
    let mut desk = Desk {
        canvas: Canvas::new(palette.font, palette.size),
        draw,
        palette,
        language,
    };
    let story = layout(&mut desk);
    if desk.draw.chance(12) {
        let name = person(&mut desk.draw, language);
        let row = desk.canvas.last_row() + 2;
        desk.footer(row, 1, &name);
    }
    let n_cells = desk.canvas.n_cells();
    let generated = Generated {
        name: format!("{family}-{}-{seed}-{index}", language.code()),
        title: story.title,
        plot: story.plot,
        family,
        language,
        sheet: desk.canvas.finish(),
    };
    (generated, n_cells, desk.draw)
}

#[cfg(test)]
mod tests;
