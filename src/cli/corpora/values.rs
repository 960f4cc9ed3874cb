//! Values of options that have a form of their own.

use napsim_corpora::reconstruct::PROFILES;
use napsim_corpora::split::Shares;

use napsim_experiments::nearest::hint;

/// The profile of a user of whom nothing is known.
pub(super) const PROFILE_DEFAULT: &str = "natural";

/// Stands for every profile with habits of its own.
const ALL: &str = "all";

/// The profile whose habits are drawn.
const SAMPLED: &str = "sampled";

/// The name of a profile, or `all`.
pub(super) fn profile(text: &str) -> Result<String, String> {
    let names = || PROFILES.iter().map(|(name, _)| *name).chain([ALL]);
    if names().any(|name| name == text) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "there is no profile of that name{}; there are: {}",
        hint(text, names()),
        names().collect::<Vec<_>>().join(", ")
    ))
}

/// The profiles that are meant, each once: `all` stands for all but the sampled one.
pub(super) fn profiles(given: &[String]) -> Vec<String> {
    let mut profiles: Vec<String> = Vec::new();
    for name in given {
        let meant: Vec<&str> = if name == ALL {
            let names = PROFILES.iter().map(|(name, _)| *name);
            names.filter(|name| *name != SAMPLED).collect()
        } else {
            vec![name]
        };
        for name in meant {
            if !profiles.iter().any(|known| known == name) {
                profiles.push(name.to_owned());
            }
        }
    }
    profiles
}

/// The most decimals of a share.
const DECIMALS_MAX: usize = 6;

/// `0.9,0.05,0.05` or `90,5,5`: what goes into training, validation and test, in any unit.
pub(super) fn shares(text: &str) -> Result<Shares, String> {
    let wrong = || "write shares for training, validation and test, such as 0.9,0.05,0.05 or 90,5,5".to_owned();
    let mut weights = text.split(',').map(|share| weight(share.trim()).ok_or_else(wrong));
    let mut next = || weights.next().unwrap_or_else(|| Err(wrong()));
    let shares = Shares {
        train: next()?,
        valid: next()?,
        test: next()?,
    };
    let is_something = shares.train > 0 || shares.valid > 0 || shares.test > 0;
    if weights.next().is_some() || !is_something {
        return Err(wrong());
    }
    Ok(shares)
}

/// A decimal number in millionths.
fn weight(text: &str) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !are_digits(whole) || !are_digits(decimals) || decimals.len() > DECIMALS_MAX {
        return None;
    }
    format!("{whole}{decimals:0<DECIMALS_MAX$}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_named_or_all() {
        assert!(profile("tidyy").unwrap_err().contains("did you mean `tidy`?"));
        assert_eq!(profile(PROFILE_DEFAULT).as_deref(), Ok(PROFILE_DEFAULT));
        let meant = profiles(&["typist".to_owned(), "all".to_owned(), "sampled".to_owned()]);
        assert_eq!(meant.len(), PROFILES.len());
        assert_eq!(
            (meant[0].as_str(), meant[meant.len() - 1].as_str()),
            ("typist", "sampled")
        );
    }

    #[test]
    fn shares_are_read_in_any_unit() {
        let check = |text: &str, expect: (u32, u32, u32)| {
            let shares = shares(text).unwrap();
            assert_eq!((shares.train, shares.valid, shares.test), expect, "{text}");
        };
        check("0.9,0.05,0.05", (900_000, 50_000, 50_000));
        check("90, 5, 5", (90_000_000, 5_000_000, 5_000_000));
        check("1,0,0", (1_000_000, 0, 0));
        for text in [
            "", "1", "0.5,0.5", "1,1,1,1", "2,-1,0", "x,y,z", "NaN,0,0", "0,0,0", "9999,0,0", "1e3,0,0",
        ] {
            assert!(shares(text).is_err(), "{text}");
        }
    }
}
