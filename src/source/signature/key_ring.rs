//! The keys by which a user wants releases to be signed.
//!
//! Rule: RFC 9580, section 10.1 (transferable public keys): what a primary key says of itself counts where it signed that
//! itself, the newest statement last; a subkey counts where the primary key bound it for signing and it agreed. A key whose
//! statements are signed over SHA-1 is still read, since the keys of Red Hat's older releases are: the user vouches for it.
//! Files may be binary or armoured; one of text may hold several blocks with words between them, as distributors ship them.
//! Cost: some verifications for each key.

use pgp::composed::{Deserializable, SignedPublicKey, SignedPublicSubKey};
use pgp::packet::{PublicKey, Signature, SignatureType, SubpacketData};
use pgp::types::{KeyDetails, Tag, VerifyingKey};

/// The most bytes of a file of keys.
pub const KEY_FILE_BYTES: usize = 1 << 20;

/// The most keys that are kept.
const KEYS: usize = 100;

const BLOCK_BEGINS: &str = "-----BEGIN PGP PUBLIC KEY BLOCK-----";
const BLOCK_ENDS: &str = "-----END PGP PUBLIC KEY BLOCK-----";
const PRIVATE_BLOCK_BEGINS: &str = "-----BEGIN PGP PRIVATE KEY BLOCK-----";

/// Why a file of keys cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct KeyError(String);

/// Public keys that a user trusts.
#[derive(Debug, Default)]
pub struct KeyRing {
    keys: Vec<SigningKey>,
}

/// A key that may sign: a primary key, or a subkey of one.
#[derive(Debug)]
pub(super) struct SigningKey {
    key: Box<dyn VerifyingKeyOfAnyKind>,
    /// Fingerprint of the primary key.
    fingerprint: String,
    created: i64,
    expires: Option<i64>,
    is_revoked: bool,
}

trait VerifyingKeyOfAnyKind: VerifyingKey + Send + Sync {}
impl<T: VerifyingKey + Send + Sync> VerifyingKeyOfAnyKind for T {}

impl KeyRing {
    /// Adds the keys of a file, and tells how many keys that may sign it had, subkeys included.
    ///
    /// # Errors
    /// [`KeyError`] where the file is too large, is no OpenPGP public key, or has no key that may sign.
    pub fn add(&mut self, file: &[u8]) -> Result<usize, KeyError> {
        if file.len() > KEY_FILE_BYTES {
            return Err(KeyError(format!("the file of keys has more than {KEY_FILE_BYTES} bytes")));
        }
        let certificates = if file.first().is_some_and(|byte| byte & 0x80 != 0) {
            SignedPublicKey::from_bytes_many(file).and_then(Iterator::collect).map_err(unreadable)?
        } else {
            armoured(&String::from_utf8_lossy(file))?
        };
        let found: Vec<SigningKey> = certificates.iter().flat_map(signing_keys).collect();
        if found.is_empty() {
            return Err(KeyError("the file has no public key that may sign and says so itself".to_owned()));
        }
        if self.keys.len().saturating_add(found.len()) > KEYS {
            return Err(KeyError(format!("there are more than {KEYS} keys")));
        }
        let count = found.len();
        self.keys.extend(found);
        Ok(count)
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(super) fn signing_keys(&self) -> impl Iterator<Item = &SigningKey> {
        self.keys.iter()
    }
}

impl SigningKey {
    pub(super) fn verifying(&self) -> &dyn VerifyingKey {
        &*self.key
    }

    /// Fingerprint of the primary key, in hexadecimal digits.
    pub(super) fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Seconds since 1970.
    pub(super) fn created(&self) -> i64 {
        self.created
    }

    /// Seconds since 1970.
    pub(super) fn expires(&self) -> Option<i64> {
        self.expires
    }

    pub(super) fn is_revoked(&self) -> bool {
        self.is_revoked
    }

    /// Whether a signature names this key, or none at all.
    pub(super) fn may_have_made(&self, signature: &Signature) -> bool {
        let (identifiers, fingerprints) = (signature.issuer_key_id(), signature.issuer_fingerprint());
        if identifiers.is_empty() && fingerprints.is_empty() {
            return true;
        }
        identifiers.contains(&&self.key.legacy_key_id()) || fingerprints.contains(&&self.key.fingerprint())
    }
}

/// The keys of every armoured block of a text.
fn armoured(text: &str) -> Result<Vec<SignedPublicKey>, KeyError> {
    if text.contains(PRIVATE_BLOCK_BEGINS) {
        return Err(KeyError("the file holds a private key: give the public one".to_owned()));
    }
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some((block, after)) = next_block(rest) {
        let (read, _) = SignedPublicKey::from_string_many(&block).map_err(unreadable)?;
        keys.extend(read.collect::<Result<Vec<_>, _>>().map_err(unreadable)?);
        rest = after;
    }
    if keys.is_empty() {
        return Err(KeyError("the file holds no OpenPGP public key".to_owned()));
    }
    Ok(keys)
}

/// The next armoured block, and what stands after it.
fn next_block(text: &str) -> Option<(String, &str)> {
    let (_, begun) = text.split_once(BLOCK_BEGINS)?;
    let (inside, after) = begun.split_once(BLOCK_ENDS)?;
    Some((format!("{BLOCK_BEGINS}{inside}{BLOCK_ENDS}\n"), after))
}

fn unreadable(error: pgp::errors::Error) -> KeyError {
    KeyError(format!("the file is no OpenPGP public key that can be read: {error}"))
}

/// The keys of a certificate that may sign; none where it says nothing valid of itself.
fn signing_keys(certificate: &SignedPublicKey) -> Vec<SigningKey> {
    let primary = &certificate.primary_key;
    let Some(terms) = newest(own_statements(certificate)) else { return Vec::new() };
    let revocations = &certificate.details.revocation_signatures;
    let is_revoked = revocations.iter().any(|revocation| revocation.verify_key(primary).is_ok());
    let fingerprint = format!("{:x}", primary.fingerprint());
    let expires = expiry(primary, terms);
    let subkeys = certificate.public_subkeys.iter().filter_map(|subkey| {
        let terms = newest(bindings(primary, subkey))?;
        let own = expiry(&subkey.key, terms);
        Some(SigningKey {
            key: Box::new(subkey.key.clone()),
            fingerprint: fingerprint.clone(),
            created: created(&subkey.key),
            expires: own.into_iter().chain(expires).min(),
            is_revoked: is_revoked || is_subkey_revoked(primary, subkey),
        })
    });
    let own = may_sign(terms).then(|| SigningKey {
        key: Box::new(primary.clone()),
        fingerprint: fingerprint.clone(),
        created: created(primary),
        expires,
        is_revoked,
    });
    own.into_iter().chain(subkeys).collect()
}

/// What a primary key validly says of itself: about its users, or about the key as such.
fn own_statements(certificate: &SignedPublicKey) -> impl Iterator<Item = &Signature> {
    let primary = &certificate.primary_key;
    let users = certificate.details.users.iter().flat_map(move |user| {
        user.signatures.iter().filter(move |signature| {
            signature.typ() != Some(SignatureType::CertRevocation)
                && signature.verify_certification(primary, Tag::UserId, &user.id).is_ok()
        })
    });
    let direct = certificate.details.direct_signatures.iter();
    users.chain(direct.filter(move |signature| signature.verify_key(primary).is_ok()))
}

/// The valid bindings of a subkey for signing, to which it agreed itself.
fn bindings<'a>(primary: &'a PublicKey, subkey: &'a SignedPublicSubKey) -> impl Iterator<Item = &'a Signature> {
    subkey.signatures.iter().filter(move |signature| {
        let agrees = |own: &Signature| own.verify_primary_key_binding(&subkey.key, primary).is_ok();
        signature.typ() == Some(SignatureType::SubkeyBinding)
            && signature.key_flags().sign()
            && signature.verify_subkey_binding(primary, &subkey.key).is_ok()
            && signature.embedded_signature().is_some_and(agrees)
    })
}

fn is_subkey_revoked(primary: &PublicKey, subkey: &SignedPublicSubKey) -> bool {
    subkey.signatures.iter().any(|signature| {
        signature.typ() == Some(SignatureType::SubkeyRevocation)
            && signature.verify_subkey_binding(primary, &subkey.key).is_ok()
    })
}

fn newest<'a>(statements: impl Iterator<Item = &'a Signature>) -> Option<&'a Signature> {
    statements.max_by_key(|statement| statement.created())
}

/// Whether a statement lets its key sign; one that says nothing of uses allows all.
fn may_sign(terms: &Signature) -> bool {
    let states_uses = terms.config().is_some_and(|config| {
        config.hashed_subpackets().any(|subpacket| matches!(subpacket.data, SubpacketData::KeyFlags(_)))
    });
    !states_uses || terms.key_flags().sign()
}

fn created(key: &impl KeyDetails) -> i64 {
    i64::from(key.created_at().as_secs())
}

/// When a key expires, in seconds since 1970; a term of 0 means never.
fn expiry(key: &impl KeyDetails, terms: &Signature) -> Option<i64> {
    let lasts = terms.key_expiration_time().map(|lasts| i64::from(lasts.as_secs()));
    lasts.filter(|lasts| *lasts > 0).map(|lasts| created(key).saturating_add(lasts))
}
