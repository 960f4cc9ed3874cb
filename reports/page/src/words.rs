//! Figures and lists within sentences.

use napsim_charts::NumberFormat;
use napsim_statistics::Interval;

/// A ratio in percent: `12.0 %`.
pub(crate) fn percent(ratio: f64) -> String {
    NumberFormat::Percent.text(ratio)
}

/// A ratio in percent where it is defined.
pub(crate) fn percent_or_dash(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "–".to_owned(), percent)
}

/// A difference of ratios in percentage points without its sign: `1.2 points`.
pub(crate) fn points(difference: f64) -> String {
    let text = NumberFormat::Points.text(difference.abs());
    format!("{} points", text.trim_start_matches('+'))
}

/// An interval of ratios: `9.8 to 14.3 %`.
pub(crate) fn interval(interval: &Interval) -> String {
    range(interval.low, interval.high)
}

/// Two ratios: `9.8 to 14.3 %`.
pub(crate) fn range(low: f64, high: f64) -> String {
    let low = percent(low);
    format!("{} to {}", low.trim_end_matches("\u{a0}%"), percent(high))
}

/// A level in percent: `95 %`.
pub(crate) fn level(level: f64) -> String {
    let text = format!("{:.2}", 100.0 * level);
    format!("{}\u{a0}%", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A count with its noun, which is given in the singular and has a regular plural.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let number = NumberFormat::Count.text(crate::markup::exact(count));
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("{number} {noun}"),
        (_, Some(stem)) if !stem.ends_with(['a', 'e', 'o']) => format!("{number} {stem}ies"),
        _ => format!("{number} {noun}s"),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The same with no more than so many parts, and a word on the rest.
pub(crate) fn list_of_at_most(parts: &[String], most: usize) -> String {
    if parts.len() <= most {
        return list(parts);
    }
    let mut some: Vec<String> = parts.iter().take(most).cloned().collect();
    some.push(format!("{} more", parts.len() - most));
    list(&some)
}

/// A name between backticks, which sentences show as such. Backticks of its own become apostrophes.
pub(crate) fn name(name: &str) -> String {
    format!("`{}`", name.replace('`', "'"))
}

/// A probability: `p = 0.042` or `p < 0.001`; `no p` where there is nothing to test.
pub(crate) fn p_value(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.001 => "p < 0.001".to_owned(),
        Some(p) => format!("p = {p:.3}"),
        None => "no p".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_well() {
        assert_eq!(
            [1, 2].map(|n| counted(n, "trajectory")),
            ["1 trajectory", "2 trajectories"]
        );
        assert_eq!(counted(10_504, "prediction"), "10,504 predictions");
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(list(&names), "a, b and c");
        assert_eq!(list(&names[..2]), "a and b");
        assert_eq!(list_of_at_most(&names, 1), "a and 2 more");
        assert_eq!(range(0.098, 0.143), "9.8 to 14.3\u{a0}%");
        assert_eq!(points(-0.012), "1.2 points");
        assert_eq!(
            [Some(0.0004), Some(0.0419), None].map(p_value),
            ["p < 0.001", "p = 0.042", "no p"]
        );
        assert_eq!(name("a`b"), "`a'b`");
        assert_eq!(level(0.95), "95\u{a0}%");
    }
}
