//! Runs the program as its users do: a process, its exit code, what it prints where.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An instant, so that no test depends on the day.
pub(crate) const NOW: &str = "2026-11-30T00:00:00Z";

/// What a run came to.
#[derive(Debug)]
pub(crate) struct Answer {
    /// `None` where a signal ended it.
    pub(crate) exit: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Answer {
    /// The exit code, of a run that ended by itself.
    pub(crate) fn code(&self) -> i32 {
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self.exit.unwrap_or_else(|| panic!("a signal ended the run: {}", self.err))
    }

    /// Standard output as exactly one JSON document.
    pub(crate) fn json(&self) -> serde_json::Value {
        let document = serde_json::from_str(&self.out);
        document.unwrap_or_else(|error| panic!("{error}: {:?}, and on standard error {:?}", self.out, self.err))
    }
}

/// The program, in the root of the repository, with nothing of this machine's settings and no cache.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skipstone"));
    command.current_dir(repository()).stdin(Stdio::null());
    for variable in ["SOURCE_DATE_EPOCH", "NO_COLOR", "XDG_CACHE_HOME", "HOME", "CI"] {
        command.env_remove(variable);
    }
    command
}

/// Runs the program with these arguments.
pub(crate) fn ask<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Answer {
    finish(program().args(arguments))
}

/// Runs a command to its end.
pub(crate) fn finish(command: &mut Command) -> Answer {
    let output = command.output().expect("the program starts");
    Answer {
        exit: output.status.code(),
        out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
        err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
    }
}

pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn fixture(path: &str) -> PathBuf {
    repository().join("fixtures").join(path)
}

/// The arguments of a scan of the demo pair.
pub(crate) fn scan_demo(output: &Path) -> Vec<String> {
    let pair = ["4.18", "4.20"].map(|name| format!("{name}={}", fixture("demo").join(name).display()));
    let [older, newer] = pair;
    let output = output.display().to_string();
    let arguments = ["scan", "--now", NOW, "--catalog", &older, "--catalog", &newer, "--output", &output];
    arguments.map(str::to_owned).to_vec()
}

/// The folders of a folder of `fixtures`, sorted.
pub(crate) fn folders(parent: &str) -> Vec<String> {
    let entries = std::fs::read_dir(fixture(parent)).expect("the folder is readable");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("the folder is readable"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().expect("plain names"))
        .collect();
    names.sort();
    names
}

/// Text that makes a valid catalog of one package with one bundle.
pub(crate) fn small_catalog(package: &str) -> String {
    let digest = "0".repeat(64);
    format!(
        "schema: olm.package\nname: {package}\ndefaultChannel: stable\n---\n\
         schema: olm.channel\npackage: {package}\nname: stable\nentries:\n- name: {package}.v1.0.0\n---\n\
         schema: olm.bundle\npackage: {package}\nname: {package}.v1.0.0\nimage: registry.example/{package}@sha256:{digest}\n\
         properties:\n- type: olm.package\n  value:\n    packageName: {package}\n    version: 1.0.0\n"
    )
}
