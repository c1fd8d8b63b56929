//! The command line: the only place that knows clap, the environment, the terminal, the clock and the exit code.
//!
//! What was typed is one type (`args`), what it means is another (`settings`); commands see only the second. Data goes to
//! standard output, everything else to standard error.

mod args;
mod commands;
mod exit;
mod printer;
mod progress;
mod settings;
mod suggest;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

pub use exit::ExitStatus;

use args::{Arguments, Command};
use printer::Printer;
use settings::Settings;

/// A reason why a command could not run at all, and what to do.
#[derive(Debug)]
pub(crate) struct CommandError {
    message: String,
    hint: Option<String>,
}

impl CommandError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl<E: std::error::Error> From<E> for CommandError {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(deeper) = cause {
            let text = deeper.to_string();
            if !message.contains(&text) {
                message = format!("{message}: {text}");
            }
            cause = deeper.source();
        }
        Self::new(message)
    }
}

/// What a command comes to.
type CommandResult = Result<ExitStatus, CommandError>;

/// Parses arguments, runs the command, and says the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // A closed pipe is no fault of the caller; the code stays what clap says.
            let _ = error.print();
            return if error.use_stderr() { ExitStatus::CouldNotRun.into() } else { ExitStatus::Clean.into() };
        }
    };
    let printer = Printer::new(&arguments.global);
    let result = Settings::new(&arguments.global, &arguments.images)
        .and_then(|settings| dispatch(&arguments.command, &settings, &printer));
    match result {
        Ok(status) => status.into(),
        Err(error) => {
            printer.error(&error.message, error.hint.as_deref());
            ExitStatus::CouldNotRun.into()
        }
    }
}

fn dispatch(command: &Command, settings: &Settings, printer: &Printer) -> CommandResult {
    match command {
        Command::Catalog(args::CatalogCommand::Check(typed)) => commands::check::run(typed, settings, printer),
        Command::Catalog(args::CatalogCommand::Path(typed)) => commands::path::run(typed, settings, printer),
        Command::Cluster(typed) => commands::cluster::run(typed, settings, printer),
        Command::Mirror(command) => commands::mirror::run(command, settings, printer),
        Command::Range(typed) => commands::range::run(typed, printer),
        Command::Scan(typed) => commands::scan::run(typed, settings, printer),
        Command::Explain(typed) => commands::explain::run(typed, printer),
        Command::Schema(typed) => commands::schema::run(typed, printer),
        Command::Init(typed) => commands::init::run(typed, printer),
        Command::Cache(typed) => commands::cache::run(typed, settings, printer),
        Command::Completions(typed) => commands::generated::completions(typed, printer),
        Command::Man => commands::generated::man(printer),
    }
}
