//! A simulated user works through a sequence while a ranking proposes.

use napsim_predictors::candidates::Candidate;
use napsim_predictors::ranked::{Ranker, best_of};
use napsim_predictors::ranking::Desk;
use napsim_sim::appraise::Appraiser;
use napsim_sim::protocol::Protocol;
use napsim_trajectories::Action;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{RankingSettings, Rows};

/// Who decides what is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offers {
    /// Evidence and chance.
    ByEvidence,
    /// The ranking.
    Ranked,
}

/// User actions that a sequence may take, as a multiple of its length: a proposal that harms can lengthen it.
const STEPS_FACTOR: usize = 2;

/// A user at work, with the desk of a ranking beside her.
pub(super) struct Session<'a> {
    user: Appraiser<'a>,
    pub(super) desk: Desk,
    n_seen: usize,
    pub(super) user_steps: usize,
    limit: usize,
}

impl<'a> Session<'a> {
    /// None where the sequence cannot be carried out.
    pub(super) fn new(actions: &'a [Action]) -> Option<Self> {
        Some(Self {
            user: Appraiser::new(actions, &Protocol::NAPE_1).ok()?,
            desk: Desk::default(),
            n_seen: 0,
            user_steps: 0,
            limit: actions.len() * STEPS_FACTOR,
        })
    }

    /// The user does her next action; false where there is none.
    pub(super) fn step(&mut self) -> bool {
        let goes_on = self.user_steps < self.limit && self.user.step();
        self.user_steps += usize::from(goes_on);
        goes_on && self.user.n_future() > 0
    }

    /// The desk sees what happened and makes candidates, and the ranker describes them.
    pub(super) fn look(&mut self, ranker: &mut dyn Ranker, rows: &mut Vec<f32>) {
        let new = self.user.history().get(self.n_seen..).unwrap_or_default();
        self.desk.observe(new);
        self.n_seen = self.user.history().len();
        self.desk.make_candidates();
        ranker.describe(&self.desk, rows);
    }

    /// What a candidate would save, if it is an action at all.
    fn saved(&mut self, candidate: &Candidate) -> Option<i64> {
        let action = self.desk.action(candidate)?;
        self.user.saved(std::slice::from_ref(&action))
    }

    /// Proposes a candidate; the user takes it if it saves her an action. Tells whether she did, and whether there is
    /// more to do.
    pub(super) fn propose(&mut self, candidate: Candidate) -> (bool, bool) {
        self.desk.offer(&[candidate]);
        let Some(action) = self.desk.action(&candidate) else {
            return (false, true);
        };
        let action = std::slice::from_ref(&action);
        let taken = self.user.saved(action).is_some_and(|saved| saved >= 1);
        if taken {
            let _ = self.user.take(action);
        }
        (taken, self.user.n_future() > 0)
    }
}

/// Works through a sequence and keeps rows of candidates with what they would have saved.
pub(super) fn play(
    actions: &[Action],
    ranker: &mut dyn Ranker,
    offers: Offers,
    settings: &RankingSettings,
    seed: u64,
) -> Rows {
    let mut out = Rows::default();
    let Some(mut session) = Session::new(actions) else {
        return out;
    };
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut rows, mut scores) = (Vec::new(), Vec::new());
    ranker.begin();
    while session.step() {
        loop {
            session.look(ranker, &mut rows);
            if random.random_bool(settings.measured) {
                measure(
                    &mut session,
                    &rows,
                    ranker.n_columns(),
                    settings.kept,
                    &mut random,
                    &mut out,
                );
            }
            match offers {
                Offers::Ranked => ranker.weigh(&rows, &mut scores),
                Offers::ByEvidence => by_evidence(session.desk.candidates(), &mut random, &mut scores),
            }
            let Some((candidate, _)) = best_of(session.desk.candidates(), &scores) else {
                break;
            };
            if session.propose(candidate) != (true, true) {
                break;
            }
        }
    }
    out
}

/// Judges all candidates of a moment.
fn measure(
    session: &mut Session<'_>,
    rows: &[f32],
    n_columns: usize,
    kept: f64,
    random: &mut ChaCha8Rng,
    out: &mut Rows,
) {
    let candidates = session.desk.candidates().to_vec();
    let mut reachable = false;
    for (candidate, row) in candidates.iter().zip(rows.chunks_exact(n_columns)) {
        let saves = session.saved(candidate).is_some_and(|saved| saved >= 1);
        reachable |= saves;
        if saves || random.random_bool(kept) {
            out.values.extend_from_slice(row);
            out.labels.push(f32::from(u8::from(saves)));
            #[expect(clippy::cast_possible_truncation, reason = "a small number")]
            out.weights.push(if saves { 1.0 } else { (1.0 / kept) as f32 });
        }
    }
    out.n_moments += 1;
    out.n_reachable += usize::from(reachable);
}

/// Scores before anything is learnt: long matches and many votes, and enough chance to see everything.
fn by_evidence(candidates: &[Candidate], random: &mut ChaCha8Rng, scores: &mut Vec<f32>) {
    scores.clear();
    scores.extend(candidates.iter().map(|candidate| {
        let evidence = &candidate.evidence;
        0.5 * f32::from(evidence.match_length)
            + 0.3 * f32::from(evidence.votes)
            + evidence.value_confidence
            + 2.0 * random.random::<f32>()
    }));
}
