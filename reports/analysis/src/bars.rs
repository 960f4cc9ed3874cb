//! Small charts made of block characters.

use crate::number::part_of_one;

const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const WIDTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A line of blocks whose heights are the values, between 0 and 1; a blank where there is no value.
pub fn sparkline(values: &[Option<f64>]) -> String {
    let block = |value: &Option<f64>| {
        value.map_or(' ', |value| {
            let height = part_of_one(value, 8);
            HEIGHTS.get(usize::from(height)).copied().unwrap_or(' ')
        })
    };
    values.iter().map(block).collect()
}

/// A bar for a value between 0 and 1, at most `width` characters long; it is not padded. Anything above 0 can be seen.
pub fn bar(value: f64, width: u16) -> String {
    let eighths = width.saturating_mul(8);
    let filled = if value >= 1.0 {
        eighths
    } else {
        part_of_one(value, eighths).max(u16::from(value > 0.0)).min(eighths)
    };
    let mut text = "█".repeat(usize::from(filled / 8));
    text.push_str(WIDTHS.get(usize::from(filled % 8)).copied().unwrap_or_default());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_follow_the_values() {
        assert_eq!(
            sparkline(&[Some(0.0), Some(0.5), None, Some(0.99), Some(1.0), Some(-3.0)]),
            "▁▅ ██▁"
        );
        assert_eq!(sparkline(&[]), "");
    }

    #[test]
    fn widths_follow_the_value() {
        let bars = [0.0, 0.001, 0.25, 0.3, 1.0, 2.0].map(|value| bar(value, 4));
        assert_eq!(bars, ["", "▏", "█", "█▏", "████", "████"].map(str::to_owned));
        assert_eq!(bar(0.5, 0), "");
    }
}
