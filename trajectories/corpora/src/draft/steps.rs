//! Formatting steps of a draft: `A3:D3 / A9:D9 bold, fill #DDEBF7, border bottom`.

use napsim_trajectories::Bounds;

use super::line::{Context, Step, read_range, word};

/// The steps, for messages.
const STEPS: &str = "bold, italic, wrap, unbold, unitalic, unwrap, underline, size, font, color, fill, nofill, left, \
                     center, right, justify, general, top, middle, bottom, rotate, format, border, noborder, merge, \
                     unmerge, autofill, paste";

/// Expands a line of ranges and steps: all steps on the first range, then all on the next.
pub(super) fn expand(line: &str, context: &Context) -> Result<Step, String> {
    let (ranges, text) = read_ranges(line)?;
    let mut step = Step::default();
    for bounds in ranges {
        let mut rest = text;
        while !rest.is_empty() {
            rest = one(rest, bounds, context, &mut step)?;
        }
    }
    if let Some(format) = text_after_word(text, "format")
        && let Some((_, tail)) = format.rsplit_once(", ")
        && one(tail, Bounds::of_cell(CELL), context, &mut Step::default()).is_ok()
    {
        step.warnings.push(format!(
            "`{tail}` is part of the number format, since a format ends its line"
        ));
    }
    Ok(step)
}

/// Some cell, to try a step on.
const CELL: napsim_trajectories::CellAddress = napsim_trajectories::CellAddress { row: 1, col: 1 };

/// What follows the step `name` where a line has it.
fn text_after_word<'line>(line: &'line str, name: &str) -> Option<&'line str> {
    let mut rest = line;
    loop {
        let (first, after) = word(rest);
        if first == name {
            return Some(after);
        }
        rest = rest.split_once(',')?.1;
    }
}

/// The ranges before the steps, and the steps.
fn read_ranges(line: &str) -> Result<(Vec<Bounds>, &str), String> {
    let mut ranges = Vec::new();
    let mut rest = line;
    loop {
        let (range, after) = word(rest);
        ranges.push(read_range(range)?);
        let (mark, behind) = word(after);
        if mark != "/" {
            return if after.is_empty() {
                Err(format!("expected formatting steps after `{range}`, found none"))
            } else {
                Ok((ranges, after))
            };
        }
        rest = behind;
    }
}

/// Carries out the first step of a text and returns the text behind its comma.
fn one<'text>(text: &'text str, bounds: Bounds, context: &Context, step: &mut Step) -> Result<&'text str, String> {
    let (name, after) = word(text);
    if name == "format" {
        if after.is_empty() {
            return Err("expected a number format such as #,##0.00 after `format`".to_owned());
        }
        push(step, "NUMBER_FORMAT", bounds, context, after)?;
        return Ok("");
    }
    let (this, rest) = text.split_once(',').unwrap_or((text, ""));
    let (name, argument) = word(this);
    let notation = match name {
        "autofill" => {
            let source = context.on_sheet(read_range(argument)?);
            return push(step, "AUTOFILL", bounds, context, &source).map(|()| rest.trim());
        }
        "paste" => ("PASTE_FROM", paste(argument, context)?),
        "border" => border(argument)?,
        "noborder" => (side(argument)?, "clear".to_owned()),
        "font" | "size" | "color" | "fill" | "rotate" | "underline" => with_argument(name, argument)?,
        _ => {
            let plain = plain(name).ok_or_else(|| format!("expected one of the steps {STEPS}, found `{name}`"))?;
            if !argument.is_empty() {
                return Err(format!("expected a comma after `{name}`, found `{argument}`"));
            }
            (plain.0, plain.1.to_owned())
        }
    };
    push(step, notation.0, bounds, context, &notation.1)?;
    if text.trim_end().ends_with(',') && rest.trim().is_empty() {
        return Err("expected another step after the last comma".to_owned());
    }
    Ok(rest.trim())
}

fn push(step: &mut Step, keyword: &str, bounds: Bounds, context: &Context, value: &str) -> Result<(), String> {
    step.push(&format!("{keyword} | {} | {value}", context.on_sheet(bounds)))
}

/// Steps of one word.
fn plain(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "bold" => ("FONT_BOLD", "true"),
        "unbold" => ("FONT_BOLD", "false"),
        "italic" => ("FONT_ITALIC", "true"),
        "unitalic" => ("FONT_ITALIC", "false"),
        "wrap" => ("WRAP_TEXT", "true"),
        "unwrap" => ("WRAP_TEXT", "false"),
        "nofill" => ("FILL_COLOR", "clear"),
        "left" => ("ALIGN_HORIZONTAL", "left"),
        "center" => ("ALIGN_HORIZONTAL", "center"),
        "right" => ("ALIGN_HORIZONTAL", "right"),
        "justify" => ("ALIGN_HORIZONTAL", "justify"),
        "general" => ("ALIGN_HORIZONTAL", "general"),
        "top" => ("ALIGN_VERTICAL", "top"),
        "middle" => ("ALIGN_VERTICAL", "center"),
        "bottom" => ("ALIGN_VERTICAL", "bottom"),
        "merge" => ("MERGE", "true"),
        "unmerge" => ("MERGE", "false"),
        _ => return None,
    })
}

/// Steps of a word and what it is set to.
fn with_argument(name: &str, argument: &str) -> Result<(&'static str, String), String> {
    Ok(match name {
        "font" if !argument.is_empty() => ("FONT_NAME", argument.to_owned()),
        "font" => return Err("expected a font name such as Georgia after `font`".to_owned()),
        "size" => {
            let is_size = argument.parse::<f64>().is_ok_and(|size| (1.0..=409.0).contains(&size));
            if !is_size {
                return Err(format!(
                    "expected a size from 1 to 409 after `size`, found `{argument}`"
                ));
            }
            ("FONT_SIZE", argument.to_owned())
        }
        "color" => ("FONT_COLOR", colour(argument, name)?),
        "fill" => ("FILL_COLOR", colour(argument, name)?),
        "rotate" => {
            let is_angle = |degrees: i64| (-90..=90).contains(&degrees) || degrees == 255;
            if !argument.parse::<i64>().is_ok_and(is_angle) {
                return Err(format!(
                    "expected degrees from -90 to 90, or 255 for stacked letters, after `rotate`, found `{argument}`"
                ));
            }
            ("TEXT_ORIENTATION", argument.to_owned())
        }
        _ => match argument {
            "" => ("FONT_UNDERLINE", "single".to_owned()),
            "single" | "double" | "none" => ("FONT_UNDERLINE", argument.to_owned()),
            _ => {
                return Err(format!(
                    "expected single, double or none after `underline`, found `{argument}`"
                ));
            }
        },
    })
}

fn colour(text: &str, after: &str) -> Result<String, String> {
    let is_colour = |digits: &str| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if text.strip_prefix('#').is_some_and(is_colour) {
        return Ok(text.to_uppercase());
    }
    Err(format!(
        "expected a colour such as #C00000 after `{after}`, found `{text}`"
    ))
}

/// `A3:D3 formats`: where to paste from, and what.
fn paste(argument: &str, context: &Context) -> Result<String, String> {
    let (source, mode) = word(argument);
    let source = context.on_sheet(read_range(source)?);
    match mode {
        "" => Ok(format!("{source} | all")),
        "all" | "values" | "formats" | "formulas" => Ok(format!("{source} | {mode}")),
        _ => Err(format!(
            "expected all, values, formats or formulas after the source, found `{mode}`"
        )),
    }
}

/// The action that draws on a side.
fn side(name: &str) -> Result<&'static str, String> {
    Ok(match name {
        "all" => "BORDER_ALL",
        "outside" => "BORDER_OUTSIDE",
        "top" => "BORDER_TOP",
        "bottom" => "BORDER_BOTTOM",
        "left" => "BORDER_LEFT",
        "right" => "BORDER_RIGHT",
        "inside-h" => "BORDER_INSIDE_HORIZONTAL",
        "inside-v" => "BORDER_INSIDE_VERTICAL",
        _ => {
            return Err(format!(
                "expected all, outside, top, bottom, left, right, inside-h or inside-v, found `{name}`"
            ));
        }
    })
}

/// `bottom double #C00000`: a side, then perhaps a style and a colour.
fn border(argument: &str) -> Result<(&'static str, String), String> {
    let (name, mut rest) = word(argument);
    let keyword = side(name)?;
    let mut line = "Thin, Continuous";
    let (style, after) = word(rest);
    if !style.is_empty() && !style.starts_with('#') {
        line = match style {
            "thin" => "Thin, Continuous",
            "medium" => "Medium, Continuous",
            "thick" => "Thick, Continuous",
            "hairline" => "Hairline, Continuous",
            "dash" => "Thin, Dash",
            "dot" => "Thin, Dot",
            "dashdot" => "Thin, DashDot",
            "dashdotdot" => "Thin, DashDotDot",
            "double" => "Thin, Double",
            _ => {
                return Err(format!(
                    "expected thin, medium, thick, hairline, dash, dot, dashdot, dashdotdot, double or a colour, \
                     found `{style}`"
                ));
            }
        };
        rest = after;
    }
    let colour = if rest.is_empty() {
        "#000000".to_owned()
    } else {
        colour(rest, "border")?
    };
    Ok((keyword, format!("{line}, {colour}")))
}
