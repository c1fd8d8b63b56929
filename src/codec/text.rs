//! Checks bytes before any parser sees them: UTF-8, no control characters.
//!
//! Which characters YAML text may hold is decided as in `go.yaml.in/yaml/v2`, readerc.go. Cost: two passes at memory speed.

use super::Fault;

/// The line of byte `offset`, from 1.
pub(super) fn line_at(bytes: &[u8], offset: usize) -> u32 {
    let before = bytes.get(..offset).unwrap_or(bytes);
    line_after(1, before)
}

/// The line that follows `passed` when `passed` starts in `line`.
pub(super) fn line_after(line: u32, passed: &[u8]) -> u32 {
    let breaks = memchr::memchr_iter(b'\n', passed).count();
    line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX))
}

/// The bytes as text.
pub(super) fn utf8(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|error| Fault::new(line_at(bytes, error.valid_up_to()), "the text is not UTF-8"))
}

/// Refuses the characters that a YAML stream must not hold, such as NUL.
pub(super) fn refuse_control_characters(text: &str) -> Result<(), Fault> {
    let bytes = text.as_bytes();
    let mut offset = 0;
    for chunk in bytes.chunks(4096) {
        // Folding without an early exit lets the compiler look at many bytes at once.
        let suspicious = chunk.iter().fold(false, |found, &byte| found | may_start_control_character(byte));
        let mut positions = offset..offset + chunk.len();
        let starts_at = |&position: &usize| bytes.get(position..).is_some_and(starts_with_control_character);
        if suspicious && let Some(position) = positions.find(starts_at) {
            return Err(Fault::new(line_at(bytes, position), "the text holds a control character"));
        }
        offset += chunk.len();
    }
    Ok(())
}

fn may_start_control_character(byte: u8) -> bool {
    let ascii_control = (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r');
    ascii_control | (byte == 0x7F) | (byte == 0xC2) | (byte == 0xEF)
}

/// Whether the UTF-8 text starts with a C0 or C1 control, DEL, U+FFFE or U+FFFF; next line (U+0085) is allowed.
fn starts_with_control_character(text: &[u8]) -> bool {
    match text {
        [b'\t' | b'\n' | b'\r', ..] | [0xC2, 0x85, ..] => false,
        [0x00..=0x1F | 0x7F, ..] | [0xC2, 0x80..=0x9F, ..] | [0xEF, 0xBF, 0xBE | 0xBF, ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_names_the_line_of_the_first_bad_byte() {
        assert_eq!(utf8(b"a\nb"), Ok("a\nb"));
        assert_eq!(utf8(b"a\nb\xff").unwrap_err().line, 2);
    }

    #[test]
    fn control_characters_are_found_in_any_chunk() {
        let clean = "é\t\r\n\u{85}\u{A0}\u{FEFF}".repeat(2000);
        assert_eq!(refuse_control_characters(&clean), Ok(()));
        for bad in ["\0", "\u{7}", "\u{7F}", "\u{80}", "\u{9F}", "\u{FFFE}"] {
            for padding in [0, 4095, 4096, 5000] {
                let text = format!("\n{}{bad}", "x".repeat(padding));
                assert_eq!(refuse_control_characters(&text).unwrap_err().line, 2, "{bad:?} after {padding}");
            }
        }
    }
}
