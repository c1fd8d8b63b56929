//! JUnit XML: what a pipeline shows as tests and keeps as trends.
//!
//! Rule: the schema that Jenkins publishes (jenkinsci/xunit-plugin, junit-10.xsd). A suite stands for a package, or for a
//! catalog as a whole; a case for one check, and it is there when it passes too, or trends would be lost. Errors fail
//! their case; warnings and infos pass it and stand in its `system-out`. XML 1.0, section 2.2, says which characters a
//! document may hold. Cost: linear in suites times checks; one string.

use std::collections::{BTreeMap, BTreeSet};

use super::phrase::{badness, entity, file, position, subject, worst_first};
use super::schema::{CatalogView, FindingView, Overview};
use crate::finding::counted;

/// Catalog and package; none where a level does not apply.
type SuiteKey<'a> = (Option<&'a str>, Option<&'a str>);
/// The findings of a suite by code.
type Cases<'a> = BTreeMap<&'a str, Vec<&'a FindingView>>;

/// The JUnit report of a run: a suite for each catalog and for each package in `catalogs`, in each a case for each of
/// `codes`. `findings` are all findings of the run; one with an unlisted code or subject gets a case or suite of its own,
/// so none is lost.
#[must_use]
pub fn junit(overview: &Overview, catalogs: &[CatalogView], findings: &[FindingView], codes: &[&str]) -> String {
    let mut suites: BTreeMap<SuiteKey<'_>, Cases<'_>> = BTreeMap::new();
    for catalog in catalogs {
        suites.entry((Some(&catalog.name), None)).or_default();
        for package in &catalog.packages {
            suites.entry((Some(&catalog.name), Some(&package.package))).or_default();
        }
    }
    for finding in worst_first(findings) {
        let key = (finding.subject.catalog.as_deref(), finding.subject.package.as_deref());
        suites.entry(key).or_default().entry(&finding.code).or_default().push(finding);
    }
    let (mut body, mut tests, mut failures) = (String::new(), 0, 0);
    for (key, cases) in &suites {
        let suite = suite(overview, *key, cases, codes);
        tests += suite.tests;
        failures += suite.failures;
        body.push_str(&suite.xml);
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n{body}</testsuites>\n",
        attribute(&overview.tool.name)
    )
}

struct Suite {
    xml: String,
    tests: usize,
    failures: usize,
}

fn suite(overview: &Overview, key: SuiteKey<'_>, cases: &Cases<'_>, codes: &[&str]) -> Suite {
    let name = suite_name(key);
    let all: BTreeSet<&str> = codes.iter().copied().chain(cases.keys().copied()).collect();
    let failures = cases.values().filter(|findings| findings.iter().any(|finding| fails(finding))).count();
    let mut xml = format!(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\">\n",
        attribute(&name),
        all.len()
    );
    xml.push_str(&properties(overview, key.0));
    for code in &all {
        xml.push_str(&case(&name, code, cases.get(code).map_or(&[], Vec::as_slice)));
    }
    xml.push_str("  </testsuite>\n");
    Suite { xml, tests: all.len(), failures }
}

fn suite_name((catalog, package): SuiteKey<'_>) -> String {
    let levels: Vec<&str> = catalog.into_iter().chain(package).collect();
    if levels.is_empty() { "inputs".into() } else { levels.join("/") }
}

/// Tool, version, instant, and the digests of the catalog (of all inputs, where a suite is about no single catalog).
fn properties(overview: &Overview, catalog: Option<&str>) -> String {
    let own = [
        ("tool".to_owned(), &overview.tool.name),
        ("version".to_owned(), &overview.tool.version),
        ("generated_at".to_owned(), &overview.generated_at),
    ];
    let inputs = overview.inputs.iter().filter(|input| catalog.is_none_or(|catalog| catalog == input.name));
    let digests = inputs.map(|input| (format!("digest of {}", input.name), &input.digest));
    let lines = own.into_iter().chain(digests).map(|(name, value)| {
        format!("      <property name=\"{}\" value=\"{}\"/>\n", attribute(&name), attribute(value))
    });
    format!("    <properties>\n{}    </properties>\n", lines.collect::<String>())
}

fn case(suite: &str, code: &str, findings: &[&FindingView]) -> String {
    let open = format!("    <testcase name=\"{}\" classname=\"{}\"", attribute(code), attribute(suite));
    if findings.is_empty() {
        return open + "/>\n";
    }
    let (failing, passing): (Vec<&FindingView>, Vec<&FindingView>) =
        findings.iter().partition(|finding| fails(finding));
    let mut xml = open + ">\n";
    if let Some(first) = failing.first() {
        let message = if failing.len() == 1 { first.message.clone() } else { counted(failing.len(), "finding") };
        xml.push_str(&format!(
            "      <failure message=\"{}\" type=\"error\">{}</failure>\n",
            attribute(&message),
            escape(&said(&failing))
        ));
    }
    if !passing.is_empty() {
        xml.push_str(&format!("      <system-out>{}</system-out>\n", escape(&said(&passing))));
    }
    xml + "    </testcase>\n"
}

fn fails(finding: &FindingView) -> bool {
    badness(&finding.severity) == badness("error")
}

/// The findings as text, each with severity, subject, place and hint on lines of their own.
fn said(findings: &[&FindingView]) -> String {
    let paragraph = |finding: &&FindingView| {
        let place = finding.at.as_ref().map(|place| {
            let position = position(place).map_or_else(String::new, |position| format!(", {position}"));
            format!("{}: {}{position}", place.source, file(place))
        });
        let lines = [
            Some(format!("{}: {}", finding.severity, finding.message)),
            Some(subject(&finding.subject)).filter(|about| !about.is_empty()),
            place,
            finding.hint.as_ref().map(|hint| format!("hint: {hint}")),
        ];
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
    };
    findings.iter().map(paragraph).collect::<Vec<_>>().join("\n\n")
}

/// Text between tags. Characters that XML 1.0 forbids become U+FFFD.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match (entity(character), character) {
            (Some(entity), _) => escaped.push_str(entity),
            // A reader would turn a bare one into a line feed.
            (None, '\r') => escaped.push_str("&#13;"),
            (None, '\n' | '\t') => escaped.push(character),
            (None, '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}') => escaped.push(char::REPLACEMENT_CHARACTER),
            (None, other) => escaped.push(other),
        }
    }
    escaped
}

/// An attribute's value: as [`escape`], and line breaks and tabs as references, which a reader would make blanks of.
fn attribute(text: &str) -> String {
    escape(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    const PROPERTIES: &str = r#"    <properties>
      <property name="tool" value="skipstone"/>
      <property name="version" value="0.1.0"/>
      <property name="generated_at" value="2026-11-30T00:00:00Z"/>
      <property name="digest of c" value="sha256:abc"/>
    </properties>
"#;

    #[test]
    fn a_suite_each_and_a_case_for_every_check() {
        let mut warning = sample::finding("warning", "a/two");
        warning.subject.package = None;
        warning.at = None;
        let findings = [sample::finding("error", "a/one"), warning];
        let text = junit(&sample::overview(), &[sample::catalog(&["p"], vec![])], &findings, &["a/two", "a/one"]);
        let expected = format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="skipstone" tests="4" failures="1" errors="0">
  <testsuite name="c" tests="2" failures="0" errors="0">
{PROPERTIES}    <testcase name="a/one" classname="c"/>
    <testcase name="a/two" classname="c">
      <system-out>warning: message of a/two
catalog c</system-out>
    </testcase>
  </testsuite>
  <testsuite name="c/p" tests="2" failures="1" errors="0">
{PROPERTIES}    <testcase name="a/one" classname="c/p">
      <failure message="message of a/one" type="error">error: message of a/one
catalog c, package p
c: p/catalog.yaml, line 3</failure>
    </testcase>
    <testcase name="a/two" classname="c/p"/>
  </testsuite>
</testsuites>
"#
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn several_errors_of_one_check_are_one_failure_that_names_them_all() {
        let mut second = sample::finding("error", "a/one");
        second.message = "another".into();
        let findings = [sample::finding("error", "a/one"), second, sample::finding("info", "a/one")];
        let text = junit(&sample::overview(), &[], &findings, &[]);
        assert!(text.contains(r#"<testsuites name="skipstone" tests="1" failures="1" errors="0">"#));
        assert!(text.contains(r#"<failure message="2 findings" type="error">error: another"#));
        assert!(text.contains("\n\nerror: message of a/one\n"));
        assert!(text.contains("<system-out>info: message of a/one\n"));
    }

    #[test]
    fn a_finding_of_an_unknown_check_or_of_no_catalog_is_kept() {
        let mut finding = sample::finding("error", "x/new");
        finding.subject = Default::default();
        let text = junit(&sample::overview(), &[], &[finding], &["a/one"]);
        assert!(text.contains(r#"<testsuite name="inputs" tests="2" failures="1" errors="0">"#));
        assert!(text.contains(r#"<testcase name="x/new" classname="inputs">"#));
    }

    #[test]
    fn foreign_text_cannot_leave_its_place() {
        assert_eq!(escape("a<b>&\"c\"\u{1b}\u{ffff}\r\n"), "a&lt;b&gt;&amp;&quot;c&quot;\u{fffd}\u{fffd}&#13;\n");
        assert_eq!(attribute("a\n\tb"), "a&#10;&#9;b");
        assert_eq!(escape("ä — plain"), "ä — plain");
    }
}
