//! Tests of the trained n-gram.

use proptest::prelude::*;

use super::*;
use crate::model::{Card, ModelKind, Section};

fn tables(sequences: &[&[&str]], range_mode: RangeMode, max_n: usize, min_count: u32) -> Tables {
    let mut trainer = Trainer::new(TrainerOptions { range_mode, max_n });
    for texts in sequences {
        trainer.push(&features(texts));
    }
    trainer.finish(min_count)
}

fn features(texts: &[&str]) -> Vec<Feature> {
    let mut history = History::default();
    texts.iter().for_each(|text| history.push(Feature::of_first(text)));
    history.features().to_vec()
}

fn predictor(tables: Tables, config: NgramConfig) -> Ngram {
    Ngram::new(Arc::new(NgramModel::new(tables, "test".to_owned())), config)
}

const ROWS: &[&str] = &[
    "INPUT | Sheet1!A1 | 1",
    "FONT_BOLD | Sheet1!A1 | true",
    "INPUT | Sheet1!A2 | 2",
    "FONT_BOLD | Sheet1!A2 | true",
    "INPUT | Sheet1!A3 | 3",
];

const MERGES: &[&str] = &["INPUT | Sheet1!A1 | 1", "MERGE | Sheet1!A1:B1 | true"];

#[test]
fn successors_are_counted_and_the_first_seen_wins() {
    let tables = tables(&[MERGES, ROWS], RangeMode::Relative, 3, 1);
    let all = features(ROWS);
    let ids: Vec<SymbolId> = all.iter().map(|feature| tables.symbols.of(feature).unwrap()).collect();
    // The first INPUT was followed by MERGE, then by FONT_BOLD.
    let first = tables.contexts.successors(&ids[..1]).unwrap();
    assert_eq!((first.order(), first.total(), first.n_distinct()), (1, 2, 2));
    let keywords: Vec<_> = first
        .iter()
        .map(|(id, count)| (tables.symbols.keyword(tables.symbols.get(id).unwrap()).unwrap(), count))
        .collect();
    assert_eq!(keywords, [("MERGE", 1), ("FONT_BOLD", 1)]);
    // What follows nothing in particular: everything but first actions.
    assert_eq!(tables.contexts.successors(&[]).unwrap().total(), 5);
    assert_eq!(tables.contexts.successors(&ids[1..4]).unwrap().best(), Some(ids[4]));
    assert_eq!(
        tables.contexts.successors(&ids[..4]),
        None,
        "longer than the longest context"
    );
    assert_eq!(tables.contexts.successors(&[ids[1], ids[1]]), None, "never seen");
}

#[test]
fn every_order_is_there_for_smoothing() {
    let tables = tables(&[ROWS], RangeMode::Relative, 3, 1);
    let mut history = History::default();
    features(&ROWS[..3])
        .into_iter()
        .for_each(|feature| history.push(feature));
    let continuation = Continuation::of(&history);
    let orders: Vec<_> = tables
        .orders(&continuation)
        .map(|successors| (successors.order(), successors.total()))
        .collect();
    assert_eq!(orders, [(0, 4), (1, 1), (2, 1), (3, 1)]);
    assert_eq!(
        tables.back_off(&continuation).map(|successors| successors.order()),
        Some(3)
    );
}

#[test]
fn pruning_takes_what_is_rare() {
    let sequences: &[&[&str]] = &[ROWS, ROWS, MERGES];
    let whole = tables(sequences, RangeMode::Relative, 3, 1);
    let pruned = tables(sequences, RangeMode::Relative, 3, 2);
    assert!(pruned.contexts.n_successors() < whole.contexts.n_successors());
    let first = whole.symbols.of(&features(ROWS)[0]).unwrap();
    let (before, after) = (
        whole.contexts.successors(&[first]).unwrap(),
        pruned.contexts.successors(&[first]).unwrap(),
    );
    assert_eq!((before.iter().count(), after.iter().count()), (2, 1));
    assert_eq!(
        (after.total(), after.n_distinct()),
        (before.total(), before.n_distinct())
    );
    // Three sequences in which a context of two symbols is seen once only.
    let nothing = tables(&[ROWS], RangeMode::Relative, 3, 9).contexts;
    assert!(nothing.n_contexts() > 1, "contexts of one symbol stay");
    assert!(nothing.successors(&[]).unwrap().best().is_some());
}

#[test]
fn a_limited_context_knows_nothing_older() {
    let config = |context: &str| NgramConfig {
        context: context.parse().unwrap(),
        ..NgramConfig::default()
    };
    let tables = tables(&[ROWS], RangeMode::Relative, 3, 1);
    let answers = |context: &str, texts: &[&str]| {
        let mut predictor = predictor(tables.clone(), config(context));
        texts.iter().for_each(|text| predictor.learn(text));
        predictor.answer()
    };
    for n in 1..=ROWS.len() {
        let seen = &ROWS[..n];
        let last_two = &seen[n.saturating_sub(2)..];
        assert_eq!(answers("2", seen), answers("all", last_two), "{n}");
        assert_eq!(answers("5", seen), answers("all", seen), "{n}");
    }
}

#[test]
fn fingerprints_name_model_and_parameters() {
    let fingerprint = predictor(tables(&[ROWS], RangeMode::Relative, 3, 1), NgramConfig::default()).fingerprint();
    let expect = format!(
        "ngram/{}?model=test&max_actions=5&stop_on_type_change=true&context=all",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(fingerprint.to_string(), expect);
}

fn model_of(tables: &Tables) -> Model {
    Model::new(
        Card::new(ModelKind::Ngram, KIND_VERSION, "0", "2026-01-01", 0),
        sections(tables).unwrap(),
    )
}

#[test]
fn what_makes_no_tree_is_refused() {
    let card = || Card::new(ModelKind::Ngram, KIND_VERSION, "0", "2026-01-01", 0);
    let good = model_of(&tables(&[ROWS], RangeMode::Absolute, 2, 1));
    let (symbols, contexts) = (good.sections()[0].clone(), good.sections()[1].clone());
    let refused = |sections: Vec<Section>| {
        let model = Model::new(card(), sections);
        NgramModel::from_model(&model).unwrap_err().to_string()
    };
    assert_eq!(refused(vec![symbols.clone()]), "section `contexts` is missing");
    let cut = Section::plain("contexts", contexts.content[..20].to_vec());
    assert_eq!(
        refused(vec![symbols.clone(), cut]),
        "section `contexts` cannot be understood: its numbers do not make a tree"
    );
    let text = String::from_utf8(symbols.content)
        .unwrap()
        .replace("absolute", "relative");
    assert!(refused(vec![Section::plain("symbols", text.into_bytes()), contexts]).contains("is no symbol"));
    let other = Model::new(
        Card {
            kind: ModelKind::Lstm,
            ..card()
        },
        Vec::new(),
    );
    assert!(
        NgramModel::from_model(&other)
            .unwrap_err()
            .to_string()
            .starts_with("it is a model of the kind lstm")
    );
}

/// Texts of actions, and some that are none.
fn texts() -> impl Strategy<Value = Vec<String>> {
    let keyword = prop_oneof![
        Just("INPUT"),
        Just("FONT_BOLD"),
        Just("MERGE"),
        Just("AUTOFILL"),
        Just("ODD")
    ];
    let range = prop_oneof![
        "[A-D][1-9]",
        "[A-C][1-4]:[B-E][3-6]",
        Just("Other!B2".to_owned()),
        ".{0,4}"
    ];
    let value = prop_oneof![
        Just("true"),
        Just("1"),
        Just("\"x\""),
        Just("=A1+B$2"),
        Just("[[1,2]]"),
        Just("")
    ];
    let text = (keyword, range, value).prop_map(|(keyword, range, value)| format!("{keyword} | {range} | {value}"));
    proptest::collection::vec(text, 0..30)
}

/// The most frequent successor by searching all sequences, as the spec has it.
fn searched(
    sequences: &[Vec<Feature>],
    tables: &Tables,
    history: &[SymbolId],
    max_n: usize,
) -> Option<(usize, SymbolId)> {
    let sequences: Vec<Vec<SymbolId>> = sequences
        .iter()
        .map(|features| {
            features
                .iter()
                .map(|feature| tables.symbols.of(feature).unwrap())
                .collect()
        })
        .collect();
    for n in (1..=max_n.min(history.len())).rev() {
        let context = &history[history.len() - n..];
        let mut counts: Vec<(SymbolId, usize)> = Vec::new();
        for sequence in &sequences {
            for window in sequence.windows(n + 1).filter(|window| &window[..n] == context) {
                match counts.iter_mut().find(|(id, _)| *id == window[n]) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((window[n], 1)),
                }
            }
        }
        let most = counts.iter().map(|(_, count)| *count).max();
        if let Some((id, _)) = counts.iter().find(|(_, count)| Some(*count) == most) {
            return Some((n, *id));
        }
    }
    None
}

proptest! {
    #[test]
    fn lookup_finds_what_a_search_finds(
        sequences in proptest::collection::vec(texts(), 1..4),
        max_n in 1_usize..5,
        absolute in any::<bool>(),
    ) {
        let range_mode = if absolute { RangeMode::Absolute } else { RangeMode::Relative };
        let sequences: Vec<Vec<Feature>> = sequences
            .iter()
            .map(|texts| features(&texts.iter().map(String::as_str).collect::<Vec<_>>()))
            .filter(|features| features.len() >= 2)
            .collect();
        let mut trainer = Trainer::new(TrainerOptions { range_mode, max_n });
        sequences.iter().for_each(|features| trainer.push(features));
        let tables = trainer.finish(1);
        let read = NgramModel::from_model(&Model::read(&model_of(&tables).to_bytes().unwrap()).unwrap()).unwrap();
        prop_assert_eq!(&read.tables, &tables);
        for sequence in &sequences {
            let ids: Vec<SymbolId> = sequence.iter().map(|feature| tables.symbols.of(feature).unwrap()).collect();
            for end in 1..=ids.len() {
                let latest = ids[..end].iter().rev().copied();
                let found = tables.contexts.orders(latest).skip(1).last();
                let found = found.and_then(|successors| Some((successors.order(), successors.best()?)));
                prop_assert_eq!(found, searched(&sequences, &tables, &ids[..end], max_n));
            }
        }
    }

    #[test]
    fn any_sections_are_read_or_refused(contexts in proptest::collection::vec(0_u8..20, 0..60), history in texts()) {
        let good = model_of(&tables(&[ROWS, MERGES], RangeMode::Relative, 2, 1));
        let sections = vec![good.sections()[0].clone(), Section::plain("contexts", contexts)];
        let model = Model::new(good.card().clone(), sections);
        if let Ok(model) = NgramModel::from_model(&model) {
            let mut predictor = Ngram::new(Arc::new(model), NgramConfig::default());
            history.iter().for_each(|text| predictor.learn(text));
            predictor.answer();
        }
    }
}
