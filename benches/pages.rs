//! Speed of rendering the page of a package: a made one with long chains in several channels, and real ones from the
//! documents that `SKIPSTONE_PACKAGE_DOCUMENTS` names, separated by colons (`api/v1/packages/…` of a report).

#![allow(missing_docs, clippy::expect_used)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};
use skipstone::report::html::Pages;
use skipstone::report::schema::PackageView;

/// A package of `length` bundles, all of which stand in each of the channels as one chain.
fn package(channels: usize, length: usize) -> Value {
    let name = |number: usize| format!("heron.v1.{}.{}", number / 10, number % 10);
    let names: Vec<String> = (0..length).map(name).collect();
    let channel_names: Vec<String> = (0..channels).map(|number| format!("stable-{number}")).collect();
    let bundle = |(number, name): (usize, &String)| {
        json!({
            "name": name, "in_catalog": true, "version": format!("1.{}.{}", number / 10, number % 10), "release": null,
            "image": format!("registry.example/heron@sha256:{number:064x}"), "channels": channel_names, "deprecated": null,
            "min_kube_version": "1.25.0", "max_openshift_version": null, "requires": [], "forbidden": false,
            "lifecycle": {"known": false, "reason": "not stated", "phase": null, "ends": null, "days_left": null},
        })
    };
    let entry = |number: usize| {
        let replaces = number.checked_sub(1).map(name);
        json!({"name": name(number), "replaces": replaces, "skips": [], "skip_range": null})
    };
    let channel = |(number, channel): (usize, &String)| {
        let entries: Vec<Value> = (0..length).map(entry).collect();
        json!({"name": channel, "default": number == 0, "deprecated": null, "heads": [name(length - 1)], "entries": entries})
    };
    let edge = |channel: &str, from: usize| json!({"channel": channel, "from": name(from), "to": name(from + 1), "via": ["replaces"]});
    let walk = |number: usize| {
        let next = (number + 1 < length).then(|| name(number + 1));
        let onward: Vec<usize> = (number + 1..length).collect();
        json!({
            "status": if next.is_some() { "reachable" } else { "up-to-date" }, "next": next, "candidates": [],
            "path": onward, "reaches": onward,
            "reasons": [{"code": "path/at-head", "message": format!("{} is the head of the channel", name(length - 1))}],
        })
    };
    let from: serde_json::Map<String, Value> = (0..length).map(|number| (name(number), walk(number))).collect();
    let walks = json!({"error": null, "from": from, "others": []});
    let by_channel: serde_json::Map<String, Value> =
        channel_names.iter().map(|channel| (channel.clone(), walks.clone())).collect();
    json!({
        "schema_version": 1, "catalog": "made", "package": "heron", "display_name": "Heron", "description": null,
        "provider": null, "valid": true, "default_channel": "stable-0", "deprecated": null, "names": names,
        "bundles": names.iter().enumerate().map(bundle).collect::<Vec<_>>(),
        "channels": channel_names.iter().enumerate().map(channel).collect::<Vec<_>>(),
        "edges": channel_names.iter().flat_map(|channel| (0..length - 1).map(move |from| edge(channel, from))).collect::<Vec<_>>(),
        "engines": {"olm-v0": by_channel, "olm-v1": by_channel, "olm-v1-all-channels": walks},
        "findings": [],
    })
}

fn rendering(criterion: &mut Criterion) {
    let pages = Pages::new().expect("the templates are whole");
    let mut views: Vec<PackageView> =
        vec![serde_json::from_value(package(4, 100)).expect("the made package is a view")];
    for path in std::env::var("SKIPSTONE_PACKAGE_DOCUMENTS").iter().flat_map(|paths| paths.split(':')) {
        let text = std::fs::read_to_string(path).expect("the document can be read");
        views.push(serde_json::from_str(&text).expect("the document is one of a package"));
    }
    let mut group = criterion.benchmark_group("pages");
    for view in &views {
        group.bench_function(format!("{}/{}", view.catalog, view.package), |bench| {
            bench.iter(|| pages.render_package(black_box(view)));
        });
    }
    group.finish();
}

criterion_group!(benches, rendering);
criterion_main!(benches);
