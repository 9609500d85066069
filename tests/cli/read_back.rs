//! What tribin writes, read by the programs that users have.

use std::fs;
use std::process::Command;

use testkit::skip;

use super::{places, run, text};

/// A ring of cliques with both directions, duplicates, self-loops, and vertices without an edge.
fn entries() -> Vec<[u32; 2]> {
    let mut entries = Vec::new();
    for clique in 0..12 {
        for u in 0..6 {
            for v in 0..6 {
                entries.push([clique * 7 + u, clique * 7 + v]);
            }
        }
        entries.push([clique * 7, (clique + 1) % 12 * 7 + 3]);
    }
    // Vertex 90 is the last, and 84 to 89 have no edge.
    entries.push([90, 0]);
    entries
}

/// The interpreter that `TRIBIN_PYTHON` names, or `python3`.
fn python() -> Command {
    Command::new(std::env::var_os("TRIBIN_PYTHON").unwrap_or_else(|| "python3".into()))
}

#[test]
fn other_programs_read_the_same_graph() {
    let packages = "import igraph, networkx, numpy, scipy";
    if !python().args(["-c", packages]).output().is_ok_and(|output| output.status.success()) {
        skip::whole("Python, SciPy, NetworkX or igraph is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let entries = entries();
    let lines: String = entries.iter().map(|[u, v]| format!("{u} {v}\n")).collect();
    fs::write(path("from.el"), lines).unwrap();
    let mut edges: Vec<[u32; 2]> =
        entries.into_iter().filter(|[u, v]| u != v).map(|[u, v]| [u.min(v), u.max(v)]).collect();
    edges.sort_unstable();
    edges.dedup();
    fs::write(path("edges.json"), serde_json::to_string(&edges).unwrap()).unwrap();
    fs::write(path("vertices.json"), "91").unwrap();

    let succeed = |args: &[&str]| {
        let output = run(args.iter().copied());
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    };
    for extension in [
        "txt", "txt.gz", "csv", "csv.zst", "tsv", "npy", "bin", "mtx", "mtx.gz", "npz", "graph",
        "sg",
    ] {
        succeed(&["convert", "-q", &path("from.el"), &path(&format!("graph.{extension}"))]);
    }
    let mut tables = vec!["csv", "csv.gz", "csv.zst", "tsv", "npy"];
    tables.extend(cfg!(feature = "parquet").then_some("parquet"));
    tables.extend(cfg!(feature = "arrow").then_some("feather"));
    for extension in tables {
        let to = path(&format!("local.{extension}"));
        succeed(&["local", "-q", "--all", &path("from.el"), "-o", &to]);
    }
    let script = places::root().join("tests/oracle/read_back.py");
    let output = python().arg(script).arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).ends_with("all agree\n"), "{}", text(&output.stdout));
}
