//! One line of a draft as actions.

use std::sync::Arc;

use napsim_trajectories::range::DEFAULT_SHEET;
use napsim_trajectories::{Action, Bounds, CellAddress, Range, Value, json};

use super::{items, steps};

/// The last row and column of a sheet.
const LAST_CELL: CellAddress = CellAddress {
    row: 1_048_576,
    col: 16_384,
};

/// The sheet that lines are about.
#[derive(Clone, Debug)]
pub(super) struct Context {
    sheet: Arc<str>,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            sheet: DEFAULT_SHEET.into(),
        }
    }
}

impl Context {
    /// Takes the lines that follow for those of another sheet.
    pub(super) fn use_sheet(&mut self, name: &str) -> Result<(), String> {
        if name.is_empty() || name.contains(['!', '|']) {
            return Err(format!("expected a sheet name without `!` and `|`, found `{name}`"));
        }
        self.sheet = name.into();
        Ok(())
    }

    /// The canonical text of a range.
    pub(super) fn on_sheet(&self, bounds: Bounds) -> String {
        Range::from_bounds(self.sheet.clone(), bounds).to_string()
    }
}

/// What a line comes to.
#[derive(Debug, Default)]
pub(super) struct Step {
    pub(super) actions: Vec<Action>,
    pub(super) warnings: Vec<String>,
}

impl Step {
    /// Adds the action that a line of the notation says.
    pub(super) fn push(&mut self, notation: &str) -> Result<(), String> {
        let action = Action::parse(notation).map_err(|error| format!("{error}, in `{notation}`"))?;
        self.actions.push(action);
        Ok(())
    }

    fn type_value(&mut self, context: &Context, bounds: Bounds, value: &Value) -> Result<(), String> {
        self.warnings.extend(items::doubt(value));
        self.push(&format!(
            "INPUT | {} | {}",
            context.on_sheet(bounds),
            json::write(value)
        ))
    }
}

/// Expands a line that is neither blank nor a comment.
pub(super) fn expand(line: &str, context: &Context) -> Result<Step, String> {
    let (first, rest) = word(line);
    let bounds = read_range(first)?;
    let (mark, rest) = word(rest);
    let mut step = Step::default();
    match mark {
        "=" => match items::item(rest)? {
            Some(value) => step.type_value(context, bounds, &value)?,
            None => return Err("expected a value after `=` (`clear` in place of `=` empties cells)".to_owned()),
        },
        ">" => type_line(&mut step, context, bounds, rest, Direction::Right)?,
        "v" => type_line(&mut step, context, bounds, rest, Direction::Down)?,
        ">>" => type_lines(&mut step, context, bounds, rest, Direction::Right)?,
        "vv" => type_lines(&mut step, context, bounds, rest, Direction::Down)?,
        "@" => paste_block(&mut step, context, bounds, rest)?,
        "clear" if rest.is_empty() => step.push(&format!("INPUT | {} | clear", context.on_sheet(bounds)))?,
        "" => {
            return Err(format!(
                "expected `=`, `>`, `v`, `>>`, `vv`, `@`, `clear` or a format after `{first}`"
            ));
        }
        _ => return steps::expand(line, context),
    }
    Ok(step)
}

/// The first word of a text and the rest, both without blanks around them.
pub(super) fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// Reads a range in capitals without `$`, within a sheet and not reversed.
pub(super) fn read_range(text: &str) -> Result<Bounds, String> {
    let wrong = || format!("expected a cell such as B4 or a range such as B4:D9, found `{text}`");
    let mut corners = text.splitn(2, ':').map(CellAddress::from_normalised);
    let first = corners.next().flatten().ok_or_else(wrong)?;
    let last = match corners.next() {
        Some(corner) => corner.ok_or_else(wrong)?,
        None => first,
    };
    let is_within = first.row >= 1 && last.row <= LAST_CELL.row && last.col <= LAST_CELL.col;
    if !is_within || first.row > last.row || first.col > last.col {
        return Err(format!(
            "expected a range within A1:{LAST_CELL} from its upper left to its lower right cell, found `{text}`"
        ));
    }
    Ok(Bounds {
        first_row: first.row,
        first_col: first.col,
        last_row: last.row,
        last_col: last.col,
    })
}

/// Where typing goes from one cell to the next.
#[derive(Clone, Copy)]
enum Direction {
    Right,
    Down,
}

/// Types items from the first cell on, one action each; empty items leave their cell alone.
fn type_line(
    step: &mut Step,
    context: &Context,
    bounds: Bounds,
    text: &str,
    direction: Direction,
) -> Result<(), String> {
    let items = items::items(text)?;
    let size = match direction {
        Direction::Right => (1, items.len()),
        Direction::Down => (items.len(), 1),
    };
    check_size(bounds, size)?;
    type_items(step, context, bounds.first_cell(), &items, direction)
}

/// Types several lines of items, each beside the one before.
fn type_lines(
    step: &mut Step,
    context: &Context,
    bounds: Bounds,
    text: &str,
    direction: Direction,
) -> Result<(), String> {
    let rows = items::rows(text)?;
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    check_size(
        bounds,
        match direction {
            Direction::Right => (rows.len(), longest),
            Direction::Down => (longest, rows.len()),
        },
    )?;
    let start = bounds.first_cell();
    for (offset, items) in (0..).zip(&rows) {
        let from = match direction {
            Direction::Right => CellAddress::new(start.row + offset, start.col),
            Direction::Down => CellAddress::new(start.row, start.col + offset),
        };
        type_items(step, context, from, items, direction)?;
    }
    Ok(())
}

fn type_items(
    step: &mut Step,
    context: &Context,
    from: CellAddress,
    items: &[Option<Value>],
    direction: Direction,
) -> Result<(), String> {
    if items.iter().all(Option::is_none) {
        return Err("expected values between the bars, found none".to_owned());
    }
    for (offset, item) in (0..).zip(items) {
        let Some(value) = item else { continue };
        let cell = match direction {
            Direction::Right => CellAddress::new(from.row, from.col + offset),
            Direction::Down => CellAddress::new(from.row + offset, from.col),
        };
        check_within(Bounds::of_cell(cell))?;
        step.type_value(context, Bounds::of_cell(cell), value)?;
    }
    Ok(())
}

/// Pastes a block of items in one action; empty items are empty texts.
fn paste_block(step: &mut Step, context: &Context, bounds: Bounds, text: &str) -> Result<(), String> {
    let rows = items::rows(text)?;
    let width = rows.first().map_or(0, Vec::len);
    if let Some((row_no, row)) = (1..).zip(&rows).find(|(_, row)| row.len() != width) {
        return Err(format!(
            "expected rows of {width} values as in the first row, found {} in row {row_no}",
            row.len()
        ));
    }
    check_size(bounds, (rows.len(), width))?;
    let start = bounds.first_cell();
    let extent = |length: usize| i64::try_from(length).unwrap_or(i64::MAX / 2) - 1;
    let block = Bounds {
        last_row: start.row + extent(rows.len()),
        last_col: start.col + extent(width),
        ..bounds
    };
    check_within(block)?;
    let rows: Vec<Value> = rows
        .into_iter()
        .map(|row| {
            let values = row.into_iter().map(|item| item.unwrap_or_else(|| Value::text("")));
            Value::list(values.collect::<Vec<_>>())
        })
        .collect();
    let cells = rows.iter().filter_map(|row| match row {
        Value::List(values) => Some(values.iter()),
        _ => None,
    });
    step.warnings.extend(cells.flatten().filter_map(items::doubt));
    let value = Value::list(rows);
    step.push(&format!(
        "INPUT | {} | {}",
        context.on_sheet(block),
        json::write(&value)
    ))
}

/// Values that begin at one cell may go on as far as they like; a range given in full must fit them exactly.
fn check_size(bounds: Bounds, (n_rows, n_cols): (usize, usize)) -> Result<(), String> {
    let is_cell = bounds.n_cells() == 1;
    let fits = |length: i64, n: usize| i64::try_from(n).is_ok_and(|n| n == length);
    if is_cell || (fits(bounds.height(), n_rows) && fits(bounds.width(), n_cols)) {
        return Ok(());
    }
    let (height, width) = (bounds.height(), bounds.width());
    Err(format!(
        "expected {height}×{width} values (rows × columns) to fit {bounds}, found {n_rows}×{n_cols}"
    ))
}

fn check_within(bounds: Bounds) -> Result<(), String> {
    if bounds.last_row > LAST_CELL.row || bounds.last_col > LAST_CELL.col {
        return Err(format!("expected values within A1:{LAST_CELL}, found some at {bounds}"));
    }
    Ok(())
}
