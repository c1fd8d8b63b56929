//! Codes of mirrors: rules that lead to them, what is wrong with an image in one, and what changed between two.
//!
//! Rule: openshift/api `config/v1` for the rules; OCI image specification and distribution for the images. Cost: none.

use super::{Code, CodeRow, Severity};

codes! {
    MIRROR;

    REBUILT_CATALOG = "mirror/rebuilt-catalog", Warning, "A filtered catalog lies beside the one that the label names",
        message: "the label names {directory}, but the last layer adds /configs, as oc-mirror does for a filtered catalog: /configs was read",
        hint: "Serve the image as oc-mirror set it up, with the command serve /configs.",
        why: "oc-mirror always puts what it filtered into /configs. Where the label of the original names another directory, the image holds both, and whoever follows the label sees packages that were not mirrored.";
    INSTANCES_DIFFER = "mirror/instances-differ", Warning, "The platforms of an index show different catalogs",
        message: "the image for {other} does not show the catalog of the one for {one}: {difference}",
        hint: "Mirror the whole index again; choose the platform of your cluster with --image-platform.",
        why: "Which catalog a cluster sees depends on the node that its pod runs on, so that an upgrade path may come and go.";
    IMAGES_ABSENT = "mirror/images-absent", Error, "Images that catalogs or payloads need are not in the mirrors",
        message: "of {images} that catalogs and payloads need, {absent} are absent from the mirrors and {bad} are bad",
        hint: "Look into api/v1/mirror/missing.json of the report, or run skipstone mirror missing with --package for the operators that you use.",
        why: "Whatever needs an absent image cannot be installed from these mirrors.";
    BAD_RULE = "mirror/bad-rule", Warning, "A mirror rule cannot be used",
        message: "a mirror rule cannot be used: {reason}",
        hint: "Correct the document; the cluster refuses it, too, or its nodes ignore the rule.",
        why: "Where a cluster looks for an image follows from ImageDigestMirrorSet, ImageTagMirrorSet and ImageContentSourcePolicy; a rule that does not count sends it elsewhere.";
    RULE_CONFLICT = "mirror/rule-conflict", Warning, "Two mirror rules contradict each other",
        message: "the rules for {source} state different values of mirrorSourcePolicy; NeverContactSource counts here",
        hint: "State the same policy wherever the source occurs.",
        why: "The machine-config operator refuses to roll such rules out, and the nodes keep those that they had.";

    MANIFEST_ABSENT = "mirror/manifest-absent", Error, "An image is not in the mirror",
        message: "{reference} is not in the mirror",
        hint: "Mirror it: its bundle cannot be installed without.",
        why: "No repository of the mirror has the manifest, and no record says that the target registry has it.";
    WRONG_REPOSITORY = "mirror/wrong-repo", Error, "An image lies where no rule leads",
        message: "{reference} is in the mirror, but not where the mirror rules lead",
        hint: "Apply the rules that the mirror tool wrote with this mirror, or mirror the image to the place that the rules name.",
        why: "The bytes are there, but the cluster asks for them in another repository, so that it cannot pull the image: for the cluster it is absent.";
    NO_RULE = "mirror/no-rule", Error, "No rule leads to an image of the mirror",
        message: "{reference} is in the mirror, but no mirror rule covers it",
        hint: "Add an entry for its source to an ImageDigestMirrorSet, or to an ImageTagMirrorSet where it has no digest.",
        why: "Without a rule the cluster asks the source registry, which a disconnected one cannot reach: for the cluster the image is absent. A longer source of the other kind hides a shorter one.";
    TAG_MOVED = "mirror/tag-moved", Error, "A tag means another image",
        message: "the tag of {reference} is there and means another image",
        hint: "Mirror the wanted digest again; for a tag in a comparison look at what moved it.",
        why: "A pull by digest fails, and a pull by tag gets something else.";
    INSTANCE_ABSENT = "mirror/instance-absent", Error, "The wanted architecture of an image is missing",
        message: "{reference} is there without an image for the wanted architecture",
        hint: "Mirror the architecture of the nodes as well.",
        why: "The index names an image for the architecture, and the mirror does not have it: nodes of that kind cannot pull.";
    SPARSE = "mirror/sparse", Info, "Other architectures of an image are missing",
        message: "{reference} is there for the wanted architectures only",
        hint: "Nothing to do where this is meant.",
        why: "Mirror tools leave other architectures out where the configuration says so; the index keeps its digest.";
    BLOB_ABSENT = "mirror/blob-absent", Error, "A part of an image is missing",
        message: "{reference} is there, but its configuration or a layer is not",
        hint: "Mirror it again; look for a garbage collection or an archive that carries only what is new.",
        why: "The registry answers for the manifest, and the pull fails at the blob.";
    EXPECTED_AT_TARGET = "mirror/expected-at-target", Info, "The target registry should have an image",
        message: "{reference} is not here, and a record says that the target registry has it",
        hint: "Check the target registry itself where it was ever emptied or rebuilt.",
        why: "Archives that carry only what is new leave out what earlier ones brought.";
    BAD_DIGEST = "mirror/bad-digest", Error, "A part of an image has other bytes",
        message: "a part of {reference} has bytes of another digest",
        hint: "Copy the mirror again; the medium or the copy is damaged.",
        why: "Whoever pulls the image refuses it.";
    BAD_SIZE = "mirror/bad-size", Error, "A part of an image has another size",
        message: "a part of {reference} has another size than its manifest states",
        hint: "Copy the mirror again; the medium or the copy is damaged.",
        why: "Whoever pulls the image refuses it.";
    TRUNCATED = "mirror/truncated", Error, "A part of an image ends early",
        message: "a part of {reference} ends before the size that its manifest states",
        hint: "Copy the mirror again; look for a full disk at the time of the copy.",
        why: "Whoever pulls the image refuses it.";
    UNPROVABLE = "mirror/unprovable", Warning, "An image cannot be proven to be in the mirror",
        message: "{reference} cannot be proven to be in the mirror",
        hint: "Copy it in a form that keeps digests: an OCI layout or a registry.",
        why: "An archive of docker save lost the manifest, so that the digest that a catalog names cannot be checked; or a part of the mirror could not be read.";
    UNMIRRORABLE = "mirror/unmirrorable", Error, "An image cannot be mirrored",
        message: "{reference} is no reference that a mirror tool can copy",
        hint: "Ask the author of the catalog; oc-mirror v2 gives up the whole catalog because of it.",
        why: "The reference is empty, does not parse, or names no registry.";

    BAD_SIGNATURE = "mirror/bad-signature", Error, "The signature of a release is bad",
        message: "{file} is no signature of the release {release} ({digest}): {reason}",
        hint: "Fetch the signature again from where the release was published, and mirror the release again where its digest differs.",
        why: "A cluster refuses to update to a release whose signature does not hold for the keys that it trusts; a mirror tool may have kept the file without looking at it.";
    SIGNATURE_UNPROVEN = "mirror/signature-unproven", Warning, "The signature of a release proves nothing with the given keys",
        message: "{file} proves nothing of the release {release} ({digest}): {reason}",
        hint: "Give the key that the release was signed with.",
        why: "A signature by another key than the given ones says nothing: whoever made it may be anybody.";
    SIGNATURE_ABSENT = "mirror/signature-absent", Warning, "A release has no signature beside it",
        message: "no signature of the release {release} ({digest}) lies here",
        hint: "Mirror the signatures with the release, or name the place where they lie with --signatures.",
        why: "Without a ConfigMap with its signature a disconnected cluster cannot verify a release, and updates to it only when it is forced.";

    REPOSITORY_ADDED = "mirror/repository-added", Info, "A repository is new",
        message: "the repository is new", hint: "Nothing to do.", why: "The newer mirror holds it, the older did not.";
    REPOSITORY_REMOVED = "mirror/repository-removed", Warning, "A repository is gone",
        message: "the repository is gone", hint: "See whether something installed still needs it.",
        why: "Nodes that start a pod of it again cannot pull it.";
    TAG_ADDED = "mirror/tag-added", Info, "A tag is new",
        message: "the tag is new", hint: "Nothing to do.", why: "The newer mirror has it, the older had not.";
    TAG_REMOVED = "mirror/tag-removed", Warning, "A tag is gone",
        message: "the tag is gone", hint: "See whether something pulls by this tag.",
        why: "Whatever pulls by the tag fails; its image may still be there by digest.";
    IMAGE_ADDED = "mirror/image-added", Info, "An image is new",
        message: "the image is new", hint: "Nothing to do.", why: "The newer mirror has it, the older had not.";
    IMAGE_REMOVED = "mirror/image-removed", Warning, "An image is gone",
        message: "the image is gone", hint: "See whether something installed still needs it.",
        why: "Nodes that start a pod of it again cannot pull it.";
    CATALOG_ADDED = "mirror/catalog-added", Info, "A catalog is new",
        message: "the catalog is new", hint: "Nothing to do.", why: "The newer mirror has it, the older had not.";
    CATALOG_REMOVED = "mirror/catalog-removed", Warning, "A catalog is gone",
        message: "the catalog is gone", hint: "See whether a CatalogSource or ClusterCatalog names it.",
        why: "Operators that were installed from it get no upgrades.";
    PACKAGE_ADDED = "mirror/package-added", Info, "A package is new in its catalog",
        message: "the package is new", hint: "Nothing to do.", why: "The newer catalog has it, the older had not.";
    PACKAGE_REMOVED = "mirror/package-removed", Warning, "A package is gone from its catalog",
        message: "the package is gone", hint: "See whether it is installed anywhere.",
        why: "An installed operator whose package is gone gets no upgrades.";
    DEFAULT_CHANNEL_CHANGED = "mirror/default-channel-changed", Warning, "A package has another default channel",
        message: "the default channel changed", hint: "Name the channel in Subscriptions.",
        why: "New installations that name no channel land in the other one.";
    CHANNEL_ADDED = "mirror/channel-added", Info, "A channel is new",
        message: "the channel is new", hint: "Nothing to do.", why: "The newer catalog has it, the older had not.";
    CHANNEL_REMOVED = "mirror/channel-removed", Warning, "A channel is gone",
        message: "the channel is gone", hint: "See whether a Subscription names it.",
        why: "A Subscription to a channel that is gone does not resolve.";
    ENTRY_CHANGED = "mirror/entry-changed", Info, "The edges of an entry changed",
        message: "the entry has other edges", hint: "Compare the paths in both catalogs.",
        why: "Edges of channel entries decide which way an upgrade goes.";
    ENTRY_ADDED = "mirror/entry-added", Info, "A channel lists one more bundle",
        message: "the channel lists the bundle now", hint: "Nothing to do.", why: "The channel offers it from now on.";
    ENTRY_REMOVED = "mirror/entry-removed", Warning, "A channel lists a bundle no more",
        message: "the channel lists the bundle no more", hint: "See whether it is installed anywhere, and whether a way leads on from it.",
        why: "A cluster that runs the bundle may have no way on.";
    BUNDLE_ADDED = "mirror/bundle-added", Info, "A bundle is new",
        message: "the bundle is new", hint: "Nothing to do.", why: "The newer catalog has it, the older had not.";
    BUNDLE_REMOVED = "mirror/bundle-removed", Warning, "A bundle is gone",
        message: "the bundle is gone", hint: "See whether it is installed anywhere.",
        why: "It cannot be installed any more, and OLM knows its edges no more.";
    BUNDLE_REPUBLISHED = "mirror/bundle-republished", Warning, "A bundle has another image under the same name",
        message: "the bundle has another image under its old name", hint: "Ask the author what changed; compare both bundle images.",
        why: "Clusters that run the bundle do not notice, and others of the same name run something else.";
    RELATED_IMAGES_CHANGED = "mirror/related-images-changed", Info, "A bundle needs other images",
        message: "the bundle needs other images", hint: "Mirror them.",
        why: "Whatever of them is not mirrored cannot be pulled.";
    DEPRECATION_CHANGED = "mirror/deprecation-changed", Info, "A deprecation changed",
        message: "what the author says against using it changed", hint: "Read the message.",
        why: "The author ends what is deprecated.";
}
