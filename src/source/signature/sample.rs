//! Keys and signatures that tests make.

use pgp::composed::{KeyType, MessageBuilder, SecretKeyParamsBuilder, SignedSecretKey, SubpacketConfig};
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{Subpacket, SubpacketData};
use pgp::ser::Serialize as _;
use pgp::types::{Duration, Password, SigningKey, Timestamp};
use rand::SeedableRng as _;
use rand::rngs::StdRng;

use crate::finding::ContentDigest;

/// 2026-01-01T00:00:00Z.
pub(crate) const KEY_MADE: u32 = 1_767_225_600;
pub(crate) const DAY: u32 = 86_400;
pub(crate) const SIGNED: u32 = KEY_MADE + 10 * DAY;

pub(crate) fn statement(digest: &ContentDigest) -> String {
    format!(
        r#"{{"critical": {{"type": "atomic container signature", "image": {{"docker-manifest-digest": "{digest}"}},
            "identity": {{"docker-reference": "quay.example.com/release:4.18.2"}}}}, "optional": {{"creator": "x"}}}}"#
    )
}

pub(crate) fn key(seed: u64) -> SignedSecretKey {
    let mut builder = SecretKeyParamsBuilder::default();
    builder
        .key_type(KeyType::Ed25519Legacy)
        .can_sign(true)
        .can_certify(true)
        .created_at(Timestamp::from_secs(KEY_MADE))
        .primary_user_id(format!("key {seed}"));
    builder.build().unwrap().generate(StdRng::seed_from_u64(seed)).unwrap()
}

pub(crate) fn dated(signer: &dyn SigningKey, made: u32, lasts: Option<u32>) -> SubpacketConfig {
    let lasts = lasts.map(|lasts| SubpacketData::SignatureExpirationTime(Duration::from_secs(lasts)));
    let made = SubpacketData::SignatureCreationTime(Timestamp::from_secs(made));
    let data = [Some(SubpacketData::IssuerFingerprint(signer.fingerprint())), Some(made), lasts];
    let hashed = data.into_iter().flatten().map(|data| Subpacket::regular(data).unwrap()).collect();
    SubpacketConfig::UserDefined { hashed, unhashed: Vec::new() }
}

/// A message with one signature, as release signers make it.
pub(crate) fn signed_by(
    signer: &dyn SigningKey,
    body: &str,
    hash: HashAlgorithm,
    subpackets: SubpacketConfig,
) -> Vec<u8> {
    let mut builder = MessageBuilder::from_bytes("", body.to_owned());
    builder.sign_with_subpackets(signer, Password::empty(), hash, subpackets);
    builder.to_vec(StdRng::seed_from_u64(0)).unwrap()
}

pub(crate) fn signed(key: &SignedSecretKey, body: &str) -> Vec<u8> {
    signed_by(&key.primary_key, body, HashAlgorithm::Sha256, dated(&key.primary_key, SIGNED, None))
}

/// The public part of a key, as a file.
pub(crate) fn key_file(key: &SignedSecretKey) -> Vec<u8> {
    key.to_public_key().to_bytes().unwrap()
}
