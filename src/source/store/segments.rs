//! Which archives of oc-mirror belong together, told by their names alone.
//!
//! Rule: oc-mirror v2, `internal/pkg/archive/const.go`: the segments of one run are `mirror_000001.tar` and so on, and a run
//! removes those of the run before; so the segments of one directory are one run, and equal names in two directories are two
//! runs. oc-mirror v1, `v1/pkg/archive/archive.go`: `mirror_seq<N>_<part>.tar`, parts counted from 0, and a publish wants
//! sequences without a gap. Cost: none worth a word.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::source::{FileFault, FileFaultKind};

/// The archives of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    /// The number of the run, by which runs of oc-mirror v1 are told apart; 0 for oc-mirror v2, which counts none.
    pub(super) sequence: u32,
    /// File names, by number.
    pub(super) names: Vec<String>,
}

/// The segments of oc-mirror v2 among the names of one directory, and what misses; `None` where there are none.
pub(super) fn of_oc_mirror_v2(names: &[String]) -> Option<(Run, Vec<FileFault>)> {
    let numbered: BTreeMap<u32, &String> = names.iter().filter_map(|name| Some((segment(name)?, name))).collect();
    if numbered.is_empty() {
        return None;
    }
    let faults = gaps(1, numbered.keys().copied()).map(|gap| missing(&gap, |number| format!("mirror_{number:06}.tar")));
    let run = Run { sequence: 0, names: numbered.values().map(|name| (*name).clone()).collect() };
    Some((run, faults.collect()))
}

/// The archives of oc-mirror v1 among the names of one directory, by sequence, and what misses.
pub(super) fn of_oc_mirror_v1(names: &[String]) -> (Vec<Run>, Vec<FileFault>) {
    let mut sequences: BTreeMap<u32, BTreeMap<u32, &String>> = BTreeMap::new();
    for name in names {
        if let Some((sequence, part)) = part(name) {
            sequences.entry(sequence).or_default().insert(part, name);
        }
    }
    let first = sequences.keys().next().copied().unwrap_or_default();
    let absent = gaps(first, sequences.keys().copied());
    let mut faults: Vec<FileFault> =
        absent.map(|gap| missing(&gap, |number| format!("mirror_seq{number}_000000.tar"))).collect();
    for (sequence, parts) in &sequences {
        let absent = gaps(0, parts.keys().copied());
        faults.extend(absent.map(|gap| missing(&gap, |number| format!("mirror_seq{sequence}_{number:06}.tar"))));
    }
    let runs =
        sequences.into_iter().map(|(sequence, parts)| Run { sequence, names: parts.into_values().cloned().collect() });
    (runs.collect(), faults)
}

fn segment(name: &str) -> Option<u32> {
    six_digits(name.strip_prefix("mirror_")?.strip_suffix(".tar")?)
}

fn part(name: &str) -> Option<(u32, u32)> {
    let (sequence, part) = name.strip_prefix("mirror_seq")?.strip_suffix(".tar")?.split_once('_')?;
    let is_number = sequence.bytes().all(|byte| byte.is_ascii_digit());
    Some((sequence.parse().ok().filter(|_| is_number)?, six_digits(part)?))
}

fn six_digits(text: &str) -> Option<u32> {
    let is_number = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// The numbers that miss between `first` and the last of some ascending numbers.
fn gaps(first: u32, numbers: impl Iterator<Item = u32>) -> impl Iterator<Item = RangeInclusive<u32>> {
    let mut next = first;
    numbers.filter_map(move |number| {
        let gap = (number > next).then(|| next..=number - 1);
        next = number.saturating_add(1);
        gap
    })
}

fn missing(gap: &RangeInclusive<u32>, name: impl Fn(u32) -> String) -> FileFault {
    let (first, last) = (name(*gap.start()), name(*gap.end()));
    let reason = match gap.end() - gap.start() {
        0 => "it is missing among the archives of its directory".to_owned(),
        _ => format!("all from here to {last} are missing among the archives of their directory"),
    };
    FileFault { path: first, kind: FileFaultKind::Unreadable, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn segments_of_a_directory_are_one_run() {
        let all =
            names(&["mirror_000002.tar", "isc", "mirror_000001.tar", "old_mirror_000003.tar.bak", "mirror_1.tar"]);
        let (run, faults) = of_oc_mirror_v2(&all).unwrap();
        assert_eq!(run.names, ["mirror_000001.tar", "mirror_000002.tar"]);
        assert!(faults.is_empty());
        assert_eq!(of_oc_mirror_v2(&names(&["mirror_seq1_000000.tar", "mirror_+00001.tar"])), None);
    }

    #[test]
    fn a_gap_between_segments_is_a_fault_that_names_it() {
        let (_, faults) = of_oc_mirror_v2(&names(&["mirror_000002.tar", "mirror_999999.tar"])).unwrap();
        let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
        assert_eq!(paths, ["mirror_000001.tar", "mirror_000003.tar"]);
        assert!(faults[1].reason.contains("mirror_999998.tar"), "{}", faults[1].reason);
    }

    #[test]
    fn sequences_and_parts_must_be_unbroken() {
        let all = ["mirror_seq10_000000.tar", "mirror_seq9_000000.tar", "mirror_seq9_000001.tar"];
        let (runs, faults) = of_oc_mirror_v1(&names(&all));
        assert_eq!(runs.iter().map(|run| run.sequence).collect::<Vec<_>>(), [9, 10]);
        assert_eq!(runs[0].names, ["mirror_seq9_000000.tar", "mirror_seq9_000001.tar"]);
        assert!(faults.is_empty(), "{faults:?}");
        let (_, faults) = of_oc_mirror_v1(&names(&["mirror_seq1_000000.tar", "mirror_seq3_000001.tar"]));
        let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
        assert_eq!(paths, ["mirror_seq2_000000.tar", "mirror_seq3_000000.tar"]);
    }

    #[test]
    fn numbers_beyond_all_bounds_are_no_names() {
        let all =
            names(&["mirror_seq99999999999999999999_000000.tar", "mirror_seq+1_000000.tar", "mirror_seq_000000.tar"]);
        assert!(of_oc_mirror_v1(&all).0.is_empty());
        let (runs, faults) = of_oc_mirror_v1(&names(&["mirror_seq4294967295_999999.tar", "mirror_seq0_000000.tar"]));
        assert_eq!((runs.len(), faults.len()), (2, 2));
    }
}
