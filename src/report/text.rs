//! Text for a terminal.
//!
//! Rule: everything is said in words, so that nothing is lost without colour; foreign text is shown on one line and cannot
//! steer the terminal. Escapes are those of ECMA-48 (SGR), and only where colour is asked for. Cost: linear in the text.

mod check;
mod cluster;
pub(super) mod mirror;
mod overview;
mod path;
mod range;

pub use check::check_text;
pub use cluster::cluster_contents_text;
pub use mirror::{inventory_text, mirror_diff_text, missing_text};
pub use overview::overview_text;
pub use path::path_text;
pub use range::range_text;

pub use super::phrase::harmless;

use super::phrase::{badness, one_line};

/// How text is dressed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether the receiver shows colours.
    pub colour: bool,
}

#[derive(Debug, Clone, Copy)]
enum Tone {
    Good,
    Bad,
    Doubtful,
    Quiet,
    Title,
}

impl Style {
    fn paint(self, tone: Tone, text: &str) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let code = match tone {
            Tone::Good => "32",
            Tone::Bad => "1;31",
            Tone::Doubtful => "33",
            Tone::Quiet => "2",
            Tone::Title => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    /// A severity in its colour, as wide as the widest of them.
    fn severity(self, severity: &str) -> String {
        let tone = match badness(severity) {
            2 => Tone::Bad,
            1 => Tone::Doubtful,
            _ => Tone::Quiet,
        };
        self.paint(tone, &format!("{:<7}", one_line(severity)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_only_where_it_is_asked_for() {
        assert_eq!(Style { colour: false }.severity("error"), "error  ");
        assert_eq!(Style { colour: true }.severity("error"), "\u{1b}[1;31merror  \u{1b}[0m");
    }
}
