//! Paths inside a report: relative, plain, and listable in `SHA256SUMS`.
//!
//! Rule: a path must stay below the directory it is joined to, on every system that may unpack the report; and
//! `sha256sum` of GNU coreutils escapes names that hold a backslash or a line break, which no listed name may need.
//! Cost: one pass over the path.

use super::error::EmitError;

/// What is wrong with a path inside a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RelativePathFault {
    /// It starts at the root of the file system.
    #[error("it is absolute")]
    Absolute,
    /// It is empty, or holds `//`, or ends in `/`.
    #[error("it has an empty component")]
    EmptyComponent,
    /// It holds `.` or `..` as a component.
    #[error("it has a component `.` or `..`")]
    DotComponent,
    /// It holds a backslash, which separates directories on some systems.
    #[error("it has a backslash")]
    Backslash,
    /// It holds NUL, a line break or another control character.
    #[error("it has a control character")]
    ControlCharacter,
    /// It is the name of the list of digests, which is written last.
    #[error("the name is taken by the list of digests")]
    Reserved,
}

/// Refuses a path that is not plainly below the directory it will be joined to.
pub(super) fn check(path: &str) -> Result<(), EmitError> {
    match fault(path) {
        Some(fault) => Err(EmitError::RelativePath { path: path.to_owned(), fault }),
        None => Ok(()),
    }
}

/// The first thing that is wrong with the path, if anything is.
pub(super) fn fault(path: &str) -> Option<RelativePathFault> {
    if path.starts_with('/') {
        return Some(RelativePathFault::Absolute);
    }
    if path.contains('\\') {
        return Some(RelativePathFault::Backslash);
    }
    if path.contains(char::is_control) {
        return Some(RelativePathFault::ControlCharacter);
    }
    path.split('/').find_map(|component| match component {
        "" => Some(RelativePathFault::EmptyComponent),
        "." | ".." => Some(RelativePathFault::DotComponent),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths_pass() {
        for path in ["report.json", "api/v1/index.json", "a/.hidden", "a/..b", "packages/c/p q.html", "größe"] {
            assert_eq!(fault(path), None, "{path}");
        }
    }

    #[test]
    fn paths_that_could_leave_the_directory_are_refused() {
        use RelativePathFault::*;
        for (path, expected) in [
            ("", EmptyComponent),
            ("a//b", EmptyComponent),
            ("a/", EmptyComponent),
            ("/etc/passwd", Absolute),
            ("..", DotComponent),
            ("a/../../b", DotComponent),
            ("./a", DotComponent),
            ("a\\b", Backslash),
            ("a\0b", ControlCharacter),
            ("a\nb", ControlCharacter),
        ] {
            assert_eq!(fault(path), Some(expected), "{path:?}");
        }
    }
}
