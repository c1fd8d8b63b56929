//! The architecture of a payload.
//!
//! Rule: Cincinnati `graph_builder/release_scrape_dockerv2/registry` and `docs/design/openshift.md`: an index with several
//! entries is `multi`, whatever its entries are; an image has the architecture of its configuration; an image that is no
//! index but whose metadata say `multi` is a part of such an index and no release of its own. Cost: none.

use super::PayloadFacts;

const METADATA_KEY: &str = "release.openshift.io/architecture";
const MULTI: &str = "multi";

/// What the store of a payload says of its architecture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum StatedArchitecture {
    /// The release is an index with several entries.
    Index,
    /// The release is one image, whose configuration says this.
    Image(String),
    /// The payload lies in a plain directory.
    #[default]
    Nowhere,
}

/// The architecture of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReleaseArchitecture {
    /// `amd64`, `multi`, …
    Known(String),
    /// It is one architecture of a `multi` release, and no release of its own.
    Part(String),
    /// It is not known: why.
    Unknown(String),
}

impl PayloadFacts {
    /// The architecture, from the store's word and the payload's own.
    #[must_use]
    pub fn architecture(&self, stated: &StatedArchitecture) -> ReleaseArchitecture {
        let is_multi = self.metadata.get(METADATA_KEY).is_some_and(|value| value == MULTI);
        match stated {
            StatedArchitecture::Index => ReleaseArchitecture::Known(MULTI.to_owned()),
            StatedArchitecture::Image(architecture) if is_multi => ReleaseArchitecture::Part(architecture.clone()),
            StatedArchitecture::Image(architecture) if !architecture.is_empty() => {
                ReleaseArchitecture::Known(architecture.clone())
            }
            StatedArchitecture::Nowhere if is_multi => ReleaseArchitecture::Known(MULTI.to_owned()),
            StatedArchitecture::Nowhere => {
                ReleaseArchitecture::Unknown("a plain directory does not state an architecture".to_owned())
            }
            StatedArchitecture::Image(_) => {
                ReleaseArchitecture::Unknown("the image's configuration states no architecture".to_owned())
            }
        }
    }
}
