//! Lists of repositories and tags, honest and otherwise.

use crate::source::FileFaultKind;

use super::*;

/// The digest header of a manifest.
fn meaning(of: &str) -> Vec<Step> {
    head(200, &[("Docker-Content-Digest", &ContentDigest::of(of.as_bytes()).to_string()), ("Content-Length", "5")])
}

fn paged(text: &str, link: &str) -> Vec<Step> {
    reply(200, &[("Link", &format!("<{link}>; rel=\"next\""))], text.as_bytes())
}

fn names(store: &RegistryStore) -> Vec<String> {
    store.roots().unwrap().iter().enumerate().map(|(position, root)| root.name(position)).collect()
}

#[test]
fn a_whole_registry_is_listed_over_pages_of_every_form() {
    let server = server(|asked, _| match asked.path.as_str() {
        "/v2/_catalog?n=1000" => paged(r#"{"repositories": ["b/c", "empty"]}"#, "/v2/_catalog?last=empty&n=1000"),
        "/v2/_catalog?last=empty&n=1000" => json(r#"{"repositories": ["a"]}"#),
        "/v2/a/tags/list?n=1000" => paged(r#"{"name": "a", "tags": ["v2"]}"#, "?last=v2"),
        "/v2/a/tags/list?last=v2" => json(r#"{"name": "a", "tags": ["v1"]}"#),
        "/v2/b/c/tags/list?n=1000" => json(r#"{"name": "b/c", "tags": ["v1"]}"#),
        "/v2/empty/tags/list?n=1000" => json(r#"{"name": "empty", "tags": null}"#),
        "/v2/a/manifests/v1" | "/v2/b/c/manifests/v1" => meaning("one"),
        "/v2/a/manifests/v2" => meaning("two"),
        _ => absent(),
    });
    let store = open(&server, "", options());
    assert_eq!(names(&store), ["a:v1", "a:v2", "b/c:v1"]);
    assert_eq!(store.faults(), []);
    assert_eq!(store.repositories_with(&ContentDigest::of(b"one")), ["a", "b/c"]);
    assert_eq!(store.repositories_with(&ContentDigest::of(b"two")), ["a"]);
    assert_eq!(store.repositories_with(&some_digest()), [""; 0]);
    let asked = server.paths().len();
    assert_eq!((names(&store).len(), server.paths().len()), (3, asked), "a list is read once");
}

#[test]
fn an_absolute_link_to_the_same_host_is_followed_and_one_elsewhere_is_not() {
    let elsewhere = Server::start(|_, _| json(r#"{"tags": ["evil"]}"#));
    for (host, expected) in [(None, vec!["a:v1", "a:v2"]), (Some(elsewhere.host.clone()), vec![])] {
        let own = std::sync::Arc::new(std::sync::OnceLock::<String>::new());
        let known = std::sync::Arc::clone(&own);
        let server = server(move |asked, _| match asked.path.as_str() {
            "/v2/a/tags/list?n=1000" => {
                let host = host.as_ref().or(known.get()).unwrap();
                paged(r#"{"tags": ["v1"]}"#, &format!("http://{host}/v2/a/tags/list?last=v1"))
            }
            "/v2/a/tags/list?last=v1" => json(r#"{"tags": ["v2"]}"#),
            _ => meaning("x"),
        });
        own.set(server.host.clone()).unwrap();
        let store = open(&server, "/a", options());
        match expected.is_empty() {
            false => assert_eq!(names(&store), expected),
            true => assert_eq!(store.roots().unwrap_err().kind, StoreErrorKind::Refused),
        }
    }
    assert_eq!(elsewhere.asked(), []);
}

#[test]
fn pages_that_come_back_are_a_fault() {
    let server = server(|asked, _| match asked.path.as_str() {
        path if path.contains("/tags/list") => paged(r#"{"tags": ["v1"]}"#, "/v2/a/tags/list?n=1000"),
        _ => meaning("x"),
    });
    let store = open(&server, "/a", options());
    assert_eq!(names(&store), ["a:v1"]);
    assert_eq!(store.faults()[0].reason, "the list of names comes back to a page that was read");
}

#[test]
fn pages_without_end_are_a_fault() {
    let server = server(|asked, before| match asked.path.as_str() {
        path if path.contains("/tags/list") => paged(r#"{"tags": ["v1"]}"#, &format!("/v2/a/tags/list?last={before}")),
        _ => meaning("x"),
    });
    let limits = RegistryLimits { pages: 20, ..RegistryLimits::default() };
    let store = open(&server, "/a", RegistryOptions { limits, ..options() });
    assert_eq!(names(&store), ["a:v1"]);
    assert_eq!(store.faults()[0].kind, FileFaultKind::Limit);
    assert_eq!(server.paths().len(), 21);
}

#[test]
fn a_hundred_thousand_tags_have_a_bound() {
    let tags: Vec<String> = (0..100_000).map(|number| format!("\"v{number:06}\"")).collect();
    let page = format!("{{\"tags\": [{}]}}", tags.join(","));
    let server = server(move |asked, _| if asked.path.contains("/tags/list") { json(&page) } else { meaning("x") });
    let limits = RegistryLimits { tags: 10, ..RegistryLimits::default() };
    let store = open(&server, "/a", RegistryOptions { limits, ..options() });
    assert_eq!(names(&store).len(), 10);
    assert_eq!(store.faults()[0].reason, "more than 10 names are listed; the rest was left out");
}

#[test]
fn the_bound_of_tags_holds_over_all_repositories() {
    let server = server(|asked, _| match asked.path.as_str() {
        path if path.contains("_catalog") => json(r#"{"repositories": ["a", "b", "c"]}"#),
        path if path.contains("/tags/list") => json(r#"{"tags": ["v1", "v2"]}"#),
        _ => meaning("x"),
    });
    let limits = RegistryLimits { tags: 3, ..RegistryLimits::default() };
    let store = open(&server, "", RegistryOptions { limits, ..options() });
    assert_eq!(names(&store), ["a:v1", "a:v2", "b:v1"]);
    assert!(store.faults().iter().all(|fault| fault.kind == FileFaultKind::Limit));
    assert_eq!(store.faults().len(), 2);
}

#[test]
fn garbage_is_no_list() {
    for text in [
        "",
        "garbage",
        "[]",
        "{}",
        r#"{"names": ["a"]}"#,
        r#"{"repositories": 5}"#,
        r#"{"repositories": [5]}"#,
        r#"{"repositories": ["a""#,
    ] {
        let server = server(move |_, _| json(text));
        let error = open(&server, "", options()).roots().unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Bad, "{text}");
    }
    let deep = format!("{{\"x\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let server = server(move |_, _| json(&deep));
    assert_eq!(open(&server, "", options()).roots().unwrap_err().kind, StoreErrorKind::Bad);
}

#[test]
fn strange_names_are_faults_and_are_never_asked_for() {
    let server = server(|asked, _| match asked.path.as_str() {
        path if path.contains("_catalog") => {
            json(r#"{"repositories": ["a", "../admin", "b\r\nHost: evil", "c?x", "D", ""]}"#)
        }
        path if path.contains("/tags/list") => json(r#"{"tags": ["v1", "v2\r\nX: 1", "../../x", ""]}"#),
        _ => meaning("x"),
    });
    let store = open(&server, "", options());
    assert_eq!(names(&store), ["a:v1"]);
    assert_eq!(store.faults().len(), 5 + 3);
    assert!(store.faults().iter().all(|fault| !fault.reason.contains(['\r', '\n'])));
    assert_eq!(server.paths().len(), 3);
}

#[test]
fn one_repository_that_is_refused_hides_no_other() {
    let server = server(|asked, _| match asked.path.as_str() {
        path if path.contains("_catalog") => json(r#"{"repositories": ["a", "b", "c"]}"#),
        path if path.contains("/b/") => reply(403, &[], b""),
        path if path.contains("/tags/list") => json(r#"{"tags": ["gone", "v1"]}"#),
        path if path.ends_with("/gone") => absent(),
        _ => meaning("x"),
    });
    let store = open(&server, "", options());
    assert_eq!(names(&store), ["a:v1", "c:v1"]);
    let paths: Vec<&str> = store.faults().iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, ["a:gone", "b", "c:gone"]);
}

#[test]
fn a_registry_that_falls_silent_ends_the_list() {
    let server = server(|asked, _| match asked.path.as_str() {
        path if path.contains("_catalog") => json(r#"{"repositories": ["a", "b", "c"]}"#),
        path if path.contains("/v2/b/") => reply(503, &[], b""),
        path if path.contains("/tags/list") => json(r#"{"tags": ["v1"]}"#),
        _ => meaning("x"),
    });
    let store = open(&server, "", options());
    assert_eq!(names(&store), ["a:v1"]);
    assert_eq!(store.faults().len(), 2);
    assert!(!server.paths().iter().any(|path| path.contains("/v2/c/")));
}

#[test]
fn single_images_are_listed_without_any_list() {
    let digest = ContentDigest::of(b"x");
    let server = server(move |asked, _| match asked.path.as_str() {
        path if path.ends_with("/v1") || path.ends_with(&digest.to_string()) => meaning("x"),
        _ => head(404, &[]),
    });
    assert_eq!(names(&open(&server, "/a:v1", options())), ["a:v1"]);
    let digest = ContentDigest::of(b"x");
    assert_eq!(names(&open(&server, &format!("/a@{digest}"), options())), [format!("a@{digest}")]);
    for part in ["/a:v2", &format!("/a@{}", some_digest())] {
        assert_eq!(open(&server, part, options()).roots().unwrap_err().kind, StoreErrorKind::Absent);
    }
    assert!(server.paths().iter().all(|path| path.starts_with("HEAD ")));
}

#[test]
fn a_tag_without_a_stated_digest_is_read_for_it() {
    let server = server(|_, _| reply(200, &[], b"something"));
    let store = open(&server, "/a:v1", options());
    assert_eq!(store.roots().unwrap()[0].identity, Some(some_digest()));
    assert_eq!(server.paths(), ["HEAD /v2/a/manifests/v1", "GET /v2/a/manifests/v1"]);
}

#[test]
fn a_stated_digest_that_is_another_than_asked_for_is_a_fault() {
    let server = server(|_, _| meaning("other"));
    let error = open(&server, "", options()).resolve("a", &some_digest().to_string()).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Bad);
}
