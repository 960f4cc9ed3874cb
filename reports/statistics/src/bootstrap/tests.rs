use super::*;

const QUICK: BootstrapSettings = BootstrapSettings {
    level: 0.95,
    resamples: 999,
    seed: 7,
};

fn values(n: u32) -> Vec<f64> {
    (0..n).map(|idx| f64::from(idx * idx % 17) / 17.0).collect()
}

#[test]
fn equal_values_give_no_width_and_say_so() {
    for value in [0.0, 0.1, -3.0] {
        let interval = mean_interval(&[value; 9], &QUICK).unwrap();
        assert_eq!((interval.low, interval.high), (value, value));
        assert_eq!(interval.method, Method::Degenerate);
    }
}

#[test]
fn too_little_is_refused() {
    assert_eq!(
        mean_interval(&[1.0], &QUICK),
        Err(StatisticsError::TooFew { found: 1, needed: 2 })
    );
    let not_a_number = mean_interval(&[1.0, f64::NAN], &QUICK);
    assert!(matches!(
        not_a_number,
        Err(StatisticsError::NotFinite { number: 2, .. })
    ));
    for (level, resamples) in [(1.0, 999), (0.2, 999), (f64::NAN, 999), (0.95, 10)] {
        let settings = BootstrapSettings {
            level,
            resamples,
            seed: 0,
        };
        assert!(mean_interval(&[1.0, 2.0], &settings).is_err(), "{settings:?}");
    }
}

#[test]
fn two_values_fall_back_to_student() {
    let interval = mean_interval(&[0.0, 1.0], &QUICK).unwrap();
    assert_eq!(interval.method, Method::StudentT);
    // 0.5 ± 12.706 · 0.5
    assert!((interval.high - 6.853_102_368).abs() < 1e-6, "{interval:?}");
}

#[test]
fn the_same_seed_gives_the_same_interval_and_another_a_close_one() {
    let values = values(52);
    for method in [Method::Studentised, Method::Bca, Method::Percentile] {
        let of = |seed| mean_interval_by(method, &values, &BootstrapSettings { seed, ..QUICK }).unwrap();
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
        assert!((of(1).low - of(2).low).abs() < 0.03, "{:?} {:?}", of(1), of(2));
    }
}

/// The stream of ChaCha8 and the arithmetic are the same everywhere, so these numbers are too.
#[test]
fn the_numbers_of_a_seed_stay_as_they_are() {
    let interval = mean_interval(&values(20), &QUICK).unwrap();
    assert_eq!(
        (interval.low, interval.high),
        (0.281_615_282_653_133_85, 0.579_189_860_724_792_5)
    );
}

#[test]
fn shift_scale_and_sign_carry_over() {
    let values = values(30);
    let of = |transform: fn(f64) -> f64, method| {
        let values: Vec<f64> = values.iter().copied().map(transform).collect();
        mean_interval_by(method, &values, &QUICK).unwrap()
    };
    let close = |left: f64, right: f64| assert!((left - right).abs() < 1e-9, "{left} {right}");
    for method in [Method::Studentised, Method::Bca, Method::Percentile, Method::StudentT] {
        let plain = of(|value| value, method);
        let shifted = of(|value| value + 5.0, method);
        close(shifted.low, plain.low + 5.0);
        close(shifted.high, plain.high + 5.0);
        let scaled = of(|value| value * 3.0, method);
        close(scaled.low, plain.low * 3.0);
        let negative = of(|value| -value, method);
        close(negative.low, -plain.high);
        close(negative.high, -plain.low);
    }
}

#[test]
fn too_few_values_are_not_resampled() {
    let values = [0.01, 0.011, 0.0112, 0.05];
    let resampled = mean_interval_by(Method::Studentised, &values, &QUICK).unwrap();
    assert!(resampled.high > 1.8, "{resampled:?}");
    let few = mean_interval(&values, &QUICK).unwrap();
    assert_eq!((few.method, few.n, few.n_others), (Method::StudentT, 4, 3));
    // Mean 0.02055; standard error √(sum of squared deviations / 3 / 4); t of three degrees 3.182446.
    let squares: f64 = [0.010_55_f64, 0.009_55, 0.009_35, 0.029_45]
        .map(|deviation| deviation * deviation)
        .iter()
        .sum();
    let half = 3.182_446_305_284 * (squares / 12.0).sqrt();
    assert!((few.low - (0.020_55 - half)).abs() < 1e-9, "{few:?} {half}");
    assert!((few.high - (0.020_55 + half)).abs() < 1e-9, "{few:?} {half}");
    let varied: Vec<f64> = (0..11).map(|idx| f64::from(idx * idx)).collect();
    assert_eq!(mean_interval(&varied[..10], &QUICK).unwrap().method, Method::StudentT);
    let enough = mean_interval(&varied, &QUICK).unwrap();
    assert_eq!((enough.method, enough.n_others), (Method::Studentised, 10));
    // It is not the number of values that counts.
    let mut ties = vec![0.0; 40];
    ties.extend(&varied[1..10]);
    assert_eq!(mean_interval(&ties, &QUICK).unwrap().method, Method::StudentT);
    ties.push(1000.0);
    assert_eq!(mean_interval(&ties, &QUICK).unwrap().method, Method::Studentised);
}
