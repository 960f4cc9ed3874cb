//! What a corpus was made from, and how.

use serde::{Deserialize, Serialize};

/// Name and version of the manifest's schema.
pub(super) const SCHEMA: &str = "napsim-corpus/1";

/// What a corpus of workbooks was made from: each file with its hash, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorpusManifest {
    /// `napsim-corpus/1`.
    pub schema: String,
    /// Version of the program that made it.
    pub napsim: String,
    /// What was asked for.
    pub options: BuildOptions,
    /// The files in the order of the work; those of an interrupted build that are not done are missing.
    pub files: Vec<SourceFile>,
}

impl CorpusManifest {
    /// A manifest without files.
    pub fn new(napsim: &str, options: BuildOptions) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            napsim: napsim.to_owned(),
            options,
            files: Vec::new(),
        }
    }

    /// The trajectories of all files, in order.
    pub fn trajectories(&self) -> impl Iterator<Item = &BuiltTrajectory> {
        self.files.iter().flat_map(|file| &file.trajectories)
    }
}

/// The options on which the trajectories depend.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildOptions {
    /// User profiles, in the order given.
    pub profiles: Vec<String>,
    /// Seed of all that is random in a profile.
    pub profile_seed: u64,
    /// The sheets that were asked for; none for all visible ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheets: Option<Vec<String>>,
    /// SHA-256 of the names and digests of the benchmark that the workbooks must not overlap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Who refines the sequences, such as `rules`; none where they stay as they were reconstructed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refine: Option<String>,
    /// Which workbooks were made up, where no files were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<GeneratedSeries>,
}

/// A stretch of a seed's endless series of workbooks that are made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneratedSeries {
    /// The seed.
    pub seed: u64,
    /// Index of the first workbook.
    pub first: u64,
    /// How many workbooks.
    pub count: u64,
}

/// A workbook file and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its path as it was found from the arguments, with `/` between folders; the name of a workbook that was made up.
    pub path: String,
    /// What the names of its trajectories begin with.
    pub id: String,
    /// SHA-256 of its content, in hexadecimal digits; empty where it could not be read, or was made up.
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The part of the corpus that it belongs to, where the corpus is split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// Its trajectories: one a sheet and profile.
    pub trajectories: Vec<BuiltTrajectory>,
    /// What of it did not become a trajectory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refusal>,
    /// What of it was skipped or changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<FileNote>,
}

impl SourceFile {
    /// Whether anything of it became a trajectory.
    pub fn is_imported(&self) -> bool {
        !self.trajectories.is_empty()
    }
}

/// A trajectory made from a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuiltTrajectory {
    /// Its name, which is that of its file without the ending.
    pub name: String,
    /// The sheet that it builds.
    pub sheet: String,
    /// The profile of the user who builds it.
    pub profile: String,
    /// The seed of the profile.
    pub seed: u64,
    /// How many actions it has.
    pub n_actions: u64,
    /// The digest of its actions.
    pub digest: String,
    /// SHA-256 of its file.
    pub sha256: String,
    /// What a refinement came to; none where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refined: Option<Refinement>,
}

/// What the refinement of a sequence came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refinement {
    /// Whether the judge accepted the sequence in the end.
    pub accepted: bool,
    /// How many candidates were tried; 0 where the judge accepted the sequence as it was reconstructed.
    pub n_iterations: u32,
    /// How many actions the sequence had before.
    pub n_actions_before: u64,
}

/// A file, a sheet or a trajectory that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The sheet; none for the file as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The profile, where the refusal depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// What kind of refusal it is: `encrypted`, `damaged`.
    pub kind: String,
    /// Why, in full.
    pub reason: String,
}

/// Something in a file that its trajectories do not show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileNote {
    /// The sheet; none for the workbook as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// What happened.
    pub what: String,
    /// How many cells, sheets or objects it concerns.
    pub count: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_without_a_refinement_are_read_and_written_as_before() {
        let built = r#"{"name":"a","sheet":"S","profile":"natural","seed":0,"n_actions":1,"digest":"d","sha256":"s"}"#;
        let options = r#"{"profiles":["natural"],"profile_seed":0}"#;
        let text = format!(
            r#"{{"schema":"{SCHEMA}","napsim":"1.2.3","options":{options},"files":[{{"path":"a.xlsx","id":"a","sha256":"h","bytes":1,"trajectories":[{built}]}}]}}"#
        );
        let manifest: CorpusManifest = serde_json::from_str(&text).unwrap();
        assert_eq!(manifest.options.refine, None);
        assert!(manifest.trajectories().all(|built| built.refined.is_none()));
        assert_eq!(serde_json::to_string(&manifest).unwrap(), text);
    }
}
