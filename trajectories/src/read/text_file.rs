//! Plain text: one action a line, comments after `#`.

use std::io::Read;
use std::path::Path;

use super::bounded::{Lines, open};
use super::collector::Collector;
use super::{ReadError, ReadFile, ReadOptions, stem};
use crate::text::trim;

pub(super) fn read(path: &Path, options: ReadOptions) -> Result<ReadFile, ReadError> {
    let (file, _) = open(path)?;
    read_lines(file, path, options)
}

/// Reads one action a line from anywhere; the trajectory and errors are named after `path`.
///
/// # Errors
/// [`ReadError`]; in lenient reading malformed lines are no error.
pub fn read_lines(reader: impl Read, path: &Path, options: ReadOptions) -> Result<ReadFile, ReadError> {
    let mut lines = Lines::new(reader, path);
    let mut collector = Collector::new(path, options);
    let (mut title, mut description) = (None, None);
    while let Some((line_no, line)) = lines.next_line()? {
        if let Some(comment) = trim(line).strip_prefix('#') {
            // The first comment of each kind counts.
            title = title.or_else(|| labelled(comment, "title:"));
            description = description.or_else(|| labelled(comment, "description:"));
        } else {
            collector.push(line, line_no, None)?;
        }
    }
    collector.finish(stem(path), title, description)
}

/// The text of a comment that begins with the label.
fn labelled(comment: &str, label: &str) -> Option<String> {
    let text = trim(trim(comment).strip_prefix(label)?);
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, lenient: bool) -> Result<ReadFile, String> {
        let path = Path::new("folder/ward rota.txt");
        read_lines(text.as_bytes(), path, ReadOptions { lenient }).map_err(|error| error.to_string())
    }

    const TEXT: &str =
        "# title: Rota \n#description:for two weeks\n# a comment\n\n  INPUT | A1 | 5 \r\nFOO\n# title: x\n";

    #[test]
    fn comments_name_and_describe() {
        let read = read(TEXT, true).unwrap();
        let trajectory = &read.trajectory;
        assert_eq!(trajectory.name, "ward rota");
        assert_eq!(trajectory.title.as_deref(), Some("Rota"));
        assert_eq!(trajectory.description.as_deref(), Some("for two weeks"));
        assert_eq!(trajectory.lines.len(), 1);
        assert_eq!(trajectory.lines[0].text, "INPUT | A1 | 5");
        assert_eq!(trajectory.lines[0].line_no, 5);
        assert_eq!((read.n_skipped, read.diagnostics.len()), (1, 1));
    }

    #[test]
    fn malformed_lines_refuse_the_file_unless_lenient() {
        let error = read("FOO\nINPUT | A1 | 1\nvalue | A1 | 2\n", false).unwrap_err();
        assert_eq!(
            error,
            "read folder/ward rota.txt: 2 lines are malformed\n  \
             folder/ward rota.txt:1: unknown action `FOO`, in `FOO`\n  \
             folder/ward rota.txt:3: unknown action `value`: names are upper-case, did you mean `VALUE`?, in `value | A1 | 2`"
        );
        assert_eq!(
            read("FOO", true).unwrap_err(),
            "read folder/ward rota.txt: it holds no action"
        );
    }

    #[test]
    fn diagnostics_are_abbreviated_and_bounded() {
        let text = format!("BAD | A1 | {}\n", "ü".repeat(5_000)).repeat(1_200);
        let error = read(&text, false).unwrap_err();
        assert!(error.len() < 500_000, "{}", error.len());
        assert!(error.ends_with("\n  and 200 more"));
    }

    #[test]
    fn cells_of_all_actions_are_bounded() {
        let text = "INPUT | A1:A250000 | 1\n".repeat(41);
        let error = read(&text, true).unwrap_err();
        assert!(error.starts_with("read folder/ward rota.txt:41: "), "{error}");
        assert!(error.ends_with("(cells_per_trajectory_max)"), "{error}");
    }
}
