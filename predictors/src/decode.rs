//! The decoding loop of the classical predictors (spec chapter 03, 3.2).

use napsim_trajectories::parse::SEPARATOR;

use crate::history::{Continuation, History};

/// When the decoding loop ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// At most this many actions.
    pub actions_max: usize,
    /// Whether to stop before an action whose keyword differs from the first one's.
    pub stop_on_type_change: bool,
}

/// Asks `next` for one action after the other, each on the history continued by those before.
///
/// The texts are not checked; an empty history gives none.
pub fn decode(
    history: &History,
    limits: Limits,
    mut next: impl FnMut(&Continuation<'_>) -> Option<String>,
) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    if history.features().is_empty() {
        return texts;
    }
    let mut continuation = Continuation::of(history);
    while texts.len() < limits.actions_max {
        let Some(text) = next(&continuation) else { break };
        let changed = texts.first().is_some_and(|first| keyword(first) != keyword(&text));
        if limits.stop_on_type_change && changed {
            break;
        }
        continuation.push(&text);
        texts.push(text);
    }
    texts
}

fn keyword(text: &str) -> &str {
    text.split_once(SEPARATOR).map_or(text, |(keyword, _)| keyword)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::Feature;

    fn check(actions_max: usize, stop_on_type_change: bool, n_given: usize, expect: usize) {
        let mut history = History::default();
        history.push(Feature::of_first("INPUT | Sheet1!A1 | 1"));
        let script = [
            "INPUT | Sheet1!A2 | 1",
            "INPUT | Sheet1!A3 | 1",
            "FONT_BOLD | Sheet1!A1 | true",
        ];
        let mut script = script.into_iter().take(n_given).map(str::to_owned);
        let texts = decode(
            &history,
            Limits {
                actions_max,
                stop_on_type_change,
            },
            |_| script.next(),
        );
        assert_eq!(texts.len(), expect);
    }

    #[test]
    fn ends_at_each_limit() {
        check(5, true, 3, 2);
        check(5, false, 3, 3);
        check(1, false, 3, 1);
        check(5, true, 1, 1);
        check(0, true, 1, 0);
    }

    #[test]
    fn an_empty_history_gives_nothing() {
        let limits = Limits {
            actions_max: 5,
            stop_on_type_change: true,
        };
        assert!(decode(&History::default(), limits, |_| Some(String::new())).is_empty());
    }
}
