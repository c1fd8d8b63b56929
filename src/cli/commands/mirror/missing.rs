//! `skipstone mirror missing`.
//!
//! Cost: reading the catalogs and payloads, and a few look-ups for each image that they name; every byte with `--verify`.

use super::super::super::args::{MissingArguments, OutputFormat};
use super::super::super::exit::ExitStatus;
use super::super::super::printer::Printer;
use super::super::super::settings::Settings;
use super::super::super::suggest::did_you_mean;
use super::super::super::{CommandError, CommandResult};
use super::super::sources;
use super::{named, open, watched};
use crate::catalog::Catalog;
use crate::mirror::missing::{Group, bundles};
use crate::pipeline::mirror::{MissingQuestion, missing_answer, read_rules, release_groups};
use crate::pipeline::{self, ReleaseReading};
use crate::report::view::fault_findings;
use crate::report::{markdown, text};
use crate::source::image::Platform;

pub(super) fn run(typed: &MissingArguments, settings: &Settings, printer: &Printer) -> CommandResult {
    let catalogs = sources::open_every(&named(&typed.catalogs), settings)?;
    let read: Vec<&Catalog> = catalogs.iter().filter_map(sources::Opened::catalog).collect();
    let mut groups = groups(&read, &typed.packages)?;
    let mut releases = releases(&typed.releases, settings)?;
    groups.extend(release_groups(&releases.releases));
    releases.findings.extend(catalogs.iter().flat_map(sources::Opened::unread));
    let wanted = platforms(&typed.platforms)?;
    let rules = read_rules(&typed.rules, &settings.context.limits)?;
    let mirrors = open(&named(&typed.mirrors), settings)?;
    let rules = (!typed.rules.is_empty()).then_some(&rules);
    let question = MissingQuestion { groups, mirrors: &mirrors, rules, wanted: &wanted, verifies: typed.verify };
    let answer = watched(settings, printer, |observer| missing_answer(question, releases.findings, observer))?;
    match printer.format {
        OutputFormat::Json => printer.json(&answer.view)?,
        OutputFormat::Markdown => printer.data(&markdown::missing(&answer.view, markdown::TICKET_BYTES))?,
        _ => printer.data(&text::missing_text(&answer.view, printer.style()))?,
    }
    let unread = answer.is_incomplete || catalogs.iter().any(sources::Opened::is_incomplete);
    let status = ExitStatus::answer(!answer.answer.is_broken());
    Ok(if unread { status.and(ExitStatus::Incomplete) } else { status })
}

/// The bundles that are asked for; a package that no catalog has is an error.
fn groups(catalogs: &[&Catalog], packages: &[String]) -> Result<Vec<Group>, CommandError> {
    let names = || catalogs.iter().flat_map(|catalog| catalog.packages.keys()).map(|name| &**name);
    if let Some(unknown) = packages.iter().find(|package| names().all(|name| name != package.as_str())) {
        let mut error = CommandError::new(format!("no catalog has the package {unknown}"));
        error.hint = did_you_mean(unknown, names());
        return Err(error);
    }
    Ok(catalogs.iter().flat_map(|catalog| bundles(catalog, packages)).collect())
}

/// The payloads that are asked for; a place of which nothing could be read is an error.
fn releases(typed: &[String], settings: &Settings) -> Result<ReleaseReading, CommandError> {
    let contents = sources::contents(&[], &named(typed), settings)?;
    let (places, platform, context) = (&contents.releases, &settings.platform, &settings.context);
    let cache = settings.cache();
    let mut reading = pipeline::on_threads(context, || pipeline::read_releases(places, platform, &cache, context))?;
    reading.findings.extend(fault_findings("releases", &contents.release_faults));
    if !typed.is_empty() && reading.releases.is_empty() {
        let reasons: Vec<String> = reading.findings.iter().map(|finding| finding.message()).collect();
        let reasons = if reasons.is_empty() { "there is none".to_owned() } else { reasons.join("; ") };
        return Err(CommandError::new(format!("no release payload could be read: {reasons}")));
    }
    Ok(reading)
}

fn platforms(typed: &[String]) -> Result<Vec<Platform>, CommandError> {
    if typed.is_empty() {
        return Ok(vec![Platform::default()]);
    }
    typed.iter().map(|platform| platform.parse().map_err(CommandError::from)).collect()
}
