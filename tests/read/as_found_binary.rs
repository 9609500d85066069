//! Binary files, archives and folders as programs write them: each gives NetworkX's figures, or one message, and
//! works with the options that the message names. `tests/as-found/README.md` says what is in the manifest.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use rayon::prelude::*;
use serde_json::Value;
use testkit::places;

/// The folder of the files and their manifests.
pub fn folder() -> PathBuf {
    places::root().join("tests/as-found")
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().map_or(Vec::new(), |list| list.iter().filter_map(Value::as_str).collect())
}

/// The report, or the error's only line.
pub fn count(path: &str, options: &[&str]) -> Result<Value, String> {
    let mut command = Command::new(places::command(env!("CARGO_BIN_EXE_tribin")));
    command.args(["count", "--device", "cpu", "--threads", "2", "--json", "--quiet"]);
    let output = command.args(options).arg(folder().join(path)).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    if output.status.success() {
        return Ok(serde_json::from_slice(&output.stdout).unwrap());
    }
    assert_eq!(output.status.code(), Some(1), "{path}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{path}: {stderr}");
    assert!(output.stdout.is_empty(), "{path}: an error and a report");
    Err(stderr)
}

/// What is wrong with a case.
fn check(case: &Value) -> Option<String> {
    let path = case["path"].as_str().unwrap();
    let features = [("parquet", cfg!(feature = "parquet")), ("arrow", cfg!(feature = "arrow"))];
    for need in texts(&case["needs"]) {
        if features.contains(&(need, false)) {
            // What is left out is said.
            let error = count(path, &[]).err().unwrap_or_default();
            let named = error.contains(&format!("without its feature `{need}`"));
            return (!named).then(|| format!("{path}: {error}"));
        }
    }
    let mut options = texts(&case["args"]);
    if let Some(message) = case["error"].as_str() {
        match count(path, &options) {
            Err(error) if error.contains(message) => {}
            other => return Some(format!("{path}: `{message}` is not in {other:?}")),
        }
        options = texts(&case["fixed"]);
        if options.is_empty() {
            return None;
        }
    }
    let found = match count(path, &options) {
        Ok(found) => found,
        Err(error) => return Some(format!("{path} {options:?}: {error}")),
    };
    let differs = |key: &&str| found[*key] != case[*key];
    let key = ["triangles", "edges", "vertices"].into_iter().find(differs)?;
    Some(format!("{path} {options:?}: {} {key}, not {}", found[key], case[key]))
}

#[test]
fn binary_files_as_programs_write_them() {
    let manifest = std::fs::read_to_string(folder().join("binary/manifest.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&manifest).unwrap();
    assert!(cases.len() >= 110, "{} cases", cases.len());
    let paths: BTreeSet<&str> = cases.iter().filter_map(|case| case["path"].as_str()).collect();
    assert_eq!(paths.len(), cases.len(), "a path has two cases");
    let wrong: Vec<String> = cases.par_iter().filter_map(check).collect();
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}
