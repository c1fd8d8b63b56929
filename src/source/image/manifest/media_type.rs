//! The media types of images, in OCI's words and in docker's.
//!
//! Rule: OCI image specification, media-types.md ("Compatibility Matrix"), and distribution's manifest-v2-2.md. What stands
//! in one row there is equal here.

/// An index in OCI's words.
pub const OCI_INDEX: &str = "application/vnd.oci.image.index.v1+json";
/// An index in docker's words: a manifest list.
pub const DOCKER_INDEX: &str = "application/vnd.docker.distribution.manifest.list.v2+json";
/// An image in OCI's words.
pub const OCI_IMAGE: &str = "application/vnd.oci.image.manifest.v1+json";
/// An image in docker's words, schema 2.
pub const DOCKER_IMAGE: &str = "application/vnd.docker.distribution.manifest.v2+json";
/// The configuration of an image that runs, in OCI's words.
pub const OCI_CONFIGURATION: &str = "application/vnd.oci.image.config.v1+json";
/// The configuration of an image that runs, in docker's words.
pub const DOCKER_CONFIGURATION: &str = "application/vnd.docker.container.image.v1+json";
/// The configuration that says nothing: `{}`.
pub const EMPTY: &str = "application/vnd.oci.empty.v1+json";

/// Beginning of docker's schema 1, signed or not.
const DOCKER_SCHEMA_1: &str = "application/vnd.docker.distribution.manifest.v1+";

/// What a media type says that a manifest is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Index,
    Image,
    Schema1,
    Nothing,
}

/// The kind that a media type names; parameters after `;` do not count.
pub(super) fn said(media_type: &str) -> Said {
    let (bare, _) = media_type.split_once(';').unwrap_or((media_type, ""));
    match bare.trim() {
        OCI_INDEX | DOCKER_INDEX => Said::Index,
        OCI_IMAGE | DOCKER_IMAGE => Said::Image,
        other if other.starts_with(DOCKER_SCHEMA_1) => Said::Schema1,
        _ => Said::Nothing,
    }
}

/// Whether it names an index, OCI's or docker's.
pub fn is_index(media_type: &str) -> bool {
    said(media_type) == Said::Index
}

/// Whether it names the manifest of an image, OCI's or docker's.
pub fn is_image(media_type: &str) -> bool {
    said(media_type) == Said::Image
}

/// Whether it names the configuration of an image that runs, OCI's or docker's.
pub fn is_configuration(media_type: &str) -> bool {
    matches!(media_type, OCI_CONFIGURATION | DOCKER_CONFIGURATION)
}
