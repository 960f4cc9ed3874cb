//! What happens after a failed call.

use super::Found;
use crate::answer::Failure;
use crate::bench::Bench;
use crate::shown::counted;

/// After every call that failed in the other checks, the next trajectory was answered.
pub(super) fn recovery(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    // The last check lets go of the last predictor.
    bench.clear();
    for mishap in &bench.mishaps {
        if let Some(afterwards) = &mishap.afterwards {
            return Err(Failure(format!(
                "in `{}` it {}\nexpected: an answer in the next trajectory\ncame: it {afterwards}",
                mishap.check, mishap.error
            )));
        }
    }
    Ok(match bench.mishaps.len() {
        0 => Found::nothing("no call failed, so there was nothing to come back from"),
        n => Found::well(format!("came back after {}", counted(n, "failed call"))),
    })
}
