//! What an image is: its manifest, its configuration, its kind.
//!
//! Rule: labels and media types say what an image is; where they are silent, its repository may. Cost: one manifest for
//! each index on the way, one for the image, one configuration.

use crate::finding::ContentDigest;
use crate::source::image::{
    Chosen, Configuration, ImageKind, Platform, choose, image_kind, media_type, read_configuration,
};
use crate::source::store::{Store, StoreError, StoreErrorKind};

/// An image that was looked at.
pub(super) struct Described {
    pub(super) chosen: Chosen,
    /// `None` for what has no configuration that a machine would run.
    pub(super) configuration: Option<Configuration>,
    pub(super) kind: ImageKind,
}

/// Looks at an image, or at the one of an index that is for the wanted platform.
pub(super) fn describe(
    store: &dyn Store,
    repository: Option<&str>,
    tag: Option<&str>,
    digest: &ContentDigest,
    platform: &Platform,
) -> Result<Described, StoreError> {
    let chosen = choose(store, repository, digest, platform)?;
    let config = &chosen.manifest.config;
    let runs = config.media_type.is_empty() || media_type::is_configuration(&config.media_type);
    let configuration = runs.then(|| read_configuration(store, repository, config)).transpose()?;
    let kind = image_kind(&chosen.manifest, configuration.as_ref(), repository, tag)
        .map_err(|error| StoreError::new(StoreErrorKind::Bad, error))?;
    Ok(Described { chosen, configuration, kind })
}
