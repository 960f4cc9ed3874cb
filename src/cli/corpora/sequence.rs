//! From one sheet to sequences of actions, one a profile.

use napsim_corpora::draft;
use napsim_corpora::import::Note;
use napsim_corpora::reconstruct::{Profile, ReconstructError, SHEET_NAME, reconstruct};
use napsim_corpora::refine::{RefineError, RefineOptions, RuleEditor, RuleJudge, refine};
use napsim_reports::store::{BuiltTrajectory, Refinement, Refusal};
use napsim_sim::state::{Sheet, Workbook};
use napsim_trajectories::{Action, Trajectory};

/// The most text that the actions of one trajectory may make.
const TEXT_BYTES_MAX: usize = 64 << 20;

/// A sequence of actions that builds a sheet.
pub(super) struct Sequence {
    pub(super) sheet: String,
    pub(super) profile: String,
    pub(super) seed: u64,
    pub(super) n_actions: u64,
    pub(super) digest: String,
    /// The trajectory as a text file holds it.
    pub(super) text: String,
    /// What a refinement came to, where one was asked for.
    pub(super) refined: Option<Refinement>,
}

impl Sequence {
    /// What the manifest says of it, once it is written under a name.
    pub(super) fn built(self, name: String, sha256: String) -> BuiltTrajectory {
        BuiltTrajectory {
            name,
            sheet: self.sheet,
            profile: self.profile,
            seed: self.seed,
            n_actions: self.n_actions,
            digest: self.digest,
            sha256,
            refined: self.refined,
        }
    }
}

/// A sheet that sequences are made of.
pub(super) struct Source<'a> {
    pub(super) name: &'a str,
    pub(super) sheet: &'a Sheet,
    /// Seed of what profiles leave to chance.
    pub(super) seed: u64,
    /// The title of the trajectories.
    pub(super) title: String,
    /// What their description begins with.
    pub(super) about: String,
}

/// What was made of a sheet.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) sequences: Vec<Sequence>,
    pub(super) refused: Vec<Refusal>,
    /// What actions cannot say.
    pub(super) notes: Vec<Note>,
}

impl Source<'_> {
    /// One sequence a profile, each verified by carrying it out; refined by rules if asked for.
    pub(super) fn sequences(&self, profiles: &[String], refine: bool) -> Outcome {
        let mut outcome = Outcome::default();
        for name in profiles {
            // Names were checked when the options were read.
            let Some(profile) = Profile::named(name, self.seed) else {
                continue;
            };
            match reconstruct(self.sheet, &profile, self.seed) {
                Ok(reconstruction) => {
                    // What actions cannot say does not depend on the profile.
                    outcome.notes = reconstruction.notes;
                    let actions = reconstruction.actions;
                    let looked_over = if refine {
                        let refined = refine_by_rules(&actions, reconstruction.sheet);
                        refined.map_err(|error| self.refusal(Some(name), "not reached", error.to_string()))
                    } else {
                        Ok((actions, None))
                    };
                    match looked_over.and_then(|(actions, refined)| self.sequence(name, actions, refined)) {
                        Ok(sequence) => outcome.sequences.push(sequence),
                        Err(refusal) => outcome.refused.push(refusal),
                    }
                }
                Err(error @ ReconstructError::TooMuchText { .. }) => {
                    outcome.refused.push(self.refusal(None, "too large", error.to_string()));
                    break;
                }
                Err(error @ ReconstructError::Empty) => {
                    // No profile makes more of it.
                    outcome
                        .refused
                        .push(self.refusal(None, "nothing in it", error.to_string()));
                    break;
                }
                Err(error) => outcome
                    .refused
                    .push(self.refusal(Some(name), "not reached", error.to_string())),
            }
        }
        outcome
    }

    fn refusal(&self, profile: Option<&str>, kind: &str, reason: String) -> Refusal {
        Refusal {
            sheet: Some(self.name.to_owned()),
            profile: profile.map(str::to_owned),
            kind: kind.to_owned(),
            reason,
        }
    }

    /// The sequence as a file holds it, if it reads back from there as it is.
    fn sequence(&self, profile: &str, actions: Vec<Action>, refined: Option<Refinement>) -> Result<Sequence, Refusal> {
        let mut n_bytes = 0;
        for (number, action) in (1_usize..).zip(&actions) {
            let line = action.to_string();
            n_bytes += line.len();
            if n_bytes > TEXT_BYTES_MAX {
                let reason = format!("its actions make more text than the limit of {TEXT_BYTES_MAX} bytes");
                return Err(self.refusal(Some(profile), "too large", reason));
            }
            let is_readable = !line.contains(['\n', '\r']) && Action::parse(&line).is_ok_and(|read| read == *action);
            if !is_readable {
                let reason = format!("the notation cannot write its action {number} on {}", action.range());
                return Err(self.refusal(Some(profile), "not in the notation", reason));
            }
        }
        let seed = self.seed;
        let is_edited = refined.is_some_and(|refined| refined.n_iterations > 0);
        let by_whom = if is_edited { ", refined by rules" } else { "" };
        let trajectory = Trajectory {
            name: String::new(),
            title: Some(self.title.clone()),
            description: Some(format!(
                "{} Built as the profile {profile} would, seed {seed}{by_whom}.",
                self.about
            )),
            actions,
            lines: Vec::new(),
            predictable: None,
        };
        Ok(Sequence {
            sheet: self.name.to_owned(),
            profile: profile.to_owned(),
            seed,
            n_actions: u64::try_from(trajectory.actions.len()).unwrap_or(u64::MAX),
            digest: trajectory.digest(),
            text: draft::write(&trajectory),
            refined,
        })
    }
}

/// The sequence as the editor and the judge made of rules leave it.
fn refine_by_rules(actions: &[Action], sheet: Sheet) -> Result<(Vec<Action>, Option<Refinement>), RefineError> {
    let mut target = Workbook::default();
    target.push_sheet(SHEET_NAME.into(), sheet);
    let options = RefineOptions {
        // The rules have nothing to add to what they have done once.
        iterations_max: 1,
        ..RefineOptions::default()
    };
    let refined = refine(actions, &target, &options, &mut RuleEditor, &mut RuleJudge)?;
    let refinement = Refinement {
        accepted: refined.success,
        n_iterations: refined.iterations,
        n_actions_before: u64::try_from(actions.len()).unwrap_or(u64::MAX),
    };
    Ok((refined.actions, Some(refinement)))
}
