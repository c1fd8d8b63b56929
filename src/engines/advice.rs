//! What the engines make of a channel that its author should know: dead ends, circles, different ways.
//!
//! Rule: the engines themselves, asked about every bundle that the channel lists. Cost: two decisions for each entry.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::olm_v0::OlmV0;
use super::olm_v1::{OlmV1, Request, Source};
use super::{Decision, Engine as _, Installed, reason};
use crate::catalog::{Channel, Package};
use crate::finding::{Code, Finding, codes, counted, first_names};

/// Examples that a finding names.
const SHOWN: usize = 3;

/// What to say about one channel of a package of a catalog.
pub fn advise(catalog: &Arc<str>, package: &Package, channel: &Channel) -> Vec<Finding> {
    let v0 = OlmV0::new(package, channel);
    let source = Source { catalog: catalog.clone(), priority: 0, package };
    let request = Request { channels: vec![channel.name.to_string()], ..Request::default() };
    let v1 = OlmV1::new(&[source], request);
    let subject = package.subject(catalog).in_channel(channel.name.clone());
    let installed: Vec<Installed> =
        channel.entries().iter().filter_map(|entry| package.bundle(&entry.name)).map(Installed::bundle).collect();
    let finding = |code: Code| Finding::new(code, subject.clone()).at(&channel.at);
    let mut findings = Vec::new();
    let choices_of_v1: Vec<Decision> = installed.iter().map(|bundle| v1.choose(Some(bundle))).collect();
    findings.extend(refusals(&choices_of_v1).map(|(number, names)| {
        finding(codes::V1_REFUSES).with("bundles", counted(number, "bundle")).with("names", names)
    }));
    let Some(head) = v0.head() else { return findings };
    let choices: Vec<Decision> = installed.iter().map(|bundle| v0.choose(Some(bundle))).collect();
    findings.extend(dead_ends(&choices, head, &installed).map(|name| {
        let subject = subject.clone().of_bundle(name.clone());
        Finding::new(codes::DEAD_END, subject).at(&channel.at).with("head", &head.name)
    }));
    findings.extend(match circle(&v0, &choices, &installed) {
        Some(names) => Some(finding(codes::V0_LOOP).with("names", names.join(" -> "))),
        None => moves_down(&choices, &installed).map(|names| finding(codes::V0_MOVES_DOWN).with("names", names)),
    });
    findings.extend(different_ways(&choices, &choices_of_v1, &installed).map(|(number, bundle, before, after)| {
        let finding = Finding::new(codes::ENGINES_DIFFER, subject.clone().of_bundle(bundle)).at(&channel.at);
        finding.with("bundles", counted(number, "bundle")).with("v0", before).with("v1", after)
    }));
    findings
}

/// From how many bundles OLM v1 fails since it refuses its own choice, and the choices.
fn refusals(choices: &[Decision]) -> Option<(usize, String)> {
    let refused = |choice: &'_ Decision| match choice {
        Decision::Fails(reasons) => {
            let refusal = reasons.iter().find(|reason| reason.code == reason::DEPENDENCY_REFUSED);
            refusal.map(|reason| reason.message.clone())
        }
        Decision::Moves(_) | Decision::Stays { .. } => None,
    };
    let messages: Vec<String> = choices.iter().filter_map(refused).collect();
    let distinct: BTreeSet<&str> = messages.iter().map(String::as_str).collect();
    let first: Vec<&str> = distinct.into_iter().take(SHOWN).collect();
    (!messages.is_empty()).then(|| (messages.len(), first.join("; ")))
}

/// The hops of OLM v0 that lead to a lower version.
fn moves_down(choices: &[Decision], installed: &[Installed]) -> Option<String> {
    let hops: Vec<String> = installed
        .iter()
        .zip(choices)
        .filter_map(|(bundle, choice)| {
            let to = &choice.next()?.to;
            let down = to.version.as_ref()?.is_lower_than(bundle.version.as_ref()?);
            down.then(|| format!("{} -> {}", bundle.name, to.name))
        })
        .collect();
    let hops: Vec<&str> = hops.iter().map(String::as_str).collect();
    (!hops.is_empty()).then(|| first_names(&hops, SHOWN))
}

fn dead_ends<'i>(
    choices: &[Decision],
    head: &Installed,
    installed: &'i [Installed],
) -> impl Iterator<Item = &'i Arc<str>> {
    let stays = |(bundle, choice): &(&Installed, &Decision)| {
        bundle.name != head.name && matches!(choice, Decision::Stays { .. })
    };
    installed.iter().zip(choices).filter(stays).map(|(bundle, _)| &bundle.name)
}

/// The names of a circle that some walk ends in, the first one at the end again. A walk stops where an earlier one passed.
fn circle(v0: &OlmV0<'_>, choices: &[Decision], installed: &[Installed]) -> Option<Vec<String>> {
    let mut chosen: BTreeMap<Arc<str>, Option<Installed>> = installed
        .iter()
        .zip(choices)
        .map(|(bundle, choice)| (bundle.name.clone(), choice.next().map(|step| step.to.clone())))
        .collect();
    let mut settled: BTreeSet<Arc<str>> = BTreeSet::new();
    for bundle in installed {
        let mut walked: Vec<Arc<str>> = Vec::new();
        let mut passed: BTreeSet<Arc<str>> = BTreeSet::new();
        let mut current = Some(bundle.clone());
        while let Some(at) = current.filter(|at| !settled.contains(&at.name)) {
            walked.push(at.name.clone());
            if !passed.insert(at.name.clone()) {
                let start = walked.iter().position(|name| *name == at.name)?;
                return Some(walked.into_iter().skip(start).map(|name| name.to_string()).collect());
            }
            let choose = || v0.choose(Some(&at)).next().map(|step| step.to.clone());
            current = chosen.entry(at.name.clone()).or_insert_with(choose).clone();
        }
        settled.append(&mut passed);
    }
    None
}

/// From how many bundles the engines part, and the first of them with both ways.
fn different_ways(
    of_v0: &[Decision],
    of_v1: &[Decision],
    installed: &[Installed],
) -> Option<(usize, Arc<str>, String, String)> {
    let next = |choice: &Decision| match choice {
        Decision::Moves(steps) => steps.first().map_or_else(String::new, |step| step.to.name.to_string()),
        Decision::Stays { .. } => "nowhere".to_owned(),
        Decision::Fails(_) => "nowhere, it fails".to_owned(),
    };
    let mut parted: BTreeSet<&str> = BTreeSet::new();
    let mut first = None;
    for ((bundle, v0), v1) in installed.iter().zip(of_v0).zip(of_v1) {
        let (before, after) = (next(v0), next(v1));
        if before != after {
            parted.insert(&bundle.name);
            first.get_or_insert((bundle.name.clone(), before, after));
        }
    }
    first.map(|(name, before, after)| (parted.len(), name, before, after))
}
