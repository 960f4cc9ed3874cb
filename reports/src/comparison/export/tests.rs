use super::*;
use crate::comparison::{ComparedRun, ComparisonSettings};
use crate::fixtures::run;

/// Two complete runs, one with a name that means something in every format, and one of which a unit is missing.
fn three() -> Comparison {
    let mut odd = run("=a_1 & <b>|{c}", &[95, 80, 75]);
    odd.setup.policy = "precision >= 50% & `x`".to_owned();
    let mut missing = run("late", &[99, 99]);
    missing.missing = 1;
    let runs: [ComparedRun; 3] = [run("a", &[90, 80, 70]), odd, missing];
    Comparison::of(&runs, &ComparisonSettings::default()).unwrap()
}

/// Runs without a trajectory in common, one of them the baseline.
fn strangers() -> Comparison {
    let mut other = run("other", &[95, 80]);
    other.setup.corpus = "more/trades".to_owned();
    for unit in &mut other.repeats[0] {
        unit.summary.name.push('x');
    }
    let settings = ComparisonSettings {
        baseline: Some("a".to_owned()),
        ..ComparisonSettings::default()
    };
    Comparison::of(&[run("a", &[90, 80]), other], &settings).unwrap()
}

fn exported(comparison: &Comparison, format: Format) -> String {
    export(comparison, format).unwrap()
}

/// Each row's cells by the names of their columns, empty ones left out.
fn cells(csv: &str) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    let row = |row: csv::StringRecord| {
        let pairs = header.iter().zip(row.iter()).filter(|(_, cell)| !cell.is_empty());
        pairs.map(|(name, cell)| (name.to_owned(), cell.to_owned())).collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn cell<'a>(row: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = row.iter().find(|(column, _)| column == name);
    found.map(|(_, cell)| cell.as_str())
}

#[test]
fn csv_has_a_row_a_comparison() {
    let csv = exported(&three(), Format::Csv);
    insta::assert_snapshot!(csv.lines().next().unwrap().replace(',', "\n"), @"
    run
    protocol
    corpus
    predictor
    policy
    mode
    stride
    context
    trigger
    max_actions
    step_limit
    undo_max
    chain_max
    repredict
    seed
    trajectories
    trajectories_all
    repeats
    missing
    failed
    truncated
    diverged
    rank
    metric
    mean
    low
    high
    level
    method
    pooled
    uas
    uas_pooled
    ar
    ar_pooled
    precision
    pcov
    pcov_attempted
    undo_actions
    repeats_sd
    baseline
    pairs
    left_out
    difference
    difference_low
    difference_high
    wins
    ties
    losses
    p_sign_flip
    p_sign_flip_holm
    p_wilcoxon
    p_wilcoxon_holm
    cohens_dz
    rank_biserial
    verdict
    ");
    let rows = cells(&csv);
    assert_eq!(rows.len(), 3);
    let [best, odd, late] = rows.as_slice() else {
        panic!("three rows")
    };
    assert_eq!(
        (cell(best, "rank"), cell(best, "difference"), cell(best, "verdict")),
        (Some("1"), None, None)
    );
    assert_eq!(cell(best, "mean"), Some("0.20000000000000004"));
    assert_eq!(cell(best, "method"), Some("Student t"));
    assert_eq!(cell(odd, "run"), Some("'=a_1 & <b>|{c}"));
    assert_eq!(
        (cell(odd, "pairs"), cell(odd, "wins"), cell(odd, "losses")),
        (Some("3"), Some("0"), Some("2"))
    );
    assert_eq!(
        (cell(odd, "p_sign_flip"), cell(odd, "p_sign_flip_holm")),
        (Some("0.5"), Some("1"))
    );
    assert_eq!(
        (cell(late, "rank"), cell(late, "missing"), cell(late, "left_out")),
        (None, Some("1"), Some("1"))
    );
    assert_eq!(cell(late, "verdict"), Some("not ranked"));
}

#[test]
fn csv_leaves_empty_what_was_not_compared() {
    let rows = cells(&exported(&strangers(), Format::Csv));
    let [one, other] = rows.as_slice() else {
        panic!("two rows")
    };
    assert_eq!((cell(one, "rank"), cell(other, "rank")), (None, None));
    for column in [
        "difference",
        "difference_low",
        "p_sign_flip",
        "p_sign_flip_holm",
        "p_wilcoxon",
        "p_wilcoxon_holm",
    ] {
        assert_eq!(cell(other, column), None, "{column}");
    }
    assert_eq!(
        (cell(other, "pairs"), cell(other, "verdict")),
        (Some("0"), Some("nothing to pair"))
    );
    assert_eq!(
        (cell(one, "corpus"), cell(other, "corpus")),
        (Some("trades"), Some("more/trades"))
    );
}

#[test]
fn json_has_everything() {
    let text = exported(&three(), Format::Json);
    let mut object: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(text.ends_with("}\n"));
    assert_eq!(object["schema"], SCHEMA);
    // The set-up is that of the record, of which the module `setup` tells.
    for run in object["runs"].as_array_mut().unwrap() {
        assert!(run.as_object_mut().unwrap().shift_remove("setup").is_some());
    }
    let two = serde_json::json!({ "run": object["runs"][0], "difference": object["differences"][0] });
    insta::assert_snapshot!(serde_json::to_string_pretty(&two).unwrap(), @r#"
    {
      "run": {
        "name": "a",
        "corpus": "trades",
        "complete": true,
        "rank": 1,
        "trajectories": 3,
        "trajectories_all": 3,
        "repeats": 1,
        "missing": 0,
        "failed": 0,
        "truncated": 0,
        "diverged": 0,
        "mean": 0.20000000000000004,
        "interval": {
          "low": -0.04841377117494469,
          "high": 0.44841377117494474,
          "level": 0.95,
          "method": "Student t",
          "note": "3 trajectories are too few to resample: t interval"
        },
        "pooled": 0.19999999999999996,
        "uas": 0.20000000000000004,
        "uas_pooled": 0.19999999999999996,
        "ar": 0.5,
        "ar_pooled": 0.5,
        "precision": 0.25,
        "pcov": null,
        "pcov_attempted": null,
        "undo_actions": 0.0,
        "spread": null
      },
      "difference": {
        "run": "=a_1 & <b>|{c}",
        "baseline": "a",
        "pairs": 3,
        "left_out": {
          "missing": 0,
          "different": 0,
          "failed": 0,
          "truncated": 0,
          "undefined": 0
        },
        "truncated": 0,
        "mean": -0.03333333333333333,
        "standard_deviation": 0.028867513459481284,
        "interval": {
          "low": -0.10504421216246557,
          "high": 0.038377545495798894,
          "level": 0.95,
          "method": "Student t",
          "note": "3 trajectories are too few to resample: t interval"
        },
        "wins": 0,
        "ties": 1,
        "losses": 2,
        "sign_flip": {
          "p": 0.5,
          "p_adjusted": 1.0,
          "n": 2,
          "method": "exact",
          "drawn": null
        },
        "wilcoxon": {
          "p": 0.5,
          "p_adjusted": 1.0,
          "n": 2,
          "method": "exact",
          "drawn": null
        },
        "cohens_dz": -1.1547005383792517,
        "rank_biserial": -1.0,
        "verdict": "no difference shown"
      }
    }
    "#);
    let late = &object["runs"][2];
    assert_eq!(
        (&late["complete"], &late["rank"], &late["missing"]),
        (&false.into(), &().into(), &1.into())
    );
}

#[test]
fn json_says_what_was_not_compared() {
    let object: serde_json::Value = serde_json::from_str(&exported(&strangers(), Format::Json)).unwrap();
    assert_eq!(object["strangers"], serde_json::json!(["a", "other"]));
    let difference = &object["differences"][0];
    for test in ["sign_flip", "wilcoxon"] {
        assert_eq!(
            (&difference[test]["p"], &difference[test]["p_adjusted"]),
            (&serde_json::Value::Null, &serde_json::Value::Null)
        );
    }
    assert_eq!((&difference["pairs"], &difference["mean"]), (&0.into(), &().into()));
    assert_eq!(object["runs"][1]["corpus"], "more/trades");
}

#[test]
fn markdown_is_a_table() {
    insta::assert_snapshot!(exported(&three(), Format::Markdown), @r"
    protocol nape-1, corpus trades, predictor online-ngram, mode single, stride 1

    | run | policy | n | UAS | 95 % interval | pooled | AR | precision |
    | --- | --- | --: | --: | --: | --: | --: | --: |
    | a | greedy | 3 | 20.0 % | \[-4.8, 44.8\] | 20.0 % | 50.0 % | 25.0 % |
    | =a\_1 &amp; &lt;b&gt;\|\{c\} | precision &gt;= 50% &amp; \`x\` | 3 | 16.7 % | \[-9.2, 42.5\] | 16.7 % | 50.0 % | 25.0 % |
    | late | greedy | 2 \! | 1.0 % | \[1.0, 1.0\] | 1.0 % | 50.0 % | 25.0 % |

    difference in UAS from \`a\`, in points

    | run | points | 95 % interval | +/=/- | p | p (W) | d\_z | verdict |
    | --- | --: | --: | --: | --: | --: | --: | --- |
    | =a\_1 &amp; &lt;b&gt;\|\{c\} | -3.33 | \[-10.50, 3.84\] | 0/1/2 | 1.000 | 1.000 | -1.15 | no difference shown |
    | late | -14.00 | \[-77.53, 49.53\] | 0/0/2 | 1.000 | 1.000 | -1.98 | not ranked |

    - highest mean UAS&#58; \`a\` (20.0 %)
    - not shown to be behind it&#58; \`=a\_1 &amp; &lt;b&gt;\|\{c\}\`
    - \! \`late\` is incomplete (1 unit missing)&#58; a run with missing units is not ranked
    - \`=a\_1 &amp; &lt;b&gt;\|\{c\}\`&#58; only 2 pairs differ; p cannot be below 0.5
    - \`late\`&#58; 2 of 3 trajectories are paired, left out&#58; 1 missing in one of them
    - \`late\`&#58; only 2 pairs differ; p cannot be below 0.5
    - 3 trajectories are too few to resample&#58; t interval (\`a\`, \`=a\_1 &amp; &lt;b&gt;\|\{c\}\`, difference of \`=a\_1 &amp; &lt;b&gt;\|\{c\}\`)
    - both trajectories have the same value&#58; nothing is known of how far it may be off (\`late\`)
    - 2 trajectories are too few to resample&#58; t interval (difference of \`late\`)
    - p&#58; exact sign-flip test of the mean difference; p (W)&#58; Wilcoxon's signed-rank test, both adjusted by Holm's method for 2 comparisons
    ");
}

#[test]
fn latex_is_a_table() {
    insta::assert_snapshot!(exported(&three(), Format::Latex), @r"
    % Needs \usepackage{booktabs}.
    % protocol nape-1, corpus trades, predictor online-ngram, mode single, stride 1
    \begin{tabular}{llrrrrrr}
    \toprule
    run & policy & n & UAS & 95 \% interval & pooled & AR & precision \\
    \midrule
    {}a & greedy & 3 & 20.0 \% & [$-$4.8, 44.8] & 20.0 \% & 50.0 \% & 25.0 \% \\
    {}=a\_1 \& \textless{}b\textgreater{}\textbar{}\{c\} & precision \textgreater{}= 50\% \& \textasciigrave{}x\textasciigrave{} & 3 & 16.7 \% & [$-$9.2, 42.5] & 16.7 \% & 50.0 \% & 25.0 \% \\
    {}late & greedy & 2 ! & 1.0 \% & [1.0, 1.0] & 1.0 \% & 50.0 \% & 25.0 \% \\
    \bottomrule
    \end{tabular}

    % difference in UAS from `a`, in points
    \begin{tabular}{lrrrrrrl}
    \toprule
    run & points & 95 \% interval & +/=/- & p & p (W) & d\_z & verdict \\
    \midrule
    {}=a\_1 \& \textless{}b\textgreater{}\textbar{}\{c\} & $-$3.33 & [$-$10.50, 3.84] & 0/1/2 & 1.000 & 1.000 & $-$1.15 & no difference shown \\
    {}late & $-$14.00 & [$-$77.53, 49.53] & 0/0/2 & 1.000 & 1.000 & $-$1.98 & not ranked \\
    \bottomrule
    \end{tabular}
    % highest mean UAS: `a` (20.0 %)
    % not shown to be behind it: `=a_1 & <b>|{c}`
    % ! `late` is incomplete (1 unit missing): a run with missing units is not ranked
    % `=a_1 & <b>|{c}`: only 2 pairs differ; p cannot be below 0.5
    % `late`: 2 of 3 trajectories are paired, left out: 1 missing in one of them
    % `late`: only 2 pairs differ; p cannot be below 0.5
    % 3 trajectories are too few to resample: t interval (`a`, `=a_1 & <b>|{c}`, difference of `=a_1 & <b>|{c}`)
    % both trajectories have the same value: nothing is known of how far it may be off (`late`)
    % 2 trajectories are too few to resample: t interval (difference of `late`)
    % p: exact sign-flip test of the mean difference; p (W): Wilcoxon's signed-rank test, both adjusted by Holm's method for 2 comparisons
    ");
}

#[test]
fn formats_are_known_by_name() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
    assert_eq!(
        ("markdown".parse(), "tex".parse()),
        (Ok(Format::Markdown), Ok(Format::Latex))
    );
    let message = |name: &str| name.parse::<Format>().unwrap_err().to_string();
    assert_eq!(
        message("jsno"),
        "export as `jsno`: there is no such format (did you mean `json`?); there are csv, json, md, latex"
    );
    assert!(message("parquet").contains("no such format; there are"));
}
