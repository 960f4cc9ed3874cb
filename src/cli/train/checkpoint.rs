//! The file that keeps what an interrupted training needs to go on.

use std::fmt::Display;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use napsim_reports::store::write_file_whole;

use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// `MODEL.checkpoint` beside a model.
#[derive(Debug)]
pub(super) struct CheckpointFile {
    path: PathBuf,
}

impl CheckpointFile {
    /// The file beside this model, which may be a folder.
    pub(super) fn beside(model: &Path) -> Self {
        // Without a slash at the end, after which the name would be that of a file in the folder.
        let mut name = model.components().as_path().as_os_str().to_owned();
        name.push(".checkpoint");
        Self { path: name.into() }
    }

    /// What it holds, where a training is to go on; `read` makes a checkpoint of its bytes. Where a training begins anew, a
    /// checkpoint that is there will be replaced, and anything else that is there is refused.
    pub(super) fn open<C, E: Display>(
        &self,
        resume: bool,
        read: impl FnOnce(&[u8]) -> Result<C, E>,
    ) -> Result<Option<C>, Failure> {
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
        match read(&bytes) {
            Ok(checkpoint) => Ok(resume.then_some(checkpoint)),
            Err(error) if resume => Err(Failure::Input(anyhow!("failed to resume from {path}: {error}"))),
            Err(_) => Err(Failure::Input(anyhow!(
                "failed to write {path}: it is there and is no checkpoint; give another file to --out"
            ))),
        }
    }

    /// Keeps a checkpoint, as a whole or not at all.
    pub(super) fn write(&self, checkpoint: &[u8]) -> Result<(), Failure> {
        Ok(write_file_whole(&self.path, checkpoint)?)
    }

    /// Says how a training that was broken off after so much goes on, and how the program ends.
    pub(super) fn interrupted(&self, done: &str, interruption: &Interruption) -> Exit {
        let path = self.path.display();
        console::say(&format!(
            "napsim: interrupted after {done}; the same command with --resume goes on from {path}"
        ));
        interruption.signal().map_or(Exit::Incomplete, Exit::Signal)
    }

    /// Takes the file away, now that the model is there.
    pub(super) fn remove(&self) {
        // One that stays is of no harm: the next training replaces it.
        let _ = fs::remove_file(&self.path);
    }
}
