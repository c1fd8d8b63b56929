use std::fs;
use std::io::{Read as _, Seek as _, Write as _};

use super::*;
use crate::source::tar::sample::{Archive, header};

/// A tree over archives with these bytes, in a directory that lives as long as the tree.
fn tree(archives: &[Vec<u8>]) -> (tempfile::TempDir, TarTree) {
    tree_with_limits(archives, MemberLimits::default())
}

fn tree_with_limits(archives: &[Vec<u8>], limits: MemberLimits) -> (tempfile::TempDir, TarTree) {
    let place = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> =
        (0..archives.len()).map(|number| place.path().join(format!("part_{number}.tar"))).collect();
    for (path, bytes) in paths.iter().zip(archives) {
        fs::write(path, bytes).unwrap();
    }
    let tree = TarTree::with_limits(place.path(), &paths, limits).unwrap();
    (place, tree)
}

fn reasons(tree: &TarTree) -> Vec<String> {
    let named = |fault: FileFault| {
        let name = fault.path.rsplit('/').next().unwrap().to_owned();
        format!("{name}: {}", fault.reason)
    };
    tree.faults().into_iter().map(named).collect()
}

fn text(tree: &TarTree, path: &str) -> Option<String> {
    tree.read(path, 1000).ok().map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn files_and_the_directories_that_they_imply_are_found() {
    let archive = Archive::default().directory("./").file("./a/b/one", "1").file("a/two", "22").directory("empty/");
    let (_place, tree) = tree(&[archive.end()]);
    assert_eq!(tree.names("").unwrap(), ["a", "empty"]);
    assert_eq!(tree.names("a").unwrap(), ["b", "two"]);
    assert_eq!((tree.entry("a/b"), tree.entry("a/two")), (Some(Entry::Directory), Some(Entry::File { bytes: 2 })));
    assert_eq!((text(&tree, "a/b/one").as_deref(), text(&tree, "a/two").as_deref()), (Some("1"), Some("22")));
    assert_eq!(
        (tree.entry("empty"), tree.entry("nothing"), tree.entry("a/b/one/x")),
        (Some(Entry::Directory), None, None)
    );
    assert!(tree.names("nothing").unwrap().is_empty() && tree.names("a/two").unwrap().is_empty());
    assert!(tree.faults().is_empty());
}

#[test]
fn several_archives_are_one_tree_and_the_last_entry_of_a_name_counts() {
    let first = Archive::default().file("a/one", "old").file("a/one", "new").file("a/two", "2");
    let second = Archive::default().file("a/two", "later").file("b", "b");
    let (place, tree) = tree(&[first.end(), second.end()]);
    assert_eq!(text(&tree, "a/one").as_deref(), Some("new"));
    assert_eq!(text(&tree, "a/two").as_deref(), Some("later"));
    assert_eq!(tree.names("").unwrap(), ["a", "b"]);
    let changed = fs::metadata(place.path().join("part_1.tar")).unwrap().modified().unwrap();
    let changed = changed.duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    let stamp = Stamp { bytes: 1, changed: i128::try_from(changed).unwrap(), offset: 1024 + 512 };
    assert_eq!(tree.stamp("b"), Some(stamp));
    assert_eq!(tree.stamp("a"), None);
}

#[test]
fn links_are_followed_inside() {
    let archive = Archive::default()
        .file("blobs/one", "1")
        .symbolic_link("tags/v1", "../blobs/one")
        .hard_link("copy", "blobs/one")
        .symbolic_link("linked", "blobs")
        .symbolic_link("deep/root", "../");
    let (_place, tree) = tree(&[archive.end()]);
    for path in ["tags/v1", "copy", "linked/one", "deep/root/copy", "deep/root/linked/one"] {
        assert_eq!(text(&tree, path).as_deref(), Some("1"), "{path}");
    }
    assert_eq!(tree.names("linked").unwrap(), ["one"]);
    assert_eq!(tree.link("tags/v1").as_deref(), Some("../blobs/one"));
    assert_eq!(tree.link("deep/root/tags/v1").as_deref(), Some("../blobs/one"));
    assert_eq!((tree.link("copy"), tree.link("blobs/one"), tree.link("")), (None, None, None));
}

#[test]
fn links_that_escape_lead_nowhere() {
    let mut archive = Archive::default().file("a", "1");
    for (name, target) in [("up", "../a"), ("absolute", "/etc/passwd"), ("far", "x/../../a"), ("d/up", "../../a")] {
        archive = archive.symbolic_link(name, target);
    }
    let (_place, tree) = tree(&[archive.hard_link("hard", "../a").hard_link("root", "/a").end()]);
    for path in ["up", "absolute", "far", "d/up", "hard", "root", "up/x"] {
        assert_eq!(tree.entry(path), None, "{path}");
        assert_eq!(tree.open(path).err().unwrap().kind(), io::ErrorKind::NotFound, "{path}");
    }
}

#[test]
fn loops_of_links_end() {
    let archive = Archive::default()
        .symbolic_link("a", "b")
        .symbolic_link("b", "a")
        .symbolic_link("self", "self/self")
        .hard_link("hard", "hard")
        .symbolic_link("grow/x", "../grow/x/x");
    let (_place, tree) = tree(&[archive.end()]);
    for path in ["a", "b", "self", "self/x", "hard", "grow/x", "grow/x/x"] {
        assert_eq!(tree.entry(path), None, "{path}");
    }
}

#[test]
fn traversal_and_absolute_names_and_devices_are_faults_and_never_used() {
    let archive = Archive::default()
        .file("../evil", "1")
        .file("a/../../evil", "2")
        .file("/etc/passwd", "3")
        .entry("device", b'3', b"")
        .entry("pipe", b'6', b"")
        .file("good", "4");
    let (_place, tree) = tree(&[archive.end()]);
    assert_eq!(tree.names("").unwrap(), ["good"]);
    let reasons = reasons(&tree);
    assert_eq!(reasons.len(), 5, "{reasons:?}");
    assert!(reasons[0].starts_with("part_0.tar: \"../evil\": its name leads out"), "{reasons:?}");
    assert!(reasons[2].contains("absolute") && reasons[3].starts_with("part_0.tar: \"device\": it is "), "{reasons:?}");
    for path in ["../evil", "evil", "/etc/passwd", "etc/passwd", "a//b", "."] {
        assert_eq!(tree.entry(path), None, "{path}");
    }
}

#[test]
fn a_truncated_archive_names_the_segment_and_the_entry_and_the_entry_is_absent() {
    let mut bytes = Archive::default().file("whole", "1").file("cut", &"x".repeat(2000)).0;
    bytes.truncate(512 + 512 + 512 + 700);
    let (_place, tree) = tree(&[bytes, Archive::default().file("other", "2").end()]);
    assert_eq!(tree.names("").unwrap(), ["other", "whole"]);
    let reasons = reasons(&tree);
    assert_eq!(reasons.len(), 1);
    assert!(
        reasons[0].starts_with("part_0.tar: ") && reasons[0].contains("\"cut\": 1300 of its 2000 bytes are missing")
    );
}

#[test]
fn a_lying_size_takes_nothing_from_beyond_the_archive() {
    let lie = Archive::default().padded(&header(b"lie", b'0', b"", 7 << 30)).padded(b"little").end();
    let (_place, tree) = tree(&[lie]);
    assert_eq!((tree.entry("lie"), tree.faults().len()), (None, 1));
}

#[test]
fn too_many_entries_end_the_list_with_a_fault_of_the_limit() {
    let archive = Archive::default().file("a", "").file("b", "").file("c", "").end();
    let (_place, tree) = tree_with_limits(&[archive], MemberLimits { members: 2, text_bytes: 100 });
    assert_eq!(tree.names("").unwrap(), ["a", "b"]);
    assert_eq!(tree.faults()[0].kind, FileFaultKind::Limit);
}

#[test]
fn a_flood_of_faults_is_counted_not_kept() {
    let mut archive = Archive::default();
    for _ in 0..FAULTS + 5 {
        archive = archive.file("../x", "");
    }
    let (_place, tree) = tree(&[archive.end()]);
    assert_eq!(tree.faults().len(), FAULTS + 1);
    assert!(tree.faults()[FAULTS].reason.starts_with("5 more"));
}

#[test]
fn compressed_archives_are_refused_with_the_command_that_helps() {
    let place = tempfile::tempdir().unwrap();
    for (name, magic) in [("gzip", &[0x1f, 0x8b, 8][..]), ("zstd", &[0x28, 0xb5, 0x2f, 0xfd]), ("xz", b"\xfd7zXZ\0")] {
        let path = place.path().join("mirror.tar");
        fs::write(&path, magic).unwrap();
        let error = TarTree::open(&path, std::slice::from_ref(&path)).err().unwrap().to_string();
        assert!(error.contains(&format!("compressed by {name}")) && error.contains("-dc "), "{error}");
    }
}

#[test]
fn one_part_that_cannot_be_read_leaves_the_others() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("a.tar"), Archive::default().file("a", "1").end()).unwrap();
    fs::create_dir(place.path().join("b.tar")).unwrap();
    let parts = ["a.tar", "b.tar", "c.tar"].map(|name| place.path().join(name));
    let tree = TarTree::open(place.path(), &parts).unwrap();
    assert_eq!((tree.names("").unwrap().len(), tree.faults().len()), (1, 2));
    assert!(TarTree::open(place.path(), &parts[1..]).is_err());
}

#[test]
fn an_archive_that_shrinks_under_the_reader_is_an_error() {
    let (place, tree) = tree(&[Archive::default().file("a", &"x".repeat(1000)).end()]);
    let file = fs::OpenOptions::new().write(true).open(place.path().join("part_0.tar")).unwrap();
    file.set_len(600).unwrap();
    let mut content = tree.open("a").unwrap();
    assert_eq!(content.read_to_end(&mut Vec::new()).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn twenty_gigabytes_are_listed_by_their_headers_alone() {
    const CONTENT: u64 = 256 << 20;
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("sparse.tar");
    let mut file = fs::File::create(&path).unwrap();
    for number in 0..80 {
        file.write_all(&header(format!("blobs/{number}").as_bytes(), b'0', b"", CONTENT)).unwrap();
        file.seek(io::SeekFrom::Current(i64::try_from(CONTENT).unwrap())).unwrap();
    }
    file.write_all(&[0; 1024]).unwrap();
    let start = std::time::Instant::now();
    let tree = TarTree::open(&path, std::slice::from_ref(&path)).unwrap();
    let took = start.elapsed();
    assert_eq!((tree.names("blobs").unwrap().len(), tree.faults().len()), (80, 0));
    assert_eq!(tree.entry("blobs/79"), Some(Entry::File { bytes: CONTENT }));
    assert!(took < std::time::Duration::from_secs(1), "{took:?}");
}

#[test]
fn equal_bytes_give_equal_answers_whatever_the_order_of_entries() {
    let (one, other) = (Archive::default().file("a/b/c", "1"), Archive::default().file("b/c/d", "2"));
    let (_first, forward) = tree(&[one.clone().end(), other.clone().end()]);
    let (_second, backward) = tree(&[other.end(), one.end()]);
    for directory in ["", "a", "a/b", "b/c"] {
        assert_eq!(forward.names(directory).unwrap(), backward.names(directory).unwrap());
    }
}
