//! `.indexignore` files: which files of a catalog opm does not read.
//!
//! Rule: joelanford/ignore over go-git's gitignore patterns, as opm's walker uses them. Differences to Git: all ignore files
//! are collected before the walk, patterns are matched against files only, and a component that holds `**` beside other
//! letters never matches. The last matching pattern decides. Cost: patterns × files.

use super::glob;

/// The name that an ignore file has.
pub const IGNORE_FILE: &str = ".indexignore";

/// All patterns of a catalog, in the order in which they were collected.
#[derive(Debug, Clone, Default)]
pub struct IgnoreRules {
    patterns: Vec<Pattern>,
}

#[derive(Debug, Clone)]
struct Pattern {
    /// Components of the directory that the ignore file stands in.
    domain: Vec<String>,
    components: Vec<String>,
    anchored: bool,
    directories_only: bool,
    includes: bool,
}

impl IgnoreRules {
    /// Adds the patterns of one ignore file, which stands in a directory given relative to the root.
    pub fn add(&mut self, directory: &str, text: &str) {
        let domain: Vec<String> = components(directory).map(str::to_owned).collect();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        self.patterns.extend(lines.map(|line| Pattern::parse(domain.clone(), line)));
    }

    /// Whether a file, given relative to the root, is left out.
    pub fn ignores(&self, path: &str) -> bool {
        let path: Vec<&str> = components(path).collect();
        let deciding = self.patterns.iter().rev().find(|pattern| pattern.matches(&path));
        deciding.is_some_and(|pattern| !pattern.includes)
    }
}

fn components(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|component| !component.is_empty())
}

impl Pattern {
    fn parse(domain: Vec<String>, line: &str) -> Self {
        let (includes, line) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (directories_only, line) = line.strip_suffix('/').map_or((false, line), |rest| (true, rest));
        let components = line.split('/').map(str::to_owned).collect();
        Self { domain, components, anchored: line.contains('/'), directories_only, includes }
    }

    fn matches(&self, path: &[&str]) -> bool {
        let Some((above, below)) = path.split_at_checked(self.domain.len()) else { return false };
        let inside = above.iter().zip(&self.domain).all(|(one, other)| one == other);
        inside && !below.is_empty() && if self.anchored { self.anchored_match(below) } else { self.name_match(below) }
    }

    /// A pattern without a slash matches any component; one for directories only must not match the file itself.
    fn name_match(&self, path: &[&str]) -> bool {
        let Some(pattern) = self.components.first() else { return false };
        path.iter().enumerate().any(|(index, name)| {
            let is_file = index + 1 == path.len();
            glob::matches(pattern, name) == Some(true) && !(self.directories_only && is_file)
        })
    }

    fn anchored_match(&self, path: &[&str]) -> bool {
        let mut rest = path;
        let mut matched = false;
        let mut any_depth = false;
        let last = self.components.len().saturating_sub(1);
        for (index, pattern) in self.components.iter().enumerate() {
            match pattern.as_str() {
                "" => any_depth = false,
                "**" if index == last => break,
                "**" => any_depth = true,
                pattern if pattern.contains("**") || rest.is_empty() => return false,
                pattern if any_depth => {
                    any_depth = false;
                    let Some(found) = rest.iter().position(|name| glob::matches(pattern, name) == Some(true)) else {
                        return false;
                    };
                    matched = true;
                    rest = rest.get(found + 1..).unwrap_or(&[]);
                }
                pattern => {
                    let Some((name, behind)) = rest.split_first() else { return false };
                    if glob::matches(pattern, name) != Some(true) {
                        return false;
                    }
                    rest = behind;
                    matched = !(rest.is_empty() && index < last);
                }
            }
        }
        matched && !(self.directories_only && rest.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::IgnoreRules;

    fn ignores(directory: &str, text: &str, path: &str) -> bool {
        let mut rules = IgnoreRules::default();
        rules.add(directory, text);
        rules.ignores(path)
    }

    #[test]
    fn a_name_matches_any_component() {
        assert!(ignores("", "docs\n", "docs/a/b.yaml"));
        assert!(ignores("", "*.md", "a/README.md"));
        assert!(ignores("", "docs/", "a/docs/b.yaml"));
        assert!(!ignores("", "docs/", "a/docs"));
    }

    #[test]
    fn a_slash_anchors_to_the_directory_of_the_ignore_file() {
        assert!(ignores("", "/a.yaml", "a.yaml"));
        assert!(!ignores("", "/a.yaml", "b/a.yaml"));
        assert!(ignores("p", "q/a.yaml", "p/q/a.yaml"));
        assert!(!ignores("p", "q/a.yaml", "q/a.yaml"));
        assert!(ignores("", "**/a.yaml", "x/y/a.yaml"));
    }

    #[test]
    fn the_last_matching_pattern_decides() {
        assert!(!ignores("", "*.md\n!KEEP.md", "KEEP.md"));
        assert!(ignores("", "!KEEP.md\n*.md", "KEEP.md"));
    }

    #[test]
    fn two_stars_beside_letters_never_match() {
        assert!(!ignores("", "a/b**", "a/bc"));
        assert!(ignores("", "a/**", "a/b"));
    }

    #[test]
    fn comments_and_blanks_are_no_patterns() {
        assert!(!ignores("", "# a.yaml\n\n", "a.yaml"));
        assert!(ignores("", "   a.yaml  ", "a.yaml"));
    }
}
