//! The course of each trajectory: curves of what is left to do, and time lines of what became of predictions.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use napsim_analysis::Progress;
use napsim_analysis::progress::Answer;
use napsim_charts::{Heading, Lane, LaneShape, Panel, Strip};

use super::unit;
use crate::choice::{Page, Shown};
use crate::markup::shown as shown_text;
use crate::words;
use napsim_reports::printable::printable;

/// Trajectories that have a panel; more would make the page slow and nobody looks at them.
const PANELS_MAX: usize = 240;
/// Time lines in all.
const STRIPS_MAX: usize = 420;

/// The first course of each trajectory of a run, in the order of the run.
fn courses<'a>(shown: &Shown<'a>) -> Vec<&'a Progress> {
    let mut seen = std::collections::BTreeSet::new();
    shown
        .run
        .progress
        .iter()
        .filter(|course| seen.insert(course.name.as_str()))
        .collect()
}

/// Small curves of progress, one panel a trajectory, all shown runs in each.
pub(super) fn panels(page: &Page<'_>) -> Markup {
    let mut by_name: Vec<(&str, Vec<(&Shown<'_>, &Progress)>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for shown in &page.shown {
        for course in courses(shown) {
            let place = *places.entry(course.name.as_str()).or_insert(by_name.len());
            match by_name.get_mut(place) {
                Some((_, all)) => all.push((shown, course)),
                None => by_name.push((course.name.as_str(), vec![(shown, course)])),
            }
        }
    }
    if by_name.is_empty() {
        return html! { p class="absent" { "The course of the trajectories was not kept, so there are no curves of progress." } };
    }
    let left_out = by_name.len().saturating_sub(PANELS_MAX);
    html! {
        figure id="progress-curves" data-figure="" {
            h3 { "How fast does the work get done?" }
            p class="answer" { "Across: the user's actions. Down: what is left to do. The dashed line is working alone; the sooner a curve \
                reaches the bottom, the more was saved." }
            div class="courses" tabindex="0" role="group" aria-label="curves of progress" {
                div class="panels" { @for (name, all) in by_name.iter().take(PANELS_MAX) { (panel(name, all)) } }
            }
            @if left_out > 0 { p class="note" { (left_out) " more trajectories are not drawn." } }
            figcaption {
                div class="tools" {
                    button type="button" data-csv="progress-curves" { "CSV" }
                    details {
                        summary { "What is shown" }
                        p class="note" { "After each action of the user and each accepted prediction, how many actions are left to do. Where a \
                            run has repeats, the first is drawn." }
                    }
                }
            }
            (crate::data_block::csv("progress-curves", &curves_csv(&by_name)))
        }
    }
}

fn panel(name: &str, all: &[(&Shown<'_>, &Progress)]) -> Markup {
    let actions = all.iter().map(|(_, course)| course.actions).max().unwrap_or_default();
    let reach = all
        .iter()
        .flat_map(|(_, course)| &course.curve)
        .map(|point| point.left)
        .max()
        .unwrap_or(1)
        .max(actions);
    let curve = |(shown, course): &(&Shown<'_>, &Progress)| {
        let points = course
            .curve
            .iter()
            .map(|point| (f64::from(point.user_steps), f64::from(point.left)));
        (shown.series(), points.collect())
    };
    let steps = all
        .iter()
        .map(|(_, course)| course.user_steps)
        .max()
        .unwrap_or_default()
        .max(actions);
    let svg = Panel {
        heading: Heading::new(format!("progress of {name}"), "").sized(170.0, 96.0),
        reach: (f64::from(steps), f64::from(reach)),
        manual: Some(((0.0, f64::from(actions)), (f64::from(actions), 0.0))),
        curves: all.iter().map(curve).collect(),
    }
    .svg();
    let best = all.first().and_then(|(_, course)| course.uas);
    let inside = html! {
        b { (shown_text(name)) }
        (PreEscaped(svg))
        small { (actions) " actions · UAS " (words::percent_or_dash(best)) }
    };
    let link = all.iter().find_map(|(shown, _)| unit(shown, name));
    html! {
        @if let Some(link) = link {
            a href={ "#replay/" (link) "/1" } data-name=(printable(name, false)) { (inside) }
        } @else {
            div data-name=(printable(name, false)) { (inside) }
        }
    }
}

fn curves_csv(all: &[(&str, Vec<(&Shown<'_>, &Progress)>)]) -> String {
    use crate::markup::{Cell, Row, Table};
    /// Points a curve that the CSV has; the records have all.
    const POINTS_MAX: usize = 200;
    let mut table = Table::new(["trajectory", "run", "#user actions", "#left to do"]);
    for (name, courses) in all {
        for (shown, course) in courses {
            let every = course.curve.len().div_ceil(POINTS_MAX).max(1);
            let last = course.curve.len().saturating_sub(1);
            for (place, point) in course.curve.iter().enumerate() {
                if place.is_multiple_of(every) || place == last {
                    table.rows.push(Row::of(vec![
                        Cell::text(*name),
                        Cell::text(shown.name()),
                        Cell::count(point.user_steps.into()),
                        Cell::count(point.left.into()),
                    ]));
                }
            }
        }
    }
    table.csv()
}

/// What the lanes of a time line are called, and their marks.
const LANES: [(&str, &str, LaneShape, usize); 4] = [
    ("accepted", "accepted", LaneShape::Box, 0),
    ("rejected", "rejected", LaneShape::Cross, 1),
    ("empty", "no suggestion", LaneShape::Tick, 2),
    ("failed", "failed or taken back", LaneShape::Cross, 2),
];

/// Time lines, one a trajectory and run; those of one run are seen at a time.
pub(super) fn strips(page: &Page<'_>) -> Markup {
    let with_courses: Vec<(&Shown<'_>, Vec<&Progress>)> = page
        .shown
        .iter()
        .map(|shown| (shown, courses(shown)))
        .filter(|(_, courses)| !courses.is_empty())
        .collect();
    let Some((first, _)) = with_courses.first() else {
        return html! {};
    };
    // The best run's come first, and others as long as there is room.
    let mut n_strips = 0;
    let drawn: Vec<_> = with_courses
        .iter()
        .take_while(|(_, courses)| {
            n_strips += courses.len();
            n_strips <= STRIPS_MAX || n_strips == courses.len()
        })
        .collect();
    let pairs: Vec<(&Shown<'_>, &Progress)> = drawn
        .iter()
        .flat_map(|(shown, courses)| courses.iter().take(STRIPS_MAX).map(move |course| (*shown, *course)))
        .collect();
    html! {
        figure id="time-lines" data-figure="" {
            h3 { "Where on the way are predictions accepted?" }
            p class="answer" { "Each line is a trajectory from its first event to its last. Shaded stretches are streaks of two acceptances \
                or more. A click goes to that moment in the replay, where there is one." }
            div class="filter" {
                @if drawn.len() > 1 {
                    label for="strip-run" { "Time lines of" }
                    select id="strip-run" {
                        @for (shown, _) in &drawn { option value=(shown.group()) { (printable(shown.name(), false)) } }
                    }
                } @else {
                    span class="note" { "Time lines of " (shown_text(first.name())) }
                }
                ul class="lanes" { @for (class, label, shape, _) in LANES { li { (lane_key(class, shape)) (label) } } }
            }
            div class="courses" tabindex="0" role="group" aria-label="time lines" {
                div class="strips" {
                    @for (shown, course) in &pairs { (strip(shown, course, shown.idx == first.idx)) }
                }
            }
            @if drawn.len() < with_courses.len() {
                p class="note" { "There are too many to draw those of every run." }
            }
            figcaption {
                div class="tools" {
                    button type="button" data-csv="time-lines" { "CSV" }
                    details {
                        summary { "What is shown" }
                        p class="note" { "All events of the rollout in their order, from left to right: actions of the user (not marked) and \
                            calls of the predictor. Marks that would lie over each other are drawn as one." }
                    }
                }
            }
            (crate::data_block::csv("time-lines", &marks_csv(&pairs)))
        }
    }
}

fn lane_key(class: &str, shape: LaneShape) -> Markup {
    let data = match shape {
        LaneShape::Box => "M4 2h6v10h-6z",
        LaneShape::Cross => "M3 3l8 8M11 3l-8 8",
        LaneShape::Tick => "M7 2v10",
    };
    html! { svg viewBox="0 0 14 14" aria-hidden="true" { path class=(class) d=(data) {} } }
}

/// How many events a rollout has: actions of the user and calls, those that were taken back twice.
fn n_events(course: &Progress) -> u32 {
    course.user_steps + u32::try_from(course.marks.len()).unwrap_or_default()
}

fn strip(shown: &Shown<'_>, course: &Progress, is_seen: bool) -> Markup {
    let mut lanes = vec![Lane {
        class: "streak".into(),
        name: "streak".into(),
        ..Lane::default()
    }];
    lanes.extend(LANES.map(|(class, name, shape, row)| Lane {
        row,
        class: class.into(),
        name: name.into(),
        shape,
        ..Lane::default()
    }));
    let mut streak: Option<(f64, f64, u32)> = None;
    let mut streaks = Vec::new();
    for (place, mark) in course.marks.iter().enumerate() {
        let at = f64::from(mark.user_steps + u32::try_from(place).unwrap_or_default() + 1);
        let lane = match mark.answer {
            Answer::Accepted => 1,
            Answer::Rejected => 2,
            Answer::Empty => 3,
            Answer::Diverged | Answer::Failed => 4,
        };
        if let Some(lane) = lanes.get_mut(lane) {
            lane.at.push(at);
        }
        match (mark.answer, &mut streak) {
            (Answer::Accepted, Some((_, end, n))) => {
                *end = at;
                *n += 1;
            }
            (Answer::Accepted, none) => *none = Some((at, at, 1)),
            (Answer::Empty, _) => {}
            (_, open) => streaks.extend(open.take()),
        }
    }
    streaks.extend(streak);
    if let Some(lane) = lanes.first_mut() {
        lane.spans = streaks
            .into_iter()
            .filter(|(_, _, n)| *n > 1)
            .map(|(from, to, _)| (from, to))
            .collect();
    }
    let svg = Strip {
        heading: Heading::new(format!("time line of {}", course.name), "").sized(640.0, 26.0),
        domain: (0.0, f64::from(n_events(course).max(1))),
        lanes,
    }
    .svg();
    let link = unit(shown, &course.name);
    html! {
        div class=(if is_seen { "strip-row" } else { "strip-row other-run" }) data-strip-run=(shown.group()) data-name=(printable(&course.name, false))
            data-strip=[link] data-steps=[link.map(|_| n_events(course))] {
            @if let Some(link) = link {
                a href={ "#replay/" (link) "/1" } { (shown_text(&course.name)) }
            } @else {
                span { (shown_text(&course.name)) }
            }
            (PreEscaped(svg))
            span class="end" { (words::percent_or_dash(course.uas)) }
        }
    }
}

fn marks_csv(all: &[(&Shown<'_>, &Progress)]) -> String {
    use crate::markup::{Cell, Row, Table};
    let mut table = Table::new([
        "trajectory",
        "run",
        "#user actions",
        "#left to do",
        "answer",
        "#prediction",
        "#saved",
    ]);
    for (shown, course) in all {
        for mark in &course.marks {
            table.rows.push(Row::of(vec![
                Cell::text(course.name.clone()),
                Cell::text(shown.name()),
                Cell::count(mark.user_steps.into()),
                Cell::count(mark.left.into()),
                Cell::text(mark.answer.label()),
                mark.prediction_idx.map_or(Cell::Empty, |idx| Cell::count(idx.into())),
                #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
                Cell::Number(mark.ops_saved as f64, String::new()),
            ]));
        }
    }
    table.csv()
}
