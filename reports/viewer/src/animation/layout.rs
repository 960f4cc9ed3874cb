//! Where rows and columns stand in the picture.

use super::AnimationOptions;
use super::timeline::Timeline;
use crate::film::widths::{WIDTH_DEFAULT, chars};
use crate::film::{Film, Look};
use napsim_trajectories::range::column_name;

/// Pixels of the row numbers, of the column letters, and of what stands above and below the sheet.
pub(super) const SIDE: u32 = 34;
pub(super) const HEAD: u32 = 20;
const TOP: u32 = 38;
const BOTTOM: u32 = 78;
const ROW_HEIGHT: u32 = 20;
const MARGIN: u32 = 12;
/// Lines of a wrapped text at most.
const LINES_MAX: u32 = 6;
/// The width of a picture that has room for its captions.
const WIDTH_MIN: u32 = 560;

/// Edges of rows and columns, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// Left edges of the columns drawn, and the right edge of the last.
    columns: Vec<u32>,
    /// Upper edges of the rows drawn, and the lower edge of the last.
    rows: Vec<u32>,
    /// Last row and column of the sheet.
    extent: [u32; 2],
}

impl Layout {
    pub(super) fn of(film: &Film, sheet: u32, timeline: &Timeline<'_>, options: AnimationOptions) -> Self {
        let idx = usize::try_from(sheet).unwrap_or(usize::MAX);
        let last_place = timeline.spans().iter().filter(|(_, spans)| !spans.is_empty());
        let extent = last_place.fold([1, 1], |[row, col], ((r, c), _)| [row.max(*r), col.max(*c)]);
        let widths = film.widths.get(idx).map(Vec::as_slice).unwrap_or_default();
        let mut columns = vec![MARGIN + SIDE];
        for col in 1..=extent[1].max(5) {
            let known = usize::try_from(col - 1).ok().and_then(|idx| widths.get(idx));
            let left = columns.last().copied().unwrap_or(0);
            let right = left + known.copied().unwrap_or(WIDTH_DEFAULT);
            if right > MARGIN + SIDE + options.width_max && col > 1 {
                break;
            }
            columns.push(right);
        }
        let mut rows = vec![TOP + HEAD];
        for row in 1..=extent[0].max(8).min(options.rows_max.max(1)) {
            let top = rows.last().copied().unwrap_or(0);
            rows.push(top + row_height(film, timeline, row, &columns));
        }
        Self { columns, rows, extent }
    }

    /// Rows and columns drawn.
    pub(super) fn size(&self) -> [u32; 2] {
        let n = |edges: &[u32]| u32::try_from(edges.len().saturating_sub(1)).unwrap_or(u32::MAX);
        [n(&self.rows), n(&self.columns)]
    }

    pub(super) fn width(&self) -> u32 {
        (self.columns.last().copied().unwrap_or(0) + MARGIN).max(WIDTH_MIN)
    }

    pub(super) fn height(&self) -> u32 {
        self.rows.last().copied().unwrap_or(0) + BOTTOM
    }

    /// The lower edge of the sheet.
    pub(super) fn bottom(&self) -> u32 {
        self.rows.last().copied().unwrap_or(0)
    }

    /// Left, top, width and height of a range, as far as it is drawn; none if it is not.
    pub(super) fn place(&self, [row, col, last_row, last_col]: [u32; 4]) -> Option<[u32; 4]> {
        let [n_rows, n_cols] = self.size();
        let edge = |edges: &[u32], at: u32| usize::try_from(at).ok().and_then(|at| edges.get(at).copied());
        let left = edge(&self.columns, col.checked_sub(1)?).filter(|_| col <= n_cols)?;
        let top = edge(&self.rows, row.checked_sub(1)?).filter(|_| row <= n_rows)?;
        let right = edge(&self.columns, last_col.min(n_cols))?;
        let bottom = edge(&self.rows, last_row.min(n_rows))?;
        Some([left, top, right.saturating_sub(left), bottom.saturating_sub(top)])
    }

    /// What the picture leaves out.
    pub(super) fn cut(&self) -> Vec<String> {
        let [n_rows, n_cols] = self.size();
        let mut cut = Vec::new();
        if self.extent[0] > n_rows {
            cut.push(format!("rows to {} of {}", n_rows, self.extent[0]));
        }
        if self.extent[1] > n_cols {
            cut.push(format!(
                "columns to {} of {}",
                column_name(n_cols.into()),
                column_name(self.extent[1].into())
            ));
        }
        cut
    }
}

/// A row is as high as what its cells show in the end.
fn row_height(film: &Film, timeline: &Timeline<'_>, row: u32, columns: &[u32]) -> u32 {
    let mut height = ROW_HEIGHT;
    for (col, edges) in (1..).zip(columns.windows(2)) {
        let Some(face) = timeline
            .last_face((row, col))
            .filter(|face| face.first == (row, col) && face.last.0 == row)
        else {
            continue;
        };
        let display = film
            .names
            .shown
            .get(face.content)
            .and_then(|shown| shown.display.as_ref());
        let (Some(display), Some(look)) = (display, film.names.looks.get(face.look)) else {
            continue;
        };
        let &[left, right] = edges else { continue };
        let right = usize::try_from(face.last.1)
            .ok()
            .and_then(|last| columns.get(last))
            .copied()
            .unwrap_or(right);
        let line = line_height(look);
        let n_lines = if look.wraps {
            u32::try_from(lines(&display.text, right - left, look).len())
                .unwrap_or(1)
                .min(LINES_MAX)
        } else {
            1
        };
        let turned = if look.degrees.is_some() {
            chars(&display.text) * 6 + 8
        } else {
            0
        };
        height = height.max(n_lines * line + 5).max(turned.min(110));
    }
    height
}

/// Pixels of the font of a look.
pub(super) fn font_size(look: &Look) -> u32 {
    (look.size.unwrap_or(110) * 12 / 110).clamp(6, 40)
}

/// Pixels from one line of a text to the next.
pub(super) fn line_height(look: &Look) -> u32 {
    font_size(look) * 5 / 4
}

/// Tenths of pixels of a character of a look.
fn char_width(look: &Look) -> u32 {
    let bold = if look.bold { 57 } else { 53 };
    (font_size(look) * bold / 10).max(1)
}

/// How many characters have room in so many pixels.
pub(super) fn n_fitting(width: u32, look: &Look) -> u32 {
    width.saturating_sub(6) * 10 / char_width(look)
}

/// A text broken into lines of a width, at blanks where there are any.
pub(super) fn lines(text: &str, width: u32, look: &Look) -> Vec<String> {
    let n_chars = n_fitting(width, look).max(1);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && chars(&line) + 1 + chars(word) > n_chars {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}
