//! The list of digests, `SHA256SUMS`: written sorted, read strictly.
//!
//! Rule: one line a file, 64 lower-case hexadecimal digits, a space, a space (text) or `*` (binary), the path
//! (GNU coreutils, `sha256sum`, output format). Cost: one pass over the list.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::error::EmitError;
use super::relative;
use crate::finding::Digest;

/// The name of the list of digests in a report.
pub const SUMS_FILE: &str = "SHA256SUMS";

/// The longest list that is read, in bytes: some 500,000 files.
const LONGEST_LIST: u64 = 64 << 20;

/// The text of the list: sorted by path, since the map is.
pub(super) fn text<'a>(sums: impl IntoIterator<Item = (&'a String, Digest)>) -> String {
    sums.into_iter().map(|(path, digest)| format!("{}  {path}\n", digest.hex())).collect()
}

/// Reads the list of a report directory: each path with the digest that its content must have.
///
/// # Errors
/// When `SHA256SUMS` is missing, unreadable or malformed.
pub fn read(directory: &Path) -> Result<BTreeMap<String, Digest>, EmitError> {
    let path = directory.join(SUMS_FILE);
    let mut text = String::new();
    let read = File::open(&path).and_then(|file| file.take(LONGEST_LIST + 1).read_to_string(&mut text));
    let length = read.map_err(EmitError::io("read", &path))?;
    let broken = |line, reason| EmitError::Sums { path: path.clone(), line, reason };
    if length as u64 > LONGEST_LIST {
        return Err(broken(1, "the list is longer than 64 MiB"));
    }
    let mut sums = BTreeMap::new();
    for (line, number) in text.lines().zip(1..) {
        let (file, digest) =
            parse_line(line).ok_or_else(|| broken(number, "not a digest and a path inside the report"))?;
        if sums.insert(file.to_owned(), digest).is_some() {
            return Err(broken(number, "the path is listed twice"));
        }
    }
    Ok(sums)
}

/// The path and the digest of one line, when it has the right form and the path stays inside the report.
fn parse_line(line: &str) -> Option<(&str, Digest)> {
    let (hex, rest) = line.split_once(' ')?;
    let path = rest.strip_prefix([' ', '*'])?;
    let digest = format!("sha256:{hex}").parse().ok()?;
    (relative::fault(path).is_none() && path != SUMS_FILE).then_some((path, digest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digest of nothing, as `sha256sum /dev/null` prints it.
    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn lines_are_sorted_and_readable_by_sha256sum() {
        let sums = BTreeMap::from([("b".to_owned(), Digest::of(b"")), ("a/c".to_owned(), Digest::of(b""))]);
        assert_eq!(text(sums.iter().map(|(path, digest)| (path, *digest))), format!("{EMPTY}  a/c\n{EMPTY}  b\n"));
    }

    #[test]
    fn reads_text_and_binary_lines() {
        assert_eq!(parse_line(&format!("{EMPTY}  a b")), Some(("a b", Digest::of(b""))));
        assert_eq!(parse_line(&format!("{EMPTY} *a")), Some(("a", Digest::of(b""))));
    }

    #[test]
    fn refuses_other_lines() {
        for line in ["", "abc  a", &format!("{EMPTY} a"), &format!("{EMPTY}  ../a"), &format!("{EMPTY}  {SUMS_FILE}")] {
            assert_eq!(parse_line(line), None, "{line}");
        }
    }

    #[test]
    fn names_the_broken_line() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join(SUMS_FILE), format!("{EMPTY}  a\n{EMPTY}  a\n")).unwrap();
        assert!(matches!(read(directory.path()), Err(EmitError::Sums { line: 2, .. })));
    }
}
