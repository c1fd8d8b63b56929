use serde_json::json;

use super::*;

fn read(document: &str) -> Result<Decoded<'_>, Fault> {
    decode(document, &Limits::default())
}

#[test]
fn the_first_level_is_open_and_the_second_is_raw() {
    let decoded = read(r#"{"a": {"b": [1, "x"]}}"#).unwrap();
    let Value::Object(entries) = &decoded.value else { panic!("no object") };
    assert!(matches!(entries[0].1, Value::Raw(_)));
    let inner = entries[0].1.object().unwrap();
    assert_eq!(inner[0].0, "b");
    assert_eq!(inner[0].1.list().unwrap().len(), 2);
    assert_eq!(inner[0].1.list().unwrap()[1].text().unwrap(), "x");
}

#[test]
fn every_accessor_refuses_other_kinds() {
    let decoded =
        read(r#"{"null": null, "bool": true, "number": 1.50, "text": "t", "list": [], "object": {}}"#).unwrap();
    let kinds = [Kind::Null, Kind::Bool, Kind::Number, Kind::Text, Kind::List, Kind::Object];
    for ((_, value), kind) in decoded.value.object().unwrap().iter().zip(kinds) {
        assert_eq!(value.kind(), kind);
        assert_eq!(value.is_null(), kind == Kind::Null);
        assert_eq!(value.boolean(), (kind == Kind::Bool).then_some(true));
        assert_eq!(value.number(), (kind == Kind::Number).then_some("1.50"));
        assert_eq!(value.text().is_some(), kind == Kind::Text);
        assert_eq!(value.list().is_some(), kind == Kind::List);
        assert_eq!(value.object().is_some(), kind == Kind::Object);
    }
}

#[test]
fn of_a_repeated_key_the_last_value_stays() {
    let decoded = read("{\"a\": 1,\n\"b\": {\"c\": 1, \"c\": 2},\n\"\\u0061\": 3}").unwrap();
    assert_eq!(decoded.value.to_json(), json!({"a": 3, "b": {"c": 2}}));
    let note = Note { kind: NoteKind::DuplicateKey, key_path: "a".into(), text: "a".into(), line: 3 };
    assert_eq!(decoded.notes, [note]);
    assert_eq!(read(r#"{"a": 1, "A": 2}"#).unwrap().notes, []);
}

#[test]
fn half_of_a_surrogate_pair_reads_as_the_replacement_character() {
    let decoded = read(r#"{"a\ud800": "\udc00x\ud83d\ude00\ud800\ud800"}"#).unwrap();
    assert_eq!(decoded.value.to_json(), json!({"a\u{FFFD}": "\u{FFFD}x\u{1F600}\u{FFFD}\u{FFFD}"}));
}

#[test]
fn what_is_not_json_is_refused_with_its_line() {
    for (document, line) in
        [("", 1), ("{\n\"a\": 1,\n}", 3), ("{} {}", 1), ("{\"a\n\": 1}", 1), ("[1,\n2", 2), ("nul", 1)]
    {
        assert_eq!(read(document).unwrap_err().line, line, "{document:?}");
    }
}

#[test]
fn nesting_is_limited_outside_of_strings() {
    let limits = Limits { depth: 3, ..Limits::default() };
    assert!(decode("[[[1]]]", &limits).is_ok());
    assert!(decode(r#"["[[[[\"[[[[", [[1]]]"#, &limits).is_ok());
    assert_eq!(decode("[[\n[[1]]]]", &limits).unwrap_err().line, 2);
    assert!(read(&"[".repeat(1_000_000)).is_err());
}
