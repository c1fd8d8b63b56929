//! Rules on single bundles.
//!
//! Rule: operator-registry `alpha/declcfg/declcfg_to_model.go` (properties, images, version, release) and
//! `alpha/model/model.go` (image or objects, name of a release).
//! Cost: linear in properties and images; the channels that list a bundle are looked through once.

use std::sync::Arc;

use super::super::facts::PropertyValue;
use super::super::model::{Bundle, Package};
use super::packages::opm_version;
use crate::finding::{Code, Finding, Subject, codes};
use crate::reference::is_reference;
use crate::version::{Release, SemanticVersion};

pub(super) fn check(catalog: &Arc<str>, package: &Package, findings: &mut Vec<Finding>) {
    for bundle in &package.bundles {
        let mut checked = Checked { package, bundle, subject: package.subject(catalog), findings };
        checked.subject = checked.subject.clone().of_bundle(bundle.name.clone());
        checked.properties();
        checked.version();
        checked.images();
        checked.annotation();
    }
}

struct Checked<'c> {
    package: &'c Package,
    bundle: &'c Bundle,
    subject: Subject,
    findings: &'c mut Vec<Finding>,
}

impl Checked<'_> {
    fn finding(&self, code: Code) -> Finding {
        Finding::new(code, self.subject.clone()).at(&self.bundle.at)
    }

    fn properties(&mut self) {
        for property in &self.bundle.facts.properties {
            let finding = match &property.value {
                PropertyValue::Bad { reason, fatal } => {
                    let code = if *fatal { codes::BAD_PROPERTY } else { codes::BAD_CONSTRAINT };
                    self.finding(code).with("property", &property.kind).with("reason", reason)
                }
                PropertyValue::MaxOpenShiftVersion { text, is_text: false } => self
                    .finding(codes::YAML_1_1_SCALAR)
                    .with("key", &property.kind)
                    .with("text", text)
                    .with("reading", "a number, where a text like \"4.10\" is meant"),
                _ => continue,
            };
            self.findings.push(finding);
        }
        let number = self.bundle.facts.properties.iter().filter(|property| property.kind == "olm.package").count();
        match number {
            0 => self.findings.push(self.finding(codes::NO_PACKAGE_PROPERTY)),
            1 => {}
            _ => self.findings.push(self.finding(codes::MANY_PACKAGE_PROPERTIES).with("number", number)),
        }
    }

    fn version(&mut self) {
        let Some((stated_package, version, release)) = self.bundle.stated() else { return };
        if stated_package != &*self.package.name {
            self.findings.push(self.finding(codes::PACKAGE_PROPERTY_MISMATCH).with("stated", stated_package));
        }
        if let Err(error) = SemanticVersion::parse_strict(version) {
            let finding = self.finding(codes::BAD_VERSION).with("version", format!("{version:?}"));
            self.findings.push(finding.with("reason", error));
        }
        if let Err(error) = Release::parse_optional(release) {
            let finding = self.finding(codes::BAD_RELEASE).with("release", format!("{release:?}"));
            self.findings.push(finding.with("reason", error));
        }
        self.release(version, release);
    }

    fn release(&mut self, version: &str, release: &str) {
        let Some(parsed) = opm_version(self.bundle) else { return };
        let Some(parsed_release) = &parsed.release else { return };
        if !parsed.version.build().is_empty() {
            let finding = self.finding(codes::RELEASE_WITH_BUILD_METADATA).with("version", version);
            self.findings.push(
                finding
                    .with("release", if release.is_empty() { parsed_release.to_string() } else { release.to_owned() }),
            );
        }
        let wanted = format!("{}-v{}-{parsed_release}", self.package.name, parsed.version);
        if *self.bundle.name != *wanted {
            self.findings.push(self.finding(codes::BAD_RELEASE_NAME).with("wanted", wanted));
        }
    }

    fn images(&mut self) {
        let facts = &self.bundle.facts;
        if facts.image.is_empty() && facts.objects == 0 {
            self.findings.push(self.finding(codes::NO_IMAGE));
        }
        let related = facts.related_images.iter().map(|image| ("the related image", &image.image));
        for (what, image) in std::iter::once(("the image", &facts.image)).chain(related) {
            if !image.is_empty() && !is_reference(image) {
                let finding = self.finding(codes::BAD_IMAGE_REFERENCE).with("what", what);
                self.findings.push(finding.with("image", format!("{image:?}")));
            }
        }
        let lists_itself = facts.related_images.iter().any(|image| image.image == facts.image);
        if !facts.image.is_empty() && !facts.related_images.is_empty() && !lists_itself {
            self.findings.push(self.finding(codes::IMAGE_NOT_IN_RELATED_IMAGES).with("image", &facts.image));
        }
    }

    /// Only channel entries make edges; an annotation that no entry repeats misleads its reader.
    fn annotation(&mut self) {
        let Some(range) = self.bundle.facts.csv.as_ref().and_then(|csv| csv.annotations.get("olm.skipRange")) else {
            return;
        };
        let entries = || self.package.channels.iter().filter_map(|channel| channel.entry(&self.bundle.name));
        if entries().next().is_some() && !entries().any(|entry| entry.skip_range.trim() == range.trim()) {
            self.findings.push(self.finding(codes::SKIP_RANGE_ANNOTATION_IGNORED).with("range", format!("{range:?}")));
        }
    }
}
