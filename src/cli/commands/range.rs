//! `skipstone range`.

use serde_json::json;

use super::super::args::{OutputFormat, RangeArguments};
use super::super::exit::ExitStatus;
use super::super::printer::Printer;
use super::super::{CommandError, CommandResult};
use crate::report::text;
use crate::version::{Dialect, SemanticVersion, parse_range};

pub(crate) fn run(typed: &RangeArguments, printer: &Printer) -> CommandResult {
    printer.only(&[OutputFormat::Text, OutputFormat::Json])?;
    let dialect: Dialect = typed
        .dialect
        .parse()
        .map_err(|error| CommandError::new(format!("{error}")).hint("the dialects are blang and masterminds"))?;
    let range = match parse_range(dialect, &typed.range) {
        Ok(range) => range,
        Err(error) => {
            match printer.format {
                OutputFormat::Json => printer.json(&json!({"valid": false, "error": error.to_string()}))?,
                _ => printer.data(&text::range_text(Err(&error.to_string()), printer.style()))?,
            }
            return Ok(ExitStatus::No);
        }
    };
    let matches: Vec<(String, Option<bool>)> = typed
        .versions
        .iter()
        .map(|version| {
            let parsed = SemanticVersion::parse_strict(version).ok();
            (version.clone(), parsed.map(|parsed| range.matches(&parsed)))
        })
        .collect();
    match printer.format {
        OutputFormat::Json => {
            let answers: serde_json::Map<String, serde_json::Value> =
                matches.iter().map(|(version, answer)| (version.clone(), json!(answer))).collect();
            printer.json(&json!({"valid": true, "matches": answers}))?;
        }
        _ => printer.data(&text::range_text(Ok(&matches), printer.style()))?,
    }
    Ok(ExitStatus::Clean)
}
