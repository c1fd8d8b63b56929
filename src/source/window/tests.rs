use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::codec::{Fault, Limits, Splitter, split};

/// A document by its text, first line and format.
type Found = (Vec<u8>, u32, Format);

fn windows(text: &str, size: usize) -> Vec<String> {
    let mut windows = Windows::new(text.as_bytes(), u64::MAX, u64::MAX, Vec::new()).of_size(size);
    std::iter::from_fn(|| windows.next_window().unwrap()).map(|bytes| String::from_utf8(bytes).unwrap()).collect()
}

fn found(documents: &[crate::codec::Document<'_>]) -> Vec<Found> {
    documents.iter().map(|document| (document.bytes.to_vec(), document.line, document.format)).collect()
}

/// The documents of all windows, up to a fault.
fn of_windows(windows: &[String]) -> (Vec<Found>, Option<Fault>) {
    let limits = Limits::default();
    let mut splitter = Splitter::new(&limits);
    let mut documents = Vec::new();
    for window in windows {
        let split = splitter.cut(window.as_bytes());
        documents.extend(found(&split.documents));
        if split.fault.is_some() {
            return (documents, split.fault);
        }
    }
    (documents, None)
}

fn of_the_file(text: &str) -> (Vec<Found>, Option<Fault>) {
    let split = split(text.as_bytes(), &Limits::default());
    (found(&split.documents), split.fault)
}

#[test]
fn yaml_is_cut_before_a_separator() {
    assert_eq!(windows("a: 1\n---\nb: 2\n---\nc: 3\n", 12), ["a: 1\n", "---\nb: 2\n", "---\nc: 3\n"]);
}

#[test]
fn json_is_cut_between_objects_only() {
    let text = "{\"a\": [{\"b\": 1},\n {\"c\": 2}]}\n{\"d\": 3}\n";
    assert_eq!(windows(text, 37), ["{\"a\": [{\"b\": 1},\n {\"c\": 2}]}\n", "{\"d\": 3}\n"]);
}

#[test]
fn a_long_document_makes_a_long_window() {
    let text = format!("a: {}\n---\nb: {}\n", "x".repeat(100), "y".repeat(200));
    assert_eq!(windows(&text, 8)[0].len(), 104);
}

#[test]
fn what_only_begins_like_json_is_one_window() {
    let text = "{a: 1}\n---\nb: |\n  {x}\n  {y}\n---\nc: 3\n";
    assert_eq!(windows(text, 4), [text]);
}

#[test]
fn two_separators_in_a_row_add_nothing_wherever_a_window_ends() {
    let text = "a: 1\n---\n---\nb: 2\n";
    for size in 1..20 {
        assert_eq!(of_windows(&windows(text, size)).0.len(), 2, "{size}");
    }
}

#[test]
fn what_is_beyond_the_limits_is_refused() {
    let file = format!("a: 1\n---\nb: {}\n", "x".repeat(100));
    for (file_bytes, document_bytes) in [(u64::MAX, 20), (60, u64::MAX)] {
        let mut windows = Windows::new(file.as_bytes(), file_bytes, document_bytes, Vec::new()).of_size(10);
        assert_eq!(windows.next_window().unwrap().unwrap(), b"a: 1\n");
        assert_eq!(windows.next_window().unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert!(windows.next_window().unwrap().is_none());
    }
}

fn yaml() -> impl Strategy<Value = String> {
    let line = select(vec![
        "---",
        "---",
        "---",
        "--- # note",
        "--- \t",
        "----",
        "a: 1",
        "b: |",
        "  {x}",
        "  {y}",
        "",
        "# note",
        "{a: 1}",
        "{\"a\": 1}",
        "}",
        "{",
        "\u{a0}",
    ]);
    (proptest::collection::vec(line, 0..12), select(vec!["\n", "\r\n"]), any::<bool>())
        .prop_map(|(lines, line_break, ends)| lines.join(line_break) + if ends { line_break } else { "" })
}

fn json() -> impl Strategy<Value = String> {
    let value = select(vec![
        "{}",
        "{\"a\": 1}",
        "{\"a\": [{\"b\": 1},\n{\"c\": \"}\\n{\"}\n]}",
        "{\n\"a\": {\n}\n}",
        "{\"a\": \"---\"}",
        "[1]",
    ]);
    let gap = select(vec!["\n", "\n", "\n\n", "", " ", "\n  ", "\r\n"]);
    let rest = prop_oneof![4 => Just(String::new()), 1 => Just("x: 1\n".to_owned()), 1 => Just("{\"a\"".to_owned()), 1 => yaml()];
    (proptest::collection::vec((value, gap), 0..8), rest)
        .prop_map(|(values, rest)| values.iter().flat_map(|(value, gap)| [*value, *gap]).collect::<String>() + &rest)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn windows_are_the_file_and_their_documents_its_documents(text in prop_oneof![yaml(), json()], size in 1_usize..60) {
        let windows = windows(&text, size);
        prop_assert_eq!(windows.concat(), text.as_str());
        prop_assert_eq!(of_windows(&windows), of_the_file(&text));
    }
}
