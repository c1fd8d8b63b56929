//! What clients print where the API server does not answer with objects.
//!
//! Source: kubectl, pkg/cmd/util/helpers.go (`Error from server (Reason): …`) and apimachinery, pkg/api/meta/errors.go, as
//! kubectl words it: `error: the server doesn't have a resource type "…"`. Cost: one pass over the lines.

/// What one line tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// There is no such resource, or no such object of it (`resource/name`).
    Absent(String),
    /// The server refused, for this reason.
    Refused(String),
}

const FROM_SERVER: &str = "Error from server";
const NO_RESOURCE: &str = "error: the server doesn't have a resource type ";
/// Characters of a reason that are shown.
const SHOWN: usize = 200;

/// Whether a text begins as the message of a client does that got no objects from the API server.
pub fn is_refusal(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(FROM_SERVER) || text.starts_with(NO_RESOURCE)
}

/// What the lines of such a message tell; nothing where the text begins otherwise.
pub(super) fn refusals(text: &str) -> Vec<Refusal> {
    let lines = text.lines().filter(|_| is_refusal(text));
    lines.filter_map(refusal).collect()
}

fn refusal(line: &str) -> Option<Refusal> {
    let line = line.trim();
    if let Some(resource) = line.strip_prefix(NO_RESOURCE) {
        return Some(Refusal::Absent(resource.trim_matches('"').to_owned()));
    }
    let rest = line.strip_prefix(FROM_SERVER)?;
    if let Some(of_object) = rest.strip_prefix(" (NotFound): ").and_then(|rest| rest.strip_suffix(" not found")) {
        let (resource, name) = of_object.split_once(' ')?;
        return Some(Refusal::Absent(format!("{resource}/{}", name.trim_matches('"'))));
    }
    // Who asked is nobody's business but the collector's.
    let reason = rest.trim_start_matches(':').trim();
    let reason = reason.split_once(": User ").map_or(reason, |(before, _)| before);
    Some(Refusal::Refused(reason.chars().take(SHOWN).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_messages_are_told_apart() {
        let text = "Error from server (Forbidden): subscriptions.operators.coreos.com is forbidden: User \"me\" cannot list\n\
                    error: the server doesn't have a resource type \"clusterextensions\"\n\
                    Error from server (NotFound): configmaps \"admin-acks\" not found\n\
                    something else\n";
        assert_eq!(
            refusals(text),
            [
                Refusal::Refused("(Forbidden): subscriptions.operators.coreos.com is forbidden".into()),
                Refusal::Absent("clusterextensions".into()),
                Refusal::Absent("configmaps/admin-acks".into()),
            ]
        );
        assert!(is_refusal("\nError from server (Forbidden): x") && !is_refusal("kind: List"));
    }
}
