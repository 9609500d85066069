//! Files that were made to break a reader: each test is named after what broke.

use tribin::read::{self, Format, Options};
use tribin::{DeviceChoice, Options as SessionOptions, Session};
use tribin::{Error, Graph};

use crate::samples::{gzip, ids, message, npy, npz, pairs, read, read_as, sg, zstandard};

fn limited(name: &str, bytes: &[u8], limit: u64) -> Result<Graph, Error> {
    let mut options = Options::default();
    options.decompressed_limit = Some(limit);
    read::from_bytes(name, bytes, &options)
}

/// 64 MiB of what compresses best once became 24 times as much memory.
#[test]
fn bombs_stop_at_the_limit() {
    let text = vec![b'\n'; 1 << 20];
    let advice =
        "if the file can be trusted and the memory suffices, allow more with `decompressed_limit`";
    for (name, bytes, what) in
        [("a.txt.gz", gzip(&text), "gzip"), ("a.graph.zst", zstandard(&text), "zstd")]
    {
        assert_eq!(
            limited(name, &bytes, (1 << 20) - 1).unwrap_err().to_string(),
            format!("{name}: the {what} data decompress to more than 1048575 bytes: {advice}")
        );
    }
    assert_eq!(limited("a.txt.gz", &gzip(&text), 1 << 20).unwrap().edges().len(), 0);
    let bomb = npz("csr", 1, &[0, 1 << 18], &[0; 1 << 18]);
    assert!(bomb.len() < 1 << 22);
    assert_eq!(
        limited("a.npz", &bomb, 1 << 20).unwrap_err().to_string(),
        format!("a.npz: the archive's data decompress to more than 1048576 bytes: {advice}")
    );
    assert_eq!(limited("a.npz", &bomb, 2 << 20).unwrap().edges().len(), 1 << 18);
    // The archive itself is compressed: both count.
    let twice = gzip(&bomb);
    let (content, enough) = (1 << 20, (1 << 20) + 1024);
    assert!(limited("a.npz", &bomb, content).is_err() && limited("a.npz", &bomb, enough).is_ok());
    assert!(limited("a.npz.gz", &twice, enough).is_err());
    assert_eq!(limited("a.npz.gz", &twice, 4 << 20).unwrap().edges().len(), 1 << 18);
}

/// Raw pairs that begin as other files do were refused, even where `--format bin` was said.
#[test]
fn raw_pairs_that_begin_like_something_else() {
    let zstd = pairs(&[[0xfd2f_b528, 1], [1, 2], [2, 0xfd2f_b528]]);
    let gzip = pairs(&[[559_903, 1], [0x300, 1], [0x300, 559_903]]);
    let numpy = pairs(&[[0x4d55_4e93, 0x5950], [0x5950, 2], [2, 0x4d55_4e93]]);
    for (bytes, kind) in [(&zstd, "zstd"), (&gzip, "gzip"), (&numpy, "numpy")] {
        let read = read_as("a.bin", bytes, Format::Pairs).unwrap();
        assert_eq!(&pairs_of(&read), bytes, "{kind}");
    }
    for bytes in [&zstd, &gzip, &numpy] {
        assert_eq!(&pairs_of(&read("a.bin", bytes).unwrap()), bytes);
    }
    // What is compressed and damaged is no raw pairs, whatever its length.
    let mut damaged = crate::samples::gzip(&pairs(&[[7, 8]; 10_000]));
    damaged.truncate(damaged.len() / 8 * 8 - 8);
    assert!(read_as("-", damaged, Format::Pairs).is_err());
}

fn pairs_of(graph: &Graph) -> Vec<u8> {
    ids(graph).iter().flatten().flat_map(|&id| (id as u32).to_le_bytes()).collect()
}

/// Every header of RFC 1952, not only those that the gzip program writes: data of others were read as raw
/// pairs in silence.
#[test]
fn a_gzip_header_of_any_kind() {
    let triangle = pairs(&[[0, 1], [1, 2], [2, 0]]);
    let plain = gzip(&triangle);
    let mut headers = vec![plain.clone()];
    for (extra_flags, system) in [(1, 3), (0, 14), (255, 254), (7, 0)] {
        let mut bytes = plain.clone();
        (bytes[8], bytes[9]) = (extra_flags, system);
        headers.push(bytes);
    }
    for flags in 1..32u8 {
        let mut builder = flate2::GzBuilder::new();
        if flags & 4 != 0 {
            builder = builder.extra(vec![9; 5]);
        }
        if flags & 8 != 0 {
            builder = builder.filename("n");
        }
        if flags & 16 != 0 {
            builder = builder.comment("c");
        }
        let mut encoder = builder.write(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut encoder, &triangle).unwrap();
        let mut bytes = encoder.finish().unwrap();
        // The hint that this is text.
        bytes[3] |= flags & 1;
        headers.push(bytes);
    }
    for bytes in headers {
        let graph = read_as("-", &bytes, Format::Pairs).unwrap();
        assert_eq!(ids(&graph), [[0, 1], [1, 2], [2, 0]], "{:x?}", &bytes[..12]);
    }
}

/// A sum of hashes called lists symmetric that are not, and half of their edges were lost: the sums of four
/// edges up and of four others down were made to be equal.
#[test]
fn lists_that_collide_under_a_sum_are_not_symmetric() {
    let graph = read("a.sg", std::fs::read(collision()).unwrap()).unwrap();
    let mut options = SessionOptions::default();
    options.device = DeviceChoice::Cpu;
    let count = Session::open(options).unwrap().count(&graph).unwrap();
    assert_eq!((count.edges, count.triangles), (6, 1));
}

fn collision() -> std::path::PathBuf {
    testkit::places::root().join("tests/data/collision.sg")
}

/// Weights were skipped unread.
#[test]
fn weights_that_are_none() {
    let wanted = "is not a weight: the header's format asks for weights, which are whole numbers from 0 \
                  to 2^64-1; correct the header or the line";
    for (text, line, found) in [
        ("3 1 10 1\n4\n,3\n7 2\n", 3, ",3"),
        ("3 1 10 1\nabc\nx 3\n?? 2\n", 2, "abc"),
        ("2 1 1\n2 1.5\n1 1.5\n", 2, "1.5"),
        ("2 1 1\n2 1\n1 -1\n", 3, "-1"),
        ("2 1 100\n1 2\n1, 1\n", 3, "1,"),
        ("2 1 11 2\n1 99999999999999999999 2 5\n1 1 1 5\n", 2, "99999999999999999999"),
    ] {
        assert_eq!(message("a.graph", text), format!("a.graph:{line}: `{found}` {wanted}"));
    }
    assert_eq!(ids(&read("a.graph", "2 1 111 2\n0 5 6 2 7\n9 5 6 1 7\n").unwrap()), [[1, 2]]);
}

/// Vertex 2³² became vertex 0.
#[test]
fn serialized_graphs_of_too_many_vertices() {
    for vertices in [u64::from(u32::MAX), 1 << 32, u64::MAX] {
        assert_eq!(
            message("a.sg", sg(0, 0, vertices, &[])),
            format!(
                "a.sg:byte 9: the header announces {vertices} vertices: at most 4294967294 (2^32-2) \
                 can be counted"
            )
        );
    }
}

/// The name of a record's field was taken for the type.
#[test]
fn records_whose_field_is_called_like_a_type() {
    let records = npy("XX", false, "(3, 2)", &[0; 24]);
    let at = records.windows(4).position(|window| window == b"'XX'").unwrap();
    let mut bytes = records[..at].to_vec();
    bytes.extend(b"[('<u4', '<f4')]");
    bytes.extend(&records[at + 4 + 12..]);
    assert_eq!(
        message("a.npy", bytes),
        "a.npy:byte 10: the array holds records, not numbers: save the array with \
         `.astype('<u4')` or another integer type"
    );
}

fn names_of(graph: &Graph) -> Vec<[String; 2]> {
    graph.edges().iter().map(|pair| pair.map(|v| graph.ids().id(v).to_string())).collect()
}

fn table(text: &str) -> Result<Vec<[String; 2]>, String> {
    read("a.csv", text).map(|graph| names_of(&graph)).map_err(|error| error.to_string())
}

fn owned(edges: &[[&str; 2]]) -> Vec<[String; 2]> {
    edges.iter().map(|pair| pair.map(str::to_owned)).collect()
}

/// A piece that ends within quotes reads on where a row seems to begin.
#[test]
fn a_quote_over_line_ends_is_one_field_wherever_pieces_end() {
    let row = "Ann,Bo,\"first\nCy,Di,\"\"x\"\"\nlast\"\n";
    let rows = (3 << 20) / row.len();
    let text = format!("source,target,note\n{}", row.repeat(rows));
    let found = table(&text).unwrap();
    assert_eq!(found.len(), rows);
    assert!(found.iter().all(|edge| edge == &["Ann", "Bo"]));
    let numbers = text.replace("Ann", "1").replace("Bo", "2").replace("Cy", "3").replace("Di", "4");
    assert_eq!(ids(&read("a.csv", &numbers).unwrap()), vec![[1, 2]; rows]);
    let file = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
    std::fs::write(file.path(), &numbers).unwrap();
    assert_eq!(ids(&tribin::open(file.path()).unwrap()), vec![[1, 2]; rows]);
}

#[test]
fn a_quote_that_is_never_closed_is_an_error_on_its_line() {
    let text = "source,target,note\nAnn,Bo,x\nBo,Cy,\"y\nCy,Ann,z\n";
    let error = table(text).unwrap_err();
    assert!(error.contains("a quote is opened here and never closed"), "{error}");
}

/// A quote behind the ids was taken for one that is never closed.
#[test]
fn quotes_behind_the_ids_are_nothing_where_each_line_is_an_edge() {
    let text = "0 0\n0 0 \"\n1 2 \"x\" y\n";
    assert_eq!(ids(&read_as("a", text, Format::EdgeList).unwrap()), [[0, 0], [0, 0], [1, 2]]);
}

/// A header with more columns than the rows was an index past the end.
#[test]
fn a_header_that_is_longer_than_the_rows() {
    let error = table("a,b,c,d\n1,2\n3,4\n").unwrap_err();
    assert!(
        error.starts_with("a.csv:1: `a,b,c,d` has 4 columns between `,`, and most lines have 2"),
        "{error}"
    );
    let mut options = Options::default();
    options.columns = Some("a,b".parse().unwrap());
    let graph = read::from_bytes("a.csv", b"a,b,c,d\n1,2\n3,4\n", &options).unwrap();
    assert_eq!(ids(&graph), [[1, 2], [3, 4]]);
}

/// Names that differ in bytes alone are not one vertex, and those that differ in quotes alone are.
#[test]
fn names_are_the_same_where_their_bytes_are() {
    let text = "\"Ann\",Bo\nAnn,\" Bo\"\nann,Bo \n";
    let found = table(text).unwrap();
    assert_eq!(found, owned(&[["Ann", "Bo"], ["Ann", " Bo"], ["ann", "Bo"]]));
    let error = table("caf,Bo\nAnn,Bo\n\"\",Bo\n").unwrap_err();
    assert!(error.starts_with("a.csv:3: a column is empty"), "{error}");
}

/// Long comments, long names and many columns are looked at in part, and read as a whole.
#[test]
fn beginnings_that_are_longer_than_what_is_looked_at() {
    let comments = "# comment\n".repeat(1 << 16);
    assert_eq!(ids(&read("a.txt", format!("{comments}1 2\n2 3\n")).unwrap()), [[1, 2], [2, 3]]);
    let long = "n".repeat(1 << 19);
    let found = table(&format!("Ann,{long}\n{long},Bo\n")).unwrap();
    assert_eq!(found, owned(&[["Ann", &long], [&long, "Bo"]]));
}

/// What mutated tables showed: a first line in another shape was taken for a header, and left out without a word; a header
/// that came again made the first one an edge.
#[test]
fn a_first_line_of_numbers_is_no_header() {
    for text in ["4 7\n1\t3\n3\t0\n", "8 2 null\n6\t4\n1\t3\n", "9 1 1\n3\t3\n2\t5\n"] {
        match read("a.csv", text) {
            Ok(graph) => assert_eq!(graph.edges().len(), 3, "{text:?}"),
            Err(error) => assert!(error.to_string().starts_with("a.csv:1: "), "{text:?}: {error}"),
        }
    }
    let told = message("a.csv", "8\u{a0}5\n7 4\n0 8\n");
    assert!(told.starts_with("a.csv:1: "), "{told}");
    let names = "weight,source,target\n5,Ann,Bo\nweight,source,target\n5,Bo,Cy\n";
    assert_eq!(read("a.csv", names).unwrap().edges(), [[0, 1], [1, 2]]);
    let again = read("a.csv", "source,target\n1,2\nsource,target\n").unwrap();
    assert!(again.reading().unwrap().warnings[0].contains("the names of the columns once more"));
}

/// Lists that name an edge at one of its ends were symmetrized in silence.
#[test]
fn one_sided_lists_are_told() {
    let graph = read("a.graph", "4 1 1\n4 7\n\n1 7\n\n").unwrap();
    assert_eq!(ids(&graph), [[1, 4], [3, 1]]);
    let told = &graph.reading().unwrap().warnings[0];
    assert!(told.starts_with("some edges are listed at one of their ends only"), "{told}");
    assert!(read("a.graph", "2 1\n2\n1\n").unwrap().reading().is_none());
    let graph = read("a.sg", sg(0, 2, 4, &[(&[0, 1, 1, 2, 2], &[1, 0])])).unwrap();
    assert_eq!(graph.reading().unwrap().table, "GAP's serialized graph");
    let both = sg(1, 1, 2, &[(&[0, 1, 1], &[1]), (&[0, 0, 1], &[0])]);
    assert!(read("a.sg", both).unwrap().reading().is_none());
}

/// The number of edges that a colouring announces was doubled, beyond 2^64.
#[test]
fn a_line_that_announces_as_many_edges_as_there_are_numbers() {
    let text = b"p edge 9 18446744073709551615\ne 1 9\ne 9 1\n";
    let said = message("a.col", text);
    assert!(said.contains("announces 18446744073709551615 entries and the file holds 2"), "{said}");
}

/// A comment was an edge where the first column is none of its ends.
#[test]
fn comments_among_rows_whose_ends_are_behind_the_first_column() {
    for mark in ["#", "%", "//", " #"] {
        let text = format!("weight,source,target\n5,3,1\n{mark} 5,5,3\n5,2,0\n");
        let graph = read("a.csv", text.as_bytes()).unwrap();
        assert_eq!(graph.edges(), [[3, 1], [2, 0]], "{mark}");
    }
}

/// The numbers of an edge that was taken out by a mark before it were the names of columns.
#[test]
fn an_edge_that_was_taken_out_names_no_columns() {
    let graph = read("a.csv", b"# \"0\",\"100005\",1\n5,6,1\n7,8,1\n").unwrap();
    assert_eq!(graph.edges(), [[5, 6], [7, 8]]);
}

/// A comma within a text made two columns of each line, and the semicolons of the header were not seen.
#[test]
fn commas_within_the_texts_of_a_table_with_semicolons() {
    let text = b"source;note;target\n4;\"a \"\"b\"\", c\";6\n8;\"a \"\"b\"\", c\";5\n";
    let graph = read("a.csv", text).unwrap();
    assert_eq!(graph.edges(), [[4, 6], [8, 5]]);
}

/// The rows of a table with tabs were cut at blanks, because one had blanks within its first column: an edge was another one.
#[test]
fn a_header_with_the_names_of_the_ends_tells_the_delimiter() {
    let text = "weight\tsource\ttarget\r5\t3\t5\r5\t7\t1\r007 5 3 25|8|05\t2\t6\r5\t0\t8\r";
    assert_eq!(ids(&read("a.csv", text).unwrap()), [[3, 5], [7, 1], [2, 6], [0, 8]]);
    for (text, edge) in [
        (";source;target\n1,2 0;3;1\n", [3, 1]),
        ("weight;source;target\r\n1,2 5;8;1\n", [8, 1]),
        ("weight|source|target\n1 2 3|8|1\n", [8, 1]),
    ] {
        assert_eq!(ids(&read("a.csv", text).unwrap()), [edge], "{text:?}");
    }
}

/// Numbers in the first line, 1 beside 2, were taken for the names of two ends, as `person1` and `person2` are: the rows
/// were cut at tabs or blanks that did not cut them.
#[test]
fn numbers_are_no_names_of_the_two_ends() {
    let graph = read("a.csv", b"4,4,0.5 x7 5,3,0.5 1 2").unwrap();
    assert_eq!(graph.edges(), [[4, 4]]);
    let graph = read("a.txt", b"3\t2\t1\r2 2 %3\t1\t1\r2\t3\t1\r1 2 7\t0\t1\r").unwrap();
    assert_eq!(graph.edges(), [[3, 2], [2, 2], [2, 3], [1, 2]]);
}

/// Comments of the shape `#;comment` were rows of a table whose first column is `#`.
#[test]
fn a_mark_alone_in_its_column_is_no_name() {
    for text in ["#;comment\n\n#;comment", "#|comment\n#|comment\n", "#;Nodes:;5\n#;Nodes:;5\n"] {
        assert!(read("a.txt", text.as_bytes()).unwrap().edges().is_empty(), "{text:?}");
    }
    assert_eq!(table("#rust;#go\n#go;#c\n"), Ok(owned(&[["#rust", "#go"], ["#go", "#c"]])));
}

/// A first line that begins with a tab was taken for a header whatever numbers it has.
#[test]
fn a_tab_before_numbers_is_a_header_where_they_count_columns() {
    let graph = read("a.tsv", b"\t0\t1\n0\t5\t6\n1\t6\t7\n").unwrap();
    assert_eq!(graph.edges(), [[5, 6], [6, 7]]);
    let told = message("a.tsv", "\t2\t1\n0\t5\t6\n1\t6\t7\n");
    assert!(
        told.starts_with("a.tsv:1: a column is empty where a vertex id was expected"),
        "{told}"
    );
    let told = message("a.csv", b",5,3\n0,5,6\n1,6,7\n");
    assert!(
        told.starts_with("a.csv:1: a column is empty where a vertex id was expected"),
        "{told}"
    );
}

/// The header of a part among integers made names of all ids.
#[test]
fn a_header_among_a_few_integers_is_no_edge() {
    for text in ["0,0\nsource,target\nsource,target\n", "0,2\nsource,target\nsource,target"] {
        let told = message("a.csv", text);
        assert!(told.starts_with("a.csv:2: "), "{text:?}: {told}");
    }
}

/// The mark of a comment within a comment was the name of a column: the other two were one place further right.
#[test]
fn a_comment_within_a_comment_names_the_same_columns() {
    for marks in ["#", "# //", "# #", "//", "% #\t"] {
        let graph = read("a.txt", format!("{marks} FromNodeId ToNodeId\n5 4 1\n0 2 1\n")).unwrap();
        assert_eq!(graph.edges(), [[5, 4], [0, 2]], "{marks}");
    }
}

/// A format of four digits was read as one of three.
#[test]
fn a_metis_format_has_three_digits_at_most() {
    for header in ["2 1 0001", "2 1 0000", "2 1 00"] {
        let found = read(
            "a.graph",
            format!("{header}\n2 7\n1 7\n")
                .replace(" 7", if header.ends_with('1') { " 7" } else { "" })
                .as_bytes(),
        );
        assert_eq!(found.is_ok(), header.len() < 8, "{header}");
    }
}

/// A byte order mark where one table ends and the next begins was a part of a name.
#[test]
fn a_byte_order_mark_in_the_middle() {
    let mark = "\u{feff}";
    for (one, other, line) in [
        ("source,target\nAnn,Bo\n", "source,target\nBo,Cy\n", 3),
        ("Ann,Bo\nBo,Cy\n", "Cy,Ann\n", 3),
        ("Ann,Bo\n", "\"Cy\",Ann\n", 2),
        ("source,target\n1,2\n", "source,target\n3,4\n", 3),
        ("1,2\n2,3\n", "3,4\n", 3),
    ] {
        let said = message("a.csv", format!("{mark}{one}{mark}{other}"));
        let expected = format!("a.csv:{line}: `\\u{{feff}}");
        assert!(said.starts_with(&expected), "{one:?} {other:?}: {said}");
        assert!(said.contains("begins with a byte order mark"), "{said}");
    }
    let names = format!("{mark}Ann,\u{ff21}nn\n\u{ff21}nn,Bo\n");
    assert_eq!(table(&names).unwrap(), owned(&[["Ann", "\u{ff21}nn"], ["\u{ff21}nn", "Bo"]]));
}

#[cfg(feature = "parquet")]
mod parquet_files {
    use std::sync::Arc;

    use parquet::data_type::Int32Type;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::*;

    fn written(columns: [&[i32]; 2]) -> Vec<u8> {
        let schema = "message m { required int32 source; required int32 target; }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let properties = WriterProperties::default();
        let mut bytes = Vec::new();
        let mut writer =
            SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties)).unwrap();
        let mut group = writer.next_row_group().unwrap();
        for values in columns {
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<Int32Type>().write_batch(values, None, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.close().unwrap();
        bytes
    }

    /// Rows beyond the number that a row group, or a column of it, announces were left out.
    #[test]
    fn numbers_of_rows_that_contradict_each_other() {
        let good = written([&[0, 1, 2], &[1, 2, 0]]);
        assert_eq!(ids(&read("a.parquet", &good).unwrap()).len(), 3);
        // Integers of 64 bits that are 3: of the file, of each column and of the group.
        let places: Vec<usize> = (good.len() - 8 - footer(&good)..good.len() - 8)
            .filter(|&at| good[at..].starts_with(&[0x16, 6]))
            .collect();
        assert_eq!(places.len(), 4);
        for place in places {
            for number in [0, 2, 4] {
                let mut bytes = good.clone();
                bytes[place + 1] = 2 * number;
                let said = message("a.parquet", bytes);
                assert!(said.contains("another number of"), "{place} {number}: {said}");
            }
        }
    }

    fn footer(bytes: &[u8]) -> usize {
        u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().unwrap()) as usize
    }
}
