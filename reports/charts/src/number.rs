//! Numbers as texts: coordinates for the SVG, figures for people. The same number gives the same text everywhere.

/// How the numbers of an axis or of a cell are written for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NumberFormat {
    /// As a decimal number with as many decimals as its size deserves.
    #[default]
    Number,
    /// A ratio between 0 and 1 in percent, with one decimal.
    Percent,
    /// A difference of two ratios in percentage points, with its sign.
    Points,
    /// A whole number with commas between thousands.
    Count,
    /// Seconds, written in the unit that suits them: `1.5 s`, `12 ms`, `3.2 µs`.
    Seconds,
}

/// Largest magnitude that is drawn. What is beyond counts as undefined: no measured figure comes near it, and
/// differences of such numbers would not be finite.
pub const LARGEST: f64 = 1e15;

/// The number where it is defined and can be drawn.
pub(crate) fn drawable(value: f64) -> Option<f64> {
    (value.is_finite() && value.abs() <= LARGEST).then_some(value)
}

/// A count as a coordinate.
pub(crate) fn whole(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::from(u32::MAX), f64::from)
}

/// A coordinate with at most two decimals and no superfluous digit.
pub(crate) fn coordinate(value: f64) -> String {
    trimmed(&format!("{value:.2}"))
}

impl NumberFormat {
    /// The number as a figure by itself. Undefined numbers are written as a dash.
    pub fn text(self, value: f64) -> String {
        let Some(value) = drawable(value) else {
            return "–".to_owned();
        };
        match self {
            Self::Number => {
                let decimals = match value.abs() {
                    size if size >= 100.0 => 0,
                    size if size >= 10.0 => 1,
                    size if size >= 1.0 => 2,
                    size if size >= 0.001 => 4,
                    _ => 7,
                };
                typeset(&trimmed(&format!("{value:.decimals$}")))
            }
            Self::Percent => format!("{}\u{a0}%", typeset(&format!("{:.1}", 100.0 * value))),
            Self::Points => signed(&format!("{:.1}", 100.0 * value)),
            Self::Count => typeset(&format!("{value:.0}")),
            Self::Seconds => seconds(value),
        }
    }

    /// The number as one of the marks of an axis, which are `step` apart.
    pub(crate) fn tick(self, value: f64, step: f64) -> String {
        if self == Self::Seconds {
            return seconds(value);
        }
        let scaled = if matches!(self, Self::Percent | Self::Points) {
            100.0
        } else {
            1.0
        };
        let decimals = decimals_of(step * scaled);
        let text = format!("{:.decimals$}", value * scaled);
        match self {
            Self::Percent => format!("{}\u{a0}%", typeset(&text)),
            Self::Points => signed(&text),
            Self::Number | Self::Count | Self::Seconds => typeset(&text),
        }
    }
}

fn seconds(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        size if !(1e-12..1.0).contains(&size) => (value, "s"),
        size if size >= 9.995e-4 => (value * 1e3, "ms"),
        _ => (value * 1e6, "µs"),
    };
    let decimals = match scaled.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    format!("{}\u{a0}{unit}", typeset(&trimmed(&format!("{scaled:.decimals$}"))))
}

/// How many decimals tell apart numbers that are a round step apart.
fn decimals_of(step: f64) -> usize {
    let mut decimals = 0;
    let mut scaled = step.abs();
    while decimals < 9 && (scaled - scaled.round()).abs() > 1e-6 * scaled.max(1e-9) {
        scaled *= 10.0;
        decimals += 1;
    }
    decimals
}

fn trimmed(text: &str) -> String {
    if !text.contains('.') {
        return without_negative_zero(text).to_owned();
    }
    let short = text.trim_end_matches('0').trim_end_matches('.');
    without_negative_zero(short).to_owned()
}

fn without_negative_zero(text: &str) -> &str {
    match text.strip_prefix('-') {
        Some(digits) if !digits.contains(|digit: char| digit.is_ascii_digit() && digit != '0') => digits,
        _ => text,
    }
}

/// With commas between thousands and a true minus sign.
fn typeset(text: &str) -> String {
    let text = without_negative_zero(text);
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("−", digits));
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut grouped = String::with_capacity(text.len() + 4);
    grouped.push_str(sign);
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped.push_str(rest);
    grouped
}

fn signed(text: &str) -> String {
    let shown = typeset(text);
    let is_zero = !shown.contains(|digit: char| digit.is_ascii_digit() && digit != '0');
    if is_zero || shown.starts_with('−') {
        shown
    } else {
        format!("+{shown}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let texts = [0.0, -0.0, -0.001, 1.0, 12.3456, 12.5, -3.25].map(coordinate);
        assert_eq!(texts, ["0", "0", "0", "1", "12.35", "12.5", "-3.25"]);
    }

    #[test]
    fn figures_read_well() {
        let number = [0.0, 1234567.0, 12.345, 1.234, 0.12345, -0.0004, f64::NAN].map(|n| NumberFormat::Number.text(n));
        assert_eq!(number, ["0", "1,234,567", "12.3", "1.23", "0.1235", "−0.0004", "–"]);
        let percent = [0.123, 1.0, -0.19, -0.00001].map(|n| NumberFormat::Percent.text(n));
        assert_eq!(percent, ["12.3\u{a0}%", "100.0\u{a0}%", "−19.0\u{a0}%", "0.0\u{a0}%"]);
        let points = [0.0123, -0.0123, 0.0].map(|n| NumberFormat::Points.text(n));
        assert_eq!(points, ["+1.2", "−1.2", "0.0"]);
        assert_eq!(NumberFormat::Count.text(10_504.0), "10,504");
        assert_eq!(NumberFormat::Count.text(1e16), "–");
        let seconds = [0.0, 1.5, 0.0123, 0.000_003_21, 240.0].map(|n| NumberFormat::Seconds.text(n));
        assert_eq!(
            seconds,
            ["0\u{a0}s", "1.5\u{a0}s", "12.3\u{a0}ms", "3.21\u{a0}µs", "240\u{a0}s"]
        );
    }

    #[test]
    fn marks_of_an_axis_have_as_many_decimals_as_they_need() {
        assert_eq!(NumberFormat::Percent.tick(0.05, 0.05), "5\u{a0}%");
        assert_eq!(NumberFormat::Percent.tick(0.125, 0.025), "12.5\u{a0}%");
        assert_eq!(NumberFormat::Number.tick(0.3, 0.1), "0.3");
        assert_eq!(NumberFormat::Count.tick(2000.0, 1000.0), "2,000");
        assert_eq!(NumberFormat::Points.tick(0.02, 0.02), "+2");
    }
}
