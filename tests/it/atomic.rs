//! A report appears whole or not at all: killed runs, full disks and limits leave the previous one as it was.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::tempdir;
use walkdir::WalkDir;

use crate::program::{Answer, ask, finish, fixture, program, scan_demo, small_catalog};

const KILLS: u32 = 50;

/// The list of digests of a report that is whole.
fn sums(report: &Path) -> String {
    assert_eq!(skipstone::emit::verify_sums(report).unwrap(), [], "{}", report.display());
    fs::read_to_string(report.join("SHA256SUMS")).unwrap()
}

fn names_in(place: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(place).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Numbers that look random and are the same in each run: the generator of Numerical Recipes.
struct Delays(u32);

impl Delays {
    fn below(&mut self, bound: Duration) -> Duration {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        bound.mul_f64(f64::from(self.0) / f64::from(u32::MAX))
    }
}

#[test]
fn a_killed_run_leaves_a_whole_report() {
    let place = tempdir().unwrap();
    let report = place.path().join("report");
    let start = Instant::now();
    assert_eq!(ask(scan_demo(&report)).code(), 0);
    let whole_run = start.elapsed();
    let new = sums(&report);
    let mut other = scan_demo(&report);
    other.truncate(other.iter().rposition(|argument| argument == "--catalog").unwrap());
    other.extend(["--output".to_owned(), report.display().to_string()]);
    assert_eq!(ask(&other).code(), 0);
    let old = sums(&report);
    assert_ne!(old, new);
    let (mut delays, mut killed) = (Delays(7), 0);
    for round in 0..KILLS {
        let mut run = program();
        run.args(scan_demo(&report)).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = run.spawn().unwrap();
        sleep(delays.below(whole_run));
        child.kill().unwrap();
        killed += u32::from(child.wait().unwrap().signal() == Some(9));
        let found = sums(&report);
        assert!(found == old || found == new, "round {round}: a mix of two reports");
    }
    assert!(killed > KILLS / 5, "only {killed} runs were killed before they ended");
    assert_eq!(ask(scan_demo(&report)).code(), 0);
    assert_eq!(sums(&report), new);
    assert_eq!(names_in(place.path()), ["report"], "the next good run clears away what killed ones left");
}

#[test]
fn a_run_that_cannot_start_or_read_leaves_the_report() {
    let place = tempdir().unwrap();
    let report = place.path().join("report");
    assert_eq!(ask(scan_demo(&report)).code(), 0);
    let before = sums(&report);
    let output = report.display().to_string();
    for arguments in [
        ["scan", "--catalog", "no/such/place", "--output", &output],
        ["scan", "--catalog", "registry:a/b:c", "--output", &output],
        ["scan", "--now", "never", "--output", &output],
    ] {
        assert_eq!(ask(arguments).code(), 2);
        assert_eq!(sums(&report), before, "{arguments:?}");
    }
    assert_eq!(names_in(place.path()), ["report"]);
}

#[test]
fn what_is_no_report_is_never_replaced() {
    let place = tempdir().unwrap();
    let file = place.path().join("notes.txt");
    fs::write(&file, "notes").unwrap();
    let folder = place.path().join("folder");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("index.html"), "my page").unwrap();
    let of_the_system = [(Path::new("/proc/report"), "/proc/"), (Path::new("/"), "/")];
    let ours = [&file, &folder].map(|target| (target.as_path(), target.to_str().unwrap()));
    for (target, named) in ours.into_iter().chain(of_the_system) {
        let answer = ask(scan_demo(target));
        assert_eq!(answer.code(), 2, "{}", target.display());
        assert!(answer.err.contains(named), "{}", answer.err);
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "notes");
    assert_eq!(names_in(&folder), ["index.html"]);
    assert_eq!(names_in(place.path()), ["folder", "notes.txt"]);
}

/// A scan that may write files of at most so many blocks of 512 bytes; `before` is what the shell does first.
fn scan_below_limit(blocks: u32, before: &str, report: &Path) -> Command {
    let mut shell = Command::new("sh");
    let script = format!("{before} ulimit -f {blocks}; exec \"$0\" \"$@\"");
    shell.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_skipstone")).args(scan_demo(report)).arg("--no-cache");
    shell
}

#[test]
fn a_limit_of_the_size_of_files_leaves_the_report() {
    let place = tempdir().unwrap();
    let report = place.path().join("report");
    let catalog = place.path().join("catalog.yaml");
    fs::write(&catalog, small_catalog("heron")).unwrap();
    let output = report.display().to_string();
    assert_eq!(ask(["scan", "--catalog", &catalog.display().to_string(), "--output", &output]).code(), 0);
    let before = sums(&report);
    let refused = finish(&mut scan_below_limit(8, "trap '' XFSZ;", &report));
    assert_eq!(refused.code(), 2);
    assert!(refused.err.contains(&format!("cannot write {output}/")), "{}", refused.err);
    assert_eq!(sums(&report), before);
    assert_eq!(names_in(place.path()), ["catalog.yaml", "report"], "what was begun is cleared away");
    // Without the trap the system itself ends the run.
    let killed = finish(&mut scan_below_limit(8, "", &report));
    assert!(killed.exit.is_none_or(|code| code == 2), "{killed:?}");
    assert_eq!(sums(&report), before);
}

/// A file system of a few kilobytes, unmounted when it is dropped.
struct TinyDisk(PathBuf);

impl TinyDisk {
    fn mount(place: &Path, kilobytes: u32) -> Option<Self> {
        fs::create_dir(place).unwrap();
        let size = format!("size={kilobytes}k");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "none"]).arg(place).output().ok()?;
        mount.status.success().then(|| Self(place.to_owned()))
    }
}

impl Drop for TinyDisk {
    fn drop(&mut self) {
        // Nothing can be done about a mount that stays.
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// Path and bytes of all files below a place.
fn content(place: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = WalkDir::new(place).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    entries.map(|entry| (entry.path().to_owned(), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn a_full_disk_leaves_the_report() {
    let place = tempdir().unwrap();
    let Some(disk) = TinyDisk::mount(&place.path().join("disk"), 1_024) else {
        eprintln!("skipped: file systems cannot be mounted here");
        return;
    };
    let (report, cache) = (disk.0.join("report"), disk.0.join("cache"));
    let catalog = fixture("invalid/no-head").display().to_string();
    let output = report.display().to_string();
    let small: Answer = ask(["scan", "--catalog", &catalog, "--output", &output]);
    assert_eq!(small.code(), 0, "{}", small.err);
    let before = content(&disk.0);
    let refused = ask(scan_demo(&report));
    assert_eq!(refused.code(), 2);
    let told = refused.err.contains(&output) && refused.err.contains("No space left on device");
    assert!(told, "{}", refused.err);
    assert!(content(&disk.0) == before, "the old report is whole, and nothing else is left");

    fs::write(disk.0.join("filler"), vec![0; 1 << 20]).unwrap_err();
    let elsewhere = place.path().join("report");
    let unkept = finish(program().args(scan_demo(&elsewhere)).arg("--cache-dir").arg(&cache));
    assert_eq!(unkept.code(), 0, "a cache that cannot be written costs time only: {}", unkept.err);
    assert!(unkept.err.contains("warning: cache not"), "{}", unkept.err);
    sums(&elsewhere);
}
