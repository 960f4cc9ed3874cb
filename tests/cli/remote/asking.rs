//! What asking costs, and what would be asked.

use napsim_test_server::TestServer;
use serde_json::{Value, json};

use super::{asked, next_row, plans, run};

#[test]
fn a_budget_stops_a_run_that_goes_on_later() {
    let folder = plans();
    let server = TestServer::start(next_row);
    // A few questions fit; the bound is that of all sittings together.
    let talk = folder.napsim(&run(&server, "--budget-tokens 12000 --out r")).talk(30);
    assert!(
        talk.contains("stay within the budget") && talk.contains("with a larger budget"),
        "{talk}"
    );
    let n_asked = server.n_requests();
    assert!((1..12).contains(&n_asked), "{n_asked}");
    folder.napsim(&run(&server, "--budget-tokens 12000 --out r")).talk(30);
    assert_eq!(server.n_requests(), n_asked, "the budget holds for all sittings");
    folder
        .napsim(&run(&server, "--budget-tokens 10000000 --out r"))
        .output(0);
    assert!(asked(&server).values().all(|n| *n == 1), "nothing was paid twice");
}

#[test]
fn money_is_counted_and_bounded() {
    let folder = plans();
    let server = TestServer::start(next_row);
    folder.write(
        "prices.toml",
        "currency = \"USD\"\ndate = 2026-11-30\n[models.\"local/*\"]\ninput = 1\noutput = 10\n",
    );
    let report: Value =
        serde_json::from_str(&folder.napsim(&run(&server, "--json --prices prices.toml")).output(0)).unwrap();
    let cost = &report["cost"];
    let tokens = |name: &str| cost[name].as_u64().unwrap();
    let expected = tokens("input_tokens") + 10 * tokens("output_tokens");
    let money: f64 = cost["money"].as_str().unwrap().parse().unwrap();
    assert!(
        (money * 1e6 - f64::from(u32::try_from(expected).unwrap())).abs() < 0.5,
        "{cost}"
    );
    let talk = folder
        .napsim(&run(&server, "--no-cache --prices prices.toml --budget-usd 0.05"))
        .talk(30);
    assert!(talk.contains("USD are used"), "{talk}");
    folder.write(
        "bad.toml",
        "currency = \"USD\"\ndate = 2026-11-30\n[models.\"local/*\"]\ninptu = 1\n",
    );
    let talk = folder.napsim(&run(&server, "--prices bad.toml")).talk(2);
    assert!(talk.contains("bad.toml:4") && talk.contains("input"), "{talk}");
}

#[test]
fn a_dry_run_asks_nobody() {
    let folder = plans();
    let server = TestServer::start(next_row);
    folder.write(
        "prices.toml",
        "currency = \"USD\"\ndate = 2026-11-30\n[models.\"local/m\"]\ninput = 1\noutput = 10\n",
    );
    let command = run(&server, "--dry-run --json --prices prices.toml");
    let estimate: Value = serde_json::from_str(&folder.napsim(&command).output(0)).unwrap();
    assert_eq!(
        (server.n_requests(), &estimate["schema"]),
        (0, &json!("napsim-dry-run/1"))
    );
    let model = &estimate["models"][0];
    // One question after each action, the last one included.
    assert_eq!((&model["calls"], &model["known_calls"]), (&json!(30), &json!(0)));
    assert!(
        model["money"].as_str().unwrap().parse::<f64>().unwrap() > 0.0,
        "{model}"
    );
    folder.napsim(&run(&server, "")).output(0);
    let known: Value = serde_json::from_str(&folder.napsim(&command).output(0)).unwrap();
    assert!(known["models"][0]["known_calls"].as_u64().unwrap() > 0);
    let table = folder.napsim(&run(&server, "--dry-run")).output(0);
    assert!(table.contains("local/m") && table.contains("calls"), "{table}");
}

#[test]
fn prompts_are_shown_as_they_would_be_sent() {
    let folder = plans();
    let server = TestServer::start(next_row);
    let base = format!("--base-url {}/v1", server.url());
    let shown = folder
        .napsim(&format!(
            "prompt show plans --predictor local/m --trajectory b --step 4 {base}"
        ))
        .output(0);
    assert!(
        shown.contains("== system") && shown.ends_with("FONT_BOLD | A1 | true\n"),
        "{shown}"
    );
    let body: Value = serde_json::from_str(
        &folder
            .napsim(&format!(
                "prompt show plans --predictor local/m --trajectory b --step 4 --json {base}"
            ))
            .output(0),
    )
    .unwrap();
    folder.napsim(&run(&server, "--jobs 1")).output(0);
    let bodies: Vec<Value> = server.requests().iter().map(|request| request.json()).collect();
    assert!(bodies.contains(&body), "{body}");
    folder.write("system.jinja", "Only this for {{ n_actions }} {{ nothing }}.\n");
    let own = folder
        .napsim(&format!(
            "prompt show plans --predictor local/m --step 4 --system-prompt system.jinja {base}"
        ))
        .output(0);
    assert!(own.contains("== system\nOnly this for 4 .\n== user\n"), "{own}");
    folder.write("broken.jinja", "fine\n{% if %}");
    let talk = folder
        .napsim(&format!(
            "prompt show plans --predictor local/m --system-prompt broken.jinja {base}"
        ))
        .talk(2);
    assert!(talk.contains("broken.jinja, line 2"), "{talk}");
    assert_eq!(
        folder.napsim("prompt template user").output(0),
        include_str!("../../../predictors/src/language/prompts/user.jinja")
    );
    assert!(folder.napsim("prompt template").output(0).contains("sheet_view"));
    folder.napsim("prompt show --predictor online-ngram").talk(2);
    folder
        .napsim(&format!("prompt show plans --predictor local/m --step 99 {base}"))
        .talk(2);
    folder
        .napsim(&format!("prompt show plans --predictor local/m --trajectory x {base}"))
        .talk(2);
}
