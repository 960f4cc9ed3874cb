//! Entries go out of the cache as lines, and come in as lines.

use std::borrow::Cow;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;

use serde::Deserialize;

use super::{Cache, CacheError, Progress};
use crate::entry::{Entry, EntryError};
use crate::lines::Lines;

/// Which entries are meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The model as requests name it, `MODEL` or `PROVIDER/MODEL`; None means every entry.
    pub model: Option<String>,
}

impl Filter {
    pub(super) fn is_all(&self) -> bool {
        self.model.is_none()
    }

    /// Whether an entry with that request is meant.
    pub fn matches(&self, request: &str) -> bool {
        let Some(wanted) = &self.model else {
            return true;
        };
        let Some(named) = Named::of(request) else {
            return false;
        };
        named.model.as_deref() == Some(wanted) || named.full().as_ref() == Some(wanted)
    }
}

/// What was exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// How many entries were written.
    pub entries: u64,
    /// How many files were left out for not being whole.
    pub damaged: u64,
}

/// What was imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// How many entries are new.
    pub added: u64,
    /// How many requests had an answer already, which stands.
    pub present: u64,
    /// How many lines are no entry that could be used.
    pub refused: u64,
    /// The first hundred of those, by number.
    pub lines: Vec<(u64, EntryError)>,
}

impl Imported {
    const LINES_MAX: usize = 100;
}

impl Cache {
    /// Writes the entries as lines in the order of their keys, so that equal caches give equal bytes.
    ///
    /// # Errors
    /// [`CacheError`] where the cache cannot be read, [`CacheError::Transfer`] where a line cannot be written, and
    /// [`CacheError::Stopped`] where `watch` asks for the end.
    pub fn export(
        &self,
        mut writer: impl Write,
        filter: &Filter,
        mut watch: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Exported, CacheError> {
        let fail = |reason| CacheError::Transfer {
            action: "export",
            reason,
        };
        let mut exported = Exported::default();
        self.walk(&mut watch, &mut |found| {
            match self.read(&found.key) {
                Ok(Some((entry, ..))) if filter.matches(entry.request()) => {
                    let mut line = entry.to_line();
                    line.push('\n');
                    writer.write_all(line.as_bytes()).map_err(fail)?;
                    exported.entries += 1;
                }
                Ok(_) => {}
                Err(_) => exported.damaged += 1,
            }
            Ok(())
        })?;
        writer.flush().map_err(fail)?;
        Ok(exported)
    }

    /// Stores the entries of lines such as [`Cache::export`] writes; an answer that is there already stands. A line that
    /// is no whole entry is left out and told of.
    ///
    /// # Errors
    /// [`CacheError::Transfer`] where a line cannot be read, [`CacheError`] as for [`Cache::put`], and
    /// [`CacheError::Stopped`] where `watch` asks for the end; what was stored by then stays.
    pub fn import(
        &self,
        reader: impl BufRead,
        mut watch: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Imported, CacheError> {
        let fail = |reason| CacheError::Transfer {
            action: "import",
            reason,
        };
        let mut imported = Imported::default();
        let mut progress = Progress::default();
        let mut lines = Lines::new(reader);
        while let Some(line) = lines.next().map_err(fail)? {
            if watch(progress).is_break() {
                return Err(CacheError::Stopped);
            }
            match Entry::parse(line.text) {
                Ok(entry) => match self.store(&entry)? {
                    None => imported.added += 1,
                    Some(_) => imported.present += 1,
                },
                Err(error) => {
                    imported.refused += 1;
                    if imported.lines.len() < Imported::LINES_MAX {
                        imported.lines.push((line.number, error));
                    }
                }
            }
            progress.entries += 1;
        }
        self.flush()?;
        Ok(imported)
    }
}

/// What a request names.
#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    provider: Option<Cow<'a, str>>,
    #[serde(borrow)]
    model: Option<Cow<'a, str>>,
}

impl<'a> Named<'a> {
    fn of(request: &'a str) -> Option<Self> {
        serde_json::from_str(request).ok()
    }

    fn full(&self) -> Option<String> {
        let model = self.model.as_ref()?;
        Some(match &self.provider {
            Some(provider) => format!("{provider}/{model}"),
            None => model.to_string(),
        })
    }
}

/// The model that a request names, with its provider if it names that too.
pub(super) fn model_of(request: &str) -> Option<String> {
    Named::of(request)?.full()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_told_by_either_name() {
        let request = r#"{"n":1,"model":"gpt\u002d5","provider":"openai","body":{"model":"other"}}"#;
        let matches = |model: &str| {
            let filter = Filter {
                model: Some(model.to_owned()),
            };
            filter.matches(request)
        };
        assert_eq!(model_of(request).as_deref(), Some("openai/gpt-5"));
        assert!(matches("gpt-5") && matches("openai/gpt-5"));
        assert!(!matches("gpt") && !matches("azure/gpt-5") && !matches("other"));
        assert!(Filter::default().matches("{}"));
        assert_eq!(model_of(r#"{"model":5}"#), None);
        assert_eq!(model_of(r#"{"provider":"openai"}"#), None);
    }
}
