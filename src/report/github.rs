//! Annotations for GitHub workflows: `::error file=…,line=…,title=…::message`.
//!
//! Rule: actions/toolkit, packages/core/src/command.ts, for the form and the escaping. GitHub shows ten errors and ten
//! warnings of a step, so the ten worst of each are printed, and one notice says what is left and where it stands.
//! Cost: one sort of the findings.

use std::fmt::Write;

use super::phrase::{badness, count, harmless, severities, subject, worst_first};
use super::schema::FindingView;
use crate::finding::counted;

/// Annotations of one severity that GitHub shows for one step.
const SHOWN_EACH: usize = 10;

/// The annotations of a list of findings, one a line: at most ten errors, ten warnings and one notice about the rest.
/// `whole` names the place where all findings stand. No finding gives no text.
#[must_use]
pub fn annotations(findings: &[FindingView], whole: &str) -> String {
    let sorted = worst_first(findings);
    let (mut shown, mut left_out) = (String::new(), Vec::new());
    let (mut errors, mut warnings) = (0, 0);
    for finding in sorted {
        let (command, used) = match badness(&finding.severity) {
            2 => ("error", &mut errors),
            1 => ("warning", &mut warnings),
            _ => {
                left_out.push(finding);
                continue;
            }
        };
        if *used == SHOWN_EACH {
            left_out.push(finding);
        } else {
            *used += 1;
            shown.push_str(&annotation(command, finding));
        }
    }
    if !left_out.is_empty() {
        let rest = format!(
            "{} more: {}; all of them stand in {whole}",
            counted(left_out.len(), "finding"),
            severities(count(left_out))
        );
        // Writing to a String cannot fail.
        let _ = writeln!(shown, "::notice title=skipstone::{}", escape_message(&rest));
    }
    shown
}

fn annotation(command: &str, finding: &FindingView) -> String {
    let mut properties = Vec::new();
    if let Some(path) = finding.at.as_ref().and_then(|place| place.path.as_deref()) {
        properties.push(format!("file={}", escape_property(path)));
        if let Some(line) = finding.at.as_ref().and_then(|place| place.line) {
            properties.push(format!("line={line}"));
        }
    }
    properties.push(format!("title={}", escape_property(&finding.code)));
    let about = subject(&finding.subject);
    let lines = [Some(finding.message.as_str()), Some(about.as_str()).filter(|about| !about.is_empty())];
    let hint = finding.hint.as_ref().map(|hint| format!("Hint: {hint}"));
    let message: Vec<&str> = lines.into_iter().flatten().chain(hint.as_deref()).collect();
    format!("::{command} {}::{}\n", properties.join(","), escape_message(&message.join("\n")))
}

/// A log shows what a terminal would, so that foreign text must not steer it.
fn escape_message(text: &str) -> String {
    harmless(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")).into_owned()
}

fn escape_property(text: &str) -> String {
    escape_message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::place::FINDINGS_API;
    use crate::report::sample;

    #[test]
    fn an_annotation_names_file_line_and_code() {
        let mut finding = sample::finding("error", "catalog/no-head");
        finding.hint = Some("remove\rone".into());
        finding.message = "100% a,b:c\nd".into();
        assert_eq!(
            annotations(&[finding], FINDINGS_API),
            "::error file=p/catalog.yaml,line=3,title=catalog/no-head::\
             100%25 a,b:c%0Ad%0Acatalog c, package p%0AHint: remove%0Done\n"
        );
    }

    #[test]
    fn properties_escape_what_would_end_them() {
        let mut finding = sample::finding("warning", "a/b");
        finding.at = Some(sample::place("x,y:z%\n.yaml", 1));
        assert!(annotations(&[finding], "x").starts_with("::warning file=x%2Cy%3Az%25%0A.yaml,line=1,"));
    }

    #[test]
    fn foreign_text_steers_no_log() {
        let mut finding = sample::finding("error", "a/b");
        finding.message = "red\u{1b}[31m\u{202e}der".into();
        let text = annotations(&[finding], "x");
        assert!(text.contains("::red\u{fffd}[31m\u{fffd}der%0A"), "{text}");
    }

    #[test]
    fn ten_of_each_are_shown_and_the_rest_is_counted() {
        let many = |severity: &str, number: usize| vec![sample::finding(severity, "a/b"); number];
        let findings = [many("info", 2), many("warning", 11), many("error", 13)].concat();
        let text = annotations(&findings, FINDINGS_API);
        assert_eq!(text.lines().filter(|line| line.starts_with("::error ")).count(), 10);
        assert_eq!(text.lines().filter(|line| line.starts_with("::warning ")).count(), 10);
        assert_eq!(
            text.lines().last(),
            Some(
                "::notice title=skipstone::6 findings more: 3 errors, 1 warning, 2 infos; \
                 all of them stand in api/v1/findings.json"
            )
        );
    }

    #[test]
    fn nothing_left_out_means_no_notice() {
        assert!(!annotations(&[sample::finding("error", "a/b")], "x").contains("::notice"));
        assert_eq!(annotations(&[], "x"), "");
    }
}
