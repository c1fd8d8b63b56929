//! Credentials: which are sent, to whom, and that they are never shown.

use tempfile::NamedTempFile;

use super::*;

/// `user:hunter2` in base64, by RFC 4648.
const LOGIN: &str = "dXNlcjpodW50ZXIy";

/// Options with the password `hunter2` for a key.
fn with_login(key: &str) -> (NamedTempFile, RegistryOptions) {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!(r#"{{"auths": {{"{key}": {{"auth": "{LOGIN}"}}}}}}"#)).unwrap();
    let options = RegistryOptions { authfile: Some(file.path().to_owned()), ..options() };
    (file, options)
}

fn challenge(text: &str) -> Vec<Step> {
    reply(401, &[("WWW-Authenticate", text)], b"{}")
}

/// Nothing of a password or token, in whichever form.
fn assert_silent(text: &str) {
    for secret in ["hunter2", LOGIN, "t0ken"] {
        assert!(!text.contains(secret), "{text}");
    }
}

#[test]
fn a_password_is_sent_where_the_registry_asks_for_it() {
    let server = Server::start(|asked, _| match (&asked.authorization, asked.path.as_str()) {
        (None, _) => challenge("Basic realm=\"lab\""),
        (Some(value), _) if *value == format!("Basic {LOGIN}") => reply(200, &[], b"something"),
        _ => reply(400, &[], b""),
    });
    let (_file, options) = with_login(&server.host);
    let store = open(&server, "/a", options);
    assert!(store.manifest(None, &some_digest()).is_ok());
    assert_eq!(server.asked().len(), 2, "what the greeting told is used at once");
}

#[test]
fn a_challenge_that_comes_late_is_answered_too() {
    let server = server(|asked, _| match &asked.authorization {
        None => challenge("Basic realm=\"lab\""),
        Some(_) => reply(200, &[], b"something"),
    });
    let (_file, options) = with_login(&server.host);
    let store = open(&server, "/a", options);
    assert!(store.manifest(None, &some_digest()).is_ok());
    assert!(store.manifest(None, &some_digest()).is_ok());
    assert_eq!(server.paths().len(), 3, "it is remembered");
}

#[test]
fn a_registry_that_asks_for_nothing_gets_nothing() {
    let server = server(|_, _| reply(200, &[], b"something"));
    let (_file, options) = with_login(&server.host);
    assert!(open(&server, "/a", options).manifest(None, &some_digest()).is_ok());
    assert!(server.asked().iter().all(|asked| asked.authorization.is_none()));
}

#[test]
fn a_refusal_names_the_entry_and_not_its_value() {
    for (status, answer) in [(401, challenge("Basic realm=\"lab\"")), (403, reply(403, &[], b""))] {
        let answered = answer.clone();
        let server = Server::start(move |_, _| answered.clone());
        let (file, options) = with_login(&server.host);
        let store = open(&server, "/a", options);
        let error = store.manifest(None, &some_digest()).unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Refused);
        let reason = format!(
            "the entry {:?} of {} was used, the longest one that fits {}/a",
            server.host,
            file.path().display(),
            server.host
        );
        assert!(error.what.contains(&format!("answers {status} ")) && error.what.ends_with(&reason), "{error}");
        assert_silent(&format!("{error} {error:?}"));
    }
}

#[test]
fn a_refusal_without_credentials_says_so() {
    let server = server(|_, _| challenge("Basic realm=\"lab\""));
    let (file, options) = with_login("other.example");
    let error = open(&server, "/a", options).manifest(None, &some_digest()).unwrap_err();
    let reason =
        format!("no credentials were sent: {} has no entry that fits {}/a", file.path().display(), server.host);
    assert!(error.kind == StoreErrorKind::Refused && error.what.ends_with(&reason), "{error}");
}

#[test]
fn a_token_is_fetched_at_the_own_host_once_for_each_repository() {
    let server = Server::start(|asked, _| match (asked.path.as_str(), asked.authorization.as_deref()) {
        ("/token?service=lab%20one&scope=repository%3Aa%2Fb%3Apull", Some(value))
            if value == format!("Basic {LOGIN}") =>
        {
            json(r#"{"access_token": "t0ken"}"#)
        }
        (_, Some("Bearer t0ken")) => reply(200, &[], b"something"),
        _ => challenge("Bearer realm=\"/token\", service=\"lab one\""),
    });
    let (_file, options) = with_login(&server.host);
    let store = open(&server, "/a/b", options);
    for _ in 0..3 {
        assert!(store.manifest(None, &some_digest()).is_ok());
    }
    assert_eq!(server.paths().len(), 1 + 3);
}

#[test]
fn a_token_that_ran_out_is_fetched_anew() {
    let server = Server::start(|asked, before| match asked.path.as_str() {
        path if path.starts_with("/token") => json(&format!("{{\"token\": \"t0ken{before}\"}}")),
        _ if matches!(asked.authorization.as_deref(), Some("Bearer t0ken1" | "Bearer t0ken4")) && before != 3 => {
            reply(200, &[], b"something")
        }
        _ => challenge("Bearer realm=\"/token\""),
    });
    let store = open(&server, "/a", options());
    assert!(store.manifest(None, &some_digest()).is_ok());
    assert!(store.manifest(None, &some_digest()).is_ok());
    let tokens: Vec<_> = server.asked().into_iter().map(|asked| asked.authorization).collect();
    let bearer = |number: u32| Some(format!("Bearer t0ken{number}"));
    assert_eq!(tokens, [None, None, bearer(1), bearer(1), None, bearer(4)]);
}

#[test]
fn a_token_service_elsewhere_gets_nothing_unless_it_was_named() {
    let service = Server::start(|_, _| json(r#"{"token": "t0ken"}"#));
    let realm = format!("Bearer realm=\"http://{}/token\",service=\"lab\"", service.host);
    let server = Server::start(move |asked, _| match asked.authorization.as_deref() {
        Some("Bearer t0ken") => reply(200, &[], b"something"),
        _ => challenge(&realm),
    });
    let (_file, mut options) = with_login(&server.host);
    let error = open(&server, "/a", options.clone()).manifest(None, &some_digest()).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Refused);
    assert!(error.what.contains(&format!("http://{}", service.host)), "{error}");
    assert_eq!(service.asked(), []);
    options.allow_redirect.push(service.host.clone());
    assert!(open(&server, "/a", options).manifest(None, &some_digest()).is_ok());
    assert_eq!(service.asked()[0].authorization, Some(format!("Basic {LOGIN}")));
}

#[test]
fn an_unencrypted_token_service_elsewhere_is_refused() {
    let server = Server::start(|_, _| challenge("Bearer realm=\"http://tokens.example/token\""));
    let (_file, mut options) = with_login(&server.host);
    options.allow_redirect.push("tokens.example".to_owned());
    let error = open(&server, "/a", options).manifest(None, &some_digest()).unwrap_err();
    assert!(error.kind == StoreErrorKind::Refused && error.what.contains("not encrypted"), "{error}");
}

#[test]
fn what_is_no_token_is_refused_and_not_shown() {
    for answer in
        ["", "{}", "hunter2", r#"{"token": ""}"#, r#"{"token": "hunter2\r\nX: 1"}"#, r#"{"token": ["hunter2"]}"#]
    {
        let server = Server::start(move |asked, _| match asked.path.as_str() {
            path if path.starts_with("/token") => json(answer),
            _ => challenge("Bearer realm=\"/token\""),
        });
        let error = open(&server, "/a", options()).manifest(None, &some_digest()).unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Bad, "{answer}");
        assert_silent(&format!("{error} {error:?}"));
    }
}

#[test]
fn a_realm_that_is_no_address_is_refused() {
    for realm in ["ftp://a/x", "http://user:pass@127.0.0.1/x", "x y", "//b.example/x"] {
        let server = Server::start(move |_, _| challenge(&format!("Bearer realm=\"{realm}\"")));
        let error = open(&server, "/a", options()).manifest(None, &some_digest()).unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Bad, "{realm}");
    }
}

#[test]
fn a_token_service_that_refuses_names_the_entry() {
    let server = Server::start(|asked, _| match asked.path.as_str() {
        path if path.starts_with("/token") => reply(401, &[], b"hunter2"),
        _ => challenge("Bearer realm=\"/token\""),
    });
    let (_file, options) = with_login(&server.host);
    let error = open(&server, "/a", options).manifest(None, &some_digest()).unwrap_err();
    assert!(
        error.kind == StoreErrorKind::Refused && error.what.contains("repository:a:pull (401); the entry"),
        "{error}"
    );
    assert_silent(&error.what);
}

#[test]
fn a_registry_that_always_asks_again_ends() {
    let server = Server::start(|asked, _| match asked.path.as_str() {
        path if path.starts_with("/token") => json(r#"{"token": "t0ken"}"#),
        _ => challenge("Bearer realm=\"/token\""),
    });
    let error = open(&server, "/a", options()).manifest(None, &some_digest()).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Refused);
    assert!(server.asked().len() <= 6);
    assert_silent(&error.what);
}
