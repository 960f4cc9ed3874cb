//! Tests of the loss curves.

use super::*;

fn curve(losses: &[(f64, f64)]) -> Curve {
    let mut lowest = f64::INFINITY;
    let points = losses.iter().zip(1..).map(|((training, validation), epoch)| {
        let best = *validation < lowest;
        lowest = lowest.min(*validation);
        Point {
            epoch,
            training: *training,
            validation: Some(*validation),
            best,
        }
    });
    Curve {
        points: points.collect(),
        ..Curve::default()
    }
}

#[test]
fn losses_are_drawn_from_high_to_low() {
    let drawn = curve(&[(9.0, 8.0), (7.0, 6.0), (5.0, 5.0), (3.0, 5.5), (0.0, 6.0)]).text(60);
    insta::assert_snapshot!(drawn, @r"
    9.000 ┤░░░░
          ┤████
          ┤    ░░░░
          ┤    ████        ████
          ┤        ▓▓▓▓████
          ┤
          ┤            ░░░░
          ┤
          ┤
    0.000 ┤                ░░░░
          └────────────────────
                     ▲
           ░ training  █ validation  ▓ both  ▲ kept: epoch 3 of 5, loss 5.000
    ");
}

#[test]
fn a_plot_is_never_wider_than_the_terminal() {
    for n_epochs in [1, 2, 40, 300] {
        let losses: Vec<_> = (1..=n_epochs)
            .map(|n| (10.0 / f64::from(n), 11.0 / f64::from(n)))
            .collect();
        let text = curve(&losses).text(60);
        let widest = text.lines().take(ROWS + 2).map(|line| line.chars().count()).max();
        assert!(
            widest.is_some_and(|widest| (9..=60).contains(&widest)),
            "{n_epochs}: {text}"
        );
        assert!(text.contains('▲') && text.contains(&format!("epoch {n_epochs} of {n_epochs}")));
    }
    assert_eq!(Curve::default().text(60), "");
}

#[test]
fn a_picture_has_both_lines_and_the_best_epoch() {
    let svg = curve(&[(9.0, 8.0), (7.0, 6.0), (5.0, 6.5)]).svg();
    assert_eq!(svg.matches("<polyline").count(), 2);
    assert!(svg.contains("kept: epoch 2, 6.000"), "{svg}");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    for flat in [curve(&[(2.0, 2.0)]), curve(&[(2.0, 2.0), (2.0, 2.0)])] {
        let svg = flat.svg();
        assert!(
            svg.contains("<polyline") && !svg.contains("NaN") && !svg.contains("inf"),
            "{svg}"
        );
    }
    assert!(!Curve::default().svg().contains("<polyline"));
}
