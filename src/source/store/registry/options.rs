//! What a user may say about how a registry is reached, and the bounds on what it may cost.
//!
//! Rule: names and defaults are ours; places of files are those of containers-auth.json(5) and containers-certs.d(5).
//! Cost: none.

use std::path::PathBuf;
use std::time::Duration;

/// How a registry is reached.
#[derive(Debug, Clone, Default)]
pub struct RegistryOptions {
    /// The only auth file that is read; without it those of [`UserDirectories`] are.
    pub authfile: Option<PathBuf>,
    /// Files of PEM certificates that are trusted beside those of the system.
    pub certificate_authorities: Vec<PathBuf>,
    /// Hosts, `host[:port]`, whose certificates are not checked and which may speak plain HTTP. Without a port: all ports.
    pub insecure: Vec<String>,
    /// Hosts, `host[:port]`, to which a registry may send us for blobs and for tokens. Without a port: all ports.
    pub allow_redirect: Vec<String>,
    /// Where the user's files lie.
    pub user: UserDirectories,
    /// How long anything may take.
    pub pace: Pace,
    /// How much may come.
    pub limits: RegistryLimits,
}

/// Where the files of a user lie; `None` where the environment names no such place.
#[derive(Debug, Clone, Default)]
pub struct UserDirectories {
    /// `$XDG_RUNTIME_DIR`.
    pub runtime: Option<PathBuf>,
    /// `$XDG_CONFIG_HOME`, else `~/.config`.
    pub configuration: Option<PathBuf>,
    /// `$HOME`.
    pub home: Option<PathBuf>,
}

/// How long anything may take.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Name, connection and TLS.
    pub connect: Duration,
    /// From the request to the end of the headers of its answer.
    pub answer: Duration,
    /// Between two pieces of a body.
    pub silence: Duration,
    /// The whole body of a list, a token or a manifest.
    pub document: Duration,
    /// Fewest bytes a second of a body, on average.
    pub bytes_per_second: u32,
    /// How long a body may be slower than that.
    pub grace: Duration,
    /// How often a request is tried, the first time counted.
    pub tries: u32,
    /// The wait before the second try; it doubles from try to try.
    pub first_wait: Duration,
    /// The longest wait, whatever the registry asks for.
    pub longest_wait: Duration,
    /// All tries of a request and the waits between them: none is begun later.
    pub together: Duration,
}

impl Default for Pace {
    /// Bounds that a slow line keeps, and a stuck registry does not.
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            silence: Duration::from_secs(30),
            document: Duration::from_secs(120),
            bytes_per_second: 1024,
            grace: Duration::from_secs(20),
            tries: 4,
            first_wait: Duration::from_millis(250),
            longest_wait: Duration::from_secs(30),
            together: Duration::from_secs(120),
        }
    }
}

/// How much may come.
#[derive(Debug, Clone, Copy)]
pub struct RegistryLimits {
    /// Repositories of a registry.
    pub repositories: usize,
    /// Tags, over all repositories.
    pub tags: usize,
    /// Pages of one list.
    pub pages: usize,
    /// Bytes of one blob.
    pub blob_bytes: u64,
    /// Requests at once.
    pub requests: usize,
}

impl Default for RegistryLimits {
    /// A hundred thousand repositories and tags, 64 GiB in a blob, 8 requests at once.
    fn default() -> Self {
        Self { repositories: 100_000, tags: 100_000, pages: 5_000, blob_bytes: 64 << 30, requests: 8 }
    }
}
