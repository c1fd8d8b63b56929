use super::*;

fn names_in(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn commit_report(target: &Path, content: &str) -> Written {
    let report = ReportDirectory::create(target).unwrap();
    report.write(REPORT_FILE, content.as_bytes()).unwrap();
    report.commit().unwrap()
}

#[test]
fn a_new_report_replaces_the_old_one_and_nothing_else_is_left() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("report");
    // A list of one line has 64 digits, two spaces, the name of 11 letters and a line break.
    let written = commit_report(&target, "old");
    assert_eq!((written.files, written.bytes), (2, 3 + 64 + 2 + 11 + 1));
    let report = ReportDirectory::create(&target).unwrap();
    report.write(REPORT_FILE, b"new").unwrap();
    report.write("packages/c/p.html", b"page").unwrap();
    assert_eq!(fs::read_to_string(target.join(REPORT_FILE)).unwrap(), "old");
    report.commit().unwrap();
    assert_eq!(fs::read_to_string(target.join(REPORT_FILE)).unwrap(), "new");
    assert_eq!(names_in(&target), ["SHA256SUMS", "packages", "report.json"]);
    assert_eq!(names_in(place.path()), ["report"]);
}

#[test]
fn a_report_that_is_dropped_leaves_the_old_one() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("report");
    commit_report(&target, "old");
    let report = ReportDirectory::create(&target).unwrap();
    report.write(REPORT_FILE, b"new").unwrap();
    drop(report);
    assert_eq!(fs::read_to_string(target.join(REPORT_FILE)).unwrap(), "old");
    assert_eq!(names_in(place.path()), ["report"]);
}

#[test]
fn a_foreign_directory_is_refused_at_the_start_and_at_the_end() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("home");
    let report = ReportDirectory::create(&target).unwrap();
    report.write(REPORT_FILE, b"{}").unwrap();
    fs::create_dir(&target).unwrap();
    fs::write(target.join("letter"), "dear").unwrap();
    assert!(matches!(ReportDirectory::create(&target), Err(EmitError::ForeignTarget { .. })));
    assert!(matches!(report.commit(), Err(EmitError::ForeignTarget { .. })));
    assert_eq!(names_in(&target), ["letter"]);
    assert_eq!(names_in(place.path()), ["home"]);
}

#[test]
fn paths_out_of_the_report_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let report = ReportDirectory::create(&place.path().join("report")).unwrap();
    for path in ["../evil", "/tmp/evil", "a/../../evil", "", SUMS_FILE] {
        assert!(matches!(report.write(path, b""), Err(EmitError::RelativePath { .. })), "{path}");
    }
}

#[test]
fn a_failed_write_names_the_file_and_its_cause() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().canonicalize().unwrap().join("report");
    let report = ReportDirectory::create(&target).unwrap();
    report.write("a", b"").unwrap();
    for path in ["a/b", "a"] {
        let text = report.write(path, b"").unwrap_err().to_string();
        assert!(text.starts_with(&format!("cannot write {}: ", target.join(path).display())), "{text}");
    }
}

#[test]
fn a_target_below_a_file_cannot_be_created() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("file"), "").unwrap();
    let error = ReportDirectory::create(&place.path().join("file/report")).unwrap_err();
    assert!(matches!(error, EmitError::Io { action: "create", .. }), "{error}");
}

#[test]
fn a_report_without_its_summary_is_not_put_in_place() {
    let place = tempfile::tempdir().unwrap();
    let report = ReportDirectory::create(&place.path().join("report")).unwrap();
    report.write("index.html", b"").unwrap();
    assert!(matches!(report.commit(), Err(EmitError::Incomplete { .. })));
    assert!(names_in(place.path()).is_empty());
}

#[test]
fn many_threads_write_and_the_list_is_the_same() {
    let place = tempfile::tempdir().unwrap();
    let lists = ["one", "other"].map(|name| {
        let target = place.path().join(name);
        let report = ReportDirectory::create(&target).unwrap();
        report.write(REPORT_FILE, b"{}").unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let report = &report;
                scope.spawn(move || {
                    for file in 0..50 {
                        report.write(&format!("d{file}/e/{thread}"), format!("{file}").as_bytes()).unwrap();
                    }
                });
            }
        });
        assert_eq!(report.commit().unwrap().files, 8 * 50 + 2);
        fs::read_to_string(target.join(SUMS_FILE)).unwrap()
    });
    assert_eq!(lists[0], lists[1]);
    assert!(lists[0].lines().is_sorted_by_key(|line| line.split_at(66).1));
    assert!(super::super::verify_sums(&place.path().join("one")).unwrap().is_empty());
}

#[test]
fn readers_see_one_whole_report_or_the_other() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("report");
    commit_report(&target, "0");
    let is_done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 1..30 {
                commit_report(&target, &round.to_string());
            }
            is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
            assert!(target.is_dir(), "the report was gone for a moment");
        }
    });
    assert_eq!(fs::read_to_string(target.join(REPORT_FILE)).unwrap(), "29");
}

#[test]
fn what_did_not_change_is_shared_with_the_old_report_and_then_its_own() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("report");
    let node = || std::os::unix::fs::MetadataExt::ino(&fs::metadata(target.join(REPORT_FILE)).unwrap());
    commit_report(&target, "same");
    let first = node();
    commit_report(&target, "same");
    assert_eq!(node(), first);
    commit_report(&target, "else");
    assert_ne!(node(), first);
    assert_eq!(std::os::unix::fs::MetadataExt::nlink(&fs::metadata(target.join(REPORT_FILE)).unwrap()), 1);
}
