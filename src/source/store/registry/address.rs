//! Where a registry sends us: the addresses of `Location`, `Link` and the realm of a token.
//!
//! Rule: RFC 3986, section 4.2 (relative references), RFC 8288 (`Link`), and the OCI distribution specification, "Listing
//! Tags". An address is taken apart here and put together anew, so that nothing in it can break a request; credentials in it
//! are refused, and a fragment is dropped. Cost: one pass over the text.

use ureq::http::HeaderMap;

use super::host::Host;

/// The longest address that is taken.
const LONGEST_ADDRESS: usize = 8 << 10;

/// An address that a registry names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    /// Scheme and host, where they are named; without them those of the request count.
    pub(super) place: Option<(Scheme, Host)>,
    /// Path and query, beginning with a slash.
    pub(super) path: String,
}

/// How a host is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    /// Over TLS.
    Https,
    /// Unencrypted.
    Http,
}

impl Scheme {
    /// As it stands in an address.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Https => "https",
            Self::Http => "http",
        }
    }
}

/// Reads an address that stands in the answer to a request for `base`, a path with its query.
/// `None` where it is no address of HTTP.
pub(super) fn resolve(base: &str, text: &str) -> Option<Address> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'\\'));
    if text.is_empty() || text.len() > LONGEST_ADDRESS || !is_plain {
        return None;
    }
    let text = text.split_once('#').map_or(text, |(address, _)| address);
    if let Some((scheme, rest)) = text.split_once("://").filter(|(scheme, _)| !scheme.contains(['/', '?'])) {
        let scheme = match scheme.to_ascii_lowercase().as_str() {
            "https" => Scheme::Https,
            "http" => Scheme::Http,
            _ => return None,
        };
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (host, path) = rest.split_at_checked(end)?;
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        return Some(Address { place: Some((scheme, host.parse().ok()?)), path });
    }
    if text.starts_with("//") {
        return None;
    }
    let (base_path, _) = base.split_once('?').unwrap_or((base, ""));
    let path = match text.bytes().next() {
        Some(b'/') => text.to_owned(),
        Some(b'?') => format!("{base_path}{text}"),
        _ if text.split(['/', '?']).next().is_some_and(|first| first.contains(':')) => return None,
        _ => format!("{}/{text}", base_path.rsplit_once('/').map_or("", |(directory, _)| directory)),
    };
    Some(Address { place: None, path })
}

/// The target of the link to the next page, as it is written.
pub(super) fn next_page(headers: &HeaderMap) -> Option<&str> {
    let values = headers.get_all("link").iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split('<').skip(1)).find_map(|link| {
        let (target, parameters) = link.split_once('>')?;
        parameters.split([';', ',']).any(is_next).then_some(target)
    })
}

/// Whether a parameter is `rel=next`, with quotes or without.
fn is_next(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else { return false };
    let mut relations = value.trim().trim_matches('"').split_ascii_whitespace();
    name.trim().eq_ignore_ascii_case("rel") && relations.any(|relation| relation.eq_ignore_ascii_case("next"))
}

/// A value as it may stand in a query: all but unreserved characters are escaped (RFC 3986, section 2.3).
pub(super) fn escape(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => escaped.push(char::from(byte)),
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "/v2/a/tags/list?n=2";

    #[test]
    fn addresses_of_every_form_are_read() {
        let place = |scheme, host: &str| Some((scheme, host.parse().unwrap()));
        for (text, expected_place, path) in [
            ("/v2/_catalog?last=b&n=2", None, "/v2/_catalog?last=b&n=2"),
            ("?last=b", None, "/v2/a/tags/list?last=b"),
            ("list?last=b", None, "/v2/a/tags/list?last=b"),
            ("list?last=a://b", None, "/v2/a/tags/list?last=a://b"),
            ("https://a.example/x?y#z", place(Scheme::Https, "a.example"), "/x?y"),
            ("HTTP://A.example:80?y", place(Scheme::Http, "a.example:80"), "/?y"),
            ("https://a.example", place(Scheme::Https, "a.example"), "/"),
        ] {
            assert_eq!(resolve(BASE, text), Some(Address { place: expected_place, path: path.to_owned() }), "{text}");
        }
    }

    #[test]
    fn what_is_no_address_of_http_is_refused() {
        let long = format!("/{}", "a".repeat(LONGEST_ADDRESS));
        for text in [
            "",
            "ftp://a.example/x",
            "file:///etc/passwd",
            "javascript:x",
            "//b.example/x",
            "https://user:secret@a.example/x",
            "https://",
            "/x y",
            "/x\r\nHost: b.example",
            "/x\u{e9}",
            long.as_str(),
        ] {
            assert_eq!(resolve(BASE, text), None, "{text:?}");
        }
    }

    #[test]
    fn the_link_to_the_next_page_is_found() {
        for (value, target) in [
            ("</v2/_catalog?last=b>; rel=\"next\"", Some("/v2/_catalog?last=b")),
            ("<a>; rel=next", Some("a")),
            ("<p>; rel=\"prev\", <n>; title=\"x\"; Rel=\"last NEXT\"", Some("n")),
            ("<p>; rel=\"prev\"", None),
            ("<p>", None),
            ("<p; rel=\"next\"", None),
            ("</x>; title=next", None),
        ] {
            let headers = HeaderMap::from_iter([("link".parse().unwrap(), value.parse().unwrap())]);
            let headers: HeaderMap = headers;
            assert_eq!(next_page(&headers), target, "{value}");
        }
        assert_eq!(next_page(&HeaderMap::new()), None);
    }

    #[test]
    fn values_of_a_query_are_escaped() {
        assert_eq!(escape("repository:a/b:pull"), "repository%3Aa%2Fb%3Apull");
        assert_eq!(escape("a b&c=\r\n\u{e9}"), "a%20b%26c%3D%0D%0A%C3%A9");
    }
}
