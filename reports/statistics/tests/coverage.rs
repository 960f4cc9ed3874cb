//! Whether intervals hold the true value as often as they say, on distributions whose mean is known.
//!
//! `cargo test --release -p napsim-statistics --test coverage -- --ignored --nocapture` prints the table of
//! docs/STATISTICS.md.

#![expect(clippy::unwrap_used, reason = "a test without an interval has failed")]

use napsim_statistics::{BootstrapSettings, Interval, Method, mean_interval, mean_interval_by};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A distribution to draw from.
struct Distribution {
    name: &'static str,
    mean: f64,
    draw: fn(&mut ChaCha8Rng) -> f64,
}

const DISTRIBUTIONS: [Distribution; 6] = [
    Distribution {
        name: "normal",
        mean: 0.0,
        draw: normal,
    },
    Distribution {
        name: "uniform",
        mean: 0.5,
        draw: uniform,
    },
    Distribution {
        name: "exponential",
        mean: 1.0,
        draw: |random| -(1.0 - uniform(random)).ln(),
    },
    Distribution {
        // 45 % zeros, 10 % between -0.2 and 0, the rest up to 0.6 and mostly small.
        name: "UAS-like",
        mean: 0.1 * -0.1 + 0.45 * 0.2,
        draw: |random| match uniform(random) {
            share if share < 0.45 => 0.0,
            share if share < 0.55 => -0.2 * uniform(random),
            _ => 0.6 * uniform(random).powi(2),
        },
    },
    Distribution {
        // Differences of two runs that agree on three of four trajectories.
        name: "75 % ties",
        mean: 0.25 * 0.02,
        draw: |random| match uniform(random) {
            share if share < 0.75 => 0.0,
            _ => 0.02 + 0.05 * normal(random),
        },
    },
    Distribution {
        // A figure between 0 and 1 that is often at one of the ends.
        name: "share",
        mean: 0.2 + 0.5 * 0.5,
        draw: |random| match uniform(random) {
            share if share < 0.3 => 0.0,
            share if share < 0.5 => 1.0,
            _ => uniform(random),
        },
    },
];

fn uniform(random: &mut ChaCha8Rng) -> f64 {
    f64::from(random.next_u32()) / 4_294_967_296.0
}

/// By Box and Muller.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let radius = (-2.0 * (1.0 - uniform(random)).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform(random)).cos()
}

/// A way to make intervals; none is what comparisons use, which depends on the values.
fn interval(method: Option<Method>, values: &[f64], settings: &BootstrapSettings) -> Interval {
    match method {
        Some(method) => mean_interval_by(method, values, settings),
        None => mean_interval(values, settings),
    }
    .unwrap()
}

/// Percent of intervals that hold the true mean, and their mean width.
fn coverage(distribution: &Distribution, n: usize, method: Option<Method>, trials: u32, resamples: u32) -> (f64, f64) {
    let mut random = ChaCha8Rng::seed_from_u64(20_260_613);
    let (mut n_held, mut width) = (0_u32, 0.0);
    for trial in 0..trials {
        let values: Vec<f64> = (0..n).map(|_| (distribution.draw)(&mut random)).collect();
        let settings = BootstrapSettings {
            level: 0.95,
            resamples,
            seed: trial.into(),
        };
        let interval = interval(method, &values, &settings);
        n_held += u32::from(interval.contains(distribution.mean));
        width += interval.high - interval.low;
    }
    (100.0 * f64::from(n_held) / f64::from(trials), width / f64::from(trials))
}

/// The size of the published benchmark, on all distributions but that of ties, of which docs/STATISTICS.md tells.
#[test]
fn intervals_hold_the_mean_as_often_as_they_say() {
    const N: usize = 52;
    for distribution in DISTRIBUTIONS
        .iter()
        .filter(|distribution| distribution.name != "75 % ties")
    {
        let (share, _) = coverage(distribution, N, None, 4000, 999);
        assert!((94.0..=96.0).contains(&share), "{}: {share}", distribution.name);
    }
}

/// No interval of a few values is much wider than Student's t, which the studentised bootstrap exceeds a thousandfold.
#[test]
fn intervals_of_few_values_are_not_absurdly_wide() {
    const TRIALS: u64 = 200;
    /// Eleven and twelve values of an exponential distribution come to 3.8.
    const RATIO_MAX: f64 = 6.0;
    let settings = |seed| BootstrapSettings {
        level: 0.95,
        resamples: 999,
        seed,
    };
    for distribution in &DISTRIBUTIONS {
        for n in 2..=12 {
            let mut random = ChaCha8Rng::seed_from_u64(4);
            for trial in 0..TRIALS {
                let values: Vec<f64> = (0..n).map(|_| (distribution.draw)(&mut random)).collect();
                let [used, student] =
                    [None, Some(Method::StudentT)].map(|method| interval(method, &values, &settings(trial)));
                let ratio = (used.high - used.low) / (student.high - student.low);
                assert!(
                    used == student || ratio < RATIO_MAX,
                    "{} {n}: {ratio} {used:?}",
                    distribution.name
                );
            }
        }
    }
}

#[test]
#[ignore = "minutes; prints the table of docs/STATISTICS.md"]
fn table_of_all_methods() {
    let number = |name: &str, default: u32| {
        let text = std::env::var(name).unwrap_or_default();
        text.parse().unwrap_or(default)
    };
    let (trials, resamples) = (number("TRIALS", 10_000), number("RESAMPLES", 1_999));
    let named = [Method::Studentised, Method::Bca, Method::Percentile, Method::StudentT];
    let methods = [None, Some(named[0]), Some(named[1]), Some(named[2]), Some(named[3])];
    let sizes = [52, 20, 10, 5];
    println!("{trials} trials, {resamples} resamples");
    println!(
        "| distribution | n | as used | {} |",
        named.map(Method::name).join(" | ")
    );
    println!("|---|---|{}", "---|".repeat(methods.len()));
    for distribution in &DISTRIBUTIONS {
        for n in sizes {
            let cells = methods.map(|method| {
                let (held, width) = coverage(distribution, n, method, trials, resamples);
                format!("{held:.1} ({width:.3})")
            });
            println!("| {} | {n} | {} |", distribution.name, cells.join(" | "));
        }
    }
}
