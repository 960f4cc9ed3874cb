//! YAML as a tree, by way of its events, so that nothing grows beyond its bounds.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::{At, Entry, Kind, Node, decimal, shortened};
use crate::error::{Fault, Limit, Problem};
use crate::limits::{DEPTH_MAX, NODES_MAX};

/// Reads the only document of a stream.
pub(super) fn read(text: &str) -> Result<Node, Fault> {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let reason = error.info().to_owned();
            Fault::new(line(error.marker().line()), Problem::Syntax { syntax: "YAML", reason })
        })?;
        builder.take(event, line(span.start.line()))?;
    }
    let nothing = Node {
        at: At::Line(1),
        kind: Kind::Nothing,
    };
    Ok(builder.root.unwrap_or(nothing))
}

fn line(line: usize) -> At {
    At::Line(line.max(1) as u64)
}

/// A list or table whose end has not come yet.
struct Open {
    node: Node,
    anchor: usize,
    /// In a table, the key whose value is to come.
    key: Option<(String, At)>,
    /// In a table, the keys so far and where they stand.
    keys: HashMap<String, At>,
}

#[derive(Default)]
struct Builder {
    root: Option<Node>,
    open: Vec<Open>,
    anchors: HashMap<usize, (Node, Size)>,
    n_nodes: usize,
    n_documents: usize,
}

/// What a node takes where an alias repeats it.
#[derive(Clone, Copy)]
struct Size {
    nodes: usize,
    depth: usize,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, at: At) -> Result<(), Fault> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            Event::DocumentStart(_) => {
                self.n_documents += 1;
                if self.n_documents > 1 {
                    return Err(unsupported(at, "a second document", "write one file an experiment"));
                }
                Ok(())
            }
            Event::Alias(anchor) => self.alias(anchor, at),
            Event::Scalar(text, style, anchor, tag) => {
                let kind = scalar(&text, style, tag.as_deref(), at)?;
                self.n_nodes += 1;
                self.close(Node { at, kind }, anchor)
            }
            Event::SequenceStart(anchor, tag) => self.open(Kind::List(Vec::new()), anchor, tag.as_deref(), at),
            Event::MappingStart(anchor, tag) => self.open(Kind::Table(Vec::new()), anchor, tag.as_deref(), at),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(open) => self.close(open.node, open.anchor),
                None => Ok(()),
            },
        }
    }

    fn open(&mut self, kind: Kind, anchor: usize, tag: Option<&Tag>, at: At) -> Result<(), Fault> {
        if tag.is_some() {
            return Err(unsupported(at, "a tag (`!`)", "leave it out"));
        }
        if self.open.last().is_some_and(Open::awaits_key) {
            return Err(unsupported(at, "a list or table as a key", "write a name"));
        }
        if self.open.len() >= DEPTH_MAX {
            return Err(Fault::new(at, Problem::Limit(Limit::Depth)));
        }
        self.n_nodes += 1;
        self.open.push(Open {
            node: Node { at, kind },
            anchor,
            key: None,
            keys: HashMap::new(),
        });
        Ok(())
    }

    /// Puts a whole node where it belongs.
    fn close(&mut self, node: Node, anchor: usize) -> Result<(), Fault> {
        if self.n_nodes > NODES_MAX {
            return Err(Fault::new(node.at, Problem::Limit(Limit::Nodes)));
        }
        if anchor != 0 {
            let size = size(&node);
            self.anchors.insert(anchor, (node.clone(), size));
            self.n_nodes += size.nodes;
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        parent.add(node)
    }

    fn alias(&mut self, anchor: usize, at: At) -> Result<(), Fault> {
        let Some((node, size)) = self.anchors.get(&anchor) else {
            let what = "an alias inside of what it stands for";
            return Err(unsupported(at, what, "write the values out"));
        };
        self.n_nodes += size.nodes;
        if self.n_nodes > NODES_MAX {
            return Err(Fault::new(at, Problem::Limit(Limit::Nodes)));
        }
        if self.open.len() + size.depth > DEPTH_MAX {
            return Err(Fault::new(at, Problem::Limit(Limit::Depth)));
        }
        let mut node = node.clone();
        node.at = at;
        self.close(node, 0)
    }
}

impl Open {
    /// Whether what comes next is the key of an entry.
    fn awaits_key(&self) -> bool {
        matches!(self.node.kind, Kind::Table(_)) && self.key.is_none()
    }

    fn add(&mut self, node: Node) -> Result<(), Fault> {
        match (&mut self.node.kind, self.key.take()) {
            (Kind::List(items), _) => items.push(node),
            (Kind::Table(entries), Some((key, at))) => entries.push(Entry { key, at, value: node }),
            (_, _) => self.key = Some(self.key_of(node)?),
        }
        Ok(())
    }

    fn key_of(&mut self, node: Node) -> Result<(String, At), Fault> {
        let Kind::Text(key) = node.kind else {
            let what = "a key that is no text";
            return Err(unsupported(node.at, what, "write a name, if need be in quotes"));
        };
        if let Some(first) = self.keys.insert(key.clone(), node.at) {
            let first = first.line();
            return Err(Fault::new(
                node.at,
                Problem::Twice {
                    key: shortened(&key),
                    first,
                },
            ));
        }
        Ok((key, node.at))
    }
}

/// How many nodes there are and how deep, itself counted; scalars have no depth.
fn size(node: &Node) -> Size {
    let all = |sizes: &mut dyn Iterator<Item = Size>| {
        let none = Size { nodes: 1, depth: 1 };
        sizes.fold(none, |sum, one| Size {
            nodes: sum.nodes + one.nodes,
            depth: sum.depth.max(one.depth + 1),
        })
    };
    match &node.kind {
        Kind::List(items) => all(&mut items.iter().map(size)),
        Kind::Table(entries) => all(&mut entries.iter().map(|entry| size(&entry.value))),
        Kind::Nothing | Kind::Flag(_) | Kind::Number(_) | Kind::Text(_) => Size { nodes: 1, depth: 0 },
    }
}

/// A single value by YAML's core rules; what older YAML took for `true` or `false` (`yes`, `on`, …) is text.
fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>, at: At) -> Result<Kind, Fault> {
    let text_tag = tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "str");
    if tag.is_some() && !text_tag {
        return Err(unsupported(at, "a tag (`!`)", "leave it out"));
    }
    if text_tag || style != ScalarStyle::Plain {
        return Ok(Kind::Text(text.to_owned()));
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(Kind::Nothing),
        "true" | "True" | "TRUE" => return Ok(Kind::Flag(true)),
        "false" | "False" | "FALSE" => return Ok(Kind::Flag(false)),
        _ => {}
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Err(unsupported(
            at,
            "infinity or no number",
            "write a finite number, or text in quotes",
        ));
    }
    Ok(number(text).map_or_else(|| Kind::Text(text.to_owned()), Kind::Number))
}

/// The number that a plain scalar is: `12`, `-1.50`, `1e-3`, `.5`, `0x10`, `0o20`.
fn number(text: &str) -> Option<String> {
    if let Some(digits) = text.strip_prefix("0x") {
        return decimal("", digits, 16).filter(|_| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return decimal("", digits, 8).filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digit = !whole.is_empty() || !fraction.is_empty();
    if !has_digit || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if digits.is_empty() || !is_digits(digits) {
            return None;
        }
    }
    let text = text.strip_prefix('+').unwrap_or(text);
    text.parse::<f64>().is_ok_and(f64::is_finite).then(|| text.to_owned())
}

fn unsupported(at: At, what: &'static str, instead: &'static str) -> Fault {
    Fault::new(at, Problem::Unsupported { what, instead })
}
