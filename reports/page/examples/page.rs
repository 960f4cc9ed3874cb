//! Makes a page of run folders: `cargo run --release -p napsim-page --example page -- OUT.html RUN…`.
//!
//! `napsim report` does the same and more; this shows how the parts are put together.

#![expect(clippy::print_stdout, reason = "an example tells what it did")]

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use napsim_acceptance::parse_policy;
use napsim_analysis::{Progress, RunAnalysis, UnitAnalysis, UserModel};
use napsim_page::{FilmBlock, Films, Report, ReportRun};
use napsim_reports::{ComparedRun, Comparison, ComparisonSettings, RunFolder, RunReport, UnitResult};
use napsim_sim::protocol::Protocol;
use napsim_viewer::Film;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = arguments.next().ok_or("give the page to write, and the runs")?;
    let runs: Vec<ReportRun> = arguments
        .enumerate()
        .map(|(idx, path)| read(idx, Path::new(&path)))
        .collect::<Result<_, _>>()?;
    let compared: Vec<ComparedRun> = runs.iter().map(|run| run.compared.clone()).collect();
    let comparison = Comparison::of(&compared, &ComparisonSettings::default())?;
    let report = Report {
        title: "Predictors on spreadsheet trajectories".to_owned(),
        program: "napsim example".to_owned(),
        runs,
        comparison,
        user_model: Some(UserModel::default()),
    };
    let mut file = BufWriter::new(File::create(&out)?);
    report.write(&mut file)?;
    file.flush()?;
    println!("{out}: {} bytes", std::fs::metadata(&out)?.len());
    Ok(())
}

/// One run folder. Only the first has films, so that the page stays small.
fn read(idx: usize, path: &Path) -> Result<ReportRun, Box<dyn Error>> {
    let (folder, manifest) = RunFolder::open(path)?;
    let name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let (mut results, mut analyses, mut progress, mut films) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut missing = 0;
    for (place, entry) in manifest.units.iter().enumerate() {
        let Some(record) = folder.unit(&entry.file)? else {
            missing += 1;
            continue;
        };
        analyses.push(UnitAnalysis::of(&record));
        progress.push(Progress::of(&record).thinned(200));
        if idx == 0 {
            let policy = parse_policy(&record.header.setup.policy)?;
            let protocol = Protocol::from_name(&record.header.setup.protocol).ok_or("an unknown protocol")?;
            let film = Film::of(&record, &policy, &protocol)?;
            films.push(FilmBlock {
                trajectory: film.name().to_owned(),
                unit: format!("{idx}-{place}"),
                packed: film.packed(),
            });
        }
        results.push(UnitResult {
            summary: record.summary,
            coverage: record.seal.coverage,
        });
    }
    let figures = RunReport::new(&manifest.setup, &results, None).with_missing(missing);
    Ok(ReportRun {
        compared: ComparedRun {
            name,
            setup: manifest.setup.clone(),
            repeats: vec![results],
            digests: std::collections::BTreeMap::default(),
            missing,
        },
        figures: vec![figures],
        analysis: RunAnalysis::new(analyses),
        progress,
        times: Some(folder.timings()),
        films: if films.is_empty() {
            Films::Absent("only the first run has one here.".to_owned())
        } else {
            Films::Present(films)
        },
    })
}
