//! How long streaks would be if acceptances came in random order.

use super::counts::Order;
use crate::number::float;

/// The share of streaks of at least each length, the lengths ascending, if in each trajectory every order of its k
/// acceptances among its n predictions were equally likely.
///
/// A streak of at least l begins at the first prediction with probability k·(k−1)⋯(k−l+1) / n·(n−1)⋯(n−l+1), and at each of
/// the n − l predictions behind with that times (n − k) / (n − l). So a trajectory has (n − k + 1) times that many of them,
/// and the share is the sum over trajectories for l divided by that for 1.
pub(super) fn survival(orders: impl Iterator<Item = Order>, lengths: &[u32]) -> Vec<f64> {
    let mut expected = vec![0.0; lengths.len()];
    let mut all = 0.0;
    let mut orders: Vec<Order> = orders.collect();
    orders.sort_unstable();
    for order in orders {
        let n = order.accepted + order.rejected;
        let starts = float(order.rejected + 1);
        let mut share = 1.0;
        let mut done = 0;
        let mut step_to = |length: u64| {
            while done < length && share > 0.0 {
                let left = order.accepted.saturating_sub(done);
                share *= float(left) / float((n - done.min(n)).max(1));
                done += 1;
            }
            share
        };
        all += starts * step_to(1);
        for (expected, length) in expected.iter_mut().zip(lengths) {
            *expected += starts * step_to(u64::from(*length));
        }
    }
    if all > 0.0 {
        for expected in &mut expected {
            *expected /= all;
        }
    }
    expected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(accepted: u64, rejected: u64) -> Order {
        Order {
            accepted,
            rejected,
            runs: 0,
        }
    }

    /// Of AAR, ARA and RAA: streaks of 2, of 1 and 1, of 2. At least 2 are two of four.
    #[test]
    fn two_of_three_are_counted_out() {
        let shares = survival([order(2, 1)].into_iter(), &[1, 2, 3]);
        assert_eq!(shares, [1.0, 0.5, 0.0]);
    }

    /// All orders of up to eight predictions, written out.
    #[test]
    fn every_order_of_a_few_gives_the_same() {
        for n in 1_u32..=8 {
            for k in 1..=n {
                let mut counts = [0_u32; 9];
                for order in (0_u32..1 << n).filter(|order| order.count_ones() == k) {
                    let mut length = 0;
                    for place in 0..=n {
                        if order >> place & 1 == 1 {
                            length += 1;
                        } else if length > 0 {
                            (1..=length).for_each(|l| counts[l] += 1);
                            length = 0;
                        }
                    }
                }
                let lengths: Vec<u32> = (1..=8).collect();
                let shares = survival([order(k.into(), (n - k).into())].into_iter(), &lengths);
                for (l, share) in shares.iter().enumerate() {
                    let expected = f64::from(counts[l + 1]) / f64::from(counts[1]);
                    assert!((share - expected).abs() < 1e-12, "{n} {k} {l}: {share} {expected}");
                }
            }
        }
    }

    /// A trajectory of two acceptances and nothing else has one streak of 2; one of A and R has one of 1.
    #[test]
    fn trajectories_count_by_their_streaks() {
        let shares = survival([order(2, 0), order(1, 1)].into_iter(), &[1, 2]);
        assert_eq!(shares, [1.0, 0.5]);
        assert_eq!(survival([order(0, 3)].into_iter(), &[]), [0.0; 0]);
    }
}
