//! `skipstone init`.

use std::path::Path;

use super::super::args::InitArguments;
use super::super::exit::ExitStatus;
use super::super::printer::Printer;
use super::super::{CommandError, CommandResult};
use crate::config::TEMPLATE;
use crate::emit::write_file_atomically;

pub(crate) fn run(typed: &InitArguments, printer: &Printer) -> CommandResult {
    if typed.file == Path::new("-") {
        printer.data(TEMPLATE)?;
        return Ok(ExitStatus::Clean);
    }
    if typed.file.exists() {
        return Err(CommandError::new(format!("{} is there already", typed.file.display()))
            .hint("name another file, or - for standard output"));
    }
    write_file_atomically(&typed.file, TEMPLATE.as_bytes())?;
    printer.note(&format!("wrote {}", typed.file.display()));
    Ok(ExitStatus::Clean)
}
