//! Signatures made here by keys made here: good ones, and each way in which one can be wrong.

use pgp::composed::{
    ArmorOptions, EncryptionCaps, KeyType, MessageBuilder, SecretKeyParamsBuilder, SignedSecretKey, SubkeyParamsBuilder,
};
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{KeyFlags, SignatureConfig, SignatureType, Subpacket, SubpacketData};
use pgp::ser::Serialize as _;
use pgp::types::{CompressionAlgorithm, Duration, KeyDetails as _, Password, Tag, Timestamp};
use rand::SeedableRng as _;
use rand::rngs::StdRng;

use super::sample::*;
use super::*;

fn payload() -> ContentDigest {
    ContentDigest::of(b"payload")
}

fn at(seconds: u32) -> jiff::Timestamp {
    jiff::Timestamp::from_second(i64::from(seconds)).unwrap()
}

/// A key whose primary part certifies only, and whose subkey signs.
fn key_with_subkey() -> SignedSecretKey {
    let made = Timestamp::from_secs(KEY_MADE);
    let mut subkey = SubkeyParamsBuilder::default();
    subkey.key_type(KeyType::Ed25519Legacy).can_sign(true).can_encrypt(EncryptionCaps::None).created_at(made);
    let mut builder = SecretKeyParamsBuilder::default();
    builder.key_type(KeyType::Ed25519Legacy).can_certify(true).created_at(made);
    builder.primary_user_id("subkey".to_owned()).subkeys(vec![subkey.build().unwrap()]);
    builder.build().unwrap().generate(StdRng::seed_from_u64(9)).unwrap()
}

/// The same key, saying of itself that it lasts so many days.
fn lasting(mut key: SignedSecretKey, days: u32) -> SignedSecretKey {
    let public = key.to_public_key().primary_key;
    let mut flags = KeyFlags::default();
    flags.set_sign(true);
    let mut config =
        SignatureConfig::v4(SignatureType::CertPositive, key.primary_key.algorithm(), HashAlgorithm::Sha256);
    config.hashed_subpackets = vec![
        Subpacket::regular(SubpacketData::SignatureCreationTime(Timestamp::from_secs(KEY_MADE))).unwrap(),
        Subpacket::regular(SubpacketData::IssuerFingerprint(public.fingerprint())).unwrap(),
        Subpacket::regular(SubpacketData::KeyFlags(flags)).unwrap(),
        Subpacket::regular(SubpacketData::KeyExpirationTime(Duration::from_secs(days * DAY))).unwrap(),
    ];
    let user = &mut key.details.users[0];
    let own = config.sign_certification(&key.primary_key, &public, &Password::empty(), Tag::UserId, &user.id).unwrap();
    user.signatures = vec![own];
    key
}

fn revoked(mut key: SignedSecretKey) -> SignedSecretKey {
    let public = key.to_public_key().primary_key;
    let mut config =
        SignatureConfig::v4(SignatureType::KeyRevocation, key.primary_key.algorithm(), HashAlgorithm::Sha256);
    config.hashed_subpackets =
        vec![Subpacket::regular(SubpacketData::SignatureCreationTime(Timestamp::from_secs(SIGNED))).unwrap()];
    let revocation = config.sign_key(&key.primary_key, &Password::empty(), &public).unwrap();
    key.details.revocation_signatures.push(revocation);
    key
}

fn ring(keys: &[&SignedSecretKey]) -> KeyRing {
    let mut ring = KeyRing::default();
    for key in keys {
        ring.add(&key.to_public_key().to_bytes().unwrap()).unwrap();
    }
    ring
}

fn verdict(message: &[u8], keys: &[&SignedSecretKey]) -> SignatureVerdict {
    verify_release_signature(message, &payload(), &ring(keys), at(SIGNED + DAY))
}

fn reason(verdict: SignatureVerdict) -> (bool, String) {
    match verdict {
        SignatureVerdict::Bad { reason } => (true, reason),
        SignatureVerdict::NotVerified { reason } => (false, reason),
        SignatureVerdict::Verified { .. } => panic!("it must not be verified"),
    }
}

#[track_caller]
fn is_bad(verdict: SignatureVerdict, because: &str) {
    let (is_bad, reason) = reason(verdict);
    assert!(is_bad && reason.contains(because), "{reason}");
}

#[track_caller]
fn is_unproven(verdict: SignatureVerdict, because: &str) {
    let (is_bad, reason) = reason(verdict);
    assert!(!is_bad && reason.contains(because), "{reason}");
}

fn good(key: &SignedSecretKey) -> SignatureVerdict {
    SignatureVerdict::Verified {
        key: format!("{:x}", key.primary_key.fingerprint()),
        reference: "quay.example.com/release:4.18.2".to_owned(),
        digest: payload(),
    }
}

#[test]
fn a_good_signature_is_verified_in_every_form() {
    let (first, second) = (key(1), key(2));
    let body = statement(&payload());
    assert_eq!(verdict(&signed(&first, &body), &[&second, &first]), good(&first));
    for compression in [CompressionAlgorithm::ZIP, CompressionAlgorithm::ZLIB, CompressionAlgorithm::Uncompressed] {
        let mut builder = MessageBuilder::from_bytes("", body.clone());
        builder.compression(compression);
        let subpackets = dated(&first.primary_key, SIGNED, None);
        builder.sign_with_subpackets(&first.primary_key, Password::empty(), HashAlgorithm::Sha512, subpackets);
        let armoured = builder.to_armored_string(StdRng::seed_from_u64(0), ArmorOptions::default()).unwrap();
        assert_eq!(verdict(armoured.as_bytes(), &[&first]), good(&first), "{compression:?}");
    }
}

#[test]
fn keys_are_read_in_every_form() {
    let (first, second) = (key(1), key(2));
    let armoured = |key: &SignedSecretKey| key.to_public_key().to_armored_string(ArmorOptions::default()).unwrap();
    let text = format!("The first key:\n\n{}\nand the second\n{}bye\n", armoured(&second), armoured(&first));
    let mut ring = KeyRing::default();
    assert_eq!(ring.add(text.as_bytes()), Ok(2));
    let message = signed(&first, &statement(&payload()));
    assert_eq!(verify_release_signature(&message, &payload(), &ring, at(SIGNED)), good(&first));
    let private = first.to_armored_string(ArmorOptions::default()).unwrap();
    assert!(ring.add(private.as_bytes()).unwrap_err().to_string().contains("private key"));
    let cut = armoured(&first);
    for file in [b"".as_slice(), b"text", b"\xff\x00\x01", &vec![b' '; KEY_FILE_BYTES + 1], &cut.as_bytes()[..100]] {
        assert!(ring.add(file).is_err());
    }
}

#[test]
fn a_subkey_signs_for_its_primary_key() {
    let key = key_with_subkey();
    let subkey = &key.secret_subkeys[0].key;
    let body = statement(&payload());
    let by_subkey = signed_by(subkey, &body, HashAlgorithm::Sha256, dated(subkey, SIGNED, None));
    assert_eq!(verdict(&by_subkey, &[&key]), good(&key));
    is_unproven(verdict(&signed(&key, &body), &[&key]), "which was not given");
}

#[test]
fn without_keys_nothing_is_verified() {
    is_unproven(verdict(&signed(&key(1), &statement(&payload())), &[]), "no key was given");
}

#[test]
fn attack_an_altered_body() {
    let key = key(1);
    let other = ContentDigest::of(b"other");
    let message = signed(&key, &statement(&other));
    let (from, to) = (other.hex(), payload().hex());
    let start = message.windows(64).position(|window| window == from.as_bytes()).unwrap();
    let mut altered = message.clone();
    altered[start..start + 64].copy_from_slice(to.as_bytes());
    is_bad(verdict(&altered, &[&key]), "does not fit its body");
}

#[test]
fn attack_a_wrong_key() {
    let (right, wrong) = (key(1), key(2));
    let verdict = verdict(&signed(&wrong, &statement(&payload())), &[&right]);
    is_unproven(verdict, &format!("{:x}, which was not given", wrong.primary_key.fingerprint()));
}

#[test]
fn attack_a_key_that_only_claims_to_be_the_right_one() {
    let (right, wrong) = (key(1), key(2));
    let claims = dated(&right.primary_key, SIGNED, None);
    let message = signed_by(&wrong.primary_key, &statement(&payload()), HashAlgorithm::Sha256, claims);
    is_bad(verdict(&message, &[&right]), "does not fit its body");
}

#[test]
fn attack_a_wrong_digest() {
    let key = key(1);
    let other = ContentDigest::of(b"other");
    is_bad(verdict(&signed(&key, &statement(&other)), &[&key]), &format!("it is a signature of {other}, not of"));
}

#[test]
fn attack_a_statement_of_another_type() {
    let key = key(1);
    let body = statement(&payload());
    for (other, because) in [
        (body.replace("atomic container signature", "atomic signature"), "of the type"),
        (body.replace("\"type\"", "\"more\": 1, \"type\""), "unknown field"),
        (body.replace("\"optional\"", "\"critical\": {}, \"optional\""), "no statement"),
        (body.replace("sha256:", "md5:"), "states no digest"),
        ("hello".to_owned(), "no JSON object"),
        (String::new(), "no JSON object"),
    ] {
        is_bad(verdict(&signed(&key, &other), &[&key]), because);
    }
}

#[test]
fn attack_an_expired_key() {
    let key = lasting(key(1), 30);
    let message = signed(&key, &statement(&payload()));
    let ring = ring(&[&key]);
    let at_instant = |seconds| verify_release_signature(&message, &payload(), &ring, at(seconds));
    assert_eq!(at_instant(KEY_MADE + 30 * DAY - 1), good(&key));
    is_unproven(at_instant(KEY_MADE + 30 * DAY), "has expired");
}

#[test]
fn attack_a_revoked_key() {
    let key = revoked(key(1));
    is_unproven(verdict(&signed(&key, &statement(&payload())), &[&key]), "is revoked");
}

#[test]
fn attack_an_expired_signature_and_one_older_than_its_key() {
    let key = key(1);
    let signer = &key.primary_key;
    let body = statement(&payload());
    let message = signed_by(signer, &body, HashAlgorithm::Sha256, dated(signer, SIGNED, Some(DAY)));
    is_unproven(verdict(&message, &[&key]), "it has expired");
    let message = signed_by(signer, &body, HashAlgorithm::Sha256, dated(signer, KEY_MADE - 1, None));
    is_unproven(verdict(&message, &[&key]), "older than its key");
}

#[test]
fn attack_a_weak_hash() {
    let key = key(1);
    let mut message = signed(&key, &statement(&payload()));
    // Version, type, hash of the packet before the body; version, type, algorithm, hash of the one after it. The library
    // makes no weak signatures, and so their number is written over: 8 is SHA-256, 2 is SHA-1.
    for (before, offset) in [([3, 0, 8, 22], 2), ([4, 0, 22, 8], 3)] {
        let start = message.windows(4).position(|window| window == before).unwrap();
        message[start + offset] = 2;
    }
    is_unproven(verdict(&message, &[&key]), "can be forged");
}

#[test]
fn attack_a_truncated_message() {
    let key = key(1);
    let message = signed(&key, &statement(&payload()));
    let ring = ring(&[&key]);
    for end in 0..message.len() {
        let cut = verify_release_signature(&message[..end], &payload(), &ring, at(SIGNED));
        let (_, reason) = reason(cut);
        assert!(!reason.is_empty(), "cut at {end}");
    }
}

#[test]
fn attack_garbage() {
    let key = key(1);
    for bytes in [b"".as_slice(), b"\xff", b"text", b"{}", b"-----BEGIN PGP MESSAGE-----\n", &[0xa3; 500], &[0x90; 500]]
    {
        is_bad(verdict(bytes, &[&key]), "");
    }
    is_bad(verdict(&vec![0xff; SIGNATURE_BYTES + 1], &[&key]), "more than 65536 bytes");
}

#[test]
fn attack_a_message_that_nobody_signed() {
    let message = MessageBuilder::from_bytes("", statement(&payload())).to_vec(StdRng::seed_from_u64(0)).unwrap();
    is_bad(verdict(&message, &[&key(1)]), "not signed");
}

#[test]
fn attack_a_compressed_message_of_any_size() {
    let key = key(1);
    let mut builder = MessageBuilder::from_bytes("", vec![b' '; 4 << 20]);
    builder.compression(CompressionAlgorithm::ZLIB).sign(&key.primary_key, Password::empty(), HashAlgorithm::Sha256);
    let message = builder.to_vec(StdRng::seed_from_u64(0)).unwrap();
    assert!(message.len() < SIGNATURE_BYTES);
    is_bad(verdict(&message, &[&key]), "holds more than 65536 bytes");
}

#[test]
fn attack_more_than_one_signature() {
    let (first, second) = (key(1), key(2));
    let mut builder = MessageBuilder::from_bytes("", statement(&payload()));
    builder.sign(&first.primary_key, Password::empty(), HashAlgorithm::Sha256);
    builder.sign(&second.primary_key, Password::empty(), HashAlgorithm::Sha256);
    is_bad(verdict(&builder.to_vec(StdRng::seed_from_u64(0)).unwrap(), &[&first]), "it has 2 signatures");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
    #[test]
    fn no_altered_byte_is_verified_as_something_else(position: proptest::sample::Index, change in 1_u8..) {
        let key = key(1);
        let mut message = signed(&key, &statement(&payload()));
        let position = position.index(message.len());
        message[position] ^= change;
        // Some bytes do not count, such as the name of the literal file: what is verified is what was signed.
        let verdict = verdict(&message, &[&key]);
        if matches!(verdict, SignatureVerdict::Verified { .. }) {
            proptest::prop_assert_eq!(verdict, good(&key));
        }
    }
}
