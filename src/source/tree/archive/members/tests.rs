use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn members(paths: &[&str]) -> Members {
    let mut members = Members::new(MemberLimits::default());
    for (start, path) in paths.iter().enumerate() {
        members.add_file(path, 0, start as u64, 1).unwrap();
    }
    members.sort();
    members
}

#[test]
fn a_path_is_cut_before_its_last_two_names() {
    for (path, parts) in [
        ("a/b/c/d", ("a/b", "c/d")),
        ("a/b/c", ("a", "b/c")),
        ("a/b", ("", "a/b")),
        ("a", ("", "a")),
        ("a/a/a/a", ("a/a", "a/a")),
        ("", ("", "")),
    ] {
        assert_eq!(stem_and_tail(path), parts, "{path}");
    }
}

#[test]
fn the_last_of_one_path_stays() {
    let members = members(&["a/b/c", "x", "a/b/c", "x", "y"]);
    assert_eq!(members.find("a/b/c").unwrap().start, 2);
    assert_eq!(members.find("x").unwrap().start, 3);
    assert_eq!(members.names("").into_iter().collect::<Vec<_>>(), ["a", "x", "y"]);
}

#[test]
fn names_around_the_slash_are_kept_apart() {
    let members = members(&["a-b/c/d/e", "a/b/c/d", "a.b/c/d/f", "a0/c/d/e", "a/x"]);
    assert_eq!(members.names("").into_iter().collect::<Vec<_>>(), ["a", "a-b", "a.b", "a0"]);
    assert_eq!(members.names("a").into_iter().collect::<Vec<_>>(), ["b", "x"]);
    assert!(members.is_directory("a/b/c") && !members.is_directory("a/b/c/d") && !members.is_directory("a/bc"));
}

#[test]
fn more_members_and_more_text_than_allowed_are_refused() {
    let mut few = Members::new(MemberLimits { members: 1, text_bytes: 100 });
    few.add_file("a", 0, 0, 0).unwrap();
    assert_eq!(few.add_file("b", 0, 0, 0), Err(TooManyMembers::Members(1)));
    let mut short = Members::new(MemberLimits { members: 9, text_bytes: 10 });
    short.add_file("stem/a/bcdef", 0, 0, 0).unwrap_err();
    short.add_link("a", MemberKind::SymbolicLink, "0123456789").unwrap_err();
}

#[test]
fn a_member_is_small() {
    assert!(size_of::<Member>() <= 32);
}

#[test]
fn an_entry_of_a_registry_takes_no_more_than_120_bytes() {
    let mut members = Members::new(MemberLimits::default());
    let storage = "docker/registry/v2";
    for number in 0..2000_u32 {
        let hex = format!("{number:064x}");
        let shard = number % 256;
        members.add_file(&format!("{storage}/blobs/sha256/{shard:02x}/{hex}/data"), 0, 0, 0).unwrap();
        let repository = format!("{storage}/repositories/openshift-release-dev/name-{}", number % 20);
        members.add_file(&format!("{repository}/_layers/sha256/{hex}/link"), 0, 0, 0).unwrap();
        members.add_file(&format!("{repository}/_manifests/revisions/sha256/{hex}/link"), 0, 0, 0).unwrap();
    }
    members.sort();
    // A stem costs its text and what a map keeps for it: no more than 64 bytes.
    let bytes = members.members.capacity() * size_of::<Member>()
        + members.text.capacity()
        + members.stem_bytes
        + members.stems.len() * 64;
    assert!(bytes / 6000 <= 120, "{} bytes for each entry", bytes / 6000);
}

/// The slow second version: whole paths in a map.
struct Plain(BTreeMap<String, u64>);

impl Plain {
    fn names(&self, directory: &str) -> Vec<&str> {
        let below = self.0.keys().filter_map(|path| match directory {
            "" => Some(path.as_str()),
            _ => path.strip_prefix(directory)?.strip_prefix('/'),
        });
        let names: BTreeSet<&str> = below.map(first_name).collect();
        names.into_iter().collect()
    }
}

proptest! {
    #[test]
    fn all_answers_are_those_of_a_map_of_whole_paths(
        paths in prop::collection::vec(prop::collection::vec("[ab.0-]{1,2}", 1..6), 0..40),
        asked in prop::collection::vec("[ab.0-]{1,2}", 0..5),
    ) {
        let mut plain = Plain(BTreeMap::new());
        let mut members = Members::new(MemberLimits::default());
        for (start, path) in paths.iter().enumerate() {
            let path = path.join("/");
            members.add_file(&path, 0, start as u64, 1).unwrap();
            plain.0.insert(path, start as u64);
        }
        members.sort();
        for path in plain.0.keys().cloned().chain([asked.join("/")]) {
            prop_assert_eq!(members.find(&path).map(|member| member.start), plain.0.get(&path).copied());
            for directory in [path.as_str(), path.rsplit_once('/').map_or("", |(parent, _)| parent)] {
                prop_assert_eq!(members.names(directory).into_iter().collect::<Vec<_>>(), plain.names(directory));
                let has_names = !plain.names(directory).is_empty();
                prop_assert_eq!(members.is_directory(directory), has_names || directory.is_empty());
            }
        }
    }
}
