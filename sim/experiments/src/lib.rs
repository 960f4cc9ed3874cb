//! Experiment files: what is to be measured, with sweeps over settings.
