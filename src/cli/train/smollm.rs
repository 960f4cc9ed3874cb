//! `napsim train smollm`.

mod args;
mod folder;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use napsim_llama::Pretrained;
use napsim_llama::train::{Checkpoint, Ending, Halt, Progress as Step, Report, Watch};
use napsim_reports::table::count;
use napsim_training::smollm::{Base, SmollmTrained, train as train_smollm};

pub(crate) use args::SmollmArgs;

use super::checkpoint::CheckpointFile;
use super::conclusion::{failure, say_left_out};
use super::curve::Curve;
use super::output;
use super::progress::TrainingBar;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Trains, writes the folder and the curve, and prints the model's card.
pub(super) fn train(args: &SmollmArgs) -> Result<Exit, Failure> {
    let began = Instant::now();
    folder::check(&args.out)?;
    if let Some(curve) = &args.curve {
        output::check_picture(curve)?;
    }
    let job = args.data.job()?;
    let settings = args.settings();
    settings
        .network
        .check()
        .map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
    let checkpoint = CheckpointFile::beside(&args.out);
    let start = checkpoint.open(args.resume, Checkpoint::from_bytes)?;
    let place = args
        .place()
        .map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
    let base = base(args)?;
    let interruption = Interruption::listen()?;
    let bar = TrainingBar::new(args.data.quiet);
    let limit = args.max_minutes.map(|minutes| Duration::from_secs_f64(minutes * 60.0));
    let broken = AtomicBool::new(false);
    let halt = || {
        if interruption.signal().is_some() || broken.load(Ordering::SeqCst) {
            return Some(Halt::Interrupt);
        }
        limit.filter(|limit| began.elapsed() >= *limit).map(|_| Halt::Finish)
    };
    let not_kept = Mutex::new(None);
    let keep = |snapshot: napsim_llama::train::Snapshot<'_>| {
        let bytes = snapshot.to_bytes().map_err(Failure::environment);
        if let Err(error) = bytes.and_then(|bytes| checkpoint.write(&bytes)) {
            broken.store(true, Ordering::SeqCst);
            if let Ok(mut not_kept) = not_kept.lock() {
                *not_kept = Some(error);
            }
        }
    };
    let mut pace = Pace::default();
    let mut listener = |step: Step<'_>| match step {
        Step::Step {
            step,
            steps,
            loss,
            n_tokens,
        } => bar.show_step(
            (step, steps),
            format!("loss {loss:.3}, {} tokens/s", count(pace.after(n_tokens))),
        ),
        Step::Report { report, snapshot } => {
            bar.say(&line(report, pace.rate()));
            pace.pause();
            keep(snapshot);
        }
        Step::Interrupted { snapshot } => keep(snapshot),
        _ => {}
    };
    let mut watch = Watch {
        listener: &mut listener,
        halt: &halt,
    };
    let trained = args.data.threads()?.install(|| {
        train_smollm(
            &job,
            &settings,
            base,
            &place,
            start,
            &|progress| bar.show(progress),
            &mut watch,
        )
    });
    bar.finish();
    if let Some(error) = not_kept.into_inner().unwrap_or_default() {
        return Err(error);
    }
    end(
        args,
        &checkpoint,
        &trained.map_err(|error| failure(&error))?,
        &interruption,
    )
}

/// What the training begins with.
fn base(args: &SmollmArgs) -> Result<Base, Failure> {
    let Some(path) = &args.base else {
        return Ok(Base::Scratch(args.shape()));
    };
    let pretrained = Pretrained::load(path).map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    Ok(Base::Pretrained(
        name.to_string_lossy().into_owned(),
        Box::new(pretrained),
    ))
}

/// How fast tokens are read, as a mean over the last steps.
#[derive(Default)]
struct Pace {
    last: Option<Instant>,
    rate: f64,
}

impl Pace {
    /// Tokens a second, now that a step has read so many; 0 after the first step.
    #[expect(clippy::cast_precision_loss, reason = "a rate to be shown")]
    fn after(&mut self, n_tokens: usize) -> u64 {
        let now = Instant::now();
        if let Some(last) = self.last.replace(now) {
            let rate = n_tokens as f64 / now.duration_since(last).as_secs_f64().max(1e-9);
            self.rate = if self.rate > 0.0 {
                0.8 * self.rate + 0.2 * rate
            } else {
                rate
            };
        }
        self.rate()
    }

    /// Tokens a second.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rate to be shown"
    )]
    fn rate(&self) -> u64 {
        self.rate as u64
    }

    /// Leaves out what is done until the next step.
    fn pause(&mut self) {
        self.last = None;
    }
}

/// What a report says, in a line.
fn line(report: &Report, rate: u64) -> String {
    let validation = match report.valid {
        Some(valid) => format!(", {valid:.3} in validation"),
        None => String::new(),
    };
    let best = if report.best && report.valid.is_some() {
        " (lowest)"
    } else {
        ""
    };
    format!(
        "step {}, epoch {:.2}: loss {:.3} in training{validation}{best}, {} tokens/s",
        report.step,
        report.epoch,
        report.train,
        count(rate)
    )
}

/// What is written and said once the training is over.
fn end(
    args: &SmollmArgs,
    checkpoint: &CheckpointFile,
    outcome: &SmollmTrained,
    interruption: &Interruption,
) -> Result<Exit, Failure> {
    if let Some(file) = &args.curve {
        output::write_picture(file, &Curve::by_step(&outcome.reports).svg())?;
    }
    let Some(files) = &outcome.files else {
        let done = console::counted(outcome.steps, "step", "steps");
        return Ok(checkpoint.interrupted(&done, interruption));
    };
    say_left_out(&outcome.report);
    if outcome.ending == Ending::Finished && !args.data.quiet {
        console::say(&format!(
            "napsim: the time is over after {}; the learning rate had not fallen to nothing yet",
            console::counted(outcome.steps, "step", "steps"),
        ));
    }
    folder::write(&args.out, files)?;
    if args.json {
        let card = serde_json::to_string(&outcome.card).map_err(Failure::environment)?;
        console::print(&format!("{card}\n"))?;
    } else {
        console::print_untrusted(&folder::text(
            &outcome.card,
            &Curve::by_step(&outcome.reports).text(console::width()),
        ))?;
    }
    checkpoint.remove();
    if !args.data.quiet {
        console::say(&format!(
            "napsim: measure it with `napsim run --predictor smollm:{}`",
            args.out.display()
        ));
    }
    Ok(Exit::Complete)
}
