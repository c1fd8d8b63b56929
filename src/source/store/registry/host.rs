//! Names of registries: a host and, where it is written, a port.
//!
//! Rule: distribution/reference `regexp.go`, `domain-component`, `ipv6address` and `domain-and-port`; letters are lowered,
//! since names of hosts know no case (RFC 4343). Nothing that could leave a directory or break a header is a host.
//! Cost: one look at each character.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// The longest name of a host, as DNS has it.
const LONGEST_NAME: usize = 253;

/// A host and, where it is written, its port.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Host {
    /// The name or address, in lower case, an IPv6 address in brackets.
    name: String,
    port: Option<u16>,
}

/// A text that is no host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it is no host with an optional port, as in registry.example.com:5000")]
pub struct HostError;

impl Host {
    /// The port, where one is written.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// Whether it is this machine: `localhost`, 127.0.0.0/8 or `::1`.
    pub fn is_loopback(&self) -> bool {
        if self.name == "localhost" {
            return true;
        }
        let bare = self.name.trim_start_matches('[').trim_end_matches(']');
        bare.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
            || bare.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback())
    }

    /// Whether the first part of a reference can only be a host: it has a dot or a port, or is `localhost`.
    /// Rule: distribution/reference `normalize.go`, `splitDockerDomain`.
    pub fn is_certain(&self) -> bool {
        self.port.is_some() || self.name == "localhost" || self.name.contains(['.', '['])
    }

    /// Whether this name, given as a permission, covers a host: without a port it covers all of its ports.
    pub fn covers(&self, other: &Self) -> bool {
        self.name == other.name && (self.port.is_none() || self.port == other.port)
    }

    /// The same host without a port that its scheme implies.
    pub(super) fn without_implied_port(mut self, scheme: &str) -> Self {
        let implied = match scheme {
            "https" => 443,
            _ => 80,
        };
        if self.port == Some(implied) {
            self.port = None;
        }
        self
    }
}

impl FromStr for Host {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Self, HostError> {
        let (name, port) = match text.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, Some(port)),
            _ => (text, None),
        };
        let port = match port {
            None => None,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().ok().filter(|port| *port > 0).ok_or(HostError)?)
            }
            Some(_) => return Err(HostError),
        };
        let known = match name.strip_prefix('[') {
            Some(rest) => rest.strip_suffix(']').is_some_and(|address| address.parse::<Ipv6Addr>().is_ok()),
            None => name.len() <= LONGEST_NAME && name.split('.').all(is_label),
        };
        if known { Ok(Self { name: name.to_ascii_lowercase(), port }) } else { Err(HostError) }
    }
}

/// Letters and digits, with hyphens inside.
fn is_label(label: &str) -> bool {
    !label.is_empty()
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            Some(port) => write!(formatter, "{}:{port}", self.name),
            None => formatter.write_str(&self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str) -> Host {
        text.parse().unwrap()
    }

    #[test]
    fn hosts_are_read_and_written() {
        for (text, written, port) in [
            ("Registry.Example.COM", "registry.example.com", None),
            ("mirror:5000", "mirror:5000", Some(5000)),
            ("[::1]:5000", "[::1]:5000", Some(5000)),
            ("[fe80::1]", "[fe80::1]", None),
            ("10.0.0.1:443", "10.0.0.1:443", Some(443)),
        ] {
            let host = host(text);
            assert_eq!((host.to_string().as_str(), host.port()), (written, port), "{text}");
        }
    }

    #[test]
    fn what_could_leave_a_directory_or_break_a_header_is_no_host() {
        for text in [
            "",
            "..",
            ".",
            "a..b",
            "a/b",
            "a b",
            "a\r\nb",
            "user@host",
            "-a",
            "a-",
            "a:",
            "a:0",
            "a:65536",
            "a:+1",
            "a:b",
            "[::1",
            "::1",
            "[a]",
            "ä.example",
            "a_b.example",
            &"a".repeat(254),
        ] {
            assert!(text.parse::<Host>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn only_this_machine_is_loopback() {
        for text in ["localhost", "LOCALHOST:5000", "127.0.0.1", "127.255.0.9:5000", "[::1]:5000"] {
            assert!(host(text).is_loopback(), "{text}");
        }
        for text in ["localhost.example.com", "128.0.0.1", "127.0.0.1.example.com", "[::2]", "10.0.0.1", "127.1"] {
            assert!(!host(text).is_loopback(), "{text}");
        }
    }

    #[test]
    fn a_permission_without_a_port_covers_all_ports() {
        assert!(host("a.example").covers(&host("a.example:5000")));
        assert!(host("a.example:5000").covers(&host("A.example:5000")));
        assert!(!host("a.example:5000").covers(&host("a.example")));
        assert!(!host("a.example").covers(&host("b.a.example")));
    }

    #[test]
    fn a_port_that_the_scheme_implies_is_left_out() {
        assert_eq!(host("a.example:443").without_implied_port("https"), host("a.example"));
        assert_eq!(host("a.example:443").without_implied_port("http"), host("a.example:443"));
        assert_eq!(host("a.example:80").without_implied_port("http"), host("a.example"));
    }
}
