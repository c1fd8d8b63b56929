//! Tries a request again where that may help, a few times and not for long.
//!
//! Rule: RFC 9110, section 15 (which status may pass) and section 10.2.3 (`Retry-After`, in seconds; a date is not followed,
//! since no clock but the run's own is read), RFC 6585 (429). Cost: the waits.

use std::time::{Duration, Instant};

use ureq::http::HeaderMap;

use super::super::{StoreError, StoreErrorKind};
use super::options::Pace;

/// Why a try failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// It may pass: broken connections, overload.
    Passing {
        /// What to say where it does not.
        error: StoreError,
        /// How long the registry asks us to wait.
        asked: Option<Duration>,
    },
    /// It will be the same the next time.
    Final(StoreError),
}

impl Failure {
    /// A failure that may pass.
    pub(super) fn passing(what: String) -> Self {
        Self::Passing { error: StoreError::new(StoreErrorKind::Unreadable, what), asked: None }
    }

    /// A failure that stays.
    pub(super) fn last(kind: StoreErrorKind, what: String) -> Self {
        Self::Final(StoreError::new(kind, what))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Final(error)
    }
}

/// The wait that an answer asks for.
pub(super) fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get("retry-after")?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Tries until it works, fails for good, or was tried often or long enough.
///
/// # Errors
/// The last failure, with the number of tries.
pub(super) fn retry<T>(pace: &Pace, mut attempt: impl FnMut() -> Result<T, Failure>) -> Result<T, StoreError> {
    let begun = Instant::now();
    let mut wait = pace.first_wait;
    let mut tries = 1;
    loop {
        let (error, asked) = match attempt() {
            Ok(value) => return Ok(value),
            Err(Failure::Final(error)) => return Err(error),
            Err(Failure::Passing { error, asked }) => (error, asked),
        };
        if let Some(asked) = asked.filter(|asked| *asked > pace.longest_wait) {
            let longest = pace.longest_wait.as_secs();
            let what = format!("{error}; it asks to wait {} s, and {longest} s is the most", asked.as_secs());
            return Err(StoreError::new(error.kind, what));
        }
        let pause = asked.unwrap_or_default().max(wait).min(pace.longest_wait);
        if tries >= pace.tries || begun.elapsed().saturating_add(pause) > pace.together {
            let times = if tries == 1 { "once".to_owned() } else { format!("{tries} times") };
            return Err(StoreError::new(error.kind, format!("{error}; tried {times}")));
        }
        std::thread::sleep(pause);
        wait = wait.saturating_mul(2);
        tries += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace() -> Pace {
        let first_wait = Duration::from_millis(4);
        Pace { first_wait, longest_wait: Duration::from_secs(1), ..Pace::default() }
    }

    fn asks(seconds: u64) -> Failure {
        let error = StoreError::new(StoreErrorKind::Unreadable, "429");
        Failure::Passing { error, asked: Some(Duration::from_secs(seconds)) }
    }

    #[test]
    fn what_passes_is_tried_again_after_longer_and_longer_waits() {
        let begun = Instant::now();
        let mut tries = 0;
        let value = retry(&pace(), || {
            tries += 1;
            if tries < 4 { Err(Failure::passing("503".to_owned())) } else { Ok(tries) }
        });
        assert_eq!(value, Ok(4));
        assert!(begun.elapsed() >= Duration::from_millis(4 + 8 + 16));
    }

    #[test]
    fn what_never_passes_ends_after_four_tries() {
        let mut tries = 0;
        let error = retry::<()>(&pace(), || {
            tries += 1;
            Err(Failure::passing("503".to_owned()))
        });
        assert_eq!((tries, error.unwrap_err().what.as_str()), (4, "503; tried 4 times"));
    }

    #[test]
    fn what_stays_is_not_tried_again() {
        let mut tries = 0;
        let error = retry::<()>(&pace(), || {
            tries += 1;
            Err(Failure::last(StoreErrorKind::Bad, "garbage".to_owned()))
        });
        assert_eq!((tries, error.unwrap_err().what.as_str()), (1, "garbage"));
    }

    #[test]
    fn a_wait_that_is_asked_for_is_kept_and_one_for_hours_is_not() {
        let begun = Instant::now();
        let mut tries = 0;
        let short = retry(&pace(), || {
            tries += 1;
            if tries == 1 { Err(asks(1)) } else { Ok(()) }
        });
        assert!(short.is_ok() && begun.elapsed() >= Duration::from_secs(1));
        let error = retry::<()>(&pace(), || Err(asks(86_400))).unwrap_err();
        assert_eq!(error.what, "429; it asks to wait 86400 s, and 1 s is the most");
    }

    #[test]
    fn all_tries_together_have_a_bound() {
        let pace = Pace { together: Duration::from_millis(10), ..pace() };
        let mut tries = 0;
        let error = retry::<()>(&pace, || {
            tries += 1;
            Err(Failure::passing("503".to_owned()))
        });
        assert!(tries <= 2 && error.is_err(), "{tries}");
    }

    #[test]
    fn only_seconds_are_read_of_the_asked_wait() {
        for (value, seconds) in
            [("7", Some(7)), (" 7 ", Some(7)), ("-1", None), ("Fri, 31 Dec 1999 23:59:59 GMT", None)]
        {
            let headers: HeaderMap = HeaderMap::from_iter([("retry-after".parse().unwrap(), value.parse().unwrap())]);
            assert_eq!(asked_wait(&headers), seconds.map(Duration::from_secs), "{value}");
        }
    }
}
