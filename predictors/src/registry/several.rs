//! Predictors made of several others: `best-of(online-ngram,ngram?model=my.model)?confidence=0.2`.

use napsim_remote::shown_address;

use super::defaults::Place;
use super::external;
use super::{Defaults, PredictorFactory, SpecError};

/// The predictor made of others.
pub(super) const BEST_OF: &str = "best-of";

/// What a user typed, taken apart.
pub(super) struct Spelling<'a> {
    pub(super) name: &'a str,
    /// What stands in parentheses, at commas outside of further ones.
    pub(super) parts: Option<Vec<&'a str>>,
    /// The options.
    pub(super) query: &'a str,
}

impl<'a> Spelling<'a> {
    /// Takes a text apart. Parentheses count only before any option, since paths may hold them.
    pub(super) fn of(spec: &'a str) -> Result<Self, SpecError> {
        let plain = |spec: &'a str| {
            let (name, query) = spec.split_once('?').unwrap_or((spec, ""));
            let parts = None;
            Ok(Self { name, parts, query })
        };
        let Some((name, rest)) = spec.split_once('(').filter(|(name, _)| !name.contains('?')) else {
            return plain(spec);
        };
        let malformed = |reason| {
            Err(SpecError::Parts {
                text: shown(spec),
                reason,
            })
        };
        let Some((inside, after)) = rest.rsplit_once(')') else {
            return malformed("the closing parenthesis is missing");
        };
        let query = match after.strip_prefix('?') {
            Some(query) => query,
            None if after.is_empty() => "",
            None => return malformed("something other than options follows the closing parenthesis"),
        };
        let parts = Some(split(inside));
        Ok(Self { name, parts, query })
    }
}

/// What a user typed, as it may be printed: an address in it may hold a key.
fn shown(spec: &str) -> String {
    let names = ["base_url=", "base-url="];
    let found = names.iter().find_map(|name| spec.find(name).map(|at| at + name.len()));
    let Some((before, rest)) = found.and_then(|at| spec.split_at_checked(at)) else {
        return spec.to_owned();
    };
    let end = rest.find('&').unwrap_or(rest.len());
    let (address, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    format!("{before}{}{}", shown_address(address), shown(after))
}

/// The text between commas that are in no parentheses and, within a command, in no quotation marks.
fn split(inside: &str) -> Vec<&str> {
    let (mut parts, mut begin) = (Vec::new(), 0);
    let (mut depth, mut quote) = (0_u32, None);
    for (at, character) in inside.char_indices() {
        let is_command = || {
            inside
                .get(begin..)
                .is_some_and(|part| external::name(part.trim_start()).is_some())
        };
        match (character, quote) {
            (mark, Some(open)) => quote = (mark != open).then_some(open),
            ('\'' | '"', None) if is_command() => quote = Some(character),
            ('(', None) => depth += 1,
            (')', None) => depth = depth.saturating_sub(1),
            (',', None) if depth == 0 => {
                parts.push(inside.get(begin..at).unwrap_or_default().trim());
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inside.get(begin..).unwrap_or_default().trim());
    parts
}

/// The predictors that the parts name.
pub(super) fn read(
    spec: &str,
    name: &str,
    parts: &[&str],
    defaults: &Defaults,
) -> Result<Vec<PredictorFactory>, SpecError> {
    let malformed = |reason| {
        Err(SpecError::Parts {
            text: shown(spec),
            reason,
        })
    };
    if name != BEST_OF {
        return malformed("only `best-of` is made of other predictors");
    }
    if parts.len() < 2 {
        return malformed("at least two predictors are needed");
    }
    if parts
        .iter()
        .filter(|part| external::name(part).is_none())
        .any(|part| Spelling::of(part).is_ok_and(|part| part.name.replace('_', "-") == BEST_OF))
    {
        return malformed("`best-of` cannot be a part of itself");
    }
    let part = |part: &&str| {
        PredictorFactory::read(part, defaults, Place::Part).map_err(|reason| SpecError::Part {
            part: shown(part),
            reason: Box::new(reason),
        })
    };
    parts.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_keep_what_stands_in_quotation_marks() {
        assert_eq!(
            split("online-ngram, exec:python3 'a, (b.py' --x, ngram?model=it's.model,none"),
            [
                "online-ngram",
                "exec:python3 'a, (b.py' --x",
                "ngram?model=it's.model",
                "none"
            ]
        );
        assert_eq!(
            split(r#"exec:sh -c "print(1, 2)",none"#),
            [r#"exec:sh -c "print(1, 2)""#, "none"]
        );
    }
}
