//! Settings of a training.

use serde::{Deserialize, Serialize};

use super::TrainError;

/// Settings of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Seed of everything that is random.
    pub seed: u64,
    /// Passes over the windows.
    pub epochs: usize,
    /// Most steps; the learning rate has fallen to nothing when they are done.
    pub steps_max: Option<usize>,
    /// Highest learning rate.
    pub learning_rate: f64,
    /// Share of the steps in which the learning rate rises to its highest, before it falls by a half cosine.
    pub warm_up: f64,
    /// Decay of the weights in each step, times the learning rate; norms do not decay.
    pub weight_decay: f64,
    /// Share of the first moment that stays.
    pub beta_1: f64,
    /// Share of the second moment that stays.
    pub beta_2: f64,
    /// Greatest norm of the gradient; a longer one is shortened.
    pub clip: f64,
    /// Windows of a step.
    pub batch: usize,
    /// Windows that a thread works on at once.
    pub micro_batch: usize,
    /// Steps after which the model is measured, besides the end of each epoch; none measures it then alone.
    pub report_every: Option<usize>,
    /// Low-rank adapters that are trained in place of the weights.
    pub adapters: Option<AdapterSettings>,
}

/// Settings of low-rank adapters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdapterSettings {
    /// Their rank.
    pub rank: usize,
    /// Their product is multiplied by this over the rank.
    pub alpha: f64,
    /// Share of the numbers left out in front of them.
    pub dropout: f64,
}

impl Default for Settings {
    /// The published settings (spec chapter 03, 11.3).
    fn default() -> Self {
        Self {
            seed: 0,
            epochs: 3,
            steps_max: None,
            learning_rate: 5e-5,
            warm_up: 0.05,
            weight_decay: 0.01,
            beta_1: 0.9,
            beta_2: 0.999,
            clip: 1.0,
            batch: 32,
            micro_batch: 4,
            report_every: None,
            adapters: None,
        }
    }
}

impl Default for AdapterSettings {
    /// The published settings (spec chapter 03, 11.3).
    fn default() -> Self {
        Self {
            rank: 16,
            alpha: 32.0,
            dropout: 0.05,
        }
    }
}

impl Settings {
    /// Refuses what makes no sense.
    ///
    /// # Errors
    /// [`TrainError::Setting`] with its name and what it may be.
    pub fn check(&self) -> Result<(), TrainError> {
        let positive = "a whole number from 1 on";
        let counts = [
            ("epochs", self.epochs),
            ("batch", self.batch),
            ("micro_batch", self.micro_batch),
            ("steps_max", self.steps_max.unwrap_or(1)),
            ("report_every", self.report_every.unwrap_or(1)),
            ("rank", self.adapters.as_ref().map_or(1, |adapters| adapters.rank)),
        ];
        for (name, count) in counts {
            setting(name, count, count > 0, positive)?;
        }
        let rate = self.learning_rate;
        setting(
            "learning_rate",
            rate,
            rate > 0.0 && rate <= 1.0,
            "a number above 0, at most 1",
        )?;
        setting("clip", self.clip, self.clip > 0.0, "a number above 0")?;
        let mut shares = vec![
            ("warm_up", self.warm_up),
            ("weight_decay", self.weight_decay),
            ("beta_1", self.beta_1),
            ("beta_2", self.beta_2),
        ];
        shares.extend(self.adapters.as_ref().map(|adapters| ("dropout", adapters.dropout)));
        for (name, share) in shares {
            setting(name, share, (0.0..1.0).contains(&share), "a number from 0 up to 1")?;
        }
        if let Some(adapters) = &self.adapters {
            setting("alpha", adapters.alpha, adapters.alpha > 0.0, "a number above 0")?;
        }
        Ok(())
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "errors and words of many types are handed over"
)]
fn setting(name: &'static str, value: impl ToString, is_good: bool, expected: &'static str) -> Result<(), TrainError> {
    match is_good {
        true => Ok(()),
        false => Err(TrainError::Setting {
            name,
            value: value.to_string(),
            expected,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        Settings::default().check().unwrap();
        type Change = fn(&mut Settings);
        let cases: [(&str, Change); 5] = [
            ("epochs = 0", |settings| settings.epochs = 0),
            ("learning_rate = 2", |settings| settings.learning_rate = 2.0),
            ("warm_up = NaN", |settings| settings.warm_up = f64::NAN),
            ("rank = 0", |settings| {
                settings.adapters = Some(AdapterSettings {
                    rank: 0,
                    ..AdapterSettings::default()
                });
            }),
            ("steps_max = 0", |settings| settings.steps_max = Some(0)),
        ];
        for (expected, change) in cases {
            let mut settings = Settings::default();
            change(&mut settings);
            let error = settings.check().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
