//! `skipstone mirror`: what lies in mirrors, what they lack, what changed.
//!
//! Cost: opening the mirrors; each command says its own.

mod catalog_pairs;
mod diff;
mod inventory;
mod keys;
mod missing;

use super::super::args::{MirrorCommand, OutputFormat, ScanArguments};
use super::super::printer::Printer;
use super::super::progress::Progress;
use super::super::settings::Settings;
use super::super::{CommandError, CommandResult};
use super::sources::{self, NamedSource};
use crate::finding::{Finding, SourceRef, Subject, codes};
use crate::pipeline::mirror::{OpenedMirrors, read_rules};
use crate::pipeline::{self, MirrorRequest, Observer};
use crate::report::view;

use keys::key_ring;

/// The formats of every answer about mirrors.
const FORMATS: &[OutputFormat] = &[OutputFormat::Text, OutputFormat::Json, OutputFormat::Markdown];

pub(crate) fn run(command: &MirrorCommand, settings: &Settings, printer: &Printer) -> CommandResult {
    printer.only(FORMATS)?;
    match command {
        MirrorCommand::Inventory(typed) => inventory::run(typed, settings, printer),
        MirrorCommand::Missing(typed) => missing::run(typed, settings, printer),
        MirrorCommand::Diff(typed) => diff::run(typed, settings, printer),
    }
}

/// Runs work on the threads of the run, with a progress bar.
fn watched<T: Send>(
    settings: &Settings,
    printer: &Printer,
    work: impl FnOnce(&dyn Observer) -> T + Send,
) -> Result<T, CommandError> {
    let progress = Progress::new(printer);
    let done = pipeline::on_threads(&settings.context, || work(&progress));
    for (stage, time) in progress.finish() {
        printer.detail(&format!("{stage} took {:.3} s", time.as_secs_f64()));
    }
    Ok(done?)
}

/// What a scan asks of mirrors; nothing where it names none.
pub(super) fn request(typed: &ScanArguments, settings: &Settings) -> Result<Option<MirrorRequest>, CommandError> {
    if typed.mirrors.is_empty() {
        return Ok(None);
    }
    let sources = named(&typed.mirrors);
    let rules = (!typed.rules.is_empty()).then(|| read_rules(&typed.rules, &settings.context.limits)).transpose()?;
    Ok(Some(MirrorRequest {
        shown: sources.iter().map(sources::shown).collect(),
        mirrors: open(&sources, settings)?,
        keys: key_ring(&typed.keys)?,
        rules,
    }))
}

/// Takes sources apart.
fn named(sources: &[String]) -> Vec<NamedSource> {
    sources.iter().map(|source| sources::named(source)).collect()
}

/// Opens every store of these sources; a source without any is an error.
fn open(sources: &[NamedSource], settings: &Settings) -> Result<OpenedMirrors, CommandError> {
    let mut opened = OpenedMirrors::default();
    for source in sources {
        sources::refuse_foreign(source)?;
        let mut stores = sources::stores(source, settings)?.ok_or_else(|| nothing_there(source))?;
        if source.part.is_some() {
            stores.stores = sources::narrowed(source, &stores.stores)?;
        }
        let name = pipeline::name_of(&source.place);
        opened.is_incomplete |= view::has_unread(&stores.faults);
        opened.findings.extend(view::fault_findings(&name, &stores.faults));
        for skipped in &stores.skipped {
            let at = SourceRef::file(&*name, &*skipped.path);
            let finding = Finding::new(codes::INPUT_SKIPPED, Subject::default()).at(&at);
            opened.findings.push(finding.with("path", &skipped.path).with("reason", &skipped.reason));
        }
        opened.stores.extend(stores.stores);
        opened.signatures.extend(stores.signatures);
    }
    Ok(opened)
}

fn nothing_there(source: &NamedSource) -> CommandError {
    let place = source.place.display();
    let what = if source.place.exists() { "no images lie here" } else { "no such file or directory" };
    CommandError::new(format!("{place}: {what}"))
        .hint("name a layout, an archive, the storage of a registry, the workspace of a mirror tool, or registry:HOST")
}
