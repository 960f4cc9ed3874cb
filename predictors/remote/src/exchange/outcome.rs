//! What came of a request, and what it used.

use super::failure;
use crate::answer::{Answer, NoAnswer, NoAnswerKind};
use crate::ledger::Reservation;
use crate::provider::Endpoint;
use crate::question::Question;
use crate::transport::{Judgement, Reply, TransportError};
use crate::wire;

/// Whether a reply is final, or asking again may help.
pub(super) fn judge(endpoint: &Endpoint, reply: &Reply) -> Judgement {
    let Err(failure) = wire::read(endpoint.api, reply.status, &reply.body) else {
        return Judgement::Done;
    };
    let message = endpoint.redact(&failure.message);
    match failure.kind {
        NoAnswerKind::Malformed | NoAnswerKind::NullContent => Judgement::malformed(message),
        NoAnswerKind::ServerError if reply.is_success() => Judgement::server(message),
        NoAnswerKind::Throttled if reply.is_success() => Judgement::throttled(message),
        NoAnswerKind::Throttled | NoAnswerKind::ServerError => Judgement::of_status(reply.status),
        _ => Judgement::Done,
    }
}

/// What came of a request.
pub(super) struct Read {
    pub(super) result: Result<Answer, NoAnswer>,
    /// Whether it may have been paid for although nobody knows what it used.
    may_have_cost: bool,
}

pub(super) fn read(endpoint: &Endpoint, question: &Question, replied: Result<Reply, TransportError>) -> Read {
    let error = match replied {
        Ok(reply) => {
            let result = wire::read(endpoint.api, reply.status, &reply.body);
            let result = result.map(|answer| with_usage(answer, question));
            return Read {
                may_have_cost: reply.is_success() && result.as_ref().is_err_and(|failure| failure.usage.total() == 0),
                result,
            };
        }
        Err(error) => error,
    };
    let message = format!("failed to {error}");
    let (kind, may_have_cost) = match error {
        TransportError::Malformed { body, .. } => {
            // What it was called while asking again seemed worthwhile says most.
            let found = wire::read(endpoint.api, 200, &body).err();
            let found = found.unwrap_or_else(|| failure(NoAnswerKind::Malformed, message));
            let result = Err(found);
            return Read {
                result,
                may_have_cost: true,
            };
        }
        TransportError::NotText { .. } | TransportError::Encoding { .. } => (NoAnswerKind::Malformed, true),
        TransportError::Unreachable { .. } | TransportError::Client { .. } => (NoAnswerKind::Unreachable, false),
        TransportError::Interrupted { .. } => (NoAnswerKind::ConnectionBroken, true),
        TransportError::TimedOut { .. } => (NoAnswerKind::TimedOut, true),
        TransportError::TooLarge { .. } => (NoAnswerKind::TooLarge, true),
        TransportError::Redirected { .. } => (NoAnswerKind::Redirected, false),
        TransportError::Throttled { .. } => (NoAnswerKind::Throttled, false),
        TransportError::Server { .. } => (NoAnswerKind::ServerError, false),
        TransportError::Stopped => (NoAnswerKind::Stopped, false),
    };
    Read {
        result: Err(failure(kind, message)),
        may_have_cost,
    }
}

/// Counts what a request used.
pub(super) fn settle(reservation: Reservation, read: &Read) {
    match &read.result {
        Ok(answer) => {
            reservation.settle(answer.usage);
        }
        Err(failure) if failure.usage.total() > 0 => {
            reservation.settle(failure.usage);
        }
        Err(_) if read.may_have_cost => reservation.lost(),
        // Never sent, or turned away: nothing is spent.
        Err(_) => drop(reservation),
    }
}

/// The answer with figures in the place of those that the server does not give: a quarter of the characters (spec
/// chapter 03, 8.4).
fn with_usage(mut answer: Answer, question: &Question) -> Answer {
    if answer.usage.input == 0 {
        answer.usage.input = question.prompt.tokens_estimated();
    }
    if answer.usage.output == 0 {
        answer.usage.output = u64::try_from(answer.text.chars().count() / 4).unwrap_or(u64::MAX);
    }
    answer
}
