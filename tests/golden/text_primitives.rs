//! The primitives on text: numbers, ISO rewriting, reference shifting and the helpers on lines.

use napsim_trajectories::text::{
    CompressError, CompressOptions, Fields, compress, compress_inputs, join, uncompress_inputs,
};
use napsim_trajectories::{Value, number, rewrite_clock_text, shift_references};

use super::vectors::{Vector, check_same, for_each_vector, texts};

const FILE: &str = "actions_extra.jsonl";

#[test]
fn golden_iso() {
    for_each_vector(FILE, "iso", |vector| {
        let text = vector.text("input")?;
        let got = rewrite_clock_text(text).unwrap_or_else(|| text.to_owned());
        check_same(&*got, vector.get("expected")?)
    });
}

#[test]
fn golden_shift() {
    for_each_vector(FILE, "shift", |vector| {
        let (rows, cols) = (vector.integer("row_offset")?, vector.integer("col_offset")?);
        let got = shift_references(vector.text("formula")?, rows, cols);
        check_same(&*got, vector.get("expected")?)
    });
}

#[test]
fn golden_repr() {
    for_each_vector(FILE, "repr", |vector| match vector.get("input")? {
        Value::Float(float) => check_same(&*number::float_text(*float), vector.get("expected")?),
        input => Err(format!("the input is not a float: {input:?}")),
    });
}

#[test]
fn golden_pyint() {
    for_each_vector(FILE, "pyint", |vector| {
        check_number(number::read_integer(vector.text("input")?), vector)
    });
}

#[test]
fn golden_pyfloat() {
    for_each_vector(FILE, "pyfloat", |vector| {
        check_number(number::read_float(vector.text("input")?).map(Value::Float), vector)
    });
}

fn check_number(got: Option<Value>, vector: &Vector) -> Result<(), String> {
    match (got, vector.expected_error()) {
        (Some(got), _) => check_same(got, vector.get("expected")?),
        (None, Some(_)) => Ok(()),
        (None, None) => Err("failed, but should not".to_owned()),
    }
}

#[test]
fn golden_compress() {
    for_each_vector(FILE, "compress", |vector| {
        check_lines(
            compress(&vector.lines("ops")?, &options(vector.get("options")?)?),
            vector,
        )
    });
}

fn options(members: &Value) -> Result<CompressOptions, String> {
    let Value::Object(members) = members else {
        return Err("the options are not an object".to_owned());
    };
    let mut options = CompressOptions::default();
    for (key, value) in members.iter() {
        match (&**key, value) {
            ("compress_inputs", Value::Bool(flag)) => options.compress_inputs = *flag,
            ("remove_sheet_name", Value::Bool(flag)) => options.remove_sheet_name = *flag,
            ("remove_inputs", Value::Bool(flag)) => options.remove_inputs = *flag,
            ("remove_args", Value::Bool(flag)) => options.remove_args = *flag,
            ("compress_args", Value::Bool(flag)) => options.compress_args = *flag,
            ("max_len_args", Value::Int(length)) => {
                options.max_len_args = usize::try_from(*length).map_err(|error| error.to_string())?;
            }
            _ => return Err(format!("unknown option `{key}`: {value:?}")),
        }
    }
    Ok(options)
}

#[test]
fn golden_compress_inputs() {
    for_each_vector(FILE, "compress_inputs", |vector| {
        check_lines(compress_inputs(&vector.lines("input")?), vector)
    });
}

#[test]
fn golden_uncompress() {
    for_each_vector(FILE, "uncompress", |vector| {
        check_lines(uncompress_inputs(&vector.lines("input")?), vector)
    });
}

fn check_lines(got: Result<Vec<String>, CompressError>, vector: &Vector) -> Result<(), String> {
    match (got, vector.expected_error()) {
        (Ok(got), _) => check_same(texts(&got), vector.get("expected")?),
        (Err(error), Some(code)) => check_same(error.code(), code),
        (Err(error), None) => Err(format!("failed to {error}, but should not")),
    }
}

#[test]
fn golden_fields() {
    for_each_vector(FILE, "fields", |vector| {
        let fields = Fields::split(vector.text("input")?);
        let optional = |text: Option<&str>| text.map_or(Value::Null, Value::text);
        let mut members = vec![
            ("operation".into(), Value::text(fields.operation)),
            ("cell_range".into(), optional(fields.cell_range)),
            ("value".into(), optional(fields.value)),
            ("parts".into(), texts(&fields.parts)),
        ];
        if let Some(place) = fields.place {
            members.push(("sheet".into(), optional(place.sheet)));
            members.push(("range".into(), Value::text(place.range)));
        }
        check_same(Value::Object(members.into()), vector.get("expected")?)
    });
}

#[test]
fn golden_build() {
    for_each_vector(FILE, "build", |vector| {
        let [operation, range, value, sheet] = vector.list("input")? else {
            return Err("the input is not four fields".to_owned());
        };
        let required = |field: &Value| field.as_text().map(str::to_owned).ok_or("a field is not a text");
        let got = join(
            &required(operation)?,
            &required(range)?,
            value.as_text(),
            sheet.as_text(),
        );
        check_same(&*got, vector.get("expected")?)
    });
}
