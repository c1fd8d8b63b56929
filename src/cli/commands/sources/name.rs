//! Takes `NAME=SOURCE#REF` apart.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::pipeline;

/// A source, with the name that it was given and the part of it that is meant.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct NamedSource {
    /// The name that was typed.
    pub(in super::super) typed_name: Option<Arc<str>>,
    pub(in super::super) place: PathBuf,
    /// Whether the place is a live registry.
    pub(in super::super) is_registry: bool,
    /// What stands behind `#`: a catalog of a report, or an image of a store.
    pub(in super::super) part: Option<String>,
}

impl NamedSource {
    /// A catalog of the configuration file, whose place may name a part as well.
    pub(in super::super) fn configured(name: &str, place: &Path) -> Self {
        let text = place.to_string_lossy();
        let mut source = Self::located(&text);
        source.typed_name = Some(name.into());
        source
    }

    /// A source without a name before it.
    pub(in super::super) fn located(text: &str) -> Self {
        if let Some(reference) = registry(text) {
            let (reference, part) = match reference.split_once('#') {
                Some((reference, part)) => (reference, Some(part.to_owned())),
                None => (reference, None),
            };
            let place = PathBuf::from(format!("registry:{reference}"));
            return Self { typed_name: None, place, is_registry: true, part };
        }
        let (place, part) = existing(text).unwrap_or_else(|| (PathBuf::from(text), None));
        Self { typed_name: None, place, is_registry: false, part }
    }

    /// The typed name, or else the last part of the place.
    pub(in super::super) fn name(&self) -> Arc<str> {
        self.typed_name.clone().unwrap_or_else(|| pipeline::name_of(&self.place).into())
    }
}

/// Takes `NAME=SOURCE#REF` apart. Both signs may stand in the name of a directory, too: what is there counts first.
pub(in super::super) fn named(text: &str) -> NamedSource {
    if registry(text).is_some() || existing(text).is_some() {
        return NamedSource::located(text);
    }
    match text.split_once('=') {
        Some((name, rest)) if !name.is_empty() && !name.contains('/') => {
            NamedSource { typed_name: Some(name.into()), ..NamedSource::located(rest) }
        }
        _ => NamedSource::located(text),
    }
}

/// What stands behind `registry:` or `docker://`.
fn registry(text: &str) -> Option<&str> {
    text.strip_prefix("registry:").or_else(|| text.strip_prefix("docker://"))
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

    fn source(name: Option<&str>, place: &Path, part: Option<&str>) -> NamedSource {
        let (typed_name, part) = (name.map(Into::into), part.map(str::to_owned));
        NamedSource { typed_name, place: place.to_owned(), is_registry: false, part }
    }

    #[test]
    fn name_place_and_part_are_told_apart_by_what_is_there() {
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
            assert_eq!(named(&text), expected, "{text}");
        }
    }

    #[test]
    fn a_registry_is_told_by_its_scheme_with_and_without_a_name() {
        let expected = |name: Option<&str>, part: Option<&str>| NamedSource {
            typed_name: name.map(Into::into),
            place: PathBuf::from("registry:host:5000/repository:tag"),
            is_registry: true,
            part: part.map(str::to_owned),
        };
        assert_eq!(named("registry:host:5000/repository:tag"), expected(None, None));
        assert_eq!(named("docker://host:5000/repository:tag"), expected(None, None));
        assert_eq!(named("n=registry:host:5000/repository:tag#@1"), expected(Some("n"), Some("@1")));
    }
}
