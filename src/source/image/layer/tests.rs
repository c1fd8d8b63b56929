use std::io::Write;
use std::time::Instant;

use super::*;
use crate::source::tar::sample::{Archive, header, with_checksum};

/// A layer as it is read: what it says, and the files that were handed out.
fn read(
    layer: &[u8],
    wanted: &[&str],
    limits: &LayerLimits,
) -> (Result<LayerEntries, LayerError>, Vec<(usize, String)>) {
    let mut files = Vec::new();
    let outcome = walk_layer(layer, &Wanted::new(wanted), limits, &mut |number, path, bytes, content| {
        let mut text = String::new();
        content.read_to_string(&mut text)?;
        assert_eq!(text.len() as u64, bytes);
        files.push((number, format!("{path}={text}")));
        Ok(())
    });
    (outcome, files)
}

fn entries(layer: &[u8], wanted: &[&str]) -> LayerEntries {
    read(layer, wanted, &LayerLimits::default()).0.unwrap()
}

fn failure(layer: &[u8], limits: &LayerLimits) -> LayerError {
    read(layer, &["configs"], limits).0.unwrap_err()
}

fn kept(found: &LayerEntries) -> Vec<(usize, &str, LayerEntryKind)> {
    found.entries.iter().map(|entry| (entry.number, entry.path.as_str(), entry.kind.clone())).collect()
}

fn faults(found: &LayerEntries) -> Vec<&str> {
    found.faults.iter().map(|fault| fault.path.as_str()).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn wanted_files_are_handed_out_whatever_the_compression() {
    let layer = Archive::default()
        .directory("./configs/")
        .file("./configs/a", "one")
        .file("configs-old/a", "two")
        .file("etc/configs/a", "three")
        .file("/configs/b/c", "four")
        .end();
    for layer in [layer.clone(), gzip(&layer), ::zstd::encode_all(layer.as_slice(), 1).unwrap()] {
        let (found, files) = read(&layer, &["configs"], &LayerLimits::default());
        assert_eq!(files, [(1, "configs/a=one".to_owned()), (4, "configs/b/c=four".to_owned())]);
        assert_eq!(
            kept(&found.unwrap()),
            [
                (0, "configs", LayerEntryKind::Directory),
                (1, "configs/a", LayerEntryKind::File(3)),
                (4, "configs/b/c", LayerEntryKind::File(4)),
            ]
        );
    }
}

#[test]
fn whiteouts_of_wanted_paths_and_of_those_above_are_kept() {
    let layer = Archive::default()
        .file("usr/.wh.share", "")
        .file("usr/share/configs/.wh.old", "")
        .file("usr/share/configs/.wh..wh..opq", "")
        .file(".wh..wh..opq", "")
        .file("etc/.wh.passwd", "")
        .file("etc/.wh..wh..opq", "")
        .file(".wh..wh.plnk", "")
        .file("usr/share/configs/.wh..wh.aufs/x", "")
        .end();
    let found = entries(&layer, &["usr/share/configs"]);
    assert_eq!(found.whiteouts, ["usr/share", "usr/share/configs/old"]);
    assert_eq!(found.opaque, ["usr/share/configs", ""]);
    assert_eq!(kept(&found), []);
    assert_eq!(found.faults, []);
}

#[test]
fn what_becomes_of_paths_above_wanted_ones_is_kept() {
    let layer = Archive::default().symbolic_link("usr", "system/usr").directory("usr/share").directory("usr/lib").end();
    let found = entries(&layer, &["usr/share/configs"]);
    assert_eq!(
        kept(&found),
        [
            (0, "usr", LayerEntryKind::SymbolicLink("system/usr".to_owned())),
            (1, "usr/share", LayerEntryKind::Directory)
        ]
    );
}

#[test]
fn traversal_by_name_is_a_fault_and_is_never_used() {
    let layer = Archive::default()
        .file("../outside.yaml", "x")
        .file("configs/../../etc/passwd", "x")
        .file("/../configs/a", "x")
        .file("configs/good", "x")
        .end();
    let (found, files) = read(&layer, &["configs"], &LayerLimits::default());
    assert_eq!(files, [(3, "configs/good=x".to_owned())]);
    assert_eq!(faults(&found.unwrap()), ["../outside.yaml", "configs/../../etc/passwd", "/../configs/a"]);
}

#[test]
fn absolute_names_lie_below_the_root_of_the_image() {
    let (_, files) = read(&Archive::default().file("//configs/a", "x").end(), &["configs"], &LayerLimits::default());
    assert_eq!(files, [(0, "configs/a=x".to_owned())]);
}

#[test]
fn whiteouts_that_name_nothing_are_faults() {
    let layer = Archive::default().file(".wh.", "").file("configs/.wh...", "").file("configs/.wh..", "").end();
    let found = entries(&layer, &["configs"]);
    assert_eq!(faults(&found), [".wh.", "configs/.wh...", "configs/.wh.."]);
    assert_eq!(found.whiteouts, [""; 0]);
}

#[test]
fn devices_pipes_and_sparse_files_are_unusable_where_they_are_wanted() {
    let layer = Archive::default()
        .entry("dev/null", b'3', b"")
        .entry("configs/null", b'3', b"")
        .entry("configs/disk", b'4', b"")
        .entry("configs/pipe", b'6', b"")
        .entry("configs/holes", b'S', b"")
        .end();
    let (found, files) = read(&layer, &["configs"], &LayerLimits::default());
    assert_eq!(files, []);
    let found = found.unwrap();
    assert_eq!(found.entries.len(), 4, "the device elsewhere is nobody's business");
    for entry in &found.entries {
        assert!(matches!(entry.kind, LayerEntryKind::Unusable(_)), "{entry:?}");
    }
}

#[test]
fn an_escape_by_hard_link_is_unusable() {
    let layer = Archive::default().hard_link("configs/a", "../../etc/shadow").hard_link("configs/b", "/x/./y").end();
    let found = entries(&layer, &["configs"]);
    assert!(matches!(&found.entries[0].kind, LayerEntryKind::Unusable(reason) if reason.contains("../../etc/shadow")));
    assert_eq!(found.entries[1].kind, LayerEntryKind::HardLink("x/y".to_owned()));
}

#[test]
fn names_that_are_no_text_are_faults_where_they_are_wanted() {
    let layer = Archive::default()
        .padded(&header(b"usr/caf\xe9", b'0', b"", 0))
        .padded(&header(b"configs/caf\xe9", b'0', b"", 0))
        .end();
    assert_eq!(faults(&entries(&layer, &["configs"])), ["configs/caf\u{fffd}"]);
}

#[test]
fn a_file_beyond_the_depth_limit_is_a_fault() {
    let limits = LayerLimits { depth: 3, ..LayerLimits::default() };
    let layer = Archive::default().file("configs/a/b", "").file("configs/a/b/c", "").end();
    let found = read(&layer, &["configs"], &limits).0.unwrap();
    assert_eq!(found.entries.len(), 1);
    assert_eq!(faults(&found), ["configs/a/b/c"]);
}

#[test]
fn faults_beyond_the_limit_are_counted() {
    let limits = LayerLimits { faults: 1, ..LayerLimits::default() };
    let layer = Archive::default().file("../a", "").file("../b", "").file("../c", "").end();
    let found = read(&layer, &["configs"], &limits).0.unwrap();
    assert_eq!((found.faults.len(), found.further_faults), (1, 2));
}

#[test]
fn a_million_empty_entries_elsewhere_cost_no_memory() {
    let block = header(b"elsewhere/x", b'0', b"", 0);
    let layer = io::Cursor::new(Archive::default().file("configs/a", "x").0)
        .chain(Repeated { block, at: 0, left: 1_000_000 })
        .chain(io::Cursor::new(Archive::default().file("configs/b", "y").end()));
    let start = Instant::now();
    let mut numbers = Vec::new();
    let found = walk_layer(layer, &Wanted::new(["configs"]), &LayerLimits::default(), &mut |number, _, _, _| {
        numbers.push(number);
        Ok(())
    });
    assert_eq!(numbers, [0, 1_000_001]);
    assert_eq!(found.unwrap().entries.len(), 2);
    assert!(start.elapsed().as_secs() < 60);
}

#[test]
fn a_million_wanted_entries_stop_at_the_limit() {
    let block = header(b"configs/x", b'0', b"", 0);
    let limits = LayerLimits { entries: 1000, ..LayerLimits::default() };
    let layer = Repeated { block, at: 0, left: 1_000_000 };
    let error = walk_layer(layer, &Wanted::new(["configs"]), &limits, &mut |_, _, _, _| Ok(())).unwrap_err();
    assert_eq!(error.error.kind, StoreErrorKind::Limit);
    assert_eq!(error.read.entries.len(), 1000);
}

/// The same block again and again.
struct Repeated {
    block: [u8; 512],
    at: usize,
    left: u32,
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        let count = (&self.block[self.at..]).read(buffer)?;
        self.at = (self.at + count) % 512;
        self.left -= u32::from(self.at == 0);
        Ok(count)
    }
}

#[test]
fn a_truncated_gzip_keeps_what_was_read() {
    let noise: String = (0..30_000_u32).map(|number| format!("{} ", number.wrapping_mul(2_654_435_761))).collect();
    let layer = gzip(&Archive::default().file("configs/a", "one").file("configs/b", &noise).end());
    let error = failure(&layer[..layer.len() / 2], &LayerLimits::default());
    assert_eq!(error.error.kind, StoreErrorKind::Bad);
    assert!(error.to_string().contains("gzip stream ends too early"), "{error}");
    assert_eq!(error.read.entries.len(), 2);
}

#[test]
fn a_truncated_tar_names_the_entry_even_where_nobody_wanted_it() {
    let layer = Archive::default().file("configs/a", "one").file("usr/b", &"x".repeat(2000)).end();
    let error = failure(&layer[..2000], &LayerLimits::default());
    assert_eq!(error.error.kind, StoreErrorKind::Bad);
    assert!(error.to_string().contains("usr/b"), "{error}");
    assert_eq!(kept(&error.read), [(0, "configs/a", LayerEntryKind::File(3))]);
}

#[test]
fn a_wrong_checksum_ends_the_layer() {
    let mut block = header(b"configs/b", b'0', b"", 0);
    block[0] = b'd';
    let layer = Archive::default().file("configs/a", "one").padded(&block).end();
    let error = failure(&layer, &LayerLimits::default());
    assert_eq!(error.error.kind, StoreErrorKind::Bad);
    assert!(error.to_string().contains("checksum"), "{error}");
    assert_eq!(error.read.entries.len(), 1);
}

#[test]
fn an_entry_of_lying_size_ends_the_layer_at_once() {
    let mut block = header(b"configs/bomb", b'0', b"", 0);
    block[124..136].copy_from_slice(&[0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    let layer = Archive::default().padded(&with_checksum(block)).padded(b"x").end();
    let mut stated = 0;
    let error =
        walk_layer(layer.as_slice(), &Wanted::new(["configs"]), &LayerLimits::default(), &mut |_, _, bytes, _| {
            stated = bytes;
            Ok(())
        });
    assert_eq!(stated, i64::MAX as u64, "the visitor sees what is stated and need not believe it");
    assert_eq!(error.unwrap_err().error.kind, StoreErrorKind::Bad);
}

#[test]
fn a_gzip_bomb_behind_a_good_file_is_a_matter_of_limits() {
    let decompress = DecompressLimits { floor: 1 << 20, ..DecompressLimits::default() };
    let limits = LayerLimits { decompress, ..LayerLimits::default() };
    let layer = Archive::default().file("configs/a", "one").file("zeros", &"\0".repeat(8 << 20)).end();
    let error = failure(&gzip(&layer), &limits);
    assert_eq!(error.error.kind, StoreErrorKind::Limit);
    assert!(error.to_string().contains("bomb"), "{error}");
    assert_eq!(error.read.entries.len(), 1);
}

#[test]
fn a_bomb_behind_the_end_of_the_archive_is_found_too() {
    let decompress = DecompressLimits { floor: 1 << 20, ..DecompressLimits::default() };
    let limits = LayerLimits { decompress, ..LayerLimits::default() };
    let layer = [Archive::default().file("configs/a", "one").end(), vec![0; 8 << 20]].concat();
    assert_eq!(failure(&gzip(&layer), &limits).error.kind, StoreErrorKind::Limit);
}

#[test]
fn a_visitor_that_fails_ends_the_layer() {
    let layer = Archive::default().file("configs/a", "one").end();
    let mut refuse = |_: usize, _: &str, _: u64, _: &mut dyn Read| Err(io::Error::other("disk full"));
    let outcome = walk_layer(layer.as_slice(), &Wanted::new(["configs"]), &LayerLimits::default(), &mut refuse);
    assert_eq!(outcome.unwrap_err().to_string(), "disk full");
}

#[test]
fn what_a_layer_says_survives_being_kept() {
    let layer = Archive::default().file("configs/a", "x").symbolic_link("configs/b", "a").file("../c", "").end();
    let found = entries(&layer, &["configs"]);
    let kept: LayerEntries = serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
    assert_eq!(kept, found);
}
