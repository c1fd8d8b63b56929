//! `skipstone catalog check`.
//!
//! Cost: reading and analysing one catalog.

use super::super::args::{CheckArguments, OutputFormat};
use super::super::exit::ExitStatus;
use super::super::printer::Printer;
use super::super::settings::Settings;
use super::super::{CommandError, CommandResult};
use super::sources;
use crate::finding::codes;
use crate::report::schema::Tool;
use crate::report::{github, sarif, text, view};

pub(crate) fn run(typed: &CheckArguments, settings: &Settings, printer: &Printer) -> CommandResult {
    printer.only(&[OutputFormat::Text, OutputFormat::Json, OutputFormat::Github, OutputFormat::Sarif])?;
    let source = sources::named(&typed.source);
    let opened = sources::open(&[source], settings)?;
    let opened = opened.first().ok_or_else(|| CommandError::new("nothing was opened"))?;
    let checked = opened.check()?;
    match printer.format {
        OutputFormat::Json => printer.json(&checked)?,
        OutputFormat::Github => printer.data(&github::annotations(&checked.findings, "skipstone catalog check"))?,
        OutputFormat::Sarif => printer.data(&sarif::sarif(&tool(), &checked.findings, &view::rule_text)?)?,
        _ => printer.data(&text::check_text(&checked, printer.style()))?,
    }
    let mut status = ExitStatus::answer(checked.valid);
    if opened.is_incomplete() {
        status = status.and(ExitStatus::Incomplete);
    }
    if checked.findings.iter().any(|finding| finding.code == codes::INTERNAL_PANIC.name()) {
        status = status.and(ExitStatus::CouldNotRun);
    }
    Ok(status)
}

fn tool() -> Tool {
    Tool { name: env!("CARGO_PKG_NAME").to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
}
