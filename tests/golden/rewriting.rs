//! Scoring and future rewriting on single situations (spec 02, sections 3 and 12).

use napsim_sim::compare::{Match, compare};
use napsim_sim::matching::Pairing;
use napsim_sim::plan::Planned;
use napsim_sim::protocol::Protocol;
use napsim_sim::rewrite::{Fate, Rewrite, rewrite};
use napsim_sim::score::{Score, Situation, score};
use napsim_sim::state::Workbook;
use napsim_trajectories::{Action, Value};

use super::evaluation::{read_actions, types, written};
use super::vectors::{Vector, check_same, for_each_vector, int, object};

fn scored(score: &Score, n_segment: usize, n_predicted: usize, n_future: usize) -> Value {
    let counts = score.counts;
    let paired = score
        .pairs
        .iter()
        .filter(|pair| !matches!(pair, Pairing::Missing | Pairing::Extra))
        .count();
    let lookahead = &score.lookahead;
    object(vec![
        ("tp", int(counts.tp)),
        ("fp", int(counts.fp)),
        ("fn", int(counts.missing)),
        ("mm", int(counts.mm)),
        ("precision", counts.precision().into()),
        ("recall", counts.recall().into()),
        ("f1", counts.f1().into()),
        (
            "ops_saved_before_simulation",
            int(if score.compared { n_future } else { 0 }),
        ),
        ("ops_diff", int(0)),
        ("exact_matches", int(score.n_pairs(Pairing::Exact))),
        ("attribute_mismatch", int(score.n_pairs(Pairing::AttributeMismatch))),
        ("correct_op_wrong_range", int(score.n_pairs(Pairing::WrongRange))),
        ("wrong_op", int(score.n_pairs(Pairing::WrongOp))),
        ("missing", int(n_segment - paired)),
        ("extra", int(n_predicted - paired)),
        ("lookahead_exact", int(lookahead.exact)),
        ("lookahead_flex", int(lookahead.flexible)),
        (
            "match_positions",
            Value::list(lookahead.positions.iter().map(|idx| int(*idx)).collect::<Vec<_>>()),
        ),
        ("lookahead_accuracy", lookahead.accuracy().into()),
        ("lookahead_recall", lookahead.recall().into()),
        ("lookahead_flex_accuracy", lookahead.flexible_accuracy().into()),
        ("lookahead_flex_recall", lookahead.flexible_recall().into()),
        (
            "pair_types",
            Value::list(score.pairs.iter().map(|pair| pair.name().into()).collect::<Vec<_>>()),
        ),
        (
            "types",
            if score.compared {
                types(&score.totals)
            } else {
                Value::Null
            },
        ),
    ])
}

fn account(rewrite: &Rewrite, n_future: usize) -> Value {
    let account = &rewrite.account;
    object(vec![
        ("fingerprint_size", int(account.fingerprint_size)),
        ("all_fn_count", int(account.all_missing)),
        ("all_fp_count", int(account.all_false_positives)),
        ("addressed_fn_count", int(account.addressed_missing)),
        ("first_pass_inverse_count", int(account.first_pass_undo)),
        ("second_pass_inverse_count", int(account.second_pass_undo)),
        ("missing_ops_count", int(account.missing_actions)),
        ("future_after_count", int(account.future_processed)),
        (
            "inverse_ops_count",
            int(account.first_pass_undo + account.second_pass_undo),
        ),
        ("merge_unmerge_ops_count", int(account.unmerges)),
        ("merge_unmerge_correction_ops_count", int(account.restorations)),
        ("future_before_count", int(n_future)),
        ("final_future_count", int(rewrite.future.len())),
        ("gt_future_merge_ops_count", int(account.future_merges)),
        ("merge_adjusted", account.merge_adjusted.into()),
    ])
}

/// The decisions that the vectors list: one for each affected future action, in order, then the corrections.
fn decisions(rewrite: &Rewrite) -> Value {
    let name = |fate: &Fate| match fate {
        Fate::Unaffected => None,
        Fate::Removed => Some("removed"),
        Fate::Replaced => Some("replaced"),
        Fate::KeptWhole => Some("kept_original"),
        Fate::KeptLocked => Some("kept_locked"),
        Fate::KeptMerge => Some("kept_intact"),
    };
    let mut names: Vec<&str> = rewrite.fates.iter().filter_map(name).collect();
    if rewrite.account.unmerges > 0 {
        names.insert(0, "merge_fp_handled");
    }
    if rewrite.account.second_pass_undo + rewrite.account.missing_actions > 0 {
        names.push("second_pass_corrections");
    }
    Value::list(names.into_iter().map(Value::from).collect::<Vec<_>>())
}

fn plan(actions: Vec<Action>) -> Vec<std::rc::Rc<Planned>> {
    Planned::all(actions)
}

fn as_value(planned: &[std::rc::Rc<Planned>]) -> Value {
    written(planned.iter().map(|planned| &planned.action))
}

fn check(vector: &Vector) -> Result<(), String> {
    let history = read_actions(vector, "history")?;
    let (predicted, future) = (
        plan(read_actions(vector, "predicted")?),
        plan(read_actions(vector, "future")?),
    );
    let (mut current, mut target) = (Workbook::default(), Workbook::default());
    current.apply_lenient(&history);
    if vector.find("target_ops").is_some() {
        target.apply_lenient(&read_actions(vector, "target_ops")?);
    } else {
        target.apply_lenient(history.iter().chain(future.iter().map(|planned| &planned.action)));
    }
    let mut after = current.clone();
    after.apply_lenient(predicted.iter().map(|planned| &planned.action));
    let situation = Situation {
        protocol: &Protocol::NAPE_1,
        future: &future,
        current: &current,
        target: &target,
    };

    let n_segment = predicted.len().min(future.len());
    let score = score(situation, &predicted, &after);
    check_same(
        scored(&score, n_segment, predicted.len(), future.len()),
        vector.get("eval")?,
    )?;

    let undo_max = vector
        .find("max_inverse_ops")
        .map_or(Ok(250), |_| vector.integer("max_inverse_ops"))?;
    let rewritten = rewrite(situation, &predicted, &after, usize::try_from(undo_max).unwrap_or(0));
    if vector.find("error").is_some() {
        return rewritten.map_or(Ok(()), |_| Err("expected the rewriting to fail".to_owned()));
    }
    let rewritten = rewritten.map_err(|error| error.to_string())?;
    check_same(as_value(&rewritten.future), vector.get("new_future")?)?;
    check_same(as_value(&rewritten.removed), vector.get("removed")?)?;
    check_same(as_value(&rewritten.undo), vector.get("inverse")?)?;
    check_same(as_value(&rewritten.added), vector.get("added")?)?;
    check_same(int(rewritten.saved(future.len())), vector.get("ops_saved")?)?;
    check_same(
        int(rewritten.net(future.len(), predicted.len())),
        vector.get("net_gain")?,
    )?;
    check_same(int(rewritten.removed.len()), vector.get("dedup_gain")?)?;
    check_same(int(rewritten.undo.len()), vector.get("inverse_cost")?)?;
    check_same(account(&rewritten, future.len()), vector.get("meta")?)?;
    check_same(unreached(&rewritten, &after, &target), vector.get("unreached")?)?;
    check_same(decisions(&rewritten), vector.get("actions")?)
}

/// What the rewritten future, carried out, still misses.
fn unreached(rewritten: &Rewrite, after: &Workbook, target: &Workbook) -> Value {
    let mut end = after.clone();
    end.apply_lenient(rewritten.future.iter().map(|planned| &planned.action));
    let mut counts = napsim_sim::counts::Counts::default();
    compare(&Protocol::NAPE_1, &end, target, &mut |difference| {
        if difference.outcome != Match::TruePositive {
            difference.outcome.count_into(&mut counts);
        }
    });
    object(vec![
        ("fp", int(counts.fp)),
        ("fn", int(counts.missing)),
        ("mm", int(counts.mm)),
    ])
}

#[test]
fn golden_rewriting() {
    for_each_vector("rewrite.jsonl", "", check);
}
