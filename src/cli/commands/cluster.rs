//! `skipstone cluster contents` and `skipstone cluster collect`.
//!
//! Cost: reading the dumps.

use std::path::{Path, PathBuf};

use super::super::args::{ClusterCommand, ContentsArguments, OutputFormat};
use super::super::exit::ExitStatus;
use super::super::printer::Printer;
use super::super::settings::Settings;
use super::super::{CommandError, CommandResult};
use crate::cluster::collecting_script;
use crate::finding::codes;
use crate::pipeline::{self, ClusterDump, DumpInput};
use crate::report::text;

pub(crate) fn run(typed: &ClusterCommand, settings: &Settings, printer: &Printer) -> CommandResult {
    match typed {
        ClusterCommand::Contents(typed) => contents(typed, settings, printer),
        ClusterCommand::Collect => {
            printer.only(&[OutputFormat::Text])?;
            printer.data(&collecting_script())?;
            Ok(ExitStatus::Clean)
        }
    }
}

fn contents(typed: &ContentsArguments, settings: &Settings, printer: &Printer) -> CommandResult {
    printer.only(&[OutputFormat::Text, OutputFormat::Json])?;
    let dump = ClusterDump::read(&inputs(&typed.dumps), &settings.context)?;
    if dump.is_blank() {
        return Err(blank(&dump));
    }
    let answer = pipeline::contents_view(&dump);
    match printer.format {
        OutputFormat::Json => printer.json(&answer)?,
        _ => printer.data(&text::cluster_contents_text(&answer, printer.style()))?,
    }
    let mut status = ExitStatus::Clean;
    if dump.is_incomplete() {
        status = status.and(ExitStatus::Incomplete);
    }
    if dump.findings.iter().any(|finding| finding.code == codes::INTERNAL_PANIC) {
        status = status.and(ExitStatus::CouldNotRun);
    }
    Ok(status)
}

/// One dump is called by the last part of its place; several are called as they were typed, so that they are told apart.
fn inputs(places: &[PathBuf]) -> Vec<DumpInput> {
    let is_one = places.len() == 1;
    let name = |place: &Path| if is_one { pipeline::name_of(place) } else { place.display().to_string() };
    places.iter().map(|place| DumpInput { name: name(place).into(), place: place.clone() }).collect()
}

/// Why there is no answer, with the first few reasons.
fn blank(dump: &ClusterDump) -> CommandError {
    const SHOWN: usize = 3;
    let place = |finding: &crate::finding::Finding| {
        let path = finding.at.as_ref().and_then(|at| at.path.as_deref()).unwrap_or_default();
        format!("{path}: {}", finding.message())
    };
    let reasons: Vec<String> = dump.findings.iter().take(SHOWN).map(place).collect();
    let message = if reasons.is_empty() {
        "there is no object of a cluster that an upgrade depends on".to_owned()
    } else {
        format!("nothing of the dump could be used: {}", reasons.join("; "))
    };
    CommandError::new(message)
        .hint("name what oc get -o yaml or must-gather wrote; skipstone cluster collect prints a script")
}
