//! One large fact in a file of its own.
//!
//! ```text
//! magic, 8 bytes │ stage version, u32 little-endian │ key, 32 bytes │ SHA-256 of the payload, 32 bytes │ payload
//! ```
//!
//! Rule: the payload is checked against its digest, and the key against the one asked for, before it is given out, so
//! that a renamed file never answers for another. Cost: one SHA-256 pass.

use super::bucket::Stage;
use super::file::ReadFault;
use crate::finding::Digest;

pub(super) const MAGIC: &[u8; 8] = b"skipOBJ1";

/// Where an object lies in its bucket: the first two hexadecimal digits of its key, then the rest.
pub(super) fn relative_path(key: &Digest) -> String {
    let hex = key.hex();
    let (directory, file) = hex.split_at_checked(2).unwrap_or_default();
    format!("{directory}/{file}")
}

/// Whether a directory and a file in it have names that [`relative_path`] gives.
pub(super) fn is_object_name(directory: &str, file: &str) -> bool {
    let is_hex = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    directory.len() == 2 && file.len() == 62 && is_hex(directory) && is_hex(file)
}

/// What stands before the payload.
pub(super) fn header(stage: Stage, key: &Digest, payload: &[u8]) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend_from_slice(&stage.version.to_le_bytes());
    header.extend_from_slice(key.as_bytes());
    header.extend_from_slice(Digest::of(payload).as_bytes());
    header
}

/// The payload of a file's bytes, when it is the one asked for and whole.
pub(super) fn parse(stage: Stage, key: &Digest, mut bytes: Vec<u8>) -> Result<Vec<u8>, ReadFault> {
    let broken = |reason: &str| ReadFault::Broken(reason.to_owned());
    if !bytes.starts_with(MAGIC) {
        return Err(broken("not an object of skipstone"));
    }
    let expected_length = MAGIC.len() + 4 + 32 + 32;
    if bytes.len() < expected_length {
        return Err(broken("cut short"));
    }
    let payload = bytes.split_off(expected_length);
    if bytes != header(stage, key, &payload) {
        return Err(broken("its key or its checksum does not match"));
    }
    Ok(payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGE: Stage = Stage { name: "layers", version: 2 };

    #[test]
    fn paths_spread_by_the_first_two_digits() {
        // The digest of nothing begins with e3b0c4.
        let path = relative_path(&Digest::of(b""));
        assert!(path.starts_with("e3/b0c4"), "{path}");
        let (directory, file) = path.split_once('/').unwrap();
        assert!(is_object_name(directory, file));
        assert!(!is_object_name("E3", file) && !is_object_name(directory, "b0c4"));
    }

    #[test]
    fn every_cut_flip_and_mistaken_key_is_noticed() {
        let key = Digest::of(b"key");
        let mut bytes = header(STAGE, &key, b"payload");
        bytes.extend_from_slice(b"payload");
        assert_eq!(parse(STAGE, &key, bytes.clone()).unwrap(), b"payload");
        assert!(parse(STAGE, &Digest::of(b"other"), bytes.clone()).is_err());
        assert!(parse(Stage { version: 3, ..STAGE }, &key, bytes.clone()).is_err());
        for position in 0..bytes.len() {
            assert!(parse(STAGE, &key, bytes[..position].to_vec()).is_err(), "cut to {position}");
            let mut changed = bytes.clone();
            changed[position] ^= 1;
            assert!(parse(STAGE, &key, changed).is_err(), "changed at {position}");
        }
    }
}
