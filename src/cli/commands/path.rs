//! `skipstone catalog path`.
//!
//! Cost: reading the catalogs, and one walk.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::args::{EngineName, OutputFormat, PathArguments, PolicyName};
use super::super::exit::ExitStatus;
use super::super::printer::Printer;
use super::super::settings::Settings;
use super::super::suggest::did_you_mean;
use super::super::{CommandError, CommandResult};
use super::sources::{self, NamedSource, Opened};
use crate::catalog::{Bundle, Package};
use crate::engines::olm_v0::{NoChannel, OlmV0};
use crate::engines::olm_v1::{OlmV1, Policy, Request, Source};
use crate::engines::{Engine, Installed};
use crate::report::text;
use crate::report::view::{PathQuestion, path_view};
use crate::version::{MastermindsRange, Range as _, SemanticVersion};

pub(crate) fn run(typed: &PathArguments, settings: &Settings, printer: &Printer) -> CommandResult {
    printer.only(&[OutputFormat::Text, OutputFormat::Json])?;
    let named: Vec<NamedSource> = typed.sources.iter().map(|source| sources::named(source)).collect();
    let opened = sources::open(&named, settings)?;
    let priorities = priorities(typed, &opened)?;
    let offered: Vec<Offered> = offered(typed, &opened)?;
    let packages: Vec<&Package> = offered.iter().map(|offered| &offered.package).collect();
    if packages.is_empty() {
        return Err(unknown_package(typed, &opened));
    }
    let from = typed
        .from
        .as_deref()
        .map(|from| installed(from, typed.from_version.as_deref(), &packages, printer))
        .transpose()?;
    let to = typed.to.as_deref().map(|to| wanted(to, &packages, printer));
    warn_of_unknown_channels(typed, &packages, printer);
    let (engine_name, engine, channels): (_, Box<dyn Engine + '_>, _) = match typed.engine {
        EngineName::OlmV0 => {
            let (engine, channel) = olm_v0(typed, opened.len(), &packages)?;
            ("olm-v0", engine, vec![channel])
        }
        EngineName::OlmV1 => ("olm-v1", Box::new(olm_v1(typed, &offered, &priorities)?), channels(typed, &packages)),
    };
    let question = PathQuestion {
        engine_name,
        engine: &*engine,
        package: &typed.package,
        channels,
        from: from.as_ref(),
        to: to.as_deref(),
    };
    let (view, status) = path_view(&question);
    match printer.format {
        OutputFormat::Json => printer.json(&view)?,
        _ => printer.data(&text::path_text(&view, printer.style()))?,
    }
    let mut exit = ExitStatus::answer(status.is_good());
    if warn_of_faults(typed, &opened, printer)? {
        exit = exit.and(ExitStatus::Incomplete);
    }
    Ok(exit)
}

/// Says what the answer does not know: parts that could not be read or do not decode, and a package that opm refuses.
/// True where something is missing.
fn warn_of_faults(typed: &PathArguments, opened: &[Opened], printer: &Printer) -> Result<bool, CommandError> {
    let mut missing = false;
    for catalog in opened {
        let name = catalog.name();
        let (undecoded, errors) = catalog.faults(&typed.package)?;
        if undecoded > 0 || catalog.is_incomplete() {
            missing = true;
            printer.warning(&format!("a part of the catalog {name} could not be read, so the answer may lack entries"));
            printer.hint("skipstone catalog check tells which part, and why");
        }
        if errors > 0 {
            let rules = if errors == 1 { "a rule".to_owned() } else { format!("rules {errors} times") };
            printer.warning(&format!(
                "the package {} of the catalog {name} breaks {rules} of opm validate",
                typed.package
            ));
            printer.hint("is this one catalog, and not a directory that holds several? skipstone catalog check tells");
        }
    }
    Ok(missing)
}

/// The package as one catalog offers it.
struct Offered {
    catalog: Arc<str>,
    package: Package,
}

fn offered(typed: &PathArguments, opened: &[Opened]) -> Result<Vec<Offered>, CommandError> {
    let mut offered = Vec::new();
    for catalog in opened {
        let package = catalog.package(&typed.package)?;
        offered.extend(package.map(|package| Offered { catalog: catalog.name().clone(), package }));
    }
    Ok(offered)
}

fn olm_v0<'c>(
    typed: &PathArguments,
    catalogs: usize,
    packages: &[&'c Package],
) -> Result<(Box<dyn Engine + 'c>, String), CommandError> {
    if typed.version_range.is_some() || typed.policy != PolicyName::CatalogProvided || !typed.priorities.is_empty() {
        let message = "--version-range, --policy and --priority are for --engine olm-v1";
        return Err(CommandError::new(message));
    }
    let ([package], 1) = (packages, catalogs) else {
        return Err(CommandError::new("olm-v0 looks at one catalog: the one that the Subscription names"));
    };
    let name = match typed.channels.as_slice() {
        [] => package.default_channel().unwrap_or_default().to_owned(),
        [one] => one.clone(),
        _ => return Err(CommandError::new("olm-v0 follows one channel: the one that the Subscription names")),
    };
    let engine: Box<dyn Engine + 'c> = match package.channel(&name) {
        Some(channel) => Box::new(OlmV0::new(package, channel)),
        None => Box::new(NoChannel::new(&name)),
    };
    Ok((engine, name))
}

fn olm_v1<'c>(
    typed: &PathArguments,
    offered: &'c [Offered],
    priorities: &BTreeMap<String, i32>,
) -> Result<OlmV1<'c>, CommandError> {
    let range = typed.version_range.as_deref().filter(|text| !text.is_empty()).map(MastermindsRange::parse).transpose();
    let range = range.map_err(|error| CommandError::new(format!("--version-range: {error}")))?;
    let policy = match typed.policy {
        PolicyName::CatalogProvided => Policy::CatalogProvided,
        PolicyName::SelfCertified => Policy::SelfCertified,
    };
    let source = |Offered { catalog, package }: &'c Offered| {
        let priority = priorities.get(&**catalog).copied().unwrap_or(0);
        Source { priority, catalog: catalog.clone(), package }
    };
    let sources: Vec<Source<'c>> = offered.iter().map(source).collect();
    Ok(OlmV1::new(&sources, Request { channels: typed.channels.clone(), range, policy }))
}

fn channels(typed: &PathArguments, packages: &[&Package]) -> Vec<String> {
    if !typed.channels.is_empty() {
        return typed.channels.clone();
    }
    let mut names: Vec<String> =
        packages.iter().flat_map(|package| &package.channels).map(|channel| channel.name.to_string()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn priorities(typed: &PathArguments, opened: &[Opened]) -> Result<BTreeMap<String, i32>, CommandError> {
    let parse = |text: &String| {
        let (name, number) = text.split_once('=').and_then(|(name, number)| Some((name, number.parse().ok()?)))?;
        Some((name.to_owned(), number))
    };
    let mut priorities = BTreeMap::new();
    for text in &typed.priorities {
        let (name, number) =
            parse(text).ok_or_else(|| CommandError::new(format!("--priority {text:?} is not NAME=N")))?;
        if !opened.iter().any(|opened| **opened.name() == *name) {
            let names = opened.iter().map(|opened| &**opened.name());
            let mut error = CommandError::new(format!("--priority names {name}, which is no catalog here"));
            error.hint = did_you_mean(&name, names);
            return Err(error);
        }
        priorities.insert(name, number);
    }
    Ok(priorities)
}

fn unknown_package(typed: &PathArguments, opened: &[Opened]) -> CommandError {
    let names = opened.iter().flat_map(Opened::package_names);
    let mut error = CommandError::new(format!("the catalog has no package {}", typed.package));
    error.hint = did_you_mean(&typed.package, names);
    error
}

/// What is installed: a bundle of the catalog by name or version, or one that the catalog does not hold.
fn installed(
    text: &str,
    version: Option<&str>,
    packages: &[&Package],
    printer: &Printer,
) -> Result<Installed, CommandError> {
    let version = version
        .map(|version| {
            SemanticVersion::parse_tolerant(version)
                .map_err(|error| CommandError::new(format!("--from-version {version:?}: {error}")))
        })
        .transpose()?;
    let bundle = find(text, packages)?;
    match (bundle, version) {
        (Some(bundle), None) => Ok(Installed::bundle(bundle)),
        (Some(bundle), Some(version)) => Ok(Installed::outside(&bundle.name, Some(version))),
        (None, None) if is_version(text) => {
            Err(CommandError::new(format!("no bundle has the version {text}"))
                .hint("for a bundle that the catalog no longer holds give its name with --from and its version with --from-version"))
        }
        (None, version) => {
            warn_of_unknown_name(text, version.is_some(), packages, printer);
            Ok(Installed::outside(text, version))
        }
    }
}

/// Whether a text is a version, with or without a leading v.
fn is_version(text: &str) -> bool {
    SemanticVersion::parse_strict(text.strip_prefix('v').unwrap_or(text)).is_ok()
}

/// A name that neither a bundle nor an edge has is most likely a typing error.
fn warn_of_unknown_name(text: &str, with_version: bool, packages: &[&Package], printer: &Printer) {
    let entries = || packages.iter().flat_map(|package| &package.channels).flat_map(|channel| channel.entries());
    let named = entries().any(|entry| entry.replaces == text || entry.skips.iter().any(|skip| skip == text));
    if !named {
        let names = packages.iter().flat_map(|package| &package.bundles).map(|bundle| &*bundle.name);
        let question = did_you_mean(text, names).map(|question| format!("; {question}")).unwrap_or_default();
        printer.warning(&format!("neither a bundle nor an edge of the package is named {text}{question}"));
    }
    if !with_version {
        printer.hint("give the installed version with --from-version, so that ranges can be judged");
    }
}

/// The name of what is wanted; where the catalog has no such bundle, the answer says so.
fn wanted(text: &str, packages: &[&Package], printer: &Printer) -> String {
    match find(text, packages) {
        Ok(Some(bundle)) => bundle.name.to_string(),
        _ => {
            let names = packages.iter().flat_map(|package| &package.bundles).map(|bundle| &*bundle.name);
            let question = did_you_mean(text, names).map(|question| format!("; {question}")).unwrap_or_default();
            printer.hint(&format!("the catalog has no bundle {text}{question}"));
            text.to_owned()
        }
    }
}

/// A bundle by name, else by its version as stated.
fn find<'c>(text: &str, packages: &[&'c Package]) -> Result<Option<&'c Bundle>, CommandError> {
    if let Some(bundle) = packages.iter().find_map(|package| package.bundle(text)) {
        return Ok(Some(bundle));
    }
    let wanted = if is_version(text) { text.strip_prefix('v').unwrap_or(text) } else { text };
    let is_stated = |version: &str| version == wanted && !version.is_empty();
    let stated = |bundle: &&Bundle| bundle.stated().is_some_and(|(_, version, _)| is_stated(version));
    let mut named: Vec<&Bundle> = packages.iter().flat_map(|package| &package.bundles).filter(stated).collect();
    named.sort_by(|one, other| one.name.cmp(&other.name));
    named.dedup_by(|one, other| one.name == other.name);
    match named.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        several => {
            let names: Vec<&str> = several.iter().map(|bundle| &*bundle.name).collect();
            Err(CommandError::new(format!("several bundles have the version {text}: {}", names.join(", "))))
        }
    }
}

fn warn_of_unknown_channels(typed: &PathArguments, packages: &[&Package], printer: &Printer) {
    for name in &typed.channels {
        if packages.iter().all(|package| package.channel(name).is_none()) {
            let names = packages.iter().flat_map(|package| &package.channels).map(|channel| &*channel.name);
            let question = did_you_mean(name, names).map(|question| format!("; {question}")).unwrap_or_default();
            printer.hint(&format!("the package {} has no channel {name}{question}", typed.package));
        }
    }
}
