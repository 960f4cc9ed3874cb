//! The keyframes of an animated picture: what is visible in which pictures.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Collects which spans of pictures are needed and writes their keyframes.
#[derive(Debug)]
pub(super) struct Style {
    n_frames: usize,
    frame_seconds: f64,
    seconds: f64,
    /// Names by first picture and the picture from which on it is over.
    names: BTreeMap<(usize, Option<usize>), String>,
}

impl Style {
    /// The style of so many pictures and of the end after them, which is one picture more.
    pub(super) fn new(n_frames: usize, frame_seconds: f64, end_seconds: f64) -> Self {
        let frame_seconds = frame_seconds.clamp(0.05, 60.0);
        #[expect(clippy::cast_precision_loss, reason = "there are few pictures")]
        let seconds = frame_seconds * n_frames as f64 + end_seconds;
        Self {
            n_frames,
            frame_seconds,
            seconds,
            names: BTreeMap::new(),
        }
    }

    /// The index of the end.
    pub(super) fn end(&self) -> usize {
        self.n_frames
    }

    /// The class of what is visible from one picture on and, if told, no longer from another on.
    pub(super) fn class(&mut self, from: usize, to: Option<usize>) -> String {
        if from == 0 && to.is_none() {
            return String::new();
        }
        let next = format!("a{}", self.names.len());
        self.names.entry((from, to)).or_insert(next).clone()
    }

    /// The rules. What ends before the end is hidden from those who want no motion, and all else is visible.
    pub(super) fn sheet(&self) -> String {
        let mut rules = String::new();
        #[expect(clippy::cast_precision_loss, reason = "there are few pictures")]
        let percent = |frame: usize| format!("{:.3}%", 100.0 * self.frame_seconds * frame as f64 / self.seconds);
        for ((from, to), name) in &self.names {
            let mut frames = String::new();
            if *from > 0 {
                frames.push_str("0%{visibility:hidden}");
            }
            let _ = write!(frames, "{}{{visibility:visible}}", percent(*from));
            if let Some(to) = to {
                let _ = write!(frames, "{}{{visibility:hidden}}", percent(*to));
            }
            let hidden = if to.is_some() { "visibility:hidden;" } else { "" };
            let _ = write!(
                rules,
                "@keyframes {name}{{{frames}}}.{name}{{{hidden}animation:{name} {:.2}s step-end infinite}}",
                self.seconds
            );
        }
        rules.push_str("@media(prefers-reduced-motion:reduce){*{animation:none!important}}");
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyframes_show_what_is_to_be_seen() {
        let mut style = Style::new(4, 0.5, 3.0);
        assert_eq!(style.class(0, None), "");
        assert_eq!(
            [style.class(1, None), style.class(0, Some(2)), style.class(1, None)],
            ["a0", "a1", "a0"]
        );
        assert_eq!(
            style.sheet(),
            "@keyframes a1{0.000%{visibility:visible}20.000%{visibility:hidden}}\
             .a1{visibility:hidden;animation:a1 5.00s step-end infinite}\
             @keyframes a0{0%{visibility:hidden}10.000%{visibility:visible}}\
             .a0{animation:a0 5.00s step-end infinite}\
             @media(prefers-reduced-motion:reduce){*{animation:none!important}}"
        );
        assert_eq!(style.end(), 4);
    }
}
