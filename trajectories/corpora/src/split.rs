//! Seeded splits by workbook.
