//! Standard output for data, standard error for everything else; readable without colour.
//!
//! Rule: NO_COLOR (no-color.org). Cost: one write for each message.

use std::io::{self, IsTerminal as _, Write as _};

use serde::Serialize;

use super::CommandError;
use super::args::{Colour, Global, OutputFormat};
use crate::report::json;
use crate::report::text::{Style, harmless};

/// Prints answers and messages.
#[derive(Debug)]
pub(super) struct Printer {
    pub(super) format: OutputFormat,
    quiet: bool,
    verbose: bool,
    colour: Colour,
}

impl Printer {
    pub(super) fn new(global: &Global) -> Self {
        Self { format: global.format, quiet: global.quiet, verbose: global.verbose > 0, colour: global.color }
    }

    /// Whether only what is wrong is wanted.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// How text on standard output is dressed.
    pub(super) fn style(&self) -> Style {
        Style { colour: self.coloured(io::stdout().is_terminal()) }
    }

    /// Whether a moving progress bar would be seen by somebody.
    pub(super) fn shows_progress(&self) -> bool {
        let in_pipeline = std::env::var_os("CI").is_some();
        io::stderr().is_terminal() && !self.quiet && !self.verbose && !in_pipeline
    }

    fn coloured(&self, terminal: bool) -> bool {
        match self.colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        }
    }

    /// Prints data. A reader that goes away is no fault.
    pub(super) fn data(&self, text: &str) -> Result<(), CommandError> {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(CommandError::new(format!("standard output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Prints one JSON document.
    pub(super) fn json(&self, value: &impl Serialize) -> Result<(), CommandError> {
        self.data(&json::answer(value)?)
    }

    /// An error, and what to do about it.
    pub(super) fn error(&self, message: &str, hint: Option<&str>) {
        self.line(&self.prefix("error", "1;31"), message);
        if let Some(hint) = hint {
            self.line(&self.prefix("hint", "36"), hint);
        }
    }

    /// A warning.
    pub(super) fn warning(&self, message: &str) {
        self.line(&self.prefix("warning", "33"), message);
    }

    /// A hint that stands alone.
    pub(super) fn hint(&self, message: &str) {
        if !self.quiet {
            self.line(&self.prefix("hint", "36"), message);
        }
    }

    /// What happened, for whoever watches.
    pub(super) fn note(&self, message: &str) {
        if !self.quiet {
            self.line("", message);
        }
    }

    /// What only somebody who asked for more wants to know.
    pub(super) fn detail(&self, message: &str) {
        if self.verbose {
            self.line("", message);
        }
    }

    fn prefix(&self, word: &str, code: &str) -> String {
        if self.coloured(io::stderr().is_terminal()) {
            format!("\u{1b}[{code}m{word}:\u{1b}[0m ")
        } else {
            format!("{word}: ")
        }
    }

    fn line(&self, prefix: &str, message: &str) {
        // Nothing can be done where even standard error is gone.
        let _ = writeln!(io::stderr().lock(), "{prefix}{}", harmless(message));
    }

    /// Refuses a format that a command does not have.
    pub(super) fn only(&self, formats: &[OutputFormat]) -> Result<(), CommandError> {
        if formats.contains(&self.format) {
            return Ok(());
        }
        let names: Vec<String> = formats.iter().map(|format| format!("{format:?}").to_lowercase()).collect();
        Err(CommandError::new(format!("this command prints {} only", names.join(", "))))
    }
}
