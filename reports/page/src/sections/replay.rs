//! The replay viewer, or why there is none.

use maud::html;

use super::Section;
use crate::Films;
use crate::choice::Page;
use crate::words;

pub(super) fn section(page: &Page<'_>) -> Section {
    let mut section = Section::new(
        "replay",
        "Replay",
        "The sheet step by step: what the user did, what was proposed and how it was judged, and what was left to do before and after.",
    );
    let has_films = page
        .report
        .runs
        .iter()
        .any(|run| matches!(&run.films, Films::Present(films) if !films.is_empty()));
    if has_films {
        section.part(html! {
            div class="card viewer-host" id="viewer" {
                noscript { "The replay needs JavaScript, which is switched off." }
            }
        });
    }
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for run in &page.report.runs {
        if let Films::Absent(why) = &run.films {
            let name = words::name(&run.compared.name);
            match reasons.iter_mut().find(|(other, _)| other == why) {
                Some((_, names)) => names.push(name),
                None => reasons.push((why, vec![name])),
            }
        }
    }
    for (why, names) in reasons {
        section.absent(&format!("No replay of {}: {why}", words::list_of_at_most(&names, 6)));
    }
    section
}
