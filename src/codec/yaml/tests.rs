use serde_json::json;

use super::*;

fn read(text: &str) -> Result<Decoded<'_>, Fault> {
    decode(text, &Limits::default())
}

#[track_caller]
fn reads_as(text: &str, expected: serde_json::Value) {
    assert_eq!(read(text).unwrap().value.to_json(), expected, "{text:?}");
}

#[track_caller]
fn fault_line(text: &str) -> u32 {
    read(text).unwrap_err().line
}

fn notes(text: &str) -> Vec<(NoteKind, String, String, u32)> {
    let notes = read(text).unwrap().notes;
    notes.into_iter().map(|note| (note.kind, note.key_path, note.text, note.line)).collect()
}

#[test]
fn collections_of_both_styles() {
    reads_as(
        "a: {b: [1, x], c: }\nd:\n- e: f\n- - g\n",
        json!({"a": {"b": [1, "x"], "c": null}, "d": [{"e": "f"}, ["g"]]}),
    );
    reads_as("", json!(null));
    reads_as("# note\n", json!(null));
    reads_as("---\n", json!(null));
    reads_as("\u{FEFF}---\na: 1\n", json!({"a": 1}));
    reads_as("a: 1\r\nb: x\r\n", json!({"a": 1, "b": "x"}));
    reads_as("%YAML 1.1\n---\na: 1\n...\n", json!({"a": 1}));
}

#[test]
fn only_plain_scalars_are_resolved() {
    reads_as("[1, '1', \"1\"]", json!([1, "1", "1"]));
    reads_as("- yes\n- 'yes'\n- |-\n  yes\n- >-\n  yes\n", json!([true, "yes", "yes", "yes"]));
    reads_as("a: ''\nb:\n", json!({"a": "", "b": null}));
}

#[test]
fn text_on_one_line_is_borrowed() {
    let text = "key: some text\nquoted: \"other text\"\nsingle: 'third'\n";
    let Value::Object(entries) = read(text).unwrap().value else { panic!("no object") };
    for (key, value) in entries {
        assert!(matches!(key, Cow::Borrowed(_)), "{key}");
        assert!(matches!(value, Value::Text(Cow::Borrowed(_))), "{key}");
    }
}

#[test]
fn a_block_scalar_at_the_end_of_the_file_ends_in_a_line_break() {
    reads_as("a: |\n  x", json!({"a": "x\n"}));
    reads_as("a: |-\n  x", json!({"a": "x"}));
}

#[test]
fn keys_become_json_text() {
    let text = "y: 1\n0755: 2\n1.10: 3\n'y': 4\n? |-\n  z\n: 5\n";
    reads_as(text, json!({"true": 1, "493": 2, "1.1": 3, "y": 4, "z": 5}));
    assert_eq!(fault_line("a: 1\n~: 2\n"), 2);
    assert_eq!(fault_line("a: 1\n? [x]\n: 2\n"), 2);
    assert_eq!(fault_line("a: 1\n? {x: 1}\n: 2\n"), 2);
}

#[test]
fn of_a_repeated_key_the_last_one_wins() {
    reads_as("a: 1\nb: 2\na: 3\n", json!({"a": 3, "b": 2}));
    reads_as("y: 1\ntrue: 2\n", json!({"true": 2}));
    let found = notes("x:\n- name: p\n  b: {c: 1}\n  name: q\n");
    assert_eq!(found, [(NoteKind::DuplicateKey, "x[0].name".into(), "name".into(), 4)]);
    assert_eq!(notes("a: 1\nA: 2\n'': 3\n"), []);
}

#[test]
fn what_yaml_1_2_reads_otherwise_is_noted() {
    let found = notes("name: on\nentries:\n- y: \"on\"\n- [1.5, 0755]\n");
    let expected = [
        (NoteKind::Yaml11Scalar, "name".to_owned(), "on".to_owned(), 1),
        (NoteKind::Yaml11Scalar, "entries[0]".to_owned(), "y".to_owned(), 3),
        (NoteKind::Yaml11Scalar, "entries[1][1]".to_owned(), "0755".to_owned(), 4),
    ];
    assert_eq!(found, expected);
    assert_eq!(notes("a: true\nb: 1.10\nc: 'no'\nd: !!str no\n"), []);
}

#[test]
fn notes_are_limited() {
    let limits = Limits { notes: 3, ..Limits::default() };
    assert_eq!(decode("[y, y, y, y, y]", &limits).unwrap().notes.len(), 3);
}

#[test]
fn tags_are_read_as_go_reads_them() {
    reads_as("[!!int \"7\", !!str 7, !custom 7, ! 7, !!binary aGk=]", json!([7, "7", "7", "7", "hi"]));
    reads_as("[!custom {a: 1}, !!set {a: }, !<tag:yaml.org,2002:float> 7]", json!([{"a": 1}, {"a": null}, 7]));
    assert_eq!(fault_line("a: 1\nb: !!int x\n"), 2);
    assert_eq!(fault_line("a: 1\nb: .inf\n"), 2);
}

#[test]
fn aliases_are_copies() {
    reads_as("a: &x {b: [1]}\nc: *x\n", json!({"a": {"b": [1]}, "c": {"b": [1]}}));
    reads_as("a: &x 1\nb: &x 2\nc: *x\n", json!({"a": 1, "b": 2, "c": 2}));
    reads_as("&k key: &n 1.5\n*n : *k\n", json!({"key": 1.5, "1.5": "key"}));
    assert_eq!(fault_line("a: 1\nb: *x\n"), 2);
    assert_eq!(fault_line("a: &x\n  b: *x\n"), 2);
    assert_eq!(fault_line("a: &x [1]\n*x : 1\n"), 2);
}

#[test]
fn keys_after_a_merge_win_and_keys_before_it_lose() {
    reads_as("a: &a {x: 1, y1: 1}\nb: {<<: *a, x: 2}\n", json!({"a": {"x": 1, "y1": 1}, "b": {"x": 2, "y1": 1}}));
    reads_as("a: &a {x: 1}\nb: {x: 2, <<: *a}\n", json!({"a": {"x": 1}, "b": {"x": 1}}));
    reads_as("{<<: {x: 1}, z: 2}", json!({"x": 1, "z": 2}));
    assert_eq!(notes("a: &a {x: 1}\nb: {<<: *a, x: 2}\n"), []);
}

#[test]
fn earlier_merge_sources_win() {
    reads_as("- &a {x: 1}\n- &b {x: 2, z: 2}\n- <<: [*a, *b]\n", json!([{"x": 1}, {"x": 2, "z": 2}, {"x": 1, "z": 2}]));
    reads_as("- &a {x: 1}\n- !!merge <<: *a\n", json!([{"x": 1}, {"x": 1}]));
    reads_as("{\"<<\": 1, !!str <<: 2}", json!({"<<": 2}));
}

#[test]
fn only_mappings_are_merged() {
    for text in ["\n<<: 1", "a: &a [{x: 1}]\n<<: *a", "\n<<: [[{x: 1}]]", "\n<<: [1]", "\n<<:\n"] {
        assert_eq!(fault_line(text), 2, "{text:?}");
    }
}

#[test]
fn one_slice_holds_one_document() {
    assert_eq!(fault_line("a: 1\n...\nb: 2\n"), 3);
    assert_eq!(fault_line("a: 1\n---\nb: 2\n"), 2);
    reads_as("a: 1\n...\n# end\n", json!({"a": 1}));
}

#[test]
fn what_is_not_yaml_is_refused_with_its_line() {
    assert_eq!(fault_line("a: 1\nb: [x\n"), 2);
    assert_eq!(fault_line("a: 1\nb: c: d\n"), 2);
    assert_eq!(fault_line("a: 1\nb: \"\\ud83d\\ude00\"\n"), 2);
    assert_eq!(fault_line("a: 1\nb: @x\n"), 2);
}

#[test]
fn escapes_of_surrogates_are_refused_and_only_they() {
    assert!(read("a: \"\\ud800\"").is_err());
    assert!(read("{\"x\\uD83D\\uDE00\": 1}").is_err());
    reads_as("\"\\U0001F600\\\\ud83d \u{1F600}\\u0041\"", json!("\u{1F600}\\ud83d \u{1F600}A"));
}

#[test]
fn nesting_is_limited_with_aliases_expanded() {
    let limits = Limits { depth: 3, ..Limits::default() };
    assert!(decode("[[[1]]]", &limits).is_ok());
    assert!(decode("[[[[1]]]]", &limits).is_err());
    assert!(decode("- - - x", &limits).is_ok());
    assert!(decode("- - - - x", &limits).is_err());
    assert!(decode("[&a [1], [*a]]", &limits).is_ok());
    assert!(decode("[&a [1], [[*a]]]", &limits).is_err());
    for bracket in ["[", "{", "- ", "? ", "{a: ", "[? "] {
        assert!(read(&bracket.repeat(200_000)).is_err(), "{bracket}");
    }
}

#[test]
fn nodes_are_limited() {
    let limits = Limits { nodes: 4, ..Limits::default() };
    assert!(decode("[1, 2, 3]", &limits).is_ok());
    assert!(decode("[1, 2, 3, 4]", &limits).is_err());
    assert!(decode("{a: 1, b: 2}", &limits).is_err());
}

#[test]
fn copies_are_limited() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..50 {
        let alias = format!("*a{}", level - 1);
        let aliases = [alias.as_str(); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    assert!(read(&bomb).unwrap_err().message.contains("copy more than 1000000"));
    let long_text = format!("- &a \"\\x41{}\"\n{}", "x".repeat(1 << 20), "- *a\n".repeat(100));
    assert!(read(&long_text).unwrap_err().message.contains("copy more than"));
}
