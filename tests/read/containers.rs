//! Archives, bzip2 and xz, DIMACS files, adjacency lists and arrays of shape (2, m): exact edges, and errors.

use std::io::Write;

use tribin::VertexIds;
use tribin::read::{self, Format, Options};

use crate::samples::{edge_set, gzip, ids, kite, message, npy, read, read_as, tar, zip, zstandard};

const KITE: [[u64; 2]; 4] = [[1, 2], [1, 3], [2, 3], [3, 4]];

pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Every format in every archive and compression, and compressed in an archive.
#[test]
fn a_graph_in_an_archive() {
    for (name, bytes) in kite() {
        let path = format!("folder/{name}");
        let members: [(&str, &[u8]); 3] =
            [("folder/README", b"about"), (&path, &bytes), ("folder/.hidden", b"x")];
        let compressed = format!("{path}.gz");
        let within = gzip(&bytes);
        for (archive, bytes) in [
            ("a.tar", tar(&members)),
            ("a.tar.gz", gzip(&tar(&members))),
            ("a.tgz", gzip(&tar(&members))),
            ("a", zstandard(&tar(&members))),
            ("a.tar.bz2", bzip2(&tar(&members))),
            ("a.zip", zip(&members)),
            ("a", zip(&members)),
            ("a.zip", zip(&[(&compressed, &within)])),
            ("a.tar", tar(&[(&compressed, &within)])),
        ] {
            // A matrix of SciPy is a zip archive itself.
            let graph =
                read(archive, bytes).unwrap_or_else(|error| panic!("{archive} {name}: {error}"));
            assert_eq!(edge_set(&graph), KITE, "{archive} {name}");
            assert_eq!(graph.name(), archive);
        }
    }
}

#[test]
fn compressed_with_bzip2() {
    for (name, bytes) in kite() {
        let graph = read(&format!("{name}.bz2"), bzip2(&bytes)).unwrap();
        assert_eq!(edge_set(&graph), KITE, "{name}");
    }
    let members = [bzip2(b"1 2\n2 "), bzip2(b"3\n3 1\n3 4\n")].concat();
    assert_eq!(edge_set(&read("members", members).unwrap()), KITE);
    let good = bzip2(&b"1 2\n".repeat(1000));
    assert_eq!(
        message("a.bz2", &good[..good.len() - 3]),
        format!(
            "a.bz2:byte {}: the bzip2 data stop in the middle: the file is cut off, fetch or compress it \
             again",
            good.len() - 3
        )
    );
    assert_eq!(
        message("a.txt.xz", "1 2\n"),
        "a.txt.xz: the extension says xz and the first bytes, `1 2\\n`, do not: take the extension away if \
         the file is not compressed, or fetch it again"
    );
}

/// An archive of Python's `zipfile` with 0-1, 1-2 and 0-2 in its member.
fn packed(hex: &str) -> Vec<u8> {
    let digits = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(digits).collect()
}

#[test]
fn members_that_bzip2_compressed_are_refused() {
    let bzip2 = packed(
        "504b03042e0000000c000000210072cb64bb300000000c0000000900000065646765732e747874425a68393141592653596ae5e2510000035800001040\
         007000200030cd0094f51ea450f129e2ee48a70a120d5cbc4a20504b01022e032e0000000c000000210072cb64bb300000000c0000000900000000000000\
         0000000080010000000065646765732e747874504b0506000000000100010037000000570000000000",
    );
    let told = message("a.zip", &bzip2);
    assert!(
        told.starts_with("a.zip: `edges.txt` in the archive cannot be decompressed ("),
        "{told}"
    );
    assert!(told.ends_with("): fetch or pack it again"), "{told}");
}

#[test]
fn data_that_were_compressed_twice() {
    let told =
        "this is data compressed twice, which is not read: decompress it once, with `gzip -dc`";
    for within in [gzip(b"1 2\n"), zstandard(b"1 2\n"), bzip2(b"1 2\n")] {
        assert_eq!(message("a.txt.gz", gzip(&within)), format!("a.txt.gz: {told}"));
    }
}

#[test]
fn archives_that_are_refused() {
    let two: [(&str, &[u8]); 3] =
        [("a/a.txt", b"1 2\n"), ("a/b.txt", b"1 2\n"), ("a/LICENSE", b"")];
    let choose = "2 files in the archive may be the graph, `a/a.txt`, `a/b.txt`: extract the one that is meant";
    assert_eq!(message("x.tar.gz", gzip(&tar(&two))), format!("x.tar.gz: {choose}"));
    assert_eq!(message("x.zip", zip(&two)), format!("x.zip: {choose}"));
    let none = "the archive holds no graph: it has no file but documents";
    assert_eq!(message("x.zip", zip(&[("README.md", b"")])), format!("x.zip: {none}"));
    assert_eq!(message("x.tar", [0; 1024]), format!("x.tar: {none}"));
    // Messages name the member, and its line.
    let bad = message(
        "x.zip",
        zip(&[("a/a.mtx", b"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n")]),
    );
    assert!(bad.starts_with("x.zip:a/a.mtx:3: "), "{bad}");
    let empty = message("x.zip", zip(&[("a/a.txt", b"")]));
    assert!(empty.starts_with("x.zip:a/a.txt: the file is empty"), "{empty}");
    let whole = tar(&[("a.txt", &b"1 2\n".repeat(1000))]);
    let cut = message("x.tar", &whole[..2000]);
    assert!(cut.starts_with("x.tar: this is no tar archive, or a damaged one ("), "{cut}");
    let no_tar = message("x.tar.gz", gzip(b"1 2\n"));
    assert!(no_tar.starts_with("x.tar.gz: this is no tar archive, or a damaged one ("), "{no_tar}");
}

/// The limit holds for archives, for what is in them, and for both together.
#[test]
fn bombs_in_archives_stop_at_the_limit() {
    let limited = |name: &str, bytes: &[u8], limit: u64| {
        let mut options = Options::default();
        options.decompressed_limit = Some(limit);
        read::from_bytes(name, bytes, &options).map(|_| ()).map_err(|error| error.to_string())
    };
    let text = vec![b'\n'; 1 << 20];
    let within = gzip(&text);
    for (name, bytes) in [
        ("a.tar.gz", gzip(&tar(&[("a.txt", &text)]))),
        ("a.zip", zip(&[("a.txt", &text)])),
        ("a.zip", zip(&[("a.txt.gz", &within)])),
        ("a.tar", tar(&[("a.txt.gz", &within)])),
        ("a.txt.bz2", bzip2(&text)),
    ] {
        let error = limited(name, &bytes, 1 << 19).unwrap_err();
        assert!(error.contains("decompress to more than"), "{name}: {error}");
        assert_eq!(limited(name, &bytes, 2 << 20), Ok(()), "{name}");
    }
}

#[test]
fn dimacs_lines() {
    let graph = read("a.gr", "c x\nc\np sp 5 4\na 1 2 7\na 2 1 7\n\na 3  3 -1\na 5 1 0\n").unwrap();
    assert_eq!(ids(&graph), [[1, 2], [2, 1], [3, 3], [5, 1]]);
    assert_eq!(graph.ids(), &VertexIds::OneBased { bound: 5 });
    let colouring = "p edge 4 2\nn 1 5\nd 2 1\ne 1 2\ne 2 1\ne 3 4\ne 4 3\n";
    assert_eq!(edge_set(&read("a.col", colouring).unwrap()), [[1, 2], [3, 4]]);
    // Told by the line `p`, whatever the name.
    assert_eq!(edge_set(&read("a.txt", "c x\np edge 2 1\ne 1 2\n").unwrap()), [[1, 2]]);
    assert_eq!(edge_set(&read("a.gr", "p tw 3 2\n1 2\r\n2 3\r\n").unwrap()), [[1, 2], [2, 3]]);
    assert_eq!(read("a.gr", "p sp 3 0\n").unwrap().vertex_bound(), 3);
    for (text, expected) in [
        ("1 2\n", "1: `1 2` is no whole line `p`: a DIMACS file begins with comments"),
        ("p sp 3\na 1 2\n", "1: `p sp 3` is no whole line `p`: "),
        (
            "p sp 3 1\na 1 4 5\n",
            "2: `4` is no such index: lines with edges are `a u v`, `e u v` or `u v`, of vertices from 1 to 3",
        ),
        ("p sp 3 1\na 0 1 5\n", "2: `0` is no such index: "),
        ("p sp 3 1\n\na 1\n", "3: `a` stands alone: lines with edges are "),
        ("p sp 3 1\na 1 x\n", "2: `x` is no such index: "),
        ("p sp 3 1\na 1 -2\n", "2: `-2` is no such index: "),
        ("p sp 3 1\nq 1 2\n", "2: `q` is no such index: "),
        ("p sp 3 2\na 1 2 1\n", "1: the line `p` announces 2 entries and the file holds 1: "),
        ("p sp 4294967295 0\n", "1: the header announces 4294967295 vertices: at most "),
    ] {
        let message = message("a.gr", text);
        assert!(message.starts_with(&format!("a.gr:{expected}")), "{message}");
    }
}

#[test]
fn adjacency_lists() {
    let text = "#comment\n# x\n0 1 2\n1 2\t3 # and so on\n\n2\n9\n3,0, 1\n";
    let graph = read("a.adjlist", text).unwrap();
    assert_eq!(ids(&graph), [[0, 1], [0, 2], [1, 2], [1, 3], [3, 0], [3, 1]]);
    // A vertex without neighbours is one.
    assert_eq!(graph.vertex_bound(), 5);
    let wide = read_as("-", "1 99999999999\n5 1\n", Format::Adjacency).unwrap();
    assert_eq!(ids(&wide), [[1, 99_999_999_999], [5, 1]]);
    let named = read("a.adjlist", "Ann Bo Cy # c\nBo Cy\nDi\n").unwrap();
    let names: Vec<&str> = named.ids().names().unwrap().iter().collect();
    assert_eq!(
        (names, named.edges()),
        (vec!["Ann", "Bo", "Cy", "Di"], &[[0, 1], [0, 2], [1, 2]][..])
    );
    for text in ["0: 1 2\n1: 2\n", "0 1 \\\n 2\n1 2\n", "0 1\n0 2\n1 2\n"] {
        let graph = read("a.adjlist", text).unwrap();
        assert_eq!(ids(&graph), [[0, 1], [0, 2], [1, 2]], "{text:?}");
    }
    for text in ["Ann: Bo Cy\nBo: Cy\n", "Ann Bo \\\n Cy\nBo Cy\n", "Ann;Bo;Cy\nBo;Cy\n"] {
        let named = read("a.adjlist", text).unwrap();
        let names: Vec<&str> = named.ids().names().unwrap().iter().collect();
        let edges = &[[0, 1], [0, 2], [1, 2]][..];
        assert_eq!((names, named.edges()), (vec!["Ann", "Bo", "Cy"], edges), "{text:?}");
    }
    for (text, expected) in [
        ("0 1\n1 -2\n", "2: `-2` is not a vertex id: "),
        ("0 1\n1 2x\n", "2: `2x` is not a vertex id: "),
        ("0 1 {}\n", "1: `{` begins attributes, "),
        ("0 1\n 2 3\n", "2: this line begins with a blank and the first does not, "),
        ("0 2\n1 {}\n2 {}\n", "2: `{` begins attributes, "),
        ("Ann 2\nBo {}\nCy {}\n", "2: `{` begins attributes, "),
        ("0 18446744073709551616\n", "1: `18446744073709551616` is not a vertex id: "),
    ] {
        let message = message("a.adjlist", text);
        assert!(message.starts_with(&format!("a.adjlist:{expected}")), "{message}");
    }
}

#[test]
fn arrays_whose_columns_are_edges() {
    let data: Vec<u8> =
        [1u16, 2, 3, 3, 2, 3, 1, 4].iter().flat_map(|id| id.to_le_bytes()).collect();
    let edges = [[1, 2], [2, 3], [3, 1], [3, 4]];
    assert_eq!(ids(&read("a", npy("<u2", false, "(2, 4)", &data)).unwrap()), edges);
    let rows: Vec<u8> = edges.iter().flatten().flat_map(|&id| (id as u16).to_le_bytes()).collect();
    assert_eq!(ids(&read("a", npy("<u2", true, "(2, 4)", &rows)).unwrap()), edges);
    // (2, 2) is taken as rows.
    assert_eq!(ids(&read("a", npy("<u2", false, "(2, 2)", &data[..8])).unwrap()), [[1, 2], [3, 3]]);
}

/// A frame that decoders skip comes first, as parallel writers of zstd leave it.
#[test]
fn zstd_data_behind_a_frame_that_is_skipped() {
    let bytes = [&b"\x50\x2a\x4d\x18\x05\0\0\0hello"[..], &zstandard(b"1 2\n")].concat();
    for name in ["a.txt", "a.txt.zst"] {
        assert_eq!(ids(&read(name, bytes.clone()).unwrap()), [[1, 2]], "{name}");
    }
}

/// Tapes and `tar` fill up blocks with zeros behind the compressed data.
#[test]
fn zeros_behind_gzip_data() {
    for zeros in [0, 1, 512, 1 << 17] {
        let bytes = [gzip(b"1 2\n"), gzip(b"2 3\n"), vec![0; zeros]].concat();
        assert_eq!(ids(&read("a.txt.gz", bytes).unwrap()), [[1, 2], [2, 3]], "{zeros}");
    }
    let archive = [gzip(&tar(&[("a.txt", b"1 2\n")])), vec![0; 10_000]].concat();
    assert_eq!(ids(&read("a.tar.gz", archive).unwrap()), [[1, 2]]);
    let told = message("a.txt.gz", [&gzip(b"1 2\n")[..], b"\0\0other data"].concat());
    assert!(told.starts_with("a.txt.gz:byte "), "{told}");
}
