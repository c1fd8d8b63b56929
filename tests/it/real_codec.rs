//! Two readers of YAML against each other: ours, and serde-saphyr with its rules set as near to Go's as they go.

use std::path::{Path, PathBuf};

use serde_json::Value;
use skipstone::codec::{Format, Limits, decode, split};
use walkdir::WalkDir;

#[test]
fn fixtures_read_as_the_second_reader_reads_them() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/yaml");
    assert_eq!(compare_directory(&fixtures), 9);
}

/// Every document of the real catalogs in the directory that `SKIPSTONE_DATA` names.
#[test]
fn real_catalogs_read_as_the_second_reader_reads_them() {
    let Some(data) = std::env::var_os("SKIPSTONE_DATA").map(PathBuf::from) else {
        eprintln!("skipped: SKIPSTONE_DATA names no directory of real catalogs");
        return;
    };
    let documents: usize = ["catalogs", "art-fbc"].iter().map(|part| compare_directory(&data.join(part))).sum();
    eprintln!("{documents} documents compared");
    assert!(documents > 0);
}

fn compare_directory(directory: &Path) -> usize {
    let entries = WalkDir::new(directory).sort_by_file_name().into_iter().map(Result::unwrap);
    entries.filter(|entry| entry.file_type().is_file()).map(|entry| compare_file(entry.path())).sum()
}

fn compare_file(path: &Path) -> usize {
    let limits = Limits::default();
    let file = std::fs::read(path).unwrap();
    let split = split(&file, &limits);
    assert_eq!(split.fault, None, "{}", path.display());
    for document in &split.documents {
        let place = format!("{}:{}", path.display(), document.line);
        let ours = decode(document.bytes, document.format, &limits).unwrap_or_else(|fault| panic!("{place}: {fault}"));
        let theirs = match document.format {
            Format::Json => serde_json::from_slice(document.bytes).unwrap(),
            Format::Yaml => second_reading(document.bytes),
        };
        if let Some(difference) = first_difference(&ours.value.to_json(), &theirs) {
            panic!("{place}: {difference}");
        }
    }
    split.documents.len()
}

fn second_reading(document: &[u8]) -> Value {
    let options = serde_saphyr::options! {
        budget: None,
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
        legacy_octal_numbers: true,
    };
    serde_saphyr::from_slice_with_options(document, options).unwrap()
}

fn first_difference(ours: &Value, theirs: &Value) -> Option<String> {
    match (ours, theirs) {
        (Value::Number(one), Value::Number(two)) if one.as_f64() == two.as_f64() => None,
        (Value::Array(one), Value::Array(two)) if one.len() == two.len() => {
            one.iter().zip(two).find_map(|(one, two)| first_difference(one, two))
        }
        (Value::Object(one), Value::Object(two)) if one.keys().eq(two.keys()) => {
            one.values().zip(two.values()).find_map(|(one, two)| first_difference(one, two))
        }
        _ if ours == theirs => None,
        _ => Some(format!("ours {ours}, theirs {theirs}")),
    }
}
