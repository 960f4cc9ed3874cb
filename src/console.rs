//! Standard output for data, standard error for talk.

use std::io::{ErrorKind, IsTerminal, Write};

use napsim_reports::printable::printable;
use napsim_reports::table::WIDTH_DEFAULT;

use crate::exit::Failure;

/// Writes data. When nobody reads any more the program ends quietly.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(error) => Err(Failure::environment(
            anyhow::Error::new(error).context("failed to write to the standard output"),
        )),
    }
}

/// Writes data that holds text of files, which must not steer a terminal.
pub(crate) fn print_untrusted(text: &str) -> Result<(), Failure> {
    print(&printable(text, true))
}

/// Says something to the person at the terminal. What stands in it of files cannot steer the terminal.
pub(crate) fn say(text: &str) {
    // There is nobody to tell that nothing can be told.
    let _ = writeln!(std::io::stderr().lock(), "{}", printable(text, true));
}

/// Columns of the terminal, or a moderate number where the output goes elsewhere.
pub(crate) fn width() -> u16 {
    if !std::io::stdout().is_terminal() {
        return WIDTH_DEFAULT;
    }
    terminal_size::terminal_size().map_or(WIDTH_DEFAULT, |(width, _)| width.0.max(60))
}

/// A number with its noun: `1 trajectory`, `2 trajectories`.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
