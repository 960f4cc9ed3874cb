//! Laws of the notation: printing and reading, and texts that are no actions.

#[path = "support/lines.rs"]
mod lines;

use napsim_trajectories::{Action, Range};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn canonical_text_reads_back_to_itself(line in lines::lines()) {
        let Ok(action) = Action::parse(&line) else { return Ok(()) };
        let text = action.to_string();
        if let Ok(again) = Action::parse(&text) {
            prop_assert_eq!(again.to_string(), text);
        } else {
            // An empty last field is lost in trimming, and the empty grid of a reversed range does not fit it.
            let no_cells = action.range().bounds().n_cells() == 0;
            prop_assert!(text.ends_with("| ") || no_cells, "{}", text);
        }
    }

    #[test]
    fn inverse_is_flagged_and_its_own_inverse_but_for_merges(line in lines::lines()) {
        let Ok(action) = Action::parse(&line) else { return Ok(()) };
        let inverse = action.inverse();
        prop_assert!(inverse.is_inverse());
        prop_assert_eq!(inverse.range(), action.range());
        // Resetting twice is resetting; a merge alternates.
        prop_assert_eq!(inverse.inverse().inverse().inverse().to_string(), inverse.inverse().to_string());
    }

    #[test]
    fn parts_of_an_input_cover_its_cells(line in lines::lines()) {
        let Ok(action) = Action::parse(&line) else { return Ok(()) };
        let Ok(parts) = action.break_up() else { return Ok(()) };
        if action.family() == napsim_trajectories::Family::Input {
            prop_assert_eq!(parts.len() as u64, action.range().bounds().n_cells());
            prop_assert!(parts.iter().all(|part| part.range().is_single_cell()));
        } else {
            // Not compared by `==`, to which a font size that is no number never equals itself.
            prop_assert_eq!(parts.len(), 1);
            prop_assert_eq!(parts[0].to_string(), action.to_string());
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = Action::parse(&text);
        let _ = Range::parse(&text);
    }

    #[test]
    fn text_like_the_notation_is_read_or_refused(
        name in "(VALUE|INPUT|FORMULA|PASTE_FROM|AUTOFILL|FONT_SIZE|MERGE|BORDER_TOP|value)",
        rest in "( \\| |\\||[A-Z]{0,4}[0-9]{0,25}|\\$|:|!|,|\\[|\\]|\"|clear|[0-9.eE+-]{0,9}|١|²|\\n|\u{1c}){0,12}",
    ) {
        let _ = Action::parse(&format!("{name}{rest}"));
        let _ = Range::parse(&rest);
    }
}

/// Work that grows with the square of the length would not end on these.
#[test]
fn huge_lines_are_read_in_linear_time() {
    const LENGTH: usize = 4 << 20;
    for piece in [
        "[", "\"", "\\", " | ", "|", ":", "9", "$", "-", ", ", "\u{85}", "{\"a\":", "1e", "٣", "A1,",
    ] {
        let long = piece.repeat(LENGTH / piece.len());
        let _ = Action::parse(&long);
        for name in [
            "VALUE",
            "INPUT",
            "FORMULA",
            "FONT_SIZE",
            "TEXT_ORIENTATION",
            "BORDER_TOP",
            "AUTOFILL",
            "PASTE_FROM",
        ] {
            let _ = Action::parse(&format!("{name} | A1 | {long}"));
            let _ = Action::parse(&format!("{name} | A1:B2 | {long} | all"));
        }
        let _ = Action::parse(&format!("VALUE | {long} | 1"));
    }
}
