use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::super::{DumpContent, DumpLimits, DumpReading};
use super::*;
use crate::codec::Limits;
use crate::source::tar::sample::Archive;

fn read(bytes: &[u8], limits: &DumpLimits) -> (Vec<String>, DumpReading) {
    let mut found = Vec::new();
    let documents = Limits::default();
    let mut visit = |piece: super::super::DumpPiece<'_>| {
        if let DumpContent::Document { number, document } = piece.content {
            let text = String::from_utf8_lossy(document.bytes).trim().to_owned();
            found.push(format!("{} {number}: {text}", piece.path));
        }
    };
    let mut reader = Reader::new(limits, &documents, &mut visit);
    read_file("dump.tar", bytes, &mut reader).unwrap();
    let reading = reader.reading;
    (found, reading)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn dump() -> Archive {
    let archive = Archive::default().directory("must-gather/").file("must-gather/b.yaml", "kind: B\n");
    archive.file("./a.yaml", "kind: A\n---\nkind: C\n").file("must-gather/pods/current.log", "kind: D\n")
}

fn kinds(reading: &DumpReading) -> Vec<FileFaultKind> {
    reading.faults.iter().map(|fault| fault.kind).collect()
}

const EXPECTED: [&str; 3] = ["must-gather/b.yaml 1: kind: B", "a.yaml 1: kind: A", "a.yaml 2: kind: C"];

#[test]
fn an_archive_is_read_compressed_or_not_whatever_its_name() {
    let plain = dump().0;
    let mut in_two_members = gzip(&plain[..512]);
    in_two_members.extend(gzip(&plain[512..]));
    for bytes in [plain.clone(), gzip(&plain), in_two_members] {
        let (found, reading) = read(&bytes, &DumpLimits::default());
        assert_eq!(found, EXPECTED);
        assert_eq!((reading.files, reading.passed_over, reading.faults), (2, 1, vec![]));
    }
}

#[test]
fn one_file_of_documents_may_be_compressed_as_well() {
    for bytes in [b"kind: A\n".to_vec(), gzip(b"kind: A\n")] {
        assert_eq!(read(&bytes, &DumpLimits::default()).0, ["dump.tar 1: kind: A"]);
    }
}

#[test]
fn attack_names_that_lead_out_of_the_archive() {
    let archive = dump().file("../../etc/x.yaml", "kind: X\n").file("/etc/y.yaml", "kind: Y\n");
    let (found, reading) = read(&archive.0, &DumpLimits::default());
    assert_eq!(found[..3], EXPECTED);
    assert_eq!(found[3..], ["etc/y.yaml 1: kind: Y"], "an absolute name is one inside the dump");
    assert_eq!(reading.faults[0].path, "../../etc/x.yaml");
    assert_eq!(kinds(&reading), [FileFaultKind::Unreadable]);
}

#[test]
fn attack_links_and_devices_in_an_archive() {
    let archive = dump().symbolic_link("out.yaml", "/etc/passwd").hard_link("again.yaml", "a.yaml");
    let archive = archive.entry("disk.yaml", b'4', b"").entry("pipe", b'6', b"");
    let (found, reading) = read(&archive.0, &DumpLimits::default());
    assert_eq!(found, EXPECTED);
    assert_eq!((reading.passed_over, reading.faults[0].path.as_str()), (4, "disk.yaml"));
}

#[test]
fn attack_gzip_bomb() {
    let zeros = "\0".repeat(1 << 20);
    let archive = Archive::default().file("a.log", &zeros).file("b.yaml", "kind: B\n");
    let limits = DumpLimits { bytes: 1 << 19, ..DumpLimits::default() };
    let (found, reading) = read(&gzip(&archive.0), &limits);
    assert_eq!((found.len(), kinds(&reading)), (0, vec![FileFaultKind::Limit]));
}

#[test]
fn attack_size_that_lies_and_archive_that_ends_too_early() {
    let whole = dump().0;
    // Three headers and one content come before the content of a.yaml.
    let content = 4 * 512;
    for end in [content + 10, content - 100, 600] {
        let (found, reading) = read(&whole[..end], &DumpLimits::default());
        assert!(!reading.faults.is_empty(), "{end}");
        assert!(!found.iter().any(|document| document.contains("kind: C")), "{end}");
    }
    let compressed = gzip(&whole);
    let (_, reading) = read(&compressed[..compressed.len() - 12], &DumpLimits::default());
    assert!(!reading.faults.is_empty());
}

#[test]
fn attack_deep_names_and_too_many_entries() {
    let deep = dump().file(&format!("{}x.yaml", "d/".repeat(40)), "kind: X\n").0;
    let limits = DumpLimits { depth: 20, ..DumpLimits::default() };
    let (found, reading) = read(&deep, &limits);
    assert_eq!((found.len(), kinds(&reading)), (3, vec![FileFaultKind::Limit]));
    let limits = DumpLimits { entries: 2, ..DumpLimits::default() };
    let (found, reading) = read(&dump().0, &limits);
    assert_eq!((found.len(), kinds(&reading)), (1, vec![FileFaultKind::Limit]));
}

#[test]
fn bytes_that_are_no_gzip_after_all_are_a_fault() {
    let (found, reading) = read(b"\x1f\x8bnot gzip at all", &DumpLimits::default());
    assert_eq!((found.len(), kinds(&reading)), (0, vec![FileFaultKind::Unreadable]));
}
