use proptest::prelude::*;

use super::*;

fn matches(range: &str, version: &str) -> Option<bool> {
    let version = SemanticVersion::parse_strict(version).unwrap();
    parse(range).ok().map(|range| range.matches(&version))
}

fn check(table: &[(&str, &[&str], &[&str])]) {
    for (range, inside, outside) in table {
        for version in *inside {
            assert_eq!(matches(range, version), Some(true), "{version} in {range:?}");
        }
        for version in *outside {
            assert_eq!(matches(range, version), Some(false), "{version} in {range:?}");
        }
    }
}

#[test]
fn exact_versions() {
    check(&[
        ("1.2.3", &["1.2.3", "1.2.3+5"], &["1.2.4", "1.2.3-rc"]),
        ("=1.2.3+7", &["1.2.3+5"], &["1.2.2"]),
        ("v1.2.3", &["1.2.3"], &["1.2.4"]),
        ("!=1.2.3", &["1.2.4"], &["1.2.3", "1.2.3+5", "1.2.4-rc"]),
        (">1.2.3", &["1.2.4"], &["1.2.3+5", "1.2.4-rc"]),
        (">=1.2.3", &["1.2.3"], &["1.2.2"]),
        ("=>1.2.3", &["1.2.3"], &["1.2.2"]),
        ("<1.2.3", &["1.2.2"], &["1.2.3", "1.2.3-rc"]),
        ("<=1.2.3", &["1.2.3"], &["1.2.4"]),
        ("=<1.2.3", &["1.2.3"], &["1.2.4"]),
        ("01.002.3", &["1.2.3"], &["1.2.4"]),
    ]);
}

#[test]
fn missing_parts_and_wildcards() {
    check(&[
        ("1.2", &["1.2.0", "1.2.9"], &["1.3.0", "1.1.9"]),
        ("1.2.x", &["1.2.9"], &["1.3.0"]),
        ("1.2.X", &["1.2.9"], &["1.3.0"]),
        ("1.2.*", &["1.2.9"], &["1.3.0"]),
        ("1.x.7", &["1.0.0", "1.9.9"], &["2.0.0"]),
        ("=1", &["1.9.9"], &["2.0.0"]),
        ("*", &["0.0.0", "9.9.9"], &["1.2.3-rc"]),
        ("*-0", &["9.9.9", "1.2.3-rc"], &[]),
        ("0.x", &["0.9.9"], &["1.0.0"]),
        ("!=1.2", &["1.3.0", "2.2.0"], &["1.2.0", "1.2.7"]),
        ("!=1.x", &["2.2.0"], &["1.2.7"]),
        ("!=1.2.x-a", &["1.2.3-b", "1.2.3"], &["1.2.9-a"]),
        ("!=1.x-a", &["2.0.0-a"], &["1.2.3-b"]),
        (">11", &["12.0.0"], &["11.9.9"]),
        (">11.1", &["11.2.0", "12.0.0"], &["11.1.5"]),
        (">=2", &["2.0.0"], &["1.9.9"]),
        ("<2.1", &["2.0.9"], &["2.1.0"]),
        ("<=2", &["2.9.9", "1.0.0"], &["3.0.0"]),
        ("<=2.1", &["2.1.9", "1.9.9"], &["2.2.0"]),
        // A wildcard in front is the version 0.0.0 to these operators.
        (">*", &["0.0.1"], &["0.0.0"]),
        ("<=*", &["0.0.9"], &["0.1.0", "1.0.0"]),
        ("^*", &["0.0.0"], &["0.0.1"]),
        ("!=*", &["1.0.0"], &["0.0.0"]),
    ]);
}

#[test]
fn tilde_and_caret() {
    check(&[
        ("~1.2.3", &["1.2.3", "1.2.9"], &["1.2.2", "1.3.0"]),
        ("~>1.2.3", &["1.2.9"], &["1.3.0"]),
        ("~1.2", &["1.2.0", "1.2.9"], &["1.3.0"]),
        ("~1", &["1.0.0", "1.9.9"], &["2.0.0"]),
        ("~0.0.0", &["0.0.0", "7.0.0"], &[]),
        ("~0.0", &["0.0.9"], &["0.1.0"]),
        ("~*", &["7.0.0"], &[]),
        ("^1.2.3", &["1.2.3", "1.9.9"], &["1.2.2", "2.0.0"]),
        ("^1.2", &["1.9.9"], &["2.0.0"]),
        ("^1", &["1.9.9"], &["2.0.0"]),
        ("^0.2.3", &["0.2.3", "0.2.9"], &["0.2.2", "0.3.0", "1.0.0"]),
        ("^0.2", &["0.2.9"], &["0.3.0"]),
        ("^0.0.3", &["0.0.3"], &["0.0.4", "0.0.2"]),
        ("^0.0", &["0.0.0", "0.0.9"], &["0.1.0"]),
        ("^0", &["0.9.9"], &["1.0.0"]),
    ]);
}

#[test]
fn pre_releases_need_one_in_the_same_alternative() {
    check(&[
        (">=1.2.0", &["1.3.0"], &["1.3.0-rc1", "2.0.0-0"]),
        (">=1.2.0-0", &["1.3.0-rc1", "2.0.0-0", "1.2.0-0"], &["1.1.9-rc"]),
        (">=1.2.0-0 <1.3.0", &["1.3.0-rc1"], &["1.3.0"]),
        (">=1.2.0-0, <1.3.0-0", &["1.2.9", "1.2.9-rc"], &["1.3.0-rc1", "1.3.0-0"]),
        (">=1.2.0-0 <1.3.0 || >=2.0.0", &["1.2.5-rc", "2.1.0"], &["2.1.0-rc"]),
        ("~1.2.3-beta.2", &["1.2.3-beta.4", "1.2.4-beta.1", "1.2.3"], &["1.2.3-beta.1", "1.3.0-beta.2", "1.3.0"]),
        ("^0.2.3-beta.2", &["0.2.4-beta.1"], &["0.3.0-beta.2"]),
        ("4.17.x", &["4.17.1"], &["4.17.0-202412170235"]),
        (">=4.17.0-0 <4.18.0-0", &["4.17.0-202412170235", "4.17.9"], &["4.18.0-202501010000"]),
        // Digits beyond 64 bits are a word, which comes after every number.
        ("<1.0.0-99999999999999999999", &["1.0.0-18446744073709551615"], &["1.0.0-a"]),
    ]);
}

#[test]
fn separators_and_hyphen_ranges() {
    check(&[
        (">=1.0.0 <2.0.0", &["1.5.0"], &["2.0.0"]),
        (">= 1.0.0 , <2.0.0", &["1.5.0"], &["2.0.0"]),
        ("  >=1.0.0,<2.0.0\n", &["1.5.0"], &["2.0.0"]),
        (">=1.0.0\t<2.0.0", &["1.5.0"], &["2.0.0"]),
        ("<1.0.0||>=2.0.0", &["0.9.0", "2.0.0"], &["1.5.0"]),
        ("1.2.0 - 1.3.0", &["1.2.0", "1.3.0"], &["1.1.9", "1.3.1", "1.3.0-rc1"]),
        ("1.2 - 1.3", &["1.2.0", "1.3.9"], &["1.4.0"]),
        ("1.2 - 1.3 !=1.3.5", &["1.3.4"], &["1.3.5"]),
        ("3.0.0, 2 - 4", &["3.0.0"], &["2.5.0"]),
        ("2 - 3 || 5 - 6", &["3.9.9", "5.0.0"], &["4.0.0"]),
        // Without white space the bars belong to the version until the range is rewritten.
        ("1 - 2||7.0.0", &["2.9.9", "7.0.0"], &["3.0.0"]),
        ("1.1-3", &["1.1.9"], &["2.0.0"]),
    ]);
}

#[test]
fn refused() {
    for text in [
        "",
        " ",
        "abc",
        "latest",
        ">=",
        ">=1.0.0 <",
        ">>1.0.0",
        "> =1.0.0",
        "==1.0.0",
        "!1.0.0",
        "V1.0.0",
        "1.0.0.0",
        "1.0.0,",
        ",1.0.0",
        "1.0.0,,2.0.0",
        "1.0.0<2.0.0",
        "1.0.0 ||",
        "|| 1.0.0",
        "1.0.0 || || 2.0.0",
        "1|2",
        "1x",
        "1.0.0-",
        "1.0.0+",
        "1.0.0-a.",
        "1.0.0-01",
        "1.0.0-é",
        ">1.0.0 2 - 3",
        "18446744073709551616",
        "1.0.0 - ",
        "1.0.0\u{b}",
    ] {
        assert!(matches!(parse(text), Err(RangeError::ImproperConstraint { .. })), "{text:?}");
    }
}

#[test]
fn length_and_alternatives_are_limited() {
    assert!(parse(&format!("1.0.0{}", " ".repeat(MAXIMUM_BYTES - 5))).is_ok());
    assert!(matches!(parse(&format!("1.0.0{}", " ".repeat(MAXIMUM_BYTES - 4))), Err(RangeError::TooLong { .. })));
    assert!(parse(&vec!["1"; MAXIMUM_ALTERNATIVES].join(" || ")).is_ok());
    let one_more = vec!["1"; MAXIMUM_ALTERNATIVES + 1].join(" || ");
    assert!(matches!(parse(&one_more), Err(RangeError::TooManyAlternatives { count: 33, .. })));
}

#[test]
fn versions_beyond_256_bytes_are_not_read() {
    let longest = format!("1.0.0-{}", "a".repeat(250));
    assert_eq!(matches(">=0.0.0-0", &longest), Some(true));
    assert_eq!(matches(">=0.0.0-0", &format!("{longest}a")), Some(false));
    assert!(parse(&format!(">={longest}")).is_ok());
    assert!(parse(&format!(">={longest}a")).is_err());
}

/// A comparator before it is written down: the parts given, how the first missing one is written, a pre-release.
#[derive(Debug, Clone)]
struct Written {
    operator: &'static str,
    given: Vec<u64>,
    filler: &'static str,
    pre_release: Option<String>,
}

impl Written {
    fn text(&self) -> String {
        let mut parts: Vec<String> = self.given.iter().map(u64::to_string).collect();
        let needs_filler = parts.is_empty() || (parts.len() < 3 && !self.filler.is_empty());
        if needs_filler {
            parts.push(if self.filler.is_empty() { "*" } else { self.filler }.to_owned());
        }
        let pre_release = self.pre_release.as_ref().map_or(String::new(), |text| format!("-{text}"));
        format!("{}{}{pre_release}", self.operator, parts.join("."))
    }
}

type Numbers = [u64; 3];
type Key = (Numbers, bool, Vec<(bool, u64, String)>);

fn key(numbers: Numbers, pre_release: Option<&str>) -> Key {
    let identifiers = pre_release.map_or(Vec::new(), |text| {
        text.split('.')
            .map(|word| word.parse().map_or((true, 0, word.to_owned()), |number| (false, number, String::new())))
            .collect()
    });
    (numbers, pre_release.is_none(), identifiers)
}

/// What a comparator holds, as bounds on the numbers: the tables in the library's comments, and its known oddities
/// for a wildcard in front.
fn slow_comparator(written: &Written, numbers: Numbers, pre_release: Option<&str>) -> bool {
    let given = written.given.len();
    let part = |position: usize| written.given.get(position).copied().unwrap_or(0);
    let (major, minor, patch) = (part(0), part(1), part(2));
    let tested = key(numbers, pre_release);
    let low = key([major, minor, patch], written.pre_release.as_deref());
    let next_major = [major + 1, 0, 0];
    let next_minor = [major, minor + 1, 0];
    let next = if given == 1 { next_major } else { next_minor };
    let tilde_ceiling = match given {
        0 => None,
        3 if [major, minor, patch] == [0, 0, 0] => None,
        _ => Some(next),
    };
    let caret_ceiling = match (given, major, minor) {
        (0, ..) => [0, 0, 1],
        (1, ..) => next_major,
        (_, 1.., _) => next_major,
        (2, ..) | (_, _, 1..) => next_minor,
        _ => [0, 0, patch + 1],
    };
    let is_partial = given == 1 || given == 2;
    match written.operator {
        "" | "=" if given == 3 => tested == low,
        "" | "=" | "~" | "~>" => tested >= low && tilde_ceiling.is_none_or(|ceiling| numbers < ceiling),
        "^" => tested >= low && numbers < caret_ceiling,
        "!=" if given == 1 => !(low.0..next).contains(&numbers),
        "!=" if given == 2 => !(low.0..next).contains(&numbers) || pre_release != written.pre_release.as_deref(),
        "!=" => tested != low,
        ">" if is_partial => numbers >= next,
        ">" => tested > low,
        ">=" | "=>" => tested >= low,
        "<" => tested < low,
        _ if given == 0 => numbers < [0, 1, 0],
        _ if is_partial => numbers < next,
        _ => tested <= low,
    }
}

fn slow_matches(alternatives: &[Vec<Written>], numbers: Numbers, pre_release: Option<&str>) -> bool {
    alternatives.iter().any(|all| {
        let admitted = pre_release.is_none() || all.iter().any(|written| written.pre_release.is_some());
        admitted && all.iter().all(|written| slow_comparator(written, numbers, pre_release))
    })
}

fn pre_release() -> impl Strategy<Value = Option<String>> {
    prop::option::weighted(0.3, "(0|1|10|a|rc)(\\.[01])?")
}

fn comparator() -> impl Strategy<Value = Written> {
    let operators = vec!["", "=", "!=", ">", ">=", "=>", "<", "<=", "=<", "~", "~>", "^"];
    let given = prop::collection::vec(0..3_u64, 0..4);
    let filler = prop::sample::select(vec!["", "x", "X", "*"]);
    (prop::sample::select(operators), given, filler, pre_release())
        .prop_map(|(operator, given, filler, pre_release)| Written { operator, given, filler, pre_release })
}

proptest! {
    #[test]
    fn agrees_with_the_slow_evaluator(
        alternatives in prop::collection::vec(prop::collection::vec(comparator(), 1..4), 1..4),
        separator in prop::sample::select(vec![" ", ",", ", ", "  "]),
        bars in prop::sample::select(vec!["||", " || "]),
        numbers in prop::array::uniform3(0..3_u64),
        pre_release in pre_release(),
    ) {
        let group = |all: &Vec<Written>| all.iter().map(Written::text).collect::<Vec<_>>().join(separator);
        let text = alternatives.iter().map(group).collect::<Vec<_>>().join(bars);
        let [major, minor, patch] = numbers;
        let suffix = pre_release.as_ref().map_or(String::new(), |text| format!("-{text}"));
        let expected = slow_matches(&alternatives, numbers, pre_release.as_deref());
        prop_assert_eq!(matches(&text, &format!("{major}.{minor}.{patch}{suffix}")), Some(expected), "{}", text);
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,40}|[0-9xXv.*<>=!~^|, \\-+]{0,60}") {
        let version = SemanticVersion::new(1, 2, 3);
        let _ = parse(&text).map(|range| range.matches(&version));
    }
}
