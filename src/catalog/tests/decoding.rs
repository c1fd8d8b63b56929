//! Documents to facts: names in any case, wrong types, properties, inline manifests.

use super::super::facts::{
    BundleFacts, CsvFacts, DocumentFacts, Gvk, OtherFacts, Outcome, PackageRange, PropertyValue,
};
use super::{decoded, facts};

fn bundle(rest: &str) -> BundleFacts {
    let text = format!("schema: olm.bundle\npackage: p\nname: p.v1\n{rest}");
    let Ok(DocumentFacts::Bundle(facts)) = facts(&text) else { panic!("{:?}", facts(&text)) };
    BundleFacts::clone(&facts)
}

/// The value of the only property.
fn property(kind: &str, value: &str) -> PropertyValue {
    bundle(&format!("properties: [{{type: {kind}, value: {value}}}]")).properties.remove(0).value
}

fn is_bad(kind: &str, value: &str) -> Option<bool> {
    match property(kind, value) {
        PropertyValue::Bad { fatal, .. } => Some(fatal),
        _ => None,
    }
}

#[test]
fn the_three_names_of_a_document_are_found_in_any_case() {
    let Ok(DocumentFacts::Channel(channel)) = facts("Schema: olm.channel\nPACKAGE: p\nnAme: s\nEntries: [{NAME: a}]")
    else {
        panic!("it is a channel")
    };
    assert_eq!((&*channel.package, &*channel.name, &*channel.entries[0].name), ("p", "s", "a"));
}

#[test]
fn two_spellings_of_one_of_them_are_a_fault_but_not_of_other_fields() {
    for text in ["schema: a\nSchema: a", "schema: a\nname: n\nNAME: n", "schema: a\npackage: p\nPackage: p"] {
        assert!(facts(text).is_err_and(|reason| reason.contains("differ in case")), "{text}");
    }
    let Ok(DocumentFacts::Package(package)) =
        facts("schema: olm.package\nname: p\ndefaultChannel: a\ndefaultchannel: b")
    else {
        panic!("it is a package")
    };
    assert_eq!(package.default_channel, "b", "the last one counts");
}

#[test]
fn a_document_without_schema_says_so() {
    for text in ["", "# nothing\n", "null", "{}", "name: p", "schema: ''"] {
        assert_eq!(decoded(text).outcome, Outcome::MissingSchema, "{text:?}");
    }
}

#[test]
fn values_of_another_type_are_faults() {
    for text in [
        "schema: 1",
        "schema: null",
        "schema: olm.package\nname: 1.0",
        "schema: olm.package\nname: p\ndefaultChannel: 4.10",
        "schema: olm.package\nname: p\ndescription: [a]",
        "schema: olm.package\nname: p\nicon: {base64data: '%'}",
        "schema: olm.channel\nname: s\nentries: {name: a}",
        "schema: olm.channel\nname: s\nentries: [a]",
        "schema: olm.channel\nname: s\nentries: [{name: a, skips: b}]",
        "schema: olm.channel\nname: s\nentries: [{name: a, skips: [1]}]",
        "schema: olm.bundle\nname: b\nimage: {a: 1}",
        "schema: olm.bundle\nname: b\nproperties: [{value: 1}]",
        "schema: olm.bundle\nname: b\nproperties: [{type: x}]",
        "schema: olm.bundle\nname: b\nrelatedImages: [{image: 1}]",
        "schema: olm.deprecations\npackage: p\nentries: [{reference: a}]",
        "[1]",
        "a text",
    ] {
        assert!(facts(text).is_err(), "{text:?}");
    }
}

#[test]
fn null_is_absent() {
    let Ok(DocumentFacts::Channel(channel)) = facts(
        "schema: olm.channel\npackage: p\nname: s\nentries: [{name: a, replaces: null, skips: null, skipRange:}]\nproperties: null",
    ) else {
        panic!("it is a channel")
    };
    let entry = &channel.entries[0];
    assert!(entry.replaces.is_empty() && entry.skips.is_empty() && entry.skip_range.is_empty());
}

#[test]
fn other_schemas_are_kept_by_name() {
    let Ok(DocumentFacts::Other(other)) = facts("schema: olm.template.basic\nname: some\nentries: 7") else {
        panic!("it is opaque")
    };
    assert_eq!(*other, OtherFacts { schema: "olm.template.basic".into(), package: String::new(), name: "some".into() });
    assert!(matches!(facts("schema: OLM.Package\nname: p"), Ok(DocumentFacts::Other(_))), "values do not fold");
    assert!(matches!(facts("schema: io.openshift.operators.lifecycles.v2\nversions: 1"), Ok(DocumentFacts::Other(_))));
}

#[test]
fn properties_by_type() {
    let gvk = Gvk { group: "g".into(), version: "v1".into(), kind: "K".into() };
    for kind in ["olm.gvk", "olm.gvk.required"] {
        assert_eq!(property(kind, "{group: g, version: v1, kind: K}"), PropertyValue::Gvk(gvk.clone()));
        assert_eq!(is_bad(kind, "[1]"), Some(true));
    }
    let range = PackageRange { package: "q".into(), range: ">=1.0.0".into() };
    let required = "{packageName: q, versionRange: '>=1.0.0'}";
    assert_eq!(property("olm.package.required", required), PropertyValue::PackageRequired(range));
    assert_eq!(is_bad("olm.package.required", "{packageName: 1}"), Some(true));
    assert_eq!(is_bad("olm.package", "{packageName: p, version: 4.10}"), Some(true), "a number is no text");
    assert_eq!(property("olm.label", "{label: x}"), PropertyValue::Label("x".into()));
    assert_eq!(is_bad("olm.label.required", "{label: 1}"), Some(false), "opm does not look into it");
    assert_eq!(is_bad("olm.constraint", "{}"), Some(false));
    assert_eq!(property("olm.anything", "{a: [1, null]}"), PropertyValue::Other("{\"a\":[1,null]}".into()));
}

#[test]
fn the_highest_openshift_version_is_a_text_or_a_number() {
    let stated = |text: &str, is_text| PropertyValue::MaxOpenShiftVersion { text: text.into(), is_text };
    assert_eq!(property("olm.maxOpenShiftVersion", "'4.10'"), stated("4.10", true));
    assert_eq!(property("olm.maxOpenShiftVersion", "4.12"), stated("4.12", false));
    assert_eq!(is_bad("olm.maxOpenShiftVersion", "[4]"), Some(false));
}

#[test]
fn what_is_kept_of_csv_metadata() {
    let value = "{displayName: The P, minKubeVersion: 1.25.0, maturity: alpha, provider: {name: A}, \
        annotations: {olm.skipRange: <1.0.0, other: x}, \
        installModes: [{type: OwnNamespace, supported: false}, {type: AllNamespaces, supported: true}]}";
    let csv = bundle(&format!("properties: [{{type: olm.csv.metadata, value: {value}}}]")).csv;
    let expected = CsvFacts {
        display_name: "The P".into(),
        provider: "A".into(),
        min_kube_version: "1.25.0".into(),
        maturity: "alpha".into(),
        annotations: [("olm.skipRange".to_owned(), "<1.0.0".to_owned())].into(),
        install_modes: vec!["AllNamespaces".into()],
    };
    assert_eq!(csv, Some(expected));
    for wrong in
        ["{displayName: 1}", "{keywords: a}", "{keywords: [1]}", "{annotations: {a: 1}}", "{provider: a}", "[1]"]
    {
        assert_eq!(is_bad("olm.csv.metadata", wrong), Some(true), "{wrong}");
    }
}

fn object(json: &str) -> String {
    use base64::Engine as _;
    let data = base64::engine::general_purpose::STANDARD.encode(json);
    format!("{{type: olm.bundle.object, value: {{data: {data}}}}}")
}

#[test]
fn inline_manifests_are_counted_and_the_csv_is_looked_into() {
    let csv = object(
        r#"{"kind": "ClusterServiceVersion", "metadata": {"annotations": {"olm.properties": "[]"}}, "spec": {"displayName": "The P"}}"#,
    );
    let other = object(r#"{"kind": "Service", "spec": {"displayName": "no"}}"#);
    let read = bundle(&format!("properties: [{other}, {csv}]"));
    assert_eq!(read.objects, 2);
    let csv = read.csv.expect("one of them is the CSV");
    assert_eq!((csv.display_name.as_str(), csv.annotations["olm.properties"].as_str()), ("The P", "[]"));
    assert_eq!(bundle(&format!("properties: [{other}]")).csv, None);
}

#[test]
fn data_that_is_not_base64_is_bad_and_broken_manifests_are_not() {
    for data in ["'%'", "e30", "'e3 0='", "7"] {
        assert_eq!(is_bad("olm.bundle.object", &format!("{{data: {data}}}")), Some(true), "{data}");
    }
    assert_eq!(is_bad("olm.bundle.object", "{data: \"e3\\n0=\"}"), None, "line breaks are passed over");
    assert_eq!(bundle(&format!("properties: [{}]", object("{no json"))).csv, None);
}

#[test]
fn long_annotations_are_left_out() {
    let at = |length: usize| {
        let value = format!("{{annotations: {{olm.x: {}}}}}", "a".repeat(length));
        bundle(&format!("properties: [{{type: olm.csv.metadata, value: {value}}}]")).csv.unwrap().annotations.len()
    };
    assert_eq!((at(4096), at(4097)), (1, 0));
}
