use napsim_sim::event::{Limit, Outcome};
use napsim_statistics::Method;

use super::*;
use crate::aggregate::UnitResult;
use crate::fixtures::{run, summary};

fn compared(runs: &[ComparedRun]) -> Comparison {
    Comparison::of(runs, &ComparisonSettings::default()).unwrap()
}

fn against(runs: &[ComparedRun], baseline: &str) -> Comparison {
    let settings = ComparisonSettings {
        baseline: Some(baseline.to_owned()),
        ..ComparisonSettings::default()
    };
    Comparison::of(runs, &settings).unwrap()
}

fn in_pairs(runs: &[ComparedRun]) -> Comparison {
    let settings = ComparisonSettings {
        all_pairs: true,
        ..ComparisonSettings::default()
    };
    Comparison::of(runs, &settings).unwrap()
}

fn refusal(runs: &[ComparedRun], settings: &ComparisonSettings) -> String {
    Comparison::of(runs, settings).unwrap_err().to_string()
}

/// The run over trajectories of other names.
fn renamed(mut run: ComparedRun, prefix: &str) -> ComparedRun {
    for unit in run.repeats.iter_mut().flatten() {
        unit.summary.name.insert_str(0, prefix);
    }
    run
}

/// The run with a digest for each of its trajectories that begins with a text.
fn digested(mut run: ComparedRun, prefix: &str) -> ComparedRun {
    let names = run.repeats.iter().flatten().map(|unit| unit.summary.name.clone());
    run.digests = names.map(|name| (name.clone(), format!("{prefix}{name}"))).collect();
    run
}

#[track_caller]
fn close(found: Option<f64>, expected: f64) {
    assert!(
        found.is_some_and(|found| (found - expected).abs() < 1e-9),
        "{found:?} {expected}"
    );
}

/// `a` saves 10, 20 and 30 %, `b` 5, 20 and 25 %: b - a is -5, 0 and -5 points.
fn two() -> [ComparedRun; 2] {
    [run("a", &[90, 80, 70]), run("b", &[95, 80, 75])]
}

#[test]
fn figures_are_those_worked_by_hand() {
    let comparison = compared(&two());
    assert_eq!(comparison.baseline.as_deref(), Some("a"));
    let [a, b] = comparison.runs.as_slice() else {
        panic!("two runs")
    };
    assert_eq!((a.rank, b.rank), (Some(1), Some(2)));
    close(a.mean, 0.2);
    close(a.pooled, 0.2);
    close(b.mean, 0.5 / 3.0);
    assert_eq!(
        (a.means.ar, a.means.precision, a.means.pcov),
        (Some(0.5), Some(0.25), None)
    );
    // 0.2 ± 4.3026527 · 0.1 / √3
    let interval = a.interval.unwrap();
    close(Some(interval.low), 0.2 - 4.302_652_729_749 * 0.1 / 3.0_f64.sqrt());
    assert_eq!(interval.method, Method::StudentT);
    let [one] = comparison.differences.as_slice() else {
        panic!("one difference")
    };
    let difference = &one.difference;
    assert_eq!((one.run.as_str(), one.baseline.as_str()), ("b", "a"));
    assert_eq!(
        (difference.n, difference.wins, difference.ties, difference.losses),
        (3, 0, 1, 2)
    );
    close(difference.mean, -0.1 / 3.0);
    // Deviations of -1/60, 2/60 and -1/60: variance 6/3600 / 2.
    close(difference.standard_deviation, (3.0_f64 / 3600.0).sqrt());
    close(difference.cohens_dz, -2.0 / 3.0_f64.sqrt());
    assert_eq!(difference.rank_biserial, Some(-1.0));
    // Two of the four assignments of signs to two equal differences are as large.
    assert_eq!((one.p_sign_flip, one.p_wilcoxon), (Some(0.5), Some(0.5)));
    assert_eq!(one.verdict, Verdict::NoDifferenceShown);
}

#[test]
fn verdicts_are_adjusted_for_their_number() {
    let (low, high, mixed) = ([90; 8], [80; 8], [80, 80, 80, 80, 90, 90, 95, 95]);
    let runs = [run("low", &low), run("high", &high), run("mixed", &mixed)];
    let comparison = against(&runs, "low");
    let [high, mixed] = comparison.differences.as_slice() else {
        panic!("two differences")
    };
    // 2 of 2^8 assignments for eight equal differences, times two comparisons.
    assert_eq!((high.p_sign_flip, high.verdict), (Some(4.0 / 256.0), Verdict::Better));
    assert_eq!(
        (mixed.difference.wins, mixed.difference.ties, mixed.difference.losses),
        (4, 2, 2)
    );
    assert_eq!(mixed.verdict, Verdict::NoDifferenceShown);
    let comparison = against(&runs, "high");
    assert_eq!(comparison.differences[0].verdict, Verdict::Worse);
    let pairs = in_pairs(&runs);
    let names: Vec<_> = pairs
        .differences
        .iter()
        .map(|d| (d.run.as_str(), d.baseline.as_str()))
        .collect();
    assert_eq!(names, [("high", "low"), ("mixed", "low"), ("mixed", "high")]);
    assert_eq!(pairs.differences[0].p_sign_flip, Some(6.0 / 256.0));
    assert_eq!(pairs.baseline, None);
}

#[test]
fn equal_runs_share_a_place() {
    let runs = [
        run("a", &[90, 70]),
        run("b", &[70, 90]),
        run("c", &[90, 70]),
        run("d", &[99, 99]),
    ];
    let comparison = compared(&runs);
    let ranks: Vec<_> = comparison.runs.iter().map(|run| run.rank).collect();
    assert_eq!(ranks, [Some(1), Some(1), Some(1), Some(4)]);
    let verdicts: Vec<_> = comparison.differences.iter().map(|one| one.verdict).collect();
    assert_eq!(
        verdicts,
        [
            Verdict::NoDifferenceShown,
            Verdict::Identical,
            Verdict::NoDifferenceShown
        ]
    );
    assert_eq!(comparison.differences[1].p_sign_flip, Some(1.0));
    insta::assert_snapshot!(text(&comparison, 80), @"
    protocol nape-1 · corpus trades · predictor online-ngram · policy greedy
    mode single · stride 1
    ──────────────────────────────────────────────────────────
    run  n     UAS    95 % interval  pooled      AR  precision
    ──────────────────────────────────────────────────────────
    a    2  20.0 %  [-107.1, 100.0]  20.0 %  50.0 %     25.0 %
    b    2  20.0 %  [-107.1, 100.0]  20.0 %  50.0 %     25.0 %
    c    2  20.0 %  [-107.1, 100.0]  20.0 %  50.0 %     25.0 %
    d    2   1.0 %       [1.0, 1.0]   1.0 %  50.0 %     25.0 %
    ──────────────────────────────────────────────────────────

    difference in UAS from `a`, in points
    ────────────────────────────────────────────────────────────────────────────────
    run  points      95 % interval  +/=/-      p  p (W)    d_z  verdict
    ────────────────────────────────────────────────────────────────────────────────
    b      0.00  [-254.12, 254.12]  1/0/1  1.000  1.000   0.00  no difference shown
    c      0.00       [0.00, 0.00]  0/2/0  1.000  1.000      -  identical on every
                                                                trajectory
    d    -19.00  [-146.06, 108.06]  0/0/2  1.000  1.000  -1.34  no difference shown
    ────────────────────────────────────────────────────────────────────────────────
    highest mean UAS: `a`, `b`, `c` alike (20.0 %)
    not shown to be behind it: `d`
    `b`: only 2 pairs differ; p cannot be below 0.5
    `d`: only 2 pairs differ; p cannot be below 0.5
    2 trajectories are too few to resample: t interval (`a`, `b`, `c`, difference of `b`, difference of `d`)
    both trajectories have the same value: nothing is known of how far it may be off (`d`, difference of `c`)
    p: exact sign-flip test of the mean difference; p (W): Wilcoxon's signed-rank test, both adjusted by Holm's method for 3 comparisons
    ");
}

#[test]
fn what_is_incomplete_has_no_place() {
    let mut missing = run("missing", &[10, 10]);
    missing.missing = 1;
    let mut failed = run("failed", &[10, 10]);
    failed.repeats[0].push(UnitResult::lost("t3", 100, "gone".to_owned()));
    let mut both = failed.clone();
    both.name = "both".to_owned();
    both.missing = 2;
    let comparison = compared(&[missing, failed, both, run("empty", &[]), run("whole", &[90, 80, 70])]);
    assert_eq!(comparison.baseline.as_deref(), Some("whole"));
    let verdicts: Vec<_> = comparison.differences.iter().map(|one| one.verdict.words()).collect();
    assert_eq!(verdicts, ["not ranked", "not ranked", "not ranked", "nothing to pair"]);
    insta::assert_snapshot!(text(&comparison, 100), @"
    protocol nape-1 · corpus trades · predictor online-ngram · policy greedy · mode single · stride 1
    ──────────────────────────────────────────────────────────────
    run        n     UAS  95 % interval  pooled      AR  precision
    ──────────────────────────────────────────────────────────────
    missing  2 !  90.0 %   [90.0, 90.0]  90.0 %  50.0 %     25.0 %
    failed   2 !  90.0 %   [90.0, 90.0]  90.0 %  50.0 %     25.0 %
    both     2 !  90.0 %   [90.0, 90.0]  90.0 %  50.0 %     25.0 %
    empty    0 !       -              -       -       -          -
    whole      3  20.0 %   [-4.8, 44.8]  20.0 %  50.0 %     25.0 %
    ──────────────────────────────────────────────────────────────

    difference in UAS from `whole`, in points
    ──────────────────────────────────────────────────────────────────────────────
    run      points    95 % interval  +/=/-      p  p (W)     d_z  verdict
    ──────────────────────────────────────────────────────────────────────────────
    missing  +75.00  [11.47, 138.53]  2/0/0  1.000  1.000  +10.61  not ranked
    failed   +75.00  [11.47, 138.53]  2/0/0  1.000  1.000  +10.61  not ranked
    both     +75.00  [11.47, 138.53]  2/0/0  1.000  1.000  +10.61  not ranked
    empty         -                -      -      -      -       -  nothing to pair
    ──────────────────────────────────────────────────────────────────────────────
    highest mean UAS: `whole` (20.0 %)
    ! `missing` is incomplete (1 unit missing): a run with missing units is not ranked
    ! `failed` is incomplete (1 unit failed): a run with failed units is not ranked
    ! `both` is incomplete (2 units missing, 1 failed): a run with missing and failed units is not ranked
    ! `empty` is incomplete (no unit): a run without units is not ranked
    `missing`: 2 of 3 trajectories are paired, left out: 1 missing in one of them
    `missing`: only 2 pairs differ; p cannot be below 0.5
    `failed`: 2 of 3 trajectories are paired, left out: 1 failed
    `failed`: only 2 pairs differ; p cannot be below 0.5
    `both`: 2 of 3 trajectories are paired, left out: 1 failed
    `both`: only 2 pairs differ; p cannot be below 0.5
    `empty`: 0 of 3 trajectories are paired, left out: 3 missing in one of them
    both trajectories have the same value: nothing is known of how far it may be off (`missing`, `failed`, `both`)
    3 trajectories are too few to resample: t interval (`whole`)
    2 trajectories are too few to resample: t interval (difference of `missing`, difference of `failed`, difference of `both`)
    p: exact sign-flip test of the mean difference; p (W): Wilcoxon's signed-rank test, both adjusted by Holm's method for 3 comparisons
    ");
}

#[test]
fn other_trajectories_are_no_pairs() {
    let [a, b] = two();
    for (other, why) in [
        (renamed(b.clone(), "x"), "names"),
        (digested(b.clone(), "other-"), "digests"),
    ] {
        let a = digested(a.clone(), "");
        let comparison = compared(&[a.clone(), other.clone()]);
        assert_eq!((&comparison.baseline, comparison.best().count()), (&None, 0), "{why}");
        assert!(comparison.differences.is_empty(), "{why}");
        let comparison = against(&[a, other], "a");
        let one = &comparison.differences[0];
        assert_eq!(
            (one.p_sign_flip, one.p_wilcoxon, one.difference.mean),
            (None, None, None),
            "{why}"
        );
        assert_eq!(one.verdict, Verdict::NothingPaired, "{why}");
        assert_eq!(comparison.best().count(), 0, "{why}");
    }
    // Without digests on one side lengths have to do.
    let mut longer = b.clone();
    for unit in &mut longer.repeats[0] {
        unit.summary.actions = 101;
    }
    assert!(compared(&[digested(a.clone(), ""), longer]).strangers.is_some());
    assert!(compared(&[digested(a, ""), b]).strangers.is_none());
}

#[test]
fn corpora_without_a_trajectory_in_common_are_told() {
    let [mut a, mut b] = two();
    (a.setup.corpus, b.setup.corpus) = ("one/data".to_owned(), "two/data".to_owned());
    let runs = [a.clone(), renamed(b, "x")];
    insta::assert_snapshot!(text(&compared(&runs), 80), @"
    protocol nape-1 · predictor online-ngram · policy greedy · mode single
    stride 1
    ──────────────────────────────────────────────────────────────────
    run  corpus    n     UAS  95 % interval  pooled      AR  precision
    ──────────────────────────────────────────────────────────────────
    a    one/data  3  20.0 %   [-4.8, 44.8]  20.0 %  50.0 %     25.0 %
    b    two/data  3  16.7 %   [-9.2, 42.5]  16.7 %  50.0 %     25.0 %
    ──────────────────────────────────────────────────────────────────
    no run is ranked: `a` (corpus one/data) and `b` (corpus two/data) have no trajectory in common
    3 trajectories are too few to resample: t interval (`a`, `b`)
    ");
    let mut third = run("c", &[99, 80, 70]);
    third.setup = a.setup.clone();
    let [a, b] = runs;
    insta::assert_snapshot!(text(&compared(&[a.clone(), b.clone(), third.clone()]), 80), @"
    protocol nape-1 · predictor online-ngram · policy greedy · mode single
    stride 1
    ──────────────────────────────────────────────────────────────────
    run  corpus    n     UAS  95 % interval  pooled      AR  precision
    ──────────────────────────────────────────────────────────────────
    a    one/data  3  20.0 %   [-4.8, 44.8]  20.0 %  50.0 %     25.0 %
    b    two/data  3  16.7 %   [-9.2, 42.5]  16.7 %  50.0 %     25.0 %
    c    one/data  3  17.0 %  [-19.6, 53.6]  17.0 %  50.0 %     25.0 %
    ──────────────────────────────────────────────────────────────────
    no run is ranked: `a` (corpus one/data) and `b` (corpus two/data) have no trajectory in common; name a baseline, or compare all pairs
    3 trajectories are too few to resample: t interval (`a`, `b`, `c`)
    ");
    insta::assert_snapshot!(text(&in_pairs(&[a, b, third]), 80), @"
    protocol nape-1 · predictor online-ngram · policy greedy · mode single
    stride 1
    ──────────────────────────────────────────────────────────────────
    run  corpus    n     UAS  95 % interval  pooled      AR  precision
    ──────────────────────────────────────────────────────────────────
    a    one/data  3  20.0 %   [-4.8, 44.8]  20.0 %  50.0 %     25.0 %
    b    two/data  3  16.7 %   [-9.2, 42.5]  16.7 %  50.0 %     25.0 %
    c    one/data  3  17.0 %  [-19.6, 53.6]  17.0 %  50.0 %     25.0 %
    ──────────────────────────────────────────────────────────────────

    difference in UAS, run - against, in points
    ────────────────────────────────────────────────────────────────────────────────
    run  against  points   95 % interval  +/=/-      p  p (W)    d_z  verdict
    ────────────────────────────────────────────────────────────────────────────────
    b    a             -               -      -      -      -      -  nothing to
                                                                      pair
    c    a         -3.00  [-15.91, 9.91]  0/2/1  1.000  1.000  -0.58  no difference
                                                                      shown
    c    b             -               -      -      -      -      -  nothing to
                                                                      pair
    ────────────────────────────────────────────────────────────────────────────────
    no run is ranked: `a` (corpus one/data) and `b` (corpus two/data) have no trajectory in common
    `b` (corpus two/data) and `a` (corpus one/data) have no trajectory in common: nothing is compared
    `c` against `a`: 2 of 3 trajectories tie
    `c` against `a`: only 1 pair differs, from which no test can tell anything
    `c` (corpus one/data) and `b` (corpus two/data) have no trajectory in common: nothing is compared
    3 trajectories are too few to resample: t interval (`a`, `b`, `c`, `c` - `a`)
    p: exact sign-flip test of the mean difference; p (W): Wilcoxon's signed-rank test
    ");
}

#[test]
fn reasons_of_trajectories_that_are_left_out_are_told() {
    let mut left = run("left", &[90, 80, 70, 60, 50]);
    let mut right = digested(run("right", &[90, 81, 70, 60, 50, 40]), "");
    left = digested(left, "");
    left.digests.insert("t1".to_owned(), "another".to_owned());
    let stopped = &mut left.repeats[0][2].summary;
    (stopped.limit, stopped.outcome, stopped.uas) = (Some(Limit::ChainMax), Outcome::Truncated, None);
    let stopped = &mut left.repeats[0][3].summary;
    (stopped.limit, stopped.outcome) = (Some(Limit::StepLimit), Outcome::Truncated);
    right.repeats[0][4].summary.uas = None;
    let comparison = against(&[left.clone(), right.clone()], "right");
    let one = &comparison.differences[0];
    let expected = LeftOut {
        missing: 1,
        different: 1,
        failed: 0,
        truncated: 1,
        undefined: 1,
    };
    assert_eq!((one.left_out, one.truncated, one.difference.n), (expected, 1, 2));
    assert_eq!(
        one.left_out.words(),
        "1 missing in one of them, 1 with other actions under the same name, 1 truncated (chain-max or future-max: no \
         UAS), 1 without the figure"
    );
    let shown = text(&comparison, 100);
    let of_limits: Vec<&str> = shown.lines().filter(|line| line.contains("truncated")).collect();
    assert_eq!(
        of_limits,
        [
            "`left`: 1 truncated (step limit: what was left undone counts as saved)",
            "`left`: 1 truncated (chain-max or future-max: no UAS)",
            "`left`: 2 of 6 trajectories are paired, left out: 1 missing in one of them, 1 with other actions under the same \
             name, 1 truncated (chain-max or future-max: no UAS), 1 without the figure",
        ]
    );
    assert!(
        shown.contains("`left`: only 1 pair differs, from which no test can tell anything\n"),
        "{shown}"
    );
    assert!(shown.contains("`left`: 1 of 2 trajectories ties\n"), "{shown}");
    // A figure that a truncated rollout has is compared.
    let settings = ComparisonSettings {
        metric: Metric::AcceptanceRate,
        ..ComparisonSettings::default()
    };
    let by_rate = Comparison::of(&[left, right], &settings).unwrap();
    assert_eq!(by_rate.differences[0].left_out.total(), 2);
    assert_eq!(
        by_rate.runs[0].interval.map(|interval| (interval.low, interval.high)),
        Some((0.5, 0.5))
    );
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let usual = ComparisonSettings::default();
    assert_eq!(refusal(&[], &usual), "compare: there is no run");
    let [a, mut b] = two();
    assert_eq!(
        refusal(&[a.clone(), a.clone()], &usual),
        "compare two runs that are both named `a`: name them apart; an experiment is named by its key `name`, a run by \
         its folder"
    );
    let with = |change: fn(&mut ComparisonSettings)| {
        let mut settings = usual.clone();
        change(&mut settings);
        settings
    };
    let runs = two();
    let baseline = with(|settings| settings.baseline = Some("A".to_owned()));
    assert_eq!(
        refusal(&runs, &baseline),
        "compare with `A`: no run has that name (did you mean `a`?)"
    );
    let level = with(|settings| settings.level = 95.0);
    assert_eq!(
        refusal(&runs, &level),
        "take 95 as a confidence level: expected a number between 0.5 and 0.999"
    );
    let resamples = with(|settings| settings.resamples = 1);
    assert_eq!(
        refusal(&runs, &resamples),
        "bootstrap with too few resamples: at least 200 are needed, found 1"
    );
    b.setup.protocol = "exact-1".to_owned();
    assert_eq!(
        refusal(&[a, b], &usual),
        "compare `a` (protocol nape-1) with `b` (protocol exact-1): figures of different protocols cannot be compared"
    );
}

#[test]
fn repeats_are_means_and_their_spread_is_told() {
    let mut drawn = run("drawn", &[90, 80]);
    drawn.repeats.push(run("drawn", &[80, 80]).repeats.remove(0));
    let mut same = run("same", &[90, 90]);
    same.repeats.push(same.repeats[0].clone());
    let comparison = compared(&[drawn.clone(), same]);
    let first = &comparison.runs[0];
    assert_eq!((first.trajectories, first.repeats), (2, 2));
    // (0.1 + 0.2) / 2 and (0.2 + 0.2) / 2
    close(first.mean, 0.175);
    let spread = first.spread.unwrap();
    assert_eq!((spread.lowest, spread.highest), (0.15000000000000002, 0.2));
    insta::assert_snapshot!(text(&comparison, 90), @"
    protocol nape-1 · corpus trades · predictor online-ngram · policy greedy · mode single
    stride 1
    ──────────────────────────────────────────────────────────
    run    n     UAS  95 % interval  pooled      AR  precision
    ──────────────────────────────────────────────────────────
    drawn  2  17.5 %  [-14.3, 49.3]  17.5 %  50.0 %     25.0 %
    same   2  10.0 %   [10.0, 10.0]  10.0 %  50.0 %     25.0 %
    ──────────────────────────────────────────────────────────

    difference in UAS from `drawn`, in points
    ──────────────────────────────────────────────────────────────────────────────
    run   points    95 % interval  +/=/-      p  p (W)    d_z  verdict
    ──────────────────────────────────────────────────────────────────────────────
    same   -7.50  [-39.27, 24.27]  0/0/2  0.500  0.500  -2.12  no difference shown
    ──────────────────────────────────────────────────────────────────────────────
    highest mean UAS: `drawn` (17.5 %)
    not shown to be behind it: `same`
    `drawn`: means of 2 seeds from 15.0 % to 20.0 %, SD 3.54 points; SD between seeds on one trajectory 5.00, between trajectories 0.00 points
    `same`: identical over 2 seeds
    `same`: only 2 pairs differ; p cannot be below 0.5
    2 trajectories are too few to resample: t interval (`drawn`, difference of `same`)
    both trajectories have the same value: nothing is known of how far it may be off (`same`)
    p: exact sign-flip test of the mean difference; p (W): Wilcoxon's signed-rank test
    ");
    // A repeat that lacks a trajectory says nothing of it.
    drawn.repeats[1].pop();
    let comparison = compared(&[drawn]);
    assert_eq!(
        (comparison.runs[0].trajectories, comparison.runs[0].trajectories_all),
        (1, 2)
    );
}

/// Fourteen trajectories of which `better` does every one in other measure than `base`.
fn many() -> [ComparedRun; 3] {
    let base: Vec<u32> = (0..14).map(|idx| 90 - idx).collect();
    let better: Vec<u32> = (0..14).map(|idx| 90 - idx - 1 - idx * idx % 11).collect();
    let close: Vec<u32> = (0..14).map(|idx| if idx == 3 { 80 } else { 90 - idx }).collect();
    [
        run("base", &base),
        run("policy=hybrid", &better),
        run("stride=2", &close),
    ]
}

#[test]
fn tables_fit_their_width() {
    let [mut base, mut better, mut close] = many();
    let policy = "precision >= 0.9 and saved >= 1 or hybrid-1";
    for run in [&mut base, &mut better, &mut close] {
        run.setup.predictor = "online-ngram?max_n=4&min_match=3&values=v2".to_owned();
        run.setup.corpus = "my/corpora/trades".to_owned();
        run.setup.policy = policy.to_owned();
    }
    better.setup.policy = "hybrid".to_owned();
    close.setup.settings.stride = 2;
    let comparison = against(&[base, better, close], "base");
    insta::assert_snapshot!(text(&comparison, 80), @"
    protocol nape-1 · corpus trades
    predictor online-ngram?max_n=4&min_match=3&values=v2 · mode single
    where names do not say: policy precision >= 0.9 and saved >= 1 or hybrid-1
    stride 1
    ───────────────────────────────────────────────────────────────────
    run             n     UAS  95 % interval  pooled      AR  precision
    ───────────────────────────────────────────────────────────────────
    base           14  16.5 %   [14.3, 18.7]  16.5 %  50.0 %     25.0 %
    policy=hybrid  14  21.0 %   [17.6, 23.4]  21.0 %  50.0 %     25.0 %
    stride=2       14  17.0 %   [14.6, 19.0]  17.0 %  50.0 %     25.0 %
    ───────────────────────────────────────────────────────────────────

    difference in UAS from `base`, in points
    ────────────────────────────────────────────────────────────────────────────────
    run            points          95 %   +/=/-       p   p (W)    d_z  verdict
                               interval
    ────────────────────────────────────────────────────────────────────────────────
    policy=hybrid   +4.50  [3.08, 6.38]  14/0/0  <0.001  <0.001  +1.55  better
    stride=2        +0.50       [-0.58,  1/13/0   1.000   1.000  +0.27  no
                                  1.58]                                 difference
                                                                        shown
    ────────────────────────────────────────────────────────────────────────────────
    highest mean UAS: `policy=hybrid` (21.0 %)
    `stride=2`: 13 of 14 trajectories tie
    `stride=2`: only 1 pair differs, from which no test can tell anything
    95 % intervals: studentised bootstrap over trajectories, 10,000 resamples, seed 0
    13 of 14 trajectories have the same value, and the others are too few to resample: t interval (difference of `stride=2`)
    p: exact sign-flip test of the mean difference; p (W): Wilcoxon's signed-rank test, both adjusted by Holm's method for 2 comparisons
    ");
    for width in [76, 80, 100, 200] {
        let shown = text(&comparison, width);
        let (tables, _) = shown.split_once("highest mean").unwrap();
        let widest = tables.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(usize::from(width)), "{width}: {widest:?}\n{tables}");
    }
}

#[test]
fn many_runs_of_few_trajectories_get_one_note() {
    let runs: Vec<ComparedRun> = (0..12)
        .map(|idx| run(&format!("run-{idx}"), &[90 - idx, 80, 70]))
        .collect();
    let shown = text(&compared(&runs), 80);
    let notes: Vec<&str> = shown.lines().filter(|line| line.contains("too few")).collect();
    assert_eq!(
        notes,
        [
            "3 trajectories are too few to resample: t interval (`run-0`, `run-1`, `run-2`, `run-3`, `run-4`, `run-5`, \
          `run-6`, `run-7` and 15 more)"
        ]
    );
    assert!(!shown.contains("resamples"), "{shown}");
}

#[test]
fn a_lone_run_is_shown_without_comparison() {
    let mut lone = run("lone", &[90]);
    lone.repeats[0].push(UnitResult {
        summary: summary("t2", 100, 100),
        coverage: None,
    });
    insta::assert_snapshot!(text(&compared(&[lone]), 80), @"
    protocol nape-1 · corpus trades · predictor online-ngram · policy greedy
    mode single · stride 1
    ────────────────────────────────────────────────────────
    run   n    UAS  95 % interval  pooled      AR  precision
    ────────────────────────────────────────────────────────
    lone  2  5.0 %  [-58.5, 68.5]   5.0 %  50.0 %     12.5 %
    ────────────────────────────────────────────────────────
    2 trajectories are too few to resample: t interval (`lone`)
    ");
}
