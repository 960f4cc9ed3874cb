//! The protocol: every decision of the measurement that could be made otherwise, in one room.
//!
//! [`Protocol::NAPE_1`] repeats the published system figure for figure, oddities included; each oddity is a
//! named rule here with its quirk number from spec chapter 02. The engine asks the protocol and holds no
//! exception of its own.

use napsim_trajectories::Value;
use serde::{Deserialize, Serialize};

use crate::event::Limit;

/// A named set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProtocolId {
    /// The published system, number for number.
    #[serde(rename = "nape-1")]
    Nape1,
}

/// The rules of measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protocol {
    id: ProtocolId,
}

/// A rule of a protocol in words, for `napsim explain` and the documentation.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Short name.
    pub name: &'static str,
    /// Quirk number in spec chapter 02.
    pub quirk: &'static str,
    /// What the protocol does.
    pub text: &'static str,
}

impl Protocol {
    /// The published system, number for number.
    pub const NAPE_1: Protocol = Protocol { id: ProtocolId::Nape1 };

    /// Every protocol.
    pub const ALL: &'static [Protocol] = &[Self::NAPE_1];

    /// The name that stands in every result.
    pub fn name(&self) -> &'static str {
        match self.id {
            ProtocolId::Nape1 => "nape-1",
        }
    }

    /// The protocol of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|protocol| protocol.name() == name)
    }

    /// The rules by which the protocol departs from what one might expect.
    pub fn rules(&self) -> &'static [Rule] {
        match self.id {
            ProtocolId::Nape1 => &NAPE_1_RULES,
        }
    }

    /// Rule `zero-is-empty`: whether a cell content cannot be told from an empty cell.
    pub(crate) fn content_is_default(&self, value: &Value) -> bool {
        match value {
            Value::Text(text) => matches!(&**text, "" | "none" | "None"),
            Value::List(items) => items.is_empty(),
            Value::Object(_) => false,
            Value::Null => true,
            number => !number.is_truthy(),
        }
    }

    /// Rule `merge-leak`: whether the merges of a sheet count in a comparison on some of its cells, given whether the
    /// state has any of those cells.
    pub(crate) fn counts_merges(&self, any_cell_exists: bool) -> bool {
        any_cell_exists
    }

    /// Rule `ask-after-the-last-action`: whether the predictor is asked when nothing is left to do.
    pub(crate) fn asks_without_future(&self) -> bool {
        true
    }

    /// Rule `savings-of-a-failed-rewrite`: what a proposal saves whose consequences could not be worked out.
    pub(crate) fn saved_without_rewrite(&self, future: u32) -> i64 {
        i64::from(future)
    }

    /// Rule `default-step-limit`: the limit on user actions where none, or one of zero, is given.
    pub(crate) fn step_limit(&self, given: Option<u32>, actions: u32) -> u32 {
        given.filter(|limit| *limit > 0).unwrap_or(actions)
    }

    /// Rule `unfinished-runs-have-uas`: the share of user actions saved, or none where it has no meaning.
    ///
    /// What a step limit leaves undone counts as saved. The published system knows no other limit: it would never have
    /// come out of such a rollout, so there is no figure to repeat.
    pub(crate) fn uas(&self, limit: Option<Limit>, actions: u32, user_steps: u32) -> Option<f64> {
        let defined = actions > 0 && limit.is_none_or(Limit::is_published);
        defined.then(|| (f64::from(actions) - f64::from(user_steps)) / f64::from(actions))
    }

    /// Rule `replace-below-three`: whether a future action that a proposal did in part is replaced by the
    /// actions that do the rest.
    pub(crate) fn replaces_by(&self, n_replacements: usize) -> bool {
        n_replacements < 3
    }
}

const NAPE_1_RULES: [Rule; 13] = [
    Rule {
        name: "default-step-limit",
        quirk: "Q3",
        text: "Without a step limit, or with one of 0, a rollout stops after as many user actions as the trajectory is long.",
    },
    Rule {
        name: "ask-after-the-last-action",
        quirk: "Q4",
        text: "The predictor is asked after the last user action too; an answer there is an attempt with precision 0.",
    },
    Rule {
        name: "chains-ignore-the-stride",
        quirk: "Q5",
        text: "After an acceptance (single mode) the predictor is asked again at once, whatever the stride; the step limit is tested before each question.",
    },
    Rule {
        name: "savings-of-a-failed-rewrite",
        quirk: "Q10",
        text: "When the consequences of a proposal cannot be worked out, its savings count as the whole remaining future; if accepted, the acceptance is taken back as a divergence.",
    },
    Rule {
        name: "unfinished-runs-have-uas",
        quirk: "Q12",
        text: "UAS is (actions − user steps) / actions also when a limit stopped the run; napsim marks such runs as truncated.",
    },
    Rule {
        name: "merge-leak",
        quirk: "Q15",
        text: "A comparison on some cells counts all merges of a sheet, but only if one of the cells exists: merges of the history can count as the proposal's own.",
    },
    Rule {
        name: "zero-is-empty",
        quirk: "Q20",
        text: "A content of 0, false, \"\", \"none\" or \"None\" cannot be told from an empty cell.",
    },
    Rule {
        name: "content-undo-clears-values-only",
        quirk: "Q25, Q27",
        text: "Undoing content clears the value, one action a cell; a formula left by FORMULA stays and is charged again.",
    },
    Rule {
        name: "transient-state-is-charged",
        quirk: "Q32",
        text: "Everything present now and absent from the final workbook costs undo actions, also what the user will overwrite herself.",
    },
    Rule {
        name: "wrong-merges-are-undone-twice",
        quirk: "Q33",
        text: "A wrong merge is undone by the first pass and again as a wrong merge.",
    },
    Rule {
        name: "replace-below-three",
        quirk: "Q34, Q35",
        text: "A future action done in part is replaced by the final values it still owes if that takes at most two actions, and kept whole otherwise.",
    },
    Rule {
        name: "two-passes",
        quirk: "section 12",
        text: "The rewritten future is simulated once and corrected once; what it still misses stays missing.",
    },
    Rule {
        name: "typed-texts-become-times",
        quirk: "chapter 01, Q1",
        text: "Typed texts that read as ISO dates or times are rewritten, such as 14-18 to 14:00:00-18:00.",
    },
];
