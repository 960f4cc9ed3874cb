//! From numbers to places, and the round numbers that an axis shows.

use crate::number::{drawable, whole};

/// A stretch of numbers laid out on a stretch of the image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    domain: (f64, f64),
    range: (f64, f64),
    is_log: bool,
}

impl Scale {
    /// Equal differences take equal room. A domain without extent gets some.
    pub(crate) fn linear(domain: (f64, f64), range: (f64, f64)) -> Self {
        let (low, high) = widened(domain);
        Self {
            domain: (low, high),
            range,
            is_log: false,
        }
    }

    /// Equal ratios take equal room. The domain must be above 0; if it is not, the smallest part that is counts.
    pub(crate) fn log(domain: (f64, f64), range: (f64, f64)) -> Self {
        let high = domain.1.max(1e-12);
        let low = domain.0.clamp(1e-12, high);
        let (low, high) = if high / low < 1.001 {
            (low / 2.0, high * 2.0)
        } else {
            (low, high)
        };
        Self {
            domain: (low.log10(), high.log10()),
            range,
            is_log: true,
        }
    }

    /// The place of a number; numbers outside of the domain lie at its ends.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let value = if self.is_log { value.max(1e-300).log10() } else { value };
        let share = ((value - self.domain.0) / (self.domain.1 - self.domain.0)).clamp(0.0, 1.0);
        self.range.0 + share * (self.range.1 - self.range.0)
    }

    /// Round numbers of the domain, at most about so many, and how far they are apart (1 for a logarithmic scale).
    pub(crate) fn ticks(&self, n_max: usize) -> (Vec<f64>, f64) {
        let n_max = n_max.max(2);
        if !self.is_log {
            let step = nice_step(self.domain.1 - self.domain.0, n_max);
            return (multiples(self.domain, step), step);
        }
        let factors: &[f64] = if self.domain.1 - self.domain.0 < 2.0 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let decades = multiples((self.domain.0.floor(), self.domain.1.ceil()), 1.0);
        let all = decades
            .iter()
            .flat_map(|exponent| factors.iter().map(move |factor| factor * 10f64.powf(*exponent)));
        let (low, high) = (10f64.powf(self.domain.0) * 0.999, 10f64.powf(self.domain.1) * 1.001);
        let inside: Vec<f64> = all.filter(|tick| *tick >= low && *tick <= high).collect();
        let every = inside.len().div_ceil(n_max).max(1);
        (inside.into_iter().step_by(every).collect(), 1.0)
    }
}

/// The smallest and the largest number that can be drawn, if any can.
pub(crate) fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let mut drawn = values.into_iter().filter_map(drawable);
    let first = drawn.next()?;
    Some(drawn.fold((first, first), |(low, high), value| (low.min(value), high.max(value))))
}

/// The domain with its ends moved outwards to round numbers.
pub(crate) fn rounded(domain: (f64, f64), n_ticks: usize) -> (f64, f64) {
    let (low, high) = widened(domain);
    let step = nice_step(high - low, n_ticks.max(2));
    let outward = |value: f64, round: fn(f64) -> f64| {
        let steps = value / step;
        let near = steps.round();
        // What is a round number already stays one in spite of rounding errors.
        step * if (steps - near).abs() < 1e-9 * near.abs().max(1.0) {
            near
        } else {
            round(steps)
        }
    };
    (outward(low, f64::floor), outward(high, f64::ceil))
}

fn widened((low, high): (f64, f64)) -> (f64, f64) {
    let (low, high) = if low <= high { (low, high) } else { (high, low) };
    if high - low > 1e-12 * low.abs().max(high.abs()).max(1e-3) {
        (low, high)
    } else {
        let room = (low.abs() * 0.1).max(0.05);
        (low - room, high + room)
    }
}

/// A step of 1, 2 or 5 times a power of ten with which the span has at most about so many steps.
fn nice_step(span: f64, n_max: usize) -> f64 {
    let raw = span / whole(n_max);
    let power = 10f64.powf(raw.log10().floor());
    let nice = [1.0, 2.0, 5.0].into_iter().find(|nice| nice * power >= raw * 0.999_999);
    nice.unwrap_or(10.0) * power
}

fn multiples((low, high): (f64, f64), step: f64) -> Vec<f64> {
    const N_MAX: usize = 200;
    let first = (low / step - 1e-6).ceil();
    let mut ticks = Vec::new();
    for place in 0..N_MAX {
        let tick = (first + whole(place)) * step;
        if tick > high + step * 1e-6 {
            break;
        }
        ticks.push(tick);
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(left: &[f64], right: &[f64]) -> bool {
        left.len() == right.len() && left.iter().zip(right).all(|(l, r)| (l - r).abs() < 1e-9)
    }

    #[test]
    fn ticks_are_round_numbers() {
        let ticks = |low, high, n| Scale::linear((low, high), (0.0, 1.0)).ticks(n).0;
        assert!(close(&ticks(0.0, 1.0, 5), &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]));
        assert!(close(&ticks(-0.19, 0.33, 6), &[-0.1, 0.0, 0.1, 0.2, 0.3]));
        assert!(close(&ticks(0.0, 7.0, 10), &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]));
        let (ticks, _) = Scale::log((0.001, 1000.0), (0.0, 1.0)).ticks(10);
        assert!(
            close(&ticks, &[0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]),
            "{ticks:?}"
        );
        let (ticks, _) = Scale::log((1.0, 8.0), (0.0, 1.0)).ticks(10);
        assert!(close(&ticks, &[1.0, 2.0, 5.0]), "{ticks:?}");
    }

    #[test]
    fn places_are_proportional() {
        let scale = Scale::linear((0.0, 10.0), (100.0, 0.0));
        assert!(close(
            &[0.0, 5.0, 10.0, 20.0].map(|v| scale.at(v)),
            &[100.0, 50.0, 0.0, 0.0]
        ));
        let log = Scale::log((1.0, 100.0), (0.0, 10.0));
        assert!(close(
            &[1.0, 10.0, 100.0, 0.0].map(|v| log.at(v)),
            &[0.0, 5.0, 10.0, 0.0]
        ));
    }

    #[test]
    fn domains_are_rounded_outwards() {
        let (low, high) = rounded((0.013, 0.327), 5);
        assert!(close(&[low, high], &[0.0, 0.4]));
        let (low, high) = rounded((0.0, 0.3), 6);
        assert!(close(&[low, high], &[0.0, 0.3]));
        assert_eq!(extent([f64::NAN, 2.0, f64::INFINITY, -1.0]), Some((-1.0, 2.0)));
        assert_eq!(extent([f64::NAN]), None);
    }

    proptest! {
        #[test]
        fn ticks_lie_within_and_are_few(low in -1e4f64..1e4, span in 1e-3f64..1e9, n in 2usize..12) {
            let scale = Scale::linear((low, low + span), (0.0, 100.0));
            let (ticks, step) = scale.ticks(n);
            prop_assert!(ticks.len() <= n + 1, "{ticks:?}");
            prop_assert!(ticks.iter().all(|tick| *tick >= low - step * 1e-3 && *tick <= low + span + step * 1e-3));
            prop_assert!(ticks.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
