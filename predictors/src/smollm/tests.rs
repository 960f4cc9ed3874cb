//! The predictor with the model that comes with the program.

use std::sync::LazyLock;

use napsim_sim::predictor::CurrentWorkbook;
use napsim_trajectories::Corpus;

use super::*;

static MODEL: LazyLock<Arc<LanguageModel>> = LazyLock::new(tiny);

fn tiny() -> Arc<LanguageModel> {
    Arc::new(LanguageModel::tiny().unwrap())
}

fn begun(config: &SmollmConfig) -> Smollm {
    let mut predictor = Smollm::new(Arc::clone(&MODEL), config.clone());
    let head = TrajectoryHead {
        name: "test",
        sheet: "Sheet1",
    };
    predictor.begin(head, Seed(7));
    predictor
}

/// Proposed lines with their confidence, rejected lines, and what it cost.
type Got = (Vec<(String, Option<f64>)>, Vec<String>, Usage);

fn ask(predictor: &mut Smollm, actions_max: Option<u32>) -> Result<Got, PredictError> {
    let current = CurrentWorkbook::default();
    let view = View {
        history: &[],
        current: &current,
        user_steps: 0,
        call_idx: 0,
    };
    let mut out = Proposals::default();
    let usage = predictor.predict(view, Budget { actions_max }, &mut out)?;
    let proposed = out
        .actions()
        .iter()
        .map(|proposal| (proposal.action.to_string(), proposal.confidence));
    let rejected = out.rejected().iter().map(|rejected| rejected.text.clone());
    Ok((proposed.collect(), rejected.collect(), usage))
}

/// The first actions of a built-in trajectory.
fn actions(n: usize) -> Vec<Action> {
    let corpus = Corpus::embedded().unwrap();
    let trajectory = corpus
        .trajectories
        .iter()
        .find(|trajectory| trajectory.actions.len() >= n)
        .unwrap();
    trajectory.actions[..n].to_vec()
}

#[test]
fn what_was_read_before_makes_no_difference() {
    let config = SmollmConfig {
        tokens_max: 24,
        ..SmollmConfig::default()
    };
    let mut growing = begun(&config);
    let actions = actions(70);
    let (before, mut n_seen) = (MODEL.activity().report().n_predictions, 0);
    for n in [1, 2, 3, 30, 47, 48, 49, 66, 70] {
        growing.observe(&actions[n_seen..n]);
        n_seen = n;
        let mut anew = begun(&config);
        anew.session = tiny().session();
        anew.observe(&actions[..n]);
        assert_eq!(ask(&mut growing, None).unwrap(), ask(&mut anew, None).unwrap(), "{n}");
    }
    assert!(MODEL.activity().report().n_predictions >= before + 9);
}

#[test]
fn only_new_tokens_are_read() {
    let model = tiny();
    let mut predictor = Smollm::new(Arc::clone(&model), SmollmConfig::default());
    let actions = actions(40);
    let mut n_read_before = 0;
    for (idx, action) in actions.iter().enumerate() {
        predictor.observe(std::slice::from_ref(action));
        let (n_prompt, n_new) = predictor.read_prompt().unwrap();
        let line = model
            .tokenizer()
            .encode(predictor.written.lines().unwrap().last().unwrap())
            .unwrap();
        if idx > 0 {
            assert!(
                n_new <= line.len() + 2,
                "{n_new} of {n_prompt} tokens read for {} new ones",
                line.len()
            );
        }
        n_read_before += n_new;
    }
    assert_eq!(n_read_before, predictor.session.tokens().len());
}

#[test]
fn one_action_is_one_line() {
    let mut predictor = begun(&SmollmConfig::default());
    predictor.observe(&actions(30));
    let (proposed, rejected, usage) = ask(&mut predictor, Some(1)).unwrap();
    assert!(proposed.len() + rejected.len() <= 1, "{proposed:?} {rejected:?}");
    assert!(usage.output_tokens < 256 && usage.input_tokens > 100);
    let (several, ..) = ask(&mut predictor, None).unwrap();
    assert!(several.len() <= 5 && several.first() == proposed.first(), "{several:?}");
}

#[test]
fn with_the_grammar_every_line_can_be_read() {
    let config = SmollmConfig {
        grammar: true,
        // Drawn tokens would be nonsense more often than not.
        choice: Choice {
            temperature: 2.0,
            top_p: 1.0,
        },
        ..SmollmConfig::default()
    };
    let mut predictor = begun(&config);
    let mut n_proposed = 0;
    for action in actions(30) {
        predictor.observe(&[action]);
        let (proposed, rejected, _) = ask(&mut predictor, Some(1)).unwrap();
        // A line that the token limit cut off is the only kind that cannot be read.
        assert!(rejected.len() <= 1 && proposed.len() <= 1, "{rejected:?}");
        n_proposed += proposed.len();
    }
    assert!(n_proposed > 15, "{n_proposed}");
}

#[test]
fn drawing_depends_on_the_seed_alone() {
    let config = SmollmConfig {
        choice: Choice {
            temperature: 1.5,
            top_p: 1.0,
        },
        ..SmollmConfig::default()
    };
    let answers = |seed: u64| -> Vec<Got> {
        let mut predictor = begun(&config);
        predictor.begin(
            TrajectoryHead {
                name: "test",
                sheet: "Sheet1",
            },
            Seed(seed),
        );
        predictor.observe(&actions(20));
        (0..6).map(|_| ask(&mut predictor, Some(1)).unwrap()).collect()
    };
    assert_eq!(answers(1), answers(1));
    assert_ne!(answers(1), answers(2));
}

#[test]
fn the_oldest_actions_give_way_to_a_short_model() {
    let config = SmollmConfig {
        window: Window {
            context: crate::Context::All,
            ..Window::default()
        },
        tokens_max: 16,
        ..SmollmConfig::default()
    };
    let mut predictor = begun(&config);
    let wide: Vec<Action> = (1..400)
        .filter_map(|row| {
            Action::parse(&format!(
                "INPUT | Sheet1!A{row}:D{row} | [[{row}, 22222, 33333, 44444]]"
            ))
            .ok()
        })
        .collect();
    predictor.observe(&wide);
    let (n_prompt, _) = predictor.read_prompt().unwrap();
    let n_max = MODEL.config().max_position_embeddings - 16;
    assert!(n_prompt <= n_max && n_prompt > n_max / 2, "{n_prompt} of {n_max}");
    let last = MODEL
        .tokenizer()
        .encode(predictor.written.lines().unwrap().last().unwrap())
        .unwrap();
    let end = &predictor.session.tokens()[n_prompt - last.len() + 1..];
    assert_eq!(end, &last[1..], "the newest action is never left out");
}

#[test]
fn an_action_that_does_not_fit_is_a_failure_and_no_empty_answer() {
    let mut predictor = begun(&SmollmConfig {
        context: ContextSettings {
            shorten: None,
            ..ContextSettings::default()
        },
        ..SmollmConfig::default()
    });
    let long = "é?".repeat(20_000);
    predictor.observe(&[Action::parse(&format!("INPUT | Sheet1!A1 | \"{long}\"")).unwrap()]);
    let error = ask(&mut predictor, Some(1)).unwrap_err();
    assert!(
        matches!(&error, PredictError::Call(text) if text.contains("the last action alone")),
        "{error}"
    );
}

#[test]
fn lines_are_about_the_sheet_of_the_last_action() {
    let mut predictor = begun(&SmollmConfig::default());
    predictor.observe(&[Action::parse("INPUT | 'My sheet'!A1 | 5").unwrap()]);
    assert_eq!(predictor.written.sheet(), "'My sheet'");
    assert_eq!(predictor.written.lines().unwrap(), ["INPUT | A1 | 5"]);
}
