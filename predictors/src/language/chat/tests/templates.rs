//! Tests of templates that users write.

use super::*;

fn with_user(text: &str) -> Result<PromptTemplates, TemplateError> {
    let source = TemplateSource {
        what: "mine.jinja",
        text,
    };
    PromptTemplates::with(None, Some(source), None)
}

#[test]
fn templates_of_users_see_every_variable() {
    let names: Vec<&str> = PromptTemplates::variables()
        .iter()
        .map(|variable| variable.name)
        .collect();
    let text: String = names.iter().map(|name| format!("{name}={{{{ {name} }}}}\n")).collect();
    let lines = lines();
    let facts = PromptFacts {
        lines: &lines[..1],
        actions_max: Some(1),
        intent: true,
        sheet: Some("S"),
        sheet_view: Some("V"),
        ..PromptFacts::default()
    };
    let filled_in = with_user(&text).unwrap().chat(&facts).unwrap().user;
    assert_eq!(
        filled_in,
        "history=INPUT | A1 | \"Region\"\nn_actions=1\nactions_max=1\nsingle=True\nintent=True\nstop_sentence=False\n\
         sheet=S\nsheet_view=V\nstructured=False"
    );
}

#[test]
fn every_variable_is_documented() {
    let documentation = include_str!("../../../../../docs/PROMPTS.md");
    for variable in PromptTemplates::variables() {
        let row = format!("| `{}` | {} |", variable.name, variable.meaning);
        assert!(documentation.contains(&row), "{row}");
    }
}

#[test]
fn what_is_not_known_is_empty_and_one_line_break_is_dropped() {
    let templates = with_user("[{{ nosuch }}{{ actions_max }}{{ sheet }}{{ sheet_view }}]\n\n").unwrap();
    assert_eq!(templates.chat(&PromptFacts::default()).unwrap().user, "[]\n");
    let empty = with_user("").unwrap();
    assert_eq!(empty.text(PromptPart::User), PromptPart::User.built_in());
    assert_eq!(empty.sha256(), PromptTemplates::built_in().sha256());
}

#[test]
fn templates_that_cannot_work_are_refused() {
    let check = |text: &str, expect: &str| assert_eq!(with_user(text).unwrap_err().to_string(), expect);
    check(
        "one\n{% if %}",
        "read the prompt template mine.jinja, line 2: syntax error: unexpected end of block",
    );
    check(
        "{% include 'system' %}",
        "read the prompt template mine.jinja, line 1: syntax error: unknown statement include",
    );
    check(
        "one\n\n{{ history|nosuch }}",
        "fill in the prompt template mine.jinja, line 3: unknown filter: filter nosuch is unknown",
    );
    for endless in [
        "{% for a in range(9999) %}{% for b in range(9999) %}{{ b }}{% endfor %}{% endfor %}",
        "{{ 'x' * 9000000000 }}",
        "{% macro again() %}{{ again() }}{{ again() }}{% endmacro %}{{ again() }}",
    ] {
        let error = with_user(endless).unwrap_err();
        assert!(matches!(error, TemplateError::Rendering { line: 1, .. }), "{error}");
    }
}

#[test]
fn the_identity_is_that_of_the_texts() {
    fn is_shared_between_threads<T: Clone + fmt::Debug + Send + Sync + 'static>(_: &T) {}
    let built_in = PromptTemplates::built_in();
    is_shared_between_threads(&built_in);
    let other = with_user("{{ history }}").unwrap();
    assert_eq!(built_in.sha256().len(), 64);
    assert_ne!(other.sha256(), built_in.sha256());
    let renamed = TemplateSource {
        what: "another name",
        text: "{{ history }}",
    };
    let renamed = PromptTemplates::with(None, Some(renamed), None).unwrap();
    assert_eq!(renamed.sha256(), other.sha256());
    assert_eq!(
        format!("{other:?}"),
        r#"PromptTemplates { system: "`system` (built in)", user: "mine.jinja", completion: "`completion` (built in)" }"#
    );
}
