//! Many small facts of one stage in one file.
//!
//! ```text
//! magic, 8 bytes │ stage version, u32 │ length of the stage name, u32 │ count, u64
//! stage name
//! index: count × (digest 32 bytes, offset u64, length u64), sorted by digest; offsets count from the file's start
//! values
//! SHA-256 of everything before it, 32 bytes
//! ```
//!
//! Integers are little-endian. Rule: the checksum is verified before anything is read from a pack. Cost: loading is one
//! SHA-256 pass and no allocation beyond the file's bytes; a look-up is a binary search in them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::bucket::Stage;
use super::file::ReadFault;
use crate::finding::Digest;

pub(super) const MAGIC: &[u8; 8] = b"skipPAK1";
const DIGEST_LENGTH: usize = 32;
const INDEX_ENTRY_LENGTH: usize = DIGEST_LENGTH + 8 + 8;
pub(super) const FIXED_HEADER_LENGTH: usize = 8 + 4 + 4 + 8;

/// The facts of one stage, as loaded; values are slices of the file's bytes.
#[derive(Debug, Default)]
pub struct Pack {
    bytes: Vec<u8>,
    index_start: usize,
    index_end: usize,
}

impl Pack {
    /// The value kept for a key.
    pub fn get(&self, key: &Digest) -> Option<&[u8]> {
        let index = self.index();
        let position = index.binary_search_by(|entry| order(entry, key)).ok()?;
        self.value(index.get(position)?)
    }

    /// All keys with their values, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (Digest, &[u8])> {
        self.index().iter().filter_map(|entry| Some((Digest::from_bytes(*entry.first_chunk()?), self.value(entry)?)))
    }

    /// How many facts it holds.
    pub fn len(&self) -> usize {
        self.index().len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.index().is_empty()
    }

    /// Checks the bytes of a file and takes them over.
    pub(super) fn parse(stage: Stage, bytes: Vec<u8>) -> Result<Self, ReadFault> {
        let broken = |reason: &str| ReadFault::Broken(reason.to_owned());
        let header = Header::parse(&bytes).ok_or_else(|| broken("not a pack of skipstone"))?;
        let (content, checksum) = bytes.split_last_chunk::<DIGEST_LENGTH>().ok_or_else(|| broken("cut short"))?;
        if Digest::of(content).as_bytes() != checksum {
            return Err(broken("its checksum does not match its content"));
        }
        if !stage.is(header.name, header.version) {
            return Err(broken("written by another stage"));
        }
        let index_start = FIXED_HEADER_LENGTH + header.name.len();
        let index_end = header
            .count
            .checked_mul(INDEX_ENTRY_LENGTH)
            .and_then(|length| length.checked_add(index_start))
            .filter(|end| *end <= content.len())
            .ok_or_else(|| broken("its index is longer than the file"))?;
        Ok(Self { bytes, index_start, index_end })
    }

    fn index(&self) -> &[[u8; INDEX_ENTRY_LENGTH]] {
        self.bytes.get(self.index_start..self.index_end).unwrap_or_default().as_chunks().0
    }

    fn value(&self, entry: &[u8; INDEX_ENTRY_LENGTH]) -> Option<&[u8]> {
        let (_, place) = entry.split_first_chunk::<DIGEST_LENGTH>()?;
        let (start, length) = place.split_first_chunk()?;
        let start = usize::try_from(u64::from_le_bytes(*start)).ok()?;
        let length = usize::try_from(u64::from_le_bytes(*length.first_chunk()?)).ok()?;
        self.bytes.get(start..start.checked_add(length)?)
    }
}

fn order(entry: &[u8; INDEX_ENTRY_LENGTH], key: &Digest) -> Ordering {
    entry.first_chunk::<DIGEST_LENGTH>().cmp(&Some(key.as_bytes()))
}

/// What the beginning of a pack says about it, before anything is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header<'a> {
    pub(super) version: u32,
    pub(super) count: usize,
    pub(super) name: &'a str,
}

impl<'a> Header<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (version, rest) = rest.split_first_chunk()?;
        let (name_length, rest) = rest.split_first_chunk()?;
        let (count, rest) = rest.split_first_chunk()?;
        let name = rest.get(..usize::try_from(u32::from_le_bytes(*name_length)).ok()?)?;
        Some(Self {
            version: u32::from_le_bytes(*version),
            count: usize::try_from(u64::from_le_bytes(*count)).ok()?,
            name: std::str::from_utf8(name).ok()?,
        })
    }
}

/// The bytes of a pack of these entries; of equal keys the first counts.
pub(super) fn encode<Value: AsRef<[u8]>>(stage: Stage, entries: impl IntoIterator<Item = (Digest, Value)>) -> Vec<u8> {
    let mut sorted = BTreeMap::new();
    for (key, value) in entries {
        sorted.entry(key).or_insert(value);
    }
    let values_start = FIXED_HEADER_LENGTH + stage.name.len() + sorted.len() * INDEX_ENTRY_LENGTH;
    let values_length: usize = sorted.values().map(|value| value.as_ref().len()).sum();
    let mut bytes = Vec::with_capacity(values_start + values_length + DIGEST_LENGTH);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&stage.version.to_le_bytes());
    bytes.extend_from_slice(&(stage.name.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&(sorted.len() as u64).to_le_bytes());
    bytes.extend_from_slice(stage.name.as_bytes());
    let mut offset = values_start as u64;
    for (key, value) in &sorted {
        let length = value.as_ref().len() as u64;
        bytes.extend_from_slice(key.as_bytes());
        bytes.extend_from_slice(&offset.to_le_bytes());
        bytes.extend_from_slice(&length.to_le_bytes());
        offset += length;
    }
    for value in sorted.values() {
        bytes.extend_from_slice(value.as_ref());
    }
    let checksum = Digest::of(&bytes);
    bytes.extend_from_slice(checksum.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STAGE: Stage = Stage { name: "facts", version: 7 };

    fn broken(reason: &str) -> ReadFault {
        ReadFault::Broken(reason.to_owned())
    }

    #[test]
    fn the_layout_is_the_documented_one() {
        let key = Digest::of(b"key");
        let bytes = encode(STAGE, [(key, "value")]);
        let mut expected = b"skipPAK1\x07\0\0\0\x05\0\0\0\x01\0\0\0\0\0\0\0facts".to_vec();
        expected.extend_from_slice(key.as_bytes());
        // The header has 24 bytes, the name 5, the index entry 48.
        expected.extend_from_slice(b"\x4d\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0value");
        let checksum = Digest::of(&expected);
        expected.extend_from_slice(checksum.as_bytes());
        assert_eq!(bytes, expected);
    }

    #[test]
    fn every_cut_and_every_flipped_bit_is_noticed() {
        let bytes = encode(STAGE, [(Digest::of(b"a"), "1"), (Digest::of(b"b"), "22")]);
        for length in 0..bytes.len() {
            assert!(Pack::parse(STAGE, bytes[..length].to_vec()).is_err(), "cut to {length}");
        }
        for position in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[position] ^= 0x10;
            assert!(Pack::parse(STAGE, changed).is_err(), "changed at {position}");
        }
    }

    #[test]
    fn a_pack_of_another_stage_or_version_is_refused() {
        let bytes = encode(STAGE, [(Digest::of(b"a"), "1")]);
        for stage in [Stage { version: 8, ..STAGE }, Stage { name: "other", ..STAGE }] {
            assert_eq!(Pack::parse(stage, bytes.clone()).unwrap_err(), broken("written by another stage"));
        }
    }

    #[test]
    fn an_index_beyond_the_file_is_refused_even_with_a_good_checksum() {
        let mut bytes = b"skipPAK1\x07\0\0\0\x05\0\0\0".to_vec();
        bytes.extend_from_slice(&u64::MAX.to_le_bytes());
        bytes.extend_from_slice(b"facts");
        let checksum = Digest::of(&bytes);
        bytes.extend_from_slice(checksum.as_bytes());
        assert_eq!(Pack::parse(STAGE, bytes).unwrap_err(), broken("its index is longer than the file"));
    }

    proptest! {
        #[test]
        fn answers_as_a_map_does(entries: Vec<(u8, Vec<u8>)>, absent: u16) {
            let mut map = BTreeMap::new();
            for (key, value) in &entries {
                map.entry(Digest::of(&[*key])).or_insert(value.clone());
            }
            let pairs = entries.iter().map(|(key, value)| (Digest::of(&[*key]), value));
            let pack = Pack::parse(STAGE, encode(STAGE, pairs)).unwrap();
            prop_assert_eq!(pack.len(), map.len());
            for (key, value) in &map {
                prop_assert_eq!(pack.get(key), Some(value.as_slice()));
            }
            prop_assert_eq!(pack.get(&Digest::of(&absent.to_le_bytes())), None);
            let all: BTreeMap<_, _> = pack.iter().map(|(key, value)| (key, value.to_vec())).collect();
            prop_assert_eq!(all, map);
        }

        #[test]
        fn no_bytes_make_it_panic(mut bytes: Vec<u8>, is_headed: bool) {
            if is_headed {
                bytes.splice(0..0, *MAGIC);
            }
            let checksum = Digest::of(&bytes);
            bytes.extend_from_slice(checksum.as_bytes());
            if let Ok(pack) = Pack::parse(STAGE, bytes) {
                prop_assert!(pack.get(&Digest::of(b"")).is_none());
            }
        }
    }
}
