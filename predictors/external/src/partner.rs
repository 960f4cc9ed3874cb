//! Whom an [`External`](crate::External) talks to: a program, or a session of a service.

use std::borrow::Cow;

use napsim_sim::predictor::{Budget, View};

use crate::failure::{Failure, What, kind};
use crate::message::{
    Begin, ErrorAnswer, Observe, Predict, Prediction, Refused, ToPredictor, Wants, WantsHistory, Withdrawn,
    WorkbookText,
};

/// One conversation at a time.
pub(crate) trait Partner: Send {
    /// Begins a trajectory; everything said before is over.
    fn begin(&mut self, start: &Start) -> Result<(), Failure>;

    /// Tells what has not been told and asks for what comes next.
    fn predict(&mut self, call: &Call<'_>) -> Result<Prediction, Failure>;
}

/// How a trajectory begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Start {
    pub(crate) trajectory: String,
    pub(crate) sheet: String,
    pub(crate) seed: u64,
}

impl Start {
    pub(crate) fn question<'a>(&'a self, id: u64, session: Option<&'a str>) -> ToPredictor<'a> {
        ToPredictor::Begin(Begin {
            id,
            session: session.map(Cow::Borrowed),
            trajectory: Cow::Borrowed(&self.trajectory),
            sheet: Cow::Borrowed(&self.sheet),
            seed: self.seed,
        })
    }
}

/// What became of the last answer.
#[derive(Clone, Debug)]
pub(crate) enum Feedback {
    Withdrawn,
    Refused(Vec<String>),
}

/// What is asked.
pub(crate) struct Call<'a> {
    /// The whole history, as lines.
    pub(crate) lines: &'a [String],
    pub(crate) feedback: &'a [Feedback],
    pub(crate) view: View<'a>,
    pub(crate) budget: Budget,
}

impl Call<'_> {
    /// The messages of a call, the question last, to a predictor that was told so many lines before.
    pub(crate) fn messages<'b>(
        &'b self,
        wants: Wants,
        n_told: usize,
        id: u64,
        session: Option<&'b str>,
    ) -> Vec<ToPredictor<'b>> {
        let session = session.map(Cow::Borrowed);
        let mut messages = Vec::with_capacity(2);
        let feedback = self.feedback.iter().filter(|_| wants.feedback);
        messages.extend(feedback.map(|feedback| match feedback {
            Feedback::Withdrawn => ToPredictor::Withdrawn(Withdrawn {
                session: session.clone(),
            }),
            Feedback::Refused(actions) => ToPredictor::Refused(Refused {
                session: session.clone(),
                actions: Cow::Borrowed(actions),
            }),
        }));
        let is_told_all = wants.history == WantsHistory::All;
        let news = self.lines.get(n_told..).filter(|news| !news.is_empty() && !is_told_all);
        messages.extend(news.map(|news| {
            ToPredictor::Observe(Observe {
                session: session.clone(),
                from: n_told as u64,
                actions: Cow::Borrowed(news),
            })
        }));
        messages.push(ToPredictor::Predict(Predict {
            id,
            session,
            n_history: self.lines.len() as u64,
            user_steps: self.view.user_steps,
            call_idx: self.view.call_idx,
            max_actions: self.budget.actions_max,
            history: is_told_all.then_some(Cow::Borrowed(self.lines)),
            workbook: wants
                .workbook
                .then(|| WorkbookText::of(&self.view.workbook()))
                .flatten(),
        }));
        messages
    }
}

impl Failure {
    /// The predictor has answered that it has no answer.
    pub(crate) fn reported(doing: &str, error: ErrorAnswer) -> Self {
        let kind = match &error.kind {
            Some(kind) => format!("{}/{kind}", kind::REPORTED),
            None => kind::REPORTED.to_owned(),
        };
        let raw = error.raw.unwrap_or_default();
        Self {
            what: What::Reported { is_fatal: error.fatal },
            ..Self::broken(&kind, format!("{doing}: it reports: {}", error.message)).with_raw(raw.as_bytes())
        }
    }
}
