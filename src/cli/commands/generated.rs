//! Completions and the manual page, made from the arguments themselves.

use clap::CommandFactory as _;

use super::super::CommandResult;
use super::super::args::{Arguments, CompletionsArguments};
use super::super::exit::ExitStatus;
use super::super::printer::Printer;

pub(crate) fn completions(typed: &CompletionsArguments, printer: &Printer) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(typed.shell, &mut Arguments::command(), "skipstone", &mut script);
    printer.data(&String::from_utf8_lossy(&script))?;
    Ok(ExitStatus::Clean)
}

/// The pages of the program and of every command, one behind the other, as `man -l` shows them.
pub(crate) fn man(printer: &Printer) -> CommandResult {
    let mut command = Arguments::command();
    command.build();
    let mut pages = Vec::new();
    render(&command, &mut pages)?;
    printer.data(&String::from_utf8_lossy(&pages))?;
    Ok(ExitStatus::Clean)
}

fn render(command: &clap::Command, pages: &mut Vec<u8>) -> std::io::Result<()> {
    clap_mangen::Man::new(command.clone()).render(pages)?;
    command.get_subcommands().filter(|below| below.get_name() != "help").try_for_each(|below| render(below, pages))
}
