//! Takes `NAME=SOURCE#CATALOG` apart.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::super::CommandError;
use crate::pipeline;

/// A place, with the name that it was given and the catalog of it that is meant.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct NamedSource {
    /// The name that was typed.
    pub(in super::super) typed_name: Option<Arc<str>>,
    pub(in super::super) place: PathBuf,
    /// What stands behind `#`.
    pub(in super::super) catalog: Option<String>,
}

impl NamedSource {
    /// A catalog of the configuration file.
    pub(in super::super) fn configured(name: &str, place: &Path) -> Self {
        Self { typed_name: Some(name.into()), place: place.to_owned(), catalog: None }
    }

    /// The typed name, or else the last part of the place.
    pub(in super::super) fn name(&self) -> Arc<str> {
        self.typed_name.clone().unwrap_or_else(|| pipeline::name_of(&self.place).into())
    }
}

/// Takes `NAME=SOURCE#CATALOG` apart. Both signs may stand in the name of a directory, too: what is there counts first.
pub(in super::super) fn named(text: &str) -> Result<NamedSource, CommandError> {
    if let Some(scheme) = ["registry:", "docker://"].into_iter().find(|scheme| text.starts_with(scheme)) {
        return Err(CommandError::new(format!("{text}: this version reads directories and files, not {scheme}")));
    }
    if let Some((place, catalog)) = existing(text) {
        return Ok(NamedSource { typed_name: None, place, catalog });
    }
    let (name, rest) = match text.split_once('=') {
        Some((name, rest)) if !name.is_empty() && !name.contains('/') => (Some(name.into()), rest),
        _ => (None, text),
    };
    let (place, catalog) = existing(rest).unwrap_or_else(|| (PathBuf::from(rest), None));
    Ok(NamedSource { typed_name: name, place, catalog })
}

/// The place that is there, and what stands behind the first `#` after it.
fn existing(text: &str) -> Option<(PathBuf, Option<String>)> {
    if Path::new(text).exists() {
        return Some((PathBuf::from(text), None));
    }
    let cuts = text.match_indices('#').filter_map(|(position, _)| text.split_at_checked(position));
    let mut there = cuts.filter(|(place, _)| !place.is_empty() && Path::new(place).exists());
    let (place, rest) = there.next()?;
    Some((PathBuf::from(place), Some(rest.trim_start_matches('#').to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: Option<&str>, place: &Path, catalog: Option<&str>) -> NamedSource {
        let (typed_name, catalog) = (name.map(Into::into), catalog.map(str::to_owned));
        NamedSource { typed_name, place: place.to_owned(), catalog }
    }

    #[test]
    fn name_place_and_catalog_are_told_apart_by_what_is_there() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["report", "a=b", "c#d"] {
            std::fs::create_dir(directory.path().join(name)).unwrap();
        }
        let at = |name: &str| directory.path().join(name);
        let shown = |name: &str| at(name).display().to_string();
        for (text, expected) in [
            (shown("report"), source(None, &at("report"), None)),
            (shown("report#one"), source(None, &at("report"), Some("one"))),
            (shown("report#one#two"), source(None, &at("report"), Some("one#two"))),
            (shown("a=b"), source(None, &at("a=b"), None)),
            (shown("a=b#one"), source(None, &at("a=b"), Some("one"))),
            (shown("c#d"), source(None, &at("c#d"), None)),
            (shown("c#d#one"), source(None, &at("c#d"), Some("one"))),
            (format!("n={}", shown("report#one")), source(Some("n"), &at("report"), Some("one"))),
            (format!("n={}", shown("nothing#one")), source(Some("n"), &at("nothing#one"), None)),
        ] {
            assert_eq!(named(&text).ok(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_registry_is_refused() {
        assert!(named("registry:host/repository:tag").is_err());
    }
}
