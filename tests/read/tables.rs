//! Tables of text that are easily misread: each gives its edges, or one message.

use tribin::Graph;
use tribin::read::{self, IdKind, Options};

use crate::samples::{LINE, ids, message, read};

/// Reads a table whose delimiter is said.
fn between(delimiter: char, text: impl AsRef<[u8]>) -> tribin::Result<Graph> {
    let mut options = Options::default();
    options.delimiter = Some(delimiter);
    read::from_bytes("a.txt", text.as_ref(), &options)
}

const EMPTY: &str = "a column is empty where a vertex id was expected";

/// A run of tabs was taken for one, so that a weight became an end.
#[test]
fn an_empty_column_between_tabs_moves_nothing() {
    let rows = |rows: usize| -> String {
        (0..rows).map(|row| format!("{}\t{}\t9\n", row % 7, row % 5)).collect()
    };
    for (start, lines) in [(rows(2), 2), (rows(1 << 16), 1 << 16)] {
        for row in ["\t1\t3\n", "1\t\t3\n", "1\t \t3\n", " \t1\t3\n"] {
            let text = format!("{start}{row}");
            let expected = |line: usize| format!("a.txt:{line}: {EMPTY}: {LINE}");
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
    let blank = |at: &str, cut_at: &str| {
        format!(
            "a.txt:{at} has a blank in it, as no integer has, and columns are cut at {cut_at} (say what stands between \
             columns)"
        )
    };
    for (delimiter, sep, cut_at) in [('\t', "\t", "tabs"), (',', ",", "`,`"), (';', ";", "`;`")] {
        let rows = format!("1{sep}2\n").repeat(2);
        let many = format!("1{sep}2\n").repeat(1 << 17);
        for (start, line) in [(rows, 3), (many, (1 << 17) + 1)] {
            for (row, shown) in [
                (format!("1 500{sep}3\n"), "1 500"),
                (format!("3{sep}1 500\n"), "1 500"),
                ("1 500\n".into(), "1 500"),
                (format!("1 500 7{sep}3\n"), "1 500 7"),
            ] {
                let text = format!("{start}{row}");
                let found = between(delimiter, &text).unwrap_err().to_string();
                assert_eq!(found, blank(&format!("{line}: `{shown}`"), cut_at), "{row:?}");
                let found = message("a.txt", format!("source{sep}target\n{text}"));
                assert_eq!(found, blank(&format!("{}: `{shown}`", line + 1), cut_at), "{row:?}");
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
    // Behind the beginning, too, where that has nothing but tabs.
    let many = "1\t2\n".repeat(1 << 17);
    let found = ids(&read("a.txt", format!("{many}3 4\n 5 6\n")).unwrap());
    assert_eq!(found[1 << 17..], [[3, 4], [5, 6]]);
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

/// Without a header the first two columns were the ends, whatever they held.
#[test]
fn times_and_kinds_are_no_ends() {
    let moments = |column: usize, first: &str, likely: &str| {
        format!(
            "a.csv:1: column {column} holds dates or times (`{first}`), and there is no header (name two columns: \
             {likely}, or `1` and `2` if these are the ends all the same)"
        )
    };
    let kinds = |first: &str| {
        format!(
            "a.csv:1: the first column looks like the kind of each edge (`{first}`), and the next two like its ends \
             (name two columns, for example `2` and `3`)"
        )
    };
    let between = |first: &str| {
        format!(
            "a.csv:1: the second column looks like the kind of each edge (`{first}`), and the third like its other end \
             (name two columns, for example `1` and `3`)"
        )
    };
    for (text, expected) in [
        ("2024-01-01,ann,bob\n2024-01-02,bob,cy\n", moments(1, "2024-01-01", "`2` and `3`")),
        ("01/01/2024,1,2\n02/01/2024,2,3\n", moments(1, "01/01/2024", "`2` and `3`")),
        (
            "2024-01-01T10:05:00Z;1;2;5\n2024-01-01T10:06:00Z;2;3;7\n",
            moments(1, "2024-01-01T10:05:00Z", "`2` and `3`"),
        ),
        ("10:05 1 2\n10:06 2 3\n", moments(1, "10:05", "`2` and `3`")),
        (
            "2024-01-01 10:05:00 a b\n2024-01-01 10:06:00 b c\n",
            moments(1, "2024-01-01", "`3` and `4`"),
        ),
        ("ann,10:05,bob\nbob,10:06,cy\n", moments(2, "10:05", "`1` and `3`")),
        ("KNOWS,1,2\nLIKES,2,3\n", kinds("KNOWS")),
        ("KNOWS,1,2,7\nLIKES,3,4,7\nLIKES,5,6,7\nKNOWS,7,8,7\n", kinds("KNOWS")),
        ("KNOWS\tann\tbob\nLIKES\tbob\tcy\nKNOWS\tann\tcy\nLIKES\tbob\tdi\n", kinds("KNOWS")),
        ("1 pp 2\n2 pd 3\n", between("pp")),
        ("1,pp,2\n3,pd,4\n5,pd,6\n7,pp,8\n", between("pp")),
    ] {
        assert_eq!(message("a.csv", text), expected, "{text:?}");
        assert_eq!(as_edge_list(text).edges().len(), text.lines().count(), "{text:?}");
    }
    // Dates that are vertices, ratings, and names beside numbers.
    for text in [
        "2024-01-01,2024-01-02,5\n2024-01-02,2024-01-03,5\n",
        "2024-01-01,ann\n2024-01-02,bob\n",
        "ann,17,5\nbob,18,4\ncy,17,3\n",
        "ann,bob,2024-01-01\nbob,cy,2024-01-02\n",
    ] {
        assert_eq!(names(text).len(), text.lines().count(), "{text:?}");
    }
}

/// Names that begin with two marks were comments behind a header.
#[test]
fn names_that_begin_with_several_marks() {
    for mark in ["##", "%%", "#%", "%#", "//#"] {
        let text = format!(
            "source,target\na,{mark}rust\na,{mark}c\n{mark}c,{mark}rust\n{mark} x,y\n{mark}\n{mark},b\n\
             {mark}title {mark}\na,b\n"
        );
        let (rust, c) = (format!("{mark}rust"), format!("{mark}c"));
        let expected = [["a", &rust], ["a", &c], [&c, &rust], ["a", "b"]];
        assert_eq!(names(text), expected.map(|ends| ends.map(str::to_owned)), "{mark}");
    }
    // Between blanks both names have to begin so.
    let text = "source target\na ##c\n##c ##d\n##note b\n####title ####\n#### t ####\n%%MatrixMarket m\nb c\n";
    let expected = [["a", "##c"], ["##c", "##d"], ["b", "c"]];
    assert_eq!(names(text), expected.map(|ends| ends.map(str::to_owned)));
    assert_eq!(ids(&read("a.txt", "## 1 2\n##1 2\n%%3 4\n1 2\n2 3\n").unwrap()), [[1, 2], [2, 3]]);
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

/// The blank of a footer became the delimiter of all lines, and the footer an edge.
#[test]
fn a_footer_of_two_words_is_no_edge() {
    for (sep, between) in [(",", "`,`"), ("\t", "tabs"), (";", "`;`"), ("|", "`|`")] {
        let lines = format!("ann{sep}bob\nbob{sep}cy\nann{sep}cy\n");
        let uneven = |line: usize, text: &str| {
            format!(
                "a.csv:{line}: `{text}` has 1 column between {between}, and other lines have 2 columns: adjacency \
                 lists and METIS graphs have other formats, and two columns that are asked for are read from lines of \
                 any length (name two columns, for example `1` and `2`)"
            )
        };
        let headed = format!("source{sep}target\n{lines}");
        assert_eq!(message("a.csv", format!("{lines}(3 rows)\n")), uneven(4, "(3 rows)"));
        assert_eq!(message("a.csv", format!("{headed}(3 rows)\n")), uneven(5, "(3 rows)"));
        assert_eq!(message("a.csv", format!("{headed}(3 rows)\nTime: 5\n")), uneven(5, "(3 rows)"));
        let many = format!("{headed}{}(3 rows)\n", lines.repeat(1 << 14));
        assert_eq!(message("a.csv", many), uneven(3 * (1 << 14) + 5, "(3 rows)"));
        assert_eq!(message("a.csv", format!("My graph\n{lines}")), uneven(1, "My graph"));
    }
    let headed = names("source target\nann\tbob\nbob\tcy\n");
    assert_eq!(headed, [["ann", "bob"], ["bob", "cy"]].map(|ends| ends.map(str::to_owned)));
}

#[test]
fn braces_are_told_as_parentheses_are() {
    let told = |text: &str, line: usize| {
        let expected = format!(
            "a.txt:{line}: this looks like braces around each edge: take them away, one edge a line and its ends side by \
             side"
        );
        assert_eq!(message("a.txt", text), expected, "{text:?}");
    };
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
        "a.csv:1: the first line is longer than the 262144 bytes that are looked at: if it names the columns, leave it \
         out and name two of them by number, for example `1` and `2` (leave out the first lines)"
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
}

/// Three columns without a header, of which the first is none of the ends, were read as edges of the first two.
#[test]
fn names_in_common_tell_the_ends() {
    let told = |place: usize| {
        format!(
            "a.csv:1: columns 1 and 2 have no value in common, as the ends of edges have, columns {place} and 3 have, and \
             there is no header (name two columns: `{place}` and `3`, or `1` and `2` if these are the ends all the same)"
        )
    };
    let before = |firsts: [&str; 4]| {
        let ends = ["ann,bob", "bob,cyd", "cyd,ann", "cyd,dan"];
        firsts.iter().zip(ends).map(|(first, ends)| format!("{first},{ends}\n")).collect::<String>()
    };
    for firsts in [
        ["0", "1", "2", "3"],
        ["9", "8", "7", "6"],
        ["0.5", "0.25", "1", "0.75"],
        ["1600000000", "1600000007", "1600000007", "1600000010"],
        ["e0", "e1", "e2", "e3"],
        [
            "123e4567-e89b-12d3-a456-426614174000",
            "123e4567-e89b-12d3-a456-426614174001",
            "123e4567-e89b-12d3-a456-426614174002",
            "123e4567-e89b-12d3-a456-426614174003",
        ],
        ["Mon Jan 04 10:00:00 +0000 2021", "Tue Jan 05 2021", "Tue Jan 05 2021", "Jan 06 2021"],
    ] {
        let text = before(firsts);
        assert_eq!(message("a.csv", &text), told(2), "{text}");
        // Nor does a first line in words of its own hide it.
        let found = message("a.csv", format!("id,who,whom\n{text}"));
        let asked = "a.csv:1: the header does not tell which two columns are the ends of an edge";
        assert!(found == told(2) || found.starts_with(asked), "{found}");
        assert_eq!(as_edge_list(&text).edges().len(), 4);
    }
    let between = "ann,x0,bob\nbob,x1,cyd\ncyd,x2,ann\n";
    assert_eq!(message("a.csv", between), told(1));
    // Ends that have no vertex in common, and attributes.
    for text in [
        "ann,film1,good\nbob,film2,bad\ncyd,film1,good\n",
        "ann,film1,5\nbob,film2,5\ncyd,film1,3\n",
        "1,2,f\n1,3,m\n2,3,f\n",
        "1,5,male,male\n2,6,male,female\n3,7,female,male\n",
        "ann,bob,ann likes bob\nbob,cyd,x\ncyd,dan,y\n",
    ] {
        assert_eq!(names(text).len(), 3, "{text}");
    }
}

/// A header in unknown words above dates was taken as an edge.
#[test]
fn a_first_line_without_a_date_names_the_columns() {
    let rows = "2021-01-01,ann,bob\n2021-01-02,bob,cyd\n";
    let expected = [["ann", "bob"], ["bob", "cyd"]].map(|ends| ends.map(str::to_owned));
    assert_eq!(names(format!("date,who,whom\n{rows}")), expected);
    assert_eq!(
        message("a.csv", format!("when,attacker,defender\n{rows}")),
        "a.csv:1: the header does not tell which two columns are the ends of an edge; the columns are `when`, `attacker`, \
         `defender` (name two columns, for example `attacker` and `defender`)"
    );
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
                 again below it: it may name the columns, or be an edge (say whether the first line is a header)"
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
        let expected = "a.csv:1: these look like adjacency lists: each line begins with another vertex, and its neighbours \
                        follow (name the format `adjacency`, or `edge-list` if each line is an edge all the same)";
        assert_eq!(message("a.csv", text), expected, "{text}");
        let mut options = Options::default();
        options.format = Some(read::Format::Adjacency);
        let graph = read::from_bytes("a.csv", text.as_bytes(), &options).unwrap();
        assert_eq!(graph.vertex_bound(), if text.contains(';') { 5 } else { 4 }, "{text}");
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
    let tuples = "the vertices are tuples, as NetworkX writes those of lattices, and hold what stands between columns: number \
                  them before the graph is written, with networkx.convert_node_labels_to_integers";
    for (name, text) in [
        ("a.txt", "(0, 0) (1, 0) {}\n(0, 0) (0, 1) {}\n(1, 0) (1, 1) {}\n"),
        ("a.txt", "(0, 0) (1, 0)\n(0, 0) (0, 1)\n(1, 0) (1, 1)\n"),
        ("a.txt", "('a', 1) ('b', 2) {'weight': 3}\n('a', 1) ('c', 2) {'weight': 4}\n"),
        ("a.adjlist", "(0, 0) (1, 0) (0, 1)\n(1, 0) (1, 1)\n(0, 1)\n(1, 1)\n"),
    ] {
        assert_eq!(message(name, text), format!("{name}:1: {tuples}"), "{text}");
    }
    assert_eq!(
        message("a.adjlist", "ann: [bob, cyd]\nbob: [ann]\ncyd: [ann]\n"),
        "a.adjlist:1: `[` begins a list, as in a graph that was printed: write the graph with networkx.write_adjlist, or take \
         the brackets away"
    );
}

/// A table of vertices was read as one of edges.
#[test]
fn tables_of_vertices_are_told() {
    for (header, vertex) in [
        (":ID,name", ":ID"),
        ("personId:ID,name,:LABEL", "personId:ID"),
        ("personId:ID(Person),age:int", "personId:ID(Person)"),
        ("Id,Label", "Id"),
        ("Id,Label,modularity_class", "Id"),
        ("node,community", "node"),
        ("node_id,degree,triangles", "node_id"),
        ("vertex,pagerank", "vertex"),
    ] {
        let columns = header.split(',').count();
        let row = |id: u32| (0..columns).map(|at| (id + at as u32).to_string()).collect::<Vec<_>>();
        let text = format!("{header}\n{}\n{}\n", row(1).join(","), row(2).join(","));
        let found = message("a.csv", &text);
        let expected = format!(
            "a.csv:1: column `{vertex}` names a vertex, and the others are attributes by their names, as in a table of vertices: \
             read the table of the edges, or, if these are both ends (name two columns, for example "
        );
        assert!(found.starts_with(&expected), "{found}");
    }
    for header in ["node,friend", "id,other", ":START_ID,:END_ID", "vertex,neighbour"] {
        assert_eq!(names(format!("{header}\n1,2\n2,3\n")).len(), 2, "{header}");
    }
}

/// The kind of each edge was taken as an end where ids are no plain digits.
#[test]
fn kinds_between_numbers_of_any_kind() {
    for ids in [["-5", "-3", "-7"], ["1e5", "2e5", "3e5"], ["+5", "+6", "+7"]] {
        let [a, b, c] = ids;
        let text = format!("{a}\tlikes\t{b}\n{b}\tknows\t{c}\n{c}\tlikes\t{a}\n{a}\tknows\t{c}\n");
        let found = message("a.csv", &text);
        assert!(found.contains("the second column looks like the kind of each edge"), "{found}");
        let text = format!("likes\t{a}\t{b}\nknows\t{b}\t{c}\nlikes\t{c}\t{a}\n");
        let found = message("a.csv", &text);
        assert!(found.contains("the first column looks like the kind of each edge"), "{found}");
    }
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
        assert_eq!(message("a.csv", text), format!("a.csv:2: {EMPTY}: {LINE}"), "{sep:?}");
    }
    assert_eq!(ids(&as_edge_list("1 2\n,,\n2 3\n")), [[1, 2], [2, 3]]);
}

/// NetworkX puts nothing between quotes: a comma of a name became the delimiter.
#[test]
fn names_before_a_dictionary_end_at_a_blank() {
    let text =
        "# Graph\na,b c,d {}\n\"x c,d {'weight': 3, 'at': \"a b\"}\nx\ty a,b {}\n#1 \"x {}\n";
    let expected = [["a,b", "c,d"], ["\"x", "c,d"], ["x\ty", "a,b"], ["#1", "\"x"]];
    let expected = expected.map(|ends| ends.map(str::to_owned));
    assert_eq!(names(text)[..3], expected[..3]);
    let many = format!("{}\"x,y \"z {{}}\n", "a,b c,d {}\na,b b {}\n".repeat(1 << 14));
    assert_eq!(names(many)[1 << 15], ["\"x,y", "\"z"].map(str::to_owned));
    let blanks = |line: &str| {
        format!(
            "a.txt:{line} has more than one blank before its dictionary, so that it does not say where a name ends: write \
             the graph with networkx.write_edgelist(graph, FILE, delimiter=\"\\t\"), and say that tabs stand between \
             columns (say what stands between columns)"
        )
    };
    let first = "ann bob {}\nNew York ann {'w': 1}\n";
    assert_eq!(message("a.txt", first), blanks("2: `New York ann {'w': 1}`"));
    let late = format!("{}New York ann {{}}\n", "ann bob {}\nbob cy {}\n".repeat(1 << 14));
    assert_eq!(message("a.txt", late), blanks("32769: `New York ann {}`"));
    // What is proposed.
    let tabs = between('\t', "New York\tann\t{}\nann\tbob\t{'w': 1}\n").unwrap();
    assert_eq!(tabs.ids().id(0).to_string(), "New York");
    assert_eq!(tabs.edges(), [[0, 1], [1, 2]]);
    // Where a blank is said to stand between columns, quotes hold it.
    let said = between(' ', "\"New York\" ann {}\nann bob {}\n").unwrap();
    assert_eq!(said.ids().id(0).to_string(), "New York");
}

#[test]
fn weights_are_read_from_dictionaries() {
    let read = |text: &str, name: &str| {
        let mut options = Options::default();
        options.weight = Some(name.into());
        read::from_bytes("a.txt", text.as_bytes(), &options)
    };
    let weights = |text: &str, name: &str| read(text, name).unwrap().weights().unwrap().to_vec();
    let dictionaries = [
        "{'weight': 3}",
        "{'a': {'weight': 9}, 'weight': 0.5}",
        "{'b': 'x, y', 'weight': -1e-3, 'a': 1}",
    ];
    for [a, b, c] in [["1", "2", "3"], ["ann", "bob", "c,y"], ["\"x", "y", "z"]] {
        for sep in [" ", "\t"].into_iter().filter(|sep| *sep == " " || a != "\"x") {
            let [first, second, third] = dictionaries;
            let text = format!(
                "{a}{sep}{b}{sep}{first}\n{b}{sep}{c}{sep}{second}\n{a}{sep}{c}{sep}{third}\n"
            );
            assert_eq!(weights(&text, "weight"), [3.0, 0.5, -0.001], "{text:?}");
        }
    }
    assert_eq!(weights("1 2 {'capacity': 4}\n2 3 {'capacity': 5}\n", "capacity"), [4.0, 5.0]);
    for (text, shown) in [
        ("1 2 {'weight': 3}\n2 3 {}\n", "2: `{}`"),
        ("1 2 {'weight': np.float64(3.0)}\n", "1: `{'weight': np.float64(3.0)}`"),
        ("a b {'weight': 'x'}\n", "1: `{'weight': 'x'}`"),
    ] {
        let expected = format!(
            "a.txt:{shown} has no number called `weight`: write the graph with networkx.write_weighted_edgelist, or with \
             write_edgelist(…, data=[\"weight\"])"
        );
        assert_eq!(read(text, "weight").unwrap_err().to_string(), expected);
    }
}
