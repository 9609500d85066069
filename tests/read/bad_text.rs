//! Every error of the text formats, its whole message.

use tribin::Error;
use tribin::read::{self, Columns, Format, IdKind, Options};

const MISSING: &str =
    "(`missing skip` leaves such lines out, `ids names` takes every id as a name)";
const LEFT_OUT: &str = "(`missing skip` leaves such lines out)";

use crate::samples::{INTEGERS, NO_TABLE, ids, message, message_of_integers, read};

#[test]
fn edge_list_lines() {
    for (text, expected) in [
        ("1 2\na b\n", format!("a.txt:2: `a` is not a vertex id: {INTEGERS}")),
        ("1 2\n\n# c\n3 x4\n", format!("a.txt:4: `x4` is not a vertex id: {INTEGERS}")),
        ("1 2x\n", format!("a.txt:1: `2x` is not a vertex id: {INTEGERS}")),
        ("1 2.5\n", format!("a.txt:1: `2.5` is not a vertex id: {INTEGERS}")),
        ("+1 2\n", format!("a.txt:1: `+1` is not a vertex id: {INTEGERS}")),
        ("1 -\n", format!("a.txt:1: a value is missing, `-`, where a vertex id was expected {MISSING}")),
        ("1 2\n3\n", format!("a.txt:2: `3` has 1 column between blanks, and most lines have 2{NO_TABLE}")),
        ("1 2\n  33 \r\n", format!("a.txt:2: `33` has 1 column between blanks, and most lines have 2{NO_TABLE}")),
        ("7", "a.txt:1: only one column, `7`: each line needs the two ends of an edge (say with `delimiter` what stands between columns)".into()),
        ("1,,2\n", format!("a.txt:1: a column is empty where a vertex id was expected {LEFT_OUT}")),
        (",1,2\n", format!("a.txt:1: a column is empty where a vertex id was expected {LEFT_OUT}")),
        (
            "1 2\n3 \x01\u{1b}[31m\n",
            "a.txt:2: there is a control character, `\\u{1}`: if it stands between columns, name it as the delimiter; \
             else take it away (say with `delimiter` what stands between columns)"
                .into(),
        ),
        (
            "1 2\n0 -3\n",
            format!("a.txt:2: `-3` is not a vertex id: {INTEGERS}"),
        ),
        (
            "18446744073709551616 1\n",
            format!("a.txt:1: `18446744073709551616` is not a vertex id: {INTEGERS}"),
        ),
        (
            "1 999999999999999999999999999999999999999999\n",
            format!("a.txt:1: `99999999999999999999999999999999…` is not a vertex id: {INTEGERS}"),
        ),
    ] {
        assert_eq!(message_of_integers("a.txt", text), expected, "{text:?}");
    }
    assert_eq!(
        message("a.txt", b"\x7fELF\x02\x01\x01\0\0\xff\xfe"),
        "a.txt:1: there is a byte 0, which no text has, in \
         `\\u{7f}ELF\\u{2}\\u{1}\\u{1}\\0\\0\\xff\\xfe`: the file is binary, is UTF-16 without a byte order mark, or was damaged on its way (name it with `format`)"
    );
}

/// The beginning shows integers, and a line behind it does not.
#[test]
fn ids_that_are_no_integers_behind_the_beginning() {
    let many = "1 2\n".repeat(1 << 17);
    let line = (1 << 17) + 1;
    let has_zero = "the vertex id `007` has a leading zero: it is the same as without it if ids are integers, \
                    and another one if they are names (say `ids integers` or `ids names`)";
    let uneven = format!("`3 4 5 6` has 4 columns between blanks, and most lines have 2{NO_TABLE}");
    for (last, expected) in [
        ("1 x\n", format!("`x` is not a vertex id: {INTEGERS}")),
        ("007 1\n", has_zero.into()),
        ("1 007\n", has_zero.into()),
        ("3 4 5 6\n", uneven),
    ] {
        assert_eq!(message("a.txt", format!("{many}{last}")), format!("a.txt:{line}: {expected}"));
    }
}

#[test]
fn the_first_of_several_faults_for_any_number_of_threads() {
    // Two threads begin with the first and the fifth of eight chunks. The fifth holds a fault early,
    // and the fourth holds the first one.
    let mut lines = vec!["1 2\n"; 2_000_000];
    lines[900_000] = "x 1\n";
    lines[1_100_000] = "y 1\n";
    let text = lines.concat();
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(
            pool.install(|| message("a.txt", &text)),
            format!("a.txt:900001: `x` is not a vertex id: {INTEGERS}")
        );
    }
}

#[test]
fn matrix_market_heads() {
    for (text, expected) in [
        (
            "1 2\n",
            "a.mtx:1: `1 2` is not the banner of a Matrix Market file: the first line must be \
             `%%MatrixMarket matrix coordinate FIELD SYMMETRY` (for an edge list use `format edge-list`)",
        ),
        (
            "%%MatrixMarket vector coordinate real general\n",
            "a.mtx:1: `%%MatrixMarket vector coordinate…` is not the banner of a Matrix Market file: \
             the first line must be `%%MatrixMarket matrix coordinate FIELD SYMMETRY` (for an edge list use `format edge-list`)",
        ),
        (
            "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n",
            "a.mtx:1: an `array` file is a dense matrix, not a graph: write the matrix in \
             `coordinate` form",
        ),
        (
            "%%MatrixMarket matrix coordinate quaternion general\n",
            "a.mtx:1: the banner ends with `quaternion general`: the field is one of pattern, integer, real, unsigned-integer, complex, and the symmetry one of general, symmetric, skew-symmetric, hermitian",
        ),
        (
            "%%MatrixMarket matrix coordinate real lopsided\n",
            "a.mtx:1: the banner ends with `real lopsided`: the field is one of pattern, integer, real, unsigned-integer, complex, and the symmetry one of general, symmetric, skew-symmetric, hermitian",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n% c\n\n",
            "a.mtx:4: the file ends before the size line `rows columns entries`: it is cut off, \
             fetch it again",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n% c\n3 3\n",
            "a.mtx:3: `3 3` is not the size line: three integers are expected, `rows columns \
             entries`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n3 3 1 1\n",
            "a.mtx:2: `3 3 1 1` is not the size line: three integers are expected, `rows columns \
             entries`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n3 3 -1\n",
            "a.mtx:2: `3 3 -1` is not the size line: three integers are expected, `rows columns \
             entries`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n3 3 99999999999999999999\n",
            "a.mtx:2: `3 3 99999999999999999999` is not the size line: three integers are expected, \
             `rows columns entries`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n3 4 1\n1 4\n",
            "a.mtx:2: the matrix is not square (3 rows, 4 columns), so it is no graph's adjacency \
             matrix",
        ),
    ] {
        assert_eq!(message("a.mtx", text), expected, "{text:?}");
    }
}

#[test]
fn matrix_market_entries() {
    for (size, body, expected) in [
        (
            "3 3 2",
            "1 2\n",
            "a.mtx:2: the size line announces 2 entries and the file holds 1: the file is cut off, \
             fetch it again",
        ),
        (
            "3 3 1000000000000000000",
            "1 2\n",
            "a.mtx:2: the size line announces 1000000000000000000 entries and the file holds 1: the \
             file is cut off, fetch it again",
        ),
        (
            "3 3 2",
            "1 2\n\n2 3\n3 1\n1 1\n",
            "a.mtx:2: the size line announces 2 entries and the file holds 4: correct the size line, \
             or fetch the file again",
        ),
        (
            "3 3 1",
            "1 2\n2 3\nx\n",
            "a.mtx:5: `x` is no such index: each entry needs a row and a column from 1 to 3",
        ),
        (
            "3 3 2",
            "1 2\n0 1\n",
            "a.mtx:4: `0` is no such index: each entry needs a row and a column from 1 to 3",
        ),
        (
            "3 3 2",
            "1 2\n3 4 0.5\n",
            "a.mtx:4: `4` is no such index: each entry needs a row and a column from 1 to 3",
        ),
        (
            "3 3 1",
            "-1 2\n",
            "a.mtx:3: `-1` is no such index: each entry needs a row and a column from 1 to 3",
        ),
        (
            "3 3 1",
            "1 18446744073709551616\n",
            "a.mtx:3: `18446744073709551616` is no such index: each entry needs a row and a column from 1 to 3",
        ),
        (
            "0 0 1",
            "1 1\n",
            "a.mtx:3: `1` is no such index: each entry needs a row and a column from 1 to 0",
        ),
        (
            "3 3 2",
            "1 2\n2\n",
            "a.mtx:4: `2` stands alone: each entry needs a row and a column from 1 to 3",
        ),
        (
            "3 3 2",
            "1 2\n2 1.5\n",
            "a.mtx:4: `1.5` is no such index: each entry needs a row and a column from 1 to 3",
        ),
    ] {
        let text = format!("%%MatrixMarket matrix coordinate pattern general\n{size}\n{body}");
        assert_eq!(message("a.mtx", text), expected);
    }
}

#[test]
fn metis_headers() {
    let expected = |line: u32, found: &str| {
        format!(
            "a.graph:{line}: `{found}` is not the header of a METIS file: two to four integers are \
             expected, `vertices edges [format [weights]]`, the format one of 0, 1, 10, 11, 100, \
             101, 110, 111, and `weights` only where vertices have weights (10, 11, 110, 111), at \
             least 1"
        )
    };
    for (text, line, found) in [
        ("% c\n3\n", 2, "3"),
        ("3 x\n", 1, "3 x"),
        ("3 2 2\n", 1, "3 2 2"),
        ("3 2 11 1 1\n", 1, "3 2 11 1 1"),
        ("3 2 11 18446744073709551616\n", 1, "3 2 11 18446744073709551616"),
        ("3 2 110 18446744073709551615\n", 1, "3 2 110 18446744073709551615"),
        ("-3 2\n", 1, "-3 2"),
        ("3 2 1 7\n", 1, "3 2 1 7"),
        ("3 2 10 0\n", 1, "3 2 10 0"),
    ] {
        assert_eq!(message("a.graph", text), expected(line, found), "{text:?}");
    }
    assert_eq!(
        message("a.graph", "% c\n\n"),
        "a.graph:3: the file ends before the header `vertices edges [format [weights]]`: it is cut \
         off, fetch it again"
    );
}

#[test]
fn metis_lines() {
    for (text, expected) in [
        (
            "3 2\n2\n1 3\n",
            "a.graph:1: the header announces 3 vertices and 2 lines of neighbours follow: the file \
             is cut off (the line of a vertex without neighbours is empty, not missing)",
        ),
        (
            "% c\n4294967294 2\n2\n1 3\n",
            "a.graph:2: the header announces 4294967294 vertices and 2 lines of neighbours follow: \
             the file is cut off (the line of a vertex without neighbours is empty, not missing)",
        ),
        (
            "% c\n4294967295 2\n2\n1 3\n",
            "a.graph:2: the header announces 4294967295 vertices: at most 4294967294 (2^32-2) can be \
             counted",
        ),
        (
            "2 1\n2\n1\n\n1 2\n",
            "a.graph:5: `1 2` stands after the line of the last vertex: the header announces 2 \
             vertices, correct it or fetch the file again",
        ),
        (
            "2 1\n2\n3\n",
            "a.graph:3: `3` is not a neighbour: each line holds the numbers of a vertex's neighbours, from 1 to 2",
        ),
        (
            "2 1\n0\n1\n",
            "a.graph:2: `0` is not a neighbour: each line holds the numbers of a vertex's neighbours, from 1 to 2",
        ),
        (
            "2 1\n% c\n2 -1\n1\n",
            "a.graph:3: `-1` is not a neighbour: each line holds the numbers of a vertex's neighbours, from 1 to 2 (for an edge list use `format edge-list`)",
        ),
        (
            "2 1\n99999999999999999999\n1\n",
            "a.graph:2: `99999999999999999999` is not a neighbour: each line holds the numbers of a vertex's neighbours, from 1 to 2",
        ),
        (
            "2 1\n2 x\n1\n",
            "a.graph:2: `x` is not a neighbour: each line holds the numbers of a vertex's \
             neighbours, from 1 to 2 (for an edge list use `format edge-list`)",
        ),
        (
            "2 1\n2,1\n1\n",
            "a.graph:2: `2,1` is not a neighbour: each line holds the numbers of a vertex's \
             neighbours, from 1 to 2 (for an edge list use `format edge-list`)",
        ),
        (
            "3 3\n2\n1 3\n2\n",
            "a.graph:1: the header announces 3 edges and the lines hold 4 neighbours, not twice as \
             many: correct the header (it counts each edge once) or fetch the file again",
        ),
        (
            "2 9223372036854775808\n2\n1\n",
            "a.graph:1: the header announces 9223372036854775808 edges and the lines hold 2 \
             neighbours, not twice as many: correct the header (it counts each edge once) or fetch \
             the file again",
        ),
        (
            "2 1 1\n2 5\n1\n",
            "a.graph:3: the line of vertex 2 ends before 1 of the weights that the header's format asks for: correct the header or fetch the file again",
        ),
        (
            "2 1 10 3\n4 4 4 2\n4\n",
            "a.graph:3: the line of vertex 2 ends before 2 of the weights that the header's format asks for: correct the header or fetch the file again",
        ),
    ] {
        assert_eq!(message("a.graph", text), expected, "{text:?}");
    }
}

/// A matrix of any numbers, with names of its columns and rows or without.
#[test]
fn matrices_with_all_of_their_zeros() {
    const DENSE: &str = "this looks like an adjacency matrix with all of its zeros, in 4 columns: write it as a sparse one";
    let floats =
        [[0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 0.0, 2.5], [0.0, 0.0, 2.5, 0.0]];
    let block = |between: &str, number: &dyn Fn(f64) -> String| {
        let row = |row: &[f64; 4]| row.map(number).join(between) + "\n";
        floats.iter().map(row).collect::<Vec<_>>()
    };
    let exponents = |value: f64| format!("{value:.18e}");
    let whole = |value: f64| format!("{}", 3.0 * value.floor());
    let with_names = |names: &str, rows: Vec<String>, labels: [&str; 4]| {
        let labelled = labels.iter().zip(rows).map(|(label, row)| format!("{label}{row}"));
        names.to_owned() + &labelled.collect::<String>()
    };
    let none = [""; 4];
    let commas = || block(",", &whole);
    for (text, line) in [
        (block(" ", &exponents).concat(), 1),
        (block(",", &exponents).concat(), 1),
        (block(" ", &whole).concat(), 1),
        (block("\t", &whole).concat(), 1),
        (block(";", &|value| format!("{value:?}").replace('.', ",")).concat(), 1),
        (format!("# a matrix\n{}", block(" ", &exponents).concat()), 2),
        (with_names("0,1,2,3\n", commas(), none), 1),
        (with_names("ann,bob,cyd,dan\n", commas(), none), 1),
        (with_names("a,b,c,d\n", block(",", &exponents), none), 1),
        (with_names(",0,1,2,3\n", commas(), ["0,", "1,", "2,", "3,"]), 1),
        (with_names(",ann,bob,cyd,dan\n", commas(), ["ann,", "bob,", "cyd,", "dan,"]), 1),
        (with_names("", commas(), ["0,", "1,", "2,", "3,"]), 1),
    ] {
        let expected = format!("a.csv:{line}: {DENSE}");
        let found = message("a.csv", &text);
        assert!(found.starts_with(&expected), "{text}\n{found}");
        let mut options = Options::default();
        options.columns = Some("1,2".parse().unwrap());
        assert!(read::from_bytes("a.csv", text.as_bytes(), &options).is_ok(), "{text}");
    }
    // Weights above the diagonal alone.
    let row =
        |i: usize| (0..8).map(move |j| if j > i { (8 * i + j).to_string() } else { "0".into() });
    let upper: String = (0..8).map(|i| row(i).collect::<Vec<_>>().join(",") + "\n").collect();
    let found = message("a.csv", &upper);
    assert!(found.starts_with(&format!("a.csv:1: {DENSE}").replace("4 col", "8 col")), "{found}");
    // A matrix of which the beginning is looked at.
    let wide = format!("{}0\n", "0.5,".repeat(399)).repeat(400);
    let found = message("a.csv", &wide);
    assert!(found.starts_with("a.csv:1: there are 400 columns and fewer rows, as in"), "{found}");
    let names: String = (0..399).map(|name| format!("n{name},")).collect();
    let found = message("a.csv", format!("{names}last\n{wide}"));
    assert!(found.starts_with(&format!("a.csv:1: {DENSE}").replace("4 col", "400 col")), "{found}");
}

#[test]
fn tables_of_edges_are_no_matrices() {
    for text in [
        "source,target,weight,year\n0,1,5,7\n1,2,5,8\n2,0,5,9\n0,3,5,9\n",
        "u,v,w,t\n0,1,5,7\n1,2,5,8\n2,0,5,9\n0,3,5,9\n",
        "0 1 5 7\n1 2 5 8\n2 0 5 9\n0 3 5 9\n0 4 1 1\n",
        "0 1 0.5\n1 2 0.5\n2 0 0.5\n",
    ] {
        assert_eq!(ids(&read("a.csv", text).unwrap())[..3], [[0, 1], [1, 2], [2, 0]], "{text}");
    }
}

/// Beyond the beginning, where a tab or a comma stands between columns.
#[test]
fn a_tab_and_a_comma_in_a_line() {
    let many = "1\t2\n".repeat(1 << 17);
    let line = (1 << 17) + 1;
    for (last, found) in [("1,0\t2,0\n", "1,0"), ("3\t2,5\n", "2,5")] {
        assert_eq!(
            message("a.txt", format!("{many}{last}")),
            format!("a.txt:{line}: `{found}` is not a vertex id: {INTEGERS}")
        );
    }
    let blanks = "1 2\n".repeat(1 << 17);
    for last in ["1,0\t2,0\n", "1,0 2,0\n"] {
        assert_eq!(
            message("a.txt", format!("{blanks}{last}")),
            format!("a.txt:{line}: `1,0` is not a vertex id: {INTEGERS}")
        );
    }
    // Columns of one file have one delimiter.
    assert_eq!(
        message("a.txt", format!("1, 2\n{blanks}")),
        format!("a.txt:1: `1,` is not a vertex id: {INTEGERS}")
    );
}

#[test]
fn ends_of_two_groups() {
    let expected = "a.csv:1: the columns `:START_ID(Person)` and `:END_ID(Film)` have ids of different kinds: an id in one \
                    is another vertex than the same id in the other: say `bipartite`, or `columns 1,2` to take equal ids as one vertex";
    assert_eq!(message("a.csv", ":START_ID(Person),:END_ID(Film)\n1,2\n2,3\n3,1\n"), expected);
    let found = message("a.csv", ":START_ID(Person),w,:END_ID\n1,5,2\n2,5,3\n3,5,1\n");
    assert!(found.ends_with("`columns 1,3` to take equal ids as one vertex"), "{found}");
    let same = ":START_ID(Person),:END_ID(Person)\n1,2\n2,3\n3,1\n";
    assert_eq!(ids(&read("a.csv", same).unwrap()), [[1, 2], [2, 3], [3, 1]]);
    let expected = "out.x:1: the first line says that the graph is bipartite: an id in the first column is another vertex \
                    than the same id in the second: say `bipartite`, or `columns 1,2` to take equal ids as one vertex";
    let konect = "% bip unweighted\n% 3 3 3\n1 2\n2 3\n3 1\n";
    assert_eq!(message("out.x", konect), expected);
    assert_eq!(ids(&read("out.x", konect.replace("bip", "sym")).unwrap()).len(), 3);
    let mut options = Options::default();
    options.columns = Some("1,2".parse().unwrap());
    let graph = read::from_bytes("out.x", konect.as_bytes(), &options).unwrap();
    assert_eq!(ids(&graph), [[1, 2], [2, 3], [3, 1]]);
}

/// A table that Hive or Spark has partitioned by one end of its edges.
#[test]
fn ends_in_the_names_of_folders() {
    let expected = "H/source=0/part.csv:1: the folder `source=0` has one end of the edges in its name, where it is not \
                    read: write the parts with both columns of the edges in them, or, if the ends are in the files: name two with `columns`, for example `columns 1,2`";
    for text in ["target,weight\n1,5\n2,5\n", "1,5\n2,5\n", "1,0.5,x\n2,0.5,y\n"] {
        assert_eq!(message("H/source=0/part.csv", text), expected, "{text}");
    }
    assert_eq!(message("H/source=0/part.csv", "target,u,v\n1,2,3\n"), expected);
    let both = expected.replacen("/part.csv", "/target=1/part.csv", 1);
    assert_eq!(message("H/source=0/target=1/part.csv", "u,v\n2,3\n"), both);
    // Two other columns that may be ends do not take the place of the one in the name.
    assert_eq!(message("H/source=0/part.csv", "u,v\n2,3\n"), expected);
    assert_eq!(message("H/source=0/part.csv", "target\n1\n2\n"), expected);
    let found = message("part.csv", "target,weight\n1,5\n2,5\n");
    let expected = "part.csv:1: column `target` alone may be an end of an edge by its name; the columns are `target`, `weight`: \
                    name two with `columns`, for example `columns target,weight`";
    assert_eq!(found, expected);
    for name in ["H/source=0/part.csv", "H/year=2020/part.csv"] {
        let graph = read(name, "source,target\n0,1\n1,2\n").unwrap();
        assert_eq!(ids(&graph), [[0, 1], [1, 2]], "{name}");
    }
    assert_eq!(ids(&read("H/start_date=0/part.csv", "0,1\n1,2\n").unwrap()), [[0, 1], [1, 2]]);
}

/// A matrix whose rows have names, without a line that names the columns.
#[test]
fn matrices_with_names_of_rows_alone() {
    let told = |text: &str| message("a.csv", text);
    for (columns, text) in [
        (4, "Ann,0,0.5,0.2,0.1\nBo,0.5,0,0.1,0\nCy,0.2,0.1,0,0\nDi,0.1,0,0,0\n"),
        (4, "Ann 0 5 3 1\nBo 5 0 2 0\nCy 3 2 0 0\nDi 1 0 0 7\n"),
        (4, "Ann;0,0;0,5;0,1;1\nBo;0,5;0;2;1\nCy;0,1;2;0;1\nDi;1;1;1;0\n"),
    ] {
        let expected = format!(
            "a.csv:1: this looks like an adjacency matrix with all of its zeros, in {columns} columns: "
        );
        assert!(told(text).starts_with(&expected), "{}", told(text));
    }
    // Three rows that are not symmetric, and rows of one name, are edges with attributes.
    for text in
        ["Ann,Bo,0.5,0.1\nBo,Cy,0,2\nCy,Ann,2,0\n", "Ann,x1,0.5,0.1\nAnn,x2,0,2\nBo,x1,2,0\n"]
    {
        assert_eq!(read("a.csv", text).unwrap().edges().len(), 3, "{text}");
    }
}

/// A comma that may be that of a decimal number cut the lines, and `0,5 1 2` was the edge of 0 and 5.
#[test]
fn decimal_commas_between_blanks() {
    for (line, shown) in
        [("0,5 1 2", "5 1 2"), ("1 0,5 2", "1 0"), ("1,5 2", "5 2"), ("1 2,5", "1 2")]
    {
        let expected = format!(
            "a.txt:1: `{shown}` is not a vertex id: ids here are integers from 0 to 2^64-1 (say with `delimiter` what stands between columns)"
        );
        for text in [format!("{line}\n"), format!("{line}\n").repeat(3)] {
            assert_eq!(message("a.txt", &text), expected);
            let mut options = Options::default();
            options.format = Some(Format::EdgeList);
            let error = read::from_bytes("a.txt", text.as_bytes(), &options).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
    for text in ["1 2 0,5\n2 3 0,7\n3 1 1,5\n", "1 2 1\n2 3 2,5\n3 1 4\n", "1, 2\n2 ,3\n3,1\n"] {
        assert_eq!(ids(&read("a.txt", text).unwrap()), [[1, 2], [2, 3], [3, 1]], "{text}");
    }
    let mut options = Options::default();
    options.weight = Some("3".into());
    let weighted = read::from_bytes("a.txt", b"1 2 1\n2 3 2,5\n3 1 4\n", &options).unwrap();
    assert_eq!(weighted.weights(), Some(&[1.0, 2.5, 4.0][..]));
}

/// A first line that was taken for the names of columns: an edge was lost.
#[test]
fn first_lines_that_may_be_edges() {
    let expected = format!("a.csv:1: a column is empty where a vertex id was expected {LEFT_OUT}");
    for text in ["\"\",b\na,b\nb,c\n", ",b\na,b\nb,c\n"] {
        assert_eq!(message("a.csv", text), expected);
    }
    let names = |text: &str| {
        let graph = read("a.csv", text).unwrap();
        let name = |v: u32| graph.ids().names().unwrap().get(v).to_owned();
        graph.edges().iter().map(|ends| ends.map(name)).collect::<Vec<_>>()
    };
    assert_eq!(names(",friend\na,b\nb,c\n"), [["a", "b"], ["b", "c"]]);
    assert_eq!(names("\"a\n\",\"b\n\"\n\"b\n\",\"c\n\"\n"), [["a\n", "b\n"], ["b\n", "c\n"]]);
    assert_eq!(names("\"a \",\"b \"\n\"b \",\"c \"\n").len(), 2);
}

#[test]
fn options_of_other_formats() {
    let matrix = "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n";
    let asked = |set: &dyn Fn(&mut Options), name: &str, text: &[u8]| {
        let mut options = Options::default();
        set(&mut options);
        match read::from_bytes(name, text, &options).unwrap_err() {
            Error::Usage(message) => message.to_string(),
            other => panic!("{other:?}"),
        }
    };
    for (option, what, set) in [
        (
            "columns",
            "tables",
            &(|o: &mut Options| o.columns = Some(Columns::new("1", "2"))) as &dyn Fn(&mut Options),
        ),
        ("header", "tables of text", &|o| o.header = Some(false)),
        ("delimiter", "tables of text", &|o| o.delimiter = Some(",".into())),
        ("skip", "tables of text", &|o| o.skip = 1),
        ("ids", "formats whose ids may be names", &|o| o.ids = IdKind::Names),
    ] {
        for (name, format, bytes) in [
            ("a.mtx", "matrix-market", matrix.as_bytes()),
            ("a.bin", "bin", &[0; 8]),
            ("a.graph", "metis", b"2 1\n2\n1\n"),
        ] {
            assert_eq!(
                asked(set, name, bytes),
                format!(
                    "{name}: the format is `{format}`, and one of the options is of {what} only: leave out `{option}`"
                )
            );
        }
    }
    let mut options = Options::default();
    options.ids = IdKind::Names;
    assert!(read::from_bytes("a.adjlist", b"a b\nb c\n", &options).is_ok());
}

#[test]
fn everything_is_left_out() {
    let skip = |lines: u64, text: &str| {
        let mut options = Options::default();
        options.skip = lines;
        read::from_bytes("a.txt", text.as_bytes(), &options).map(|graph| ids(&graph))
    };
    let text = "1 2\n2 3\n";
    assert_eq!(skip(1, text).unwrap(), [[2, 3]]);
    assert!(skip(2, text).unwrap().is_empty());
    assert!(skip(1, "source,target").unwrap().is_empty());
    for (lines, place) in [(3, 3), (100, 3)] {
        assert_eq!(
            skip(lines, text).unwrap_err().to_string(),
            format!(
                "a.txt:{place}: nothing is left behind the first {lines} lines (`skip N` leaves out the first N lines)"
            )
        );
    }
    // More lines than the beginning has that is looked at.
    let many = "9 9\n".repeat(100_000) + text;
    assert_eq!(skip(100_000, &many).unwrap(), [[1, 2], [2, 3]]);
    assert!(skip(100_002, &many).unwrap().is_empty());
    assert!(skip(100_003, &many).is_err());
}

/// The message about a `.graph` file that is a list of edges names the option that reads it.
#[test]
fn a_list_of_edges_that_is_called_metis() {
    for text in ["1 2\n2 3\n3 1\n", "0 1\n1 2\n", "# a comment\n7 8\n8 9\n"] {
        let message = message("a.graph", text);
        assert!(message.ends_with(" (for an edge list use `format edge-list`)"), "{message}");
    }
    let message = message("a.graph", "3 2\n2 3\n1 9\n1\n");
    assert!(!message.contains("edge-list"), "{message}");
}
