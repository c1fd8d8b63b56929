//! Runs the tools of others.

use std::path::Path;
use std::process::{Command, Output};

/// Runs a command that must succeed.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Output {
    let output = Command::new(program).args(arguments).output().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Copies an image with everything that belongs to it and without changing a byte of its manifest.
pub(crate) fn copy(from: &str, to: &str, more: &[&str]) {
    let mut arguments = vec!["--insecure-policy", "copy", "-q", "--all", "--preserve-digests"];
    arguments.extend(more);
    arguments.extend([from, to]);
    run("skopeo", &arguments);
}

/// A path as the text that tools take.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
