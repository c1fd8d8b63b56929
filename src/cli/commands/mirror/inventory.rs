//! `skipstone mirror inventory`.
//!
//! Cost: one manifest for each instance of an image, one look at each blob; every byte with `--verify`.

use super::super::super::args::{InventoryArguments, OutputFormat};
use super::super::super::exit::ExitStatus;
use super::super::super::printer::Printer;
use super::super::super::settings::Settings;
use super::super::super::{CommandError, CommandResult};
use super::{named, open, watched};
use crate::pipeline::mirror::{Closeness, read_stores};
use crate::report::view::{inventory_view, is_incomplete};
use crate::report::{markdown, text};

pub(super) fn run(typed: &InventoryArguments, settings: &Settings, printer: &Printer) -> CommandResult {
    let opened = open(&named(&typed.sources), settings)?;
    let closeness = Closeness { verifies: typed.verify, reads_labels: true };
    let facts = watched(settings, printer, |observer| read_stores(&opened.stores, closeness, observer))?;
    let incomplete = opened.is_incomplete || facts.iter().any(is_incomplete);
    let nothing = facts.iter().all(|store| store.roots.is_empty());
    let view = inventory_view(&facts, opened.findings);
    if nothing && incomplete {
        let reasons: Vec<&str> = view.findings.iter().map(|finding| finding.message.as_str()).collect();
        return Err(CommandError::new(format!("nothing of the mirrors could be read: {}", reasons.join("; "))));
    }
    match printer.format {
        OutputFormat::Json => printer.json(&view)?,
        OutputFormat::Markdown => printer.data(&markdown::inventory(&view, markdown::TICKET_BYTES))?,
        _ => printer.data(&text::inventory_text(&view, printer.style()))?,
    }
    Ok(if incomplete { ExitStatus::Incomplete } else { ExitStatus::Clean })
}
