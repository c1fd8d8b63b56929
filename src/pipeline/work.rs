//! What every stage of a run shares: limits, threads, the instant, and who watches.
//!
//! Cost: starting the threads.

use std::num::NonZeroUsize;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

use crate::codec::Limits;
use crate::source::SourceLimits;

/// Bounds, threads and the one instant of a run.
#[derive(Debug, Clone)]
pub struct RunContext {
    /// The only clock that is ever read.
    pub now: Timestamp,
    /// Threads.
    pub jobs: NonZeroUsize,
    /// Bounds on documents.
    pub limits: Limits,
    /// Bounds on inputs.
    pub source_limits: SourceLimits,
}

impl RunContext {
    /// The day of the instant, in UTC.
    pub fn day(&self) -> Date {
        Offset::UTC.to_datetime(self.now).date()
    }
}

/// Watches a run; called from many threads.
pub trait Observer: Sync {
    /// A stage begins, with so many units of work.
    fn begin(&self, stage: &'static str, units: u64);
    /// So many units more are done.
    fn advance(&self, units: u64);
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn begin(&self, _stage: &'static str, _units: u64) {}
    fn advance(&self, _units: u64) {}
}

/// The threads of a run could not be started.
#[derive(Debug, thiserror::Error)]
#[error("{jobs} threads cannot be started: {cause}")]
pub struct WorkError {
    jobs: NonZeroUsize,
    #[source]
    cause: rayon::ThreadPoolBuildError,
}

/// The most threads that are started: more gain nothing, and each takes memory of the system before it does any work.
const MOST_JOBS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(255);

/// Runs work on the threads of a context, of which 256 at most are started.
///
/// # Errors
/// [`WorkError`] where the system gives no threads.
pub fn on_threads<T: Send>(context: &RunContext, work: impl FnOnce() -> T + Send) -> Result<T, WorkError> {
    let jobs = context.jobs.min(MOST_JOBS);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.get())
        .thread_name(|index| format!("skipstone-{index}"))
        .stack_size(8 << 20)
        .build()
        .map_err(|cause| WorkError { jobs, cause })?;
    Ok(pool.install(work))
}
