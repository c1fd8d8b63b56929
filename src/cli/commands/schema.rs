//! `skipstone schema`.

use super::super::args::{OutputFormat, SchemaArguments};
use super::super::exit::ExitStatus;
use super::super::printer::Printer;
use super::super::suggest::did_you_mean;
use super::super::{CommandError, CommandResult};
use crate::report::openapi;

pub(crate) fn run(typed: &SchemaArguments, printer: &Printer) -> CommandResult {
    printer.only(&[OutputFormat::Text, OutputFormat::Json])?;
    let schemas = openapi::schemas();
    let Some(name) = &typed.name else {
        let names: Vec<&str> = schemas.iter().map(|(name, _)| *name).chain(["openapi"]).collect();
        match printer.format {
            OutputFormat::Json => printer.json(&serde_json::json!({"schemas": names}))?,
            _ => printer.data(&format!("{}\n", names.join("\n")))?,
        }
        return Ok(ExitStatus::Clean);
    };
    if name == "openapi" {
        printer.data(&openapi::openapi())?;
        return Ok(ExitStatus::Clean);
    }
    let Some((_, schema)) = schemas.iter().find(|(known, _)| known == name) else {
        let mut error = CommandError::new(format!("there is no schema {name}"));
        error.hint = did_you_mean(name, schemas.iter().map(|(name, _)| *name));
        return Err(error);
    };
    printer.data(schema)?;
    Ok(ExitStatus::Clean)
}
