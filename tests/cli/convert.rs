//! `tribin convert`: the same graph in every format, for tribin and for other programs.

use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use testkit::effort;
use tribin::Graph;
use tribin::read::{self, IdKind, Options};
use tribin::report::OutputFile;
use tribin::write::{self, Adjacency, Target};

use super::{KARATE, json, names, only_line, places, refused, run, stdout, text};

/// Converts and returns the content.
fn convert(from: &str, to: &Path, options: &[&str]) -> Vec<u8> {
    let args = ["convert", "--quiet", from, to.to_str().unwrap()];
    assert_eq!(stdout(&[&args[..], options].concat()), "");
    fs::read(to).unwrap()
}

fn triangles(path: &str) -> u64 {
    json(&["count", "--device", "cpu", "--json", path])["triangles"].as_u64().unwrap()
}

/// One name for each format and way to compress.
const NAMES: [&str; 10] = [
    "g.txt",
    "g.csv.gz",
    "g.tsv.zst",
    "g.bin",
    "g.npy",
    "g.mtx",
    "g.graph",
    "g.npz",
    "g.npz.gz",
    "g.sg",
];

#[test]
fn a_real_graph_goes_round_through_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let mut from = KARATE.to_owned();
    for round in 0..2 {
        for name in NAMES {
            let to = folder.path().join(format!("{round}.{name}"));
            convert(&from, &to, &[]);
            from = to.to_str().unwrap().to_owned();
            assert_eq!(triangles(&from), 45, "{from}");
        }
    }
}

#[test]
fn formats_can_be_named_and_input_piped() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("karate");
    let bytes = convert(KARATE, &to, &["--from-format", "matrix-market", "--to-format", "sg"]);
    // One byte, two numbers, 35 offsets, 156 neighbours.
    assert_eq!(bytes.len(), 1 + 16 + 8 * 35 + 4 * 156);
    assert_eq!(bytes[0], 0);
    assert_eq!(u64::from_le_bytes(bytes[1..9].try_into().unwrap()), 156);
    assert_eq!(u64::from_le_bytes(bytes[9..17].try_into().unwrap()), 34);
}

#[test]
fn entries_stay_as_they_stand_unless_they_are_to_be_simple() {
    let folder = tempfile::tempdir().unwrap();
    let from = &super::write(folder.path(), "from.txt", "# a\n3 1\n1 3\n2 2\n0 3\n");
    let to = |name: &str| folder.path().join(name);
    assert_eq!(convert(from, &to("a.txt"), &[]), b"3 1\n1 3\n2 2\n0 3\n");
    assert_eq!(convert(from, &to("a.csv"), &[]), b"3,1\n1,3\n2,2\n0,3\n");
    assert_eq!(convert(from, &to("a.tsv"), &["--simple"]), b"0\t3\n1\t3\n");
    let mtx = "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n4 1\n4 2\n";
    assert_eq!(text(&convert(from, &to("a.mtx"), &[])), mtx);
    assert_eq!(convert(from, &to("a.graph"), &[]), b"4 2\n4 \n4 \n\n1 2 \n");
}

#[test]
fn wide_ids_keep_their_names_where_there_is_room_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let from = &super::write(folder.path(), "from.txt", "10000000000 5\n7 10000000000\n7 5\n");
    let to = |name: &str| folder.path().join(name);
    assert_eq!(convert(from, &to("a.el"), &[]), b"10000000000 5\n7 10000000000\n7 5\n");
    convert(from, &to("a.npy"), &[]);
    let ids = to("ids");
    let graph = convert(from, &to("a.graph"), &["--ids", ids.to_str().unwrap()]);
    assert_eq!(graph, b"3 3\n2 3 \n1 3 \n1 2 \n");
    assert_eq!(fs::read_to_string(&ids).unwrap(), "5\n7\n10000000000\n");

    let again = convert(to("a.npy").to_str().unwrap(), &to("again.txt"), &[]);
    assert_eq!(again, b"10000000000 5\n7 10000000000\n7 5\n");

    let bin = to("a.bin");
    let bin = bin.to_str().unwrap();
    assert_eq!(
        refused(1, ["convert", from, bin]),
        format!(
            "error: {bin}: the vertex id 10000000000 does not fit the 32 bits of a .bin file: write \
             .npy or an edge list"
        )
    );
    let sg = to("a.sg");
    let sg = sg.to_str().unwrap();
    let output = run(["convert", from, sg]);
    assert_eq!(
        text(&output.stderr),
        format!(
            "note: {sg}: 3 vertices and 3 edges of 3 entries written as sg\n\
             note: {sg}: vertices are numbered in the order of their ids in {from}; `--ids FILE` \
             writes the ids\n"
        )
    );
}

/// `c.gexf` became an edge list, and the exit code was 0.
#[test]
fn an_extension_of_no_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["c.gexf", "c", "c.gz"] {
        let path = folder.path().join(name);
        let path = path.to_str().unwrap();
        for (args, flag) in [
            (&["convert", KARATE, path][..], "--to-format"),
            (&["generate", "star", "--leaves", "3", "-o", path], "--format"),
        ] {
            let line = refused(2, args.iter().copied());
            assert!(line.starts_with(&format!("error: {path}: the extension says ")), "{line}");
            assert!(line.contains(" .mtx, .graph, "), "{line}");
            assert!(line.ends_with(&format!(", or name the format with `{flag}`")), "{line}");
        }
        convert(KARATE, &folder.path().join(name), &["--to-format", "mtx"]);
    }
}

/// The flags of IN have names of their own here.
#[test]
fn what_helps_is_called_as_in_this_command() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("graph.npz");
    let to = to.to_str().unwrap();
    for (content, flag, then) in [
        ("0 1\n1 2\n2 0\n3 x\n", "--from-ids", "names"),
        ("0 1 2\n1 0 2\n2 0 1\n3\n", "--from-format", "adjacency"),
        ("4 6\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n", "--from-format", "metis"),
    ] {
        let from = &super::write(folder.path(), "graph.txt", content);
        let output = run(["convert", "-q", from, to]);
        let line = only_line(&output.stderr);
        assert!(line.contains(&format!("`{flag} {then}`")), "{line}");
        assert!(run(["convert", "-q", from, to, flag, then]).status.success(), "{content:?}");
    }
}

/// Data on standard output, and what is said beside it on standard error.
#[test]
fn a_dash_is_standard_output() {
    let output = run(["convert", KARATE, "-"]);
    assert!(output.status.success());
    assert!(text(&output.stdout).starts_with("2 1\n"), "{}", text(&output.stdout));
    assert_eq!(text(&output.stdout).lines().count(), 78);
    assert_eq!(
        only_line(&output.stderr),
        "note: standard output: 34 vertices and 78 entries written as edge-list"
    );
    let csv = run(["convert", "--quiet", "--to-format", "csv", KARATE, "-"]);
    assert_eq!(text(&csv.stdout), text(&output.stdout).replace(' ', ","));
    assert_eq!(text(&csv.stderr), "");
    let star = run(["generate", "star", "--leaves", "2", "-q", "-o", "-", "--format", "mtx"]);
    assert_eq!(
        text(&star.stdout),
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n3 1\n3 2\n"
    );
    let report = run(["count", "--json", "-q", "-o", "-", KARATE]);
    assert!(text(&report.stdout).contains("\"triangles\":45,"));
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("k.sg");
    let ids = run(["convert", "-q", KARATE, to.to_str().unwrap(), "--ids", "-"]);
    assert_eq!(text(&ids.stdout), (1..=34).map(|id| format!("{id}\n")).collect::<String>());
    assert_eq!(
        refused(2, ["convert", KARATE, "-", "--ids", "-"]),
        "error: two outputs go to standard output: write one of them to a file"
    );
    assert!(!places::root().join("-").exists());
}

/// Both directions stood in a file that calls itself symmetric: SciPy added them up, and 386,080 triangles were
/// found for 48,260.
#[test]
fn a_matrix_that_is_symmetric_has_each_edge_once() {
    let folder = tempfile::tempdir().unwrap();
    let from =
        super::write(folder.path(), "both.txt", "0 1\n1 0\n1 2\n2 1\n2 0\n0 2\n3 3\n2 5\n2 5\n");
    let to = folder.path().join("both.mtx");
    let output = run(["convert", &from, to.to_str().unwrap()]);
    assert_eq!(
        only_line(&output.stderr),
        format!(
            "note: {}: 6 vertices and 4 edges of 9 entries written as matrix-market",
            to.display()
        )
    );
    let mtx = "%%MatrixMarket matrix coordinate pattern symmetric\n6 6 4\n2 1\n3 1\n3 2\n6 3\n";
    assert_eq!(fs::read_to_string(&to).unwrap(), mtx);
}

#[test]
fn bad_input_leaves_no_output() {
    let folder = tempfile::tempdir().unwrap();
    let from = super::write(folder.path(), "from.txt", "1 2\n3\n");
    let to = folder.path().join("to.npz");
    assert!(
        refused(1, ["convert", &from, to.to_str().unwrap()])
            .contains("from.txt:2: `3` has 1 column")
    );
    assert_eq!(names(folder.path()), [from]);
}

/// What SciPy 1.17.1 wrote of the matrix of a triangle 0-1-2 and an isolated vertex, and what GAP's
/// `converter` wrote of the triangle.
#[test]
fn files_of_other_programs() {
    let data = places::root().join("tests/data");
    for (file, expected) in
        [("triangle-scipy-csr.npz", 1), ("triangle-scipy-csc.npz", 1), ("triangle-gap.sg", 1)]
    {
        assert_eq!(triangles(data.join(file).to_str().unwrap()), expected, "{file}");
    }
    let folder = tempfile::tempdir().unwrap();
    let from = super::write(folder.path(), "from.el", "0 1\n1 2\n2 0\n");
    let ours = convert(&from, &folder.path().join("a.sg"), &[]);
    assert_eq!(ours, fs::read(data.join("triangle-gap.sg")).unwrap());
}

/// Each edge once in the file's own ids, smaller first.
fn edge_set(graph: &Graph) -> Vec<[u64; 2]> {
    let ids = |pair: &[u32; 2]| pair.map(|v| graph.ids().number(v));
    let mut edges: Vec<_> = graph.edges().iter().map(ids).collect();
    edges.iter_mut().for_each(|pair| pair.sort_unstable());
    edges.sort_unstable();
    edges.dedup();
    edges
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort::cases(48)))]

    /// Any graph through any two formats: formats that keep ids give them back, formats that number
    /// from 1 give the index + 1, those from 0 the index.
    #[test]
    fn any_graph_through_any_formats(
        pairs in vec((0u32..60, 0u32..60), 1..80),
        first in 0..NAMES.len(),
        second in 0..NAMES.len(),
        threads in 1usize..4,
    ) {
        // A text whose first line says how many lines follow is refused: that is a line of sizes.
        let others = pairs.len() as u32 - 1;
        prop_assume!(pairs[0].0 != others && pairs[0].1 != others);
        let folder = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut graph = Graph::from_edges(&pairs);
        for (step, name) in [NAMES[first], NAMES[second]].into_iter().enumerate() {
            let simple = ["graph", "npz", "sg", "mtx"].iter().any(|part| name.contains(part));
            let by_index = simple;
            let from_one = name.contains("graph") || name.contains("mtx");
            let mut expected = if by_index {
                let by_index = graph.edges().iter().map(|pair| pair.map(u64::from));
                let mut edges: Vec<[u64; 2]> = by_index.collect();
                edges.iter_mut().for_each(|pair| pair.sort_unstable());
                edges.sort_unstable();
                edges.dedup();
                edges
            } else {
                edge_set(&graph)
            };
            if simple {
                expected.retain(|[u, v]| u != v);
            }
            let entries = graph.edges().len();
            let vertices = graph.vertex_bound();
            let path = folder.path().join(format!("{step}.{name}"));
            let output = OutputFile::new(&path).unwrap();
            let target = Target::of_name(name, None).unwrap();
            if expected.is_empty() && name == "g.bin" {
                prop_assert!(pool.install(|| write::graph(&graph, target, &output)).is_err());
                return Ok(());
            }
            let written = pool.install(|| write::graph(&graph, target, &output)).unwrap();
            prop_assert_eq!(written, if simple { expected.len() } else { entries } as u64);
            let read = tribin::open(&path).unwrap();
            if from_one {
                expected.iter_mut().for_each(|pair| *pair = pair.map(|v| v + 1));
            }
            prop_assert_eq!(edge_set(&read), expected);
            if by_index {
                prop_assert_eq!(read.vertex_bound(), vertices);
            }
            prop_assert_eq!(Adjacency::of(&read).edges() as usize,
                edge_set(&read).iter().filter(|[u, v]| u != v).count());
            graph = read;
        }
    }
}

/// The edges by what their ends are called.
fn called(graph: &Graph) -> Vec<[String; 2]> {
    let names = graph.ids().names().unwrap();
    graph.edges().iter().map(|pair| pair.map(|v| names.get(v).to_owned())).collect()
}

/// Names that the property below once found.
#[test]
fn a_bar_within_quotes_is_no_delimiter() {
    let read = read::from_bytes("g.txt", b"x \"x|)\"\n", &Options::default()).unwrap();
    assert_eq!(called(&read), [["x", "x|)"]]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort::cases(256)))]

    /// Names with whatever stands between the columns of any table are the same vertices in what is written of them.
    #[test]
    fn any_names_are_read_back(
        edges in vec(["[xyz,;|\t \"#%/{(\\[']{0,4}[xyz]", "(NA|NULL|[xyz][xyz,;|\t \"#%/})\\]:]{0,4})"], 1..12),
        to in 0usize..3,
    ) {
        let quoted = |name: &String| format!("\"{}\"", name.replace('"', "\"\""));
        let lines = edges.iter().map(|[u, v]| format!("{},{}\n", quoted(u), quoted(v)));
        let mut options = Options::default();
        (options.header, options.delimiter) = (Some(false), Some(",".into()));
        options.ids = IdKind::Names;
        let graph = read::from_bytes("names.csv", lines.collect::<String>().as_bytes(), &options);
        let graph = graph.unwrap();
        prop_assert_eq!(&called(&graph), &edges);
        let folder = tempfile::tempdir().unwrap();
        let name = ["g.txt", "g.csv", "g.tsv"][to];
        let path = folder.path().join(name);
        let output = OutputFile::new(&path).unwrap();
        write::graph(&graph, Target::of_name(name, None).unwrap(), &output).unwrap();
        let written = fs::read(&path).unwrap();
        for name in [name, "-"] {
            let read = read::from_bytes(name, &written, &Options::default());
            let read = read.map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(called(&read), edges.clone(), "{}", String::from_utf8_lossy(&written));
        }
    }
}
