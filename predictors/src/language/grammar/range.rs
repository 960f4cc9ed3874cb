//! A range, letter by letter and digit by digit.

use napsim_trajectories::parse::CELLS_PER_ACTION_MAX;

use super::fill;

/// The last column of a sheet, `XFD`.
pub(super) const LAST_COL: u32 = 16_384;

/// The last row of a sheet.
pub(super) const LAST_ROW: u32 = 1_048_576;

/// Two opposite corners of a range; both are part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Area {
    pub(super) first_col: u32,
    pub(super) first_row: u32,
    pub(super) last_col: u32,
    pub(super) last_row: u32,
}

impl Area {
    pub(super) fn width(self) -> u32 {
        self.last_col.saturating_sub(self.first_col) + 1
    }

    pub(super) fn height(self) -> u32 {
        self.last_row.saturating_sub(self.first_row) + 1
    }
}

/// The numbers from `low` to `high`; none where `low` is larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Interval {
    pub(super) low: u32,
    pub(super) high: u32,
}

impl Interval {
    pub(super) const EMPTY: Self = Self { low: 1, high: 0 };

    pub(super) fn new(low: u32, high: u32) -> Self {
        Self { low, high }
    }

    pub(super) fn is_empty(self) -> bool {
        self.low > self.high
    }

    fn overlaps(self, other: Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

/// What a column or a row may be: a number in either interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits(pub(super) Interval, pub(super) Interval);

impl Limits {
    pub(super) fn within(low: u32, high: u32) -> Self {
        Self(Interval::new(low, high), Interval::EMPTY)
    }

    fn is_empty(self) -> bool {
        self.0.is_empty() && self.1.is_empty()
    }

    fn overlap(self, numbers: Interval) -> bool {
        (!self.0.is_empty() && self.0.overlaps(numbers)) || (!self.1.is_empty() && self.1.overlaps(numbers))
    }

    fn contain(self, number: u32) -> bool {
        self.overlap(Interval::new(number, number))
    }

    /// Whether one of the numbers begins with these digits or letters; `more` says which numbers have one more.
    fn begin_with(self, number: u32, more: impl Fn(Interval) -> Interval) -> bool {
        let mut numbers = Interval::new(number, number);
        while numbers.low <= self.0.high.max(self.1.high) {
            if self.overlap(numbers) {
                return true;
            }
            numbers = more(numbers);
        }
        false
    }
}

/// The ranges that are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Domain {
    /// All of a sheet that are small enough, perhaps without those of one cell.
    Sheet { several_cells: bool },
    /// Those that a fill may extend to this range.
    SourceWithin(Area),
}

impl Domain {
    fn first_col(self) -> Limits {
        match self {
            Self::Sheet { .. } => Limits::within(1, LAST_COL),
            Self::SourceWithin(target) => fill::first_col(target),
        }
    }

    fn first_row(self, col: u32) -> Limits {
        match self {
            // The last cell of the sheet is the first one of no larger range.
            Self::Sheet { several_cells } => Limits::within(1, LAST_ROW - u32::from(several_cells && col == LAST_COL)),
            Self::SourceWithin(target) => fill::first_row(target, col),
        }
    }

    /// Whether the first cell may be the only one.
    fn may_be_one_cell(self, cell: Area) -> bool {
        match self {
            Self::Sheet { several_cells } => !several_cells,
            Self::SourceWithin(target) => fill::may_be_one_cell(target, cell),
        }
    }

    /// Columns that a range of several cells may end in.
    fn last_col(self, from: Area) -> Limits {
        match self {
            Self::Sheet { .. } => Limits::within(from.first_col + u32::from(from.first_row == LAST_ROW), LAST_COL),
            Self::SourceWithin(target) => fill::last_col(target, from),
        }
    }

    /// Rows that a range of several cells may end in.
    fn last_row(self, from: Area) -> Limits {
        match self {
            Self::Sheet { .. } => {
                let n_rows_max = u32::try_from(CELLS_PER_ACTION_MAX).unwrap_or(u32::MAX) / from.width();
                let high = from.first_row.saturating_add(n_rows_max).saturating_sub(1);
                let low = from.first_row + u32::from(from.last_col == from.first_col);
                Limits::within(low, high.min(LAST_ROW))
            }
            Self::SourceWithin(target) => fill::last_row(target, from),
        }
    }
}

/// How far a range has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RangeState {
    domain: Domain,
    /// What is known; the rest is 0.
    area: Area,
    place: Place,
    /// The number so far, 0 before its first letter or digit.
    number: u32,
}

/// Which number of a range is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    FirstCol,
    FirstRow,
    LastCol,
    LastRow,
}

/// What a byte does to a range.
pub(super) enum RangeStep {
    /// It is part of it.
    Within(RangeState),
    /// It follows this range.
    Behind(Area),
}

impl RangeState {
    pub(super) fn new(domain: Domain) -> Self {
        Self {
            domain,
            area: Area::default(),
            place: Place::FirstCol,
            number: 0,
        }
    }

    /// After one more byte.
    pub(super) fn step(self, byte: u8) -> Option<RangeStep> {
        let limits = self.limits();
        match (self.place, byte) {
            (Place::FirstCol | Place::LastCol, b'A'..=b'Z') => {
                let number = self.number * 26 + u32::from(byte - b'A') + 1;
                let longer = |numbers: Interval| Interval::new(numbers.low * 26 + 1, numbers.high * 26 + 26);
                self.with_number(number, limits.begin_with(number, longer))
            }
            (Place::FirstRow | Place::LastRow, b'0'..=b'9') => {
                let number = self.number * 10 + u32::from(byte - b'0');
                let longer = |numbers: Interval| Interval::new(numbers.low * 10, numbers.high * 10 + 9);
                self.with_number(number, number > 0 && limits.begin_with(number, longer))
            }
            _ if !limits.contain(self.number) => None,
            (Place::FirstCol, b'1'..=b'9') => {
                let area = Area {
                    first_col: self.number,
                    ..self.area
                };
                self.next(area, Place::FirstRow).step(byte)
            }
            (Place::LastCol, b'1'..=b'9') => {
                let area = Area {
                    last_col: self.number,
                    ..self.area
                };
                self.next(area, Place::LastRow).step(byte)
            }
            (Place::FirstRow, b':') => {
                let area = Area {
                    first_row: self.number,
                    ..self.area
                };
                let next = self.next(area, Place::LastCol);
                (!next.limits().is_empty()).then_some(RangeStep::Within(next))
            }
            (Place::FirstRow, _) => {
                let (col, row) = (self.area.first_col, self.number);
                let cell = Area {
                    first_col: col,
                    first_row: row,
                    last_col: col,
                    last_row: row,
                };
                self.domain.may_be_one_cell(cell).then_some(RangeStep::Behind(cell))
            }
            (Place::LastRow, _) => Some(RangeStep::Behind(Area {
                last_row: self.number,
                ..self.area
            })),
            (Place::FirstCol | Place::LastCol, _) => None,
        }
    }

    /// What the number that is being written may be.
    fn limits(self) -> Limits {
        match self.place {
            Place::FirstCol => self.domain.first_col(),
            Place::FirstRow => self.domain.first_row(self.area.first_col),
            Place::LastCol => self.domain.last_col(self.area),
            Place::LastRow => self.domain.last_row(self.area),
        }
    }

    fn with_number(self, number: u32, possible: bool) -> Option<RangeStep> {
        possible.then_some(RangeStep::Within(Self { number, ..self }))
    }

    fn next(self, area: Area, place: Place) -> Self {
        Self {
            area,
            place,
            number: 0,
            ..self
        }
    }
}
