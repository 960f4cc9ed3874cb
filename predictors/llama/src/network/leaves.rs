//! The tensors of a Llama model: their names, shapes and order.

use crate::config::LlamaConfig;

/// The name and shape of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// Its name in the Hugging Face layout.
    pub(crate) name: String,
    /// `[width]` of a norm, else `[outputs, inputs]`.
    pub(crate) shape: Vec<usize>,
    /// Whether it is a norm's.
    pub(crate) is_norm: bool,
    /// Whether what it gives is added to the residual stream.
    pub(crate) to_residual: bool,
}

impl Leaf {
    /// How many numbers it holds.
    pub(crate) fn n_numbers(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Something for each linear layer of a block.
#[derive(Clone, Debug)]
pub(crate) struct Linears<T> {
    pub(crate) query: T,
    pub(crate) key: T,
    pub(crate) value: T,
    pub(crate) output: T,
    pub(crate) gate: T,
    pub(crate) up: T,
    pub(crate) down: T,
}

impl<T> Linears<T> {
    /// Makes something for each linear layer of a block.
    pub(crate) fn build<E>(
        config: &LlamaConfig,
        block: usize,
        mut make: impl FnMut(&Leaf) -> Result<T, E>,
    ) -> Result<Self, E> {
        let (hidden, query, kv) = (config.hidden_size, config.query_size(), config.kv_size());
        let inner = config.intermediate_size;
        let mut linear = |name: &str, outputs: usize, inputs: usize| {
            make(&Leaf {
                name: format!("model.layers.{block}.{name}_proj.weight"),
                shape: vec![outputs, inputs],
                is_norm: false,
                to_residual: outputs == hidden && (name.ends_with(".o") || name.ends_with("down")),
            })
        };
        Ok(Self {
            query: linear("self_attn.q", query, hidden)?,
            key: linear("self_attn.k", kv, hidden)?,
            value: linear("self_attn.v", kv, hidden)?,
            output: linear("self_attn.o", hidden, query)?,
            gate: linear("mlp.gate", inner, hidden)?,
            up: linear("mlp.up", inner, hidden)?,
            down: linear("mlp.down", hidden, inner)?,
        })
    }

    /// All of them, in the order in which they were made.
    pub(crate) fn in_order(&self) -> [&T; 7] {
        [
            &self.query,
            &self.key,
            &self.value,
            &self.output,
            &self.gate,
            &self.up,
            &self.down,
        ]
    }

    /// All of them to be changed, in the order in which they were made.
    pub(crate) fn in_order_mut(&mut self) -> [&mut T; 7] {
        [
            &mut self.query,
            &mut self.key,
            &mut self.value,
            &mut self.output,
            &mut self.gate,
            &mut self.up,
            &mut self.down,
        ]
    }

    /// All of them, in the order in which they were made.
    pub(crate) fn into_order(self) -> [T; 7] {
        [
            self.query,
            self.key,
            self.value,
            self.output,
            self.gate,
            self.up,
            self.down,
        ]
    }
}

/// Something for each tensor of a block.
#[derive(Clone, Debug)]
pub(crate) struct Block<T> {
    pub(crate) attention_norm: T,
    pub(crate) feed_forward_norm: T,
    pub(crate) linears: Linears<T>,
}

/// Something for each tensor of a model.
#[derive(Clone, Debug)]
pub(crate) struct Model<T> {
    pub(crate) embedding: T,
    pub(crate) blocks: Vec<Block<T>>,
    pub(crate) norm: T,
    /// The output layer; none where that is the embedding again.
    pub(crate) head: Option<T>,
}

impl<T> Model<T> {
    /// Makes something for each tensor of a model.
    pub(crate) fn build<E>(config: &LlamaConfig, mut make: impl FnMut(&Leaf) -> Result<T, E>) -> Result<Self, E> {
        let hidden = config.hidden_size;
        let norm = |name: String| Leaf {
            name,
            shape: vec![hidden],
            is_norm: true,
            to_residual: false,
        };
        let table = |name: &str| Leaf {
            name: name.to_owned(),
            shape: vec![config.vocab_size, hidden],
            is_norm: false,
            to_residual: false,
        };
        let embedding = make(&table("model.embed_tokens.weight"))?;
        let mut blocks = Vec::with_capacity(config.num_hidden_layers);
        for block in 0..config.num_hidden_layers {
            blocks.push(Block {
                attention_norm: make(&norm(format!("model.layers.{block}.input_layernorm.weight")))?,
                feed_forward_norm: make(&norm(format!("model.layers.{block}.post_attention_layernorm.weight")))?,
                linears: Linears::build(config, block, &mut make)?,
            });
        }
        Ok(Self {
            embedding,
            blocks,
            norm: make(&norm("model.norm.weight".to_owned()))?,
            head: match config.tie_word_embeddings {
                true => None,
                false => Some(make(&table("lm_head.weight"))?),
            },
        })
    }

    /// All of them, in the order in which they were made.
    pub(crate) fn in_order(&self) -> Vec<&T> {
        let mut all = vec![&self.embedding];
        for block in &self.blocks {
            all.extend([&block.attention_norm, &block.feed_forward_norm]);
            all.extend(block.linears.in_order());
        }
        all.push(&self.norm);
        all.extend(&self.head);
        all
    }

    /// All of them to be changed, in the order in which they were made.
    pub(crate) fn in_order_mut(&mut self) -> Vec<&mut T> {
        let mut all = vec![&mut self.embedding];
        for block in &mut self.blocks {
            all.extend([&mut block.attention_norm, &mut block.feed_forward_norm]);
            all.extend(block.linears.in_order_mut());
        }
        all.push(&mut self.norm);
        all.extend(&mut self.head);
        all
    }

    /// All of them, in the order in which they were made.
    pub(crate) fn into_order(self) -> Vec<T> {
        let mut all = vec![self.embedding];
        for block in self.blocks {
            all.extend([block.attention_norm, block.feed_forward_norm]);
            all.extend(block.linears.into_order());
        }
        all.push(self.norm);
        all.extend(self.head);
        all
    }
}

/// The tensors of a model, in a fixed order.
pub(crate) fn leaves(config: &LlamaConfig) -> Vec<Leaf> {
    match Model::build(config, |leaf| Ok::<_, std::convert::Infallible>(leaf.clone())) {
        Ok(model) => model.into_order(),
        Err(never) => match never {},
    }
}
