//! Small files of an image, kept in memory: the contents of a bundle, the manifests of a payload.
//!
//! Rule: what an image shows follows from all its layers (OCI image specification, layer); admin gates of a payload lie in
//! its base layers. Cost: every layer is decompressed once; memory as much as the wanted files have, up to a limit.

use std::collections::BTreeMap;
use std::io::{self, Read};

use super::input::ImageInput;
use super::unpack::{unpack, walk};
use crate::source::image::{Descriptor, FileSet, ImageManifest, LayerEntries, Wanted};
use crate::source::store::{StoreError, StoreErrorKind};
use crate::source::{FileFault, FileFaultKind};

/// Bytes that the wanted files of one image may have: four times the largest payload known.
const MOST_BYTES: u64 = 128 << 20;

/// A layer with the content of its wanted files, by the number of their entry.
type Layer = (LayerEntries, BTreeMap<usize, Vec<u8>>);

/// Reads what an image shows below some directories, by paths inside the image; a directory that it has not shows nothing.
///
/// # Errors
/// [`StoreError`] of the first layer or file that cannot be read: a part of a bundle or payload is no bundle or payload.
pub(super) fn read_files(
    image: &ImageInput,
    manifest: &ImageManifest,
    directories: &[&str],
) -> Result<FileSet, StoreError> {
    let read = |wanted: &Wanted| {
        let mut left = MOST_BYTES;
        manifest.layers.iter().map(|layer| read_layer(image, layer, wanted, &mut left)).collect()
    };
    let (layers, tree) = unpack(Wanted::new(directories), |(entries, _): &Layer| entries, read)?;
    refuse(&tree.faults)?;
    let mut files = FileSet::new();
    for directory in directories {
        let below = match tree.below(directory) {
            Ok(below) => below,
            Err(fault) if fault.kind == FileFaultKind::Catalog => continue,
            Err(fault) => return refuse(&[fault]).map(|()| files),
        };
        refuse(&below.faults)?;
        for (relative, file) in below.files {
            let content = layers.get(file.layer).and_then(|(_, contents)| contents.get(&file.entry));
            let path = if directory.is_empty() { relative } else { format!("{directory}/{relative}") };
            files.insert(path, content.cloned().unwrap_or_default());
        }
    }
    Ok(files)
}

fn refuse(faults: &[FileFault]) -> Result<(), StoreError> {
    let Some(fault) = faults.first() else { return Ok(()) };
    let kind = match fault.kind {
        FileFaultKind::Limit => StoreErrorKind::Limit,
        FileFaultKind::Catalog | FileFaultKind::Unreadable => StoreErrorKind::Unreadable,
    };
    Err(StoreError::new(kind, format!("{}: {}", fault.path, fault.reason)))
}

fn read_layer(image: &ImageInput, layer: &Descriptor, wanted: &Wanted, left: &mut u64) -> Result<Layer, StoreError> {
    let mut contents = BTreeMap::new();
    let entries = walk(image, layer, wanted, &mut |number, _path, _bytes, file| {
        let mut bytes = Vec::new();
        file.take(left.saturating_add(1)).read_to_end(&mut bytes)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        *left = left.checked_sub(length).ok_or_else(|| {
            let reason = format!("the files that count have more than {MOST_BYTES} bytes");
            io::Error::new(io::ErrorKind::FileTooLarge, reason)
        })?;
        contents.insert(number, bytes);
        Ok(())
    })?;
    Ok((entries, contents))
}
