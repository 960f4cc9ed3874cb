//! Sheet states as styled workbook files.
