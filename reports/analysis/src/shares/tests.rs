use super::*;
use crate::unit::fixtures::{accepted, rejected, unit};

#[test]
fn actions_are_counted_and_not_predictions() {
    let actions = [
        "INPUT | A1 | 1",
        "INPUT | A2 | 1",
        "INPUT | A3 | 1",
        "FONT_BOLD | A1 | true",
    ];
    let events = [
        accepted("INPUT | Sheet1!A2 | 1; ALIGN_VERTICAL | Sheet1!A2 | top")
            .with_removed(&["INPUT | Sheet1!A2 | 1"])
            .with_undo(&["ALIGN_VERTICAL | Sheet1!A2 | Bottom"])
            .into(),
        rejected("ALIGN_VERTICAL | Sheet1!A2 | top; WRAP_TEXT | Sheet1!A1 | true").into(),
    ];
    let shares = RunAnalysis::new(vec![unit("t", &actions, &events)]).kind_shares();
    assert_eq!(shares.rows.len(), 9);
    let row = |name: &str| shares.rows.iter().find(|row| row.kind.name() == name).unwrap();
    let (input, align) = (row("input"), row("align"));
    assert_eq!((input.truth, input.truth_share), (3, Some(0.75)));
    assert_eq!((input.proposed, input.proposed_share), (1, Some(0.25)));
    assert_eq!((input.over, input.removed), (Some(-0.5), 1));
    assert_eq!(
        (align.proposed, align.accepted, align.rejected, align.undo),
        (3, 1, 2, 1)
    );
    assert_eq!((align.accepted_share, align.rejected_share), (Some(0.5), Some(1.0)));
    assert_eq!((align.acceptance_rate, align.over), (Some(1.0 / 3.0), Some(0.75)));
    assert_eq!(row("font").acceptance_rate, None);
    let published = align.published.unwrap();
    assert_eq!(published.rejected.map(|figure| figure.text), Some("15.9 %"));
    assert!(shares.csv().rows.iter().all(|row| row.len() == 13));
    let text = text(&shares, 80);
    assert!(text.contains("+75.0") && text.contains("-50.0"), "{text}");
}

#[test]
fn other_texts_have_a_row_of_their_own() {
    let shares = RunAnalysis::new(vec![unit("t", &[], &[rejected("dance").into()])]).kind_shares();
    let last = shares.rows.last().unwrap();
    assert_eq!((shares.rows.len(), last.kind, last.rejected), (10, Kind::OTHER, 1));
    assert_eq!(last.truth_share, None);
}
