//! Asks a registry: with credentials where it wants them, again where that helps, and elsewhere only where the user said so.
//!
//! Rule: OCI distribution specification, "API" (paths and status), containers/image `docker/docker_client.go` (the challenge is learnt from
//! `GET /v2/`). A redirect is followed on the same host; for blobs, to hosts that the user named as well. Credentials never go
//! to another host. Cost: one request for each question, one more for the first of a repository that needs a token.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ureq::Body;
use ureq::http::{HeaderMap, Method, Response, StatusCode};

use super::super::{StoreError, StoreErrorKind};
use super::address::{self, Scheme};
use super::authorization::Scope;
use super::body::Paced;
use super::challenge::{Challenge, challenges};
use super::credentials::{Credentials, Secret};
use super::gate::Gate;
use super::host::Host;
use super::options::RegistryOptions;
use super::peer::{Peer, Question};
use super::retry::{Failure, asked_wait, retry};

/// Redirects that are followed one after the other.
const MOST_REDIRECTS: usize = 5;

/// Hosts that are spoken to in one run: the registry, where it keeps blobs, and who gives out its tokens.
const MOST_PEERS: usize = 16;

/// A registry as a client sees it.
pub(super) struct Client {
    pub(super) host: Host,
    options: RegistryOptions,
    insecure: Vec<Host>,
    named: Vec<Host>,
    pub(super) credentials: Credentials,
    gate: Gate,
    peers: Mutex<BTreeMap<Host, Arc<Peer>>>,
    /// How the registry wants to be asked, as it said at first.
    pub(super) challenges: OnceLock<Vec<Challenge>>,
    pub(super) authorizations: Mutex<BTreeMap<Scope, Secret>>,
}

/// A question to the registry.
pub(super) struct Inquiry<'i> {
    pub(super) method: Method,
    /// Path and query.
    pub(super) path: &'i str,
    pub(super) accept: &'i str,
    /// What it needs permission for.
    pub(super) scope: &'i Scope,
    /// Whether a host that the user named may answer instead.
    pub(super) may_leave: bool,
}

/// An answer that was read whole.
pub(super) struct Document {
    pub(super) headers: HeaderMap,
    pub(super) bytes: Vec<u8>,
}

impl Client {
    /// A registry that is yet to be spoken to.
    ///
    /// # Errors
    /// [`StoreError`] where an option names what cannot be read.
    pub(super) fn new(host: &Host, options: RegistryOptions) -> Result<Self, StoreError> {
        let insecure = hosts(&options.insecure)?;
        let named = hosts(&options.allow_redirect)?.into_iter().chain(insecure.clone()).collect();
        Ok(Self {
            host: host.clone(),
            insecure,
            named,
            credentials: Credentials::read(&options)?,
            gate: Gate::new(options.limits.requests),
            peers: Mutex::default(),
            challenges: OnceLock::new(),
            authorizations: Mutex::default(),
            options,
        })
    }

    /// What bounds it.
    pub(super) fn options(&self) -> &RegistryOptions {
        &self.options
    }

    /// Looks whether a registry is there, and learns how it wants to be asked.
    ///
    /// # Errors
    /// [`StoreError`] where there is none.
    pub(super) fn greet(&self) -> Result<(), StoreError> {
        let question = Question { method: Method::GET, path: "/v2/", accept: "application/json", authorization: None };
        let learnt = retry(&self.options.pace, || {
            let _permit = self.gate.enter();
            let answer = self.peer(&self.host)?.ask(&question)?;
            match answer.status() {
                // Some refuse the greeting to those without permission, and serve single repositories to them.
                StatusCode::OK | StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Ok(challenges(answer.headers())),
                _ => Err(self.status(&answer, "the greeting /v2/")),
            }
        })?;
        self.challenges.get_or_init(|| learnt);
        Ok(())
    }

    /// The headers of an answer; `None` where there is nothing of that name.
    ///
    /// # Errors
    /// [`StoreError`] of the kind that applies.
    pub(super) fn headers(&self, inquiry: &Inquiry<'_>) -> Result<Option<HeaderMap>, StoreError> {
        self.exchange(inquiry, |answer| Ok(answer.into_parts().0.headers))
    }

    /// An answer of at most so many bytes; `None` where there is nothing of that name.
    ///
    /// # Errors
    /// [`StoreError`] of the kind that applies.
    pub(super) fn document(&self, inquiry: &Inquiry<'_>, most_bytes: u64) -> Result<Option<Document>, StoreError> {
        self.exchange(inquiry, |answer| self.read(answer, inquiry.path, most_bytes))
    }

    /// An answer whose body is yet to be read; `None` where there is nothing of that name.
    ///
    /// # Errors
    /// [`StoreError`] of the kind that applies.
    pub(super) fn stream(&self, inquiry: &Inquiry<'_>) -> Result<Option<Response<Body>>, StoreError> {
        self.exchange(inquiry, Ok)
    }

    fn exchange<T>(
        &self,
        inquiry: &Inquiry<'_>,
        finish: impl Fn(Response<Body>) -> Result<T, Failure>,
    ) -> Result<Option<T>, StoreError> {
        retry(&self.options.pace, || {
            let _permit = self.gate.enter();
            let answer = self.authorized(inquiry)?;
            match answer.status() {
                StatusCode::OK => finish(answer).map(Some),
                StatusCode::NOT_FOUND => Ok(None),
                _ => Err(self.refusal(&answer, inquiry)),
            }
        })
    }

    /// Asks with what is known of the scope, and once more where the registry wants something else.
    fn authorized(&self, inquiry: &Inquiry<'_>) -> Result<Response<Body>, Failure> {
        let known = self.authorization(inquiry.scope)?;
        let answer = self.follow(inquiry, known.as_ref())?;
        if answer.status() != StatusCode::UNAUTHORIZED {
            return Ok(answer);
        }
        self.forget(inquiry.scope);
        let Some(fresh) = self.answer_to(&challenges(answer.headers()), inquiry.scope)? else { return Ok(answer) };
        drop(answer);
        let answer = self.follow(inquiry, Some(&fresh))?;
        if answer.status() != StatusCode::UNAUTHORIZED {
            self.remember(inquiry.scope, fresh);
        }
        Ok(answer)
    }

    /// Asks, and follows redirects as far as they are permitted.
    fn follow(&self, inquiry: &Inquiry<'_>, authorization: Option<&Secret>) -> Result<Response<Body>, Failure> {
        let mut peer = self.peer(&self.host)?;
        let mut path = inquiry.path.to_owned();
        let mut authorization = authorization;
        for _ in 0..=MOST_REDIRECTS {
            let method = inquiry.method.clone();
            let answer = peer.ask(&Question { method, path: &path, accept: inquiry.accept, authorization })?;
            if !matches!(answer.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
                return Ok(answer);
            }
            let target = self.target(&answer, &path)?;
            path = target.path;
            let Some((scheme, host)) = target.place.filter(|(scheme, host)| !peer.is(*scheme, host)) else { continue };
            if !inquiry.may_leave {
                let what = format!("it sends us to {}://{host}, which is followed for blobs only", scheme.name());
                return Err(self.last(StoreErrorKind::Refused, &what));
            }
            peer = self.other(scheme, &host)?;
            authorization = None;
        }
        let what = format!("it sends us from address to address, {MOST_REDIRECTS} times and more");
        Err(self.last(StoreErrorKind::Bad, &what))
    }

    fn target(&self, answer: &Response<Body>, path: &str) -> Result<address::Address, Failure> {
        let location = answer.headers().get("location").and_then(|value| value.to_str().ok());
        let target = location.and_then(|location| address::resolve(path, location));
        target.ok_or_else(|| self.last(StoreErrorKind::Bad, "it sends us elsewhere, to no address of HTTP"))
    }

    /// Another host, where the user named it.
    pub(super) fn other(&self, scheme: Scheme, host: &Host) -> Result<Arc<Peer>, Failure> {
        let name = scheme.name();
        if !self.named.iter().any(|named| named.covers(host)) {
            let what = format!("it sends us to {name}://{host}, which is another host and was not named as permitted");
            return Err(self.last(StoreErrorKind::Refused, &what));
        }
        let peer = self.peer(host)?;
        if scheme == Scheme::Http && !peer.may_be_plain() {
            let what = format!("it sends us to {name}://{host}, which is not encrypted and was not named as insecure");
            return Err(self.last(StoreErrorKind::Refused, &what));
        }
        Ok(peer)
    }

    pub(super) fn peer(&self, host: &Host) -> Result<Arc<Peer>, StoreError> {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(peer) = peers.get(host) {
            return Ok(Arc::clone(peer));
        }
        if peers.len() >= MOST_PEERS {
            let what = format!("registry {}: it sends us to more than {MOST_PEERS} hosts", self.host);
            return Err(StoreError::new(StoreErrorKind::Limit, what));
        }
        let is_insecure = self.insecure.iter().any(|insecure| insecure.covers(host));
        let peer = Arc::new(Peer::new(host, &self.options, is_insecure)?);
        peers.insert(host.clone(), Arc::clone(&peer));
        Ok(peer)
    }

    /// Reads an answer whole.
    pub(super) fn read(&self, answer: Response<Body>, path: &str, most_bytes: u64) -> Result<Document, Failure> {
        let (parts, body) = answer.into_parts();
        if body.content_length().is_some_and(|length| length > most_bytes) {
            let what = format!("its answer to {path} has more than {most_bytes} bytes");
            return Err(self.last(StoreErrorKind::Limit, &what));
        }
        let bytes = Paced::document(body.into_reader(), most_bytes, self.options.pace).map_err(|error| {
            let what = format!("registry {}: {path}: {error}", self.host);
            match error.kind() {
                std::io::ErrorKind::FileTooLarge => Failure::last(StoreErrorKind::Limit, what),
                std::io::ErrorKind::TimedOut => Failure::last(StoreErrorKind::Unreadable, what),
                _ => Failure::passing(what),
            }
        })?;
        Ok(Document { headers: parts.headers, bytes })
    }

    /// Why an answer is none, with the credentials that were chosen where it is about them.
    fn refusal(&self, answer: &Response<Body>, inquiry: &Inquiry<'_>) -> Failure {
        let status = answer.status();
        if !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            return self.status(answer, inquiry.path);
        }
        let reason = self.credentials.choose(&self.host, inquiry.scope.repository()).reason;
        let what = format!("it answers {} to {}; {reason}", status.as_u16(), inquiry.path);
        self.last(StoreErrorKind::Refused, &what)
    }

    /// Why a status is no answer.
    pub(super) fn status(&self, answer: &Response<Body>, asked: &str) -> Failure {
        let status = answer.status().as_u16();
        let error = StoreError::new(
            if matches!(status, 429 | 500..=599) { StoreErrorKind::Unreadable } else { StoreErrorKind::Bad },
            format!("registry {}: it answers {status} to {asked}", self.host),
        );
        match status {
            429 | 500 | 502 | 503 | 504 => Failure::Passing { error, asked: asked_wait(answer.headers()) },
            _ => Failure::Final(error),
        }
    }

    pub(super) fn last(&self, kind: StoreErrorKind, what: &str) -> Failure {
        Failure::last(kind, format!("registry {}: {what}", self.host))
    }
}

fn hosts(texts: &[String]) -> Result<Vec<Host>, StoreError> {
    let host = |text: &String| {
        text.parse().map_err(|error| StoreError::new(StoreErrorKind::Bad, format!("the host {text:?}: {error}")))
    };
    texts.iter().map(host).collect()
}
