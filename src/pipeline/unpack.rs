//! Layers of an image, walked and laid over one another: what reading catalogs and small files has in common.
//!
//! Rule: a layer is checked against its digest and size while it streams, and nothing of it counts where its end does not
//! match (OCI image specification, descriptor). Links may lead to paths that were not wanted: those are wanted too, and the
//! layers are walked again. Cost: one decompression of each layer and round; one round unless links lead elsewhere.

use std::io::ErrorKind;

use super::input::ImageInput;
use crate::source::image::{Descriptor, ImageTree, LayerEntries, LayerLimits, Visit, Wanted, flatten, walk_layer};
use crate::source::store::{StoreError, StoreErrorKind, Verified};
use crate::source::tree::Stamp;

/// Rounds in which links to other places of the image are followed.
const ROUNDS: usize = 8;

/// Walks a layer to its checked end.
///
/// # Errors
/// [`StoreError`] that names the layer: then nothing that was visited counts.
pub(super) fn walk(
    image: &ImageInput,
    layer: &Descriptor,
    wanted: &Wanted,
    visit: &mut Visit<'_>,
) -> Result<LayerEntries, StoreError> {
    let named =
        |kind, error: &dyn std::fmt::Display| StoreError::new(kind, format!("the layer {}: {error}", layer.digest));
    let blob = image.store.blob(image.repository.as_deref(), &layer.digest)?;
    let stated = image.store.is_provable().then_some(layer.bytes);
    let mut content = Verified::new(blob.content, layer.digest.clone(), stated);
    let walked = walk_layer(&mut content, wanted, &LayerLimits::default(), visit);
    let entries = walked.map_err(|error| named(error.error.kind, &error))?;
    content.finish().map_err(|error| {
        let is_bad = error.kind() == ErrorKind::InvalidData;
        named(if is_bad { StoreErrorKind::Bad } else { StoreErrorKind::Unreadable }, &error)
    })?;
    Ok(entries)
}

/// Reads layers and lays them over one another, again with more paths while links lead to such as were not wanted.
///
/// # Errors
/// Those of reading.
pub(super) fn unpack<L, E>(
    mut wanted: Wanted,
    entries: impl Fn(&L) -> &LayerEntries,
    mut read: impl FnMut(&Wanted) -> Result<Vec<L>, E>,
) -> Result<(Vec<L>, ImageTree), E> {
    let mut round = 0;
    loop {
        round += 1;
        let layers = read(&wanted)?;
        let tree = flatten(layers.iter().map(&entries), &wanted);
        let is_complete = tree.unresolved.iter().filter(|path| wanted.add(path)).count() == 0;
        if is_complete || round == ROUNDS {
            return Ok((layers, tree));
        }
    }
}

/// A stamp as a part of a key; empty where a store cannot tell whether a blob is still the same.
pub(super) fn stamp_text(stamp: Option<Stamp>) -> String {
    stamp.map(|stamp| stamp.to_string()).unwrap_or_default()
}
