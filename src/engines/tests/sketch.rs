//! Small packages in a short notation, made through the same decoding and assembly as real catalogs.
//!
//! An entry is written `1.2.0 < 1.1.0 [1.0.1, 1.0.2] (>=1.0.0 <1.2.0)`: it replaces, skips, and has a skipRange. The name
//! of version `V` is `a.vV`, and every entry has its bundle.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::super::olm_v0::OlmV0;
use super::super::olm_v1::{OlmV1, Request, Source};
use super::super::{Decision, Engine, Installed};
use crate::catalog::{Catalog, Located, assemble, check, document};
use crate::catalog::{Channel, Package};
use crate::codec::{Limits, split};
use crate::finding::{Finding, SourceRef};
use crate::version::SemanticVersion;

/// A catalog named `c` of one package named `a`, being written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sketch {
    channels: String,
    bundles: BTreeMap<String, (String, String)>,
    deprecated: Vec<String>,
}

/// The name of a version's bundle.
pub(crate) fn name(version: &str) -> String {
    format!("a.v{version}")
}

impl Sketch {
    /// The usual one: a channel `s`.
    pub(crate) fn of(entries: &[&str]) -> Self {
        Self::default().channel("s", entries)
    }

    pub(crate) fn channel(mut self, channel: &str, entries: &[&str]) -> Self {
        let _ = write!(self.channels, "---\nschema: olm.channel\npackage: a\nname: {channel}\nentries:\n");
        for text in entries {
            self.entry(text);
        }
        self
    }

    fn entry(&mut self, text: &str) {
        let (text, range) = match text.split_once('(') {
            Some((text, range)) => (text, range.strip_suffix(')')),
            None => (text, None),
        };
        let (text, skips) = match text.split_once('[') {
            Some((text, skips)) => (text, skips.trim().strip_suffix(']')),
            None => (text, None),
        };
        let (version, replaces) = match text.split_once('<') {
            Some((version, replaces)) => (version.trim(), Some(replaces.trim())),
            None => (text.trim(), None),
        };
        let _ = writeln!(self.channels, "- name: {}", name(version));
        if let Some(replaces) = replaces {
            let _ = writeln!(self.channels, "  replaces: {}", name(replaces));
        }
        if let Some(skips) = skips {
            let skips: Vec<String> = skips.split(',').map(|skip| name(skip.trim())).collect();
            let _ = writeln!(self.channels, "  skips: [{}]", skips.join(", "));
        }
        if let Some(range) = range {
            let _ = writeln!(self.channels, "  skipRange: {range:?}");
        }
        self.bundles.entry(version.to_owned()).or_insert_with(|| (version.to_owned(), String::new()));
    }

    /// States the bundle of an entry: its version, where the name does not say it.
    pub(crate) fn version(mut self, entry: &str, version: &str) -> Self {
        self.bundles.entry(entry.to_owned()).or_default().0 = version.to_owned();
        self
    }

    /// Gives the bundle of an entry one more property; the value is JSON.
    pub(crate) fn property(mut self, entry: &str, kind: &str, value: &str) -> Self {
        let bundle = self.bundles.entry(entry.to_owned()).or_insert_with(|| (entry.to_owned(), String::new()));
        let _ = writeln!(bundle.1, "- {{type: {kind}, value: {value}}}");
        self
    }

    pub(crate) fn deprecated(mut self, entry: &str) -> Self {
        self.deprecated.push(name(entry));
        self
    }

    fn text(&self) -> String {
        let mut text = format!("schema: olm.package\nname: a\ndefaultChannel: s\n{}", self.channels);
        for (entry, (version, properties)) in &self.bundles {
            let _ = write!(
                text,
                "---\nschema: olm.bundle\npackage: a\nname: {}\nimage: host.example/a:{}\nproperties:\n\
                 - {{type: olm.package, value: {{packageName: a, version: {version:?}}}}}\n{properties}",
                name(entry),
                entry.replace('+', "_"),
            );
        }
        if !self.deprecated.is_empty() {
            text.push_str("---\nschema: olm.deprecations\npackage: a\nentries:\n");
        }
        for bundle in &self.deprecated {
            let _ = writeln!(text, "- {{reference: {{schema: olm.bundle, name: {bundle}}}, message: gone}}");
        }
        text
    }

    /// The catalog, and everything that its documents and the rules of validation find.
    pub(crate) fn catalog(&self) -> (Catalog, Vec<Finding>) {
        let text = self.text();
        let limits = Limits::default();
        let documents: Vec<_> = split(text.as_bytes(), &limits)
            .documents
            .iter()
            .map(|part| (SourceRef::file("c", "a.yaml").document(1, part.line), part))
            .map(|(at, part)| (at, document(part.bytes, part.format, &limits)))
            .collect();
        let located: Vec<Located<'_>> =
            documents.iter().map(|(at, document)| Located { at: at.clone(), document }).collect();
        let (catalog, mut findings) = assemble(&Arc::from("c"), &located);
        findings.extend(check(&catalog));
        (catalog, findings)
    }

    pub(crate) fn package(&self) -> Package {
        self.catalog().0.packages.remove("a").expect("the package is defined")
    }
}

/// What is installed: the package's own bundle, or one that it does not hold.
pub(crate) fn installed(package: &Package, version: &str) -> Installed {
    let outside = || Installed::outside(&name(version), SemanticVersion::parse_tolerant(version).ok());
    package.bundle(&name(version)).map_or_else(outside, Installed::bundle)
}

pub(crate) fn channel<'p>(package: &'p Package, name: &str) -> &'p Channel {
    package.channel(name).expect("the channel is sketched")
}

/// OLM v0 on a channel.
pub(crate) fn v0<'p>(package: &'p Package, name: &str) -> OlmV0<'p> {
    OlmV0::new(package, channel(package, name))
}

/// OLM v1 on one catalog with some channels; none means all.
pub(crate) fn v1<'p>(package: &'p Package, channels: &[&str]) -> OlmV1<'p> {
    request(package, Request { channels: channels.iter().map(ToString::to_string).collect(), ..Request::default() })
}

/// OLM v1 on one catalog with a request.
pub(crate) fn request(package: &Package, request: Request) -> OlmV1<'_> {
    OlmV1::new(&[Source { catalog: "c".into(), priority: 0, package }], request)
}

/// A name as the notation has it.
pub(crate) fn short(name: &str) -> &str {
    name.strip_prefix("a.v").unwrap_or(name)
}

/// A decision in short: where it moves, the choice first; `stays`; `dead end`, where newer ones exist; or what it fails by.
pub(crate) fn shown(decision: &Decision) -> String {
    match decision {
        Decision::Moves(steps) => steps.iter().map(|step| short(&step.to.name)).collect::<Vec<_>>().join(", "),
        Decision::Stays { newer_exist: false, .. } => "stays".to_owned(),
        Decision::Stays { newer_exist: true, .. } => "dead end".to_owned(),
        Decision::Fails(reasons) => reasons.iter().map(|reason| reason.code).collect::<Vec<_>>().join(", "),
    }
}

/// The decision for an installed version, in short.
pub(crate) fn decides(engine: &dyn Engine, package: &Package, version: &str) -> String {
    shown(&engine.decide(Some(&installed(package, version))))
}
