//! Reading actions one after the other, whichever way the network was trained to read.

use napsim_recurrent::{Loss, Network, Padding, Scores, State, Token};

/// What a network has read.
#[derive(Clone, Debug)]
pub(super) enum Reader {
    /// Everything so far, as a state. Of networks that were trained on every step.
    Carried(State),
    /// The last tokens, one window at most, which are read anew for each prediction. Of networks that were trained on the
    /// last step of windows, or for which padding before the first action is part of the input.
    Window(Vec<Token>),
}

impl Reader {
    /// Nothing has been read.
    pub(super) fn new(network: &Network) -> Self {
        let settings = network.settings();
        if settings.loss == Loss::LastStep || settings.padding == Padding::Fed {
            Self::Window(Vec::new())
        } else {
            Self::Carried(network.start())
        }
    }

    /// Reads one action.
    pub(super) fn read(&mut self, network: &Network, token: Token) {
        match self {
            Self::Carried(state) => network.advance(state, token),
            Self::Window(tokens) => {
                if tokens.len() >= network.settings().window {
                    tokens.remove(0);
                }
                tokens.push(token);
            }
        }
    }

    /// What comes next.
    pub(super) fn scores(&self, network: &Network) -> Scores {
        match self {
            Self::Carried(state) => network.scores(state),
            Self::Window(tokens) => network.scores_of_window(tokens),
        }
    }
}
