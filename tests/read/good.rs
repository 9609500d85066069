//! Exact edges for every feature of every format.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tribin::VertexIds;
use tribin::read::{self, Format, Options, Progress};

use crate::samples::{
    edge_set, gzip, ids, kite, npy, npz, npz_of_coordinates, pairs, read, read_as, sg, zstandard,
};

const KITE: [[u64; 2]; 4] = [[1, 2], [1, 3], [2, 3], [3, 4]];

#[test]
fn one_graph_in_every_format_and_compression() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in kite() {
        for (name, bytes) in [
            (name.to_string(), bytes.clone()),
            (format!("{name}.gz"), gzip(&bytes)),
            (format!("{name}.zst"), zstandard(&bytes)),
        ] {
            assert_eq!(edge_set(&read(&name, &bytes).unwrap()), KITE, "{name}");
            let path = folder.path().join(&name);
            std::fs::write(&path, &bytes).unwrap();
            let graph = tribin::open(&path).unwrap();
            assert_eq!(edge_set(&graph), KITE, "{name} from a file");
            assert_eq!(graph.edges().len(), 4, "{name}");
            assert_eq!(graph.name(), path.display().to_string());
        }
    }
}

/// A file that calls itself undirected and does not list every edge twice keeps all entries; so does a
/// directed one. Self-loops are listed once.
#[test]
fn no_entry_of_a_serialized_graph_is_lost() {
    let lopsided = sg(0, 3, 3, &[(&[0, 1, 2, 3], &[1, 2, 0])]);
    assert_eq!(ids(&read("a.sg", lopsided).unwrap()), [[0, 1], [1, 2], [2, 0]]);
    // As many entries up as down, of different edges.
    let crossed = sg(0, 2, 4, &[(&[0, 1, 1, 2, 2], &[1, 0])]);
    assert_eq!(ids(&read("a.sg", crossed).unwrap()), [[0, 1], [2, 0]]);
    let looped = sg(0, 3, 2, &[(&[0, 2, 3], &[0, 1, 0])]);
    assert_eq!(ids(&read("a.sg", looped).unwrap()), [[0, 0], [0, 1]]);
    let both = sg(1, 2, 2, &[(&[0, 1, 2], &[1, 0]), (&[0, 1, 2], &[1, 0])]);
    assert_eq!(ids(&read("a.sg", both).unwrap()), [[0, 1], [1, 0]]);
}

#[test]
fn matrices_of_coordinates_are_read() {
    let graph = read("a.npz", npz_of_coordinates(5, &[0, 2, 2, 3], &[1, 0, 2, 1])).unwrap();
    assert_eq!(graph.edges(), [[0, 1], [2, 0], [2, 2], [3, 1]]);
    assert_eq!(graph.vertex_bound(), 5);
    // Ids with gaps are numbered anew.
    let far = read("a.npz", npz_of_coordinates(1 << 40, &[0, 1 << 39], &[1 << 33, 0])).unwrap();
    assert_eq!(ids(&far), [[0, 1 << 33], [1 << 39, 0]]);
}

#[test]
fn isolated_vertices_of_matrices_count() {
    let empty = read("a.npz", npz("csr", 3, &[0; 4], &[])).unwrap();
    assert_eq!(empty.ids(), &VertexIds::Identity { bound: 3 });
    let empty = read("a.sg", sg(0, 0, 7, &[(&[0; 8], &[])])).unwrap();
    assert_eq!(empty.ids(), &VertexIds::Identity { bound: 7 });
    // A zip archive is known without its extension.
    assert_eq!(read("matrix", npz("csc", 3, &[0; 4], &[])).unwrap().vertex_bound(), 3);
}

#[test]
fn compression_is_told_without_an_extension_and_in_several_parts() {
    let (first, second) = (&b"1 2\n2 "[..], &b"3\n3 1\n3 4\n"[..]);
    let members = [gzip(first), gzip(second)].concat();
    assert_eq!(edge_set(&read("members", members).unwrap()), KITE);
    let frames = [zstandard(first), zstandard(second)].concat();
    assert_eq!(edge_set(&read("frames.txt", frames).unwrap()), KITE);
    // A skippable frame of 3 bytes first, told by the extension.
    let mut skippable = b"\x51\x2a\x4d\x18\x03\0\0\0abc".to_vec();
    skippable.extend(zstandard(b"1 2\n2 3\n3 1\n3 4\n"));
    assert_eq!(edge_set(&read("skip.txt.zst", skippable).unwrap()), KITE);
}

#[test]
fn raw_pairs_may_begin_with_gzip_magic() {
    let bytes = pairs(&[[559_903, 1], [1, 2]]);
    assert_eq!(bytes[..4], [0x1f, 0x8b, 0x08, 0]);
    assert_eq!(ids(&read("a.bin", &bytes).unwrap()), [[559_903, 1], [1, 2]]);
    assert_eq!(edge_set(&read("a.bin", gzip(&bytes)).unwrap()), [[1, 2], [1, 559_903]]);
    assert_eq!(
        edge_set(&read_as("-", gzip(&bytes), Format::Pairs).unwrap()),
        [[1, 2], [1, 559_903]]
    );
}

#[test]
fn edge_list_lines() {
    let text = "\u{feff}# c\n% c\n// c\n  # c\n\n \t\r\n0 1\n2\t3\r\n 8  9 \n10 11 0.5 x\n\
                14 15\t\n7 7\n1 0\n0 1\n16 17";
    let expected = [[0, 1], [2, 3], [8, 9], [10, 11], [14, 15], [7, 7], [1, 0], [0, 1], [16, 17]];
    let graph = read("a.txt", text).unwrap();
    assert_eq!(ids(&graph), expected);
    assert_eq!(graph.ids(), &VertexIds::Identity { bound: 18 });
    let commas = read("a.txt", "# c\n4,5\n6 , 7\n12,13,{}\n").unwrap();
    assert_eq!(ids(&commas), [[4, 5], [6, 7], [12, 13]]);
}

#[test]
fn large_ids_are_compacted_in_ascending_order() {
    let graph = read("a.txt", "18446744073709551615 5\n4294967295 5\n").unwrap();
    assert_eq!(graph.ids(), &VertexIds::Table(vec![5, 4_294_967_295, u64::MAX]));
    assert_eq!(graph.edges(), [[2, 0], [1, 0]]);
    // The largest id that would fit, but out of proportion to one entry.
    let graph = read("a.txt", "4294967294 4294967294\n").unwrap();
    assert_eq!(graph.ids(), &VertexIds::Table(vec![4_294_967_294]));
    assert_eq!(graph.edges(), [[0, 0]]);
}

#[test]
fn empty_graphs_are_answers() {
    for (name, bytes) in [
        ("a.txt", &b"# nothing\n\n"[..]),
        ("a.txt", b"\n"),
        ("a.mtx", b"%%MatrixMarket matrix coordinate pattern general\n0 0 0\n"),
        ("a.graph", b"0 0\n"),
        ("a.npy", &npy("<u4", false, "(0, 2)", b"")),
    ] {
        let graph = read(name, bytes).unwrap();
        assert_eq!(graph.edges().len(), 0, "{name}");
        assert_eq!(graph.vertex_bound(), 0, "{name}");
    }
    let graph = read("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n7 7 0\n").unwrap();
    assert_eq!((graph.edges().len(), graph.vertex_bound()), (0, 7));
    assert_eq!(read("a.graph", "2 0\n\n\n").unwrap().vertex_bound(), 2);
}

#[test]
fn matrix_market_fields_and_symmetries() {
    for (field, value) in
        [("pattern", ""), ("integer", " -7"), ("real", " 0.0"), ("complex", " 1.5 -2e3")]
    {
        for symmetry in ["general", "symmetric", "skew-symmetric", "hermitian"] {
            let text = format!(
                "%%MatrixMarket  MATRIX coordinate {field} {symmetry}\r\n%\n\n 3 3\t4 \n2 1{value}\n\n3 \
                 3{value}\r\n1 2{value}\n3 1{value}"
            );
            let graph = read("a.mtx", text).unwrap();
            assert_eq!(ids(&graph), [[2, 1], [3, 3], [1, 2], [3, 1]], "{field} {symmetry}");
            assert_eq!(graph.edges()[0], [1, 0]);
            assert_eq!(graph.ids(), &VertexIds::OneBased { bound: 3 });
        }
    }
}

#[test]
fn matrix_market_of_more_rows_than_32_bits() {
    let text = "%%MatrixMarket matrix coordinate pattern general\n\
                18446744073709551615 18446744073709551615 1\n18446744073709551615 1\n";
    let graph = read("a.mtx", text).unwrap();
    assert_eq!(graph.ids(), &VertexIds::Table(vec![1, u64::MAX]));
    assert_eq!(graph.edges(), [[1, 0]]);
}

#[test]
fn metis_weights_are_skipped() {
    // The path 1-2-3 with every combination of vertex size, vertex weights and edge weights.
    for (header, lines) in [
        ("3 2", ["2", "1 3", "2"]),
        ("3 2 0", ["2", "1 3", "2"]),
        ("3 2 1", ["2 9", "1 9 3 8", "2 8"]),
        ("3 2 001", ["2 9", "1 9 3 8", "2 8"]),
        ("3 2 10", ["7 2", "7 1 3", "7 2"]),
        ("3 2 010 2", ["7 7 2", "7 7 1 3", "7 7 2"]),
        ("3 2 011 2", ["7 7 2 9", "7 7 1 9 3 8", "7 7 2 8"]),
        ("3 2 100", ["5 2", "5 1 3", "5 2"]),
        ("3 2 101", ["5 2 9", "5 1 9 3 8", "5 2 8"]),
        ("3 2 110 1", ["5 7 2", "5 7 1 3", "5 7 2"]),
        ("3 2 111 3", ["5 7 7 7 2 9", "5 7 7 7 1 9 3 8", "5 7 7 7 2 8"]),
    ] {
        let text = format!("{header}\n{}\n", lines.join(" \n"));
        let graph = read("a.graph", text).unwrap();
        assert_eq!(ids(&graph), [[1, 2], [2, 3]], "{header}");
    }
}

#[test]
fn metis_isolated_vertices_comments_and_loops() {
    let text = "%\n% c\n\n6 3\n\n3 2\n2 4\r\n%c\n 3\n\n\n\n% c\n\n";
    let graph = read("a.graph", text).unwrap();
    assert_eq!(ids(&graph), [[2, 3], [2, 2], [3, 4]]);
    assert_eq!(graph.ids(), &VertexIds::OneBased { bound: 6 });
    // A loop listed twice.
    assert_eq!(ids(&read("a.graph", "2 2\n2\n1 2 2").unwrap()), [[1, 2], [2, 2], [2, 2]]);
}

#[test]
fn npy_types_versions_and_orders() {
    let rows = [[1u64, 2], [200, 3]];
    let element = |value: u64, bytes: usize| value.to_le_bytes()[..bytes].to_vec();
    for (descr, bytes) in
        [("|u1", 1), ("<u2", 2), ("<i2", 2), ("<u4", 4), ("<i4", 4), ("<u8", 8), ("<i8", 8)]
    {
        let by_rows: Vec<u8> = rows.iter().flatten().flat_map(|&id| element(id, bytes)).collect();
        let by_columns: Vec<u8> =
            [1, 200, 2, 3].into_iter().flat_map(|id| element(id, bytes)).collect();
        for (fortran, data) in [(false, by_rows), (true, by_columns)] {
            let graph = read("a.npy", npy(descr, fortran, "(2, 2)", &data)).unwrap();
            assert_eq!(ids(&graph), rows, "{descr} {fortran}");
        }
    }
    assert_eq!(ids(&read("a.npy", npy("|i1", false, "(1, 2)", &[1, 127])).unwrap()), [[1, 127]]);
    let mut second = npy("<u1", false, "(1, 2)", &[1, 2]);
    second[6] = 2;
    let header = second.split_off(10);
    second.extend([0, 0]);
    second.extend(header);
    assert_eq!(ids(&read("a.npy", &second).unwrap()), [[1, 2]]);
    second[6] = 3;
    assert_eq!(ids(&read("a.npy", &second).unwrap()), [[1, 2]]);
    let wide: Vec<u8> = [u64::MAX, 3].into_iter().flat_map(u64::to_le_bytes).collect();
    let graph = read("a.npy", npy("<u8", false, "(1, 2)", &wide)).unwrap();
    assert_eq!(ids(&graph), [[u64::MAX, 3]]);
}

#[test]
fn npy_floats_that_are_whole() {
    let wide = [[0, 7], [(1u64 << 24) - 1, 3], [1 << 24, 0]];
    let single = |&id: &u64| (id as f32).to_le_bytes().to_vec();
    let double = |&id: &u64| (id as f64).to_le_bytes().to_vec();
    let bytes =
        |ids: &[u64], to: &dyn Fn(&u64) -> Vec<u8>| ids.iter().flat_map(to).collect::<Vec<u8>>();
    let by_rows = wide.as_flattened();
    let by_columns: Vec<u64> =
        [0, 1].into_iter().flat_map(|end| wide.map(|edge| edge[end])).collect();
    for (descr, to) in [("<f4", &single as &dyn Fn(&u64) -> Vec<u8>), ("<f8", &double)] {
        for (fortran, shape, data) in [
            (false, "(3, 2)", bytes(by_rows, to)),
            (true, "(3, 2)", bytes(&by_columns, to)),
            (false, "(2, 3)", bytes(&by_columns, to)),
        ] {
            let graph = read("a.npy", npy(descr, fortran, shape, &data)).unwrap();
            assert_eq!(ids(&graph), wide, "{descr} {fortran} {shape}");
        }
    }
    // Zero has two signs, and the largest id that a double tells from its neighbours is 2^53.
    let far = [-0.0, 9_007_199_254_740_992.0f64].map(f64::to_le_bytes).concat();
    assert_eq!(ids(&read("a.npy", npy("<f8", false, "(1, 2)", &far)).unwrap()), [[0, 1 << 53]]);
    assert_eq!(ids(&read("a.npy", npy("<f8", false, "(0, 2)", b"")).unwrap()), [[0; 2]; 0]);
}

#[test]
fn raw_pairs_with_the_largest_id() {
    let graph = read("a.bin", pairs(&[[u32::MAX, 3], [3, 4]])).unwrap();
    assert_eq!(graph.ids(), &VertexIds::Table(vec![3, 4, 4_294_967_295]));
    assert_eq!(graph.edges(), [[2, 0], [0, 1]]);
}

#[test]
fn a_named_format_wins_over_name_and_content() {
    let text = "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n";
    let graph = read_as("a.mtx", text, Format::EdgeList).unwrap();
    assert_eq!(ids(&graph), [[3, 3], [1, 2]]);
    assert_eq!(ids(&read("a.graph", text).unwrap()), [[1, 2]]);
}

#[test]
fn progress_adds_up_to_the_size_of_the_file() {
    let long = "17 4\n".repeat(500_000);
    let wide = format!("{long}99999999999 1\n");
    for (name, bytes) in [
        ("a.txt", long.clone().into_bytes()),
        ("a.txt", wide.into_bytes()),
        ("a.txt.gz", gzip(long.as_bytes())),
        ("a.txt.zst", zstandard(long.as_bytes())),
        ("a.bin", vec![0; 4 << 20]),
    ] {
        let seen = Arc::new(AtomicU64::new(0));
        let sum = seen.clone();
        let progress = Progress::new(move |bytes| {
            sum.fetch_add(bytes, Relaxed);
        });
        let mut options = Options::default();
        options.progress = Some(progress);
        read::from_bytes(name, &bytes, &options).unwrap();
        assert_eq!(seen.load(Relaxed), bytes.len() as u64, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut file = std::fs::OpenOptions::new().write(true).open(pipe).unwrap();
            for part in [&b"1 2\n2 3\n3"[..], b" 1\n", b"3 4\n"] {
                file.write_all(part).unwrap();
            }
        }
    });
    let graph = tribin::open(&pipe).unwrap();
    writer.join().unwrap();
    assert_eq!(edge_set(&graph), KITE);
}

/// A carriage return was once a blank: the three lines were one edge, and the count was wrong in silence.
#[test]
fn a_lone_carriage_return_ends_a_line() {
    for end in ["\n", "\r\n", "\r"] {
        let list = format!("# a{end}0 1{end}1 2 7{end}{end}2 0{end}");
        assert_eq!(ids(&read("a.txt", list).unwrap()), [[0, 1], [1, 2], [2, 0]], "{end:?}");
        let matrix = "%%MatrixMarket matrix coordinate pattern general|% c|3 3 2|1 2|3 1|";
        let matrix = matrix.replace('|', end);
        assert_eq!(ids(&read("a.mtx", matrix).unwrap()), [[1, 2], [3, 1]], "{end:?}");
        let metis = "% c|4 3|2 3|1 3|% c|1 2||".replace('|', end);
        assert_eq!(ids(&read("a.graph", metis).unwrap()), [[1, 2], [1, 3], [2, 3]], "{end:?}");
        let error = read("a.txt", format!("0 1{end}# c{end}{end}2 x{end}")).unwrap_err();
        assert!(error.to_string().starts_with("a.txt:4: "), "{error}");
    }
}

/// Names may begin as comments do, behind a header as well as without one.
#[test]
fn hashtags_behind_a_header() {
    let rows = "#ml,#ai\n#ml,#dl\n#ai,#dl\nalice,#ml\nbob,#ml\n";
    let called = |text: &str, options: &Options| -> Vec<String> {
        let graph = read::from_bytes("tags.csv", text.as_bytes(), options).unwrap();
        let names = graph.ids().names().unwrap();
        graph.edges().iter().map(|&[u, v]| format!("{},{}", names.get(u), names.get(v))).collect()
    };
    let expected: Vec<&str> = rows.lines().collect();
    let mut asked = Options::default();
    asked.columns = Some("1,2".parse().unwrap());
    for text in [rows.to_owned(), format!("source,target\n{rows}")] {
        for options in [&Options::default(), &asked] {
            assert_eq!(called(&text, options), expected, "{text}");
        }
    }
    for comment in ["#source,target\n", "# source,target\n", "#u,v\n"] {
        let text = format!("{comment}ann,bob\n#cyd,bob\n");
        assert_eq!(called(&text, &Options::default()), ["ann,bob", "#cyd,bob"], "{comment}");
    }
    // A line alone that begins as a comment does is a header.
    assert_eq!(called("#u,v\nv,x\n", &Options::default()), ["v,x"]);
    let commented = "source,target\n# tags\n#ml,#ai\n%\n//a,#b\nx,#b\n";
    assert_eq!(called(commented, &Options::default()), ["#ml,#ai", "//a,#b", "x,#b"]);
}

/// Numbers with decimal commas are whole between tabs and semicolons, as ids and as weights.
#[test]
fn decimal_commas() {
    for between in ["\t", ";", " "] {
        let text = "1,0 2,0\n2,0 3,0\n1,0 3,0\n".replace(' ', between);
        let graph = read("eu.tsv", &text).unwrap();
        assert_eq!(graph.edges(), [[0, 1], [1, 2], [0, 2]], "{text}");
        assert_eq!(graph.ids().names().unwrap().get(2), "3,0");
    }
    let mut options = Options::default();
    options.weight = Some("3".into());
    let weights = |text: &str| {
        let graph = read::from_bytes("a.csv", text.as_bytes(), &options)?;
        Ok::<_, tribin::Error>(graph.weights().unwrap().to_vec())
    };
    for text in ["1;2;2,5\n2;3;1\n", "1\t2\t2,5\n2\t3\t1\n", "1 2 2,5\n2 3 1\n"] {
        assert_eq!(weights(text).unwrap(), [2.5, 1.0], "{text}");
    }
    // Each line is an edge, whatever it looks like.
    let mut forced = options.clone();
    forced.format = Some(Format::EdgeList);
    let text = "900\t7\t8\n900\t8\t9,5\n920\t7\t9\n920\t9\t7\n";
    let graph = read::from_bytes("a.tsv", text.as_bytes(), &forced).unwrap();
    assert_eq!(graph.weights().unwrap(), [8.0, 9.5, 9.0, 7.0]);
    assert_eq!(weights("a;b;c\n1;2;0,125\n2;3;1,5E+2\n").unwrap(), [0.125, 150.0]);
    let error = |text: &str| weights(text).unwrap_err().to_string();
    assert_eq!(
        error("1;2;1,234\n2;3;12\n"),
        "a.csv:1: `1,234` has a comma, which may be that of a decimal number or of thousands: write weights with a \
         decimal point"
    );
    assert_eq!(
        error("1;2;1,5\n2;3;2.5\n"),
        "a.csv:2: `2.5` has a point, and other weights have a decimal comma: write all of them with a decimal point"
    );
}

/// Behind the beginning that is looked at, integers stand between quotes or have a fraction of zeros.
#[test]
fn integers_that_are_dressed_behind_the_beginning() {
    let folder = tempfile::tempdir().unwrap();
    for (separator, last) in
        [(',', "1.0,3.0\n"), (',', "\"1\",\"3\"\n"), (' ', "1.0 3\n"), ('\t', "1\t\"3\"\n")]
    {
        let text = format!("1{separator}2\n").repeat(70_001) + last;
        let graph = read("a.txt", &text).unwrap();
        assert_eq!((graph.edges().len(), graph.edges()[70_001]), (70_002, [1, 3]), "{last}");
        let path = folder.path().join("a.txt");
        std::fs::write(&path, text.repeat(5)).unwrap();
        let graph = tribin::open(&path).unwrap();
        assert_eq!((graph.edges().len(), graph.edges()[70_001]), (350_010, [1, 3]), "{last}");
    }
    let text = "1,2\n".repeat(70_001) + "1.5,3.0\n";
    let expected = "a.txt:70002: `1.5` is not a vertex id: ";
    assert!(read("a.txt", text).unwrap_err().to_string().starts_with(expected));
}

/// What SciPy writes of unsigned values, behind a byte order mark.
#[test]
fn matrix_market_of_unsigned_integers() {
    let text =
        "\u{feff}%%MatrixMarket matrix coordinate unsigned-integer general\n3 3 2\n1 2 5\n2 3 7\n";
    let mut options = Options::default();
    options.weight = Some("weight".into());
    let graph = read::from_bytes("a.txt", text.as_bytes(), &options).unwrap();
    assert_eq!(ids(&graph), [[1, 2], [2, 3]]);
    assert_eq!(graph.weights().unwrap(), [5.0, 7.0]);
}

/// A banner with one `%`, as Network Repository writes it, under any extension.
#[test]
fn a_banner_with_one_percent() {
    for name in ["a.mtx", "a.edges"] {
        let text = "%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 1\n3 2\n";
        let graph = read(name, text).unwrap();
        assert_eq!(edge_set(&graph), [[1, 2], [1, 3], [2, 3]]);
        assert_eq!(
            graph.reading().unwrap().warnings,
            [
                "the banner begins with one `%`, as Network Repository writes it, and was read as if it had two"
            ]
        );
    }
}

/// Entries that are stored with the value 0 are edges, and a note says how many there are.
#[test]
fn stored_zeros_are_counted() {
    let notes = |graph: &tribin::Graph| graph.reading().map(|reading| reading.warnings.clone());
    let two = Some(vec!["2 stored entries have the value 0: they were taken as edges".into()]);
    let values = "1 2 0\n1 3 0.5\n2 3 -0.0e5\n3 4 10\n";
    let text = format!("%%MatrixMarket matrix coordinate real general\n4 4 4\n{values}");
    let graph = read("a.mtx", &text).unwrap();
    assert_eq!((edge_set(&graph), notes(&graph)), (KITE.to_vec(), two.clone()));
    // Piece by piece, and as edges for a sink.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mtx");
    let many = "2 1 0.00\n".repeat(200_000);
    let text = format!("%%MatrixMarket matrix coordinate real general\n4 4 200000\n{many}");
    std::fs::write(&path, text).unwrap();
    let graph = tribin::open(&path).unwrap();
    let expected = "200000 stored entries have the value 0: they were taken as edges";
    assert_eq!((graph.edges().len(), notes(&graph)), (200_000, Some(vec![expected.into()])));
    for (descr, data) in [
        ("<f8", [0.0f64, 2.0, -0.0, 1.0].iter().flat_map(|value| value.to_le_bytes()).collect()),
        (
            ">i4",
            [0, 1 << 31, 0, 1i64].iter().flat_map(|&value| (value as i32).to_be_bytes()).collect(),
        ),
        ("|b1", vec![0, 1, 0, 1]),
    ] {
        let data: Vec<u8> = data;
        let array = npy(descr, false, "(4,)", &data);
        let list = |values: &[i32]| {
            let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            npy("<i4", false, &format!("({},)", values.len()), &data)
        };
        let matrix = crate::samples::zip(&[
            ("indices.npy", &list(&[1, 2, 2, 3])),
            ("indptr.npy", &list(&[0, 2, 3, 4, 4])),
            ("format.npy", &npy("|S3", false, "()", b"csr")),
            ("shape.npy", &list(&[4, 4])),
            ("data.npy", &array),
        ]);
        let graph = read("a.npz", matrix).unwrap();
        assert_eq!((graph.edges().len(), notes(&graph)), (4, two.clone()), "{descr}");
    }
}

/// What PyTorch Geometric's users save: several arrays, one of which has the edges.
#[test]
fn an_edge_index_among_other_arrays() {
    let data: Vec<u8> =
        [1u32, 1, 2, 3, 2, 3, 3, 4].iter().flat_map(|id| id.to_le_bytes()).collect();
    let other = npy("<f8", false, "(1,)", &[0; 8]);
    let edges = npy("<u4", false, "(2, 4)", &data);
    let archive =
        crate::samples::zip(&[("x.npy", &other), ("edge_index.npy", &edges), ("y.npy", &other)]);
    assert_eq!(edge_set(&read("a.npz", &archive).unwrap()), KITE);
}

/// Of files without columns it is said, too, how many there are and what was left out.
#[test]
fn files_that_are_one_graph_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, pairs: &[u8]| {
        std::fs::write(folder.path().join(name), npy("<u1", false, "(1, 2)", pairs)).unwrap();
    };
    let told = || {
        let graph = read::open(folder.path(), &Options::default()).unwrap();
        (graph.edges().len(), graph.reading().map(|reading| reading.table.clone()))
    };
    write("a.npy", &[0, 1]);
    assert_eq!(told(), (1, None));
    write("a.npy~", &[1, 2]);
    assert_eq!(told(), (1, Some("one file (left out: a.npy~)".into())));
    write("b.npy", &[1, 2]);
    assert_eq!(told(), (2, Some("2 files, npy (left out: a.npy~)".into())));
    let folder = tempfile::tempdir().unwrap();
    for name in ["edge_index.npy", "x.npy", "y.npy"] {
        std::fs::write(folder.path().join(name), npy("<u1", false, "(1, 2)", &[0, 1])).unwrap();
    }
    let graph = read::open(folder.path(), &Options::default()).unwrap();
    let reading = graph.reading().unwrap();
    assert_eq!((graph.edges().len(), &*reading.table), (1, "one file (left out: x.npy, y.npy)"));
}
