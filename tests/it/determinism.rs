//! Equal inputs, version and clock give equal bytes: threads, caches, the working directory and the place of the inputs
//! change nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::tempdir;
use walkdir::WalkDir;

use crate::program::{Answer, NOW, finish, fixture, program, scan_demo};

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Every file of a report, which must be whole.
fn files(report: &Path) -> Files {
    assert_eq!(skipstone::emit::verify_sums(report).unwrap(), []);
    let entries = WalkDir::new(report).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    let file = |entry: walkdir::DirEntry| {
        let relative = entry.path().strip_prefix(report).unwrap().to_owned();
        (relative, fs::read(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

/// Compares file by file, so that a failure names the file and not its bytes.
fn assert_equal(expected: &Files, found: &Files, what: &str) {
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(expected), names(found), "{what}");
    let differing: Vec<&PathBuf> = expected.keys().filter(|path| expected[*path] != found[*path]).collect();
    assert!(differing.is_empty(), "{what}: {differing:?} differ");
}

fn scanned(command: &mut Command) -> Answer {
    let answer = finish(command);
    assert_eq!(answer.code(), 0, "{}", answer.err);
    answer
}

#[test]
fn threads_change_nothing() {
    let place = tempdir().unwrap();
    let scan = |jobs: &str| {
        // The same target each time: the second run also links what has not changed.
        let report = place.path().join("report");
        scanned(program().args(scan_demo(&report)).args(["--jobs", jobs]));
        files(&report)
    };
    let one = scan("1");
    assert!(one.len() > 50);
    for jobs in ["2", "8", "64", "1000000"] {
        assert_equal(&one, &scan(jobs), jobs);
    }
}

#[test]
fn places_and_working_directories_change_nothing() {
    let (here, there) = (tempdir().unwrap(), tempdir().unwrap());
    scanned(program().args(scan_demo(&here.path().join("report"))));
    let copied = there.path().join("deep/er");
    for entry in WalkDir::new(fixture("demo")).into_iter().map(Result::unwrap) {
        let target = copied.join(entry.path().strip_prefix(fixture("demo")).unwrap());
        match entry.file_type().is_dir() {
            true => fs::create_dir_all(target).unwrap(),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
    let arguments = ["scan", "--now", NOW, "--catalog", "4.20=./4.20", "--catalog", "4.18", "--output", "../report"];
    scanned(program().current_dir(&copied).args(arguments).env("LANG", "tr_TR.UTF-8").env("TZ", "Asia/Tokyo"));
    assert_equal(&files(&here.path().join("report")), &files(&there.path().join("deep/report")), "another place");
}

/// Each way to spoil every file of a cache.
type Spoil = fn(&Path);

#[test]
fn caches_change_nothing_but_time() {
    let place = tempdir().unwrap();
    let cache = place.path().join("cache");
    let scan = |name: &str, more: &[&str]| {
        let report = place.path().join(name);
        let answer = scanned(program().args(scan_demo(&report)).arg("--cache-dir").arg(&cache).args(more));
        (files(&report), answer.err)
    };
    let (none, _) = scan("none", &["--no-cache"]);
    assert!(!cache.exists(), "--no-cache keeps nothing");
    let (cold, said) = scan("cold", &[]);
    assert!(!said.contains("and 0 documents decoded"), "{said}");
    assert_equal(&none, &cold, "cold");
    let (warm, said) = scan("warm", &[]);
    assert!(said.contains("0 layers and 0 documents decoded"), "everything is known: {said}");
    assert_equal(&none, &warm, "warm");
    let spoils: [(&str, Spoil); 5] = [
        ("truncated", |file| fs::write(file, &fs::read(file).unwrap()[..fs::read(file).unwrap().len() / 2]).unwrap()),
        ("flipped", |file| {
            let mut bytes = fs::read(file).unwrap();
            (0..bytes.len()).step_by(97).for_each(|index| bytes[index] ^= 0x10);
            fs::write(file, bytes).unwrap();
        }),
        ("foreign", |file| fs::write(file, "what somebody else keeps here").unwrap()),
        ("empty", |file| fs::write(file, "").unwrap()),
        ("directory", |file| {
            fs::remove_file(file).unwrap();
            fs::create_dir(file).unwrap();
        }),
    ];
    for (name, spoil) in spoils {
        packs(&cache).iter().for_each(|file| spoil(file));
        let (spoilt, said) = scan(name, &[]);
        assert_equal(&none, &spoilt, name);
        assert!(said.contains("warning: cache"), "{name}: {said}");
    }
    let foreign = place.path().join("of-somebody-else");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("mine.txt"), "mine").unwrap();
    let report = place.path().join("beside");
    let answer = scanned(program().args(scan_demo(&report)).arg("--cache-dir").arg(&foreign));
    assert!(answer.err.contains("cache not used"), "{}", answer.err);
    assert_equal(&none, &files(&report), "a foreign directory as cache");
    assert_eq!(fs::read_dir(&foreign).unwrap().count(), 1, "a foreign directory stays as it is");
}

fn packs(cache: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    let packs: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "pack")).collect();
    assert!(!packs.is_empty());
    packs
}

/// A run with a cache leaves a report alone that it would write again; it must not take another one for that.
#[test]
fn a_standing_report_is_kept_only_where_it_is_the_same() {
    let place = tempdir().unwrap();
    let (catalog, report, fresh) = ("catalog.json", place.path().join("report"), place.path().join("fresh"));
    let scan = |report: &Path, now: &str, cache: &[&str]| {
        let mut command = program();
        command.current_dir(place.path()).args(["scan", "--catalog", catalog, "--now", now, "--output"]).arg(report);
        scanned(command.args(cache)).err
    };
    let (package, other) = (r#"{"schema": "olm.package", "name": "heron"}"#, r#"{"schema": ""}"#);
    let texts = [
        format!("{package}\n\n{other}\n{other}\n"),
        // The same documents and as many bytes, but another line of the second one.
        format!("{package}\n{other}\n\n{other}\n"),
        format!("{package}\n{other}\n{other}\n"),
    ];
    let instants = [NOW, "2027-01-01T00:00:00Z"];
    for (text, now) in texts.iter().flat_map(|text| instants.map(|now| (text, now))) {
        fs::write(place.path().join(catalog), text).unwrap();
        scan(&fresh, now, &["--no-cache"]);
        scan(&report, now, &["--cache-dir", "cache"]);
        assert_equal(&files(&fresh), &files(&report), text);
        let again = scan(&report, now, &["--cache-dir", "cache"]);
        assert!(again.contains("nothing has changed"), "{again}");
        assert_equal(&files(&fresh), &files(&report), text);
    }
    fs::write(report.join("index.html"), "changed by somebody").unwrap();
    scan(&report, instants[1], &["--cache-dir", "cache"]);
    assert_equal(&files(&fresh), &files(&report), "a report that was changed");
}

/// Every catalog in the directory that `SKIPSTONE_DATA` names: one thread and two, cold and warm.
#[test]
fn real_catalogs_give_equal_bytes() {
    let Some(data) = std::env::var_os("SKIPSTONE_DATA").map(PathBuf::from) else {
        eprintln!("skipped: SKIPSTONE_DATA names no directory of real catalogs");
        return;
    };
    let place = tempdir().unwrap();
    let mut catalogs = Vec::new();
    for part in ["catalogs", "art-fbc"] {
        let folders = fs::read_dir(data.join(part)).unwrap().map(|entry| entry.unwrap().path());
        let named = |path: PathBuf| format!("{part}-{}={}", path.file_name().unwrap().display(), path.display());
        catalogs.extend(folders.filter(|path| path.is_dir()).map(named));
    }
    let scan = |jobs: &str, cache: &str| {
        let report = place.path().join("report");
        let mut command = program();
        command.args(["scan", "--now", NOW, "--jobs", jobs, "--output"]).arg(&report);
        command.arg("--cache-dir").arg(place.path().join(cache));
        command.args(catalogs.iter().flat_map(|catalog| ["--catalog", catalog]));
        let answer = finish(&mut command);
        assert!([0, 3].contains(&answer.code()), "{}", answer.err);
        assert_eq!(skipstone::emit::verify_sums(&report).unwrap(), []);
        fs::read_to_string(report.join("SHA256SUMS")).unwrap()
    };
    let one = scan("1", "cache-1");
    assert!(one == scan("2", "cache-2"), "two threads, cold");
    assert!(one == scan("2", "cache-1"), "two threads, warm");
    assert!(one == scan("1", "cache-2"), "one thread, warm");
}
