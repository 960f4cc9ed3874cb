//! `napsim model list`: the models there are.

use clap::Args;
use napsim_hub::{Defect, InstalledModel, Kind};
use napsim_predictors::ModelKind;
use napsim_predictors::smollm::TINY;
use serde::Serialize;

use crate::console;
use crate::exit::{Exit, Failure};

/// List the models that come along and those in the model folder.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(in crate::cli) struct ListArgs {
    /// Print them as JSON, schema `napsim-models/1`.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim model list
  napsim model list --json";

#[derive(Serialize)]
struct ListObject {
    schema: &'static str,
    folder: String,
    models: Vec<ModelObject>,
}

/// One model. A problem says why it cannot be used.
#[derive(Serialize)]
struct ModelObject {
    name: String,
    kind: Option<&'static str>,
    comes_along: bool,
    size_bytes: Option<u64>,
    complete: bool,
    problem: Option<String>,
    path: Option<String>,
}

impl ModelObject {
    fn along(name: &'static str) -> Self {
        Self {
            name: name.to_owned(),
            kind: Some(name),
            comes_along: true,
            size_bytes: None,
            complete: true,
            problem: None,
            path: None,
        }
    }

    fn installed(model: &InstalledModel) -> Self {
        let (kind, problem) = match &model.contents {
            Ok(contents) => (Some(contents.kind.name()), None),
            Err(Defect::Unfinished(what)) => (None, Some(format!("not whole: {what}"))),
            Err(Defect::Unusable(what)) => (None, Some(what.clone())),
        };
        let path = model.contents.as_ref().map_or(&model.path, |contents| &contents.path);
        Self {
            name: model.name.to_string(),
            kind,
            comes_along: false,
            size_bytes: Some(model.size),
            complete: problem.is_none(),
            problem,
            path: Some(path.display().to_string()),
        }
    }

    fn line(&self) -> String {
        if self.comes_along {
            return format!("{:<26} comes with the program\n", self.name);
        }
        let kind = self.kind.unwrap_or("-");
        let size = self.size_bytes.map(size).unwrap_or_default();
        let problem = self
            .problem
            .as_ref()
            .map(|what| format!("  {what}"))
            .unwrap_or_default();
        let width = Kind::HuggingFace.name().len();
        format!("{:<26} {kind:<width$} {size:>10}{problem}\n", self.name)
    }
}

/// Lists one model a line.
pub(super) fn list(args: &ListArgs) -> Result<Exit, Failure> {
    let folder = napsim_hub::folder()?;
    let installed = napsim_hub::models(&folder)?;
    let models = ModelKind::ALL
        .into_iter()
        .map(ModelKind::name)
        .chain([TINY])
        .map(ModelObject::along)
        .chain(installed.iter().map(ModelObject::installed))
        .collect();
    let list = ListObject {
        schema: "napsim-models/1",
        folder: folder.display().to_string(),
        models,
    };
    if args.json {
        let object = serde_json::to_string(&list).map_err(Failure::environment)?;
        console::print(&format!("{object}\n"))?;
    } else {
        let lines: String = list.models.iter().map(ModelObject::line).collect();
        console::print_untrusted(&lines)?;
    }
    Ok(Exit::Complete)
}

/// Bytes as a person reads them.
#[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
pub(super) fn size(bytes: u64) -> String {
    let bytes = bytes as f64;
    match bytes {
        ..1e3 => format!("{bytes} B"),
        ..1e6 => format!("{:.1} kB", bytes / 1e3),
        ..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        assert_eq!(size(12), "12 B");
        assert_eq!(size(1_500), "1.5 kB");
        assert_eq!(size(98_362_432), "98.4 MB");
        assert_eq!(size(3_422_777_952), "3.4 GB");
    }
}
