//! The two charts of a setting: the metric by value, and by acceptance rate.

use napsim_analysis::published::LABEL;
use napsim_charts::{Axis, IntervalShape, Line, LineShape, NumberFormat, Point, Reference, Series, XyChart};

use super::published::Mark;
use super::{CURVES_MAX, Curve, figures, question};
use crate::choice::Page;
use crate::sections::setting_values::Varying;
use crate::sections::{heading, rate_axis};
use crate::words;

pub(super) fn by_value(page: &Page<'_>, setting: &Varying, curves: &[Curve], published: &[Mark]) -> String {
    let point = |(level, run): &(usize, usize)| {
        let figures = figures(page, *run)?;
        let x = u32::try_from(*level).map(f64::from).ok()?;
        Some(Point {
            interval: figures.interval.map(|interval| (interval.low, interval.high)),
            note: format!("{}: {}", figures.name, words::percent_or_dash(figures.mean)),
            ..Point::new(x, figures.mean?)
        })
    };
    let line = |(look, curve): (usize, &Curve)| Line {
        series: Series::new(curve.name.clone(), look),
        shape: if setting.is_ordered {
            LineShape::Straight
        } else {
            LineShape::Apart
        },
        intervals: IntervalShape::Bars,
        marks: true,
        dashed: false,
        points: curve.runs.iter().filter_map(point).collect(),
    };
    let reference = |mark: &Mark| Reference {
        x: u32::try_from(mark.level).map_or(0.0, f64::from),
        y: mark.uas,
        name: LABEL.to_owned(),
        note: format!("{}: {}", LABEL, words::percent(mark.uas)),
    };
    let metric = page.report.comparison.settings.metric.title();
    let chart = XyChart {
        heading: heading(&question(&setting.name)).sized(560.0, 360.0),
        x: Axis::bands(setting.name.trim_start_matches('?'), setting.levels.clone()),
        y: rate_axis(metric),
        lines: curves.iter().take(CURVES_MAX).enumerate().map(line).collect(),
        references: published.iter().map(reference).collect(),
        guides: Vec::new(),
    };
    chart.svg()
}

pub(super) fn by_acceptance(page: &Page<'_>, setting: &Varying, curves: &[Curve], published: &[Mark]) -> String {
    let point = |(level, run): &(usize, usize)| {
        let figures = figures(page, *run)?;
        let label = setting.levels.get(*level).cloned().unwrap_or_default();
        let (ar, mean) = (figures.means.ar?, figures.mean?);
        Some(Point {
            note: format!("{}: AR {}, {}", figures.name, words::percent(ar), words::percent(mean)),
            label: napsim_charts::shortened(&label, 11.0, 110.0).into_owned(),
            ..Point::new(ar, mean)
        })
    };
    let line = |(look, curve): (usize, &Curve)| Line {
        series: Series::new(curve.name.clone(), look),
        shape: if setting.is_ordered {
            LineShape::Straight
        } else {
            LineShape::Apart
        },
        marks: true,
        points: curve.runs.iter().filter_map(point).collect(),
        ..Line::default()
    };
    let reference = |mark: &Mark| Reference {
        x: mark.ar,
        y: mark.uas,
        name: LABEL.to_owned(),
        note: format!(
            "{}, {}: UAS {}, AR {}",
            LABEL,
            mark.value,
            words::percent(mark.uas),
            words::percent(mark.ar)
        ),
    };
    let metric = page.report.comparison.settings.metric.title();
    let chart = XyChart {
        heading: heading(&format!("{metric} against acceptance rate")).sized(560.0, 360.0),
        x: Axis::linear("acceptance rate (AR)", NumberFormat::Percent),
        y: rate_axis(metric),
        lines: curves.iter().take(CURVES_MAX).enumerate().map(line).collect(),
        references: published.iter().map(reference).collect(),
        guides: Vec::new(),
    };
    chart.svg()
}
