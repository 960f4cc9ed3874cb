//! Texts continued: one token after the other, until somebody has enough.

use std::ops::ControlFlow;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::engine::Session;
use crate::error::LlamaError;
use crate::tokenizer::ModelTokenizer;

/// How tokens are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// What logits are divided by before one is drawn; 0 takes the likeliest token always.
    pub temperature: f32,
    /// Tokens are drawn from the likeliest ones that have this probability together.
    pub top_p: f32,
}

impl Choice {
    /// The likeliest token always.
    pub const GREEDY: Self = Self {
        temperature: 0.0,
        top_p: 1.0,
    };
}

/// One token of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneratedToken {
    /// The token.
    pub token: u32,
    /// Its log-probability among all tokens, before temperature and constraints.
    pub log_probability: f32,
}

/// Why a text was not continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// The model ended it.
    EndToken,
    /// The listener had enough.
    Stopped,
    /// As many tokens were written as may be.
    TokensMax,
    /// The model can look at no more tokens.
    ContextFull,
    /// None of the tokens was allowed.
    NothingAllowed,
}

/// Who says which tokens may come, and is told of each that came.
pub trait Listener {
    /// Whether a token of these bytes may come next; asked only where [`constrains`](Self::constrains) says so.
    fn allows(&self, _bytes: &[u8]) -> bool {
        true
    }

    /// Whether the text may end here.
    fn may_end(&self) -> bool {
        true
    }

    /// Whether there is anything that may not come.
    fn constrains(&self) -> bool {
        false
    }

    /// A token came.
    fn token(&mut self, token: GeneratedToken, bytes: &[u8]) -> ControlFlow<()>;
}

/// Draws tokens.
#[derive(Clone, Debug)]
pub struct Chooser {
    choice: Choice,
    random: ChaCha8Rng,
    /// Tokens with the logits that are left of them.
    candidates: Vec<(f32, u32)>,
}

/// Tokens tried one by one before all are sorted.
const TRIED_MAX: usize = 64;

impl Chooser {
    /// A chooser whose drawing depends on the seed alone.
    pub fn new(choice: Choice, seed: u64) -> Self {
        Self {
            choice,
            random: ChaCha8Rng::seed_from_u64(seed),
            candidates: Vec::new(),
        }
    }

    /// The next token; none where none is allowed.
    fn choose(&mut self, logits: &[f32], allowed: &dyn Fn(u32) -> bool) -> Option<u32> {
        let numbered = logits.iter().zip(0u32..);
        self.candidates.clear();
        self.candidates.extend(numbered.map(|(logit, token)| (*logit, token)));
        if self.choice.temperature > 0.0 {
            return self.draw(allowed);
        }
        for _ in 0..TRIED_MAX {
            let (logit, token) = self.candidates.iter().copied().reduce(likelier)?;
            if allowed(token) {
                return Some(token);
            }
            let idx = usize::try_from(token).unwrap_or(usize::MAX);
            if let Some(place) = self.candidates.get_mut(idx).filter(|_| logit > f32::NEG_INFINITY) {
                place.0 = f32::NEG_INFINITY;
            }
        }
        self.sort();
        let mut sorted = self.candidates.iter().map(|(_, token)| *token);
        sorted.find(|token| allowed(*token))
    }

    /// Likeliest first, of equal ones the one with the smaller number.
    fn sort(&mut self) {
        self.candidates
            .sort_unstable_by(|(a, token_a), (b, token_b)| b.total_cmp(a).then(token_a.cmp(token_b)));
    }

    fn draw(&mut self, allowed: &dyn Fn(u32) -> bool) -> Option<u32> {
        self.candidates.retain(|(_, token)| allowed(*token));
        self.sort();
        let (largest, _) = *self.candidates.first()?;
        let temperature = self.choice.temperature;
        let weight = |logit: f32| f64::from((logit - largest) / temperature).exp();
        let total: f64 = self.candidates.iter().map(|(logit, _)| weight(*logit)).sum();
        let mut sum = 0.0;
        let n_kept = self.candidates.iter().position(|(logit, _)| {
            sum += weight(*logit);
            sum >= f64::from(self.choice.top_p) * total
        });
        self.candidates.truncate(n_kept.map_or(usize::MAX, |last| last + 1));
        let mut left = self.random.random::<f64>() * sum;
        let drawn = self.candidates.iter().find(|(logit, _)| {
            left -= weight(*logit);
            left < 0.0
        });
        drawn.or(self.candidates.last()).map(|(_, token)| *token)
    }
}

/// The likelier of two, or the first.
fn likelier(a: (f32, u32), b: (f32, u32)) -> (f32, u32) {
    if b.0 > a.0 { b } else { a }
}

/// Continues the text of a session by at most `n_tokens_max` tokens.
///
/// The session's text ends before the last token that came, so that nothing is computed that nobody asks for.
///
/// # Errors
/// [`LlamaError`] where the session has no text.
pub fn generate(
    session: &mut Session,
    tokenizer: &ModelTokenizer,
    chooser: &mut Chooser,
    n_tokens_max: usize,
    listener: &mut dyn Listener,
) -> Result<Ending, LlamaError> {
    for n_tokens in 0.. {
        if n_tokens == n_tokens_max {
            return Ok(Ending::TokensMax);
        }
        let constrains = listener.constrains();
        let allowed = |token: u32| {
            if !constrains {
                return true;
            }
            let bytes = tokenizer.bytes(token);
            if tokenizer.is_end(token) {
                return listener.may_end();
            }
            !bytes.is_empty() && listener.allows(bytes)
        };
        let Some(token) = chooser.choose(session.logits(), &allowed) else {
            return Ok(Ending::NothingAllowed);
        };
        if tokenizer.is_end(token) {
            return Ok(Ending::EndToken);
        }
        let logit = session.logits().get(usize::try_from(token).unwrap_or(usize::MAX));
        let generated = GeneratedToken {
            token,
            log_probability: logit.map_or(f32::NEG_INFINITY, |logit| logit - session.log_normaliser()),
        };
        if listener.token(generated, tokenizer.bytes(token)).is_break() {
            return Ok(Ending::Stopped);
        }
        match session.extend(&[token]) {
            Ok(()) => {}
            Err(LlamaError::TooLong { .. }) => return Ok(Ending::ContextFull),
            Err(error) => return Err(error),
        }
    }
    Ok(Ending::TokensMax)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_token_that_is_allowed_is_taken() {
        let mut chooser = Chooser::new(Choice::GREEDY, 0);
        let logits: Vec<f32> = (0..200u16).map(|idx| f32::from(idx % 100)).collect();
        assert_eq!(chooser.choose(&logits, &|_| true), Some(99));
        assert_eq!(chooser.choose(&logits, &|token| token % 100 < 98), Some(97));
        assert_eq!(
            chooser.choose(&logits, &|token| token == 7),
            Some(7),
            "beyond those tried one by one"
        );
        assert_eq!(chooser.choose(&logits, &|_| false), None);
    }

    #[test]
    fn drawing_depends_on_seed_temperature_and_share() {
        let logits = [0.0, 2.0, 1.0, -50.0];
        let draw = |temperature, top_p, seed| -> Vec<u32> {
            let mut chooser = Chooser::new(Choice { temperature, top_p }, seed);
            (0..300).filter_map(|_| chooser.choose(&logits, &|_| true)).collect()
        };
        assert_eq!(draw(1.0, 1.0, 1), draw(1.0, 1.0, 1));
        assert_ne!(draw(1.0, 1.0, 1), draw(1.0, 1.0, 2));
        let count = |drawn: &[u32], token| drawn.iter().filter(|drawn| **drawn == token).count();
        let drawn = draw(1.0, 1.0, 3);
        // Expected shares: 0.09, 0.67, 0.24.
        assert!(
            (150..250).contains(&count(&drawn, 1)) && count(&drawn, 3) == 0,
            "{drawn:?}"
        );
        assert!(count(&drawn, 0) > 5 && count(&drawn, 2) > 40);
        assert_eq!(
            count(&draw(1.0, 0.6, 4), 1),
            300,
            "the likeliest one has the share alone"
        );
        assert!(count(&draw(10.0, 1.0, 5), 1) < 150);
    }
}
