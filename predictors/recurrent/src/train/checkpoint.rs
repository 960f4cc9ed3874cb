//! Everything that a run needs to go on after an epoch.

use super::EpochReport;
use super::optimizer::Moments;
use crate::error::RecurrentError;
use crate::network::Network;
use crate::settings::Settings;
use crate::storage::{decode, encode};
use crate::token::Token;
use crate::weights::leaves;
use serde::{Deserialize, Serialize};

/// The state of a run after an epoch: weights, moments of the optimizer, the best weights so far and the reports.
///
/// The position in the random numbers is the epoch: each epoch has a stream of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    pub(crate) settings: Settings,
    /// Fingerprint of the sequences.
    pub(crate) data: u64,
    pub(crate) reports: Vec<EpochReport>,
    pub(crate) values: Vec<Vec<f32>>,
    pub(crate) moments: Moments,
    pub(crate) best: Vec<Vec<f32>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    settings: Settings,
    data: u64,
    steps: u64,
    reports: Vec<EpochReport>,
}

impl Checkpoint {
    /// The settings of the run.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Reports of the epochs that are done.
    #[must_use]
    pub fn epochs(&self) -> &[EpochReport] {
        &self.reports
    }

    /// The best network so far; before the first epoch the one that training begins with.
    #[must_use]
    pub fn network(&self) -> Network {
        Network::new(self.settings.clone(), self.best.clone())
    }

    /// The checkpoint as a safetensors file. Equal checkpoints give equal bytes.
    ///
    /// # Errors
    /// [`RecurrentError::Header`] or [`RecurrentError::Container`] when it can't be written down.
    pub fn to_bytes(&self) -> Result<Vec<u8>, RecurrentError> {
        let header = Header {
            settings: self.settings.clone(),
            data: self.data,
            steps: self.moments.steps,
            reports: self.reports.clone(),
        };
        let groups = [
            ("values/", self.values.as_slice()),
            ("first/", &self.moments.first),
            ("second/", &self.moments.second),
            ("best/", &self.best),
        ];
        encode(&header, &leaves(&self.settings), &groups)
    }

    /// Reads what [`Checkpoint::to_bytes`] wrote.
    ///
    /// # Errors
    /// As [`Network::from_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecurrentError> {
        let (header, mut decoded) = decode::<Header>(bytes)?;
        header.settings.check()?;
        let leaves = leaves(&header.settings);
        let checkpoint = Self {
            values: decoded.group("values/", &leaves)?,
            moments: Moments {
                steps: header.steps,
                first: decoded.group("first/", &leaves)?,
                second: decoded.group("second/", &leaves)?,
            },
            best: decoded.group("best/", &leaves)?,
            settings: header.settings,
            data: header.data,
            reports: header.reports,
        };
        decoded.finish()?;
        Ok(checkpoint)
    }

    /// Refuses to go on with other settings or other data. How long to train may change.
    pub(crate) fn belongs_to(&self, settings: &Settings, data: u64) -> Result<(), RecurrentError> {
        let same = Settings {
            epochs_max: settings.epochs_max,
            patience: settings.patience,
            ..self.settings.clone()
        };
        if same != *settings {
            return Err(RecurrentError::OtherRun { what: "settings" });
        }
        if self.data != data {
            return Err(RecurrentError::OtherRun { what: "data" });
        }
        Ok(())
    }
}

/// A fingerprint of sequences (FNV-1a): enough to notice a mistake.
pub(crate) fn fingerprint(sequences: [&[Vec<Token>]; 2]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for group in sequences {
        for tokens in group {
            tokens.iter().flat_map(|token| token.ids()).for_each(&mut add);
            add(0);
        }
        add(255);
    }
    hash
}
