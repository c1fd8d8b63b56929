use std::io::{Cursor, Read};

use proptest::prelude::*;

use super::sample::{Archive, header, with_checksum};
use super::*;

/// What a stream gives: entries with their contents, and why it ended.
type Streaming = (Vec<(TarEntry, Vec<u8>)>, Option<TarError>);

fn stream(archive: &[u8], limits: TarLimits) -> Streaming {
    let mut reader = TarReader::streaming(archive, limits);
    let mut entries = Vec::new();
    loop {
        match reader.next_entry() {
            Ok(None) => return (entries, None),
            Err(fault) => return (entries, Some(fault)),
            Ok(Some(entry)) => {
                let mut content = Vec::new();
                if let Err(error) = reader.content().read_to_end(&mut content) {
                    return (entries, Some(error.into()));
                }
                entries.push((entry, content));
            }
        }
    }
}

/// Names and kinds, after holding the stream against the index.
fn listed(archive: &[u8]) -> Vec<(String, TarEntryKind)> {
    let (streamed, fault) = stream(archive, TarLimits::default());
    assert!(fault.is_none(), "{fault:?}");
    let indexed = index(Cursor::new(archive), TarLimits::default());
    assert!(indexed.fault.is_none());
    assert_eq!(indexed.entries, streamed.iter().map(|(entry, _)| entry.clone()).collect::<Vec<_>>());
    for (entry, content) in &streamed {
        let start = usize::try_from(entry.offset).unwrap();
        assert_eq!(&archive[start..start + content.len()], content);
    }
    indexed.entries.into_iter().map(|entry| (entry.path, entry.kind)).collect()
}

fn fault(archive: &[u8]) -> TarError {
    let (_, streamed) = stream(archive, TarLimits::default());
    let indexed = index(Cursor::new(archive), TarLimits::default()).fault;
    let (streamed, indexed) = (streamed.expect("the stream ends in an error"), indexed.expect("so does the index"));
    assert_eq!(streamed.to_string(), indexed.to_string());
    indexed
}

fn file(bytes: u64) -> TarEntryKind {
    TarEntryKind::File { bytes }
}

#[test]
fn entries_of_every_kind_are_listed_with_their_places() {
    let archive = Archive::default()
        .directory("a/")
        .file("a/b", "text")
        .symbolic_link("a/c", "b")
        .hard_link("a/d", "a/b")
        .entry("pipe", b'6', b"")
        .entry("sound", b'3', b"")
        .entry("disk", b'4', b"")
        .entry("dump", b'D', b"content to pass over")
        .entry("whole", b'7', b"x")
        .end();
    let other = |name: &str| TarEntryKind::Other(name.to_owned());
    assert_eq!(
        listed(&archive),
        [
            ("a/".to_owned(), TarEntryKind::Directory),
            ("a/b".to_owned(), file(4)),
            ("a/c".to_owned(), TarEntryKind::SymbolicLink("b".to_owned())),
            ("a/d".to_owned(), TarEntryKind::HardLink("a/b".to_owned())),
            ("pipe".to_owned(), other("named pipe")),
            ("sound".to_owned(), other("character device")),
            ("disk".to_owned(), other("block device")),
            ("dump".to_owned(), other("entry of type 'D'")),
            ("whole".to_owned(), file(1)),
        ]
    );
    let places: Vec<u64> =
        index(Cursor::new(&archive), TarLimits::default()).entries.iter().map(|entry| entry.offset).collect();
    assert_eq!(places[..4], [512, 1024, 2048, 2560]);
}

#[test]
fn archives_of_the_seventh_edition_are_read() {
    let old = |name: &str, size| {
        let mut block = header(name.as_bytes(), 0, b"", size);
        block[257..].fill(0);
        with_checksum(block)
    };
    let archive = Archive::default().padded(&old("a/", 0)).padded(&old("a/b", 1)).padded(b"x").end();
    assert_eq!(listed(&archive), [("a/".to_owned(), TarEntryKind::Directory), ("a/b".to_owned(), file(1))]);
}

#[test]
fn a_prefix_stands_before_the_name_in_ustar_alone() {
    let mut block = header(b"name", b'0', b"", 0);
    block[345..351].copy_from_slice(b"prefix");
    let ustar = with_checksum(block);
    block[257..265].copy_from_slice(b"ustar  \0");
    let archive = Archive::default().padded(&ustar).padded(&with_checksum(block)).end();
    assert_eq!(listed(&archive), [("prefix/name".to_owned(), file(0)), ("name".to_owned(), file(0))]);
}

#[test]
fn pax_records_count_for_one_entry_and_global_ones_for_all() {
    let archive = Archive::default()
        .pax(b'g', &[("linkpath", "everywhere")])
        .pax(b'x', &[("path", "größe"), ("linkpath", "once")])
        .symbolic_link("short", "t")
        .symbolic_link("second", "t")
        .end();
    let link = |target: &str| TarEntryKind::SymbolicLink(target.to_owned());
    assert_eq!(listed(&archive), [("größe".to_owned(), link("once")), ("second".to_owned(), link("everywhere"))]);
}

#[test]
fn long_names_of_gnu_win_over_pax() {
    let name = "n".repeat(300);
    let archive = Archive::default()
        .pax(b'x', &[("path", "loses")])
        .entry("././@LongLink", b'L', format!("{name}\0").as_bytes())
        .entry("././@LongLink", b'K', b"target\0")
        .symbolic_link("short", "t")
        .file("next", "")
        .end();
    assert_eq!(
        listed(&archive),
        [(name, TarEntryKind::SymbolicLink("target".to_owned())), ("next".to_owned(), file(0))]
    );
}

#[test]
fn a_size_in_base_256_is_read() {
    let mut block = header(b"a", b'0', b"", 0);
    block[124..136].copy_from_slice(&[0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
    let archive = Archive::default().padded(&with_checksum(block)).padded(b"abc").file("b", "").end();
    assert_eq!(listed(&archive), [("a".to_owned(), file(3)), ("b".to_owned(), file(0))]);
}

#[test]
fn the_end_may_be_missing_and_so_may_padding() {
    let whole = Archive::default().file("a", "text").0;
    for archive in [&whole[..], &whole[..516], &whole[..600], &[whole.clone(), vec![0; 100]].concat()] {
        assert_eq!(listed(archive), [("a".to_owned(), file(4))], "{} bytes", archive.len());
    }
    assert_eq!(listed(&[]), []);
}

#[test]
fn nothing_counts_after_the_end() {
    let archive = [Archive::default().file("a", "").end(), Archive::default().file("b", "").end()].concat();
    assert_eq!(listed(&archive), [("a".to_owned(), file(0))]);
}

#[test]
fn links_and_directories_have_no_content_whatever_they_say() {
    let archive = Archive::default()
        .padded(&header(b"link", b'1', b"a", 1 << 20))
        .padded(&header(b"directory", b'5', b"", 1 << 20))
        .file("a", "x")
        .end();
    assert_eq!(listed(&archive).len(), 3);
}

#[test]
fn truncated_content_names_its_entry() {
    let archive = Archive::default().file("whole", "x").file("cut", &"y".repeat(1000)).end();
    let cut = &archive[..2 * 512 + 512 + 400];
    assert!(matches!(fault(cut), TarError::TruncatedContent { entry, bytes: 1000, missing: 600 } if entry == "cut"));
    let indexed = index(Cursor::new(cut), TarLimits::default());
    assert_eq!(indexed.entries.len(), 1, "what was whole is kept");
}

#[test]
fn a_truncated_header_says_where() {
    let archive = Archive::default().file("a", "").file("b", "").0;
    assert!(matches!(fault(&archive[..700]), TarError::TruncatedHeader { offset: 512 }));
}

#[test]
fn a_wrong_checksum_says_where() {
    let mut archive = Archive::default().file("a", "").file("b", "").end();
    archive[512] = b'c';
    assert!(matches!(fault(&archive), TarError::Checksum { offset: 512 }));
}

#[test]
fn a_zero_block_between_entries_is_malformed() {
    let archive = Archive::default().file("a", "").padded(&[0; 512]).file("b", "").end();
    assert!(matches!(fault(&archive), TarError::Malformed { offset: 512, .. }));
}

#[test]
fn a_lying_size_is_found_out_at_once() {
    let mut block = header(b"bomb", b'0', b"", 0);
    block[124..136].copy_from_slice(&[0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    let archive = Archive::default().padded(&with_checksum(block)).padded(b"x").end();
    assert!(matches!(fault(&archive), TarError::TruncatedContent { entry, .. } if entry == "bomb"));
    block[124..136].copy_from_slice(&[0xff; 12]);
    assert!(matches!(fault(&with_checksum(block)), TarError::Malformed { offset: 0, .. }));
}

#[test]
fn a_pax_size_that_lies_is_found_out_at_once() {
    let lie = |size: &str| Archive::default().pax(b'x', &[("size", size)]).file("bomb", "x").end();
    assert!(matches!(fault(&lie("9223372036854775807")), TarError::TruncatedContent { .. }));
    assert!(matches!(fault(&lie("-1")), TarError::Malformed { .. }));
    assert!(matches!(fault(&lie("18446744073709551616")), TarError::Malformed { .. }));
}

#[test]
fn a_long_name_bomb_is_not_read() {
    let archive = Archive::default().padded(&header(b"././@LongLink", b'L', b"", 4 << 30)).end();
    assert!(matches!(fault(&archive), TarError::ExtensionTooLarge { limit: 1_048_576, .. }));
    let archive = Archive::default().padded(&header(b"pax", b'x', b"", (1 << 20) + 1)).end();
    assert!(matches!(fault(&archive), TarError::ExtensionTooLarge { .. }));
}

#[test]
fn names_that_cannot_be_used_cost_their_entry_alone() {
    let long = "n".repeat(4097);
    let archive = Archive::default()
        .padded(&header(b"caf\xe9", b'0', b"", 0))
        .padded(&header(b"link", b'2', b"caf\xe9", 0))
        .entry("././@LongLink", b'L', long.as_bytes())
        .file("short", "")
        .pax(b'x', &[("path", "a\0b")])
        .file("short", "")
        .file("good", "")
        .end();
    let found = listed(&archive);
    let kinds: Vec<TarEntryKind> = found.iter().map(|(_, kind)| kind.clone()).collect();
    let limit = 4096;
    assert_eq!(
        kinds,
        [
            TarEntryKind::Unusable(TarEntryFault::NameNotUtf8),
            TarEntryKind::Unusable(TarEntryFault::TargetNotUtf8),
            TarEntryKind::Unusable(TarEntryFault::NameTooLong { bytes: 4097, limit }),
            TarEntryKind::Unusable(TarEntryFault::Nul),
            file(0),
        ]
    );
    assert_eq!(found[0].0, "caf\u{fffd}");
}

#[test]
fn sparse_files_are_named_and_passed_over() {
    let mut old = header(b"old", b'S', b"", 3);
    old[482] = 1;
    let mut map = [0; 512];
    map[504] = 1;
    let archive = Archive::default()
        .padded(&with_checksum(old))
        .padded(&map)
        .padded(&[0; 512])
        .padded(b"abc")
        .pax(b'x', &[("GNU.sparse.major", "1"), ("GNU.sparse.minor", "0")])
        .file("new", "1\n0\n1\n")
        .file("good", "")
        .end();
    let sparse = TarEntryKind::Unusable(TarEntryFault::Sparse);
    assert_eq!(
        listed(&archive),
        [("old".to_owned(), sparse.clone()), ("new".to_owned(), sparse), ("good".to_owned(), file(0))]
    );
}

#[test]
fn more_headers_than_allowed_are_refused() {
    let archive = Archive::default().file("a", "").file("b", "").file("c", "").end();
    let limits = TarLimits { headers: 2, ..TarLimits::default() };
    let indexed = index(Cursor::new(&archive), limits);
    assert_eq!(indexed.entries.len(), 2);
    assert!(matches!(indexed.fault, Some(TarError::TooManyHeaders { limit: 2 })));
}

#[test]
fn names_become_plain_paths_or_none() {
    for (name, path) in [("/abs/ok", "abs/ok"), ("./dot/./ok", "dot/ok"), ("a//b/", "a/b"), ("..a/b..", "..a/b..")] {
        assert_eq!(plain_path(name).as_deref(), Some(path));
    }
    for name in ["..", "../a", "a/..", "a/../b", "/..", "a\0"] {
        assert_eq!(plain_path(name), None, "{name:?}");
    }
}

proptest! {
    /// Another writer, with names so long that it needs extensions.
    #[test]
    fn what_the_tar_crate_writes_is_read(entries in prop::collection::vec(("[a-z]{1,90}(/[a-z]{1,90}){0,3}", 0..2000_usize), 0..8)) {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, bytes) in &entries {
            let mut header = tar::Header::new_gnu();
            header.set_size(*bytes as u64);
            builder.append_data(&mut header, name, vec![b'x'; *bytes].as_slice()).unwrap();
        }
        let expected: Vec<_> = entries.iter().map(|(name, bytes)| (name.clone(), file(*bytes as u64))).collect();
        prop_assert_eq!(listed(&builder.into_inner().unwrap()), expected);
    }

    /// No bytes make the reader fail in another way than by an error, and index and stream agree.
    #[test]
    fn damaged_archives_never_panic(at in 0..3000_usize, byte: u8, length in 0..3000_usize) {
        let mut archive = Archive::default().pax(b'x', &[("path", "long")]).file("a", "text").symbolic_link("b", "a").end();
        if let Some(damaged) = archive.get_mut(at) {
            *damaged = byte;
        }
        archive.truncate(length);
        let (streamed, _) = stream(&archive, TarLimits::default());
        let indexed = index(Cursor::new(&archive), TarLimits::default());
        prop_assert_eq!(indexed.entries, streamed.into_iter().map(|(entry, _)| entry).collect::<Vec<_>>());
    }
}
