//! The laws of the grammar: whatever it lets end is an action, whatever is an action in its spelling may end, and
//! nothing that it lets begin is stuck.

use napsim_trajectories::{Action, Corpus, Keyword};
use proptest::prelude::*;

use super::LineState;
use crate::language::sheet::{Sources, with_sheet, without_sheet};
use crate::language::shorten::{ELLIPSIS, Shortening};

fn accepts(line: &str) -> bool {
    LineState::start()
        .advance_all(line.as_bytes())
        .is_some_and(|state| state.may_end())
}

/// The text of an embedded action without its sheet, in the spelling of the notation.
fn embedded_lines() -> Vec<String> {
    let corpus = Corpus::embedded().unwrap();
    let actions = corpus.trajectories.iter().flat_map(|trajectory| &trajectory.actions);
    actions
        .filter(|action| !matches!(action.keyword(), Keyword::Value | Keyword::Formula))
        .map(|action| without_sheet(&action.to_string()).unwrap())
        .collect()
}

#[test]
fn the_embedded_actions_are_accepted() {
    let lines = embedded_lines();
    assert!(lines.len() > 12_000);
    let refused: Vec<_> = lines.iter().filter(|line| !accepts(line)).collect();
    assert!(
        refused.is_empty(),
        "{} refused, such as {:?}",
        refused.len(),
        refused.first()
    );
}

#[test]
fn shortened_actions_are_refused() {
    let shortening = Shortening::default();
    let mut n_shortened = 0;
    for line in embedded_lines() {
        let short = shortening.line(&line);
        if short != line {
            n_shortened += 1;
            assert!(short.contains(ELLIPSIS) && !accepts(&short), "{short}");
        }
    }
    assert!(n_shortened > 100, "{n_shortened}");
}

#[test]
fn each_kind_of_value_has_its_form() {
    for line in [
        "INPUT | A1 | -12.5e-07",
        "INPUT | A1 | \"=SUM(B1:B9)&\\\"é\\u00e9\\\"\"",
        "INPUT | A1:B2 | [[1, null], [\"\", true]]",
        "INPUT | A1:B2 | 7",
        "INPUT | XFD1048576 | clear",
        "FILL_COLOR | A1 | clear",
        "FONT_COLOR | A1 | #a1B2c3",
        "FONT_NAME | A1 | 游ゴシック",
        "BORDER_TOP | A1 | Thin, DashDot",
        "BORDER_ALL | A1:C3 | Medium, Double, #000000",
        "MERGE | A1:B1 | false",
        "UNMERGE | A1:B1 | false",
        "PASTE_FROM | B1 | A1:C99 | formats",
        "FONT_BOLD | A1:A250000 | true",
    ] {
        assert!(accepts(line), "{line}");
        assert!(Action::parse(line).is_ok(), "{line}");
    }
    for line in [
        "VALUE | A1 | 5",
        "BORDER_DIAGONAL_UP | A1 | Thin, Continuous",
        "INPUT | A1 | null",
        "INPUT | A1 | [[5]]",
        "INPUT | A1:B2 | [[1, 2], [3]]",
        "INPUT | A1:B2 | [[1, 2], [3, 4, 5]]",
        "INPUT | A1:B2 | [[1, 2], [3, 4], [5, 6]]",
        "INPUT | A1:B2 | [[1, 2]]",
        "INPUT | A1 | \"\\u00e\"",
        "INPUT | A1:B1 | [1, 2]",
        "INPUT | A1 | half",
        "INPUT | A1 | \"half",
        "INPUT | A1:A1 | 5",
        "INPUT | B2:A3 | 5",
        "INPUT | A0 | 5",
        "INPUT | $A$1 | 5",
        "INPUT | XFE1 | 5",
        "INPUT | A1048577 | 5",
        "INPUT  | A1 | 5",
        "FONT_COLOR | A1 | clear",
        "FONT_COLOR | A1 | #FFF",
        "UNMERGE | A1:B1 | true",
        "FONT_BOLD | A1:A250001 | true",
        "FONT_BOLD | Sheet1!A1 | true",
    ] {
        assert!(!accepts(line), "{line}");
    }
}

#[test]
fn nothing_follows_the_line_break() {
    let state = LineState::start();
    assert!(!state.may_end() && !state.has_ended());
    let ended = state.advance_all(b"FONT_BOLD | A1 | true\n").unwrap();
    assert!(ended.has_ended() && !ended.may_end());
    assert!((0..=u8::MAX).all(|byte| ended.advance(byte).is_none()));
    assert!(!state.allows(b"FONT_BOLD | A1 | true\nF"));
}

#[test]
fn no_line_is_stuck_at_an_edge() {
    for start in [
        "AUTOFILL | XFD104857",
        "AUTOFILL | XFC1048576:XF",
        "AUTOFILL | XFD1048574:XFD1048576 | XFD104857",
        "AUTOFILL | XFC1048575:XFD1048576 | XF",
        "MERGE | A1048576:",
        "MERGE | XFD1048575:",
        "INPUT | A1:B2 | [[1, 2], [3, 4]",
    ] {
        let state = LineState::start().advance_all(start.as_bytes()).unwrap();
        let mut open = vec![(state, start.as_bytes().to_vec())];
        for _ in 0..3 {
            let longer = open.iter().flat_map(|(state, line)| {
                let next = |byte| Some((state.advance(byte)?, [line.as_slice(), &[byte]].concat()));
                (0..=u8::MAX).filter_map(next)
            });
            open = longer.collect();
            for (state, line) in &open {
                let mut line = line.clone();
                finish(*state, &mut line);
                let line = String::from_utf8(line).unwrap();
                assert!(Action::parse(&line).is_ok(), "{line}");
            }
        }
    }
}

/// Brings a line to its end by the bytes that lead there soonest.
fn finish(mut state: LineState, line: &mut Vec<u8>) {
    let soonest = b"\n\"]# |:,.01AMTPuCa\xBF\xA0\x8F\x90\x80".iter().copied();
    for _ in 0..4_000_000 {
        if state.has_ended() {
            return;
        }
        let mut bytes = soonest.clone().chain(0..=u8::MAX);
        let (byte, next) = bytes
            .find_map(|byte| Some((byte, state.advance(byte)?)))
            .unwrap_or_else(|| panic!("stuck behind {:?}", String::from_utf8_lossy(line)));
        line.push(byte);
        state = next;
    }
    panic!("no end in sight behind {:.200}", String::from_utf8_lossy(line));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn whatever_may_end_is_an_action(choices in prop::collection::vec(any::<u32>(), 0..120)) {
        let mut state = LineState::start();
        let mut line = Vec::new();
        for choice in choices {
            let bytes: Vec<u8> = (0..=u8::MAX).filter(|byte| state.advance(*byte).is_some()).collect();
            if state.has_ended() {
                break;
            }
            prop_assert!(!bytes.is_empty(), "stuck behind {:?}", String::from_utf8_lossy(&line));
            let byte = bytes[usize::try_from(choice).unwrap() % bytes.len()];
            line.push(byte);
            state = state.advance(byte).unwrap();
            prop_assert_eq!(state.may_end(), state.allows(b"\n"));
        }
        finish(state, &mut line);
        let line = String::from_utf8(line).unwrap();
        let bare = line.strip_suffix('\n').unwrap();
        let restored = with_sheet(bare, "'My sheet'", Sources::Ranges);
        let action = Action::parse(&restored);
        prop_assert!(action.is_ok(), "{restored:.300}: {action:?}");
        let again = Action::parse(&action.unwrap().to_string());
        prop_assert!(again.is_ok(), "{restored:.300}: {again:?}");
    }
}
