//! The store against a registry that behaves in every way it should not.

mod access;
mod attacks;
mod elsewhere;
mod listing;
pub(super) mod server;

use std::time::Duration;

use super::*;
use server::{Asked, Server, Step, absent, head, json, reply};

/// Bounds that a test can wait for.
fn pace() -> Pace {
    Pace {
        answer: Duration::from_millis(400),
        silence: Duration::from_millis(400),
        document: Duration::from_secs(2),
        grace: Duration::from_millis(150),
        first_wait: Duration::from_millis(1),
        longest_wait: Duration::from_secs(1),
        ..Pace::default()
    }
}

fn options() -> RegistryOptions {
    RegistryOptions { pace: pace(), ..RegistryOptions::default() }
}

/// Opens a part of a server's registry: `""` is all of it.
fn open(server: &Server, part: &str, options: RegistryOptions) -> RegistryStore {
    let reference = format!("registry:{}{part}", server.host).parse().unwrap();
    RegistryStore::open(reference, options).unwrap()
}

/// A server that greets well and answers everything else by a function.
fn server(answer: impl Fn(&Asked, usize) -> Vec<Step> + Send + Sync + 'static) -> Server {
    Server::start(move |asked, before| if asked.path == "/v2/" { json("{}") } else { answer(asked, before) })
}

/// A digest of something that exists nowhere.
fn some_digest() -> ContentDigest {
    ContentDigest::of(b"something")
}

/// Reads a blob to its end.
fn read(blob: Blob) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut content = blob.content;
    std::io::Read::read_to_end(&mut content, &mut bytes).map(|_| bytes)
}
