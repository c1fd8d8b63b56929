//! Holds the code against ARCHITECTURE.md: which module may use which, and which names stand in a few modules only.
//! The tables are read from that page, so that page and code cannot drift apart.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::rust_source::{self, Names};

/// The longest a file may be: what one sitting can read.
const MOST_LINES: usize = 400;

/// The two tables of ARCHITECTURE.md.
struct Rules {
    /// The row of each module.
    rows: BTreeMap<String, u32>,
    /// Who may use whom within a row, along any number of arrows.
    arrows: BTreeSet<(String, String)>,
    /// A name in the code, and the modules that may hold it.
    doors: Vec<(Vec<String>, BTreeSet<String>)>,
}

impl Rules {
    fn of_the_page() -> Self {
        Self::read(&fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is readable"))
    }

    fn read(page: &str) -> Self {
        let mut rules = Self { rows: BTreeMap::new(), arrows: BTreeSet::new(), doors: Vec::new() };
        for (row, modules) in table(page, "rows") {
            let row = row.parse().unwrap_or_else(|_| panic!("`{row}` is the number of a row"));
            for group in modules.split(';') {
                rules.add_group(row, group);
            }
        }
        for (names, modules) in table(page, "doors") {
            let modules: BTreeSet<String> = listed(&modules).collect();
            for name in listed(&names) {
                rules.doors.push((name.split("::").map(str::to_owned).collect(), modules.clone()));
            }
        }
        rules
    }

    /// One chain of a row: `review → plan → preflight`, or `pipeline → emit, cache`.
    fn add_group(&mut self, row: u32, group: &str) {
        let steps: Vec<Vec<String>> = group.split('→').map(|step| listed(step).collect()).collect();
        for (position, step) in steps.iter().enumerate() {
            for module in step {
                let before = self.rows.insert(module.clone(), row);
                assert!(before.is_none_or(|before| before == row), "{module} stands in two rows");
                let later = steps.iter().skip(position + 1).flatten();
                self.arrows.extend(later.map(|used| (module.clone(), used.clone())));
            }
        }
    }

    /// What a module may not do, each as a sentence.
    fn violations(&self, module: &Module, names: &Names) -> Vec<String> {
        let used = names.paths.iter().filter_map(|path| module.uses(path, &self.rows));
        let rows = used.filter_map(|used| self.forbidden_use(module, &used));
        let doors = names.paths.iter().filter_map(|path| self.forbidden_name(module, path));
        rows.chain(doors).map(|fault| format!("{}: {fault}", module.file.display())).collect()
    }

    fn forbidden_use(&self, module: &Module, used: &str) -> Option<String> {
        let name = module.top();
        if name == "lib" || name == used {
            return None;
        }
        let Some(row) = self.rows.get(name) else { return Some(format!("the module {name} has no row")) };
        let Some(used_row) = self.rows.get(used) else { return Some(format!("`{used}` is not a module with a row")) };
        let allowed = used_row < row || self.arrows.contains(&(name.to_owned(), used.to_owned()));
        (!allowed).then(|| format!("{name} (row {row}) uses {used} (row {used_row})"))
    }

    fn forbidden_name(&self, module: &Module, path: &[String]) -> Option<String> {
        let covers = |name: &[String]| match path {
            [before @ .., glob] if glob == "*" => name.starts_with(before) || before.starts_with(name),
            _ => path.starts_with(name),
        };
        let (name, modules) =
            self.doors.iter().find(|(name, modules)| covers(name) && !modules.contains(module.top()))?;
        let modules: Vec<&str> = modules.iter().map(String::as_str).collect();
        Some(format!("`{}` stands in {} only", name.join("::"), modules.join(", ")))
    }
}

/// The rows of a table between its markers, without the heading: first and second cell.
fn table(page: &str, name: &str) -> Vec<(String, String)> {
    let between = |start: &str, end: &str| {
        let (_, rest) = page.split_once(start)?;
        Some(rest.split_once(end)?.0.to_owned())
    };
    let lines = between(&format!("<!-- {name}:begin -->"), &format!("<!-- {name}:end -->"))
        .unwrap_or_else(|| panic!("ARCHITECTURE.md has the markers of {name}"));
    let cells = |line: &str| {
        let (first, second) = line.trim().strip_prefix('|')?.strip_suffix('|')?.split_once('|')?;
        Some((first.trim().to_owned(), second.trim().to_owned()))
    };
    lines.lines().filter_map(cells).skip(2).collect()
}

/// The entries of a list, without code marks.
fn listed(text: &str) -> impl Iterator<Item = String> {
    text.split(',').map(|entry| entry.trim().trim_matches('`').to_owned())
}

/// One file of the crate and its place in the tree of modules.
struct Module {
    file: PathBuf,
    /// `["version", "range", "blang"]`; `["lib"]` and `["main"]` for the two roots.
    path: Vec<String>,
}

impl Module {
    fn at(file: &Path) -> Self {
        let mut path: Vec<String> =
            file.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if path.last().is_some_and(|last| last == "mod") {
            path.pop();
        }
        Self { file: file.to_owned(), path }
    }

    fn top(&self) -> &str {
        self.path.first().map_or("", String::as_str)
    }

    /// What a path names below the root of the crate, if it leads there. Where `super` ends is not certain for modules
    /// written inside of a file, so that it counts only where it meets a module with a row.
    fn uses(&self, path: &[String], rows: &BTreeMap<String, u32>) -> Option<String> {
        let steps_up = path.iter().take_while(|segment| *segment == "super").count();
        match path.first()?.as_str() {
            "crate" => path.get(1).cloned(),
            "skipstone" if self.top() == "main" => path.get(1).cloned(),
            "super" if steps_up >= self.path.len() => {
                path.get(steps_up).filter(|name| rows.contains_key(*name)).cloned()
            }
            _ => None,
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files below a folder, relative to it, sorted.
fn rust_files(folder: &str) -> Vec<PathBuf> {
    let base = root().join(folder);
    assert!(base.is_dir(), "{folder} is a folder");
    walkdir::WalkDir::new(&base)
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.expect("the folder is readable").into_path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| path.strip_prefix(&base).expect("walked below its base").to_owned())
        .collect()
}

/// Every file of the crate that is not compiled for tests alone.
fn modules() -> Vec<(Module, Names)> {
    let all: Vec<(Module, Names)> = rust_files("src")
        .iter()
        .map(|file| {
            let text = fs::read_to_string(root().join("src").join(file)).expect("a source file is readable");
            (Module::at(file), rust_source::read_names(&text))
        })
        .collect();
    let for_tests: BTreeSet<Vec<String>> = all
        .iter()
        .flat_map(|(module, names)| {
            names.test_modules.iter().map(|name| [module.path.as_slice(), std::slice::from_ref(name)].concat())
        })
        .collect();
    let is_for_tests = |module: &Module| {
        let named_so = module.path.last().is_some_and(|name| name.ends_with("_tests"));
        named_so || for_tests.iter().any(|path| module.path.starts_with(path))
    };
    all.into_iter().filter(|(module, _)| !is_for_tests(module)).collect()
}

#[test]
fn modules_keep_to_their_rows_and_doors() {
    let rules = Rules::of_the_page();
    let faults: Vec<String> = modules().iter().flat_map(|(module, names)| rules.violations(module, names)).collect();
    assert!(faults.is_empty(), "against ARCHITECTURE.md:\n{}", faults.join("\n"));
}

#[test]
fn every_module_has_a_row() {
    let rules = Rules::of_the_page();
    let without: BTreeSet<String> = modules()
        .iter()
        .map(|(module, _)| module.top().to_owned())
        .filter(|top| top != "lib" && !rules.rows.contains_key(top))
        .collect();
    assert!(without.is_empty(), "no row in ARCHITECTURE.md: {without:?}");
}

#[test]
fn files_are_short() {
    for folder in ["src", "tests", "fixtures"] {
        for file in rust_files(folder) {
            let text = fs::read_to_string(root().join(folder).join(&file)).expect("a source file is readable");
            let lines = text.lines().count();
            assert!(lines <= MOST_LINES, "{folder}/{} has {lines} lines, more than {MOST_LINES}", file.display());
        }
    }
}

#[test]
fn no_test_file_is_forgotten() {
    let front = fs::read_to_string(root().join("tests/it/main.rs")).expect("main.rs is readable");
    for file in rust_files("tests/it").iter().filter(|file| file.parent() == Some(Path::new(""))) {
        let name = file.file_stem().expect("a file has a name").to_string_lossy();
        let declared = name == "main" || front.lines().any(|line| line.trim() == format!("mod {name};"));
        assert!(declared, "tests/it/main.rs does not declare `mod {name};`, so its tests never run");
    }
}

/// The checks themselves, on a small house.
mod on_a_small_page {
    use super::{Module, Path, Rules, rust_source};

    const PAGE: &str = "<!-- rows:begin -->
| row | modules |
|---|---|
| 3 | walk → map → ink; pen |
| 1 | stone |
<!-- rows:end -->
<!-- doors:begin -->
| name | only in |
|---|---|
| `rayon`, `std::time::SystemTime` | walk, pen |
<!-- doors:end -->";

    fn faults(file: &str, text: &str) -> Vec<String> {
        Rules::read(PAGE).violations(&Module::at(Path::new(file)), &rust_source::read_names(text))
    }

    #[test]
    fn lower_rows_and_arrows_are_allowed() {
        assert!(faults("walk/mod.rs", "use crate::{stone::A, map::B, ink::C};").is_empty());
        assert!(faults("stone.rs", "use super::stone::A; use self::b::C; fn f() { crate::stone::g() }").is_empty());
        assert!(faults("lib.rs", "pub use crate::walk::A;").is_empty());
    }

    #[test]
    fn other_uses_are_named() {
        assert_eq!(faults("stone.rs", "use crate::walk::A;"), ["stone.rs: stone (row 1) uses walk (row 3)"]);
        assert_eq!(faults("map/deep.rs", "use super::super::walk;"), ["map/deep.rs: map (row 3) uses walk (row 3)"]);
        assert_eq!(faults("pen.rs", "fn f() { crate::ink::g() }"), ["pen.rs: pen (row 3) uses ink (row 3)"]);
        assert_eq!(faults("pen.rs", "use crate::Digest;"), ["pen.rs: `Digest` is not a module with a row"]);
        assert_eq!(faults("hut.rs", "use crate::stone;"), ["hut.rs: the module hut has no row"]);
    }

    #[test]
    fn doors_are_open_where_the_page_says() {
        assert!(faults("walk/mod.rs", "use rayon::prelude::*;").is_empty());
        assert!(faults("stone.rs", "use std::time::Duration;").is_empty());
    }

    #[test]
    fn doors_are_closed_elsewhere() {
        for text in [
            "use rayon::join;",
            "use std::time::{Duration, SystemTime};",
            "use std::time::*;",
            "use rayon::prelude::*;",
        ] {
            assert_eq!(faults("map.rs", text).len(), 1, "{text}");
        }
    }
}
