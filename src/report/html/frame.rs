//! What surrounds every page: title, trail of links to the pages above, stamp.
//!
//! Cost: linear in the inputs.

use serde::Serialize;

use super::Stamp;
use crate::report::place;

/// What the base template prints.
#[derive(Debug, Serialize)]
pub(super) struct Frame {
    pub(super) title: String,
    /// Path from this page to the report's root.
    root: String,
    /// The pages above this one, then this page.
    trail: Vec<Stop>,
    /// The document with the same facts for machines, relative to the report.
    api: String,
    stamp: Option<Stamped>,
}

/// One stop of the trail; the last has no address.
#[derive(Debug, Serialize)]
struct Stop {
    label: String,
    href: Option<String>,
}

/// A report's stamp, as far as it concerns one page.
#[derive(Debug, Serialize)]
struct Stamped {
    version: String,
    generated_at: String,
    /// Name and digest of the inputs that the page rests on.
    digests: Vec<(String, String)>,
}

impl Frame {
    /// The frame of a page.
    ///
    /// `above` holds label and path (relative to the report) of each page above it, `catalog` the only input it rests on.
    pub(super) fn new(
        title: &str,
        path: &str,
        api: String,
        above: &[(&str, String)],
        stamp: Option<&Stamp>,
        catalog: Option<&str>,
    ) -> Self {
        let here = above.last().map_or("Overview", |_| title);
        let trail = above
            .iter()
            .map(|(label, path)| Stop { label: (*label).to_owned(), href: Some(path.clone()) })
            .chain([Stop { label: here.to_owned(), href: None }])
            .collect();
        Self {
            title: title.to_owned(),
            root: place::root_from(path),
            trail,
            api,
            stamp: stamp.map(|stamp| Stamped::of(stamp, catalog)),
        }
    }
}

impl Stamped {
    fn of(stamp: &Stamp, catalog: Option<&str>) -> Self {
        let concerned = stamp.inputs.iter().filter(|input| catalog.is_none_or(|name| input.name == name));
        Self {
            version: stamp.tool.version.clone(),
            generated_at: stamp.generated_at.clone(),
            digests: concerned.map(|input| (input.name.clone(), input.digest.clone())).collect(),
        }
    }
}
