//! `skipstone mirror`: what lies in mirrors, what they lack, what changed.
//!
//! Cost: opening the mirrors; each command says its own.

mod diff;
mod inventory;
mod missing;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::args::{MirrorCommand, OutputFormat};
use super::super::printer::Printer;
use super::super::progress::Progress;
use super::super::settings::Settings;
use super::super::{CommandError, CommandResult};
use crate::finding::{Finding, SourceRef, Subject, codes};
use crate::pipeline::{self, Observer};
use crate::report::view;
use crate::source::store::{Store, open_mirror};
use crate::source::{FileFault, SourceError};

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

/// Mirrors that were opened, in the given order.
#[derive(Default)]
struct Opened {
    stores: Vec<Arc<dyn Store>>,
    /// What was noticed while they were opened.
    findings: Vec<Finding>,
    /// Whether a part could not be opened.
    is_incomplete: bool,
}

/// Opens every store at these places; a place without any is an error.
fn open(places: &[PathBuf], settings: &Settings) -> Result<Opened, CommandError> {
    let mut opened = Opened::default();
    for place in places {
        let mirror = open_mirror(place, &settings.context.source_limits).map_err(nothing_there)?;
        let name = pipeline::name_of(place);
        let faults: Vec<FileFault> = mirror.faults.iter().map(|fault| inside(place, fault)).collect();
        opened.is_incomplete |= view::has_unread(&faults);
        opened.findings.extend(view::fault_findings(&name, &faults));
        for skipped in &mirror.skipped {
            let path = below(place, &skipped.path);
            let at = SourceRef::file(&*name, &*path);
            let finding = Finding::new(codes::INPUT_SKIPPED, Subject::default()).at(&at);
            opened.findings.push(finding.with("path", path).with("reason", &skipped.reason));
        }
        opened.stores.extend(mirror.stores);
    }
    Ok(opened)
}

fn nothing_there(error: SourceError) -> CommandError {
    let hint = "name a layout, an archive, the storage of a registry, or the workspace of a mirror tool";
    match error {
        SourceError::Unsuitable { .. } => CommandError::from(error).hint(hint),
        SourceError::Io { .. } => error.into(),
    }
}

/// The same fault with a path below the place: what lies above it is nobody's business in a report.
fn inside(place: &Path, fault: &FileFault) -> FileFault {
    FileFault { path: below(place, &fault.path), ..fault.clone() }
}

fn below(place: &Path, path: &str) -> String {
    let whole = Path::new(path);
    match whole.strip_prefix(place) {
        Ok(rest) if rest.as_os_str().is_empty() => pipeline::name_of(place),
        Ok(rest) => rest.display().to_string(),
        Err(_) => path.to_owned(),
    }
}
