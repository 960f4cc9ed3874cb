//! A child process with all that it starts.

use std::fmt;
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// First and longest pause between two looks at a process that is to end.
const LOOK_MIN: Duration = Duration::from_micros(200);
const LOOK_MAX: Duration = Duration::from_millis(10);

/// How long a killed process may take to disappear.
const KILLED_WITHIN: Duration = Duration::from_secs(2);

/// A child process. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// How it ended, once it has been seen to the end.
    ended: Option<Ended>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// By itself, perhaps because of a signal that was not ours.
    ByItself(ExitStatus),
    /// It was killed.
    Killed,
}

impl Ended {
    /// Whether it ended by itself and found that all was well.
    pub(crate) fn is_success(self) -> bool {
        matches!(self, Self::ByItself(status) if status.success())
    }
}

impl Process {
    /// Starts a program with pipes; on Unix as the head of a group of its own.
    pub(super) fn start(words: &[String]) -> io::Result<Self> {
        let (program, arguments) = words
            .split_first()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn()?;
        Ok(Self { child, ended: None })
    }

    /// The child, for its pipes.
    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Whether it has ended by itself within a time. Its number is not free for others yet.
    pub(super) fn ends_within(&mut self, at_most: Duration) -> bool {
        let deadline = Instant::now() + at_most;
        let mut look = LOOK_MIN;
        while self.ended.is_none() && !self.has_ended() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            sleep(look.min(left));
            look = (2 * look).min(LOOK_MAX);
        }
        true
    }

    /// Kills it with all that it has started, and says how it ended: by itself before, or not.
    pub(super) fn kill(&mut self) -> Ended {
        if let Some(ended) = self.ended {
            return ended;
        }
        let by_itself = self.ends_within(Duration::ZERO);
        // The group goes before its head is buried, as long as the number cannot be another's.
        self.kill_group();
        let status = self.bury().filter(|_| by_itself);
        *self.ended.insert(status.map_or(Ended::Killed, Ended::ByItself))
    }

    #[cfg(unix)]
    fn has_ended(&self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None))
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    #[cfg(unix)]
    fn kill_group(&self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        // Whoever is gone already need not be killed.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
    }

    #[cfg(not(unix))]
    fn kill_group(&mut self) {
        let _ = self.child.kill();
    }

    /// Takes the status of a process that is dead or dying. One that the system holds on to is left to itself.
    fn bury(&mut self) -> Option<ExitStatus> {
        self.ends_within(KILLED_WITHIN)
            .then(|| self.child.try_wait().ok().flatten())
            .flatten()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

impl fmt::Display for Ended {
    /// Such as `ended with code 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self {
            Self::Killed => return f.write_str("was killed"),
            Self::ByItself(status) => status,
        };
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(status) {
            return match signal_name(signal) {
                Some(name) => write!(f, "was ended by signal {signal} ({name})"),
                None => write!(f, "was ended by signal {signal}"),
            };
        }
        match status.code() {
            Some(code) => write!(f, "ended with code {code}"),
            None => f.write_str("ended"),
        }
    }
}

/// Names of the signals by which programs usually end.
#[cfg(unix)]
fn signal_name(signal: i32) -> Option<&'static str> {
    use rustix::process::Signal;
    let names = [
        (Signal::HUP, "hangup"),
        (Signal::INT, "interrupted"),
        (Signal::ILL, "illegal instruction"),
        (Signal::ABORT, "aborted"),
        (Signal::BUS, "bus error"),
        (Signal::FPE, "arithmetic error"),
        (Signal::KILL, "killed, perhaps for want of memory"),
        (Signal::SEGV, "segmentation fault"),
        (Signal::PIPE, "broken pipe"),
        (Signal::TERM, "terminated"),
    ];
    let mut names = names.into_iter();
    names.find(|(named, _)| named.as_raw() == signal).map(|(_, name)| name)
}
