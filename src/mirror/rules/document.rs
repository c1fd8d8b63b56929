//! Reads the documents of mirror rules.
//!
//! Rule: the types of openshift/api named in [`super`]; a `List` is what `oc get -o yaml` prints. A source is a registry, a
//! namespace, a repository or `*.` and a domain; a mirror is the same without `*.`. What breaks that is left out and told.
//! Documents of any other kind are passed over, for mirror tools write them into the same files. Cost: one decode.

use super::{MirrorRules, RuleKind};
use crate::codec::{self, Limits, Value};
use crate::finding::{Finding, SourceRef, Subject, codes};
use crate::reference::is_location;

/// The most rules that are kept: a cluster takes a few hundred.
const MOST_RULES: usize = 100_000;
/// Lists inside of lists are followed so far.
const LIST_DEPTH: usize = 3;

impl MirrorRules {
    /// Takes in every rule of a file of JSON or YAML documents; what cannot be used comes back as findings.
    pub fn add(&mut self, text: &[u8], at: &SourceRef, limits: &Limits) -> Vec<Finding> {
        let split = codec::split(text, limits);
        let mut findings = Vec::new();
        for (document, number) in split.documents.iter().zip(1u32..) {
            let at = at.clone().document(number, document.line);
            match codec::decode(document.bytes, document.format, limits) {
                Ok(decoded) => Reader { rules: self, at: &at, findings: &mut findings }.object(&decoded.value, 0),
                Err(fault) => findings.push(undecodable(&at.line_in_document(fault.line), &fault.message)),
            }
        }
        if let Some(fault) = split.fault {
            let number = u32::try_from(split.documents.len().saturating_add(1)).unwrap_or(u32::MAX);
            findings.push(undecodable(&at.clone().document(number, fault.line), &fault.message));
        }
        findings
    }
}

fn undecodable(at: &SourceRef, reason: &str) -> Finding {
    let path = at.path.as_deref().unwrap_or(&at.source).to_owned();
    Finding::new(codes::INPUT_UNREADABLE, Subject::default()).at(at).with("path", path).with("reason", reason)
}

struct Reader<'r> {
    rules: &'r mut MirrorRules,
    at: &'r SourceRef,
    findings: &'r mut Vec<Finding>,
}

impl Reader<'_> {
    fn object(&mut self, object: &Value<'_>, depth: usize) {
        let (kind, group) = (text(object, "kind"), text(object, "apiVersion"));
        let group = group.split_once('/').map_or("", |(group, _)| group);
        let (list, rule) = match (group, kind.as_str()) {
            ("config.openshift.io", "ImageDigestMirrorSet") => ("imageDigestMirrors", RuleKind::Digest),
            ("config.openshift.io", "ImageTagMirrorSet") => ("imageTagMirrors", RuleKind::Tag),
            ("operator.openshift.io", "ImageContentSourcePolicy") => ("repositoryDigestMirrors", RuleKind::Digest),
            (_, kind) => {
                if kind.ends_with("List") && depth < LIST_DEPTH {
                    let items = field(object, "items");
                    items.list().unwrap_or_default().iter().for_each(|item| self.object(item, depth + 1));
                }
                return;
            }
        };
        let stated = field(&field(object, "spec"), list);
        match stated.list() {
            Some(entries) => entries.iter().for_each(|entry| self.entry(rule, entry)),
            None if stated.is_null() => {}
            None => self.bad(&format!("spec.{list} is no list")),
        }
    }

    fn entry(&mut self, kind: RuleKind, entry: &Value<'_>) {
        let source = text(entry, "source");
        if !is_location(source.strip_prefix("*.").unwrap_or(&source)) {
            return self.bad(&format!("the source {source:?} is no registry, namespace or repository"));
        }
        if source.starts_with("*.") && source.contains('/') {
            return self.bad(&format!("the source {source:?} has a path behind its domain"));
        }
        let mut mirrors = Vec::new();
        for mirror in field(entry, "mirrors").list().unwrap_or_default().iter() {
            match mirror.text().filter(|mirror| is_location(mirror)) {
                Some(mirror) => mirrors.push(mirror.into_owned()),
                None => self.bad(&format!("a mirror of {source:?} is no registry, namespace or repository")),
            }
        }
        let never = match text(entry, "mirrorSourcePolicy").as_str() {
            "" => None,
            "NeverContactSource" => Some(true),
            "AllowContactingSource" => Some(false),
            policy => return self.bad(&format!("the mirrorSourcePolicy {policy:?} of {source:?} is none")),
        };
        if self.rules.len() >= MOST_RULES && !self.rules.entries.contains_key(&source) {
            return self.bad(&format!("there are more than {MOST_RULES} rules"));
        }
        if !self.rules.insert(kind, &source, mirrors, never) {
            let finding = Finding::new(codes::mirror::RULE_CONFLICT, Subject::default()).at(self.at);
            self.findings.push(finding.with("source", source));
        }
    }

    fn bad(&mut self, reason: &str) {
        let finding = Finding::new(codes::mirror::BAD_RULE, Subject::default()).at(self.at);
        self.findings.push(finding.with("reason", reason));
    }
}

/// The field of an object; null where there is none.
fn field<'a>(object: &Value<'a>, name: &str) -> Value<'a> {
    let entries = object.object().unwrap_or_default();
    entries.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()).unwrap_or_default()
}

fn text(object: &Value<'_>, name: &str) -> String {
    field(object, name).text().unwrap_or_default().into_owned()
}
