//! Exports of measured runs to experiment trackers.
