//! Codes about dumps of clusters: what `oc get` and must-gather wrote.
//! Cost: none; the table is constant.

use super::{Code, CodeRow, Severity};

codes! {
    CLUSTER;

    CLUSTER_DECODE_ERROR = "cluster/decode-error", Error, "A document of a dump does not decode",
        message: "the document does not decode: {reason}",
        hint: "Collect it again; an interrupted oc leaves half a document.",
        why: "What stands in it is not known. The other documents are still read.";
    CLUSTER_REFUSED = "cluster/refused", Warning, "The API server refused a part of a dump",
        message: "instead of objects there is a refusal: {reason}",
        hint: "Collect it again with an account that may read it; cluster-reader is enough.",
        why: "What was refused is not known: it is neither there nor absent.";
    CLUSTER_OBJECT_UNUSABLE = "cluster/object-unusable", Warning, "An object of a dump cannot be told from others",
        message: "an object of kind {kind} is not used: {reason}",
        hint: "Collect it with oc get -o yaml, and change nothing in it.",
        why: "Objects are known by kind, namespace and name.";
    CLUSTER_CONFLICTING_STATES = "cluster/conflicting-states", Warning, "An object stands in a dump with different content",
        message: "{kind}: {names}: there are several states, and no resourceVersion tells which is the latest; the one in the first file counts",
        hint: "Leave only one dump in the directory.",
        why: "What is said of the object may be outdated.";
    CLUSTER_SEVERAL_STATES = "cluster/several-states", Info, "An object changed while it was collected",
        message: "{kind}: {names}: there are several states; the one with the highest resourceVersion counts",
        hint: "Nothing to do: the latest state is known.",
        why: "A dump takes a while, and objects change meanwhile.";
    CLUSTER_SEVERAL_READINESS = "cluster/several-readiness", Warning, "A dump holds several readiness reports",
        message: "there is another readiness report; the one in {kept} counts",
        hint: "Leave only the report for the version that is meant.",
        why: "Each report is made for one target version.";
}
