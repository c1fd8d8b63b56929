//! The answer of `skipstone catalog path`: the route, and why it is so.
//!
//! Cost: linear in hops and reasons.

use super::{Style, Tone};
use crate::finding::counted;
use crate::report::phrase::one_line;
use crate::report::schema::{HopView, PathView, ReasonView};

/// The longest route that stands on one line.
const ONE_LINE_HOPS: usize = 3;
/// Reasons below reasons are shown to this depth; a number stands for those further down.
const DEEPEST_REASON: usize = 32;

/// What was asked and the answer, the route, the engine's other choices, and the reasons as an indented tree.
#[must_use]
pub fn path_text(path: &PathView, style: Style) -> String {
    let mut text = format!("{}: {}\n", asked(path), status(path, style));
    if !path.hops.is_empty() {
        text.push_str(&route(path, style));
        text.push('\n');
    }
    let first_hop = path.hops.first().map(|hop| hop.to.as_str());
    if let Some(next) = path.next.as_deref().filter(|next| Some(*next) != first_hop) {
        text.push_str(&format!("the engine itself goes to {}\n", one_line(next)));
    }
    let others: Vec<_> = path
        .candidates
        .iter()
        .filter(|candidate| path.next.as_ref() != Some(*candidate))
        .map(|candidate| one_line(candidate))
        .collect();
    if !others.is_empty() {
        text.push_str(&format!("also preferred to staying: {}\n", others.join(", ")));
    }
    if !path.reasons.is_empty() {
        text.push_str("because\n");
        text.push_str(&reasons(&path.reasons, 1));
    }
    text + &format!("{}\n", counted(path.hops.len(), "hop"))
}

/// `p, olm-v0, channel stable, from p.v1 to p.v3`.
fn asked(path: &PathView) -> String {
    let channels = match path.channels.as_slice() {
        [] => "all channels".to_owned(),
        [only] => format!("channel {only}"),
        several => format!("channels {}", several.join(", ")),
    };
    let from = path.from.as_ref().map_or_else(|| "first install".to_owned(), |from| format!("from {from}"));
    let to = path.to.as_ref().map_or_else(String::new, |to| format!(" to {to}"));
    one_line(&format!("{}, {}, {channels}, {from}{to}", path.package, path.engine)).into_owned()
}

fn status(path: &PathView, style: Style) -> String {
    let tone = match path.status.as_str() {
        "reachable" | "up-to-date" => Tone::Good,
        _ => Tone::Bad,
    };
    style.paint(tone, &one_line(&path.status))
}

/// The bundles with arrows between them: on one line where it is short, else a line for each hop. A hop that does not
/// start where the one before ended starts a line of its own.
fn route(path: &PathView, style: Style) -> String {
    let separator = if path.hops.len() <= ONE_LINE_HOPS { " " } else { "\n    " };
    let mut text = String::new();
    let mut stands_at = None;
    for hop in &path.hops {
        if stands_at != Some(hop.from.as_deref()) {
            let start = hop.from.as_deref().unwrap_or("(not installed)");
            let line_break = if text.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{line_break}  {}", one_line(start)));
        }
        let arrow = style.paint(Tone::Quiet, &format!("──{}──▶", label(hop, path.channels.len() != 1)));
        let down = if hop.downgrade { style.paint(Tone::Bad, " (a lower version)") } else { String::new() };
        text.push_str(&format!("{separator}{arrow} {}{down}", one_line(&hop.to)));
        stands_at = Some(Some(hop.to.as_str()));
    }
    text
}

/// The edge kinds of a hop; with its channel where several were looked at, and its catalog where several compete.
fn label(hop: &HopView, name_channel: bool) -> String {
    let via = if hop.via.is_empty() { "install".to_owned() } else { hop.via.join("+") };
    let channel = hop.channel.as_ref().filter(|_| name_channel).map(|channel| format!(" in {channel}"));
    let catalog = hop.catalog.as_ref().map(|catalog| format!(" of {catalog}"));
    let parts: String = [Some(via), channel, catalog].into_iter().flatten().collect();
    one_line(&parts).into_owned()
}

fn reasons(level: &[ReasonView], depth: usize) -> String {
    let indent = "  ".repeat(depth);
    if depth > DEEPEST_REASON {
        return format!("{indent}{} more\n", counted(level.len(), "reason"));
    }
    level
        .iter()
        .map(|reason| {
            let below = if reason.because.is_empty() { String::new() } else { reasons(&reason.because, depth + 1) };
            format!("{indent}{}: {}\n{below}", one_line(&reason.code), one_line(&reason.message))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hop(from: Option<&str>, to: &str, via: &[&str]) -> HopView {
        HopView {
            from: from.map(Into::into),
            to: to.into(),
            channel: Some("stable".into()),
            catalog: None,
            via: via.iter().map(|kind| (*kind).into()).collect(),
            downgrade: false,
        }
    }

    fn path(hops: Vec<HopView>) -> PathView {
        PathView {
            engine: "olm-v0".into(),
            package: "a".into(),
            channels: vec!["stable".into()],
            from: Some("a.v1".into()),
            to: None,
            status: "reachable".into(),
            next: Some("a.v2".into()),
            hops,
            candidates: vec!["a.v2".into()],
            reasons: vec![],
        }
    }

    #[test]
    fn a_short_route_is_one_line() {
        let hops = vec![hop(Some("a.v1"), "a.v2", &["replaces"]), hop(Some("a.v2"), "a.v3", &["skips", "skipRange"])];
        assert_eq!(
            path_text(&path(hops), Style::default()),
            "a, olm-v0, channel stable, from a.v1: reachable\n  \
             a.v1 ──replaces──▶ a.v2 ──skips+skipRange──▶ a.v3\n2 hops\n"
        );
    }

    #[test]
    fn a_long_route_has_a_line_for_each_hop() {
        let names = ["a.v1", "a.v2", "a.v3", "a.v4", "a.v5"];
        let hops = names.windows(2).map(|pair| hop(Some(pair[0]), pair[1], &["replaces"])).collect();
        let text = path_text(&path(hops), Style::default());
        assert!(
            text.contains("\n  a.v1\n    ──replaces──▶ a.v2\n    ──replaces──▶ a.v3\n    ──replaces──▶ a.v4\n"),
            "{text}"
        );
    }

    #[test]
    fn a_first_install_starts_from_nothing_and_names_its_channel_among_several() {
        let mut view = path(vec![hop(None, "a.v2", &[])]);
        view.from = None;
        view.channels = vec!["fast".into(), "stable".into()];
        assert_eq!(
            path_text(&view, Style::default()),
            "a, olm-v0, channels fast, stable, first install: reachable\n  \
             (not installed) ──install in stable──▶ a.v2\n1 hop\n"
        );
    }

    #[test]
    fn reasons_are_a_tree_and_other_choices_are_named() {
        let inner = ReasonView { code: "path/b".into(), message: "inner".into(), because: vec![] };
        let mut view = path(vec![]);
        view.status = "unreachable".into();
        view.to = Some("a.v9".into());
        view.candidates.push("a.v1-1".into());
        view.reasons = vec![ReasonView { code: "path/a".into(), message: "outer".into(), because: vec![inner] }];
        assert_eq!(
            path_text(&view, Style::default()),
            "a, olm-v0, channel stable, from a.v1 to a.v9: unreachable\nthe engine itself goes to a.v2\n\
             also preferred to staying: a.v1-1\nbecause\n  path/a: outer\n    path/b: inner\n0 hops\n"
        );
    }

    #[test]
    fn a_deep_tree_of_reasons_ends_with_a_number() {
        let deep = (0..1_000).fold(reason("m"), |below, _| ReasonView { because: vec![below], ..reason("m") });
        let text = reasons(&[deep], 1);
        assert_eq!(text.lines().count(), 33);
        assert!(text.ends_with(&format!("{}1 reason more\n", "  ".repeat(33))));
    }

    fn reason(message: &str) -> ReasonView {
        ReasonView { code: "path/x".into(), message: message.into(), because: vec![] }
    }

    #[test]
    fn only_the_dress_differs_with_colour() {
        let view = path(vec![hop(Some("a.v1"), "a.v2", &["replaces"])]);
        let coloured = path_text(&view, Style { colour: true });
        let bare = ["32", "2", "0"].iter().fold(coloured, |text, code| text.replace(&format!("\u{1b}[{code}m"), ""));
        assert_eq!(bare, path_text(&view, Style::default()));
    }
}
