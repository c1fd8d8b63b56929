//! Every rule with a catalog that keeps it and one that breaks it: a change of the valid catalog, and all that is found.

use super::{changed, codes_of};

type Change = (&'static str, &'static str);

/// What is changed, and the codes that come of it.
const CASES: &[(&[Change], &[&str])] = &[
    // Packages.
    (
        &[("name: p\ndefault", "name: P\ndefault")],
        &["bad-package-name", "no-channels", "default-channel-missing", "unknown-package"],
    ),
    (
        &[("schema: olm.package", "schema: olm.package\nname: p\ndefaultChannel: s\n---\nschema: olm.package")],
        &["duplicate-package"],
    ),
    (
        &[("package: p\nname: s", "package: q\nname: s")],
        &["bundle-in-no-channel", "default-channel-missing", "missing-bundle", "no-channels", "unknown-package"],
    ),
    (&[("defaultChannel: s\n", "")], &["no-default-channel"]),
    (&[("defaultChannel: s", "defaultChannel: t")], &["default-channel-missing"]),
    // Channels.
    (
        &[("package: p\nname: s", "package: p\nname: ''"), ("defaultChannel: s", "defaultChannel: ''")],
        &["empty-channel-name", "no-default-channel"],
    ),
    (
        &[(
            "---\nschema: olm.channel",
            "---\nschema: olm.channel\npackage: p\nname: s\nentries: [{name: p.v1.0.0}]\n---\nschema: olm.channel",
        )],
        &["bundle-in-no-channel", "duplicate-channel"],
    ),
    (
        &[("---\nschema: olm.channel", "---\nschema: olm.channel\npackage: p\nname: t\n---\nschema: olm.channel")],
        &["empty-channel"],
    ),
    (&[("- name: p.v1.0.0\n", "- name: p.v1.0.0\n- name: p.v1.0.0\n")], &["duplicate-entry"]),
    (&[("- name: p.v1.0.0\n", "- name: p.v1.0.0\n  skips: [p.v1.1.0]\n")], &["downgrade-edge", "no-head"]),
    (&[("  replaces: p.v1.0.0\n", "")], &["multiple-heads"]),
    (&[("  replaces: p.v1.0.0\n", "  skipRange: '>=1.0.0 <1.1.0'\n")], &["multiple-heads"]),
    (&[("  replaces: p.v1.0.0\n", "  skips: [p.v1.0.0]\n")], &[]),
    (&[("- name: p.v1.1.0\n  replaces: p.v1.0.0", "- name: p.v1.1.0\n  skips: ['', p.v1.0.0]")], &["empty-skip"]),
    (&[("  replaces: p.v1.0.0\n", "  replaces: p.v1.0.0\n  skips: [p.v1.0.5]\n")], &["skips-unknown"]),
    (&[("- name: p.v1.0.0\n", "- name: p.v1.0.0\n  replaces: p.v0.9.0\n")], &["replaces-unknown"]),
    // Ranges.
    (&[("  replaces: p.v1.0.0\n", "  replaces: p.v1.0.0\n  skipRange: '>=1.0.0 <1.1.0'\n")], &[]),
    (&[("  replaces: p.v1.0.0\n", "  replaces: p.v1.0.0\n  skipRange: '>=1.0.0, <1.1.0'\n")], &["bad-skip-range"]),
    (
        &[("  replaces: p.v1.0.0\n", "  replaces: p.v1.0.0\n  skipRange: '>=1.1.0 <1.0.0'\n")],
        &["skip-range-matches-nothing"],
    ),
    (&[("  replaces: p.v1.0.0\n", "  replaces: p.v1.0.0\n  skipRange: '<=1.1.0'\n")], &["skip-range-matches-self"]),
    (
        &[("- name: p.v1.0.0\n", "- name: p.v1.0.0\n  skipRange: '<1.0.0 || =1.1.0'\n")],
        &["downgrade-edge", "skip-range-matches-newer"],
    ),
    // Bundles.
    (&[("- name: p.v1.1.0\n  replaces: p.v1.0.0\n", "")], &["bundle-in-no-channel"]),
    (
        &[
            ("- name: p.v1.0.0\n", "- name: p.v1.0.0\n- name: p.v1.0.9\n  skips: [p.v1.0.0]\n"),
            ("replaces: p.v1.0.0", "replaces: p.v1.0.9"),
        ],
        &["missing-bundle"],
    ),
    (
        &[(
            "---\nschema: olm.bundle",
            "---\nschema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: a\nproperties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}]\n---\nschema: olm.bundle",
        )],
        &["duplicate-bundle"],
    ),
    (
        &[("- type: olm.package\n  value: {packageName: p, version: 1.0.0}", "- type: other\n  value: 1")],
        &["no-package-property"],
    ),
    (
        &[(
            "- type: olm.package\n",
            "- {type: olm.package, value: {packageName: p, version: 1.0.0}}\n- type: olm.package\n",
        )],
        &["many-package-properties"],
    ),
    (&[("packageName: p, version: 1.0.0", "packageName: q, version: 1.0.0")], &["package-property-mismatch"]),
    (&[("packageName: p, version: 1.0.0", "packageName: p, version: v1.0.0")], &["bad-version"]),
    (&[("packageName: p, version: 1.0.0", "packageName: p, version: 1.1.0")], &["duplicate-version"]),
    (&[("packageName: p, version: 1.0.0", "packageName: p, version: 1.1.0+2")], &[]),
    (&[("version: 1.0.0}", "version: 1.0.0, release: '01'}")], &["bad-release"]),
    (&[("version: 1.0.0}", "version: 1.0.0, release: '1'}")], &["bad-release-name"]),
    (&[("version: 1.0.0}", "version: 1.0.0+7, release: '1'}")], &["bad-release-name", "release-with-build-metadata"]),
    (&[("image: host.example/p:1\n", "")], &["no-image"]),
    (
        &[
            ("image: host.example/p:1\n", ""),
            ("properties:\n", "properties:\n- {type: olm.bundle.object, value: {data: e30=}}\n"),
        ],
        &[],
    ),
    (&[("host.example/p:1", "host.example/P:1")], &["bad-image-reference"]),
    (
        &[(
            "image: host.example/p:1\n",
            "image: host.example/p:1\nrelatedImages: [{name: '', image: host.example/p:1}, {name: x, image: ''}]\n",
        )],
        &[],
    ),
    (
        &[("image: host.example/p:1\n", "image: host.example/p:1\nrelatedImages: [{name: x, image: a:b:c}]\n")],
        &["bad-image-reference", "image-not-in-related-images"],
    ),
    (
        &[("properties:\n", "properties:\n- {type: olm.gvk, value: {group: g, version: v1, kind: 1}}\n")],
        &["bad-property"],
    ),
    (&[("properties:\n", "properties:\n- {type: olm.bundle.object, value: {data: '%'}}\n")], &["bad-property"]),
    (&[("properties:\n", "properties:\n- {type: olm.constraint, value: {all: 1}}\n")], &["bad-constraint"]),
    (&[("properties:\n", "properties:\n- {type: olm.maxOpenShiftVersion, value: '4.10'}\n")], &[]),
    (&[("properties:\n", "properties:\n- {type: olm.maxOpenShiftVersion, value: 4.12}\n")], &["yaml-1-1-scalar"]),
    (
        &[(
            "properties:\n",
            "properties:\n- {type: olm.csv.metadata, value: {annotations: {olm.skipRange: <1.0.0}}}\n",
        )],
        &["skip-range-annotation-ignored"],
    ),
    (
        &[
            (
                "properties:\n",
                "properties:\n- {type: olm.csv.metadata, value: {annotations: {olm.skipRange: <1.0.0}}}\n",
            ),
            ("- name: p.v1.0.0\n", "- name: p.v1.0.0\n  skipRange: <1.0.0\n"),
        ],
        &[],
    ),
    // Documents.
    (&[("name: p\ndefault", "name: p\nname: p\ndefault")], &["duplicate-key"]),
    (&[("schema: olm.package", "schema: olm.package\ndescription: [a]")], &["decode-error", "unknown-package"]),
    (&[("---\nschema: olm.channel", "---\n\n---\nschema: olm.channel")], &["missing-schema"]),
    (
        &[("---\nschema: olm.channel", "---\nschema: some.other\npackage: [1]\n---\nschema: olm.channel")],
        &["decode-error"],
    ),
    (&[("---\nschema: olm.channel", "---\nschema: some.other\nx: [1]\n---\nschema: olm.channel")], &[]),
];

#[test]
fn each_change_breaks_what_it_should_and_nothing_else() {
    for (changes, expected) in CASES {
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(codes_of(&changed(changes)), expected, "{changes:?}");
    }
}

/// What replaces and skips make of a chain, for a third entry.
#[test]
fn chains() {
    let third = |second: &str, third: &str| {
        changed(&[
            (
                "- name: p.v1.1.0\n  replaces: p.v1.0.0\n",
                &format!("- name: p.v1.1.0\n{second}- name: p.v1.2.0\n{third}"),
            ),
            (
                "---\nschema: olm.bundle",
                "---\nschema: olm.bundle\npackage: p\nname: p.v1.2.0\nimage: a\nproperties: [{type: olm.package, value: {packageName: p, version: 1.2.0}}]\n---\nschema: olm.bundle",
            ),
        ])
    };
    let replaces_first = "  replaces: p.v1.0.0\n";
    assert!(codes_of(&third(replaces_first, "  replaces: p.v1.1.0\n")).is_empty());
    assert_eq!(codes_of(&third(replaces_first, "  replaces: p.v1.1.0\n  skips: [p.v1.1.0]\n")), ["stranded-bundle"]);
    assert_eq!(
        codes_of(&third("  replaces: p.v1.1.0\n", "  replaces: p.v1.1.0\n  skips: [p.v1.0.0]\n")),
        ["replaces-cycle"]
    );
}

fn deprecating(entry: &str) -> String {
    changed(&[]) + "---\nschema: olm.deprecations\npackage: p\nentries:\n" + entry
}

#[test]
fn deprecations() {
    let good = [
        "- {reference: {schema: olm.package}, message: gone}\n",
        "- {reference: {schema: olm.bundle, name: p.v1.0.0}, message: gone}\n",
    ];
    assert_eq!(codes_of(&deprecating(good[0])), ["package-deprecated"]);
    assert!(codes_of(&deprecating(good[1])).is_empty(), "an old bundle that is deprecated is no news");
    assert_eq!(codes_of(&deprecating(&good.concat())), ["package-deprecated"]);
    let bad = [
        "- {reference: {schema: olm.package, name: p}, message: gone}\n",
        "- {reference: {schema: olm.package}}\n",
        "- {reference: {name: s}, message: gone}\n",
        "- {reference: {schema: olm.channel, name: t}, message: gone}\n",
        "- {reference: {schema: olm.bundle, name: p.v9.9.9}, message: gone}\n",
        "- {reference: {schema: olm.other, name: x}, message: gone}\n",
        "- {reference: {schema: olm.bundle, name: p.v1.0.0}, message: a}\n- {reference: {schema: olm.bundle, name: p.v1.0.0}, message: b}\n",
    ];
    for entry in bad {
        assert_eq!(codes_of(&deprecating(entry)), ["bad-deprecation"], "{entry}");
    }
    let twice = deprecating(good[1]) + "---\nschema: olm.deprecations\npackage: p\n";
    assert_eq!(codes_of(&twice), ["bad-deprecation"]);
    for package in ["", "q"] {
        let elsewhere = changed(&[]) + &format!("---\nschema: olm.deprecations\npackage: '{package}'\n");
        assert_eq!(codes_of(&elsewhere), ["bad-deprecation"], "{package:?}");
    }
}

#[test]
fn what_is_deprecated_and_still_leads() {
    let of = |reference: &str| codes_of(&deprecating(&format!("- {{reference: {{{reference}}}, message: gone}}\n")));
    assert_eq!(of("schema: olm.bundle, name: p.v1.1.0"), ["head-deprecated"]);
    assert_eq!(of("schema: olm.channel, name: s"), ["default-channel-deprecated"]);
}
