//! How long a server asks us to wait.

use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// How long a server asks us to wait, by `retry-after-ms`, or by `Retry-After` in seconds or as a date. A date is
/// compared with the server's own clock where the answer tells it, else with `now`.
pub(super) fn asked_to_wait(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(milliseconds) = text("retry-after-ms").and_then(number) {
        return Some(seconds(milliseconds / 1_000.0));
    }
    let asked = text(RETRY_AFTER.as_str())?;
    if let Some(number) = number(asked) {
        return Some(seconds(number));
    }
    let until = httpdate::parse_http_date(asked).ok()?;
    let now = text(DATE.as_str())
        .and_then(|date| httpdate::parse_http_date(date).ok())
        .unwrap_or(now);
    Some(until.duration_since(now).unwrap_or_default())
}

/// A number that is not negative, infinity among them.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| *number >= 0.0)
}

/// A time; one that no `Duration` holds is the longest.
fn seconds(number: f64) -> Duration {
    Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn asked(headers: &[(&'static str, &str)]) -> Option<Duration> {
        let headers = headers.iter().map(|(name, value)| {
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            (HeaderName::from_static(name), value)
        });
        // 784111777 is Sun, 06 Nov 1994 08:49:37 GMT.
        asked_to_wait(
            &HeaderMap::from_iter(headers),
            UNIX_EPOCH + Duration::from_secs(784_111_777),
        )
    }

    #[test]
    fn numbers_are_seconds_or_milliseconds() {
        assert_eq!(asked(&[("retry-after", "20")]), Some(Duration::from_secs(20)));
        assert_eq!(asked(&[("retry-after", " 0.25 ")]), Some(Duration::from_millis(250)));
        assert_eq!(asked(&[("retry-after", "0")]), Some(Duration::ZERO));
        let both = [("retry-after", "20"), ("retry-after-ms", "1500")];
        assert_eq!(asked(&both), Some(Duration::from_millis(1_500)));
        assert_eq!(
            asked(&[("retry-after", "1000000000")]),
            Some(Duration::from_secs(1_000_000_000))
        );
        assert_eq!(asked(&[("retry-after", "1e300")]), Some(Duration::MAX));
        assert_eq!(asked(&[("retry-after", "inf")]), Some(Duration::MAX));
    }

    #[test]
    fn dates_are_compared_with_the_servers_clock() {
        let date = "Sun, 06 Nov 1994 08:49:47 GMT";
        assert_eq!(asked(&[("retry-after", date)]), Some(Duration::from_secs(10)));
        let skewed = [("retry-after", date), ("date", "Sun, 06 Nov 1994 08:49:44 GMT")];
        assert_eq!(asked(&skewed), Some(Duration::from_secs(3)));
        assert_eq!(
            asked(&[("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")]),
            Some(Duration::ZERO)
        );
        // The two older spellings of dates that HTTP knows.
        assert_eq!(
            asked(&[("retry-after", "Sunday, 06-Nov-94 08:49:47 GMT")]),
            Some(Duration::from_secs(10))
        );
        assert_eq!(
            asked(&[("retry-after", "Sun Nov  6 08:49:47 1994")]),
            Some(Duration::from_secs(10))
        );
    }

    #[test]
    fn nonsense_asks_for_nothing() {
        assert_eq!(asked(&[]), None);
        for value in [
            "",
            "-1",
            "NaN",
            "soon",
            "Sun, 32 Nov 1994 08:49:37 GMT",
            "1 s",
            "\u{e9}",
        ] {
            assert_eq!(asked(&[("retry-after", value)]), None, "{value}");
        }
        let either = [("retry-after-ms", "soon"), ("retry-after", "2")];
        assert_eq!(asked(&either), Some(Duration::from_secs(2)));
    }
}
