//! A docker-registry of our own on loopback, ended with the test.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::samples::{IMAGES, Samples};
use crate::tools::{copy, run, text};

pub(crate) const USER: &str = "lab";
/// A colon in a password must survive.
pub(crate) const PASSWORD: &str = "s3cret:colon";

/// A running registry.
pub(crate) struct Registry {
    process: Child,
    place: TempDir,
    pub(crate) host: String,
    is_secure: bool,
}

impl Registry {
    /// Plain HTTP, open to everybody.
    pub(crate) fn open() -> Self {
        Self::start(false)
    }

    /// TLS by an authority of its own, and one user.
    pub(crate) fn secure() -> Self {
        Self::start(true)
    }

    fn start(is_secure: bool) -> Self {
        let place = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let host = format!("127.0.0.1:{port}");
        let configuration = place.path().join("configuration.yml");
        let mut content = format!(
            "version: 0.1\nlog: {{level: error, accesslog: {{disabled: true}}}}\nstorage: {{filesystem: {{rootdirectory: {}}}, delete: {{enabled: true}}}}\n",
            text(&place.path().join("storage"))
        );
        if is_secure {
            let [authority, key, users] = secrets(place.path());
            content.push_str(&format!("http: {{addr: \"{host}\", tls: {{certificate: {authority}, key: {key}}}}}\n"));
            content.push_str(&format!("auth: {{htpasswd: {{realm: lab, path: {users}}}}}\n"));
        } else {
            content.push_str(&format!("http: {{addr: \"{host}\"}}\n"));
        }
        fs::write(&configuration, content).unwrap();
        let log = fs::File::create(place.path().join("log")).unwrap();
        let process = Command::new("docker-registry")
            .args(["serve", text(&configuration)])
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let registry = Self { process, place, host, is_secure };
        registry.wait();
        registry
    }

    fn wait(&self) {
        let until = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(&self.host).is_err() {
            assert!(Instant::now() < until, "{}", fs::read_to_string(self.place.path().join("log")).unwrap());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The root of its storage.
    pub(crate) fn storage(&self) -> PathBuf {
        self.place.path().join("storage")
    }

    /// The certificate of its authority.
    pub(crate) fn authority(&self) -> PathBuf {
        self.place.path().join("certificates/ca.crt")
    }

    /// A file with its credentials.
    pub(crate) fn credentials(&self) -> PathBuf {
        let file = self.place.path().join("auth.json");
        let encoded = base64(&format!("{USER}:{PASSWORD}"));
        fs::write(&file, format!(r#"{{"auths": {{"{}": {{"auth": "{encoded}"}}}}}}"#, self.host)).unwrap();
        file
    }

    /// Pushes the three images.
    pub(crate) fn push(&self, samples: &Samples) {
        let credentials = self.credentials();
        let certificates = self.place.path().join("certificates");
        for (image, (repository, tag)) in IMAGES {
            let from = format!("oci:{}:{image}", text(&samples.layout()));
            let to = format!("docker://{}/{repository}:{tag}", self.host);
            let flags = if self.is_secure {
                ["--dest-cert-dir", text(&certificates), "--dest-authfile", text(&credentials)].to_vec()
            } else {
                ["--dest-tls-verify=false"].to_vec()
            };
            copy(&from, &to, &flags);
        }
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Certificate, key and list of users of a registry, made with openssl and htpasswd.
fn secrets(place: &Path) -> [String; 3] {
    let certificates = place.join("certificates");
    fs::create_dir(&certificates).unwrap();
    let (authority, key, users) = (certificates.join("ca.crt"), place.join("key.pem"), place.join("users"));
    run(
        "openssl",
        &[
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=127.0.0.1",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-keyout",
            text(&key),
            "-out",
            text(&authority),
        ],
    );
    let listed = run("htpasswd", &["-Bbn", USER, PASSWORD]).stdout;
    fs::write(&users, listed).unwrap();
    [authority, key, users].map(|file| text(&file).to_owned())
}

fn base64(plain: &str) -> String {
    use ::base64::Engine as _;
    ::base64::engine::general_purpose::STANDARD.encode(plain)
}
