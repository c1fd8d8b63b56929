//! Decodes a file of metadata, or says in the facts why it does not decode.
//!
//! Cost: one decode.

use super::facts::{PayloadFacts, PayloadFault};
use crate::codec::{Decoded, Format, Limits, ManifestFault, decode};

/// What a JSON file holds; `None` where it does not decode, which the facts tell then.
pub(super) fn decoded<'b>(facts: &mut PayloadFacts, path: &str, bytes: &'b [u8]) -> Option<Decoded<'b>> {
    match decode(bytes, Format::Json, &Limits::of_manifests()) {
        Ok(decoded) => Some(decoded),
        Err(fault) => {
            let (line, reason) = (fault.line, fault.message);
            let fault = ManifestFault { path: path.to_owned(), document: 1, line, reason };
            facts.faults.push(PayloadFault::Undecodable(fault));
            None
        }
    }
}
