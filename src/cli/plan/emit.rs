//! Scripts for schedulers: each part of an experiment is one call of `napsim sweep --partition`.

use std::num::NonZeroU32;

use anyhow::anyhow;
use clap::ValueEnum;

use crate::cli::experiment::ExperimentArgs;
use crate::exit::Failure;

/// The schedulers that scripts are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Scheduler {
    /// An array of Slurm jobs, and one that compares.
    Slurm,
    /// An indexed job of Kubernetes.
    K8s,
    /// Commands, one a line, for GNU parallel and the like.
    Parallel,
}

/// Units of a part, unless another number of parts is asked for: enough for a job to take longer than its start.
const UNITS_PER_PART: usize = 20;
const PARTS_MAX: usize = 64;

/// The script. It names file and store as they were given, so that it is meant to run in the same folder.
///
/// A line feed would end a comment of the script, and no scheduler promises to keep other control characters, so that words
/// with any are refused.
pub(super) fn script(
    scheduler: Scheduler,
    experiment: &ExperimentArgs,
    n_units: usize,
    parts: Option<NonZeroU32>,
) -> Result<String, Failure> {
    if let Some(word) = experiment
        .words()
        .iter()
        .find(|word| word.chars().any(char::is_control))
    {
        return Err(Failure::Input(anyhow!(
            "failed to write a script: {word:?} holds a control character; rename it"
        )));
    }
    let usual = n_units.div_ceil(UNITS_PER_PART).clamp(1, PARTS_MAX);
    let most = u32::try_from(n_units.max(PARTS_MAX)).unwrap_or(u32::MAX);
    if let Some(parts) = parts.filter(|parts| parts.get() > most) {
        return Err(Failure::Input(anyhow!(
            "failed to make {parts} parts: the experiment has {n_units} units"
        )));
    }
    let n_parts = parts.map_or_else(|| usual.to_string(), |parts| parts.to_string());
    let words: Vec<String> = experiment.words().iter().map(|word| quoted(word)).collect();
    let words = words.join(" ");
    Ok(match scheduler {
        Scheduler::Parallel => parallel(&words, &n_parts),
        Scheduler::Slurm => slurm(&words, &n_parts),
        Scheduler::K8s => kubernetes(experiment, &n_parts),
    })
}

fn parallel(words: &str, n_parts: &str) -> String {
    let n_parts: u32 = n_parts.parse().unwrap_or(1);
    let line = |part| format!("napsim sweep {words} --partition slice:{part}/{n_parts} --jobs 1 --quiet\n");
    (1..=n_parts).map(line).collect()
}

fn slurm(words: &str, n_parts: &str) -> String {
    format!(
        "#!/bin/bash
# An experiment in parts ({n_parts}). Submit it with: sbatch THIS-FILE
# When all parts are done, this compares (afterany: a part that is missing is then named, with exit code 20):
#   sbatch --dependency=afterany:JOB --wrap {wrapped}
# The same array again measures only what is missing. Set partition, account and time as your site wants them.
#SBATCH --job-name=napsim
#SBATCH --array=1-{n_parts}
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=02:00:00
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
set -u
# SIGTERM, which comes a minute before the time is up, reaches the shell; what is done by then is kept.
trap 'kill -TERM \"$!\" 2> /dev/null; wait \"$!\"; exit 143' TERM
srun napsim sweep {words} \\
    --partition \"slice:$SLURM_ARRAY_TASK_ID/{n_parts}\" --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\" --quiet &
wait \"$!\"
",
        wrapped = quoted(&format!("napsim sweep {words}")),
    )
}

fn kubernetes(experiment: &ExperimentArgs, n_parts: &str) -> String {
    // Kubernetes puts in what stands for a variable of the container, and makes one of two dollars.
    let doubled = |word: &String| quoted(word).replace('$', "$$");
    let words: Vec<String> = experiment.words().iter().map(doubled).collect();
    let command = format!(
        "exec napsim sweep {} --partition \"slice:$((JOB_COMPLETION_INDEX + 1))/{n_parts}\" --jobs 1 --quiet",
        words.join(" ")
    );
    // A JSON text is a YAML text as well, so that nothing in the command can break out of it.
    let command = serde_json::Value::String(command);
    format!(
        "# An experiment in parts ({n_parts}). Give it an image with napsim, and a volume that all pods share and that holds
# the experiment and the store. When the job is done, `napsim sweep` without --partition compares.
apiVersion: batch/v1
kind: Job
metadata:
  name: napsim
spec:
  completionMode: Indexed
  completions: {n_parts}
  parallelism: {n_parts}
  backoffLimitPerIndex: 3
  podFailurePolicy:
    rules:
      # Bad input and a missed gate are no better the next time.
      - action: FailIndex
        onExitCodes:
          containerName: napsim
          operator: In
          values: [2, 10]
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 30
      containers:
        - name: napsim
          image: REGISTRY/napsim:TAG
          workingDir: /work
          command: [\"/bin/sh\", \"-c\", {command}]
          resources:
            requests: {{ cpu: \"1\", memory: 1Gi }}
          volumeMounts:
            - name: work
              mountPath: /work
      volumes:
        - name: work
          persistentVolumeClaim:
            claimName: napsim-work
"
    )
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_not_read_them_back() {
        for (word, expected) in [
            ("stride=4", "stride=4"),
            ("a b", "'a b'"),
            ("it's", "'it'\\''s'"),
            ("$(rm)", "'$(rm)'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
