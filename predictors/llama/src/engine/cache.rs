//! Keys and values of the tokens that were read, in the panels that the inner loops want.

use crate::config::LlamaConfig;

/// The keys and values of all blocks.
#[derive(Debug)]
pub(super) struct KeyValueCache {
    /// Block, then head.
    heads: Vec<HeadCache>,
    n_heads: usize,
}

impl KeyValueCache {
    pub(super) fn new(config: &LlamaConfig, width: usize) -> Self {
        let n_heads = config.n_kv_heads();
        let heads = (0..config.num_hidden_layers * n_heads).map(|_| HeadCache::new(config.head_dim(), width));
        Self {
            heads: heads.collect(),
            n_heads,
        }
    }

    /// The heads of one block.
    pub(super) fn block_mut(&mut self, block: usize) -> &mut [HeadCache] {
        let start = block * self.n_heads;
        self.heads.get_mut(start..start + self.n_heads).unwrap_or_default()
    }
}

/// The keys and values of one head.
#[derive(Debug)]
pub(super) struct HeadCache {
    head_dim: usize,
    width: usize,
    /// Panels of `width` positions: for each number of a key those of the panel's positions.
    keys: Vec<f32>,
    /// For each panel of `width` numbers of a value: those numbers, position after position.
    values: Vec<Vec<f32>>,
}

impl HeadCache {
    fn new(head_dim: usize, width: usize) -> Self {
        Self {
            head_dim,
            width,
            keys: Vec::new(),
            values: vec![Vec::new(); head_dim.div_ceil(width)],
        }
    }

    /// Sets the key and the value of a position; those before it must have been set.
    pub(super) fn set(&mut self, position: usize, key: &[f32], value: &[f32]) {
        let panel_size = self.head_dim * self.width;
        let (panel, lane) = (position / self.width, position % self.width);
        if self.keys.len() < (panel + 1) * panel_size {
            self.keys.resize((panel + 1) * panel_size, 0.0);
        }
        let places = self.keys.iter_mut().skip(panel * panel_size + lane).step_by(self.width);
        for (place, number) in places.zip(key) {
            *place = *number;
        }
        for (panel, numbers) in self.values.iter_mut().zip(value.chunks(self.width)) {
            panel.truncate(position * self.width);
            panel.extend_from_slice(numbers);
            panel.resize((position + 1) * self.width, 0.0);
        }
    }

    pub(super) fn head_dim(&self) -> usize {
        self.head_dim
    }

    pub(super) fn key_panels(&self) -> impl Iterator<Item = &[f32]> {
        self.keys.chunks_exact(self.head_dim * self.width)
    }

    pub(super) fn value_panels(&self) -> impl Iterator<Item = &[f32]> {
        self.values.iter().map(Vec::as_slice)
    }
}
