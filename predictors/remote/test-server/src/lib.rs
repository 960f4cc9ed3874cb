//! A language-model server for tests, which answers as asked and fails as asked.
//!
//! ```
//! use napsim_test_server::{Answer, TestServer};
//!
//! let server = TestServer::start(|request| Answer::text(200, &format!("you asked for {}", request.path)));
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! assert_eq!(server.n_requests(), 0);
//! ```

mod answer;
mod connection;
mod fault;
mod model;
mod request;
mod server;

pub use answer::{Answer, Step};
pub use fault::{Fault, FaultPlan};
pub use model::{Model, logprob, openai_answer, prompt_text, tokens};
pub use request::Request;
pub use server::TestServer;
