//! The answers about mirrors: a block for each repository, a block for each image that is missing, a line for each change.
//!
//! Cost: linear in the answer; one map of who needs which image.

use std::collections::BTreeMap;

use super::{Style, Tone};
use crate::finding::{counted, counted_as, first_names};
use crate::report::phrase::{one_line, short_digest, size};
use crate::report::schema::{
    ChangeSubjectView, FindingView, ImageView, InventoryView, MirrorDiffView, MissingImageView, MissingTotals,
    MissingView, RepositoryView, StoreView,
};

/// Names that a line shows before it counts the rest.
const MOST_NAMES: usize = 4;

/// What lies in mirrors: repository by repository, then what is wrong, then the sum.
#[must_use]
pub fn inventory_text(inventory: &InventoryView, style: Style) -> String {
    let mut text = String::new();
    for (position, store) in inventory.stores.iter().enumerate() {
        text.push_str(&format!("{}\n", style.paint(Tone::Title, &store_line(store))));
        for repository in inventory.repositories.iter().filter(|repository| repository.store == position) {
            text.push_str(&repository_text(repository, style));
        }
        text.push('\n');
    }
    text.push_str(&findings_text(&inventory.findings, style));
    let images: usize = inventory.repositories.iter().map(|repository| repository.images.len()).sum();
    text + &format!(
        "{}, {}, {} (what images share counted once)\n",
        counted_as(inventory.repositories.len(), "repository", "repositories"),
        counted(images, "image"),
        size(inventory.unique_bytes)
    )
}

fn store_line(store: &StoreView) -> String {
    let provable = if store.provable { "" } else { ", its digests cannot be proven" };
    let complete = if store.complete { "" } else { ", not read whole" };
    format!("{} ({}{provable}{complete})", one_line(&store.place), one_line(&store.shape))
}

fn repository_text(repository: &RepositoryView, style: Style) -> String {
    let name = if repository.name.is_empty() { "(no name)".into() } else { one_line(&repository.name) };
    let images = counted(repository.images.len(), "image");
    let head = format!("  {name}: {images}, {}\n", size(repository.unique_bytes));
    head + &repository.images.iter().map(|image| image_text(image, style)).collect::<String>()
}

fn image_text(image: &ImageView, style: Style) -> String {
    let digest = image.digest.as_deref().map_or_else(|| "unproven".to_owned(), short_digest);
    let bytes = image.bytes.map_or_else(|| "size unknown".to_owned(), size);
    let tags: Vec<&str> = image.tags.iter().map(String::as_str).collect();
    let mut text =
        format!("    {digest:<19}  {:<17}  {bytes:>12}  {}", one_line(&image.kind), one_line(&tags.join(", ")));
    text.truncate(text.trim_end().len());
    text.push('\n');
    let mut below = Vec::new();
    if image.faulty_parts > 0 {
        let parts = counted_as(image.faulty_parts, "part is", "parts are");
        below.push(style.paint(Tone::Bad, &format!("{parts} missing or damaged")));
    }
    if image.instances.len() > 1 {
        below.push(platforms(image));
    }
    let labels = image.labels.iter().map(|(word, value)| format!("{} {value}", word.replace('_', " ")));
    below.extend(labels.map(|label| one_line(&label).into_owned()));
    below.extend(image.path.iter().map(|path| format!("directory {}", one_line(path))));
    below.extend(image.signatures.iter().map(|signature| format!("{} {}", signature.kind, one_line(&signature.tag))));
    below.extend(release_signature(image).map(|(words, is_bad)| match is_bad {
        true => style.paint(Tone::Bad, &one_line(&words)),
        false => one_line(&words).into_owned(),
    }));
    below.extend(image.notes.iter().map(|note| format!("note: {}", one_line(note))));
    text + &below.iter().map(|line| format!("      {line}\n")).collect::<String>()
}

/// What is known of the signature of a release, and whether it is bad; nothing of other images.
pub(crate) fn release_signature(image: &ImageView) -> Option<(String, bool)> {
    let signature = &image.release_signature;
    let reason = signature.reason.as_deref().unwrap_or_default();
    let file = signature.file.as_deref();
    let words = match (signature.verified, file) {
        (Some(true), _) => {
            let reference = signature.reference.as_deref().unwrap_or_default();
            let key = signature.key.as_deref().unwrap_or_default();
            format!("release signature verified: {reference}, by the key {key}")
        }
        (Some(false), _) => format!("release signature bad: {reason} ({})", file.unwrap_or_default()),
        (None, Some(file)) => format!("release signature not verified: {reason} ({file})"),
        (None, None) if matches!(image.kind.as_str(), "release" | "payload-directory") => {
            format!("release signature unknown: {reason}")
        }
        (None, None) => return None,
    };
    Some((words, signature.verified == Some(false)))
}

/// The platforms of an index, each with what is wrong with it; attestations are no platforms.
pub(crate) fn platforms(image: &ImageView) -> String {
    let shown = image.instances.iter().filter(|instance| !instance.attestation).map(|instance| {
        let platform = instance.platform.as_deref().unwrap_or("unknown platform");
        match (instance.complete, instance.bytes) {
            (true, _) => platform.to_owned(),
            (false, Some(_)) => format!("{platform} (damaged)"),
            (false, None) => format!("{platform} (absent)"),
        }
    });
    one_line(&shown.collect::<Vec<_>>().join(", ")).into_owned()
}

/// Every image that cannot be pulled for certain, with who needs it; then the packages, then the sums.
#[must_use]
pub fn missing_text(missing: &MissingView, style: Style) -> String {
    let mut text = String::new();
    for (image, needed_by) in troubled(missing) {
        let state = match image.state.as_str() {
            "absent" | "bad" => style.paint(Tone::Bad, &image.state),
            "unprovable" => style.paint(Tone::Doubtful, &image.state),
            _ => style.paint(Tone::Quiet, &one_line(&image.state)),
        };
        let why = image.why.as_deref().filter(|why| *why != image.state).map(|why| format!(" ({})", one_line(why)));
        text.push_str(&format!("{state}{}  {}\n", why.unwrap_or_default(), one_line(&image.reference)));
        let reason = image.reason.as_deref().map(|reason| format!("      {}\n", one_line(reason)));
        text.push_str(&reason.unwrap_or_default());
        let found = image.found.as_ref().and_then(|found| found.repository.as_ref());
        text.push_str(&found.map(|place| format!("      found in {}\n", one_line(place))).unwrap_or_default());
        text.push_str(&format!("      needed by {}\n", one_line(&first_names(&needed_by, MOST_NAMES))));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    for share in &missing.packages {
        let package = one_line(&share.package);
        let broken = format!("{} of {} cannot be pulled", share.broken, counted(share.images, "image"));
        let verdict = if share.broken == 0 {
            style.paint(Tone::Good, &format!("{} can be pulled", counted(share.images, "image")))
        } else {
            style.paint(Tone::Bad, &broken)
        };
        text.push_str(&format!(
            "{package} in {}: {verdict}; {}, {} of it for this package alone{}\n",
            one_line(&share.catalog),
            size(share.bytes),
            size(share.unique_bytes),
            unknown(share.unknown_size)
        ));
    }
    text + &findings_text(&missing.findings, style) + &totals(&missing.totals)
}

/// Images that are not simply there, with what needs each; broken ones first.
pub(crate) fn troubled(missing: &MissingView) -> Vec<(&MissingImageView, Vec<&str>)> {
    let bundles = missing.bundles.iter().map(|bundle| (bundle.bundle.as_str(), &bundle.images));
    let releases = missing.releases.iter().map(|release| (release.release.as_str(), &release.images));
    let mut by_reference: BTreeMap<(u8, &str), (&MissingImageView, Vec<&str>)> = BTreeMap::new();
    for (name, images) in bundles.chain(releases) {
        for image in images.iter().filter(|image| image.state != "present") {
            let weight = match image.state.as_str() {
                "absent" => 0,
                "bad" => 1,
                "unprovable" => 2,
                _ => 3,
            };
            by_reference.entry((weight, &image.reference)).or_insert_with(|| (image, Vec::new())).1.push(name);
        }
    }
    by_reference.into_values().collect()
}

/// `, and 2 images of unknown size`.
fn unknown(images: usize) -> String {
    if images == 0 { String::new() } else { format!(", and {} of unknown size", counted(images, "image")) }
}

/// The sums in one line.
pub(crate) fn totals(totals: &MissingTotals) -> String {
    let states = [
        (totals.present, "present"),
        (totals.sparse, "sparse"),
        (totals.expected_at_target, "expected at the target"),
        (totals.absent, "absent"),
        (totals.bad, "bad"),
        (totals.unprovable, "unprovable"),
    ];
    let states: Vec<String> =
        states.iter().filter(|(number, _)| *number > 0).map(|(number, state)| format!("{number} {state}")).collect();
    format!(
        "{}: {}; {} needed, {} here, {} to carry{}\n",
        counted(totals.images, "image"),
        if states.is_empty() { "none needed".to_owned() } else { states.join(", ") },
        size(totals.needed_bytes),
        size(totals.present_bytes),
        size(totals.carry_bytes),
        unknown(totals.unknown_size)
    )
}

/// A line for each change, and their number.
#[must_use]
pub fn mirror_diff_text(diff: &MirrorDiffView, style: Style) -> String {
    let mut text = String::new();
    for change in &diff.changes {
        let code = one_line(change.code.trim_start_matches("mirror/")).into_owned();
        let severity = style.severity(&change.severity);
        let meaning = match (&change.old, &change.new) {
            (Some(old), Some(new)) => format!("{} → {}", short_digest(old), short_digest(new)),
            (Some(one), None) | (None, Some(one)) => short_digest(one),
            (None, None) => String::new(),
        };
        text.push_str(&format!("{severity} {code}  {}  {}\n", one_line(&subject(&change.subject)), one_line(&meaning)));
    }
    text.push_str(&findings_text(&diff.findings, style));
    let nothing = || style.paint(Tone::Good, "nothing changed");
    text + &(if diff.changes.is_empty() { nothing() } else { counted(diff.changes.len(), "change") }) + "\n"
}

/// What a change is about: `package p, channel stable, bundle p.v1`.
pub(crate) fn subject(subject: &ChangeSubjectView) -> String {
    let levels = [
        ("repository", &subject.repository),
        ("tag", &subject.tag),
        ("catalog", &subject.catalog),
        ("package", &subject.package),
        ("channel", &subject.channel),
        ("bundle", &subject.bundle),
    ];
    let named =
        levels.iter().filter_map(|(level, name)| Some((level, name.as_deref().filter(|name| !name.is_empty())?)));
    named.map(|(level, name)| format!("{level} {name}")).collect::<Vec<_>>().join(", ")
}

fn findings_text(findings: &[FindingView], style: Style) -> String {
    let line = |finding: &FindingView| {
        let hint = finding.hint.as_deref().map(|hint| format!("      hint: {}\n", one_line(hint))).unwrap_or_default();
        let message = one_line(&finding.message).into_owned();
        format!("{} {}: {message}\n{hint}", style.severity(&finding.severity), one_line(&finding.code))
    };
    findings.iter().map(line).collect()
}

#[cfg(test)]
mod tests;
