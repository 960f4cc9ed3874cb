//! Regions of a sheet that a person would build in one go (spec chapter 04, section 2.2).
//!
//! [`annotate`] is the model-free annotator of section 2.2.3: deterministic, and near-linear in the number of cells. It
//! speaks the schema of section 2.2.1, so that an annotation can also come from a file or a model; [`validate`] checks
//! any of them against the sheet.

mod boxes;
mod closing;
mod components;
mod cut;
mod dependencies;
mod facts;
mod kind;
mod pasted;
mod references;
mod similar;
mod table;
mod validate;

use std::collections::BTreeMap;
use std::fmt;

use napsim_sim::state::Sheet;
use napsim_trajectories::{Bounds, Keyword, Range};
use serde::{Deserialize, Serialize};

use facts::Facts;
pub use references::{Reference, references};
pub use validate::{Problem, validate};

/// The regions of one sheet, how they hang together, and what looks pasted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annotation {
    /// The regions in reading order; no two share a cell.
    pub regions: Vec<Region>,
    /// The one region that each dependent region is built after: dependent id to prerequisite id, without cycles.
    #[serde(rename = "region_dependencies", default)]
    pub dependencies: BTreeMap<u32, u32>,
    /// Dense blocks of constants that look pasted, each within one region.
    #[serde(rename = "pasted_ranges", default)]
    pub pasted: Vec<Pasted>,
    /// Groups of regions whose formats are the same, so that all but the first look pasted.
    #[serde(rename = "similarly_formatted_regions", default)]
    pub similar: Vec<Similar>,
}

impl Annotation {
    /// The region with this id.
    pub fn region(&self, id: u32) -> Option<&Region> {
        self.regions.iter().find(|region| region.id == id)
    }
}

/// One unit of work: a whole table, a title, a note, a calculation that stands alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Unique, from 0 in reading order.
    pub id: u32,
    /// The rectangle it takes.
    #[serde(with = "range_text")]
    pub range: Bounds,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: RegionKind,
    /// Final touches, in the order in which they are done.
    #[serde(rename = "closing_operations", default)]
    pub closing: Vec<Closing>,
    /// The head rows of a data table.
    #[serde(with = "range_text::optional", default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Bounds>,
    /// The column of labels beside a data table's body, head and totals excluded.
    #[serde(with = "range_text::optional", default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Bounds>,
    /// The last rows of a data table where they sum it up.
    #[serde(with = "range_text::optional", default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Bounds>,
}

impl Region {
    /// The rows between head and totals, across all columns; none where nothing is left.
    pub fn body(&self) -> Option<Bounds> {
        let first_row = self.header.map_or(self.range.first_row, |header| header.last_row + 1);
        let last_row = self.total.map_or(self.range.last_row, |total| total.first_row - 1);
        (first_row <= last_row).then_some(Bounds {
            first_row,
            last_row,
            ..self.range
        })
    }
}

/// What a region is. Only a data table has an effect on reconstruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RegionKind {
    /// Rows of like content under a head.
    DataTable,
    /// A prominent line above what it names.
    SheetTitleHeader,
    /// Prose.
    TextDescription,
    /// A small block that computes.
    FormulaCalculation,
    /// Anything else. Free texts of other annotators end here too.
    #[serde(other)]
    Miscellaneous,
}

/// A final touch on part of a region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closing {
    /// The kind of action, one of [`Closing::KEYWORDS`].
    #[serde(rename = "operation_type", with = "keyword_text")]
    pub keyword: Keyword,
    /// Where it is done, within the region.
    #[serde(with = "range_text")]
    pub range: Bounds,
}

impl Closing {
    /// The kinds of action that can close a region.
    pub const KEYWORDS: [Keyword; 8] = [
        Keyword::Input,
        Keyword::FontName,
        Keyword::FontSize,
        Keyword::FontBold,
        Keyword::FontItalic,
        Keyword::FontUnderline,
        Keyword::FontColor,
        Keyword::FillColor,
    ];
}

/// A block of constants that looks pasted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pasted {
    /// The rectangle it takes, dense with values.
    #[serde(with = "range_text")]
    pub range: Bounds,
    /// In which pieces it came.
    #[serde(rename = "paste_nature")]
    pub nature: PasteNature,
}

/// In which pieces a block was pasted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PasteNature {
    /// All at once.
    Full,
    /// Column by column.
    ColumnWise,
    /// Row by row.
    RowWise,
    /// Cell by cell.
    SingleEntry,
}

/// Regions of one shape and one look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Similar {
    /// At least two ranges; the first is the source.
    #[serde(rename = "similar_regions", with = "range_text::list")]
    pub ranges: Vec<Bounds>,
    /// What was copied.
    #[serde(rename = "format_paste_type")]
    pub paste: FormatPaste,
}

/// What a copy of a region carried along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FormatPaste {
    /// Formats alone.
    #[serde(rename = "paste_format")]
    Format,
    /// Formats and all labels.
    #[serde(rename = "paste_full")]
    Full,
    /// Formats and the labels at the edges.
    #[serde(rename = "paste_template")]
    Template,
}

/// Finds the regions of a sheet; the same sheet always gives the same annotation.
///
/// Every cell with a value, a fill or a border lies in exactly one region, and no region cuts a merge that holds such a
/// cell. Cells whose key is no plain address are left out.
pub fn annotate(sheet: &Sheet) -> Annotation {
    let facts = Facts::of(sheet);
    let boxes = cut::cut(&facts, components::boxes(&facts));
    let boxes = boxes::with_leftovers(&facts, boxes);
    let assignment = boxes::Assignment::of(&facts, &boxes);
    let mut annotation = Annotation::default();
    for (id, range) in (0_u32..).zip(&boxes) {
        let members = assignment.members(id);
        annotation.regions.push(kind::region(&facts, id, *range, members));
    }
    kind::mark_titles(&facts, &assignment, &mut annotation.regions);
    for region in &mut annotation.regions {
        region.closing = closing::closings(&facts, region, assignment.members(region.id));
    }
    annotation.dependencies = dependencies::dependencies(&facts, &assignment, &annotation.regions);
    annotation.pasted = pasted::pasted(&facts, &assignment, &annotation.regions);
    annotation.similar = similar::similar(&facts, &assignment, &annotation.regions);
    annotation
}

impl fmt::Display for RegionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DataTable => "data_table",
            Self::SheetTitleHeader => "sheet_title_header",
            Self::TextDescription => "text_description",
            Self::FormulaCalculation => "formula_calculation",
            Self::Miscellaneous => "miscellaneous",
        })
    }
}

/// Keywords as their texts.
mod keyword_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::Keyword;

    pub(super) fn serialize<S: Serializer>(keyword: &Keyword, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(keyword.text())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Keyword, D::Error> {
        let text = String::deserialize(from)?;
        Keyword::from_text(&text).ok_or_else(|| D::Error::custom(format!("no action is called `{text}`")))
    }
}

/// Bounds as range texts.
mod range_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::{Bounds, Range};

    pub(super) fn serialize<S: Serializer>(bounds: &Bounds, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(bounds)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Bounds, D::Error> {
        read(&String::deserialize(from)?)
    }

    fn read<E: Error>(text: &str) -> Result<Bounds, E> {
        let range = Range::new("", text).map_err(|error| E::custom(format!("`{text}` is {error}")))?;
        Ok(range.bounds())
    }

    pub(super) mod optional {
        use super::{Bounds, Deserialize, Deserializer, Serializer, read};

        #[expect(clippy::ref_option, reason = "serde hands the field over like this")]
        pub(in super::super) fn serialize<S: Serializer>(bounds: &Option<Bounds>, to: S) -> Result<S::Ok, S::Error> {
            match bounds {
                Some(bounds) => to.collect_str(bounds),
                None => to.serialize_none(),
            }
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Bounds>, D::Error> {
            Option::<String>::deserialize(from)?.map(|text| read(&text)).transpose()
        }
    }

    pub(super) mod list {
        use super::{Bounds, Deserialize, Deserializer, Serializer, read};

        pub(in super::super) fn serialize<S: Serializer>(list: &[Bounds], to: S) -> Result<S::Ok, S::Error> {
            to.collect_seq(list.iter().map(ToString::to_string))
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Bounds>, D::Error> {
            Vec::<String>::deserialize(from)?
                .iter()
                .map(|text| read(text))
                .collect()
        }
    }
}

#[cfg(test)]
mod tests;
