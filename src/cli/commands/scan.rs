//! `skipstone scan`: the main job.
//!
//! Cost: that of the scan; asking again what stands unchanged is one digest of each file.

use std::path::{Path, PathBuf};

use super::super::args::{OutputFormat, ScanArguments, SeverityName};
use super::super::exit::ExitStatus;
use super::super::printer::Printer;
use super::super::progress::Progress;
use super::super::settings::Settings;
use super::super::{CommandError, CommandResult};
use super::sources::{self, NamedSource};
use crate::config::Configuration;
use crate::finding::{Digest, Severity, counted};
use crate::pipeline::{self, CatalogInput, ClusterInput, ContentRequest, ScanOutcome, ScanRequest};
use crate::report::{github, json, markdown, sarif, text, view};

pub(crate) fn run(typed: &ScanArguments, settings: &Settings, printer: &Printer) -> CommandResult {
    printer.only(&[
        OutputFormat::Text,
        OutputFormat::Json,
        OutputFormat::Markdown,
        OutputFormat::Github,
        OutputFormat::Sarif,
        OutputFormat::Junit,
    ])?;
    let configuration = settings.configuration()?;
    let catalogs = inputs(typed, &configuration, settings)?;
    let output =
        typed.output.clone().or(configuration.output.clone()).ok_or_else(|| {
            CommandError::new("there is no place for the report").hint("give one with --output REPORT")
        })?;
    let mirror = super::mirror::request(typed, settings)?;
    let bundles = typed_or_configured(&typed.bundles, &configuration.bundles);
    let releases = typed_or_configured(&typed.releases, &configuration.releases);
    let clusters = clusters(typed, &configuration)?;
    refuse_report_inside(&catalogs, &clusters, &output)?;
    let contents = ContentRequest { clusters, ..sources::contents(&bundles, &releases, settings)? };
    let fail_on = threshold(typed.fail_on, configuration.fail_on.as_deref());
    let progress = Progress::new(printer);
    let cache = settings.cache();
    let request = ScanRequest {
        catalogs: &catalogs,
        contents: &contents,
        mirror: mirror.as_ref(),
        platform: &settings.platform,
        output: &output,
        version: env!("CARGO_PKG_VERSION"),
        program: program(),
    };
    let scanned =
        pipeline::on_threads(&settings.context, || pipeline::scan(&request, &cache, &settings.context, &progress));
    let stages = progress.finish();
    let outcome = scanned??;
    for (stage, time) in stages {
        printer.detail(&format!("{stage} took {:.3} s", time.as_secs_f64()));
    }
    for warning in cache.warnings() {
        printer.warning(&warning.to_string());
    }
    print(&outcome, &output, printer)?;
    printer.note(&totals(&outcome, &output));
    Ok(exit(&outcome, fail_on))
}

fn inputs(
    typed: &ScanArguments,
    configuration: &Configuration,
    settings: &Settings,
) -> Result<Vec<CatalogInput>, CommandError> {
    let mut named: Vec<NamedSource> = typed.catalogs.iter().map(|text| sources::named(text)).collect();
    if named.is_empty() {
        let configured = configuration.catalogs.iter();
        named = configured.map(|(name, place)| NamedSource::configured(name, place)).collect();
    }
    if named.is_empty() {
        return Err(CommandError::new("there is nothing to scan")
            .hint("name a catalog with --catalog NAME=SOURCE, or write a skipstone.yaml with skipstone init"));
    }
    sources::every_catalog(&named, settings)
}

/// The places of a flag; without any those of the configuration file.
fn typed_or_configured(typed: &[String], configured: &[PathBuf]) -> Vec<NamedSource> {
    if typed.is_empty() {
        return configured.iter().map(|place| NamedSource::located(&place.to_string_lossy())).collect();
    }
    typed.iter().map(|text| sources::named(text)).collect()
}

fn clusters(typed: &ScanArguments, configuration: &Configuration) -> Result<Vec<ClusterInput>, CommandError> {
    if typed.clusters.is_empty() {
        let configured = configuration.clusters.iter();
        let input = |(name, place): &(String, PathBuf)| sources::cluster(NamedSource::configured(name, place));
        return configured.map(input).collect();
    }
    typed.clusters.iter().map(|text| sources::cluster(sources::named(text))).collect()
}

/// A report inside an input would be a part of that input for the next run.
fn refuse_report_inside(
    catalogs: &[CatalogInput],
    clusters: &[ClusterInput],
    output: &Path,
) -> Result<(), CommandError> {
    let Ok(output) = std::path::absolute(output) else { return Ok(()) };
    let Some(above) = output.ancestors().skip(1).find_map(|above| above.canonicalize().ok()) else { return Ok(()) };
    let catalogs = catalogs.iter().map(|catalog| ("catalog", &catalog.name, &catalog.place));
    let clusters = clusters.iter().map(|cluster| ("dump", &cluster.name, &cluster.place));
    for (what, name, place) in catalogs.chain(clusters) {
        if place.canonicalize().is_ok_and(|place| above.starts_with(place)) {
            let message = format!("the report {} would lie inside the {what} {name}", output.display());
            return Err(CommandError::new(message).hint("name a directory beside the inputs with --output REPORT"));
        }
    }
    Ok(())
}

fn threshold(typed: Option<SeverityName>, configured: Option<&str>) -> Option<Severity> {
    let typed = typed.map(|name| match name {
        SeverityName::Error => Severity::Error,
        SeverityName::Warning => Severity::Warning,
        SeverityName::Info => Severity::Info,
    });
    typed.or(match configured {
        Some("error") => Some(Severity::Error),
        Some("warning") => Some(Severity::Warning),
        Some("info") => Some(Severity::Info),
        _ => None,
    })
}

fn print(outcome: &ScanOutcome, output: &Path, printer: &Printer) -> Result<(), CommandError> {
    let findings = &outcome.findings;
    match printer.format {
        // The same bytes as the file in the report.
        OutputFormat::Json => printer.data(&json::document(&outcome.overview)?),
        OutputFormat::Markdown => printer.data(&markdown::overview(&outcome.overview, markdown::TICKET_BYTES)),
        OutputFormat::Github => printer.data(&github::annotations(findings, "the report")),
        OutputFormat::Sarif => printer.data(&sarif::sarif(&outcome.overview.tool, findings, &view::rule_text)?),
        OutputFormat::Junit => printer.data(&read_back(&output.join("junit.xml"))?),
        OutputFormat::Text if printer.is_quiet() => Ok(()),
        OutputFormat::Text => printer.data(&text::overview_text(&outcome.overview, printer.style())),
    }
}

fn read_back(file: &Path) -> Result<String, CommandError> {
    std::fs::read_to_string(file).map_err(|error| CommandError::new(format!("{}: {error}", file.display())))
}

/// The digest of this very program; a file of that size is read in a few milliseconds.
fn program() -> Option<Digest> {
    std::env::current_exe().and_then(std::fs::read).ok().map(|bytes| Digest::of(&bytes))
}

fn totals(outcome: &ScanOutcome, output: &Path) -> String {
    let counts = &outcome.overview.summary.counts;
    let written = if outcome.unchanged { "nothing has changed in" } else { "wrote" };
    format!(
        "read {} and {} of {} ({} and {} decoded, the rest known); {written} {}; open {}",
        counted(counts.packages, "package"),
        counted(counts.bundles, "bundle"),
        counted(outcome.overview.summary.catalogs, "catalog"),
        counted(outcome.decompressed, "layer"),
        counted(outcome.decoded, "document"),
        counted(usize::try_from(outcome.written.files).unwrap_or(usize::MAX), "file"),
        output.join("index.html").display(),
    )
}

fn exit(outcome: &ScanOutcome, fail_on: Option<Severity>) -> ExitStatus {
    let counts = outcome.overview.summary.findings;
    let found = |least: Severity| match least {
        Severity::Error => counts.error > 0,
        Severity::Warning => counts.error + counts.warning > 0,
        Severity::Info => counts.error + counts.warning + counts.info > 0,
    };
    let mut status = ExitStatus::answer(!fail_on.is_some_and(found));
    if !outcome.overview.coverage.complete {
        status = status.and(ExitStatus::Incomplete);
    }
    if outcome.has_panic() {
        status = status.and(ExitStatus::CouldNotRun);
    }
    status
}
