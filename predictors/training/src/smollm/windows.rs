//! From lines to windows of tokens.
//!
//! Lines are encoded one by one, each with the line break before it: that is how a vocabulary of words cuts the whole text,
//! too, and how a model goes on with a prompt, which ends without a line break.

use std::ops::Range;

use napsim_llama::ModelTokenizer;
use napsim_llama::train::{Window, Windows};
use napsim_predictors::language::CompletionTemplate;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;

use super::lines::Lines;
use super::{DataSettings, Loss};
use crate::job::TrainingError;
use crate::progress::Progress;

/// Sequences that are encoded before progress is told.
const SEQUENCES_AT_ONCE: usize = 256;

/// What there is to be learned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WindowReport {
    /// Training sequences.
    pub n_sequences: usize,
    /// Sequences left out because they are too long.
    pub n_too_long: usize,
    /// Windows to learn from.
    pub n_windows: usize,
    /// Tokens that the model reads in an epoch.
    pub n_tokens: usize,
    /// Those of them that are learned.
    pub n_targets: usize,
    /// Windows that gave up actions, because they hold too many tokens.
    pub n_cut: usize,
    /// Windows to measure on.
    pub n_valid_windows: usize,
}

/// The windows to learn from and to measure on.
pub(super) fn windows(
    lines: &Lines,
    tokenizer: &ModelTokenizer,
    settings: &DataSettings,
    seed: u64,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(Windows, Windows, WindowReport), TrainingError> {
    let line_break = line_break(tokenizer)?;
    let preamble = CompletionTemplate::default().preamble();
    let beginning = tokenizer.encode(preamble.strip_suffix('\n').unwrap_or(&preamble))?;
    let total = lines.train.len() + lines.valid.len();
    let done = std::cell::Cell::new(0);
    let windowed = |sequences: &[Vec<String>], settings: &DataSettings| -> Result<(Windows, usize), TrainingError> {
        let mut windows = Windows {
            beginning: beginning.clone(),
            ..Windows::default()
        };
        let mut n_cut = 0;
        for some in sequences.chunks(SEQUENCES_AT_ONCE) {
            let encoded: Vec<Encoded> = some
                .par_iter()
                .map(|lines| encode(lines, tokenizer, line_break))
                .collect::<Result<_, _>>()?;
            for sequence in encoded {
                n_cut += add(&mut windows, &sequence, settings);
            }
            done.set(done.get() + some.len());
            progress(Progress::Fitting {
                done: done.get() as u64,
                total: total as u64,
            });
        }
        Ok((windows, n_cut))
    };
    let (train, n_cut) = windowed(&lines.train, settings)?;
    let (mut valid, _) = windowed(&lines.valid, &settings.for_validation())?;
    limit(&mut valid.windows, settings.valid_windows_max, seed);
    let report = WindowReport {
        n_sequences: lines.train.len(),
        n_too_long: lines.n_too_long,
        n_windows: train.windows.len(),
        n_tokens: train.windows.iter().map(|window| train.n_tokens(window)).sum(),
        n_targets: train.windows.iter().map(|window| train.n_targets(window)).sum(),
        n_cut,
        n_valid_windows: valid.windows.len(),
    };
    Ok((train, valid, report))
}

/// The token of a line break.
fn line_break(tokenizer: &ModelTokenizer) -> Result<u32, TrainingError> {
    match tokenizer.encode_part("\n")?.as_slice() {
        [line_break] => Ok(*line_break),
        _ => Err(TrainingError::LineBreak),
    }
}

/// A sequence as tokens.
struct Encoded {
    /// Every line with the line break before it, and a line break at the end.
    tokens: Vec<u32>,
    /// Where each line begins, and where the line break at the end stands.
    starts: Vec<usize>,
}

fn encode(lines: &[String], tokenizer: &ModelTokenizer, line_break: u32) -> Result<Encoded, TrainingError> {
    let mut encoded = Encoded {
        tokens: Vec::new(),
        starts: Vec::with_capacity(lines.len() + 1),
    };
    for line in lines {
        encoded.starts.push(encoded.tokens.len());
        let tokens = tokenizer.encode_part(&format!("\n{line}"))?;
        if tokens.first() != Some(&line_break) {
            return Err(TrainingError::LineBreak);
        }
        encoded.tokens.extend(tokens);
    }
    encoded.starts.push(encoded.tokens.len());
    encoded.tokens.push(line_break);
    Ok(encoded)
}

/// Adds the windows of a sequence; says how many had to give up actions.
fn add(windows: &mut Windows, sequence: &Encoded, settings: &DataSettings) -> usize {
    let offset = windows.tokens.len();
    windows.tokens.extend(&sequence.tokens);
    let n_lines = sequence.starts.len().saturating_sub(1);
    let n_beginning = windows.beginning.len();
    let room = settings.tokens_max.saturating_sub(n_beginning);
    let start_of = |line: usize| sequence.starts.get(line).copied().unwrap_or_default();
    let mut n_cut = 0;
    for Lesson { lines, first_target } in lessons(n_lines, settings) {
        // The line break that ends the last line is that of the next one.
        let end = start_of(lines.end) + 1;
        let Some(kept) = lines.clone().find(|&line| end - start_of(line) <= room) else {
            n_cut += 1;
            continue;
        };
        n_cut += usize::from(kept > lines.start);
        let start = start_of(kept);
        let learned_from = match first_target {
            None => 0,
            Some(target) => n_beginning + start_of(target.max(kept)) - start,
        };
        windows.windows.push(Window {
            start: offset + start,
            end: offset + end,
            learned_from,
        });
    }
    n_cut
}

/// Lines of a sequence that make a window.
#[derive(Debug, PartialEq)]
struct Lesson {
    lines: Range<usize>,
    /// The first line that is learned; none where the sentence before the lines is learned, too.
    first_target: Option<usize>,
}

/// The windows of a sequence of so many lines.
fn lessons(n_lines: usize, settings: &DataSettings) -> impl Iterator<Item = Lesson> {
    let DataSettings {
        window, stride, loss, ..
    } = *settings;
    (0..n_lines).step_by(stride).filter_map(move |start| {
        let lines = start..n_lines.min(start + window);
        let first_target = match loss {
            Loss::All => None,
            Loss::Targets if start == 0 => Some(0),
            // What is no longer than its context was learned in the window before.
            Loss::Targets => Some(start + window - stride),
        };
        let is_lesson = lines.len() >= 2 && first_target.is_none_or(|target| target < lines.end);
        is_lesson.then_some(Lesson { lines, first_target })
    })
}

/// Keeps so many windows, drawn by the seed, in their order.
fn limit(windows: &mut Vec<Window>, n_max: usize, seed: u64) {
    if windows.len() > n_max {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(1);
        let mut drawn = rand::seq::index::sample(&mut random, windows.len(), n_max).into_vec();
        drawn.sort_unstable();
        *windows = drawn.into_iter().filter_map(|idx| windows.get(idx).copied()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use napsim_llama::vocabulary;

    fn settings() -> DataSettings {
        DataSettings {
            window: 5,
            stride: 2,
            ..DataSettings::default()
        }
    }

    fn tokenizer() -> ModelTokenizer {
        let text = CompletionTemplate::default().prompt(&["INPUT | A1 | \"a b\"", "FONT_BOLD | A1:B2 | true"]);
        let tokenizer = vocabulary::learn((0..3).map(|_| text.as_str()), 280).unwrap();
        ModelTokenizer::from_json(tokenizer.to_string(false).unwrap().as_bytes()).unwrap()
    }

    #[test]
    fn every_action_is_a_target_once() {
        for n_lines in 2..30 {
            let mut targets = Vec::new();
            for lesson in lessons(n_lines, &settings()) {
                let first = lesson.first_target.unwrap();
                assert!(
                    first == 0 || first - lesson.lines.start == 3,
                    "a whole context: {lesson:?}"
                );
                targets.extend(first..lesson.lines.end);
            }
            assert_eq!(targets, (0..n_lines).collect::<Vec<_>>(), "{n_lines}");
        }
        assert_eq!(lessons(1, &settings()).count(), 0);
        let settings = DataSettings {
            loss: Loss::All,
            ..settings()
        };
        let all: Vec<_> = lessons(6, &settings).map(|lesson| lesson.lines).collect();
        assert_eq!(all, [0..5, 2..6, 4..6]);
    }

    /// The text that a window stands for, and the part of it that is learned.
    fn texts(windows: &Windows, window: &Window, tokenizer: &ModelTokenizer) -> (String, String) {
        let tokens = windows
            .beginning
            .iter()
            .chain(&windows.tokens[window.start..window.end]);
        let bytes = |tokens: Vec<&u32>| {
            tokens
                .into_iter()
                .flat_map(|token| tokenizer.bytes(*token))
                .copied()
                .collect()
        };
        let all: Vec<&u32> = tokens.collect();
        let learned = all[window.learned_from..].to_vec();
        (
            String::from_utf8(bytes(all)).unwrap(),
            String::from_utf8(bytes(learned)).unwrap(),
        )
    }

    #[test]
    fn windows_are_prompts_with_what_follows() {
        let line = |idx: usize| match idx % 2 {
            0 => format!("INPUT | A{idx} | \"größer \\n {idx}\""),
            _ => format!("NUMBER_FORMAT | A{idx}:C{idx} | #,##0.00_) "),
        };
        let sequence: Vec<String> = (0..9).map(line).collect();
        let lines = Lines {
            train: vec![vec!["X | A1 | 1".to_owned(); 2], sequence.clone()],
            ..Lines::default()
        };
        let tokenizer = tokenizer();
        let (windows, valid, report) = windows(&lines, &tokenizer, &settings(), 0, &|_| {}).unwrap();
        assert_eq!((report.n_windows, report.n_sequences, report.n_cut), (4, 2, 0));
        assert!(valid.windows.is_empty());
        let prompt = |lines: &[String]| CompletionTemplate::default().prompt(lines);
        for (window, (start, target, end)) in windows.windows[1..].iter().zip([(0, 0, 5), (2, 5, 7), (4, 7, 9)]) {
            let (whole, learned) = texts(&windows, window, &tokenizer);
            assert_eq!(whole, prompt(&sequence[start..end]) + "\n");
            let before = match target {
                0 => prompt(&[String::new()]).trim_end_matches('\n').to_owned() + "\n",
                target => prompt(&sequence[start..target]),
            };
            assert_eq!(before + &learned, whole);
            // The whole text is cut into the same tokens.
            let tokens = windows
                .beginning
                .iter()
                .chain(&windows.tokens[window.start..window.end]);
            assert!(tokens.copied().eq(tokenizer.encode(&whole).unwrap()));
        }
    }

    #[test]
    fn the_oldest_actions_give_way() {
        let tokenizer = tokenizer();
        let lines = Lines {
            train: vec![
                (0..9)
                    .map(|idx| format!("INPUT | A{idx} | \"{}\"", "xyz".repeat(4)))
                    .collect(),
            ],
            ..Lines::default()
        };
        let whole = windows(&lines, &tokenizer, &settings(), 0, &|_| {}).unwrap().0;
        let longest = whole.windows.iter().map(|window| whole.n_tokens(window)).max().unwrap();
        let shorter = DataSettings {
            tokens_max: longest - 1,
            ..settings()
        };
        let (cut, _, report) = windows(&lines, &tokenizer, &shorter, 0, &|_| {}).unwrap();
        assert_eq!(report.n_cut, whole.windows.len());
        for (cut_window, window) in cut.windows.iter().zip(&whole.windows) {
            assert!(cut.n_tokens(cut_window) < longest);
            let (text, learned) = texts(&cut, cut_window, &tokenizer);
            let (_, learned_of_whole) = texts(&whole, window, &tokenizer);
            assert!(text.contains(".\n\nINPUT | A"), "cut between actions: {text}");
            assert!(learned_of_whole.ends_with(&learned), "{learned}");
            assert!(window.learned_from == whole.beginning.len() || learned == learned_of_whole);
        }
        let none = DataSettings {
            tokens_max: cut.beginning.len() + 3,
            ..settings()
        };
        assert!(
            windows(&lines, &tokenizer, &none, 0, &|_| {})
                .unwrap()
                .0
                .windows
                .is_empty()
        );
    }
}
