//! Tests of the prompts.

mod templates;

use std::collections::BTreeSet;

use napsim_trajectories::parse::SEPARATOR;
use napsim_trajectories::{Action, Keyword};

use super::*;
use crate::language::sheet::{Sources, with_sheet, without_sheet};
use crate::language::{CompletionTemplate, LineState, OFFERED};

const SHEET: &str = "'Plan 2025'";

fn lines() -> Vec<String> {
    ["INPUT | A1 | \"Region\"", "INPUT | A2 | \"{{ 7 * 6 }}\""]
        .map(str::to_owned)
        .to_vec()
}

fn chat(facts: &PromptFacts<'_>) -> ChatPrompt {
    PromptTemplates::built_in().chat(facts).unwrap()
}

fn multi() -> PromptFacts<'static> {
    PromptFacts {
        sheet: Some(SHEET),
        ..PromptFacts::default()
    }
}

/// Facts for each of the forms that the built-in prompt has.
fn all_facts() -> Vec<PromptFacts<'static>> {
    let mut all = vec![multi()];
    for bits in 0..32_u8 {
        let is_set = |bit: u8| bits & (1 << bit) != 0;
        for actions_max in [None, Some(1), Some(7)] {
            all.push(PromptFacts {
                actions_max,
                intent: is_set(0),
                stop_sentence: is_set(1),
                structured: is_set(2),
                sheet: is_set(3).then_some(SHEET),
                sheet_view: is_set(4).then_some("A1 | 1"),
                ..multi()
            });
        }
    }
    all
}

/// The lines that the system message has and the plain one of several actions lacks.
fn check_lines(facts: PromptFacts<'_>, expect: &[&str]) {
    let plain = chat(&multi()).system;
    let plain: BTreeSet<&str> = plain.lines().collect();
    let system = chat(&facts).system;
    let own: Vec<&str> = system.lines().filter(|line| !plain.contains(line)).collect();
    assert_eq!(own, expect);
}

#[test]
fn the_message_for_several_actions_is_the_one_in_the_documentation() {
    let documentation = include_str!("../../../../docs/PROMPTS.md");
    let system = chat(&multi()).system;
    assert!(documentation.contains(&format!("```text\n{system}\n```")), "{system}");
    let n_characters = system.chars().count();
    assert!(n_characters <= 4_300, "{n_characters} characters");
}

#[test]
fn the_message_for_one_action_differs_where_it_should() {
    check_lines(
        PromptFacts {
            actions_max: Some(1),
            ..multi()
        },
        &[
            "Your task: the ONE action that is most likely to come right after the latest ones.",
            "1. Tell from the latest actions what the user is doing right now.",
            "4. If the work looks finished or the next action is doubtful, write no action.",
            "- Write one action line, not more.",
        ],
    );
}

#[test]
fn options_add_what_they_ask_for() {
    check_lines(
        PromptFacts {
            actions_max: Some(7),
            intent: true,
            stop_sentence: true,
            sheet: None,
            ..multi()
        },
        &[
            "5. As soon as the work looks finished or the next action is doubtful, write STOP on a line of its own.",
            "- Write at most 7 actions. Fewer are fine, and so are none.",
            "- The first line is \"Intent:\" and then says in at most 30 words what the user is after.",
            "- RANGE is a cell (B2) or a block (B2:D9), written as in the history. No whole columns or rows.",
            "Intent: fill in the totals and finish the header",
        ],
    );
    check_lines(
        PromptFacts {
            intent: true,
            structured: true,
            ..multi()
        },
        &[
            "5. As soon as the work looks finished or the next action is doubtful, end the list; it may be empty.",
            "One JSON object and nothing else. Its \"actions\" are objects of three texts, \"type\", \"range\" and \"value\":",
            r#"{"intent": "filling in the header", "actions": [{"type": "INPUT", "range": "A1", "value": "\"Region\""}]}"#,
            "The three texts are the fields of TYPE | RANGE | VALUE below. Without a VALUE, write \"\".",
            "- \"intent\" says in at most 30 words what the user is after.",
        ],
    );
}

#[test]
fn examples_are_actions_that_the_grammar_knows() {
    for facts in all_facts() {
        let system = chat(&facts).system;
        let (_, examples) = system.split_once("\nEXAMPLES").unwrap();
        let mut examples: Vec<&str> = examples.lines().skip(1).collect();
        if facts.intent && !facts.structured {
            assert!(examples.remove(0).starts_with("Intent: "));
        }
        assert!(examples.len() >= 12);
        for example in examples {
            check_line(example);
        }
    }
}

/// A line is an action, and so for the grammar, which knows the one spelling that the notation writes.
fn check_line(line: &str) {
    let action = Action::parse(&with_sheet(line, SHEET, Sources::Ranges)).unwrap();
    let written = without_sheet(&action.to_string()).unwrap();
    assert!(LineState::start().allows(format!("{written}\n").as_bytes()), "{line}");
}

#[test]
fn the_answer_that_the_prompt_shows_is_one() {
    for facts in all_facts().into_iter().filter(|facts| facts.structured) {
        let system = chat(&facts).system;
        let shown = system.lines().find(|line| line.starts_with('{')).unwrap();
        let lines = crate::language::structured::lines(shown).unwrap();
        assert_eq!(lines.starts_with("Intent: "), facts.intent);
        assert!(lines.ends_with("INPUT | A1 | \"Region\""), "{lines}");
    }
}

#[test]
fn the_types_that_are_offered_are_named_and_no_others() {
    let system = chat(&multi()).system;
    let words: BTreeSet<&str> = system
        .split(|c: char| !c.is_ascii_uppercase() && c != '_')
        .filter(|word| *word != "VALUE")
        .collect();
    for keyword in Keyword::ALL {
        assert_eq!(words.contains(keyword.text()), OFFERED.contains(keyword), "{keyword:?}");
    }
}

#[test]
fn the_values_that_are_offered_are_read() {
    let system = chat(&multi()).system;
    let border_words = "Hairline Thin Medium Thick Continuous Dash Dot DashDot DashDotDot Double SlantDashDot";
    let offered = [
        ("INPUT", "\"Region\"; 12.5; true; false; \"=B2*C2\"; clear"),
        ("NUMBER_FORMAT", "0.00; #,##0; 0%; yyyy-mm-dd; General"),
        ("FILL_COLOR BORDER_LEFT BORDER_TOP BORDER_INSIDE_VERTICAL", "clear"),
        ("FONT_BOLD FONT_ITALIC WRAP_TEXT MERGE", "true; false"),
        ("FONT_SIZE", "12"),
        (
            "FONT_UNDERLINE",
            "none; single; double; singleAccounting; doubleAccounting",
        ),
        ("FONT_NAME", "Arial"),
        ("ALIGN_HORIZONTAL", "left; center; right; justify; general"),
        ("ALIGN_VERTICAL", "top; center; bottom; justify"),
        (
            "BORDER_RIGHT BORDER_BOTTOM BORDER_OUTSIDE BORDER_ALL",
            "Thin, Continuous, #000000",
        ),
        ("TEXT_ORIENTATION", "-90; 90"),
    ];
    for (names, values) in offered {
        for (name, value) in names
            .split(' ')
            .flat_map(|name| values.split("; ").map(move |value| (name, value)))
        {
            assert!(system.contains(value), "{value}");
            check_line(&[name, "B2", value].join(SEPARATOR));
        }
    }
    assert!(border_words.split(' ').all(|word| system.contains(word)));
}

#[test]
fn the_user_message_has_the_sheet_and_the_history() {
    let lines = lines();
    let facts = PromptFacts {
        lines: &lines,
        ..PromptFacts::default()
    };
    let history = "Latest actions, oldest first:\nINPUT | A1 | \"Region\"\nINPUT | A2 | \"{{ 7 * 6 }}\"";
    assert_eq!(chat(&facts).user, history);
    let facts = PromptFacts {
        sheet: Some(SHEET),
        sheet_view: Some("A1 | \"Region\""),
        ..facts
    };
    let before = "Active sheet: 'Plan 2025'\n\nThe sheet as it is now, around the latest action:\nA1 | \"Region\"\n\n";
    assert_eq!(chat(&facts).user, format!("{before}{history}"));
    assert_eq!(
        chat(&PromptFacts::default()).user,
        "Latest actions, oldest first:\n(no edits yet)"
    );
}

#[test]
fn no_message_begins_or_ends_with_a_blank() {
    for facts in all_facts() {
        let ChatPrompt { system, user } = chat(&facts);
        for text in [system, user] {
            assert_eq!(text, text.trim());
            assert!(!text.contains("\n\n\n") && !text.contains(" \n"), "{text}");
        }
    }
}

#[test]
fn completion_is_byte_for_byte_that_of_fine_tuning() {
    let templates = PromptTemplates::built_in();
    let all = lines();
    for lines in [&all[..], &all[..1], &[]] {
        for stop_sentence in [false, true] {
            let facts = PromptFacts {
                lines,
                stop_sentence,
                ..PromptFacts::default()
            };
            let expect = CompletionTemplate { stop_sentence }.prompt(lines);
            assert_eq!(templates.completion(&facts).unwrap(), expect);
        }
    }
}
