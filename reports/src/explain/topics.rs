//! The texts about figures.

/// A figure in words.
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    pub(super) line: &'static str,
    pub(super) formula: &'static str,
    pub(super) example: &'static str,
    pub(super) source: &'static str,
}

pub(super) const FIGURES: &[Figure] = &[
    Figure {
        name: "uas",
        aliases: &["user-actions-saved", "uas_mean", "uas_pooled"],
        line: "user actions saved, the share of a trajectory's actions that the user did not have to carry out",
        formula: "(actions − user steps) / actions\n\
                  mean: over trajectories; pooled: 1 − sum of user steps / sum of actions",
        example: "100 actions, 88 carried out by the user: (100 − 88) / 100 = 12 %.\n\
                  Undo actions count as user steps, so UAS can be negative.\n\
                  Where the step limit stopped the run (truncated), nape-1 counts what is left undone as saved;\n\
                  where chain-max or future-max did, there is no UAS.",
        source: "paper, section on metrics; spec 02, 2.7 (Q12)",
    },
    Figure {
        name: "ar",
        aliases: &["acceptance-rate", "ar_mean", "ar_pooled"],
        line: "acceptance rate, the share of predictions that the user took",
        formula: "accepted / predictions\n\
                  pooled: sum of accepted / sum of predictions, which is the published figure;\n\
                  mean: over trajectories with predictions",
        example: "50 predictions, 7 accepted: 14 %. Calls without a suggestion and failed calls are no predictions.",
        source: "paper, section on metrics; spec 02, 2.7 and 14.3",
    },
    Figure {
        name: "precision",
        aliases: &["precision_mean"],
        line: "how much of what a prediction changes is right, accepted or not",
        formula: "tp / (tp + fp + mm), over the properties that the prediction changes\n\
                  of a trajectory: mean over its predictions; of a run (macro): mean over trajectories,\n\
                  where nape-1 counts a trajectory without predictions as 0 (Q38)",
        example: "A prediction fills 4 cells, 3 of them as in the final sheet, 1 in another colour: 3 / (3 + 0 + 1) = 75 %.",
        source: "spec 02, 3.4, 14.2 and 14.3",
    },
    Figure {
        name: "recall",
        aliases: &[],
        line: "how much of what is still missing in the cells of prediction and future a prediction brings",
        formula: "tp / (tp + fn + mm)",
        example: "A prediction gets 3 properties right, 9 more are missing: 3 / (3 + 9 + 0) = 25 %.\n\
                  The whole remaining future counts as missing, so recall is small by construction.",
        source: "spec 02, 3.5 (Q11)",
    },
    Figure {
        name: "pcov",
        aliases: &["pcov_accepted", "pcov_attempted", "predictable-coverage"],
        line: "predictable coverage, how much of what could be predicted at all the predictor produced",
        formula: "predictable (sheet, cell, property) triples got right by some prediction / all predictable triples\n\
                  pCov: over accepted predictions; pCov, all attempts: over refused ones as well;\n\
                  mean over trajectories for which it is known what is predictable",
        example: "400 properties of the final sheet are predictable, accepted predictions got 44 of them right: 11 %.\n\
                  A fill counts as two properties, a merge once for each cell it covers.\n\
                  Needs a file of predictable properties beside the trajectory (predictable/NAME.json).",
        source: "paper, section on coverage; spec 02, 15",
    },
    Figure {
        name: "coverage",
        aliases: &[],
        line: "right properties among all counted ones, a figure of the published code and not the paper's coverage",
        formula: "sum of tp / sum of (tp + fp + fn), over all predictions of a trajectory",
        example: "Every prediction counts the whole remaining future as missing, so it is tiny by construction.\n\
                  napsim reports tp, fp, fn and mm, from which it follows; for the paper's coverage see pcov.",
        source: "spec 02, 2.7 (Q11)",
    },
    Figure {
        name: "tp",
        aliases: &["fp", "fn", "mm", "counts"],
        line: "properties by how prediction and final sheet agree, which is right (tp), unwanted (fp), missing (fn), other (mm)",
        formula: "sums over (sheet, cell, property), of all predictions of a trajectory, refused ones included",
        example: "Bold set where the final sheet is bold: tp. Bold where it is not: fp. Red where it is blue: mm.",
        source: "spec 02, 3.4 and 4",
    },
    Figure {
        name: "saved",
        aliases: &["ops_saved"],
        line: "user actions that accepting a prediction saves; the greedy user takes it from 1 on",
        formula: "length of the future before − length of the rewritten future\n\
                  the predicted actions themselves are free; undo actions are part of the rewritten future",
        example: "10 actions to do; the prediction makes 3 unnecessary and costs 1 undo: 10 − 8 = 2 saved.",
        source: "spec 02, 2.4 step 10 and 12",
    },
    Figure {
        name: "undo",
        aliases: &["undo_actions"],
        line: "actions that the user has to carry out to take back what accepted predictions did wrong",
        formula: "sum over accepted predictions of the undo actions added to the future",
        example: "A prediction fills A1:A4, but A4 stays empty in the final sheet: one undo action for A4.",
        source: "spec 02, 6 and 12",
    },
    Figure {
        name: "time",
        aliases: &["time-a-prediction", "wall_s"],
        line: "seconds that the predictor takes a call, learning from the history included",
        formula: "sum of seconds in the predictor / calls, empty answers and failures included",
        example: "It depends on the machine and is kept apart from every other figure; wall_s is the run's wall time.",
        source: "napsim",
    },
    Figure {
        name: "outcome",
        aliases: &["complete", "failed", "diverged"],
        line: "how a rollout ended, which is complete, truncated, diverged or failed",
        formula: "complete: everything was done and every call answered\n\
                  truncated: a limit stopped the rollout before everything was done\n\
                  diverged: an accepted prediction could not be carried out; the acceptance was taken back\n\
                  failed: the predictor failed at least once, or the trajectory cannot be carried out",
        example: "A failed rollout that came to its end keeps its figures; one that was aborted is left out of all\n\
                  sums and means, which the table says. A run with failures exits with code 20.",
        source: "napsim; spec 02, 2.4 and 2.6",
    },
    Figure {
        name: "truncated",
        aliases: &["step-limit", "chain-max", "future-max"],
        line: "a limit stopped the rollout before everything was done; tables mark it with *",
        formula: "step limit: user steps reach the smaller of 1200 and 120 % of the trajectory's length\n\
                  chain-max: too many acceptances in a row that do not shorten the future; no UAS\n\
                  future-max: more than 50,000 actions left to do after an acceptance; no UAS",
        example: "100 actions, and bad predictions cost so many undo actions that 120 user steps are not enough:\n\
                  stopped, UAS (100 − 120) / 100 = −20 %, the lowest that nape-1 can report at this limit.",
        source: "spec 02, 2.2 (Q3), 2.7 (Q12), Q6",
    },
];
