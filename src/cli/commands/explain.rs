//! `skipstone explain`.

use std::fmt::Write as _;

use serde_json::json;

use super::super::args::{ExplainArguments, OutputFormat};
use super::super::exit::ExitStatus;
use super::super::printer::Printer;
use super::super::suggest::did_you_mean;
use super::super::{CommandError, CommandResult};
use crate::engines::reason;
use crate::finding::codes;

/// A code in words, whatever registry it stands in.
struct Explanation {
    name: &'static str,
    severity: Option<&'static str>,
    title: &'static str,
    why: &'static str,
    remedy: Option<&'static str>,
}

pub(crate) fn run(typed: &ExplainArguments, printer: &Printer) -> CommandResult {
    printer.only(&[OutputFormat::Text, OutputFormat::Json])?;
    let all = all();
    let Some(code) = &typed.code else {
        return list(&all, printer);
    };
    let Some(found) = all.iter().find(|explanation| explanation.name == code) else {
        let mut error = CommandError::new(format!("there is no code {code}"));
        error.hint = did_you_mean(code, all.iter().map(|explanation| explanation.name))
            .or_else(|| Some("skipstone explain lists them all".to_owned()));
        return Err(error);
    };
    match printer.format {
        OutputFormat::Json => printer.json(&json!({
            "code": found.name, "severity": found.severity, "title": found.title, "why": found.why,
            "remedy": found.remedy,
        }))?,
        _ => printer.data(&in_words(found))?,
    }
    Ok(ExitStatus::Clean)
}

fn all() -> Vec<Explanation> {
    let findings = codes::ALL.iter().copied().map(|code| {
        let row = code.row();
        let severity = Some(row.severity.name());
        Explanation { name: row.name, severity, title: row.title, why: row.why, remedy: Some(row.hint) }
    });
    let reasons = reason::CODES.iter().map(|row| Explanation {
        name: row.name,
        severity: None,
        title: row.title,
        why: row.why,
        remedy: None,
    });
    findings.chain(reasons).collect()
}

fn list(all: &[Explanation], printer: &Printer) -> CommandResult {
    match printer.format {
        OutputFormat::Json => {
            let rows = all.iter().map(|row| json!({"code": row.name, "severity": row.severity, "title": row.title}));
            printer.json(&json!({"codes": rows.collect::<Vec<_>>()}))?;
        }
        _ => {
            let width = all.iter().map(|row| row.name.len()).max().unwrap_or(0);
            let mut text = String::new();
            for row in all {
                let _ = writeln!(text, "{:width$}  {:7}  {}", row.name, row.severity.unwrap_or("reason"), row.title);
            }
            printer.data(&text)?;
        }
    }
    Ok(ExitStatus::Clean)
}

fn in_words(row: &Explanation) -> String {
    let mut text = format!("{} ({})\n\n{}.\n\n{}\n", row.name, row.severity.unwrap_or("a reason"), row.title, row.why);
    if let Some(remedy) = row.remedy {
        let _ = writeln!(text, "\nWhat to do: {remedy}");
    }
    text
}
