//! Every table that the command writes, read again: it is the graph, or an error says that it is none.

use std::path::Path;

use testkit::effort;

use super::{places, run, text};

/// Graphs whose ids are numbers, far numbers and names, with their edges and triangles, and the edges of their
/// 3-trusses.
const GRAPHS: [(&str, [u64; 3]); 3] = [
    ("tests/data/karate.mtx", [78, 45, 67]),
    ("tests/as-found/files/pandas/wide.csv", [8, 4, 6]),
    ("tests/as-found/files/pandas/people.csv", [8, 4, 6]),
];

/// The extensions of tables that can be read again; `.npy` has no names for columns.
fn extensions() -> Vec<&'static str> {
    let mut extensions = vec!["csv", "tsv", "txt", "csv.gz", "tsv.zst"];
    if cfg!(feature = "parquet") {
        extensions.push("parquet");
    }
    if cfg!(feature = "arrow") {
        extensions.push("feather");
    }
    extensions
}

fn write(command: &[&str], graph: &str, to: &Path) {
    let graph = places::root().join(graph);
    let output = run(command.iter().copied().chain([
        graph.to_str().unwrap(),
        "--output",
        to.to_str().unwrap(),
    ]));
    assert!(output.status.success(), "{command:?} {}: {}", to.display(), text(&output.stderr));
}

/// Edges and triangles, or the error.
fn count(file: &Path) -> Result<[u64; 2], String> {
    let output = run(["count", "--json", "--quiet", "--device", "cpu", file.to_str().unwrap()]);
    if !output.status.success() {
        return Err(text(&output.stderr).to_owned());
    }
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    Ok(["edges", "triangles"].map(|figure| report[figure].as_u64().unwrap()))
}

#[test]
fn tables_of_edges_are_the_graph() {
    let folder = tempfile::tempdir().unwrap();
    for (at, (graph, [edges, triangles, inner])) in GRAPHS.into_iter().enumerate() {
        // A quick run writes each graph in a third of the formats.
        for extension in effort::some(extensions(), at, 3) {
            let to = folder.path().join(format!("edges.{extension}"));
            for (command, edges) in
                [(&["support"][..], edges), (&["truss"], edges), (&["truss", "-k", "3"], inner)]
            {
                write(command, graph, &to);
                assert_eq!(count(&to), Ok([edges, triangles]), "{command:?} {graph} {extension}");
            }
        }
    }
}

#[test]
fn tables_of_vertices_and_of_triangles_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for (at, (graph, _)) in GRAPHS.into_iter().enumerate() {
        for extension in effort::some(extensions(), at, 3) {
            let to = folder.path().join(format!("table.{extension}"));
            for command in [&["local"][..], &["local", "--core"], &["list"]] {
                write(command, graph, &to);
                let error = count(&to).expect_err(extension);
                let told = format!("as `tribin {}` writes it", command[0]);
                assert!(error.contains(&told), "{command:?} {graph} {extension}: {error}");
            }
        }
    }
}

/// An array has no names for its columns: that it has three is what can be told.
#[test]
fn arrays_of_three_columns_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("table.npy");
    for (graph, _) in &GRAPHS[..2] {
        for command in ["support", "truss", "list"] {
            write(&[command], graph, &to);
            let error = count(&to).unwrap_err();
            assert!(error.contains("edges are an array of shape (m, 2)"), "{command}: {error}");
        }
        write(&["local"], graph, &to);
        assert!(count(&to).unwrap_err().contains("the array holds records"));
        write(&["truss", "-k", "3"], graph, &to);
        assert!(count(&to).is_ok());
    }
}
