//! Reads how a registry wants to be asked: the challenges of `WWW-Authenticate`.
//!
//! Rule: RFC 9110, section 11.6.1, with the quoted strings of section 5.6.4; `Basic` is RFC 7617, `Bearer` with a realm is
//! distribution/distribution `docs/content/spec/auth/token.md`. Other schemes are passed over. Cost: one pass.

use ureq::http::HeaderMap;

/// The longest header that is looked at, and the most challenges that are kept.
const LONGEST_HEADER: usize = 8 << 10;
const MOST_CHALLENGES: usize = 8;

/// A way in which a registry wants to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Challenge {
    /// User and password.
    Basic,
    /// A token, which another address gives out.
    Bearer {
        /// The address.
        realm: String,
        /// The name of the registry there.
        service: Option<String>,
    },
}

/// The challenges of an answer, in their order.
pub(super) fn challenges(headers: &HeaderMap) -> Vec<Challenge> {
    let values = headers.get_all("www-authenticate").iter().filter_map(|value| value.to_str().ok());
    let known = values.filter(|value| value.len() <= LONGEST_HEADER);
    known.flat_map(read).take(MOST_CHALLENGES).collect()
}

/// A challenge while its parameters are read.
struct Open {
    scheme: String,
    realm: Option<String>,
    service: Option<String>,
}

impl Open {
    fn close(self) -> Option<Challenge> {
        match (self.scheme.as_str(), self.realm) {
            ("basic", _) => Some(Challenge::Basic),
            ("bearer", Some(realm)) => Some(Challenge::Bearer { realm, service: self.service }),
            _ => None,
        }
    }
}

/// Reads `Scheme name=value, name="value", Scheme …`.
fn read(text: &str) -> Vec<Challenge> {
    let mut found = Vec::new();
    let mut open: Option<Open> = None;
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let end = rest.find([' ', '\t', ',', '=', '"']).unwrap_or(rest.len());
        let Some((word, after)) = rest.split_at_checked(end) else { break };
        let value = after.trim_start().strip_prefix('=');
        if word.is_empty() && value.is_none() {
            break;
        }
        let Some(value) = value else {
            found.extend(open.take().and_then(Open::close));
            open = Some(Open { scheme: word.to_ascii_lowercase(), realm: None, service: None });
            rest = after;
            continue;
        };
        let (value, after) = parameter(value.trim_start());
        rest = after;
        if let Some(open) = &mut open {
            match word.to_ascii_lowercase().as_str() {
                "realm" => open.realm = Some(value),
                "service" => open.service = Some(value),
                _ => {}
            }
        }
    }
    found.extend(open.and_then(Open::close));
    found
}

/// A token or a quoted string, and what follows it.
fn parameter(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([' ', '\t', ',']).unwrap_or(text.len());
        let (value, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        return (value.to_owned(), rest);
    };
    let mut value = String::new();
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => value.extend(characters.next()),
            _ => value.push(character),
        }
    }
    (value, characters.as_str())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bearer(realm: &str, service: Option<&str>) -> Challenge {
        Challenge::Bearer { realm: realm.to_owned(), service: service.map(str::to_owned) }
    }

    #[test]
    fn challenges_of_every_form_are_read() {
        let both = vec![bearer("https://a/t?x=1,2", Some("s")), Challenge::Basic];
        for (text, expected) in [
            ("Basic realm=\"lab\"", vec![Challenge::Basic]),
            ("BASIC", vec![Challenge::Basic]),
            (
                "bearer realm=\"https://a/t\",service=\"s\",scope=\"repository:a:pull\"",
                vec![bearer("https://a/t", Some("s"))],
            ),
            ("Bearer realm = \"a\\\"b\\\\c\"", vec![bearer("a\"b\\c", None)]),
            ("Bearer service=s, realm=t", vec![bearer("t", Some("s"))]),
            ("Negotiate, Bearer realm=\"https://a/t?x=1,2\", service=\"s\", Basic realm=\"x\"", both),
            ("Negotiate", vec![]),
            ("Bearer service=\"s\"", vec![]),
            ("", vec![]),
            ("=\"x\"", vec![]),
            ("Bearer realm=\"never closed", vec![bearer("never closed", None)]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn several_headers_count_and_a_huge_one_does_not() {
        let mut headers = HeaderMap::new();
        headers.append("www-authenticate", "Negotiate".parse().unwrap());
        headers.append("www-authenticate", format!("Basic x={}", "a".repeat(LONGEST_HEADER)).parse().unwrap());
        assert_eq!(challenges(&headers), []);
        headers.append("www-authenticate", "Basic".parse().unwrap());
        assert_eq!(challenges(&headers), [Challenge::Basic]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_end(text in "[ -~\\t]{0,80}") {
            prop_assert!(read(&text).len() <= text.len());
        }

        #[test]
        fn any_realm_survives_its_quotes(realm in "[ -~]{0,40}") {
            let quoted = realm.replace('\\', "\\\\").replace('"', "\\\"");
            prop_assert_eq!(read(&format!("Bearer realm=\"{quoted}\"")), [bearer(&realm, None)]);
        }
    }
}
