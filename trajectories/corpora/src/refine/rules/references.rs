//! References to cells in formula texts.

use napsim_trajectories::{Bounds, Range};

/// The ranges that a formula refers to on its own sheet; references to other sheets and names are left out.
pub(super) fn references(formula: &str) -> Vec<Bounds> {
    let mut found = Vec::new();
    for token in tokens(formula) {
        let plain = token.replace('$', "");
        // A name such as LOG10 looks like a cell; it is a function where a parenthesis follows.
        if token.contains('!') || token.ends_with('(') {
            continue;
        }
        if let Ok(range) = Range::parse(&plain) {
            found.push(range.bounds());
        }
    }
    found
}

/// Runs of what references are made of, outside quoted texts, each with a following parenthesis.
fn tokens(formula: &str) -> Vec<String> {
    let (mut tokens, mut token, mut quoted) = (Vec::new(), String::new(), None);
    for letter in formula.chars() {
        match quoted {
            Some(quote) => {
                if letter == quote {
                    quoted = None;
                }
                // The name of a sheet in quotes ends up before its exclamation mark.
                continue;
            }
            None if letter == '"' || letter == '\'' => quoted = Some(letter),
            None if letter.is_alphanumeric() || "$:!._".contains(letter) => {
                token.push(letter);
                continue;
            }
            None if letter == '(' => token.push(letter),
            None => {}
        }
        if !token.is_empty() {
            tokens.push(std::mem::take(&mut token));
        }
    }
    if !token.is_empty() {
        tokens.push(token);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_found() {
        let texts = |formula: &str| references(formula).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(texts("=SUM(A1:B9)*$C$3"), ["A1:B9", "C3"]);
        assert_eq!(texts("=IF(D2>0,\"E5\",LOG10(F6))&'My sheet'!A1&Other!B2"), ["D2", "F6"]);
        assert_eq!(texts("=1+2"), [""; 0]);
    }
}
