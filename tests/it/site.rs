//! A place where an attack happens: a mirror, something outside of it that nobody may touch, and the program with little
//! memory and little time.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::{TempDir, tempdir};
use walkdir::WalkDir;

use crate::image_builder::{Files, Images, write};
use crate::program::{Answer, NOW, finish, small_catalog};

/// Address space of a run, KiB: far below what the bombs unpack to.
const MEMORY: &str = "600000";
/// The longest run, seconds, of a build without optimisation on a busy machine.
const SECONDS: &str = "90";
/// What lies outside of every mirror, and must come out of none.
pub(crate) const OUTSIDE: &str = "schema: olm.package\nname: what-lies-outside\n";

/// A mirror and its surroundings.
pub(crate) struct Site {
    place: TempDir,
}

/// What a scan came to.
pub(crate) struct Scanned {
    pub(crate) answer: Answer,
    /// Code, path and message of every finding; none where there is no report.
    pub(crate) findings: Vec<(String, String, String)>,
    /// The names of the packages that were read.
    pub(crate) packages: Vec<String>,
    /// Every file of the report.
    pub(crate) report: BTreeMap<PathBuf, Vec<u8>>,
}

impl Site {
    /// A site without a mirror.
    pub(crate) fn new() -> Self {
        let site = Self { place: tempdir().unwrap() };
        for directory in ["mirror", "aside", "temporary"] {
            fs::create_dir(site.path(directory)).unwrap();
        }
        fs::write(site.path("outside.yaml"), OUTSIDE).unwrap();
        site
    }

    /// A site whose mirror is an OCI layout of these images.
    pub(crate) fn layout(images: &Images) -> Self {
        Self::of(&images.layout())
    }

    /// A site whose mirror has these files.
    pub(crate) fn of(files: &Files) -> Self {
        let site = Self::new();
        write(&site.mirror(), files);
        site
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    pub(crate) fn mirror(&self) -> PathBuf {
        self.path("mirror")
    }

    /// Scans the mirror as the catalog `birds`, and proves what holds for every attack: the run ended by itself, in time and
    /// memory, touched nothing outside of the report and the cache, and told nothing that lies outside of the mirror.
    pub(crate) fn scan(&self) -> Scanned {
        self.scan_with::<&str>(&self.mirror().display().to_string(), &[])
    }

    /// The same of any source, with more arguments.
    pub(crate) fn scan_with<A: AsRef<OsStr>>(&self, source: &str, more: &[A]) -> Scanned {
        self.run(source, "2", more)
    }

    /// The same of the mirror, on so many threads.
    pub(crate) fn scan_on(&self, jobs: &str, more: &[&str]) -> Scanned {
        self.run(&self.mirror().display().to_string(), jobs, more)
    }

    fn run<A: AsRef<OsStr>>(&self, source: &str, jobs: &str, more: &[A]) -> Scanned {
        let report = self.path("report");
        if report.exists() {
            fs::remove_dir_all(&report).unwrap();
        }
        let before = self.surroundings();
        let mut command = self.confined();
        command
            .args(["scan", "--jobs", jobs, "--now", NOW, "--catalog", &format!("birds={source}"), "--output"])
            .arg(&report);
        command.arg("--cache-dir").arg(self.path("cache")).args(more);
        let answer = finish(&mut command);
        answer.code();
        assert_eq!(before, self.surroundings(), "something changed outside of report and cache");
        let scanned = Scanned::of(answer, &report);
        let told = scanned.report.values().map(Vec::as_slice).chain([scanned.answer.out.as_bytes()]);
        for bytes in told.chain([scanned.answer.err.as_bytes()]) {
            assert!(!String::from_utf8_lossy(bytes).contains("what-lies-outside"));
        }
        scanned
    }

    /// The program with little memory and little time, and an empty directory for anything temporary.
    pub(crate) fn confined(&self) -> Command {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {MEMORY}; exec timeout -k 5 {SECONDS} \"$@\"");
        command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_skipstone")]);
        command.current_dir(self.path("aside")).stdin(Stdio::null()).env("TMPDIR", self.path("temporary"));
        for variable in ["SOURCE_DATE_EPOCH", "NO_COLOR", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "CI"]
        {
            command.env_remove(variable);
        }
        command.env("HOME", self.path("aside"));
        command
    }

    /// Length, time and kind of everything outside of the report and the cache.
    fn surroundings(&self) -> BTreeMap<PathBuf, (u64, i64, u32)> {
        let own = [self.path("report"), self.path("cache")];
        let entries = WalkDir::new(self.place.path()).min_depth(1).into_iter().map(Result::unwrap);
        let outside = entries.filter(|entry| !own.iter().any(|own| entry.path().starts_with(own)));
        let facts = |entry: walkdir::DirEntry| {
            let metadata = entry.path().symlink_metadata().unwrap();
            (entry.path().to_owned(), (metadata.len(), metadata.mtime_nsec(), metadata.mode()))
        };
        outside.map(facts).collect()
    }
}

impl Scanned {
    fn of(answer: Answer, report: &Path) -> Self {
        let mut files = BTreeMap::new();
        if report.exists() {
            assert_eq!(skipstone::emit::verify_sums(report).unwrap(), []);
            for entry in
                WalkDir::new(report).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file())
            {
                let relative = entry.path().strip_prefix(report).unwrap().to_owned();
                files.insert(relative, fs::read(entry.path()).unwrap());
            }
        }
        let json = |path: &str| files.get(Path::new(path)).map(|bytes| serde_json::from_slice::<Value>(bytes).unwrap());
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let findings = json("api/v1/findings.json").map(|document| {
            let all = document["findings"].as_array().unwrap().iter();
            all.map(|one| (text(&one["code"]), text(&one["at"]["path"]), text(&one["message"]))).collect()
        });
        let packages = json("api/v1/catalogs/birds.json")
            .map(|document| document["packages"].as_array().unwrap().iter().map(|row| text(&row["package"])).collect());
        let (findings, packages) = (findings.unwrap_or_default(), packages.unwrap_or_default());
        Self { answer, findings, packages, report: files }
    }

    /// Asserts the exit code, and a finding of this code whose path or message holds a text.
    #[track_caller]
    pub(crate) fn tells(&self, exit: i32, code: &str, words: &str) {
        assert_eq!(self.answer.code(), exit, "{} {:#?}", self.answer.err, self.findings);
        let told = |(found, path, message): &(String, String, String)| {
            found == code && (path.contains(words) || message.contains(words))
        };
        assert!(self.findings.iter().any(told), "no {code} with {words:?}: {:#?}", self.findings);
    }

    /// Asserts that nothing of the only input could be read, which is an error that says why and leaves no report.
    #[track_caller]
    pub(crate) fn fails(&self, words: &str) {
        assert_eq!(self.answer.code(), 2, "{} {:#?}", self.answer.err, self.findings);
        assert!(self.answer.err.contains(words), "no {words:?} in {}", self.answer.err);
        assert!(self.report.is_empty() && self.answer.out.is_empty(), "{}", self.answer.out);
    }

    /// Asserts that exactly these packages were read.
    #[track_caller]
    pub(crate) fn has_read(&self, packages: &[&str]) {
        assert_eq!(self.packages, packages, "{:#?}", self.findings);
    }
}

/// The path and the text of a valid catalog of one package, for a layer.
pub(crate) fn heron() -> (&'static str, String) {
    ("configs/heron.yaml", small_catalog("heron"))
}
