//! A registry on this machine that serves images, or answers whatever a test tells it to.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use crate::image_builder::Images;

/// What was asked of the registry.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
}

/// An answer: status, headers, and the body.
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Body,
}

enum Body {
    Bytes(Vec<u8>),
    /// These bytes again and again, until the other side hangs up.
    Endless(Vec<u8>),
}

impl Reply {
    pub(crate) fn of(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: Body::Bytes(body.into()) }
    }

    pub(crate) fn endless(bytes: Vec<u8>) -> Self {
        Self { status: 200, headers: Vec::new(), body: Body::Endless(bytes) }
    }

    pub(crate) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }
}

/// A registry that runs until the process ends.
pub(crate) struct Registry {
    pub(crate) host: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Registry {
    /// Answers by a function of the question.
    pub(crate) fn start(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let registry = Self { host, asked: Arc::default() };
        let (asked, answer) = (registry.asked.clone(), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (asked, answer) = (asked.clone(), answer.clone());
                std::thread::spawn(move || serve(stream, &asked, &*answer));
            }
        });
        registry
    }

    /// Serves images from the repository `birds`, unless the function answers first.
    pub(crate) fn of(images: &Images, first: impl Fn(&Asked) -> Option<Reply> + Send + Sync + 'static) -> Self {
        let images = images.clone();
        Self::start(move |asked| first(asked).unwrap_or_else(|| honest(&images, &asked.path)))
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The catalog as SOURCE.
    pub(crate) fn source(&self) -> String {
        format!("registry:{}/birds:v1", self.host)
    }
}

/// What a registry answers that holds these images.
fn honest(images: &Images, path: &str) -> Reply {
    let (path, _) = path.split_once('?').unwrap_or((path, ""));
    let top = &images.top[0];
    let digest = top["digest"].as_str().unwrap();
    let named = path.rsplit('/').next().unwrap();
    let wanted = if named == "v1" { digest } else { named };
    match path {
        "/v2/" => Reply::of(200, "{}"),
        "/v2/_catalog" => Reply::of(200, r#"{"repositories": ["birds"]}"#),
        "/v2/birds/tags/list" => Reply::of(200, r#"{"name": "birds", "tags": ["v1"]}"#),
        _ => match images.blobs.get(wanted) {
            Some(bytes) if path.starts_with("/v2/birds/manifests/") => Reply::of(200, bytes.clone())
                .header("Content-Type", top["mediaType"].as_str().unwrap())
                .header("Docker-Content-Digest", wanted),
            Some(bytes) => Reply::of(200, bytes.clone()),
            None => Reply::of(404, "{}"),
        },
    }
}

fn serve(mut stream: TcpStream, asked: &Mutex<Vec<Asked>>, answer: &(dyn Fn(&Asked) -> Reply + Send + Sync)) {
    let mut first = [0];
    if stream.peek(&mut first).is_err() || first[0] == 0x16 {
        // The first words of TLS, which is not spoken here.
        return;
    }
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let line = lines.next().unwrap_or_default();
    let (method, rest) = line.split_once(' ').unwrap_or(("GET", "/"));
    let path = rest.split(' ').next().unwrap().to_owned();
    let mut question = Asked { path, authorization: None };
    for line in lines.take_while(|line| !line.is_empty()) {
        if let Some((name, value)) = line.split_once(": ")
            && name.eq_ignore_ascii_case("authorization")
        {
            question.authorization = Some(value.to_owned());
        }
    }
    asked.lock().unwrap().push(question.clone());
    let reply = answer(&question);
    let mut text = format!("HTTP/1.1 {} Status\r\nConnection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Body::Bytes(bytes) = &reply.body {
        text.push_str(&format!("Content-Length: {}\r\n", bytes.len()));
    }
    text.push_str("\r\n");
    // A client may hang up whenever it has seen enough.
    let _ = stream.write_all(text.as_bytes());
    match reply.body {
        _ if method == "HEAD" => {}
        Body::Bytes(bytes) => drop(stream.write_all(&bytes)),
        Body::Endless(bytes) => while stream.write_all(&bytes).is_ok() {},
    }
}
