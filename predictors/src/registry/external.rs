//! Predictors outside of the program: `exec:COMMAND`, `http:URL`.

use std::sync::Arc;

use napsim_external::{ExternalSettings, ExternalSetup};
use napsim_remote::Secret;

use super::options::Options;
use super::{Kind, SpecError};

/// The name of predictors that are programs, in the catalogue and before the command.
pub(super) const EXEC: &str = "exec";

/// The name of predictors that are services.
pub(super) const HTTP: &str = "http";

/// The variable that holds the token of a service.
const TOKEN: &str = "NAPSIM_PREDICTOR_TOKEN";

/// What stands behind the name.
enum Place<'a> {
    Program(&'a str),
    Service(&'a str),
}

impl<'a> Place<'a> {
    /// The program or service that a text names, if it names one.
    fn of(text: &'a str) -> Option<Self> {
        if let Some(command) = text.strip_prefix("exec:") {
            return Some(Self::Program(command.trim()));
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            return Some(Self::Service(text));
        }
        text.strip_prefix("http:").map(Self::Service)
    }
}

/// The name in the catalogue of a program or service that a text names, if it names one.
pub(super) fn name(text: &str) -> Option<&'static str> {
    Place::of(text).map(|place| match place {
        Place::Program(_) => EXEC,
        Place::Service(_) => HTTP,
    })
}

/// The predictor that a text names; the program is started, or the service asked, for its name.
pub(super) fn read(text: &str, settings: &ExternalSettings) -> Result<ExternalSetup, SpecError> {
    let no_place = |spelling| Err(SpecError::NoPlace { spelling });
    let setup = match Place::of(text) {
        None | Some(Place::Program("")) => return no_place(SPELLINGS[0]),
        Some(Place::Service("")) => return no_place(SPELLINGS[1]),
        Some(Place::Program(command)) => ExternalSetup::program(command, settings.clone()),
        Some(Place::Service(url)) => {
            let token = std::env::var(TOKEN).ok().and_then(|token| Secret::new(&token));
            ExternalSetup::service(url, token, settings.clone())
        }
    };
    setup.map_err(|error| SpecError::External(Arc::new(error)))
}

/// How both are written.
pub(super) const SPELLINGS: [&str; 2] = ["exec:COMMAND", "http:URL"];

/// The name alone says nothing.
pub(super) fn read_bare(options: &Options) -> Result<Kind, SpecError> {
    let spelling = if options.predictor() == EXEC {
        SPELLINGS[0]
    } else {
        SPELLINGS[1]
    };
    Err(SpecError::NoPlace { spelling })
}
