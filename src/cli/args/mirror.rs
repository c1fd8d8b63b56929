//! What can be typed after `skipstone mirror`.
//!
//! Rule and cost: those of [`super`].

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::examples;

/// Questions about mirrors.
#[derive(Debug, Subcommand)]
pub(in super::super) enum MirrorCommand {
    /// What lies in mirrors: repositories, tags, images, sizes
    #[command(after_help = examples::INVENTORY)]
    Inventory(InventoryArguments),
    /// Which images of catalogs a mirror lacks, and why a cluster could not pull them
    #[command(after_help = examples::MISSING)]
    Missing(MissingArguments),
    /// What changed between two mirrors or two catalogs
    #[command(after_help = examples::DIFF)]
    Diff(DiffArguments),
}

#[derive(Debug, Args)]
pub(in super::super) struct InventoryArguments {
    /// The mirrors: OCI layouts and archives, docker save, storage of registries, directories of oc-mirror, or
    /// registry:HOST[:PORT][/REPO[:TAG]]
    #[arg(required = true, value_name = "SOURCE")]
    pub(in super::super) sources: Vec<String>,
    /// OpenPGP public keys that releases must be signed by; may be given several times
    #[arg(long = "key", value_name = "FILE")]
    pub(in super::super) keys: Vec<PathBuf>,
    /// Signatures of releases, beside those in the mirrors: files of messages or ConfigMaps, or directories of them; may be
    /// given several times
    #[arg(long, value_name = "FILE|DIR")]
    pub(in super::super) signatures: Vec<PathBuf>,
    /// Read every blob and hold it against its digest
    #[arg(long)]
    pub(in super::super) verify: bool,
}

#[derive(Debug, Args)]
pub(in super::super) struct MissingArguments {
    /// A catalog, as SOURCE or NAME=SOURCE, SOURCE#REF for one image of several; may be given several times
    #[arg(long = "catalog", value_name = "NAME=SOURCE", required_unless_present = "releases")]
    pub(in super::super) catalogs: Vec<String>,
    /// Release payloads whose images are looked for as well: a SOURCE of images, or a directory of extracted payloads; may
    /// be given several times
    #[arg(long, value_name = "SOURCE")]
    pub(in super::super) releases: Vec<String>,
    /// A mirror: any place that mirror inventory takes; may be given several times
    #[arg(long = "mirror", value_name = "SOURCE", required = true)]
    pub(in super::super) mirrors: Vec<String>,
    /// ImageDigestMirrorSets, ImageTagMirrorSets and ImageContentSourcePolicies: a file, or a directory of them; without
    /// any, an image counts as present wherever the mirror has it
    #[arg(long, value_name = "FILE|DIR")]
    pub(in super::super) rules: Vec<PathBuf>,
    /// Only this package; may be given several times
    #[arg(long = "package", value_name = "PACKAGE")]
    pub(in super::super) packages: Vec<String>,
    /// A platform that the nodes have; may be given several times [default: linux/amd64]
    #[arg(long = "platform", value_name = "OS/ARCH")]
    pub(in super::super) platforms: Vec<String>,
    /// Read every blob and hold it against its digest
    #[arg(long)]
    pub(in super::super) verify: bool,
}

#[derive(Debug, Args)]
pub(in super::super) struct DiffArguments {
    /// The older mirror, or the older catalog, as SOURCE or SOURCE#REF
    pub(in super::super) old: String,
    /// The newer one
    pub(in super::super) new: String,
}
