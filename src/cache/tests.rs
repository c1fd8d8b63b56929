use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use super::*;

const FACTS: Stage = Stage { name: "facts", version: 2 };
const OLDER_FACTS: Stage = Stage { name: "facts", version: 1 };
const LAYERS: Stage = Stage { name: "layers", version: 1 };

fn key(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

fn cache_in(place: &Path) -> Cache {
    Cache::open(Some(place.join("cache")))
}

/// A cache with one pack of two facts and one object.
fn filled_cache(place: &Path) -> Cache {
    let cache = cache_in(place);
    cache.store_pack(FACTS, [(key("a"), "1"), (key("b"), "2")]);
    cache.put_object(LAYERS, &key("layer"), b"documents");
    assert_eq!(cache.warnings(), []);
    cache
}

fn object_path(place: &Path) -> PathBuf {
    place.join("cache/layers-v1").join(object::relative_path(&key("layer")))
}

fn problems(cache: &Cache) -> Vec<CacheProblem> {
    cache.warnings().into_iter().map(|warning| warning.problem).collect()
}

#[test]
fn what_is_stored_is_found_by_the_next_run() {
    let place = tempfile::tempdir().unwrap();
    drop(filled_cache(place.path()));
    let cache = cache_in(place.path());
    let pack = cache.load_pack(FACTS);
    assert_eq!((pack.len(), pack.get(&key("b"))), (2, Some(b"2".as_slice())));
    assert_eq!(pack.get(&key("c")), None);
    assert_eq!(cache.get_object(LAYERS, &key("layer")), Some(b"documents".to_vec()));
    assert_eq!(cache.get_object(LAYERS, &key("other")), None);
    assert_eq!(cache.warnings(), []);
}

#[test]
fn the_directory_is_tagged_and_for_its_owner_alone() {
    let place = tempfile::tempdir().unwrap();
    filled_cache(place.path());
    let tag = fs::read_to_string(place.path().join("cache/CACHEDIR.TAG")).unwrap();
    assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));
    for directory in ["cache", "cache/layers-v1"] {
        assert_eq!(fs::metadata(place.path().join(directory)).unwrap().permissions().mode() & 0o777, 0o700);
    }
}

#[test]
fn another_version_sees_nothing_and_no_problem() {
    let place = tempfile::tempdir().unwrap();
    let cache = filled_cache(place.path());
    assert!(cache.load_pack(OLDER_FACTS).is_empty());
    assert_eq!(cache.get_object(Stage { version: 2, ..LAYERS }, &key("layer")), None);
    assert_eq!(cache.warnings(), []);
}

#[test]
fn broken_files_are_ignored_with_one_warning_a_stage_and_healed() {
    let place = tempfile::tempdir().unwrap();
    drop(filled_cache(place.path()));
    for path in [place.path().join("cache/facts-v2.pack"), object_path(place.path())] {
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
    }
    let cache = cache_in(place.path());
    assert!(cache.load_pack(FACTS).is_empty());
    assert_eq!(cache.get_object(LAYERS, &key("layer")), None);
    assert_eq!(cache.get_object(LAYERS, &key("layer")), None);
    let counts: Vec<_> =
        cache.warnings().iter().map(|warning| (warning.problem, warning.stage, warning.count)).collect();
    assert_eq!(counts, [(CacheProblem::Broken, Some(FACTS), 1), (CacheProblem::Broken, Some(LAYERS), 2)]);

    drop(filled_cache(place.path()));
    let healed = cache_in(place.path());
    assert_eq!(healed.load_pack(FACTS).len(), 2);
    assert!(healed.get_object(LAYERS, &key("layer")).is_some());
    assert_eq!(healed.warnings(), []);
}

#[test]
fn foreign_files_under_our_names_are_ignored_with_a_warning() {
    let place = tempfile::tempdir().unwrap();
    let cache = cache_in(place.path());
    fs::write(place.path().join("cache/facts-v2.pack"), "a letter").unwrap();
    fs::write(place.path().join("cache/facts-v1.pack"), "").unwrap();
    fs::create_dir(place.path().join("cache/layers-v1.pack")).unwrap();
    for stage in [FACTS, OLDER_FACTS, LAYERS] {
        assert!(cache.load_pack(stage).is_empty());
    }
    assert_eq!(problems(&cache), [CacheProblem::Broken; 3]);
}

#[test]
fn a_foreign_directory_is_neither_read_nor_written() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("cache")).unwrap();
    fs::write(place.path().join("cache/letter"), "dear").unwrap();
    let cache = cache_in(place.path());
    cache.store_pack(FACTS, [(key("a"), "1")]);
    cache.put_object(LAYERS, &key("layer"), b"x");
    assert!(cache.load_pack(FACTS).is_empty());
    assert_eq!(cache.prune(&[]), Pruned::default());
    assert_eq!(problems(&cache), [CacheProblem::Unusable]);
    assert_eq!(fs::read_dir(place.path().join("cache")).unwrap().count(), 1);
}

#[test]
fn a_place_where_nothing_can_be_written_is_a_warning() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("file"), "").unwrap();
    let below_a_file = Cache::open(Some(place.path().join("file/cache")));
    below_a_file.store_pack(FACTS, [(key("a"), "1")]);
    assert_eq!(problems(&below_a_file), [CacheProblem::Unusable]);

    let cache = cache_in(place.path());
    fs::write(place.path().join("cache/layers-v1"), "a file where a directory should be").unwrap();
    cache.put_object(LAYERS, &key("1"), b"x");
    cache.put_object(LAYERS, &key("2"), b"x");
    assert_eq!(problems(&cache), [CacheProblem::NotStored]);
    assert_eq!(cache.warnings().first().unwrap().count, 2);
}

#[test]
fn a_cache_that_is_off_holds_nothing() {
    let cache = Cache::open(None);
    cache.store_pack(FACTS, [(key("a"), "1")]);
    cache.put_object(LAYERS, &key("layer"), b"x");
    assert!(cache.load_pack(FACTS).is_empty());
    assert_eq!(cache.get_object(LAYERS, &key("layer")), None);
    assert_eq!(cache.info(&[FACTS]), CacheInfo { dir: None, stages: vec![] });
    assert_eq!(cache.warnings(), []);
}

#[test]
fn an_unchanged_pack_is_not_written_again() {
    let place = tempfile::tempdir().unwrap();
    let cache = filled_cache(place.path());
    let path = place.path().join("cache/facts-v2.pack");
    let before = fs::metadata(&path).unwrap().ino();
    cache.store_pack(FACTS, [(key("b"), "2"), (key("a"), "1")]);
    assert_eq!(fs::metadata(&path).unwrap().ino(), before);
    cache.store_pack(FACTS, [(key("b"), "2"), (key("a"), "0")]);
    assert_eq!(cache.load_pack(FACTS).get(&key("a")), Some(b"0".as_slice()));
}

#[test]
fn writers_at_the_same_time_leave_whole_files() {
    let place = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let place = place.path();
            scope.spawn(move || {
                let cache = cache_in(place);
                for _ in 0..20 {
                    cache.store_pack(FACTS, [(key("a"), format!("{writer}").repeat(1000))]);
                    cache.put_object(LAYERS, &key("layer"), format!("{writer}").repeat(1000).as_bytes());
                    assert_eq!(cache.load_pack(FACTS).len(), 1);
                    assert_eq!(cache.get_object(LAYERS, &key("layer")).unwrap().len(), 1000);
                }
                assert_eq!(cache.warnings(), []);
            });
        }
    });
    assert_eq!(fs::read_dir(place.path().join("cache")).unwrap().count(), 3);
}

#[test]
fn a_stage_name_that_could_leave_the_directory_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let cache = cache_in(place.path());
    cache.store_pack(Stage { name: "../up", version: 1 }, [(key("a"), "1")]);
    assert_eq!(problems(&cache), [CacheProblem::Unusable]);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
}

#[test]
fn the_inventory_counts_entries_and_bytes() {
    let place = tempfile::tempdir().unwrap();
    let cache = filled_cache(place.path());
    let info = cache.info(&[FACTS]);
    assert_eq!(info.dir.as_deref(), place.path().join("cache").to_str());
    let facts =
        StageInfo { name: "facts".to_owned(), version: 2, current: true, entries: 2, bytes: 24 + 5 + 2 * 48 + 2 + 32 };
    let layers = StageInfo { name: "layers".to_owned(), version: 1, current: false, entries: 1, bytes: 76 + 9 };
    assert_eq!(info.stages, [facts, layers]);
}

#[test]
fn pruning_keeps_current_stages_and_foreign_files() {
    let place = tempfile::tempdir().unwrap();
    let cache = filled_cache(place.path());
    cache.store_pack(OLDER_FACTS, [(key("a"), "1")]);
    let root = place.path().join("cache");
    // The last of these is a whole pack of ours under a name that is not its own.
    fs::write(root.join("notes-v1.pack"), "mine").unwrap();
    fs::write(root.join("layers-v1/readme"), "mine").unwrap();
    fs::copy(root.join("facts-v1.pack"), root.join("copy-v1.pack")).unwrap();
    std::os::unix::fs::symlink(root.join("facts-v2.pack"), root.join("link-v1.pack")).unwrap();
    fs::copy(root.join("facts-v2.pack"), root.join(".skipstone-1-0.part")).unwrap();

    let pruned = cache.prune(&[FACTS]);
    // The older pack, the object and the unfinished pack.
    let sizes = [24 + 5 + 48 + 1 + 32, 76 + 9, 24 + 5 + 2 * 48 + 2 + 32];
    assert_eq!(pruned, Pruned { files: 3, bytes: sizes.iter().sum() });
    assert_eq!(cache.load_pack(FACTS).len(), 2);
    for name in ["notes-v1.pack", "layers-v1/readme", "copy-v1.pack", "link-v1.pack", "CACHEDIR.TAG"] {
        assert!(fs::symlink_metadata(root.join(name)).is_ok(), "{name}");
    }
    assert!(!object_path(place.path()).parent().unwrap().exists());
    assert_eq!(cache.prune(&[]).files, 1);
    assert_eq!(cache.info(&[]).stages, []);
    assert_eq!(cache.warnings(), []);
}
