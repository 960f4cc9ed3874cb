//! Seeded generators, one for each purpose, so that no purpose moves another's draws.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use sha2::{Digest, Sha256};

/// The generator of one purpose under a seed.
pub(crate) fn rng_of(seed: u64, purpose: &str) -> ChaCha8Rng {
    let mut hasher = Sha256::new();
    hasher.update(seed.to_le_bytes());
    hasher.update(purpose.as_bytes());
    ChaCha8Rng::from_seed(hasher.finalize().into())
}
