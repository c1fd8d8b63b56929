//! The view models: the published JSON of a report. Everything else that a report shows is a pure function of these.
//!
//! Rule: within one `schema_version` fields may be added, never renamed and never given another meaning; a value that is
//! not known is `null` or an object with `known: false` and a reason. Lists are sorted by a total key.
//! Cost: one value for each shown fact; paths are stored as positions in a list of names, so that a package with long
//! chains stays small.

mod bundle;
mod catalog;
mod check;
mod cluster;
mod finding;
mod index;
mod lifecycle;
mod mirror;
mod package;
mod path;
mod release;
mod run;
mod walks;

pub use bundle::{
    BundleDocument, ContentsView, CrdView, CsvView, InstallModeView, NamedImageView, ObjectView, TypedValueView,
};
pub use catalog::{CatalogRow, CatalogView, PackageRow};
pub use check::{CheckView, CheckedChannel, CheckedPackage};
pub use cluster::{
    ClusterContentsView, ClusterRow, DumpFilesView, LackingView, ReadinessCheckView, ReadinessOperatorView,
    ReadinessView,
};
pub use finding::{FindingView, FindingsView, PlaceView, SubjectView};
pub use index::{ApiDocument, ApiIndex};
pub use lifecycle::{LifecycleIndex, LifecycleRow, LifecycleView};
pub use mirror::{
    ChangeSubjectView, ChangeView, FoundView, ImageView, InstanceView, InventoryView, MirrorDiffView,
    MissingBundleView, MissingImageView, MissingReleaseView, MissingTotals, MissingView, ReleaseSignatureView,
    RepairView, RepositoryView, ShareView, SignatureView, StoreView,
};
pub use package::{BundleView, ChannelView, EdgeView, EntryView, PackageView, RequirementView};
pub use path::{HopView, PathView};
pub use release::{AdminGatesView, ComponentView, DigestView, ReleaseDocument, ReleaseRow, ReleasesIndex};
pub use run::{
    Counts, Coverage, CoverageNote, Input, MirrorSummary, Overview, PairCounts, SeverityCounts, Summary, Tool, Verdict,
};
pub use walks::{EnginesView, OthersView, ReasonView, WalkView, WalksView};

/// The version of every document that this module describes.
pub const SCHEMA_VERSION: u32 = 1;
