//! Redirects: followed on the same host, for blobs to hosts that were named, and nowhere else.

use super::*;

/// A server that asks for a password and sends blobs and manifests to an address.
fn sends_to(location: String) -> Server {
    Server::start(move |asked, _| match (&asked.authorization, asked.path.as_str()) {
        (None, _) => reply(401, &[("WWW-Authenticate", "Basic")], b""),
        (_, path) if path.starts_with("/v2/a/") => head(307, &[("Location", &location), ("Content-Length", "0")]),
        _ => reply(200, &[], b"something"),
    })
}

fn with_login(server: &Server) -> (tempfile::NamedTempFile, RegistryOptions) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let text = format!(r#"{{"auths": {{"{}": {{"auth": "dXNlcjpodW50ZXIy"}}}}}}"#, server.host);
    std::fs::write(file.path(), text).unwrap();
    let options = RegistryOptions { authfile: Some(file.path().to_owned()), ..options() };
    (file, options)
}

#[test]
fn the_same_host_is_followed_with_credentials() {
    let server = sends_to("/blobs/x?signature=1".to_owned());
    let (_file, options) = with_login(&server);
    let store = open(&server, "/a", options);
    assert_eq!(read(store.blob(None, &some_digest()).unwrap()).unwrap(), b"something");
    let last = server.asked().pop().unwrap();
    assert_eq!(last.path, "/blobs/x?signature=1");
    assert!(last.authorization.is_some());
}

#[test]
fn another_host_is_not_followed_and_is_named_without_its_path() {
    let elsewhere = Server::start(|_, _| reply(200, &[], b"something"));
    let server = sends_to(format!("http://{}/x?signature=s3cret", elsewhere.host));
    let (_file, options) = with_login(&server);
    let store = open(&server, "/a", options);
    for error in [store.blob(None, &some_digest()).err().unwrap(), store.manifest(None, &some_digest()).unwrap_err()] {
        assert_eq!(error.kind, StoreErrorKind::Refused);
        assert!(error.what.contains(&format!("http://{}", elsewhere.host)), "{error}");
        assert!(!error.what.contains("s3cret"), "{error}");
    }
    assert_eq!(elsewhere.asked(), []);
}

#[test]
fn a_named_host_gets_blobs_asked_and_no_credentials() {
    let elsewhere = Server::start(|_, _| reply(200, &[], b"something"));
    let server = sends_to(format!("http://{}/x", elsewhere.host));
    let (_file, mut options) = with_login(&server);
    options.allow_redirect.push(elsewhere.host.clone());
    let store = open(&server, "/a", options);
    assert_eq!(read(store.blob(None, &some_digest()).unwrap()).unwrap(), b"something");
    assert_eq!(elsewhere.asked().len(), 1);
    assert!(elsewhere.asked().iter().all(|asked| asked.authorization.is_none()));
    let error = store.manifest(None, &some_digest()).unwrap_err();
    assert!(error.what.ends_with("which is followed for blobs only"), "{error}");
}

#[test]
fn a_named_host_that_asks_for_a_password_gets_none() {
    let elsewhere = Server::start(|_, _| reply(401, &[("WWW-Authenticate", "Basic")], b""));
    let server = sends_to(format!("http://{}/x", elsewhere.host));
    let (_file, mut options) = with_login(&server);
    options.allow_redirect.push(elsewhere.host.clone());
    let error = open(&server, "/a", options).blob(None, &some_digest()).err().unwrap();
    assert_eq!(error.kind, StoreErrorKind::Refused);
    assert!(elsewhere.asked().iter().all(|asked| asked.authorization.is_none()));
}

#[test]
fn addresses_that_lead_nowhere_are_refused() {
    for location in ["ftp://127.0.0.1/x", "http://user:pass@127.0.0.1/x", "", "//b.example/x", "x:y"] {
        let server = sends_to(location.to_owned());
        let (_file, options) = with_login(&server);
        let error = open(&server, "/a", options).blob(None, &some_digest()).err().unwrap();
        assert_eq!(error.kind, StoreErrorKind::Bad, "{location}");
    }
}

#[test]
fn a_circle_ends() {
    let server = sends_to("/v2/a/again".to_owned());
    let (_file, options) = with_login(&server);
    let error = open(&server, "/a", options).blob(None, &some_digest()).err().unwrap();
    assert_eq!(error.kind, StoreErrorKind::Bad);
    assert!(server.asked().len() <= 8);
}

#[test]
fn a_chain_of_hosts_does_not_bring_credentials_back() {
    let server_host = std::sync::Arc::new(std::sync::OnceLock::<String>::new());
    let known = std::sync::Arc::clone(&server_host);
    let elsewhere = Server::start(move |_, _| {
        head(307, &[("Location", &format!("http://{}/back", known.get().unwrap())), ("Content-Length", "0")])
    });
    let server = sends_to(format!("http://{}/x", elsewhere.host));
    server_host.set(server.host.clone()).unwrap();
    let (_file, mut options) = with_login(&server);
    options.allow_redirect.push("127.0.0.1".to_owned());
    let _ = open(&server, "/a", options).blob(None, &some_digest());
    let back: Vec<_> = server.asked().into_iter().filter(|asked| asked.path == "/back").collect();
    assert!(!back.is_empty() && back.iter().all(|asked| asked.authorization.is_none()), "{back:?}");
}

#[test]
fn an_insecure_host_that_is_no_host_is_refused_at_once() {
    let options = RegistryOptions { insecure: vec!["10.0.0.0/8".to_owned()], ..options() };
    let error = RegistryStore::open("registry:a.example".parse().unwrap(), options).err().unwrap();
    assert!(error.kind == StoreErrorKind::Bad && error.what.contains("10.0.0.0/8"), "{error}");
}
