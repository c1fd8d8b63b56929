//! What must hold for any bytes whatever. The fuzz targets look for bytes that break a law; an ordinary test holds the
//! laws over the seeds in `fixtures/fuzz/`.

use std::io::{Cursor, Read};

use skipstone::codec::{Format, Limits, decode, split};
use skipstone::source::image::{DecompressLimits, LayerEntries, LayerLimits, Wanted, flatten, walk_layer};
use skipstone::source::image::{
    MANIFEST_DESCRIPTORS, MANIFEST_LAYERS, Manifest, ManifestError, media_type, parse_manifest,
};
use skipstone::source::tar::{TarEntryKind, TarLimits, TarReader, index};
use skipstone::version::range::{blang, masterminds};
use skipstone::version::{Range, SemanticVersion};

/// Versions around the places where range languages differ: pre-releases, date stamps, build metadata, large numbers.
const VERSIONS: [&str; 9] = [
    "0.0.0-0",
    "0.0.0",
    "0.2.3",
    "1.0.0-rc.1",
    "1.2.0+7",
    "1.2.3",
    "2.0.0",
    "4.17.0-202412170235",
    "18446744073709551615.0.0",
];

/// Cutting a file: documents lie in it one after the other, their lines only grow, and each can be handed on.
pub(crate) fn split_law(file: &[u8]) {
    let limits = Limits::default();
    let cut = split(file, &limits);
    let mut line = 1;
    let mut end_of_last = file.as_ptr() as usize;
    for document in &cut.documents {
        assert!(document.line >= line, "line {} comes after line {line}", document.line);
        line = document.line;
        let start = document.bytes.as_ptr() as usize;
        assert!(start >= end_of_last, "the document of line {line} overlaps the one before");
        end_of_last = start + document.bytes.len();
        if let Err(fault) = decode(document.bytes, document.format, &limits) {
            assert!(fault.line >= 1 && !fault.message.is_empty(), "a fault says where and what");
        }
    }
    assert!(end_of_last <= file.as_ptr() as usize + file.len(), "a document lies outside of the file");
    if let Some(fault) = &cut.fault {
        assert!(fault.line >= line, "the fault in line {} lies before a document of line {line}", fault.line);
    }
    assert_eq!(cut, split(file, &limits), "the same file is cut in the same way");
}

/// Decoding a document: what comes out is JSON, and reading that JSON gives it again.
pub(crate) fn yaml_law(document: &[u8]) {
    let limits = Limits::default();
    let Ok(decoded) = decode(document, Format::Yaml, &limits) else { return };
    let value = decoded.value.to_json();
    let text = serde_json::to_string(&value).expect("a JSON value can be written");
    let again = decode(text.as_bytes(), Format::Json, &limits).expect("what was written can be read");
    assert_eq!(again.value.to_json(), value, "JSON survives being written and read");
    let line_count = document.iter().filter(|byte| **byte == b'\n' || **byte == b'\r').count() + 1;
    for note in &decoded.notes {
        let line = usize::try_from(note.line).expect("a line fits");
        assert!((1..=line_count).contains(&line), "a note of line {line} in {line_count} lines");
        assert!(note.text.chars().count() <= 100, "a note quotes at most 100 characters");
    }
}

/// The range language of catalogs.
pub(crate) fn blang_range_law(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Ok(range) = blang::parse(text) else { return };
    let matched = range_law(&range);
    assert!(!(range.matches_nothing() && matched), "{text:?} is said to match nothing");
}

/// The range language of cluster extensions.
pub(crate) fn masterminds_range_law(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Ok(range) = masterminds::parse(text) else { return };
    range_law(&range);
}

/// Manifests of images: a document is one thing whatever is said beside it, and what was read is within the limits.
pub(crate) fn manifest_law(document: &[u8]) {
    let read = parse_manifest(document, None);
    assert_eq!(read, parse_manifest(document, None), "the same document reads the same");
    let (own, contrary) = match &read {
        Ok(Manifest::Index(index)) => {
            assert!(index.descriptors.len() + index.faults.len() <= MANIFEST_DESCRIPTORS, "an index is bounded");
            assert!(index.faults.windows(2).all(|pair| pair[0].position < pair[1].position), "faults are in order");
            (media_type::DOCKER_INDEX, media_type::OCI_IMAGE)
        }
        Ok(Manifest::Image(image)) => {
            assert!(image.layers.len() <= MANIFEST_LAYERS, "an image is bounded");
            (media_type::DOCKER_IMAGE, media_type::OCI_INDEX)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty(), "a refusal says why");
            return;
        }
    };
    assert_eq!(parse_manifest(document, Some(own)), read, "docker's name for it changes nothing");
    let refused = parse_manifest(document, Some(contrary));
    assert!(matches!(refused, Err(ManifestError::Malformed(_))), "what is one thing is not read as another");
}

/// Framing of an archive: what lies in it is whole, comes in order, and reads the same as a stream.
pub(crate) fn tar_index_law(archive: &[u8]) {
    let limits = TarLimits { headers: 1000, ..TarLimits::default() };
    let indexed = index(Cursor::new(archive), limits);
    let mut reader = TarReader::streaming(archive, limits);
    let mut end = 0;
    for entry in &indexed.entries {
        assert!(entry.offset >= end, "{entry:?} overlaps what is before it");
        assert_eq!(reader.next_entry().expect("the stream has it too").as_ref(), Some(entry));
        let mut content = Vec::new();
        reader.content().read_to_end(&mut content).expect("what is listed is whole");
        if let TarEntryKind::File { bytes } = entry.kind {
            assert_eq!(content.len() as u64, bytes);
            let start = usize::try_from(entry.offset).expect("it lies in the archive");
            assert_eq!(archive.get(start..start + content.len()), Some(content.as_slice()));
        }
        end = entry.offset + content.len() as u64;
    }
    let mut rest = || {
        if reader.next_entry()?.is_some() {
            reader.pass_content()?;
        }
        Ok::<(), skipstone::source::tar::TarError>(())
    };
    let fault = rest().err().map(|fault| fault.to_string());
    assert_eq!(indexed.fault.map(|fault| fault.to_string()), fault, "index and stream end alike");
}

/// A layer: only wanted files are handed out, in order, and the image made of it leads nowhere else.
pub(crate) fn layer_law(layer: &[u8]) {
    let wanted = Wanted::new(["configs", "usr/share/manifests"]);
    let decompress = DecompressLimits { bytes: 16 << 20, ratio: 100, floor: 1 << 20 };
    let limits = LayerLimits { decompress, entries: 1000, ..LayerLimits::default() };
    let walk = || {
        let mut visited = Vec::new();
        let outcome = walk_layer(layer, &wanted, &limits, &mut |number, path, bytes, content| {
            let read = std::io::copy(content, &mut std::io::sink())?;
            visited.push((number, path.to_owned(), bytes, read));
            Ok(())
        });
        (outcome.unwrap_or_else(|error| *error.read), visited)
    };
    let (found, visited): (LayerEntries, _) = walk();
    assert_eq!((&found, &visited), (&walk().0, &walk().1), "the same layer is read in the same way");
    assert!(visited.is_sorted_by_key(|(number, ..)| *number));
    for (_, path, bytes, read) in &visited {
        assert!(wanted.holds(path) && bytes == read, "{path}: {read} of {bytes}");
    }
    let tree = flatten([&found, &found], &wanted);
    for (path, file) in tree.files() {
        assert!(wanted.holds(path) && path.split('/').all(|part| !matches!(part, "" | "." | "..")), "{path}");
        assert!(found.entries.iter().any(|entry| entry.number == file.entry));
    }
    for directory in wanted.paths() {
        let Ok(below) = tree.below(directory) else { continue };
        assert!(below.files.is_sorted_by(|one, other| one.0 < other.0), "sorted, and no path twice");
    }
}

/// A range that is shown and read again is the same range. Says whether any of the versions matches.
fn range_law<R: Range>(range: &R) -> bool {
    let again = R::parse(&range.to_string()).expect("a range that was shown can be read");
    let mut matched = false;
    for text in VERSIONS {
        let version = SemanticVersion::parse_strict(text).expect("a good version");
        let matches = range.matches(&version);
        assert_eq!(matches, again.matches(&version), "{range} and {text}");
        matched |= matches;
    }
    matched
}
