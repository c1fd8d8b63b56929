//! A registry with a private authority and a user, against its own storage.

use std::process::Command;

use crate::registry::{PASSWORD, Registry, USER};
use crate::report::{Sources, answers, assert_same};
use crate::samples::{CATALOG, Samples};
use crate::shapes::expected;
use crate::tools::text;

fn secure(registry: &Registry, flags: &[&str]) -> Sources {
    Sources {
        catalog: format!("registry:{}/{}:{}", registry.host, CATALOG.0, CATALOG.1),
        bundles: format!("registry:{}", registry.host),
        releases: format!("registry:{}", registry.host),
        flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
    }
}

#[test]
fn basic_auth_and_a_private_authority_give_the_report_of_the_storage() {
    let samples = Samples::new();
    let registry = Registry::secure();
    registry.push(&samples);
    let (credentials, authority) = (registry.credentials(), registry.authority());
    let flags = ["--authfile", text(&credentials), "--ca-file", text(&authority)];
    let expected = expected(&samples);
    assert_same("TLS and basic auth", &answers(&secure(&registry, &flags)), &expected);
    let storage = Sources::of_one(text(&registry.storage()), &format!("{}:{}", CATALOG.0, CATALOG.1));
    assert_same("its storage", &answers(&storage), &expected);
}

#[test]
fn without_the_authority_or_without_credentials_nothing_is_read_and_no_secret_is_told() {
    let samples = Samples::new();
    let registry = Registry::secure();
    registry.push(&samples);
    let (credentials, authority) = (registry.credentials(), registry.authority());
    let source = format!("registry:{}/{}:{}", registry.host, CATALOG.0, CATALOG.1);
    let nobody = registry.authority().with_file_name("nobody.json");
    std::fs::write(&nobody, r#"{"auths": {}}"#).unwrap();
    let cases: [(&[&str], &str); 2] = [
        (&["--authfile", text(&credentials)], "certificate"),
        (&["--authfile", text(&nobody), "--ca-file", text(&authority)], "401"),
    ];
    for (flags, word) in cases {
        let output = Command::new(env!("CARGO_BIN_EXE_skipstone"))
            .args(["catalog", "check", "--no-cache", &source])
            .args(flags)
            .output()
            .unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(word), "{word}: {said}");
        for secret in [PASSWORD, USER] {
            assert!(!said.contains(secret), "{said}");
        }
    }
}
