//! What the program says of itself.

use crate::command::{Folder, PLAN};

fn output(arguments: &str) -> String {
    Folder::new().napsim(arguments).output(0)
}

#[test]
fn help_lists_the_commands() {
    insta::assert_snapshot!(output("--help"), @r"
    Measures next-action predictors for spreadsheets.

    A simulated user works through recorded trajectories; after each step a predictor proposes what
    comes next, a policy takes or refuses it, and what is left to do is rewritten.

    Usage: napsim <COMMAND>

    Commands:
      run              Measure a predictor on a corpus
      sweep            Measure what is missing of an experiment, and compare its variants
      plan             Say what an experiment would measure, or print a script that has it measured
                       elsewhere
      status           Say how far an experiment has come
      compare          Compare runs on the trajectories that they have in common
      export           Hand measured runs to other programs
      merge            Unite stores that were filled apart from each other
      verify           Make sure that the records of a store are whole and say what comes out
      gc               Remove from a store what no experiment needs
      import-config    Make an experiment out of a config of the published system
      show             Print the figures of a recorded run again
      streaks          Say how many predictions are accepted in a row
      breakdown        Say which predictions are accepted, by kind, trigger, length and more
      trace            Show a recorded trajectory step by step
      report           Write a page about runs with tables, charts and replays
      replay           Derive every figure of a recorded run again, without the predictor, and compare
      explain          Explain a figure, a protocol and its rules, a policy or a predictor
      list             List predictors, policies, protocols or profiles
      trajectory       Show, count or check trajectories
      corpus           Write, make, check and describe corpora of trajectories
      train            Train a predictor on trajectories
      model            Look at trained models, fetch and import others
      prompt           Look at what language models are asked
      cache            Look at, check and tidy up the answers of language models that runs share
      suggest          Print what a predictor proposes next for one history
      check-predictor  Check that a predictor holds to what every predictor must hold to
      help             Print this message or the help of the given subcommand(s)

    Options:
      -h, --help
              Print help (see a summary with '-h')

      -V, --version
              Print version

    Examples:
      napsim run                             measure the online n-gram on the built-in trajectories
      napsim run my/trajectories --out runs/first
      napsim show runs/first                 print the table of a recorded run again
      napsim report runs/first               a page with tables, charts and replays
      napsim streaks runs/first              how many predictions are accepted in a row
      napsim breakdown runs/first --by kind  which predictions are accepted
      napsim trace runs/first 01-bakery      one trajectory step by step
      napsim replay runs/first               derive every figure of it again
      napsim sweep experiments/first.toml    measure and compare the variants of an experiment
      napsim compare runs/first runs/second  which of two runs is better, and whether that is chance
      napsim explain uas                     what a figure means
      napsim corpus build plan.xlsx          make trajectories out of workbooks
      napsim train ngram --help              how to train a predictor
      napsim prompt show --predictor openai/gpt-5-mini
                                             what a language model would be asked
      napsim suggest --history plan.txt      what a predictor proposes next for one history
      napsim check-predictor 'exec:python3 my_predictor.py'
                                             what is wrong with a predictor of your own

    Exit codes: 0 complete, 1 a bug, 2 bad input, 10 a check failed, 20 incomplete, 30 environment, 130
    and 143 interrupted.
    ");
}

#[test]
fn help_of_run_lists_options_and_defaults() {
    insta::assert_snapshot!(output("run -h"), @r"
    Measure a predictor on a corpus

    Usage: napsim run [OPTIONS] [CORPUS]

    Arguments:
      [CORPUS]  File, folder or glob pattern with trajectories; without it the built-in corpus [default:
                napsim-52]

    Options:
          --predictor <NAME>    Predictor to measure, with options: `online-ngram?max_n=4` (see `napsim
                                list predictors`) [default: online-ngram]
          --policy <NAME|RULE>  When the user takes a proposal: a name or a rule such as 'precision >=
                                0.9 and saved >= 1' [default: greedy]
          --protocol <NAME>     Rules of measurement [default: nape-1]
          --mode <MODE>         One action a call and again until refused, or as many as the predictor
                                likes once a user action [default: single] [possible values: single,
                                multi]
          --stride <N>          Ask after every N-th action [default: 1]
          --trigger <TRIGGER>   Ask only after certain actions: `after:merge,align`, `run:3`,
                                `kind-change`, `area-change`; repeatable
          --context <N|all>     Actions of the history that the predictor knows [default: the
                                predictor's own]
          --context-block <N>   Oldest actions that a language model forgets at once; 1 moves its
                                context with every action, as published, which is slow [default: the
                                predictor's own]
          --values <v1|v2>      How the predictor finds values: `v1` as published, `v2` by value models
                                [default: the predictor's own]
          --confidence <P>      Least probability of being taken with which a trained predictor
                                proposes, from 0 to 1 [default: its model's]
          --max-actions <N>     Most proposed actions kept a call [default: 1 in single mode, no limit
                                in multi mode]
          --step-limit <LIMIT>  Most user actions a trajectory: a number, a share of its length, the
                                smaller of both, or `none` [default: 1200,120%]
          --undo-max <N>        Most undo actions when a future is rewritten [default: 250]
          --chain-max <N>       Acceptances in a row that may fail to shorten the future before a
                                rollout is stopped [default: 1000]
          --seed <N>            Seed of everything random in a predictor [default: 0]
          --jobs <N>            Trajectories at a time [default: the number of cores, or all where
                                models are asked over HTTP]; makes no difference to any figure
          --engine <ENGINE>     How proposals are judged; `plain` is slow, for checking, and makes no
                                difference to any figure [default: fast] [possible values: fast, plain]
          --out <DIR>           Keep the record of the run in this folder; the same command goes on
                                where an interrupted one stopped
          --force               Forget another run that the folder of `--out` holds
          --log-calls <FILE>    Write one JSON line a call to this file; `-` is the standard output, and
                                the table goes elsewhere
          --gate <RULE>         Fail with exit code 10 unless the run keeps this: 'uas >= 0.12',
                                'precision > 20% and uas.low >= 0.1'; repeatable
          --lenient             Skip malformed lines of trajectories and count them
          --per-trajectory      Print one line a trajectory before the table
          --json                Print one JSON object (schema napsim-run/1) instead of tables
          --timings             Say where the time went: after the table on the standard error, or under
                                `timings` in the JSON object
          --quiet               Show no progress
      -h, --help                Print help (see more with '--help')

    Language models over HTTP:
          --base-url <URL>            Address of the server [default: the provider's own, or that of
                                      OPENAI_BASE_URL and the like]
          --system-prompt <FILE>      Template of the system message (docs/PROMPTS.md; `napsim prompt
                                      template system` prints the built-in one)
          --user-prompt <FILE>        Template of the user's message
          --completion-prompt <FILE>  Template of what a model continues, for `api=completion`
          --dry-run                   Say how many questions the run would ask and what that would take,
                                      and ask none
          --on-failed-call <HOW>      What follows a refusal, a filtered or cut-off answer and the like:
                                      the trajectory stops there and is incomplete, or goes on with a
                                      failed call [default: stop] [possible values: stop, go-on]
          --cache <DIR>               Folder of answers that all runs share [default: NAPSIM_CACHE, or
                                      napsim in the user's cache folder]
          --no-cache                  Share no answers with other runs; what `napsim run --out` keeps
                                      has its own
          --record <FILE>             Add all answers of the run to a file that others can replay
                                      without keys; until the end they are in FILE.partial
          --replay <FILE>             Take all answers from a recording and ask nobody
          --prices <FILE>             What models cost: a file in TOML such as examples/prices.toml
          --budget-usd <AMOUNT>       Stop cleanly (exit code 30) before this costs more; all sittings
                                      of a `napsim run --out` count together
          --budget-tokens <N>         Stop cleanly (exit code 30) before the run takes more tokens than
                                      this
          --connections <N>           Requests at a time at most; fewer where the server is busy
                                      [default: 64]
          --requests-per-minute <N>   Requests a minute at most
          --tokens-per-minute <N>     Tokens a minute at most, by estimates from the length of prompts
          --timeout <SECONDS>         Seconds that one attempt may take [default: 300; 60 for a call of
                                      `exec:` and `http:`]
          --retries <N>               Attempts after the first one that a call may take while the server
                                      is busy or failing [default: 6]

    Predictors of your own (exec:, http:):
          --start-timeout <SECONDS>  Seconds that a program may take until it says hello, and until it
                                     is ready for a trajectory [default: 120]
          --on-crash <HOW>           What follows when a program crashes, hangs or breaks the protocol:
                                     the trajectory fails, or a fresh program is told the history and
                                     asked again [default: fail] [possible values: fail, resume]
          --restarts <N>             Fresh programs a trajectory at most, with `--on-crash resume`
                                     [default: 3]

    Examples:
      napsim run
      napsim run my/trajectories --per-trajectory
      napsim run my/trajectories --out runs/first --log-calls calls.jsonl
      napsim run 'data/*.json' --predictor 'online-ngram?max_n=4' --policy 'precision >= 0.9'
      napsim run --predictor 'best-of(online-ngram,xgboost,lstm)'
      napsim run --mode multi --stride 4 --trigger after:input,autofill --json
      napsim run --predictor openai/gpt-5-mini --prices prices.toml --dry-run
      napsim run --predictor openai/gpt-5-mini --prices prices.toml --budget-usd 5 --out runs/mini
      napsim run --predictor local/my-model --base-url http://127.0.0.1:8080/v1
      napsim run --predictor 'exec:python3 my_predictor.py' --out runs/mine
    ");
}

#[test]
fn every_help_has_examples() {
    for command in [
        "",
        "run",
        "show",
        "replay",
        "explain",
        "list",
        "trajectory show",
        "trajectory stats",
        "trajectory validate",
        "corpus build",
        "corpus export",
        "corpus generate",
        "corpus lint",
        "corpus refine",
        "corpus show",
        "corpus split",
        "corpus stats",
        "corpus validate",
        "corpus write",
    ] {
        for flag in ["-h", "--help"] {
            let text = output(&format!("{command} {flag}"));
            assert!(text.contains("Examples:\n  napsim "), "{command} {flag}: {text}");
        }
    }
}

#[test]
fn topics_are_listed_and_explained() {
    let listing = output("explain");
    let topics: Vec<&str> = listing
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(topics.len() > 30, "{listing}");
    for topic in topics {
        assert!(
            output(&format!("explain {topic}")).starts_with(&format!("{topic}\n")),
            "{topic}"
        );
    }
    insta::assert_snapshot!(output("explain uas"), @r"
    uas
      user actions saved, the share of a trajectory's actions that the user did not
        have to carry out

      formula
        (actions − user steps) / actions
        mean: over trajectories; pooled: 1 − sum of user steps / sum of actions

      example
        100 actions, 88 carried out by the user: (100 − 88) / 100 = 12 %.
        Undo actions count as user steps, so UAS can be negative.
        Where the step limit stopped the run (truncated), nape-1 counts what is left
          undone as saved;
        where chain-max or future-max did, there is no UAS.

      source
        paper, section on metrics; spec 02, 2.7 (Q12)
    ");
}

#[test]
fn choices_are_listed() {
    assert!(output("list predictors").starts_with("online-ngram "));
    assert!(output("list policies").starts_with("greedy         saved >= 1  (steps_saved)\n"));
    assert_eq!(output("list protocols").lines().next(), Some("nape-1"));
}

#[test]
fn trajectories_are_shown_counted_and_checked() {
    let folder = Folder::new();
    folder.write("plan.txt", PLAN);
    let shown = folder.napsim("trajectory show plan.txt").output(0);
    insta::assert_snapshot!(shown, @r#"
    # plan
    INPUT | Sheet1!A1 | "Week"
    INPUT | Sheet1!A2 | 1
    INPUT | Sheet1!A3 | 2
    FONT_BOLD | Sheet1!A1 | true
    FILL_COLOR | Sheet1!A1 | FF00FF00
    FILL_COLOR | Sheet1!A2 | FF00FF00
    FILL_COLOR | Sheet1!A3 | FF00FF00
    FILL_COLOR | Sheet1!A4 | FF00FF00
    INPUT | Sheet1!A4 | 3
    MERGE | Sheet1!B1:C1 | true
    "#);
    folder.write("again.txt", shown.as_bytes());
    assert_eq!(
        folder
            .napsim("trajectory show again.txt")
            .output(0)
            .replace("# again", "# plan"),
        shown
    );
    insta::assert_snapshot!(folder.napsim("trajectory stats plan.txt again.txt").output(0), @r"
    ──────────────────────────────────────────────────────────────────
    trajectory all input merge form. fill font bord. align paste auto.
    ──────────────────────────────────────────────────────────────────
    plan        10     4     1     0    4    1     0     0     0     0
    again       10     4     1     0    4    1     0     0     0     0
    all         20     8     2     0    8    2     0     0     0     0
    ──────────────────────────────────────────────────────────────────
    ");
    let checked = folder.napsim("trajectory validate plan.txt napsim-52").output(0);
    assert!(
        checked.ends_with("trajectories checked, no mistake found\n"),
        "{checked}"
    );
}
