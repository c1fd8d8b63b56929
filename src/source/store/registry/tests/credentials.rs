//! The rules of containers-auth.json(5), as tables.

use tempfile::TempDir;

use super::*;

fn base64(text: &str) -> String {
    STANDARD.encode(text)
}

fn auths(entries: &[(&str, &str)]) -> String {
    let entries: Vec<String> =
        entries.iter().map(|(key, login)| format!("{key:?}: {{\"auth\": {:?}}}", base64(login))).collect();
    format!("{{\"auths\": {{{}}}}}", entries.join(", "))
}

fn explicit(text: &str) -> (TempDir, Result<Credentials, StoreError>) {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("auth.json");
    std::fs::write(&file, text).unwrap();
    let options = RegistryOptions { authfile: Some(file), ..RegistryOptions::default() };
    let credentials = Credentials::read(&options);
    (place, credentials)
}

fn chosen(credentials: &Credentials, host: &str, repository: Option<&str>) -> Option<String> {
    let login = credentials.choose(&host.parse().unwrap(), repository).login?;
    Some(String::from_utf8(STANDARD.decode(login.0).unwrap()).unwrap())
}

#[test]
fn the_longest_key_that_fits_is_taken() {
    let text = auths(&[
        ("mirror:5000/redhat/index", "u:deepest"),
        ("mirror:5000/redhat", "u:deep"),
        ("mirror:5000", "u:host"),
        ("mirror", "u:other port"),
    ]);
    let credentials = explicit(&text).1.unwrap();
    for (host, repository, login) in [
        ("mirror:5000", Some("redhat/index"), Some("u:deepest")),
        ("mirror:5000", Some("redhat/index/more"), Some("u:deepest")),
        ("mirror:5000", Some("redhat/index2"), Some("u:deep")),
        ("mirror:5000", Some("redhatter"), Some("u:host")),
        ("mirror:5000", None, Some("u:host")),
        ("mirror", Some("redhat/index"), Some("u:other port")),
        ("mirror:5001", Some("redhat/index"), None),
    ] {
        assert_eq!(chosen(&credentials, host, repository).as_deref(), login, "{host} {repository:?}");
    }
}

#[test]
fn a_password_may_hold_colons_and_a_user_may_not() {
    let credentials = explicit(&auths(&[("a.example", "lab:s3cret:colon")])).1.unwrap();
    let login = chosen(&credentials, "a.example", None).unwrap();
    assert_eq!(login.split_once(':'), Some(("lab", "s3cret:colon")));
    let credentials = explicit(&auths(&[("a.example", "nobody")])).1.unwrap();
    assert_eq!(chosen(&credentials, "a.example", None), None);
}

#[test]
fn addresses_of_old_files_mean_their_host() {
    let credentials = explicit(&auths(&[("https://a.example/v1/", "u:old"), ("http://b.example", "u:b")])).1.unwrap();
    assert_eq!(chosen(&credentials, "a.example", Some("x")).as_deref(), Some("u:old"));
    assert_eq!(chosen(&credentials, "b.example", None).as_deref(), Some("u:b"));
    let credentials = explicit(&auths(&[("a.example", "u:exact"), ("https://a.example/", "u:old")])).1.unwrap();
    assert_eq!(chosen(&credentials, "a.example", None).as_deref(), Some("u:exact"));
}

#[test]
fn helpers_are_named_and_never_run() {
    for (text, reason) in [
        (r#"{"auths": {"a.example": {}}}"#, "is empty, which leaves it to a credential helper, and none is run"),
        (r#"{"auths": {"a.example": null}}"#, "is empty, which leaves it to a credential helper, and none is run"),
        (r#"{"credHelpers": {"a.example": "touch-file"}}"#, "leaves a.example to a credential helper, and none is run"),
        (r#"{"auths": {}, "credsStore": "desktop"}"#, "leaves a.example to a credential helper, and none is run"),
        (r#"{"credHelpers": {"b.example": "x"}}"#, "has no entry that fits a.example"),
        (r#"{"auths": {"a.example": {"auth": "%%%"}}}"#, "does not hold user:password in base64"),
        (r#"{"auths": {"a.example": {"identitytoken": "t0ken"}}}"#, "holds an identity token"),
    ] {
        let choice = explicit(text).1.unwrap().choose(&"a.example".parse().unwrap(), None);
        assert_eq!(choice.login, None, "{text}");
        assert!(choice.reason.contains(reason) && !choice.reason.contains("t0ken"), "{text}: {}", choice.reason);
    }
}

#[test]
fn a_login_beside_a_helper_counts() {
    let text = format!(r#"{{"auths": {{"a.example": {{"auth": "{}"}}}}, "credsStore": "desktop"}}"#, base64("u:p"));
    assert_eq!(chosen(&explicit(&text).1.unwrap(), "a.example", None).as_deref(), Some("u:p"));
}

#[test]
fn the_reason_names_key_and_file_and_not_the_value() {
    let (place, credentials) = explicit(&auths(&[("a.example", "user:hunter2")]));
    let credentials = credentials.unwrap();
    let choice = credentials.choose(&"a.example".parse().unwrap(), Some("b"));
    let file = place.path().join("auth.json");
    let reason =
        format!("the entry \"a.example\" of {} was used, the longest one that fits a.example/b", file.display());
    assert_eq!(choice.reason, reason);
    let shown = format!("{choice:?} {credentials:?}");
    assert!(!shown.contains("hunter2") && !shown.contains(&base64("user:hunter2")), "{shown}");
}

#[test]
fn what_is_wrong_with_a_file_is_told_without_its_text() {
    for text in [r#"{"auths": "hunter2"}"#, r#"{"auths": {"a": {"auth": ["hunter2"]}}}"#, "hunter2", "", "[]"] {
        let error = explicit(text).1.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Bad, "{text}");
        assert!(!error.what.contains("hunter2") && error.what.contains("it is no auth file"), "{}", error.what);
    }
}

#[test]
fn a_named_file_must_be_there_and_have_a_bound() {
    let options = RegistryOptions { authfile: Some("/nowhere/auth.json".into()), ..RegistryOptions::default() };
    assert_eq!(Credentials::read(&options).unwrap_err().kind, StoreErrorKind::Unreadable);
    let huge = " ".repeat(usize::try_from(AUTH_FILE_BYTES).unwrap() + 1);
    assert_eq!(explicit(&huge).1.unwrap_err().kind, StoreErrorKind::Unreadable);
}

#[test]
fn usual_files_are_asked_in_order_and_one_that_is_broken_hides_none() {
    let place = tempfile::tempdir().unwrap();
    let below = |path: &str| Some(place.path().join(path));
    let user = UserDirectories { runtime: below("run"), configuration: below("config"), home: below("home") };
    let options = RegistryOptions { user, ..RegistryOptions::default() };
    let write = |path: &str, text: &str| {
        let file = place.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    let found = || chosen(&Credentials::read(&options).unwrap(), "a.example", None);
    assert_eq!(found(), None);
    write("home/.dockercfg", &format!(r#"{{"https://a.example": {{"auth": "{}"}}}}"#, base64("u:oldest")));
    assert_eq!(found().as_deref(), Some("u:oldest"));
    write("home/.docker/config.json", &auths(&[("a.example", "u:docker")]));
    assert_eq!(found().as_deref(), Some("u:docker"));
    write("config/containers/auth.json", r#"{"auths": {"a.example": {}}}"#);
    assert_eq!(found().as_deref(), Some("u:docker"));
    write("config/containers/auth.json", &auths(&[("a.example", "u:config")]));
    assert_eq!(found().as_deref(), Some("u:config"));
    write("run/containers/auth.json", "no JSON");
    assert_eq!(found().as_deref(), Some("u:config"));
    write("run/containers/auth.json", &auths(&[("a.example", "u:run")]));
    assert_eq!(found().as_deref(), Some("u:run"));
}
