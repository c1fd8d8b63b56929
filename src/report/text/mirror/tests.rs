//! What people read of mirrors.

use super::*;
use crate::report::sample_mirror as sample;

#[test]
fn an_inventory_reads_from_store_to_image() {
    assert_eq!(
        inventory_text(&sample::inventory(), Style::default()),
        "storage (registry-storage)\n\
         \x20 birds/gull: 1 image, 1.5 KiB\n\
         \x20   sha256:aaaaaaaaaaaa  bundle                  1.5 KiB  v1, v2\n\
         \x20     1 part is missing or damaged\n\
         \x20     linux/amd64, linux/arm64 (absent)\n\
         \x20     package gull\n\
         \x20     note: a note\n\
         \n\
         1 repository, 1 image, 1.5 KiB (what images share counted once)\n"
    );
}

#[test]
fn a_missing_image_comes_once_with_all_that_need_it() {
    assert_eq!(
        missing_text(&sample::missing(), Style::default()),
        "absent (manifest-absent)  up.example/gull:1\n\
         \x20     reason of manifest-absent\n\
         \x20     needed by gull.v1, gull.v2\n\
         \n\
         gull in c: 1 of 2 images cannot be pulled; 2.0 KiB, 1.0 KiB of it for this package alone, and 1 image of unknown size\n\
         2 images: 1 present, 1 absent; 2.0 KiB needed, 2.0 KiB here, 0 bytes to carry, and 1 image of unknown size\n"
    );
}

#[test]
fn changes_are_lines_and_none_is_said() {
    let mut diff = sample::mirror_diff();
    assert_eq!(
        mirror_diff_text(&diff, Style::default()),
        "warning tag-moved  repository a, tag v1  sha256:000000000000 → sha256:111111111111\n1 change\n"
    );
    diff.changes.clear();
    assert_eq!(mirror_diff_text(&diff, Style::default()), "nothing changed\n");
}

#[test]
fn attack_names_that_steer_the_terminal() {
    let order = "\u{1b}[2J";
    let mut inventory = sample::inventory();
    inventory.repositories[0].name = order.into();
    inventory.repositories[0].images[0].tags = vec![order.into()];
    inventory.repositories[0].images[0].instances[0].platform = Some(order.into());
    inventory.stores[0].place = order.into();
    let mut missing = sample::missing();
    missing.bundles[0].bundle = order.into();
    missing.bundles[0].images[0].reference = order.into();
    missing.packages[0].catalog = order.into();
    let mut diff = sample::mirror_diff();
    diff.changes[0].new = Some(order.into());
    diff.changes[0].subject.tag = Some(order.into());
    let style = Style::default();
    for text in [inventory_text(&inventory, style), missing_text(&missing, style), mirror_diff_text(&diff, style)] {
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}
