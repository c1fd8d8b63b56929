//! `skipstone mirror missing`.
//!
//! Cost: reading the catalogs, and a few look-ups for each image that they name; every byte with `--verify`.

use std::path::Path;

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
use crate::pipeline::mirror::{MissingRequest, missing, read_rules};
use crate::report::schema::StoreView;
use crate::report::view::{fault_findings, has_unread, missing_view};
use crate::report::{markdown, text};
use crate::source::image::Platform;
use crate::source::store::Store;

pub(super) fn run(typed: &MissingArguments, settings: &Settings, printer: &Printer) -> CommandResult {
    let catalogs = sources::open_every(&named(&typed.catalogs), settings)?;
    let read: Vec<&Catalog> = catalogs.iter().filter_map(sources::Opened::catalog).collect();
    let groups = groups(&read, &typed.packages)?;
    let wanted = platforms(&typed.platforms)?;
    let rules = read_rules(&typed.rules, &settings.context.limits)?;
    let opened = open(&named(&typed.mirrors), settings)?;
    let request = MissingRequest {
        groups,
        stores: &opened.stores,
        rules: (!typed.rules.is_empty()).then_some(&rules.rules),
        wanted: &wanted,
        verifies: typed.verify,
    };
    let (answer, faults) = watched(settings, printer, |observer| missing(request, observer))?;
    let mirrors = opened.stores.iter().map(|store| store_view(&**store)).collect();
    let mut findings = opened.findings;
    findings.extend(rules.findings);
    findings.extend(fault_findings("mirror", &faults));
    let view = missing_view(&answer, mirrors, (!typed.rules.is_empty()).then(|| rules.rules.len()), findings);
    match printer.format {
        OutputFormat::Json => printer.json(&view)?,
        OutputFormat::Markdown => printer.data(&markdown::missing(&view, markdown::TICKET_BYTES))?,
        _ => printer.data(&text::missing_text(&view, printer.style()))?,
    }
    let unread = opened.is_incomplete
        || rules.is_incomplete
        || has_unread(&faults)
        || answer.is_incomplete()
        || catalogs.iter().any(sources::Opened::is_incomplete);
    let status = ExitStatus::answer(!answer.is_broken());
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

fn platforms(typed: &[String]) -> Result<Vec<Platform>, CommandError> {
    if typed.is_empty() {
        return Ok(vec![Platform::default()]);
    }
    typed.iter().map(|platform| platform.parse().map_err(CommandError::from)).collect()
}

fn store_view(store: &dyn Store) -> StoreView {
    let place = store.place();
    let is_registry = place.starts_with("registry:");
    let last = Path::new(&place).file_name().filter(|_| !is_registry).map(|name| name.to_string_lossy().into_owned());
    StoreView {
        shape: store.shape().name().to_owned(),
        place: last.unwrap_or(place),
        provable: store.is_provable(),
        complete: !has_unread(store.faults()),
    }
}
