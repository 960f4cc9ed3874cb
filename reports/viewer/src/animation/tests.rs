use napsim_sim::predictor::{Proposals, Usage, View};

use super::*;
use crate::film::tests::{film, record};

fn answer(view: View<'_>, out: &mut Proposals) -> Result<Usage, napsim_sim::predictor::PredictError> {
    if view.call_idx == 0 {
        out.push_text("INPUT | A2 | 2", None).unwrap();
    }
    Ok(Usage::default())
}

const LINES: [&str; 5] = [
    "INPUT | A1 | \"<b>&\"",
    "INPUT | A2 | 2",
    "MERGE | A1:B1 | true",
    "FILL_COLOR | A1:B1 | #DDEBF7",
    "BORDER_BOTTOM | A2 | Thin, Continuous, #FF0000",
];

#[test]
fn every_step_has_its_picture_and_the_end_too() {
    let film = film(&record(&LINES, answer));
    let svg = animated_svg(&film, AnimationOptions::default());
    for expected in [
        ">● user</text>",
        ">✓ accepted proposal</text>",
        ">step 2 of 5</text>",
        ">step 5 of 5</text>",
        ">4 of 5 actions by the user, 20.0 % saved</text>",
        ">&lt;b&gt;&amp;</tspan>",
        "fill=\"#DDEBF7\"",
        "stroke=\"#FF0000\"",
        "prefers-reduced-motion",
    ] {
        assert!(svg.contains(expected), "{expected} in {svg}");
    }
    assert!(!svg.contains("<script") && !svg.contains("<b>"));
}

#[test]
fn what_is_left_out_is_said() {
    let film = film(&record(&LINES, answer));
    let options = AnimationOptions {
        frames_max: 2,
        rows_max: 1,
        ..AnimationOptions::default()
    };
    let svg = animated_svg(&film, options);
    assert!(
        svg.contains("5 steps · 2 of them shown one by one · rows to 1 of 2"),
        "{svg}"
    );
    assert!(svg.contains(">step 2 of 5</text>") && svg.contains(">step 5 of 5</text>"));
    assert!(!svg.contains(">step 3 of 5</text>"));
}

#[test]
fn texts_cannot_leave_their_place() {
    assert_eq!(text("a<\u{0}\u{202e}\u{ffff}\""), "a&lt;\\u{0}\\u{202e}\u{fffd}&quot;");
    assert_eq!(shortened("abcdef", 4), "abc…");
    assert_eq!(shortened("abcd", 4), "abcd");
}
