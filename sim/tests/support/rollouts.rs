//! Random trajectories and proposals on two small, crowded sheets, where everything overlaps.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that leaves its arrays has failed"
)]

use napsim_sim::state::Workbook;
use napsim_trajectories::Action;

/// A small generator of numbers (xorshift), so that a seed names a case for good.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            dice.next();
        }
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() >> 11).unwrap() % n
    }

    /// True once in `n` times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const COLUMNS: [&str; 7] = ["A", "B", "C", "D", "E", "F", "G"];

/// A box of at most `size` rows and columns.
fn area(dice: &mut Dice, size: usize) -> String {
    let (row, col) = (dice.below(8), dice.below(6));
    let (height, width) = (dice.below(size), dice.below(size));
    let last_col = COLUMNS[(col + width).min(COLUMNS.len() - 1)];
    let first = format!("{}{}", COLUMNS[col], row + 1);
    if height + width == 0 && !dice.once_in(8) {
        return first;
    }
    format!("{first}:{last_col}{}", row + height + 1)
}

fn range(dice: &mut Dice, size: usize) -> String {
    let sheet = if dice.once_in(5) { "Other" } else { "Sheet1" };
    let area = area(dice, size);
    match dice.below(60) {
        0 => format!("{sheet}!${}", area.replace(':', ":$")),
        1 => format!("{sheet}!{}", area.split(':').rev().collect::<Vec<_>>().join(":")),
        _ => format!("{sheet}!{area}"),
    }
}

fn content(dice: &mut Dice) -> String {
    let scalars = [
        "1",
        "2",
        "3",
        "0",
        "\"a\"",
        "\"b\"",
        "\"Day 1\"",
        "\"none\"",
        "\"=A1+B2\"",
        "\"=C3\"",
        "\"2024-01-05\"",
        "true",
        "clear",
        "\"\"",
        "2.5",
    ];
    match dice.below(4) {
        0 => {
            let row = |dice: &mut Dice| {
                let cells: Vec<_> = (0..=dice.below(3))
                    .map(|_| {
                        if dice.once_in(6) {
                            "null"
                        } else {
                            scalars[dice.below(4)]
                        }
                    })
                    .collect();
                format!("[{}]", cells.join(","))
            };
            let rows: Vec<_> = (0..=dice.below(3)).map(|_| row(dice)).collect();
            format!("[{}]", rows.join(","))
        }
        _ => dice.pick(&scalars).to_owned(),
    }
}

fn content_line(dice: &mut Dice) -> String {
    match dice.below(10) {
        0 => {
            let key = dice.pick(&["A1", "a1", "A1:A1", "B2:C2", "$A$1", "D4", "B2", "C3:A1"]);
            let value = dice.pick(&["7", "\"x\"", "clear", "0"]);
            format!("VALUE | Sheet1!{key} | {value}")
        }
        1 => {
            let key = dice.pick(&["A1", "b2", "B2", "C3", "C3:D3", "$C$3"]);
            let value = dice.pick(&["=A1", "=SUM(A1:B2)", "clear"]);
            format!("FORMULA | Sheet1!{key} | {value}")
        }
        _ => {
            let range = range(dice, 4);
            format!("INPUT | {range} | {}", content(dice))
        }
    }
}

fn border_line(dice: &mut Dice) -> String {
    let side = dice.pick(&[
        "ALL",
        "OUTSIDE",
        "LEFT",
        "RIGHT",
        "TOP",
        "BOTTOM",
        "INSIDE_HORIZONTAL",
        "INSIDE_VERTICAL",
        "DIAGONAL_UP",
    ]);
    let line = dice.pick(&[
        "Thin, Continuous, #000000",
        "Thin, Continuous",
        "Medium, Dash, #ff0000",
        "Thin, Double, #000000",
        "clear",
    ]);
    format!("BORDER_{side} | {} | {line}", range(dice, 4))
}

fn format_line(dice: &mut Dice) -> String {
    let (kind, values): (&str, &[&str]) = match dice.below(10) {
        0 => ("FILL_COLOR", &["#ff0000", "#FFFF00", "#000000", "clear"]),
        1 => ("FONT_BOLD", &["true", "true", "false"]),
        2 => ("FONT_SIZE", &["11", "12", "14"]),
        3 => ("FONT_COLOR", &["#000000", "#ff0000", "#FF0000"]),
        4 => ("FONT_NAME", &["Arial", "Calibri", "\"Calibri\"", "calibri"]),
        5 => ("NUMBER_FORMAT", &["0%", "General", "0.00"]),
        6 => ("ALIGN_HORIZONTAL", &["center", "left", "General"]),
        7 => ("ALIGN_VERTICAL", &["center", "bottom"]),
        8 => ("WRAP_TEXT", &["true", "false"]),
        _ => ("TEXT_ORIENTATION", &["0", "45"]),
    };
    let range = range(dice, 5);
    format!("{kind} | {range} | {}", dice.pick(values))
}

fn copying_line(dice: &mut Dice) -> String {
    let (to, from) = (range(dice, 4), range(dice, 3));
    if dice.once_in(20) {
        return format!("{} | {to} | clear", dice.pick(&["PASTE_FROM", "AUTOFILL"]));
    }
    if !dice.once_in(3) {
        let mode = dice.pick(&[
            "all", "all", "values", "formulas", "formats", "formats", "Formats", "odd",
        ]);
        return format!("PASTE_FROM | {to} | {from} | {mode}");
    }
    let (row, col) = (1 + dice.below(6), dice.below(5));
    let (height, width) = (dice.below(2), dice.below(2));
    let more = 1 + dice.below(3);
    let column = |col: usize| COLUMNS[col.min(COLUMNS.len() - 1)];
    let boxed = |r1: usize, c1: usize, r2: usize, c2: usize| format!("{}{r1}:{}{r2}", column(c1), column(c2));
    let source = boxed(row, col, row + height, col + width);
    let all = match dice.below(4) {
        0 => boxed(row, col, row + height + more, col + width),
        1 => boxed(row, col, row + height, col + width + more),
        2 => boxed(row.saturating_sub(more).max(1), col, row + height, col + width),
        _ => boxed(row, col.saturating_sub(more), row + height, col + width),
    };
    format!("AUTOFILL | Sheet1!{all} | Sheet1!{source}")
}

fn line(dice: &mut Dice) -> String {
    match dice.below(16) {
        0..=5 => content_line(dice),
        6..=8 => format_line(dice),
        9 | 10 => border_line(dice),
        11 => format!("MERGE | {} | true", range(dice, 4)),
        12 => format!("{} | {}", dice.pick(&["UNMERGE", "UNMERGE", "MERGE"]), range(dice, 4)),
        _ => copying_line(dice),
    }
}

/// Any action, now and then with the inverse flag.
pub(crate) fn action(dice: &mut Dice) -> Action {
    loop {
        if let Ok(action) = Action::parse(&line(dice)) {
            let inverse = action.is_inverse() || dice.once_in(25);
            return action.with_inverse(inverse);
        }
    }
}

/// A trajectory that can be carried out.
pub(crate) fn trajectory(dice: &mut Dice) -> Vec<Action> {
    let longest = match dice.below(64) {
        0 => 200,
        1..=16 => 60,
        _ => 24,
    };
    let n_actions = 1 + dice.below(longest);
    let mut state = Workbook::default();
    let mut actions: Vec<Action> = Vec::new();
    while actions.len() < n_actions {
        let next = action(dice);
        let mut tried = state.clone();
        if tried.apply(&next).is_ok() {
            state = tried;
            actions.push(next);
        }
    }
    actions
}

/// A proposal: actions of the trajectory around a position, the same changed a little, or anything.
pub(crate) fn proposal(dice: &mut Dice, trajectory: &[Action], position: usize) -> Vec<Action> {
    let one = |dice: &mut Dice| {
        let near = position.saturating_add(dice.below(4)).min(trajectory.len() - 1);
        let known = match dice.below(5) {
            0 => trajectory[dice.below(trajectory.len())].clone(),
            _ => trajectory[near].clone(),
        };
        match dice.below(4) {
            0 => action(dice),
            1 => known.on_range(action(dice).range().clone()),
            2 => action(dice).on_range(known.range().clone()),
            _ => known,
        }
    };
    (0..dice.below(5)).map(|_| one(dice)).collect()
}
