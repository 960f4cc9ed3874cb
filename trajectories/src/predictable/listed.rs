//! Lists of properties by sheet and cell, kept in few pieces: there are tens of thousands, of two dozen names.

use rustc_hash::FxHashMap;

/// Property names by sheet and cell, in order of the texts of sheets and cells.
///
/// The form depends on the content alone, so that equal lists are equal values: sheets and cells are sorted, and names
/// stand in the order in which they are first listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listed {
    names: Vec<Box<str>>,
    pub(super) sheets: Vec<ListedSheet>,
}

/// The lists of one sheet. Texts and properties of all cells stand one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListedSheet {
    pub(super) name: Box<str>,
    texts: String,
    properties: Vec<u32>,
    /// Where the text and the properties of each cell end.
    ends: Vec<(usize, usize)>,
}

impl Listed {
    /// The name of a property.
    pub(super) fn name(&self, property: u32) -> &str {
        let name = usize::try_from(property).ok().and_then(|idx| self.names.get(idx));
        name.map_or("", |name| name)
    }

    /// The names of properties, each once.
    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Every cell with its sheet and its properties.
    pub(super) fn cells(&self) -> impl Iterator<Item = (&str, &str, &[u32])> {
        let sheets = self.sheets.iter();
        sheets.flat_map(|sheet| sheet.cells().map(|(cell, properties)| (&*sheet.name, cell, properties)))
    }

    /// The properties of a cell, none where it is not listed.
    pub(super) fn properties_of(&self, sheet: &str, cell: &str) -> impl Iterator<Item = u32> {
        let found = self.sheets.binary_search_by(|listed| (*listed.name).cmp(sheet));
        let sheet = found.ok().and_then(|idx| self.sheets.get(idx));
        let properties = sheet.and_then(|sheet| sheet.properties_of(cell)).unwrap_or_default();
        properties.iter().copied()
    }

    /// How many properties are listed, over all cells.
    pub(super) fn len(&self) -> u64 {
        self.sheets.iter().map(|sheet| sheet.properties.len() as u64).sum()
    }
}

impl ListedSheet {
    /// The cells in order, each with its properties.
    pub(super) fn cells(&self) -> impl Iterator<Item = (&str, &[u32])> {
        (0..self.ends.len()).map(|idx| self.cell(idx))
    }

    fn cell(&self, idx: usize) -> (&str, &[u32]) {
        let before = idx.checked_sub(1).and_then(|before| self.ends.get(before));
        let (text_start, start) = before.copied().unwrap_or_default();
        let (text_end, end) = self.ends.get(idx).copied().unwrap_or_default();
        let text = self.texts.get(text_start..text_end).unwrap_or_default();
        (text, self.properties.get(start..end).unwrap_or_default())
    }

    fn properties_of(&self, cell: &str) -> Option<&[u32]> {
        let mut range = 0..self.ends.len();
        while !range.is_empty() {
            let middle = range.start + range.len() / 2;
            let (text, properties) = self.cell(middle);
            match text.cmp(cell) {
                std::cmp::Ordering::Equal => return Some(properties),
                std::cmp::Ordering::Less => range.start = middle + 1,
                std::cmp::Ordering::Greater => range.end = middle,
            }
        }
        None
    }

    fn is_sorted(&self) -> bool {
        let texts = || self.cells().map(|(text, _)| text);
        texts().zip(texts().skip(1)).all(|(text, next)| text < next)
    }
}

/// Puts lists together in any order.
#[derive(Debug, Default)]
pub(super) struct Builder {
    listed: Listed,
    known: FxHashMap<Box<str>, u32>,
    /// The property listed last: properties tend to follow each other as in the cell before.
    last: usize,
}

impl Builder {
    /// Starts a sheet, which takes the place of one of that name before it.
    pub(super) fn sheet(&mut self, name: &str) {
        self.listed.sheets.push(ListedSheet {
            name: name.into(),
            ..ListedSheet::default()
        });
    }

    /// Starts a cell of the sheet, which takes the place of one of that text before it.
    pub(super) fn cell(&mut self, text: &str) {
        if let Some(sheet) = self.listed.sheets.last_mut() {
            sheet.texts.push_str(text);
            sheet.ends.push((sheet.texts.len(), sheet.properties.len()));
        }
    }

    /// Lists a property of the cell.
    pub(super) fn property(&mut self, name: &str) {
        let property = self.number(name);
        if let Some(sheet) = self.listed.sheets.last_mut() {
            sheet.properties.push(property);
            if let Some((_, end)) = sheet.ends.last_mut() {
                *end = sheet.properties.len();
            }
        }
    }

    fn number(&mut self, name: &str) -> u32 {
        let next = self.last + 1;
        let is_next = self.listed.names.get(next).is_some_and(|known| **known == *name);
        let number = if is_next {
            u32::try_from(next).unwrap_or(u32::MAX)
        } else if let Some(number) = self.known.get(name) {
            *number
        } else {
            // The limit on the size of files keeps the number far below the bound of its type.
            let number = u32::try_from(self.listed.names.len()).unwrap_or(u32::MAX);
            self.listed.names.push(name.into());
            self.known.insert(name.into(), number);
            number
        };
        self.last = usize::try_from(number).unwrap_or(usize::MAX - 1);
        number
    }

    /// The lists in order.
    pub(super) fn finish(self) -> Listed {
        let sheets = &self.listed.sheets;
        let is_sorted = sheets.iter().zip(sheets.iter().skip(1)).all(|(a, b)| a.name < b.name)
            && sheets.iter().all(ListedSheet::is_sorted);
        if is_sorted { self.listed } else { sorted(&self.listed) }
    }
}

/// The same lists in order; of several under one text the last counts.
fn sorted(listed: &Listed) -> Listed {
    let mut sheets: Vec<&ListedSheet> = listed.sheets.iter().collect();
    sheets.sort_by(|a, b| a.name.cmp(&b.name));
    let mut builder = Builder::default();
    for sheet in last_of_each(sheets, |sheet| &*sheet.name) {
        builder.sheet(&sheet.name);
        let mut cells: Vec<(&str, &[u32])> = sheet.cells().collect();
        cells.sort_by_key(|(text, _)| *text);
        for (text, properties) in last_of_each(cells, |(text, _)| text) {
            builder.cell(text);
            for property in properties {
                builder.property(listed.name(*property));
            }
        }
    }
    builder.listed
}

/// Of neighbours with the same text the last.
fn last_of_each<'a, T: Copy + 'a>(items: Vec<T>, text: impl Fn(T) -> &'a str) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(items.len());
    for item in items {
        match kept.last_mut() {
            Some(last) if text(*last) == text(item) => *last = item,
            _ => kept.push(item),
        }
    }
    kept
}
