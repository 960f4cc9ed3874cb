//! Values of options that have a form of their own.

use napsim_sim::protocol::Protocol;
use napsim_sim::settings::{StepLimit, Trigger};
use napsim_trajectories::Group;

use napsim_experiments::nearest::hint;

/// A protocol by its name.
pub(super) fn protocol(text: &str) -> Result<Protocol, String> {
    let names = || Protocol::ALL.iter().map(Protocol::name);
    Protocol::from_name(text).ok_or_else(|| {
        format!(
            "there is no protocol of that name{}; there are: {}",
            hint(text, names()),
            join(names())
        )
    })
}

/// `after:KIND,KIND`, `run:N`, `kind-change` or `area-change`.
pub(super) fn trigger(text: &str) -> Result<Trigger, String> {
    let (name, value) = text
        .split_once(':')
        .map_or((text, None), |(name, value)| (name, Some(value)));
    match (name, value) {
        ("after", Some(kinds)) => kinds
            .split(',')
            .map(group)
            .collect::<Result<_, _>>()
            .map(Trigger::After),
        ("run", Some(n)) => match n.parse() {
            Ok(n) if n > 0 => Ok(Trigger::Run(n)),
            _ => Err(format!("`{n}` is no number of actions from 1, as in `run:3`")),
        },
        ("kind-change", None) => Ok(Trigger::GroupChange),
        ("area-change", None) => Ok(Trigger::AreaChange),
        _ => {
            let names = ["after", "run", "kind-change", "area-change"];
            Err(format!(
                "not a trigger{}; write after:KIND,KIND or run:N or kind-change or area-change",
                hint(name, names)
            ))
        }
    }
}

fn group(name: &str) -> Result<Group, String> {
    let names = || Group::ALL.iter().map(|group| group.name());
    Group::from_name(name).ok_or_else(|| {
        format!(
            "no kind of action `{name}`{}; there are: {}",
            hint(name, names()),
            join(names())
        )
    })
}

/// `1200`, `120%`, `1200,120%` or `none`.
pub(super) fn step_limit(text: &str) -> Result<StepLimit, String> {
    if text == "none" {
        return Ok(StepLimit::NONE);
    }
    let mut limit = StepLimit::NONE;
    for part in text.split(',') {
        let is_new = match part.strip_suffix('%') {
            Some(percent) => {
                let percent: f64 = percent
                    .parse()
                    .ok()
                    .filter(|percent| (0.0..=1e6).contains(percent))
                    .ok_or_else(no_limit)?;
                limit.share.replace(percent / 100.0).is_none()
            }
            None => limit.steps.replace(part.parse().map_err(|_| no_limit())?).is_none(),
        };
        if !is_new {
            return Err(no_limit());
        }
    }
    Ok(limit)
}

fn no_limit() -> String {
    "write a number such as 1200, a share such as 120%, both as 1200,120%, or none".to_owned()
}

fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triggers_are_read() {
        assert_eq!(
            trigger("after:merge,align"),
            Ok(Trigger::After(vec![Group::Merge, Group::Align]))
        );
        assert_eq!(trigger("run:3"), Ok(Trigger::Run(3)));
        assert_eq!(trigger("kind-change"), Ok(Trigger::GroupChange));
        assert_eq!(trigger("area-change"), Ok(Trigger::AreaChange));
        for text in [
            "",
            "after",
            "after:",
            "after:merge,",
            "run",
            "run:0",
            "run:x",
            "kind-change:1",
            "other",
        ] {
            assert!(trigger(text).is_err(), "{text}");
        }
        assert!(trigger("after:mrege").unwrap_err().contains("did you mean `merge`?"));
        assert!(
            trigger("kindchange")
                .unwrap_err()
                .contains("did you mean `kind-change`?")
        );
    }

    #[test]
    fn step_limits_are_read() {
        assert_eq!(step_limit("1200,120%"), Ok(StepLimit::PUBLISHED));
        assert_eq!(step_limit("120%,1200"), Ok(StepLimit::PUBLISHED));
        assert_eq!(
            step_limit("50"),
            Ok(StepLimit {
                steps: Some(50),
                share: None
            })
        );
        assert_eq!(
            step_limit("99.5%"),
            Ok(StepLimit {
                steps: None,
                share: Some(0.995)
            })
        );
        assert_eq!(step_limit("none"), Ok(StepLimit::NONE));
        for text in ["", "x", "1,2", "1%,2%", "-5", "-5%", "NaN%", "1e9%", "none,5"] {
            assert!(step_limit(text).is_err(), "{text}");
        }
    }
}
