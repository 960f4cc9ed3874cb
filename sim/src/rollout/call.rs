//! One non-empty answer: scored, its consequences worked out, judged, carried out (spec 02, 2.4, steps 8 to 14).

use std::rc::Rc;

use super::{Rollout, to_u32};
use crate::engine::{Consequences, Outlook, Past};
use crate::event::{self, Divergence, Event, Metrics, Prediction, Stage};
use crate::matching::Pairing;
use crate::plan::{Planned, texts};
use crate::policy::{Evidence, Verdict};
use crate::predictor::{Proposals, Usage};
use crate::rewrite::RewriteError;
use crate::score::Score;

/// What became of a call.
pub(super) enum Answer {
    Accepted,
    NotAccepted,
    Aborted(String),
}

/// A proposal with all that is known of it.
struct Judged {
    predicted: Vec<Rc<Planned>>,
    score: Score,
    rewritten: Result<Consequences, RewriteError>,
    verdict: Verdict,
    confidence: Option<f64>,
    usage: Usage,
}

impl Rollout<'_> {
    /// Scores a proposal, asks the policy, and carries it out if accepted.
    pub(super) fn judge(&mut self, proposals: &Proposals, usage: Usage) -> Answer {
        let predicted = Planned::all(proposals.actions().iter().map(|proposal| proposal.action.clone()));
        let past = Past {
            trajectory: self.task.actions,
            history: &self.history,
        };
        let undo_max = usize::try_from(self.task.settings.undo_max).unwrap_or(usize::MAX);
        self.sink.stage(Stage::Score);
        let sink = &mut *self.sink;
        let mut scored = || sink.stage(Stage::Rewrite);
        let Outlook { score, rewritten } = self.judge.judge(past, &predicted, undo_max, &mut scored);
        self.sink.stage(Stage::Rest);
        let evidence = self.evidence(&predicted, &score, rewritten.as_ref().ok(), proposals.confidence());
        let verdict = self.task.policy.decide(&evidence);
        self.tally.predictions += 1;
        self.tally.add_counts(score.counts, &score.totals);
        self.tally.precision.add(score.counts.precision());
        let judged = Judged {
            predicted,
            score,
            rewritten,
            verdict,
            confidence: proposals.confidence(),
            usage,
        };
        let mut record = self.record(&judged, evidence.saved);
        record.rejected = proposals.rejected().to_vec();
        record.remarks = proposals.remarks().cloned().map(Box::new);
        record.proposed = spelled(proposals, &record.predicted);
        if self.sink.wants_actions() {
            self.tell(&judged);
        }
        self.decide(judged, record, evidence.saved)
    }

    /// What the policy gets to see.
    fn evidence(
        &self,
        predicted: &[Rc<Planned>],
        score: &Score,
        rewritten: Option<&Consequences>,
        confidence: Option<f64>,
    ) -> Evidence {
        let n_future = self.judge.future_len();
        let unknown = if score.compared {
            self.task.protocol.saved_without_rewrite(to_u32(n_future))
        } else {
            0
        };
        Evidence {
            counts: score.counts,
            length: to_u32(predicted.len()),
            saved: rewritten.map_or(unknown, |rewrite| rewrite.saved(n_future)),
            undo: rewritten.map_or(0, |rewrite| to_u32(rewrite.undo.len())),
            removed: rewritten.map_or(0, |rewrite| to_u32(rewrite.removed.len())),
            net: rewritten.map_or(0, |rewrite| rewrite.net(n_future, predicted.len())),
            future: to_u32(n_future),
            matches: score.lookahead.exact,
            confidence,
        }
    }

    fn record(&self, judged: &Judged, saved: i64) -> Prediction {
        let (score, rewritten) = (&judged.score, judged.rewritten.as_ref().ok());
        let n_future = self.judge.future_len();
        let undo = rewritten.map_or(&[][..], |rewrite| &rewrite.undo);
        let removed = rewritten.map_or(&[][..], |rewrite| &rewrite.removed);
        Prediction {
            prediction_idx: self.tally.predictions,
            t: self.t(),
            user_steps: self.user_steps,
            predicted: texts(&judged.predicted),
            proposed: Vec::new(),
            rejected: Vec::new(),
            remarks: None,
            confidence: judged.confidence,
            metrics: Metrics {
                exact_matches: score.n_pairs(Pairing::Exact),
                correct_op_wrong_range: score.n_pairs(Pairing::WrongRange),
                wrong_op: score.n_pairs(Pairing::WrongOp),
                tp: score.counts.tp,
                fp: score.counts.fp,
                missing: score.counts.missing,
                mm: score.counts.mm,
                precision: score.counts.precision(),
                recall: score.counts.recall(),
                ops_saved: saved,
                lookahead_matches: score.lookahead.exact,
                lookahead_accuracy: score.lookahead.accuracy(),
                undo_gain_from_final_state: 0,
                undo_gain_from_dedup: to_u32(removed.len()),
                undo_inverse_ops: to_u32(undo.len()),
                undo_net_ops_saved: rewritten.map_or(0, |rewrite| rewrite.net(n_future, judged.predicted.len())),
            },
            accepted: false,
            checks: judged.verdict.checks.clone(),
            sequence_before: to_u32(self.history.len() + n_future),
            sequence_after: rewritten
                .map(|rewrite| to_u32(self.history.len() + judged.predicted.len() + rewrite.future)),
            future_before: to_u32(n_future),
            future_after: rewritten.map(|rewrite| to_u32(rewrite.future)),
            removed: texts(removed),
            undo: texts(undo),
            future_sha: rewritten
                .filter(|_| self.task.settings.digest_future)
                .map(|_| digest(&self.judge.future_if_accepted())),
            correct: score.correct.clone(),
            usage: judged.usage,
        }
    }

    /// Tells the sink of the proposal and of the futures on either side of it.
    fn tell(&mut self, judged: &Judged) {
        let after = judged.rewritten.is_ok().then(|| self.judge.future_if_accepted());
        self.sink.judged(event::Judged {
            predicted: &judged.predicted,
            before: &self.judge.future(),
            after: after.as_deref(),
        });
    }

    /// Carries the verdict out. An acceptance that cannot be carried out is taken back (Q10).
    fn decide(&mut self, judged: Judged, mut record: Prediction, saved: i64) -> Answer {
        let rewritten = match (judged.verdict.accepted, judged.rewritten) {
            (true, Ok(rewritten)) => rewritten,
            (true, Err(error)) => {
                self.tally.divergences += 1;
                self.tally.refused += 1;
                let (t, prediction_idx) = (record.t, record.prediction_idx);
                self.sink.event(Event::Divergence(Divergence {
                    t,
                    prediction_idx,
                    description: error.to_string(),
                }));
                self.sink.event(Event::Prediction(Box::new(record)));
                return Answer::NotAccepted;
            }
            (false, _) => {
                self.tally.refused += 1;
                self.tally.precision_details.add(record.metrics.precision);
                self.sink.event(Event::Prediction(Box::new(record)));
                return Answer::NotAccepted;
            }
        };
        self.tally.precision_details.add(record.metrics.precision);
        self.tally.accepted += 1;
        self.tally.ops_saved += saved;
        self.tally.undo_actions += to_u32(rewritten.undo.len());
        self.tally.removed_actions += to_u32(rewritten.removed.len());
        self.history
            .extend(judged.predicted.iter().map(|planned| planned.action.clone()));
        let past = Past {
            trajectory: self.task.actions,
            history: &self.history,
        };
        self.judge.accept(past, &judged.predicted);
        self.count_chain();
        record.accepted = true;
        record.t = self.t();
        self.sink.event(Event::Prediction(Box::new(record)));
        Answer::Accepted
    }

    /// Counts acceptances in a row that leave the future no shorter than it has been.
    fn count_chain(&mut self) {
        if self.chain == 0 || self.judge.future_len() < self.shortest_future {
            self.shortest_future = self.judge.future_len();
            self.chain = 1;
        } else {
            self.chain += 1;
        }
    }
}

/// The lines as proposed, or none where all are in canonical spelling.
fn spelled(proposals: &Proposals, canonical: &[String]) -> Vec<String> {
    let proposed = proposals.actions().iter().zip(canonical);
    let lines: Vec<&str> = proposed
        .map(|(p, canonical)| p.line.as_deref().unwrap_or(canonical))
        .collect();
    if lines == canonical {
        Vec::new()
    } else {
        lines.into_iter().map(str::to_owned).collect()
    }
}

/// First 16 hex digits of SHA-1 over the texts joined by line feeds.
fn digest(future: &[Rc<Planned>]) -> String {
    use sha1::{Digest, Sha1};
    let mut hasher = Sha1::new();
    for (idx, planned) in future.iter().enumerate() {
        if idx > 0 {
            hasher.update(b"\n");
        }
        hasher.update(planned.text().as_bytes());
    }
    let bytes = hasher.finalize();
    bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
