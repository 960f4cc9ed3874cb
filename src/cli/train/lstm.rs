//! `napsim train lstm`.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use napsim_predictors::feature::RangeMode;
use napsim_recurrent::{Cell, Checkpoint, Ending, Heads, Loss, Optimizer, Padding, Progress as Step};
use napsim_training::lstm::{LstmSettings, LstmTrained, train as train_lstm};
use napsim_training::ranking::RankingSettings;

use super::args::TrainingArgs;
use super::checkpoint::CheckpointFile;
use super::conclusion::{conclude, failure};
use super::curve::{self, Curve};
use super::progress::TrainingBar;
use super::{output, words};
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Train a recurrent network: what comes next after the whole history.
///
/// Learns, epoch by epoch, to name the next action of every training sequence, and keeps the weights of the epoch with the
/// lowest loss on the validation sequences. After each epoch all that is needed to go on is kept in `MODEL.checkpoint`;
/// interrupted, the same command with --resume goes on from there and gives the same bytes. Takes minutes.
#[derive(Debug, Args)]
#[command(
    about = "Train a recurrent network: what comes next after the whole history",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(crate) struct LstmArgs {
    #[command(flatten)]
    training: TrainingArgs,

    /// Go on from `MODEL.checkpoint`, which an interrupted training left.
    #[arg(long)]
    resume: bool,

    /// Draw the loss curve into this file.
    #[arg(long, value_name = "FILE.svg")]
    curve: Option<PathBuf>,

    /// Begin with the published settings instead: windows of 32 padded actions, of which the last counts, independent heads,
    /// Adam, batches of 256, 15 epochs. Options given beside it still hold.
    #[arg(long)]
    published: bool,

    /// Whether places are told by the step to them or by themselves.
    #[arg(long, value_name = "MODE", value_enum, default_value_t = RangeWord::Relative)]
    range_mode: RangeWord,

    /// Recurrent cell [default: gru].
    #[arg(long, value_enum)]
    cell: Option<CellWord>,

    /// Units of each recurrent layer [default: 128].
    #[arg(long, value_name = "N")]
    hidden: Option<usize>,

    /// Recurrent layers [default: 2].
    #[arg(long, value_name = "N")]
    layers: Option<usize>,

    /// Actions that gradients reach back [default: 64].
    #[arg(long, value_name = "N")]
    window: Option<usize>,

    /// Which actions of a window count [default: every].
    #[arg(long, value_enum)]
    loss: Option<LossWord>,

    /// Whether steps before the first action move the state [default: masked].
    #[arg(long, value_enum)]
    padding: Option<PaddingWord>,

    /// Whether place and value type depend on the keyword that is predicted [default: conditional].
    #[arg(long, value_enum)]
    heads: Option<HeadsWord>,

    /// Share of units dropped between layers in training [default: 0.1].
    #[arg(long, value_name = "SHARE")]
    dropout: Option<f64>,

    /// Epochs at most [default: 30].
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,

    /// Epochs without a lower validation loss after which training ends; 0 for never [default: 4].
    #[arg(long, value_name = "N")]
    patience: Option<usize>,

    /// Actions to be predicted in an epoch at most, drawn anew in each; 0 for all [default: 300000].
    #[arg(long, value_name = "N")]
    tokens_per_epoch: Option<usize>,

    /// Training sequences at most, drawn by the seed; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_sequences: usize,

    /// Windows in a batch [default: 16].
    #[arg(long, value_name = "N")]
    batch_size: Option<usize>,

    /// Learning rate [default: 0.001].
    #[arg(long, value_name = "RATE")]
    learning_rate: Option<f64>,

    /// Optimizer [default: adamw].
    #[arg(long, value_enum)]
    optimizer: Option<OptimizerWord>,

    /// Training sequences that a simulated user works through to learn which candidates to offer; 0 leaves that out, so
    /// that only the published decoding (`values=v1`) is possible.
    #[arg(long, value_name = "N", default_value_t = 60)]
    sequences: usize,

    /// Validation sequences that the confidence is fitted to.
    #[arg(long, value_name = "N", default_value_t = 40)]
    valid_sequences: usize,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus generate --seed 1 --count 2000 --out made-up
  napsim train lstm --corpus made-up --out lstm.model --curve loss.svg
  napsim train lstm --corpus train.jsonl --out lstm.model --resume
  napsim train lstm --corpus train.jsonl --out small.model --hidden 64 --layers 1
  napsim run --predictor 'lstm?model=lstm.model'";

words! {
    /// How ranges enter the tokens.
    RangeWord => RangeMode {
        /// By the step from the action before.
        Relative,
        /// By row, column, height and width.
        Absolute,
    }
}

words! {
    /// The recurrent cell.
    CellWord => Cell {
        /// Gated recurrent unit, as published.
        Gru,
        /// Long short-term memory.
        Lstm,
    }
}

words! {
    /// What padding does.
    PaddingWord => Padding {
        /// It leaves the state alone.
        Masked,
        /// It moves the state, as published.
        Fed,
    }
}

words! {
    /// How heads depend on each other.
    HeadsWord => Heads {
        /// Place and value type are predicted given the keyword.
        Conditional,
        /// Each head sees the state alone, as published.
        Independent,
    }
}

/// Which actions of a window count.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LossWord {
    /// All of them; the state is carried on from window to window.
    Every,
    /// The last one; each window begins anew, as published.
    Last,
}

/// The optimizer.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum OptimizerWord {
    /// Adam, as published.
    Adam,
    /// Adam with weight decay.
    Adamw,
}

impl LstmArgs {
    fn settings(&self) -> LstmSettings {
        let base = if self.published {
            LstmSettings::published()
        } else {
            LstmSettings::default()
        };
        let mut settings = LstmSettings {
            range_mode: self.range_mode.into(),
            sequences_max: none_if_zero(self.max_sequences),
            ..base
        };
        settings.ranking = (self.sequences > 0).then(|| RankingSettings {
            n_train: self.sequences,
            n_valid: self.valid_sequences,
            ..RankingSettings::default()
        });
        let network = &mut settings.network;
        set(&mut network.cell, self.cell.map(Into::into));
        set(&mut network.padding, self.padding.map(Into::into));
        set(&mut network.heads, self.heads.map(Into::into));
        set(&mut network.hidden, self.hidden);
        set(&mut network.layers, self.layers);
        set(&mut network.window, self.window);
        set(&mut network.dropout, self.dropout);
        set(&mut network.epochs_max, self.epochs);
        set(&mut network.patience, self.patience.map(none_if_zero));
        set(
            &mut network.tokens_per_epoch_max,
            self.tokens_per_epoch.map(none_if_zero),
        );
        set(&mut network.batch, self.batch_size);
        set(&mut network.learning_rate, self.learning_rate);
        let loss = self.loss.map(|loss| match loss {
            LossWord::Every => Loss::EveryStep,
            LossWord::Last => Loss::LastStep,
        });
        set(&mut network.loss, loss);
        let optimizer = self.optimizer.map(|optimizer| match optimizer {
            OptimizerWord::Adam => Optimizer::Adam,
            OptimizerWord::Adamw => Optimizer::AdamW { weight_decay: 0.01 },
        });
        set(&mut network.optimizer, optimizer);
        settings
    }
}

fn set<T>(place: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *place = given;
    }
}

fn none_if_zero(number: usize) -> Option<usize> {
    Some(number).filter(|number| *number > 0)
}

/// Trains, writes the model and the curve, and prints the model's card.
pub(super) fn train(args: &LstmArgs) -> Result<Exit, Failure> {
    let job = args.training.job()?;
    let settings = args.settings();
    settings
        .network
        .check()
        .map_err(|error| Failure::Input(anyhow::anyhow!("failed to use the settings: {error}")))?;
    if let Some(curve) = &args.curve {
        output::check_picture(curve)?;
    }
    let checkpoint = CheckpointFile::beside(&args.training.out);
    let start = checkpoint.open(args.resume, Checkpoint::from_bytes)?;
    let interruption = Interruption::listen()?;
    let bar = TrainingBar::new(args.training.data.quiet);
    let epochs_max = settings.network.epochs_max;
    let mut not_kept = None;
    let mut listener = |step: Step<'_>| {
        match step {
            Step::Batch {
                epoch,
                batch,
                batches,
                loss,
            } => bar.show_batch((epoch, epochs_max), (batch, batches), loss),
            Step::Epoch {
                report,
                checkpoint: state,
            } => {
                bar.say(&curve::line(report));
                let bytes = state.to_bytes().map_err(Failure::environment);
                if let Err(error) = bytes.and_then(|bytes| checkpoint.write(&bytes)) {
                    not_kept = Some(error);
                    return ControlFlow::Break(());
                }
            }
            _ => {}
        }
        if interruption.signal().is_some() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let trained = args
        .training
        .data
        .threads()?
        .install(|| train_lstm(&job, &settings, start, &|progress| bar.show(progress), &mut listener));
    bar.finish();
    if let Some(error) = not_kept {
        return Err(error);
    }
    end(
        args,
        &checkpoint,
        &trained.map_err(|error| failure(&error))?,
        &interruption,
    )
}

/// What is written and said once the training is over.
fn end(
    args: &LstmArgs,
    checkpoint: &CheckpointFile,
    outcome: &LstmTrained,
    interruption: &Interruption,
) -> Result<Exit, Failure> {
    if let Some(file) = &args.curve {
        output::write_picture(file, &Curve::of(&outcome.epochs).svg())?;
    }
    let Some(trained) = &outcome.trained else {
        let done = console::counted(outcome.epochs.len(), "epoch", "epochs");
        return Ok(checkpoint.interrupted(&done, interruption));
    };
    if outcome.ending == Ending::NoProgress && !args.training.data.quiet {
        console::say("napsim: ended early: the validation loss fell no further");
    }
    let exit = conclude(&args.training, trained)?;
    checkpoint.remove();
    Ok(exit)
}
