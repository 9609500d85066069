//! Tables of text that are easily misread: each gives its edges, or one message.

use tribin::Graph;
use tribin::read::{self, Format, IdKind, Options};

use crate::samples::{NO_TABLE, gzip, ids, message, read};

/// Reads a table whose delimiter is said.
fn between(delimiter: char, text: impl AsRef<[u8]>) -> tribin::Result<Graph> {
    let mut options = Options::default();
    options.delimiter = Some(delimiter.to_string());
    read::from_bytes("a.txt", text.as_ref(), &options)
}

const BRACKETS: &str = "the line begins with a bracket, and what stands between columns is within it: take the brackets away, or number \
                        vertices that are tuples, with networkx.convert_node_labels_to_integers";
const EMPTY: &str = "a column is empty where a vertex id was expected";
const LEFT_OUT: &str = " (`missing skip` leaves such lines out)";

/// A run of tabs was taken for one, so that a weight became an end.
#[test]
fn an_empty_column_between_tabs_moves_nothing() {
    let rows = |rows: usize| -> String {
        (0..rows).map(|row| format!("{}\t{}\t9\n", row % 7, row % 5)).collect()
    };
    for (start, lines) in [(rows(2), 2), (rows(1 << 16), 1 << 16)] {
        for row in ["\t1\t3\n", "1\t\t3\n", "1\t \t3\n", " \t1\t3\n"] {
            let text = format!("{start}{row}");
            let expected = |line: usize| format!("a.txt:{line}: {EMPTY}{LEFT_OUT}");
            assert_eq!(message("a.txt", &text), expected(lines + 1), "{row:?}");
            assert_eq!(
                between('\t', &text).unwrap_err().to_string(),
                expected(lines + 1),
                "{row:?}"
            );
            let headed = format!("source\ttarget\tweight\n{text}");
            assert_eq!(message("a.txt", headed), expected(lines + 2), "{row:?}");
        }
    }
}

#[test]
fn blanks_in_a_column_separate_nothing() {
    let blank = |at: &str| {
        format!(
            "a.txt:{at} is not a vertex id: ids here are integers from 0 to 2^64-1 (say with `delimiter` what stands between columns)"
        )
    };
    for (delimiter, sep) in [('\t', "\t"), (',', ","), (';', ";")] {
        let rows = format!("1{sep}2\n").repeat(2);
        let many = format!("1{sep}2\n").repeat(1 << 17);
        for (start, line) in [(rows, 3), (many, (1 << 17) + 1)] {
            for (row, shown) in [
                (format!("1 500{sep}3\n"), "1 500"),
                (format!("3{sep}1 500\n"), "1 500"),
                (format!("1 500 7{sep}3\n"), "1 500 7"),
            ] {
                let text = format!("{start}{row}");
                let found = between(delimiter, &text).unwrap_err().to_string();
                assert_eq!(found, blank(&format!("{line}: `{shown}`")), "{row:?}");
                let found = message("a.txt", format!("source{sep}target\n{text}"));
                assert_eq!(found, blank(&format!("{}: `{shown}`", line + 1)), "{row:?}");
            }
        }
        // Blanks around integers are none of theirs.
        let padded = format!(" 1 {sep} 2 \n2{sep} 3\n");
        assert_eq!(ids(&between(delimiter, padded).unwrap()), [[1, 2], [2, 3]]);
    }
}

/// Lists whose lines differ stay lists.
#[test]
fn blanks_and_tabs_that_are_mixed_separate_columns() {
    let edges = [[1, 2], [2, 3], [3, 4], [4, 5]];
    for text in
        ["1\t2\n2 3\n3\t\t4\n\t4 5\n", "1 \t2\n2\t 3\n3  4\n4\t5\n", "1\t\t2\n2\t3\n3\t\t4\n4\t5\n"]
    {
        assert_eq!(ids(&read("a.txt", text).unwrap()), edges, "{text:?}");
    }
    let aligned = "1\t\t2\t7\n20\t\t3\t7\n";
    assert_eq!(ids(&read("a.txt", aligned).unwrap()), [[1, 2], [20, 3]]);
    // Not behind a beginning that has nothing but tabs.
    let many = "1\t2\n".repeat(1 << 17);
    let told = message("a.txt", format!("{many}3 4\n 5 6\n"));
    assert!(told.starts_with("a.txt:131073: `3 4` has 1 column between tabs"), "{told}");
}

fn names(text: impl AsRef<[u8]>) -> Vec<[String; 2]> {
    let graph = read("a.csv", text).unwrap();
    let name = |v: u32| graph.ids().id(v).to_string();
    graph.edges().iter().map(|ends| ends.map(name)).collect()
}

fn as_edge_list(text: &str) -> Graph {
    let mut options = Options::default();
    options.format = Some(read::Format::EdgeList);
    read::from_bytes("a.csv", text.as_bytes(), &options).unwrap()
}

/// A first line of integers made a quote before a blank an error.
#[test]
fn quotes_behind_a_line_of_integers() {
    for sep in ["\t", " ", ","] {
        let text = format!("1{sep}2\n\"New York\"{sep}1\nParis{sep}\"New York\"\nParis{sep}1\n");
        let mut options = Options::default();
        for kind in [IdKind::Names, IdKind::Auto] {
            options.ids = kind;
            let graph = read::from_bytes("a.txt", text.as_bytes(), &options).unwrap();
            assert_eq!(graph.edges(), [[0, 1], [2, 0], [3, 2], [3, 0]], "{sep:?}");
            assert_eq!(graph.ids().id(2).to_string(), "New York");
        }
    }
}

#[test]
fn brackets_are_told() {
    let told = |text: &str, line: usize| {
        let expected = format!("a.txt:{line}: {BRACKETS}");
        assert_eq!(message("a.txt", text), expected, "{text:?}");
    };
    told("(1, 2)\n(2, 3)\n", 1);
    told("- [1, 2]\n- [2, 3]\n", 1);
    told("{1,2}\n{2,3}\n{1,3}\n", 1);
    told("{1 2}\n{2 3}\n", 1);
    told("{a;b},\n{b;c},\n", 1);
    told("{{1,2},{2,3},{1,3}}\n", 1);
    told("{\n{1,2},\n{2,3},\n{1,3}\n}\n", 2);
    let uuids = "{12-3a},{23}\n{23},{34}\n";
    assert_eq!(
        names(uuids),
        [["{12-3a}", "{23}"], ["{23}", "{34}"]].map(|ends| ends.map(str::to_owned))
    );
}

#[test]
fn a_header_that_is_too_long_is_told() {
    let columns: String = (0..1 << 16).map(|column| format!(",c{column}")).collect();
    let row = format!("{}\n", ",1".repeat(1 << 16));
    let text = format!("source,target{columns}\n1,2{row}2,3{row}");
    assert_eq!(
        message("a.csv", &text),
        format!(
            "a.csv:1: the first line is longer than the 262144 bytes that are looked at{NO_TABLE}"
        )
    );
    let mut options = Options::default();
    options.skip = 1;
    options.columns = Some("1,2".parse().unwrap());
    let graph = read::from_bytes("a.csv", text.as_bytes(), &options).unwrap();
    assert_eq!(ids(&graph), [[1, 2], [2, 3]]);
}

#[test]
fn numbered_names_are_no_header_above_names_like_them() {
    let pairs = |text: &str| {
        let graph = read::from_bytes("a.csv", text.as_bytes(), &Options::default()).unwrap();
        graph.edges().len()
    };
    assert_eq!(pairs("user1,user2\nuser3,user4\nuser5,user6\n"), 3);
    assert_eq!(pairs("P1,P22\nP333,P4\n"), 2);
    assert_eq!(pairs("node 1,node 2\nnode 3,node 4\n"), 2);
    // Of other kinds than what stands below.
    assert_eq!(pairs("user1,user2\nAnn,Bo\nBo,Cy\n"), 2);
    assert_eq!(pairs("source,target\nuser3,user4\nuser5,user6\n"), 2);
    // Nor is there a doubt of it.
    let warnings = |text: &str| said(text, &Options::default()).unwrap().1;
    assert_eq!(warnings("n1,n2\nn3,n4\nn5,n6\nn7,n8\n"), [""; 0]);
    for text in ["who,whom\nann,bob\nbob,cy\ncy,ann\n", "0,who\n5,ann\n6,bob\n7,cy\n"] {
        let found = warnings(text);
        assert!(found.iter().any(|warning| warning.contains("say `--header yes`")), "{found:?}");
    }
}

/// In a flow network a vertex may be called as the column of the sources is.
#[test]
fn a_vertex_that_is_called_as_a_header() {
    for (header, rows) in [
        ("source,target", "source,a\na,b\nb,sink\n"),
        ("from,to", "a,b\nb,to\n"),
        ("Source,Target", "a,Source\n"),
    ] {
        let text = format!("{header}\n{rows}");
        let (one, other) = header.split_once(',').unwrap();
        assert_eq!(
            message("a.csv", &text),
            format!(
                "a.csv:1: the first line has the words of the two ends of an edge, `{one}` and `{other}`, and one of them comes \
                 again below it: it may name the columns, or be an edge (say `header yes` or `header no`)"
            )
        );
        let mut options = Options::default();
        for (has_header, more) in [(true, 0), (false, 1)] {
            options.header = Some(has_header);
            let graph = read::from_bytes("a.csv", text.as_bytes(), &options).unwrap();
            assert_eq!(graph.edges().len(), rows.lines().count() + more);
        }
    }
    // Letters are vertices.
    assert_eq!(names("a,b\nb,c\nc,a\n").len(), 3);
}

#[test]
fn adjacency_lists_of_names_are_told() {
    let told = |text: &str| {
        let expected = "a.csv:1: these look like adjacency lists: each line begins with another vertex, and its neighbours follow";
        assert_eq!(message("a.csv", text), format!("{expected}{NO_TABLE}"), "{text}");
        let mut options = Options::default();
        options.format = Some(read::Format::Adjacency);
        let graph = read::from_bytes("a.csv", text.as_bytes(), &options).unwrap();
        assert_eq!(graph.vertex_bound(), 4, "{text}");
    };
    // Of equal lengths, each edge at both ends; filled up with empty columns; with a colon; and numbers between semicolons.
    told("ann,bob,cyd,dan\nbob,ann,cyd,dan\ncyd,ann,bob,dan\ndan,ann,bob,cyd\n");
    told("ann,bob,cyd,dan\nbob,ann,cyd,\ncyd,ann,bob,\ndan,ann,,\n");
    told("ann: bob,cyd,dan\nbob: ann,cyd\ncyd: ann,bob\ndan: ann\n");
    told("ann: bob cyd dan\nbob: ann cyd\ncyd: ann bob\ndan: ann\n");
    told("1;2;3;4\n2;1;3;4\n3;1;2;4\n4;1;2;3\n");
    for text in [
        "ann,bob,x\nbob,cyd,x\ncyd,ann,x\n",
        "ann,bob,2,kin\nbob,cyd,3,\ncyd,ann,,kin\n",
        "1;2;0,5\n2;3;1,5\n3;1;0,25\n",
        // R writes no name for the names of the rows.
        "\"from\" \"to\" \"weight\"\n\"1\" 2 3 1\n\"2\" 3 1 2\n\"3\" 1 2 3\n",
    ] {
        assert_eq!(names(text).len(), 3, "{text}");
    }
}

#[test]
fn vertices_that_are_tuples_or_printed_lists_are_told() {
    for (name, text) in [
        ("a.txt", "(0, 0) (1, 0) {}\n(0, 0) (0, 1) {}\n(1, 0) (1, 1) {}\n"),
        ("a.txt", "(0, 0) (1, 0)\n(0, 0) (0, 1)\n(1, 0) (1, 1)\n"),
        ("a.txt", "('a', 1) ('b', 2) {'weight': 3}\n('a', 1) ('c', 2) {'weight': 4}\n"),
        ("a.adjlist", "(0, 0) (1, 0) (0, 1)\n(1, 0) (1, 1)\n(0, 1)\n(1, 1)\n"),
    ] {
        assert_eq!(message(name, text), format!("{name}:1: {BRACKETS}"), "{text}");
    }
    assert_eq!(
        message("a.adjlist", "ann: [bob, cyd]\nbob: [ann]\ncyd: [ann]\n"),
        format!("a.adjlist:1: {BRACKETS}")
    );
}

#[test]
fn hypergraphs_are_told() {
    let found = message("a.gr", "p htd 3 2\n1 1 2 3\n2 2 3\n");
    assert!(found.starts_with("a.gr:1: the line `p` is that of a hypergraph"), "{found}");
}

/// Spreadsheets write rows without values at the end of a sheet, and where lines were emptied.
#[test]
fn rows_without_values_are_blank_lines() {
    for sep in [",", ";", "|", "\t"] {
        let empty = sep.repeat(2);
        let padded = format!(" {sep} {sep} ");
        let rows = |[a, b, c]: [&str; 3]| {
            format!(
                "{empty}\n{a}{sep}{b}{sep}5\n{empty}\r\n{sep}\n{b}{sep}{c}{sep}7\n{padded}\n{a}{sep}{c}{sep}9\n{empty}\n{empty}"
            )
        };
        let mut weighted = Options::default();
        weighted.weight = Some("3".into());
        for text in [
            rows(["1", "2", "3"]),
            rows(["\"1\"", "2", "3.0"]),
            format!("{empty}\nsource{sep}target{sep}weight\n{}", rows(["1", "2", "3"])),
        ] {
            let graph = read::from_bytes("a.csv", text.as_bytes(), &weighted).unwrap();
            assert_eq!(ids(&graph), [[1, 2], [2, 3], [1, 3]], "{text:?}");
            assert_eq!(graph.weights(), Some(&[5.0, 7.0, 9.0][..]), "{text:?}");
        }
        let expected = [["ann", "bob"], ["bob", "cy"], ["ann", "cy"]];
        let expected = expected.map(|ends| ends.map(str::to_owned));
        assert_eq!(names(rows(["ann", "bob", "cy"])), expected, "{sep:?}");
        // Behind the beginning, too.
        let many = format!("1{sep}2{sep}3\n2{sep}4{sep}3\n").repeat(1 << 15);
        let found = ids(&read("a.csv", format!("{many}{empty}\n5{sep}6{sep}7\n")).unwrap());
        assert_eq!(found[1 << 16..], [[5, 6]], "{sep:?}");
        // A row with a value is none of them.
        let text = format!("1{sep}2{sep}3\n1{sep}{sep}3\n2{sep}3{sep}3\n");
        assert_eq!(message("a.csv", text), format!("a.csv:2: {EMPTY}{LEFT_OUT}"), "{sep:?}");
    }
    assert_eq!(ids(&as_edge_list("1,2\n,,\n2,3\n")), [[1, 2], [2, 3]]);
}

/// A comma within a name became the delimiter.
#[test]
fn names_before_a_dictionary_end_at_a_blank() {
    let text = "# Graph\na,b c,d {}\nx c,d {'weight': 3, 'at': \"a b\"}\n";
    let expected = [["a,b", "c,d"], ["x", "c,d"]].map(|ends| ends.map(str::to_owned));
    assert_eq!(names(text), expected);
    let many = format!("{}x,y z {{}}\n", "a,b c,d {}\na,b b {}\n".repeat(1 << 14));
    assert_eq!(names(many)[1 << 15], ["x,y", "z"].map(str::to_owned));
    // A name with a blank is one column more.
    let told = message("a.txt", "ann bob {}\nNew York ann {'w': 1}\nbob cy {}\nann cy {}\n");
    assert!(told.starts_with("a.txt:2: `New York ann {'w': 1}` has 4 columns between"), "{told}");
    let tabs = between('\t', "New York\tann\t{}\nann\tbob\t{'w': 1}\n").unwrap();
    assert_eq!(tabs.ids().id(0).to_string(), "New York");
    assert_eq!(tabs.edges(), [[0, 1], [1, 2]]);
    // Where a blank is said to stand between columns, quotes hold it.
    let said = between(' ', "\"New York\" ann {}\nann bob {}\n").unwrap();
    assert_eq!(said.ids().id(0).to_string(), "New York");
    // A dictionary is no weight.
    let mut options = Options::default();
    options.weight = Some("3".into());
    let error = read::from_bytes("a.txt", b"1 2 {'weight': 3}\n", &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.txt:1: `{'weight': 3}` is no weight: weights are finite numbers"
    );
}

/// A dictionary is no end of an edge, as in multi-line lists of neighbours.
#[test]
fn dictionaries_among_the_ends_are_told() {
    for text in ["0 2\n1 {}\n2 {}\n1 1\n2 {}\n2 0\n", "a 1\nb {'w': 1}\nb 0\n"] {
        assert_eq!(message("a.txt", text), format!("a.txt:2: {BRACKETS}"));
    }
}

/// What is said of a text: `Ok` with the edges and the warnings, or the message.
fn said(text: &str, options: &Options) -> Result<(Vec<[String; 2]>, Vec<String>), String> {
    let graph =
        read::from_bytes("a.csv", text.as_bytes(), options).map_err(|error| error.to_string())?;
    let name = |v: u32| graph.ids().id(v).to_string();
    let edges = graph.edges().iter().map(|ends| ends.map(name)).collect();
    Ok((edges, graph.reading().unwrap().warnings.clone()))
}

/// Rows of two ends that share their values, with what `first` and `last` put before and behind them.
fn rows(count: usize, first: impl Fn(usize) -> String, last: impl Fn(usize) -> String) -> String {
    let ends = |i: usize| format!("v{},v{}", i % 7, (3 * i + 1) % 7);
    (0..count).map(|i| format!("{}{}{}\n", first(i), ends(i), last(i))).collect()
}

/// The four rules: each text gives its first edge, or one message.
#[test]
fn the_four_rules() {
    for (text, edge) in [
        // The delimiter.
        ("1\t2\n2\t3\n", ["1", "2"]),
        ("1,2\n2,3\n", ["1", "2"]),
        ("1;2;0,5\n2;3;0,7\n", ["1", "2"]),
        ("Doe, Ann;Roe, Bo\nRoe, Bo;Poe, Cy\n", ["Doe, Ann", "Roe, Bo"]),
        ("Doe, Ann; x\nRoe, Bo; y\n", ["Doe", "Ann; x"]),
        ("1|2\n2|3\n", ["1", "2"]),
        ("  1   2\n 2 3\n", ["1", "2"]),
        ("sep=;\n1;2\n", ["1", "2"]),
        ("\"New York\",\"a, b\"\nc,d\n", ["New York", "a, b"]),
        ("\"Heroes\" (song)\tBowie\nBowie\t\"Weird Al\n", ["\"Heroes\" (song)", "Bowie"]),
        ("\"Bowie\"\tx\n\"x\"y\t\"Weird Al\nz\t\"Al\"\n", ["\"Bowie\"", "x"]),
        ("\"ann\tx\",bob\n\"bob\ty\",cy\n", ["ann\tx", "bob"]),
        ("\"a\tb\"\t\"c\td\"\n\"c\td\"\te\n", ["a\tb", "c\td"]),
        ("1 -> 2\n2 -> 3\n3 -> 1\n", ["1", "2"]),
        ("ann,bob\t\nbob,cy\t\n", ["ann", "bob"]),
        // The header.
        ("p,q\n1,2\n", ["1", "2"]),
        ("Quelle,Ziel,weight\nann,bob,2\n", ["ann", "bob"]),
        ("Von;Nach;Gewicht\nann;bob;0,5\nbob;cy;1\n", ["ann", "bob"]),
        ("source,target\nann,bob\n", ["ann", "bob"]),
        (",p,q\n0,ann,bob\n1,bob,cy\n", ["ann", "bob"]),
        ("\"u\" \"v\"\n\"1\" 5 6\n\"2\" 6 7\n", ["5", "6"]),
        ("\"u\"\t\"v\"\t\"note\"\n\"1\"\t5\t6\t\"\"\n\"2\"\t6\t7\t\"\"\n", ["5", "6"]),
        ("from,to,note\nann,bob,x,\nbob,cy,y,\n", ["ann", "bob"]),
        ("who,whom\nann,bob,\nbob,cy,\n", ["ann", "bob"]),
        ("source\ttarget\n1\t2\t\n2\t3\t\n", ["1", "2"]),
        ("#user\tfriend\nann\tbob\n", ["ann", "bob"]),
        ("# FromNodeId ToNodeId\n5 6\n", ["5", "6"]),
        ("#rust,#go\n#go,#c\n", ["#rust", "#go"]),
        ("a,b\nb,c\nc,a\n", ["a", "b"]),
        ("user1,user2\nuser3,user4\n", ["user1", "user2"]),
        ("u1@x.org,u2@x.org\nu3@x.org,u4@x.org\n", ["u1@x.org", "u2@x.org"]),
        ("ann,bob,NA\nbob,cy,2\ncy,ann,3\n", ["ann", "bob"]),
        // The ends.
        ("weight,src,dst\n9,1,2\n", ["1", "2"]),
        ("to,from\n1,2\n", ["2", "1"]),
        ("source,target,source_type,target_type\n1,2,3,4\n", ["1", "2"]),
        ("src_id,dst_id,src_port_no,dst_port_no\n1,2,3,4\n", ["1", "2"]),
        ("Id,Source,Target,Type\n0,1,2,x\n", ["1", "2"]),
        ("userId,movieId,rating\nu1,m2,4\nu2,m1,5\n", ["u1", "m2"]),
        ("node,friend,time\n1,2,3\n", ["1", "2"]),
        // The ids.
        ("1.0,2.0\n2.0,3.0\n", ["1", "2"]),
        ("007,1\n1,2\n", ["007", "1"]),
        ("ann,1\n1,bob\nbob,ann\n", ["ann", "1"]),
        ("+49 170 1,+49 170 2\n+49 170 2,(030) 555\n", ["+49 170 1", "+49 170 2"]),
        // Whole numbers are read, whatever they look like.
        ("1,2,5,0\n2,3,6,0\n3,1,5,1\n3,4,7,1\n", ["1", "2"]),
        ("1,2,\"{\"\"a\"\": 1}\"\n2,3,\"{\"\"a\"\": 2}\"\n", ["1", "2"]),
        ("0,1,2\n1,2,0\n2,0,1\n", ["0", "1"]),
        ("1 2 7\n1 3 7\n2 3 8\n4 5 9\n", ["1", "2"]),
    ] {
        let (edges, _) =
            said(text, &Options::default()).unwrap_or_else(|told| panic!("{text:?}: {told}"));
        assert_eq!(edges[0], edge, "{text:?}");
    }
    for (text, told) in [
        (
            "1 2 3 4 5\n6 7\n8 9\n",
            "a.csv:1: `1 2 3 4 5` has 5 columns between blanks, and most lines have 2: ",
        ),
        ("My graph\n1,2\n2,3\n3,4\n", "a.csv:1: `My graph` has 1 column between `,`"),
        (
            "ann,bob\nbob,cy\ncy,dan\n(3 rows)\n",
            "a.csv:4: `(3 rows)` has 1 column between `,`, and most lines have 2: ",
        ),
        ("3\n1 2\n2 3\n3 1\n", "a.csv:1: the first line looks like sizes"),
        ("3 3\n1 2\n2 3\n3 1\n", "a.csv:1: the first line looks like sizes"),
        ("4 4 4\n1 2 1\n2 3 1\n3 4 1\n1 4 1\n", "a.csv:1: the first line looks like sizes"),
        ("4 4\n2 4\n1 3\n2 4\n1 3\n", "a.csv:1: the first line looks like sizes, as in METIS"),
        ("0 1 2 3\n1 2 3\n2 3\n3\n", "a.csv:1: `0 1 2 3` has 4 columns between blanks"),
        ("ann: bob cy\nbob: ann\ncy: ann\n", "a.csv:1: these look like adjacency lists"),
        ("0 1 1 0\n1 0 0 0\n1 0 0 1\n0 0 1 0\n", "a.csv:1: this looks like an adjacency matrix"),
        (
            ",ann,bob,cy\nann,no,yes,no\nbob,yes,no,no\ncy,no,no,no\n",
            "a.csv:1: this looks like an adjacency matrix",
        ),
        (
            "1 2 3 4 5 6 7 8 9\n2 3 4 5 6 7 8 9 1\n3 4 5 6 7 8 9 1 2\n",
            "a.csv:1: there are 9 columns and fewer rows",
        ),
        ("1 2 2 3 3\n", "a.csv:1: there are 5 columns and fewer rows"),
        ("| source | target |\n|---|---|\n| 1 | 2 |\n", "a.csv:2: this line draws a table"),
        (
            "┌───┬───┐\n│ u │ v │\n├───┼───┤\n│ 1 │ 2 │\n└───┴───┘\n",
            "a.csv:1: this line draws a table",
        ),
        (",,\n,,\n", "a.csv:1: only one column, `,,`"),
        ("\"a \\\"x\\\" y\",\"b\"\n\"b\",\"c\"\n", "a.csv:1: a backslash stands before a quote"),
        (
            "Id,Label,timeset,modularity_class\n0,a,,1\n",
            "a.csv:1: column `Id` alone may be an end of an edge by its name",
        ),
        ("start,end,geneA,geneB\n1,2,a,b\n", "a.csv:1: several pairs of columns could be the ends"),
        (
            "Src IP Addr,Src Pt,Dst IP Addr,Dst Pt\n10.0.0.1,80,10.0.0.2,443\n",
            "a.csv:1: several pairs of columns could be the ends",
        ),
        ("1,2\n2,x\n3,4\n4,5\n", "a.csv:2: `x` is not a vertex id"),
        (
            "userId,movieId\n1,2\n2,1\n",
            "a.csv:1: the columns `userId` and `movieId` have ids of different kinds",
        ),
    ] {
        let found = said(text, &Options::default()).expect_err(text);
        assert!(found.starts_with(told), "{text:?}: {found}");
    }
}

/// Two long lines, as `numpy.savetxt` writes an `edge_index`, and one line of all edges. A pair in each line is read.
#[test]
fn edges_on_long_lines_are_told() {
    let ends: Vec<[u32; 2]> = (0..40_000).map(|i| [i / 4, i % 97]).collect();
    let line = |end: usize, of: &[[u32; 2]], number: &dyn Fn(u32) -> String| {
        of.iter().map(|ends| number(ends[end])).collect::<Vec<_>>().join(" ") + "\n"
    };
    let two = |edges: usize, number: &dyn Fn(u32) -> String| {
        line(0, &ends[..edges], number) + &line(1, &ends[..edges], number)
    };
    let float = |id: u32| format!("{:.18e}", f64::from(id));
    let transposed = "columns and fewer rows, as in lists, a matrix or an array of shape (2, m), whose columns are edges: write a \
                      pair in each line, with numpy.savetxt(FILE, edges.T, fmt='%d')";
    for (text, numbers) in [
        (two(8, &|id| id.to_string()), 8),
        (two(1000, &float), 1000),
        (two(9, &|id| id.to_string()).replace(' ', ","), 9),
    ] {
        let expected = format!("a.csv:1: there are {numbers} {transposed}{NO_TABLE}");
        assert_eq!(message("a.csv", text), expected);
    }
    // A line of which the beginning is looked at.
    for number in [&float as &dyn Fn(u32) -> String, &|id| format!("{id:08}")] {
        let found = message("a.csv", two(40_000, number));
        assert!(found.ends_with(&format!("{transposed}{NO_TABLE}")), "{found}");
    }
    let expected = format!("a.csv:1: there are 6 {transposed}{NO_TABLE}");
    assert_eq!(message("a.csv", "1 2 2 3 3 1\n"), expected);
    let pairs: String = ends[..8].iter().map(|[u, v]| format!("{u} {v}\n")).collect();
    let graph = read::from_bytes("a.csv", pairs.as_bytes(), &Options::default()).unwrap();
    assert_eq!(graph.edges(), &ends[..8]);
}

/// Who asks for columns by their names says that the first line has them.
#[test]
fn columns_that_are_asked_for_by_name() {
    let asked = |columns: &str, text: &str| {
        let mut options = Options::default();
        options.columns = Some(columns.parse().unwrap());
        said(text, &options)
    };
    let text = "person,friend\nann,bob\nbob,cy\n";
    for (columns, edge) in [
        ("person,friend", ["ann", "bob"]),
        ("Friend,person", ["bob", "ann"]),
        ("1,friend", ["ann", "bob"]),
    ] {
        let (edges, warnings) = asked(columns, text).unwrap();
        assert_eq!((edges[0].each_ref().map(|name| &**name), edges.len()), (edge, 2), "{columns}");
        assert!(warnings.is_empty(), "{warnings:?}");
    }
    assert_eq!(
        asked("person,enemy", text).unwrap_err(),
        "a.csv:1: there is no column `enemy`; the columns are `person`, `friend`: name two with `columns`, for example \
         `columns person,friend`"
    );
    assert_eq!(asked("1,2", "1,2\n2,3\n").unwrap().0.len(), 2);
}

/// What stands before the ends or between them is found by the values that columns share.
#[test]
fn doubts_are_told() {
    let none = Options::default();
    let nothing = |_: usize| String::new();
    let told = |first: &dyn Fn(usize) -> String| {
        let many = said(&rows(24, first, nothing), &none).expect_err("many rows");
        assert!(many.contains("and columns 2 and 3 share "), "{many}");
        assert!(
            many.ends_with(
                ": name two with `columns 2,3`, or with `columns 1,2` if these are the ends all the same"
            ),
            "{many}"
        );
        // Few rows are read with a warning, and the header of many asks.
        let (edges, warnings) = said(&rows(12, first, nothing), &none).unwrap();
        assert_eq!(edges.len(), 12);
        assert!(warnings[0].contains("if these are the ends, say `--columns 2,3`"), "{warnings:?}");
        let headed = format!("what,who,whom\n{}", rows(24, first, nothing));
        let asked = said(&headed, &none).expect_err("a header");
        let named = asked.ends_with(": name two with `columns`, for example `columns who,whom`");
        assert!(named || asked.contains("name two with `columns 2,3`"), "{asked}");
    };
    told(&|i| format!("{},", 1000 + i));
    told(&|i| format!("2024-01-{:02},", i + 1));
    told(&|i| ["knows,", "likes,", "met,"][i % 3].into());
    told(&|i| format!("123e4567-{i:04},"));
    let decimals = said(&rows(12, |i| format!("{i}.5,"), nothing), &none).expect_err("decimals");
    assert!(decimals.contains("columns 1 and 2 share 0% of their values"), "{decimals}");
    // Attributes behind the ends are no doubt.
    for last in [",5", ",2024-01-01", ",ann,ann"] {
        assert_eq!(said(&rows(24, nothing, |_| last.into()), &none).unwrap().1, [""; 0], "{last}");
    }
    // Whole numbers in three columns are read with a warning.
    let numbers: String =
        (0..24).map(|i| format!("{},{},{}\n", 900 + i, i % 7, (i + 1) % 7)).collect();
    let (edges, warnings) = said(&numbers, &none).unwrap();
    assert_eq!((edges.len(), warnings.len()), (24, 1));
    // A vertex for each row on one side.
    let sides: String = (0..24).map(|i| format!("a{i},b{}\n", i % 5)).collect();
    let (_, warnings) = said(&sides, &none).unwrap();
    assert!(warnings[0].contains("each vertex is on one side"), "{warnings:?}");
    // `1.0` and `1` are one value.
    let halves: String = (0..24).map(|i| format!("{}.0,{}\n", i % 7, (i + 1) % 7)).collect();
    assert_eq!(said(&halves, &none).unwrap().1, [""; 0]);
}

/// Lines of a vertex and as many neighbours as all others have, each edge at one end.
#[test]
fn lists_of_the_nearest_neighbours_are_told() {
    let lists = |n: usize, ids: &dyn Fn(usize) -> usize| -> String {
        (0..n)
            .map(|v| format!("{} {} {} {}\n", ids(v), (v + 1) % n, (v + 3) % n, (v * 7 + 2) % n))
            .collect()
    };
    let told = message("a.txt", lists(24, &|v| v));
    assert!(told.starts_with("a.txt:1: these look like adjacency lists"), "{told}");
    let mut options = Options::default();
    options.format = Some(Format::Adjacency);
    let graph = read::from_bytes("a.txt", lists(24, &|v| v).as_bytes(), &options).unwrap();
    assert_eq!(graph.edges().len(), 72);
    // A vertex comes twice, or there are few lines: edges with attributes.
    for (n, ids) in [(24, &(|v: usize| v / 2) as &dyn Fn(usize) -> usize), (10, &|v| v)] {
        assert_eq!(read("a.txt", lists(n, ids)).unwrap().edges().len(), n);
    }
}

/// Names that look the same and are not.
#[test]
fn characters_that_are_not_seen_are_told() {
    for name in ["v1\u{a0}", "\u{200b}ann", "ann\u{3000}", "\u{2060}ann"] {
        let (edges, warnings) = said(&format!("ann,bob\nbob,{name}\n"), &none()).unwrap();
        assert_eq!(edges[1][1], name);
        assert!(warnings[0].ends_with("is another vertex than without it"), "{warnings:?}");
    }
    for name in ["New\u{a0}York", "e\u{301}", "👩\u{200d}🔧"] {
        assert_eq!(said(&format!("ann,bob\nbob,{name}\n"), &none()).unwrap().1, [""; 0]);
    }
}

/// Lines that all begin as comments do are no edges. Some say that they are none.
#[test]
fn comments_alone_are_told_where_they_may_be_names() {
    let of = |text: &str| said(text, &none()).unwrap();
    for text in ["#*Title\n#@Ann\n#index1\n", "# a\n#b\n"] {
        let (edges, warnings) = of(text);
        assert!(
            edges.is_empty() && warnings[0].starts_with("there are no edges: "),
            "{warnings:?}"
        );
    }
    assert_eq!(of("# Nodes: 0\n#\n%% x\n"), (vec![], vec![]));
}

/// Missing ends are errors, unless they are to be left out; lines that are left out are counted.
#[test]
fn lines_that_are_left_out_are_counted() {
    let options = |change: &dyn Fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        options
    };
    let skip = options(&|options| options.skip_missing = true);
    let names = options(&|options| options.ids = IdKind::Names);
    for word in [
        "",
        "NA",
        "nan",
        "None",
        "NULL",
        "n/a",
        "-",
        "?",
        ".",
        "(null)",
        "<NA>",
        "NaT",
        "#REF!",
        "#VALUE!",
        "undefined",
    ] {
        for text in [format!("ann,bob\n{word},cy\nbob,cy\n"), format!("1,2\n3,{word}\n2,3\n")] {
            let told = said(&text, &none()).expect_err(word);
            assert!(
                told.starts_with("a.csv:2: ") && told.contains("leaves such lines out"),
                "{word}: {told}"
            );
            let (edges, warnings) = said(&text, &skip).unwrap();
            assert_eq!(
                (edges.len(), &warnings[..]),
                (2, &["1 line was left out: an end is missing".to_owned()][..])
            );
            if !word.is_empty() {
                assert_eq!(said(&text, &names).unwrap().0.len(), 3);
            }
        }
    }
    for (text, edges, told) in [
        (
            "1 2\n# a comment\n2 3\n%\n3 1\n",
            3,
            "2 lines were left out: a comment in the midst of the table",
        ),
        (
            "source,target\n1,2\nsource,target\n2,3\n",
            2,
            "1 line was left out: the names of the columns once more",
        ),
        (
            "source,target\nann,bob\nsource,target\nbob,cy\n",
            2,
            "1 line was left out: the names of the columns once more",
        ),
        ("ann,bob\n# x\nbob,cy\n", 2, "1 line was left out: a comment in the midst of the table"),
    ] {
        let (found, warnings) = said(text, &none()).unwrap();
        assert_eq!((found.len(), &warnings[..]), (edges, &[told.to_owned()][..]), "{text:?}");
    }
    // An end that is empty is missing with quotes as well.
    let (edges, warnings) = said("ann,bob\nbob,\"\"\n", &skip).unwrap();
    assert_eq!((edges.len(), &*warnings[0]), (1, "1 line was left out: an end is missing"));
    // What begins as a comment does and has no ends is one.
    let by_place = options(&|options| options.columns = Some("2,4".parse().unwrap()));
    let zeek = "0.5\tann\t80\tbob\n0.7\tbob\t80\tcy\n#close\t2024-01-01\n";
    let (edges, warnings) = said(zeek, &by_place).unwrap();
    assert_eq!((edges.len(), warnings.len()), (2, 1));
    let told = said(&zeek.replace("#close", "close"), &by_place).expect_err("a footer");
    assert!(
        told.contains("has 2 columns between tabs, and the ends of edges are in columns 2 and 4"),
        "{told}"
    );
    // Weights are those of the rows that are left.
    let weighted = options(&|options| {
        options.skip_missing = true;
        options.weight = Some("w".into());
    });
    let graph =
        read::from_bytes("a.csv", b"u,v,w\n1,2,5\n,3,6\nu,v,w\n2,3,7\n", &weighted).unwrap();
    assert_eq!(graph.weights(), Some(&[5.0, 7.0][..]));
}

fn none() -> Options {
    Options::default()
}

/// Equal ids of two kinds are two vertices.
#[test]
fn two_kinds_of_vertices() {
    let mut options = Options::default();
    options.bipartite = true;
    let (edges, _) = said("userId,movieId\n1,2\n2,1\n", &options).unwrap();
    let expected = [["userId:1", "movieId:2"], ["userId:2", "movieId:1"]];
    assert_eq!(edges, expected.map(|ends| ends.map(str::to_owned)));
    options.bipartite = false;
    options.columns = Some("1,2".parse().unwrap());
    assert_eq!(said("userId,movieId\n1,2\n2,1\n", &options).unwrap().0[0], ["1", "2"]);
}

#[test]
fn delimiters_of_several_characters_and_utf_16() {
    for (delimiter, text) in [
        ("->", "1->2\n2 -> 3\n"),
        ("::", "1::2::5\n2::3::5\n"),
        ("-", "1-2\n2-3\n"),
        ("→", "1→2\n2→3\n"),
    ] {
        let mut options = Options::default();
        options.delimiter = Some(read::delimiter(delimiter).unwrap());
        assert_eq!(
            said(text, &options).unwrap().0,
            [["1", "2"], ["2", "3"]].map(|ends| ends.map(str::to_owned))
        );
    }
    for bytes_of in [u16::to_le_bytes, u16::to_be_bytes] {
        let wide: Vec<u8> =
            "\u{feff}source,target\r\né,b\r\n".encode_utf16().flat_map(bytes_of).collect();
        let graph = read("a.csv", wide).unwrap();
        assert_eq!((graph.edges().len(), graph.ids().id(0).to_string()), (1, "é".into()));
    }
}

/// What programs of Windows write, in every format that is a text.
#[test]
fn every_text_may_be_in_utf_16() {
    for (name, text) in [
        ("a.txt", "1 2\n"),
        ("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"),
        ("a.graph", "2 1\n2\n1\n"),
        ("a.gr", "p sp 2 1\na 1 2 7\n"),
        ("a.adjlist", "1 2\n"),
        (
            "a.graphml",
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?><graphml><graph><edge source=\"1\" target=\"2\"/></graph></graphml>",
        ),
        ("a.gml", "graph [ edge [ source 1 target 2 ] ]"),
        ("a.net", "*Vertices 2\n*Edges\n1 2\n"),
        ("a.json", "[[1, 2]]"),
        ("told by its first bytes", "{\"edges\": [[1, 2]]}"),
    ] {
        for bytes_of in [u16::to_le_bytes, u16::to_be_bytes] {
            let wide: Vec<u8> =
                format!("\u{feff}{text}").encode_utf16().flat_map(bytes_of).collect();
            for bytes in [gzip(&wide), wide] {
                let graph = read(name, bytes).unwrap();
                let ends = graph.edges()[0].map(|v| graph.ids().id(v).to_string());
                assert_eq!(ends, ["1", "2"], "{name}");
            }
        }
    }
    // Raw pairs may begin so, too.
    let graph = read("a.bin", b"\xff\xfe\0\0\x01\0\0\0").unwrap();
    assert_eq!(graph.edges(), [[0xfeff, 1]]);
}

/// A header with one name fewer than there are columns names the rows of R, or it leaves the last column without a name.
#[test]
fn a_header_that_is_short_of_a_name() {
    let dated = "source target date\na1 a2 2010-01-01 10:00:00\na2 a3 2010-01-02 10:00:00\na3 a1 2010-01-03 10:00:00\n";
    let weighted = "Source,Target\n1,2,5\n2,3,5\n3,1,5\n1,4,5\n";
    let of_r = "source target\n\"1\" 7 8\n\"2\" 8 9\n\"3\" 9 7\n";
    let of_r_names = "from,to,w\nfirst,a,b,2\nsecond,b,c,2\nthird,c,a,1\n";
    for (text, expected) in [
        (dated, vec![["a1", "a2"], ["a2", "a3"], ["a3", "a1"]]),
        (weighted, vec![["1", "2"], ["2", "3"], ["3", "1"], ["1", "4"]]),
        (of_r, vec![["7", "8"], ["8", "9"], ["9", "7"]]),
        (of_r_names, vec![["a", "b"], ["b", "c"], ["c", "a"]]),
    ] {
        let expected: Vec<_> = expected.iter().map(|ends| ends.map(String::from)).collect();
        assert_eq!(names(text), expected, "{text}");
    }
    // Numbers of rows are among the ids by chance.
    let edges = [[3, 1], [1, 2], [5, 4], [2, 6], [4, 1], [6, 3], [3, 7], [1, 5]];
    let expected = edges.map(|ends| ends.map(|id: i32| id.to_string()));
    type Row = fn(usize, [i32; 2]) -> String;
    let tables: [(&str, Row); 9] = [
        ("\"from\" \"to\"", |row, [u, v]| format!("\"{row}\" {u} {v}")),
        ("person,friend", |row, [u, v]| format!("{row},{u},{v}")),
        ("id from to", |row, [u, v]| format!("{row} {row} {u} {v}")),
        ("from weight to", |row, [u, v]| format!("{row} {u} {} {v}", row % 3)),
        ("weight from to", |row, [u, v]| format!("r{row} {} {u} {v}", row % 3)),
        ("id,from,to", |row, [u, v]| format!("{row},{u},{v},2020-01-0{row}")),
        ("title,source,target", |row, [u, v]| format!("a{}, b,{u},{v}", row % 2)),
        ("source target", |row, [u, v]| format!("{u} {v} {}.5", row % 4)),
        ("from,to", |row, [u, v]| format!("{u},{v},w{row}")),
    ];
    for (head, row) in tables {
        let lines = (1..).zip(edges).map(|(number, ends)| row(number, ends));
        let text = [head.to_owned()].into_iter().chain(lines).collect::<Vec<_>>().join("\n");
        assert_eq!(names(&text), expected, "{text}");
    }
    for text in [
        "from to\n1 2 2010-01-01\n2 3 2010-01-02\n3 1 2010-01-03\n",
        "Source,Target\n1,2,5\n2,3,5\n3,1,5\n",
    ] {
        let expected = [["1", "2"], ["2", "3"], ["3", "1"]].map(|ends| ends.map(String::from));
        assert_eq!(names(text), expected, "{text}");
    }
    // The numbers of a tree's vertices are no numbers of rows where a weight follows.
    let tree = "child parent\n1 0 0.5\n2 0 0.25\n3 1 0.5\n";
    let expected = [["0", "1"], ["0", "2"], ["1", "3"]].map(|ends| ends.map(String::from));
    assert_eq!(names(tree), expected);
}

#[test]
fn sizes_above_edges_with_weights_are_told() {
    let sizes = "the first line looks like sizes";
    let lines = |n: usize, rest: &str| -> String {
        (1..=n).map(|v| format!("{v} {}{rest}\n", v % n + 1)).collect()
    };
    for (first, rest) in [
        ("12 12", ""),
        ("12 12", " -1"),
        ("12 12", " 0.5"),
        ("12 12 0", " 7"),
        ("12 12 directed", ""),
        ("400 12", ""),
    ] {
        let text = format!("{first}\n{}", lines(12, rest));
        assert!(message("a.txt", &text).contains(sizes), "{text}");
    }
    // Some write the edges before the vertices.
    let short =
        |n: usize| -> String { (0..n).map(|i| format!("{} {}\n", i % 9, (i + 2) % 9)).collect() };
    assert!(message("a.txt", format!("20 9\n{}", short(20))).contains(sizes));
    for (first, n) in [("20 7", 20), ("20 99", 20), ("20 9", 19), ("5 9", 5)] {
        let text = format!("{first}\n{}", short(n));
        assert_eq!(read("a.txt", &text).unwrap().edges().len(), n + 1, "{text}");
    }
    // As many lines follow as a first edge says by chance, or an id is larger.
    for first in ["12 11", "5 12"] {
        let text = format!("{first}\n{}", lines(12, ""));
        assert_eq!(read("a.txt", &text).unwrap().edges().len(), 13, "{text}");
    }
}

/// `start` and `end` behind two other columns may be times, and ends of different kinds share nothing.
#[test]
fn ends_that_may_be_times_and_ratings_of_two_kinds() {
    let ratings: String =
        (0..40).map(|i| format!("u{i},f{},{},{}\n", i / 2, i % 5, i % 4)).collect();
    let times = |head: &str| format!("{head}\n{ratings}");
    let (_, warnings) = said(&times("gene,disease,start,end"), &Options::default()).unwrap();
    assert!(
        warnings.iter().any(|text| text.contains("say `--columns gene,disease`")),
        "{warnings:?}"
    );
    let (_, warnings) = said("id,start,end\n1,5,6\n2,6,7\n", &Options::default()).unwrap();
    assert_eq!(warnings, [""; 0]);

    assert!(message("a.csv", &ratings).contains("share"));
    let mut options = Options::default();
    options.bipartite = true;
    let (edges, _) = said(&ratings, &options).unwrap();
    assert_eq!((edges.len(), edges[1].join(" ")), (40, "1:u1 2:f0".into()));
}

#[test]
fn sizes_above_many_edges_are_told_by_the_size_of_the_file() {
    // 150,000 edges, whose first 256 KiB are looked at.
    let (n, m) = (40_000_u64, 150_000_u64);
    let edges = |first: &str| {
        let mut text = format!("{first}\n");
        for i in 0..m {
            text += &format!("{} {}\n", i * 7919 % n, i * 104_729 % n);
        }
        text
    };
    for first in ["40000 150000", "40000 150000 0"] {
        assert!(message("a.txt", edges(first)).contains("looks like sizes"), "{first}");
    }
    // The second number is far from the lines, or an id is larger than the first.
    for first in ["40000 1500000", "40000 45000", "30000 150000"] {
        let graph = read("a.txt", edges(first)).unwrap();
        let [u, v] =
            first.split_once(' ').map(|(u, v)| [u, v]).unwrap().map(|id| id.parse().unwrap());
        assert!(graph.edges().contains(&[u, v]), "{first}");
    }
    // A path from its end to its beginning: every id is below the first one.
    let path: String = (0..100_000).rev().map(|v| format!("{v} {}\n", v + 1)).collect();
    assert_eq!(read("a.txt", &path).unwrap().edges().len(), 100_000);
}

#[test]
fn lists_within_a_field_and_behind_a_colon() {
    let warned = |text: &str| {
        let (_, warnings) = said(text, &Options::default()).unwrap();
        warnings.iter().any(|warning| warning.contains("looks like a list of vertices"))
    };
    assert!(warned("A\tB,C\nB\tA,C\nC\tA,B\n"));
    assert!(warned("A;B C\nB;A C\nC;A B\n"));
    assert!(!warned("A\tB,C\nB\tD,E\n"), "names may have commas");
    for text in ["v1: v2 v3\nv2: v3 v1\n", "a: b c\nb: c a\n"] {
        assert!(message("a.txt", text).contains("adjacency lists"), "{text}");
    }
    let lists = "# a\nb 1\nc 2\nd 3\n# b\nc 4\nd 5\n# c\nd 6\n";
    assert!(message("a.txt", lists).contains("LGL"));
    for text in ["1:2,3\n2:3\n", "1: 2 3\n2 : 3\n", "1:2 3\n2:3\n3:\n"] {
        assert_eq!(read("a.adjlist", text).unwrap().edges(), [[0, 1], [0, 2], [1, 2]], "{text}");
    }
    for (text, expected) in [
        ("go:1: go:2 go:3\ngo:2: go:3\n", ["go:1", "go:2", "go:3"]),
        ("a -> b c\nb -> c\n", ["a", "b", "c"]),
    ] {
        let graph = read("a.adjlist", text).unwrap();
        assert_eq!(graph.ids().names().unwrap().iter().collect::<Vec<_>>(), expected);
        assert_eq!(graph.edges(), [[0, 1], [0, 2], [1, 2]]);
    }
    // Where blanks and tabs stand in a line, names may have blanks.
    let notes = |text: &str| read("a.adjlist", text).unwrap().reading().unwrap().warnings.clone();
    assert!(notes("ann b\tbob c\tcy\n")[0].starts_with("some lines have both blanks and tabs"));
    assert_eq!(notes("ann\tbob\tcy\n"), notes("1 2\t3\n"));
    let graph = read("a.adjlist", "a:b c\nd: c\n").unwrap();
    assert_eq!(graph.ids().names().unwrap().iter().collect::<Vec<_>>(), ["a:b", "c", "d"]);
}

#[test]
fn comments_may_say_that_edges_have_no_direction() {
    for (first, expected) in [
        ("% sym unweighted\n", true),
        ("# Undirected graph: a.txt\n# Nodes: 3\n", true),
        ("# Directed graph (each pair once)\n", false),
        ("% asym unweighted\n", false),
    ] {
        let graph = read("a.txt", format!("{first}1 2\n2 3\n")).unwrap();
        assert_eq!(graph.has_both_directions(), expected, "{first}");
    }
}
