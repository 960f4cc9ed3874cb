//! The real binary, driven in a fresh folder.

mod bad_input;
mod command;
mod corpora;
mod corpus_build;
mod corpus_files;
mod corpus_refine;
mod experiments;
mod interruption;
mod keeping;
mod llama_server;
mod looking;
mod main_job;
mod models;
mod outputs;
mod own_predictors;
mod python;
mod remote;
mod smollm;
mod texts;
mod train;
mod train_lstm;
mod train_smollm;
mod train_xgboost;
