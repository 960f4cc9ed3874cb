//! Tests of the prompts.

use super::*;
use crate::language::CompletionTemplate;

fn lines() -> Vec<String> {
    [
        "INPUT | A1 | \"Region\"",
        "INPUT | A2 | \"North\"",
        "FONT_BOLD | A1 | true",
    ]
    .map(str::to_owned)
    .to_vec()
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
