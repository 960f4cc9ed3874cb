//! One connection: requests are read and answered one after the other.

use std::io::{self, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::answer::{Answer, Step, whole};
use crate::request::{read_last_byte, read_request};
use crate::server::Shared;

/// Longest sleep before it is asked whether the server stops.
const POLL: Duration = Duration::from_millis(5);

/// What becomes of a connection after an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Keep,
    Close,
    /// Closed while a byte of the request is left in it, which resets it.
    Reset,
}

/// Serves a connection until either side ends it.
pub(crate) fn serve(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    while let Some(request) = read_request(&mut stream)? {
        let has_body = !request.body.is_empty();
        let answer = shared.answer(request);
        let after = send(&mut stream, answer, shared)?;
        match after {
            After::Keep => {}
            After::Reset => return Ok(()),
            After::Close => return read_last_byte(&mut stream, has_body),
        }
        read_last_byte(&mut stream, has_body)?;
    }
    Ok(())
}

fn send(stream: &mut TcpStream, answer: Answer, shared: &Shared) -> io::Result<After> {
    match answer {
        Answer::Whole { status, headers, body } => {
            write(stream, &whole(status, &headers, &body), shared)?;
            Ok(After::Keep)
        }
        Answer::Late(wait, answer) => {
            sleep(wait, shared)?;
            send(stream, *answer, shared)
        }
        Answer::Script(steps) => {
            for step in steps {
                if step == Step::Reset {
                    return Ok(After::Reset);
                }
                run(stream, step, shared)?;
            }
            Ok(After::Close)
        }
    }
}

fn run(stream: &mut TcpStream, step: Step, shared: &Shared) -> io::Result<()> {
    match step {
        Step::Write(bytes) => write(stream, &bytes, shared),
        Step::Drip(bytes, pause) => bytes.iter().try_for_each(|byte| {
            write(stream, &[*byte], shared)?;
            sleep(pause, shared)
        }),
        Step::Repeat { bytes, times, pause } => {
            let mut n_times = 0;
            while times.is_none_or(|times| n_times < times) {
                write(stream, &bytes, shared)?;
                sleep(pause, shared)?;
                n_times += 1;
            }
            Ok(())
        }
        Step::Wait(wait) => sleep(wait, shared),
        Step::Reset => Ok(()),
    }
}

fn write(stream: &mut TcpStream, bytes: &[u8], shared: &Shared) -> io::Result<()> {
    stream.write_all(bytes)?;
    shared.sent(bytes.len());
    Ok(())
}

/// Sleeps, unless the server stops.
fn sleep(time: Duration, shared: &Shared) -> io::Result<()> {
    let end = Instant::now() + time;
    loop {
        if shared.is_stopped() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        thread::sleep(left.min(POLL));
    }
}
