//! Counts and time left, on a terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::printer::Printer;
use crate::pipeline::Observer;

/// Shows how far a run is.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub(super) fn new(printer: &Printer) -> Self {
        let target = if printer.shows_progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }

    /// Takes the bar off the screen.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn begin(&self, stage: &'static str, units: u64) {
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
