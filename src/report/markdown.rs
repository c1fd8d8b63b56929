//! Markdown for a change ticket: the overview, a catalog, a package, the release payloads.
//!
//! Rule: GitHub Flavored Markdown. Each document keeps a budget of bytes and closes with the number of rows that it had no
//! room for; what needs attention stands first. Cost: linear in the rows written.

mod clusters;
mod escape;
mod mirror;
mod releases;
mod sheet;

pub use escape::{code, escape};
pub use mirror::{inventory, mirror_diff, missing};
pub use releases::releases;

use self::escape::code_or_dash;
use self::sheet::Sheet;
use super::phrase::{file, position, severities, subject, worst_first};
use super::schema::{
    CatalogView, ChannelView, Coverage, FindingView, Overview, PackageRow, PackageView, ReasonView, Verdict, WalkView,
    WalksView,
};
use super::walk;
use crate::engines::reason::MOVES_DOWN;
use crate::finding::counted;

/// Bytes that a document may have where nobody asks for another budget: what a change ticket takes.
pub const TICKET_BYTES: usize = 60_000;

/// Names of a walk that are shown at its beginning, where it is too long to be shown whole.
const FIRST_HOPS: usize = 3;
/// The longest walk that is shown whole.
const WHOLE_WALK: usize = 6;

/// The overview: verdict, catalogs, packages that need attention, what could not be read, inputs with their digests.
#[must_use]
pub fn overview(overview: &Overview, budget: usize) -> String {
    let mut sheet = Sheet::new(budget, code("report.json"));
    sheet.line("# Upgrade report");
    sheet.gap();
    sheet.line(&format!("**{}**", verdict(overview.verdict)));
    sheet.gap();
    sheet.line(&format!(
        "{} in {}. Judged at {} by {} {}.",
        severities(overview.summary.findings),
        counted(overview.summary.catalogs, "catalog"),
        escape(&overview.generated_at),
        escape(&overview.tool.name),
        escape(&overview.tool.version)
    ));
    not_read(&mut sheet, &overview.coverage);
    sheet.section("Catalogs");
    sheet.table(&["Catalog", "Valid", "Packages", "Channels", "Bundles", "Findings"]);
    for catalog in &overview.catalogs {
        sheet.row(&[
            code(&catalog.name),
            if catalog.valid { "yes".into() } else { "**no**".into() },
            catalog.counts.packages.to_string(),
            catalog.counts.channels.to_string(),
            catalog.counts.bundles.to_string(),
            severities(catalog.findings),
        ]);
    }
    package_rows(&mut sheet, "Needs attention", &overview.attention);
    if let Some(mirror) = &overview.mirror {
        mirror::summary(&mut sheet, mirror);
    }
    clusters::clusters(&mut sheet, &overview.clusters);
    sheet.section("Inputs");
    sheet.table(&["Input", "Kind", "Source", "Digest"]);
    for input in &overview.inputs {
        sheet.row(&[code(&input.name), escape(&input.kind), code(&input.source), code(&input.digest)]);
    }
    sheet.finish()
}

/// A catalog: its counts, the findings that belong to no package, its packages.
#[must_use]
pub fn catalog(catalog: &CatalogView, budget: usize) -> String {
    let mut sheet = Sheet::new(budget, format!("the document of catalog {}", code(&catalog.name)));
    sheet.line(&format!("# Catalog {}", code(&catalog.name)));
    sheet.gap();
    let counts = &catalog.counts;
    sheet.line(&format!(
        "{} {}, {}, {}.",
        if catalog.valid { "Valid." } else { "**Not valid.**" },
        counted(counts.packages, "package"),
        counted(counts.channels, "channel"),
        counted(counts.bundles, "bundle")
    ));
    findings(&mut sheet, &catalog.findings);
    package_rows(&mut sheet, "Packages", &catalog.packages);
    sheet.finish()
}

/// A package: channels with their heads, findings, and each engine's walk in the default channel.
#[must_use]
pub fn package(package: &PackageView, budget: usize) -> String {
    let whole = format!("the document of package {} in catalog {}", code(&package.package), code(&package.catalog));
    let mut sheet = Sheet::new(budget, whole);
    sheet.line(&format!("# {} in catalog {}", code(&package.package), code(&package.catalog)));
    sheet.gap();
    sheet.line(&format!(
        "{} Default channel: {}.",
        if package.valid { "Valid." } else { "**Not valid.**" },
        code_or_dash(package.default_channel.as_deref())
    ));
    if let Some(message) = &package.deprecated {
        sheet.gap();
        sheet.line(&format!("**Deprecated:** {}", escape(message)));
    }
    contents(&mut sheet, package);
    channels(&mut sheet, &package.channels);
    findings(&mut sheet, &package.findings);
    let engines = &package.engines;
    if let Some(channel) = package.default_channel.as_deref() {
        for (engine, by_channel) in [("OLM v0", &engines.olm_v0), ("OLM v1", &engines.olm_v1)] {
            if let Some(of_channel) = by_channel.get(channel) {
                walks(&mut sheet, &format!("{engine}, channel {}", code(channel)), of_channel, package);
            }
        }
    }
    walks(&mut sheet, "OLM v1, all channels", &engines.olm_v1_all_channels, package);
    sheet.finish()
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Clean => "Clean: everything was read, nothing is wrong.",
        Verdict::Warnings => "Warnings: everything was read, nothing is invalid.",
        Verdict::Errors => "Errors: at least one rule is broken.",
        Verdict::Incomplete => "Incomplete: a part of the input could not be read.",
    }
}

fn not_read(sheet: &mut Sheet, coverage: &Coverage) {
    for (title, notes) in [("Could not be read", &coverage.failed), ("Left out by a rule", &coverage.skipped)] {
        sheet.section(title);
        sheet.table(&["Input", "Path", "Reason"]);
        for note in notes {
            sheet.row(&[code(&note.input), code_or_dash(note.path.as_deref()), escape(&note.reason)]);
        }
    }
}

fn package_rows(sheet: &mut Sheet, title: &str, packages: &[PackageRow]) {
    sheet.section(title);
    sheet.table(&["Package", "Catalog", "Default channel", "Head", "Findings", "Reasons"]);
    for package in packages {
        let reasons: Vec<String> = package.reasons.iter().map(|reason| escape(reason)).collect();
        sheet.row(&[
            code(&package.package),
            code(&package.catalog),
            code_or_dash(package.default_channel.as_deref()),
            code_or_dash(package.head.as_deref()),
            severities(package.findings),
            reasons.join("; "),
        ]);
    }
}

/// How many bundles have known contents; nothing where nobody asked for contents.
fn contents(sheet: &mut Sheet, package: &PackageView) {
    let looked_for = package.bundles.iter().filter_map(|bundle| bundle.contents.as_ref());
    let (all, known) = looked_for.fold((0, 0), |(all, known), view| (all + 1, known + usize::from(view.known)));
    if all > 0 {
        sheet.gap();
        sheet.line(&format!("Contents are known of {known} of {}.", counted(all, "bundle")));
    }
}

fn channels(sheet: &mut Sheet, channels: &[ChannelView]) {
    sheet.section("Channels");
    sheet.table(&["Channel", "Default", "Head", "Entries", "Deprecated"]);
    for channel in channels {
        let heads: Vec<String> = channel.heads.iter().map(|head| code(head)).collect();
        sheet.row(&[
            code(&channel.name),
            if channel.default { "yes".into() } else { "no".into() },
            if heads.is_empty() { "none".into() } else { heads.join(", ") },
            channel.entries.len().to_string(),
            channel.deprecated.as_deref().map_or_else(|| "no".to_owned(), escape),
        ]);
    }
}

fn findings(sheet: &mut Sheet, findings: &[FindingView]) {
    sheet.section("Findings");
    sheet.table(&["Severity", "Code", "About", "Message", "What to do", "Where"]);
    for finding in worst_first(findings) {
        let place = finding.at.as_ref().map(|place| {
            let position = position(place).map_or_else(String::new, |position| format!(", {position}"));
            format!("{}{position}", code(file(place)))
        });
        sheet.row(&[
            escape(&finding.severity),
            code(&finding.code),
            escape(&subject(&finding.subject)),
            escape(&finding.message),
            escape(finding.hint.as_deref().unwrap_or("–")),
            place.unwrap_or_else(|| "–".to_owned()),
        ]);
    }
}

/// One engine's walks, a row for each installed bundle, oldest first.
fn walks(sheet: &mut Sheet, title: &str, walks: &WalksView, package: &PackageView) {
    sheet.section(&format!("From each bundle: {title}"));
    if let Some(error) = &walks.error {
        sheet.line(&format!("The engine fails here: {} ({}).", escape(&error.message), code(&error.code)));
        return;
    }
    sheet.table(&["Installed", "Version", "Answer", "Next", "Walk", "Trouble"]);
    let names = package.names.iter().enumerate();
    for (position, name) in names {
        let Some(walk) = walks.from.get(name) else { continue };
        let version = package.bundles.get(position).and_then(|bundle| bundle.version.as_deref());
        sheet.row(&[
            code(name),
            escape(version.unwrap_or("–")),
            escape(&walk.status),
            code_or_dash(walk.next.as_deref()),
            route(walk, &package.names),
            trouble(walk, walks, &package.names),
        ]);
    }
}

/// Why a walk ends in trouble, and which of its hops lead to a lower version; nothing where all is well.
fn trouble(walk: &WalkView, walks: &WalksView, names: &[String]) -> String {
    let end = walk::end(walk, walks, names);
    let is_down = |reason: &&ReasonView| reason.code == MOVES_DOWN;
    let messages = |reasons: &mut dyn Iterator<Item = &ReasonView>| {
        reasons.map(|reason| escape(&reason.message)).collect::<Vec<_>>().join("; ")
    };
    let mut troubles = Vec::new();
    if matches!(end.status.as_str(), "dead-end" | "loop" | "error") {
        let why = messages(&mut end.reasons.iter().filter(|reason| !is_down(reason)));
        troubles.push(format!("**{}**: {why}", escape(&end.status)));
    }
    if walk.reasons.iter().any(|reason| is_down(&reason)) {
        troubles.push(format!("**moves down**: {}", messages(&mut walk.reasons.iter().filter(is_down))));
    }
    troubles.join("; ")
}

/// The bundles of a walk, each after an arrow; of a long one the first few and the last.
fn route(walk: &WalkView, names: &[String]) -> String {
    let hops: Vec<&str> = walk
        .path
        .iter()
        .filter_map(|position| names.get(usize::try_from(*position).ok()?).map(String::as_str))
        .collect();
    let arrow = |name: &&str| format!("→ {}", code(name));
    if hops.len() <= WHOLE_WALK {
        return hops.iter().map(arrow).collect::<Vec<_>>().join(" ");
    }
    let first = hops.iter().take(FIRST_HOPS).map(arrow);
    let between = format!("→ … {} more …", hops.len() - FIRST_HOPS - 1);
    let parts: Vec<String> = first.chain([between]).chain(hops.last().map(arrow)).collect();
    parts.join(" ")
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
