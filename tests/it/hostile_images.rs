//! Images whose layers, configurations and manifests attack whoever reads them, by the whole program.

use serde_json::json;

use crate::image_builder::{CATALOG_LABEL, INDEX_TYPE, Images, Tar, gzip, gzip_hard, header};
use crate::site::{Site, heron};

const MEBIBYTE: usize = 1 << 20;

/// The layer of an honest catalog, to which an attack is added.
fn honest() -> Tar {
    let (path, text) = heron();
    Tar::with(path, text)
}

fn site_of(layer: Tar) -> Site {
    Site::layout(&Images::catalog(&[gzip(&layer.finish())]))
}

#[test]
fn an_honest_image_is_read_whole() {
    let scanned = site_of(honest()).scan();
    assert_eq!((scanned.answer.code(), scanned.findings.len()), (0, 0), "{:#?}", scanned.findings);
    scanned.has_read(&["heron"]);
}

#[test]
fn attack_names_in_a_layer_that_leave_the_image() {
    for name in ["../../../outside.yaml", "configs/../../../outside.yaml", "/../outside.yaml"] {
        let scanned = site_of(honest().file(name, "schema: olm.package\nname: x\n")).scan();
        scanned.tells(3, "input/unreadable", "outside.yaml");
        scanned.has_read(&["heron"]);
    }
}

/// Whoever unpacks as root would write to `/etc`; here both are names inside the image.
#[test]
fn attack_absolute_names_stay_inside_the_image() {
    let (path, text) = heron();
    let layer = Tar::with(&format!("/{path}"), text).file("/etc/skipstone-was-here", "x");
    let scanned = site_of(layer).scan();
    assert_eq!(scanned.answer.code(), 0, "{}", scanned.answer.err);
    scanned.has_read(&["heron"]);
    assert!(!std::path::Path::new("/etc/skipstone-was-here").exists());
}

#[test]
fn attack_symbolic_links_out_of_the_image() {
    let site = Site::new();
    let absolute = site.path("outside.yaml").display().to_string();
    for target in ["../../../../outside.yaml", "../../outside.yaml", &absolute[..absolute.len().min(100)]] {
        let scanned = site_of(honest().special(b'2', "configs/link.yaml", target)).scan();
        scanned.tells(3, "input/unreadable", "link.yaml");
        scanned.has_read(&["heron"]);
    }
    let round = honest().special(b'2', "configs/a.yaml", "b.yaml").special(b'2', "configs/b.yaml", "a.yaml");
    let scanned = site_of(round).scan();
    assert!(scanned.findings.iter().any(|(_, path, message)| path.contains("a.yaml") && message.contains("circle")));
    scanned.has_read(&["heron"]);
}

#[test]
fn attack_hard_links_out_of_the_image() {
    for target in ["../../outside.yaml", "/../outside.yaml"] {
        let scanned = site_of(honest().special(b'1', "configs/link.yaml", target)).scan();
        scanned.tells(3, "input/unreadable", "link.yaml");
        scanned.has_read(&["heron"]);
    }
}

#[test]
fn attack_a_link_in_the_place_of_the_catalog() {
    let layer = Tar::default().special(b'2', "configs", "../../../../..");
    let scanned = site_of(layer).scan();
    scanned.fails("leads out of the image");
}

#[test]
fn attack_devices_and_pipes_in_a_layer() {
    for kind in [b'3', b'4', b'6'] {
        let scanned = site_of(honest().special(kind, "configs/device.yaml", "")).scan();
        scanned.tells(3, "input/unreadable", "device.yaml");
        scanned.has_read(&["heron"]);
    }
}

/// Names are foreign text: they stay one JSON string, and steer no terminal.
#[test]
fn attack_names_with_control_characters() {
    let package = "schema: example\n";
    let layer = honest()
        .file("configs/\u{1b}[2J\u{1b}]0;owned\u{7}.yaml", package)
        .file("configs/line\r\nfeed.yaml", package)
        .file("configs/\u{202e}right-to-left.yaml", package)
        .file_of_any_name(b"configs/nul\0byte.yaml", package)
        .file_of_any_name(b"configs/latin-\xe9.yaml", package);
    let site = site_of(layer);
    let scanned = site.scan();
    assert_eq!(scanned.answer.code(), 3, "{}", scanned.answer.err);
    scanned.tells(3, "input/unreadable", "latin-");
    scanned.has_read(&["heron"]);
    let foreign = |text: &str| text.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}');
    assert!(!foreign(&scanned.answer.out) && !foreign(&scanned.answer.err), "{:?}", scanned.answer);
    for (path, bytes) in &scanned.report {
        let text = std::str::from_utf8(bytes).unwrap();
        assert!(!text.contains(['\u{1b}', '\u{7}', '\0']), "{}", path.display());
        if path.extension().is_some_and(|end| end == "json" || end == "sarif") {
            serde_json::from_str::<serde_json::Value>(text).unwrap();
        }
    }
    for format in ["text", "json", "github", "markdown"] {
        let source = site.mirror().display().to_string();
        let answer = crate::program::finish(site.confined().args(["catalog", "check", &source, "--format", format]));
        answer.code();
        assert!(!foreign(&answer.out) && !foreign(&answer.err), "{format}: {answer:?}");
    }
}

/// 300 MiB of zeros, wherever it stands: a file of the catalog, one beside it, and behind the end of the archive.
#[test]
fn attack_bombs_of_gzip_and_zstd() {
    let zeros = vec![0; 300 * MEBIBYTE];
    let inside = honest().file("configs/zeros.yaml", &zeros).finish();
    let beside = honest().file("usr/zeros", &zeros).finish();
    let behind = [honest().finish(), zeros].concat();
    for (name, layer) in [("inside", inside), ("beside", beside), ("behind", behind)] {
        for packed in [gzip_hard(&layer), zstd::encode_all(layer.as_slice(), 1).unwrap()] {
            assert!(packed.len() < 4 * MEBIBYTE, "{name}");
            let scanned = Site::layout(&Images::catalog(&[packed])).scan();
            // Inside of the catalog a document without end is told before the bomb.
            scanned.fails(if name == "inside" { "no document ends within" } else { "decompression bomb" });
        }
    }
}

/// An entry that states a length beyond all bounds, so that whoever trusts it reserves or skips that much.
#[test]
fn attack_an_entry_that_lies_about_its_length() {
    for stated in [1 << 20, 8 << 30, 1 << 62] {
        for name in ["configs/long.yaml", "usr/long"] {
            let layer = honest().entry(b'0', name.as_bytes(), "", stated, b"short").unfinished();
            let scanned = Site::layout(&Images::catalog(&[gzip(&layer)])).scan();
            scanned.fails("the archive ends inside");
        }
    }
}

/// A million entries, outside of the catalog and inside of it.
#[test]
fn attack_a_layer_of_a_million_entries() {
    for directory in ["usr/", "configs/"] {
        let mut layer = honest().unfinished();
        for number in 0..1_000_000 {
            layer.extend(numbered(&format!("{directory}{number:06}")));
        }
        layer.resize(layer.len() + 1024, 0);
        let scanned = Site::layout(&Images::catalog(&[gzip(&layer)])).scan();
        match directory {
            "usr/" => {
                assert_eq!(scanned.answer.code(), 0, "{}", scanned.answer.err);
                scanned.has_read(&["heron"]);
            }
            _ => scanned.fails("more than 1000000 entries"),
        }
    }
}

/// The header of an empty file; only the digits of its name and the sum over them are not those of the first one.
fn numbered(path: &str) -> [u8; 512] {
    thread_local!(static FIRST: [[u8; 512]; 2] = ["usr/000000", "configs/000000"].map(|path| header(b'0', path.as_bytes(), "", 0)));
    let mut block = FIRST.with(|first| first[usize::from(path.starts_with("configs/"))]);
    block[..path.len()].copy_from_slice(path.as_bytes());
    let digits: u32 = path.bytes().rev().take(6).map(|digit| u32::from(digit - b'0')).sum();
    let octal = std::str::from_utf8(&block[148..155]).unwrap();
    let sum = u32::from_str_radix(octal, 8).unwrap() + digits;
    block[148..155].copy_from_slice(format!("{sum:07o}").as_bytes());
    block
}

#[test]
fn attack_a_manifest_of_a_hundred_thousand_layers() {
    let mut images = Images::default();
    let layer = images.blob("application/vnd.oci.image.layer.v1.tar", honest().finish());
    let image = images.image_of(&json!({CATALOG_LABEL: "/configs"}), &vec![layer; 100_000]);
    images.tag("v1", image);
    let scanned = Site::layout(&images).scan();
    scanned.fails("more than 1000 layers");
}

#[test]
fn attack_a_configuration_of_a_hundred_megabytes() {
    let mut images = Images::default();
    let layer = images.blob("application/vnd.oci.image.layer.v1.tar", honest().finish());
    let config =
        format!("{{\"config\": {{\"Labels\": {{\"{CATALOG_LABEL}\": \"/configs\"}}}}{}}}", " ".repeat(100 * MEBIBYTE));
    let config = images.blob("application/vnd.oci.image.config.v1+json", config);
    let image = images.manifest(&config, &[layer]);
    images.tag("v1", image);
    let scanned = Site::layout(&images).scan();
    scanned.fails("more than 16777216");
}

#[test]
fn attack_a_label_that_leads_out_of_the_image() {
    for label in ["../../..", "/configs/../../..", "..", "/a/../.."] {
        let mut images = Images::default();
        let image = images.image(&json!({CATALOG_LABEL: label}), &[honest().finish()]);
        images.tag("v1", image);
        let scanned = Site::layout(&images).scan();
        scanned.fails("leads out of the image");
    }
}

/// No index can hold its own digest, but a chain can be long and an index can be wide.
#[test]
fn attack_indexes_in_indexes() {
    for (depth, is_read) in [(5, true), (6, false), (40, false)] {
        let mut images = Images::catalog(&[honest().finish()]);
        let mut member = images.top.remove(0);
        member["annotations"] = json!({});
        for _ in 0..depth {
            member = images.index(&[member]);
        }
        images.tag("v1", member);
        let scanned = Site::layout(&images).scan();
        match is_read {
            true => scanned.has_read(&["heron"]),
            false => scanned.fails("deeper than 5 indexes"),
        }
    }
}

#[test]
fn attack_an_index_of_ten_thousand_members() {
    let member = |number: usize| json!({"mediaType": INDEX_TYPE, "digest": format!("sha256:{number:064x}"), "size": 2});
    let mut images = Images::catalog(&[honest().finish()]);
    let image = images.top.remove(0);
    let mut members: Vec<_> = (1..10_000).map(member).collect();
    members.push(json!({"mediaType": image["mediaType"], "digest": image["digest"], "size": image["size"],
        "platform": {"os": "linux", "architecture": "amd64"}}));
    let wide = images.index(&members);
    images.tag("v1", wide);
    Site::layout(&images).scan().has_read(&["heron"]);
    members.push(member(10_000));
    images.top.clear();
    let wider = images.index(&members);
    images.tag("v1", wider);
    Site::layout(&images).scan().fails("more than 10000");
}
