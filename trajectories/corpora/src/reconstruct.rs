//! Sheet states as natural sequences of actions, verified by replay.
