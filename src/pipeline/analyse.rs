//! From what was read of a catalog to its model and its findings.
//!
//! Cost: assembly is linear in the documents; the rules and the engines' advice go over packages in parallel.

use rayon::prelude::*;

use super::guard::guarded;
use super::read::{ReadCatalog, Reading};
use super::work::RunContext;
use crate::catalog::{self, Catalog, Located};
use crate::engines::advice;
use crate::finding::{self, Finding, Subject};

/// A catalog with everything that was found in it.
pub struct AnalysedCatalog {
    /// The catalog.
    pub catalog: Catalog,
    /// All its findings, sorted.
    pub findings: Vec<Finding>,
}

/// Assembles a catalog, holds it against all rules, and asks the engines about each channel.
pub fn analyse(read: &ReadCatalog, reading: &Reading, context: &RunContext) -> AnalysedCatalog {
    let name = &read.input.name;
    let located: Vec<Located<'_>> = read
        .files
        .iter()
        .flat_map(|file| {
            file.documents.iter().zip(1u32..).filter_map(move |((key, line), number)| {
                let at = read.place(file.path.clone()).document(number, *line);
                Some(Located { at, document: reading.documents.get(key)? })
            })
        })
        .collect();
    let (catalog, mut findings) = catalog::assemble(name, &located);
    findings.extend(read.findings());
    let rules = || {
        let mut found = catalog::check(&catalog);
        found.extend(catalog::support_findings(&catalog, context.day()));
        found
    };
    match guarded("the rules of the catalog", Subject::catalog(name.clone()), rules) {
        Ok(found) => findings.extend(found),
        Err(panic) => findings.push(*panic),
    }
    let advised: Vec<Finding> = catalog
        .packages
        .par_iter()
        .flat_map_iter(|(_, package)| {
            let advise =
                || package.channels.iter().flat_map(|channel| advice::advise(name, package, channel)).collect();
            let unit = format!("the engines on the package {}", package.name);
            guarded(&unit, package.subject(name), advise).unwrap_or_else(|panic| vec![*panic])
        })
        .collect();
    findings.extend(advised);
    finding::sort(&mut findings);
    AnalysedCatalog { catalog, findings }
}
