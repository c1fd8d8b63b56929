//! Walks on which the engines agree: the same stops and the same status at the end.
//!
//! Cost: linear in the stops of all walks.

use std::collections::{BTreeMap, BTreeSet};

use super::names::Names;
use super::words;
use crate::report::schema::{ReasonView, WalkView, WalksView};
use crate::report::walk;

/// An engine's name and what it does.
pub(super) type EngineWalks<'view> = (&'static str, &'view WalksView);

/// The walk from a bundle, with what becomes of the last stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk<'view> {
    engine: &'static str,
    pub(super) path: &'view [u32],
    /// Everything to know of the hops and the end.
    reasons: &'view [ReasonView],
    pub(super) end: &'view str,
    end_reasons: &'view [ReasonView],
    /// Where it goes on to from its last stop, if it has been there before.
    pub(super) back: Option<usize>,
}

/// The walks from each bundle of the engines that agree on them.
pub(super) type Agreed<'view> = BTreeMap<usize, Vec<Walk<'view>>>;

/// The walks of all bundles by what the engines that take them are called together.
pub(super) fn walks<'view>(engines: &[EngineWalks<'view>], names: &Names<'_>) -> BTreeMap<&'static str, Agreed<'view>> {
    let mut agreed: BTreeMap<&'static str, Agreed<'view>> = BTreeMap::new();
    let installed: BTreeSet<&str> =
        engines.iter().flat_map(|(_, walks)| walks.from.keys()).map(String::as_str).collect();
    for name in installed {
        let Some(position) = names.position(name) else { continue };
        let found =
            engines.iter().filter_map(|(engine, walks)| Some(Walk::of(engine, walks.from.get(name)?, walks, names)));
        let found: Vec<Walk<'view>> = found.collect();
        match found.as_slice() {
            [one, other] if (one.path, one.end) == (other.path, other.end) => {
                agreed.entry("both").or_default().insert(position, found);
            }
            apart => apart.iter().for_each(|walk| {
                agreed.entry(walk.engine).or_default().insert(position, vec![*walk]);
            }),
        }
    }
    agreed
}

impl<'view> Walk<'view> {
    fn of(engine: &'static str, from: &'view WalkView, walks: &'view WalksView, names: &Names<'_>) -> Self {
        let end = walk::end(from, walks, names.all());
        let last = from.path.last().map_or(Some(from), |last| walks.from.get(names.full(*last as usize)));
        let back = last.filter(|_| from.status == "loop").and_then(|last| names.position(last.next.as_deref()?));
        Self { engine, path: &from.path, reasons: &from.reasons, end: &end.status, end_reasons: &end.reasons, back }
    }

    /// What to know of the hops: the reasons that are not about the end.
    fn notes(&self) -> Vec<ReasonView> {
        self.reasons.iter().filter(|reason| !self.end_reasons.contains(reason)).cloned().collect()
    }

    fn why(&self, installed: &str) -> String {
        let why = words::reasons(self.end_reasons, installed);
        match words::reasons(&self.notes(), installed) {
            notes if notes.is_empty() => why,
            notes => format!("{why}. On the way: {notes}"),
        }
    }
}

/// Why all of these walks end where they do: one text where the engines agree in it, else one for each.
pub(super) fn why(same: &[Walk<'_>], installed: &str) -> String {
    let told: Vec<(&str, String)> = same.iter().map(|walk| (walk.engine, walk.why(installed))).collect();
    match told.as_slice() {
        [(_, why)] => why.clone(),
        [(_, why), (_, other)] if why == other => why.clone(),
        several => several.iter().map(|(engine, why)| format!("{engine}: {why}.")).collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::tests::sample;

    #[test]
    fn what_is_noted_on_the_way_is_told_after_the_end() {
        let reasons = ["it needs more", "head"].map(|message| ReasonView {
            code: "c".into(),
            message: message.into(),
            because: vec![],
        });
        let walk = Walk {
            engine: "OLM v0",
            path: &[1],
            reasons: &reasons,
            end: "up-to-date",
            end_reasons: &reasons[1..],
            back: None,
        };
        assert_eq!(why(&[walk], "p.v1"), "head. On the way: it needs more");
        assert_eq!(why(&[Walk { reasons: &reasons[1..], ..walk }], "p.v1"), "head");
    }

    #[test]
    fn a_walk_ends_with_what_becomes_of_its_last_stop() {
        let view = sample::package(3);
        let names = Names::of(&view);
        let walks = walks(&[("OLM v0", &view.engines.olm_v0["stable"])], &names);
        assert!(walks["OLM v0"].values().all(|same| same[0].end == "up-to-date"));
        assert_eq!(walks["OLM v0"].len(), 3);
    }
}
