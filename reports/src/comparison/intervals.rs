//! Why an interval is not the usual one.

use napsim_statistics::{Interval, Method, OTHERS_MIN};

use crate::table::counted;

/// Why another interval stands there than the studentised bootstrap, in one sentence without its full stop.
pub(super) fn reason(interval: &Interval) -> Option<String> {
    let few = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    match interval.method {
        Method::Studentised => None,
        Method::StudentT if interval.n <= OTHERS_MIN => Some(format!(
            "{} are too few to resample: t interval",
            counted(few(interval.n), "trajectory", "trajectories")
        )),
        Method::StudentT if interval.n_others < OTHERS_MIN => Some(format!(
            "{} of {} trajectories have the same value, and the others are too few to resample: t interval",
            interval.n - interval.n_others,
            interval.n
        )),
        Method::StudentT => Some("too many resamples have no spread: t interval".to_owned()),
        Method::Degenerate => Some(match interval.n {
            2 => "both trajectories have the same value: nothing is known of how far it may be off".to_owned(),
            n => format!("all {n} trajectories have the same value: nothing is known of how far it may be off"),
        }),
        other => Some(other.name().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use napsim_statistics::{BootstrapSettings, mean_interval};

    use super::*;

    #[test]
    fn reasons_say_how_few_there_are() {
        let of = |values: &[f64]| reason(&mean_interval(values, &BootstrapSettings::default()).unwrap());
        let varied: Vec<f64> = (0..30).map(|idx| f64::from(idx * idx)).collect();
        assert_eq!(of(&varied), None);
        assert_eq!(
            of(&varied[..10]).unwrap(),
            "10 trajectories are too few to resample: t interval"
        );
        let mut ties = vec![0.5; 20];
        ties.extend(&varied[..5]);
        assert_eq!(
            of(&ties).unwrap(),
            "20 of 25 trajectories have the same value, and the others are too few to resample: t interval"
        );
        let known = "nothing is known of how far it may be off";
        assert_eq!(
            of(&[0.5; 2]).unwrap(),
            format!("both trajectories have the same value: {known}")
        );
        assert_eq!(
            of(&[0.5; 7]).unwrap(),
            format!("all 7 trajectories have the same value: {known}")
        );
    }
}
