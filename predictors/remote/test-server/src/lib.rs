//! A language-model server for tests, which answers as asked and fails as asked.
