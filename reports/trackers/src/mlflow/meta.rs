//! `meta.yaml`: what MLflow's folder says of an experiment and of a run.

use std::fmt::Write as _;
use std::path::Path;

use crate::mlflow::content::Content;

/// What MLflow's folder says of an experiment.
pub(super) fn experiment(id: &str, name: &str, folder: &Path, created_ms: u64) -> String {
    format!(
        "artifact_location: {}\ncreation_time: {created_ms}\nexperiment_id: '{id}'\nlast_update_time: {created_ms}\n\
         lifecycle_stage: active\nname: {}\n",
        quoted(&uri(folder)),
        quoted(name),
    )
}

/// What MLflow's folder says of a run that has ended: its status is 3, `FINISHED`.
pub(super) fn run(id: &str, experiment_id: &str, content: &Content<'_>, folder: &Path) -> String {
    let run = content.run;
    format!(
        "artifact_uri: {}\nend_time: {}\nentry_point_name: ''\nexperiment_id: '{experiment_id}'\n\
         lifecycle_stage: active\nrun_id: '{id}'\nrun_name: {}\nrun_uuid: '{id}'\nsource_name: napsim\nsource_type: 4\n\
         source_version: ''\nstart_time: {}\nstatus: 3\ntags: []\nuser_id: napsim\n",
        quoted(&uri(&folder.join("artifacts"))),
        run.end_ms,
        quoted(&run.name),
        run.start_ms,
    )
}

/// The name in what MLflow's folder says of an experiment.
pub(super) fn name(meta: &str) -> Option<String> {
    let value = meta.lines().find_map(|line| line.strip_prefix("name:"))?.trim();
    if value.starts_with('"') {
        return serde_json::from_str(value).ok();
    }
    let single = value.strip_prefix('\'').and_then(|value| value.strip_suffix('\''));
    Some(single.map_or_else(|| value.to_owned(), |value| value.replace("''", "'")))
}

/// A text as YAML has it between quotes: as JSON has it, and without characters that YAML does not take.
fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    let mut quoted = String::with_capacity(json.len());
    for c in json.chars() {
        match u32::from(c) {
            code @ (0x7f..=0x9f | 0x2028 | 0x2029 | 0xfeff | 0xfffe | 0xffff) => {
                // Writing to a text cannot fail.
                let _ = write!(quoted, "\\u{code:04x}");
            }
            _ => quoted.push(c),
        }
    }
    quoted
}

/// The address of a folder.
fn uri(folder: &Path) -> String {
    let mut uri = "file://".to_owned();
    let path = folder.to_string_lossy();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a text cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_experiments_are_read_as_anybody_writes_them() {
        for (meta, expect) in [
            ("artifact_location: x\nname: stride\n", Some("stride")),
            ("name: 'it''s: a'\n", Some("it's: a")),
            ("name: \"a \\\"b\\\"\"\n", Some("a \"b\"")),
            ("experiment_id: '1'\n", None),
        ] {
            assert_eq!(name(meta).as_deref(), expect);
        }
        let meta = experiment("1", "größe: \"x\"\u{85}", Path::new("/a b"), 7);
        assert_eq!(name(&meta).as_deref(), Some("größe: \"x\"\u{85}"));
        assert!(meta.contains("\"file:///a%20b\"") && meta.contains("\\u0085"), "{meta}");
    }
}
