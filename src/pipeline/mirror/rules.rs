//! Reads the documents of mirror rules from files and directories.
//!
//! Rule: oc-mirror v2 writes them into `working-dir/cluster-resources` (`internal/pkg/clusterresources`), v1 into `results-*`
//! (`v1/pkg/cli/mirror/manifests.go`), of which the highest time is the newest. Of a directory its own files are read, or those
//! of the directories that these tools write below it. Cost: each file once, of at most 16 MiB.

use std::path::{Path, PathBuf};

use crate::codec::Limits;
use crate::finding::{Finding, SourceRef, Subject, codes};
use crate::mirror::rules::MirrorRules;
use crate::source::SourceError;
use crate::source::tree::{DirectoryTree, FileTree};

/// Where mirror tools write rules below a directory that people name.
const WRITTEN_TO: &[&str] = &["working-dir/cluster-resources", "cluster-resources"];
const RESULTS: &str = "results-";
const ENDINGS: &[&str] = &[".yaml", ".yml", ".json"];
/// The largest file that is read, and the most files of one directory.
const FILE_BYTES: u64 = 16 << 20;
const MOST_FILES: usize = 10_000;

/// The rules of all places together.
#[derive(Debug, Default)]
pub struct ReadRules {
    /// The rules.
    pub rules: MirrorRules,
    /// What cannot be used of them.
    pub findings: Vec<Finding>,
    /// Whether a part could not be read.
    pub is_incomplete: bool,
}

/// Reads every rule at these places, in their order.
///
/// # Errors
/// [`SourceError`] where a place itself cannot be looked at.
pub fn read_rules(places: &[PathBuf], limits: &Limits) -> Result<ReadRules, SourceError> {
    let mut read = ReadRules::default();
    for place in places {
        read.place(place, limits)?;
    }
    read.is_incomplete = read.findings.iter().any(|finding| finding.code == codes::INPUT_UNREADABLE);
    Ok(read)
}

impl ReadRules {
    fn place(&mut self, place: &Path, limits: &Limits) -> Result<(), SourceError> {
        let io = |cause| SourceError::Io { path: place.to_owned(), cause };
        let name = super::super::name_of(place);
        if place.is_dir() {
            let tree = DirectoryTree::new(place).map_err(io)?;
            for path in files(&tree).map_err(io)? {
                self.file(&tree, &path, &SourceRef::file(&*name, &*path), limits);
            }
            return Ok(());
        }
        let real = place.canonicalize().map_err(io)?;
        let tree = DirectoryTree::new(real.parent().unwrap_or(Path::new("/"))).map_err(io)?;
        let file = real.file_name().map_or_else(String::new, |file| file.to_string_lossy().into_owned());
        if !tree.is_file(&file) {
            let what = "there is no file or directory of mirror rules".to_owned();
            return Err(SourceError::Unsuitable { path: place.to_owned(), what });
        }
        self.file(&tree, &file, &SourceRef::file(&*name, &*file), limits);
        Ok(())
    }

    fn file(&mut self, tree: &dyn FileTree, path: &str, at: &SourceRef, limits: &Limits) {
        match tree.read(path, FILE_BYTES) {
            Ok(text) => self.findings.extend(self.rules.add(&text, at, limits)),
            Err(error) => {
                let finding = Finding::new(codes::INPUT_UNREADABLE, Subject::default()).at(at);
                self.findings.push(finding.with("path", path).with("reason", error));
            }
        }
    }
}

/// The files of a directory that may hold rules, sorted.
fn files(tree: &dyn FileTree) -> std::io::Result<Vec<String>> {
    let own = tree.names("")?;
    let newest = own.iter().filter(|name| name.starts_with(RESULTS) && tree.is_directory(name)).max_by_key(|name| {
        let time = name.strip_prefix(RESULTS).and_then(|time| time.parse::<u64>().ok());
        (time, (*name).clone())
    });
    let written =
        WRITTEN_TO.iter().filter(|directory| tree.is_directory(directory)).map(|directory| (*directory).to_owned());
    let directories: Vec<String> = written.chain(newest.cloned()).collect();
    let directories = if directories.is_empty() { vec![String::new()] } else { directories };
    let mut files = Vec::new();
    for directory in directories {
        for name in tree.names(&directory)? {
            let path = if directory.is_empty() { name } else { format!("{directory}/{name}") };
            if ENDINGS.iter().any(|ending| path.ends_with(ending)) && tree.is_file(&path) && files.len() < MOST_FILES {
                files.push(path);
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(mirror: &str) -> String {
        format!(
            "kind: ImageDigestMirrorSet\napiVersion: config.openshift.io/v1\nspec:\n  imageDigestMirrors:\n  \
             - source: up.example/a\n    mirrors: [{mirror}]\n"
        )
    }

    fn first_place(places: &[PathBuf]) -> Vec<String> {
        let read = read_rules(places, &Limits::default()).unwrap();
        let reference = format!("up.example/a@{}", crate::finding::ContentDigest::of(b""));
        let resolution = read.rules.resolve(&reference.parse().unwrap());
        resolution.candidates.iter().map(|candidate| candidate.reference.name()).collect()
    }

    #[test]
    fn files_directories_and_what_tools_write_below_them() {
        let place = tempfile::tempdir().unwrap();
        let write = |path: &str, text: String| {
            let file = place.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        };
        write("plain/idms.yaml", rule("m.example/plain"));
        write("plain/readme.txt", rule("m.example/never"));
        write("two/working-dir/cluster-resources/idms.yaml", rule("m.example/two"));
        write("one/results-9/icsp.yaml", rule("m.example/older"));
        write("one/results-10/icsp.yaml", rule("m.example/newer"));
        let at = |path: &str| place.path().join(path);
        assert_eq!(first_place(&[at("plain")]), ["m.example/plain", "up.example/a"]);
        assert_eq!(first_place(&[at("plain/idms.yaml")]), ["m.example/plain", "up.example/a"]);
        assert_eq!(first_place(&[at("two")]), ["m.example/two", "up.example/a"]);
        assert_eq!(first_place(&[at("one")]), ["m.example/newer", "up.example/a"]);
        assert_eq!(first_place(&[at("two"), at("plain")]), ["m.example/two", "m.example/plain", "up.example/a"]);
        assert!(read_rules(&[at("nothing")], &Limits::default()).is_err());
    }

    #[test]
    fn a_file_that_does_not_decode_makes_the_answer_incomplete() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("a.yaml"), "kind: [").unwrap();
        std::fs::write(place.path().join("b.yaml"), rule("m.example/b")).unwrap();
        let read = read_rules(&[place.path().to_owned()], &Limits::default()).unwrap();
        assert!(read.is_incomplete && read.findings.len() == 1 && read.rules.len() == 1);
    }
}
