//! Gradient-boosted trees: trained by XGBoost, evaluated without it.
//!
//! [`train()`] hands a [`Dataset`] to XGBoost and gives back an [`Ensemble`], which holds the trees in a form of our own
//! and predicts by itself. Prediction does not go through the native library because then whoever only uses a trained
//! model needs nothing installed, because a row costs a fraction of what it costs there (7 against 29 µs,
//! `cargo bench -p napsim-boosting`; where the library may use two threads on a busy machine, milliseconds), and
//! because no thread is started behind anybody's back. The tests hold it to the library: margins are the same to the
//! bit, probabilities within 1e-6.
//!
//! XGBoost is opened at run time (crate `xgboost-rs-sys` beside this one). Where it is not installed everything but
//! [`train()`] works, and [`availability`] says what to do.
//!
//! ```
//! use napsim_boosting::{Ensemble, Node, Objective, Tree};
//!
//! // Below two in column 0, and where nothing is known, a half; otherwise minus a half.
//! let split = Node::Split { column: 0, threshold: 2.0, missing_left: true, left: 1, right: 2, gain: 1.0 };
//! let tree = Tree { nodes: vec![split, Node::Leaf { value: 0.5 }, Node::Leaf { value: -0.5 }] };
//! let ensemble = Ensemble::from_trees(Objective::SquaredError, 1, 0.0, &[tree])?;
//!
//! let mut out = [0.0];
//! ensemble.predict(&[f32::NAN], &mut out)?;
//! assert_eq!(out, [0.5]);
//! assert_eq!(Ensemble::from_bytes(&ensemble.to_bytes())?, ensemble);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod dataset;
pub mod ensemble;
pub mod objective;
pub mod parameters;
pub mod train;
pub mod tree;
mod xgboost_model;

pub use dataset::{Dataset, DatasetError};
pub use ensemble::{Ensemble, LayoutError, ShapeError};
pub use objective::Objective;
pub use parameters::{ParameterError, Parameters, TreeMethod};
pub use train::{BoostingError, Round, availability, train, xgboost_version};
pub use tree::{Node, Tree, TreeError};
