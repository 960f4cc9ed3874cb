//! Texts of `.xlsx` files, without the formats of their runs.

use std::sync::Arc;

use crate::import::xml::{self, Tag, Token, Tokens};
use crate::import::{ImportError, Limits};

/// Reads the shared strings.
pub(super) fn read(text: &str, part: &str, limits: &Limits) -> Result<Vec<Arc<str>>, ImportError> {
    let mut strings = Vec::new();
    let mut tokens = Tokens::new(text, part);
    tokens.root()?;
    tokens.children(|tokens, tag: Tag<'_>| {
        if tag.name() == "si" {
            strings.push(rich_text(tokens)?.into());
            return limits.check("shared texts", strings.len() as u64, limits.strings_max);
        }
        tokens.skip()
    })?;
    Ok(strings)
}

/// The text of the element that was opened last: all its runs one after the other, without phonetic guides.
pub(super) fn rich_text(tokens: &mut Tokens<'_>) -> Result<String, ImportError> {
    let mut text = String::new();
    loop {
        match tokens.next()? {
            Some(Token::Open(tag)) => match tag.name() {
                "t" => text.push_str(&xml::unescape(&tokens.text()?)),
                "r" => text.push_str(&rich_run(tokens)?),
                _ => tokens.skip()?,
            },
            Some(Token::Text(_)) => {}
            Some(Token::Close) => return Ok(text),
            None => return Err(tokens.ends_early()),
        }
    }
}

fn rich_run(tokens: &mut Tokens<'_>) -> Result<String, ImportError> {
    let mut text = String::new();
    tokens.children(|tokens, tag| {
        if tag.name() == "t" {
            text.push_str(&xml::unescape(&tokens.text()?));
            return Ok(());
        }
        tokens.skip()
    })?;
    Ok(text)
}
