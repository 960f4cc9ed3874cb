//! The pipes of a program, each on a thread of its own, so that none of them can hold us up.
//!
//! Nobody waits for these threads: whatever a program has left behind may hold a pipe open for ever. They end with their
//! pipes, or once nobody listens.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use crate::message::ANSWER_BYTES_MAX;

/// How many messages may wait for a program to read them. It has read all of them but the last when it answers.
const OUTBOX_LENGTH: usize = 8;

/// What comes from a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// A line, without its line feed.
    Line(Vec<u8>),
    /// How a line begins that is longer than an answer may be; nothing is read after it.
    TooLong(Vec<u8>),
    /// The end, perhaps after a piece of a line.
    Closed(Vec<u8>),
    /// The pipe cannot be read.
    Broken(String),
}

/// Has a thread write what is put into the sender; the pipe is closed when the sender is dropped.
pub(super) fn writer(mut pipe: impl Write + Send + 'static) -> io::Result<SyncSender<Vec<u8>>> {
    let (sender, receiver) = sync_channel::<Vec<u8>>(OUTBOX_LENGTH);
    on_thread("napsim-to-predictor", move || {
        for message in receiver {
            // A program that does not read any more is noticed by what it answers.
            if pipe.write_all(&message).and_then(|()| pipe.flush()).is_err() {
                return;
            }
        }
    })?;
    Ok(sender)
}

/// Has a thread read lines. Only one waits at a time, so that a program which says too much is held up by its pipe.
pub(super) fn reader(pipe: impl Read + Send + 'static) -> io::Result<Receiver<Output>> {
    let (sender, receiver) = sync_channel(1);
    on_thread("napsim-from-predictor", move || {
        let mut pipe = BufReader::with_capacity(64 << 10, pipe);
        loop {
            let output = next(&mut pipe, ANSWER_BYTES_MAX);
            let is_last = !matches!(output, Output::Line(_));
            if sender.send(output).is_err() || is_last {
                return;
            }
        }
    })?;
    Ok(receiver)
}

pub(super) fn on_thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name(name.to_owned())
        .stack_size(256 << 10)
        .spawn(work)
        .map(drop)
}

/// The next line of at most so many bytes.
fn next(pipe: &mut impl BufRead, bytes_max: usize) -> Output {
    let mut line = Vec::new();
    // One byte more for the line feed.
    let result = pipe.take(bytes_max as u64 + 1).read_until(b'\n', &mut line);
    match result {
        Err(error) => Output::Broken(error.to_string()),
        Ok(_) if line.last() == Some(&b'\n') => {
            line.pop();
            Output::Line(line)
        }
        Ok(_) if line.len() > bytes_max => {
            line.truncate(1 << 10);
            line.shrink_to_fit();
            Output::TooLong(line)
        }
        Ok(_) => Output::Closed(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded() {
        let all = |mut bytes: &[u8]| -> Vec<Output> {
            let mut outputs = Vec::new();
            loop {
                outputs.push(next(&mut bytes, 4));
                if !matches!(outputs.last(), Some(Output::Line(_))) {
                    return outputs;
                }
            }
        };
        let line = |text: &[u8]| Output::Line(text.to_vec());
        let closed = |text: &[u8]| Output::Closed(text.to_vec());
        assert_eq!(all(b""), [closed(b"")]);
        assert_eq!(all(b"\n"), [line(b""), closed(b"")]);
        assert_eq!(all(b"four\nx"), [line(b"four"), closed(b"x")]);
        assert_eq!(all(b"four"), [closed(b"four")]);
        assert_eq!(all(b"\xff\0\n"), [line(b"\xff\0"), closed(b"")]);
        assert_eq!(all(b"fives\n"), [Output::TooLong(b"fives".to_vec())]);
        assert_eq!(all(&[b'x'; 100]), [Output::TooLong(b"xxxxx".to_vec())]);
    }
}
