//! `skipstone mirror diff`.
//!
//! Cost: reading both sides; of mirrors one manifest for each instance of an image.

use super::super::super::args::{DiffArguments, OutputFormat};
use super::super::super::exit::ExitStatus;
use super::super::super::printer::Printer;
use super::super::super::settings::Settings;
use super::super::super::{CommandError, CommandResult};
use super::super::sources::{self, NamedSource};
use super::catalog_pairs::{self, Side};
use super::{open, watched};
use crate::finding::Finding;
use crate::mirror::difference::{self, Change};
use crate::mirror::inventory::StoreFacts;
use crate::pipeline::Observer;
use crate::pipeline::mirror::{Closeness, read_stores};
use crate::report::view::{fault_findings, is_incomplete, mirror_diff_view, part_findings};
use crate::report::{markdown, text};

/// Changes, what was noticed on the way, and whether a part could not be read.
type Compared = (Vec<Change>, Vec<Finding>, bool);

pub(super) fn run(typed: &DiffArguments, settings: &Settings, printer: &Printer) -> CommandResult {
    let (old, new) = (sources::named(&typed.old), sources::named(&typed.new));
    let (changes, findings, incomplete) = match (sources::is_catalog(&old)?, sources::is_catalog(&new)?) {
        (true, true) => catalogs([old, new], settings)?,
        (false, false) => mirrors([old, new], settings, printer)?,
        _ => {
            let message = format!("one of {} and {} is a catalog and the other is none", typed.old, typed.new);
            return Err(CommandError::new(message).hint("compare two mirrors, or two catalogs, each as SOURCE#REF"));
        }
    };
    let view = mirror_diff_view(&changes, findings);
    match printer.format {
        OutputFormat::Json => printer.json(&view)?,
        OutputFormat::Markdown => printer.data(&markdown::mirror_diff(&view, markdown::TICKET_BYTES))?,
        _ => printer.data(&text::mirror_diff_text(&view, printer.style()))?,
    }
    let status = ExitStatus::answer(changes.is_empty());
    Ok(if incomplete { status.and(ExitStatus::Incomplete) } else { status })
}

fn mirrors(sides: [NamedSource; 2], settings: &Settings, printer: &Printer) -> Result<Compared, CommandError> {
    let mut findings = Vec::new();
    let mut incomplete = false;
    let mut read: Vec<Vec<StoreFacts>> = Vec::new();
    let mut held = Vec::new();
    for source in &sides {
        let opened = open(std::slice::from_ref(source), settings)?;
        let look = |observer: &dyn Observer| read_stores(&opened.stores, Closeness::default(), observer);
        let facts = watched(settings, printer, look)?;
        incomplete |= opened.is_incomplete || facts.iter().any(is_incomplete);
        findings.extend(opened.findings);
        findings.extend(facts.iter().flat_map(|store| fault_findings(&store.place, &store.faults)));
        findings.extend(part_findings(&facts));
        read.push(facts);
        held.push(Side { place: source.place.clone(), stores: opened.stores });
    }
    let (mut changes, pairs) = match (read.as_slice(), held.as_slice()) {
        ([old, new], [old_side, new_side]) => {
            (difference::images(old, new), catalog_pairs::compare(old_side, new_side, settings)?)
        }
        _ => (Vec::new(), catalog_pairs::Compared::default()),
    };
    changes.extend(pairs.changes);
    difference::sort(&mut changes);
    findings.extend(pairs.findings);
    Ok((changes, findings, incomplete || pairs.is_incomplete))
}

fn catalogs(sides: [NamedSource; 2], settings: &Settings) -> Result<Compared, CommandError> {
    let opened = sources::open(&sides, settings)?;
    let findings: Vec<Finding> = opened.iter().flat_map(sources::Opened::unread).collect();
    let incomplete = !findings.is_empty() || opened.iter().any(sources::Opened::is_incomplete);
    let read: Vec<_> = opened.iter().filter_map(sources::Opened::catalog).collect();
    let changes = match read.as_slice() {
        [old, new] => difference::catalogs(old, new),
        _ => Vec::new(),
    };
    Ok((changes, findings, incomplete))
}
