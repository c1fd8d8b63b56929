//! `skipstone catalog check`.

use super::super::args::{CheckArguments, OutputFormat};
use super::super::exit::ExitStatus;
use super::super::printer::Printer;
use super::super::settings::Settings;
use super::super::{CommandError, CommandResult};
use super::sources;
use crate::finding::codes;
use crate::report::{github, text};

pub(crate) fn run(typed: &CheckArguments, settings: &Settings, printer: &Printer) -> CommandResult {
    printer.only(&[OutputFormat::Text, OutputFormat::Json, OutputFormat::Github])?;
    let source = sources::named(&typed.source)?;
    let opened = sources::open(&[source], settings)?;
    let opened = opened.first().ok_or_else(|| CommandError::new("nothing was opened"))?;
    let view = opened.check()?;
    match printer.format {
        OutputFormat::Json => printer.json(&view)?,
        OutputFormat::Github => printer.data(&github::annotations(&view.findings, "skipstone catalog check"))?,
        _ => printer.data(&text::check_text(&view, printer.style()))?,
    }
    let mut status = ExitStatus::answer(view.valid);
    if opened.is_incomplete() {
        status = status.and(ExitStatus::Incomplete);
    }
    if view.findings.iter().any(|finding| finding.code == codes::INTERNAL_PANIC.name()) {
        status = status.and(ExitStatus::CouldNotRun);
    }
    Ok(status)
}
