//! Answers that are slow, endless, wrong or broken. Each must end, with a fault of the right kind.

use std::time::Instant;

use crate::source::store::MANIFEST_BYTES;

use super::*;

fn manifest_error(answer: impl Fn(&Asked, usize) -> Vec<Step> + Send + Sync + 'static) -> StoreError {
    let server = server(answer);
    open(&server, "/a", options()).manifest(None, &some_digest()).unwrap_err()
}

#[test]
fn a_manifest_is_believed_by_its_own_digest() {
    let digest = ContentDigest::of(b"{\"a\": 1}");
    let other = some_digest().to_string();
    let server = server(move |_, _| {
        let headers = [("Content-Type", "application/vnd.oci.image.index.v1+json; charset=utf-8")];
        reply(200, &[headers.as_slice(), &[("dOCKER-cONTENT-dIGEST", &other)]].concat(), b"{\"a\": 1}")
    });
    let store = open(&server, "/a", options());
    let manifest = store.manifest(None, &digest).unwrap();
    assert_eq!(manifest.bytes, b"{\"a\": 1}");
    assert_eq!(manifest.media_type.as_deref(), Some("application/vnd.oci.image.index.v1+json"));
    assert_eq!(server.paths(), [format!("GET /v2/a/manifests/{digest}")]);
}

#[test]
fn wrong_bytes_are_refused_whatever_the_header_says() {
    let stated = some_digest().to_string();
    let error = manifest_error(move |_, _| reply(200, &[("Docker-Content-Digest", &stated)], b"something else"));
    assert_eq!(error.kind, StoreErrorKind::Bad);
    assert!(error.what.ends_with("whatever its header says"), "{error}");
}

#[test]
fn a_huge_manifest_is_not_read() {
    let length = (MANIFEST_BYTES + 1).to_string();
    let error = manifest_error(move |_, _| head(200, &[("Content-Length", &length)]));
    assert_eq!(error.kind, StoreErrorKind::Limit);
}

#[test]
fn an_endless_manifest_ends() {
    let error = manifest_error(|_, _| {
        let mut steps = head(200, &[]);
        steps.push(Step::Forever(vec![b' '; 1 << 20], Duration::ZERO));
        steps
    });
    assert_eq!(error.kind, StoreErrorKind::Limit);
}

#[test]
fn an_endless_answer_in_chunks_ends() {
    let error = manifest_error(|_, _| {
        let mut steps = head(200, &[("Transfer-Encoding", "chunked")]);
        let chunk = [b"100000\r\n".as_slice(), &vec![b' '; 1 << 20], b"\r\n"].concat();
        steps.push(Step::Forever(chunk, Duration::ZERO));
        steps
    });
    assert_eq!(error.kind, StoreErrorKind::Limit);
}

#[test]
fn a_registry_that_never_answers_ends() {
    let begun = Instant::now();
    let error = manifest_error(|_, _| vec![Step::Wait(Duration::from_secs(20))]);
    assert_eq!(error.kind, StoreErrorKind::Unreadable);
    assert!(error.what.ends_with("tried 4 times") && begun.elapsed() < Duration::from_secs(8), "{error}");
}

#[test]
fn headers_that_come_a_byte_at_a_time_end() {
    let begun = Instant::now();
    let error = manifest_error(|_, _| {
        let mut steps = vec![Step::Bytes(b"HTTP/1.1 200 OK\r\nX: ".to_vec())];
        steps.push(Step::Forever(b"x".to_vec(), Duration::from_millis(50)));
        steps
    });
    assert_eq!(error.kind, StoreErrorKind::Unreadable);
    assert!(begun.elapsed() < Duration::from_secs(8), "{error}");
}

#[test]
fn headers_without_end_end() {
    let error = manifest_error(|_, _| {
        let mut steps = vec![Step::Bytes(b"HTTP/1.1 200 OK\r\nX: ".to_vec())];
        steps.push(Step::Forever(vec![b'x'; 1 << 16], Duration::ZERO));
        steps
    });
    assert!(matches!(error.kind, StoreErrorKind::Limit | StoreErrorKind::Bad), "{error:?}");
}

#[test]
fn a_body_that_comes_a_byte_at_a_time_ends() {
    let begun = Instant::now();
    let drip = |_: &Asked, _| {
        let mut steps = head(200, &[("Content-Length", "1000000")]);
        steps.push(Step::Forever(b"x".to_vec(), Duration::from_millis(20)));
        steps
    };
    let error = manifest_error(drip);
    assert_eq!(error.kind, StoreErrorKind::Unreadable);
    let server = server(drip);
    let blob = open(&server, "/a", options()).blob(None, &some_digest()).unwrap();
    assert_eq!((blob.bytes, read(blob).unwrap_err().kind()), (Some(1_000_000), std::io::ErrorKind::TimedOut));
    assert!(begun.elapsed() < Duration::from_secs(4));
}

#[test]
fn a_body_that_stops_in_the_middle_ends() {
    let begun = Instant::now();
    let server = server(|_, _| {
        let mut steps = head(200, &[("Content-Length", "10")]);
        steps.extend([Step::Bytes(b"x".to_vec()), Step::Wait(Duration::from_secs(20))]);
        steps
    });
    let blob = open(&server, "/a", options()).blob(None, &some_digest()).unwrap();
    assert!(read(blob).is_err() && begun.elapsed() < Duration::from_secs(4));
}

#[test]
fn a_body_that_is_shorter_than_stated_is_no_body() {
    let short = |_: &Asked, _| {
        let mut steps = head(200, &[("Content-Length", "10")]);
        steps.push(Step::Bytes(b"something".to_vec()));
        steps
    };
    let error = manifest_error(short);
    assert!(error.kind == StoreErrorKind::Unreadable && error.what.ends_with("tried 4 times"), "{error}");
    let server = server(short);
    assert!(read(open(&server, "/a", options()).blob(None, &some_digest()).unwrap()).is_err());
}

#[test]
fn a_blob_has_a_bound_even_without_a_length() {
    let server = server(|_, _| {
        let mut steps = head(200, &[]);
        steps.push(Step::Forever(vec![b' '; 1 << 16], Duration::ZERO));
        steps
    });
    let limits = RegistryLimits { blob_bytes: 1 << 18, ..RegistryLimits::default() };
    let blob = open(&server, "/a", RegistryOptions { limits, ..options() }).blob(None, &some_digest()).unwrap();
    assert_eq!(read(blob).unwrap_err().kind(), std::io::ErrorKind::FileTooLarge);
}

#[test]
fn a_blob_longer_than_any_is_not_begun() {
    let server = server(|_, _| head(200, &[("Content-Length", "18446744073709551615")]));
    let error = open(&server, "/a", options()).blob(None, &some_digest()).err().unwrap();
    assert_eq!(error.kind, StoreErrorKind::Limit);
}

#[test]
fn a_blob_is_streamed() {
    let server = server(|_, _| reply(200, &[], b"something"));
    let blob = open(&server, "/a", options()).blob(None, &some_digest()).unwrap();
    assert_eq!((blob.bytes, read(blob).unwrap().as_slice()), (Some(9), b"something".as_slice()));
}

#[test]
fn what_is_no_http_is_refused() {
    for text in
        ["HELLO\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "\0\0\0\0\r\n\r\n"]
    {
        let error = manifest_error(move |_, _| vec![Step::Bytes(text.as_bytes().to_vec())]);
        assert!(matches!(error.kind, StoreErrorKind::Bad | StoreErrorKind::Unreadable), "{text:?} {error:?}");
    }
}

#[test]
fn what_passes_is_tried_again() {
    let digest = some_digest();
    for status in [429, 500, 502, 503, 504] {
        let server =
            server(move |_, before| if before < 3 { reply(status, &[], b"") } else { reply(200, &[], b"something") });
        assert_eq!(open(&server, "/a", options()).manifest(None, &digest).unwrap().bytes, b"something", "{status}");
        assert_eq!(server.paths().len(), 3);
    }
}

#[test]
fn a_connection_that_breaks_is_tried_again() {
    let server = server(|_, before| if before < 3 { vec![] } else { reply(200, &[], b"something") });
    assert!(open(&server, "/a", options()).manifest(None, &some_digest()).is_ok());
}

#[test]
fn what_never_passes_ends() {
    for status in [429, 503] {
        let error = manifest_error(move |_, _| reply(status, &[], b""));
        assert_eq!(error.kind, StoreErrorKind::Unreadable);
        assert!(error.what.contains(&format!("answers {status} ")) && error.what.ends_with("tried 4 times"), "{error}");
    }
}

#[test]
fn a_wait_that_the_registry_asks_for_is_kept_up_to_a_bound() {
    let begun = Instant::now();
    let server = server(|_, before| match before {
        1 => reply(429, &[("Retry-After", "1")], b""),
        _ => reply(200, &[], b"something"),
    });
    assert!(open(&server, "/a", options()).manifest(None, &some_digest()).is_ok());
    assert!(begun.elapsed() >= Duration::from_secs(1));
    let error = manifest_error(|_, _| reply(429, &[("Retry-After", "999999999")], b""));
    assert!(error.what.ends_with("it asks to wait 999999999 s, and 1 s is the most"), "{error}");
}

#[test]
fn presence_tells_absence_from_silence() {
    let there = some_digest();
    let manifest = ContentDigest::of(b"manifest");
    let broken = ContentDigest::of(b"broken");
    let (blob_path, manifest_path) = (format!("/v2/a/blobs/{there}"), format!("/v2/a/manifests/{manifest}"));
    let broken_path = format!("/v2/a/blobs/{broken}");
    let server = server(move |asked, _| match &asked.path {
        path if *path == blob_path || *path == manifest_path => head(200, &[("Content-Length", "9")]),
        path if *path == broken_path => head(503, &[]),
        _ => head(404, &[]),
    });
    let store = open(&server, "", options());
    let presence = |digest: &ContentDigest| store.presence(Some("a"), digest);
    assert_eq!(presence(&there), Presence::Present { bytes: Some(9), stamp: None });
    assert_eq!(presence(&manifest), Presence::Present { bytes: Some(9), stamp: None });
    assert_eq!(presence(&ContentDigest::of(b"nothing")), Presence::Absent);
    assert!(matches!(presence(&broken), Presence::Unknown(_)));
    assert!(server.paths().iter().all(|path| path.starts_with("HEAD ")));
}

#[test]
fn names_that_could_break_a_request_are_never_asked_for() {
    let server = server(|_, _| json("{}"));
    let store = open(&server, "", options());
    for (repository, reference) in [
        ("a\r\nX-Evil: 1", "v1"),
        ("a", "v1\r\nX-Evil: 1"),
        ("../../admin", "v1"),
        ("a?x=", "v1"),
        ("a", "../../../admin"),
        ("a b", "v1"),
        ("", "v1"),
        ("a", ""),
    ] {
        assert_eq!(store.resolve(repository, reference), Ok(None), "{repository:?} {reference:?}");
        assert!(store.manifest(Some("a\r\nb"), &some_digest()).is_err());
        assert_eq!(store.presence(Some("../a"), &some_digest()), Presence::Absent);
    }
    assert_eq!(server.paths(), [""; 0]);
}

#[test]
fn a_place_without_a_registry_is_none() {
    for (status, kind) in [(404, StoreErrorKind::Bad), (503, StoreErrorKind::Unreadable)] {
        let server = Server::start(move |_, _| reply(status, &[], b""));
        let reference = format!("registry:{}", server.host).parse().unwrap();
        assert_eq!(RegistryStore::open(reference, options()).err().unwrap().kind, kind);
    }
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = RegistryStore::open(format!("registry:{closed}").parse().unwrap(), options()).err().unwrap();
    assert_eq!(error.kind, StoreErrorKind::Unreadable);
}

#[test]
fn a_host_that_never_finishes_tls_ends() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let reference = format!("registry:{}", listener.local_addr().unwrap()).parse().unwrap();
    let begun = Instant::now();
    let pace = Pace { connect: Duration::from_millis(200), ..pace() };
    let error = RegistryStore::open(reference, RegistryOptions { pace, ..options() }).err().unwrap();
    assert_eq!(error.kind, StoreErrorKind::Unreadable);
    assert!(begun.elapsed() < Duration::from_secs(6), "{error}");
}

#[test]
fn a_registry_is_asked_by_a_few_at_once() {
    let inside = std::sync::Arc::new(std::sync::Mutex::new((0, 0)));
    let counted = std::sync::Arc::clone(&inside);
    let server = server(move |_, _| {
        {
            let mut counted = counted.lock().unwrap();
            counted.0 += 1;
            counted.1 = counted.1.max(counted.0);
        }
        std::thread::sleep(Duration::from_millis(20));
        counted.lock().unwrap().0 -= 1;
        head(200, &[])
    });
    let limits = RegistryLimits { requests: 2, ..RegistryLimits::default() };
    let store = open(&server, "/a", RegistryOptions { limits, ..options() });
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| assert!(matches!(store.presence(None, &some_digest()), Presence::Present { .. })));
        }
    });
    assert_eq!(inside.lock().unwrap().1, 2);
}

#[test]
fn many_blobs_may_be_open_at_once() {
    let server = server(|_, _| reply(200, &[], b"something"));
    let limits = RegistryLimits { requests: 1, ..RegistryLimits::default() };
    let store = open(&server, "/a", RegistryOptions { limits, ..options() });
    let blobs: Vec<Blob> = (0..4).map(|_| store.blob(None, &some_digest()).unwrap()).collect();
    assert!(blobs.into_iter().all(|blob| read(blob).unwrap() == b"something"));
}
