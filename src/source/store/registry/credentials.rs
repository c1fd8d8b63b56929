//! Chooses the credentials for a registry from auth files.
//!
//! Rule: containers-auth.json(5) and containers/image `pkg/docker/config/config.go`: the explicit file alone, or else the
//! first file that has something; within a file the longest key from `host/path` to the bare host. Old files of docker
//! write addresses as keys. Credential helpers are programs, and no program is run: their entries are named instead.
//! Cost: each file is read once, at most 1 MiB.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::super::{StoreError, StoreErrorKind};
use super::host::Host;
use super::options::{RegistryOptions, UserDirectories};

/// The longest auth file.
const AUTH_FILE_BYTES: u64 = 1 << 20;

/// Something that must not be shown.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret(pub(super) String);

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("(secret)")
    }
}

/// What was chosen for a registry or one of its repositories.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    /// `user:password` in base64, as `Authorization: Basic` wants it; `None` where nothing fits.
    pub(super) login: Option<Secret>,
    /// Which entry of which file was chosen and why, or why there is none; never its value.
    pub(super) reason: String,
}

/// The auth files of a run.
#[derive(Debug, Default)]
pub(super) struct Credentials {
    files: Vec<AuthFile>,
    /// What is wrong with files that need not be there.
    notes: Vec<String>,
}

#[derive(Debug)]
struct AuthFile {
    path: PathBuf,
    entries: BTreeMap<String, Entry>,
    helped: BTreeSet<String>,
    has_store: bool,
}

#[derive(Debug)]
struct Entry {
    /// As it stands in the file.
    key: String,
    login: Result<Secret, &'static str>,
}

/// An auth file as it is written.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Written {
    auths: Option<WrittenEntries>,
    #[serde(rename = "credHelpers")]
    helpers: Option<BTreeMap<String, serde::de::IgnoredAny>>,
    #[serde(rename = "credsStore")]
    store: Option<String>,
}

type WrittenEntries = BTreeMap<String, Option<WrittenEntry>>;

#[derive(Deserialize, Default)]
#[serde(default)]
struct WrittenEntry {
    auth: Option<String>,
    #[serde(rename = "identitytoken")]
    identity_token: Option<String>,
}

impl Credentials {
    /// Reads the auth files that count.
    ///
    /// # Errors
    /// [`StoreErrorKind::Unreadable`] and [`StoreErrorKind::Bad`] where a file that was named cannot be read.
    pub(super) fn read(options: &RegistryOptions) -> Result<Self, StoreError> {
        if let Some(path) = &options.authfile {
            let what = |error| format!("the auth file {}: {error}", path.display());
            let bytes =
                read(path).map_err(|error| StoreError::new(StoreErrorKind::Unreadable, what(error.to_string())))?;
            let file = parse(path, &bytes).map_err(|error| StoreError::new(StoreErrorKind::Bad, what(error)))?;
            return Ok(Self { files: vec![file], notes: Vec::new() });
        }
        let mut credentials = Self::default();
        for path in usual_files(&options.user) {
            let read = match read(&path) {
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => continue,
                Err(error) => Err(error.to_string()),
                Ok(bytes) => parse(&path, &bytes),
            };
            match read {
                Ok(file) => credentials.files.push(file),
                Err(error) => credentials.notes.push(format!("the auth file {}: {error}", path.display())),
            }
        }
        Ok(credentials)
    }

    /// What fits a registry, or a repository of it, best.
    pub(super) fn choose(&self, host: &Host, repository: Option<&str>) -> Choice {
        let wanted = repository.map_or_else(|| host.to_string(), |repository| format!("{host}/{repository}"));
        let mut reasons = self.notes.clone();
        for file in &self.files {
            let place = file.path.display();
            match file.longest(&wanted) {
                Some(Entry { key, login: Ok(login) }) => {
                    let reason = format!("the entry {key:?} of {place} was used, the longest one that fits {wanted}");
                    return Choice { login: Some(login.clone()), reason };
                }
                Some(Entry { key, login: Err(why) }) => reasons.push(format!("the entry {key:?} of {place} {why}")),
                None if file.is_helped(host) => {
                    reasons.push(format!("{place} leaves {host} to a credential helper, and none is run"));
                }
                None => reasons.push(format!("{place} has no entry that fits {wanted}")),
            }
        }
        if reasons.is_empty() {
            reasons.push("there is no auth file".to_owned());
        }
        Choice { login: None, reason: format!("no credentials were sent: {}", reasons.join("; ")) }
    }
}

impl AuthFile {
    /// The entry of the longest key from `host/path` to the bare host.
    fn longest(&self, wanted: &str) -> Option<&Entry> {
        let keys = std::iter::successors(Some(wanted), |text| Some(text.rsplit_once('/')?.0));
        keys.into_iter().find_map(|key| self.entries.get(key))
    }

    fn is_helped(&self, host: &Host) -> bool {
        self.has_store || self.helped.contains(&host.to_string())
    }
}

/// The files that are looked at where none is named, in the order of containers-auth.json(5).
fn usual_files(user: &UserDirectories) -> Vec<PathBuf> {
    let below = |directory: &Option<PathBuf>, path: &str| directory.as_ref().map(|directory| directory.join(path));
    [
        below(&user.runtime, "containers/auth.json"),
        below(&user.configuration, "containers/auth.json"),
        below(&user.home, ".docker/config.json"),
        below(&user.home, ".dockercfg"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(AUTH_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > AUTH_FILE_BYTES {
        return Err(std::io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {AUTH_FILE_BYTES} bytes")));
    }
    Ok(bytes)
}

/// Takes an auth file apart. What serde says of a fault may repeat a value, so that only its place is told.
fn parse(path: &Path, bytes: &[u8]) -> Result<AuthFile, String> {
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err("it is no auth file, which begins with a brace".to_owned());
    }
    let is_old = path.file_name().is_some_and(|name| name == ".dockercfg");
    let read = if is_old {
        serde_json::from_slice(bytes).map(|entries| Written { auths: Some(entries), ..Written::default() })
    } else {
        serde_json::from_slice(bytes)
    };
    let written: Written =
        read.map_err(|error| format!("it is no auth file, by line {}, column {}", error.line(), error.column()))?;
    let mut entries = BTreeMap::new();
    for (key, entry) in written.auths.unwrap_or_default() {
        let name = without_address(&key).to_owned();
        let is_exact = name == key;
        let entry = Entry { login: login(entry.unwrap_or_default()), key };
        if is_exact {
            entries.insert(name, entry);
        } else {
            entries.entry(name).or_insert(entry);
        }
    }
    let helped = written.helpers.unwrap_or_default().into_keys().collect();
    Ok(AuthFile {
        path: path.to_owned(),
        entries,
        helped,
        has_store: written.store.is_some_and(|name| !name.is_empty()),
    })
}

/// `https://host/v1/` means the host (containers/image, `normalizeAuthFileKey`).
fn without_address(key: &str) -> &str {
    let Some(rest) = key.strip_prefix("https://").or_else(|| key.strip_prefix("http://")) else { return key };
    let rest = rest.trim_end_matches('/');
    rest.strip_suffix("/v1").or_else(|| rest.strip_suffix("/v2")).unwrap_or(rest)
}

/// The login of an entry, checked to be `user:password` and written anew.
fn login(entry: WrittenEntry) -> Result<Secret, &'static str> {
    if entry.identity_token.is_some_and(|token| !token.is_empty()) {
        return Err("holds an identity token, which is not exchanged here");
    }
    let Some(auth) = entry.auth.filter(|auth| !auth.is_empty()) else {
        return Err("is empty, which leaves it to a credential helper, and none is run");
    };
    let decoded = STANDARD.decode(auth.trim()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let Some((user, password)) = decoded.as_deref().and_then(|text| text.split_once(':')) else {
        return Err("does not hold user:password in base64");
    };
    let password = password.trim_end_matches('\0');
    Ok(Secret(STANDARD.encode(format!("{user}:{password}"))))
}

#[cfg(test)]
#[path = "tests/credentials.rs"]
mod tests;
