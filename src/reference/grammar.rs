//! The grammar of image references.
//!
//! Rule: `reference.ParseNormalizedNamed` of distribution/reference, which opm calls since v1.64: `[domain/]path[:tag][@digest]`;
//! without a domain Docker Hub is meant, the path is lower case and at most 255 bytes with its domain, a bare 64-digit
//! hexadecimal text is refused, and a digest of a known algorithm has that algorithm's length. Cost: one pass.

/// The parts of a reference as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts<'t> {
    pub(super) domain: Option<&'t str>,
    pub(super) path: &'t str,
    pub(super) tag: Option<&'t str>,
    pub(super) digest: Option<&'t str>,
}

/// Takes a reference apart; `None` where the text is none.
pub(super) fn parts(text: &str) -> Option<Parts<'_>> {
    if text.len() == 64 && text.bytes().all(is_lower_hex) {
        return None;
    }
    let (rest, digest) = match text.split_once('@') {
        Some((rest, digest)) => (rest, Some(digest)),
        None => (text, None),
    };
    let (domain, remainder) = split_domain(rest);
    let (path, tag) = match remainder.split_once(':') {
        Some((path, tag)) => (path, Some(tag)),
        None => (remainder, None),
    };
    let name_length = path.len() + domain.map_or("docker.io".len(), str::len) + 1;
    let is_right = path.split('/').all(is_path_component)
        && name_length <= 255
        && domain.is_none_or(is_domain)
        && tag.is_none_or(is_tag)
        && digest.is_none_or(is_digest);
    is_right.then_some(Parts { domain, path, tag, digest })
}

/// The part before the first slash is a domain where it looks like one.
fn split_domain(text: &str) -> (Option<&str>, &str) {
    match text.split_once('/') {
        Some((first, rest)) if first.contains(['.', ':']) || first == "localhost" || first.to_lowercase() != first => {
            (Some(first), rest)
        }
        _ => (None, text),
    }
}

pub(super) fn is_domain(text: &str) -> bool {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !text.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    let port_is_right = port.is_none_or(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
    let host_is_right = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b':'),
        None => host.split('.').all(is_domain_component),
    };
    port_is_right && host_is_right
}

fn is_domain_component(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// Lower-case letters and digits, in groups separated by one `.`, one or two `_`, or any number of `-`.
pub(super) fn is_path_component(text: &str) -> bool {
    let alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let mut separator = String::new();
    for byte in text.bytes() {
        if alphanumeric(byte) {
            separator.clear();
        } else {
            separator.push(char::from(byte));
            let right = matches!(separator.as_str(), "." | "_" | "__") || separator.bytes().all(|byte| byte == b'-');
            if !right {
                return false;
            }
        }
    }
    separator.is_empty() && text.bytes().next().is_some_and(alphanumeric)
}

fn is_tag(text: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.len() <= 128
        && text.bytes().next().is_some_and(word)
        && text.bytes().all(|byte| word(byte) || matches!(byte, b'.' | b'-'))
}

fn is_digest(text: &str) -> bool {
    let Some((algorithm, hex)) = text.split_once(':') else { return false };
    let length = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ => return false,
    };
    hex.len() == length && hex.bytes().all(is_lower_hex)
}

fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

#[cfg(test)]
mod tests {
    use super::parts;

    const HEX: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    #[test]
    fn references() {
        let digest = format!("host.example:5000/a/b-c@sha256:{HEX}");
        for text in
            [&digest, "host.example/a/b:1.0", "a", "library/a:v1_2", "localhost/a__b.c", "[::1]:5000/a", "HOST/a"]
        {
            assert!(parts(text).is_some(), "{text}");
        }
    }

    #[test]
    fn no_references() {
        let short = format!("host.example/a@sha256:{}", HEX.trim_start_matches('0'));
        for text in [
            "",
            "host.example/A",
            "host.example/a b",
            "a@",
            "a:",
            "a@sha256:12",
            HEX,
            "https://a.example/b",
            "a//b",
            "a/_b",
            &short,
        ] {
            assert!(parts(text).is_none(), "{text}");
        }
    }
}
