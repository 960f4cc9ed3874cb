//! Tests against figures of SciPy 1.x (`scipy.stats.wilcoxon`, `permutation_test`) and of counting every assignment of signs, and
//! laws that hold for any numbers.

use napsim_statistics::{BootstrapSettings, PERMUTATIONS, TestMethod, holm, paired_difference, sign_flip, wilcoxon};
use proptest::prelude::*;

const WITHOUT_TIES: [f64; 10] = [0.5, -0.2, 0.9, 1.4, -0.7, 0.3, 2.1, -0.1, 1.1, 0.6];
/// Two differences are 0, and sizes tie.
const WITH_TIES: [f64; 11] = [0.25, -0.25, 0.5, 0.5, 1.0, -0.5, 2.0, 0.75, 0.0, 0.0, 1.5];

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
}

#[test]
fn wilcoxon_is_exact_for_few_differences() {
    let plain = wilcoxon(&WITHOUT_TIES).unwrap();
    assert_eq!((plain.n, plain.negative, plain.method), (10, 9.0, TestMethod::Exact));
    close(plain.p, 0.064_453_125);
    let tied = wilcoxon(&WITH_TIES).unwrap();
    assert_eq!((tied.n, tied.positive), (9, 39.5));
    close(tied.p, 0.050_781_25);
    let many: Vec<f64> = (0..61).map(|idx| f64::from((idx * 37) % 61 - 25) + 0.1).collect();
    close(wilcoxon(&many).unwrap().p, 0.033_423_819_010_708_344);
}

#[test]
fn wilcoxon_is_approximate_for_many() {
    let many: Vec<f64> = (0..150).map(|idx| f64::from((idx * 37) % 101 - 45) / 10.0).collect();
    let found = wilcoxon(&many).unwrap();
    assert_eq!(found.method, TestMethod::Normal);
    close(found.p, 0.061_538_552_003_259_785);
}

#[test]
fn sign_flips_are_counted_or_drawn() {
    for differences in [&WITHOUT_TIES[..], &WITH_TIES[..]] {
        let counted = sign_flip(differences, PERMUTATIONS, 0).unwrap();
        assert_eq!(counted.method, TestMethod::Exact);
        close(counted.p, 0.054_687_5);
    }
    // Six copies of the same ten differences are too many to count; the normal approximation is close by then.
    let many: Vec<f64> = std::iter::repeat_n(WITHOUT_TIES, 6).flatten().collect();
    let drawn = sign_flip(&many, 999, 3).unwrap();
    assert_eq!(drawn.method, TestMethod::MonteCarlo(999));
    assert_eq!(drawn, sign_flip(&many, 999, 3).unwrap());
    close(drawn.p, 1.0 / 1000.0);
}

#[test]
fn nothing_follows_from_ties_alone() {
    let values = [0.1, 0.2, 0.3];
    let same = paired_difference(&values, &values, &BootstrapSettings::default()).unwrap();
    assert_eq!((same.ties, same.wilcoxon.p, same.sign_flip.p), (3, 1.0, 1.0));
    assert_eq!((same.cohens_dz, same.rank_biserial), (None, None));
}

const QUICK: BootstrapSettings = BootstrapSettings {
    level: 0.95,
    resamples: 200,
    seed: 1,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn left_and_right_mirror_each_other(pairs in prop::collection::vec((-8_i32..8, -8_i32..8), 2..12)) {
        let (left, right): (Vec<f64>, Vec<f64>) =
            pairs.iter().map(|(left, right)| (f64::from(*left) / 4.0, f64::from(*right) / 4.0)).unzip();
        let one = paired_difference(&left, &right, &QUICK).unwrap();
        let other = paired_difference(&right, &left, &QUICK).unwrap();
        prop_assert_eq!((one.wins, one.ties, one.losses), (other.losses, other.ties, other.wins));
        prop_assert!((one.mean.unwrap() + other.mean.unwrap()).abs() < 1e-12);
        for p in [one.wilcoxon.p, one.sign_flip.p] {
            prop_assert!((0.0..=1.0).contains(&p));
        }
        prop_assert!((one.wilcoxon.p - other.wilcoxon.p).abs() < 1e-12);
        prop_assert!((one.sign_flip.p - other.sign_flip.p).abs() < 1e-12);
    }

    #[test]
    fn the_order_of_pairs_makes_no_difference(values in prop::collection::vec(-20_i32..20, 2..14)) {
        let forward: Vec<f64> = values.iter().map(|value| f64::from(*value) / 8.0).collect();
        let backward: Vec<f64> = forward.iter().rev().copied().collect();
        prop_assert_eq!(wilcoxon(&forward).unwrap(), wilcoxon(&backward).unwrap());
        prop_assert_eq!(
            sign_flip(&forward, PERMUTATIONS, 0).unwrap(),
            sign_flip(&backward, PERMUTATIONS, 0).unwrap()
        );
    }

    #[test]
    fn holm_makes_no_probability_smaller_and_keeps_their_order(raw in prop::collection::vec(0.0_f64..=1.0, 1..12)) {
        let adjusted = holm(&raw);
        for (idx, (raw_one, one)) in raw.iter().zip(&adjusted).enumerate() {
            prop_assert!(one >= raw_one && *one <= 1.0);
            for (raw_other, other) in raw.iter().zip(&adjusted).skip(idx) {
                prop_assert!((raw_one - raw_other) * (one - other) >= 0.0);
            }
        }
    }
}
