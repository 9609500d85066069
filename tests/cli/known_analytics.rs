//! Per-vertex, per-edge and truss results of every reference graph against those of NetworkX, NetworKit
//! and GraphBLAS (tests/data/analytics.tsv, made by tests/oracle/analytics.py), through the command: on the
//! CPU, and on a GPU where there is one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};
use testkit::{effort, places, reference, skip};

use super::analytics::TABLES;
use super::devices;

/// A row of tests/data/analytics.tsv.
struct Known {
    file: PathBuf,
    vertices: u64,
    edges: u64,
    triangles: u64,
    transitivity: f64,
    average_clustering: f64,
    degeneracy: u64,
    max_truss: u64,
    /// SHA-256 of the rows of `tribin local`, `support` and `truss`.
    tables: [String; 3],
}

/// Edges of a graph that a quick run takes in every test.
const FEW: u64 = 30_000;

/// The graphs that are there: all with the reference data, the karate club without. A quick run takes one in six of those with more than
/// [`FEW`] edges, for each test others.
fn known(test: usize) -> Vec<Known> {
    let table = fs::read_to_string(places::root().join("tests/data/analytics.tsv")).unwrap();
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(
        lines.next().unwrap(),
        "file\tvertices\tedges\ttriangles\ttransitivity\taverage_clustering\tdegeneracy\tmax_truss\t\
         local\tsupport\ttruss"
    );
    let rows: Vec<Known> = lines.map(row).collect();
    assert_eq!(rows.len(), 34);
    let (there, missing): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.file.exists());
    if !missing.is_empty() {
        skip::part(reference::WITHOUT);
    }
    assert!(!there.is_empty());
    let (mut known, large): (Vec<_>, Vec<_>) = there.into_iter().partition(|row| row.edges <= FEW);
    known.extend(effort::some(large, test, 6));
    known
}

fn row(line: &str) -> Known {
    let fields: Vec<&str> = line.split('\t').collect();
    let number = |column: usize| fields[column].parse::<u64>().unwrap();
    let file = match fields[0] {
        "karate.mtx" => places::root().join("tests/data/karate.mtx"),
        name => places::data().join(name),
    };
    Known {
        file,
        vertices: number(1),
        edges: number(2),
        triangles: number(3),
        transitivity: fields[4].parse().unwrap(),
        average_clustering: fields[5].parse().unwrap(),
        degeneracy: number(6),
        max_truss: number(7),
        tables: [fields[8], fields[9], fields[10]].map(str::to_owned),
    }
}

/// Every graph on every device.
fn runs(test: usize) -> impl Iterator<Item = (Known, &'static str)> {
    let of = move |device| known(test).into_iter().map(move |known| (known, device));
    devices().into_iter().flat_map(of)
}

fn tribin(args: &[&str], file: &Path) -> Vec<u8> {
    let output = Command::new(places::command(env!("CARGO_BIN_EXE_tribin")))
        .args(args)
        .arg(file)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The rows of a table as the command writes it to a .npy file: 8-byte words, row by row.
fn rows(args: &[&str], file: &Path) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.npy");
    tribin(&[args, &["--quiet", "-o", path.to_str().unwrap()]].concat(), file);
    let mut bytes = fs::read(path).unwrap();
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    bytes.drain(..header);
    bytes
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn statistics_are_those_of_networkx() {
    for (known, device) in runs(0) {
        let output = tribin(&["stats", "--json", "--quiet", "--device", device], &known.file);
        let stats: serde_json::Value = serde_json::from_slice(&output).unwrap();
        let name = format!("{} on {device}", known.file.display());
        assert_eq!(stats["device"], device, "{name}");
        for (key, value) in [
            ("vertices", known.vertices),
            ("edges", known.edges),
            ("triangles", known.triangles),
            ("degeneracy", known.degeneracy),
        ] {
            assert_eq!(stats[key], value, "{key} of {name}");
        }
        for (key, value) in
            [("transitivity", known.transitivity), ("average_clustering", known.average_clustering)]
        {
            let error = (stats[key].as_f64().unwrap() - value).abs();
            assert!(error <= 1e-12, "{key} of {name}: {} and not {value}", stats[key]);
        }
    }
}

#[test]
fn vertices_have_the_degrees_triangles_and_coefficients_of_networkx() {
    for (known, device) in runs(1) {
        let found = rows(&["local", "--threads", "2", "--device", device], &known.file);
        let name = format!("{} on {device}", known.file.display());
        assert_eq!(found.len() as u64, known.vertices * 32, "{name}");
        let triangles: u64 = words(&found).chunks(4).map(|row| row[2]).sum();
        assert_eq!(triangles, 3 * known.triangles, "{name}");
        assert_eq!(sha256(&found), known.tables[0], "{name}");
    }
}

#[test]
fn edges_have_the_triangles_of_networkit() {
    for (known, device) in runs(2) {
        let found = rows(&["support", "--threads", "2", "--device", device], &known.file);
        let name = format!("{} on {device}", known.file.display());
        assert_eq!(found.len() as u64, known.edges * 24, "{name}");
        let triangles: u64 = words(&found).chunks(3).map(|row| row[2]).sum();
        assert_eq!(triangles, 3 * known.triangles, "{name}");
        assert_eq!(sha256(&found), known.tables[1], "{name}");
    }
}

#[test]
fn edges_have_the_trussness_of_graphblas_and_networkx() {
    for (known, device) in runs(3) {
        let found = rows(&["truss", "--threads", "2", "--device", device], &known.file);
        let name = format!("{} on {device}", known.file.display());
        let trussness = words(&found);
        assert_eq!(trussness.chunks(3).map(|row| row[2]).max(), Some(known.max_truss), "{name}");
        assert_eq!(sha256(&found), known.tables[2], "{name}");

        let half = known.max_truss / 2 + 1;
        for k in [half.max(2), known.max_truss] {
            let subgraph = rows(&["truss", "--k", &k.to_string(), "--device", device], &known.file);
            let expected: Vec<u64> = trussness
                .chunks(3)
                .filter(|row| row[2] >= k)
                .flat_map(|row| [row[0], row[1]])
                .collect();
            assert_eq!(words(&subgraph), expected, "the {k}-truss of {name}");
        }
    }
}

#[test]
fn every_triangle_is_listed_once() {
    // The listing is checked against the support that NetworKit confirms: each listed triangle has
    // three edges, and every edge is in as many listed triangles as it has.
    for known in known(4).iter().filter(|known| known.triangles < 400_000) {
        let name = known.file.display();
        let listed = words(&rows(&["list"], &known.file));
        let mut triangles: Vec<&[u64]> = listed.chunks(3).collect();
        assert_eq!(triangles.len() as u64, known.triangles, "{name}");
        assert!(triangles.iter().all(|corners| corners.is_sorted_by(|a, b| a < b)), "{name}");
        triangles.sort_unstable();
        triangles.dedup();
        assert_eq!(triangles.len() as u64, known.triangles, "{name}");
        let mut on_edge = std::collections::HashMap::new();
        for &corners in &triangles {
            for (u, v) in [(0, 1), (0, 2), (1, 2)] {
                *on_edge.entry((corners[u], corners[v])).or_insert(0u64) += 1;
            }
        }
        for row in words(&rows(&["support", "--device", "cpu"], &known.file)).chunks(3) {
            let found = on_edge.remove(&(row[0], row[1])).unwrap_or(0);
            assert_eq!(found, row[2], "edge {row:?} of {name}");
        }
        assert!(on_edge.is_empty(), "{name}: {on_edge:?} are no edges");
    }
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let known = known(5);
    let most = if effort::is_full() { u64::MAX } else { 400_000 };
    let known = known.iter().filter(|known| known.triangles < most);
    let largest = known.max_by_key(|known| known.triangles).unwrap();
    let cpu = ["--device", "cpu"].as_slice();
    for command in TABLES {
        let with = |threads| [command, &["--threads", threads], cpu].concat();
        let one = rows(&with("1"), &largest.file);
        assert!(rows(&with("3"), &largest.file) == one, "{command:?}");
    }
}
