//! The answers about mirrors for a change ticket.
//!
//! Rule and cost: those of [`super`].

use super::escape::{code, code_or_dash, escape};
use super::sheet::Sheet;
use crate::finding::{counted, first_names};
use crate::report::phrase::{short_digest, size, worst_first};
use crate::report::schema::{FindingView, InventoryView, MirrorDiffView, MirrorSummary, MissingView};
use crate::report::text::mirror::{platforms, release_signature, subject, totals, troubled};

/// Names that a cell shows before it counts the rest.
const MOST_NAMES: usize = 4;

/// What lies in mirrors: a table of stores, and one of images.
#[must_use]
pub fn inventory(inventory: &InventoryView, budget: usize) -> String {
    let mut sheet = Sheet::new(budget, code("skipstone mirror inventory --format json"));
    sheet.line("# What the mirror holds");
    sheet.gap();
    sheet.line(&format!("{} over all distinct blobs.", size(inventory.unique_bytes)));
    sheet.section("Stores");
    sheet.table(&["Store", "Shape", "Provable", "Read whole"]);
    for store in &inventory.stores {
        let yes = |yes| if yes { "yes".to_owned() } else { "**no**".to_owned() };
        sheet.row(&[code(&store.place), escape(&store.shape), yes(store.provable), yes(store.complete)]);
    }
    sheet.section("Images");
    sheet.table(&["Repository", "Image", "Kind", "Bytes", "Tags", "Platforms", "Remarks"]);
    for repository in &inventory.repositories {
        for image in &repository.images {
            let faulty =
                (image.faulty_parts > 0).then(|| format!("**{} parts missing or damaged**", image.faulty_parts));
            let labels = image.labels.iter().map(|(word, value)| escape(&format!("{word} {value}")));
            let signature = release_signature(image).map(|(words, is_bad)| match is_bad {
                true => format!("**{}**", escape(&words)),
                false => escape(&words),
            });
            let remarks =
                faulty.into_iter().chain(signature).chain(labels).chain(image.notes.iter().map(|note| escape(note)));
            sheet.row(&[
                code_or_dash(Some(repository.name.as_str()).filter(|name| !name.is_empty())),
                code_or_dash(image.digest.as_deref().map(short_digest).as_deref()),
                escape(&image.kind),
                image.bytes.map_or_else(|| "unknown".to_owned(), size),
                escape(&image.tags.join(", ")),
                escape(&platforms(image)),
                remarks.collect::<Vec<_>>().join("; "),
            ]);
        }
    }
    findings(&mut sheet, &inventory.findings);
    sheet.finish()
}

/// What mirrors lack: sums, images that cannot be pulled for certain, packages.
#[must_use]
pub fn missing(missing: &MissingView, budget: usize) -> String {
    let mut sheet = Sheet::new(budget, code("skipstone mirror missing --format json"));
    sheet.line("# What the mirror lacks");
    sheet.gap();
    sheet.line(&escape(totals(&missing.totals).trim_end()));
    sheet.section("Images");
    sheet.table(&["State", "Why", "Image", "Needed by", "Reason"]);
    for (image, needed_by) in troubled(missing) {
        sheet.row(&[
            escape(&image.state),
            code_or_dash(image.why.as_deref()),
            code(&image.reference),
            escape(&first_names(&needed_by, MOST_NAMES)),
            escape(image.reason.as_deref().unwrap_or_default()),
        ]);
    }
    sheet.section("Packages");
    sheet.table(&["Catalog", "Package", "Images", "Broken", "Unknown size", "Bytes", "For it alone"]);
    for share in &missing.packages {
        sheet.row(&[
            code(&share.catalog),
            code(&share.package),
            share.images.to_string(),
            share.broken.to_string(),
            share.unknown_size.to_string(),
            size(share.bytes),
            size(share.unique_bytes),
        ]);
    }
    findings(&mut sheet, &missing.findings);
    sheet.finish()
}

/// What mirrors hold and lack, as a part of the overview.
pub(super) fn summary(sheet: &mut Sheet, mirror: &MirrorSummary) {
    sheet.section("Mirror");
    sheet.line(&format!("Needed: {}.", escape(totals(&mirror.needed).trim_end())));
    sheet.gap();
    sheet.line(&format!("The mirrors hold {}, {}.", counted(mirror.images, "image"), size(mirror.bytes)));
    sheet.gap();
    sheet.line(&format!("Every image stands in {} and {}.", code(&mirror.missing), code(&mirror.inventory)));
}

/// What changed between two mirrors.
#[must_use]
pub fn mirror_diff(diff: &MirrorDiffView, budget: usize) -> String {
    let mut sheet = Sheet::new(budget, code("skipstone mirror diff --format json"));
    sheet.line("# What changed in the mirror");
    if diff.changes.is_empty() {
        sheet.gap();
        sheet.line("Nothing changed.");
    }
    sheet.section("Changes");
    sheet.table(&["Severity", "Code", "What", "Before", "Now"]);
    let shown = |value: &Option<String>| code_or_dash(value.as_deref().map(short_digest).as_deref());
    for change in &diff.changes {
        sheet.row(&[
            escape(&change.severity),
            code(&change.code),
            escape(&subject(&change.subject)),
            shown(&change.old),
            shown(&change.new),
        ]);
    }
    findings(&mut sheet, &diff.findings);
    sheet.finish()
}

fn findings(sheet: &mut Sheet, findings: &[FindingView]) {
    sheet.section("Findings");
    sheet.table(&["Severity", "Code", "Message"]);
    for finding in worst_first(findings) {
        sheet.row(&[escape(&finding.severity), code(&finding.code), escape(&finding.message)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample_mirror as sample;

    #[test]
    fn an_inventory_is_a_table() {
        let text = inventory(&sample::inventory(), 10_000);
        assert!(text.contains("| `birds/gull` | `sha256:aaaaaaaaaaaa` | bundle | 1.5 KiB | v1, v2 |"), "{text}");
        assert!(text.contains("**1 parts missing or damaged**; package gull; a note"), "{text}");
    }

    #[test]
    fn what_is_missing_is_a_table() {
        let text = missing(&sample::missing(), 10_000);
        let row = "| absent | `manifest-absent` | `up.example/gull:1` | gull.v1, gull.v2 | reason of manifest-absent |";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("| `c` | `gull` | 2 | 1 | 1 | 2.0 KiB | 1.0 KiB |"), "{text}");
    }

    #[test]
    fn changes_are_a_table_and_what_has_no_room_is_counted() {
        let mut diff = sample::mirror_diff();
        assert!(mirror_diff(&diff, 10_000).contains("| warning | `mirror/tag-moved` | repository a, tag v1 |"));
        diff.changes = vec![diff.changes[0].clone(); 100];
        let text = mirror_diff(&diff, 1_000);
        assert!(text.len() <= 1_000 && text.contains(" more in the report: "), "{text}");
        diff.changes.clear();
        assert!(mirror_diff(&diff, 1_000).contains("Nothing changed."));
    }
}
