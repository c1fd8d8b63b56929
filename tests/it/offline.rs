//! No network is needed, and none is used.

use std::process::Command;

use tempfile::tempdir;

use crate::program::{finish, scan_demo};

/// In a network namespace of its own not even the loopback device is up.
#[test]
fn the_demo_is_scanned_without_a_network() {
    let isolates = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    if !isolates(Command::new("unshare").args(["-n", "true"])) {
        eprintln!("skipped: this machine gives no network namespace of its own");
        return;
    }
    let place = tempdir().unwrap();
    let report = place.path().join("report");
    let mut scan = Command::new("unshare");
    scan.args(["-n", env!("CARGO_BIN_EXE_skipstone")]).args(scan_demo(&report)).arg("--no-cache");
    let answer = finish(&mut scan);
    assert_eq!(answer.code(), 0, "{}", answer.err);
    assert_eq!(skipstone::emit::verify_sums(&report).unwrap(), []);
}

/// Every call of the system that could open a connection, where a tracer is there to see it.
#[test]
fn no_socket_is_opened() {
    let place = tempdir().unwrap();
    let calls = place.path().join("calls");
    let mut trace = Command::new("strace");
    trace.args(["-f", "-qq", "-e", "trace=%network", "-o"]).arg(&calls).arg(env!("CARGO_BIN_EXE_skipstone"));
    trace.args(scan_demo(&place.path().join("report"))).arg("--no-cache");
    if Command::new("strace").arg("-V").output().is_err() {
        eprintln!("skipped: strace is not installed");
        return;
    }
    assert_eq!(finish(&mut trace).code(), 0);
    assert_eq!(std::fs::read_to_string(&calls).unwrap(), "");
}
