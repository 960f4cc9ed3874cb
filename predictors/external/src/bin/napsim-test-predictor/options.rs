//! The arguments.

use std::path::PathBuf;

use crate::fault::{Fault, Kind};
use crate::manners::Manner;

/// What the predictor is told on its command line.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) name: String,
    pub(crate) fingerprint: Option<String>,
    pub(crate) all_history: bool,
    pub(crate) workbook: bool,
    pub(crate) feedback: bool,
    pub(crate) faults: Vec<Fault>,
    pub(crate) lacks: Vec<Manner>,
    pub(crate) once: Option<PathBuf>,
    pub(crate) log: Option<PathBuf>,
    pub(crate) pids: Option<PathBuf>,
    pub(crate) serves: bool,
}

impl Options {
    pub(crate) fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            name: "echo".to_owned(),
            fingerprint: Some("1".to_owned()),
            all_history: false,
            workbook: false,
            feedback: false,
            faults: Vec::new(),
            lacks: Vec::new(),
            once: None,
            log: None,
            pids: None,
            serves: false,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("`{argument}` needs a value"));
            match argument.as_str() {
                "--name" => options.name = value()?,
                "--fingerprint" => options.fingerprint = Some(value()?),
                "--no-fingerprint" => options.fingerprint = None,
                "--all-history" => options.all_history = true,
                "--workbook" => options.workbook = true,
                "--feedback" => options.feedback = true,
                "--fault" => options.faults.push(fault(&value()?)?),
                "--without" => options.lacks.push(manner(&value()?)?),
                "--once" => options.once = Some(value()?.into()),
                "--log" => options.log = Some(value()?.into()),
                "--pids" => options.pids = Some(value()?.into()),
                "--serve" => options.serves = true,
                _ => return Err(format!("`{argument}` is not known")),
            }
        }
        Ok(options)
    }
}

fn fault(text: &str) -> Result<Fault, String> {
    let (name, n) = text.split_once('@').unwrap_or((text, "1"));
    let kind = Kind::from_name(name).ok_or_else(|| format!("the fault `{name}` is not known"))?;
    let n = n.parse().map_err(|_| format!("`{n}` is no number"))?;
    Ok(Fault { kind, n })
}

fn manner(name: &str) -> Result<Manner, String> {
    Manner::from_name(name).ok_or_else(|| format!("the manner `{name}` is not known"))
}
