use napsim_sim::event::Event;

use super::*;
use crate::unit::fixtures::{accepted, rejected, step, unit};

const TYPED: &str = "INPUT | Sheet1!A1 | \"four\"";
/// M + P + 2B + 2H + 5K.
const TYPED_S: f64 = 1.35 + 1.3 + 0.8 + 5.0 * 0.28;

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
}

fn half() -> UnitAnalysis {
    // The user does the first; a proposal of two is refused and one of one taken.
    let events: [Event; 3] = [
        step(TYPED),
        rejected("INPUT | Sheet1!B1 | 1; INPUT | Sheet1!B2 | 1").into(),
        accepted("INPUT | Sheet1!D4 | \"four\"").into(),
    ];
    unit("half", &[TYPED, "INPUT | Sheet1!D4 | \"four\""], &events)
}

#[test]
fn time_is_saved_by_what_is_not_typed_and_spent_on_proposals() {
    let saved = RunAnalysis::new(vec![half()]).time_saved(&UserModel::default());
    let total = saved.total;
    close(total.manual_s, 2.0 * TYPED_S);
    close(total.actions_s, TYPED_S);
    close(total.review_s, 3.0 * 0.69);
    close(total.accept_s, 0.28);
    close(total.interruption_s, 1.35);
    close(total.saved_s, TYPED_S - 3.0 * 0.69 - 0.28 - 1.35);
    close(saved.share_pooled.unwrap(), total.saved_s / total.manual_s);
    assert_eq!((saved.uas_mean, saved.share_interval), (Some(0.5), None));
}

#[test]
fn proposals_that_are_read_in_no_time_leave_what_the_actions_took() {
    let model = UserModel {
        review_action_s: 0.0,
        accept_s: 0.0,
        interruption_s: 0.0,
        ..UserModel::default()
    };
    let saved = RunAnalysis::new(vec![half(), half()]).time_saved(&model);
    close(saved.share_pooled.unwrap(), 0.5);
    close(saved.share_mean.unwrap(), 0.5);
    assert_eq!(
        saved.share_interval.map(|interval| interval.method),
        Some("all values equal")
    );
    assert_eq!((saved.units_with_time, saved.csv().rows.len()), (2, 2));
}

#[test]
fn rollouts_that_were_not_finished_have_no_time() {
    let mut stopped = half();
    stopped.summary.uas = None;
    let saved = RunAnalysis::new(vec![stopped]).time_saved(&UserModel::default());
    assert_eq!(
        (saved.units_with_time, saved.share_mean, saved.share_pooled),
        (0, None, None)
    );
}
