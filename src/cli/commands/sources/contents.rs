//! Where the contents of bundles, the payloads of releases and the dumps of clusters lie.
//!
//! Cost: looking at each place; nothing of it is read here.

use std::path::Path;

use super::super::super::CommandError;
use super::super::super::settings::Settings;
use super::NamedSource;
use super::mirror::{held, meant, stores};
use crate::pipeline::{ClusterInput, ContentRequest};
use crate::source::{FileFault, FileFaultKind};

/// Opens what `--bundles` and `--releases` name.
pub(in super::super) fn contents(
    bundles: &[NamedSource],
    releases: &[NamedSource],
    settings: &Settings,
) -> Result<ContentRequest, CommandError> {
    let mut request = ContentRequest::default();
    for source in bundles {
        must_be_there(source)?;
        match stores(source, settings) {
            Err(error) => request.faults.push(unopened(source, &error)),
            Ok(Some(opened)) => {
                request.bundles.stores.extend(opened.stores);
                request.faults.extend(opened.faults);
            }
            Ok(None) => request.bundles.directories.push(source.place.clone()),
        }
        request.bundles_shown.push(shown(source));
    }
    for source in releases {
        must_be_there(source)?;
        match held(source, settings) {
            Err(error) => request.faults.push(unopened(source, &error)),
            Ok(Some(held)) => {
                request.releases.roots.extend(meant(source, &held.roots)?.into_iter().cloned());
                request.release_faults.extend(held.faults.iter().cloned());
                request.faults.extend(held.faults);
            }
            Ok(None) => request.releases.directories.push(source.place.clone()),
        }
        request.releases_shown.push(shown(source));
    }
    for faults in [&mut request.faults, &mut request.release_faults] {
        faults.sort();
        faults.dedup();
    }
    Ok(request)
}

/// A place that cannot be opened does not stop the scan: the report says what is wrong with it.
fn unopened(source: &NamedSource, error: &CommandError) -> FileFault {
    let (whole, last) = (source.place.display().to_string(), shown(source));
    let reason = if source.is_registry { error.message.clone() } else { error.message.replace(&whole, &last) };
    FileFault { path: last, kind: FileFaultKind::Unreadable, reason }
}

/// The cluster whose dump a source names.
pub(in super::super) fn cluster(source: NamedSource) -> Result<ClusterInput, CommandError> {
    must_be_there(&source)?;
    if source.is_registry || source.part.is_some() {
        let message = format!("{} is no dump of a cluster", shown(&source));
        return Err(CommandError::new(message).hint("name what oc get -o yaml or must-gather wrote"));
    }
    Ok(ClusterInput { name: source.name(), place: source.place })
}

fn must_be_there(source: &NamedSource) -> Result<(), CommandError> {
    if source.is_registry || source.place.exists() {
        return Ok(());
    }
    Err(CommandError::new(format!("{}: no such file or directory", source.place.display())))
}

/// The place without any directory above it.
pub(in super::super) fn shown(source: &NamedSource) -> String {
    let place = source.place.to_string_lossy();
    let last = if source.is_registry { None } else { Path::new(&*place).file_name() };
    let place = last.map_or_else(|| place.clone().into_owned(), |name| name.to_string_lossy().into_owned());
    match &source.part {
        Some(part) => format!("{place}#{part}"),
        None => place,
    }
}
