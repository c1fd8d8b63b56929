//! Both engines against their second versions, and laws that hold for every package.

use std::collections::BTreeSet;

use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, subsequence};

use super::super::olm_v1::{OlmV1, Policy, Request, Source};
use super::super::{Decision, Engine, Installed, Survey, WalkEnd, answer, walk};
use super::random::{INSTALLED, RandomPackage, from, package, version};
use super::sketch::{name, short, v0, v1};
use super::slow::{self, Asked};
use crate::catalog::Package;
use crate::version::{MastermindsRange, Range as _};

const CHANNELS: [&str; 2] = ["s", "t"];

fn number(name: &str) -> u8 {
    short(name).split('.').nth(1).expect("the name has a number").parse().expect("it is small")
}

/// The numbers it would take, or why it fails; and whether it stays below newer ones.
fn taken(decision: &Decision) -> Result<(Vec<u8>, bool), &'static str> {
    match decision {
        Decision::Moves(steps) => Ok((steps.iter().map(|step| number(&step.to.name)).collect(), false)),
        Decision::Stays { newer_exist, .. } => Ok((Vec::new(), *newer_exist)),
        Decision::Fails(reasons) => Err(reasons[0].code),
    }
}

fn asked() -> impl Strategy<Value = Asked> {
    let range = option::weighted(0.3, (0_u8..5, 1_u8..8));
    (subsequence(vec![0, 1], 0..=2), range, prop::bool::weighted(0.2))
        .prop_map(|(channels, range, self_certified)| Asked { channels, range, self_certified })
}

fn request(asked: &Asked) -> Request {
    let text = asked.range.map(|(from, to)| format!(">={} <{}", version(from), version(to)));
    Request {
        channels: asked.channels.iter().map(|channel| CHANNELS[*channel].to_owned()).collect(),
        range: text.map(|text| MastermindsRange::parse(&text).expect("the range parses")),
        policy: if asked.self_certified { Policy::SelfCertified } else { Policy::CatalogProvided },
    }
}

fn everything(package: &Package) -> Vec<Installed> {
    INSTALLED.map(|number| from(package, number)).collect()
}

fn engines(package: &Package) -> [Box<dyn Engine + '_>; 4] {
    [Box::new(v0(package, "s")), Box::new(v0(package, "t")), Box::new(v1(package, &["s"])), Box::new(v1(package, &[]))]
}

/// What legal edges lead to from each number.
fn reached(engine: &dyn Engine, package: &Package) -> BTreeSet<(u8, u8)> {
    let survey = Survey::new(engine, everything(package));
    let reachability = survey.reachability();
    let nodes = survey.nodes();
    let pairs = (0..nodes.len()).flat_map(|start| reachability.from(start).map(move |end| (start, end)));
    pairs.map(|(start, end)| (number(&nodes[start].name), number(&nodes[end].name))).collect()
}

/// The same package without one thing that makes an edge.
fn without_an_edge(package: &RandomPackage, which: &Index) -> Option<RandomPackage> {
    let mut smaller = package.clone();
    let entries = smaller.channels.iter_mut().flatten();
    let mut fuller: Vec<_> =
        entries.filter(|entry| entry.replaces.is_some() || entry.range.is_some() || !entry.skips.is_empty()).collect();
    if fuller.is_empty() {
        return None;
    }
    let entry = which.get_mut(&mut fuller);
    if entry.replaces.take().is_none() && entry.range.take().is_none() {
        entry.skips.pop();
    }
    Some(smaller)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn olm_v0_decides_as_its_second_version(random in package(), channel in 0_usize..2) {
        let package = random.package();
        let engine = v0(&package, CHANNELS[channel]);
        for installed in INSTALLED {
            let decided = taken(&engine.decide(Some(&from(&package, installed))));
            let expected = slow::olm_v0(&random, channel, installed).map(|options| {
                let head = slow::sort_channel(&random.channels[channel]).expect("it has a chain")[0].bundle;
                let newer = random.channels[channel].iter().any(|entry| entry.bundle > installed);
                let ends_early = options.is_empty() && head != installed && newer;
                (options, ends_early)
            });
            prop_assert_eq!(decided, expected, "from {}", installed);
        }
    }

    #[test]
    fn olm_v1_decides_as_its_second_version(random in package(), asked in asked()) {
        let package = random.package();
        let engine = super::sketch::request(&package, request(&asked));
        for installed in INSTALLED {
            let decided = taken(&engine.decide(Some(&from(&package, installed))));
            let expected = slow::olm_v1(&[(0, &random)], &asked, installed);
            match (decided, expected) {
                (Ok((options, _)), Ok((_, bundle))) => {
                    prop_assert_eq!(options.first().copied().unwrap_or(installed), bundle, "from {}", installed);
                    prop_assert!(!options.contains(&installed));
                }
                (decided, expected) => prop_assert_eq!(decided.err(), expected.err(), "from {}", installed),
            }
        }
    }

    #[test]
    fn olm_v1_over_two_catalogs_decides_as_its_second_version(
        random in (package(), package()),
        priorities in (0_i32..3, 0_i32..3),
        asked in asked(),
    ) {
        let (one, other) = (random.0.package(), random.1.package());
        let source = |catalog: &str, priority, package| Source { catalog: catalog.into(), priority, package };
        let sources = [source("one", priorities.0, &one), source("other", priorities.1, &other)];
        let engine = OlmV1::new(&sources, request(&asked));
        for installed in INSTALLED {
            let decision = engine.decide(Some(&from(&one, installed)));
            let decided = match decision.next() {
                Some(step) => Ok((usize::from(step.catalog.as_deref() == Some("other")), number(&step.to.name))),
                None => taken(&decision).map(|_| (0, installed)),
            };
            let expected = slow::olm_v1(&[(priorities.0, &random.0), (priorities.1, &random.1)], &asked, installed)
                .map(|(catalog, bundle)| if bundle == installed { (0, installed) } else { (catalog, bundle) });
            prop_assert_eq!(decided, expected, "from {}", installed);
        }
    }

    #[test]
    fn without_an_edge_olm_v1_reaches_no_more(random in package(), which in any::<Index>()) {
        let package = random.package();
        let Some(smaller) = without_an_edge(&random, &which) else { return Ok(()) };
        let smaller = smaller.package();
        for channels in [&["s"][..], &[]] {
            let before = reached(&v1(&package, channels), &package);
            let after = reached(&v1(&smaller, channels), &smaller);
            prop_assert!(after.is_subset(&before), "{:?}", after.difference(&before).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_choice_is_the_decision_without_what_it_passes_over(random in package(), asked in asked()) {
        let package = random.package();
        let asked: Box<dyn Engine + '_> = Box::new(super::sketch::request(&package, request(&asked)));
        for engine in engines(&package).into_iter().chain([asked]) {
            for installed in everything(&package).iter().map(Some).chain([None]) {
                let mut expected = engine.decide(installed);
                if let Decision::Moves(steps) = &mut expected {
                    steps.truncate(1);
                }
                prop_assert_eq!(engine.choose(installed), expected);
            }
        }
    }

    #[test]
    fn walks_end_and_never_pass_a_bundle_twice(random in package()) {
        let package = random.package();
        for engine in engines(&package) {
            for installed in everything(&package).iter().map(Some).chain([None]) {
                let walked = walk(&*engine, installed);
                let mut passed: Vec<&str> = installed.iter().map(|installed| &*installed.name).collect();
                for hop in &walked.hops {
                    let before = passed.last().copied();
                    prop_assert_eq!(hop.from.as_deref(), before);
                    let decision = engine.decide(before.map(|name| from(&package, number(name))).as_ref());
                    prop_assert_eq!(decision.next(), Some(&hop.step));
                    passed.push(&hop.step.to.name);
                }
                let distinct: BTreeSet<&str> = passed.iter().copied().collect();
                prop_assert_eq!(distinct.len(), passed.len());
                let last = engine.decide(passed.last().map(|name| from(&package, number(name))).as_ref());
                let end = match last.next() {
                    Some(step) => passed.contains(&&*step.to.name).then_some(WalkEnd::Loop),
                    None => match last {
                        Decision::Stays { newer_exist: true, .. } => Some(WalkEnd::DeadEnd),
                        Decision::Stays { newer_exist: false, .. } => Some(WalkEnd::UpToDate),
                        Decision::Fails(_) | Decision::Moves(_) => Some(WalkEnd::Fails),
                    },
                };
                prop_assert_eq!(Some(walked.end), end);
            }
        }
    }

    #[test]
    fn hops_to_a_target_are_legal_and_exist_where_anything_leads_there(random in package(), start in 0_u8..7, end in 1_u8..6) {
        let package = random.package();
        for engine in engines(&package) {
            let answer = answer(&*engine, Some(&from(&package, start)), Some(&name(&version(end))));
            let reachable = start == end || reached(&*engine, &package).contains(&(start, end));
            prop_assert_eq!(answer.status.is_good(), reachable);
            let mut at = start;
            for hop in &answer.hops {
                prop_assert_eq!(hop.from.as_deref().map(number), Some(at));
                prop_assert!(engine.legal(Some(&from(&package, at))).contains(&hop.step));
                at = number(&hop.step.to.name);
            }
            prop_assert!(answer.hops.is_empty() || at == end);
        }
    }

    #[test]
    fn the_shortest_path_is_as_long_as_steps_of_widening_need(random in package(), start in 0_u8..7, end in 1_u8..6) {
        prop_assume!(start != end);
        let package = random.package();
        for engine in engines(&package) {
            let legal = |at: u8| engine.legal(Some(&from(&package, at))).into_iter().map(|step| number(&step.to.name));
            let mut within = BTreeSet::from([start]);
            let mut hops = 0;
            while !within.contains(&end) && hops < 10 {
                within = within.iter().flat_map(|at| legal(*at).collect::<Vec<_>>()).chain(within.clone()).collect();
                hops += 1;
            }
            let path = Survey::new(&*engine, everything(&package)).shortest_path(&name(&version(start)), &name(&version(end)));
            prop_assert_eq!(path.map(|path| path.len()), within.contains(&end).then_some(hops));
        }
    }
}
