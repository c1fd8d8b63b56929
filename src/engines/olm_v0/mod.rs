//! OLM v0: the next update of one Subscription in one channel.
//!
//! Rule: operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`getSubscriptionVariables`,
//! `sortChannel`) and `cache/predicates.go`. One replaces chain from one head, skipped entries left out; the entry nearest to
//! the head that replaces, skips or covers the installed bundle wins; versions of targets are never compared. Requirements
//! of a bundle are taken as met and said as a note, since they depend on the namespace. Cost: linear in the channel.

mod chain;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::edge::{ParsedEntry, version_unknown};
use super::reason::{self, Reason};
use super::{Decision, Engine, Installed, Step, Via};
use crate::catalog::facts::Entry;
use crate::catalog::{Channel, Package};
use crate::finding::counted;
use chain::sort_channel;

const SHOWN_REASONS: usize = 5;

/// OLM v0 on one channel of one package.
pub struct OlmV0<'c> {
    channel: Arc<str>,
    chain: Result<Vec<Member<'c>>, Reason>,
    /// Entries outside the chain: skipped ones, or all where there is no chain.
    skipped: Vec<Member<'c>>,
}

struct Member<'c> {
    entry: ParsedEntry<'c>,
    bundle: Installed,
    forbidden: bool,
    requires: Vec<&'c str>,
}

impl<'c> OlmV0<'c> {
    /// The engine for a Subscription to this channel.
    pub fn new(package: &'c Package, channel: &'c Channel) -> Self {
        let order = sort_channel(channel);
        let member = |entry: &'c Entry| Member::new(package, entry);
        let (chain, passed) = match order {
            Ok(entries) => {
                let passed: BTreeSet<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
                (Ok(entries.into_iter().map(member).collect()), passed)
            }
            Err(reason) => (Err(reason), BTreeSet::new()),
        };
        let others = channel.entries().iter().filter(|entry| !passed.contains(entry.name.as_str()));
        Self { channel: channel.name.clone(), chain, skipped: others.map(member).collect() }
    }

    /// The head of the channel, where the engine accepts the channel.
    pub fn head(&self) -> Option<&Installed> {
        self.chain.as_ref().ok()?.first().map(|member| &member.bundle)
    }

    /// Why the engine refuses the channel.
    pub fn fault(&self) -> Option<&Reason> {
        self.chain.as_ref().err()
    }

    fn candidates(&self, chain: &[Member<'c>], installed: &Installed) -> impl Iterator<Item = Step> {
        let unjudged = self.unjudged_ranges(chain, installed);
        let covering = chain.iter().map(|member| (member, member.entry.covers(installed)));
        covering
            .filter(|(member, via)| !via.is_none() && !member.forbidden)
            .take_while(|(member, _)| member.bundle.name != installed.name)
            .map(move |(member, via)| {
                let mut step = self.step(member, via, Some(installed));
                step.notes.splice(..0, unjudged.iter().cloned());
                step
            })
    }

    /// The decision, with at most so many moves.
    fn decide_among(&self, installed: Option<&Installed>, most: usize) -> Decision {
        let chain = match &self.chain {
            Ok(chain) => chain,
            Err(reason) => return Decision::Fails(vec![reason.clone()]),
        };
        let Some(installed) = installed else {
            let mut steps = self.starts(chain.iter());
            steps.truncate(most);
            let message = format!("every entry of the channel {} is forbidden", self.channel);
            return match steps.is_empty() {
                true => Decision::Fails(vec![Reason::new(reason::FORBIDDEN, message)]),
                false => Decision::Moves(steps),
            };
        };
        let candidates: Vec<Step> = self.candidates(chain, installed).take(most).collect();
        if candidates.is_empty() { self.stays(chain, installed) } else { Decision::Moves(candidates) }
    }

    /// Without the installed version no range is judged, and an entry nearer to the head may cover it.
    fn unjudged_ranges(&self, chain: &[Member<'c>], installed: &Installed) -> Option<Reason> {
        let has_range = || chain.iter().chain(&self.skipped).any(|member| member.entry.has_range());
        (installed.version.is_none() && has_range()).then(|| version_unknown(installed))
    }

    fn step(&self, member: &Member<'c>, via: Via, installed: Option<&Installed>) -> Step {
        Step {
            to: member.bundle.clone(),
            channel: Some(self.channel.clone()),
            catalog: None,
            via,
            notes: member.notes(installed),
        }
    }

    /// First installs of these entries, those left out that the resolver forbids.
    fn starts<'m>(&self, members: impl Iterator<Item = &'m Member<'c>>) -> Vec<Step>
    where
        'c: 'm,
    {
        members.filter(|member| !member.forbidden).map(|member| self.step(member, Via::default(), None)).collect()
    }

    fn stays(&self, chain: &[Member<'c>], installed: &Installed) -> Decision {
        let is_head = chain.first().is_some_and(|head| head.bundle.name == installed.name);
        if is_head {
            let message = format!("{} is the head of the channel {}", installed.name, self.channel);
            return Decision::Stays { newer_exist: false, reasons: vec![Reason::new(reason::AT_HEAD, message)] };
        }
        let members = || chain.iter().chain(&self.skipped);
        let mut reasons = Vec::new();
        let newer_exist = match &installed.version {
            Some(version) => {
                members().filter_map(|member| member.bundle.version.as_ref()).any(|other| other.is_higher_than(version))
            }
            None => {
                reasons.extend(self.unjudged_ranges(chain, installed));
                true
            }
        };
        if newer_exist {
            reasons.insert(0, self.no_edge(chain, installed));
        } else {
            let message = format!("no entry of the channel {} is higher than {}", self.channel, installed.name);
            reasons.push(Reason::new(reason::AT_HIGHEST, message));
        }
        Decision::Stays { newer_exist, reasons }
    }

    fn no_edge(&self, chain: &[Member<'c>], installed: &Installed) -> Reason {
        let mut because = Vec::new();
        for member in self.skipped.iter().filter(|member| !member.entry.covers(installed).is_none()) {
            let message = format!("{} covers {}, but it is skipped itself", member.bundle.name, installed.name);
            because.push(Reason::new(reason::SKIPPED_TARGET, message));
        }
        for member in chain.iter().filter(|member| member.forbidden && !member.entry.covers(installed).is_none()) {
            let message = format!("{} covers {}, but it carries olm.deprecated", member.bundle.name, installed.name);
            because.push(Reason::new(reason::FORBIDDEN, message));
        }
        let uncovering = chain.iter().filter(|member| member.entry.covers(installed).is_none());
        because.extend(uncovering.take(SHOWN_REASONS).map(|member| member.not_covered(installed)));
        let message = format!(
            "no entry of the chain of the channel {} replaces, skips or covers {}",
            self.channel, installed.name
        );
        Reason::new(reason::NO_EDGE, message).because(because)
    }
}

impl<'c> Member<'c> {
    fn new(package: &'c Package, entry: &'c Entry) -> Self {
        let bundle = package.bundle(&entry.name);
        let required = |kind: &str| {
            matches!(kind, "olm.package.required" | "olm.gvk.required" | "olm.constraint" | "olm.label.required")
        };
        let properties = bundle.into_iter().flat_map(|bundle| &bundle.facts.properties);
        Self {
            entry: ParsedEntry::new(entry),
            bundle: bundle.map_or_else(|| Installed::outside(&entry.name, None), Installed::bundle),
            forbidden: bundle.is_some_and(|bundle| bundle.has_property("olm.deprecated")),
            requires: properties.map(|property| property.kind.as_str()).filter(|kind| required(kind)).collect(),
        }
    }

    /// Whether the entry replaces or skips itself, and so would have no head even alone.
    fn names_itself(&self) -> bool {
        let entry = self.entry.entry;
        entry.replaces == entry.name || entry.skips.contains(&entry.name)
    }

    fn notes(&self, installed: Option<&Installed>) -> Vec<Reason> {
        let mut notes = Vec::new();
        if let Some(kind) = self.requires.first() {
            let message = format!("{} has {kind}: OLM v0 moves there only where that can be met", self.bundle.name);
            notes.push(Reason::new(reason::REQUIRES, message));
        }
        let before = installed.and_then(|installed| installed.version.as_ref());
        if let (Some(before), Some(after)) = (before, &self.bundle.version)
            && after.is_lower_than(before)
        {
            let message = format!("{} has the version {after}, which is lower than {before}", self.bundle.name);
            notes.push(Reason::new(reason::MOVES_DOWN, message));
        }
        notes
    }

    fn not_covered(&self, installed: &Installed) -> Reason {
        let entry = self.entry.entry;
        let mut says = Vec::new();
        if !entry.replaces.is_empty() {
            says.push(format!("replaces {}", entry.replaces));
        }
        if !entry.skips.is_empty() {
            says.push(format!("skips {}", counted(entry.skips.len(), "other name")));
        }
        if !entry.skip_range.is_empty() {
            says.push(format!("has the range {:?}", entry.skip_range));
        }
        let says = if says.is_empty() { "names nothing before it".to_owned() } else { says.join(", ") };
        Reason::new(reason::NOT_COVERED, format!("{} {says}: not {}", self.bundle.name, installed.name))
    }
}

impl Engine for OlmV0<'_> {
    fn decide(&self, installed: Option<&Installed>) -> Decision {
        self.decide_among(installed, usize::MAX)
    }

    fn choose(&self, installed: Option<&Installed>) -> Decision {
        self.decide_among(installed, 1)
    }

    /// One hop is legal where an entry of the chain covers. A first install can name any entry in `startingCSV`: the
    /// resolver then sees that one only, so that it may be skipped, and the rest of the channel may be broken.
    fn legal(&self, installed: Option<&Installed>) -> Vec<Step> {
        let chain = self.chain.as_deref().unwrap_or(&[]);
        match installed {
            Some(installed) => self.candidates(chain, installed).collect(),
            None => self.starts(chain.iter().chain(&self.skipped).filter(|member| !member.names_itself())),
        }
    }

    fn targets(&self) -> Vec<Installed> {
        let chain = self.chain.as_deref().unwrap_or(&[]);
        chain.iter().chain(&self.skipped).map(|member| member.bundle.clone()).collect()
    }
}

/// A Subscription to a channel that the catalog does not have: resolution fails.
pub struct NoChannel {
    reason: Reason,
}

impl NoChannel {
    /// The engine for a channel that is not there; an empty name is a package without default channel.
    pub fn new(channel: &str) -> Self {
        let message = match channel {
            "" => "the package has no default channel, and none was named".to_owned(),
            name => format!("the package has no channel {name}"),
        };
        Self { reason: Reason::new(reason::NO_CHANNEL, message) }
    }
}

impl Engine for NoChannel {
    fn decide(&self, _installed: Option<&Installed>) -> Decision {
        Decision::Fails(vec![self.reason.clone()])
    }

    fn choose(&self, installed: Option<&Installed>) -> Decision {
        self.decide(installed)
    }

    fn legal(&self, _installed: Option<&Installed>) -> Vec<Step> {
        Vec::new()
    }

    fn targets(&self) -> Vec<Installed> {
        Vec::new()
    }
}
