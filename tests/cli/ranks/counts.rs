//! Counts by several processes are those of one. (`as_threads.rs` compares ranks with brute force.)

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use testkit::places;

use super::job::{report, run};
#[cfg(feature = "formats")]
use crate::gzip;
use crate::write;

/// Figures of a count that do not depend on who counts.
const FIGURES: [&str; 9] = [
    "vertices",
    "edges",
    "self_loops_dropped",
    "duplicates_dropped",
    "reciprocal_dropped",
    "triangles",
    "wedges",
    "transitivity",
    "max_degree",
];

/// Edges of a random graph with duplicates in both directions and self-loops, and a hub with half of all.
fn edges(seed: u64, vertices: u64, entries: usize) -> Vec<[u64; 2]> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut edges: Vec<[u64; 2]> = (0..entries)
        .map(|i| {
            let u = if i.is_multiple_of(2) { 0 } else { random.u64(0..vertices) };
            let v = random.u64(0..vertices);
            if random.bool() { [u, v] } else { [v, u] }
        })
        .collect();
    random.shuffle(&mut edges);
    edges
}

fn alone(folder: &Path, args: &[&str]) -> Value {
    let mut command = Command::new(places::command(env!("CARGO_BIN_EXE_tribin")));
    command.current_dir(folder).args(["count", "--json", "--device", "cpu"]).args(args);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Counts with some numbers of ranks, compares with one process without ranks, and returns the last count.
fn agrees(folder: &Path, args: &[&str], ranks: &[u32]) -> Value {
    let expected = alone(folder, args);
    let mut last = Value::Null;
    for &p in ranks {
        let outputs = run(p, folder, &[&["--json"], args].concat());
        let found: Value = serde_json::from_str(&report(&outputs)).unwrap();
        for figure in FIGURES {
            assert_eq!(found[figure], expected[figure], "{figure} of {args:?} by {p} ranks");
        }
        assert_eq!(found["over_ranks"]["ranks"], p);
        assert_eq!(found["file"], expected["file"]);
        last = found;
    }
    last
}

#[cfg(feature = "formats")]
#[test]
fn every_format_is_read_by_all() {
    let folder = tempfile::tempdir().unwrap();
    let mtx = fs::read(places::root().join("tests/data/karate.mtx")).unwrap();
    write(folder.path(), "a.mtx", &mtx);
    write(folder.path(), "b.mtx.gz", gzip(&mtx));
    let count = agrees(folder.path(), &["--merge", "a.mtx", "b.mtx.gz"], &[3]);
    assert_eq!(
        (count["triangles"].as_u64(), count["duplicates_dropped"].as_u64()),
        (Some(45), Some(78))
    );
    let converted = |name: &str| {
        let mut command = Command::new(places::command(env!("CARGO_BIN_EXE_tribin")));
        command.current_dir(folder.path()).args(["convert", "-q", "a.mtx", name]);
        assert!(command.status().unwrap().success());
    };
    for name in ["k.graph", "k.npz", "k.sg", "k.npy", "k.txt.gz"] {
        converted(name);
        assert_eq!(agrees(folder.path(), &[name, "--verify"], &[3])["triangles"], 45, "{name}");
    }
}

/// Less memory than the graph takes: each rank keeps the edges of its groups, which are smaller the less memory there is.
#[test]
fn groups_are_counted_where_memory_does_not_hold_the_graph() {
    let folder = tempfile::tempdir().unwrap();
    rmat(folder.path(), "g.bin");
    let expected = alone(folder.path(), &["g.bin"]);
    for p in [1, 3] {
        let counted = |memory: u64| {
            let args = ["--json", "--memory", &memory.to_string(), "g.bin"];
            let found: Value =
                serde_json::from_str(&report(&run(p, folder.path(), &args))).unwrap();
            for figure in FIGURES {
                assert_eq!(found[figure], expected[figure], "{figure} with {memory} by {p}");
            }
            found["over_ranks"].clone()
        };
        let groups = |over: &Value| over["groups"].as_u64().unwrap();
        let all = counted(1 << 30);
        assert_eq!(groups(&all) > 1, p > 1, "{all}");
        let some = [12, 6, 4].map(|mebibytes| counted(mebibytes << 20));
        assert!(
            some.iter().map(groups).is_sorted_by(|few, more| 1 < *few && few < more),
            "{some:?}"
        );
        let largest = some[2]["largest_group"].as_u64().unwrap();
        assert!(64 * largest <= 4 << 20, "{some:?}");
    }
}

/// Every engine counts groups, and every group is verified.
#[test]
fn groups_are_counted_by_any_engine_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    rmat(folder.path(), "g.bin");
    for ranks in [1, 2, 5] {
        let count = agrees(folder.path(), &["--verify", "g.bin"], &[ranks]);
        assert_eq!(count["verified_by"], "edge-iterator on cpu");
        let over = &count["over_ranks"];
        assert_eq!(over["groups"].as_u64().unwrap() > 1, ranks > 1, "{over}");
        assert!(over["copies"].as_f64().unwrap() < 3.4, "{over}");
    }
}

/// Ranks that share a GPU count groups of edges each.
#[cfg(feature = "gpu")]
#[test]
fn ranks_on_a_gpu_count_groups() {
    let Some(gpu) = testkit::devices::gpu() else { return };
    drop(gpu);
    let folder = tempfile::tempdir().unwrap();
    rmat(folder.path(), "g.bin");
    let expected = alone(folder.path(), &["g.bin"]);
    for p in [1, 2, 3] {
        let outputs = run(p, folder.path(), &["--json", "--device", "gpu", "g.bin"]);
        let found: Value = serde_json::from_str(&report(&outputs)).unwrap();
        // A GPU does not tell all duplicates apart.
        for figure in FIGURES.into_iter().filter(|figure| *figure != "reciprocal_dropped") {
            assert_eq!(found[figure], expected[figure], "{figure} by {p} ranks");
        }
        assert_eq!(found["over_ranks"]["groups"].as_u64() > Some(1), p > 1, "{p} ranks");
        assert_eq!(found["device"], "gpu:0");
    }
}

#[test]
fn generated_graphs_are_made_by_every_rank() {
    let folder = tempfile::tempdir().unwrap();
    agrees(folder.path(), &["--generate", "rmat10", "--verify"], &[1, 4]);
}

/// Names stand for the same vertices in every rank, whatever its threads.
#[test]
fn names_are_counted_as_numbers_are() {
    let folder = tempfile::tempdir().unwrap();
    let mut csv = String::from("source,target\n");
    csv.extend(edges(17, 60, 2000).iter().map(|[u, v]| format!("name {u},name {v}\n")));
    write(folder.path(), "names.csv", csv);
    agrees(folder.path(), &["names.csv", "--verify", "--quiet"], &[1, 3]);
    // The first rank alone says how the table was read.
    let outputs = run(2, folder.path(), &["names.csv", "--json"]);
    let note =
        "note: names.csv: read as CSV with a header, columns source and target, ids are names";
    let said: Vec<_> = outputs.iter().map(|run| String::from_utf8_lossy(&run.stderr)).collect();
    assert!(said[0].starts_with(note) && said[1].is_empty(), "{said:?}");
}

/// A generated graph of 2¹⁴ vertices and 16 entries for each, as a file in a folder.
fn rmat(folder: &Path, name: &str) {
    let mut command = Command::new(places::command(env!("CARGO_BIN_EXE_tribin")));
    command.current_dir(folder).args(["generate", "rmat", "--scale", "14", "-q", "-o", name]);
    assert!(command.status().unwrap().success());
}

/// Tables of a graph's edges, as another command writes them.
#[cfg(any(feature = "arrow", feature = "parquet"))]
#[test]
fn columnar_tables_are_read_by_all() {
    let folder = tempfile::tempdir().unwrap();
    rmat(folder.path(), "r.bin");
    let triangles = alone(folder.path(), &["r.bin"])["triangles"].clone();
    for name in ["r.parquet", "r.feather"] {
        let has_feature = cfg!(feature = "parquet") && name.ends_with("parquet")
            || cfg!(feature = "arrow") && name.ends_with("feather");
        if !has_feature {
            continue;
        }
        let mut command = Command::new(places::command(env!("CARGO_BIN_EXE_tribin")));
        command.current_dir(folder.path()).args(["support", "-q", "-o", name, "r.bin"]);
        command.args(["--device", "cpu"]);
        assert!(command.status().unwrap().success());
        let count = agrees(folder.path(), &[name], &[3]);
        assert_eq!(count["triangles"], triangles, "{name}");
    }
}

#[test]
fn several_graphs_are_counted_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.txt", "0 1\n1 2\n2 0\n");
    write(folder.path(), "b.txt", "0 1\n1 2\n2 3\n");
    let outputs = run(3, folder.path(), &["--json", "a.txt", "b.txt"]);
    let counts: Vec<Value> =
        report(&outputs).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let triangles: Vec<&Value> = counts.iter().map(|count| &count["triangles"]).collect();
    assert_eq!(triangles, [1, 0]);
}

#[test]
fn the_report_says_how_the_work_was_shared() {
    let outputs = run(2, &places::root(), &["tests/data/karate.mtx"]);
    let report = report(&outputs);
    for said in ["  triangles     45\n", "  ranks         2 ranks, ", "  balance  "] {
        assert!(report.contains(said), "{report}");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::copy(places::root().join("tests/data/karate.mtx"), folder.path().join("k.mtx")).unwrap();
    let outputs = run(2, folder.path(), &["--json", "-q", "-o", "out.json", "k.mtx"]);
    assert!(outputs.iter().all(|output| output.status.success() && output.stdout.is_empty()));
    let written = fs::read(folder.path().join("out.json")).unwrap();
    let count: Value = serde_json::from_slice(&written).unwrap();
    assert_eq!(count["triangles"], 45);
    // Every field is on the page.
    let page = fs::read_to_string(places::root().join("docs/json.md")).unwrap();
    for key in count["over_ranks"].as_object().unwrap().keys() {
        assert!(page.contains(&format!("\n| `over_ranks.{key}` |")), "{key}");
    }
}
