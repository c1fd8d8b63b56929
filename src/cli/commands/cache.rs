//! `skipstone cache`.

use std::fmt::Write as _;

use super::super::CommandResult;
use super::super::args::{CacheCommand, OutputFormat};
use super::super::exit::ExitStatus;
use super::super::printer::Printer;
use super::super::settings::Settings;
use crate::cache::CacheInfo;
use crate::finding::counted_as;
use crate::pipeline::STAGES;

pub(crate) fn run(typed: &CacheCommand, settings: &Settings, printer: &Printer) -> CommandResult {
    printer.only(&[OutputFormat::Text, OutputFormat::Json])?;
    let cache = settings.cache();
    match typed {
        CacheCommand::Info => {
            let info = cache.info(STAGES);
            match printer.format {
                OutputFormat::Json => printer.json(&info)?,
                _ => printer.data(&in_words(&info))?,
            }
        }
        CacheCommand::Prune { all } => {
            let pruned = cache.prune(if *all { &[] } else { STAGES });
            match printer.format {
                OutputFormat::Json => printer.json(&pruned)?,
                _ => printer.data(&format!(
                    "removed {}, {}\n",
                    number(pruned.files, "file", "files"),
                    number(pruned.bytes, "byte", "bytes")
                ))?,
            }
        }
    }
    for warning in cache.warnings() {
        printer.warning(&warning.to_string());
    }
    Ok(ExitStatus::Clean)
}

fn in_words(info: &CacheInfo) -> String {
    let Some(directory) = &info.dir else { return "nothing is kept between runs\n".to_owned() };
    let mut text = format!("{directory}\n");
    for stage in &info.stages {
        let state = if stage.current { "in use" } else { "of another version" };
        let entries = number(stage.entries, "entry", "entries");
        let bytes = number(stage.bytes, "byte", "bytes");
        let _ = writeln!(text, "  {} v{}: {entries}, {bytes}, {state}", stage.name, stage.version);
    }
    text
}

fn number(number: u64, one: &str, several: &str) -> String {
    counted_as(usize::try_from(number).unwrap_or(usize::MAX), one, several)
}
