//! Ranges and actions: reading, printing, inverses, equality and the tables of names.

use napsim_trajectories::parse::{is_skipped, parse_lines};
use napsim_trajectories::text::trim;
use napsim_trajectories::{Action, Family, Keyword, Range, Value};

use super::describe::{describe, describe_range};
use super::vectors::{Vector, check_same, for_each_vector, object, texts};

const FILE: &str = "actions.jsonl";
const EXTRA_FILE: &str = "actions_extra.jsonl";

#[test]
fn golden_range() {
    for_each_vector(FILE, "range", |vector| {
        let got = match Range::parse(vector.text("input")?) {
            Ok(range) => describe_range(&range),
            Err(error) => object([("error", error.code().into())]),
        };
        check_same(got, vector.get("expected")?)
    });
}

#[test]
fn golden_parse() {
    for_each_vector(FILE, "parse", |vector| {
        check_same(describe_line(vector.text("input")?), vector.get("expected")?)
    });
}

/// What becomes of one line: skipped, refused with a code, or read.
fn describe_line(line: &str) -> Value {
    if is_skipped(line) {
        return object([("skipped", Value::Bool(true))]);
    }
    let trimmed = Value::text(trim(line));
    match Action::parse(line) {
        Err(error) => object([("error", error.code().into()), ("failed_entry", trimmed)]),
        Ok(action) => {
            let canonical = action.to_string();
            let again = Action::parse(&canonical).ok();
            object([
                (
                    "recanonical",
                    again.map_or(Value::Null, |again| Value::text(again.to_string())),
                ),
                ("canonical", Value::text(canonical)),
                ("op", describe(&action)),
                ("valid_symbolic", trimmed),
            ])
        }
    }
}

#[test]
fn golden_inverse() {
    for_each_vector(FILE, "inverse", |vector| {
        let inverse = read(vector.text("input")?)?.inverse();
        let text = inverse.to_string();
        let again = Action::parse(&text).ok();
        let of_again =
            |test: &dyn Fn(&Action) -> bool| again.as_ref().map_or(Value::Null, |again| Value::Bool(test(again)));
        let got = object([
            ("op", describe(&inverse)),
            ("double_inverse", Value::text(inverse.inverse().to_string())),
            ("reparsed_is_inverse", of_again(&Action::is_inverse)),
            ("reparsed_equal", of_again(&|again| *again == inverse)),
            ("symbolic", Value::text(text)),
        ]);
        check_same(got, vector.get("expected")?)
    });
}

/// The action of a line that must be one.
pub(crate) fn read(line: &str) -> Result<Action, String> {
    Action::parse(line).map_err(|error| format!("failed to read `{line}`: {error}"))
}

#[test]
fn golden_parse_many() {
    for_each_vector(EXTRA_FILE, "parse_many", |vector| {
        let parsed = parse_lines(vector.lines("input")?);
        let canonical: Vec<String> = parsed.actions.iter().map(ToString::to_string).collect();
        let failed: Vec<&str> = parsed.failed.iter().map(|failed| &*failed.text).collect();
        let codes: Vec<&str> = parsed.failed.iter().map(|failed| failed.error.code()).collect();
        let got = object([
            // The published system has a second reader that keeps silent about failures; both accept the same lines.
            ("lenient_canonical", texts(&canonical)),
            ("canonical", texts(&canonical)),
            ("valid_symbolic", texts(&parsed.sources)),
            ("failed_entries", texts(&failed)),
            ("failed_codes", texts(&codes)),
        ]);
        check_same(got, vector.get("expected")?)
    });
}

#[test]
fn golden_equality() {
    for_each_vector(EXTRA_FILE, "equality", |vector| {
        let [a, b] = vector.list("input")? else {
            return Err("the input is not a pair".to_owned());
        };
        let line = |value: &Value| read(value.as_text().ok_or("a member of the pair is not a text")?);
        let (a, b) = (line(a)?, line(b)?);
        let expected = vector.get("expected")?;
        let expect = |key: &str| {
            expected
                .get(key)
                .ok_or_else(|| format!("the vector expects no `{key}`"))
        };
        // `hash_equal` is left out: it tells how the published system fills its hash tables, which nothing here
        // follows, since actions are told apart by `==` and `same_set_element` alone.
        check_same(a == b, expect("equal")?)?;
        check_same(b == a, expect("equal")?)?;
        check_same(a.same_set_element(&b), expect("same_set_element")?)
    });
}

#[test]
fn golden_tables() {
    for_each_vector(EXTRA_FILE, "tables", check_tables);
}

fn check_tables(vector: &Vector) -> Result<(), String> {
    let expected = vector.get("expected")?;
    let Value::Object(tables) = expected else {
        return Err("the tables are not an object".to_owned());
    };
    for (name, table) in tables.iter() {
        let got = match &**name {
            "operation_map" => object(
                Keyword::ALL
                    .iter()
                    .map(|known| (known.text(), known.family().name().into())),
            ),
            "operation_order" => texts(&Keyword::ORDER.map(Keyword::text)),
            "operation_order_by_family" => object(families().map(|family| (family.name(), order_of(family)))),
            "prime_visible" => in_order_of(table, families().filter(|family| family.is_primarily_visible()))?,
            "modifies_format" => touched_formats(table, example)?,
            "modifies_format_paste" => touched_formats(table, |mode| format!("PASTE_FROM | B1 | A1 | {mode}"))?,
            other => return Err(format!("unknown table `{other}`")),
        };
        check_same(got, table).map_err(|error| format!("table `{name}`: {error}"))?;
    }
    Ok(())
}

/// Every family once, in the order of the registry.
fn families() -> impl Iterator<Item = Family> {
    let mut families: Vec<Family> = Keyword::ALL.iter().map(|keyword| keyword.family()).collect();
    families.dedup();
    families.into_iter()
}

fn order_of(family: Family) -> Value {
    Value::Int(i64::try_from(family.order()).unwrap_or(i64::MAX))
}

/// The names of families, in the order in which the table lists them and the rest behind.
fn in_order_of(table: &Value, families: impl Iterator<Item = Family>) -> Result<Value, String> {
    let Value::List(listed) = table else {
        return Err("the table is not a list".to_owned());
    };
    let mut names: Vec<&str> = families.map(Family::name).collect();
    names.sort_by_key(|name| {
        listed
            .iter()
            .position(|listed| listed.as_text() == Some(name))
            .unwrap_or(usize::MAX)
    });
    Ok(texts(&names))
}

/// Whether the action of each key of the table touches formats.
fn touched_formats(table: &Value, line_of: impl Fn(&str) -> String) -> Result<Value, String> {
    let Value::Object(entries) = table else {
        return Err("the table is not an object".to_owned());
    };
    let touches = |key: &str| read(&line_of(key)).map(|action| Value::Bool(action.touches_format()));
    let touched: Result<Vec<_>, String> = entries.iter().map(|(key, _)| Ok((&**key, touches(key)?))).collect();
    Ok(object(touched?))
}

/// A line that begins with the keyword.
fn example(keyword: &str) -> String {
    match keyword {
        "AUTOFILL" => "AUTOFILL | A1:A3 | A1".to_owned(),
        "TEXT_ORIENTATION" => "TEXT_ORIENTATION | A1 | 45".to_owned(),
        _ => format!("{keyword} | A1 | true"),
    }
}
