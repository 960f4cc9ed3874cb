//! Reports made up for tests, of real rollouts with a predictor that answers by dice, and with texts of the test's choice.

#![expect(clippy::unwrap_used, reason = "a test without its report has failed")]

use std::collections::BTreeMap;

use napsim_acceptance::parse_policy;
use napsim_analysis::{Progress, RunAnalysis, UnitAnalysis, UserModel};
use napsim_page::{FilmBlock, Films, Report, ReportRun};
use napsim_reports::record::{Seal, UnitHeader, UnitRecord};
use napsim_reports::setup::{ContextLength, Mode, RunSetup};
use napsim_reports::{ComparedRun, Comparison, ComparisonSettings, RunReport, UnitResult};
use napsim_sim::event::Event;
use napsim_sim::predictor::{
    Budget, DroppedText, Fingerprint, PredictError, Predictor, Proposals, Remarks, Seed, TrajectoryHead, Usage, View,
};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
use napsim_trajectories::{Action, SourceLine, Trajectory};
use napsim_viewer::Film;

/// What a made-up report looks like.
pub(crate) struct Plan<'a> {
    /// Runs, which differ in stride and predictor.
    pub(crate) runs: usize,
    /// Trajectories of each run.
    pub(crate) trajectories: usize,
    /// Actions of each trajectory.
    pub(crate) actions: usize,
    /// How many runs have films.
    pub(crate) with_films: usize,
    /// A text for the n-th place that a text of anybody's making can stand at.
    pub(crate) text: &'a (dyn Fn(usize) -> String + Sync),
    /// Whether texts stand in names, messages and remarks as well, and not in cells alone.
    pub(crate) everywhere: bool,
}

/// A sequence that looks like chance and is the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// Answers right, wrong, not at all or with failures, as the dice fall.
struct Made<'a> {
    actions: Vec<Action>,
    dice: Dice,
    plan: &'a Plan<'a>,
    n_texts: usize,
}

impl Made<'_> {
    fn text(&mut self) -> String {
        self.n_texts += 1;
        (self.plan.text)(self.n_texts)
    }
}

impl Predictor for Made<'_> {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("made-up".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        let place = view.history.len();
        let usage = Usage {
            input_tokens: 100 + u64::from(view.user_steps),
            output_tokens: 12,
        };
        match self.dice.below(20) {
            0..=3 => {
                if let Some(action) = self.actions.get(place) {
                    out.push(action.clone(), Some(0.8));
                }
            }
            4 if self.plan.everywhere => {
                let text = self.text();
                out.remark(Remarks {
                    dropped: vec![DroppedText {
                        text: text.clone(),
                        why: text.clone(),
                    }],
                    intent: Some(text.clone()),
                    raw: Some(text),
                    ..Remarks::default()
                });
                let answer = self.text();
                let _ = out.push_text(&answer, None);
            }
            5 if self.plan.everywhere => return Err(PredictError::Call(self.text())),
            6 => {}
            dice => {
                let (row, column) = (1 + self.dice.below(60), self.dice.below(8));
                let letter = char::from(b'A' + u8::try_from(column).unwrap_or_default());
                let value = if self.plan.everywhere {
                    self.text()
                } else {
                    format!("guess {row}")
                };
                let text = if dice.is_multiple_of(2) {
                    format!(
                        "INPUT | Sheet1!{letter}{row} | {}",
                        serde_json::to_string(&value).unwrap()
                    )
                } else {
                    format!("FONT_BOLD | Sheet1!{letter}{row} | true")
                };
                let _ = out.push_text(&text, Some(0.05 * f64::from(u32::try_from(dice).unwrap_or_default())));
            }
        }
        Ok(usage)
    }
}

/// The actions of a made-up trajectory.
fn actions(plan: &Plan<'_>, number: usize) -> Vec<Action> {
    let made = |place: usize| {
        let (row, letter) = (
            1 + place / 6,
            char::from(b'A' + u8::try_from(place % 6).unwrap_or_default()),
        );
        // Three of five actions type a text, and each of these is another one.
        let nth = number * (plan.actions / 5 * 3) + place / 5 * 3 + place % 5;
        let value = serde_json::to_string(&(plan.text)(nth)).unwrap();
        let text = match place % 5 {
            3 => format!("FONT_BOLD | Sheet1!{letter}{row} | true"),
            4 => format!("FILL_COLOR | Sheet1!{letter}{row} | #ffe599"),
            _ => format!("INPUT | Sheet1!{letter}{row} | {value}"),
        };
        Action::parse(&text).unwrap_or_else(|reason| panic!("{text:?}: {reason}"))
    };
    (0..plan.actions).map(made).collect()
}

fn trajectory(plan: &Plan<'_>, number: usize) -> Trajectory {
    let actions = actions(plan, number);
    let line = |(line_no, action): (u64, &Action)| SourceLine {
        line_no,
        text: action.to_string(),
    };
    let text = |place: usize| plan.everywhere.then(|| (plan.text)(number + place));
    Trajectory {
        name: text(0).map_or_else(|| format!("sheet-{number:04}"), |text| format!("{number} {text}")),
        title: text(1),
        description: text(2),
        lines: (1..).zip(&actions).map(line).collect(),
        actions,
        predictable: None,
    }
}

fn setup(plan: &Plan<'_>, run: usize) -> RunSetup {
    let mut settings = Mode::Single.settings();
    settings.stride = [1, 2, 4, 8].get(run % 4).copied().unwrap_or(1);
    let name = if plan.everywhere {
        (plan.text)(run)
    } else {
        format!("made-up-{}", run / 4)
    };
    RunSetup {
        protocol: "nape-1".to_owned(),
        corpus: if plan.everywhere {
            (plan.text)(7)
        } else {
            "made up".to_owned()
        },
        predictor: name,
        fingerprint: Fingerprint("made-up".to_owned()),
        policy: "greedy".to_owned(),
        mode: Mode::Single,
        context: Some(ContextLength::ALL),
        settings,
    }
}

fn record(plan: &Plan<'_>, setup: &RunSetup, run: usize, number: usize) -> UnitRecord {
    let trajectory = trajectory(plan, number);
    let policy = parse_policy(&setup.policy).unwrap();
    let task = Task {
        name: &trajectory.name,
        actions: &trajectory.actions,
        policy: &policy,
        protocol: &Protocol::NAPE_1,
        settings: &setup.settings,
    };
    let mut predictor = Made {
        actions: trajectory.actions.clone(),
        dice: Dice(u64::try_from(run * 1000 + number).unwrap()),
        plan,
        n_texts: 0,
    };
    let mut events: Vec<Event> = Vec::new();
    let summary = rollout(task, &mut predictor, &mut events);
    UnitRecord {
        header: UnitHeader::new(setup, &trajectory, "0.1.0"),
        summary,
        seal: Seal {
            events: u64::try_from(events.len()).unwrap(),
            coverage: None,
            lost: false,
            sha256: String::new(),
        },
        events,
        intact: true,
    }
}

/// Films and analyses one record at a time, as a program with much to report should.
fn run(plan: &Plan<'_>, idx: usize) -> ReportRun {
    let setup = setup(plan, idx);
    let policy = parse_policy(&setup.policy).unwrap();
    let (mut results, mut analyses, mut progress, mut films) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for number in 0..plan.trajectories {
        let record = record(plan, &setup, idx, number);
        analyses.push(UnitAnalysis::of(&record));
        progress.push(Progress::of(&record).thinned(200));
        if idx < plan.with_films {
            let film = Film::of(&record, &policy, &Protocol::NAPE_1).unwrap();
            films.push(FilmBlock {
                trajectory: film.name().to_owned(),
                unit: format!("{idx}-{number}"),
                packed: film.packed(),
            });
        }
        results.push(UnitResult {
            summary: record.summary,
            coverage: None,
        });
    }
    let name = if plan.everywhere {
        format!("{idx} {}", (plan.text)(idx + 40))
    } else {
        format!("run-{idx}")
    };
    ReportRun {
        figures: vec![RunReport::new(&setup, &results, None)],
        compared: ComparedRun {
            name,
            setup,
            repeats: vec![results],
            digests: BTreeMap::new(),
            missing: 0,
        },
        analysis: RunAnalysis::new(analyses),
        progress,
        times: None,
        films: if films.is_empty() {
            Films::Absent((plan.text)(3))
        } else {
            Films::Present(films)
        },
    }
}

/// The report.
pub(crate) fn report(plan: &Plan<'_>) -> Report {
    let runs: Vec<ReportRun> = (0..plan.runs).map(|idx| run(plan, idx)).collect();
    let compared: Vec<ComparedRun> = runs.iter().map(|run| run.compared.clone()).collect();
    let comparison = Comparison::of(&compared, &ComparisonSettings::default()).unwrap();
    Report {
        title: if plan.everywhere {
            (plan.text)(5)
        } else {
            "Made up".to_owned()
        },
        program: if plan.everywhere {
            (plan.text)(6)
        } else {
            "napsim test".to_owned()
        },
        runs,
        comparison,
        user_model: Some(UserModel::default()),
    }
}
