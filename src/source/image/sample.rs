//! Images for tests: layers in the making, read and laid over one another.

use super::{ImageTree, LayerEntries, LayerLimits, Wanted, flatten, walk_layer};
use crate::source::tar::sample::Archive;

/// What layers say of wanted paths.
pub(crate) fn walked(layers: &[Archive], wanted: &Wanted) -> Vec<LayerEntries> {
    let walk = |layer: &Archive| {
        let bytes = layer.clone().end();
        walk_layer(bytes.as_slice(), wanted, &LayerLimits::default(), &mut |_, _, _, _| Ok(())).unwrap()
    };
    layers.iter().map(walk).collect()
}

/// The image of these layers, with only these paths wanted.
pub(crate) fn image(layers: &[Archive], wanted: &[&str]) -> ImageTree {
    let wanted = Wanted::new(wanted);
    flatten(&walked(layers, &wanted), &wanted)
}

/// The same, going on until nothing is unresolved.
pub(crate) fn resolved(layers: &[Archive], wanted: &[&str]) -> ImageTree {
    let mut wanted = Wanted::new(wanted);
    for _ in 0..50 {
        let tree = flatten(&walked(layers, &wanted), &wanted);
        if tree.unresolved.is_empty() {
            return tree;
        }
        let news = tree.unresolved.iter().filter(|path| wanted.add(path)).count();
        assert!(news > 0, "all is wanted already and yet unresolved: {:?}", tree.unresolved);
    }
    panic!("there is no end of unresolved paths");
}
