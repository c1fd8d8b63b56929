use proptest::prelude::*;

use super::*;

fn strict(text: &str) -> SemanticVersion {
    SemanticVersion::parse_strict(text).unwrap()
}

#[test]
fn strict_texts_come_back_unchanged() {
    for text in [
        "0.0.0",
        "1.2.3",
        "18446744073709551615.18446744073709551615.18446744073709551615",
        "4.17.0-202412170235",
        "1.0.0-alpha.1.x-y.0",
        "1.0.0--",
        "1.0.0+001",
        "1.0.0-rc.1+build.5-6",
        "1.0.0+a-b",
    ] {
        assert_eq!(strict(text).to_string(), text);
    }
}

#[test]
fn strict_refuses_everything_else() {
    let number_beyond_64_bits = "18446744073709551616";
    for text in [
        "",
        "1",
        "1.2",
        "v1.2.3",
        " 1.2.3",
        "1.2.3 ",
        "1.2.3\n",
        "01.2.3",
        "1.02.3",
        "1.2.03",
        "1..3",
        ".2.3",
        "1.2.",
        "1.2.3.4",
        "1.2.3-",
        "1.2.3+",
        "1.2.3-a..b",
        "1.2.3-01",
        "1.2.3+a..b",
        "1.2.3+a+b",
        "1.2.3-a_b",
        "1.2.3-é",
        "1.2-rc.3",
        "-1.2.3",
        "+1.2.3",
        "1.x.3",
        "1.2.3-rc.1+",
    ] {
        assert!(SemanticVersion::parse_strict(text).is_err(), "{text:?}");
    }
    for text in [format!("{number_beyond_64_bits}.0.0"), format!("1.0.0-{number_beyond_64_bits}")] {
        assert!(matches!(SemanticVersion::parse_strict(&text), Err(VersionError::TooLarge { .. })), "{text}");
    }
}

#[test]
fn tolerant_normalises() {
    let table = [
        ("1.2.3", "1.2.3"),
        ("  v1.2.3\t", "1.2.3"),
        ("1", "1.0.0"),
        ("v1.2", "1.2.0"),
        ("01.002.0003", "1.2.3"),
        ("00.0.000", "0.0.0"),
        ("1.2.00-rc.1", "1.2.0-rc.1"),
        ("1.2.03+05", "1.2.3+05"),
    ];
    for (text, canonical) in table {
        assert_eq!(SemanticVersion::parse_tolerant(text).unwrap().to_string(), canonical, "{text:?}");
    }
}

#[test]
fn tolerant_has_limits() {
    for text in
        ["", "v", "vv1.0.0", "V1.0.0", "1.2-rc", "1-rc", "1+5", "1.2.3.4", "1.2.3-01", "a.b.c", "1..2", "v 1.2.3"]
    {
        assert!(SemanticVersion::parse_tolerant(text).is_err(), "{text:?}");
    }
    assert_eq!(
        SemanticVersion::parse_tolerant("1.2-rc"),
        Err(VersionError::ShortWithSuffix { text: "1.2-rc".to_owned() })
    );
}

#[test]
fn texts_beyond_the_limit_are_refused() {
    let longest = format!("1.0.0-{}", "a".repeat(SemanticVersion::MAXIMUM_BYTES - 6));
    assert!(SemanticVersion::parse_strict(&longest).is_ok());
    for parse in [SemanticVersion::parse_strict, SemanticVersion::parse_tolerant] {
        assert!(matches!(parse(&format!("{longest}a")), Err(VersionError::TooLong { .. })));
    }
}

#[test]
fn messages_quote_the_faulty_piece_cut_to_100_characters() {
    let message = SemanticVersion::parse_strict("1.2.3-rc.01").unwrap_err().to_string();
    assert_eq!(message, "\"01\" is no pre-release identifier: it has a leading zero");
    let long = SemanticVersion::parse_strict(&"é".repeat(1000)).unwrap_err().to_string();
    assert_eq!(long.matches('é').count(), 100);
}

#[test]
fn order_of_the_specification() {
    // Semantic Versioning 2.0.0, item 11, and versions as OpenShift numbers its builds.
    for ascending in [
        [
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
        ]
        .as_slice(),
        &["4.5.0-0.hotfix-2020-08-24", "4.5.0-0.nightly-2020-06-01", "4.5.0-ec.1", "4.5.0-rc.1", "4.5.0", "4.5.1-0.a"],
        &["1.0.0-9", "1.0.0-10", "1.0.0--", "1.0.0-Z", "1.0.0-a", "1.0.0"],
        &["4.17.0-202409010000", "4.17.0-202410010000", "4.17.0-202412170235", "4.17.0"],
        &["1.9.9", "1.10.0", "2.0.0"],
    ] {
        let versions: Vec<_> = ascending.iter().map(|text| strict(text)).collect();
        assert!(versions.is_sorted_by(|lower, higher| lower.is_lower_than(higher) && higher.is_higher_than(lower)));
    }
}

#[test]
fn build_metadata_counts_for_equality_and_not_for_precedence() {
    let (first, second) = (strict("1.0.0+1"), strict("1.0.0+2"));
    assert!(first.has_same_precedence_as(&second));
    assert_ne!(first, second);
    assert_eq!(first.without_build(), strict("1.0.0"));
}

#[test]
fn serialized_as_canonical_text() {
    let version: SemanticVersion = serde_json::from_str("\"1.2.3-rc.1+5\"").unwrap();
    assert_eq!(serde_json::to_string(&version).unwrap(), "\"1.2.3-rc.1+5\"");
    assert!(serde_json::from_str::<SemanticVersion>("\"v1.2.3\"").is_err());
    assert!(serde_json::from_str::<SemanticVersion>("1.2").is_err());
}

#[test]
fn successors_at_the_edges() {
    let highest = u64::MAX;
    let table = [
        ("1.2.3", "1.2.4-0".to_owned()),
        ("1.2.3-rc", "1.2.3-rc.0".to_owned()),
        ("1.2.3-0+5", "1.2.3-0.0".to_owned()),
        (&format!("1.2.{highest}"), "1.3.0-0".to_owned()),
        (&format!("1.{highest}.{highest}"), "2.0.0-0".to_owned()),
    ];
    for (text, successor) in table {
        assert_eq!(strict(text).immediate_successor(), Some(strict(&successor)));
    }
    assert_eq!(SemanticVersion::new(highest, highest, highest).immediate_successor(), None);
}

/// Version texts from so small an alphabet that precedence often ties until the last identifier.
fn version_text() -> impl Strategy<Value = String> {
    "[0-2]\\.[0-2]\\.[0-2](-(0|1|10|2|a|b|a-|-)(\\.(0|1|a)){0,2})?(\\+[0-1a]{1,2})?"
}

/// Precedence by the words of Semantic Versioning 2.0.0, item 11, on the texts themselves.
fn slow_precedence(left: &str, right: &str) -> Ordering {
    let without_build = |text: &str| text.split('+').next().unwrap().to_owned();
    let (left, right) = (without_build(left), without_build(right));
    let numbers = |text: &str| -> Vec<u64> {
        text.split('-').next().unwrap().split('.').map(|number| number.parse().unwrap()).collect()
    };
    for (one, other) in numbers(&left).into_iter().zip(numbers(&right)) {
        if one != other {
            return if one < other { Ordering::Less } else { Ordering::Greater };
        }
    }
    let pre_release = |text: &str| text.split_once('-').map(|(_, after)| after.to_owned());
    match (pre_release(&left), pre_release(&right)) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(left), Some(right)) => slow_pre_release_precedence(&left, &right),
    }
}

fn slow_pre_release_precedence(left: &str, right: &str) -> Ordering {
    let (left, right): (Vec<_>, Vec<_>) = (left.split('.').collect(), right.split('.').collect());
    for position in 0..left.len().max(right.len()) {
        let (Some(one), Some(other)) = (left.get(position), right.get(position)) else {
            return left.len().cmp(&right.len());
        };
        let difference = match (one.parse::<u64>(), other.parse::<u64>()) {
            (Ok(one), Ok(other)) => one.cmp(&other),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => one.as_bytes().cmp(other.as_bytes()),
        };
        if difference != Ordering::Equal {
            return difference;
        }
    }
    Ordering::Equal
}

proptest! {
    #[test]
    fn precedence_agrees_with_the_slow_one(left in version_text(), right in version_text()) {
        prop_assert_eq!(strict(&left).precedence(&strict(&right)), slow_precedence(&left, &right));
    }

    #[test]
    fn precedence_is_a_total_order(texts in prop::array::uniform3(version_text())) {
        let [a, b, c] = texts.map(|text| strict(&text));
        prop_assert_eq!(a.precedence(&a), Ordering::Equal);
        prop_assert_eq!(a.precedence(&b), b.precedence(&a).reverse());
        if a.precedence(&b).is_le() && b.precedence(&c).is_le() {
            prop_assert!(a.precedence(&c).is_le());
        }
    }

    #[test]
    fn nothing_lies_between_a_version_and_its_successor(texts in prop::array::uniform2(version_text())) {
        let [version, other] = texts.map(|text| strict(&text));
        let successor = version.immediate_successor().unwrap();
        prop_assert!(version.is_lower_than(&successor));
        prop_assert!(!(version.is_lower_than(&other) && other.is_lower_than(&successor)));
    }

    #[test]
    fn what_strict_accepts_comes_back_and_is_tolerated(text in version_text()) {
        let version = strict(&text);
        prop_assert_eq!(version.to_string(), text.clone());
        prop_assert_eq!(SemanticVersion::parse_tolerant(&text), Ok(version));
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,40}|[0-9v.+\\- ]{0,24}") {
        let _ = SemanticVersion::parse_strict(&text);
        let _ = SemanticVersion::parse_tolerant(&text);
    }
}
