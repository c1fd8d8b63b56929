//! One catalog, one bundle and one payload: as directories, and as images that umoci made of them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::tools::{run, text};

/// The repository and the tag that each image has in every shape that keeps them.
pub(crate) const CATALOG: (&str, &str) = ("redhat/harbour-index", "v4.18");
pub(crate) const BUNDLE: (&str, &str) = ("harbour/harbour-bundle", "v1.1.0");
pub(crate) const PAYLOAD: (&str, &str) = ("openshift/release-images", "4.18.2-x86_64");
/// The three with the name of their image in the layout.
pub(crate) const IMAGES: [(&str, (&str, &str)); 3] = [("catalog", CATALOG), ("bundle", BUNDLE), ("payload", PAYLOAD)];

/// Where the samples lie.
pub(crate) struct Samples {
    place: TempDir,
}

impl Samples {
    /// Makes the directories and the layout with three images.
    pub(crate) fn new() -> Self {
        let samples = Self { place: tempfile::tempdir().unwrap() };
        write_bundle(&samples.bundle());
        write_payload(&samples.payload());
        let layout = samples.layout();
        run("umoci", &["init", "--layout", text(&layout)]);
        samples.image("bundle", &[("manifests", "/manifests"), ("metadata", "/metadata")], &samples.bundle());
        let labels = [
            ("mediatype.v1", "registry+v1"),
            ("manifests.v1", "manifests/"),
            ("metadata.v1", "metadata/"),
            ("package.v1", "harbour"),
            ("channels.v1", "stable"),
            ("channel.default.v1", "stable"),
        ];
        for (label, value) in labels {
            samples.label("bundle", &format!("operators.operatorframework.io.bundle.{label}"), value);
        }
        let payload = [("manifests", "/manifests"), ("release-manifests", "/release-manifests")];
        samples.image("payload", &payload, &samples.payload());
        samples.label("payload", "io.openshift.release", "4.18.2");
        write_catalog(&samples.configs(), &samples.digest("bundle"));
        samples.image("catalog", &[("configs", "/configs")], samples.place.path());
        samples.label("catalog", "operators.operatorframework.io.index.configs.v1", "/configs");
        samples
    }

    /// The directory of the file-based catalog.
    pub(crate) fn configs(&self) -> PathBuf {
        self.place.path().join("configs")
    }

    /// The directory of the bundle.
    pub(crate) fn bundle(&self) -> PathBuf {
        self.place.path().join("bundle")
    }

    /// The directory of the extracted payload.
    pub(crate) fn payload(&self) -> PathBuf {
        self.place.path().join("payload")
    }

    /// The OCI layout, in which the images have the tags `catalog`, `bundle` and `payload`.
    pub(crate) fn layout(&self) -> PathBuf {
        self.place.path().join("layout")
    }

    /// The digest of an image.
    pub(crate) fn digest(&self, image: &str) -> String {
        self.descriptor(image)["digest"].as_str().unwrap().to_owned()
    }

    /// The descriptor of an image.
    pub(crate) fn descriptor(&self, image: &str) -> Value {
        let index = json_file(&self.layout().join("index.json"));
        let named = |descriptor: &&Value| descriptor["annotations"]["org.opencontainers.image.ref.name"] == image;
        index["manifests"].as_array().unwrap().iter().find(named).unwrap().clone()
    }

    /// The file of a blob.
    pub(crate) fn blob(&self, digest: &str) -> PathBuf {
        self.layout().join("blobs").join(digest.replace(':', "/"))
    }

    /// The manifest of an image.
    pub(crate) fn manifest(&self, image: &str) -> Value {
        json_file(&self.blob(&self.digest(image)))
    }

    /// Digests of configuration and layers of an image.
    pub(crate) fn blobs_of(&self, image: &str) -> Vec<String> {
        let manifest = self.manifest(image);
        let layers = manifest["layers"].as_array().unwrap();
        let digests = std::iter::once(&manifest["config"]).chain(layers).map(|blob| &blob["digest"]);
        digests.map(|digest| digest.as_str().unwrap().to_owned()).collect()
    }

    fn image(&self, name: &str, directories: &[(&str, &str)], from: &Path) {
        let image = format!("{}:{name}", text(&self.layout()));
        run("umoci", &["new", "--image", &image]);
        run("umoci", &["config", "--image", &image, "--architecture", "amd64", "--os", "linux"]);
        for (directory, at) in directories {
            run("umoci", &["insert", "--rootless", "--image", &image, text(&from.join(directory)), at]);
        }
    }

    fn label(&self, name: &str, label: &str, value: &str) {
        let image = format!("{}:{name}", text(&self.layout()));
        run("umoci", &["config", "--image", &image, "--config.label", &format!("{label}={value}")]);
    }
}

/// A JSON file.
pub(crate) fn json_file(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

/// Writes a file and the directories above it.
pub(crate) fn write(file: &Path, content: impl AsRef<[u8]>) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, content).unwrap();
}

/// A catalog without a fault: two bundles in one channel, of which the newer one is in the mirror.
fn write_catalog(configs: &Path, bundle_digest: &str) {
    let bundle = |version: &str, digest: &str| {
        let image = format!("registry.example.com/{}@{digest}", BUNDLE.0);
        json!({
            "schema": "olm.bundle", "package": "harbour", "name": format!("harbour.v{version}"), "image": image,
            "properties": [{"type": "olm.package", "value": {"packageName": "harbour", "version": version}}],
            "relatedImages": [{"name": "", "image": image}],
        })
    };
    let documents = [
        json!({"schema": "olm.package", "name": "harbour", "defaultChannel": "stable"}),
        json!({
            "schema": "olm.channel", "package": "harbour", "name": "stable",
            "entries": [{"name": "harbour.v1.0.0"}, {"name": "harbour.v1.1.0", "replaces": "harbour.v1.0.0"}],
        }),
        bundle("1.0.0", &format!("sha256:{}", "0a".repeat(32))),
        bundle("1.1.0", bundle_digest),
    ];
    let lines: Vec<String> = documents.iter().map(Value::to_string).collect();
    write(&configs.join("harbour/catalog.json"), lines.join("\n") + "\n");
}

fn write_bundle(place: &Path) {
    let service_version = json!({
        "apiVersion": "operators.coreos.com/v1alpha1", "kind": "ClusterServiceVersion",
        "metadata": {"name": "harbour.v1.1.0"},
        "spec": {
            "version": "1.1.0", "replaces": "harbour.v1.0.0", "displayName": "Harbour", "minKubeVersion": "1.27.0",
            "installModes": [{"type": "AllNamespaces", "supported": true}],
            "install": {"strategy": "deployment", "spec": {"deployments": [], "clusterPermissions": []}},
            "customresourcedefinitions": {"owned": [{"name": "berths.example.com", "version": "v1", "kind": "Berth"}]},
        },
    });
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "berths.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": {"plural": "berths", "kind": "Berth"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}}],
        },
    });
    write(&place.join("manifests/harbour.clusterserviceversion.json"), service_version.to_string());
    write(&place.join("manifests/berths.crd.json"), definition.to_string());
    let annotations = [
        ("mediatype.v1", "registry+v1"),
        ("manifests.v1", "manifests/"),
        ("metadata.v1", "metadata/"),
        ("package.v1", "harbour"),
        ("channels.v1", "stable"),
        ("channel.default.v1", "stable"),
    ];
    let mut text = "annotations:\n".to_owned();
    for (name, value) in annotations {
        text.push_str(&format!("  operators.operatorframework.io.bundle.{name}: {value}\n"));
    }
    write(&place.join("metadata/annotations.yaml"), text);
}

/// A payload with one component, and an admin gate in the layer below.
fn write_payload(place: &Path) {
    let component = format!("quay.example.com/release@sha256:{}", "22".repeat(32));
    let references = json!({
        "kind": "ImageStream", "apiVersion": "image.openshift.io/v1", "metadata": {"name": "4.18.2"},
        "spec": {"tags": [{"name": "cli", "from": {"kind": "DockerImage", "name": component}}]},
    });
    let metadata = json!({
        "kind": "cincinnati-metadata-v0", "version": "4.18.2", "previous": ["4.17.20", "4.18.1"],
        "metadata": {"url": "https://example.com/errata"},
    });
    let gates = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "admin-gates", "namespace": "openshift-config-managed"},
        "data": {"ack-4.18-kube-1.32-api-removals-in-4.19": "Look at the removed interfaces."},
    });
    write(&place.join("release-manifests/image-references"), references.to_string());
    write(&place.join("release-manifests/release-metadata"), metadata.to_string());
    write(&place.join("manifests/0000_90_admin-gates.json"), gates.to_string());
}
