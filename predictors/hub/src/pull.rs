//! Models fetched from a hub.

use std::fs;
use std::path::{Path, PathBuf};

use crate::checksum::sums;
use crate::connection::{Connection, Endpoint};
use crate::contents::{Contents, Defect, examine};
use crate::download::{Download, Patience};
use crate::listing::{self, RemoteFile};
use crate::manifest::{FileRecord, Manifest, Origin};
use crate::place::Place;
use crate::selection::{INDEX, Selection, select, shards};
use crate::watch::{Event, Watch, tell};
use crate::{HubError, ModelName};

/// What to fetch, and where from.
#[derive(Clone, Debug)]
pub struct Pull {
    /// The repository, `OWNER/REPO`.
    pub repository: String,
    /// The branch, tag or commit.
    pub revision: String,
    /// One .gguf file at the top of the repository; without it the files of a Hugging Face folder are fetched.
    pub file: Option<String>,
    /// The hub.
    pub endpoint: Endpoint,
    /// A token for repositories that ask for one. Only the hub itself gets it.
    pub token: Option<String>,
    /// How often to try again.
    pub patience: Patience,
}

/// A model that was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pulled {
    /// The path of the folder or of the .gguf file, as [`crate::locate`] gives it.
    pub path: PathBuf,
    /// The note of where the files came from.
    pub manifest: Manifest,
    /// Files that had to be fetched; the others were there already.
    pub n_fetched: usize,
}

/// A download under way.
struct Work<'a> {
    pull: &'a Pull,
    connection: Connection,
    commit: String,
    origin: Origin,
    place: Place,
    records: Vec<FileRecord>,
    n_fetched: usize,
}

impl Pull {
    /// Fetches the model into the folder of that name. Files that are there and right are not fetched again, and one that is
    /// there in part is continued.
    ///
    /// # Errors
    /// [`HubError`]; whatever was fetched until then stays for the next time, unless its checksum was wrong.
    pub fn fetch(&self, folder: &Path, name: &ModelName, watch: &mut Watch<'_>) -> Result<Pulled, HubError> {
        // What a user misspelled is refused before anything is asked or made.
        ModelName::parse(&self.repository)?;
        let connection = Connection::new(&self.endpoint, self.token.as_deref())?;
        let commit = listing::commit(&connection, &self.repository, &self.revision, &self.patience, watch)?;
        let listing = listing::files(&connection, &self.repository, &commit, &self.patience, watch)?;
        let selection = select(&listing, self.file.as_deref()).map_err(|what| self.unusable(what))?;
        let place = Place::open(name.path_in(folder))?;
        let mut work = Work {
            pull: self,
            origin: Origin::Repository {
                repository: self.repository.clone(),
                revision: self.revision.clone(),
                commit: commit.clone(),
            },
            connection,
            commit,
            place,
            records: Vec::new(),
            n_fetched: 0,
        };
        let outcome = work.everything(&listing, selection, watch);
        if outcome.is_err() {
            work.place.leave_nothing();
        }
        outcome?;
        work.end()
    }

    fn unusable(&self, what: String) -> HubError {
        HubError::Repository {
            repository: self.repository.clone(),
            what,
        }
    }
}

impl Work<'_> {
    fn everything(
        &mut self,
        listing: &[RemoteFile],
        selection: Selection,
        watch: &mut Watch<'_>,
    ) -> Result<(), HubError> {
        self.place.check_free_for(self.pull.file.as_deref())?;
        match selection {
            Selection::Files(files) => self.bring(files, watch),
            Selection::Sharded(files) => {
                self.bring(files, watch)?;
                let shards = self.shards(listing)?;
                self.bring(shards, watch)
            }
        }
    }

    /// The shards that the index names, which is there by now.
    fn shards(&self, listing: &[RemoteFile]) -> Result<Vec<RemoteFile>, HubError> {
        let path = self.place.path().join(INDEX);
        let index = fs::read(&path).map_err(|reason| HubError::io("read", &path, reason))?;
        let names = shards(&index).map_err(|what| self.pull.unusable(format!("its {INDEX} {what}")))?;
        let find = |name: String| {
            let found = listing.iter().find(|file| file.name == name).cloned();
            found.ok_or_else(|| {
                self.pull
                    .unusable(format!("it holds no {name}, which its {INDEX} names"))
            })
        };
        names.into_iter().map(find).collect()
    }

    /// Fetches the files that are not there, after a look at all of them: what must not be overwritten is found before
    /// anything changes.
    fn bring(&mut self, files: Vec<RemoteFile>, watch: &mut Watch<'_>) -> Result<(), HubError> {
        let mut there = Vec::new();
        for file in &files {
            there.push(self.there(file, watch)?);
        }
        for (file, record) in files.into_iter().zip(there) {
            let record = match record {
                Some(record) => record,
                None => self.fetch(file, watch)?,
            };
            self.records.push(record);
        }
        Ok(())
    }

    /// The record of a file that is there with the right checksum.
    fn there(&self, file: &RemoteFile, watch: &mut Watch<'_>) -> Result<Option<FileRecord>, HubError> {
        let path = self.place.path().join(&file.name);
        let Ok(metadata) = fs::metadata(&path) else {
            return Ok(None);
        };
        if let Some(checksum) = file.checksum.as_ref().filter(|_| metadata.len() == file.size) {
            let RemoteFile { name, size, .. } = file;
            tell(
                watch,
                Event::Checking {
                    file: name,
                    size: *size,
                },
            )?;
            let sums = sums(&path, *size, watch)?;
            if checksum.check(name, &sums).is_ok() {
                return Ok(Some(FileRecord {
                    name: name.clone(),
                    size: *size,
                    sha256: sums.sha256,
                }));
            }
        }
        if self.place.came_from(&self.origin) {
            return Ok(None);
        }
        let repository = &self.pull.repository;
        Err(self.place.occupied(format!(
            "its {} is not that of {repository} and did not come from there",
            file.name
        )))
    }

    fn fetch(&mut self, file: RemoteFile, watch: &mut Watch<'_>) -> Result<FileRecord, HubError> {
        self.place.mark(&self.origin)?;
        let resolve = ["resolve", &self.commit, &file.name];
        let download = Download {
            url: self.connection.url(&[], &self.pull.repository, &resolve),
            connection: &self.connection,
            patience: &self.pull.patience,
            folder: self.place.path(),
            file,
        };
        let record = download.fetch(watch)?;
        self.n_fetched += 1;
        Ok(record)
    }

    fn end(self) -> Result<Pulled, HubError> {
        let path = self.place.path().to_owned();
        let manifest = self.place.finish(self.origin, self.records)?;
        match examine(&path)? {
            Ok(Contents { path, .. }) => Ok(Pulled {
                path,
                manifest,
                n_fetched: self.n_fetched,
            }),
            Err(Defect::Unfinished(what) | Defect::Unusable(what)) => Err(self.pull.unusable(what)),
        }
    }
}
