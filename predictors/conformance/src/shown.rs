//! Foreign text, as a person can read it on one line.

/// Characters of a foreign text that are shown.
const CHARS_MAX: usize = 160;

/// A text on one line: control characters and those that turn the direction of writing are escaped, and a long text is
/// cut, with its length.
pub(crate) fn shown(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(4 * CHARS_MAX));
    for character in text.chars().take(CHARS_MAX) {
        if character.is_control() || turns_direction(character) {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    let n_chars = text.chars().count();
    if n_chars > CHARS_MAX {
        line.push_str(&format!("… ({n_chars} characters)"));
    }
    line
}

fn turns_direction(character: char) -> bool {
    matches!(character, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A number of things in words: `1 action`, `1,000 actions`.
pub(crate) fn counted(n: usize, thing: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(n))
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_on_its_line() {
        assert_eq!(shown("a\nb\u{202E}c\u{1b}[31m"), "a\\nb\\u{202e}c\\u{1b}[31m");
        assert_eq!(shown("Größe 📈"), "Größe 📈");
        let long = shown(&"x".repeat(32_767));
        assert!(long.ends_with("x… (32767 characters)"), "{long}");
        assert!(long.len() < 200);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(counted(1, "action"), "1 action");
        assert_eq!(counted(10_000, "action"), "10,000 actions");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
