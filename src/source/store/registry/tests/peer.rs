//! When plain HTTP is spoken, and when it is not.

use std::io;

use super::super::tests::server::{Server, json};
use super::*;

fn peer(host: &str, is_insecure: bool) -> Peer {
    Peer::new(&host.parse().unwrap(), &RegistryOptions::default(), is_insecure).unwrap()
}

fn greeting() -> Question<'static> {
    Question { method: Method::GET, path: "/v2/", accept: "*/*", authorization: None }
}

fn tls(error: rustls::Error) -> Error {
    Error::Io(io::Error::new(ErrorKind::InvalidData, error))
}

#[test]
fn loopback_and_insecure_hosts_may_be_plain() {
    for (host, is_insecure, may_be_plain) in [
        ("127.0.0.1:5000", false, true),
        ("localhost", false, true),
        ("a.example", false, false),
        ("10.0.0.1", false, false),
        ("a.example", true, true),
    ] {
        assert_eq!(peer(host, is_insecure).may_be_plain(), may_be_plain, "{host}");
    }
}

#[test]
fn plain_http_is_not_spoken_where_it_is_not_permitted() {
    let server = Server::start(|_, _| json("{}"));
    let mut peer = peer(&server.host, false);
    peer.may_be_plain = false;
    let Err(Failure::Final(error)) = peer.ask(&greeting()) else { panic!("it must be refused for good") };
    assert!(error.kind == StoreErrorKind::Refused && error.what.contains("does not speak TLS"), "{error}");
    assert_eq!(server.asked(), []);
}

#[test]
fn once_tls_was_spoken_nothing_else_is() {
    let server = Server::start(|_, _| json("{}"));
    let peer = peer(&server.host, false);
    peer.scheme.set(Scheme::Https).unwrap();
    assert!(peer.ask(&greeting()).is_err());
    assert_eq!(server.asked(), []);
}

#[test]
fn a_certificate_that_is_not_believed_is_no_reason_to_go_without() {
    let invalid_message = tls(rustls::Error::InvalidMessage(rustls::InvalidMessage::InvalidContentType));
    let unknown_issuer = tls(rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer));
    let broken = |kind: ErrorKind| Error::Io(kind.into());
    for (host, error, speaks_no_tls) in [
        ("localhost:5000", invalid_message, true),
        ("localhost:5000", unknown_issuer, false),
        ("localhost:5000", tls(rustls::Error::DecryptError), false),
        ("localhost:5000", broken(ErrorKind::ConnectionReset), true),
        ("localhost:5000", broken(ErrorKind::ConnectionRefused), false),
        ("localhost", broken(ErrorKind::ConnectionRefused), true),
        ("localhost", broken(ErrorKind::TimedOut), false),
        ("localhost", Error::HostNotFound, false),
    ] {
        assert_eq!(peer(host, false).speaks_no_tls(&error), speaks_no_tls, "{host} {error:?}");
    }
}

#[test]
fn the_reason_for_distrust_says_what_helps() {
    let unknown = distrust(&CertificateError::UnknownIssuer);
    assert_eq!(
        unknown,
        "nobody who is trusted here signed it; name the authority that signed it, or put that into certs.d"
    );
    assert!(!distrust(&CertificateError::NotValidForName).contains("certs.d"));
}
