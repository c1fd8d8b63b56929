//! `skipstone.yaml`: what to scan and where the report goes, so that a pipeline needs no flags.
//!
//! Flags win over the file. Unknown keys and wrong values are errors with their line: a misspelt gate
//! must not stand open. Cost: one small document.

use std::path::{Path, PathBuf};

use crate::codec::{self, Format, Limits, Value};

const KEYS: &[&str] = &["catalogs", "bundles", "releases", "clusters", "output", "fail-on"];
/// How the place of a live registry begins: it lies in no directory.
const REGISTRY_SCHEMES: [&str; 2] = ["registry:", "docker://"];

/// A commented configuration file that holds every key.
pub const TEMPLATE: &str = include_str!("template.yaml");

/// What a configuration file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configuration {
    /// Catalogs: name and place, the latter as `SOURCE` or `SOURCE#REF`.
    pub catalogs: Vec<(String, PathBuf)>,
    /// Where bundles lie.
    pub bundles: Vec<PathBuf>,
    /// Where release payloads lie.
    pub releases: Vec<PathBuf>,
    /// Clusters: name and the place of a dump.
    pub clusters: Vec<(String, PathBuf)>,
    /// The report directory.
    pub output: Option<PathBuf>,
    /// The severity from which a scan exits 1: `error`, `warning` or `info`.
    pub fail_on: Option<String>,
}

/// What is wrong, with its line; shown as `LINE: what`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {message}")]
pub struct ConfigurationFault {
    /// Line in the file, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

impl Configuration {
    /// Reads a file's text.
    ///
    /// # Errors
    /// A [`ConfigurationFault`] for text that is no YAML, for unknown keys and for values that cannot be meant.
    pub fn parse(text: &[u8]) -> Result<Self, ConfigurationFault> {
        let decoded = codec::decode(text, Format::Yaml, &Limits::default())
            .map_err(|fault| ConfigurationFault { line: fault.line, message: fault.message })?;
        let mut configuration = Self::default();
        if decoded.value.is_null() {
            return Ok(configuration);
        }
        let Some(entries) = decoded.value.object() else {
            return Err(ConfigurationFault { line: 1, message: "a mapping of settings is wanted".to_owned() });
        };
        for (key, value) in entries.iter() {
            let fault = |message: String| ConfigurationFault { line: line_of(text, key), message };
            match key.as_ref() {
                "catalogs" => configuration.catalogs = named_places(key, value).map_err(fault)?,
                "bundles" => configuration.bundles = places(key, value).map_err(fault)?,
                "releases" => configuration.releases = places(key, value).map_err(fault)?,
                "clusters" => configuration.clusters = named_places(key, value).map_err(fault)?,
                "output" => configuration.output = Some(PathBuf::from(words(key, value).map_err(fault)?)),
                "fail-on" => configuration.fail_on = Some(severity(key, value).map_err(fault)?),
                _ => return Err(fault(format!("the key {key} is unknown; known are {}", KEYS.join(", ")))),
            }
        }
        Ok(configuration)
    }

    /// The same with every place but those of live registries taken as relative to the file's own directory.
    #[must_use]
    pub fn relative_to(mut self, directory: &Path) -> Self {
        let named = self.catalogs.iter_mut().map(|(_, place)| place);
        for place in named.chain(&mut self.bundles).chain(&mut self.releases) {
            let is_live =
                place.to_str().is_some_and(|text| REGISTRY_SCHEMES.iter().any(|scheme| text.starts_with(scheme)));
            if !is_live {
                *place = directory.join(&place);
            }
        }
        for (_, place) in &mut self.clusters {
            *place = directory.join(&place);
        }
        self.output = self.output.map(|output| directory.join(output));
        self
    }
}

fn named_places(key: &str, value: &Value<'_>) -> Result<Vec<(String, PathBuf)>, String> {
    let entries = value.object().ok_or_else(|| format!("{key}: a mapping of names to places is wanted"))?;
    let place = |(name, value): &(std::borrow::Cow<'_, str>, Value<'_>)| {
        Ok((name.to_string(), PathBuf::from(words(&format!("{key}.{name}"), value)?)))
    };
    entries.iter().map(place).collect()
}

fn places(key: &str, value: &Value<'_>) -> Result<Vec<PathBuf>, String> {
    let list = value.list().ok_or_else(|| format!("{key}: a list of places is wanted"))?;
    list.iter().map(|value| Ok(PathBuf::from(words(key, value)?))).collect()
}

fn words(key: &str, value: &Value<'_>) -> Result<String, String> {
    match value.text() {
        Some(text) if !text.is_empty() => Ok(text.into_owned()),
        _ => Err(format!("{key}: a text is wanted")),
    }
}

fn severity(key: &str, value: &Value<'_>) -> Result<String, String> {
    let text = words(key, value)?;
    if ["error", "warning", "info"].contains(&text.as_str()) {
        Ok(text)
    } else {
        Err(format!("{key}: {text:?} is none of error, warning, info"))
    }
}

/// The line that a key of the top level stands in.
fn line_of(text: &[u8], key: &str) -> u32 {
    let lines = String::from_utf8_lossy(text);
    let mut numbered = (1u32..).zip(lines.lines());
    let is_key = |line: &str| line.trim_start_matches(['"', '\'']).starts_with(key);
    numbered.find(|(_, line)| is_key(line)).map_or(1, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_a_configuration() {
        let configuration = Configuration::parse(TEMPLATE.as_bytes()).unwrap();
        assert!(!configuration.catalogs.is_empty());
    }

    #[test]
    fn places_are_relative_to_the_file() {
        let configuration = Configuration::parse(b"catalogs: {a: x}\noutput: /r\n").unwrap();
        let configuration = configuration.relative_to(Path::new("/etc/skipstone"));
        assert_eq!(configuration.catalogs, [("a".to_owned(), PathBuf::from("/etc/skipstone/x"))]);
        assert_eq!(configuration.output, Some(PathBuf::from("/r")));
    }

    #[test]
    fn every_place_is_relative_to_the_file_unless_it_is_a_live_registry() {
        let text = b"catalogs: {a: 'm.tar#r:v4', b: 'registry:h:5000/r:v4', c: 'docker://h/r'}\n\
                     bundles: [b, /b, 'registry:h']\nreleases: [r#@0]\nclusters: {east: dump}\n";
        let configuration = Configuration::parse(text).unwrap().relative_to(Path::new("/etc"));
        let places = |places: &[PathBuf]| places.iter().map(|place| place.display().to_string()).collect::<Vec<_>>();
        let catalogs: Vec<PathBuf> = configuration.catalogs.iter().map(|(_, place)| place.clone()).collect();
        assert_eq!(places(&catalogs), ["/etc/m.tar#r:v4", "registry:h:5000/r:v4", "docker://h/r"]);
        assert_eq!(places(&configuration.bundles), ["/etc/b", "/b", "registry:h"]);
        assert_eq!(places(&configuration.releases), ["/etc/r#@0"]);
        assert_eq!(configuration.clusters, [("east".to_owned(), PathBuf::from("/etc/dump"))]);
    }

    #[test]
    fn lists_and_mappings_are_told_apart() {
        for (text, expected) in [
            ("bundles: b\n", "1: bundles: a list of places is wanted"),
            ("output: o\nreleases: {a: b}\n", "2: releases: a list of places is wanted"),
            ("releases: [[a]]\n", "1: releases: a text is wanted"),
            ("clusters: [a]\n", "1: clusters: a mapping of names to places is wanted"),
            ("clusters: {a: ''}\n", "1: clusters.a: a text is wanted"),
        ] {
            assert_eq!(Configuration::parse(text.as_bytes()).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn an_unknown_key_is_an_error_with_its_line() {
        assert_eq!(Configuration::parse(b"output: r\nfailOn: warning\n").unwrap_err().line, 2);
    }

    #[test]
    fn a_wrong_value_is_an_error_with_its_line() {
        assert_eq!(Configuration::parse(b"output: r\nfail-on: never\n").unwrap_err().line, 2);
        assert!(Configuration::parse(b"- a\n").is_err());
        assert!(Configuration::parse(b"a: [\n").is_err());
    }
}
