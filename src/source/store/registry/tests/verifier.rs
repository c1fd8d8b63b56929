//! A certificate that signs itself, made by `openssl req -x509` for `registry.example` and 127.0.0.1, valid from November
//! 2026 to November 2126.

use std::time::Duration;

use rustls::pki_types::pem::PemObject as _;

use super::*;

/// Seconds from 1970 to 2030, and to 2200.
const IN_2030: u64 = 1_893_456_000;
const IN_2200: u64 = 7_258_118_400;

fn own_authority() -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(include_bytes!("own_authority.pem")).unwrap()
}

fn verdict(trusted: Vec<CertificateDer<'static>>, name: &str, seconds: u64) -> Result<(), Error> {
    let verifier = Trusting::new(trusted, &Arc::new(rustls::crypto::ring::default_provider()));
    let (name, now) =
        (ServerName::try_from(name.to_owned()).unwrap(), UnixTime::since_unix_epoch(Duration::from_secs(seconds)));
    verifier.verify_server_cert(&own_authority(), &[], &name, &[], now).map(|_| ())
}

#[test]
fn a_trusted_certificate_is_believed_though_it_is_an_authority() {
    for name in ["registry.example", "127.0.0.1"] {
        assert_eq!(verdict(vec![own_authority()], name, IN_2030), Ok(()), "{name}");
    }
}

#[test]
fn names_and_times_count_all_the_same() {
    let of_another = verdict(vec![own_authority()], "other.example", IN_2030).unwrap_err();
    assert!(matches!(of_another, Error::InvalidCertificate(CertificateError::NotValidForNameContext { .. })));
    let too_late = verdict(vec![own_authority()], "registry.example", IN_2200).unwrap_err();
    assert!(matches!(too_late, Error::InvalidCertificate(CertificateError::ExpiredContext { .. })));
}

#[test]
fn a_certificate_that_nobody_trusts_is_not_believed() {
    let error = verdict(Vec::new(), "registry.example", IN_2030).unwrap_err();
    assert_eq!(error, Error::InvalidCertificate(CertificateError::UnknownIssuer));
    let unreadable = CertificateDer::from(vec![0x30, 0x00]);
    assert!(verdict(vec![unreadable], "registry.example", IN_2030).is_err());
}
