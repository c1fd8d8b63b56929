//! What the help of a command ends with: what a SOURCE may be, and lines to begin with.
//!
//! Rule: a paragraph is one line, which the terminal wraps; examples stay below its 100 columns. Cost: none.

/// After the help of `scan`.
pub(super) const SCAN: &str = "\
SOURCE is told by its content; nothing has to be extracted: a file-based catalog, an OCI layout or archive, skopeo's dir:, \
docker save, the storage of a registry, what oc image mirror or oc-mirror wrote, or registry:HOST[:PORT]/REPO:TAG. \
Of oc-mirror name the directory that holds every mirror_*.tar of a run, or the one that holds working-dir/.

Examples:
  every catalog of a disk that oc-mirror wrote, with the contents of bundles and releases:
    skipstone scan --catalog /mnt/usb --releases /mnt/usb --output report
  one of them, by a name of its own; skipstone mirror inventory /mnt/usb shows what there is:
    skipstone scan --catalog 4.18=/mnt/usb#redhat/redhat-operator-index:v4.18 --output report
  what a cluster looks like, beside it:
    skipstone scan --catalog 4.18=configs --cluster east=dump --output report";

/// After the help of `catalog check`.
pub(super) const CHECK: &str = "\
Examples:
  skipstone catalog check configs
  skipstone catalog check /mnt/usb        where several images lie there, they are listed
  skipstone catalog check /mnt/usb#redhat/redhat-operator-index:v4.18
  skipstone catalog check registry:mirror.example:8443/redhat/redhat-operator-index:v4.18 \\
    --authfile pull-secret.json";

/// After the help of `mirror inventory`.
pub(super) const INVENTORY: &str = "\
Of oc-mirror name the directory that holds every mirror_*.tar of a run: one archive alone is a part of it.

Examples:
  skipstone mirror inventory /mnt/usb
  skipstone mirror inventory registry:mirror.example:8443 --ca-file ca.pem";

/// After the help of `mirror missing`.
pub(super) const MISSING: &str = "\
Example, with a disk that oc-mirror wrote and the manifests that it generated:
  skipstone mirror missing --catalog /mnt/usb#redhat/redhat-operator-index:v4.18 --mirror /mnt/usb \\
    --rules working-dir/cluster-resources";

/// After the help of `mirror diff`.
pub(super) const DIFF: &str = "\
Examples:
  two mirrors:          skipstone mirror diff /mnt/old /mnt/new
  a catalog of each:    skipstone mirror diff /mnt/old#redhat/redhat-operator-index:v4.18 \\
                          /mnt/new#redhat/redhat-operator-index:v4.18";
