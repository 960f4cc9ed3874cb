//! What a predictor is told and asked in one trajectory, as a script that can be held again.

use napsim_trajectories::Action;

use crate::shown::{counted, grouped, shown};

/// Steps and actions of the history that a reproduction shows.
const STEPS_SHOWN: usize = 6;

/// One thing that is said to a predictor.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Actions have become history.
    Tell {
        actions: Vec<Action>,
        /// Whether the user carried them out herself; otherwise they were predicted.
        by_user: bool,
    },
    /// What comes next, in at most so many actions?
    Ask(Option<u32>),
    /// The last answer was not shown.
    Withdraw,
    /// These actions were refused.
    Refuse(Vec<Action>),
}

/// What a predictor is told and asked in one trajectory.
#[derive(Clone, Debug)]
pub(crate) struct Conversation {
    pub(crate) trajectory: String,
    /// Sheet of the first action; empty until one is told.
    sheet: String,
    pub(crate) seed: u64,
    pub(crate) steps: Vec<Step>,
}

impl Conversation {
    /// A conversation in which nothing has been said.
    pub(crate) fn new(trajectory: &str, seed: u64) -> Self {
        Self {
            trajectory: trajectory.to_owned(),
            sheet: String::new(),
            seed,
            steps: Vec::new(),
        }
    }

    /// The user carries out some actions.
    #[must_use]
    pub(crate) fn tell(self, actions: &[Action]) -> Self {
        self.told(actions, true)
    }

    /// Actions become history that the user has not carried out herself.
    #[must_use]
    pub(crate) fn accept(self, actions: &[Action]) -> Self {
        self.told(actions, false)
    }

    fn told(mut self, actions: &[Action], by_user: bool) -> Self {
        if let (true, Some(first)) = (self.sheet.is_empty(), actions.first()) {
            self.sheet = first.range().sheet().to_string();
        }
        let actions = actions.to_vec();
        self.steps.push(Step::Tell { actions, by_user });
        self
    }

    /// The predictor is asked.
    #[must_use]
    pub(crate) fn ask(mut self, actions_max: Option<u32>) -> Self {
        self.steps.push(Step::Ask(actions_max));
        self
    }

    /// Any other step.
    #[must_use]
    pub(crate) fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// The same under another seed.
    #[must_use]
    pub(crate) fn seeded(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// A history told in pieces of `n` actions, with a question after each for one action and for any number in turn.
    #[must_use]
    pub(crate) fn asked_every(mut self, n: usize, actions: &[Action]) -> Self {
        for (idx, piece) in actions.chunks(n.max(1)).enumerate() {
            self = self.tell(piece).ask(alternating(idx));
        }
        self
    }

    /// The sheet that a predictor is told when the trajectory begins.
    pub(crate) fn sheet(&self) -> &str {
        if self.sheet.is_empty() { "Sheet1" } else { &self.sheet }
    }

    /// Index of the step that asks the `idx`-th question.
    pub(crate) fn step_of_question(&self, idx: usize) -> usize {
        let questions = self.steps.iter().enumerate();
        let mut questions = questions.filter(|(_, step)| matches!(step, Step::Ask(_)));
        questions.nth(idx).map_or(self.steps.len(), |(step, _)| step)
    }

    /// How to get there again, in lines for a person: the steps up to and with that one, and the end of the history.
    pub(crate) fn reproduction(&self, last_step: usize) -> Vec<String> {
        let steps = self.steps.get(..=last_step).unwrap_or(&self.steps);
        let mut lines = vec![format!(
            "begin trajectory `{}` on sheet `{}` with seed {}",
            shown(&self.trajectory),
            shown(self.sheet()),
            self.seed
        )];
        let hidden = steps.len().saturating_sub(STEPS_SHOWN);
        if hidden > 0 {
            lines.push(format!("… {} …", counted(hidden, "step")));
        }
        lines.extend(steps.iter().skip(hidden).map(in_words));
        lines.extend(end_of_history(steps));
        lines
    }
}

/// One action and any number in turn.
pub(crate) fn alternating(idx: usize) -> Option<u32> {
    idx.is_multiple_of(2).then_some(1)
}

fn in_words(step: &Step) -> String {
    match step {
        Step::Tell { actions, by_user: true } => format!("tell {}", counted(actions.len(), "action")),
        Step::Tell { actions, .. } => format!("tell {} of a proposal or undo", counted(actions.len(), "action")),
        Step::Ask(Some(actions_max)) => format!("ask for at most {actions_max}"),
        Step::Ask(None) => "ask for any number".to_owned(),
        Step::Withdraw => "withdraw the answer".to_owned(),
        Step::Refuse(actions) => format!("refuse {}", counted(actions.len(), "action")),
    }
}

fn end_of_history(steps: &[Step]) -> Vec<String> {
    let told = steps.iter().filter_map(|step| match step {
        Step::Tell { actions, .. } => Some(actions),
        _ => None,
    });
    let history: Vec<&Action> = told.flatten().collect();
    if history.is_empty() {
        return vec!["the history is empty".to_owned()];
    }
    let hidden = history.len().saturating_sub(STEPS_SHOWN);
    let which = if hidden > 0 { ", the last of them" } else { "" };
    let head = format!("the history then has {} actions{which}:", grouped(history.len()));
    let lines = history.iter().skip(hidden);
    let lines = lines.map(|action| format!("  {}", shown(&action.to_string())));
    std::iter::once(head).chain(lines).collect()
}
