//! The places where answers are kept, and in which order they are looked through.

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

use serde_json::Value;

use super::settings::{ExchangeError, ExchangeSettings};
use super::stored::Stored;
use super::{Ask, failure, lock};
use crate::answer::{Answer, NoAnswer, NoAnswerKind};
use crate::cache::{Cache, Lookup};
use crate::entry::{Entry, Key};
use crate::journal::Journal;
use crate::ledger::Spent;
use crate::price::Prices;
use crate::recording::{Recording, Replay};

/// Where answers are kept.
pub(super) struct Keep {
    replay: Option<Replay>,
    journal: Option<Journal>,
    cache: Option<Cache>,
    recording: Mutex<Option<Recording>>,
    /// Where the recording lies until it is finished.
    unfinished: Mutex<Option<PathBuf>>,
    /// Whether answers can be stored in the cache, once that was tried.
    is_tried: OnceLock<Result<(), NoAnswer>>,
}

impl Keep {
    pub(super) fn open(settings: &ExchangeSettings, notes: &mut Vec<String>) -> Result<Self, ExchangeError> {
        let mut note = |found: Vec<crate::journal::Note>| notes.extend(found.iter().map(ToString::to_string));
        let mut keep = Self {
            replay: settings.replay.as_deref().map(Replay::open).transpose()?,
            journal: None,
            cache: None,
            recording: Mutex::default(),
            unfinished: Mutex::default(),
            is_tried: OnceLock::new(),
        };
        if let Some(path) = &settings.journal {
            let (journal, found) = Journal::open(path)?;
            note(found);
            keep.journal = Some(journal);
        }
        if let Some(path) = &settings.recording {
            let (recording, found) = Recording::begin(path)?;
            note(found);
            keep.unfinished = Mutex::new(Some(recording.unfinished().to_owned()));
            keep.recording = Mutex::new(Some(recording));
        }
        if let Some(folder) = settings.cache.as_deref().filter(|_| keep.replay.is_none()) {
            keep.cache = Some(Cache::open(folder)?);
        }
        Ok(keep)
    }

    /// Whether answers come from a recording alone.
    pub(super) fn only_replays(&self) -> bool {
        self.replay.is_some()
    }

    /// Whether an answer that is asked for can be found afterwards.
    pub(super) fn keeps(&self) -> bool {
        self.journal.is_some() || self.cache.is_some() || lock(&self.recording).is_some()
    }

    /// The places where answers of this run are kept, as a user may look for them.
    pub(super) fn places(&self) -> Vec<PathBuf> {
        let journal = self.journal.as_ref().map(|journal| journal.path().to_owned());
        let cache = self.cache.as_ref().map(|cache| cache.folder().to_owned());
        [journal, self.unfinished_recording(), cache]
            .into_iter()
            .flatten()
            .collect()
    }

    /// The file of the recording, while it is not finished.
    pub(super) fn unfinished_recording(&self) -> Option<PathBuf> {
        lock(&self.unfinished).clone()
    }

    /// Makes sure that an answer can be kept, before it has to be paid for.
    pub(super) fn try_out(&self) -> Result<(), NoAnswer> {
        let try_out = || self.cache.as_ref().map_or(Ok(()), Cache::try_out).map_err(cannot);
        self.is_tried.get_or_init(try_out).clone()
    }

    /// The failure of a run whose recording lacks an answer.
    pub(super) fn not_recorded(&self) -> NoAnswer {
        let path = self.replay.as_ref().map(|replay| replay.path().display().to_string());
        let message = format!(
            "the recording {} holds no answer to a question of this run; it was made with other options or another \
             address of the server, or is not complete",
            path.unwrap_or_default()
        );
        failure(NoAnswerKind::NotRecorded, message)
    }

    /// What the run has spent in earlier sittings.
    pub(super) fn spent_before(&self, prices: &Prices) -> Result<Spent, ExchangeError> {
        let mut spent = Spent::default();
        let Some(journal) = &self.journal else { return Ok(spent) };
        for kept in journal.iter() {
            let kept = kept?;
            let Some(stored) = Stored::parse(kept.entry.answer()).filter(|_| kept.paid) else {
                continue;
            };
            let price = prices.of(&model_of(kept.entry.request()));
            spent.add_call(stored.usage(), price.map(|price| price.of(stored.usage())));
        }
        Ok(spent)
    }

    /// What is kept for a question, if anything.
    pub(super) fn find(&self, key: &Key, request: &str, ask: &Ask<'_>) -> Result<Option<Stored>, NoAnswer> {
        let found = self.entry(key)?;
        let found = match found.and_then(|(entry, paid)| usable(&entry, ask).map(|stored| (entry, paid, stored))) {
            Some(found) => Some(found),
            // A recording that holds a verdict holds nothing else for the question.
            None if ask.takes_verdicts || self.only_replays() => {
                let found = self.entry(&Key::of(&verdict_request(request)))?;
                found.and_then(|(entry, paid)| Stored::parse(entry.answer()).map(|stored| (entry, paid, stored)))
            }
            None => None,
        };
        let Some((entry, paid, stored)) = found else {
            return Ok(None);
        };
        self.note(&entry, paid)?;
        Ok(Some(stored))
    }

    /// An entry from the first place that has it, and whether this run has paid for it.
    fn entry(&self, key: &Key) -> Result<Option<(Entry, bool)>, NoAnswer> {
        if let Some(replay) = &self.replay {
            return Ok(replay.get(key).map_err(cannot)?.map(|entry| (entry, false)));
        }
        if let Some(journal) = &self.journal
            && let Some(kept) = journal.get(key).map_err(cannot)?
        {
            return Ok(Some((kept.entry, kept.paid)));
        }
        if let Some(recording) = lock(&self.recording).as_ref()
            && let Some(kept) = recording.get(key).map_err(cannot)?
        {
            return Ok(Some((kept.entry, kept.paid)));
        }
        match self.cache.as_ref().map(|cache| cache.get(key)) {
            Some(Lookup::Hit(entry)) => Ok(Some((entry, false))),
            _ => Ok(None),
        }
    }

    /// Takes note that an entry is used, so that the run has its answers of its own.
    fn note(&self, entry: &Entry, paid: bool) -> Result<(), NoAnswer> {
        // Most answers of a run that goes on come from its journal, which need not be told of them.
        if let Some(journal) = self.journal.as_ref().filter(|journal| !journal.contains(&entry.key())) {
            journal.append(entry, paid).map_err(cannot)?;
        }
        if let Some(recording) = lock(&self.recording).as_ref() {
            recording.add(entry, paid).map_err(cannot)?;
        }
        Ok(())
    }

    /// Keeps what a server said, as far as it is to be kept, and returns what stands.
    pub(super) fn keep(
        &self,
        ask: &Ask<'_>,
        request: &str,
        answer: Result<Answer, NoAnswer>,
    ) -> Result<Answer, NoAnswer> {
        let mut answer = answer.map(|answer| without_keys(ask, answer));
        let (stored, request) = match &answer {
            Ok(answer) => (Some(Stored::Answer(answer.clone())), request.to_owned()),
            Err(failure) => {
                let stored = Stored::verdict(failure).filter(|_| ask.takes_verdicts);
                (stored, verdict_request(request))
            }
        };
        let Some(stored) = stored else { return answer };
        let text = serde_json::to_string(&stored).unwrap_or_default();
        let mut entry = Entry::new(request, text).map_err(cannot)?;
        let cache = self.cache.as_ref().filter(|_| stored.is_for_everybody());
        let standing = cache.map(|cache| cache.put(&entry)).transpose();
        // Somebody else may have asked the same meanwhile; then the first answer is that of all.
        if let Ok(Some(standing)) = &standing
            && *standing != entry
            && let Some(theirs) = usable(standing, ask)
        {
            entry = standing.clone();
            answer = theirs.into_answer();
        }
        // Where the cache cannot take it the run keeps what it has paid for, before it stops.
        self.note(&entry, true)?;
        standing.map_err(cannot)?;
        answer
    }

    pub(super) fn finish(&self, complete: bool) -> Result<Option<u64>, ExchangeError> {
        if let Some(cache) = &self.cache {
            cache.flush()?;
        }
        if let Some(journal) = &self.journal {
            journal.flush()?;
        }
        let recording = lock(&self.recording).take();
        let Some(recording) = recording else { return Ok(None) };
        if !complete {
            recording.flush()?;
            return Ok(None);
        }
        if let Some(journal) = &self.journal {
            // Trajectories that an earlier sitting has done have asked for nothing in this one.
            for kept in journal.iter() {
                let kept = kept?;
                recording.add(&kept.entry, kept.paid)?;
            }
        }
        let n = recording.finish()?;
        *lock(&self.unfinished) = None;
        Ok(Some(n))
    }
}

/// The answer in an entry, unless it is none that this question can take.
fn usable(entry: &Entry, ask: &Ask<'_>) -> Option<Stored> {
    let stored = Stored::parse(entry.answer())?;
    match &stored {
        Stored::Answer(answer) => (ask.check)(answer).is_ok().then_some(stored),
        Stored::Verdict { .. } => None,
    }
}

/// A verdict is kept under a request of its own, so that an answer can still take the place of the question's.
fn verdict_request(request: &str) -> String {
    let mut value: Value = serde_json::from_str(request).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("verdict".to_owned(), true.into());
    }
    value.to_string()
}

/// `PROVIDER/MODEL` of a request.
fn model_of(request: &str) -> String {
    let request: Value = serde_json::from_str(request).unwrap_or_default();
    let text = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    format!("{}/{}", text("provider"), text("model"))
}

/// The answer without the keys that a server may have repeated in it.
fn without_keys(ask: &Ask<'_>, mut answer: Answer) -> Answer {
    let text = ask.endpoint.redact(&answer.text);
    if text != answer.text {
        answer.tokens.clear();
        answer.text = text;
    }
    answer.model = ask.endpoint.redact(&answer.model);
    answer
}

fn cannot(error: impl std::fmt::Display) -> NoAnswer {
    failure(NoAnswerKind::CannotKeep, format!("failed to {error}"))
}
