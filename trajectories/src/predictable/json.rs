//! Lists of properties as JSON: an object of sheets, each an object of cells, each a list of property names.

use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::listed::{Builder, Listed, ListedSheet};

impl Serialize for Listed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.sheets.len()))?;
        for sheet in &self.sheets {
            map.serialize_entry(&sheet.name, &Cells { listed: self, sheet })?;
        }
        map.end()
    }
}

struct Cells<'a> {
    listed: &'a Listed,
    sheet: &'a ListedSheet,
}

impl Serialize for Cells<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.sheet.cells().map(|(cell, properties)| {
            let listed = self.listed;
            (cell, Names { listed, properties })
        }))
    }
}

struct Names<'a> {
    listed: &'a Listed,
    properties: &'a [u32],
}

impl Serialize for Names<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.properties.iter().map(|property| self.listed.name(*property)))
    }
}

impl<'de> Deserialize<'de> for Listed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut builder = Builder::default();
        Level::Sheets(&mut builder).deserialize(deserializer)?;
        Ok(builder.finish())
    }
}

/// Hands what is read to a builder, so that no text is made on the way.
enum Level<'b> {
    /// An object of sheets.
    Sheets(&'b mut Builder),
    /// An object of cells.
    Cells(&'b mut Builder),
    /// A list of properties.
    Properties(&'b mut Builder),
}

impl<'de> DeserializeSeed<'de> for Level<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self {
            Self::Properties(_) => deserializer.deserialize_seq(self),
            _ => deserializer.deserialize_map(self),
        }
    }
}

impl<'de> Visitor<'de> for Level<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Properties(_) => "a sequence",
            _ => "a map",
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        match self {
            Self::Sheets(builder) => {
                while map.next_key_seed(Text(|text: &str| builder.sheet(text)))?.is_some() {
                    map.next_value_seed(Level::Cells(builder))?;
                }
            }
            Self::Cells(builder) | Self::Properties(builder) => {
                while map.next_key_seed(Text(|text: &str| builder.cell(text)))?.is_some() {
                    map.next_value_seed(Level::Properties(builder))?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let (Self::Sheets(builder) | Self::Cells(builder) | Self::Properties(builder)) = self;
        while list
            .next_element_seed(Text(|text: &str| builder.property(text)))?
            .is_some()
        {}
        Ok(())
    }
}

/// A text that goes to a function.
struct Text<F>(F);

impl<'de, F: FnMut(&str)> DeserializeSeed<'de> for Text<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<F: FnMut(&str)> Visitor<'_> for Text<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E>(mut self, text: &str) -> Result<(), E> {
        (self.0)(text);
        Ok(())
    }
}
