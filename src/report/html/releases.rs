//! The page of the release payloads.
//!
//! Cost: linear in the releases.

use serde::Serialize;

use super::budget::Budget;
use super::frame::Frame;
use super::words::{self, Badge};
use super::{Page, Stamp};
use crate::report::place;
use crate::report::schema::{ReleaseRow, ReleasesIndex, SeverityCounts};

/// What the template of releases prints.
#[derive(Debug, Serialize)]
pub(super) struct ReleasesPage {
    frame: Frame,
    badges: Vec<Badge>,
    releases: Vec<ReleaseLine>,
    releases_left_out: usize,
}

/// A release in the list.
#[derive(Debug, Serialize)]
struct ReleaseLine {
    row: ReleaseRow,
    badges: Vec<Badge>,
    /// Whether the filter for what needs attention keeps it.
    attention: bool,
}

impl Page for ReleasesPage {
    fn title(&self) -> &str {
        &self.frame.title
    }
}

/// The page of the releases, newest first.
pub(super) fn page(view: &ReleasesIndex, stamp: Option<&Stamp>) -> ReleasesPage {
    let mut budget = Budget::of(Budget::RELEASES);
    let releases = view.releases.iter().rev().filter(|row| budget.take(length(row))).map(line).collect();
    let all = view.releases.iter().fold(SeverityCounts::default(), |sum, row| SeverityCounts {
        error: sum.error + row.findings.error,
        warning: sum.warning + row.findings.warning,
        info: sum.info + row.findings.info,
    });
    ReleasesPage {
        frame: Frame::new(
            "Release payloads",
            place::RELEASES_PAGE,
            place::RELEASES_API.to_owned(),
            &[("Overview", place::OVERVIEW_PAGE.to_owned())],
            stamp,
            None,
        ),
        badges: words::severities(all),
        releases,
        releases_left_out: budget.left_out(),
    }
}

fn line(row: &ReleaseRow) -> ReleaseLine {
    let attention = row.findings.error + row.findings.warning > 0;
    ReleaseLine { badges: words::severities(row.findings), attention, row: row.clone() }
}

fn length(row: &ReleaseRow) -> usize {
    let optional = [&row.version, &row.architecture, &row.digest.digest, &row.digest.reason];
    row.api.len() + optional.into_iter().flatten().map(String::len).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use crate::report::html::Pages;
    use crate::report::sample;

    #[test]
    fn the_newest_release_comes_first_and_unknown_is_said() {
        let page = Pages::new().unwrap().render_releases(&sample::releases()).unwrap();
        let (newer, older) = (page.find("4.20.1</a>").unwrap(), page.find("4.19.9</a>").unwrap());
        assert!(newer < older);
        assert!(page.contains("href=\"../api/v1/platform/releases/4.20.1-amd64.json\""));
        assert!(page.contains("<i>unknown</i>: a plain directory has none &lt;b&gt;"));
        assert!(page.contains("1 warning"));
    }

    #[test]
    fn without_releases_the_page_says_so() {
        let empty = crate::report::schema::ReleasesIndex { releases: vec![], ..sample::releases() };
        assert!(Pages::new().unwrap().render_releases(&empty).unwrap().contains("No release payload was read."));
    }
}
