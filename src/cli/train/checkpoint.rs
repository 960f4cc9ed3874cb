//! The file that keeps what an interrupted training needs to go on.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use napsim_recurrent::Checkpoint;
use napsim_reports::store::write_file_whole;

use crate::exit::Failure;

/// `MODEL.checkpoint` beside a model.
#[derive(Debug)]
pub(super) struct CheckpointFile {
    path: PathBuf,
}

impl CheckpointFile {
    /// The file beside this model.
    pub(super) fn beside(model: &Path) -> Self {
        let mut name = model.as_os_str().to_owned();
        name.push(".checkpoint");
        Self { path: name.into() }
    }

    /// Where it lies.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What it holds, where a training is to go on. Where one begins anew, a checkpoint that is there will be replaced, and
    /// anything else that is there is refused.
    pub(super) fn open(&self, resume: bool) -> Result<Option<Checkpoint>, Failure> {
        let path = self.path.display();
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return if resume {
                    Err(Failure::Input(anyhow!(
                        "failed to resume: there is no {path}; leave --resume out to begin"
                    )))
                } else {
                    Ok(None)
                };
            }
            Err(error) => return Err(Failure::Input(anyhow!("failed to read {path}: {error}"))),
        };
        match Checkpoint::from_bytes(&bytes) {
            Ok(checkpoint) => Ok(resume.then_some(checkpoint)),
            Err(error) if resume => Err(Failure::Input(anyhow!("failed to resume from {path}: {error}"))),
            Err(_) => Err(Failure::Input(anyhow!(
                "failed to write {path}: it is there and is no checkpoint; give another file to --out"
            ))),
        }
    }

    /// Keeps a checkpoint, as a whole or not at all.
    pub(super) fn write(&self, checkpoint: &Checkpoint) -> Result<(), Failure> {
        let bytes = checkpoint.to_bytes().map_err(Failure::environment)?;
        Ok(write_file_whole(&self.path, &bytes)?)
    }

    /// Takes the file away, now that the model is there.
    pub(super) fn remove(&self) {
        // One that stays is of no harm: the next training replaces it.
        let _ = fs::remove_file(&self.path);
    }
}
