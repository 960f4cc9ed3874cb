//! The policies that have a name (spec 02, section 13).

use napsim_sim::policy::{Metric, Verdict};

use crate::bound::Bound;

/// A policy that has a name: a conjunction of bounds, with what a help text says about it.
#[derive(Debug, PartialEq)]
pub struct NamedPolicy {
    /// The name to type, which is also the id: the paper's name where it has one.
    pub name: &'static str,
    /// Other accepted names: the reference's code names, except where they mislead.
    pub aliases: &'static [&'static str],
    /// All of these must hold; with none, everything is accepted.
    pub bounds: &'static [Bound],
    /// One sentence on what it stands for.
    pub about: &'static str,
}

impl NamedPolicy {
    /// Every named policy: first the paper's, in its order, then the others.
    pub const ALL: &'static [NamedPolicy] = &[
        NamedPolicy {
            name: "greedy",
            aliases: &["steps_saved"],
            bounds: &[Bound::at_least(Metric::Saved, 1.0)],
            about: "The paper's GREEDY: takes what saves at least one action (the reference's code name `greedy` is \
                    another rule, here `non-negative`).",
        },
        NamedPolicy {
            name: "greedy-2",
            aliases: &["ssav2"],
            bounds: &[Bound::at_least(Metric::Saved, 2.0)],
            about: "The paper's GREEDY-2: takes what saves at least two actions.",
        },
        NamedPolicy {
            name: "hybrid-1",
            aliases: &["ideal_user"],
            bounds: &[
                Bound::at_least(Metric::Precision, 0.9),
                Bound::at_least(Metric::Saved, 1.0),
            ],
            about: "The paper's HYBRID-1: takes what is mostly right and saves an action.",
        },
        NamedPolicy {
            name: "hybrid-2",
            aliases: &["ideal_user_strict", "ideal_user_hard_2"],
            bounds: &[
                Bound::at_least(Metric::Precision, 1.0),
                Bound::at_least(Metric::Saved, 2.0),
            ],
            about: "The paper's HYBRID-2: takes what is wholly right and saves two actions.",
        },
        NamedPolicy {
            name: "p100",
            aliases: &["precision_100"],
            bounds: &[Bound::at_least(Metric::Precision, 1.0)],
            about: "The paper's P100: takes what changes nothing wrongly, whatever it saves or costs.",
        },
        NamedPolicy {
            name: "p90",
            aliases: &["precision_90"],
            bounds: &[Bound::at_least(Metric::Precision, 0.9)],
            about: "The paper's P90: takes what is nine tenths right, whatever it saves or costs.",
        },
        NamedPolicy {
            name: "p60",
            aliases: &["precision_60"],
            bounds: &[Bound::at_least(Metric::Precision, 0.6)],
            about: "The paper's P60: takes what is six tenths right, whatever it saves or costs.",
        },
        NamedPolicy {
            name: "always",
            aliases: &["accept_all"],
            bounds: &[],
            about: "The paper's ALWAYS: takes every proposal.",
        },
        NamedPolicy {
            name: "never",
            aliases: &["reject_all"],
            // The reference's rule, which no precision meets: kept so that a verdict has a check to show.
            bounds: &[Bound::at_least(Metric::Precision, 2.0)],
            about: "Takes no proposal: precision is never above 1.",
        },
        NamedPolicy {
            name: "perfect",
            aliases: &[],
            bounds: &[
                Bound::at_least(Metric::Precision, 1.0),
                Bound::at_least(Metric::Recall, 1.0),
            ],
            about: "Takes what is wholly right and leaves nothing missing in the cells it touches.",
        },
        NamedPolicy {
            name: "f1-80",
            aliases: &["f1_80"],
            bounds: &[Bound::at_least(Metric::F1, 0.8)],
            about: "Takes what balances precision and recall at 0.8 or better.",
        },
        NamedPolicy {
            name: "non-negative",
            aliases: &[],
            bounds: &[Bound::at_least(Metric::Saved, 0.0)],
            about: "Takes what costs nothing; the reference's code calls this rule `greedy`, but it is not the \
                    paper's GREEDY.",
        },
    ];

    /// The policy of that name or alias, in upper or lower case.
    pub fn from_name(name: &str) -> Option<&'static NamedPolicy> {
        Self::ALL.iter().find(|named| {
            let mut spellings = std::iter::once(&named.name).chain(named.aliases);
            spellings.any(|spelling| spelling.eq_ignore_ascii_case(name))
        })
    }

    /// The rule in the language of expressions, or `no bounds`.
    pub fn rule(&self) -> String {
        if self.bounds.is_empty() {
            return "no bounds".to_owned();
        }
        let bounds: Vec<_> = self.bounds.iter().map(Bound::to_string).collect();
        bounds.join(" and ")
    }

    /// The verdict where `metric` gives the value of each metric; every bound is checked.
    pub fn decide_with(&self, metric: impl Fn(Metric) -> f64) -> Verdict {
        let checks: Vec<_> = self
            .bounds
            .iter()
            .map(|bound| bound.check(metric(bound.metric)))
            .collect();
        Verdict {
            accepted: checks.iter().all(|check| check.passed),
            checks,
        }
    }

    /// Every name and alias.
    pub(crate) fn spellings() -> impl Iterator<Item = &'static str> {
        let names = Self::ALL.iter().map(|named| named.name);
        names.chain(Self::ALL.iter().flat_map(|named| named.aliases).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases_are_unique_and_found() {
        let mut seen = std::collections::BTreeSet::new();
        for spelling in NamedPolicy::spellings() {
            assert!(seen.insert(spelling), "{spelling} is there twice");
            assert!(Metric::from_name(spelling).is_none(), "{spelling} is a metric");
            let found = NamedPolicy::from_name(&spelling.to_ascii_uppercase()).unwrap();
            assert!(found.name == spelling || found.aliases.contains(&spelling));
        }
    }

    #[test]
    fn rules_are_written_as_in_the_spec() {
        let rules: Vec<_> = NamedPolicy::ALL
            .iter()
            .map(|named| (named.name, named.rule()))
            .collect();
        let expected = [
            ("greedy", "saved >= 1"),
            ("greedy-2", "saved >= 2"),
            ("hybrid-1", "precision >= 0.9 and saved >= 1"),
            ("hybrid-2", "precision >= 1 and saved >= 2"),
            ("p100", "precision >= 1"),
            ("p90", "precision >= 0.9"),
            ("p60", "precision >= 0.6"),
            ("always", "no bounds"),
            ("never", "precision >= 2"),
            ("perfect", "precision >= 1 and recall >= 1"),
            ("f1-80", "f1 >= 0.8"),
            ("non-negative", "saved >= 0"),
        ];
        assert_eq!(rules, expected.map(|(name, rule)| (name, rule.to_owned())));
    }

    #[test]
    fn always_accepts_and_never_refuses_with_a_reason() {
        let of = |name| NamedPolicy::from_name(name).unwrap().decide_with(|_| 1.0);
        assert_eq!(
            of("always"),
            Verdict {
                accepted: true,
                checks: vec![]
            }
        );
        assert!(!of("never").accepted);
        assert_eq!(of("never").checks.len(), 1);
    }

    #[test]
    fn all_bounds_are_checked_also_after_one_has_failed() {
        let verdict = NamedPolicy::from_name("hybrid-1")
            .unwrap()
            .decide_with(|metric| match metric {
                Metric::Precision => 0.5,
                _ => 3.0,
            });
        assert!(!verdict.accepted);
        assert_eq!(
            verdict.checks.iter().map(|check| check.passed).collect::<Vec<_>>(),
            [false, true]
        );
    }
}
