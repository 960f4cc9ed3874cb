//! From workbooks to trajectories and back: import, reconstruction, export, and corpora made of them.
//!
//! A workbook file becomes a sheet state ([`import`]); a state becomes a natural sequence of actions that is verified
//! by replay ([`reconstruct`]), ordered by its [`regions`] and optionally refined ([`refine`]); a state becomes a
//! styled workbook file again ([`export`]). Corpora are described by [`stats`], cut by [`split`], checked by
//! [`leakage`], written by hand as [`draft`]s or made up by [`generate`].

pub mod draft;
pub mod export;
pub mod generate;
pub mod import;
pub mod leakage;
pub mod reconstruct;
pub mod refine;
pub mod regions;
pub mod split;
pub mod stats;

#[cfg(test)]
mod shared_data;
