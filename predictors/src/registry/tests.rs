//! Tests of what a user may type.

use super::*;

fn id(spec: &str) -> Result<String, SpecError> {
    PredictorFactory::parse(spec, None).map(|factory| factory.id().to_owned())
}

fn check(spec: &str, expect: &str) {
    assert_eq!(id(spec).unwrap(), expect, "{spec}");
    assert_eq!(id(expect).unwrap(), expect, "an id is its own id");
}

fn check_error(spec: &str, expect: &str) {
    assert_eq!(id(spec).unwrap_err().to_string(), expect, "{spec}");
}

#[test]
fn ids_are_canonical() {
    check("none", "none");
    check("online-ngram", "online-ngram");
    check("online_ngram", "online-ngram");
    check("online-ngram?", "online-ngram");
    check("online-ngram?max_n=5", "online-ngram");
    check("online-ngram?context=32&max-n=4", "online-ngram?max_n=4&context=32");
    check("repeat-last?count=3", "repeat-last?count=3");
}

#[test]
fn errors_tell_what_there_is() {
    check_error(
        "online-ngrams",
        "find a predictor `online-ngrams`, did you mean `online-ngram`?; there are online-ngram, ngram, xgboost, lstm, smollm, openai/MODEL, azure/MODEL, anthropic/MODEL, openrouter/MODEL, ollama/MODEL, local/MODEL, exec:COMMAND, http:URL, best-of, \
         repeat-last, none",
    );
    check_error(
        "",
        "find a predictor ``; there are online-ngram, ngram, xgboost, lstm, smollm, openai/MODEL, azure/MODEL, anthropic/MODEL, openrouter/MODEL, ollama/MODEL, local/MODEL, exec:COMMAND, http:URL, best-of, \
         repeat-last, none",
    );
    check_error(
        "online-ngram?min_macth=3",
        "find an option `min_macth` of `online-ngram`, did you mean `min_match`?; it has range_mode, max_n, \
         min_match, max_actions, stop_on_type_change, context, values",
    );
    check_error("none?a=1", "find an option `a` of `none`; it has none");
    check_error(
        "online-ngram?max_n=0",
        "read `max_n=0` of `online-ngram`: give a whole number from 1 to 1000",
    );
    check_error(
        "online-ngram?range_mode=both",
        "read `range_mode=both` of `online-ngram`: give `relative` or `absolute`",
    );
    check_error(
        "online-ngram?max_n",
        "read the option `max_n` of `online-ngram`: write `option=value`, several joined by `&`",
    );
    check_error(
        "online-ngram?max_n=3&max-n=3",
        "read the options of `online-ngram`: `max_n` is given twice",
    );
}

#[test]
fn several_are_named_by_their_parts() {
    check("best-of(none,repeat-last)", "best-of(none,repeat-last)");
    check(
        "best_of( online_ngram?max_n=5 , repeat-last?count=2 )?confidence=0.25",
        "best-of(online-ngram,repeat-last?count=2)?confidence=0.25",
    );
    check("best-of(none,none)?confidence=0", "best-of(none,none)");
    let factory = PredictorFactory::parse("best-of(online-ngram,none)", "32".parse().ok()).unwrap();
    assert_eq!(factory.id(), "best-of(online-ngram?context=32,none)");
    let part = |spec| PredictorFactory::parse(spec, None).unwrap().fingerprint();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        part("best-of(repeat-last,none)?confidence=0.5").to_string(),
        format!(
            "best-of/{version}({},{})?confidence=0.5",
            part("repeat-last"),
            part("none")
        )
    );
}

#[test]
fn parts_that_are_none_are_refused() {
    let check = |spec: &str, reason: &str| {
        let expect = format!("read `{spec}`: {reason}; write `best-of(PREDICTOR,PREDICTOR,…)`");
        check_error(spec, &expect);
    };
    check("best-of", "the predictors are missing");
    check("best-of(none)", "at least two predictors are needed");
    check("best-of(none,none", "the closing parenthesis is missing");
    check(
        "best-of(none,none)x",
        "something other than options follows the closing parenthesis",
    );
    check(
        "best-of(none,best-of(none,none))",
        "`best-of` cannot be a part of itself",
    );
    check("best-of(none,best_of)", "`best-of` cannot be a part of itself");
    check("none(none,none)", "only `best-of` is made of other predictors");
    check_error(
        "best-of(none,repeat-last?count=0)",
        "read `count=0` of `repeat-last`: give a whole number from 1 to 1000 (part `repeat-last?count=0` of `best-of`)",
    );
    check_error(
        "best-of(none,)",
        "find a predictor ``; there are online-ngram, ngram, xgboost, lstm, smollm, openai/MODEL, azure/MODEL, anthropic/MODEL, openrouter/MODEL, ollama/MODEL, local/MODEL, exec:COMMAND, http:URL, best-of, \
         repeat-last, none (part `` of `best-of`)",
    );
    check_error(
        "best-of(none,none)?confidence=1.5",
        "read `confidence=1.5` of `best-of`: give a number from 0 to 1",
    );
    // Parentheses in an option are part of it.
    check_error(
        "repeat-last?count=(3)",
        "read `count=(3)` of `repeat-last`: give a whole number from 1 to 1000",
    );
}

#[test]
fn language_models_are_named_by_their_model() {
    check("smollm", "smollm/tiny");
    check("smollm/tiny?context-block=16", "smollm/tiny");
    check(
        "smollm?context=32&context_block=1",
        "smollm/tiny?context=32&context_block=1",
    );
    check_error(
        "smollm2/135m",
        "find a predictor `smollm2/135m`, did you mean `smollm`?; there are online-ngram, ngram, xgboost, lstm, smollm, openai/MODEL, azure/MODEL, anthropic/MODEL, openrouter/MODEL, ollama/MODEL, local/MODEL, exec:COMMAND, http:URL, best-of, \
         repeat-last, none",
    );
    check_error(
        "smollm?temperature=-1",
        "read `temperature=-1` of `smollm`: give a number from 0 to 10",
    );
    let defaults = Defaults {
        context_block: Some("1".to_owned()),
        ..Defaults::default()
    };
    let id = |spec| PredictorFactory::parse(spec, defaults.clone()).map(|factory| factory.id().to_owned());
    assert_eq!(id("smollm/tiny").unwrap(), "smollm/tiny?context_block=1");
    assert_eq!(
        id("best-of(smollm,none)").unwrap(),
        "best-of(smollm/tiny?context_block=1,none)"
    );
    assert!(id("online-ngram").is_err());
    // Each part takes what it has the option for.
    let defaults = Defaults {
        values: Some("v2".to_owned()),
        ..defaults
    };
    let both = PredictorFactory::parse("best-of(smollm,online-ngram)", defaults).unwrap();
    assert_eq!(both.id(), "best-of(smollm/tiny?context_block=1,online-ngram?values=v2)");
}

#[test]
fn served_models_are_named_by_provider_and_model() {
    let defaults = Defaults {
        remote: vec![("base_url", "http://user:pass@host/v1?key=1".to_owned())],
        ..Defaults::default()
    };
    let id = |spec| PredictorFactory::parse(spec, defaults.clone()).map(|factory| factory.id().to_owned());
    assert_eq!(
        id("openrouter/meta/llama:free?max-tokens=auto&context=8").unwrap(),
        "openrouter/meta/llama:free?context=8&base_url=http://***@host/v1?key=***"
    );
    let both = id("best-of(online-ngram,local/m?sheet_view=cells)").unwrap();
    assert!(
        both.starts_with("best-of(online-ngram,local/m?sheet_view=cells&base_url="),
        "{both}"
    );
    assert!(id("online-ngram").is_err());
    for (spec, expect) in [
        ("openai/", "find the model of `openai`: write openai/MODEL"),
        (
            "local/m?api=responses",
            "ask local by `responses`: it has chat, completion",
        ),
        (
            "local/m?api=chit",
            "read `api=chit` of `local`: give `auto`, `chat`, `responses`, `completion` or `messages`",
        ),
        (
            "local/m?max_tokens=0",
            "read `max_tokens=0` of `local`: give `auto` or a whole number from 1 to 1000000",
        ),
        (
            "local/m?structured=true&confidence=0.5",
            "use `confidence` of `local`: the tokens of a JSON object are not those of its actions",
        ),
        (
            "local/m?structured=true&api=completion",
            "use `structured` of `local`: a model that continues a text is held to no schema",
        ),
        (
            "anthropic/m?confidence=0.5",
            "use `confidence` of `anthropic`: the api messages tells no probabilities",
        ),
        (
            "local/m?sheet_view=html",
            "read `sheet_view=html` of `local`: give `none`, `markdown` or `cells`",
        ),
    ] {
        assert_eq!(id(spec).unwrap_err().to_string(), expect);
    }
    let error = id("best-of(online-ngram,local/x?base_url=http://u:PW@h:99999/v1?key=SECRET)").unwrap_err();
    let told = error.to_string();
    assert!(
        !told.contains("PW") && !told.contains("SECRET") && told.contains("h:99999"),
        "{told}"
    );
    let prints = |spec: &str| PredictorFactory::parse(spec, defaults.clone()).unwrap().fingerprint();
    assert_ne!(prints("local/m"), prints("local/m?reading=published"));
    assert_eq!(prints("local/m"), prints("local/m?temperature=0"));
    assert!(!prints("local/m").to_string().contains("pass"));
}

#[test]
fn values_have_one_spelling() {
    for value in ["05", "+5", "5.0", " 5", "1001", ""] {
        assert!(id(&format!("online-ngram?max_n={value}")).is_err(), "{value:?}");
    }
}

#[test]
fn the_catalogue_holds_the_defaults() {
    let expect = OnlineNgram::new(OnlineNgramConfig::default()).fingerprint();
    assert_eq!(
        PredictorFactory::parse("online-ngram", None).unwrap().fingerprint(),
        expect
    );
    for info in PREDICTORS {
        match id(info.name) {
            // A language model is named by its model.
            Ok(id) => assert_eq!(id.split('/').next(), Some(info.name)),
            Err(SpecError::Parts { text, .. }) => assert_eq!(text, "best-of"),
            Err(SpecError::NoModel { provider }) => assert_eq!(provider, info.name),
            Err(SpecError::NoPlace { spelling }) => assert_eq!(spelling, info.typed()),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn the_context_in_the_text_outweighs_the_general_one() {
    let context = "32".parse().ok();
    let id = |spec| PredictorFactory::parse(spec, context).unwrap().id().to_owned();
    assert_eq!(id("online-ngram"), "online-ngram?context=32");
    assert_eq!(id("online-ngram?context=8"), "online-ngram?context=8");
    assert_eq!(id("online-ngram?context=all"), "online-ngram");
    assert_eq!(id("none"), "none");
}

#[test]
fn fingerprints_name_every_parameter() {
    let factory = PredictorFactory::parse("online-ngram?max_n=4", None).unwrap();
    let expect = format!(
        "online-ngram/{}?range_mode=relative&max_n=4&min_match=2&max_actions=5&stop_on_type_change=true&context=all",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(factory.fingerprint().to_string(), expect);
}

#[test]
fn factories_are_shared_between_threads() {
    fn check<T: Send + Sync + Clone>() {}
    check::<PredictorFactory>();
}
