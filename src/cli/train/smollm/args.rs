//! Arguments of `napsim train smollm`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use napsim_llama::Precision;
use napsim_llama::train::{AdapterSettings, Place, Settings, TrainError};
use napsim_training::smollm::{DataSettings, Loss, Shape, SmollmSettings};

use crate::cli::train::args::DataArgs;
use crate::cli::train::words::words;

/// Train a small language model: on top of one that is there, or from scratch.
///
/// Learns to carry on the list of actions that a prompt shows, from windows of the training sequences, and keeps the weights
/// with the lowest loss on windows of the validation sequences. With --base it goes on from a Llama model (SmolLM2, say) in
/// the Hugging Face layout or as a GGUF file, as a whole or with --lora by adapters; with --scratch it begins with nothing but a shape
/// and learns a vocabulary of its own. All that is needed to go on is kept in `FOLDER.checkpoint` at each report and on
/// interruption; the same command with --resume goes on from there and gives the same bytes.
#[derive(Debug, Args)]
#[command(
    about = "Train a small language model: on top of one that is there, or from scratch",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(crate) struct SmollmArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,

    /// Folder that gets the model in the Hugging Face layout; a model that was trained into it before is replaced.
    #[arg(short, long, value_name = "FOLDER")]
    pub(super) out: PathBuf,

    /// Model to begin with: a folder in the Hugging Face layout or a GGUF file.
    #[arg(long, value_name = "PATH", required_unless_present = "scratch")]
    pub(super) base: Option<PathBuf>,

    /// Begin with nothing: draw the weights and learn a vocabulary.
    #[arg(long, conflicts_with = "base")]
    scratch: bool,

    /// Blocks of a model from scratch [default: 4].
    #[arg(long, value_name = "N", conflicts_with = "base")]
    layers: Option<usize>,

    /// Width of a model from scratch [default: 192].
    #[arg(long, value_name = "N", conflicts_with = "base")]
    width: Option<usize>,

    /// Query heads of a model from scratch [default: 3].
    #[arg(long, value_name = "N", conflicts_with = "base")]
    heads: Option<usize>,

    /// Key and value heads of a model from scratch [default: 1].
    #[arg(long, value_name = "N", conflicts_with = "base")]
    kv_heads: Option<usize>,

    /// Width of the feed-forward layers of a model from scratch [default: 512].
    #[arg(long, value_name = "N", conflicts_with = "base")]
    feed_forward: Option<usize>,

    /// Tokens of the vocabulary of a model from scratch [default: 2048].
    #[arg(long, value_name = "N", conflicts_with = "base")]
    vocabulary: Option<usize>,

    /// Passes over the windows.
    #[arg(long, value_name = "N", default_value_t = 3)]
    epochs: usize,

    /// Steps at most; the learning rate has fallen to nothing when they are done.
    #[arg(long, value_name = "N")]
    max_steps: Option<usize>,

    /// Ends cleanly after so many minutes, with the best weights so far; the card says so. Then the outcome depends on the
    /// speed of the machine.
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    pub(super) max_minutes: Option<f64>,

    /// Highest learning rate [default: 0.00005; with --lora 0.0002; with --scratch 0.002].
    #[arg(long, value_name = "RATE")]
    learning_rate: Option<f64>,

    /// Decay of the weights [default: 0.01; with --scratch 0.1].
    #[arg(long, value_name = "SHARE")]
    weight_decay: Option<f64>,

    /// Windows of a step.
    #[arg(long, value_name = "N", default_value_t = 32)]
    batch: usize,

    /// Windows that a thread works on at once; fewer take less memory.
    #[arg(long, value_name = "N", default_value_t = 4)]
    micro_batch: usize,

    /// Actions of a window at most: those to be learned and those before them.
    #[arg(long, value_name = "N", default_value_t = 48)]
    window: usize,

    /// Actions from the start of a window to that of the next one; so many are learned at the end of each.
    #[arg(long, value_name = "N", default_value_t = 16)]
    stride: usize,

    /// What of a window counts.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = LossWord::Targets)]
    loss: LossWord,

    /// Tokens of a window at most; the oldest actions give way.
    #[arg(long, value_name = "N", default_value_t = 2048)]
    max_tokens: usize,

    /// Leave out sequences longer than this percentile.
    #[arg(long, value_name = "PERCENT", default_value_t = 99)]
    length_percentile: usize,

    /// Training sequences at most, drawn by the seed; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_sequences: usize,

    /// Windows of the validation sequences that the model is measured on at most.
    #[arg(long, value_name = "N", default_value_t = 256)]
    valid_windows: usize,

    /// Steps after which the model is measured, besides the end of each epoch.
    #[arg(long, value_name = "N")]
    report_every: Option<usize>,

    /// Train low-rank adapters in place of the weights, and merge them at the end.
    #[arg(long, conflicts_with = "scratch")]
    lora: bool,

    /// Rank of the adapters [default: 16].
    #[arg(long, value_name = "N", requires = "lora")]
    rank: Option<usize>,

    /// The adapters' product is multiplied by this over the rank [default: 32].
    #[arg(long, value_name = "NUMBER", requires = "lora")]
    alpha: Option<f64>,

    /// Share of the numbers left out in front of the adapters [default: 0.05].
    #[arg(long, value_name = "SHARE", requires = "lora")]
    dropout: Option<f64>,

    /// How weights are saved.
    #[arg(long, value_name = "TYPE", value_enum, default_value_t = PrecisionWord::F32)]
    dtype: PrecisionWord,

    /// Where the model is trained. Only on the processor do the same data and settings give the same bytes everywhere.
    #[arg(long, value_name = "DEVICE", value_enum, default_value_t = DeviceWord::Auto)]
    device: DeviceWord,

    /// Go on from `FOLDER.checkpoint`, which an interrupted training left.
    #[arg(long)]
    pub(super) resume: bool,

    /// Draw the loss curve into this file.
    #[arg(long, value_name = "FILE.svg")]
    pub(super) curve: Option<PathBuf>,

    /// Print the card as JSON, schema `napsim-llama-training/1`.
    #[arg(long)]
    pub(super) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus generate --seed 1 --count 2000 --out made-up
  napsim train smollm --scratch --corpus made-up --out tiny --dtype f16 --curve loss.svg
  napsim train smollm --base SmolLM2-135M --corpus train.jsonl --out tuned --lora
  napsim train smollm --base SmolLM2-135M --corpus train.jsonl --out tuned --lora --resume
  napsim run --predictor smollm:tuned";

words! {
    /// What of a window counts.
    LossWord => Loss {
        /// Its last actions, as many as the stride is long; the others are their context.
        Targets,
        /// Everything, also the sentence that tells the task.
        All,
    }
}

/// How weights are saved.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum PrecisionWord {
    /// Four bytes a number.
    F32,
    /// Two bytes a number.
    F16,
}

/// Where a model is trained.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DeviceWord {
    /// On a CUDA device where there is one and the program was built with the feature `cuda`, else on the processor.
    Auto,
    /// On the processor.
    Cpu,
    /// On the first CUDA device.
    Cuda,
}

fn minutes(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1e6).contains(number));
    number.ok_or_else(|| "give a number of minutes from 0 to 1000000".to_owned())
}

impl SmollmArgs {
    /// The shape of a model from scratch.
    pub(super) fn shape(&self) -> Shape {
        let default = Shape::default();
        Shape {
            layers: self.layers.unwrap_or(default.layers),
            width: self.width.unwrap_or(default.width),
            heads: self.heads.unwrap_or(default.heads),
            kv_heads: self.kv_heads.unwrap_or(default.kv_heads),
            feed_forward: self.feed_forward.unwrap_or(default.feed_forward),
            vocabulary: self.vocabulary.unwrap_or(default.vocabulary),
        }
    }

    /// Where the model is trained.
    pub(super) fn place(&self) -> Result<Place, TrainError> {
        match self.device {
            DeviceWord::Auto => Ok(Place::best()),
            DeviceWord::Cpu => Ok(Place::processor()),
            DeviceWord::Cuda => Place::cuda(),
        }
    }

    /// The settings of the training.
    pub(super) fn settings(&self) -> SmollmSettings {
        let default = Settings::default();
        let rate = match (self.scratch, self.lora) {
            (true, _) => 2e-3,
            (false, true) => 2e-4,
            (false, false) => default.learning_rate,
        };
        let decay = if self.scratch { 0.1 } else { default.weight_decay };
        let adapters = AdapterSettings::default();
        let adapters = self.lora.then(|| AdapterSettings {
            rank: self.rank.unwrap_or(adapters.rank),
            alpha: self.alpha.unwrap_or(adapters.alpha),
            dropout: self.dropout.unwrap_or(adapters.dropout),
        });
        SmollmSettings {
            data: DataSettings {
                window: self.window,
                stride: self.stride,
                loss: self.loss.into(),
                tokens_max: self.max_tokens,
                length_percentile: self.length_percentile,
                sequences_max: Some(self.max_sequences).filter(|n_max| *n_max > 0),
                valid_windows_max: self.valid_windows,
            },
            network: Settings {
                epochs: self.epochs,
                steps_max: self.max_steps,
                learning_rate: self.learning_rate.unwrap_or(rate),
                weight_decay: self.weight_decay.unwrap_or(decay),
                batch: self.batch,
                micro_batch: self.micro_batch,
                report_every: self.report_every,
                adapters,
                ..default
            },
            precision: match self.dtype {
                PrecisionWord::F32 => Precision::Single,
                PrecisionWord::F16 => Precision::Half,
            },
        }
    }
}
