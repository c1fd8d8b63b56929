//! SARIF 2.1.0 of a list of findings, for code scanning.
//!
//! Rule: OASIS SARIF 2.1.0 (sections 3.14 run, 3.27 result, 3.49 reportingDescriptor) and GitHub's limits for uploads:
//! 5,000 results are kept of a run, a file has at most 10 MB, every result needs a location. So results come worst first,
//! and one result says what was left out. Cost: one sort, and one serialisation of each result that fits.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::phrase::{badness, clip, count, file, levels, severities, worst_first};
use super::place::FINDINGS_API;
use super::schema::{FindingView, SubjectView, Tool};
use crate::finding::counted;

/// Results of one run that the receiving side keeps.
const MOST_RESULTS: usize = 5_000;
/// Bytes of the whole file, with room for the frame around rules and results.
const MOST_BYTES: usize = 10_000_000 - 16_384;
/// Bytes of one message or rule text; longer ones are cut.
const MOST_TEXT: usize = 4_096;
/// The code of the one result that counts what was left out.
const LEFT_OUT: &str = "report/left-out";

/// What a code means, as `skipstone explain` says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleText {
    /// The rule in a few words.
    pub title: String,
    /// Why breaking it matters.
    pub why: String,
    /// What to do about it.
    pub hint: String,
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    version: &'a str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
struct Run<'a> {
    tool: ToolComponent<'a>,
    results: Vec<Box<RawValue>>,
}

#[derive(Serialize)]
struct ToolComponent<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
struct Driver<'a> {
    name: &'a str,
    version: &'a str,
    rules: Vec<Box<RawValue>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    name: String,
    short_description: Text,
    full_description: Text,
    help: Text,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultObject<'a> {
    rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'a str,
    message: Text,
    locations: [Location; 1],
    partial_fingerprints: BTreeMap<&'a str, &'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
    kind: &'static str,
}

/// One SARIF log with one run: a rule for each code that occurs, sorted by code, and a result for each finding, worst
/// first. `rule_text` tells what a code means; a code that it does not know stands for itself.
///
/// # Errors
/// Only where serialisation itself fails, which these types do not.
pub fn sarif(
    tool: &Tool,
    findings: &[FindingView],
    rule_text: &dyn Fn(&str) -> Option<RuleText>,
) -> Result<String, serde_json::Error> {
    let codes: BTreeSet<&str> =
        findings.iter().map(|finding| finding.code.as_str()).chain(std::iter::once(LEFT_OUT)).collect();
    let mut rules = Vec::with_capacity(codes.len());
    let mut indices = BTreeMap::new();
    for code in codes {
        indices.insert(code, rules.len());
        rules.push(to_raw_value(&rule(code, rule_text(code)))?);
    }
    let rule_bytes: usize = rules.iter().map(|rule| rule.get().len() + 1).sum();
    let results = results(findings, &indices, MOST_RESULTS, MOST_BYTES.saturating_sub(rule_bytes))?;
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: ToolComponent { driver: Driver { name: &tool.name, version: &tool.version, rules } },
            results,
        }],
    };
    Ok(serde_json::to_string(&log)? + "\n")
}

/// The results, worst first, within the given number and bytes. Where not all fit, the last place goes to the result that
/// counts the rest.
fn results(
    findings: &[FindingView],
    indices: &BTreeMap<&str, usize>,
    most: usize,
    bytes: usize,
) -> Result<Vec<Box<RawValue>>, serde_json::Error> {
    let sorted = worst_first(findings);
    let room = if sorted.len() > most { most.saturating_sub(1) } else { most };
    let (mut results, mut used) = (Vec::new(), 0);
    for finding in sorted.iter().take(room) {
        let result = to_raw_value(&result(finding, indices))?;
        used += result.get().len() + 1;
        if used > bytes {
            break;
        }
        results.push(result);
    }
    let left_out: Vec<&FindingView> = sorted.into_iter().skip(results.len()).collect();
    if !left_out.is_empty() {
        results.push(to_raw_value(&left_out_result(&left_out, indices))?);
    }
    Ok(results)
}

fn rule(code: &str, text: Option<RuleText>) -> Rule<'_> {
    let own = (code == LEFT_OUT).then(|| RuleText {
        title: "Findings were left out of this file".into(),
        why: "The receiving side keeps a limited number of results.".into(),
        hint: format!("All findings stand in {FINDINGS_API} of the report."),
    });
    let text = text.or(own).unwrap_or_else(|| RuleText { title: code.into(), why: code.into(), hint: code.into() });
    Rule {
        id: code,
        name: pascal_case(code),
        short_description: cut(&text.title),
        full_description: cut(&text.why),
        help: cut(&text.hint),
    }
}

fn result<'a>(finding: &'a FindingView, indices: &BTreeMap<&str, usize>) -> ResultObject<'a> {
    let message = match &finding.hint {
        Some(hint) => format!("{}\n{hint}", finding.message),
        None => finding.message.clone(),
    };
    let (uri, line) = match &finding.at {
        Some(place) => (uri(file(place)), place.line),
        None => (FINDINGS_API.to_owned(), None),
    };
    ResultObject {
        rule_id: &finding.code,
        rule_index: indices.get(finding.code.as_str()).copied(),
        level: level(&finding.severity),
        message: cut(&message),
        locations: [location(uri, line, logical_location(&finding.subject))],
        partial_fingerprints: fingerprints(&finding.fingerprint),
    }
}

/// The result that counts the rest; as grave as the worst that it stands for.
fn left_out_result<'a>(left_out: &[&'a FindingView], indices: &BTreeMap<&str, usize>) -> ResultObject<'a> {
    let message = format!(
        "{} left out here: {}. All of them stand in {FINDINGS_API} of the report.",
        counted(left_out.len(), "finding"),
        severities(count(left_out.iter().copied()))
    );
    ResultObject {
        rule_id: LEFT_OUT,
        rule_index: indices.get(LEFT_OUT).copied(),
        level: left_out.first().map_or("note", |worst| level(&worst.severity)),
        message: cut(&message),
        locations: [location(FINDINGS_API.into(), None, None)],
        partial_fingerprints: fingerprints(LEFT_OUT),
    }
}

/// The fingerprint twice: under our own name, and under the one name that GitHub compares.
fn fingerprints(fingerprint: &str) -> BTreeMap<&'static str, &str> {
    BTreeMap::from([("primaryLocationLineHash", fingerprint), ("skipstone/v1", fingerprint)])
}

fn location(uri: String, line: Option<u32>, logical: Option<LogicalLocation>) -> Location {
    let region = line.filter(|line| *line > 0).map(|start_line| Region { start_line });
    Location {
        physical_location: PhysicalLocation { artifact_location: ArtifactLocation { uri }, region },
        logical_locations: logical.into_iter().collect(),
    }
}

/// The levels of a subject joined by slashes, and the name of the lowest one.
fn logical_location(subject: &SubjectView) -> Option<LogicalLocation> {
    let named: Vec<(&'static str, &str)> = levels(subject).collect();
    let kind = named.last()?.0;
    let name = named.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join("/");
    Some(LogicalLocation { fully_qualified_name: clip(&name, MOST_TEXT).into_owned(), kind })
}

/// `catalog/multiple-heads` as `CatalogMultipleHeads`, the form that SARIF asks of a rule's name.
fn pascal_case(code: &str) -> String {
    code.split(|character: char| !character.is_ascii_alphanumeric())
        .flat_map(|word| {
            let mut characters = word.chars();
            characters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(characters)
        })
        .collect()
}

fn level(severity: &str) -> &'static str {
    match badness(severity) {
        2 => "error",
        1 => "warning",
        _ => "note",
    }
}

fn cut(text: &str) -> Text {
    Text { text: clip(text, MOST_TEXT).into_owned() }
}

/// A relative path as a URI reference (RFC 3986): everything but unreserved characters and slashes is percent-encoded,
/// colons too, lest the first segment reads as a scheme.
fn uri(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in clip(path, MOST_TEXT).bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
#[path = "sarif_tests.rs"]
mod tests;
