//! The names of a package's bundles, in full and in short.
//!
//! Cost: building is `n log n` in the number of names, every question after that logarithmic.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::schema::{BundleView, PackageView};

/// Positions and labels of a package's names.
pub(super) struct Names<'view> {
    full: &'view [String],
    positions: BTreeMap<&'view str, usize>,
    labels: Vec<String>,
}

impl<'view> Names<'view> {
    /// Looks at the names of a package.
    pub(super) fn of(view: &'view PackageView) -> Self {
        let positions = view.names.iter().enumerate().map(|(position, name)| (name.as_str(), position)).collect();
        let mut uses: BTreeMap<String, usize> = BTreeMap::new();
        let versions: Vec<Option<String>> =
            (0..view.names.len()).map(|position| version(view.bundles.get(position)?)).collect();
        for version in versions.iter().flatten() {
            *uses.entry(version.clone()).or_default() += 1;
        }
        let labels = view
            .names
            .iter()
            .zip(versions)
            .map(|(name, version)| {
                version.filter(|version| uses.get(version) == Some(&1)).unwrap_or_else(|| name.clone())
            })
            .collect();
        Self { full: &view.names, positions, labels }
    }

    /// The position of a name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }

    /// The short form of a name: its version where no other name has the same, else the name.
    pub(super) fn label(&self, position: usize) -> &str {
        self.labels.get(position).map_or("?", String::as_str)
    }

    /// The short forms of all names.
    pub(super) fn labels(&self) -> &[String] {
        &self.labels
    }

    /// All names, in their order.
    pub(super) fn all(&self) -> &'view [String] {
        self.full
    }

    /// The name at a position.
    pub(super) fn full(&self, position: usize) -> &'view str {
        self.full.get(position).map_or("?", String::as_str)
    }
}

/// The version of a bundle with its release, as far as they are known.
pub(super) fn version(bundle: &BundleView) -> Option<String> {
    let version = bundle.version.as_ref()?;
    Some(match &bundle.release {
        Some(release) => format!("{version} release {release}"),
        None => version.clone(),
    })
}

/// Positions in ascending order, each once.
pub(super) fn ascending(positions: impl IntoIterator<Item = usize>) -> Vec<usize> {
    BTreeSet::from_iter(positions).into_iter().collect()
}

/// Ascending positions as runs of neighbours: first position and length.
pub(super) fn runs(positions: &[usize]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &position in positions {
        match runs.last_mut() {
            Some((first, length)) if *first + *length == position => *length += 1,
            _ => runs.push((position, 1)),
        }
    }
    runs
}

/// The short forms of ascending positions, with runs of neighbours in version order written by their ends.
pub(super) fn listed(positions: &[usize], names: &Names<'_>) -> String {
    let runs = runs(positions).into_iter().map(|(first, length)| match length {
        1 => names.label(first).to_owned(),
        2 => format!("{}, {}", names.label(first), names.label(first + 1)),
        _ => format!("{} to {}", names.label(first), names.label(first + length - 1)),
    });
    runs.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn neighbours_become_one_run() {
        assert_eq!(runs(&[0, 1, 2, 5, 7, 8]), [(0, 3), (5, 1), (7, 2)]);
        assert_eq!(runs(&[]), []);
    }

    proptest! {
        #[test]
        fn runs_hold_exactly_the_positions(positions in proptest::collection::btree_set(0usize..60, 0..40)) {
            let list: Vec<usize> = positions.iter().copied().collect();
            let spread: BTreeSet<usize> =
                runs(&list).into_iter().flat_map(|(first, length)| first..first + length).collect();
            prop_assert_eq!(spread, positions);
        }
    }
}
