//! One header block: its fields by their places.
//!
//! Rule: POSIX ustar header; Go `archive/tar`, `format.go` and `strconv.go`. Cost: none.

use std::ops::Range;

use super::BLOCK_BYTES;

const NAME: Range<usize> = 0..100;
const SIZE: Range<usize> = 124..136;
const CHECKSUM: Range<usize> = 148..156;
const KIND: usize = 156;
const LINK: Range<usize> = 157..257;
const MAGIC: Range<usize> = 257..263;
const PREFIX: Range<usize> = 345..500;
/// In a header of GNU's sparse files: whether another block of their map follows.
const SPARSE_CONTINUES: usize = 482;

pub(super) struct Header(pub(super) [u8; BLOCK_BYTES]);

impl Header {
    fn field(&self, range: Range<usize>) -> &[u8] {
        self.0.get(range).unwrap_or_default()
    }

    fn byte(&self, position: usize) -> u8 {
        self.0.get(position).copied().unwrap_or_default()
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.iter().all(|byte| *byte == 0)
    }

    /// The sum counts its own field as blanks; old writers summed signed bytes.
    pub(super) fn has_right_checksum(&self) -> bool {
        let blanked = self.0.iter().enumerate().map(|(at, byte)| if CHECKSUM.contains(&at) { b' ' } else { *byte });
        let (unsigned, signed) = blanked.fold((0_i64, 0_i64), |(unsigned, signed), byte| {
            (unsigned + i64::from(byte), signed + i64::from(byte.cast_signed()))
        });
        let stated = number(self.field(CHECKSUM)).and_then(|stated| i64::try_from(stated).ok());
        stated.is_some_and(|stated| stated == unsigned || stated == signed)
    }

    /// The letter that says what follows.
    pub(super) fn kind(&self) -> u8 {
        self.byte(KIND)
    }

    /// Length of what follows; `None` where the field is no number that a length can have.
    pub(super) fn size(&self) -> Option<u64> {
        number(self.field(SIZE)).filter(|size| i64::try_from(*size).is_ok())
    }

    pub(super) fn name(&self) -> Vec<u8> {
        let name = before_nul(self.field(NAME));
        let prefix = before_nul(self.field(PREFIX));
        if self.field(MAGIC) != b"ustar\0" || prefix.is_empty() {
            return name.to_vec();
        }
        [prefix, b"/", name].concat()
    }

    pub(super) fn link(&self) -> &[u8] {
        before_nul(self.field(LINK))
    }

    pub(super) fn sparse_map_continues(&self) -> bool {
        self.byte(SPARSE_CONTINUES) != 0
    }
}

/// What stands before the first NUL.
pub(super) fn before_nul(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// A number in octal digits, or in base 256 where its first bit is set; an empty field is 0, a negative number is none.
fn number(field: &[u8]) -> Option<u64> {
    if let Some((first, rest)) = field.split_first().filter(|(first, _)| **first & 0x80 != 0) {
        let first = u64::from(first & 0x7f);
        if first & 0x40 != 0 {
            return None;
        }
        return rest.iter().try_fold(first, |sum, byte| Some(sum.checked_mul(256)? | u64::from(*byte)));
    }
    let is_blank = |byte: &u8| matches!(byte, b' ' | 0);
    let start = field.iter().position(|byte| !is_blank(byte)).unwrap_or(field.len());
    let digits = before_nul(field.get(start..).unwrap_or_default()).trim_ascii_end();
    digits.iter().try_fold(0_u64, |sum, byte| match byte {
        b'0'..=b'7' => sum.checked_mul(8)?.checked_add(u64::from(byte - b'0')),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_octal_or_base_256() {
        assert_eq!(number(b"0000755\0"), Some(0o755));
        assert_eq!(number(b"  12 \0\0\0"), Some(0o12));
        assert_eq!(number(b"\0\0\0\0"), Some(0));
        assert_eq!(number(&[0x80, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1]), Some((2 << 32) + 1));
        assert_eq!(number(&[0x80, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), Some(u64::MAX));
    }

    #[test]
    fn what_is_no_number_is_none() {
        assert_eq!(number(b"00000089"), None);
        assert_eq!(number(b"-0000001"), None);
        assert_eq!(number(&[0xff; 12]), None, "negative");
        assert_eq!(number(&[0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]), None, "beyond 64 bits");
    }
}
