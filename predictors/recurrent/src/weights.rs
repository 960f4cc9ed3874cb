//! Which tensors a network consists of: one structure for their shapes, their values and their variables.

use crate::settings::{Heads, Settings};
use crate::token::{CLASSES, DETAILS, OP_TYPES};
use rand::RngCore;
use rand_chacha::ChaCha8Rng;

/// How a tensor begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Start {
    /// Evenly spread between minus and plus this.
    Uniform(f32),
    /// Normal with variance 1, but row 0 is zero and stays zero: it belongs to padding.
    Embedding,
    /// Normal with variance 1.
    Table,
}

/// Name, shape and beginning of one tensor.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaf {
    pub(crate) name: String,
    /// Rows and columns, or the length alone for a bias.
    pub(crate) shape: Vec<usize>,
    pub(crate) start: Start,
}

impl Leaf {
    /// How many numbers it has.
    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Length of a row.
    pub(crate) fn width(&self) -> usize {
        self.shape.last().copied().unwrap_or(1)
    }

    /// Values to begin with.
    pub(crate) fn draw(&self, random: &mut ChaCha8Rng) -> Vec<f32> {
        let n_fixed = if self.start == Start::Embedding {
            self.width()
        } else {
            0
        };
        let drawn = (n_fixed..self.len()).map(|_| match self.start {
            Start::Uniform(bound) => bound * (2.0 * unit(random) - 1.0),
            // The sum of twelve, less six: close to normal, and exact arithmetic everywhere.
            Start::Embedding | Start::Table => (0..12).map(|_| unit(random)).sum::<f32>() - 6.0,
        });
        std::iter::repeat_n(0.0, n_fixed).chain(drawn).collect()
    }
}

/// A number from 0 to below 1.
fn unit(random: &mut ChaCha8Rng) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit")]
    let bits = (random.next_u32() >> 8) as f32;
    bits / 16_777_216.0
}

/// A matrix with one row for each output, and a bias.
#[derive(Debug, Clone)]
pub(crate) struct Linear<T> {
    pub(crate) weight: T,
    pub(crate) bias: T,
}

/// The fused gate matrices of one recurrent layer.
#[derive(Debug, Clone)]
pub(crate) struct CellWeights<T> {
    pub(crate) input: Linear<T>,
    pub(crate) state: Linear<T>,
}

/// The layer through which range and value-type heads see the op type.
#[derive(Debug, Clone)]
pub(crate) struct Given<T> {
    pub(crate) embedding: T,
    pub(crate) op_type: T,
    pub(crate) hidden: Linear<T>,
}

/// All tensors of a network.
#[derive(Debug, Clone)]
pub(crate) struct Weights<T> {
    /// One for each of the six ids.
    pub(crate) embeddings: Vec<T>,
    pub(crate) projection: Linear<T>,
    pub(crate) cells: Vec<CellWeights<T>>,
    pub(crate) op_type: Linear<T>,
    pub(crate) given: Option<Given<T>>,
    /// The heads for row, column, height, width and value type, one below the other.
    pub(crate) details: Linear<T>,
}

impl<T> Weights<T> {
    /// Makes every tensor, always in the same order.
    pub(crate) fn build<E>(settings: &Settings, mut leaf: impl FnMut(Leaf) -> Result<T, E>) -> Result<Self, E> {
        let hidden = settings.hidden;
        let mut make = |name: &str, shape: &[usize], start| {
            leaf(Leaf {
                name: name.to_owned(),
                shape: shape.to_vec(),
                start,
            })
        };
        let names = ["op_type", "row", "column", "height", "width", "value_type"];
        let mut embeddings = Vec::new();
        for ((name, classes), width) in names.iter().zip(CLASSES).zip(settings.embedding_widths()) {
            embeddings.push(make(
                &format!("embedding.{name}"),
                &[classes + 1, width],
                Start::Embedding,
            )?);
        }
        let mut linear = |name: &str, rows, columns, fan| {
            let start = Start::Uniform(bound(fan));
            Ok(Linear {
                weight: make(&format!("{name}.weight"), &[rows, columns], start)?,
                bias: make(&format!("{name}.bias"), &[rows], start)?,
            })
        };
        let embedded = settings.embedded();
        let projection = linear("projection", settings.projection, embedded, embedded)?;
        let n_gates = settings.cell.gates() * hidden;
        let mut cells = Vec::new();
        for layer in 0..settings.layers {
            let columns = if layer == 0 { settings.projection } else { hidden };
            cells.push(CellWeights {
                input: linear(&format!("cell.{layer}.input"), n_gates, columns, hidden)?,
                state: linear(&format!("cell.{layer}.state"), n_gates, hidden, hidden)?,
            });
        }
        let op_type = linear("head.op_type", OP_TYPES, hidden, hidden)?;
        let details = linear("head.details", DETAILS, hidden, hidden)?;
        let given = match settings.heads {
            Heads::Independent => None,
            Heads::Conditional => {
                let width = settings.op_type_embedding;
                let fan = hidden + width;
                Some(Given {
                    hidden: linear("given.hidden", hidden, hidden, fan)?,
                    op_type: make("given.op_type", &[hidden, width], Start::Uniform(bound(fan)))?,
                    embedding: make("given.embedding", &[OP_TYPES, width], Start::Table)?,
                })
            }
        };
        Ok(Self {
            embeddings,
            projection,
            cells,
            op_type,
            given,
            details,
        })
    }
}

impl<T> Weights<T> {
    /// Every tensor, in the order in which they are made.
    pub(crate) fn in_order(&self) -> Vec<&T> {
        let mut all: Vec<&T> = self.embeddings.iter().collect();
        all.extend(self.projection.both());
        for cell in &self.cells {
            all.extend(cell.input.both());
            all.extend(cell.state.both());
        }
        all.extend(self.op_type.both());
        all.extend(self.details.both());
        if let Some(given) = &self.given {
            all.extend(given.hidden.both());
            all.extend([&given.op_type, &given.embedding]);
        }
        all
    }
}

impl Weights<Vec<f32>> {
    /// Puts values, which come in order, in their places.
    pub(crate) fn from_values(settings: &Settings, values: &[Vec<f32>]) -> Self {
        let mut values = values.iter().cloned();
        let built = Self::build(settings, |_| {
            Ok::<_, std::convert::Infallible>(values.next().unwrap_or_default())
        });
        match built {
            Ok(weights) => weights,
            Err(never) => match never {},
        }
    }
}

impl<T> Linear<T> {
    fn both(&self) -> [&T; 2] {
        [&self.weight, &self.bias]
    }
}

/// The bound of a uniform start for so many inputs.
fn bound(fan: usize) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "sizes are small")]
    let fan = fan as f32;
    1.0 / fan.sqrt()
}

/// The tensors of a network, in order.
pub(crate) fn leaves(settings: &Settings) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    let built = Weights::build(settings, |leaf| {
        leaves.push(leaf);
        Ok::<(), std::convert::Infallible>(())
    });
    match built {
        Ok(_) => leaves,
        Err(never) => match never {},
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn the_published_network_has_278_thousand_parameters() {
        let n_parameters: usize = leaves(&Settings::published()).iter().map(Leaf::len).sum();
        assert!((277_500..278_500).contains(&n_parameters), "{n_parameters}");
    }

    #[test]
    fn tensors_are_listed_in_the_order_in_which_they_are_made() {
        let settings = Settings::default();
        let built = Weights::build(&settings, Ok::<_, std::convert::Infallible>).unwrap();
        let listed: Vec<Leaf> = built.in_order().into_iter().cloned().collect();
        assert_eq!(listed, leaves(&settings));
    }

    #[test]
    fn names_are_distinct_and_padding_rows_zero() {
        let leaves = leaves(&Settings::default());
        let names: std::collections::BTreeSet<_> = leaves.iter().map(|leaf| &leaf.name).collect();
        assert_eq!(names.len(), leaves.len());
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let values = leaves[0].draw(&mut random);
        assert_eq!(values.len(), 30 * 32);
        assert!(values[..32].iter().all(|&value| value == 0.0));
        let rest = &values[32..];
        let square = rest.iter().map(|value| value * value).sum::<f32>() / rest.len() as f32;
        assert!((0.8..1.2).contains(&square), "{square}");
    }
}
