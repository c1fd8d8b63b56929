use super::*;

fn parts(file: &str) -> Vec<(String, u32, Format)> {
    let split = split(file.as_bytes(), &Limits::default());
    assert_eq!(split.fault, None, "{file:?}");
    let text = |document: &Document<'_>| String::from_utf8(document.bytes.to_vec()).unwrap();
    split.documents.iter().map(|document| (text(document), document.line, document.format)).collect()
}

fn yaml(file: &str) -> Vec<(String, u32)> {
    let parts = parts(file);
    assert!(parts.iter().all(|(_, _, format)| *format == Format::Yaml), "{file:?}");
    parts.into_iter().map(|(text, line, _)| (text, line)).collect()
}

fn json(file: &str) -> Vec<(String, u32)> {
    let parts = parts(file);
    assert!(parts.iter().all(|(_, _, format)| *format == Format::Json), "{file:?}");
    parts.into_iter().map(|(text, line, _)| (text, line)).collect()
}

fn owned(parts: &[(&str, u32)]) -> Vec<(String, u32)> {
    parts.iter().map(|(text, line)| ((*text).to_owned(), *line)).collect()
}

#[test]
fn yaml_is_cut_at_separators() {
    let cases: [(&str, &[(&str, u32)]); 14] = [
        ("", &[]),
        ("a: 1", &[("a: 1", 1)]),
        ("a: 1\n---\nb: 2\n", &[("a: 1\n", 1), ("b: 2\n", 3)]),
        ("---\na: 1\n---\nb: 2", &[("---\na: 1\n", 1), ("b: 2", 4)]),
        ("a: 1\n--- # note\nb: 2\n", &[("a: 1\n", 1), ("b: 2\n", 3)]),
        ("a: 1\r\n--- \t\r\nb: 2\r\n", &[("a: 1\r\n", 1), ("b: 2\r\n", 3)]),
        ("a: 1\n---\n", &[("a: 1\n", 1)]),
        ("a: 1\n---", &[("a: 1\n", 1)]),
        ("---", &[("---", 1)]),
        ("a: 1\n---\n# note\n---\nb: 2\n", &[("a: 1\n", 1), ("# note\n", 3), ("b: 2\n", 5)]),
        ("a: 1\n---\n\n---\nb: 2\n", &[("a: 1\n", 1), ("\n", 3), ("b: 2\n", 5)]),
        ("a: 1\n---\n---\nb: 2\n", &[("a: 1\n", 1), ("---\nb: 2\n", 3)]),
        ("a: 1\n---\n---\n---\nb: 2\n", &[("a: 1\n", 1), ("---\n", 3), ("b: 2\n", 5)]),
        ("a: |\n  ---\nb: x --- y\n", &[("a: |\n  ---\nb: x --- y\n", 1)]),
    ];
    for (file, expected) in cases {
        assert_eq!(yaml(file), owned(expected), "{file:?}");
    }
}

#[test]
fn a_byte_order_mark_hides_a_brace_and_a_separator() {
    assert_eq!(yaml("\u{FEFF}---\na: 1\n"), owned(&[("\u{FEFF}---\na: 1\n", 1)]));
    assert_eq!(yaml("\u{FEFF}{}"), owned(&[("\u{FEFF}{}", 1)]));
}

#[test]
fn text_after_a_separator_is_a_fault() {
    for file in ["a: 1\n--- x\nb: 2\n", "a: 1\n----\nb: 2\n", "a: 1\n---x"] {
        let split = split(file.as_bytes(), &Limits::default());
        assert_eq!(split.documents.len(), 1, "{file:?}");
        let fault = split.fault.unwrap();
        assert_eq!(fault.line, 2, "{file:?}");
        assert!(fault.message.starts_with("document 2: "), "{fault}");
    }
    assert_eq!(split(b"--- x\n", &Limits::default()).fault.unwrap().line, 1);
}

#[test]
fn json_values_follow_each_other_with_any_white_space() {
    assert_eq!(json("{\"a\": 1}{\"b\": 2}"), owned(&[("{\"a\": 1}", 1), ("{\"b\": 2}", 1)]));
    assert_eq!(json("\n{\n}\n\n {} \n"), owned(&[("{\n}", 2), ("{}", 5)]));
    assert_eq!(json("{} [1] \"x\""), owned(&[("{}", 1), ("[1]", 1), ("\"x\"", 1)]));
}

#[test]
fn a_brace_beyond_the_look_ahead_is_yaml() {
    assert_eq!(json(&format!("{}{{}}", " ".repeat(4095))).len(), 1);
    assert_eq!(yaml(&format!("{}{{}}", " ".repeat(4096))).len(), 1);
}

#[test]
fn a_json_array_is_yaml() {
    assert_eq!(yaml("[{\"a\": 1}]"), owned(&[("[{\"a\": 1}]", 1)]));
}

#[test]
fn what_only_looks_like_json_is_yaml() {
    assert_eq!(yaml("{a: 1}\n---\n{b: 2}\n"), owned(&[("{a: 1}\n", 1), ("{b: 2}\n", 3)]));
    let one_value_first = parts("{\"a\": 1}\n---\nb: 2\n");
    assert_eq!(one_value_first[0], ("{\"a\": 1}".into(), 1, Format::Json));
    assert_eq!(one_value_first[1], ("---\nb: 2\n".into(), 2, Format::Yaml));
}

#[test]
fn after_two_json_values_anything_else_is_a_fault() {
    let split = split(b"{}\n{}\nschema: x\n", &Limits::default());
    assert_eq!(split.documents.len(), 2);
    let fault = split.fault.unwrap();
    assert_eq!(fault.line, 3);
    assert!(fault.message.starts_with("document 3: "), "{fault}");
}

#[test]
fn limits_hold() {
    let limits = Limits { bytes_per_file: 10, documents_per_file: 2, ..Limits::default() };
    assert_eq!(split(b"a\n---\nb", &limits).fault, None);
    let crowded = split(b"{}{}{}", &limits);
    assert_eq!((crowded.documents.len(), crowded.fault.unwrap().line), (2, 1));
    let crowded = split(b"\n---\n\n---\n", &Limits { documents_per_file: 1, ..Limits::default() });
    assert_eq!((crowded.documents.len(), crowded.fault.unwrap().line), (1, 3));
    assert_eq!(split(b"12345678901", &limits).documents, []);
    assert!(split(b"12345678901", &limits).fault.is_some());
}
