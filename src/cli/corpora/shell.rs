//! Paths in commands that are shown to a person.

use std::path::Path;

/// A path as a shell takes it for one word.
pub(super) fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ',' | ':' | '\\');
    if text.chars().all(is_plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_cut_them() {
        assert_eq!(shell_word(Path::new("my/corpus-1")), "my/corpus-1");
        assert_eq!(shell_word(Path::new("my corpus's")), "'my corpus'\\''s'");
    }
}
