//! `tribin stats`, `local`, `support`, `truss` and `list`.

use std::fs;
use std::process::{Output, Stdio};

use testkit::skip;

#[cfg(target_os = "linux")]
use super::assert_a_full_disk_leaves_what_was_there;
use super::{
    KARATE, assert_documented, assert_wrong_usage, json, names, only_line, places, refused, run,
    stdout, text, tribin, write,
};

/// A triangle with a tail, of ids that need 64 bits, with a self-loop, duplicates, and a vertex whose only
/// entry is a self-loop.
const SPARSE: &str = "18446744073709551615 7\n7 10000000000\n10000000000 18446744073709551615\n\
                      7 7\n7 10000000000\n10000000000 7\n7 3\n5 5\n";

#[test]
fn ids_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "sparse.txt", SPARSE);
    assert_eq!(
        stdout(&["local", &path]),
        "vertex\tdegree\ttriangles\tclustering\n3\t1\t0\t0.0\n7\t3\t1\t0.3333333333333333\n\
         10000000000\t2\t1\t1.0\n18446744073709551615\t2\t1\t1.0\n"
    );
    assert_eq!(
        stdout(&["support", &path]),
        "u\tv\tsupport\n3\t7\t0\n7\t10000000000\t1\n7\t18446744073709551615\t1\n\
         10000000000\t18446744073709551615\t1\n"
    );
    assert_eq!(
        stdout(&["truss", "-o", "-", &path]),
        "u\tv\ttrussness\n3\t7\t2\n7\t10000000000\t3\n7\t18446744073709551615\t3\n\
         10000000000\t18446744073709551615\t3\n"
    );
    assert_eq!(
        stdout(&["truss", "--k", "3", &path]),
        "u\tv\n7\t10000000000\n7\t18446744073709551615\n10000000000\t18446744073709551615\n"
    );
    assert_eq!(stdout(&["list", &path]), "u\tv\tw\n7\t10000000000\t18446744073709551615\n");
    let stats = json(&["stats", "--json", &path]);
    for (key, value) in [
        ("vertices", 4),
        ("edges", 4),
        ("self_loops_dropped", 2),
        ("duplicates_dropped", 2),
        ("reciprocal_dropped", 1),
        ("min_degree", 1),
        ("max_degree", 3),
        ("wedges", 5),
        ("triangles", 1),
        ("degeneracy", 2),
    ] {
        assert_eq!(stats[key], value, "{key}");
    }
    assert_eq!(stats["mean_degree"], 2.0);
    assert_eq!(stats["median_degree"], 2.0);
    assert_eq!(stats["transitivity"], 0.6);
}

#[test]
fn graphs_without_edges_or_triangles_have_tables() {
    let folder = tempfile::tempdir().unwrap();
    let header = "%%MatrixMarket matrix coordinate pattern symmetric\n";
    let alone = write(folder.path(), "alone.mtx", format!("{header}9 9 1\n4 4\n"));
    let comment = write(folder.path(), "comment.txt", "# nothing\n");
    for path in [&alone, &comment] {
        assert_eq!(stdout(&["local", path]), "vertex\tdegree\ttriangles\tclustering\n");
        assert_eq!(stdout(&["support", path]), "u\tv\tsupport\n");
        assert_eq!(stdout(&["truss", "-o", "-", path]), "u\tv\ttrussness\n");
        assert_eq!(stdout(&["truss", "--k", "5", path]), "u\tv\n");
        assert_eq!(stdout(&["list", path]), "u\tv\tw\n");
        let stats = json(&["stats", "--json", path]);
        for key in ["vertices", "edges", "min_degree", "max_degree", "triangles", "degeneracy"] {
            assert_eq!(stats[key], 0, "{key}");
        }
        for key in ["mean_degree", "median_degree", "transitivity", "average_clustering"] {
            assert_eq!(stats[key], 0.0, "{key}");
        }
    }
    // Declared vertices without an edge have no row; the others keep their numbers.
    let path = write(folder.path(), "path.mtx", format!("{header}9 9 2\n5 3\n8 5\n"));
    assert_eq!(
        stdout(&["local", &path]),
        "vertex\tdegree\ttriangles\tclustering\n3\t1\t0\t0.0\n5\t2\t0\t0.0\n8\t1\t0\t0.0\n"
    );
    assert_eq!(stdout(&["list", &path]), "u\tv\tw\n");
}

#[test]
fn the_object_for_machines_has_the_documented_keys() {
    let stats = json(&["stats", "--json", "--quiet", KARATE]);
    assert_documented(&stats, "tribin stats --json");
}

/// The commands that write tables of numbers.
pub const TABLES: [&[&str]; 7] = [
    &["local"],
    &["support"],
    &["truss"],
    &["list"],
    &["cliques", "-k", "4", "--at-vertices"],
    &["cliques", "-k", "4", "--on-edges"],
    &["cliques", "-k", "4", "--list"],
];

#[test]
fn every_format_holds_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    for command in TABLES {
        let tsv = stdout(&[command, &["-o", "-", KARATE]].concat());
        let rows = tsv.lines().count() - 1;
        let file = |extension: &str| {
            let path = folder.path().join(format!("out.{extension}"));
            let to = ["-o", path.to_str().unwrap(), KARATE];
            let report = stdout(&[command, &to].concat());
            let size = fs::metadata(&path).unwrap().len();
            let name = path.display();
            assert!(report.starts_with(&format!("{KARATE}\n  graph         34 ")), "{report}");
            assert!(
                report.contains(&format!("\n  written       {name}: {rows} rows, ")),
                "{report}"
            );
            assert!(size > 0);
            fs::read(path).unwrap()
        };
        let csv = tsv.replace('\t', ",");
        assert_eq!(file("csv"), csv.as_bytes());
        assert_eq!(file("tsv"), tsv.as_bytes());
        assert_eq!(file("txt"), tsv.as_bytes());
        let npy = file("npy");
        let columns = csv.lines().next().unwrap().split(',').count();
        assert_eq!(npy.len(), npy.len() % (rows * columns * 8) + rows * columns * 8);
        let numbers = csv.lines().skip(1).flat_map(|row| row.split(','));
        for (word, number) in npy[npy.len() - rows * columns * 8..].chunks(8).zip(numbers) {
            let word = u64::from_le_bytes(word.try_into().unwrap());
            if number.contains('.') {
                assert_eq!(f64::from_bits(word), number.parse::<f64>().unwrap());
            } else {
                assert_eq!(word, number.parse::<u64>().unwrap());
            }
        }
        if cfg!(feature = "arrow") {
            let arrow = file("feather");
            assert!(arrow.starts_with(b"ARROW1") && arrow.ends_with(b"ARROW1"));
            assert_eq!(file("arrow"), arrow);
        }
        if cfg!(feature = "parquet") {
            let parquet = file("parquet");
            assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
        }
    }
}

/// Which truss it is was not said.
#[test]
fn the_largest_truss_has_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let loops = write(folder.path(), "loops.txt", "1 1\n");
    let out = folder.path().join("out.csv");
    let out = out.to_str().unwrap();
    let found = run(["truss", "-k", "max", KARATE]);
    assert_eq!(text(&found.stdout), stdout(&["truss", "--k", "5", KARATE]));
    assert_eq!(only_line(&found.stderr), format!("note: {KARATE}: the largest k is 5"));
    let found = run(["truss", "--k", "max", "-o", out, KARATE]);
    assert_eq!(only_line(&found.stderr), format!("note: {KARATE}: the largest k is 5"));
    let found = run(["truss", "-k", "max", &loops]);
    assert_eq!(only_line(&found.stderr), format!("note: {loops}: no truss has any edges"));
    assert_eq!(text(&run(["truss", "-k", "max", "--quiet", KARATE]).stderr), "");
}

#[test]
fn rows_can_be_chosen() {
    // NetworkX 3.6.1: `triangles`, `core_number`, and the edges at 12.
    assert_eq!(
        stdout(&["local", "--top", "2", "--core", KARATE]),
        "vertex\tdegree\ttriangles\tclustering\tcore\n\
         1\t16\t18\t0.15\t4\n34\t17\t15\t0.11029411764705882\t4\n"
    );
    assert_eq!(
        stdout(&["local", "--vertex", "12", "--core", KARATE]),
        "vertex\tdegree\ttriangles\tclustering\tcore\n12\t1\t0\t0.0\t1\n"
    );
    assert_eq!(stdout(&["support", "--vertex", "12", KARATE]), "u\tv\tsupport\n1\t12\t0\n");
    let strong = stdout(&["support", "--min-support", "7", KARATE]);
    assert_eq!(strong, "u\tv\tsupport\n1\t2\t7\n33\t34\t10\n");
    let top = stdout(&["support", "--top", "2", KARATE]);
    assert_eq!(top, "u\tv\tsupport\n33\t34\t10\n1\t2\t7\n");
    let inner = stdout(&["truss", "--top", "1", KARATE]);
    assert_eq!(inner, "u\tv\ttrussness\n1\t2\t5\n");
    assert_eq!(stdout(&["truss", "--vertex", "12", KARATE]), "u\tv\ttrussness\n1\t12\t2\n");
    assert_eq!(stdout(&["local", "--top", "0", KARATE]).lines().count(), 1);
    for command in ["local", "support", "truss"] {
        for id in ["35", "0", "Ann", "", "-1"] {
            let output = run([command, "--vertex", id, KARATE]);
            assert_eq!(output.status.code(), Some(1), "{command} {id}");
            let expected = format!("error: {KARATE}: there is no vertex `{id}`");
            assert_eq!(only_line(&output.stderr), expected);
        }
    }
}

/// Arrays that are indexed by vertex had no place for those without an edge.
#[test]
fn vertices_without_an_edge_have_rows_where_they_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let header = "%%MatrixMarket matrix coordinate pattern symmetric\n";
    let path = write(folder.path(), "path.mtx", format!("{header}5 5 3\n2 1\n4 2\n5 5\n"));
    assert_eq!(
        stdout(&["local", "--all", "--core", &path]),
        "vertex\tdegree\ttriangles\tclustering\tcore\n1\t1\t0\t0.0\t1\n2\t2\t0\t0.0\t1\n\
         3\t0\t0\t0.0\t0\n4\t1\t0\t0.0\t1\n5\t0\t0\t0.0\t0\n"
    );
    let alone = stdout(&["local", "--vertex", "3", &path]);
    assert!(alone.ends_with("\n3\t0\t0\t0.0\n"), "{alone}");
    let array = folder.path().join("all.npy");
    stdout(&["local", "--all", KARATE, "-o", array.to_str().unwrap()]);
    let bytes = fs::read(&array).unwrap();
    assert!(String::from_utf8_lossy(&bytes).contains("('degree', '<i8'), ('triangles', '<i8')"));
}

/// NetworkX's figures of a graph with isolated vertices are those of all of them.
#[test]
fn figures_of_all_vertices_stand_beside_those_of_vertices_with_an_edge() {
    let folder = tempfile::tempdir().unwrap();
    let header = "%%MatrixMarket matrix coordinate pattern symmetric\n";
    let declared =
        write(folder.path(), "a.mtx", format!("{header}6 6 5\n2 1\n3 1\n3 2\n4 3\n5 5\n"));
    // An edge list names its vertices: one of them has a self-loop only.
    let named = write(folder.path(), "a.txt", "1 2\n1 3\n2 3\n3 4\n50 50\n2 2\n");
    for (path, all) in [(&declared, 6), (&named, 5)] {
        let stats = json(&["stats", "--json", path]);
        assert_eq!(stats["vertices"], 4);
        assert_eq!(stats["vertices_all"], all);
        assert_eq!(stats["isolated_vertices"], all - 4);
        let sum = 1.0 + 1.0 + 1.0 / 3.0;
        assert_eq!(stats["average_clustering"], sum / 4.0);
        assert_eq!(stats["average_clustering_all"], sum / f64::from(all));
    }
    let report = stdout(&["stats", &declared]);
    for line in [
        "  isolated      2 of 6 vertices have no edge\n",
        "  clustering    0.583333 on average of the 4 vertices with an edge\n",
        "                0.388889 on average of all 6, as NetworkX has it\n",
    ] {
        assert!(report.contains(line), "{report}");
    }
}

#[test]
fn quiet_says_nothing_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("support.csv");
    let quiet = stdout(&["support", "-q", KARATE, "-o", path.to_str().unwrap()]);
    assert_eq!(quiet, "");
}

#[test]
fn a_format_can_be_named_for_standard_output() {
    let csv = stdout(&["list", "--device", "cpu", "--limit", "1", "--to-format", "csv", KARATE]);
    assert_eq!(csv, "u,v,w\n1,2,3\n");
    let output = run(["local", "--to-format", "json", KARATE]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("`json` is no format of tables: use one of .csv, "));
}

#[test]
fn a_limit_takes_the_first_triangles() {
    let all = stdout(&["list", KARATE]);
    assert_eq!(all.lines().count(), 46);
    let folder = tempfile::tempdir().unwrap();
    for limit in [0, 1, 44, 45, 46] {
        let number = limit.to_string();
        let first: Vec<&str> = all.lines().take(limit + 1).collect();
        let found = stdout(&["list", "--limit", &number, KARATE]);
        assert_eq!(found.lines().collect::<Vec<_>>(), first);
        let path = folder.path().join("triangles.npy");
        stdout(&["list", "--limit", &number, KARATE, "-o", path.to_str().unwrap()]);
        let bytes = fs::read(&path).unwrap();
        let shape = format!("'shape': ({}, 3)", limit.min(45));
        assert!(String::from_utf8_lossy(&bytes).contains(&shape));
        assert_eq!((bytes.len() - 128) / 24, limit.min(45));
    }
}

#[test]
fn an_output_that_cannot_be_is_told_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let missing_folder = folder.path().join("missing/out.csv").to_str().unwrap().to_owned();
    let under_a_file = format!("{KARATE}/out.csv");
    for command in ["local", "support", "truss", "list"] {
        for path in [&missing_folder, &under_a_file] {
            assert!(
                refused(1, [command, KARATE, "-o", path]).starts_with(&format!("error: {path}: "))
            );
        }
        for name in ["out", "out.json", "out.gz"] {
            let path = folder.path().join(name);
            let path = path.to_str().unwrap();
            let line = refused(2, [command, KARATE, "-o", path]);
            assert!(line.starts_with(&format!("error: {path}: the extension says ")), "{line}");
        }
    }
    assert!(names(folder.path()).is_empty());
}

#[test]
fn nothing_is_written_where_the_graph_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let bad = write(folder.path(), "bad.txt", "1 2\n3\n");
    for command in ["local", "support", "truss", "list"] {
        let path = folder.path().join("out.npy");
        assert!(
            refused(1, [command, &bad, "-o", path.to_str().unwrap()])
                .starts_with(&format!("error: {bad}:2: "))
        );
    }
    assert_eq!(names(folder.path()).len(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_what_was_there() {
    for extension in ["csv", "npy", "parquet"] {
        if extension == "parquet" && !cfg!(feature = "parquet") {
            continue;
        }
        let name = format!("out.{extension}");
        assert_a_full_disk_leaves_what_was_there(&name, 0, "list --quiet \"$2\" -o \"$1\"");
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let mut clique = String::new();
    for u in 0..150 {
        (0..u).for_each(|v| clique.push_str(&format!("{u} {v}\n")));
    }
    let path = write(folder.path(), "clique.txt", &clique);
    let mut child = tribin()
        .args(["list", &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stderr), "");
    assert!(output.status.success());
}

/// Every command of docs/analytics.md prints what stands there, but for times and the device.
#[test]
fn the_worked_example_is_what_is_printed() {
    let documentation = fs::read_to_string(places::root().join("docs/analytics.md")).unwrap();
    let lasting = |report: &str| -> Vec<String> {
        // Parts of the time stand four characters in, and the rows of a table further.
        let is_part = |line: &str| line.starts_with("    ") && !line.starts_with("     ");
        let differs = |line: &str| line.starts_with("  device") || line.starts_with("  time");
        let same = |line: &&str| !differs(line) && !is_part(line);
        report.lines().filter(same).map(str::to_owned).collect()
    };
    let blocks: Vec<&str> = documentation.split("\n```console\n$ tribin ").skip(1).collect();
    assert_eq!(blocks.len(), 9);
    for block in blocks {
        let (command, shown) = block.split_once('\n').unwrap();
        let shown = shown.split_once("```").unwrap().0;
        let printed = stdout(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(lasting(&printed), lasting(shown), "{command}");
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    assert_wrong_usage(&[
        &["local", "--all", "--top", "3", KARATE],
        &["local", KARATE, "-o", "out.npy.gz"],
        &["support", "--min-support", "-1", KARATE],
        &["truss", "-k", "3", "--top", "1", KARATE],
        &["truss", "-k", "MAX", KARATE],
        &["stats"],
        &["local"],
        &["local", KARATE, KARATE],
        &["support", "--device", "tpu", KARATE],
        &["stats", "--memory", "much", KARATE],
        &["list", "--device-memory", "1G", "--device", "cpu", KARATE],
        &["truss", "--k", "1", KARATE],
        &["truss", "--k", "many", KARATE],
        &["list", "--limit", "-1", KARATE],
        &["list", "--device", "tpu", KARATE],
    ]);
}

/// That there is no GPU was said at every run.
#[test]
fn without_a_gpu_the_log_says_why() {
    if run(["count", "--device", "gpu", KARATE]).status.success() {
        skip::whole("this machine has a GPU");
        return;
    }
    let output = run(["stats", "--json", "-v", KARATE, KARATE]);
    assert!(output.status.success());
    assert_eq!(text(&output.stderr).matches(" working on the CPU: ").count(), 1);
    for command in ["count", "stats", "local", "support", "truss"] {
        for args in [&[command, KARATE][..], &[command, "--device=cpu", "-v", KARATE]] {
            let output = run(args.iter().copied());
            assert!(!text(&output.stderr).contains("on the CPU"), "{args:?}");
        }
    }
}

#[test]
fn a_limit_of_device_memory_is_none_of_the_cpu() {
    for command in ["count", "stats", "local", "list", "support", "truss"] {
        assert_eq!(
            refused(2, [command, "--device", "cpu", "--device-memory", "1G", KARATE]),
            "error: `--device-memory` limits the memory of a GPU, and `--device cpu` uses none: leave out one of the two"
        );
    }
    let output = run(["count", "--json", "--device-memory", "1G", KARATE]);
    assert!(output.status.success());
    // A limit is no reason to open a GPU for a graph that is as small as this.
    assert!(text(&output.stdout).contains("\"device\":\"cpu\""));
    if testkit::devices::open_gpu().is_err() {
        let line = only_line(&output.stderr);
        assert!(line.ends_with("and the CPU is used: it has no effect"), "{line}");
    } else {
        assert_eq!(text(&output.stderr), "");
    }
}

#[test]
fn a_gpu_without_memory_leaves_the_work_to_the_cpu() {
    for command in ["stats", "local", "support", "truss"] {
        let output = run([command, "--quiet", "--device-memory", "1K", KARATE]);
        assert!(output.status.success());
        let cpu = run([command, "--quiet", "--device", "cpu", KARATE]);
        // The statistics end with times.
        let lines = if ["stats", "truss"].contains(&command) { 9 } else { usize::MAX };
        let figures = |output: &Output| -> Vec<String> {
            text(&output.stdout).lines().take(lines).map(str::to_owned).collect()
        };
        assert_eq!(figures(&output), figures(&cpu), "{command}");
        assert!(
            refused(1, [command, "--device", "gpu", "--device-memory", "1K", KARATE])
                .starts_with("error: "),
            "{command}"
        );
    }
}

/// `--with` chooses columns from the list of results, and messages and help have the list.
#[test]
fn columns_are_chosen_from_the_list_of_results() {
    let folder = tempfile::tempdir().unwrap();
    let tailed = write(folder.path(), "tailed.csv", "u,v,w\n1,2,1\n2,3,1\n3,1,1\n3,4,6\n");
    for (args, expected) in [
        (
            &["local", "--with", "triangle_centrality,core"][..],
            "vertex\ttriangle_centrality\tcore\n1\t1.0\t2\n2\t1.0\t2\n3\t1.0\t2\n4\t1.0\t1\n",
        ),
        (&["local", "--with", "core", "--core", "--vertex", "3"], "vertex\tcore\n3\t2\n"),
        (&["local", "--with", "degree", "--top", "1"], "vertex\tdegree\n1\t2\n"),
        (
            &["local", "--directed", "--with", "triangles,ldbc_clustering,degree"],
            "vertex\ttriangles\tldbc_clustering\tdegree\n1\t1\t0.5\t2\n2\t1\t0.5\t2\n3\t1\t0.16666666666666666\t3\n\
             4\t0\t0.0\t1\n",
        ),
        (
            &["local", "--weight", "w", "--with", "strength"],
            "vertex\tstrength\n1\t2.0\n2\t2.0\n3\t8.0\n4\t6.0\n",
        ),
        (
            &["support", "--with", "jaccard,forman,support"],
            "u\tv\tjaccard\tforman\tsupport\n1\t2\t0.3333333333333333\t3\t1\n1\t3\t0.25\t2\t1\n\
             2\t3\t0.25\t2\t1\n3\t4\t0.0\t0\t0\n",
        ),
        (&["support", "--with", "overlap", "--top", "1"], "u\tv\toverlap\n1\t2\t0.5\n"),
        (
            &["support", "--with", "cosine", "--vertex", "4", "--min-support", "0"],
            "u\tv\tcosine\n3\t4\t0.0\n",
        ),
    ] {
        let table = stdout(&[args, &["--device", "cpu", "-q", &tailed]].concat());
        assert_eq!(table, expected, "{args:?}");
    }
    for (args, expected) in [
        (
            ["local", "--with", "support"],
            "error: `support` is no result: there are degree, triangles, clustering, core, triangle_centrality, wedges, wedge_ends, four_cycles, square_clustering",
        ),
        (
            ["local", "--with", "in_degree"],
            "error: `in_degree` is a result of graphs with directions (`--directed`)",
        ),
        (
            ["support", "--with", "degree"],
            "error: `degree` is no result: there are support, jaccard, overlap, cosine, sorensen, edge_clustering, forman",
        ),
    ] {
        assert_eq!(refused(2, [&args[..], &[&tailed]].concat()), expected, "{args:?}");
    }
    for (command, line) in [
        (
            "local",
            "  ldbc_clustering      The arcs among the neighbours of the vertex as a share\n",
        ),
        (
            "support",
            "  forman               How densely the surroundings of the edge are joined:\n",
        ),
    ] {
        let help = run([command, "--help"]);
        assert!(text(&help.stdout).contains(line), "{}", text(&help.stdout));
    }
}

/// Numbers below 0 are the same in every format of tables.
#[test]
fn negative_numbers_are_written_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.npy");
    stdout(&["support", "--with", "forman", KARATE, "-q", "-o", out.to_str().unwrap()]);
    let bytes = fs::read(out).unwrap();
    let numbers = bytes[bytes.len() - 78 * 24..].as_chunks::<8>().0;
    let forman = numbers.iter().skip(2).step_by(3).map(|bytes| i64::from_le_bytes(*bytes));
    assert_eq!((forman.clone().min(), forman.max()), (Some(-18), Some(5)));
    let printed = stdout(&["support", "--device", "cpu", "--with", "forman", KARATE]);
    assert!(printed.contains("\n1\t32\t-18\n"), "{printed}");
}

/// What was decided is in the object, in the report, or on standard error beside a table.
#[test]
fn every_result_is_explained() {
    let device = ["--device", "cpu", "--explain", KARATE];
    for command in [&["stats"][..], &["census"], &["motifs"], &["estimate"], &["cliques", "-k4"]] {
        let object = json(&[command, &["--json"], &device].concat());
        let explanation = &object["explanation"];
        assert_eq!(explanation["decisions"][0]["choice"], "cpu", "{command:?}");
        let steps: Vec<&str> =
            (0..2).map(|step| explanation["steps"][step]["step"].as_str().unwrap()).collect();
        assert_eq!(steps, ["orient", "find"], "{command:?}");
        let report = stdout(&[command, &device].concat());
        assert!(report.contains("  device: cpu\n                because asked for\n"), "{report}");
    }
    for command in [&["local"][..], &["support"], &["list"], &["similar"], &["truss", "-k3"]] {
        let output = run([command, &device].concat());
        let explained = text(&output.stderr);
        assert!(explained.contains("  device: cpu\n"), "{command:?}: {explained}");
        let output = run([command, &device[..2], &device[3..]].concat());
        assert_eq!(text(&output.stderr), "", "{command:?}");
    }
}
