//! What extensions say of the entry that follows them: pax records and GNU's long names.
//!
//! Rule: POSIX pax extended header ("%d %s=%s\n", an empty value takes back); Go `archive/tar`, `strconv.go`,
//! `parsePAXRecord`. A record that cannot be read ends the archive, since it may have held a size. Cost: one pass.

/// What stands in place of the fields of a header.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Overrides {
    pub(super) name: Option<Vec<u8>>,
    pub(super) link: Option<Vec<u8>>,
    pub(super) size: Option<u64>,
    pub(super) is_sparse: bool,
}

impl Overrides {
    /// Takes pax records in; `Err` says what is wrong with them.
    pub(super) fn read(&mut self, mut records: &[u8]) -> Result<(), &'static str> {
        while !records.is_empty() {
            let (key, value, rest) = record(records).ok_or("a pax record has a wrong length or no key")?;
            self.set(key, value)?;
            records = rest;
        }
        Ok(())
    }

    fn set(&mut self, key: &[u8], value: &[u8]) -> Result<(), &'static str> {
        let given = (!value.is_empty()).then(|| value.to_vec());
        match key {
            b"path" => self.name = given,
            b"linkpath" => self.link = given,
            b"size" if value.is_empty() => self.size = None,
            b"size" => self.size = Some(size(value).ok_or("its pax record of the size is no length")?),
            key if key.starts_with(b"GNU.sparse.") => self.is_sparse = !value.is_empty(),
            _ => {}
        }
        Ok(())
    }
}

/// The first record: key, value, and what follows it.
fn record(records: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let blank = records.iter().position(|byte| *byte == b' ')?;
    let length = size(records.get(..blank)?).and_then(|length| usize::try_from(length).ok())?;
    let (record, rest) = records.split_at_checked(length)?;
    let pair = record.get(blank + 1..)?.strip_suffix(b"\n")?;
    let equals = pair.iter().position(|byte| *byte == b'=').filter(|equals| *equals > 0)?;
    Some((pair.get(..equals)?, pair.get(equals + 1..)?, rest))
}

fn size(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let size: i64 = str::from_utf8(digits).ok()?.parse().ok()?;
    u64::try_from(size).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(records: &[u8]) -> Result<Overrides, &'static str> {
        let mut overrides = Overrides::default();
        overrides.read(records).map(|()| overrides)
    }

    #[test]
    fn records_are_cut_by_length_and_not_at_line_feeds() {
        let records = b"27 SCHILY.xattr.user.a=1\n2\n12 path=a/b\n16 linkpath=c\nd\n11 size=12\n";
        let overrides = read(records).unwrap();
        assert_eq!(overrides.name.as_deref(), Some(b"a/b".as_slice()));
        assert_eq!(overrides.link.as_deref(), Some(b"c\nd".as_slice()));
        assert_eq!(overrides.size, Some(12));
    }

    #[test]
    fn an_empty_value_takes_back() {
        let mut overrides = Overrides { name: Some(b"a".to_vec()), size: Some(1), ..Overrides::default() };
        overrides.read(b"8 path=\n8 size=\n").unwrap();
        assert_eq!(overrides, Overrides::default());
    }

    #[test]
    fn malformed_records_are_refused() {
        for records in [
            "12 path=a/",
            "13 path=a/b\n",
            "11 path=a/b\n",
            "7 =abc\n",
            "6 abc\n",
            "path=a\n",
            " path=a\n",
            "0 path=a\n",
            "-9 path=a\n",
            "99999999999999999999 path=a\n",
            "10 size=x\n",
            "11 size=-1\n",
            "28 size=9223372036854775808\n",
        ] {
            assert!(read(records.as_bytes()).is_err(), "{records}");
        }
    }
}
