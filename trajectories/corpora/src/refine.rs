//! Refinement of a sequence by a judge and an editor.
