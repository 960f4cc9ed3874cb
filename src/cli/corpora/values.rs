//! Values of options that have a form of their own.

/// Shares of a split, in order; they add up to 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shares(pub(super) Vec<f64>);

/// `0.9,0.05,0.05`: shares that add up to 1; numbers in any other proportion are refused.
pub(super) fn shares(text: &str) -> Result<Shares, String> {
    let wrong = || "write three shares that add up to 1, such as 0.9,0.05,0.05".to_owned();
    let shares: Vec<f64> = text
        .split(',')
        .map(|share| share.trim().parse().map_err(|_| wrong()))
        .collect::<Result<_, _>>()?;
    let is_share = |share: &f64| (0.0..=1.0).contains(share);
    let sum: f64 = shares.iter().sum();
    if shares.len() != 3 || !shares.iter().all(is_share) || (sum - 1.0).abs() > 1e-9 {
        return Err(wrong());
    }
    Ok(Shares(shares))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_one() {
        assert_eq!(shares("0.9,0.05,0.05"), Ok(Shares(vec![0.9, 0.05, 0.05])));
        assert_eq!(shares("1, 0, 0"), Ok(Shares(vec![1.0, 0.0, 0.0])));
        for text in ["", "1", "0.5,0.5", "0.9,0.1,0.1", "2,-1,0", "x,y,z", "NaN,0,0"] {
            assert!(shares(text).is_err(), "{text}");
        }
    }
}
