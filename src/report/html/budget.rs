//! How much of a page one part of it may take.
//!
//! Rule: a page stays below 1.5 MB, whatever the view holds. A part that has spent its budget leaves out whole rows and
//! counts them; the page then names the document that holds all of them.
//! Cost: one subtraction for each row.

/// Bytes left for a part, and the number of rows that found no room.
#[derive(Debug)]
pub(super) struct Budget {
    left: usize,
    left_out: usize,
}

impl Budget {
    /// The walks of all engines and channels.
    pub(super) const WALKS: usize = 300_000;
    /// The entries of all channels.
    pub(super) const ENTRIES: usize = 180_000;
    /// The bundles.
    pub(super) const BUNDLES: usize = 160_000;
    /// The findings.
    pub(super) const FINDINGS: usize = 120_000;
    /// The release payloads.
    pub(super) const RELEASES: usize = 800_000;
    /// The clusters of the overview.
    pub(super) const CLUSTERS: usize = 200_000;
    /// The data of the chooser.
    pub(super) const CHOOSER: usize = 300_000;
    /// The channels that have rows and tables: beside their texts each takes some 4 kB of markup.
    pub(super) const CHANNELS: usize = 60;
    /// The heads of a channel that are named; a valid one has one.
    pub(super) const HEADS: usize = 10;
    /// Bytes of a message of a deprecation.
    pub(super) const MESSAGE: usize = 2_000;
    /// The packages of a catalog, or those that need attention.
    pub(super) const PACKAGES: usize = 1_000_000;

    /// A budget of so many bytes.
    pub(super) fn of(bytes: usize) -> Self {
        Self { left: bytes, left_out: 0 }
    }

    /// Takes room for a row whose texts have so many bytes; false where there is none.
    ///
    /// The markup around the texts is counted with a flat rate for each row.
    pub(super) fn take(&mut self, texts: usize) -> bool {
        const MARKUP: usize = 90;
        match self.left.checked_sub(texts + MARKUP) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.left = 0;
                self.left_out += 1;
                false
            }
        }
    }

    /// How many rows were left out.
    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_after_the_first_without_room_are_left_out_and_counted() {
        let mut budget = Budget::of(300);
        assert!(budget.take(100));
        assert!(!budget.take(100));
        assert!(!budget.take(0));
        assert_eq!(budget.left_out(), 2);
    }
}
