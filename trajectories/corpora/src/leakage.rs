//! Whether training workbooks overlap a benchmark.
