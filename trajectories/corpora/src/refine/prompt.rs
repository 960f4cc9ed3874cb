//! What a language model in the role of editor or judge is told (spec chapter 04, section 3.3).
//!
//! Plain texts: a client sends the system text and the user text of a request and hands what comes back to
//! [`EditReply::from_json`](super::EditReply::from_json) or [`Verdict::from_json`](super::Verdict::from_json).

use std::collections::BTreeMap;

use napsim_trajectories::{Action, Keyword};

use super::{EditRequest, JudgeRequest};

/// The editor's task and the form of its reply.
pub fn editor_system() -> String {
    "You are given the steps by which a spreadsheet was built, one step a line. A program worked them out from the \
     finished sheet, so they are right but read like a machine's. Rewrite them so that they read like the work of a \
     practised person: change as little as needed, and let the finished sheet stay exactly as it is, in content, \
     formats, borders and merges. Your steps are replayed and compared with the finished sheet cell by cell.\n\n\
     You may leave out formatting that serves nobody, if you list it under `ignore`. You may put an obvious slip in the \
     content right, if you list it under `corrections`. Nothing else may differ.\n\n\
     Reply with one JSON object and nothing around it:\n\
     {\"operations\": [every step of the whole new sequence, in order, each a text in the notation],\n \
     \"ignore\": [{\"operation\": kind of step, \"ranges\": [range, …]}],\n \
     \"corrections\": [{\"cell\": cell, \"property\": \"value\", \"from\": what is there, \"to\": what should be, \
     \"reason\": why}],\n \
     \"rationale\": what you changed and why, in a sentence or two}\n\
     Leave `ignore` and `corrections` empty unless you need them. Add no other keys."
        .to_owned()
}

/// What the editor works on: the notation, the current steps and the notes on earlier replies.
pub fn editor_user(request: &EditRequest<'_>) -> String {
    let mut text = format!(
        "The notation has one step a line, `KIND | Sheet!Range | value`. Its kinds:\n{}\n\nThe steps as they are now ({}):\n{}\n",
        catalogue(),
        request.current.len(),
        numbered(request.current)
    );
    if !request.feedback.is_empty() {
        text.push_str("\nWhat came of your earlier replies, the latest last:\n");
        for (note_no, note) in (1..).zip(request.feedback) {
            text.push_str(&format!("\nNote {note_no} ({}): {}\n", note.kind(), note.text()));
        }
    }
    text.push_str("\nThe numbers before the steps are for reference; leave them out of your reply.\n");
    text
}

/// The judge's measure and the form of its reply.
pub fn judge_system() -> String {
    "You are given the steps by which a spreadsheet was built. They have been checked: they lead to the right sheet. Say \
     whether a practised person could have worked this way. People differ, so reject only what is clearly odd. Look at:\n\
     - Order: what a formula needs is there before the formula, and a table is built in some direction.\n\
     - Typing: labels and formulas come one by one; only dense blocks of like data (about 64 cells and more) are pasted \
     whole, and gaps in them are fine; series are typed or filled.\n\
     - Formats: large ranges are formatted once it is clear how far they go; formats away from all content, and formats \
     that only spell out defaults (font, size, alignment, white fill), are noise.\n\
     - Economy: equal formats of adjacent ranges are set together; four alike sides are one border, and three of four \
     are suspicious; repeated parts are copied and formulas are filled.\n\
     - Merges: close to the typing of their text, and before wrapping.\n\
     - Legibility: on a dark fill a light font follows soon.\n\
     - Declared corrections must put real slips right and nothing else.\n\n\
     Reply with one JSON object and nothing around it:\n\
     {\"verdict\": \"accept\" or \"reject\", \"reasons\": [what is odd, each with the number of its step], \
     \"edits\": [what to do about it, each so concrete that it can be done without asking]}\n\
     Add no other keys."
        .to_owned()
}

/// What the judge looks at: the steps, how they differ from the first ones, and what they do otherwise on purpose.
pub fn judge_user(request: &JudgeRequest<'_>) -> String {
    let mut text = String::new();
    if request.iteration > 0 {
        let (gone, new) = set_difference(request.baseline, request.candidate);
        text.push_str(&format!(
            "This is rewrite {}. Against the first sequence {} steps are gone and {} are new.\n",
            request.iteration,
            gone.len(),
            new.len()
        ));
        for (heading, steps) in [("Gone", gone), ("New", new)] {
            if !steps.is_empty() {
                text.push_str(&format!("{heading}:\n{}\n", steps.join("\n")));
            }
        }
    }
    if !request.declared.is_empty() {
        // Declarations hold texts and plain values alone, which always can be written.
        let declared = serde_json::to_string(request.declared).unwrap_or_default();
        text.push_str(&format!("Declared differences from the sheet: {declared}\n"));
    }
    let n_steps = request.candidate.len();
    text.push_str(&format!("The steps ({n_steps}):\n{}\n", numbered(request.candidate)));
    text
}

fn numbered(actions: &[Action]) -> String {
    let lines = (1..)
        .zip(actions)
        .map(|(step_no, action)| format!("{step_no}: {action}"));
    lines.collect::<Vec<String>>().join("\n")
}

/// Texts of one sequence that the other lacks, each as often as it lacks it, both ways.
fn set_difference(before: &[Action], after: &[Action]) -> (Vec<String>, Vec<String>) {
    let mut balance: BTreeMap<String, i64> = BTreeMap::new();
    for action in before {
        *balance.entry(action.to_string()).or_default() -= 1;
    }
    for action in after {
        *balance.entry(action.to_string()).or_default() += 1;
    }
    let repeated = |wanted: fn(i64) -> bool| -> Vec<String> {
        let texts = balance.iter().filter(|(_, n)| wanted(**n));
        texts
            .flat_map(|(text, n)| std::iter::repeat_n(text.clone(), usize::try_from(n.abs()).unwrap_or(0)))
            .collect()
    };
    (repeated(|n| n < 0), repeated(|n| n > 0))
}

/// One line on each kind of step, in alphabetical order.
pub fn catalogue() -> String {
    let mut lines: Vec<String> = Keyword::ALL
        .iter()
        .filter_map(|keyword| describe(*keyword))
        .map(str::to_owned)
        .collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// Meaning and example of a kind; none for those that stand for another kind or that nobody types.
fn describe(keyword: Keyword) -> Option<&'static str> {
    Some(match keyword {
        Keyword::Input => "INPUT types a value, a formula or a block (a list of rows): INPUT | Sheet1!A2 | \"=B2*C2\"",
        Keyword::PasteFrom => {
            "PASTE_FROM pastes from a range, mode all, values, formulas or formats: PASTE_FROM | Sheet1!A9:C12 | Sheet1!A2:C5 | all"
        }
        Keyword::Autofill => {
            "AUTOFILL drags the last field, which lies at an end of the range, over the range: AUTOFILL | Sheet1!D2:D20 | Sheet1!D2"
        }
        Keyword::Merge => "MERGE merges a range, or with false takes merging back: MERGE | Sheet1!A1:F1 | true",
        Keyword::NumberFormat => "NUMBER_FORMAT sets a format code: NUMBER_FORMAT | Sheet1!B2:B20 | 0.00%",
        Keyword::FillColor => "FILL_COLOR fills cells: FILL_COLOR | Sheet1!A1:F1 | #DDEBF7",
        Keyword::FontName => "FONT_NAME sets the font: FONT_NAME | Sheet1!A1 | \"Arial\"",
        Keyword::FontSize => "FONT_SIZE sets the size in points: FONT_SIZE | Sheet1!A1 | 14",
        Keyword::FontBold => "FONT_BOLD turns bold on or off: FONT_BOLD | Sheet1!A1:F1 | true",
        Keyword::FontItalic => "FONT_ITALIC turns italics on or off: FONT_ITALIC | Sheet1!A22 | true",
        Keyword::FontUnderline => "FONT_UNDERLINE underlines, single or double: FONT_UNDERLINE | Sheet1!A1 | single",
        Keyword::FontColor => "FONT_COLOR colours the text: FONT_COLOR | Sheet1!A1:F1 | #FFFFFF",
        Keyword::AlignHorizontal => {
            "ALIGN_HORIZONTAL aligns left, center, right …: ALIGN_HORIZONTAL | Sheet1!A1:F1 | center"
        }
        Keyword::AlignVertical => "ALIGN_VERTICAL aligns top, center or bottom: ALIGN_VERTICAL | Sheet1!A1:F1 | center",
        Keyword::WrapText => "WRAP_TEXT turns wrapping on or off: WRAP_TEXT | Sheet1!B3:B20 | true",
        Keyword::TextOrientation => "TEXT_ORIENTATION turns text by degrees: TEXT_ORIENTATION | Sheet1!B1:F1 | 90",
        Keyword::BorderAll => {
            "BORDER_ALL draws all sides of every cell: BORDER_ALL | Sheet1!A3:F20 | Thin, Continuous, #000000"
        }
        Keyword::BorderOutside => {
            "BORDER_OUTSIDE draws around the range: BORDER_OUTSIDE | Sheet1!A3:F20 | Medium, Continuous, #000000"
        }
        Keyword::BorderTop => "BORDER_TOP draws along the top: BORDER_TOP | Sheet1!A21:F21 | Thin, Continuous, #000000",
        Keyword::BorderBottom => {
            "BORDER_BOTTOM draws along the bottom: BORDER_BOTTOM | Sheet1!A3:F3 | Thin, Continuous, #000000"
        }
        Keyword::BorderLeft => {
            "BORDER_LEFT draws along the left: BORDER_LEFT | Sheet1!A3:A20 | Thin, Continuous, #000000"
        }
        Keyword::BorderRight => {
            "BORDER_RIGHT draws along the right: BORDER_RIGHT | Sheet1!F3:F20 | Thin, Continuous, #000000"
        }
        Keyword::BorderInsideHorizontal => {
            "BORDER_INSIDE_HORIZONTAL draws between rows: BORDER_INSIDE_HORIZONTAL | Sheet1!A3:F20 | Thin, Continuous, #000000"
        }
        Keyword::BorderInsideVertical => {
            "BORDER_INSIDE_VERTICAL draws between columns: BORDER_INSIDE_VERTICAL | Sheet1!A3:F20 | Thin, Continuous, #000000"
        }
        Keyword::Value
        | Keyword::Formula
        | Keyword::Unmerge
        | Keyword::BorderDiagonalDown
        | Keyword::BorderDiagonalUp => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Declared, Feedback};
    use super::*;

    fn actions(lines: &[&str]) -> Vec<Action> {
        lines.iter().filter_map(|line| Action::parse(line).ok()).collect()
    }

    #[test]
    fn every_example_of_the_catalogue_can_be_read() {
        let catalogue = catalogue();
        assert_eq!(catalogue.lines().count(), 24);
        for line in catalogue.lines() {
            let (kind, _) = line.split_once(' ').unwrap();
            let example = &line[line.rfind(&format!(": {kind} | ")).unwrap() + 2..];
            let action = Action::parse(example).unwrap();
            assert_eq!(action.keyword().text(), kind, "{line}");
        }
    }

    #[test]
    fn users_are_told_what_changed_and_what_went_wrong() {
        let baseline = actions(&["INPUT | A1 | 1", "INPUT | A1 | 1", "FONT_BOLD | A1 | true"]);
        let candidate = actions(&["INPUT | A1 | 1", "FONT_BOLD | A1:B1 | true"]);
        let judge = judge_user(&JudgeRequest {
            baseline: &baseline,
            candidate: &candidate,
            declared: &Declared::default(),
            iteration: 2,
        });
        assert!(judge.contains("2 steps are gone and 1 are new"), "{judge}");
        assert!(judge.contains("2: FONT_BOLD | Sheet1!A1:B1 | true"), "{judge}");
        let feedback = [Feedback::Malformed("no JSON".to_owned())];
        let editor = editor_user(&EditRequest {
            baseline: &baseline,
            current: &candidate,
            feedback: &feedback,
            iteration: 1,
            call: 2,
        });
        assert!(editor.contains("Note 1 (malformed): no JSON"), "{editor}");
    }
}
