//! `napsim report`: runs as one page to look at.

mod films;
mod prices;

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::anyhow;
use clap::Args;
use napsim_analysis::{Progress, UserModel};
use napsim_page::{Films, Report, ReportRun};
use napsim_reports::store::{LineFile, Timings, UnitTiming};
use napsim_reports::{Comparison, RunReport};

use super::analysed::{self, Analysed};
use super::comparing::StatisticsArgs;
use super::sources::{self, MeasuredUnit, MeasuredVariant, Source, SourceArgs};
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;
use films::{Choice, Replays};
use prices::PricesOfModels;

/// Write a page about runs with tables, charts and replays.
///
/// One file that anybody can open, which needs no network and no server. Every figure is that of `napsim show` and `napsim compare`; every chart says
/// what it asks and how it is made, and hands out its numbers (docs/REPORTS.md).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    sources: SourceArgs,

    /// File that takes the page.
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,

    /// Heading of the page [default: the name of the experiment, or the names of the runs].
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Trajectories that can be replayed: `all`, `none`, or how many of each run; without it as many as keep the page small.
    #[arg(long, value_name = "all|none|N", value_parser = Replays::from_str)]
    replays: Option<Replays>,

    /// Reckon the user's time too: `default`, or a file in TOML such as examples/user-model.toml.
    #[arg(long, value_name = "default|FILE")]
    user_model: Option<PathBuf>,

    /// What models cost: a file in TOML such as examples/prices.toml.
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,

    #[command(flatten)]
    statistics: StatisticsArgs,

    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim report runs/first -o first.html
  napsim report runs/ngram runs/xgboost runs/smollm -o predictors.html
  napsim report experiments/paper/stride.toml -o stride.html
  napsim report runs/first --user-model default

Exit codes: 0 written, 2 bad input, 20 written, but some runs are incomplete, as the page says.";

/// Points of a curve of progress, more than which nobody sees.
const CURVE_POINTS_MAX: usize = 200;

/// What is taken from each record besides figures.
struct Taken {
    progress: Progress,
    film: Option<napsim_page::FilmBlock>,
}

/// Writes the page.
pub(super) fn report(args: &ReportArgs) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let user_model = args.user_model.as_deref().map(user_model).transpose()?;
    let prices = args.prices.as_deref().map(PricesOfModels::read).transpose()?;
    // What cannot be written is better known before the work than after it.
    let mut out = LineFile::create(&args.out)?;
    let sources = match args.sources.read(&interruption) {
        Ok(sources) => sources,
        Err(failure) => return interruption.or(failure),
    };
    let settings = args.statistics.settings_of(&sources)?;
    let choice = Choice::new(&sources, args.replays);
    let analysed = analysed::with(&sources, args.quiet, &interruption, |run_idx, unit_idx, record| {
        Ok(Taken {
            progress: Progress::of(record).thinned(CURVE_POINTS_MAX),
            film: choice.film(run_idx, unit_idx, record),
        })
    });
    let analysed = match analysed {
        Ok(analysed) => analysed,
        Err(failure) => return interruption.or(failure),
    };
    let title = args.title.clone().unwrap_or_else(|| title(&sources, &analysed));
    let mut runs: Vec<ReportRun> = analysed
        .into_iter()
        .map(|run| report_run(run, &choice, prices.as_ref()))
        .collect();
    let compared: Vec<_> = runs.iter().map(|run| run.compared.clone()).collect();
    let comparison =
        Comparison::of(&compared, &settings).map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
    // Pages are passed on: of corpora they show no more than tells them apart.
    for run in &mut runs {
        if let Some(figures) = comparison.runs.iter().find(|figures| figures.name == run.compared.name) {
            run.compared.setup.corpus.clone_from(&figures.corpus);
        }
    }
    let page = Report {
        title,
        program: format!("napsim {}", env!("CARGO_PKG_VERSION")),
        runs,
        comparison,
        user_model,
    };
    page.write(&mut out)
        .map_err(|error| Failure::at_path("write", &args.out, &error))?;
    out.finish()?;
    if !args.quiet {
        let n_bytes = std::fs::metadata(&args.out).map_or(0, |metadata| metadata.len());
        console::say(&format!(
            "napsim: written {} ({} kB); open it in a browser",
            args.out.display(),
            n_bytes.div_ceil(1000)
        ));
    }
    Ok(sources::ending(&sources))
}

fn report_run(run: Analysed<'_, Taken>, choice: &Choice, prices: Option<&PricesOfModels>) -> ReportRun {
    let variant = run.variant;
    let figures = variant.seeds.iter().map(|seed| {
        let results: Vec<_> = of_seed(variant, *seed).map(|unit| unit.result.clone()).collect();
        let mut report = RunReport::new(&variant.setup_of(*seed), &results, None);
        report.cost = prices.and_then(|prices| prices.cost(&report.predictor, &results));
        report
    });
    let figures = figures.collect();
    let n_units = run.taken.len();
    let (progress, films): (Vec<_>, Vec<_>) = run.taken.into_iter().map(|taken| (taken.progress, taken.film)).unzip();
    let films: Vec<_> = films.into_iter().flatten().collect();
    ReportRun {
        compared: variant.compared(run.name),
        figures,
        analysis: run.analysis,
        progress,
        times: times(variant),
        films: if films.is_empty() {
            Films::Absent(choice.why_none(n_units))
        } else {
            Films::Present(films)
        },
    }
}

fn of_seed(variant: &MeasuredVariant, seed: u64) -> impl Iterator<Item = &MeasuredUnit> {
    variant.units.iter().filter(move |unit| unit.seed == seed)
}

/// Where the time of the units went, as far as it is known.
fn times(variant: &MeasuredVariant) -> Option<Timings> {
    let timing = |unit: &MeasuredUnit| {
        let times = unit.times.read()?;
        Some(UnitTiming {
            name: unit.result.summary.name.clone(),
            time: times.time,
            latencies: times.latencies,
        })
    };
    let per_trajectory: Vec<UnitTiming> = variant.units.iter().filter_map(timing).collect();
    (!per_trajectory.is_empty()).then(|| Timings {
        per_trajectory,
        ..Timings::default()
    })
}

/// The name of the experiment, or those of the runs, as long as they are few.
fn title<T>(sources: &[Source], runs: &[Analysed<'_, T>]) -> String {
    const NAMES_MAX: usize = 3;
    if let [source] = sources
        && !source.experiment.is_empty()
    {
        return source.experiment.clone();
    }
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    match names.get(..NAMES_MAX) {
        Some(first) if names.len() > NAMES_MAX => format!("{} and {} more", first.join(", "), names.len() - NAMES_MAX),
        _ => names.join(", "),
    }
}

/// The user whose time is reckoned with.
fn user_model(path: &std::path::Path) -> Result<UserModel, Failure> {
    if path.as_os_str() == "default" {
        return Ok(UserModel::default());
    }
    let name = path.display();
    let input = |reason: String| Failure::Input(anyhow!("failed to read {name}: {reason}"));
    let text = std::fs::read_to_string(path).map_err(|error| input(error.to_string()))?;
    let model: UserModel = toml::from_str(&text).map_err(|error| input(error.to_string().trim_end().to_owned()))?;
    model.validate().map_err(|error| input(error.to_string()))?;
    Ok(model)
}
