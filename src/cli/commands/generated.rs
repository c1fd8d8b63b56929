//! Completions and the manual page, made from the arguments themselves.

use clap::CommandFactory as _;

use super::super::args::{Arguments, CompletionsArguments};
use super::super::exit::ExitStatus;
use super::super::printer::Printer;
use super::super::CommandResult;

pub(crate) fn completions(typed: &CompletionsArguments, printer: &Printer) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(typed.shell, &mut Arguments::command(), "skipstone", &mut script);
    printer.data(&String::from_utf8_lossy(&script))?;
    Ok(ExitStatus::Clean)
}

pub(crate) fn man(printer: &Printer) -> CommandResult {
    let mut page = Vec::new();
    clap_mangen::Man::new(Arguments::command()).render(&mut page)?;
    printer.data(&String::from_utf8_lossy(&page))?;
    Ok(ExitStatus::Clean)
}
