//! Regions of a sheet that a person would build in one go.
