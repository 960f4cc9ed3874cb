//! Bodies of answers, unpacked and no longer than allowed.

use std::io::{self, Write};

use flate2::write::MultiGzDecoder;

/// What is wrong with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BodyError {
    /// It is longer than allowed.
    TooLarge,
    /// It is compressed in this way, which nobody asked for.
    Encoding(String),
    /// It cannot be unpacked.
    Broken(String),
}

/// A body that comes in piece by piece. It takes no more memory than the longest body may have, packed or not.
pub(super) struct Body {
    bytes_max: u64,
    /// Bytes that came in, as they were sent.
    received: u64,
    sink: Sink,
}

enum Sink {
    Plain(Bounded),
    Gzip(Box<MultiGzDecoder<Bounded>>),
}

impl Body {
    /// A body with this `Content-Encoding`, and this `Content-Length` if the server tells one.
    pub(super) fn new(encoding: Option<&str>, length: Option<u64>, bytes_max: u64) -> Result<Self, BodyError> {
        if length.is_some_and(|length| length > bytes_max) {
            return Err(BodyError::TooLarge);
        }
        let bounded = Bounded {
            bytes: Vec::new(),
            bytes_max: usize::try_from(bytes_max).unwrap_or(usize::MAX),
        };
        let encoding = encoding.unwrap_or_default().trim();
        let is = |name| encoding.eq_ignore_ascii_case(name);
        let sink = if encoding.is_empty() || is("identity") {
            Sink::Plain(bounded)
        } else if is("gzip") || is("x-gzip") {
            Sink::Gzip(Box::new(MultiGzDecoder::new(bounded)))
        } else {
            return Err(BodyError::Encoding(encoding.to_owned()));
        };
        Ok(Self {
            bytes_max,
            received: 0,
            sink,
        })
    }

    /// Takes the next piece.
    pub(super) fn push(&mut self, piece: &[u8]) -> Result<(), BodyError> {
        self.received = self.received.saturating_add(piece.len() as u64);
        if self.received > self.bytes_max {
            return Err(BodyError::TooLarge);
        }
        match &mut self.sink {
            Sink::Plain(bounded) => bounded.write_all(piece),
            Sink::Gzip(decoder) => decoder.write_all(piece),
        }
        .map_err(|error| body_error(&error))
    }

    /// The whole of it, after the last piece.
    pub(super) fn finish(self) -> Result<Vec<u8>, BodyError> {
        match self.sink {
            Sink::Plain(bounded) => Ok(bounded.bytes),
            // Nothing at all is an empty body, packed or not.
            Sink::Gzip(_) if self.received == 0 => Ok(Vec::new()),
            Sink::Gzip(decoder) => match decoder.finish() {
                Ok(bounded) => Ok(bounded.bytes),
                Err(error) => Err(body_error(&error)),
            },
        }
    }
}

fn body_error(error: &io::Error) -> BodyError {
    match error.kind() {
        io::ErrorKind::FileTooLarge => BodyError::TooLarge,
        io::ErrorKind::UnexpectedEof => BodyError::Broken("its gzip data ends early".to_owned()),
        _ => BodyError::Broken(format!("its gzip data is broken: {error}")),
    }
}

/// Bytes up to a number of them.
struct Bounded {
    bytes: Vec<u8>,
    bytes_max: usize,
}

impl Write for Bounded {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let length = self.bytes.len().saturating_add(piece.len());
        if length > self.bytes_max {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if length > self.bytes.capacity() {
            // Twice as much as before, as vectors grow, but not above the limit.
            let capacity = length.max(self.bytes.capacity().saturating_mul(2)).min(self.bytes_max);
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        self.bytes.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn read(encoding: Option<&str>, bytes: &[u8], bytes_max: u64) -> Result<Vec<u8>, BodyError> {
        let mut body = Body::new(encoding, None, bytes_max)?;
        bytes.chunks(7).try_for_each(|piece| body.push(piece))?;
        body.finish()
    }

    #[test]
    fn bodies_are_taken_plain_or_packed() {
        let text = "plain text ".repeat(100).into_bytes();
        for encoding in [None, Some(""), Some("identity"), Some(" Identity ")] {
            assert_eq!(read(encoding, &text, 1_100).as_ref(), Ok(&text));
        }
        for encoding in ["gzip", "x-gzip", "GZIP"] {
            assert_eq!(read(Some(encoding), &gzip(&text), 1_100).as_ref(), Ok(&text));
        }
        let two = [gzip(&text), gzip(&text)].concat();
        assert_eq!(read(Some("gzip"), &two, 2_200).map(|bytes| bytes.len()), Ok(2_200));
        assert_eq!(read(Some("gzip"), &[], 10), Ok(Vec::new()));
        for encoding in ["br", "deflate", "gzip, gzip", "zstd"] {
            let error = read(Some(encoding), &text, 1_100);
            assert_eq!(error, Err(BodyError::Encoding(encoding.to_owned())));
        }
    }

    #[test]
    fn no_body_is_longer_than_allowed() {
        let text = vec![b'x'; 1_000];
        assert_eq!(read(None, &text, 1_000).map(|bytes| bytes.len()), Ok(1_000));
        assert_eq!(read(None, &text, 999), Err(BodyError::TooLarge));
        assert_eq!(read(Some("gzip"), &gzip(&text), 999), Err(BodyError::TooLarge));
        assert!(matches!(Body::new(None, Some(1_001), 1_000), Err(BodyError::TooLarge)));
        // Data that unpacks to nothing at all is bounded as well.
        let nothing = gzip(&[]).repeat(1_000);
        assert_eq!(read(Some("gzip"), &nothing, 999), Err(BodyError::TooLarge));
    }

    #[test]
    fn bombs_take_no_memory() {
        let bomb = gzip(&vec![0; 64 << 20]);
        let mut body = Body::new(Some("gzip"), None, 1 << 20).unwrap();
        let error = bomb.chunks(1_000).try_for_each(|piece| body.push(piece));
        assert_eq!(error, Err(BodyError::TooLarge));
        let Sink::Gzip(decoder) = &body.sink else {
            panic!("it is packed")
        };
        assert!(decoder.get_ref().bytes.capacity() <= 1 << 20);
    }

    #[test]
    fn broken_data_is_told_from_short_data() {
        let packed = gzip(&"some text ".repeat(100).into_bytes());
        let short = read(Some("gzip"), &packed[..packed.len() - 9], 10_000);
        assert!(
            matches!(&short, Err(BodyError::Broken(reason)) if reason.contains("early")),
            "{short:?}"
        );
        let other = read(Some("gzip"), b"{\"plain\": \"text\", \"for\": \"sure\"}", 10_000);
        assert!(
            matches!(&other, Err(BodyError::Broken(reason)) if reason.contains("broken")),
            "{other:?}"
        );
        let mut flipped = packed.clone();
        let at = flipped.len() - 6;
        flipped[at] ^= 1;
        assert!(matches!(
            read(Some("gzip"), &flipped, 10_000),
            Err(BodyError::Broken(_))
        ));
    }
}
