//! The page around the sections: head, policy, navigation, script.

use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::choice::Page;
use crate::markup::shown;
use crate::sections::{self, Section};
use crate::{Films, Report, data_block, words};

/// The interaction of the page itself.
const SCRIPT: &str = include_str!("../assets/page.js");
/// Its style.
const STYLE: &str = include_str!("../assets/page.css");

pub(crate) fn write(report: &Report, out: &mut impl io::Write) -> io::Result<()> {
    let page = Page::of(report);
    let sections = sections::all(&page);
    let style = format!("\n{STYLE}{}{}", napsim_charts::CSS, napsim_viewer::page::STYLE);
    let script = format!("\n{}\n{SCRIPT}", napsim_viewer::page::SCRIPT);
    let head = head(report, &style, &script);
    write!(
        out,
        "{}<html lang=\"en\">{}<body>",
        DOCTYPE.into_string(),
        head.into_string()
    )?;
    write!(
        out,
        "<a class=\"skip\" href=\"#main\">Skip to the report</a><div class=\"frame\">"
    )?;
    out.write_all(side(&page, &sections).into_string().as_bytes())?;
    out.write_all(b"<main id=\"main\">")?;
    out.write_all(top(report).into_string().as_bytes())?;
    for section in &sections {
        out.write_all(section.markup().into_string().as_bytes())?;
    }
    out.write_all(foot(report).into_string().as_bytes())?;
    out.write_all(b"</main></div>")?;
    out.write_all(keys().into_string().as_bytes())?;
    write_films(report, out)?;
    let figures = report
        .runs
        .iter()
        .flat_map(|run| &run.figures)
        .map(serde_json::to_value);
    let figures = figures.collect::<Result<Vec<_>, _>>().map_err(io::Error::from)?;
    out.write_all(
        data_block::json("figures", &serde_json::Value::from(figures))
            .into_string()
            .as_bytes(),
    )?;
    write!(out, "<script>{script}</script></body></html>")
}

/// The policy lets this script and this style through and nothing else: no request, no frame, no form.
fn head(report: &Report, style: &str, script: &str) -> Markup {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text));
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data: blob:; base-uri 'none'; \
         form-action 'none'",
        hash(script),
        hash(style)
    );
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="generator" content=(report.program);
            title { (napsim_reports::printable::printable(&report.title, false)) }
            style { (PreEscaped(style)) }
        }
    }
}

fn top(report: &Report) -> Markup {
    html! {
        header class="top" {
            div {
                h1 { (shown(&report.title)) }
                p class="sub" { (sections::subtitle(report)) }
            }
            div class="no-print" {
                button type="button" id="theme" aria-pressed="false" { "Dark / light" }
                " "
                button type="button" id="keys-open" { "Keys" }
            }
        }
    }
}

fn side(page: &Page<'_>, sections: &[Section]) -> Markup {
    html! {
        aside class="side" {
            div class="brand" { "napsim report" }
            nav aria-label="Sections" {
                ol {
                    @for section in sections {
                        li { a href={ "#" (section.id) } { (section.title) } }
                    }
                }
            }
            @if !page.is_single() {
                div class="runs" {
                    h2 id="runs-title" { "Runs in charts" }
                    ul aria-labelledby="runs-title" {
                        @for run in &page.shown {
                            li {
                                label {
                                    input type="checkbox" checked data-run-filter="" value=(run.group());
                                    (sections::key(run.look))
                                    span { (shown(run.name())) }
                                }
                            }
                        }
                    }
                    @if let Some(note) = page.note_on_runs() { p class="note" { (note) } }
                    button type="button" id="runs-all" { "All" } " "
                    button type="button" id="runs-none" { "None" }
                }
            }
        }
    }
}

fn foot(report: &Report) -> Markup {
    html! {
        footer {
            p {
                "Made by " (shown(&report.program)) ". This page holds the trajectories that were measured, with what was typed into \
                 their cells: share it as you would share the sheets. It loads nothing and sends nothing. Intervals are "
                (words::level(report.comparison.settings.level)) " intervals over trajectories unless a chart says otherwise."
            }
        }
    }
}

fn keys() -> Markup {
    const KEYS: [(&str, &str); 12] = [
        ("/", "go to the filter of trajectories"),
        ("t", "dark or light"),
        ("?", "this list"),
        ("Esc", "leave a box"),
        ("← →", "replay: step back, step on"),
        ("Home End", "replay: first step, last step"),
        ("A", "replay: next accepted proposal"),
        ("R", "replay: next rejected proposal"),
        ("W", "replay: the worst proposal"),
        ("G", "replay: show or hide the proposal"),
        ("Space", "replay: play, pause"),
        ("Tab", "everything can be reached by it"),
    ];
    html! {
        dialog id="keys" aria-labelledby="keys-title" {
            h2 id="keys-title" { "Keys" }
            dl { @for (key, meaning) in KEYS { dt { kbd { (key) } } dd { (meaning) } } }
            button type="button" id="keys-close" { "Close" }
        }
    }
}

/// The films, each in a block of its own that is only read when it is shown, and the list of them.
fn write_films(report: &Report, out: &mut impl io::Write) -> io::Result<()> {
    let mut list = Vec::new();
    for run in &report.runs {
        let Films::Present(films) = &run.films else {
            continue;
        };
        for film in films {
            let id = format!("film-{}", film.unit);
            write!(out, "<script type=\"text/plain\" id=\"{id}\">")?;
            out.write_all(film.packed.as_bytes())?;
            write!(out, "</script>")?;
            list.push(
                serde_json::json!({ "name": film.trajectory, "run": run.compared.name, "unit": film.unit, "id": id }),
            );
        }
    }
    if list.is_empty() {
        return Ok(());
    }
    out.write_all(
        data_block::json("films", &serde_json::Value::from(list))
            .into_string()
            .as_bytes(),
    )
}
