//! What can be typed.
//!
//! Rule: flags are promises: never renamed, never reused. Cost: one parse.

mod examples;
mod mirror;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(super) use mirror::{DiffArguments, InventoryArguments, MirrorCommand, MissingArguments};

/// Shows what an OpenShift or operator upgrade will do before anyone launches it, without a network.
#[derive(Debug, Parser)]
#[command(name = "skipstone", version, max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 clean, 1 the answer is no, 2 could not run, 3 ran but some input could not be read."
)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(flatten)]
    pub(super) images: ImageArguments,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Flags that every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "For every command")]
pub(super) struct Global {
    /// How the answer is printed
    #[arg(long, global = true, value_enum, default_value_t = OutputFormat::Text)]
    pub(super) format: OutputFormat,
    /// Threads [default: the number of cores]
    #[arg(long, global = true, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Where facts are kept between runs [default: $XDG_CACHE_HOME/skipstone, else ~/.cache/skipstone]
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) cache_dir: Option<PathBuf>,
    /// Keep nothing between runs, and use nothing that was kept
    #[arg(long, global = true)]
    pub(super) no_cache: bool,
    /// The instant that everything is judged at [default: SOURCE_DATE_EPOCH, else today]
    #[arg(long, global = true, value_name = "RFC3339")]
    pub(super) now: Option<String>,
    /// A configuration file [default: skipstone.yaml for scan, where it is there]
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Say only what is wrong
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Say more; no progress bar then
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(super) verbose: u8,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto)]
    pub(super) color: Colour,
}

/// Flags for images and registries.
#[derive(Debug, Args)]
#[command(next_help_heading = "For images and registries")]
pub(super) struct ImageArguments {
    /// Which image of an index is read; another one where that is not there [default: linux/amd64]
    #[arg(long, global = true, value_name = "OS/ARCHITECTURE")]
    pub(super) image_platform: Option<String>,
    /// Credentials for registry: sources, as podman and a pull secret have them [default: where podman looks]
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) authfile: Option<PathBuf>,
    /// Certificates of an authority to trust beside those of the system, PEM; may be given several times
    #[arg(long = "ca-file", global = true, value_name = "FILE")]
    pub(super) ca_files: Vec<PathBuf>,
    /// A registry whose certificate is not checked, and that may speak plain HTTP; may be given several times
    #[arg(long, global = true, value_name = "HOST[:PORT]")]
    pub(super) insecure: Vec<String>,
    /// A host that a registry may send us to for blobs; may be given several times
    #[arg(long, global = true, value_name = "HOST[:PORT]")]
    pub(super) allow_redirect: Vec<String>,
}

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum OutputFormat {
    /// For a reader at a terminal
    Text,
    /// One JSON document
    Json,
    /// For a change ticket
    Markdown,
    /// Annotations of a workflow run
    Github,
    /// SARIF 2.1.0
    Sarif,
    /// JUnit XML
    Junit,
}

/// When colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Questions about file-based catalogs
    #[command(subcommand)]
    Catalog(CatalogCommand),
    /// What dumps of a cluster tell
    #[command(subcommand)]
    Cluster(ClusterCommand),
    /// What lies in mirrors, what they lack, what changed
    #[command(subcommand)]
    Mirror(MirrorCommand),
    /// Whether versions lie in a range, in one of the two dialects of OLM
    Range(RangeArguments),
    /// Scan catalogs and write a report: the main job
    #[command(after_help = examples::SCAN)]
    Scan(ScanArguments),
    /// What a code means, why it matters, and what to do
    Explain(ExplainArguments),
    /// The published JSON schemas
    Schema(SchemaArguments),
    /// Write a commented skipstone.yaml
    Init(InitArguments),
    /// What is kept between runs
    #[command(subcommand)]
    Cache(CacheCommand),
    /// Completions for a shell
    Completions(CompletionsArguments),
    /// The manual page
    Man,
}

/// Questions about catalogs.
#[derive(Debug, Subcommand)]
pub(super) enum CatalogCommand {
    /// Whether a catalog is valid, by the rules of today's opm and beyond
    #[command(after_help = examples::CHECK)]
    Check(CheckArguments),
    /// Which way an operator goes, hop after hop, and why
    Path(PathArguments),
}

/// Questions about clusters.
#[derive(Debug, Subcommand)]
pub(super) enum ClusterCommand {
    /// What a dump holds, what it lacks, and the commands that collect that
    Contents(ContentsArguments),
    /// Print a shell script that collects everything into a directory; it reads only, and no Secret
    Collect,
}

#[derive(Debug, Args)]
pub(super) struct ContentsArguments {
    /// What oc get -o json|yaml or must-gather wrote: a directory, a tar archive, or one file; several make one picture
    #[arg(required = true, value_name = "DIR")]
    pub(super) dumps: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// The catalog: a directory or file, an image wherever it lies (SOURCE#REF names one of several), registry:HOST/REPO:TAG,
    /// or a report, of which REPORT#CATALOG names one catalog
    pub(super) source: String,
}

#[derive(Debug, Args)]
pub(super) struct PathArguments {
    /// The catalogs, each as SOURCE or NAME=SOURCE: directories, images as SOURCE#REF, registry:HOST/REPO:TAG, those of a
    /// report as REPORT#CATALOG; several only for olm-v1
    #[arg(required = true)]
    pub(super) sources: Vec<String>,
    /// The package
    #[arg(long)]
    pub(super) package: String,
    /// What is installed: a bundle name or a version; without it the first install
    #[arg(long)]
    pub(super) from: Option<String>,
    /// The installed version, for a bundle that the catalog no longer holds
    #[arg(long, value_name = "VERSION", requires = "from")]
    pub(super) from_version: Option<String>,
    /// What is wanted: a bundle name or a version
    #[arg(long)]
    pub(super) to: Option<String>,
    /// The channel; olm-v1 takes none, one or several
    #[arg(long = "channel", value_name = "CHANNEL")]
    pub(super) channels: Vec<String>,
    /// Whose rules
    #[arg(long, value_enum, default_value_t = EngineName::OlmV0)]
    pub(super) engine: EngineName,
    /// spec.source.catalog.version of the ClusterExtension (olm-v1)
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub(super) version_range: Option<String>,
    /// Its upgradeConstraintPolicy (olm-v1)
    #[arg(long, value_enum, default_value_t = PolicyName::CatalogProvided)]
    pub(super) policy: PolicyName,
    /// spec.priority of a ClusterCatalog, as NAME=N (olm-v1)
    #[arg(long = "priority", value_name = "NAME=N")]
    pub(super) priorities: Vec<String>,
}

/// The engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineName {
    /// Subscriptions
    #[value(name = "olm-v0")]
    OlmV0,
    /// ClusterExtensions
    #[value(name = "olm-v1")]
    OlmV1,
}

/// The upgrade constraint policies of OLM v1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PolicyName {
    /// Only what the catalog's edges allow
    #[value(name = "CatalogProvided")]
    CatalogProvided,
    /// Any bundle, downgrades as well
    #[value(name = "SelfCertified")]
    SelfCertified,
}

#[derive(Debug, Args)]
pub(super) struct RangeArguments {
    /// Which dialect: blang for skipRange and dependencies, masterminds for a ClusterExtension's version
    #[arg(long)]
    pub(super) dialect: String,
    /// The range
    #[arg(allow_hyphen_values = true)]
    pub(super) range: String,
    /// The versions
    #[arg(required = true)]
    pub(super) versions: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct ScanArguments {
    /// A catalog, as SOURCE or NAME=SOURCE: a directory, images wherever they lie, or registry:HOST/REPO:TAG; SOURCE#REF
    /// names one image of several, without it every catalog is read; may be given several times
    #[arg(long = "catalog", value_name = "NAME=SOURCE")]
    pub(super) catalogs: Vec<String>,
    /// Where the bundle images of the catalogs lie, beside the catalogs' own stores: a SOURCE of images, registry:HOST, or
    /// a directory of extracted bundles; may be given several times
    #[arg(long, value_name = "SOURCE")]
    pub(super) bundles: Vec<String>,
    /// Release payloads: a SOURCE of images, or a directory of extracted payloads; may be given several times
    #[arg(long, value_name = "SOURCE")]
    pub(super) releases: Vec<String>,
    /// A mirror that should hold what catalogs and payloads need; may be given several times
    #[arg(long = "mirror", value_name = "SOURCE")]
    pub(super) mirrors: Vec<String>,
    /// The mirror rules of the cluster, as for skipstone mirror missing; may be given several times
    #[arg(long, value_name = "FILE|DIR", requires = "mirrors")]
    pub(super) rules: Vec<PathBuf>,
    /// OpenPGP public keys that the releases of the mirrors must be signed by; may be given several times
    #[arg(long = "key", value_name = "FILE", requires = "mirrors")]
    pub(super) keys: Vec<PathBuf>,
    /// A dump of a cluster: what oc get -o json|yaml or must-gather wrote; the name is the last part of DIR without one;
    /// may be given several times
    #[arg(long = "cluster", value_name = "NAME=DIR")]
    pub(super) clusters: Vec<String>,
    /// The report directory; an older report there is replaced in one step
    #[arg(long, value_name = "REPORT")]
    pub(super) output: Option<PathBuf>,
    /// Exit 1 where something at least this bad was found
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub(super) fail_on: Option<SeverityName>,
}

/// The severities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SeverityName {
    /// A rule is broken
    Error,
    /// Somebody should look at it
    Warning,
    /// Worth knowing
    Info,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArguments {
    /// The code, such as catalog/multiple-heads; without it all codes are listed
    pub(super) code: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct SchemaArguments {
    /// The document; without it the names are listed
    pub(super) name: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct InitArguments {
    /// Where the file is written; - for standard output
    #[arg(default_value = "skipstone.yaml")]
    pub(super) file: PathBuf,
}

/// What to do with the cache.
#[derive(Debug, Subcommand)]
pub(super) enum CacheCommand {
    /// What it holds
    Info,
    /// Remove what this version does not use
    Prune {
        /// Remove everything
        #[arg(long)]
        all: bool,
    },
}

#[derive(Debug, Args)]
pub(super) struct CompletionsArguments {
    /// The shell
    pub(super) shell: clap_complete::Shell,
}
