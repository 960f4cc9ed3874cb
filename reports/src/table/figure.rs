//! Single figures as text.

/// A count with commas between groups of three digits: `11,907`.
pub fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with the word for what is counted, in the form for one or for many: `1 unit`, `2,000 units`.
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A ratio in percent with one decimal, or `-` where it is undefined.
pub fn percent(ratio: Option<f64>) -> String {
    ratio.map_or_else(
        || "-".to_owned(),
        |ratio| {
            let text = format!("{:.1} %", ratio * 100.0);
            if text == "-0.0 %" { "0.0 %".to_owned() } else { text }
        },
    )
}

/// A number of seconds with three significant digits and the unit that suits it.
pub fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 120.0 => (s / 60.0, "min"),
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s if s >= 1e-6 => (s * 1e6, "µs"),
        s => (s * 1e9, "ns"),
    };
    let decimals = match value {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!(
            [0, 999, 1000, 11_907, 1_234_567].map(count),
            ["0", "999", "1,000", "11,907", "1,234,567"]
        );
        assert_eq!(
            [0, 1, 2000].map(|n| counted(n, "unit", "units")),
            ["0 units", "1 unit", "2,000 units"]
        );
        assert_eq!(
            [Some(0.12), Some(-0.192), Some(1.0), None, Some(-0.0001)].map(percent),
            ["12.0 %", "-19.2 %", "100.0 %", "-", "0.0 %"]
        );
        assert_eq!(
            [0.0, 1.5e-7, 2.34e-5, 0.0123, 1.0, 600.0].map(duration),
            ["0.00 ns", "150 ns", "23.4 µs", "12.3 ms", "1.00 s", "10.0 min"]
        );
    }
}
