//! Answers that go round in circles (spec chapter 03, 8.5).

use napsim_trajectories::parse::SEPARATOR;

/// When lines count as repeating themselves. Where they act does not count, what they do does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repetition {
    /// The longest cycle looked for, in lines.
    pub cycle_max: usize,
    /// How often a cycle may come in a row.
    pub repeats_max: usize,
}

impl Default for Repetition {
    fn default() -> Self {
        Self {
            cycle_max: 8,
            repeats_max: 3,
        }
    }
}

/// A cycle that came too often in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Lines of the cycle.
    pub length: usize,
    /// How often it came in a row.
    pub count: usize,
    /// Index of its first line.
    pub start: usize,
    /// How many lines of the answer are kept: those before the cycle and as many of its rounds as are allowed.
    pub n_kept: usize,
    /// What the lines of the cycle are without their ranges.
    pub signatures: Vec<String>,
}

impl Repetition {
    /// The first cycle that comes too often: the shortest one, and of these the one that begins first.
    pub fn find<S: AsRef<str>>(&self, lines: &[S]) -> Option<Cycle> {
        let signatures: Vec<_> = lines.iter().map(|line| signature(line.as_ref())).collect();
        (1..=self.cycle_max).find_map(|length| self.find_of_length(&signatures, length))
    }

    fn find_of_length(&self, signatures: &[String], length: usize) -> Option<Cycle> {
        (0..signatures.len().saturating_sub(length)).find_map(|start| {
            let rounds = signatures.get(start..)?;
            let cycle = rounds.get(..length)?;
            let count = rounds.chunks(length).take_while(|round| *round == cycle).count();
            (count > self.repeats_max).then(|| Cycle {
                length,
                count,
                start,
                n_kept: start + length * self.repeats_max,
                signatures: cycle.to_vec(),
            })
        })
    }

    /// Whether the last of these lines completes a cycle that comes too often.
    ///
    /// Asked after each line of an answer it is first true when [`find`](Self::find) first finds a cycle, and costs the
    /// same however long the answer is. So generation can stop there.
    pub fn is_repeating<S: AsRef<str>>(&self, lines: &[S]) -> bool {
        let n_last = self.cycle_max.saturating_mul(self.repeats_max.saturating_add(1));
        let last = lines.iter().rev().take(n_last);
        let signatures: Vec<_> = last.map(|line| signature(line.as_ref())).collect();
        (1..=self.cycle_max).any(|length| {
            let n_lines = length * (self.repeats_max + 1);
            let Some(rounds) = signatures.get(..n_lines) else {
                return false;
            };
            lines.len() > length && rounds.iter().zip(rounds.iter().skip(length)).all(|(a, b)| a == b)
        })
    }
}

/// The line without its range.
fn signature(line: &str) -> String {
    let mut pieces = line.splitn(3, SEPARATOR);
    let name = pieces.next().unwrap_or_default();
    match pieces.nth(1) {
        Some(value) => [name, value].join(SEPARATOR),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_shortest_cycle_decides_and_the_rest_goes() {
        let lines = ["A | A1 | x", "B | A1", "B | A2", "B | A3", "B | A4", "C | A1 | x"];
        let cycle = Repetition::default().find(&lines);
        let expect = Cycle {
            length: 1,
            count: 4,
            start: 1,
            n_kept: 4,
            signatures: vec!["B".to_owned()],
        };
        assert_eq!(cycle, Some(expect));
    }

    proptest! {
        #[test]
        fn a_cycle_is_noticed_when_it_is_complete(
            names in prop::collection::vec("[AB]", 0..40),
            cycle_max in 1_usize..6,
            repeats_max in 0_usize..4,
        ) {
            let repetition = Repetition { cycle_max, repeats_max };
            let lines: Vec<_> = names.iter().map(|name| format!("{name} | A1 | 1")).collect();
            let first = (0..=lines.len()).find(|n| repetition.find(&lines[..*n]).is_some());
            let noticed = (0..=lines.len()).find(|n| repetition.is_repeating(&lines[..*n]));
            prop_assert_eq!(noticed, first);
        }
    }
}
