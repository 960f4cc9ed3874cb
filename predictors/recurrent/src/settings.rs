//! What a network is and how it is trained.

use crate::RecurrentError;
use crate::token::HEADS;
use serde::{Deserialize, Serialize};

/// The recurrent cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cell {
    /// Gated recurrent unit, in the form with two biases.
    Gru,
    /// Long short-term memory.
    Lstm,
}

impl Cell {
    /// Gates: rows of the fused matrices per hidden unit.
    pub(crate) const fn gates(self) -> usize {
        match self {
            Self::Gru => 3,
            Self::Lstm => 4,
        }
    }
}

/// What padding steps do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Padding {
    /// They leave the state alone.
    Masked,
    /// They pass through the biased projection and move the state, as published.
    Fed,
}

/// Which steps of a window count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Each token is predicted from all before it: a sequence is cut into pieces of `window` tokens, and each piece
    /// begins with the state at the end of the piece before it (gradients end at the cut).
    EveryStep,
    /// One window for each token, from the zero state, of which the last step alone counts, as published.
    LastStep,
}

/// How the six heads depend on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Heads {
    /// Six linear heads that see the hidden state only, as published.
    Independent,
    /// The range and value-type heads also see the op type: through an embedding and one layer of `hidden` rectified units.
    Conditional,
}

/// The optimizer; both with the usual moments 0.9 and 0.999 and epsilon 1e-8.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Optimizer {
    /// Adam without weight decay.
    Adam,
    /// Adam with decoupled weight decay on matrices; biases don't decay.
    AdamW {
        /// Share of a weight that decays in a step, times the learning rate.
        weight_decay: f64,
    },
}

/// What a network is and how it is trained.
///
/// The default is what suits the method; [`Settings::published`] is the published set-up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The cell.
    pub cell: Cell,
    /// Hidden units of each layer.
    pub hidden: usize,
    /// Recurrent layers.
    pub layers: usize,
    /// Length of the embedding of an op type.
    pub op_type_embedding: usize,
    /// Length of the embedding of each range quantity.
    pub range_embedding: usize,
    /// Length of the embedding of a value type.
    pub value_type_embedding: usize,
    /// Units of the rectified layer between the embeddings and the first cell.
    pub projection: usize,
    /// Share of units dropped between recurrent layers, in training.
    pub dropout: f64,
    /// Tokens in a window (last step) or in a piece (every step).
    pub window: usize,
    /// What padding steps do.
    pub padding: Padding,
    /// Which steps count.
    pub loss: Loss,
    /// How the heads depend on each other.
    pub heads: Heads,
    /// Learning rate.
    pub learning_rate: f64,
    /// Windows or pieces in a batch.
    pub batch: usize,
    /// Epochs at most.
    pub epochs_max: usize,
    /// Epochs without a lower validation loss after which training ends; none means never.
    pub patience: Option<usize>,
    /// Targets in an epoch at most (what remains has its turn in a later epoch, which shuffles anew); none means all.
    pub tokens_per_epoch_max: Option<usize>,
    /// Bound on the norm of the whole gradient.
    pub gradient_norm_max: f64,
    /// The optimizer.
    pub optimizer: Optimizer,
    /// Seed of initial weights, shuffling and dropout.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            window: 64,
            padding: Padding::Masked,
            loss: Loss::EveryStep,
            heads: Heads::Conditional,
            batch: 16,
            epochs_max: 40,
            patience: Some(4),
            optimizer: Optimizer::AdamW { weight_decay: 0.01 },
            ..Self::published()
        }
    }
}

impl Settings {
    /// The published set-up: a GRU, unmasked padding, last-step loss, independent heads, Adam, 15 epochs.
    ///
    /// Nothing is published about a seed. Sequences of fewer than three actions were left out there; that is up to the caller.
    #[must_use]
    pub const fn published() -> Self {
        Self {
            cell: Cell::Gru,
            hidden: 128,
            layers: 2,
            op_type_embedding: 32,
            range_embedding: 16,
            value_type_embedding: 16,
            projection: 128,
            dropout: 0.1,
            window: 32,
            padding: Padding::Fed,
            loss: Loss::LastStep,
            heads: Heads::Independent,
            learning_rate: 1e-3,
            batch: 256,
            epochs_max: 15,
            patience: None,
            tokens_per_epoch_max: None,
            gradient_norm_max: 1.0,
            optimizer: Optimizer::Adam,
            seed: 0,
        }
    }

    /// Lengths of the six embeddings.
    pub(crate) const fn embedding_widths(&self) -> [usize; HEADS] {
        let range = self.range_embedding;
        [
            self.op_type_embedding,
            range,
            range,
            range,
            range,
            self.value_type_embedding,
        ]
    }

    /// Length of the six embeddings together.
    pub(crate) fn embedded(&self) -> usize {
        self.embedding_widths().iter().sum()
    }

    /// Refuses what makes no sense.
    ///
    /// # Errors
    /// [`RecurrentError::Setting`] names the first setting that is out of bounds.
    pub fn check(&self) -> Result<(), RecurrentError> {
        for (name, value) in [
            ("hidden", self.hidden),
            ("op_type_embedding", self.op_type_embedding),
            ("range_embedding", self.range_embedding),
            ("value_type_embedding", self.value_type_embedding),
            ("projection", self.projection),
            ("window", self.window),
        ] {
            within(name, value, 4096, "1 to 4096")?;
        }
        within("layers", self.layers, 16, "1 to 16")?;
        within("batch", self.batch, 65_536, "1 to 65536")?;
        within("epochs_max", self.epochs_max, 100_000, "1 to 100000")?;
        within("patience", self.patience.unwrap_or(1), usize::MAX, "1 or more")?;
        within(
            "tokens_per_epoch_max",
            self.tokens_per_epoch_max.unwrap_or(1),
            usize::MAX,
            "1 or more",
        )?;
        let decay = match self.optimizer {
            Optimizer::Adam => 0.0,
            Optimizer::AdamW { weight_decay } => weight_decay,
        };
        let positive = f64::MIN_POSITIVE..=1e6;
        for (name, value, bounds, expected) in [
            ("dropout", self.dropout, 0.0..=0.99, "0 to 0.99"),
            ("learning_rate", self.learning_rate, positive.clone(), "above 0"),
            ("gradient_norm_max", self.gradient_norm_max, positive, "above 0"),
            ("weight_decay", decay, 0.0..=1.0, "0 to 1"),
        ] {
            if !bounds.contains(&value) {
                return Err(RecurrentError::Setting {
                    name,
                    value: value.to_string(),
                    expected,
                });
            }
        }
        Ok(())
    }
}

/// Refuses a count of zero or above its bound.
fn within(name: &'static str, value: usize, most: usize, expected: &'static str) -> Result<(), RecurrentError> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    Err(RecurrentError::Setting {
        name,
        value: value.to_string(),
        expected,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_json_and_fill_up_from_the_default() {
        for settings in [Settings::default(), Settings::published()] {
            settings.check().unwrap();
            let text = serde_json::to_string(&settings).unwrap();
            assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
        }
        let some: Settings = serde_json::from_str(r#"{"cell":"lstm","optimizer":"adam"}"#).unwrap();
        assert_eq!(some.cell, Cell::Lstm);
        assert_eq!(some.window, Settings::default().window);
        assert!(serde_json::from_str::<Settings>(r#"{"hiden":1}"#).is_err());
    }

    #[test]
    fn senseless_settings_are_named() {
        for (name, settings) in [
            (
                "hidden",
                Settings {
                    hidden: 0,
                    ..Settings::default()
                },
            ),
            (
                "layers",
                Settings {
                    layers: 17,
                    ..Settings::default()
                },
            ),
            (
                "patience",
                Settings {
                    patience: Some(0),
                    ..Settings::default()
                },
            ),
            (
                "dropout",
                Settings {
                    dropout: 1.0,
                    ..Settings::default()
                },
            ),
            (
                "learning_rate",
                Settings {
                    learning_rate: f64::NAN,
                    ..Settings::default()
                },
            ),
            (
                "weight_decay",
                Settings {
                    optimizer: Optimizer::AdamW { weight_decay: -0.1 },
                    ..Settings::default()
                },
            ),
        ] {
            let error = settings.check().unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
        }
    }
}
