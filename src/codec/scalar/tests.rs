use super::*;

fn value_of(text: &str) -> Result<String, &'static str> {
    Ok(plain(Cow::Borrowed(text)).into_value()?.to_json().to_string())
}

fn text(text: &str) -> String {
    format!("{text:?}")
}

#[test]
fn plain_scalars_are_those_of_yaml_1_1() {
    for word in ["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"] {
        assert_eq!(value_of(word), Ok("true".into()), "{word}");
    }
    for word in ["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"] {
        assert_eq!(value_of(word), Ok("false".into()), "{word}");
    }
    for word in ["", "~", "null", "Null", "NULL"] {
        assert_eq!(value_of(word), Ok("null".into()), "{word}");
    }
    for word in ["yEs", "tRUE", "nULL", "~~", "yess", "oN", "nan", "inf", "none"] {
        assert_eq!(value_of(word), Ok(text(word)), "{word}");
    }
}

#[test]
fn numbers_are_read_as_go_reads_them() {
    let cases = [
        ("0", "0"),
        ("-0", "0"),
        ("7", "7"),
        ("+7", "7"),
        ("-7", "-7"),
        ("00", "0"),
        ("0755", "493"),
        ("010", "8"),
        ("-010", "-8"),
        ("0o17", "15"),
        ("0O17", "15"),
        ("08", "8"),
        ("-09", "-9"),
        ("0x1F", "31"),
        ("-0x1f", "-31"),
        ("+0X1F", "31"),
        ("0b101", "5"),
        ("-0b101", "-5"),
        ("1_000", "1000"),
        ("1__0_", "10"),
        ("-1_0", "-10"),
        ("0x_1_F", "31"),
        ("1_000.5", "1000.5"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("18446744073709551615", "18446744073709551615"),
        ("18446744073709551616", "18446744073709552000"),
        ("+9223372036854775808", "9223372036854776000"),
        ("4.10", "4.1"),
        ("1.0", "1"),
        ("1.", "1"),
        (".5", "0.5"),
        ("-.5", "-0.5"),
        ("+.5e1", "5"),
        ("1e3", "1000"),
        ("1E+3", "1000"),
        ("1.5e-3", "0.0015"),
        ("1e-7", "1e-7"),
        ("1e-10", "1e-10"),
        ("1e-6", "0.000001"),
        ("1e21", "1e+21"),
        ("1e20", "100000000000000000000"),
        ("1.2345e+71", "1.2345e+71"),
        ("1e-999", "0"),
    ];
    for (written, expected) in cases {
        let Value::Number(number) = plain(written.into()).into_value().unwrap() else {
            panic!("{written} is no number")
        };
        assert_eq!(number, expected, "{written}");
    }
}

#[test]
fn what_only_resembles_a_number_is_text() {
    let written = [
        "1e999",
        "-1e999",
        "1:30",
        "190:20:30",
        "2020-01-01",
        "2020-01-01T00:00:00Z",
        "1.2.3",
        "4.10.0",
        "0x",
        "0b",
        "0o",
        "0o8",
        "0b2",
        "0xg",
        "-",
        "+",
        "--1",
        "+-1",
        ".",
        "-.",
        "._5",
        ".5_0",
        "1e",
        "1e+",
        "e1",
        ".e1",
        "_1",
        "1 0",
        "0x1p-2",
        "0xFFFFFFFFFFFFFFFFF",
        "-0xFFFFFFFFFFFFFFFF",
        "v1",
        "1a",
        "Infinity",
        "+.INf",
    ];
    for written in written {
        assert_eq!(value_of(written), Ok(text(written)), "{written}");
    }
}

#[test]
fn an_infinite_number_is_no_json() {
    for written in [".inf", "-.Inf", "+.INF", ".nan", ".NaN"] {
        assert!(value_of(written).is_err(), "{written}");
    }
}

#[test]
fn keys_become_the_text_that_go_gives_them() {
    let cases = [
        ("y", "true"),
        ("off", "false"),
        ("0755", "493"),
        ("7", "7"),
        ("1.10", "1.1"),
        ("1.0", "1"),
        ("0.1", "0.1"),
        ("1e-5", "1e-05"),
        ("0.0001", "0.0001"),
        ("1e5", "100000"),
        ("1e6", "1e+06"),
        ("1e30", "1e+30"),
        (".inf", ".inf"),
        ("-.inf", "-.inf"),
        (".nan", ".nan"),
        ("1e300", ".inf"),
        ("name", "name"),
        ("9223372036854775807", "9223372036854775807"),
    ];
    for (written, expected) in cases {
        assert_eq!(plain(written.into()).into_key().unwrap(), expected, "{written}");
    }
    for written in ["~", "", "null", "9223372036854775808"] {
        assert!(plain(written.into()).into_key().is_err(), "{written}");
    }
}

#[test]
fn tags_decide() {
    let tagged = |tag: &str, text: &'static str| tagged(tag, text.into());
    let number = |digits: &'static str| Ok(Scalar::Integer(digits.into()));
    let text = |text: &'static str| Ok(Scalar::Text(text.into()));
    assert_eq!(tagged("int", "7"), number("7"));
    assert_eq!(tagged("int", "0b11"), number("3"));
    assert_eq!(tagged("float", "7"), Ok(Scalar::Float(7.0)));
    assert_eq!(tagged("float", "7.5"), Ok(Scalar::Float(7.5)));
    assert_eq!(tagged("bool", "yes"), Ok(Scalar::Bool(true)));
    assert_eq!(tagged("null", ""), Ok(Scalar::Null));
    assert_eq!(tagged("str", "7"), text("7"));
    assert_eq!(tagged("set", "7"), text("7"));
    assert_eq!(tagged("timestamp", "2020-01-01"), text("2020-01-01"));
    assert_eq!(tagged("binary", "aG\nk="), text("hi"));
    assert_eq!(tagged("binary", "/w=="), text("\u{FFFD}"));
    assert_eq!(tagged("binary", "/x=="), text("\u{FFFD}"));
    let misfits =
        [("int", "x"), ("int", "1.5"), ("float", "x"), ("float", "9223372036854775808"), ("bool", "1"), ("null", "x")];
    for (tag, written) in misfits {
        assert!(tagged(tag, written).is_err(), "{tag} {written}");
    }
    assert!(tagged("binary", "aGk").is_err());
}

#[test]
fn where_yaml_1_2_reads_otherwise() {
    let differs = |text: &'static str| differs_in_yaml_1_2(text, &plain(text.into()));
    let differing = [
        "y",
        "No",
        "on",
        "OFF",
        "0755",
        "010",
        "0b101",
        "1_000",
        "-0x1F",
        "0X1F",
        "+0o17",
        "1e999",
        "0xFFFFFFFFFFFFFFFFF",
    ];
    for text in differing {
        assert!(differs(text), "{text}");
    }
    let agreeing = [
        "",
        "~",
        "Null",
        "true",
        "FALSE",
        "0",
        "07",
        "08",
        "-7",
        "+7",
        "0o17",
        "0x1F",
        "1.5",
        "1.",
        ".5",
        "1e3",
        ".inf",
        ".nan",
        "18446744073709551616",
        "1:30",
        "2020-01-01",
        "name",
        "4.10.0",
        "<<",
        "yEs",
        "0b2",
    ];
    for text in agreeing {
        assert!(!differs(text), "{text}");
    }
}
