//! Answers the challenges of a registry, with user and password or with a token.
//!
//! Rule: RFC 7617 (Basic), RFC 6750 (Bearer) and distribution/distribution `docs/content/spec/auth/token.md` and `scope.md`. A
//! token is asked for at the registry's own host, or at one that the user named; nobody else gets to see credentials. Tokens are kept
//! for the run, and forgotten when the registry no longer takes them. Cost: one request for each scope.

use std::sync::PoisonError;

use serde::Deserialize;
use ureq::http::{Method, StatusCode};

use super::super::StoreErrorKind;
use super::address::{self, Scheme};
use super::challenge::Challenge;
use super::client::Client;
use super::credentials::{Choice, Secret};
use super::peer::Question;
use super::retry::Failure;

/// The longest answer with a token.
const TOKEN_BYTES: u64 = 1 << 20;

/// The longest token: what servers take as a header.
const LONGEST_TOKEN: usize = 32 << 10;

/// What permission is needed for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scope {
    /// The list of repositories.
    Catalog,
    /// Reading a repository.
    Repository(String),
}

impl Scope {
    /// The repository, where it is about one.
    pub(super) fn repository(&self) -> Option<&str> {
        match self {
            Self::Catalog => None,
            Self::Repository(repository) => Some(repository),
        }
    }

    /// As a token service wants it.
    fn text(&self) -> String {
        match self {
            Self::Catalog => "registry:catalog:*".to_owned(),
            Self::Repository(repository) => format!("repository:{repository}:pull"),
        }
    }
}

#[derive(Deserialize)]
struct TokenAnswer {
    token: Option<String>,
    access_token: Option<String>,
}

impl Client {
    /// The value of `Authorization` that a scope needs, as far as the greeting told; `None` where it needs none, or none can be
    /// had.
    pub(super) fn authorization(&self, scope: &Scope) -> Result<Option<Secret>, Failure> {
        let known = self.authorizations.lock().unwrap_or_else(PoisonError::into_inner).get(scope).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let challenges = self.challenges.get().map(Vec::as_slice).unwrap_or_default();
        let fresh = self.answer_to(challenges, scope)?;
        if let Some(fresh) = &fresh {
            self.remember(scope, fresh.clone());
        }
        Ok(fresh)
    }

    pub(super) fn remember(&self, scope: &Scope, authorization: Secret) {
        self.authorizations.lock().unwrap_or_else(PoisonError::into_inner).insert(scope.clone(), authorization);
    }

    pub(super) fn forget(&self, scope: &Scope) {
        self.authorizations.lock().unwrap_or_else(PoisonError::into_inner).remove(scope);
    }

    /// Answers the first challenge that can be answered.
    pub(super) fn answer_to(&self, challenges: &[Challenge], scope: &Scope) -> Result<Option<Secret>, Failure> {
        let choice = self.credentials.choose(&self.host, scope.repository());
        for challenge in challenges {
            match (challenge, &choice.login) {
                (Challenge::Basic, Some(Secret(login))) => return Ok(Some(Secret(format!("Basic {login}")))),
                (Challenge::Basic, None) => {}
                (Challenge::Bearer { realm, service }, _) => {
                    return self.token(realm, service.as_deref(), scope, &choice).map(Some);
                }
            }
        }
        Ok(None)
    }

    fn token(&self, realm: &str, service: Option<&str>, scope: &Scope, choice: &Choice) -> Result<Secret, Failure> {
        let Some(mut target) = address::resolve("/", realm) else {
            return Err(self.last(StoreErrorKind::Bad, "it names no address of HTTP at which it gives out tokens"));
        };
        let own = self.peer(&self.host)?;
        let peer = match target.place.take() {
            Some((scheme, host)) if !own.is(scheme, &host) => self.token_peer(scheme, &host)?,
            _ => own,
        };
        let mut path = target.path;
        let values =
            service.map(|service| ("service", service.to_owned())).into_iter().chain([("scope", scope.text())]);
        for (name, value) in values {
            path.push(if path.contains('?') { '&' } else { '?' });
            path.push_str(&format!("{name}={}", address::escape(&value)));
        }
        let basic = choice.login.as_ref().map(|Secret(login)| Secret(format!("Basic {login}")));
        let (method, accept) = (Method::GET, "application/json");
        let answer = peer.ask(&Question { method, path: &path, accept, authorization: basic.as_ref() })?;
        match answer.status() {
            StatusCode::OK => self.read_token(&self.read(answer, "the request for a token", TOKEN_BYTES)?.bytes),
            status @ (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::BAD_REQUEST) => {
                let asked = scope.text();
                let what = format!("it gives out no token for {asked} ({}); {}", status.as_u16(), choice.reason);
                Err(self.last(StoreErrorKind::Refused, &what))
            }
            _ => Err(self.status(&answer, "the request for a token")),
        }
    }

    fn token_peer(
        &self,
        scheme: Scheme,
        host: &super::host::Host,
    ) -> Result<std::sync::Arc<super::peer::Peer>, Failure> {
        self.other(scheme, host).map_err(|failure| match failure {
            Failure::Final(mut error) => {
                error.what.push_str("; it wants us to fetch a token there");
                Failure::Final(error)
            }
            passing @ Failure::Passing { .. } => passing,
        })
    }

    /// What is wrong with a token is told without it.
    fn read_token(&self, bytes: &[u8]) -> Result<Secret, Failure> {
        let bad = || self.last(StoreErrorKind::Bad, "what it gives out is no token");
        let answer: TokenAnswer = serde_json::from_slice(bytes).map_err(|_| bad())?;
        let given = [answer.token, answer.access_token].into_iter().flatten().find(|token| !token.is_empty());
        let token =
            given.filter(|token| token.len() <= LONGEST_TOKEN && token.bytes().all(|byte| byte.is_ascii_graphic()));
        token.map(|token| Secret(format!("Bearer {token}"))).ok_or_else(bad)
    }
}
