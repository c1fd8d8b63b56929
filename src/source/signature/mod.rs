//! Signatures of releases and images, checked without a network.
//!
//! A release signature is an OpenPGP message whose body states a digest (`containers/image`, docs/containers-signature.5.md
//! and `signature/simple.go`; cincinnati and library-go, `pkg/verify`). A file that lies where signatures lie proves nothing
//! by itself: here the whole body is read, then the signature checked against keys that the user names, then the kind of
//! statement, then its digest, and only then is the name believed that it gives.
//!
//! Bounds: messages are of a kilobyte, and 64 KiB are read; what is compressed may not be larger either; exactly one
//! signature counts. Cost: one verification by each key that the message names.

mod config_map;
mod key_ring;
mod message;
#[cfg(test)]
pub(crate) mod sample;
mod statement;

use crate::finding::ContentDigest;

pub use config_map::{ConfigMapSignatures, StoredSignature, digest_in_name, signatures_in_config_maps};
pub use key_ring::{KEY_FILE_BYTES, KeyError, KeyRing};
use message::{Check, Opened};
use statement::Statement;

/// The most bytes of a signature, and of what it holds.
pub const SIGNATURE_BYTES: usize = 64 << 10;

/// What a release signature proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureVerdict {
    /// It is a signature of this digest, by a key that was given.
    Verified {
        /// Fingerprint of the key, in hexadecimal digits; of the primary key where a subkey signed.
        key: String,
        /// The name under which the release was signed.
        reference: String,
        /// The digest.
        digest: ContentDigest,
    },
    /// Nothing is proven, and nothing disproven: why.
    NotVerified {
        /// A sentence.
        reason: String,
    },
    /// It is no signature of this digest: why.
    Bad {
        /// A sentence.
        reason: String,
    },
}

impl SignatureVerdict {
    fn bad(reason: impl Into<String>) -> Self {
        Self::Bad { reason: reason.into() }
    }

    fn not_verified(reason: impl Into<String>) -> Self {
        Self::NotVerified { reason: reason.into() }
    }
}

/// Checks the signature of a release: an OpenPGP message, binary or armoured, that must state the payload's digest.
///
/// `now` is the instant for which keys and signatures must not have expired. A signature may be younger than that: the
/// clocks of sites without a network go wrong, and reports are made for a given day.
///
/// # Examples
/// ```
/// use skipstone::finding::ContentDigest;
/// use skipstone::source::signature::{KeyRing, SignatureVerdict, verify_release_signature};
///
/// let payload = ContentDigest::of(b"manifest");
/// let verdict = verify_release_signature(b"no signature", &payload, &KeyRing::default(), jiff::Timestamp::UNIX_EPOCH);
/// assert!(matches!(verdict, SignatureVerdict::Bad { .. }));
/// ```
pub fn verify_release_signature(
    message: &[u8],
    payload: &ContentDigest,
    keys: &KeyRing,
    now: jiff::Timestamp,
) -> SignatureVerdict {
    let opened = match Opened::read(message) {
        Ok(opened) => opened,
        Err(reason) => return SignatureVerdict::bad(reason),
    };
    if keys.is_empty() {
        return SignatureVerdict::not_verified("no key was given");
    }
    let key = match opened.check(keys, now) {
        Check::Good(key) => key,
        Check::Unproven(reason) => return SignatureVerdict::not_verified(reason),
        Check::Bad(reason) => return SignatureVerdict::bad(reason),
    };
    match Statement::read(&opened.body) {
        Err(reason) => SignatureVerdict::bad(reason),
        Ok(statement) if statement.digest != *payload => {
            SignatureVerdict::bad(format!("it is a signature of {}, not of {payload}", statement.digest))
        }
        Ok(Statement { digest, reference }) => SignatureVerdict::Verified { key, reference, digest },
    }
}

#[cfg(test)]
mod tests;
