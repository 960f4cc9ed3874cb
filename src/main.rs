//! `napsim`: replays recorded spreadsheet work with a simulated user and measures next-action predictors.

mod cli;
mod console;
mod exit;
mod guard;
mod signals;

use std::panic::{catch_unwind, set_hook};
use std::process::ExitCode;

/// Rollouts make and drop many small things; this allocator takes a sixth off a run's time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use exit::Exit;

fn main() -> ExitCode {
    set_hook(Box::new(|info| {
        if guard::is_guarded() {
            return;
        }
        let place = info
            .location()
            .map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        let message = exit::panic_message(info.payload());
        console::say(&format!(
            "napsim: this is a bug: {message} (at {place})\nPlease report it with the command line and this message."
        ));
    }));
    let exit = catch_unwind(cli::main).unwrap_or(Exit::Bug);
    ExitCode::from(exit.code())
}
