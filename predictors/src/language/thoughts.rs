//! What reasoning models write before their answer.

const OPENING: &str = "<think>";
const CLOSING: &str = "</think>";

/// The answer without the thoughts in front of it, as local reasoning models write them.
///
/// Thoughts are a block from `<think>` to the next `</think>` at the beginning, behind nothing but blanks; several may
/// follow one another. A block that does not end was cut off: all of it is thought and the answer is empty. Servers
/// that put the opening tag into the prompt send the closing one alone; where it has a line to itself, what is before
/// it is thought, too. An answer that begins otherwise stays as it is, blanks included.
pub fn without_thoughts(text: &str) -> &str {
    let mut answer = text;
    let mut has_thoughts = false;
    while let Some(inside) = answer.trim_start().strip_prefix(OPENING) {
        has_thoughts = true;
        answer = inside.split_once(CLOSING).map_or("", |(_, behind)| behind);
    }
    if !has_thoughts && let Some(behind) = behind_closing_line(answer) {
        return behind.trim_start();
    }
    if has_thoughts { answer.trim_start() } else { answer }
}

/// What follows the first line that is a closing tag alone, where no opening one is before it.
fn behind_closing_line(text: &str) -> Option<&str> {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        match line.trim() {
            CLOSING => return text.get(end..),
            OPENING => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, answer: &str) {
        assert_eq!(without_thoughts(text), answer, "{text:?}");
    }

    #[test]
    fn thoughts_in_front_are_removed() {
        check("<think>\nThey fill B.\n</think>\n\nINPUT | B3 | 3", "INPUT | B3 | 3");
        check(" \n<think></think>INPUT | B3 | 3\n", "INPUT | B3 | 3\n");
        check("<think>a</think>\n<think>b</think>\nSTOP", "STOP");
        check("They fill B.\n </think>\nINPUT | B3 | 3", "INPUT | B3 | 3");
    }

    #[test]
    fn thoughts_that_were_cut_off_are_no_answer() {
        check("<think>They fill B.\nINPUT | B3 | 3", "");
        check("<think>a</think><think>b", "");
        check("<think>", "");
    }

    #[test]
    fn answers_stay_as_they_are() {
        for text in [
            "",
            " INPUT | B3 | 3\n",
            "INPUT | B3 | \"<think>a</think>\"",
            "INPUT | B3 | \"</think>\"\nINPUT | B4 | 4",
            "INPUT | B3 | 3\n<think>\n</think>",
        ] {
            check(text, text);
        }
    }
}
