//! `skipstone mirror inventory`.
//!
//! Cost: one manifest for each instance of an image, one look at each blob; every byte with `--verify`; one verification for
//! each signature of a release. A bad signature makes the answer no.

use super::super::super::args::{InventoryArguments, OutputFormat};
use super::super::super::exit::ExitStatus;
use super::super::super::printer::Printer;
use super::super::super::settings::Settings;
use super::super::super::{CommandError, CommandResult};
use super::{key_ring, named, open, watched};
use crate::finding::codes;
use crate::pipeline::mirror::{InventoryAnswer, inventory_answer, signature_files};
use crate::report::{markdown, text};

pub(super) fn run(typed: &InventoryArguments, settings: &Settings, printer: &Printer) -> CommandResult {
    let keys = key_ring(&typed.keys)?;
    let mut opened = open(&named(&typed.sources), settings)?;
    for place in &typed.signatures {
        opened.signatures.extend(signature_files(place, &settings.context.source_limits)?);
    }
    let now = settings.context.now;
    let answer = watched(settings, printer, |observer| inventory_answer(&opened, &keys, typed.verify, now, observer))?;
    let InventoryAnswer { view, is_incomplete, .. } = &answer;
    let is_incomplete = *is_incomplete;
    if is_incomplete && answer.stores.iter().all(|store| store.roots.is_empty()) {
        let reasons: Vec<&str> = view.findings.iter().map(|finding| finding.message.as_str()).collect();
        return Err(CommandError::new(format!("nothing of the mirrors could be read: {}", reasons.join("; "))));
    }
    match printer.format {
        OutputFormat::Json => printer.json(view)?,
        OutputFormat::Markdown => printer.data(&markdown::inventory(view, markdown::TICKET_BYTES))?,
        _ => printer.data(&text::inventory_text(view, printer.style()))?,
    }
    let is_bad = answer.findings.iter().any(|finding| finding.code == codes::mirror::BAD_SIGNATURE);
    let status = ExitStatus::answer(!is_bad);
    Ok(if is_incomplete { status.and(ExitStatus::Incomplete) } else { status })
}
