//! XML as a flat series of tokens, without entities, document types and namespaces.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::ImportError;

/// One token.
pub(super) enum Token<'a> {
    /// An element begins; an empty one ends at once.
    Open(Tag<'a>),
    /// The innermost element ends.
    Close,
    /// A piece of text; one text may come in several.
    Text(Cow<'a, str>),
}

/// The beginning of an element.
pub(super) struct Tag<'a>(BytesStart<'a>);

impl Tag<'_> {
    /// The name without its prefix.
    pub(super) fn name(&self) -> &str {
        let name = self.0.name().into_inner();
        name.rsplit_once(':').map_or(name, |(_, local)| local)
    }

    /// The value of the attribute of that name, with or without a prefix.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        self.attributes()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.into_owned())
    }

    /// The attribute as a number or anything else that reads from text.
    pub(super) fn parse<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name)?.trim().parse().ok()
    }

    /// The attribute as a truth value; `absent` if it is not there.
    pub(super) fn flag(&self, name: &str, absent: bool) -> bool {
        self.get(name).map_or(absent, |value| is_true(&value))
    }

    /// All attributes by their names without prefixes; those that are malformed are passed over.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        let mut attributes = self.0.attributes();
        attributes.with_checks(false);
        attributes.flatten().map(|attribute| {
            let name = attribute.key.into_inner();
            let value = match quick_xml::escape::unescape(&attribute.value) {
                Ok(value) => Cow::Owned(value.into_owned()),
                Err(_) => attribute.value,
            };
            (name.rsplit_once(':').map_or(name, |(_, local)| local), value)
        })
    }
}

/// Whether an attribute's value means yes.
pub(super) fn is_true(value: &str) -> bool {
    matches!(value.trim(), "1" | "true" | "on" | "True")
}

/// The tokens of one part.
pub(super) struct Tokens<'a> {
    reader: Reader<&'a [u8]>,
    part: &'a str,
}

impl<'a> Tokens<'a> {
    /// The tokens of a part's text; its name is for errors.
    pub(super) fn new(text: &'a str, part: &'a str) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, part }
    }

    /// The next token; none at the end. Only the fallback of alternative contents is seen.
    ///
    /// # Errors
    /// [`ImportError::Damaged`] for malformed XML, a document type or an entity that XML does not define itself: no
    /// writer of workbooks makes any, and entities are how small files grow large.
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, ImportError> {
        loop {
            let event = self
                .reader
                .read_event()
                .map_err(|error| ImportError::damaged(self.part, error))?;
            return Ok(Some(match event {
                Event::Start(tag) if tag.local_name().into_inner() == "Choice" => {
                    self.skip()?;
                    continue;
                }
                Event::Start(tag) => Token::Open(Tag(tag)),
                Event::End(_) => Token::Close,
                Event::Text(text) => Token::Text(text.xml10_content()),
                Event::CData(text) => Token::Text(text.xml10_content()),
                Event::GeneralRef(reference) => {
                    let raw = format!("&{};", reference.into_inner());
                    match quick_xml::escape::unescape(&raw) {
                        Ok(text) => Token::Text(Cow::Owned(text.into_owned())),
                        Err(error) => return Err(ImportError::damaged(self.part, error)),
                    }
                }
                Event::DocType(_) => return Err(ImportError::damaged(self.part, "it declares a document type")),
                Event::Eof => return Ok(None),
                _ => continue,
            }));
        }
    }

    /// Passes over everything up to the end of the element that was opened last.
    pub(super) fn skip(&mut self) -> Result<(), ImportError> {
        let mut depth = 1_u64;
        while depth > 0 {
            match self
                .reader
                .read_event()
                .map_err(|error| ImportError::damaged(self.part, error))?
            {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                Event::Eof => return Err(self.ends_early()),
                _ => {}
            }
        }
        Ok(())
    }

    /// The text directly within the element that was opened last, up to its end.
    pub(super) fn text(&mut self) -> Result<String, ImportError> {
        let mut text = String::new();
        loop {
            match self.next()? {
                Some(Token::Text(piece)) => text.push_str(&piece),
                Some(Token::Open(_)) => self.skip()?,
                Some(Token::Close) => return Ok(text),
                None => return Err(self.ends_early()),
            }
        }
    }

    /// Calls `visit` for each element directly within the one that was opened last, up to its end.
    ///
    /// `visit` must consume the element's end.
    pub(super) fn children(
        &mut self,
        visit: impl FnMut(&mut Self, Tag<'a>) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        self.children_within(&[], visit)
    }

    /// The same, where elements of these names and the wrappers of alternative contents are looked through, however
    /// deep they lie.
    pub(super) fn children_within(
        &mut self,
        wrappers: &[&str],
        mut visit: impl FnMut(&mut Self, Tag<'a>) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let mut depth = 0_u64;
        loop {
            match self.next()? {
                Some(Token::Open(tag)) => {
                    let name = tag.name();
                    if matches!(name, "AlternateContent" | "Fallback") || wrappers.contains(&name) {
                        depth += 1;
                    } else {
                        visit(self, tag)?;
                    }
                }
                Some(Token::Text(_)) => {}
                Some(Token::Close) if depth > 0 => depth -= 1,
                Some(Token::Close) => return Ok(()),
                None => return Err(self.ends_early()),
            }
        }
    }

    /// Opens the part's outermost element.
    pub(super) fn root(&mut self) -> Result<Tag<'a>, ImportError> {
        loop {
            match self.next()? {
                Some(Token::Open(tag)) => return Ok(tag),
                Some(_) => {}
                None => return Err(self.ends_early()),
            }
        }
    }

    /// The error of a part that stops in the middle.
    pub(super) fn ends_early(&self) -> ImportError {
        ImportError::damaged(self.part, "it ends too early")
    }

    /// An error in this part.
    pub(super) fn damaged(&self, reason: &str) -> ImportError {
        ImportError::damaged(self.part, reason)
    }
}

/// Replaces the escapes `_xHHHH_` with which workbooks write what XML cannot hold.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains("_x") {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let (before, escape) = rest.split_at(at);
        if !before.is_empty() {
            flush(&mut units, &mut plain);
            plain.push_str(before);
        }
        let unit = escape
            .get(2..6)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = unit.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        match (unit, escape.get(6..7)) {
            (Some(unit), Some("_")) => {
                units.push(unit);
                rest = escape.get(7..).unwrap_or_default();
            }
            _ => {
                flush(&mut units, &mut plain);
                plain.push_str("_x");
                rest = escape.get(2..).unwrap_or_default();
            }
        }
    }
    flush(&mut units, &mut plain);
    plain.push_str(rest);
    Cow::Owned(plain)
}

fn flush(units: &mut Vec<u16>, plain: &mut String) {
    plain.extend(char::decode_utf16(units.drain(..)).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
}
