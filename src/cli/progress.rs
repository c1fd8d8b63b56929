//! Counts and time left, on a terminal only; and how long each stage took, for whoever asks.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::printer::Printer;
use crate::pipeline::Observer;

/// Shows how far a run is.
pub(super) struct Progress {
    bar: ProgressBar,
    stages: Mutex<Vec<(&'static str, Instant)>>,
}

impl Progress {
    pub(super) fn new(printer: &Printer) -> Self {
        let target = if printer.shows_progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, stages: Mutex::new(Vec::new()) }
    }

    /// Takes the bar off the screen, and says how long each stage took.
    pub(super) fn finish(&self) -> Vec<(&'static str, Duration)> {
        self.bar.finish_and_clear();
        let stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = stages.iter().skip(1).map(|(_, begin)| *begin).chain([Instant::now()]);
        stages.iter().zip(ends).map(|((stage, begin), end)| (*stage, end.duration_since(*begin))).collect()
    }
}

impl Observer for Progress {
    fn begin(&self, stage: &'static str, units: u64) {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner).push((stage, Instant::now()));
        let counted = if stage == "reading" { "{bytes} of {total_bytes}" } else { "{pos} of {len}" };
        if let Ok(style) = ProgressStyle::with_template(&format!("{{msg}} {{wide_bar}} {counted}, {{eta}} left")) {
            self.bar.set_style(style);
        }
        self.bar.reset();
        self.bar.set_length(units);
        self.bar.set_message(stage);
    }

    fn advance(&self, units: u64) {
        self.bar.inc(units);
    }
}
