//! What must hold of every image, whatever the numbers and texts are.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test without its parts has failed"
)]

use napsim_charts::*;
use proptest::prelude::*;

/// Left, top, right, bottom, and what it is.
type Seen = (f64, f64, f64, f64, String);

/// A bar and its interval.
type MadeBar = (f64, Option<(f64, f64)>);

/// Width and height of an image, and everything in it that has a place.
fn boxes(svg: &str) -> (f64, f64, Vec<Seen>) {
    let document = roxmltree::Document::parse(svg).expect("the image is well-formed");
    let root = document.root_element();
    let size: Vec<f64> = root
        .attribute("viewBox")
        .expect("a view")
        .split(' ')
        .map(|n| n.parse().unwrap())
        .collect();
    let mut found = Vec::new();
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        if node.ancestors().any(|above| above.has_tag_name("pattern")) {
            continue;
        }
        let number = |name: &str| node.attribute(name).map(|text| text.parse::<f64>().expect("a number"));
        let name = node.tag_name().name();
        let what = format!("{name} {:?}", node.attribute("class"));
        let mut see = |l: f64, t: f64, r: f64, b: f64| found.push((l, t, r, b, what.clone()));
        match name {
            "line" => {
                for (x, y) in [("x1", "y1"), ("x2", "y2")] {
                    let (x, y) = (number(x).unwrap(), number(y).unwrap());
                    see(x, y, x, y);
                }
            }
            "rect" => {
                let (x, y) = (number("x").unwrap(), number("y").unwrap());
                see(x, y, x + number("width").unwrap(), y + number("height").unwrap());
            }
            "circle" => {
                let (x, y, r) = (number("cx").unwrap(), number("cy").unwrap(), number("r").unwrap());
                see(x - r, y - r, x + r, y + r);
            }
            "path" => {
                for (x, y) in corners(node.attribute("d").unwrap()) {
                    see(x, y, x, y);
                }
            }
            "text" => {
                let text: String = node
                    .children()
                    .filter(roxmltree::Node::is_text)
                    .filter_map(|child| child.text())
                    .collect();
                let size = if what.contains("guide-label") || what.contains("beside") {
                    11.0
                } else {
                    12.0
                };
                let w = width(&text, size);
                let left = match node.attribute("text-anchor") {
                    Some("end") => -w,
                    Some("middle") => -w / 2.0,
                    _ => 0.0,
                };
                let (x, y) = (number("x").unwrap(), number("y").unwrap());
                let (sin, cos) = if node.has_attribute("transform") {
                    (-0.573_576, 0.819_152)
                } else {
                    (0.0, 1.0)
                };
                for along in [left, left + w] {
                    see(x + along * cos, y + along * sin, x + along * cos, y + along * sin);
                }
            }
            _ => {}
        }
    }
    (size[2], size[3], found)
}

/// The corners that a path goes through; it may use those commands that the charts use.
fn corners(data: &str) -> Vec<(f64, f64)> {
    let (mut at, mut found) = ((0.0, 0.0), Vec::new());
    let mut rest = data;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..]
            .find(|c: char| c.is_ascii_alphabetic())
            .map_or(rest.len(), |place| place + 1);
        let numbers: Vec<f64> = rest[1..end]
            .split_whitespace()
            .map(|n| n.parse().expect("a number"))
            .collect();
        at = match (command, numbers.as_slice()) {
            ('M' | 'L', [x, y]) => (*x, *y),
            ('m' | 'l', [x, y]) => (at.0 + x, at.1 + y),
            ('h', [x]) => (at.0 + x, at.1),
            ('v', [y]) => (at.0, at.1 + y),
            ('Z' | 'z', []) => at,
            other => panic!("{other:?} in {data}"),
        };
        found.push(at);
        rest = &rest[end..];
    }
    found
}

fn check_within(svg: &str) {
    let (width, height, boxes) = boxes(svg);
    // Bands of small images may be narrower than their names; the slack is what marks at the edge stand out by.
    let slack = 8.0;
    for (left, top, right, bottom, what) in boxes {
        let is_within = left >= -slack && top >= -slack && right <= width + slack && bottom <= height + slack;
        assert!(
            is_within,
            "{what} at {left} {top} {right} {bottom} of {width} × {height}\n{svg}"
        );
    }
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -1.0f64..1.0,
        3 => -1e6f64..1e6,
        1 => Just(0.0),
        1 => any::<f64>(),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[a-z]{1,8}", 1 => any::<String>(), 1 => "[a-z =,]{30,90}"]
}

fn interval() -> impl Strategy<Value = Option<(f64, f64)>> {
    proptest::option::of((number(), number()))
}

fn axis() -> impl Strategy<Value = Axis> {
    let scale = prop_oneof![
        Just(AxisScale::default()),
        Just(AxisScale::Log),
        Just(AxisScale::Linear {
            domain: None,
            zero: false
        }),
        (number(), number()).prop_map(|domain| AxisScale::Linear {
            domain: Some(domain),
            zero: true
        }),
        proptest::collection::vec(name(), 0..20).prop_map(AxisScale::Bands),
    ];
    let format = prop_oneof![
        Just(NumberFormat::Number),
        Just(NumberFormat::Percent),
        Just(NumberFormat::Points),
        Just(NumberFormat::Count),
    ];
    (name(), scale, format).prop_map(|(title, scale, format)| Axis { title, scale, format })
}

fn value_axis() -> impl Strategy<Value = Axis> {
    axis().prop_filter("values are numbers", |axis| {
        !matches!(axis.scale, AxisScale::Bands(_) | AxisScale::Log)
    })
}

fn line() -> impl Strategy<Value = Line> {
    let point = (number(), number(), interval(), name(), name()).prop_map(|(x, y, interval, note, label)| Point {
        x,
        y,
        interval,
        note,
        label,
    });
    let shape = prop_oneof![
        Just(LineShape::Straight),
        Just(LineShape::Steps),
        Just(LineShape::Apart)
    ];
    (
        name(),
        0usize..30,
        shape,
        any::<bool>(),
        any::<bool>(),
        proptest::collection::vec(point, 0..12),
    )
        .prop_map(|(name, look, shape, marks, bars, points)| Line {
            series: Series::new(name, look),
            shape,
            intervals: if bars { IntervalShape::Bars } else { IntervalShape::Band },
            marks,
            dashed: bars,
            points,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn xy_charts_stay_within_their_image(
        x in axis(), y in value_axis(), lines in proptest::collection::vec(line(), 0..6), mark in (number(), number(), name()),
    ) {
        let chart = XyChart {
            heading: Heading::new("t", "d").sized(640.0, 360.0),
            x, y, lines,
            references: vec![Reference { x: mark.0, y: mark.1, name: mark.2.clone(), note: mark.2 }],
            guides: Vec::new(),
        };
        let svg = chart.svg();
        check_within(&svg);
        prop_assert_eq!(svg, chart.svg());
    }

    #[test]
    fn bar_charts_stay_within_their_image(
        categories in proptest::collection::vec(name(), 0..12), values in value_axis(), stacked: bool, lying: bool,
        groups in proptest::collection::vec((name(), proptest::collection::vec(proptest::option::of((number(), interval())), 0..14)), 0..5),
        mark in number(),
    ) {
        let bars = |bars: Vec<Option<MadeBar>>| {
            let bar = |(value, interval)| Bar { value, interval, note: String::new() };
            bars.into_iter().map(|found| found.map(bar)).collect()
        };
        let group = |(look, (name, found))| BarGroup { series: Series::new(name, look), bars: bars(found) };
        let chart = BarChart {
            heading: Heading::new("t", "d").sized(640.0, 400.0),
            id: "c".to_owned(),
            categories, values, stacked, lying,
            category_title: "kind".to_owned(),
            groups: groups.into_iter().enumerate().map(group).collect(),
            references: vec![BarReference { category: 0, group: Some(1), value: mark, name: "published".into(), note: String::new() }],
        };
        check_within(&chart.svg());
    }

    #[test]
    fn forests_and_heat_maps_stay_within_their_image(
        values in value_axis(), rows in proptest::collection::vec((name(), proptest::option::of(number()), interval(), name()), 0..15),
        columns in proptest::collection::vec(name(), 0..12), cells in proptest::collection::vec(number(), 0..150),
    ) {
        let row = |(look, (name, value, interval, text))| ForestRow {
            series: Series::new(name, look), value, interval, text, ..ForestRow::default()
        };
        let chart = ForestChart {
            heading: Heading::new("t", "d"),
            values,
            rows: rows.iter().cloned().enumerate().map(row).collect(),
            guide: Some((0.0, "no difference".into())),
            text_title: "mean [95 %]".into(),
        };
        check_within(&chart.svg());
        let cell = |value: &f64| Some(HeatCell { value: *value, ..HeatCell::default() });
        let heat = HeatMap {
            heading: Heading::new("t", "d"),
            rows: rows.iter().map(|row| (row.0.clone(), "0".to_owned())).collect(),
            cells: cells.chunks(columns.len().max(1)).map(|row| row.iter().map(cell).collect()).collect(),
            columns,
            domain: (0.0, 1.0),
            format: NumberFormat::Percent,
        };
        check_within(&heat.svg());
    }

    #[test]
    fn strips_and_panels_stay_within_their_image(at in proptest::collection::vec(number(), 0..80), domain in (number(), number())) {
        let lane = |shape| Lane { class: "x".into(), row: at.len() % 3, name: "x".into(), shape, at: at.clone(), spans: vec![domain] };
        let strip = Strip {
            heading: Heading::new("t", "d").sized(600.0, 28.0),
            domain,
            lanes: [LaneShape::Box, LaneShape::Cross, LaneShape::Tick].map(lane).into(),
        };
        check_within(&strip.svg());
        let panel = Panel {
            heading: Heading::new("t", "d").sized(160.0, 100.0),
            reach: domain,
            manual: Some(((0.0, domain.0), (domain.1, 0.0))),
            curves: vec![(Series::new("c", 0), at.iter().map(|value| (*value, *value)).collect())],
        };
        check_within(&panel.svg());
    }
}

/// Labels of one axis in the order in which they stand, as stretches along it.
fn labels(svg: &str, axis: &str) -> Vec<(f64, f64)> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let group = document
        .descendants()
        .find(|node| node.attribute("class") == Some(axis))
        .unwrap();
    let texts = group
        .children()
        .filter(|node| node.has_tag_name("text") && !node.has_attribute("transform"));
    texts
        .map(|node| {
            let x: f64 = node.attribute("x").unwrap().parse().unwrap();
            let whole = width(node.text().unwrap_or_default(), 12.0);
            let before = match node.attribute("text-anchor") {
                Some("end") => whole,
                Some("middle") => whole / 2.0,
                _ => 0.0,
            };
            (x - before, x - before + whole)
        })
        .collect()
}

proptest! {
    #[test]
    fn labels_of_the_bottom_axis_do_not_overlap(low in -1e7f64..1e7, span in 0.01f64..1e7, image in 220.0f64..1200.0) {
        let mut chart = simple();
        chart.heading = Heading::new("t", "d").sized(image, 300.0);
        chart.x = Axis {
            scale: AxisScale::Linear { domain: Some((low, low + span)), zero: false },
            ..Axis::linear("x", NumberFormat::Number)
        };
        let labels = labels(&chart.svg(), "axis bottom");
        prop_assert!(labels.windows(2).all(|pair| pair[0].1 < pair[1].0), "{labels:?}");
    }
}

fn simple() -> XyChart {
    let points = [(1.0, 0.27), (2.0, 0.23), (4.0, 0.17), (8.0, 0.11)].map(|(x, y)| Point {
        interval: Some((y - 0.02, y + 0.03)),
        label: format!("{x}"),
        ..Point::new(x, y)
    });
    XyChart {
        heading: Heading::new("Does asking less often cost?", "UAS by stride"),
        x: Axis {
            scale: AxisScale::Log,
            ..Axis::linear("stride", NumberFormat::Number)
        },
        y: Axis::linear("UAS", NumberFormat::Percent),
        lines: vec![Line {
            series: Series::new("online-ngram", 0),
            marks: true,
            points: points.into(),
            ..Line::default()
        }],
        references: vec![Reference {
            x: 2.0,
            y: 0.226,
            name: "published, GPT-5".into(),
            note: "22.6 %".into(),
        }],
        guides: vec![Guide {
            run: GuideRun::Horizontal(0.12),
            label: "n-gram".into(),
        }],
    }
}

#[test]
fn a_chart_of_lines_as_it_is_written() {
    insta::assert_snapshot!(simple().svg().replace("><", ">\n<"));
}

#[test]
fn a_chart_of_bars_as_it_is_written() {
    let group = |name: &str, look, bars: [f64; 2]| BarGroup {
        series: Series::new(name, look),
        bars: bars
            .map(|value| {
                Some(Bar {
                    interval: Some((value - 0.05, value + 0.05)),
                    ..Bar::new(value)
                })
            })
            .into(),
    };
    let mut chart = BarChart::shares(
        Heading::new("What is proposed?", "").sized(400.0, 240.0),
        "kinds",
        vec!["input".into(), "border".into()],
        "share",
        vec![group("truth", 0, [0.57, 0.06]), group("proposed", 1, [0.33, 0.12])],
    );
    chart.references.push(BarReference {
        category: 0,
        group: Some(1),
        value: 0.33,
        name: "published".into(),
        note: "33.0 %".into(),
    });
    insta::assert_snapshot!(chart.svg().replace("><", ">\n<"));
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let mut chart = simple();
    chart.lines[0].points = vec![
        Point::new(f64::NAN, 1.0),
        Point::new(1.0, f64::INFINITY),
        Point::new(0.0, 1.0),
    ];
    assert!(chart.svg().contains("no data"));
    let bars = BarChart::shares(Heading::new("t", ""), "c", vec!["a".into()], "share", Vec::new());
    assert!(bars.svg().contains("no data"));
}

#[test]
fn a_gap_interrupts_the_line() {
    let mut chart = simple();
    chart.lines[0].points.insert(2, Point::new(3.0, f64::NAN));
    let svg = chart.svg();
    assert_eq!(
        svg.matches("class=\"line\"").count(),
        2 + 1,
        "two stretches and the legend"
    );
    assert_eq!(svg.matches("class=\"band\"").count(), 2);
}

#[test]
fn stacks_lie_on_each_other() {
    let group = |name: &str, look| BarGroup {
        series: Series::new(name, look),
        bars: vec![Some(Bar::new(0.5))],
    };
    let mut chart = BarChart::shares(
        Heading::new("t", ""),
        "c",
        vec!["a".into()],
        "share",
        vec![group("a", 0), group("b", 1)],
    );
    chart.stacked = true;
    let svg = chart.svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let bars: Vec<(f64, f64)> = document
        .descendants()
        .filter(|node| {
            node.attribute("class") == Some("bar") && node.children().any(|child| child.has_tag_name("title"))
        })
        .map(|node| {
            (
                node.attribute("y").unwrap().parse().unwrap(),
                node.attribute("height").unwrap().parse().unwrap(),
            )
        })
        .collect();
    assert_eq!(bars.len(), 2);
    assert!(
        (bars[1].0 + bars[1].1 - bars[0].0).abs() < 0.02,
        "the second ends where the first begins: {bars:?}"
    );
}
