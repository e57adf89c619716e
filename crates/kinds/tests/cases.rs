//! The kinds, held to the cases that the client library is held to as well.
#![allow(clippy::unwrap_used, reason = "the functions are parts of a test")]

use std::fs;
use std::path::Path;

use qrpress_kinds::Kind;
use serde_json::{Value, json};

fn cases() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/kinds/cases.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_case_has_its_data_or_is_refused_by_field() {
    let cases = cases();
    let mut wrong = Vec::new();
    for case in cases["cases"].as_array().unwrap() {
        let kind = Kind::of_name(case["kind"].as_str().unwrap()).unwrap();
        let values: Vec<&str> = kind
            .fields()
            .iter()
            .map(|field| case["fields"][field.name].as_str().unwrap_or_default())
            .collect();
        let found = match kind.compose(&values) {
            Ok(data) => json!({ "data": data }),
            Err(fault) => json!({ "refused": fault.field }),
        };
        let expected = if case["data"].is_null() {
            json!({ "refused": case["refused"] })
        } else {
            json!({ "data": case["data"] })
        };
        if found != expected {
            wrong.push(format!("{case}\n  found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_kinds_have_their_fields() {
    let cases = cases();
    let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), cases["kinds"].as_object().unwrap().len());
    for kind in Kind::ALL {
        let fields: Vec<&str> = kind.fields().iter().map(|field| field.name).collect();
        let required: Vec<&str> =
            kind.fields().iter().filter(|field| field.is_required).map(|field| field.name).collect();
        assert_eq!(
            json!({ "fields": fields, "required": required }),
            cases["kinds"][kind.name()],
            "{kind:?}"
        );
    }
    assert_eq!(Kind::of_name("letter"), None);
}
