//! The names of types, which are unique in the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::places;

/// The folders of the workspace's own code. What kernels and the toolkit's device side declare is a part of the hash of their PTX,
/// and lives within one kernel.
const FOLDERS: &str = "host generate bench python/src xtask/src toolkit/builder/src toolkit/cuda/src \
                       toolkit/emulator/src toolkit/harness/src";

/// Names that several types have by convention: each crate's errors, each part's options, and the arguments of a task of xtask.
const SHARED: [&str; 4] = ["Args", "Error", "Options", "Result"];

/// Words that say nothing of what they name.
const EMPTY: [&str; 8] = ["Around", "Asked", "Begun", "Crew", "Held", "Made", "Taken", "Told"];

/// Adds the types that the files below a path declare, with these files. A type within a trait is the trait's.
fn add(path: &Path, found: &mut BTreeMap<String, BTreeSet<String>>) {
    let name = path.file_name().unwrap().to_string_lossy();
    if name.starts_with("tests") || name.ends_with("tests.rs") {
        return;
    }
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| add(&entry.unwrap().path(), found));
    } else if name.ends_with(".rs") {
        let text = fs::read_to_string(path).unwrap();
        for line in text.split("\nmod tests {").next().unwrap().lines() {
            let words = line
                .split_whitespace()
                .skip_while(|word| word.starts_with("pub") || *word == "unsafe");
            let mut words = words.take(2);
            let is_type = match words.next() {
                Some("type") => !line.starts_with(' '),
                word => matches!(word, Some("struct" | "enum" | "union" | "trait")),
            };
            let rest = words.next().filter(|_| is_type).unwrap_or_default();
            let name = rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap();
            found.entry(name.to_owned()).or_default().insert(path.display().to_string());
        }
    }
}

#[test]
fn types_have_names_of_their_own() {
    let mut found = BTreeMap::new();
    FOLDERS.split(' ').for_each(|folder| add(&places::root().join(folder), &mut found));
    found.remove("");
    assert!(found.len() > 800, "{} types", found.len());
    found.retain(|name, files| {
        !SHARED.contains(&&**name) && files.len() > 1 || EMPTY.contains(&&**name)
    });
    assert!(found.is_empty(), "{found:#?}");
}
