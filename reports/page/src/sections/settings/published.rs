//! What the paper reports of GPT-5 by setting.

use napsim_reports::{Metric, Mode};

use crate::choice::Page;
use crate::sections::setting_values::Varying;

/// A published figure at a value of a setting.
pub(super) struct Mark {
    pub(super) level: usize,
    pub(super) value: &'static str,
    pub(super) uas: f64,
    pub(super) ar: f64,
}

/// GPT-5, one action at a time (arXiv 2606.13802): value, UAS, AR.
const STRIDES: [(&str, f64, f64); 4] = [
    ("1", 0.274, 0.309),
    ("2", 0.226, 0.365),
    ("4", 0.168, 0.423),
    ("8", 0.106, 0.437),
];

/// The same by context.
const CONTEXTS: [(&str, f64, f64); 4] = [
    ("8", 0.199, 0.241),
    ("32", 0.274, 0.309),
    ("128", 0.300, 0.325),
    ("512", 0.308, 0.337),
];

/// The published figures at values that occur, where the runs are of the kind that they were published for.
pub(super) fn published(page: &Page<'_>, setting: &Varying) -> Vec<Mark> {
    let is_uas = page.report.comparison.settings.metric == Metric::Uas;
    let is_single = page
        .report
        .runs
        .iter()
        .any(|run| run.compared.setup.mode == Mode::Single);
    let figures: &[(&'static str, f64, f64)] = match setting.name.as_str() {
        "stride" => &STRIDES,
        "context" | "?context" => &CONTEXTS,
        _ => &[],
    };
    let mark = |(value, uas, ar): &(&'static str, f64, f64)| {
        let level = setting.levels.iter().position(|level| level == value)?;
        Some(Mark {
            level,
            value,
            uas: *uas,
            ar: *ar,
        })
    };
    figures
        .iter()
        .filter(|_| is_uas && is_single)
        .filter_map(mark)
        .collect()
}
