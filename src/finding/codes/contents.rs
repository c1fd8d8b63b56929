//! Codes about the contents of bundles and of release payloads. The rules are those of operator-registry
//! (`pkg/registry/parse.go`), operator-controller (`rukpak/bundle/source/source.go`) and cluster-version-operator
//! (`pkg/payload/payload.go`); each row names who acts on it.
//! Cost: none; the table is constant.

use super::{Code, CodeRow, Severity};

codes! {
    CONTENTS;

    BUNDLE_DECODE_ERROR = "bundle/decode-error", Error, "A file of a bundle does not decode",
        message: "the document does not decode: {reason}",
        hint: "Repair the file and build the bundle image anew; nothing but manifests may lie in the directory of manifests.",
        why: "OLM v1 refuses the bundle. OLM v0 passes over the file and installs without it.";
    BUNDLE_NO_CSV = "bundle/no-csv", Error, "A bundle has no ClusterServiceVersion",
        message: "the contents of {bundle} hold no ClusterServiceVersion in {directory}",
        hint: "Check that the image is the bundle and not the operator itself, and that its labels name the right directory.",
        why: "Without a ClusterServiceVersion nothing can be installed: OLM v0 and OLM v1 both refuse the bundle.";
    BUNDLE_SEVERAL_CSVS = "bundle/several-csvs", Error, "A bundle has several ClusterServiceVersions",
        message: "the contents of {bundle} hold several ClusterServiceVersions: {names}",
        hint: "Keep exactly one.",
        why: "The format allows one. OLM v0 takes the first file and OLM v1 the last, so that they install different things.";
    BUNDLE_MISSING_ANNOTATIONS = "bundle/missing-annotations", Error, "A bundle has no annotations file",
        message: "the contents of {bundle} have no {path}",
        hint: "Add it with the package and the channels; operator-sdk generates it.",
        why: "OLM v1 refuses a bundle without the file, and opm cannot tell its package.";
    BUNDLE_ANNOTATION_MISMATCH = "bundle/annotation-mismatch", Warning, "Label and annotation of a bundle differ",
        message: "the image of {bundle} has the label {key} = {label}, its annotations file says {annotation}",
        hint: "Generate both from one source; the annotations file is the one that opm and OLM v1 read.",
        why: "Tools that read labels see another bundle than those that read files.";
    BUNDLE_BAD_DIRECTORY = "bundle/bad-directory", Error, "A bundle names a directory that cannot be one",
        message: "{key} of {bundle} names {value}, which is no directory of the image; {directory} was read instead",
        hint: "State a relative directory without .., such as manifests/.",
        why: "OLM v0 extracts the directories that the labels name.";
    BUNDLE_UNKNOWN_MEDIA_TYPE = "bundle/unknown-media-type", Error, "A bundle is of an unknown format",
        message: "the contents of {bundle} are of the format {media_type}, not registry+v1",
        hint: "Only registry+v1 bundles can be installed by OLM v0 and OLM v1.",
        why: "What such a bundle installs is not known here.";
    BUNDLE_NESTED_MANIFEST = "bundle/nested-manifest", Error, "A manifest lies in a sub-directory",
        message: "the file {path} lies below the directory of manifests",
        hint: "Move it up.",
        why: "OLM v1 refuses the bundle, OLM v0 does not see the file.";
    BUNDLE_SEVERAL_DOCUMENTS = "bundle/several-documents", Warning, "A manifest holds several documents",
        message: "the file {path} holds {number} documents, of which OLM v0 reads the first alone",
        hint: "Put each object into a file of its own.",
        why: "opm and OLM v0 decode one document of each file, OLM v1 decodes all: they install different things.";
    BUNDLE_CATALOG_MISMATCH = "bundle/catalog-mismatch", Warning, "A bundle's contents are not what the catalog says",
        message: "the catalog says that the {what} of {bundle} is {stated}, its contents say {found}",
        hint: "Check that the catalog refers to the right image.",
        why: "OLM decides by the catalog and installs the contents. Another bundle than the one that was planned may be installed.";

    PAYLOAD_NONE = "payload/none-found", Warning, "No place that was given holds a release payload",
        message: "none of the places given for releases holds a release payload: {places}",
        hint: "Name the registry, the layout or the directory in which the release images lie; skipstone mirror inventory shows what is where.",
        why: "What was asked for was not there, so that nothing about releases is known.";
    PAYLOAD_DECODE_ERROR = "payload/decode-error", Error, "A file of a release payload does not decode",
        message: "the document does not decode: {reason}",
        hint: "Mirror the payload again; a released one is never broken.",
        why: "The cluster-version operator refuses a payload that it cannot read.";
    PAYLOAD_MISSING_METADATA = "payload/missing-metadata", Error, "A release payload lacks a file that every one has",
        message: "the release payload has no {path}",
        hint: "Mirror the payload again, or check that this is a release image.",
        why: "The cluster-version operator refuses the payload, and its version or its images are not known.";
    PAYLOAD_BAD_METADATA = "payload/bad-metadata", Error, "The metadata of a release payload break a rule",
        message: "the file {path} is not as Cincinnati and the cluster-version operator want it: {reason}",
        hint: "Mirror the payload again; a released one is never broken.",
        why: "Cincinnati leaves the payload out of its graph, or the cluster-version operator refuses it.";
    PAYLOAD_VERSION_MISMATCH = "payload/version-mismatch", Error, "A release payload states two versions",
        message: "{what} says {stated}, release-metadata says {version}",
        hint: "Mirror the payload again; a released one is never broken.",
        why: "The cluster-version operator refuses a payload whose image-references and release-metadata differ.";
    PAYLOAD_IMAGE_NOT_BY_DIGEST = "payload/image-not-by-digest", Warning, "A release payload refers to an image by tag",
        message: "the image {name} is referred to as {reference}, which is no digest",
        hint: "Build the payload from digests.",
        why: "A reference by tag cannot be mirrored and means other content later.";
    PAYLOAD_BAD_COMPONENT = "payload/bad-component", Warning, "A component version of a payload does not parse",
        message: "the image {name} states component versions that do not parse: {reason}",
        hint: "Nothing to do but to know that the version of this component is not known.",
        why: "Rules on Kubernetes and kubelet versions need them.";
    PAYLOAD_CONFLICTING_COMPONENT = "payload/conflicting-component", Warning, "Images of a payload disagree on a component",
        message: "the component {component} has several versions: {versions}",
        hint: "Nothing to do but to know that the version of this component is not certain.",
        why: "oc refuses such a payload; for machine-os alone several versions are meant.";
    PAYLOAD_GATES_UNKNOWN = "payload/gates-unknown", Warning, "The admin gates of a payload are not known",
        message: "the admin gates of {version} are not known: {reason}",
        hint: "Give the release image itself with all its layers; what oc-mirror holds unpacked has only release-manifests.",
        why: "A gate that is not acknowledged blocks the update, and gates lie in the layers below the payload's own.";
    CONTENTS_UNKNOWN = "bundle/contents-unknown", Warning, "The contents of bundles are not in the places that were given",
        message: "the contents of {unknown} of {bundles} of the catalog {catalog} are not known: no given place holds their images",
        hint: "Mirror the bundle images, or name another place with --bundles; skipstone mirror missing tells which images are absent.",
        why: "What an upgrade changes in permissions and interfaces stands in the bundle. Where it is not here, nothing of that is known, and a cluster that sees only this mirror cannot install it.";
    CONTENTS_UNPROVEN = "bundle/contents-unproven", Info, "The contents of a bundle are not proven to be those of its image",
        message: "the contents of {bundle} come from a place that keeps no digest: they were taken by the name of their ClusterServiceVersion",
        hint: "Name a registry, its storage, or an OCI layout with --bundles where proof matters.",
        why: "A directory that somebody extracted and an archive of docker save do not tell the digest that the catalog names; another build of the same version looks the same.";
}
