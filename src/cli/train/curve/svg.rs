//! Losses of a training by epoch, as a picture.

use std::fmt::Write as _;

use super::{Curve, Point};

/// Width and height of the picture.
const SIZE: (f64, f64) = (720.0, 420.0);
/// The edges of the plot: left, top, right, bottom.
const PLOT: (f64, f64, f64, f64) = (64.0, 48.0, 696.0, 364.0);

const TRAINING: &str = "#8a8f98";
const VALIDATION: &str = "#1f6feb";

/// Lines of the grid, about.
const TICKS: f64 = 5.0;

/// From losses and epochs to places in the picture.
struct Scale {
    epochs: (f64, f64),
    losses: (f64, f64),
}

impl Scale {
    fn x(&self, epoch: f64) -> f64 {
        let share = (epoch - self.epochs.0) / (self.epochs.1 - self.epochs.0).max(1.0);
        PLOT.0 + share * (PLOT.2 - PLOT.0)
    }

    fn y(&self, loss: f64) -> f64 {
        let share = (loss - self.losses.0) / (self.losses.1 - self.losses.0);
        PLOT.3 - share * (PLOT.3 - PLOT.1)
    }
}

impl Curve {
    /// The curve as an SVG picture; an empty one without epochs.
    pub(crate) fn svg(&self) -> String {
        let (width, height) = SIZE;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#24292f\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
        );
        if let (Some(bounds), Some(first), Some(last)) = (self.bounds(), self.points.first(), self.points.last()) {
            let step = nice_step((bounds.1 - bounds.0) / TICKS);
            let scale = Scale {
                epochs: (number(first.epoch), number(last.epoch)),
                losses: (
                    (bounds.0 / step).floor() * step,
                    (bounds.1 / step).ceil().max((bounds.0 / step).floor() + 1.0) * step,
                ),
            };
            self.draw(&mut svg, &scale, step);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn draw(&self, svg: &mut String, scale: &Scale, step: f64) {
        let mut element = |text: &str| {
            svg.push_str(text);
            svg.push('\n');
        };
        element(&label(
            (PLOT.0, 26.0),
            "start",
            &format!("Loss by {}", self.unit),
            " font-size=\"16\" font-weight=\"bold\"",
        ));
        let mut loss = scale.losses.0;
        while loss <= scale.losses.1 + step / 2.0 {
            let y = scale.y(loss);
            element(&rule((PLOT.0, y), (PLOT.2, y), "#d8dee4", ""));
            element(&label((PLOT.0 - 8.0, y + 4.0), "end", &decimal(loss, step), ""));
            loss += step;
        }
        let stride = nice_step((scale.epochs.1 - scale.epochs.0) / 10.0).max(1.0);
        for point in &self.points {
            let epoch = number(point.epoch);
            if point.epoch == 1 || (epoch / stride).fract() == 0.0 {
                element(&label(
                    (scale.x(epoch), PLOT.3 + 18.0),
                    "middle",
                    &point.epoch.to_string(),
                    "",
                ));
            }
        }
        let middle = f64::midpoint(PLOT.0, PLOT.2);
        element(&label((middle, PLOT.3 + 40.0), "middle", self.unit, ""));
        element(&label(
            (-f64::midpoint(PLOT.1, PLOT.3), 16.0),
            "middle",
            "loss (nats a target)",
            " transform=\"rotate(-90)\"",
        ));
        element(&rule((PLOT.0, PLOT.1), (PLOT.0, PLOT.3), "#24292f", ""));
        element(&rule((PLOT.0, PLOT.3), (PLOT.2, PLOT.3), "#24292f", ""));
        self.mark_best(&mut element, scale);
        element(&self.line(scale, TRAINING, |point| Some(point.training)));
        element(&self.line(scale, VALIDATION, |point| point.validation));
        for (idx, (color, name)) in [(TRAINING, "training"), (VALIDATION, "validation")].iter().enumerate() {
            let x = PLOT.2 - 190.0 + 96.0 * number(idx);
            element(&format!(
                "<rect x=\"{x:.1}\" y=\"17\" width=\"18\" height=\"4\" fill=\"{color}\"/>"
            ));
            element(&label((x + 24.0, 23.0), "start", name, ""));
        }
    }

    /// A dashed line through the epoch whose weights were kept, with a dot and its loss.
    fn mark_best(&self, element: &mut impl FnMut(&str), scale: &Scale) {
        let Some(best) = self.best() else { return };
        let loss = best.validation.unwrap_or(best.training);
        let (x, y) = (scale.x(number(best.epoch)), scale.y(loss));
        element(&rule((x, PLOT.1), (x, PLOT.3), VALIDATION, " stroke-dasharray=\"4 4\""));
        element(&format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{VALIDATION}\"/>"
        ));
        let anchor = if x > f64::midpoint(PLOT.0, PLOT.2) {
            "end"
        } else {
            "start"
        };
        let beside = if anchor == "end" { x - 8.0 } else { x + 8.0 };
        let text = format!("kept: epoch {}, {loss:.3}", best.epoch);
        element(&label((beside, PLOT.1 + 14.0), anchor, &text, ""));
    }

    fn line(&self, scale: &Scale, color: &str, loss: impl Fn(&Point) -> Option<f64>) -> String {
        let mut places = String::new();
        for point in &self.points {
            if let Some(loss) = loss(point) {
                let _ = write!(places, " {:.1},{:.1}", scale.x(number(point.epoch)), scale.y(loss));
            }
        }
        format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" stroke-linejoin=\"round\" \
             stroke-linecap=\"round\"/>",
            places.trim_start()
        )
    }
}

fn label(at: (f64, f64), anchor: &str, text: &str, more: &str) -> String {
    format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\"{more}>{text}</text>",
        at.0, at.1
    )
}

fn rule(from: (f64, f64), to: (f64, f64), color: &str, more: &str) -> String {
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{color}\"{more}/>",
        from.0, from.1, to.0, to.1
    )
}

/// The least of 1, 2, 5, 10 and so on, and of their tenths, that is no smaller.
fn nice_step(least: f64) -> f64 {
    let least = least.max(1e-3);
    let power = 10.0_f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|factor| factor * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// A number with as many decimals as its step needs.
fn decimal(value: f64, step: f64) -> String {
    let decimals = if step >= 1.0 {
        0
    } else if step >= 0.1 {
        1
    } else if step >= 0.01 {
        2
    } else {
        3
    };
    format!("{value:.decimals$}")
}

#[expect(clippy::cast_precision_loss, reason = "epochs are few")]
fn number(n: usize) -> f64 {
    n as f64
}
