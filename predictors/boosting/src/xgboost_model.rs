//! Reading the model that XGBoost saves as JSON.

use serde::Deserialize;
use thiserror::Error;

use crate::ensemble::{Ensemble, LayoutError};
use crate::objective::Objective;
use crate::tree::{Node, Tree};

/// Why XGBoost's model cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It is no JSON, or not that of a model.
    #[error("read XGBoost's model: {0}")]
    Json(#[from] serde_json::Error),
    /// The score that all rows begin with is no number, or not the same for all outputs.
    #[error("read XGBoost's model: `{0}` is no base score")]
    BaseScore(String),
    /// A tree's lists are not of one length, or its trees are for other outputs than expected.
    #[error("read XGBoost's model: tree {0} is not as expected")]
    Tree(usize),
    /// Its trees cannot be kept.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

#[derive(Deserialize)]
struct Model {
    learner: Learner,
}

#[derive(Deserialize)]
struct Learner {
    learner_model_param: LearnerParameters,
    gradient_booster: Booster,
}

#[derive(Deserialize)]
struct LearnerParameters {
    /// A number in a text; since XGBoost 3.1 one for each output, in brackets.
    base_score: String,
}

#[derive(Deserialize)]
struct Booster {
    model: Trees,
}

#[derive(Deserialize)]
struct Trees {
    /// The output of each tree.
    tree_info: Vec<usize>,
    trees: Vec<SavedTree>,
}

/// The nodes of a tree, a list for each thing said of them.
#[derive(Deserialize)]
struct SavedTree {
    left_children: Vec<i64>,
    right_children: Vec<i64>,
    split_indices: Vec<u32>,
    /// Thresholds, and the values of leaves.
    split_conditions: Vec<f32>,
    default_left: Vec<Flag>,
    loss_changes: Vec<f32>,
}

/// Yes or no: a number since XGBoost 1.6, before that a truth value.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Flag {
    Number(u8),
    Truth(bool),
}

impl SavedTree {
    /// The tree in our terms, where all lists are of one length.
    fn tree(&self) -> Option<Tree> {
        let n_nodes = self.left_children.len();
        let lengths = [
            self.right_children.len(),
            self.split_indices.len(),
            self.split_conditions.len(),
            self.default_left.len(),
            self.loss_changes.len(),
        ];
        if lengths.iter().any(|&length| length != n_nodes) {
            return None;
        }
        let nodes = (0..n_nodes).map(|number| self.node(number)).collect::<Option<_>>()?;
        Some(Tree { nodes })
    }

    fn node(&self, number: usize) -> Option<Node> {
        let value = *self.split_conditions.get(number)?;
        let (left, right) = (*self.left_children.get(number)?, *self.right_children.get(number)?);
        if left < 0 && right < 0 {
            return Some(Node::Leaf { value });
        }
        Some(Node::Split {
            column: *self.split_indices.get(number)?,
            threshold: value,
            missing_left: match *self.default_left.get(number)? {
                Flag::Number(number) => number != 0,
                Flag::Truth(truth) => truth,
            },
            left: u32::try_from(left).ok()?,
            right: u32::try_from(right).ok()?,
            gain: *self.loss_changes.get(number)?,
        })
    }
}

/// The number that `base_score` says, once or for each output.
fn number_of(base_score: &str) -> Option<f32> {
    let list = base_score.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
    let mut numbers = list
        .unwrap_or(base_score)
        .split(',')
        .map(|number| number.trim().parse::<f32>().ok());
    let first = numbers.next()??;
    numbers.all(|number| number == Some(first)).then_some(first)
}

/// Reads the first `n_trees` trees of `text`, a model that XGBoost saved as JSON.
pub(crate) fn ensemble(
    text: &str,
    objective: Objective,
    n_columns: usize,
    n_trees: usize,
) -> Result<Ensemble, ModelError> {
    let Learner {
        learner_model_param,
        gradient_booster,
    } = serde_json::from_str::<Model>(text)?.learner;
    let base_score = learner_model_param.base_score;
    let base_score = number_of(&base_score).ok_or(ModelError::BaseScore(base_score))?;
    let Trees { tree_info, trees } = gradient_booster.model;
    let mut read = Vec::with_capacity(n_trees);
    for (index, saved) in trees.iter().take(n_trees).enumerate() {
        let in_turn = tree_info.get(index) == Some(&(index % objective.n_outputs()));
        let tree = saved.tree().filter(|_| in_turn);
        read.push(tree.ok_or(ModelError::Tree(index))?);
    }
    if read.len() != n_trees {
        return Err(ModelError::Tree(read.len()));
    }
    let base_margin = objective.margin_of_base_score(base_score);
    Ok(Ensemble::from_trees(objective, n_columns, base_margin, &read)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_scores_of_all_versions_are_read() {
        for (text, expect) in [
            ("5E-1", Some(0.5)),
            ("[5E-1]", Some(0.5)),
            ("[5E-1,5E-1]", Some(0.5)),
            ("[5E-1,4E-1]", None),
            ("[5E-1,half]", None),
            ("", None),
        ] {
            assert_eq!(number_of(text), expect, "{text}");
        }
    }
}
