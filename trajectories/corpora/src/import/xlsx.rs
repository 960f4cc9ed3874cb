//! `.xlsx` and `.xlsm` files.

mod color;
mod formula;

mod sheet;
mod strings;
mod styles;

use super::archive::Archive;
use super::assemble::{self, Budget};
use super::links::{self, Links};
use super::xml::Tokens;
use super::{ImportError, ImportOptions, ImportedWorkbook, Limits, Note, note};
use color::Palette;

use styles::Styles;

/// A sheet in the list of a workbook part.
struct Listed {
    name: String,
    id: String,
    state: String,
}

/// What a workbook part says.
#[derive(Default)]
struct WorkbookPart {
    sheets: Vec<Listed>,
    from_1904: bool,
}

/// What all sheets of a workbook share.
struct Shared {
    strings: Vec<std::sync::Arc<str>>,
    styles: Styles,
    from_1904: bool,
}

/// Reads a workbook.
pub(super) fn read(bytes: &[u8], options: &ImportOptions) -> Result<ImportedWorkbook, ImportError> {
    let mut archive = Archive::open(bytes, &options.limits)?;
    let part = workbook_part(&mut archive)?;
    let text = archive.text(&part)?.ok_or_else(|| missing(&part))?;
    let workbook = read_workbook(&text, &part)?;
    let links = Links::of(&mut archive, &part)?;
    let mut notes = Vec::new();
    let shared = read_shared(&mut archive, &links, workbook.from_1904, &options.limits, &mut notes)?;
    workbook_notes(&archive, &links, &mut notes);

    let mut budget = Budget::new(&options.limits);
    let mut sheets = Vec::new();
    for listed in &workbook.sheets {
        let visible = !matches!(listed.state.as_str(), "hidden" | "veryHidden");
        if !options.wants(&listed.name, visible) {
            let what = if visible {
                "sheets not asked for skipped"
            } else {
                "hidden sheets skipped"
            };
            note(&mut notes, what, 1);
            continue;
        }
        let Some(link) = links.by_id(&listed.id) else {
            note(&mut notes, "sheets without a part skipped", 1);
            continue;
        };
        if link.kind != "worksheet" {
            note(&mut notes, other_sheet(&link.kind), 1);
            continue;
        }
        let Some(text) = archive.text(&link.target)? else {
            note(&mut notes, "sheets without a part skipped", 1);
            continue;
        };
        let mut raw = sheet::read(&text, &link.target, &shared, &mut budget)?;
        drop(text);
        links::sheet_notes(&mut archive, &link.target, &mut raw.notes)?;
        match assemble::sheet(&listed.name, raw, &shared.styles.cells, &mut budget)? {
            Some(sheet) => sheets.push(sheet),
            None => note(&mut notes, "empty sheets skipped", 1),
        }
    }
    let names = workbook.sheets.into_iter().map(|listed| listed.name).collect();
    Ok(ImportedWorkbook { sheets, names, notes })
}

fn missing(part: &str) -> ImportError {
    ImportError::damaged(part, "it is missing")
}

fn other_sheet(kind: &str) -> &'static str {
    match kind {
        "chartsheet" => "chart sheets skipped",
        "dialogsheet" => "dialog sheets skipped",
        "xlMacrosheet" | "xlIntlMacrosheet" => "macro sheets skipped",
        _ => "sheets of other kinds skipped",
    }
}

/// The workbook part that the package points to, or the one under the usual name.
fn workbook_part(archive: &mut Archive<'_>) -> Result<String, ImportError> {
    let usual = "xl/workbook.xml".to_owned();
    // A package whose own links are damaged is readable all the same.
    let links = Links::of(archive, "").unwrap_or_default();
    let target = links.of_kind("officeDocument").map(|link| link.target.clone());
    let target = target.filter(|target| archive.has(target)).unwrap_or(usual);
    if archive.has(&target) {
        return Ok(target);
    }
    let other = archive
        .names()
        .find(|name| name.ends_with("/workbook.xml"))
        .map(str::to_owned);
    other.ok_or_else(|| missing(&target))
}

fn read_workbook(text: &str, part: &str) -> Result<WorkbookPart, ImportError> {
    let mut workbook = WorkbookPart::default();
    let mut tokens = Tokens::new(text, part);
    if tokens.root()?.name() != "workbook" {
        return Err(tokens.damaged("it holds no workbook"));
    }
    tokens.children(|tokens, tag| match tag.name() {
        "workbookPr" => {
            workbook.from_1904 = tag.flag("date1904", false);
            tokens.skip()
        }
        "sheets" => tokens.children(|tokens, tag| {
            workbook.sheets.push(Listed {
                name: tag.get("name").unwrap_or_default(),
                id: tag.get("id").unwrap_or_default(),
                state: tag.get("state").unwrap_or_default(),
            });
            tokens.skip()
        }),
        _ => tokens.skip(),
    })?;
    Ok(workbook)
}

/// Reads strings, styles and theme. A part that is missing is none; a theme that is damaged is noted.
fn read_shared(
    archive: &mut Archive<'_>,
    links: &Links,
    from_1904: bool,
    limits: &Limits,
    notes: &mut Vec<Note>,
) -> Result<Shared, ImportError> {
    let mut palette = Palette::default();
    let theme = links.target_of("theme", "xl/theme/theme1.xml");
    if let Some(text) = archive.text(&theme)?
        && palette.read_theme(&text, &theme).is_err()
    {
        palette = Palette::default();
        note(notes, "damaged theme replaced by Office's", 1);
    }
    let part = links.target_of("styles", "xl/styles.xml");
    let styles = match archive.text(&part)? {
        Some(text) => Styles::read(&text, &part, &mut palette, limits)?,
        None => {
            note(notes, "no styles in the file", 1);
            Styles::default()
        }
    };
    let part = links.target_of("sharedStrings", "xl/sharedStrings.xml");
    let strings = match archive.text(&part)? {
        Some(text) => strings::read(&text, &part, limits)?,
        None => Vec::new(),
    };
    Ok(Shared {
        strings,
        styles,
        from_1904,
    })
}

fn workbook_notes(archive: &Archive<'_>, links: &Links, notes: &mut Vec<Note>) {
    note(notes, "links to other workbooks skipped", links.count("externalLink"));
    note(notes, "macros skipped", links.count("vbaProject"));
    let nested = |name: &&str| {
        [".zip", ".xlsx", ".docx", ".pptx"]
            .iter()
            .any(|end| name.ends_with(end))
    };
    note(
        notes,
        "files within the file skipped",
        archive.names().filter(nested).count() as u64,
    );
}
