//! Reports of runs as one HTML page.
