//! The rules of containers-certs.d(5).

use tempfile::TempDir;

use super::super::options::UserDirectories;
use super::*;

/// A certificate that was made for these tests, and its key, which guards nothing.
const CERTIFICATE: &str = include_str!("own_authority.pem");
const KEY: [&str; 3] = [
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQcikpG5YrxYrJTF6\n",
    "pvWMXVCuyNKOP0kUkUTtUASajGChRANCAATeoefi5V2p/QTvEOfNZmn/GTyBUbJI\n",
    "dR3kZLoo+30pGJVZmwhbvTnC7P4m93jSPNsgVguPIpN8Mob/tcGbE+9f\n",
];

fn key() -> String {
    format!("-----BEGIN PRIVATE KEY-----\n{}-----END PRIVATE KEY-----\n", KEY.concat())
}

/// A directory of certificates for `mirror.example:5000`.
fn directory(files: &[(&str, &str)]) -> (TempDir, RegistryOptions) {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("containers/certs.d/mirror.example:5000");
    std::fs::create_dir_all(&directory).unwrap();
    for (name, text) in files {
        std::fs::write(directory.join(name), text).unwrap();
    }
    let user = UserDirectories { configuration: Some(place.path().to_owned()), ..UserDirectories::default() };
    (place, RegistryOptions { user, ..RegistryOptions::default() })
}

fn fault(files: &[(&str, &str)]) -> StoreErrorKind {
    let (_place, options) = directory(files);
    configuration(&"mirror.example:5000".parse().unwrap(), &options, false).unwrap_err().kind
}

#[test]
fn authorities_and_a_client_are_taken_from_the_directory_of_the_host() {
    let key = key();
    let (_place, options) =
        directory(&[("ca.crt", CERTIFICATE), ("me.cert", CERTIFICATE), ("me.key", &key), ("README", "text")]);
    let host = "mirror.example:5000".parse().unwrap();
    let found = host_certificates(&host, &options).unwrap();
    assert_eq!((found.authorities.len(), found.client.unwrap().0.len()), (1, 1));
    assert!(configuration(&host, &options, false).unwrap().client_auth_cert_resolver.has_certs());
    let other = "mirror.example:5001".parse().unwrap();
    assert!(host_certificates(&other, &options).unwrap().authorities.is_empty());
}

#[test]
fn half_a_pair_is_a_fault() {
    assert_eq!(fault(&[("me.cert", CERTIFICATE)]), StoreErrorKind::Bad);
    assert_eq!(fault(&[("me.key", &key())]), StoreErrorKind::Bad);
}

#[test]
fn what_is_no_certificate_is_a_fault() {
    assert_eq!(fault(&[("ca.crt", "no certificate")]), StoreErrorKind::Bad);
    assert_eq!(
        fault(&[("ca.crt", "-----BEGIN CERTIFICATE-----\n%%%\n-----END CERTIFICATE-----\n")]),
        StoreErrorKind::Bad
    );
    assert_eq!(fault(&[("me.cert", CERTIFICATE), ("me.key", CERTIFICATE)]), StoreErrorKind::Bad);
    let huge = " ".repeat(usize::try_from(CERTIFICATE_BYTES).unwrap() + 1);
    assert_eq!(fault(&[("ca.crt", &huge)]), StoreErrorKind::Limit);
}

#[test]
fn a_file_that_was_named_must_be_there() {
    let certificate_authorities = vec![PathBuf::from("/nowhere/ca.crt")];
    let options = RegistryOptions { certificate_authorities, ..RegistryOptions::default() };
    let error = configuration(&"a.example".parse().unwrap(), &options, false).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unreadable);
    assert!(error.what.contains("/nowhere/ca.crt"));
}

#[test]
fn what_is_wrong_with_a_key_is_told_without_it() {
    let (_place, options) = directory(&[("me.cert", CERTIFICATE), ("me.key", "s3cret")]);
    let error = configuration(&"mirror.example:5000".parse().unwrap(), &options, false).unwrap_err();
    assert!(!error.what.contains("s3cret"), "{error}");
}
