use proptest::prelude::*;

use super::*;
use crate::version::VersionError;

fn matches(range: &str, version: &str) -> Option<bool> {
    let version = SemanticVersion::parse_strict(version).unwrap();
    parse(range).ok().map(|range| range.matches(&version))
}

#[test]
fn operators_and_alternatives() {
    let table: [(&str, &[&str], &[&str]); 18] = [
        ("1.2.3", &["1.2.3", "1.2.3+5"], &["1.2.4", "1.2.3-0"]),
        ("=1.2.3", &["1.2.3"], &["1.2.2"]),
        ("==1.2.3", &["1.2.3"], &["1.2.2"]),
        ("!1.2.3", &["1.2.2", "1.2.3-rc"], &["1.2.3", "1.2.3+5"]),
        ("!=1.2.3", &["1.2.4"], &["1.2.3"]),
        (">1.2.3", &["1.2.4-0"], &["1.2.3", "1.2.3+5"]),
        (">=1.2.3+7", &["1.2.3", "1.2.3+5"], &["1.2.3-rc.1"]),
        ("<1.2.3", &["1.2.3-rc.1"], &["1.2.3"]),
        ("<=1.2.3", &["1.2.3", "1.2.3-a"], &["1.2.4-0"]),
        (">=1.0.0 <2.0.0", &["1.0.0", "2.0.0-rc1"], &["2.0.0", "1.0.0-rc1"]),
        ("<2.0.0-0", &["1.9.9"], &["2.0.0-0", "2.0.0-rc1", "2.0.0"]),
        (">=4.15.0-0 <5.1.0-0", &["4.15.0-0", "4.15.0-ec.1"], &["4.14.99", "5.1.0-0", "5.1.0-rc.1"]),
        (">= 1.0.0 < 2.0.0", &["1.0.0"], &["2.0.0"]),
        ("<1.0.0 || >=2.0.0 <3.0.0", &["0.9.0", "2.9.9"], &["1.0.0", "3.0.0"]),
        (">=1.0.0 !1.5.0 !1.6.0", &["1.5.1"], &["1.5.0", "1.6.0"]),
        ("1.0.0 - 2.0.0", &[], &["1.0.0", "1.5.0", "2.0.0"]),
        ("! 1.0.0", &["1.0.0"], &["1.0.1"]),
        (">=1.0.0 | <0.5.0", &[], &["0.4.0", "1.5.0"]),
    ];
    check(&table);
}

#[test]
fn wildcards() {
    let table: [(&str, &[&str], &[&str]); 14] = [
        ("1.2.x", &["1.2.0", "1.2.9", "1.3.0-rc"], &["1.1.9", "1.2.0-rc", "1.3.0"]),
        ("=1.2.x", &["1.2.9"], &["1.3.0"]),
        ("1.x", &["1.0.0", "1.9.9"], &["0.9.9", "2.0.0"]),
        (">1.2.x", &["1.3.0"], &["1.2.9", "1.3.0-rc"]),
        (">1.x", &["2.0.0"], &["1.9.9"]),
        (">=1.2.x", &["1.2.0", "9.0.0"], &["1.1.9"]),
        ("<1.2.x", &["1.1.9"], &["1.2.0"]),
        ("<=1.2.x", &["1.2.9", "0.0.1"], &["1.3.0"]),
        ("!=1.2.x", &[], &["1.1.9", "1.2.5", "1.3.0"]),
        ("!1.x", &[], &["0.9.9", "1.2.5", "2.0.0"]),
        // The third part decides what is counted up, although the second is a wildcard, too.
        ("1.x.x", &["1.0.0", "1.0.9"], &["1.1.0", "1.9.9"]),
        // An unknown operator is lost, and so is the wildcard.
        ("^1.2.x", &["1.2.0"], &["1.2.1"]),
        ("v1.x", &["1.0.0"], &["1.0.1"]),
        // Counting up mends what would be no version.
        (">1.02.x", &["1.3.0"], &["1.2.9"]),
    ];
    check(&table);
}

#[test]
fn a_word_with_x_survives_only_where_nothing_is_counted_up() {
    check(&[(">=1.0.0-next", &["1.0.0", "1.0.0-next"], &["0.9.0"]), ("<2.0.0-next.1", &["2.0.0-next.0"], &["2.0.0"])]);
    for text in [">1.0.0-next", "<=2.0.0-next.1", "2.0.0-next.1", "!2.0.0-fix", ">=1.0.0 <=1.2.0-linux"] {
        assert!(matches!(parse(text), Err(RangeError::BadWildcard { .. })), "{text:?}");
    }
    let message = parse(">=1.0.0 <=1.2.0-fix").unwrap_err().to_string();
    assert_eq!(message, "\"<=1.2.0-fix\" holds the letter x, which makes it a wildcard, and it is none");
}

#[test]
fn white_space_other_than_blanks() {
    // It stays in the term, where it does harm only inside or behind the version.
    for text in [">=1.0.0\t<2.0.0", ">=1.0.0\n<2.0.0", ">=1.0.0 <2.0.0\n", "1.\t0.0"] {
        assert!(parse(text).is_err(), "{text:?}");
    }
    check(&[("\n>=\t1.0.0 <2.0.0", &["1.0.0"], &["2.0.0"])]);
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
fn refused() {
    for text in [
        "",
        " ",
        "*",
        "1",
        ",",
        "||",
        "|| >=1.0.0",
        ">=1.0.0 ||",
        ">=1.0.0 || || <0.5.0",
        "<1.0.0||>=2.0.0",
        ">=1.0.0, <2.0.0",
        ">=1.0.0,<2.0.0",
        "^1.0.0",
        "~1.2.0",
        "~>1.2.0",
        "=>1.0.0",
        "=<1.0.0",
        ">=v1.0.0",
        "v1.0.0",
        ">=1.0",
        ">=0",
        "<1.3",
        ">=",
        "latest",
        ">x",
        "1.2.X",
        "1.2.*",
        "x.x.x",
        "1.2.3.x",
        ">=01.0.0",
        "><1.0.0",
        "1.9223372036854775807.x",
        "1.18446744073709551616.0",
        ">=1.0.0 <٢.0.0",
    ] {
        assert!(parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn faults_are_told_apart() {
    let error = |text: &str| parse(text).unwrap_err();
    assert!(matches!(error("*"), RangeError::NoComparator { .. }));
    assert!(matches!(error("|| 1.0.0"), RangeError::EmptyAlternative { .. }));
    assert!(matches!(error("latest"), RangeError::NoVersion { .. }));
    assert_eq!(error("<v2.8.1").to_string(), "\"<v\" in \"<v2.8.1\" is no operator");
    assert_eq!(
        error("<1.3"),
        RangeError::BadVersion {
            term: "<1.3".to_owned(),
            fault: VersionError::MissingParts { text: "1.3".to_owned() }
        }
    );
}

#[test]
fn length_is_limited() {
    let blanks = " ".repeat(MAXIMUM_BYTES - 5);
    assert!(parse(&format!("1.0.0{blanks}")).is_ok());
    assert!(matches!(parse(&format!("1.0.0{blanks} ")), Err(RangeError::TooLong { .. })));
}

#[test]
fn terms_of_one_byte_are_told() {
    assert_eq!(parse(">=1.0.0 , ! 1.2.0").unwrap().unseen_terms(), [",", "!"]);
    assert!(parse(">=1.0.0 !1.2.0").unwrap().unseen_terms().is_empty());
}

#[test]
fn ranges_that_hold_nothing() {
    let highest = "18446744073709551615.18446744073709551615.18446744073709551615";
    for text in [
        ">=2.0.0 <1.0.0",
        ">=4.3.0 <4.3.0",
        "=1.0.0 =2.0.0",
        "1.0.0 - 2.0.0",
        "!=1.2.x",
        "<0.0.0-0",
        "=1.0.0 !=1.0.0+5",
        ">1.0.0 <1.0.1-0",
        ">=1.0.0 <1.0.1 !1.0.0 <1.0.1-0",
        ">1.0.0-a <1.0.0-a.0",
        ">=1.0.0-a <1.0.0-a.0.0 !1.0.0-a.0 !1.0.0-a",
        ">2.0.0 <1.0.0 || =1.0.0 =1.0.1",
        &format!(">{highest}"),
    ] {
        assert!(parse(text).unwrap().matches_nothing(), "{text:?}");
    }
    for text in [
        ">=1.0.0",
        "<=0.0.0-0",
        "!1.0.0",
        ">1.0.0 <1.0.1",
        ">1.0.0 <=1.0.1-0",
        ">1.0.0-a <1.0.0-a.1",
        ">2.0.0 <1.0.0 || =1.0.0",
        &format!(">={highest}"),
    ] {
        assert!(!parse(text).unwrap().matches_nothing(), "{text:?}");
    }
}

/// A version as a key that orders as the specification wants: numbers, whether it is a release, and its identifiers,
/// each with words behind numbers.
type Key = ([u64; 3], bool, Vec<(bool, u64, String)>);

fn key(version: &str) -> Key {
    let (numbers, pre_release) = version.split_once('-').map_or((version, None), |(left, right)| (left, Some(right)));
    let numbers: Vec<u64> = numbers.split('.').map(|number| number.parse().unwrap()).collect();
    let identifiers = pre_release.map_or(Vec::new(), |text| {
        text.split('.')
            .map(|word| word.parse().map_or((true, 0, word.to_owned()), |number| (false, number, String::new())))
            .collect()
    });
    (numbers.try_into().unwrap(), pre_release.is_none(), identifiers)
}

/// What a comparator holds, straight from the table of wildcards and operators.
fn slow_comparator(operator: &str, version: &str, tested: &Key) -> bool {
    let parts: Vec<&str> = version.split('.').collect();
    let number = |position: usize| parts[position].parse::<u64>().unwrap();
    let (low, high) = match parts.as_slice() {
        [_, "x"] => (key(&format!("{}.0.0", number(0))), key(&format!("{}.0.0", number(0) + 1))),
        [_, _, "x"] => {
            (key(&format!("{}.{}.0", number(0), number(1))), key(&format!("{}.{}.0", number(0), number(1) + 1)))
        }
        _ => {
            let exact = key(version);
            return match operator {
                "" | "=" | "==" => *tested == exact,
                "!" | "!=" => *tested != exact,
                ">" => *tested > exact,
                ">=" => *tested >= exact,
                "<" => *tested < exact,
                _ => *tested <= exact,
            };
        }
    };
    match operator {
        "" | "=" | "==" => (low..high).contains(tested),
        "!" | "!=" => false,
        ">" => *tested >= high,
        ">=" => *tested >= low,
        "<" => *tested < low,
        _ => *tested < high,
    }
}

type Alternatives = Vec<Vec<(&'static str, String)>>;

fn slow_matches(alternatives: &Alternatives, version: &str) -> bool {
    let tested = key(version);
    alternatives.iter().any(|all| all.iter().all(|(operator, version)| slow_comparator(operator, version, &tested)))
}

fn version_text() -> impl Strategy<Value = String> {
    "[0-2]\\.[0-2]\\.[0-2](-(0|1|10|a|rc)(\\.[01])?)?"
}

fn alternatives() -> impl Strategy<Value = Alternatives> {
    let operator = prop::sample::select(vec!["", "=", "==", "!", "!=", ">", ">=", "<", "<="]);
    let version = prop_oneof![4 => version_text(), 1 => "[0-2]\\.[0-2]\\.x", 1 => "[0-2]\\.x"];
    prop::collection::vec(prop::collection::vec((operator, version), 1..5), 1..4)
}

fn written(alternatives: &Alternatives) -> String {
    let terms = |all: &Vec<(&str, String)>| {
        all.iter().map(|(operator, version)| format!("{operator}{version}")).collect::<Vec<_>>().join("  ")
    };
    alternatives.iter().map(terms).collect::<Vec<_>>().join(" || ")
}

/// The version right above, found on the text.
fn slow_successor(version: &str) -> String {
    if version.contains('-') {
        return format!("{version}.0");
    }
    let ([major, minor, patch], ..) = key(version);
    format!("{major}.{minor}.{}-0", patch + 1)
}

/// Versions among which there is one of the range if there is any: the bounds, and the versions that follow them.
fn candidates(alternatives: &Alternatives) -> Vec<String> {
    let bounds = alternatives.iter().flatten().flat_map(|(_, version)| {
        let parts: Vec<&str> = version.split('.').collect();
        let number = |position: usize| parts[position].parse::<u64>().unwrap();
        match parts.as_slice() {
            [_, "x"] => vec![format!("{}.0.0", number(0)), format!("{}.0.0", number(0) + 1)],
            [_, _, "x"] => {
                vec![format!("{}.{}.0", number(0), number(1)), format!("{}.{}.0", number(0), number(1) + 1)]
            }
            _ => vec![version.clone()],
        }
    });
    let mut found = Vec::new();
    for mut version in bounds.chain(["0.0.0-0".to_owned()]) {
        for _ in 0..6 {
            let next = slow_successor(&version);
            found.push(std::mem::replace(&mut version, next));
        }
    }
    found
}

proptest! {
    #[test]
    fn agrees_with_the_slow_evaluator(alternatives in alternatives(), version in version_text()) {
        let text = written(&alternatives);
        prop_assert_eq!(matches(&text, &version), Some(slow_matches(&alternatives, &version)), "{}", text);
    }

    #[test]
    fn emptiness_agrees_with_sampling(alternatives in alternatives()) {
        let text = written(&alternatives);
        let found = candidates(&alternatives).into_iter().find(|version| slow_matches(&alternatives, version));
        prop_assert_eq!(parse(&text).unwrap().matches_nothing(), found.is_none(), "{} {:?}", text, found);
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,40}|[0-9x.<>=!| \\-]{0,40}") {
        let _ = parse(&text).map(|range| range.matches_nothing());
    }
}
