//! How much text a reader takes before it refuses: the bounds that keep time and memory in proportion to honest input.
//!
//! The defaults leave real catalogs a wide margin: the deepest nesting met in published ones is 58, the largest package
//! file a few megabytes. Go's own bounds (`go.yaml.in/yaml/v2`: 10,000 levels, a share of aliases) are wider.
//! Cost: one comparison at each bound.

/// Bounds on what is read. Going over one is a [`Fault`](super::Fault).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes in one file. Default 4 GiB.
    pub bytes_per_file: usize,
    /// Documents in one file. Default 1 million.
    pub documents_per_file: usize,
    /// Bytes in one document. Default 64 MiB.
    pub bytes_per_document: usize,
    /// Levels of nested lists and mappings, aliases expanded. Default 100, at most [`Limits::DEEPEST`].
    pub depth: usize,
    /// Scalars, lists and mappings written in one YAML document. Default 5 million.
    pub nodes: usize,
    /// Nodes copied for anchors and aliases in one YAML document; 32 bytes of copied text count as one. Default 1 million.
    pub alias_nodes: usize,
    /// Notes kept of one document; further ones are dropped. Default 1,000.
    pub notes: usize,
}

impl Limits {
    /// The highest `depth` that has an effect: a reader descends by recursion, and the stack is finite.
    pub const DEEPEST: usize = 255;

    /// The bounds for manifests of bundles and of release payloads: 16 MiB a document and 10,000 documents a file. A cluster
    /// takes no object of more than 3 MiB (the request limit of its API server), and the largest CRDs have 2 MiB.
    #[must_use]
    pub fn of_manifests() -> Self {
        Self {
            bytes_per_file: 64 << 20,
            documents_per_file: 10_000,
            bytes_per_document: 16 << 20,
            nodes: 1_000_000,
            alias_nodes: 100_000,
            ..Self::default()
        }
    }

    pub(super) fn effective_depth(&self) -> usize {
        self.depth.min(Self::DEEPEST)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes_per_file: usize::try_from(4_u64 << 30).unwrap_or(usize::MAX),
            documents_per_file: 1_000_000,
            bytes_per_document: 64 << 20,
            depth: 100,
            nodes: 5_000_000,
            alias_nodes: 1_000_000,
            notes: 1_000,
        }
    }
}
