//! Relationships between the parts of a package.

use super::archive::Archive;
use super::xml::Tokens;
use super::{ImportError, Note, note};

/// A relationship to a part of the same package.
pub(super) struct Link {
    pub(super) id: String,
    /// The last segment of its type, such as `worksheet`; the same for transitional and strict files.
    pub(super) kind: String,
    /// The name of the part.
    pub(super) target: String,
}

/// The relationships of one part.
#[derive(Default)]
pub(super) struct Links(Vec<Link>);

impl Links {
    /// Reads the relationships of a part, those of the package for an empty name; none where it has none.
    pub(super) fn of(archive: &mut Archive<'_>, part: &str) -> Result<Self, ImportError> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let name = format!("{folder}/_rels/{file}.rels");
        let Some(text) = archive.text(&name)? else {
            return Ok(Self::default());
        };
        let mut links = Vec::new();
        let mut tokens = Tokens::new(&text, &name);
        tokens.root()?;
        tokens.children(|tokens, tag| {
            let kind = tag.get("Type").unwrap_or_default();
            let target = tag.get("Target").unwrap_or_default();
            links.push(Link {
                id: tag.get("Id").unwrap_or_default(),
                kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
                target: resolve(folder, &target),
            });
            tokens.skip()
        })?;
        Ok(Self(links))
    }

    pub(super) fn by_id(&self, id: &str) -> Option<&Link> {
        self.0.iter().find(|link| link.id == id)
    }

    pub(super) fn of_kind(&self, kind: &str) -> Option<&Link> {
        self.0.iter().find(|link| link.kind == kind)
    }

    /// The part that a relationship of this kind points to, else the usual one.
    pub(super) fn target_of(&self, kind: &str, usual: &str) -> String {
        self.of_kind(kind)
            .map_or_else(|| usual.to_owned(), |link| link.target.clone())
    }

    pub(super) fn count(&self, kind: &str) -> u64 {
        self.0.iter().filter(|link| link.kind == kind).count() as u64
    }
}

/// The name of a part that a target means, seen from a folder.
fn resolve(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    if target.starts_with('/') {
        return target.trim_start_matches('/').to_owned();
    }
    let mut segments: Vec<&str> = folder.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in target.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            other => segments.push(other),
        }
    }
    segments.join("/")
}

/// Notes on what hangs on a sheet and is not read.
pub(super) fn sheet_notes(archive: &mut Archive<'_>, part: &str, notes: &mut Vec<Note>) -> Result<(), ImportError> {
    // Nothing is read through these links, so damaged ones are no reason to refuse a sheet.
    let links = match Links::of(archive, part) {
        Ok(links) => links,
        Err(ImportError::Damaged { .. }) => Links::default(),
        Err(error) => return Err(error),
    };
    for (kind, what) in [
        ("drawing", "drawings (charts, pictures, shapes) skipped"),
        ("comments", "comments skipped"),
        ("threadedComment", "comment threads skipped"),
        ("pivotTable", "pivot tables skipped"),
        ("table", "table definitions skipped"),
        ("hyperlink", "hyperlinks skipped"),
    ] {
        note(notes, what, links.count(kind));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_stay_within_the_package() {
        let check = |target: &str, expect: &str| assert_eq!(resolve("xl/worksheets", target), expect);
        check("../styles.xml", "xl/styles.xml");
        check("/xl/a.xml", "xl/a.xml");
        check("..\\b.xml", "xl/b.xml");
        check("../../../../etc/passwd", "etc/passwd");
        check("./sheet1.xml", "xl/worksheets/sheet1.xml");
    }
}
