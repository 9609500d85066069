//! Folders and several files: one graph, or a graph each.

use std::fs;

use super::{json, only_line, refused, run, stdout, text, tribin};

/// A folder of two parts of a triangle with a tail, as Spark writes it, and a file beside.
fn parts() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    write("parts/part-0.csv", "source,target\n0,1\n1,2\n");
    write("parts/part-1.csv", "source,target\n2,0\n2,3\n");
    write("parts/_SUCCESS", "");
    write("parts/.part-0.csv.crc", "x");
    write("square.csv", "0,1\n1,2\n2,3\n3,0\n");
    folder
}

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

fn triangles(args: &[&str]) -> Vec<u64> {
    let lines = stdout(&[&["count", "--device", "cpu", "--quiet", "--json"], args].concat());
    let count = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
    lines.lines().map(|line| count(line)["triangles"].as_u64().unwrap()).collect()
}

#[test]
fn a_folder_is_a_graph_and_files_are_merged_where_that_is_said() {
    let folder = parts();
    let [parts, zero, one] =
        ["parts", "parts/part-0.csv", "parts/part-1.csv"].map(|p| path(&folder, p));
    let square = path(&folder, "square.csv");
    assert_eq!(triangles(&[&parts]), [1]);
    assert_eq!(triangles(&[&zero, &one]), [0, 0]);
    assert_eq!(triangles(&["--merge", &zero, &one]), [1]);
    // A pattern that no shell has replaced.
    let pattern = path(&folder, "parts/*.csv");
    assert_eq!(triangles(&[&pattern]), [0, 0]);
    assert_eq!(triangles(&["--merge", &pattern]), [1]);
    assert_eq!(triangles(&[&parts, &square]), [1, 0]);
    let stats = json(&["stats", "--device", "cpu", "--quiet", "--json", "--merge", &zero, &one]);
    assert_eq!((&stats["triangles"], &stats["edges"]), (&1.into(), &4.into()));
    assert_eq!(stats["file"], format!("{zero} and 1 more"));
}

/// The commands that work on one graph take a folder, or a pattern, as one.
#[test]
fn every_command_takes_a_folder() {
    let folder = parts();
    let [parts, pattern] = ["parts", "parts/*.csv"].map(|p| path(&folder, p));
    for from in [&parts, &pattern] {
        let to = path(&folder, "out.txt");
        stdout(&["convert", "--quiet", from, &to]);
        assert_eq!(fs::read_to_string(&to).unwrap().lines().count(), 4);
        for command in ["local", "support", "list", "truss"] {
            stdout(&[command, "--quiet", from, "-o", "-"]);
        }
    }
    let plan = json(&["count", "--dry-run", "--json", "--device", "cpu", &parts]);
    assert_eq!((&plan["entries"], &plan["format"]), (&4.into(), &"edge-list".into()));
}

/// A part that nobody sees in a listing may be missed.
#[test]
fn hidden_files_and_backups_are_named() {
    let folder = parts();
    let parts = path(&folder, "parts");
    let table = || {
        let count = json(&["count", "--device", "cpu", "--quiet", "--json", &parts]);
        count["reading"]["table"].as_str().unwrap().to_owned()
    };
    assert_eq!(table(), "2 files, CSV");
    let add = |name: &str| fs::write(folder.path().join("parts").join(name), "0,3\n").unwrap();
    ["part-0.csv~", ".h"].into_iter().for_each(add);
    assert_eq!(table(), "2 files, CSV (left out: .h, part-0.csv~)");
    ["#part-1.csv#", "part-2.csv.bak"].into_iter().for_each(add);
    let report = stdout(&["count", "--device", "cpu", "--quiet", &parts]);
    let report = report.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(report.contains("(left out: #part-1.csv#, .h, part-0.csv~ and 1 more)"), "{report}");
}

#[test]
fn what_is_no_graph_is_said_in_a_line() {
    let folder = parts();
    let refused = |name: &str| refused(1, ["count", "--device", "cpu", &path(&folder, name)]);
    assert!(refused("parts/*.mtx").ends_with("no file matches this pattern: check the path"));
    fs::create_dir(folder.path().join("empty")).unwrap();
    assert!(refused("empty").contains("the folder holds no graph"));
    fs::write(
        folder.path().join("parts/b.mtx"),
        "%%MatrixMarket matrix coordinate pattern general\n1 1 0\n",
    )
    .unwrap();
    let mixed = refused("parts");
    assert!(
        mixed.contains("`part-0.csv` is edge-list and `b.mtx` is matrix-market")
            || mixed.contains("`b.mtx` is matrix-market and `part-0.csv` is edge-list"),
        "{mixed}"
    );
    fs::remove_file(folder.path().join("parts/b.mtx")).unwrap();
    fs::write(folder.path().join("parts/part-2.csv"), "a,b\n1,2\n").unwrap();
    let columns = refused("parts");
    assert!(columns.contains("the columns of the edges are `a` and `b` here"), "{columns}");
    assert!(columns.contains("`--columns"), "{columns}");
}

/// What is doubtful of a file was said where it was read alone, and not where it was one of several.
#[test]
fn warnings_of_all_files_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three] = ["a.csv", "b.csv", "c.csv"].map(|name| path(&folder, name));
    fs::write(&one, "source,target\n1,2\n2,3\n").unwrap();
    fs::write(&two, "source,target\n001,2\n002,3\n").unwrap();
    fs::write(&three, "source,target\n1,02\n02,3\n").unwrap();
    let zero = |id: &str| {
        format!(
            "ids are names, although most are integers: `{id}` on line 2 has a leading zero, which an integer would lose"
        )
    };
    let expected = [format!("{two}: {}", zero("001")), format!("{three}: {}", zero("02"))];
    let reading = |args: &[&str]| -> serde_json::Value {
        let output = run([&["count", "--device", "cpu", "--quiet", "--json"], args].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()["reading"].clone()
    };
    let folder = folder.path().display().to_string();
    for args in [&["--merge", &one, &two, &three][..], &[&folder]] {
        let reading = reading(args);
        assert_eq!(reading["warnings"], serde_json::json!(expected));
        assert_eq!((&reading["table"], &reading["ids"]), (&"3 files, CSV".into(), &"names".into()));
    }
    assert_eq!(
        reading(&["--merge", &two, &two])["warnings"],
        serde_json::json!([format!("{two} and 1 more: {}", zero("001"))])
    );
    // Plain lists have nothing to warn of.
    fs::write(&one, "1 2\n").unwrap();
    assert_eq!(reading(&["--merge", &one, &one])["warnings"], serde_json::json!([]));
}

#[test]
fn standard_input_is_not_merged() {
    assert_eq!(
        refused(2, ["count", "--merge", "tests/data/karate.mtx", "-"]),
        "error: standard input (`-`) is a graph of its own, and is not merged with others: write it to a file first"
    );
}

#[test]
fn vertices_and_headers_beside_edges_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let told = || {
        let found =
            tribin().args(["count", "-q", "."]).current_dir(folder.path()).output().unwrap();
        assert_eq!(found.status.code(), Some(1));
        only_line(&found.stderr).to_owned()
    };
    write("people.csv", "Id,Label\n1,a\n2,b\n");
    write("edges.csv", "Source,Target,Type\n1,2,Undirected\n");
    let vertices =
        "error: ./people.csv:1: column `Id` alone may be an end of an edge by its name; ";
    assert!(told().starts_with(vertices), "{}", told());
    fs::remove_file(folder.path().join("people.csv")).unwrap();
    write("edges.csv", "1,2,K\n2,3,K\n");
    write("edges-header.csv", ":START_ID,:END_ID,:TYPE\n");
    let header = "error: ./edges.csv: the columns of the edges are the first two of 3 here and `:START_ID` and `:END_ID` in \
         ./edges-header.csv: files that are one graph have the same columns: ";
    assert!(told().starts_with(header), "{}", told());
}
