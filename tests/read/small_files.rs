//! Every reader on a file of a few lines, whole, cut off, and with one byte changed: so little that Miri can run it, which
//! sees accesses out of bounds and of freed memory (`cargo xtask miri`).

use tribin::read::Options;

use crate::samples::{answers, edge_set, kite, pairs, read, zip};

const KITE: [[u64; 2]; 4] = [[1, 2], [1, 3], [2, 3], [3, 4]];

/// Four lines of edges as gzip, xz and bzip2 write them. Compressing is no part of these tests.
const COMPRESSED: [(&str, &[u8]); 3] = [
    (
        "kite.txt.gz",
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\x54\x30\xe2\x32\x52\x30\xe6\x32\x56\x30\x04\x62\x13\
      \x2e\x00\x82\x79\xc8\xe3\x10\x00\x00\x00",
    ),
    (
        "kite.txt.xz",
        b"\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\
      \x01\x00\x0f\x31\x20\x32\x0a\x32\x20\x33\x0a\x33\x20\x31\x0a\x33\x20\x34\x0a\x00\xc2\x7a\xb6\xa7\
      \x59\x3e\xb0\x40\x00\x01\x28\x10\xe5\x0b\x6c\x60\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a\
      ",
    ),
    (
        "kite.txt.bz2",
        b"\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x6c\x93\x0a\xd1\x00\x00\x04\xd8\x00\x00\x10\x40\x00\x3c\
      \x00\x20\x00\x22\x1e\x93\x6a\x0c\x01\xaa\x12\x28\x06\x1e\x2e\xe4\x8a\x70\xa1\x20\xd9\x26\x15\xa2\
      ",
    ),
];

/// Tables that say more than edges do: names, quotes, a header, a first column of numbers, weights.
const TABLES: [(&str, &str); 6] = [
    ("names.csv", "source,target\nann,bob\nbob,\"c, d\"\n\"c, d\",ann\n\"c, d\",eve\n"),
    ("header.csv", "\u{feff}from;to;weight\r\n1;2;0.5\r\n2;3;1\r\n3;1;\r\n3;4;2\r\n"),
    ("index.csv", ",src,dst\n0,1,2\n1,2,3\n2,3,1\n3,3,4\n"),
    ("far.txt", "1000000000000 2\n2 1000000000001\n1000000000001 1000000000000\n"),
    ("adjacency.adjlist", "1 2 3\n2 3\n3 4 # five\n"),
    ("graph.dimacs", "c kite\np edge 4 4\ne 1 2\ne 2 3\ne 3 1\ne 3 4\n"),
];

/// A file is read whole, and whatever is cut off or changed, the answer is a graph or a message. Under Miri one place
/// is damaged: each read takes it seconds.
fn whole_and_damaged(name: &str, bytes: &[u8]) {
    let whole = read(name, bytes).unwrap_or_else(|error| panic!("{error}"));
    assert!(whole.edges().len() >= 3, "{name}");
    let places = if cfg!(miri) { 1 } else { bytes.len() };
    for place in 0..places {
        let at = (2 * place + 1) * bytes.len() / (2 * places);
        answers(name, &bytes[..at], &Options::default());
        let mut changed = bytes.to_vec();
        changed[at] ^= 0x11;
        answers(name, &changed, &Options::default());
    }
}

#[test]
fn of_edges() {
    for (name, bytes) in kite() {
        assert_eq!(edge_set(&read(name, &bytes).unwrap()), KITE, "{name}");
        whole_and_damaged(name, &bytes);
    }
}

#[test]
fn of_tables() {
    for (name, text) in TABLES {
        whole_and_damaged(name, text.as_bytes());
    }
}

#[test]
fn within_others() {
    for (name, bytes) in COMPRESSED {
        assert_eq!(edge_set(&read(name, bytes).unwrap()), KITE, "{name}");
        whole_and_damaged(name, bytes);
    }
    let archive = zip(&[("kite.txt", b"1 2\n2 3\n3 1\n3 4\n")]);
    assert_eq!(edge_set(&read("kite.zip", &archive).unwrap()), KITE);
    whole_and_damaged("kite.zip", &archive);
}

/// More rows than one piece of a parallel reader holds are beyond Miri, which takes over half an hour for 200.
#[test]
fn of_a_ring() {
    let vertices = if cfg!(miri) { 20 } else { 200 };
    let edges: Vec<[u32; 2]> = (0..vertices).map(|i| [i, (i + 1) % vertices]).collect();
    let lines: String = edges.iter().map(|[u, v]| format!("{u}\t{v}\n")).collect();
    for (name, bytes) in [("a.tsv", lines.into_bytes()), ("a.bin", pairs(&edges))] {
        assert_eq!(read(name, &bytes).unwrap().edges(), edges, "{name}");
    }
}
