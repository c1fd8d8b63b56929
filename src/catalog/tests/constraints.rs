//! `olm.constraint`: exactly one kind, known fields, bounded.

use super::super::document;
use super::super::facts::{Constraint, DocumentFacts, Gvk, Outcome, PackageRange, PropertyValue};
use crate::codec::{Format, Limits};

fn parsed(value: &str) -> Result<Constraint, String> {
    let text = format!("schema: olm.bundle\nname: b\nproperties: [{{type: olm.constraint, value: {value}}}]");
    let deep = Limits { depth: 255, ..Limits::default() };
    let Outcome::Facts(DocumentFacts::Bundle(bundle)) = document(text.as_bytes(), Format::Yaml, &deep).outcome else {
        panic!("{text}")
    };
    match &bundle.properties[0].value {
        PropertyValue::Constraint(constraint) => Ok(constraint.clone()),
        PropertyValue::Bad { reason, fatal: false } => Err(reason.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_kind() {
    let gvk = Constraint::Gvk(Gvk { group: "g".into(), version: "v1".into(), kind: "K".into() });
    let package = Constraint::Package(PackageRange { package: "q".into(), range: "<2.0.0".into() });
    let gvk_text = "{gvk: {group: g, version: v1, kind: K}}";
    let package_text = "{failureMessage: no q, package: {packageName: q, versionRange: <2.0.0}}";
    assert_eq!(parsed(gvk_text), Ok(gvk.clone()));
    assert_eq!(parsed(package_text), Ok(package.clone()));
    assert_eq!(parsed("{cel: {rule: a}}"), Ok(Constraint::Cel("a".into())));
    let both = vec![gvk, package];
    for (word, expected) in
        [("all", Constraint::All(both.clone())), ("any", Constraint::Any(both.clone())), ("not", Constraint::Not(both))]
    {
        assert_eq!(parsed(&format!("{{{word}: {{constraints: [{gvk_text}, {package_text}]}}}}")), Ok(expected));
    }
    assert_eq!(parsed("{cel: {rule: a}, all: null}"), Ok(Constraint::Cel("a".into())), "null is absent");
}

#[test]
fn what_breaks_a_rule() {
    for (value, reason) in [
        ("{}", "states no constraint"),
        ("{failureMessage: a}", "states no constraint"),
        ("{cel: {rule: a}, gvk: {group: g}}", "more than one"),
        ("{cel: {rule: a}, other: 1}", "\"other\" is unknown"),
        ("{cel: {rule: a, message: b}}", "\"message\" is unknown"),
        ("{all: {constraints: [{}]}}", "states no constraint"),
        ("{any: [1]}", "an object is wanted"),
        ("{package: {packageName: 1}}", "a text is wanted"),
        ("7", "an object is wanted"),
    ] {
        assert!(parsed(value).is_err_and(|found| found.contains(reason)), "{value}: {:?}", parsed(value));
    }
}

#[test]
fn bounds() {
    let rule = |length: usize| parsed(&format!("{{cel: {{rule: {}}}}}", "a".repeat(length)));
    let around = "{\"cel\":{\"rule\":\"\"}}".len();
    assert!(rule(131_072 - around).is_ok());
    assert!(rule(131_072 - around + 1).is_err());
    let nested = |levels: usize| {
        let (open, close) = ("{not: {constraints: [".repeat(levels), "]}}".repeat(levels));
        parsed(&format!("{open}{{cel: {{rule: a}}}}{close}"))
    };
    assert!(nested(32).is_ok());
    assert!(nested(33).is_err());
}
