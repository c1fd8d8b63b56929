//! One host that is spoken to over HTTP.
//!
//! Rule: HTTP/1.1 as ureq speaks it; no redirect is followed here, no proxy of the environment is used, and nothing is
//! compressed. HTTPS is tried first; a loopback host, or one that was named as insecure, may turn out not to speak it, and is then spoken
//! to over plain HTTP. Cost: one connection for each request at once, kept open between requests.

use std::io::ErrorKind;
use std::sync::OnceLock;

use rustls::{CertificateError, OtherError};
use ureq::http::{HeaderValue, Method, Request, Response, header};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{Connector as _, TcpConnector};
use ureq::{Agent, Body, Error};

use super::super::{StoreError, StoreErrorKind};
use super::address::Scheme;
use super::certificates;
use super::credentials::Secret;
use super::host::Host;
use super::options::{Pace, RegistryOptions};
use super::retry::Failure;
use super::tls::TlsConnector;

/// The name under which requests are made.
const USER_AGENT: &str = concat!("skipstone/", env!("CARGO_PKG_VERSION"));

/// A host, and how it is spoken to.
pub(super) struct Peer {
    host: Host,
    agent: Agent,
    may_be_plain: bool,
    /// Known after the first answer.
    scheme: OnceLock<Scheme>,
    pace: Pace,
}

/// What is asked of a host.
pub(super) struct Question<'q> {
    pub(super) method: Method,
    /// Path and query.
    pub(super) path: &'q str,
    /// Media types.
    pub(super) accept: &'q str,
    /// The value of `Authorization`.
    pub(super) authorization: Option<&'q Secret>,
}

impl Peer {
    /// A host that is yet to be spoken to.
    ///
    /// # Errors
    /// [`StoreError`] where its certificates cannot be read.
    pub(super) fn new(host: &Host, options: &RegistryOptions, is_insecure: bool) -> Result<Self, StoreError> {
        let pace = options.pace;
        let connector =
            ().chain(TcpConnector::default()).chain(TlsConnector::new(certificates::configuration(
                host,
                options,
                is_insecure,
            )?));
        let configuration = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .user_agent(USER_AGENT)
            .accept_encoding("identity")
            .max_idle_connections_per_host(options.limits.requests)
            .timeout_resolve(Some(pace.connect))
            .timeout_connect(Some(pace.connect))
            .timeout_send_request(Some(pace.answer))
            .timeout_recv_response(Some(pace.answer))
            .timeout_per_read(Some(pace.silence))
            .build();
        let agent = Agent::with_parts(configuration, connector, DefaultResolver::default());
        let may_be_plain = is_insecure || host.is_loopback();
        Ok(Self { host: host.clone(), agent, may_be_plain, scheme: OnceLock::new(), pace })
    }

    /// Whether an address means this host, by whichever scheme it is named.
    pub(super) fn is(&self, scheme: Scheme, host: &Host) -> bool {
        let own = self.scheme.get().copied().unwrap_or(Scheme::Https);
        host.clone().without_implied_port(scheme.name()) == self.host.clone().without_implied_port(own.name())
    }

    /// Whether this host may be spoken to without encryption.
    pub(super) fn may_be_plain(&self) -> bool {
        self.may_be_plain
    }

    /// Asks, and returns the answer as soon as its headers are here, whatever its status.
    ///
    /// # Errors
    /// A [`Failure`] where there is no answer.
    pub(super) fn ask(&self, question: &Question<'_>) -> Result<Response<Body>, Failure> {
        let scheme = self.scheme.get().copied();
        match self.ask_over(scheme.unwrap_or(Scheme::Https), question) {
            Err(error) if scheme.is_none() && self.may_be_plain && self.speaks_no_tls(&error) => {
                let answer = self.ask_over(Scheme::Http, question).map_err(|error| self.failure(&error))?;
                self.scheme.get_or_init(|| Scheme::Http);
                Ok(answer)
            }
            Err(error) => Err(self.failure(&error)),
            Ok(answer) => {
                self.scheme.get_or_init(|| Scheme::Https);
                Ok(answer)
            }
        }
    }

    fn ask_over(&self, scheme: Scheme, question: &Question<'_>) -> Result<Response<Body>, Error> {
        let address = format!("{}://{}{}", scheme.name(), self.host, question.path);
        let mut request =
            Request::builder().method(question.method.clone()).uri(address).header(header::ACCEPT, question.accept);
        if let Some(Secret(authorization)) = question.authorization {
            let mut value = HeaderValue::from_str(authorization).map_err(|error| Error::Http(error.into()))?;
            value.set_sensitive(true);
            request = request.header(header::AUTHORIZATION, value);
        }
        self.agent.run(request.body(())?)
    }

    /// Whether the other side took the first words of TLS for a broken request, or where nobody named a port, did not
    /// listen at that of HTTPS.
    fn speaks_no_tls(&self, error: &Error) -> bool {
        let Error::Io(error) = error else { return false };
        match tls_error(error) {
            Some(rustls::Error::InvalidMessage(_)) => true,
            Some(_) => false,
            None => match error.kind() {
                ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => true,
                ErrorKind::ConnectionRefused => self.host.port().is_none(),
                _ => false,
            },
        }
    }

    /// Tells in one sentence why there is no answer.
    pub(super) fn failure(&self, error: &Error) -> Failure {
        let host = &self.host;
        let last = |kind, what: &str| Failure::last(kind, format!("registry {host}: {what}"));
        match error {
            Error::Timeout(_) => {
                let longest = self.pace.answer.max(self.pace.silence).as_secs_f32();
                Failure::passing(format!("registry {host}: no answer within {longest} s ({error})"))
            }
            Error::Io(cause) => match tls_error(cause) {
                Some(rustls::Error::InvalidCertificate(reason)) => {
                    last(StoreErrorKind::Refused, &format!("its certificate is not believed: {}", distrust(reason)))
                }
                Some(rustls::Error::InvalidMessage(_)) => last(
                    StoreErrorKind::Refused,
                    "it does not speak TLS, and plain HTTP is for loopback and for hosts that are named as insecure",
                ),
                Some(reason) => last(StoreErrorKind::Refused, &format!("TLS cannot be spoken with it: {reason}")),
                None => Failure::passing(format!("registry {host}: {cause}")),
            },
            Error::HostNotFound => last(StoreErrorKind::Unreadable, "there is no host of this name"),
            Error::ConnectionFailed => Failure::passing(format!("registry {host}: no connection")),
            Error::LargeResponseHeader(..) => last(StoreErrorKind::Limit, "the headers of its answer are too long"),
            Error::Tls(reason) => last(StoreErrorKind::Refused, reason),
            _ => last(StoreErrorKind::Bad, "its answer is no HTTP, or the request cannot be made"),
        }
    }
}

/// What rustls says, where it is behind an error of reading.
fn tls_error(error: &std::io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}

/// Why a certificate is not believed, and what helps.
fn distrust(reason: &CertificateError) -> String {
    const HELP: &str = "name the authority that signed it, or put that into certs.d";
    match reason {
        CertificateError::UnknownIssuer => format!("nobody who is trusted here signed it; {HELP}"),
        CertificateError::Other(OtherError(cause)) => {
            format!("it is none of those that are trusted here ({cause}); {HELP}")
        }
        reason => reason.to_string(),
    }
}

#[cfg(test)]
#[path = "tests/peer.rs"]
mod tests;
