use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::*;

/// A directory with these files, each with its own path as content.
fn tree(files: &[&str]) -> TempDir {
    let root = TempDir::new().unwrap();
    for file in files {
        write(root.path(), file, file);
    }
    root
}

fn write(root: &Path, file: &str, text: &str) {
    let place = root.join(file);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, text).unwrap();
}

fn walked(root: &Path) -> CatalogTree {
    walk_catalog(root, &SourceLimits::default()).unwrap()
}

fn paths(tree: &CatalogTree) -> Vec<&str> {
    tree.files.iter().map(|file| file.path.as_str()).collect()
}

fn faults(tree: &CatalogTree) -> Vec<(&str, FileFaultKind)> {
    tree.faults.iter().map(|fault| (fault.path.as_str(), fault.kind)).collect()
}

#[test]
fn every_file_counts_whatever_its_name_in_the_order_of_paths() {
    let root = tree(&["b/catalog.yaml", "a.json", "README.md", "b/.hidden", "b-c/x"]);
    assert_eq!(paths(&walked(root.path())), ["README.md", "a.json", "b-c/x", "b/.hidden", "b/catalog.yaml"]);
}

#[test]
fn an_empty_directory_is_a_catalog_without_files() {
    let root = TempDir::new().unwrap();
    fs::create_dir(root.path().join("empty")).unwrap();
    let tree = walked(root.path());
    assert!(tree.files.is_empty() && tree.skipped.is_empty() && tree.faults.is_empty());
}

#[test]
fn a_single_file_is_a_catalog_of_one_file() {
    let root = tree(&["a.yaml"]);
    let tree = walked(&root.path().join("a.yaml"));
    assert_eq!(tree.files, [TreeFile { path: "a.yaml".into(), place: root.path().join("a.yaml"), bytes: 6 }]);
}

#[test]
fn what_is_not_there_is_an_error() {
    let root = TempDir::new().unwrap();
    let missing = walk_catalog(&root.path().join("none"), &SourceLimits::default());
    assert!(matches!(missing, Err(SourceError::Io { .. })));
}

#[test]
fn ignore_files_of_all_directories_count_and_are_no_catalog_files() {
    let root = tree(&["README.md", "p/notes.md", "p/catalog.yaml", "q/catalog.yaml"]);
    write(root.path(), ".indexignore", "*.md\n");
    write(root.path(), "q/.indexignore", "catalog.yaml\n");
    let tree = walked(root.path());
    assert_eq!(paths(&tree), ["p/catalog.yaml"]);
    let skipped: Vec<&str> = tree.skipped.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(skipped, ["README.md", "p/notes.md", "q/catalog.yaml"]);
}

#[test]
fn a_link_to_a_file_inside_is_read_like_a_file() {
    let root = tree(&["a.yaml"]);
    symlink("a.yaml", root.path().join("b.yaml")).unwrap();
    let tree = walked(root.path());
    assert_eq!(paths(&tree), ["a.yaml", "b.yaml"]);
    assert_eq!(tree.files[1].place.file_name().unwrap(), "a.yaml");
}

#[test]
fn a_link_out_of_the_directory_is_not_followed() {
    let outside = tree(&["secret"]);
    let root = tree(&["a.yaml"]);
    symlink(outside.path().join("secret"), root.path().join("b.yaml")).unwrap();
    symlink(outside.path(), root.path().join("c")).unwrap();
    let tree = walked(root.path());
    assert_eq!(paths(&tree), ["a.yaml"]);
    assert_eq!(faults(&tree), [("b.yaml", FileFaultKind::Unreadable), ("c", FileFaultKind::Unreadable)]);
}

#[test]
fn a_link_to_a_directory_fails_and_is_not_entered() {
    let root = tree(&["p/a.yaml"]);
    symlink("p", root.path().join("q")).unwrap();
    let tree = walked(root.path());
    assert_eq!(paths(&tree), ["p/a.yaml"]);
    assert_eq!(faults(&tree), [("q", FileFaultKind::Catalog)]);
}

#[test]
fn a_dangling_link_and_a_link_to_itself_are_unreadable() {
    let root = tree(&[]);
    symlink("none", root.path().join("a")).unwrap();
    symlink("b", root.path().join("b")).unwrap();
    let tree = walked(root.path());
    assert_eq!(faults(&tree), [("a", FileFaultKind::Unreadable), ("b", FileFaultKind::Unreadable)]);
}

#[test]
fn what_an_ignore_file_names_is_not_even_looked_at() {
    let root = tree(&["a.yaml"]);
    write(root.path(), ".indexignore", "link\n");
    symlink("none", root.path().join("link")).unwrap();
    assert!(walked(root.path()).faults.is_empty());
}

#[test]
fn a_socket_is_not_opened() {
    let root = tree(&["a.yaml"]);
    let _socket = std::os::unix::net::UnixListener::bind(root.path().join("s")).unwrap();
    let tree = walked(root.path());
    assert_eq!(paths(&tree), ["a.yaml"]);
    assert_eq!(faults(&tree), [("s", FileFaultKind::Unreadable)]);
    let only = walk_catalog(&root.path().join("s"), &SourceLimits::default());
    assert!(matches!(only, Err(SourceError::Unsuitable { .. })));
}

#[test]
fn a_pipe_is_not_opened() {
    let root = tree(&[]);
    let made = std::process::Command::new("mkfifo").arg(root.path().join("p")).status();
    if made.is_ok_and(|status| status.success()) {
        assert_eq!(faults(&walked(root.path())), [("p", FileFaultKind::Unreadable)]);
    }
}

#[test]
fn a_closed_directory_is_a_fault_and_the_rest_is_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let root = tree(&["a.yaml", "closed/b.yaml"]);
    let closed = root.path().join("closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let (open_to_us, tree) = (fs::read_dir(&closed).is_ok(), walked(root.path()));
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    if !open_to_us {
        assert_eq!(paths(&tree), ["a.yaml"]);
        assert_eq!(faults(&tree), [("closed", FileFaultKind::Unreadable)]);
    }
}

#[test]
fn limits_hold_and_name_what_they_leave_out() {
    let root = tree(&["a.yaml", "b.yaml", "d/e/f.yaml"]);
    let at = |limits: SourceLimits| walk_catalog(root.path(), &limits).unwrap();
    let deep = at(SourceLimits { depth: 2, ..SourceLimits::default() });
    assert_eq!((paths(&deep), faults(&deep)), (vec!["a.yaml", "b.yaml"], vec![("d/e", FileFaultKind::Limit)]));
    let many = at(SourceLimits { files: 2, ..SourceLimits::default() });
    assert_eq!((paths(&many).len(), faults(&many)), (2, vec![("d/e/f.yaml", FileFaultKind::Limit)]));
    let large = at(SourceLimits { file_bytes: 6, ..SourceLimits::default() });
    assert_eq!((paths(&large), faults(&large)), (vec!["a.yaml", "b.yaml"], vec![("d/e/f.yaml", FileFaultKind::Limit)]));
    write(root.path(), ".indexignore", "*.yaml\n");
    let ignored = at(SourceLimits { ignore_bytes: 6, ..SourceLimits::default() });
    assert_eq!((paths(&ignored).len(), faults(&ignored)), (3, vec![(".indexignore", FileFaultKind::Limit)]));
}
