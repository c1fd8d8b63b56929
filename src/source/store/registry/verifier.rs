//! Decides whether the certificate of a registry is believed.
//!
//! Rule: RFC 5280 as rustls-webpki checks it, and one thing more. A certificate that signs itself is often the server's own
//! and marked as an authority at once, as `openssl req -x509` makes it; webpki refuses that, Go's crypto/x509 takes it where the very
//! certificate is among the trusted ones, and so does this. Validity and names are checked all the same.
//! Cost: that of a chain of certificates.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// Believes what the trusted certificates sign, and the trusted certificates themselves.
#[derive(Debug)]
pub(super) struct Trusting {
    /// `None` where nobody is trusted.
    chains: Option<Arc<WebPkiServerVerifier>>,
    trusted: BTreeSet<Vec<u8>>,
    provider: Arc<CryptoProvider>,
}

impl Trusting {
    /// Trusts these certificates; those that cannot be read are left out.
    pub(super) fn new(trusted: Vec<CertificateDer<'static>>, provider: &Arc<CryptoProvider>) -> Self {
        let own = trusted.iter().map(|certificate| certificate.as_ref().to_vec()).collect();
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(trusted);
        let chains = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider)).build().ok();
        Self { chains, trusted: own, provider: Arc::clone(provider) }
    }
}

impl ServerCertVerifier for Trusting {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(chains) = &self.chains else {
            return Err(Error::InvalidCertificate(CertificateError::UnknownIssuer));
        };
        match chains.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            // webpki has no variant of rustls for an authority that is used as a server; validity is checked before it.
            Err(Error::InvalidCertificate(CertificateError::Other(_)))
                if self.trusted.contains(end_entity.as_ref()) =>
            {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
                Ok(ServerCertVerified::assertion())
            }
            verdict => verdict,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// Believes every certificate, for hosts that the user named as insecure.
#[derive(Debug)]
pub(super) struct Unchecked {
    provider: Arc<CryptoProvider>,
}

impl Unchecked {
    /// Believes everything.
    pub(super) fn new(provider: &Arc<CryptoProvider>) -> Self {
        Self { provider: Arc::clone(provider) }
    }
}

impl ServerCertVerifier for Unchecked {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _certificate: &CertificateDer<'_>,
        _signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _message: &[u8],
        _certificate: &CertificateDer<'_>,
        _signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
#[path = "tests/verifier.rs"]
mod tests;
