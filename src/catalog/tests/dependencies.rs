//! Requirements over two packages.

use super::{changed, codes_of};

/// The valid catalog, whose newest bundle requires something, beside a package `q` that provides an API.
fn requiring(property: &str, provider_entries: &str) -> String {
    let needs = (
        "name: p.v1.1.0\nimage: host.example/p:2\nproperties:\n",
        format!("name: p.v1.1.0\nimage: host.example/p:2\nproperties:\n- {property}\n"),
    );
    let provider = format!(
        "---\nschema: olm.package\nname: q\ndefaultChannel: s\n---\nschema: olm.channel\npackage: q\nname: s\nentries:\n\
         {provider_entries}---\nschema: olm.bundle\npackage: q\nname: q.v2\nimage: a\nproperties:\n\
         - {{type: olm.package, value: {{packageName: q, version: 2.0.0}}}}\n\
         - {{type: olm.gvk, value: {{group: g.example, version: v1, kind: K}}}}\n"
    );
    changed(&[(needs.0, &needs.1)]) + &provider
}

const KIND: &str = "{group: g.example, version: v1, kind: K}";

#[test]
fn requirements_are_met_or_not() {
    let package =
        |range: &str| format!("{{type: olm.package.required, value: {{packageName: q, versionRange: '{range}'}}}}");
    let constraint = |value: &str| format!("{{type: olm.constraint, value: {value}}}");
    let met = [
        package(">=2.0.0"),
        format!("{{type: olm.gvk.required, value: {KIND}}}"),
        constraint(&format!("{{gvk: {KIND}}}")),
        constraint(&format!(
            "{{all: {{constraints: [{{gvk: {KIND}}}, {{package: {{packageName: q, versionRange: <3.0.0}}}}]}}}}"
        )),
        constraint(&format!(
            "{{any: {{constraints: [{{gvk: {KIND}}}, {{package: {{packageName: none, versionRange: <3.0.0}}}}]}}}}"
        )),
        constraint("{cel: {rule: 'true'}}"),
    ];
    for property in &met {
        assert!(codes_of(&requiring(property, "- name: q.v2\n")).is_empty(), "{property}");
    }
    let unmet = [
        package(">=3.0.0"),
        "{type: olm.package.required, value: {packageName: p, versionRange: '>=1.0.0'}}".to_owned(),
        "{type: olm.gvk.required, value: {group: g.example, version: v2, kind: K}}".to_owned(),
        constraint(&format!(
            "{{all: {{constraints: [{{gvk: {KIND}}}, {{package: {{packageName: q, versionRange: <2.0.0}}}}]}}}}"
        )),
        constraint("{any: {constraints: [{package: {packageName: q, versionRange: <2.0.0}}]}}"),
    ];
    for property in &unmet {
        assert_eq!(codes_of(&requiring(property, "- name: q.v2\n")), ["unsatisfied-dependency"], "{property}");
    }
    assert_eq!(codes_of(&requiring(&package("^2.0.0"), "- name: q.v2\n")), ["bad-constraint"]);
}

/// An entry that is skipped is never installed, so it provides nothing.
#[test]
fn a_skipped_provider_does_not_count() {
    let needs = format!("{{type: olm.gvk.required, value: {KIND}}}");
    let newer = "---\nschema: olm.bundle\npackage: q\nname: q.v3\nimage: a\nproperties: [{type: olm.package, value: {packageName: q, version: 3.0.0}}]\n";
    let skipped = requiring(&needs, "- name: q.v2\n- name: q.v3\n  skips: [q.v2]\n") + newer;
    assert_eq!(codes_of(&skipped), ["unsatisfied-dependency"]);
    let replaced = requiring(&needs, "- name: q.v2\n- name: q.v3\n  replaces: q.v2\n") + newer;
    assert!(codes_of(&replaced).is_empty());
}

#[test]
fn two_packages_that_provide_one_api_are_named() {
    let provides = format!("{{type: olm.gvk, value: {KIND}}}");
    assert_eq!(codes_of(&requiring(&provides, "- name: q.v2\n")), ["duplicate-provider"]);
    assert!(
        codes_of(&requiring("{type: olm.gvk, value: {group: h, version: v1, kind: K}}", "- name: q.v2\n")).is_empty()
    );
}
