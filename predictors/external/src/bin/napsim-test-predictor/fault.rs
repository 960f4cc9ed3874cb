//! The ways to go wrong.

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::options::Options;
use crate::{note, say};

/// Longer than any test.
const FOR_EVER: Duration = Duration::from_secs(10_000);

/// Something that goes wrong at the n-th question of its place, from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: Kind,
    pub(crate) n: u64,
}

/// The question that an answer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Hello,
    Begin,
    Predict,
}

macro_rules! kinds {
    ($($kind:ident $name:literal $place:ident;)*) => {
        /// A way to go wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind { $($kind,)* }

        impl Kind {
            pub(crate) fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$kind),)* _ => None }
            }

            pub(crate) fn place(self) -> Place {
                match self { $(Self::$kind => Place::$place,)* }
            }
        }
    };
}

kinds! {
    Hang "hang" Predict;
    Deaf "deaf" Predict;
    Exit "exit" Predict;
    Abort "abort" Predict;
    Segfault "segfault" Predict;
    Garbage "garbage" Predict;
    Blank "blank" Predict;
    HalfLine "half-line" Predict;
    Flood "flood" Predict;
    FloodOfAnswers "flood-of-answers" Predict;
    FloodAfterAnswer "flood-after-answer" Predict;
    Twice "twice" Predict;
    Babble "babble" Predict;
    ExitAfterAnswer "exit-after-answer" Predict;
    Late "late" Predict;
    WrongId "wrong-id" Predict;
    WrongType "wrong-type" Predict;
    UnknownField "unknown-field" Predict;
    Confidence "confidence" Predict;
    NotANumber "not-a-number" Predict;
    Million "million" Predict;
    TenThousand "ten-thousand" Predict;
    LongLine "long-line" Predict;
    NotUtf8 "not-utf8" Predict;
    Nul "nul" Predict;
    CloseStdout "close-stdout" Predict;
    Grandchild "grandchild" Predict;
    Escape "escape" Predict;
    ReportedError "error" Predict;
    FatalError "fatal-error" Predict;
    StderrFlood "stderr-flood" Predict;
    StderrLine "stderr-line" Predict;
    SlowHello "slow-hello" Hello;
    ExitHello "exit-hello" Hello;
    OtherProtocol "other-protocol" Hello;
    ErrorHello "error-hello" Hello;
    Changing "changing" Hello;
    ErrorBegin "error-begin" Begin;
    HangBegin "hang-begin" Begin;
    ExitBegin "exit-begin" Begin;
    BabbleBegin "babble-begin" Begin;
}

impl Kind {
    /// Goes wrong in place of a good answer, or after it.
    pub(crate) fn commit(self, options: &Options, id: u64, good: &Value) -> io::Result<()> {
        let line = good.to_string();
        match self {
            Self::Hang | Self::Deaf | Self::SlowHello | Self::HangBegin => hang(),
            Self::Late => {
                sleep(Duration::from_secs(4));
                say(options, line.as_bytes())
            }
            Self::Exit | Self::ExitHello | Self::ExitBegin => exit(3),
            Self::Abort => std::process::abort(),
            Self::Segfault => become_shell("kill -SEGV $$"),
            Self::CloseStdout => become_shell("exec >&-; exec sleep 10000"),
            Self::HalfLine => {
                let half = line.get(..line.len() / 2).unwrap_or_default();
                let mut output = io::stdout().lock();
                output.write_all(half.as_bytes())?;
                output.flush()?;
                exit(0)
            }
            Self::Flood => flood(b"Epoch 1: loss 0.1"),
            Self::FloodOfAnswers => flood(line.as_bytes()),
            Self::FloodAfterAnswer => {
                say(options, line.as_bytes())?;
                flood(b"Epoch 1: loss 0.1")
            }
            Self::Grandchild | Self::Escape => {
                grandchild(options, self == Self::Escape)?;
                exit(4)
            }
            Self::StderrFlood => {
                let piece = "a line of a log that nobody reads\n".repeat(1 << 10);
                let mut log = io::stderr().lock();
                for _ in 0..(100_000_000 / piece.len()) {
                    log.write_all(piece.as_bytes())?;
                }
                say(options, line.as_bytes())
            }
            Self::StderrLine => {
                writeln!(io::stderr(), "\u{1b}[31mwarning\u{1b}[0m: something is odd")?;
                say(options, line.as_bytes())
            }
            _ => {
                for line in self.lines(id, good) {
                    say(options, &line)?;
                }
                if self == Self::ExitAfterAnswer { exit(5) } else { Ok(()) }
            }
        }
    }

    /// What is said, where the fault is what is said.
    fn lines(self, id: u64, good: &Value) -> Vec<Vec<u8>> {
        let with = |key: &str, value: Value| {
            let mut changed = good.clone();
            if let Some(object) = changed.as_object_mut() {
                object.insert(key.to_owned(), value);
            }
            changed.to_string().into_bytes()
        };
        let text = || good.to_string().into_bytes();
        let action = "INPUT | Sheet1!A1 | 1";
        let confident = |confidence: Value| with("actions", json!([{"action": action, "confidence": confidence}]));
        let error = |fatal: bool| {
            let error = json!({"type": "error", "id": id, "message": "out of ideas", "kind": "ideas", "fatal": fatal,
                "raw": "hm"});
            error.to_string().into_bytes()
        };
        match self {
            Self::Garbage => vec![b"Loading weights \x1b[32m100 %\x1b[0m".to_vec(), text()],
            Self::Blank => vec![Vec::new(), text()],
            Self::Twice => vec![text(), text()],
            Self::Babble => vec![text(), b"done".to_vec()],
            Self::BabbleBegin => vec![b"done with the last one".to_vec(), text()],
            Self::WrongId => vec![with("id", json!(id + 1))],
            Self::WrongType => vec![json!({"type": "ready", "id": id}).to_string().into_bytes()],
            Self::UnknownField => vec![with("confidense", json!(0.5))],
            Self::Confidence => vec![confident(json!(1.5))],
            Self::NotANumber => {
                let line = String::from_utf8_lossy(&confident(json!(0.5))).replace("0.5", "NaN");
                vec![line.into_bytes()]
            }
            Self::Million => vec![with("actions", json!(vec!["X"; 1_000_000]))],
            Self::TenThousand => vec![with("actions", json!(vec![action; 10_000]))],
            Self::LongLine => vec![with("raw", json!("x".repeat(20 << 20)))],
            Self::NotUtf8 => vec![[text(), b"\xff\xfe".to_vec()].concat()],
            Self::Nul => vec![[b"\0\0".to_vec(), text()].concat()],
            Self::ReportedError | Self::ErrorHello | Self::ErrorBegin => vec![error(false)],
            Self::FatalError => vec![error(true)],
            Self::OtherProtocol => vec![with("protocol", json!("napsim-predictor/2"))],
            Self::Changing => vec![with("fingerprint", json!(std::process::id().to_string()))],
            _ => vec![text()],
        }
    }
}

fn hang() -> io::Result<()> {
    sleep(FOR_EVER);
    Ok(())
}

#[expect(clippy::exit, reason = "to end at once is the fault")]
fn exit(code: i32) -> io::Result<()> {
    let _ = writeln!(io::stderr(), "Traceback: no more memory\n");
    std::process::exit(code)
}

/// Says the same again and again, until the pipe is closed.
fn flood(line: &[u8]) -> io::Result<()> {
    let piece = [line, b"\n"].concat().repeat(100);
    let mut output = io::stdout().lock();
    loop {
        output.write_all(&piece)?;
    }
}

/// Goes on as a shell.
fn become_shell(script: &str) -> io::Result<()> {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    #[cfg(unix)]
    return Err(std::os::unix::process::CommandExt::exec(&mut command));
    #[cfg(not(unix))]
    command.status().map(drop)
}

/// Leaves a process behind that holds all pipes, perhaps in a group of its own.
fn grandchild(options: &Options, in_own_group: bool) -> io::Result<()> {
    let mut command = Command::new("sleep");
    command.arg("10000").stdin(Stdio::inherit());
    #[cfg(unix)]
    if in_own_group {
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
    }
    let child = command.spawn()?;
    note(options.pids.as_deref(), &child.id().to_string())
}
