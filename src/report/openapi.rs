//! The published JSON Schemas, and the OpenAPI description of the static API.
//!
//! Rule: JSON Schema draft 2020-12, as derived from the view models by schemars; OpenAPI 3.1, whose schema dialect is the
//! same draft, so that it can refer to those files. Both are checked in, and a test compares them with the types: nobody
//! changes what is published without seeing it. Cost: a few milliseconds.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::schema::{
    ApiIndex, BundleDocument, CatalogView, CheckView, ClusterContentsView, FindingsView, InventoryView, LifecycleIndex,
    MirrorDiffView, MissingView, Overview, PackageView, PathView, ReleaseDocument, ReleasesIndex, SCHEMA_VERSION,
};

/// A document type: the name of its schema, its schema, and where the static API holds such documents.
struct DocumentType {
    name: &'static str,
    schema: fn() -> Schema,
    place: Option<Place>,
}

/// A path of the static API, with the names in braces that vary.
struct Place {
    path: &'static str,
    summary: &'static str,
    variables: &'static [&'static str],
}

const DOCUMENTS: [DocumentType; 15] = [
    served::<Overview>("report", "/report.json", "Summary, verdict, inputs with their digests, coverage", &[]),
    served::<ApiIndex>("index", "/api/v1/index.json", "Every document of the static API", &[]),
    served::<CatalogView>(
        "catalog",
        "/api/v1/catalogs/{catalog}.json",
        "One catalog: its packages, and the findings that belong to none of them",
        &["catalog"],
    ),
    served::<PackageView>(
        "package",
        "/api/v1/packages/{catalog}/{package}.json",
        "One package: channels, bundles, edges, and what each engine makes of them",
        &["catalog", "package"],
    ),
    served::<BundleDocument>(
        "bundle",
        "/api/v1/bundles/{catalog}/{bundle}.json",
        "The contents of one bundle: ClusterServiceVersion, objects, annotations, dependencies",
        &["catalog", "bundle"],
    ),
    served::<ReleasesIndex>(
        "releases",
        "/api/v1/platform/releases.json",
        "Every release payload that was read, with its digest",
        &[],
    ),
    served::<ReleaseDocument>(
        "release",
        "/api/v1/platform/releases/{release}.json",
        "One release payload: version, images, components, admin gates",
        &["release"],
    ),
    served::<ClusterContentsView>(
        "cluster-contents",
        "/api/v1/clusters/{cluster}/contents.json",
        "What the dump of one cluster holds, what it lacks, and the commands that collect that",
        &["cluster"],
    ),
    served::<FindingsView>("findings", "/api/v1/findings.json", "Everything noticed, worst first", &[]),
    served::<LifecycleIndex>(
        "lifecycle",
        "/api/v1/lifecycle.json",
        "The lifecycle phase of every bundle that states one",
        &[],
    ),
    DocumentType { name: "check", schema: schema_of::<CheckView>, place: None },
    DocumentType { name: "path", schema: schema_of::<PathView>, place: None },
    served::<InventoryView>(
        "mirror-inventory",
        "/api/v1/mirror/inventory.json",
        "What lies in the mirrors: repositories, tags, images, signatures of releases",
        &[],
    ),
    served::<MissingView>(
        "mirror-missing",
        "/api/v1/mirror/missing.json",
        "What catalogs and payloads need, and what of it the mirrors lack",
        &[],
    ),
    DocumentType { name: "mirror-diff", schema: schema_of::<MirrorDiffView>, place: None },
];

const fn served<T: JsonSchema>(
    name: &'static str,
    path: &'static str,
    summary: &'static str,
    variables: &'static [&'static str],
) -> DocumentType {
    DocumentType { name, schema: schema_of::<T>, place: Some(Place { path, summary, variables }) }
}

/// The schema of a type as it is written: a field that is always there is required, even where it may be null.
fn schema_of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// Every published schema: its name, which is that of its file without `.json`, and its text. In a fixed order.
#[must_use]
pub fn schemas() -> Vec<(&'static str, String)> {
    DOCUMENTS.iter().map(|document| (document.name, text(&(document.schema)().to_value()))).collect()
}

/// The OpenAPI document of the static API. It refers to `schemas/*.json` beside it.
///
/// ```
/// assert!(skipstone::report::openapi::openapi().contains("\"openapi\": \"3.1.0\""));
/// ```
#[must_use]
pub fn openapi() -> String {
    let paths: serde_json::Map<String, Value> = DOCUMENTS
        .iter()
        .filter_map(|document| {
            document.place.as_ref().map(|place| (place.path.to_owned(), operation(document.name, place)))
        })
        .collect();
    text(&json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "skipstone report",
            "version": SCHEMA_VERSION.to_string(),
            "description": "The files of a report, served as they lie. Within one version fields may be added; they are \
                            never renamed and never change their meaning.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": ".", "description": "The report's own directory"}],
        "paths": paths,
    }))
}

fn operation(name: &str, place: &Place) -> Value {
    let parameters: Vec<Value> = place
        .variables
        .iter()
        .map(|variable| {
            json!({
                "name": variable,
                "in": "path",
                "required": true,
                "description": format!("The {variable} as the paths in index.json name it"),
                "schema": {"type": "string"},
            })
        })
        .collect();
    let found = json!({
        "description": place.summary,
        "content": {"application/json": {"schema": {"$ref": format!("schemas/{name}.json")}}},
    });
    let mut get = json!({"operationId": name, "summary": place.summary, "responses": {"200": found}});
    if let (Some(get), false) = (get.as_object_mut(), parameters.is_empty()) {
        get.insert("parameters".into(), Value::Array(parameters));
        if let Some(responses) = get.get_mut("responses").and_then(Value::as_object_mut) {
            responses.insert("404".into(), json!({"description": "The report holds no such document"}));
        }
    }
    json!({"get": get})
}

fn text(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::*;

    /// The checked-in file, after writing it anew where `SKIPSTONE_BLESS=1` asks for that.
    fn checked_in(relative: &str, current: &str) -> String {
        let file: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports").join(relative);
        if std::env::var_os("SKIPSTONE_BLESS").is_some_and(|value| value == "1") {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, current).unwrap();
        }
        std::fs::read_to_string(&file).unwrap_or_default()
    }

    #[test]
    fn published_schemas_are_those_of_the_types() {
        for (name, current) in schemas() {
            let published = checked_in(&format!("schemas/{name}.json"), &current);
            assert!(published == current, "reports/schemas/{name}.json drifted; SKIPSTONE_BLESS=1 writes it anew");
        }
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/schemas");
        let files: BTreeSet<String> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(files, schemas().into_iter().map(|(name, _)| format!("{name}.json")).collect());
    }

    #[test]
    fn the_published_description_is_that_of_the_types() {
        let current = openapi();
        assert!(checked_in("openapi.json", &current) == current, "reports/openapi.json drifted; see SKIPSTONE_BLESS");
    }

    #[test]
    fn a_nullable_field_is_required() {
        let schema: Value = schema_of::<super::super::schema::FindingView>().to_value();
        assert!(schema["required"].as_array().unwrap().contains(&json!("hint")));
        assert_eq!(schema["properties"]["hint"]["type"], json!(["string", "null"]));
    }

    #[test]
    fn every_variable_of_a_path_is_a_parameter() {
        let description: Value = serde_json::from_str(&openapi()).unwrap();
        let package = &description["paths"]["/api/v1/packages/{catalog}/{package}.json"]["get"];
        let names: Vec<_> =
            package["parameters"].as_array().unwrap().iter().map(|parameter| &parameter["name"]).collect();
        assert_eq!(names, ["catalog", "package"]);
        assert_eq!(
            package["responses"]["200"]["content"]["application/json"]["schema"]["$ref"],
            "schemas/package.json"
        );
        assert_eq!(description["paths"].as_object().unwrap().len(), 12);
    }
}
