//! Charts as SVG: numbers in, text out.
//!
//! A small grammar that knows nothing of what is measured: scales, axes, legends, and a handful of charts made of them
//! ([`XyChart`], [`BarChart`], [`ForestChart`], [`HeatMap`], [`Strip`], [`Panel`]). The same numbers give the same bytes
//! everywhere: no script, no font, no clock. Colours are classes (`s1` … `s8`) that [`CSS`] gives meaning to by variables,
//! so that a page decides them for light, dark and print; shapes, dashes and hatching tell the same apart without colour.
//! Texts may be anybody's: they are escaped, and what does not fit is shortened with the whole in a tooltip. Numbers that
//! are not finite, or beyond [`LARGEST`], are left out, and a chart without any says "no data".

mod axis;
mod bars;
mod forest;
mod frame;
mod heat;
mod legend;
mod number;
mod panel;
mod scale;
mod series;
mod strip;
mod svg;
mod text;
mod xy;

pub use axis::{Axis, AxisScale};
pub use bars::{Bar, BarChart, BarGroup, BarReference};
pub use forest::{ForestChart, ForestRow};
pub use frame::Heading;
pub use heat::{HeatCell, HeatMap};
pub use number::{LARGEST, NumberFormat};
pub use panel::Panel;
pub use series::{LOOKS, Series};
pub use strip::{Lane, LaneShape, Strip};
pub use text::{shortened, width};
pub use xy::{Guide, GuideRun, IntervalShape, Line, LineShape, Point, Reference, XyChart};

/// The style of all charts. It needs the variables `--fg`, `--muted`, `--line`, `--bg`, `--card`, `--heat`, `--ok`, `--bad`, `--warn`,
/// `--reference` and `--s1` … `--s8` to be set by the page.
pub const CSS: &str = include_str!("../assets/charts.css");
