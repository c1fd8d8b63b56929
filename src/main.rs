//! Parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    skipstone::cli::run(std::env::args_os())
}
