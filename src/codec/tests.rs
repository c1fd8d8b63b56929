use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::*;

/// All documents of a file as JSON values, or the first fault.
fn read(file: &[u8]) -> Result<Vec<Json>, Fault> {
    let limits = Limits::default();
    let split = split(file, &limits);
    let values = split.documents.iter().map(|document| decode(document.bytes, document.format, &limits));
    let values = values.map(|decoded| decoded.map(|decoded| decoded.value.to_json())).collect::<Result<_, _>>()?;
    split.fault.map_or(Ok(values), Err)
}

#[track_caller]
fn reads_as(file: &str, expected: &[Json]) {
    assert_eq!(read(file.as_bytes()).as_deref(), Ok(expected), "{file:?}");
}

/// What Go makes of each construct that readers of YAML disagree about.
#[test]
fn constructs_that_readers_disagree_about() {
    reads_as("a: [yes, no, on, off, y, n]\n", &[json!({"a": [true, false, true, false, true, false]})]);
    reads_as("y: 1\n", &[json!({"true": 1})]);
    reads_as("[0755, 010, 0b101, 1_000, 08]", &[json!([493, 8, 5, 1000, 8])]);
    reads_as("[1.10, 1:30, 18446744073709551616]", &[json!([1.1, "1:30", 18_446_744_073_709_552_000_u128 as f64])]);
    reads_as("a: 1e999\n", &[json!({"a": "1e999"})]);
    reads_as("[Null, NULL]", &[json!([null, null])]);
    reads_as("a: &x {b: 1}\nc: {<<: *x}\n", &[json!({"a": {"b": 1}, "c": {"b": 1}})]);
    reads_as("a: 1\na: 2\n", &[json!({"a": 2})]);
    reads_as("---\n", &[json!(null)]);
    reads_as("{\"a\": 1}\n{\"b\": 2}\n", &[json!({"a": 1}), json!({"b": 2})]);
    reads_as("\u{FEFF}a: 1\n", &[json!({"a": 1})]);
    reads_as("a:\tx\n", &[json!({"a": "x"})]);
    reads_as("a: !custom x\nb: !!int \"7\"\nc: !!binary aGk=\n", &[json!({"a": "x", "b": 7, "c": "hi"})]);
    assert!(read(b"a: \"\\ud83d\\ude00\"\n").is_err());
    reads_as("{\"a\": \"\\ud83d\\ude00\"}", &[json!({"a": "\u{1F600}"})]);
    reads_as("a: |\n  x", &[json!({"a": "x\n"})]);
    reads_as("a: 'x\n\nb'\n", &[json!({"a": "x\nb"})]);
}

#[test]
fn a_flow_mapping_that_is_not_json_is_yaml() {
    reads_as("{a: 1}\n", &[json!({"a": 1})]);
    reads_as("{\"a\": yes}\n---\nb: 1\n", &[json!({"a": true}), json!({"b": 1})]);
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    assert_eq!(read(b"a: 1\nb: \xff\n").unwrap_err().line, 2);
    assert_eq!(read(b"a: 1\nb: \0\n").unwrap_err().line, 2);
    assert_eq!(read(b"{\"a\":\n\"\xff\"}").unwrap_err().line, 2);
    assert!(read(b"\x89PNG\r\n\x1a\n").is_err());
    assert!(decode(b"\xff\xfea\0", Format::Yaml, &Limits::default()).is_err());
}

#[test]
fn long_documents_are_refused() {
    let limits = Limits { bytes_per_document: 5, ..Limits::default() };
    assert!(decode(b"a: bc", Format::Yaml, &limits).is_ok());
    assert!(decode(b"a: bcd", Format::Yaml, &limits).is_err());
    assert!(decode(b"[1234]", Format::Json, &limits).is_err());
}

#[test]
fn a_million_levels_are_refused_quickly() {
    for open in ["[", "{\"a\":", "{a: ", "- "] {
        assert!(read(open.repeat(1_000_000).as_bytes()).is_err(), "{open}");
    }
}

fn any_json() -> impl Strategy<Value = Json> {
    let number = prop_oneof![any::<i64>().prop_map(Json::from), any::<f64>().prop_map(Json::from)];
    let word = prop::sample::select(vec![
        "y", "on", "<<", "0755", "1e3", "~", "", "---", "- x", "a: b", "# c", " x ", "1_0", "0o7",
    ]);
    let text = prop_oneof!["\\PC{0,12}", "[ -~\n\t\"\\\\']{0,20}", word.prop_map(str::to_owned)];
    let leaf =
        prop_oneof![Just(Json::Null), any::<bool>().prop_map(Json::from), number, text.clone().prop_map(Json::from)];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        let entries = prop::collection::btree_map(text.clone(), inner.clone(), 0..6);
        prop_oneof![prop::collection::vec(inner, 0..6).prop_map(Json::from), entries.prop_map(Json::from_iter),]
    })
}

proptest! {
    #[test]
    fn json_text_reads_as_the_value_it_was_written_from(value in any_json()) {
        let text = value.to_string();
        let decoded = decode(text.as_bytes(), Format::Json, &Limits::default()).unwrap();
        prop_assert_eq!(decoded.value.to_json(), value);
    }

    /// The writer compares what it wrote with what is read, so that it writes at all proves that both are the same.
    #[test]
    fn yaml_text_reads_as_the_value_it_was_written_from(value in any_json()) {
        const REFUSED: [char; 4] = ['\u{E000}', '\u{E001}', '\u{2028}', '\u{2029}'];
        prop_assert!(value.to_string().contains(REFUSED) || to_yaml(&value).is_ok(), "{value}");
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
    }

    #[test]
    fn any_text_of_indicators_is_read_or_refused(text in "[-a1{}:,?&*!|>'\"%@# \n\\[\\]<~.\\\\]{0,60}") {
        let _ = read(text.as_bytes());
    }
}
