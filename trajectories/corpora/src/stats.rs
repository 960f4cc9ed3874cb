//! What a corpus looks like, and how far it is from another.
