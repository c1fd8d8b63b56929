//! Why an engine does what it does: a tree of reasons, each with a stable code.
//!
//! Rule: each row names the component that acts so. Cost: a text for each reason.

/// A reason, with the reasons for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// One of [`CODES`].
    pub code: &'static str,
    /// What it means here, in one sentence.
    pub message: String,
    /// The reasons for this reason.
    pub because: Vec<Reason>,
}

impl Reason {
    /// A reason that stands by itself.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), because: Vec::new() }
    }

    /// The same reason with those for it.
    #[must_use]
    pub fn because(mut self, reasons: Vec<Reason>) -> Self {
        self.because = reasons;
        self
    }
}

/// A code of a reason: its name, what it is, and why an engine acts so.
#[derive(Debug, PartialEq, Eq)]
pub struct ReasonCode {
    /// The public name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// Which component acts so, and why.
    pub why: &'static str,
}

macro_rules! reasons {
    ($($constant:ident = $name:literal, $title:literal, $why:literal;)*) => {
        $(
            #[doc = concat!("`", $name, "`: ", $title, ".")]
            pub const $constant: &str = $name;
        )*
        /// Every code of a reason.
        pub const CODES: &[ReasonCode] = &[$(ReasonCode { name: $name, title: $title, why: $why }),*];
    };
}

reasons! {
    AT_HEAD = "path/at-head", "The installed bundle is the head of the channel",
        "OLM v0 has nothing newer in this channel.";
    AT_HIGHEST = "path/at-highest", "Nothing higher is offered",
        "The engine looked at every bundle that it may choose and none is higher.";
    NO_EDGE = "path/no-edge", "No entry leads on from the installed bundle",
        "An engine moves only where a channel entry replaces, skips or covers what is installed.";
    NOT_COVERED = "path/not-covered", "An entry does not cover the installed bundle",
        "Its replaces and skips name other bundles, and its range does not hold the version.";
    SKIPPED_TARGET = "path/skipped-target", "An entry that would do is itself skipped",
        "OLM v0 never moves to an entry that another entry of the channel skips; OLM v1 does.";
    FORBIDDEN = "path/forbidden", "A bundle carries olm.deprecated",
        "OLM v0's resolver never chooses a bundle with this property.";
    VERSION_UNKNOWN = "path/version-unknown", "The installed version is not known",
        "A skipRange is judged by the installed version; without it only names count, so the answer may be incomplete.";
    LOOP = "path/loop", "The walk comes back to where it was",
        "A lower entry's range covers a higher one; with automatic approval the operator is moved without end.";
    NO_HEAD = "path/no-head", "The channel has no head",
        "OLM v0's resolver fails for every Subscription of the namespace.";
    MULTIPLE_HEADS = "path/multiple-heads", "The channel has several heads",
        "OLM v0's resolver wants one unique replacement chain and fails for every Subscription of the namespace.";
    CYCLE = "path/cycle", "The replaces chain of the channel runs in a circle",
        "OLM v0's resolver fails for every Subscription of the namespace.";
    NO_CHANNEL = "path/no-channel", "The channel is not there",
        "OLM v0 says that it found no operators, and fails for every Subscription of the namespace.";
    EMPTY_CHANNEL = "path/empty-channel", "The channel has no entries",
        "OLM v0 says that it found no operators.";
    NO_BUNDLES = "path/no-bundles", "No bundle is left to choose from",
        "OLM v1 keeps the installed bundle, says Retrying and moves nothing.";
    DEPENDENCY_REFUSED = "path/dependency-refused", "The chosen bundle requires something",
        "OLM v1 refuses a bundle with olm.package.required, olm.gvk.required or olm.constraint after it chose it, and takes no other.";
    REQUIRES = "path/requires", "The next bundle requires something",
        "OLM v0 moves only where the requirement can be met in the namespace; otherwise it silently takes another candidate or stays.";
    DEPRECATED_LAST = "path/deprecated-last", "A newer bundle is deprecated",
        "OLM v1 takes every other bundle, and staying, before a deprecated one.";
    LOWER_ONLY = "path/lower-only", "Only lower bundles would follow",
        "OLM v1 does not go down while the installed bundle is offered and not deprecated.";
    OUTSIDE_RANGE = "path/outside-range", "Newer bundles are outside the version range",
        "spec.source.catalog.version allows only what it holds; a pre-release only where the range names one.";
    SAME_PRIORITY = "path/same-priority", "Several catalogs of equal priority offer a bundle",
        "OLM v1 does not choose between catalogs of equal priority.";
    CHOSEN_CATALOG = "path/chosen-catalog", "One of several catalogs was chosen",
        "A bundle that is not deprecated comes first, then the catalog of the highest priority.";
    MOVES_DOWN = "path/moves-down", "The walk leads to a lower version",
        "OLM v0 compares no versions; OLM v1 goes down where the installed bundle is not offered any more or is deprecated.";
    OFF_THE_WALK = "path/off-the-walk", "The engine by itself would go another way",
        "The target is reached over legal edges: OLM v0 needs another channel or approval at each step, OLM v1 a version pin.";
    NOT_REACHABLE = "path/not-reachable", "No sequence of legal edges leads to the target",
        "Every edge of the engine was followed from the installed bundle, and none arrives.";
    SELF_CERTIFIED = "path/self-certified", "The edges of the catalog do not count",
        "upgradeConstraintPolicy SelfCertified lets every bundle follow, downgrades as well.";
    STARTING_VERSION = "path/starting-version", "A first install at a chosen version",
        "OLM v0 takes startingCSV, OLM v1 a version pin.";
}
