//! Registries that lie, refuse, or never end, by the whole program. How long a slow one is borne with is fixed, and tried
//! with shorter times where the registry client is tested.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::image_builder::{Images, Tar, gzip};
use crate::program::finish;
use crate::registry_server::{Registry, Reply};
use crate::site::{OUTSIDE, Scanned, Site, heron};

/// `user:hunter2-is-secret` as HTTP writes it.
const LOGIN: &str = "dXNlcjpodW50ZXIyLWlzLXNlY3JldA==";
const PASSWORD: &str = "hunter2-is-secret";

fn honest() -> Images {
    let (path, text) = heron();
    Images::catalog(&[gzip(&Tar::with(path, text).finish())])
}

fn scan(registry: &Registry, more: &[&str]) -> Scanned {
    let more = [&["--insecure", registry.host.as_str()], more].concat();
    Site::new().scan_with(&registry.source(), &more)
}

/// Nothing of the catalog was had, and one of these words says why.
#[track_caller]
fn refused(scanned: &Scanned, words: &[&str]) {
    assert!([2, 3].contains(&scanned.answer.code()), "{}", scanned.answer.err);
    scanned.has_read(&[]);
    let mut told = scanned.answer.err.clone();
    scanned.findings.iter().for_each(|(_, path, message)| told.push_str(&format!("{path} {message}\n")));
    assert!(words.iter().any(|words| told.contains(words)), "none of {words:?} in {told}");
}

#[test]
fn an_honest_registry_is_read_whole() {
    let registry = Registry::of(&honest(), |_| None);
    let scanned = scan(&registry, &[]);
    assert_eq!((scanned.answer.code(), scanned.findings.len()), (0, 0), "{:#?}", scanned.findings);
    scanned.has_read(&["heron"]);
}

#[test]
fn attack_other_bytes_than_those_of_the_digest() {
    let images = honest();
    let (manifest, config, layers) = images.parts();
    for digest in [manifest, config, layers[0].clone()] {
        let mut other = images.blobs[&digest].clone();
        other[5] ^= 1;
        let is_manifest = digest == images.parts().0;
        let end = if is_manifest { "/manifests/".to_owned() } else { digest.clone() };
        let registry = Registry::of(&images, move |asked| {
            asked.path.contains(&end).then(|| Reply::of(200, other.clone()).header("Docker-Content-Digest", &digest))
        });
        refused(&scan(&registry, &[]), &["sha256:"]);
    }
}

#[test]
fn attack_bodies_without_end() {
    for part in ["/manifests/", "/blobs/"] {
        let registry = Registry::of(&honest(), move |asked| {
            asked.path.contains(part).then(|| Reply::endless(vec![b' '; 1 << 20]))
        });
        refused(&scan(&registry, &[]), &["more than", "longer", "bytes"]);
    }
}

#[test]
fn attack_lists_without_end() {
    let pages = AtomicUsize::new(0);
    let registry = Registry::of(&honest(), move |asked| {
        asked.path.starts_with("/v2/_catalog").then(|| {
            let page = pages.fetch_add(1, Ordering::Relaxed);
            Reply::of(200, r#"{"repositories": ["birds"]}"#)
                .header("Link", format!("</v2/_catalog?n=1&last={page}>; rel=\"next\""))
        })
    });
    let site = Site::new();
    let source = format!("registry:{}", registry.host);
    let arguments = ["mirror", "inventory", &source, "--insecure", &registry.host, "--format", "json"];
    let answer = finish(site.confined().args(arguments));
    assert_eq!(answer.code(), 3, "{}", answer.err);
    assert_eq!(answer.json()["findings"][0]["code"], "input/limit");
    assert!(registry.asked().len() < 6_000);
}

#[test]
fn attack_a_list_that_comes_again_and_again() {
    let registry = Registry::of(&honest(), |asked| {
        asked.path.starts_with("/v2/_catalog").then(|| {
            Reply::of(200, r#"{"repositories": ["birds"]}"#).header("Link", "</v2/_catalog?n=1000>; rel=\"next\"")
        })
    });
    let site = Site::new();
    let source = format!("registry:{}", registry.host);
    let arguments = ["mirror", "inventory", &source, "--insecure", &registry.host, "--format", "json"];
    let answer = finish(site.confined().args(arguments));
    assert_eq!(answer.code(), 3, "{}", answer.err);
    assert_eq!(answer.json()["repositories"][0]["name"], "birds");
    assert!(registry.asked().len() < 50);
}

/// To another port of this very machine, as a way to what listens there.
#[test]
fn attack_a_redirect_to_another_port() {
    let (_, _, layers) = honest().parts();
    let images = honest();
    let elsewhere = Registry::start(move |_| Reply::of(200, images.blobs[&layers[0]].clone()));
    let address = format!("http://{}/layer?signature={PASSWORD}", elsewhere.host);
    let (_, _, layers) = honest().parts();
    let registry = Registry::of(&honest(), move |asked| match asked.authorization {
        None => Some(Reply::of(401, "").header("WWW-Authenticate", "Basic realm=\"birds\"")),
        Some(_) => asked.path.ends_with(&layers[0]).then(|| Reply::of(307, "").header("Location", &address)),
    });
    let login = Login::of(&registry);
    let scanned = scan(&registry, &["--authfile", &login.file]);
    refused(&scanned, &[&elsewhere.host]);
    assert!(elsewhere.asked().is_empty());
    keeps_secret(&scanned);
    let scanned = scan(&registry, &["--authfile", &login.file, "--allow-redirect", &elsewhere.host]);
    scanned.has_read(&["heron"]);
    let asked = elsewhere.asked();
    assert!(!asked.is_empty() && asked.iter().all(|asked| asked.authorization.is_none()), "{asked:?}");
    keeps_secret(&scanned);
}

#[test]
fn attack_statuses_that_refuse() {
    for (status, words) in [(401, "401"), (403, "403"), (429, "429"), (500, "500"), (418, "418")] {
        let registry = Registry::of(&honest(), move |asked| {
            (asked.path != "/v2/").then(|| Reply::of(status, OUTSIDE).header("Retry-After", "0"))
        });
        refused(&scan(&registry, &[]), &[words]);
        assert!(registry.asked().len() < 40, "{status}: {}", registry.asked().len());
    }
    let registry = Registry::of(&honest(), |_| Some(Reply::of(429, "").header("Retry-After", "86400")));
    refused(&scan(&registry, &[]), &["86400 s"]);
}

/// A file of credentials for a registry.
struct Login {
    file: String,
    _place: tempfile::TempDir,
}

impl Login {
    fn of(registry: &Registry) -> Self {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("auth.json");
        fs::write(&file, format!(r#"{{"auths": {{"{}": {{"auth": "{LOGIN}"}}}}}}"#, registry.host)).unwrap();
        Self { file: file.display().to_string(), _place: place }
    }
}

/// No form of the password is anywhere in what the run said and wrote.
#[track_caller]
fn keeps_secret(scanned: &Scanned) {
    let said = [scanned.answer.out.as_bytes(), scanned.answer.err.as_bytes()];
    for bytes in said.into_iter().chain(scanned.report.values().map(Vec::as_slice)) {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains(PASSWORD) && !text.contains(LOGIN), "{text}");
    }
}

/// A registry that gives back what it was told, wherever an answer has room for it.
#[test]
fn attack_credentials_that_are_thrown_back() {
    let registry = Registry::of(&honest(), |asked| match (&asked.authorization, asked.path.as_str()) {
        (None, _) => Some(Reply::of(401, "").header("WWW-Authenticate", "Basic realm=\"birds\"")),
        (Some(_), "/v2/") => None,
        (Some(told), _) => Some(
            Reply::of(500, format!(r#"{{"errors": [{{"code": "{told}", "message": "{PASSWORD}"}}]}}"#))
                .header("Docker-Content-Digest", told.clone())
                .header("Retry-After", told.clone())
                .header("Location", format!("http://user:{PASSWORD}@127.0.0.1/{told}")),
        ),
    });
    let login = Login::of(&registry);
    for more in [vec![], vec!["-v"], vec!["--format", "json"]] {
        let scanned = scan(&registry, &[&["--authfile", login.file.as_str()], more.as_slice()].concat());
        refused(&scanned, &["500"]);
        keeps_secret(&scanned);
    }
    assert!(registry.asked().iter().any(|asked| asked.authorization.as_deref() == Some(&format!("Basic {LOGIN}"))));
    let registry = Registry::of(&honest(), |asked| {
        asked.authorization.is_none().then(|| Reply::of(401, "").header("WWW-Authenticate", "Basic realm=\"birds\""))
    });
    let login = Login::of(&registry);
    let scanned = scan(&registry, &["--authfile", &login.file]);
    scanned.has_read(&["heron"]);
    keeps_secret(&scanned);
}
