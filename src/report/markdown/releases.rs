//! The release payloads as Markdown.
//!
//! Rule and cost: those of [`super`].

use super::escape::{code, code_or_dash, escape};
use super::sheet::Sheet;
use crate::finding::counted;
use crate::report::phrase::severities;
use crate::report::schema::{DigestView, ReleasesIndex};

/// The release payloads, newest first: version, digest, number of images.
#[must_use]
pub fn releases(index: &ReleasesIndex, budget: usize) -> String {
    let mut sheet = Sheet::new(budget, code(crate::report::place::RELEASES_API));
    sheet.line("# Release payloads");
    sheet.gap();
    sheet.line(&format!("{} read.", counted(index.releases.len(), "payload")));
    sheet.section("Releases");
    sheet.table(&["Version", "Architecture", "Digest", "Images", "Manifests", "Findings"]);
    for row in index.releases.iter().rev() {
        sheet.row(&[
            code_or_dash(row.version.as_deref()),
            code_or_dash(row.architecture.as_deref()),
            digest(&row.digest),
            row.images.to_string(),
            row.objects.to_string(),
            severities(row.findings),
        ]);
    }
    sheet.finish()
}

fn digest(view: &DigestView) -> String {
    match (&view.digest, &view.reason) {
        (Some(digest), _) => code(digest),
        (None, Some(reason)) => format!("unknown: {}", escape(reason)),
        (None, None) => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_row_tells_version_digest_and_images() {
        let text = releases(&sample::releases(), 10_000);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "2 payloads read.");
        assert_eq!(lines[8], "| `4.20.1` | `amd64` | `sha256:ab` | 3 | 4 | 0 errors, 0 warnings, 0 infos |");
        let reason = "unknown: a plain directory has none &lt;b&gt;";
        assert_eq!(lines[9], format!("| `4.19.9` | – | {reason} | 1 | 0 | 0 errors, 1 warning, 0 infos |"));
    }
}
