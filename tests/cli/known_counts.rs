//! Every reference graph through the command, its JSON compared field by field. (tests/generate has the theory graphs.)

use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;
use testkit::{places, reference};

use super::devices;

/// `tribin count --json`.
#[derive(Debug, Deserialize)]
struct Count {
    file: PathBuf,
    vertices: u64,
    edges: u64,
    self_loops_dropped: u64,
    duplicates_dropped: u64,
    triangles: u64,
    wedges: u128,
    transitivity: f64,
    max_degree: u64,
    engine: String,
    device: String,
}

/// What a count must be.
#[derive(Debug)]
struct Known {
    file: PathBuf,
    vertices: u64,
    edges: u64,
    self_loops: u64,
    duplicates: u64,
    triangles: u64,
    wedges: u128,
    transitivity: f64,
    max_degree: u64,
}

fn tribin(options: &[&str], files: impl IntoIterator<Item = PathBuf>) -> Vec<Count> {
    let output = Command::new(places::command(env!("CARGO_BIN_EXE_tribin")))
        .args(["count", "--json", "--quiet"])
        .args(options)
        .args(files)
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    assert_eq!(stderr, "");
    let stdout = String::from_utf8(output.stdout).unwrap();
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The engines of a GPU that intersect rows, as `--engine` takes them. (tests/methods/radix_binning has the other.)
const GPU_ENGINES: [&str; 4] = ["forward", "hybrid", "merge-path", "bitmap"];

fn check(known: &[Known], device: &str) {
    let engines = if device == "cpu" { &["forward"][..] } else { &GPU_ENGINES };
    for engine in engines {
        check_engine(known, device, engine);
    }
}

fn check_engine(known: &[Known], device: &str, engine: &str) {
    let files = known.iter().map(|known| known.file.clone());
    let counts = tribin(&["--device", device, "--engine", engine, "--verify"], files);
    assert_eq!(counts.len(), known.len());
    for (count, known) in counts.iter().zip(known) {
        let name = format!("{} on {device}", known.file.display());
        assert_eq!(count.file, known.file);
        assert_eq!(count.vertices, known.vertices, "vertices of {name}");
        assert_eq!(count.edges, known.edges, "edges of {name}");
        assert_eq!(count.self_loops_dropped, known.self_loops, "self-loops of {name}");
        assert_eq!(count.duplicates_dropped, known.duplicates, "duplicates of {name}");
        assert_eq!(count.triangles, known.triangles, "triangles of {name}");
        assert_eq!(count.wedges, known.wedges, "wedges of {name}");
        assert_eq!(count.max_degree, known.max_degree, "largest degree of {name}");
        let error = (count.transitivity - known.transitivity).abs();
        assert!(error <= 1e-12, "transitivity {} of {name}", count.transitivity);
        assert_eq!(count.engine, engine, "{name}");
        assert!(count.device.starts_with(device), "{} of {name}", count.device);
    }
}

/// The reference graphs, and the karate club where they are not there.
fn reference_graphs() -> Vec<Known> {
    let karate = Known {
        file: places::root().join("tests/data/karate.mtx"),
        vertices: 34,
        edges: 78,
        self_loops: 0,
        duplicates: 0,
        triangles: 45,
        wedges: 528,
        transitivity: 135.0 / 528.0,
        max_degree: 17,
    };
    let rows = reference::beside_others().into_iter().map(|row| Known {
        vertices: row.vertices,
        edges: row.edges,
        self_loops: row.self_loop_entries,
        duplicates: row.pairs() - row.self_loop_entries - row.edges,
        triangles: row.triangles,
        wedges: row.wedges,
        transitivity: row.transitivity,
        max_degree: row.max_degree,
        file: row.path,
    });
    std::iter::once(karate).chain(rows).collect()
}

#[test]
fn reference_graphs_have_their_figures() {
    let known = reference_graphs();
    for device in devices() {
        check(&known, device);
    }
}
