//! OpenPGP messages: opened within limits, then checked.
//!
//! Rule: RFC 9580, sections 10.3 (what a message consists of) and 5.2 (signatures). The parser is rPGP's; bounds are ours,
//! since a compressed message of a kilobyte can be one of gigabytes.

use std::io::{Cursor, Read};

use pgp::composed::Message;
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{Signature, SignatureType};

use super::SIGNATURE_BYTES;
use super::key_ring::{KeyRing, SigningKey};

/// Compressions inside one another that are undone; signers make at most one.
const COMPRESSIONS: usize = 3;

/// A signed message that was read to its end.
pub(super) struct Opened {
    /// What was signed.
    pub(super) body: Vec<u8>,
    message: Message<'static>,
}

/// What the check of a signature gave.
pub(super) enum Check {
    /// It is good: the fingerprint of the primary key.
    Good(String),
    /// It can be neither confirmed nor refuted, and why.
    Unproven(String),
    /// It is wrong, and why.
    Bad(String),
}

impl Opened {
    /// Opens a message and reads all of it, or says why that cannot be.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > SIGNATURE_BYTES {
            return Err(format!("it has more than {SIGNATURE_BYTES} bytes"));
        }
        let mut packets = bytes.to_vec();
        for _ in 0..=COMPRESSIONS {
            let (message, _) = Message::from_reader(Cursor::new(packets)).map_err(unreadable)?;
            packets = match message {
                Message::Compressed { reader, .. } => limited(&mut reader.decompress().map_err(unreadable)?)?,
                Message::Literal { .. } => return Err("it is not signed".to_owned()),
                Message::Encrypted { .. } => return Err("it is encrypted".to_owned()),
                signed @ Message::Signed { .. } => return Self::signed(signed),
            };
        }
        Err(format!("it is compressed more than {COMPRESSIONS} times"))
    }

    fn signed(mut message: Message<'static>) -> Result<Self, String> {
        let Message::Signed { reader, .. } = &message else { return Err("it is not signed".to_owned()) };
        let count = reader.num_signatures();
        if count != 1 {
            return Err(format!("it has {count} signatures, and that of a release has one"));
        }
        if !matches!(reader.get_ref(), Message::Literal { .. }) {
            return Err("what it signs is no literal data".to_owned());
        }
        let body = limited(&mut message)?;
        Ok(Self { body, message })
    }

    /// Checks the signature against the keys, at an instant.
    pub(super) fn check(&self, keys: &KeyRing, now: jiff::Timestamp) -> Check {
        let Message::Signed { reader, .. } = &self.message else { return Check::Bad("it is not signed".to_owned()) };
        let Some(signature) = reader.signature(0) else { return Check::Bad("its signature is missing".to_owned()) };
        if !matches!(signature.typ(), Some(SignatureType::Binary | SignatureType::Text)) {
            return Check::Bad("its signature is not one of a document".to_owned());
        }
        if let Some(weak) = signature.hash_alg().filter(|algorithm| is_weak(*algorithm)) {
            return Check::Unproven(format!("it is signed over {weak}, which can be forged"));
        }
        let named: Vec<&SigningKey> = keys.signing_keys().filter(|key| key.may_have_made(signature)).collect();
        if named.is_empty() {
            return Check::Unproven(format!("it is signed by {}, which was not given", issuer(signature)));
        }
        let verifies = |key: &&SigningKey| self.message.verify(key.verifying()).is_ok();
        match named.into_iter().find(verifies) {
            Some(key) => timely(key, signature, now),
            None => Check::Bad("its signature does not fit its body".to_owned()),
        }
    }
}

/// Holds the dates of a good signature against those of its key.
fn timely(key: &SigningKey, signature: &Signature, now: jiff::Timestamp) -> Check {
    let fingerprint = key.fingerprint();
    let Some(made) = signature.created().map(|made| i64::from(made.as_secs())) else {
        return Check::Bad("its signature does not say when it was made".to_owned());
    };
    let lasts = signature.signature_expiration_time().map(|lasts| i64::from(lasts.as_secs()));
    let until = lasts.filter(|lasts| *lasts > 0).map(|lasts| made.saturating_add(lasts));
    let now = now.as_second();
    if key.is_revoked() {
        return Check::Unproven(format!("its key {fingerprint} is revoked"));
    }
    if made < key.created() {
        return Check::Unproven(format!("it is older than its key {fingerprint}"));
    }
    if key.expires().is_some_and(|expires| expires <= now) {
        return Check::Unproven(format!("its key {fingerprint} has expired"));
    }
    if until.is_some_and(|until| until <= now) {
        return Check::Unproven("it has expired".to_owned());
    }
    Check::Good(fingerprint.to_owned())
}

/// Hashes for which two texts of one value can be made.
fn is_weak(algorithm: HashAlgorithm) -> bool {
    matches!(algorithm, HashAlgorithm::None | HashAlgorithm::Md5 | HashAlgorithm::Sha1 | HashAlgorithm::Ripemd160)
}

fn issuer(signature: &Signature) -> String {
    let fingerprint = signature.issuer_fingerprint().first().map(|fingerprint| format!("the key {fingerprint:x}"));
    let identifier = || signature.issuer_key_id().first().map(|identifier| format!("the key {identifier}"));
    fingerprint.or_else(identifier).unwrap_or_else(|| "a key that it does not name".to_owned())
}

/// Everything that a reader has, where that is no more than a signature may hold.
fn limited(reader: &mut dyn Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let most = u64::try_from(SIGNATURE_BYTES).unwrap_or(u64::MAX);
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > SIGNATURE_BYTES {
        return Err(format!("it holds more than {SIGNATURE_BYTES} bytes"));
    }
    Ok(bytes)
}

fn unreadable(error: impl std::fmt::Display) -> String {
    format!("it is no OpenPGP message that can be read: {error}")
}
