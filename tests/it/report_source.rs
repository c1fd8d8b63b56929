//! A report answers as the catalog does that it was made from: the same bytes, the same exit code. Whatever is wrong with the
//! files of a report is an error that names the file.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::civil::Date;
use serde_json::Value;
use skipstone::finding::Digest;
use skipstone::report::schema::{ApiIndex, PackageView};
use skipstone::report::view::{PackageFacts, package_view, restored_package};
use tempfile::TempDir;

const DEMO: [&str; 2] = ["4.18", "4.20"];

fn fixtures(folder: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
    path.to_str().expect("the repository has a plain name").to_owned()
}

/// What a command answered: exit code, standard output, standard error.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    code: Option<i32>,
    out: String,
    err: String,
}

fn skipstone<S: Into<OsString>>(arguments: impl IntoIterator<Item = S>) -> Answer {
    let arguments = arguments.into_iter().map(Into::into);
    let output = Command::new(env!("CARGO_BIN_EXE_skipstone"))
        .args(["--no-cache", "--jobs", "1", "--now", "2026-11-30T00:00:00Z"])
        .args(arguments)
        .output()
        .expect("skipstone runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Answer { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A report in a directory of its own.
struct Report {
    directory: TempDir,
}

impl Report {
    fn of(catalogs: impl IntoIterator<Item = String>) -> Self {
        let report = Self { directory: tempfile::tempdir().expect("a temporary directory") };
        let mut arguments = vec!["-q".to_owned(), "scan".to_owned(), "--output".to_owned(), report.shown("")];
        arguments.extend(catalogs.into_iter().flat_map(|catalog| ["--catalog".to_owned(), catalog]));
        let answer = skipstone(arguments);
        assert!(matches!(answer.code, Some(0 | 3)), "{}", answer.err);
        report
    }

    fn of_demo() -> Self {
        Self::of(DEMO.map(|name| fixtures(&format!("demo/{name}"))))
    }

    fn place(&self) -> PathBuf {
        self.directory.path().join("report")
    }

    /// The report as SOURCE, with what comes behind it.
    fn shown(&self, behind: &str) -> String {
        format!("{}{behind}", self.place().display())
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.place().join(path)).expect("the report has the file")
    }

    fn packages(&self) -> Vec<PackageView> {
        let index: ApiIndex = serde_json::from_str(&self.read("api/v1/index.json")).expect("the list parses");
        let packages = index.documents.iter().filter(|document| document.kind == "package");
        packages.map(|document| serde_json::from_str(&self.read(&document.path)).expect("a package parses")).collect()
    }

    /// Puts other text into a file, and its digest into the list.
    fn forge(&self, path: &str, change: impl FnOnce(&str) -> String) {
        let before = self.read(path);
        let after = change(&before);
        fs::write(self.place().join(path), &after).expect("the file is writable");
        let [old, new] = [&before, &after].map(|text| Digest::of(text.as_bytes()).hex());
        let sums = self.read("SHA256SUMS");
        assert!(sums.contains(&format!("{old}  {path}\n")), "{path} is not listed");
        let sums = sums.replace(&format!("{old}  {path}\n"), &format!("{new}  {path}\n"));
        fs::write(self.place().join("SHA256SUMS"), sums).expect("the list is writable");
    }

    /// The question that reads the package `gull` of the catalog `4.18`.
    fn ask(&self) -> Answer {
        skipstone(["catalog", "path", &self.shown("#4.18"), "--package", "gull"])
    }

    fn refusal(&self) -> String {
        let answer = self.ask();
        assert_eq!((answer.code, answer.out.as_str()), (Some(2), ""), "{}", answer.err);
        answer.err
    }
}

const PACKAGE: &str = "api/v1/packages/4.18/gull.json";
const INDEX: &str = "api/v1/index.json";

#[test]
fn check_answers_as_from_the_catalog() {
    let report = Report::of_demo();
    for name in DEMO {
        for format in ["text", "json", "github"] {
            let check = |source: &str| skipstone(["catalog", "check", source, "--format", format]);
            let from_report = check(&report.shown(&format!("#{name}")));
            assert_eq!(from_report, check(&fixtures(&format!("demo/{name}"))), "{name} as {format}");
            assert_eq!(from_report.code, Some(0));
        }
    }
}

#[test]
fn check_answers_no_where_the_catalog_is_not_valid() {
    let folders = |parent: &str| {
        let entries = fs::read_dir(fixtures(parent)).expect("the folder is readable");
        let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"));
        let catalogs = names.filter(|name| Path::new(&fixtures(&format!("{parent}/{name}"))).is_dir());
        catalogs.map(|name| (fixtures(&format!("{parent}/{name}")), name)).collect::<Vec<_>>()
    };
    let catalogs = [folders("invalid"), folders("broken")].concat();
    let report = Report::of(catalogs.iter().map(|(place, _)| place.clone()));
    for (place, name) in &catalogs {
        let from_report = skipstone(["catalog", "check", &report.shown(&format!("#{name}")), "--format", "json"]);
        assert_eq!(from_report, skipstone(["catalog", "check", place, "--format", "json"]), "{name}");
        assert_eq!(from_report.code, Some(1), "{name}");
    }
}

#[test]
fn an_incomplete_catalog_stays_incomplete_in_its_report_alone() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let catalog = place.path().join("half");
    fs::create_dir(&catalog).expect("a directory");
    fs::copy(fixtures("demo/4.18/cormorant/catalog.yaml"), catalog.join("catalog.yaml")).expect("a copy");
    std::os::unix::fs::symlink(place.path().join("gone"), catalog.join("linked.yaml")).expect("a link");
    let catalog = catalog.to_str().expect("a plain name").to_owned();
    let report = Report::of([catalog.clone(), fixtures("demo/4.20")]);
    let check = |source: &str| skipstone(["catalog", "check", source, "--format", "json"]);
    let path = |source: &str| skipstone(["catalog", "path", source, "--package", "cormorant"]);
    assert_eq!(check(&report.shown("#half")), check(&catalog));
    assert_eq!(path(&report.shown("#half")), path(&catalog));
    assert_eq!(path(&catalog).code, Some(3));
    assert_eq!(check(&report.shown("#4.20")).code, Some(0));
}

/// Questions about a package: ends and middle of its bundles, a name that the catalog does not hold, a version.
fn questions(view: &PackageView) -> Vec<Vec<String>> {
    let held: Vec<&str> =
        view.bundles.iter().filter(|bundle| bundle.in_catalog).map(|bundle| bundle.name.as_str()).collect();
    let (first, middle, last) = (held[0], held[held.len() / 2], held[held.len() - 1]);
    let version = view.bundles.iter().find_map(|bundle| bundle.version.clone()).expect("a stated version");
    let journeys: [&[&str]; 7] = [
        &[],
        &["--from", first],
        &["--from", middle],
        &["--from", last],
        &["--from", &version, "--to", last],
        &["--from", middle, "--to", first],
        &["--from", "lost.v0.0.1", "--from-version", &version],
    ];
    let mut questions: Vec<Vec<&str>> = Vec::new();
    for journey in journeys {
        questions.extend(["olm-v0", "olm-v1"].map(|engine| [journey, &["--engine", engine]].concat()));
    }
    let from_first = ["--from", first, "--engine", "olm-v1"];
    for request in [["--version-range", ">=1.0.0 <2.0.0"], ["--policy", "SelfCertified"]] {
        questions.push(from_first.into_iter().chain(request).collect());
    }
    for channel in &view.channels {
        for engine in ["olm-v0", "olm-v1"] {
            questions.push(vec!["--from", first, "--to", last, "--engine", engine, "--channel", &channel.name]);
        }
    }
    questions.into_iter().map(|question| question.into_iter().map(str::to_owned).collect()).collect()
}

#[test]
fn path_answers_as_from_the_catalog() {
    let report = Report::of_demo();
    let mut asked = 0;
    for view in report.packages() {
        let ask = |source: String, question: &[String]| {
            let fixed = ["catalog", "path", &source, "--format", "json", "--package", &view.package];
            skipstone(fixed.into_iter().map(str::to_owned).chain(question.iter().cloned()))
        };
        for question in questions(&view) {
            let from_report = ask(report.shown(&format!("#{}", view.catalog)), &question);
            let from_catalog = ask(fixtures(&format!("demo/{}", view.catalog)), &question);
            assert!(matches!(from_catalog.code, Some(0 | 1)), "{question:?}: {}", from_catalog.err);
            assert_eq!(from_report, from_catalog, "{} of {}: {question:?}", view.package, view.catalog);
            asked += 1;
        }
    }
    assert!(asked > 300, "{asked} questions were asked");
}

/// Every pair at once: what all engines make of every name, every edge, every channel.
#[test]
fn a_restored_package_has_the_same_view() {
    let report = Report::of_demo();
    for view in report.packages() {
        let package = restored_package(&view);
        let catalog = view.catalog.as_str().into();
        let facts = PackageFacts { catalog: &catalog, package: &package, findings: &[] };
        let (again, _) = package_view(facts, Date::constant(2026, 11, 30));
        assert_eq!(again.engines, view.engines, "{}", view.package);
        assert_eq!((again.names, again.edges, again.channels), (view.names, view.edges, view.channels));
        assert_eq!((again.default_channel, again.deprecated), (view.default_channel, view.deprecated));
    }
}

#[test]
fn several_catalogs_compete_wherever_each_is_read_from() {
    let report = Report::of_demo();
    let from_report = [report.shown("#4.18"), report.shown("#4.20")];
    let from_disk = [fixtures("demo/4.18"), fixtures("demo/4.20")];
    let ask = |old: &str, new: &str, priority: &str| {
        let (old, new) = (format!("old={old}"), format!("new={new}"));
        let package = ["--package", "cormorant", "--engine", "olm-v1", "--format", "json"];
        skipstone(["catalog", "path", &old, &new].into_iter().chain(package).chain(["--priority", priority]))
    };
    for priority in ["old=1", "new=1"] {
        let expected = ask(&from_disk[0], &from_disk[1], priority);
        let answer: Value = serde_json::from_str(&expected.out).expect("an answer");
        assert_eq!(answer["hops"][0]["catalog"], priority.trim_end_matches("=1"));
        assert_eq!(ask(&from_report[0], &from_report[1], priority), expected);
        assert_eq!(ask(&from_report[0], &from_disk[1], priority), expected);
        assert_eq!(ask(&from_disk[0], &from_report[1], priority), expected);
    }
}

#[test]
fn one_of_several_catalogs_must_be_named() {
    let report = Report::of_demo();
    for (behind, words) in
        [("", ["several catalogs: 4.18, 4.20", "#4.18"]), ("#4.19", ["no catalog 4.19", "4.18, 4.20"])]
    {
        for command in ["check", "path"] {
            let source = report.shown(behind);
            let package = ["--package", "cormorant"].into_iter().filter(|_| command == "path");
            let answer = skipstone(["catalog", command, &source].into_iter().chain(package));
            assert_eq!((answer.code, answer.out.as_str()), (Some(2), ""));
            assert!(words.iter().all(|word| answer.err.contains(word)), "{}", answer.err);
        }
    }
    let alone = Report::of([fixtures("demo/4.18")]);
    assert_eq!(skipstone(["catalog", "check", &alone.shown("")]).code, Some(0));
}

#[test]
fn an_unknown_package_is_told_from_the_report_too() {
    let report = Report::of_demo();
    let ask = |source: &str| skipstone(["catalog", "path", source, "--package", "cormorent"]);
    assert_eq!(ask(&report.shown("#4.18")), ask(&fixtures("demo/4.18")));
    assert_eq!(ask(&report.shown("#4.18")).code, Some(2));
}

#[test]
fn check_does_not_rename_a_catalog_of_a_report() {
    let report = Report::of_demo();
    let check = |name: &str| skipstone(["catalog", "check", &format!("{name}={}", report.shown("#4.18"))]);
    assert_eq!(check("4.18").code, Some(0));
    assert_eq!(check("other").code, Some(2));
}

#[test]
fn a_catalog_on_disk_has_no_parts_to_name() {
    let answer = skipstone(["catalog", "check", &format!("{}#x", fixtures("demo/4.18"))]);
    assert_eq!(answer.code, Some(2));
    assert!(answer.err.contains("#x"), "{}", answer.err);
}

#[test]
fn scan_refuses_a_report() {
    let report = Report::of_demo();
    let output = report.directory.path().join("second");
    let output = output.to_str().expect("a plain name");
    for source in [report.shown(""), report.shown("#4.18")] {
        let answer = skipstone(["scan", "--catalog", &source, "--output", output]);
        assert_eq!(answer.code, Some(2));
        assert!(answer.err.contains("is a report"), "{}", answer.err);
        assert!(!Path::new(output).exists());
    }
}

#[test]
fn an_untouched_report_answers() {
    let answer = Report::of_demo().ask();
    assert_eq!(answer.code, Some(0), "{}", answer.err);
}

#[test]
fn a_changed_file_is_refused() {
    let report = Report::of_demo();
    let changed = report.read(PACKAGE).replace("1.", "2.");
    fs::write(report.place().join(PACKAGE), changed).expect("the file is writable");
    let refusal = report.refusal();
    assert!(refusal.contains(PACKAGE) && refusal.contains("changed"), "{refusal}");
}

#[test]
fn a_file_that_does_not_parse_is_refused() {
    for path in [PACKAGE, INDEX, "api/v1/catalogs/4.18.json"] {
        for text in ["", "[]", "{\"schema_version\":1", "{\"schema_version\":-1}"] {
            let report = Report::of_demo();
            report.forge(path, |_| text.to_owned());
            let refusal = report.refusal();
            assert!(refusal.contains(path) && refusal.contains("does not parse"), "{refusal}");
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    let report = Report::of_demo();
    report.forge(PACKAGE, |_| format!("{{\"names\":{}", "[".repeat(1_000_000)));
    assert!(report.refusal().contains(PACKAGE));
}

#[test]
fn a_document_about_something_else_is_refused() {
    let report = Report::of_demo();
    report.forge(PACKAGE, |text| text.replace("\"package\":\"gull\"", "\"package\":\"albatross\""));
    let refusal = report.refusal();
    assert!(refusal.contains(PACKAGE) && refusal.contains("something else"), "{refusal}");
}

#[test]
fn a_list_that_leads_out_of_the_report_is_refused() {
    for path in ["../outside.json", "/etc/hostname", "api/../../outside.json"] {
        let report = Report::of_demo();
        fs::write(report.directory.path().join("outside.json"), report.read(PACKAGE)).expect("a file");
        report.forge(INDEX, |text| text.replace(PACKAGE, path));
        let refusal = report.refusal();
        assert!(refusal.contains("leaves the report"), "{refusal}");
    }
}

#[test]
fn another_schema_version_and_a_missing_list_of_digests_are_refused() {
    let report = Report::of_demo();
    report.forge(INDEX, |text| text.replacen("\"schema_version\":1", "\"schema_version\":2", 1));
    assert!(report.refusal().contains("schema version 2"));
    fs::remove_file(report.place().join("SHA256SUMS")).expect("the list is there");
    assert!(report.refusal().contains("SHA256SUMS"));
}
