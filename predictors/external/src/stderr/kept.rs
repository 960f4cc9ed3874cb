//! The beginning and the end of a text.

use std::collections::VecDeque;

/// Most bytes of the beginning, and of the end, that are kept.
const PART_BYTES_MAX: usize = 64 << 10;

/// What programs wrote to their standard error during a trajectory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StderrText {
    /// The text; where it is long, its beginning, a line that says how much was left out, and its end. What is no UTF-8
    /// is replaced by U+FFFD.
    pub text: String,
    /// How many bytes were left out.
    pub n_bytes_left_out: u64,
}

/// A text of which beginning and end are kept.
#[derive(Debug, Default)]
pub(super) struct Kept {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    n_left_out: u64,
}

impl Kept {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let n_head = bytes.len().min(PART_BYTES_MAX.saturating_sub(self.head.len()));
        let (head, rest) = bytes.split_at(n_head);
        self.head.extend_from_slice(head);
        let n_skipped = rest.len().saturating_sub(PART_BYTES_MAX);
        let (skipped, rest) = rest.split_at(n_skipped);
        let n_too_many = (self.tail.len() + rest.len()).saturating_sub(PART_BYTES_MAX);
        self.tail.drain(..n_too_many);
        self.tail.extend(rest);
        self.n_left_out += (skipped.len() + n_too_many) as u64;
    }

    /// The last bytes, from the beginning of a character on.
    pub(super) fn tail(&self, n_bytes: usize) -> String {
        let n_of_tail = n_bytes.min(self.tail.len());
        let n_of_head = if self.n_left_out == 0 { n_bytes - n_of_tail } else { 0 };
        let head = self.head.iter().skip(self.head.len().saturating_sub(n_of_head));
        let tail = self.tail.iter().skip(self.tail.len() - n_of_tail);
        let bytes = head.chain(tail).copied();
        let is_cut = (self.head.len() + self.tail.len()) > n_bytes;
        let is_inside = |byte: &u8| is_cut && byte & 0b1100_0000 == 0b1000_0000;
        let bytes: Vec<u8> = bytes.skip_while(is_inside).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The whole, if there is any.
    pub(super) fn into_text(self) -> Option<StderrText> {
        let Self {
            mut head,
            tail,
            n_left_out,
        } = self;
        if n_left_out == 0 {
            head.extend(tail);
            let text = String::from_utf8_lossy(&head).into_owned();
            return (!text.is_empty()).then_some(StderrText {
                text,
                n_bytes_left_out: 0,
            });
        }
        let tail: Vec<u8> = tail.into();
        let text = format!(
            "{}\n[{n_left_out} bytes left out]\n{}",
            String::from_utf8_lossy(&head),
            String::from_utf8_lossy(&tail)
        );
        Some(StderrText {
            text,
            n_bytes_left_out: n_left_out,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(pieces: &[&[u8]]) -> Kept {
        let mut kept = Kept::default();
        pieces.iter().for_each(|piece| kept.push(piece));
        kept
    }

    #[test]
    fn short_texts_are_kept_whole() {
        assert!(kept(&[]).into_text().is_none());
        let long = vec![b'a'; 2 * PART_BYTES_MAX];
        for pieces in [
            &[b"ab".as_slice(), b"", b"c"][..],
            &[&long],
            &[&long[..100], &long[100..]],
        ] {
            let text = kept(pieces).into_text().unwrap();
            assert_eq!(text.text.as_bytes(), pieces.concat());
            assert_eq!(text.n_bytes_left_out, 0);
        }
    }

    #[test]
    fn long_texts_keep_beginning_and_end() {
        let line = |idx: usize| format!("line {idx:09}\n").into_bytes();
        let all: Vec<u8> = (0..100_000).flat_map(line).collect();
        for piece in [1, 7, 1_000, 100_000, all.len()] {
            let pieces: Vec<&[u8]> = all.chunks(piece).collect();
            let kept = kept(&pieces);
            assert_eq!(kept.tail(15), "line 000099999\n");
            let text = kept.into_text().unwrap();
            assert_eq!(text.n_bytes_left_out, (all.len() - 2 * PART_BYTES_MAX) as u64);
            assert!(text.text.starts_with("line 000000000\n"));
            assert!(text.text.ends_with("line 000099999\n"));
            assert!(
                text.text
                    .contains(&format!("\n[{} bytes left out]\n", text.n_bytes_left_out))
            );
            assert!(text.text.len() < 2 * PART_BYTES_MAX + 100);
        }
    }

    #[test]
    fn ends_begin_with_a_character() {
        let kept = kept(&["äöü".as_bytes()]);
        for (n_bytes, end) in [
            (0, ""),
            (1, ""),
            (2, "ü"),
            (3, "ü"),
            (4, "öü"),
            (6, "äöü"),
            (100, "äöü"),
        ] {
            assert_eq!(kept.tail(n_bytes), end, "{n_bytes}");
        }
    }
}
