//! One file fetched: continued where it broke off, and compared with its checksum.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use reqwest::header::{self, HeaderMap};
use reqwest::{StatusCode, Url};

use crate::checksum::{CHUNK_BYTES, Checksum, sums};
use crate::connection::{Answer, Connection, cause};
use crate::listing::RemoteFile;
use crate::manifest::{FileRecord, PART};
use crate::place::remove;
use crate::watch::{Event, Watch, tell};
use crate::{FILE_BYTES_MAX, HubError};

/// Longest sleep without a look at whether to stop.
const NAP: Duration = Duration::from_millis(100);

/// How often a request that failed is made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patience {
    /// The pauses before further tries; as many as there are pauses. A download that has come further begins to count anew.
    pub pauses: Vec<Duration>,
}

impl Default for Patience {
    /// Four more tries within eight seconds.
    fn default() -> Self {
        Self {
            pauses: [500, 1000, 2000, 4000].map(Duration::from_millis).to_vec(),
        }
    }
}

impl Patience {
    /// Asks until there is an answer, or an error that will not pass, or the pauses are used up. A hub that cannot be reached at
    /// all is not tried again, so that nobody waits where there is no network.
    pub(crate) fn last<T>(
        &self,
        watch: &mut Watch<'_>,
        mut attempt: impl FnMut(&mut Watch<'_>) -> Result<T, HubError>,
    ) -> Result<T, HubError> {
        let mut pauses = self.pauses.iter();
        loop {
            match attempt(watch) {
                Err(error) if error.is_passing() && !matches!(error, HubError::Unreachable { .. }) => {
                    match pauses.next() {
                        Some(pause) => wait(*pause, &error, watch)?,
                        None => return Err(error),
                    }
                }
                result => return result,
            }
        }
    }
}

fn wait(pause: Duration, error: &HubError, watch: &mut Watch<'_>) -> Result<(), HubError> {
    let reason = error.to_string();
    tell(watch, Event::Retrying { reason: &reason, pause })?;
    let mut left = pause;
    while !left.is_zero() {
        let nap = left.min(NAP);
        thread::sleep(nap);
        left -= nap;
        tell(watch, Event::Waiting)?;
    }
    Ok(())
}

/// A file on its way.
pub(crate) struct Download<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) patience: &'a Patience,
    pub(crate) url: Url,
    pub(crate) file: RemoteFile,
    pub(crate) folder: &'a Path,
}

impl Download<'_> {
    /// Fetches the file into the folder, and under its name when it is whole.
    pub(crate) fn fetch(mut self, watch: &mut Watch<'_>) -> Result<FileRecord, HubError> {
        let size = self.file.size;
        if size > FILE_BYTES_MAX {
            return Err(self.problem(format!(
                "it has {size} bytes, and {FILE_BYTES_MAX} are the most that are fetched"
            )));
        }
        tell(
            watch,
            Event::Begun {
                file: &self.file.name,
                size,
            },
        )?;
        let part = self.part();
        let was_begun = length(&part)? > 0;
        let record = match self.fetch_part(&part, watch) {
            // What was there before may have been wrong already.
            Err(HubError::Checksum { .. }) if was_begun => self.fetch_part(&part, watch)?,
            result => result?,
        };
        let path = self.folder.join(&self.file.name);
        fs::rename(&part, &path).map_err(|reason| HubError::io("write", &path, reason))?;
        Ok(record)
    }

    /// The file's name while it is there in part. The checksum in it keeps parts of two versions of a file apart.
    fn part(&self) -> PathBuf {
        let digits = self.file.checksum.as_ref().map_or("", Checksum::digits);
        let version = digits.get(..12).unwrap_or_default();
        self.folder.join(format!("{}.{version}{PART}", self.file.name))
    }

    /// Fetches the whole of the part, with patience, and compares it with its checksum.
    fn fetch_part(&mut self, part: &Path, watch: &mut Watch<'_>) -> Result<FileRecord, HubError> {
        let mut n_failures = 0;
        loop {
            let before = length(part)?;
            match self.go_on(part, watch) {
                Ok(()) => break,
                Err(error) if error.is_passing() => {
                    if length(part)? > before {
                        n_failures = 0;
                    }
                    match self.patience.pauses.get(n_failures) {
                        Some(pause) => wait(*pause, &error, watch)?,
                        None => return Err(error),
                    }
                    n_failures += 1;
                }
                Err(error) => return Err(error),
            }
        }
        let RemoteFile { name, size, checksum } = &self.file;
        let Some(checksum) = checksum else {
            return Err(self.problem("the hub tells no checksum of it".to_owned()));
        };
        tell(
            watch,
            Event::Checking {
                file: name,
                size: *size,
            },
        )?;
        let sums = sums(part, *size, watch)?;
        if let Err(error) = checksum.check(name, &sums) {
            remove(part)?;
            return Err(error);
        }
        Ok(FileRecord {
            name: name.clone(),
            size: *size,
            sha256: sums.sha256,
        })
    }

    /// Fetches what is missing of the part by one request.
    fn go_on(&mut self, part: &Path, watch: &mut Watch<'_>) -> Result<(), HubError> {
        let size = self.file.size;
        let mut done = length(part)?;
        if done > size {
            remove(part)?;
            done = 0;
        }
        if done == size && (size > 0 || part.exists()) {
            return Ok(());
        }
        let answer = match self.connection.get(&self.url, &self.file.name, done) {
            // A server that knows of no such range may know of the whole.
            Err(HubError::Status { host, status: 416, .. }) if done > 0 => {
                remove(part)?;
                return Err(HubError::Broken {
                    what: self.file.name.clone(),
                    host,
                    reason: format!("it does not go on from byte {done}"),
                });
            }
            answer => answer?,
        };
        self.take_checksum(&answer)?;
        let done = self.start(&answer, done)?;
        let failed = |reason| HubError::io("write", part, reason);
        // Not truncated at once: what is there goes on.
        let mut options = OpenOptions::new();
        let mut file = options
            .create(true)
            .write(true)
            .truncate(false)
            .open(part)
            .map_err(failed)?;
        file.set_len(done).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        self.copy(answer, &mut file, part, done, watch)?;
        file.sync_all().map_err(failed)
    }

    /// The byte at which an answer starts: the one asked for, or 0 where the server does not know how to go on.
    fn start(&self, answer: &Answer, asked: u64) -> Result<u64, HubError> {
        let size = self.file.size;
        let response = &answer.response;
        let (start, total) = if response.status() == StatusCode::PARTIAL_CONTENT {
            content_range(response.headers()).ok_or_else(|| self.problem("it is a part of nothing".to_owned()))?
        } else {
            (0, response.content_length())
        };
        if start != asked && start != 0 {
            return Err(self.problem(format!("byte {asked} was asked for and {start} came")));
        }
        match total.filter(|total| *total != size) {
            Some(total) => Err(self.problem(format!("it has {total} bytes where the list of files says {size}"))),
            None => Ok(start),
        }
    }

    fn copy(
        &self,
        mut answer: Answer,
        file: &mut File,
        part: &Path,
        mut done: u64,
        watch: &mut Watch<'_>,
    ) -> Result<(), HubError> {
        let size = self.file.size;
        let broken = |reason: String| HubError::Broken {
            what: self.file.name.clone(),
            host: answer.host.clone(),
            reason,
        };
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            tell(watch, Event::Reached { done })?;
            let n = answer.response.read(&mut chunk).map_err(|error| {
                broken(format!(
                    "the connection broke at byte {done} of {size} ({})",
                    cause(&error)
                ))
            })?;
            let bytes = chunk.get(..n).unwrap_or_default();
            if bytes.is_empty() {
                break;
            }
            done += n as u64;
            if done > size {
                remove(part)?;
                return Err(self.problem(format!("it has more than the {size} bytes of the list of files")));
            }
            file.write_all(bytes)
                .map_err(|reason| HubError::io("write", part, reason))?;
        }
        if done < size {
            return Err(broken(format!("the connection ended at byte {done} of {size}")));
        }
        Ok(())
    }

    /// Takes the checksum that comes with the answer, where the list of files had none of the contents.
    fn take_checksum(&mut self, answer: &Answer) -> Result<(), HubError> {
        match (&answer.linked, &self.file.checksum) {
            (Some(linked), Some(listed @ Checksum::Sha256(_))) if linked != listed => {
                Err(self.problem("its checksum is not that of the list of files".to_owned()))
            }
            (Some(linked), _) => {
                self.file.checksum = Some(linked.clone());
                Ok(())
            }
            (None, _) => Ok(()),
        }
    }

    fn problem(&self, problem: String) -> HubError {
        self.connection.senseless(&self.file.name, problem)
    }
}

/// The bytes of a file; 0 where there is none.
fn length(path: &Path) -> Result<u64, HubError> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.len()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
        Err(error) => Err(HubError::io("read", path, error)),
    }
}

/// The first byte of a part, and the bytes of the whole where they are told: of `bytes 5-9/10`, 5 and 10.
fn content_range(headers: &HeaderMap) -> Option<(u64, Option<u64>)> {
    let range = headers.get(header::CONTENT_RANGE)?.to_str().ok()?;
    let (bytes, total) = range.strip_prefix("bytes ")?.split_once('/')?;
    let start = bytes.split_once('-')?.0.trim().parse().ok()?;
    Some((start, total.trim().parse().ok()))
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    #[test]
    fn ranges_are_read() {
        let range = |text: &'static str| {
            content_range(&HeaderMap::from_iter([(
                header::CONTENT_RANGE,
                HeaderValue::from_static(text),
            )]))
        };
        assert_eq!(range("bytes 5-9/10"), Some((5, Some(10))));
        assert_eq!(range("bytes 5-9/*"), Some((5, None)));
        assert_eq!(range("bytes */10"), None);
        assert_eq!(range("5-9"), None);
        assert_eq!(content_range(&HeaderMap::new()), None);
    }
}
