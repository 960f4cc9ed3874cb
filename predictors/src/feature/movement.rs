//! Classes of steps between two actions (spec chapter 03, 1.2 and 1.4).

/// Where an action starts relative to the one before; ids are positions in [`Movement::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Movement {
    Same,
    Right1,
    Left1,
    Down1,
    Up1,
    RightN,
    LeftN,
    DownN,
    UpN,
    Diagonal,
    SheetChange,
}

impl Movement {
    /// All eleven in the order of their ids.
    pub const ALL: [Movement; 11] = [
        Self::Same,
        Self::Right1,
        Self::Left1,
        Self::Down1,
        Self::Up1,
        Self::RightN,
        Self::LeftN,
        Self::DownN,
        Self::UpN,
        Self::Diagonal,
        Self::SheetChange,
    ];

    /// The class of a step; a change of sheet outweighs the distance.
    pub fn of(rows: i64, cols: i64, sheet_changed: bool) -> Self {
        if sheet_changed {
            return Self::SheetChange;
        }
        match (rows, cols) {
            (0, 0) => Self::Same,
            (0, 1) => Self::Right1,
            (0, -1) => Self::Left1,
            (1, 0) => Self::Down1,
            (-1, 0) => Self::Up1,
            (0, 2..) => Self::RightN,
            (0, _) => Self::LeftN,
            (2.., 0) => Self::DownN,
            (_, 0) => Self::UpN,
            _ => Self::Diagonal,
        }
    }

    /// Position in [`Movement::ALL`].
    pub fn id(self) -> u8 {
        self as u8
    }

    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Right1 => "right1",
            Self::Left1 => "left1",
            Self::Down1 => "down1",
            Self::Up1 => "up1",
            Self::RightN => "right_n",
            Self::LeftN => "left_n",
            Self::DownN => "down_n",
            Self::UpN => "up_n",
            Self::Diagonal => "diagonal",
            Self::SheetChange => "sheet_change",
        }
    }

    /// Rows and columns of the step that stands for the whole class (spec 4.4); "n" is 2.
    pub fn canonical_step(self) -> (i64, i64) {
        match self {
            Self::Same | Self::SheetChange => (0, 0),
            Self::Right1 => (0, 1),
            Self::Left1 => (0, -1),
            Self::Down1 => (1, 0),
            Self::Up1 => (-1, 0),
            Self::RightN => (0, 2),
            Self::LeftN => (0, -2),
            Self::DownN => (2, 0),
            Self::UpN => (-2, 0),
            Self::Diagonal => (1, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_positions() {
        for (id, movement) in Movement::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(movement.id()), id);
        }
    }

    #[test]
    fn the_canonical_step_falls_in_its_class() {
        for movement in Movement::ALL {
            let (rows, cols) = movement.canonical_step();
            assert_eq!(Movement::of(rows, cols, movement == Movement::SheetChange), movement);
        }
    }
}
