//! Stages, and the names of their buckets: `NAME-vN`. Cost: none.

/// A step of the work whose results are kept. The version goes up whenever the step or the form of its results changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stage {
    /// Lower-case letters, digits and single dashes, beginning with a letter.
    pub name: &'static str,
    /// Which form of the step's results.
    pub version: u32,
}

impl Stage {
    /// The name of its bucket, unless the stage's name is not a plain one.
    pub(super) fn bucket(self) -> Option<String> {
        is_plain(self.name).then(|| format!("{}-v{}", self.name, self.version))
    }

    /// Whether a bucket of this name and version is the stage's.
    pub(super) fn is(self, name: &str, version: u32) -> bool {
        self.name == name && self.version == version
    }
}

/// The stage's name and version of a bucket's name, if it is one.
pub(super) fn parse_bucket(bucket: &str) -> Option<(&str, u32)> {
    let (name, digits) = bucket.rsplit_once("-v")?;
    let version: u32 = digits.parse().ok()?;
    (is_plain(name) && version.to_string() == digits).then_some((name, version))
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bucket_names_lead_back_to_their_stage() {
        for (name, version) in [("facts", 0), ("layer-documents", 12), ("a-v1", u32::MAX)] {
            let bucket = Stage { name, version }.bucket().unwrap();
            assert_eq!(parse_bucket(&bucket), Some((name, version)));
        }
    }

    #[test]
    fn other_names_are_no_buckets() {
        for bucket in ["facts", "facts-v", "facts-v01", "facts-v+1", "facts-v4294967296", "Facts-v1", "../x-v1", "-v1"]
        {
            assert_eq!(parse_bucket(bucket), None, "{bucket}");
        }
        for name in ["", "../up", "Facts", "a/b", "1a"] {
            assert_eq!(Stage { name, version: 1 }.bucket(), None, "{name}");
        }
    }
}
