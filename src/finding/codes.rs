//! The registry of codes. The rules of `opm validate` come from operator-registry (`alpha/declcfg/load.go`,
//! `alpha/declcfg/declcfg_to_model.go`, `alpha/model/model.go`); what goes beyond them follows from how OLM v0 and OLM v1
//! read a catalog, and says so in its row.
//! Cost: none; the table is constant.

use super::{Code, CodeRow, Severity};

macro_rules! codes {
    ($list:ident; $($constant:ident = $name:literal, $severity:ident, $title:literal,
       message: $message:literal, hint: $hint:literal, why: $why:literal;)*) => {
        $(
            #[doc = concat!("`", $name, "`: ", $title, ".")]
            pub const $constant: Code = Code(&CodeRow {
                name: $name, severity: Severity::$severity, title: $title, message: $message, hint: $hint, why: $why,
            });
        )*
        pub(super) const $list: &[Code] = &[$($constant),*];
    };
}

mod cluster;
mod contents;
pub mod mirror;

pub use cluster::*;
pub use contents::*;

/// Every code, in the order of the registry.
pub const ALL: &[Code] = &joined::<
    { CATALOG.len() + contents::CONTENTS.len() + cluster::CLUSTER.len() + mirror::MIRROR.len() },
>(&[CATALOG, contents::CONTENTS, cluster::CLUSTER, mirror::MIRROR]);

/// The lists one after the other.
#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it: a wrong index fails the build")]
const fn joined<const N: usize>(lists: &[&[Code]]) -> [Code; N] {
    let mut all = [INTERNAL_PANIC; N];
    let (mut list, mut filled) = (0, 0);
    while list < lists.len() {
        let mut row = 0;
        while row < lists[list].len() {
            all[filled] = lists[list][row];
            (row, filled) = (row + 1, filled + 1);
        }
        list += 1;
    }
    assert!(filled == N, "the length is that of all lists");
    all
}

/// The code of this name.
pub fn find(name: &str) -> Option<Code> {
    ALL.iter().copied().find(|code| code.name() == name)
}

codes! {
    CATALOG;

    DECODE_ERROR = "catalog/decode-error", Error, "A document does not decode",
        message: "the document does not decode: {reason}",
        hint: "Repair the file, or take it out of the catalog with an .indexignore beside it.",
        why: "opm stops at the first document that it cannot decode and serves nothing of the catalog. The other documents are still read here, so that one run shows every fault.";
    MISSING_SCHEMA = "catalog/missing-schema", Error, "A document has no schema",
        message: "the document has no field \"schema\", or an empty one",
        hint: "Give the document its schema, or remove it; an empty document between two --- lines counts too.",
        why: "opm refuses a catalog in which a document does not say what it is.";
    MORE_FAULTS = "catalog/more-faults", Warning, "More documents of a file are faulty",
        message: "{documents} more of this file have no schema or do not decode, and are not told one by one",
        hint: "Most likely the file is no file of a catalog; take it out with an .indexignore beside it.",
        why: "A file of nothing but faulty documents must not fill a report.";
    BAD_PACKAGE_NAME = "catalog/bad-package-name", Error, "A package name is not a DNS label",
        message: "the package name {name} is not a DNS-1123 label of at most 63 characters",
        hint: "Use lower-case letters, digits and dashes, with a letter or digit at both ends.",
        why: "opm refuses the catalog; the name becomes part of Kubernetes objects.";
    DUPLICATE_PACKAGE = "catalog/duplicate-package", Error, "A package is defined twice",
        message: "the package {package} is defined more than once",
        hint: "Keep one olm.package document for each package; look for the same file in two places.",
        why: "opm refuses duplicates; none of them wins.";
    UNKNOWN_PACKAGE = "catalog/unknown-package", Error, "A document belongs to a package that is not there",
        message: "the {what} {name} belongs to the package {package}, which the catalog does not define",
        hint: "Add the olm.package document, or correct the name of the package.",
        why: "opm refuses channels, bundles and deprecations of undefined packages.";
    EMPTY_CHANNEL_NAME = "catalog/empty-channel-name", Error, "A channel has no name",
        message: "a channel of the package {package} has no name",
        hint: "Name the channel.",
        why: "opm refuses it, and no Subscription could name it.";
    DUPLICATE_CHANNEL = "catalog/duplicate-channel", Error, "A channel is defined twice",
        message: "the channel {channel} is defined more than once",
        hint: "Merge the entries into one olm.channel document.",
        why: "opm refuses duplicates; none of them wins.";
    DUPLICATE_ENTRY = "catalog/duplicate-entry", Error, "A channel lists one entry twice",
        message: "the channel {channel} lists the entry {bundle} more than once",
        hint: "Merge their replaces, skips and skipRange into one entry.",
        why: "opm refuses the channel.";
    DUPLICATE_BUNDLE = "catalog/duplicate-bundle", Error, "A bundle is defined twice",
        message: "the bundle {bundle} is defined more than once",
        hint: "Keep one olm.bundle document for each name; look for the same file in two places.",
        why: "opm refuses duplicates; none of them wins.";
    BAD_PROPERTY = "catalog/bad-property", Error, "A property does not parse",
        message: "the property {property} does not parse: {reason}",
        hint: "Quote what is meant as text, and give the value the shape of its type.",
        why: "opm parses every property of a type that it knows and refuses the catalog otherwise.";
    NO_PACKAGE_PROPERTY = "catalog/no-package-property", Error, "A bundle states no version",
        message: "the bundle {bundle} has no olm.package property",
        hint: "Add exactly one olm.package property with packageName and version.",
        why: "opm needs it; without it no engine knows the bundle's version.";
    MANY_PACKAGE_PROPERTIES = "catalog/many-package-properties", Error, "A bundle states several versions",
        message: "the bundle {bundle} has {number} olm.package properties",
        hint: "Keep exactly one olm.package property.",
        why: "opm refuses it: the version would be ambiguous.";
    PACKAGE_PROPERTY_MISMATCH = "catalog/package-property-mismatch", Error, "A bundle names two packages",
        message: "the bundle {bundle} belongs to {package}, but its olm.package property says {stated}",
        hint: "Make both the same.",
        why: "opm refuses the catalog.";
    BAD_IMAGE_REFERENCE = "catalog/bad-image-reference", Error, "An image reference does not parse",
        message: "{what} {image} is no image reference",
        hint: "Write host/repository@sha256:… or host/repository:tag, the repository in lower case.",
        why: "opm refuses it since v1.64, and nothing could pull it.";
    BAD_VERSION = "catalog/bad-version", Error, "A version is not semantic",
        message: "the version {version} of {bundle} is not a strict semantic version: {reason}",
        hint: "Write MAJOR.MINOR.PATCH, without v and without leading zeros.",
        why: "opm refuses it; ranges and order would be undefined.";
    BAD_RELEASE = "catalog/bad-release", Error, "A release is not legal",
        message: "the release {release} of {bundle} is not legal: {reason}",
        hint: "Use at most 20 characters of dot-separated identifiers, numbers without leading zero.",
        why: "opm refuses it since releases exist.";
    BUNDLE_IN_NO_CHANNEL = "catalog/bundle-in-no-channel", Error, "No channel lists a bundle",
        message: "no channel of {package} lists the bundle {bundle}",
        hint: "Add an entry to a channel, or remove the bundle.",
        why: "opm refuses the catalog.";
    MISSING_BUNDLE = "catalog/missing-bundle", Error, "An entry has no bundle",
        message: "channels list the entry {bundle}, but the catalog has no such bundle",
        hint: "Add the olm.bundle document, or remove the entry and name it in skips.",
        why: "opm refuses the catalog; an upgrade to the entry could not be installed. opm itself looks only at one channel of each package, here every channel counts.";
    NO_CHANNELS = "catalog/no-channels", Error, "A package has no channel",
        message: "the package {package} has no channel",
        hint: "Add an olm.channel document, or remove the package.",
        why: "opm refuses it; nothing could be installed.";
    NO_DEFAULT_CHANNEL = "catalog/no-default-channel", Error, "A package has no default channel",
        message: "the package {package} states no default channel",
        hint: "Set defaultChannel to one of the package's channels.",
        why: "opm refuses it, and OLM v0 would not know what to install.";
    DEFAULT_CHANNEL_MISSING = "catalog/default-channel-missing", Error, "The default channel does not exist",
        message: "the default channel {channel} of {package} is not defined",
        hint: "Define the channel, or set defaultChannel to one that is there; filtered mirrors lose it easily.",
        why: "opm refuses it.";
    EMPTY_CHANNEL = "catalog/empty-channel", Error, "A channel has no entries",
        message: "the channel {channel} has no entries",
        hint: "Add entries or remove the channel.",
        why: "opm refuses it.";
    NO_HEAD = "catalog/no-head", Error, "A channel has no head",
        message: "the channel {channel} has no head: every entry is replaced or skipped by another",
        hint: "Break the ring: the newest entry must be named by no replaces and no skips.",
        why: "opm refuses it, and OLM v0 fails for every Subscription of the namespace.";
    MULTIPLE_HEADS = "catalog/multiple-heads", Error, "A channel has several heads",
        message: "the channel {channel} has several heads: {heads}",
        hint: "Let the newest entry replace or skip the others; a skipRange does not count here.",
        why: "opm refuses it, and OLM v0 fails for every Subscription of the namespace. OLM v1 still follows the raw edges.";
    REPLACES_CYCLE = "catalog/replaces-cycle", Error, "The replaces chain runs in a circle",
        message: "the replaces chain of the channel {channel} runs in a circle: {cycle}",
        hint: "Remove the replaces that leads back.",
        why: "opm refuses it, and OLM v0 fails for every Subscription of the namespace.";
    STRANDED_BUNDLE = "catalog/stranded-bundle", Error, "A bundle is stranded",
        message: "the bundle {bundle} is stranded in the channel {channel}: the replaces chain from the head {head} does not pass it and nothing skips it",
        hint: "Name it in the skips of a newer entry, or repair the chain: an entry that is both replaced and skipped ends it.",
        why: "opm refuses it since v1.58; a cluster that runs it would not be upgraded by OLM v0.";
    DUPLICATE_VERSION = "catalog/duplicate-version", Error, "Two bundles have one version",
        message: "the bundles {bundles} of {package} all have the version {version}",
        hint: "Give each bundle its own version or release.",
        why: "opm refuses it; the order of the bundles would be undefined.";
    BAD_RELEASE_NAME = "catalog/bad-release-name", Error, "A bundle with a release has another name",
        message: "the bundle {bundle} has a release and must be named {wanted}",
        hint: "Rename it to PACKAGE-vVERSION-RELEASE everywhere.",
        why: "opm refuses it.";
    RELEASE_WITH_BUILD_METADATA = "catalog/release-with-build-metadata", Error, "A version has build metadata and a release",
        message: "the bundle {bundle} has build metadata in its version {version} and the release {release} as well",
        hint: "State the release only once.",
        why: "opm refuses it.";
    EMPTY_SKIP = "catalog/empty-skip", Error, "An entry skips an empty name",
        message: "the entry {bundle} of the channel {channel} has an empty name in skips",
        hint: "Remove the empty element.",
        why: "opm refuses it.";
    BAD_SKIP_RANGE = "catalog/bad-skip-range", Error, "A skipRange does not parse",
        message: "the skipRange {range} of {bundle} in the channel {channel} does not parse: {reason}",
        hint: "Separate comparators by single blanks, without commas, v, ^ or ~, and write all three numbers.",
        why: "opm refuses it since v1.69; both engines ignore such a range without a word.";
    NO_IMAGE = "catalog/no-image", Error, "A bundle has neither image nor manifests",
        message: "the bundle {bundle} has neither an image nor manifests of its own",
        hint: "State the bundle image.",
        why: "opm refuses it; there is nothing to install.";
    BAD_DEPRECATION = "catalog/bad-deprecation", Error, "A deprecation breaks a rule",
        message: "the deprecations of {package} break a rule: {reason}",
        hint: "One olm.deprecations document for each package; each reference once, with a message, to something that exists.",
        why: "opm refuses the catalog.";

    REPLACES_UNKNOWN = "catalog/replaces-unknown", Info, "An entry replaces a bundle that is not there",
        message: "the entry {bundle} of the channel {channel} replaces {name}, which is in no channel of the package",
        hint: "Harmless where the older bundle was removed on purpose; clusters that run it can still upgrade.",
        why: "Edges to removed bundles are legal and useful, and a typing error looks the same.";
    SKIPS_UNKNOWN = "catalog/skips-unknown", Info, "An entry skips bundles that are not there",
        message: "the entry {bundle} of the channel {channel} skips {bundles} that no channel of the package lists: {names}",
        hint: "Harmless where the older bundles were removed on purpose; clusters that run them can still upgrade.",
        why: "Edges to removed bundles are legal and useful, and a typing error looks the same.";
    SKIP_RANGE_MATCHES_SELF = "catalog/skip-range-matches-self", Info, "A skipRange covers its own version",
        message: "the skipRange {range} of {bundle} in the channel {channel} covers its own version {version}",
        hint: "End the range below the version: <{version}.",
        why: "Both engines take it as staying; but a range that does not end below its entry often covers newer versions too.";
    SKIP_RANGE_MATCHES_NEWER = "catalog/skip-range-matches-newer", Info, "A skipRange covers newer bundles",
        message: "the skipRange {range} of {bundle} in the channel {channel} covers newer bundles: {names}",
        hint: "End the range below the version of its entry.",
        why: "OLM v0 does not compare versions: where such an entry stands near the head, or where a mirror is older than the cluster, it moves a newer bundle down.";
    SKIP_RANGE_ANNOTATION_IGNORED = "catalog/skip-range-annotation-ignored", Info, "A skipRange stands only in an annotation",
        message: "{bundle} carries the annotation olm.skipRange {range}, but no channel entry states that range: it has no effect",
        hint: "Put the range into the channel entry where it is meant.",
        why: "Only channel entries make edges in a file-based catalog; the annotation is read only when a bundle is added to a catalog by tools.";
    DOWNGRADE_EDGE = "catalog/downgrade-edge", Info, "An edge leads to a lower version",
        message: "in the channel {channel} {bundle} ({version}) can be reached from newer versions: {names}",
        hint: "Name respins so that they are higher, and end ranges below the entry.",
        why: "OLM v0 compares no versions: it follows such an edge where nothing nearer to the head covers the newer bundle, and then catalog/v0-moves-down says so. OLM v1 does so only where the newer bundle is not offered any more, is deprecated, or loses to another catalog.";
    DEAD_END = "catalog/dead-end", Warning, "OLM v0 never leaves a bundle",
        message: "OLM v0 never leaves {bundle} in the channel {channel}: no entry of the chain from the head {head} covers it",
        hint: "Name it in the skips of an entry of the chain, or cover its version with a skipRange.",
        why: "A cluster that runs it stays there for ever, and OLM v0 says AtLatestKnown.";
    V0_LOOP = "catalog/v0-loop", Warning, "OLM v0 walks in a circle",
        message: "in the channel {channel} OLM v0 walks in a circle: {names}",
        hint: "End the skipRange of the lower entry below its own version.",
        why: "With automatic approval the operator is moved up and down without end.";
    V0_MOVES_DOWN = "catalog/v0-moves-down", Warning, "OLM v0 moves to a lower version",
        message: "in the channel {channel} OLM v0 moves down: {names}",
        hint: "Approve no such InstallPlan without a look at the release notes; ask the author for a respin with a higher version.",
        why: "OLM v0 takes the entry nearest to the head that covers the installed bundle and compares no versions; the operator may not cope with the data of a newer one.";
    V1_REFUSES = "catalog/v1-refuses", Warning, "OLM v1 refuses what it would choose",
        message: "in the channel {channel} OLM v1 fails from {bundles}: {names}",
        hint: "Stay with a Subscription, or pin a version without a requirement in the ClusterExtension.",
        why: "OLM v1 does not support olm.package.required, olm.gvk.required and olm.constraint; it validates its choice and takes no other.";
    ENGINES_DIFFER = "catalog/engines-differ", Info, "The two engines go different ways",
        message: "in the channel {channel} OLM v0 and OLM v1 go different ways from {bundles}, first from {bundle}: v0 to {v0}, v1 to {v1}",
        hint: "Look at the paths of both engines before moving from Subscriptions to ClusterExtensions.",
        why: "OLM v0 takes the entry nearest to the head of one chain, OLM v1 the highest version over raw edges.";
    PACKAGE_DEPRECATED = "catalog/package-deprecated", Warning, "A package is deprecated",
        message: "the package {package} is deprecated: {reason}",
        hint: "Read the message; plan the way to its successor.",
        why: "Its author will end it; the engines install it all the same.";
    SUPPORT_OVER = "catalog/support-over", Warning, "The support of a channel's head is over",
        message: "the support of {bundle}, the head of the channel {channel}, ended on {day}",
        hint: "Look for a channel whose head is supported.",
        why: "The lifecycle document states no phase after that day; whoever installs the channel gets an unsupported operator.";
    SUPPORT_ENDS = "catalog/support-ends", Info, "The support of a channel's head ends soon",
        message: "the last stated phase of {bundle}, the head of the channel {channel}, ends on {day}, in {days} days",
        hint: "Plan the move to a newer minor before that day.",
        why: "The lifecycle document states no phase after that day.";
    HEAD_DEPRECATED = "catalog/head-deprecated", Warning, "The head of a channel is deprecated",
        message: "the head {bundle} of the channel {channel} is deprecated: {reason}",
        hint: "Read the message; another channel may go on.",
        why: "OLM v0 installs it all the same; OLM v1 takes every other bundle first.";
    DEFAULT_CHANNEL_DEPRECATED = "catalog/default-channel-deprecated", Warning, "The default channel is deprecated",
        message: "the default channel {channel} of {package} is deprecated: {reason}",
        hint: "Subscribe to another channel.",
        why: "New installations that name no channel land in it.";
    DUPLICATE_KEY = "catalog/duplicate-key", Warning, "A key stands twice in one mapping",
        message: "the key {key} stands more than once; the last value counts",
        hint: "Remove the one that is not meant.",
        why: "Go's decoder takes the last one in silence.";
    YAML_1_1_SCALAR = "catalog/yaml-1-1-scalar", Warning, "A scalar means something else than it looks",
        message: "{key}: the unquoted {text} is not read as that text ({reading})",
        hint: "Quote it.",
        why: "The catalog is read by YAML 1.1 rules: yes, no, on, off, octals and 4.10 unquoted are no texts.";
    LIFECYCLE_INVALID = "catalog/lifecycle-invalid", Warning, "A lifecycle document breaks a rule",
        message: "the lifecycle of {package} is not usable: {reason}",
        hint: "One document for each package; versions MAJOR.MINOR; phases contiguous, each ending after it starts.",
        why: "The console shows no data for it, and this report does not guess one.";
    IMAGE_NOT_IN_RELATED_IMAGES = "catalog/image-not-in-related-images", Info, "A bundle's image is not among its related images",
        message: "the image {image} of {bundle} is not among its relatedImages",
        hint: "Add it, so that mirror tools which copy only relatedImages take it along.",
        why: "A mirror may lack the bundle image itself.";
    UNSATISFIED_DEPENDENCY = "catalog/unsatisfied-dependency", Warning, "Nothing in the catalog satisfies a dependency",
        message: "{bundle} requires {requirement}, and no other package of the catalog offers it",
        hint: "Mirror the package that provides it, or make sure another catalog of the cluster does.",
        why: "OLM v0 silently takes another bundle or stays; OLM v1 refuses every bundle that requires something.";
    SKIP_RANGE_MATCHES_NOTHING = "catalog/skip-range-matches-nothing", Warning, "A skipRange can match nothing",
        message: "the skipRange {range} of {bundle} in the channel {channel} can match no version",
        hint: "Write the lower bound first and the upper bound second; a hyphen makes no range here.",
        why: "The edge that was meant does not exist.";
    DUPLICATE_PROVIDER = "catalog/duplicate-provider", Info, "Two packages provide one API",
        message: "{requirement} is provided by several packages: {names}",
        hint: "Install only one of them in a namespace.",
        why: "OLM v0 allows one provider of an API in a namespace.";
    BAD_CONSTRAINT = "catalog/bad-constraint", Warning, "A constraint does not parse",
        message: "the {property} of {bundle} does not parse: {reason}",
        hint: "State exactly one of cel, package, gvk, all, any, not; ranges without commas.",
        why: "opm does not look into it, but OLM v0 cannot resolve the bundle.";

    INPUT_UNREADABLE = "input/unreadable", Error, "A part of an input cannot be read",
        message: "{path} cannot be read: {reason}",
        hint: "Check that all of the input is here, its permissions and the medium, and run again; nothing else of the answer knows this part.",
        why: "What was not read is not known: it is neither clean nor broken.";
    INPUT_LIMIT = "input/limit", Error, "An input is larger than the limits allow",
        message: "{path} was not read: {reason}",
        hint: "If the input is trusted, raise the limit.",
        why: "Limits keep a hostile or broken input from taking the machine.";
    INPUT_SKIPPED = "input/skipped", Info, "A part of an input was left out by a rule",
        message: "{path} was left out: {reason}",
        hint: "Nothing to do where this is meant.",
        why: "What is not read is always named.";
    INTERNAL_PANIC = "internal/panic", Error, "skipstone failed on one unit of work",
        message: "the work on {unit} failed: {reason}",
        hint: "This is a fault of skipstone; please report it with the input.",
        why: "The other units were finished; this one is missing from the report.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_found() {
        let names: BTreeSet<&str> = ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), ALL.len());
        assert_eq!(find("catalog/no-head"), Some(NO_HEAD));
        assert_eq!(find("catalog/none"), None);
    }

    #[test]
    fn every_row_is_filled() {
        for code in ALL {
            let row = code.row();
            for text in [row.title, row.message, row.hint, row.why] {
                assert!(!text.trim().is_empty(), "{}", row.name);
            }
        }
    }
}
