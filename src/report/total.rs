//! Every format shows each finding or says how many it left out; checked over all of them together.

use proptest::prelude::*;

use super::place::FINDINGS_API;
use super::schema::{FindingView, SubjectView, Tool};
use super::text::{Style, check_text};
use super::{github, json, junit, markdown, sample, sarif};

/// Findings that can be told apart by a marker in their message, of all severities and kinds of subject and place.
fn findings() -> impl Strategy<Value = Vec<FindingView>> {
    let one = (0..4_usize, 0..3_usize, any::<bool>(), any::<bool>());
    proptest::collection::vec(one, 0..60).prop_map(|choices| {
        choices
            .into_iter()
            .enumerate()
            .map(|(number, (severity, code, placed, of_package))| {
                let severity = ["error", "warning", "info", "unheard-of"][severity];
                let mut finding = sample::finding(severity, ["a/x", "a/y", "b/z"][code]);
                finding.message = marker(number);
                if !placed {
                    finding.at = None;
                }
                if !of_package {
                    finding.subject = SubjectView::default();
                }
                finding
            })
            .collect()
    })
}

fn marker(number: usize) -> String {
    format!("marker{number:04}end")
}

fn shown(text: &str, number: usize) -> usize {
    (0..number).filter(|number| text.contains(&marker(*number))).count()
}

/// The number that stands before the given words, zero where they do not occur.
fn number_before(text: &str, words: &str) -> usize {
    let before = text.split(words).next().filter(|before| before.len() < text.len());
    let digits = before.and_then(|before| before.rsplit(|character: char| !character.is_ascii_digit()).next());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn formats_without_a_limit_show_every_finding(findings in findings()) {
        let tool = Tool { name: "skipstone".into(), version: "0".into() };
        let check = sample::check(findings.clone());
        let texts = [
            json::document(&check).unwrap(),
            json::answer(&check).unwrap(),
            check_text(&check, Style::default()),
            check_text(&check, Style { colour: true }),
            junit::junit(&sample::overview(), &[], &findings, &["a/x"]),
            sarif::sarif(&tool, &findings, &|_| None).unwrap(),
            markdown::package(&sample::package(findings.clone()), 1 << 20),
            markdown::catalog(&sample::catalog(&[], findings.clone()), 1 << 20),
        ];
        for text in texts {
            prop_assert_eq!(shown(&text, findings.len()), findings.len(), "{}", text);
        }
    }

    #[test]
    fn formats_with_a_limit_say_how_many_are_missing(findings in findings(), budget in 0..6_000_usize) {
        let annotations = github::annotations(&findings, FINDINGS_API);
        let missing = findings.len() - shown(&annotations, findings.len());
        let said = number_before(&annotations, " findings more").max(number_before(&annotations, " finding more"));
        prop_assert_eq!(said, missing);

        // No package rows follow the findings here, so that every row left out after the first finding is a finding.
        let text = markdown::catalog(&sample::catalog(&[], findings.clone()), budget);
        let missing = findings.len() - shown(&text, findings.len());
        let said = number_before(&text, " more in the report");
        if text.contains("Not valid.") {
            prop_assert_eq!(said, missing, "{}", text);
        } else {
            prop_assert!(said > missing);
        }
    }
}
