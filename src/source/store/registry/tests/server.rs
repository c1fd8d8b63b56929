//! A server of HTTP on this machine that answers what a test tells it to, at the speed that it tells.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What was asked of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Asked {
    pub(in super::super) method: String,
    pub(in super::super) path: String,
    pub(in super::super) authorization: Option<String>,
}

/// A part of an answer.
#[derive(Clone)]
pub(in super::super) enum Step {
    Bytes(Vec<u8>),
    Wait(Duration),
    /// These bytes and this wait, until the other side hangs up.
    Forever(Vec<u8>, Duration),
}

/// A server that runs until the process ends.
#[derive(Clone)]
pub(in super::super) struct Server {
    pub(in super::super) host: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Answers by a function of the question and of how many questions came before it.
    pub(in super::super) fn start(answer: impl Fn(&Asked, usize) -> Vec<Step> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self { host: listener.local_addr().unwrap().to_string(), asked: Arc::default() };
        let (asked, answer) = (Arc::clone(&server.asked), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (asked, answer) = (Arc::clone(&asked), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &asked, &*answer));
            }
        });
        server
    }

    /// Everything that was asked so far.
    pub(in super::super) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The paths that were asked for so far, with their methods, without the greeting.
    pub(in super::super) fn paths(&self) -> Vec<String> {
        let asked = self.asked().into_iter().filter(|asked| asked.path != "/v2/");
        asked.map(|asked| format!("{} {}", asked.method, asked.path)).collect()
    }
}

fn serve(
    mut stream: TcpStream,
    asked: &Mutex<Vec<Asked>>,
    answer: &(dyn Fn(&Asked, usize) -> Vec<Step> + Send + Sync),
) {
    let mut first = [0];
    if stream.peek(&mut first).is_err() {
        return;
    }
    if first[0] == 0x16 {
        // What a server without TLS makes of the first words of TLS.
        let mut hello = [0; 4096];
        let _ = stream.read(&mut hello);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
        return;
    }
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    let mut words = first.split(' ').map(str::to_owned);
    let mut question =
        Asked { method: words.next().unwrap_or_default(), path: words.next().unwrap_or_default(), authorization: None };
    for line in lines.take_while(|line| !line.is_empty()) {
        if let Some((name, value)) = line.split_once(": ")
            && name.eq_ignore_ascii_case("authorization")
        {
            question.authorization = Some(value.to_owned());
        }
    }
    let before = {
        let mut asked = asked.lock().unwrap();
        asked.push(question.clone());
        asked.len() - 1
    };
    for step in answer(&question, before) {
        match step {
            Step::Bytes(bytes) => {
                let _ = stream.write_all(&bytes);
            }
            Step::Wait(wait) => std::thread::sleep(wait),
            Step::Forever(bytes, wait) => {
                while stream.write_all(&bytes).is_ok() {
                    std::thread::sleep(wait);
                }
            }
        }
    }
}

/// An answer with a body, whose length is stated.
pub(in super::super) fn reply(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Vec<Step> {
    let length = body.len().to_string();
    let mut steps = head(status, &[headers, &[("Content-Length", &length)]].concat());
    steps.push(Step::Bytes(body.to_vec()));
    steps
}

/// The headers of an answer.
pub(in super::super) fn head(status: u16, headers: &[(&str, &str)]) -> Vec<Step> {
    let mut text = format!("HTTP/1.1 {status} Status\r\nConnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    vec![Step::Bytes(text.into_bytes())]
}

/// An answer in JSON.
pub(in super::super) fn json(text: &str) -> Vec<Step> {
    reply(200, &[("Content-Type", "application/json")], text.as_bytes())
}

/// Nothing of that name.
pub(in super::super) fn absent() -> Vec<Step> {
    reply(404, &[], b"{}")
}
