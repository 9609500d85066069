//! `tribin local --directed`, `tribin local --weight` and `tribin census`.

use super::{KARATE, assert_documented, json, refused, run, stdout, write};

/// A cycle with one arc back, and a self-loop at a vertex of its own.
const CYCLE: &str = "from,to,w\n0,1,1\n1,2,1\n2,0,8\n0,2,8\n7,7,1\n";

#[test]
fn directed_triangles_of_every_vertex() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "cycle.csv", CYCLE);
    assert_eq!(
        stdout(&["local", "--directed", "--weight", "w", &path]),
        "vertex\tin_degree\tout_degree\tmutual_degree\tcycle_triangles\tmiddleman_triangles\tin_triangles\t\
         out_triangles\ttriangles\tcycle_clustering\tmiddleman_clustering\tin_clustering\tout_clustering\t\
         clustering\tweighted_clustering\n\
         0\t1\t2\t1\t1\t0\t0\t1\t2\t1.0\t0.0\t0.0\t0.5\t0.5\t0.125\n\
         1\t1\t1\t0\t1\t1\t0\t0\t2\t1.0\t1.0\t0.0\t0.0\t1.0\t0.25\n\
         2\t2\t1\t1\t1\t0\t1\t0\t2\t1.0\t0.0\t0.5\t0.0\t0.5\t0.125\n"
    );
    // The arc back is the same edge, with the same weight.
    assert_eq!(
        stdout(&["local", "--weight", "3", "--core", "--vertex", "1", &path]),
        "vertex\tdegree\ttriangles\tclustering\tstrength\tonnela\tbarrat\tcore\n\
         1\t2\t1\t1.0\t2.0\t0.25\t1.0\t2\n"
    );
    let top = stdout(&["local", "--directed", "--top", "1", KARATE]);
    assert!(
        top.lines().nth(1).unwrap().starts_with("1\t16\t16\t16\t36\t36\t36\t36\t144\t"),
        "{top}"
    );
}

#[test]
fn the_census_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "cycle.csv", CYCLE);
    let report = stdout(&["census", "--device", "cpu", &path]);
    for line in
        ["graph         4 vertices, 4 arcs", "120C", "triangles     1", "device        cpu ("]
    {
        assert!(report.contains(line), "{report}");
    }
    assert!(report.contains("reciprocity   0.400000, 2 arcs have one back\n"), "{report}");
    let table = stdout(&["census", &path, "-o", "-"]);
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!((rows.len(), rows[0], rows[14]), (17, "class\tcount", "120C\t1"));
    assert_eq!((rows[2], rows[3]), ("012\t2", "102\t1"));
    let plain = write(folder.path(), "plain.txt", "0 1\n1 2\n");
    let object = json(&["census", "--json", &plain]);
    assert_documented(&object, "tribin census --json");
    assert_eq!((&object["census"]["021C"], &object["reciprocity"]), (&1.into(), &0.0.into()));
    let empty = write(folder.path(), "empty.txt", "# nothing\n");
    let object = json(&["census", "--json", &empty]);
    assert_eq!(
        (&object["reciprocity"], &object["vertices"]),
        (&serde_json::Value::Null, &0.into())
    );
    // Symmetric, so that every edge leads both ways.
    assert!(stdout(&["census", KARATE]).contains("reciprocity   1.000000, 156 arcs have one back"));
}

#[test]
fn weights_are_read_of_every_format_that_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let matrix = "%%MatrixMarket matrix coordinate";
    let quoted = "\"a\",\"b\",\"w\"\n\"x\",\"y\",\"1\"\n\"y\",\"z\",\"1.0\"\n\"z\",\"x\",\"8e0\"\n";
    for (name, content, weight) in [
        ("a.csv", "a,b,w\nx,y,1\ny,z,1\nz,x,8\n", "w"),
        ("quoted.csv", quoted, "W"),
        ("between.tsv", "u\tstrength\tv\nx\t1\ty\ny\t1\tz\nz\t8\tx\n", "strength"),
        ("b.el", "# a comment\n1 2 1\n\n2 3 1\n3 1 8\n", "3"),
        ("c.txt", "1 2 1\n2 3 1\n3 1 8\n", "weight"),
        ("d.gr", "p sp 3 3\na 1 2 1\nc said\na 2 3 1\na 3 1 8\n", "weight"),
        ("e.mtx", &format!("{matrix} real general\n3 3 3\n1 2 1\n2 3 1e0\n3 1 8\n"), "value"),
        ("f.mtx", &format!("{matrix} integer symmetric\n3 3 3\n2 1 1\n3 2 1\n3 1 8\n"), "weight"),
        ("g.graph", "3 3 1\n2 1 3 8\n1 1 3 1\n1 8 2 1\n", "weight"),
    ] {
        let path = write(folder.path(), name, content);
        let table = stdout(&["local", "--weight", weight, &path]);
        let onnela: Vec<&str> =
            table.lines().skip(1).map(|row| row.split('\t').nth(5).unwrap()).collect();
        assert_eq!(onnela, ["0.25"; 3], "{name}: {table}");
    }
}

/// The weights of one graph, in tables that the command writes itself.
#[cfg(all(feature = "parquet", feature = "arrow"))]
#[test]
fn weights_of_columnar_files_are_those_of_text() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // Graphs whose vertices are numbers and names.
    let names = write(folder.path(), "names.csv", "a,b\nx,y\ny,z\nz,x\nz,w\nw,x\n");
    for graph in [KARATE, &names] {
        let tables = ["table.csv", "table.parquet", "table.feather"].map(place);
        for table in &tables {
            stdout(&["support", graph, "-o", table]);
        }
        let of = |table: &str, weight: &str, more: &[&str]| {
            let columns = ["--columns", "u,v", "--weight", weight];
            stdout(&[&["local"], &columns[..], more, &[table]].concat())
        };
        for more in [&[][..], &["--directed"]] {
            let [csv, parquet, arrow] = tables.each_ref().map(|table| of(table, "support", more));
            assert!(csv.lines().count() > 4 && csv == parquet && csv == arrow, "{csv}{parquet}");
            assert_eq!(of(&tables[1], "3", more), csv);
        }
        for table in &tables[1..] {
            let wrong = |weight: &str| {
                let columns = ["--columns", "u,v"];
                refused(1, [&["local"], &columns[..], &["--weight", weight, table]].concat())
            };
            let unknown = wrong("x");
            let message = "there is no column `x` of weights; the columns are `u`, `v`, `support`";
            assert!(unknown.contains(message), "{unknown}");
            let end = wrong("v");
            let message =
                if graph == KARATE { "is an end of the edges" } else { "holds texts: weights" };
            assert!(end.contains(message), "{end}");
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let pattern = "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n";
    for (name, content, weight, message) in [
        (
            "a.csv",
            CYCLE,
            "x",
            "a.csv:1: there is no column `x` of weights; the columns are `from`, `to`, `w`",
        ),
        ("b.csv", "from,to,w\n0,1,1\n1,2,\n", "w", "b.csv:3: a weight is missing"),
        (
            "c.csv",
            "from,to,w\n0,1,1\n1,2,inf\n",
            "w",
            "c.csv:3: `inf` is no weight: weights are finite numbers",
        ),
        ("d.txt", "0 1 1\n1 2\n", "3", "d.txt:2: there is no weight in column 3"),
        ("e.csv", CYCLE, "to", "e.csv:1: the column `to` is an end of the edges, and no weight"),
        (
            "f.csv",
            "from,to,w\n0,1,1\n1,0,2\n",
            "w",
            "f.csv: the edge 1 – 0 has the weights 1 and 2: say `--duplicates sum` or `--duplicates last`",
        ),
        ("g.mtx", pattern, "value", "g.mtx:1: the matrix has no values that are real numbers"),
        (
            "h.graph",
            "3 1\n2\n1\n\n",
            "weight",
            "h.graph:1: the header says that edges have no weights",
        ),
        ("j.graph", "2 1 1\n2 5\n1 5\n", "w", "in this format they are called `weight`"),
        (
            "k.adjlist",
            "0 1 2\n1 2\n",
            "weight",
            "k.adjlist: weights are read of tables of text, Parquet",
        ),
        (
            "i.txt",
            "0 1 1 1\n1 2 1 1\n",
            "weight",
            "there is no column `weight` of weights: the columns have no names, give a number from 1 to 4",
        ),
    ] {
        let path = write(folder.path(), name, content);
        let error = refused(1, ["local", "--weight", weight, &path]);
        assert!(error.contains(message), "{error}");
    }
    let path = write(folder.path(), "cycle.csv", CYCLE);
    let output = run(["local", "--duplicates", "sum", &path]);
    assert_eq!(output.status.code(), Some(2), "it goes with `--weight`");
}

/// Coefficients of such vertices were no numbers.
#[test]
fn sums_of_weights_that_are_too_large() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.csv", "0,1,1e308\n1,2,1e308\n2,0,1e308\n");
    assert_eq!(
        refused(1, ["local", "--weight", "3", &path]),
        format!("error: {path}: the sum of the weights at the vertex 0 is too large for a double")
    );
}
