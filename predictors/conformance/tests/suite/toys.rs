//! Toy predictors: one that is well, and the same with one fault each.

#![expect(clippy::unwrap_used, reason = "a test whose lock is poisoned has failed")]

mod fault;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Unanswered, Usage, View,
};
use napsim_trajectories::{Action, Edit, Keyword, Range};

pub(crate) use fault::Fault;

/// What toys of one kind share, as static state of a library would be shared.
#[derive(Default)]
pub(crate) struct Shared {
    n_made: AtomicU64,
    history: Mutex<Vec<String>>,
    /// Nanoseconds that the toys pretend to have worked.
    pub(crate) worked: AtomicU64,
}

pub(crate) struct Toy {
    fault: Fault,
    shared: Arc<Shared>,
    instance: u64,
    seed: u64,
    name: String,
    told: Vec<Action>,
    last_piece: usize,
    n_calls: u64,
    n_refused: u64,
    withdrawn: bool,
    was_long: bool,
    was_left: Option<(String, Vec<Action>)>,
    left: bool,
    is_dead: bool,
    n_rollouts: u64,
    cache: HashMap<String, f64>,
}

impl Toy {
    pub(crate) fn new(fault: Fault, shared: &Arc<Shared>) -> Self {
        assert_ne!(fault, Fault::PanicsWhenMade, "no model");
        Self {
            fault,
            shared: Arc::clone(shared),
            instance: shared.n_made.fetch_add(1, Ordering::Relaxed),
            seed: 0,
            name: String::new(),
            told: Vec::new(),
            last_piece: 0,
            n_calls: 0,
            n_refused: 0,
            withdrawn: false,
            was_long: false,
            was_left: None,
            left: false,
            is_dead: false,
            n_rollouts: 0,
            cache: HashMap::new(),
        }
    }

    fn fails(&mut self, view: View<'_>) -> Result<(), PredictError> {
        let long = view.history.len() > 3_000;
        match self.fault {
            Fault::Mute => Err(PredictError::Fatal("out of memory".to_owned())),
            Fault::ContextTooLong if long => Err(PredictError::Unanswered(Box::new(Unanswered {
                kind: "context".to_owned(),
                message: "the prompt is too long".to_owned(),
                raw: Some("{\"error\":\u{1b}[31m400}".to_owned()),
                stderr: Some("Traceback\nValueError: 400\n".to_owned()),
                usage: Usage::default(),
                fatal: false,
            }))),
            Fault::GivesUpAfterManyCalls if view.call_idx == 13 && view.history.len() < 20 => {
                Err(PredictError::Call("quota used up".to_owned()))
            }
            Fault::NeverRecovers => {
                self.is_dead |= view.history.iter().any(has_emoji);
                match self.is_dead {
                    true => Err(PredictError::Call("broken pipe".to_owned())),
                    false => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// What goes into the confidence besides history and seed: nothing, in a predictor that is well.
    fn influence(&self) -> u64 {
        match self.fault {
            Fault::RandomByInstance => self.instance,
            Fault::CountsForEver | Fault::LearnsFromQuestions => self.n_calls,
            Fault::CountsPieces => self.last_piece as u64,
            Fault::RemembersLong => u64::from(self.was_long),
            Fault::RemembersRefusals => self.n_refused,
            Fault::WithdrawsAtRandom if self.withdrawn => 1 + self.instance,
            Fault::AccumulatesInRollouts => self.n_rollouts,
            _ => 0,
        }
    }

    fn confidence(&mut self) -> f64 {
        let texts: Vec<String> = match self.fault {
            Fault::SharesItsHistory => self.shared.history.lock().unwrap().clone(),
            _ => self.told.iter().map(Action::to_string).collect(),
        };
        let text = texts.join("\n");
        let mut hash = self.seed ^ self.influence().wrapping_mul(0x9E37_79B9);
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        let confidence = (hash % 1_000) as f64 / 1_000.0;
        match self.fault {
            Fault::CachesAcrossSeeds => *self.cache.entry(text).or_insert(confidence),
            Fault::NanConfidence => f64::NAN,
            Fault::PercentConfidence => 1.0 + 99.0 * confidence,
            _ => confidence,
        }
    }

    fn propose(&mut self, budget: Budget, out: &mut Proposals) {
        let Some(last) = self.told.last().cloned() else { return };
        let confidence = self.confidence();
        let (n, many) = match self.fault {
            Fault::Silent => return,
            Fault::AlwaysThree => (3, 3),
            Fault::TooManyIfFree => (1, 10_001),
            _ => (1, 2),
        };
        let n = budget.actions_max.map_or(many, |_| n);
        for below in 1..=n {
            let line = moved_down(&last, below).to_string();
            let odd = self.told.len().is_multiple_of(2);
            if self.fault == Fault::Unreadable || (self.fault == Fault::HalfUnreadable && odd) {
                let _ = out.push_text(&format!("Sure! {line}"), Some(confidence));
            } else if self.fault == Fault::Unprintable {
                let edit = Edit::Autofill {
                    source: "Sheet1!B7".into(),
                };
                out.push(Action::new(last.range().clone(), edit), Some(confidence));
            } else {
                let _ = out.push_text(&line, Some(confidence));
            }
        }
    }
}

/// The same some rows below.
fn moved_down(action: &Action, n_rows: i64) -> Action {
    let range = action.range();
    let mut bounds = range.bounds();
    let n_rows = n_rows.min(99_999_999 - bounds.first_row.max(bounds.last_row));
    bounds.first_row += n_rows;
    bounds.last_row += n_rows;
    match action.edit() {
        // Its source would have to move too.
        Edit::Autofill { .. } => action.clone(),
        _ => action.on_range(Range::from_bounds(range.sheet().clone(), bounds)),
    }
}

fn has_emoji(action: &Action) -> bool {
    let text = match action.edit() {
        Edit::Input { value } => value.as_text().unwrap_or_default(),
        _ => "",
    };
    text.chars().any(|character| character == '📈')
}

impl Predictor for Toy {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint(match self.fault {
            Fault::FingerprintByInstance => format!("toy {}", self.instance),
            Fault::FingerprintByUse => format!("toy {}", self.n_calls),
            Fault::NoFingerprint => String::new(),
            _ => "toy/1".to_owned(),
        })
    }

    fn begin(&mut self, head: TrajectoryHead<'_>, seed: Seed) {
        assert!(
            self.fault != Fault::RefusesLargeSeeds || seed.0 < 1 << 32,
            "seed must be below 2**32"
        );
        self.was_long |= self.told.len() > 1_000;
        let goes_on = self.was_left.take().filter(|(name, _)| name == head.name);
        self.told = goes_on.map_or_else(Vec::new, |(_, told)| told);
        self.shared.history.lock().unwrap().clear();
        // Recorded trajectories are called by number.
        self.n_rollouts += u64::from(head.name.starts_with(|first: char| first.is_ascii_digit()));
        self.seed = seed.0;
        head.name.clone_into(&mut self.name);
        (self.left, self.withdrawn, self.last_piece) = (false, false, 0);
        if self.fault == Fault::LearnsFromQuestions {
            self.n_calls = 0;
        }
    }

    fn observe(&mut self, actions: &[Action]) {
        for action in actions {
            let sheet = action.range().sheet();
            let last_row = action.range().bounds().last_row;
            match self.fault {
                Fault::PanicsOnEmoji => assert!(!has_emoji(action), "byte index 1 is not a char boundary"),
                Fault::PanicsOnApostrophesInSheets => assert!(!sheet.contains('\''), "no such sheet"),
                Fault::KnowsNotEveryAction => assert_ne!(action.keyword(), Keyword::BorderDiagonalUp, "unknown action"),
                Fault::RowsInSixteenBits => assert!(u16::try_from(last_row).is_ok(), "row out of range"),
                _ => {}
            }
        }
        self.told.extend_from_slice(actions);
        self.last_piece = actions.len();
        self.shared
            .history
            .lock()
            .unwrap()
            .extend(actions.iter().map(Action::to_string));
    }

    fn predict(&mut self, view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        self.n_calls += 1;
        assert!(
            self.fault != Fault::PanicsOnEmptyHistory || !self.told.is_empty(),
            "index out of bounds"
        );
        let n = view.history.len() as u64;
        let work = if self.fault == Fault::Quadratic { n * n } else { n };
        self.shared.worked.fetch_add(work, Ordering::Relaxed);
        self.fails(view)?;
        // The user's actions and the history differ in number once a proposal was accepted.
        self.left |= (view.user_steps as usize) < view.history.len();
        if self.fault == Fault::GoesOnAfterRewind && self.left {
            self.was_left = Some((self.name.clone(), self.told.clone()));
        }
        self.propose(budget, out);
        Ok(Usage::default())
    }

    fn withdrawn(&mut self) {
        self.withdrawn = true;
    }

    fn refused(&mut self, actions: &[Action]) {
        assert!(
            self.fault != Fault::PanicsWhenNothingIsRefused || !actions.is_empty(),
            "index out of bounds"
        );
        self.n_refused += actions.len() as u64;
    }
}

impl Drop for Toy {
    fn drop(&mut self) {
        assert_ne!(self.fault, Fault::PanicsWhenDropped, "double free");
    }
}
