//! Training of Llama models on the lines of actions: from scratch, or on top of a model that knows other texts.

mod lines;
#[cfg(test)]
mod tests;
mod windows;

use napsim_llama::train::{Checkpoint, Ending, Place, Report, Settings, Trained as TrainedNetwork, Watch};
use napsim_llama::{EndTokens, LlamaConfig, LlamaNetwork, ModelTokenizer, Precision, Pretrained, vocabulary};
use serde::Serialize;
use serde_json::{Value, json};

use crate::job::{Job, TrainingError};
use crate::progress::Progress;
use crate::sequences::DataReport;

use lines::{Lines, read};
pub use windows::WindowReport;
use windows::windows;

/// Name and version of the card's form.
pub const CARD_SCHEMA: &str = "napsim-llama-training/1";

/// The name of the card in the folder of a model.
pub const CARD_NAME: &str = "training.json";

/// Settings of the training.
#[derive(Clone, Debug, PartialEq)]
pub struct SmollmSettings {
    /// What is learned from.
    pub data: DataSettings,
    /// How it is learned; the seed is that of the job.
    pub network: Settings,
    /// How weights are saved.
    pub precision: Precision,
}

/// Which windows of the sequences are learned from (spec chapter 03, 11.2).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DataSettings {
    /// Actions of a window at most.
    pub window: usize,
    /// Actions from the start of a window to that of the next one.
    pub stride: usize,
    /// What of a window counts.
    pub loss: Loss,
    /// Tokens of a window at most; the oldest actions give way.
    pub tokens_max: usize,
    /// Sequences longer than this percentile of their lengths are left out.
    pub length_percentile: usize,
    /// Training sequences at most, drawn by the seed; none means all.
    pub sequences_max: Option<usize>,
    /// Windows of the validation sequences that the model is measured on at most, drawn by the seed.
    pub valid_windows_max: usize,
}

/// What of a window counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Loss {
    /// Its last actions, as many as the stride is long, each with the line break that ends it: those before are the context.
    /// So every action is learned once. Windows at the start of a sequence are learned from the first action on. With a stride
    /// as long as the window there is no context, and all actions of every window are learned.
    Targets,
    /// Everything, also the sentence that tells the task.
    All,
}

impl Default for DataSettings {
    /// Contexts of 32 actions, as in evaluation, and 16 to be learned after each.
    fn default() -> Self {
        Self {
            window: 48,
            stride: 16,
            loss: Loss::Targets,
            tokens_max: 2048,
            length_percentile: 99,
            sequences_max: None,
            valid_windows_max: 256,
        }
    }
}

/// The shape of a model that is trained from scratch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shape {
    /// Blocks.
    pub layers: usize,
    /// Width of the residual stream.
    pub width: usize,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads.
    pub kv_heads: usize,
    /// Width of the feed-forward layers.
    pub feed_forward: usize,
    /// Tokens of the vocabulary.
    pub vocabulary: usize,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            layers: 4,
            width: 192,
            heads: 3,
            kv_heads: 1,
            feed_forward: 512,
            vocabulary: 2048,
        }
    }
}

/// What the training begins with.
#[derive(Debug)]
pub enum Base {
    /// Nothing: weights are drawn, and the vocabulary is learned from the training sequences.
    Scratch(Shape),
    /// A model, with the name that the card gives it.
    Pretrained(String, Box<Pretrained>),
}

/// How a training went.
#[derive(Debug)]
pub struct SmollmTrained {
    /// The model as files of a folder, by name; none where the training was interrupted.
    pub files: Option<Vec<(&'static str, Vec<u8>)>>,
    /// What is to be said of the model, schema [`CARD_SCHEMA`].
    pub card: Value,
    /// Every report, those before a resumption too.
    pub reports: Vec<Report>,
    /// Steps taken.
    pub steps: usize,
    /// Why it ended.
    pub ending: Ending,
    /// What was read.
    pub report: DataReport,
}

/// Trains a model, from a checkpoint on where one is given; on the processor on the threads of the current rayon pool.
///
/// There the same data, settings and seed give the same bytes, also where the training was interrupted and taken up again.
///
/// # Errors
/// [`TrainingError`] where the data cannot be used or do not go with the checkpoint, and for settings out of bounds.
pub fn train(
    job: &Job,
    settings: &SmollmSettings,
    base: Base,
    place: &Place,
    start: Option<Checkpoint>,
    progress: &(dyn Fn(Progress) + Sync),
    watch: &mut Watch<'_>,
) -> Result<SmollmTrained, TrainingError> {
    settings.data.check()?;
    let network_settings = Settings {
        seed: job.seed,
        ..settings.network.clone()
    };
    network_settings.check()?;
    let (lines, report) = read(job, &settings.data, progress)?;
    let base_card = base.card();
    let (network, tokenizer) = begin(base, &lines, job.seed)?;
    let tokens_max = settings.data.tokens_max.min(network.config().max_position_embeddings);
    let data = DataSettings {
        tokens_max,
        ..settings.data.clone()
    };
    let (train_windows, valid_windows, windowed) = windows(&lines, &tokenizer, &data, job.seed, progress)?;
    drop(lines);
    let trained = napsim_llama::train::train(
        network,
        &network_settings,
        place,
        &train_windows,
        &valid_windows,
        start,
        watch,
    )?;
    let mut card = json!({
        "schema": CARD_SCHEMA,
        "program": job.program,
        "date": job.date,
        "base": base_card,
        "device": place.name(),
        "data": report.sources,
        "split": report.split,
        "windows": windowed,
        "settings": {
            "data": data,
            "training": network_settings,
            "precision": settings.precision.name(),
        },
    });
    describe(&mut card, &trained);
    let files = match trained.ending {
        Ending::Interrupted => None,
        Ending::Complete | Ending::Finished => Some(files(&trained.network, &tokenizer, settings.precision, &card)?),
    };
    Ok(SmollmTrained {
        files,
        card,
        reports: trained.reports,
        steps: trained.steps,
        ending: trained.ending,
        report,
    })
}

impl DataSettings {
    fn check(&self) -> Result<(), TrainingError> {
        let refused = |name, value: usize, expected| TrainingError::Setting { name, value, expected };
        if self.stride == 0 {
            return Err(refused("stride", self.stride, "a whole number from 1 on"));
        }
        if self.window < 2 {
            return Err(refused("window", self.window, "a whole number from 2 on"));
        }
        if self.loss == Loss::Targets && self.stride > self.window {
            return Err(refused(
                "stride",
                self.stride,
                "no more than the window, so that no action is skipped",
            ));
        }
        if self.tokens_max < 16 {
            return Err(refused("tokens_max", self.tokens_max, "a whole number from 16 on"));
        }
        if !(1..=100).contains(&self.length_percentile) {
            return Err(refused(
                "length_percentile",
                self.length_percentile,
                "a whole number from 1 to 100",
            ));
        }
        Ok(())
    }

    /// How the model is measured: on actions that have a context, as in use.
    fn for_validation(&self) -> Self {
        Self {
            stride: self.stride.min(self.window / 3).max(1),
            loss: Loss::Targets,
            ..self.clone()
        }
    }
}

impl Base {
    fn card(&self) -> Value {
        match self {
            Self::Scratch(shape) => json!({ "scratch": shape }),
            Self::Pretrained(name, pretrained) => json!({ "model": name, "sha256": pretrained.sha256 }),
        }
    }
}

/// The model and its vocabulary before the first step.
fn begin(base: Base, lines: &Lines, seed: u64) -> Result<(LlamaNetwork, ModelTokenizer), TrainingError> {
    match base {
        Base::Pretrained(_, pretrained) => {
            let Pretrained {
                config,
                tokenizer,
                tensors,
                ..
            } = *pretrained;
            Ok((LlamaNetwork::from_stored(&config, tensors)?, tokenizer))
        }
        Base::Scratch(shape) => {
            let config = shape.config();
            config.check().map_err(napsim_llama::NetworkError::from)?;
            let tokenizer = vocabulary::learn(lines.training_texts(), shape.vocabulary)?;
            let json = tokenizer
                .to_string(false)
                .map_err(|error| napsim_llama::LlamaError::Tokenizer(error.to_string()))?;
            let tokenizer = ModelTokenizer::from_json(json.as_bytes())?;
            Ok((LlamaNetwork::random(&config, seed)?, tokenizer))
        }
    }
}

impl Shape {
    /// The shape as `config.json` has it.
    fn config(&self) -> LlamaConfig {
        LlamaConfig {
            hidden_size: self.width,
            intermediate_size: self.feed_forward,
            vocab_size: self.vocabulary,
            num_hidden_layers: self.layers,
            num_attention_heads: self.heads,
            num_key_value_heads: Some(self.kv_heads),
            head_dim: None,
            rms_norm_eps: 1e-5,
            rope_theta: 10_000.0,
            max_position_embeddings: 2048,
            tie_word_embeddings: true,
            bos_token_id: Some(0),
            eos_token_id: EndTokens(vec![0]),
        }
    }
}

/// Puts into the card what the training came to.
fn describe(card: &mut Value, trained: &TrainedNetwork) {
    let best = trained.reports.iter().rfind(|report| report.best);
    let outcome = json!({
        "n_parameters": trained.network.config().n_parameters(),
        "ending": trained.ending,
        "steps": trained.steps,
        "best": best,
        "reports": trained.reports,
    });
    if let (Value::Object(card), Value::Object(outcome)) = (card, outcome) {
        card.extend(outcome);
    }
}

/// The model as files of a Hugging Face folder, with the card.
fn files(
    network: &LlamaNetwork,
    tokenizer: &ModelTokenizer,
    precision: Precision,
    card: &Value,
) -> Result<Vec<(&'static str, Vec<u8>)>, TrainingError> {
    let mut card = serde_json::to_string_pretty(card).map_err(std::io::Error::from)?;
    card.push('\n');
    let end = network.config().eos_token_id.0.first().copied().unwrap_or(0);
    let end = tokenizer.token_text(end);
    // Without this file other tools do not know which token ends a text.
    let tokenizer_config = json!({
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": false,
        "model_max_length": network.config().max_position_embeddings,
        "eos_token": end,
        "pad_token": end,
    });
    let tokenizer_config = serde_json::to_string_pretty(&tokenizer_config).map_err(std::io::Error::from)?;
    Ok(vec![
        ("config.json", network.to_config_json(precision)?.into_bytes()),
        ("tokenizer.json", tokenizer.to_json()?.into_bytes()),
        ("tokenizer_config.json", (tokenizer_config + "\n").into_bytes()),
        ("model.safetensors", network.to_safetensors(precision)?),
        (CARD_NAME, card.into_bytes()),
    ])
}
