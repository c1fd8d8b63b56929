use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::*;
use crate::source::FileFaultKind;

/// What was handed out, in one line each.
fn pieces(place: &Path, limits: &DumpLimits) -> (Vec<String>, DumpReading) {
    let mut pieces = Vec::new();
    let reading = read_dump(place, limits, &Limits::default(), &mut |piece| {
        pieces.push(match piece.content {
            DumpContent::Document { number, document } => {
                let text = String::from_utf8_lossy(document.bytes).trim().replace('\n', "|");
                format!("{} {number} line {}: {text}", piece.path, document.line)
            }
            DumpContent::Rest { number, fault } => format!("{} {number} fault line {}", piece.path, fault.line),
            DumpContent::Timestamp(text) => format!("{} at {text}", piece.path),
            DumpContent::Text(text) => format!("{} says {text}", piece.path),
        });
    });
    (pieces, reading.unwrap())
}

fn write(root: &Path, path: &str, text: impl AsRef<[u8]>) {
    let place = root.join(path);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, text).unwrap();
}

#[test]
fn documents_come_in_the_order_of_paths_with_number_and_line() {
    let dump = tempfile::tempdir().unwrap();
    write(dump.path(), "b.json", "{\"a\": 1}\n");
    write(dump.path(), "a/deep/er/x.yaml", "kind: A\n---\nkind: B\n");
    write(dump.path(), "noname", "apiVersion: v1\nkind: Node\n");
    let (found, reading) = pieces(dump.path(), &DumpLimits::default());
    let expected = [
        "a/deep/er/x.yaml 1 line 1: kind: A",
        "a/deep/er/x.yaml 2 line 3: kind: B",
        "b.json 1 line 1: {\"a\": 1}",
        "noname 1 line 1: apiVersion: v1|kind: Node",
    ];
    assert_eq!(found, expected);
    assert_eq!((reading.files, reading.passed_over, reading.faults), (3, 0, vec![]));
}

#[test]
fn what_tells_nothing_is_passed_over_and_counted() {
    let dump = tempfile::tempdir().unwrap();
    write(dump.path(), "namespaces/x/pods/p/current.log", "apiVersion: v1\nkind: Node\n");
    write(dump.path(), "namespaces/x/pods/p/previous.log.gz", "apiVersion: v1\nkind: Node\n");
    write(dump.path(), "event-filter.html", "<html>");
    write(dump.path(), "version", "openshift/must-gather\n4.18.0\n");
    write(dump.path(), "timestamp", "2026-11-30 12:00:00 +0000 UTC m=+0.1");
    write(dump.path(), "subscriptions.error.txt", "Error from server (Forbidden): no");
    write(dump.path(), "long.txt", "x".repeat(70_000));
    let (found, reading) = pieces(dump.path(), &DumpLimits::default());
    let expected = [
        "subscriptions.error.txt says Error from server (Forbidden): no",
        "timestamp at 2026-11-30 12:00:00 +0000 UTC m=+0.1",
    ];
    assert_eq!(found, expected);
    assert_eq!((reading.files, reading.passed_over, reading.faults), (0, 7, vec![]));
}

#[test]
fn a_file_alone_is_a_dump_and_nothing_is_none() {
    let dump = tempfile::tempdir().unwrap();
    write(dump.path(), "anything", "kind: A\n");
    let (found, _) = pieces(&dump.path().join("anything"), &DumpLimits::default());
    assert_eq!(found, ["anything 1 line 1: kind: A"]);
    let missing = read_dump(&dump.path().join("none"), &DumpLimits::default(), &Limits::default(), &mut |_| {});
    assert!(matches!(missing, Err(SourceError::Io { .. })));
}

#[test]
fn attack_link_out_of_the_dump() {
    let place = tempfile::tempdir().unwrap();
    write(place.path(), "outside.yaml", "kind: Outside\n");
    write(place.path(), "dump/inside.yaml", "kind: Inside\n");
    let dump = place.path().join("dump");
    symlink("../outside.yaml", dump.join("out.yaml")).unwrap();
    symlink("..", dump.join("up")).unwrap();
    symlink("inside.yaml", dump.join("same.yaml")).unwrap();
    let (found, reading) = pieces(&dump, &DumpLimits::default());
    assert_eq!(found, ["inside.yaml 1 line 1: kind: Inside", "same.yaml 1 line 1: kind: Inside"]);
    let faults: Vec<(&str, FileFaultKind)> =
        reading.faults.iter().map(|fault| (fault.path.as_str(), fault.kind)).collect();
    assert_eq!(faults, [("out.yaml", FileFaultKind::Unreadable)]);
    assert_eq!(reading.passed_over, 1);
}

#[test]
fn attack_link_that_is_a_loop() {
    let dump = tempfile::tempdir().unwrap();
    write(dump.path(), "a/x.yaml", "kind: A\n");
    symlink("../a", dump.path().join("a/again")).unwrap();
    symlink("me.yaml", dump.path().join("me.yaml")).unwrap();
    let (found, reading) = pieces(dump.path(), &DumpLimits::default());
    assert_eq!(found, ["a/x.yaml 1 line 1: kind: A"]);
    assert_eq!((reading.passed_over, reading.faults.len()), (1, 1));
}

#[test]
fn attack_device_with_the_name_of_a_dump() {
    let dump = tempfile::tempdir().unwrap();
    let socket = std::os::unix::net::UnixListener::bind(dump.path().join("socket.yaml")).unwrap();
    let (found, reading) = pieces(dump.path(), &DumpLimits::default());
    drop(socket);
    assert_eq!((found.len(), reading.faults.len()), (0, 1));
}

#[test]
fn attack_file_larger_than_the_limit() {
    let dump = tempfile::tempdir().unwrap();
    write(dump.path(), "large.yaml", "a: 12345678");
    write(dump.path(), "small.yaml", "a: 1");
    let limits = DumpLimits { file_bytes: 10, ..DumpLimits::default() };
    let (found, reading) = pieces(dump.path(), &limits);
    assert_eq!(found, ["small.yaml 1 line 1: a: 1"]);
    assert_eq!((reading.faults[0].path.as_str(), reading.faults[0].kind), ("large.yaml", FileFaultKind::Limit));
}

#[test]
fn attack_more_entries_bytes_or_levels_than_allowed() {
    let dump = tempfile::tempdir().unwrap();
    for name in ["a/b/c/x.yaml", "d.yaml", "e.yaml"] {
        write(dump.path(), name, "kind: A\n");
    }
    let of = |limits: DumpLimits| {
        let (found, reading) = pieces(dump.path(), &limits);
        (found.len(), reading.faults.into_iter().map(|fault| fault.kind).collect::<Vec<_>>())
    };
    let honest = DumpLimits::default();
    assert_eq!(of(honest), (3, vec![]));
    assert_eq!(of(DumpLimits { entries: 6, ..honest }), (2, vec![FileFaultKind::Limit]));
    assert_eq!(of(DumpLimits { bytes: 20, ..honest }), (2, vec![FileFaultKind::Limit]));
    assert_eq!(of(DumpLimits { depth: 3, ..honest }), (2, vec![FileFaultKind::Limit]));
}

#[test]
fn a_file_that_cannot_be_cut_is_told_with_its_line() {
    let dump = tempfile::tempdir().unwrap();
    write(dump.path(), "x.yaml", "a: 1\n--- text\nb: 2\n");
    let (found, _) = pieces(dump.path(), &DumpLimits::default());
    assert_eq!(found, ["x.yaml 1 line 1: a: 1", "x.yaml 2 fault line 2"]);
}
