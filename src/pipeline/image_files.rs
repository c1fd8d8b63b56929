//! Small files of an image, kept in memory: the contents of a bundle, the manifests of a payload.
//!
//! Rule: what an image shows follows from all its layers (OCI image specification, layer); admin gates of a payload lie in
//! its base layers. Cost: every layer is decompressed once; memory as much as the wanted files have, up to a limit.

use std::collections::BTreeMap;
use std::io::{self, Read};

use super::input::ImageInput;
use crate::source::FileFault;
use crate::source::image::{FileSet, ImageManifest, LayerEntries, LayerLimits, Wanted, flatten, walk_layer};
use crate::source::store::{StoreError, StoreErrorKind, Verified};

/// Bytes that the wanted files of one image may have: four times the largest payload known.
const MOST_BYTES: u64 = 128 << 20;
/// Rounds in which links to other places of the image are followed.
const ROUNDS: usize = 8;

/// What an image shows below some directories.
#[derive(Default)]
pub(super) struct ImageFiles {
    pub(super) files: FileSet,
    pub(super) faults: Vec<FileFault>,
}

/// The content of wanted files of one layer, by the number of their entry.
type Contents = BTreeMap<usize, Vec<u8>>;

/// Reads what an image shows below some directories, by paths inside the image.
///
/// # Errors
/// [`StoreError`] of the first layer that cannot be read: a part of a bundle or payload is no bundle or payload.
pub(super) fn read_files(
    image: &ImageInput,
    manifest: &ImageManifest,
    directories: &[&str],
) -> Result<ImageFiles, StoreError> {
    let mut wanted = Wanted::new(directories);
    let mut round = 0;
    let (layers, tree) = loop {
        round += 1;
        let mut left = MOST_BYTES;
        let mut layers: Vec<(LayerEntries, Contents)> = Vec::new();
        for layer in &manifest.layers {
            layers.push(read_layer(image, layer, &wanted, &mut left)?);
        }
        let tree = flatten(layers.iter().map(|(entries, _)| entries), &wanted);
        let is_complete = tree.unresolved.iter().filter(|path| wanted.add(path)).count() == 0;
        if is_complete || round == ROUNDS {
            break (layers, tree);
        }
    };
    let mut read = ImageFiles::default();
    for directory in directories {
        let below = match tree.below(directory) {
            Ok(below) => below,
            Err(fault) => {
                read.faults.push(fault);
                continue;
            }
        };
        read.faults.extend(below.faults);
        for (relative, file) in below.files {
            let content = layers.get(file.layer).and_then(|(_, contents)| contents.get(&file.entry));
            let path = if directory.is_empty() { relative } else { format!("{directory}/{relative}") };
            read.files.insert(path, content.cloned().unwrap_or_default());
        }
    }
    read.faults.extend(tree.faults);
    Ok(read)
}

fn read_layer(
    image: &ImageInput,
    layer: &crate::source::image::Descriptor,
    wanted: &Wanted,
    left: &mut u64,
) -> Result<(LayerEntries, Contents), StoreError> {
    let named = |error: &dyn std::fmt::Display| format!("the layer {}: {error}", layer.digest);
    let blob = image.store.blob(image.repository.as_deref(), &layer.digest)?;
    let stated = image.store.is_provable().then_some(layer.bytes);
    let mut content = Verified::new(blob.content, layer.digest.clone(), stated);
    let mut contents = Contents::new();
    let walked = walk_layer(&mut content, wanted, &LayerLimits::default(), &mut |number, _path, _bytes, file| {
        let mut bytes = Vec::new();
        file.take(left.saturating_add(1)).read_to_end(&mut bytes)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        *left = left.checked_sub(length).ok_or_else(|| {
            let reason = format!("the files that count have more than {MOST_BYTES} bytes");
            io::Error::new(io::ErrorKind::FileTooLarge, reason)
        })?;
        contents.insert(number, bytes);
        Ok(())
    });
    let entries = walked.map_err(|error| StoreError::new(error.error.kind, named(&error)))?;
    content.finish().map_err(|error| {
        let is_bad = error.kind() == io::ErrorKind::InvalidData;
        StoreError::new(if is_bad { StoreErrorKind::Bad } else { StoreErrorKind::Unreadable }, named(&error))
    })?;
    Ok((entries, contents))
}
