//! What stands below the sheet of an animated picture, and the frames around what is acted on.

use super::super::frames::Frame;
use super::super::{shortened, text};
use super::Drawing;
use crate::film::step::Step;

/// Colours and words of what the user does and of what is proposed.
const USER: (&str, &str) = ("#1d4ed8", "● user");
const PROPOSAL: (&str, &str) = ("#0a7f4f", "✓ accepted proposal");

impl Drawing<'_> {
    /// A frame and a line of text for each picture, and a bar that grows.
    pub(in super::super) fn captions(&mut self, frames: &[Frame], sheet: u32) {
        let (bottom, width) = (self.layout.bottom(), self.layout.width());
        let bar = width - 24;
        let n_frames = u32::try_from(frames.len()).unwrap_or(u32::MAX).max(1);
        self.add(format_args!(
            "<rect x=\"12\" y=\"{}\" width=\"{bar}\" height=\"6\" rx=\"3\" fill=\"#d9dee4\"/>",
            bottom + 10
        ));
        for (idx, (frame, part)) in frames.iter().zip(0..).enumerate() {
            let (color, who) = if frame.is_proposal { PROPOSAL } else { USER };
            let (from, to) = (12 + bar * part / n_frames, 12 + bar * (part + 1) / n_frames);
            let class = self.style.class(idx, None);
            self.open(&class);
            self.add(format_args!(
                "<rect x=\"{from}\" y=\"{}\" width=\"{}\" height=\"6\" fill=\"{color}\"/></g>",
                bottom + 10,
                to - from
            ));
            let class = self.style.class(idx, Some(idx + 1));
            self.open(&class);
            let actions = self.actions(frame);
            for (range, on) in &actions.ranges {
                if let Some([x, y, w, h]) = self.layout.place(*range).filter(|_| *on == sheet) {
                    let dashes = if frame.is_proposal {
                        " stroke-dasharray=\"5 3\""
                    } else {
                        ""
                    };
                    self.add(format_args!(
                        "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{color}\" fill-opacity=\".12\" \
                         stroke=\"{color}\" stroke-width=\"2\"{dashes}/>"
                    ));
                }
            }
            let told = text(&shortened(&actions.told, (width - 250) / 7));
            self.caption(color, who, &told, &format!("step {} of {}", frame.number, frame.n));
            self.svg.push_str("</g>\n");
        }
        let class = self.style.class(self.style.end(), None);
        self.open(&class);
        let told = text(&self.film.conclusion());
        self.caption("#16191d", "■ done", &told, "");
        self.svg.push_str("</g>\n");
    }

    fn caption(&mut self, color: &str, who: &str, told: &str, step: &str) {
        let (y, right) = (self.layout.bottom() + 38, self.layout.width() - 12);
        self.add(format_args!(
            "<text x=\"12\" y=\"{y}\" font-weight=\"700\" fill=\"{color}\">{who}</text>\
             <text x=\"{}\" y=\"{y}\" fill=\"#16191d\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"11\">{told}</text>\
             <text x=\"{right}\" y=\"{y}\" text-anchor=\"end\" fill=\"#5b6570\">{step}</text>",
            if who.len() > 12 { 142 } else { 68 }
        ));
    }

    /// The ranges of a picture's actions with their sheets, and its first action as text.
    fn actions(&self, frame: &Frame) -> Told {
        let numbers = match self.film.steps.get(frame.label) {
            Some(Step::User(step)) => vec![step.action],
            Some(Step::Proposal(step)) => step.predicted.clone(),
            _ => Vec::new(),
        };
        let actions = numbers.iter().filter_map(|number| self.film.names.actions.get(*number));
        let ranges = actions.clone().map(|action| (action.3, action.2)).collect();
        let mut texts = actions.map(|action| action.0.as_str());
        let first = texts.next().unwrap_or_default();
        let more = match texts.count() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        Told {
            ranges,
            told: format!("{first}{more}"),
        }
    }
}

/// What a picture tells of its actions.
struct Told {
    ranges: Vec<([u32; 4], u32)>,
    told: String,
}
