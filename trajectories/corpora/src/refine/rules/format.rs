//! Rules about formats, borders and merges.

use std::collections::BTreeMap;
use std::sync::Arc;

use napsim_sim::state::{Cells, Property};
use napsim_trajectories::action::FontProperty;
use napsim_trajectories::{Action, Bounds, Edit, Group, Value};

use super::view::{View, content_area, finding};
use super::{Finding, Severity};
use crate::refine::mechanical::{self, Join};
use crate::stats::replay::has_content;

/// Cells from which on a format counts as huge, and cells from which on nobody would set it early.
const HUGE_CELLS: u64 = 64;
const ENORMOUS_CELLS: u64 = 1024;

/// More typing than this between a text and its merge puts them far apart.
const FAR_ACTIONS: usize = 60;

/// Formats repeated at a constant distance from which on a paste is missed.
const REPEATED_MIN: usize = 4;

/// Relative luminance below which a colour counts as dark.
const DARK: f64 = 0.18;

fn is_format(action: &Action) -> bool {
    !matches!(
        action.group(),
        Group::Input | Group::Paste | Group::Autofill | Group::Merge
    )
}

pub(super) fn idle(view: &View<'_>) -> Vec<Finding> {
    let idle = view
        .numbered()
        .zip(&view.steps)
        .filter(|(_, step)| step.is_some_and(|step| !step.changed));
    let found = idle.map(|((idx, action), _)| Finding {
        edit: Some(format!("drop action {}", idx + 1)),
        ..finding(
            "idle",
            Severity::Warning,
            idx,
            format!("{} on {} changes nothing", action.keyword().text(), action.range()),
        )
    });
    found.collect()
}

pub(super) fn scattered(view: &View<'_>) -> Vec<Finding> {
    let found = mechanical::joins(view.actions)
        .into_iter()
        .map(|Join { first, second, joined }| Finding {
            edit: Some(format!(
                "replace actions {} and {} by `{joined}`",
                first + 1,
                second + 1
            )),
            ..finding(
                "scattered",
                Severity::Warning,
                second,
                format!("it belongs together with action {}", first + 1),
            )
        });
    found.collect()
}

pub(super) fn huge_format_early(view: &View<'_>) -> Vec<Finding> {
    let early = view.numbered().filter(|(idx, action)| {
        let bounds = action.range().bounds();
        is_format(action) && bounds.n_cells() >= HUGE_CELLS && {
            let mut times = view.fill_times(action.range().sheet(), &bounds).peekable();
            times.peek().is_some() && times.all(|time| time > *idx)
        }
    });
    let found = early.map(|(idx, action)| {
        let is_enormous = action.range().bounds().n_cells() >= ENORMOUS_CELLS;
        let severity = if is_enormous {
            Severity::Error
        } else {
            Severity::Warning
        };
        let reason = format!("{} is formatted while all of it is blank", action.range());
        Finding {
            edit: Some(format!("move action {} behind the content of its range", idx + 1)),
            ..finding("huge-format-early", severity, idx, reason)
        }
    });
    found.collect()
}

pub(super) fn outside_content(view: &View<'_>) -> Vec<Finding> {
    let areas: BTreeMap<&Arc<str>, Bounds> = view
        .state
        .sheets()
        .filter_map(|(name, sheet)| content_area(sheet).map(|area| (name, grown(&area))))
        .collect();
    let outside = view.numbered().filter(|(_, action)| {
        let area = areas.get(action.range().sheet());
        is_format(action) && area.is_some_and(|area| !area.overlaps(&action.range().bounds()))
    });
    let found = outside.map(|(idx, action)| {
        finding(
            "outside-content",
            Severity::Hint,
            idx,
            format!("{} lies away from all content", action.range()),
        )
    });
    found.collect()
}

/// The box with one more cell on each side.
fn grown(area: &Bounds) -> Bounds {
    Bounds {
        first_row: area.first_row - 1,
        first_col: area.first_col - 1,
        last_row: area.last_row + 1,
        last_col: area.last_col + 1,
    }
}

pub(super) fn default_noise(view: &View<'_>) -> Vec<Finding> {
    let is_noise = |action: &Action| match action.edit() {
        Edit::Fill { color: Some(color) } => color.eq_ignore_ascii_case("#FFFFFF"),
        Edit::Font { property, value } => value.loosely_equals(&property.default_value()),
        Edit::Align { axis, value } => value.eq_ignore_ascii_case(axis.default_alignment()),
        _ => false,
    };
    // What takes back an earlier format is a second thought, not noise.
    let takes_back = |idx: usize, action: &Action| {
        let mut earlier = view.actions.iter().take(idx);
        earlier.any(|other| {
            other.keyword() == action.keyword() && other.range().bounds().overlaps(&action.range().bounds())
        })
    };
    let noise = view
        .numbered()
        .filter(|(idx, action)| is_noise(action) && !takes_back(*idx, action));
    let found = noise.map(|(idx, action)| {
        finding(
            "default-noise",
            Severity::Hint,
            idx,
            format!("`{action}` only spells out the default"),
        )
    });
    found.collect()
}

pub(super) fn wrap_before_merge(view: &View<'_>) -> Vec<Finding> {
    let wraps = view
        .numbered()
        .filter(|(_, action)| matches!(action.edit(), Edit::Wrap { on: true }));
    let early = wraps.filter(|(idx, wrap)| {
        let mut later = view.actions.iter().skip(idx + 1);
        later.any(|other| {
            matches!(other.edit(), Edit::Merge { on: true }) && other.range().bounds().overlaps(&wrap.range().bounds())
        })
    });
    let found = early.map(|(idx, action)| {
        finding(
            "wrap-before-merge",
            Severity::Hint,
            idx,
            format!("{} is wrapped and only then merged", action.range()),
        )
    });
    found.collect()
}

pub(super) fn merge_far(view: &View<'_>) -> Vec<Finding> {
    let merges = view
        .numbered()
        .filter(|(_, action)| matches!(action.edit(), Edit::Merge { on: true }));
    let far = merges.filter(|(idx, merge)| {
        let anchor = Bounds::of_cell(merge.range().bounds().first_cell());
        let typed = view.fill_times(merge.range().sheet(), &anchor).next();
        typed.is_some_and(|typed| {
            let between = view.actions.get(typed + 1..*idx).unwrap_or_default();
            between.iter().filter(|action| action.is_content()).count() > FAR_ACTIONS
        })
    });
    let found = far.map(|(idx, action)| {
        finding(
            "merge-far",
            Severity::Hint,
            idx,
            format!("{} is merged long after its text was typed", action.range()),
        )
    });
    found.collect()
}

pub(super) fn dark_on_dark(view: &View<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (name, sheet) in view.state.sheets() {
        let cells = sheet
            .cells
            .iter()
            .flat_map(Cells::sorted)
            .filter(|(_, cell)| has_content(cell));
        let unreadable = cells.filter(|(_, cell)| {
            let fill = cell
                .get(Property::Fill)
                .and_then(|fill| fill.get("fgColor"))
                .and_then(Value::as_text);
            let default = FontProperty::Color.default_value();
            let font = cell.get(Property::FontColor).unwrap_or(&default).as_text();
            [fill, font]
                .into_iter()
                .all(|color| color.and_then(luminance).is_some_and(|light| light < DARK))
        });
        let places: Vec<String> = unreadable.map(|(key, _)| key.to_string()).collect();
        if let Some(first) = places.first() {
            found.push(Finding {
                rule: "dark-on-dark",
                severity: Severity::Warning,
                action_idx: None,
                reason: format!(
                    "{} cells from {name}!{first} on have dark text on a dark fill",
                    places.len()
                ),
                edit: Some(format!("give {name}!{first} a light font")),
            });
        }
    }
    found
}

/// The relative luminance of `#RRGGBB`, 0 for black and 1 for white, without gamma: enough to tell dark from light.
fn luminance(color: &str) -> Option<f64> {
    let digits = color
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let part = |at: usize| {
        u8::from_str_radix(digits.get(at..at + 2)?, 16)
            .ok()
            .map(|part| f64::from(part) / 255.0)
    };
    Some(0.2126 * part(0)?.powi(2) + 0.7152 * part(2)?.powi(2) + 0.0722 * part(4)?.powi(2))
}

pub(super) fn paste_missed(view: &View<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < view.actions.len() {
        match repeated_from(view.actions, start) {
            Some(length) => {
                let reason = format!("{length} formats are repeated one by one at a constant distance");
                found.push(finding("paste-missed", Severity::Hint, start + length, reason));
                start += 2 * length;
            }
            None => start += 1,
        }
    }
    found
}

/// The length of a run of formats that is repeated right after itself, moved by one and the same distance.
fn repeated_from(actions: &[Action], start: usize) -> Option<usize> {
    let ahead = actions.get(start..)?.iter().take(2 * mechanical::REACH);
    let run = ahead.take_while(|action| is_format(action)).count();
    let lengths = REPEATED_MIN..=(run / 2).min(mechanical::REACH);
    lengths.rev().find(|length| {
        let first = actions.iter().skip(start).take(*length);
        let second = actions.iter().skip(start + length).take(*length);
        let steps = first.zip(second).map(|(a, b)| moved(a, b));
        let steps: Option<Vec<(i64, i64)>> = steps.collect();
        steps.is_some_and(|steps| steps.iter().all(|step| *step != (0, 0) && Some(step) == steps.first()))
    })
}

/// How far a format was moved, when that is all that differs.
fn moved(a: &Action, b: &Action) -> Option<(i64, i64)> {
    let (from, to) = (a.range().bounds(), b.range().bounds());
    let same_size = (from.height(), from.width()) == (to.height(), to.width());
    let alike = same_size && a.range().sheet() == b.range().sheet() && mechanical::same_format(a, b);
    alike.then_some((to.first_row - from.first_row, to.first_col - from.first_col))
}
