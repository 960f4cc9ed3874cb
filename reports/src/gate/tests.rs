use super::*;
use crate::aggregate::UnitResult;
use crate::fixtures::{run, summary};

/// What a gate says of a run.
fn outcome(rule: &str, run: &ComparedRun) -> GateOutcome {
    let gate: Gate = rule.parse().unwrap();
    assert_eq!(gate.to_string(), rule.trim());
    gate.check(run, &BootstrapSettings::default()).unwrap()
}

fn passes(rule: &str, run: &ComparedRun) -> bool {
    outcome(rule, run).passed
}

/// UAS of 10 %, 20 % and 30 %: mean 20 %, Student's interval 20 % ± 4.3027 · 10 % / √3 = [-4.84 %, 44.84 %].
fn three() -> ComparedRun {
    run("mine", &[90, 80, 70])
}

#[test]
fn signs_and_percent_are_read() {
    for rule in [
        "uas >= 0.2",
        "uas>=20%",
        "  UAS ≥ 20 %  ",
        "uas <= 20%",
        "uas ≤ 0.2",
        "uas == 0.2",
        "uas > 19.9%",
        "uas < 20.1%",
        "uas > -1",
        "ar == 50%",
        "precision == 0.25",
        "uas_pooled == 20%",
        "ar_pooled == 0.5",
        "undo == 0",
        "truncated < 1",
        "diverged <= 0",
        "uas.low > -4.85% and uas.low < -4.83%",
        "uas.high >= 44.83% and uas.high <= 44.85%",
    ] {
        assert!(passes(rule, &three()), "{}", outcome(rule, &three()));
    }
    for rule in ["uas > 0.2", "uas < 20%", "uas == 0.21", "undo > 0", "uas.low >= 0"] {
        assert!(!passes(rule, &three()), "{rule}");
    }
}

#[test]
fn and_binds_tighter_than_or() {
    assert!(passes("uas > 90% and ar > 90% or precision > 20%", &three()));
    assert!(passes("precision > 20% OR uas > 90% AND ar > 90%", &three()));
    assert!(!passes("uas > 90% or precision > 20% and ar > 90%", &three()));
}

#[test]
fn figures_that_are_undefined_pass_nothing() {
    let one = run("one", &[90]);
    assert!(passes("uas <= 10%", &one));
    for rule in ["uas.low <= 1", "uas.high >= 0", "pcov >= 0", "pcov <= 1"] {
        assert!(!passes(rule, &one), "{rule}");
    }
    assert_eq!(
        outcome("uas >= 5% and uas.low >= 5% or uas >= 5%", &one).to_string(),
        "gate passed: uas >= 5% and uas.low >= 5% or uas >= 5% (one: uas 10.00 %, uas.low undefined)"
    );
    assert_eq!(
        outcome("pcov >= 5%", &one).to_string(),
        "gate failed: pcov >= 5% (one: pcov undefined)"
    );
}

#[test]
fn incomplete_runs_pass_nothing() {
    let refused = |run: &ComparedRun| {
        let outcome = outcome("uas >= -5", run);
        assert!(!outcome.passed);
        outcome.to_string()
    };
    let mut missing = three();
    missing.missing = 1;
    assert_eq!(
        refused(&missing),
        "gate failed: uas >= -5 (mine: the run is incomplete: 1 unit is missing)"
    );
    missing.repeats[0].push(UnitResult::lost("t4", 100, "gone".to_owned()));
    assert_eq!(
        refused(&missing),
        "gate failed: uas >= -5 (mine: the run is incomplete: 1 unit is missing and 1 failed)"
    );
    missing.missing = 0;
    assert_eq!(
        refused(&missing),
        "gate failed: uas >= -5 (mine: the run is incomplete: 1 unit failed)"
    );
    missing.missing = 2;
    missing.repeats[0].push(UnitResult::lost("t5", 100, "gone".to_owned()));
    assert_eq!(
        refused(&missing),
        "gate failed: uas >= -5 (mine: the run is incomplete: 2 units are missing and 2 failed)"
    );
    assert_eq!(
        refused(&run("none\u{1b}", &[])),
        "gate failed: uas >= -5 (none\\u{1b}: the run has no unit)"
    );
}

#[test]
fn counts_are_of_units() {
    let mut run = three();
    let unit = |limit, outcome| {
        let mut summary = summary("more", 100, 100);
        (summary.limit, summary.outcome, summary.undo_actions) = (limit, outcome, 3);
        UnitResult {
            summary,
            coverage: None,
        }
    };
    use napsim_sim::event::{Limit, Outcome};
    run.repeats[0].push(unit(Some(Limit::ChainMax), Outcome::Truncated));
    run.repeats[0].push(unit(None, Outcome::Diverged));
    assert!(passes("truncated == 1 and diverged == 1 and undo == 6", &run));
    assert_eq!(
        outcome("undo < 6 or truncated > 1", &run).to_string(),
        "gate failed: undo < 6 or truncated > 1 (mine: undo 6, truncated 1)"
    );
}

#[test]
fn what_is_no_gate_is_told() {
    let messages: Vec<String> = [
        "",
        "uas",
        "uas 12%",
        ">= 12%",
        "uass >= 12%",
        "uas.lo >= 12%",
        "precision_pooled >= 12%",
        "uas => 12%",
        "uas = 12%",
        "uas != 12%",
        "uas >= twelve",
        "uas >= ",
        "uas >= inf",
        "uas >= 1 and",
        "undo <= 5%",
        "uas >= 4.4",
        "uas.low >= 12",
        "uas_pooled > 1.01",
        "uas >= 440%",
        "uas >= 150",
        "ar >= -0.1",
        "ar.low >= 4",
        "precision > 101 %",
        "pcov <= -5%",
    ]
    .map(|rule| rule.parse::<Gate>().unwrap_err().to_string())
    .into();
    insta::assert_snapshot!(messages.join("\n"), @"
    read the gate ``: expected METRIC SIGN NUMBER such as `uas >= 12%`, found ``
    read the gate `uas`: expected METRIC SIGN NUMBER such as `uas >= 12%`, found `uas`
    read the gate `uas 12%`: expected METRIC SIGN NUMBER such as `uas >= 12%`, found `uas 12%`
    read the gate `>= 12%`: unknown metric ``
    read the gate `uass >= 12%`: unknown metric `uass` (did you mean `uas`?)
    read the gate `uas.lo >= 12%`: unknown metric `uas.lo` (did you mean `uas.low`?)
    read the gate `precision_pooled >= 12%`: unknown metric `precision_pooled`
    read the gate `uas => 12%`: expected one of >=, >, <=, <, ==, found `=>`
    read the gate `uas = 12%`: expected one of >=, >, <=, <, ==, found `=`
    read the gate `uas != 12%`: expected one of >=, >, <=, <, ==, found `!=`
    read the gate `uas >= twelve`: expected a number such as 0.12 or 12%, found `twelve`
    read the gate `uas >=`: expected a number such as 0.12 or 12%, found ``
    read the gate `uas >= inf`: expected a number such as 0.12 or 12%, found `inf`
    read the gate `uas >= 1 and`: expected METRIC SIGN NUMBER such as `uas >= 12%`, found ``
    read the gate `undo <= 5%`: `undo` is a count, expected a number without `%`
    read the gate `uas >= 4.4`: uas is at most 100 %, found 440 % (did you mean `4.4 %`?)
    read the gate `uas.low >= 12`: uas.low is at most 100 %, found 1200 % (did you mean `12 %`?)
    read the gate `uas_pooled > 1.01`: uas_pooled is at most 100 %, found 101 % (did you mean `1.01 %`?)
    read the gate `uas >= 440%`: uas is at most 100 %, found 440 %
    read the gate `uas >= 150`: uas is at most 100 %, found 15000 %
    read the gate `ar >= -0.1`: ar lies between 0 % and 100 %, found -10 %
    read the gate `ar.low >= 4`: ar.low lies between 0 % and 100 %, found 400 % (did you mean `4 %`?)
    read the gate `precision > 101 %`: precision lies between 0 % and 100 %, found 101 %
    read the gate `pcov <= -5%`: pcov lies between 0 % and 100 %, found -5 %
    ");
}

#[test]
fn bounds_at_the_ends_are_taken() {
    for rule in ["uas <= 1", "uas >= -400%", "ar >= 0", "ar <= 100 %", "undo >= 400"] {
        assert!(rule.parse::<Gate>().is_ok(), "{rule}");
    }
}
