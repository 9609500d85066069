//! Files made in memory.

use std::io::Write;

use tribin::read::{self, Format, IdKind, Options};
use tribin::{Graph, Result};

/// Reads a file from memory, its format told by name and content.
pub fn read(name: &str, bytes: impl AsRef<[u8]>) -> Result<Graph> {
    read::from_bytes(name, bytes.as_ref(), &Options::default())
}

/// Reads a file from memory in a given format.
pub fn read_as(name: &str, bytes: impl AsRef<[u8]>, format: Format) -> Result<Graph> {
    let mut options = Options::default();
    options.format = Some(format);
    read::from_bytes(name, bytes.as_ref(), &options)
}

/// The same of a table whose ids have to be integers.
pub fn message_of_integers(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let mut options = Options::default();
    options.ids = IdKind::Integers;
    read::from_bytes(name, bytes.as_ref(), &options).unwrap_err().to_string()
}

/// The message of reading a bad file from memory.
pub fn message(name: &str, bytes: impl AsRef<[u8]>) -> String {
    read(name, bytes).unwrap_err().to_string()
}

/// Checks what every answer must keep, also of files that are damaged: a graph whose edges are below its bound, or one line
/// that names the file.
pub fn answers(name: &str, bytes: &[u8], options: &Options) {
    match read::from_bytes(name, bytes, options) {
        Ok(graph) => {
            let bound = graph.vertex_bound();
            assert!(graph.edges().iter().flatten().all(|&v| (v as usize) < bound), "{name}");
            assert!(bound <= 8 * graph.edges().len() + (1 << 20), "{name}: {bound}");
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with(&format!("{name}:")), "{message}");
            assert!(!message.contains('\n') && message.len() < 900, "{message}");
        }
    }
}

/// What helps where lines are no table of edges.
pub const NO_TABLE: &str = ": leave a first line out with `skip 1`, name the two ends with `columns 1,2`, or say `format adjacency` or `format metis`";

/// What is said of an id that is no integer.
pub const INTEGERS: &str =
    "ids here are integers from 0 to 2^64-1 (`ids names` takes every id as a name)";

/// The edges in the file's own ids, in file order.
pub fn ids(graph: &Graph) -> Vec<[u64; 2]> {
    graph.edges().iter().map(|pair| pair.map(|v| graph.ids().number(v))).collect()
}

/// The edges in the file's own ids as a set of undirected edges.
pub fn edge_set(graph: &Graph) -> Vec<[u64; 2]> {
    let mut edges = ids(graph);
    edges.iter_mut().for_each(|pair| pair.sort_unstable());
    edges.sort_unstable();
    edges.dedup();
    edges
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn zstandard(bytes: &[u8]) -> Vec<u8> {
    zstd::stream::encode_all(bytes, 3).unwrap()
}

/// Raw pairs.
pub fn pairs(edges: &[[u32; 2]]) -> Vec<u8> {
    edges.iter().flatten().flat_map(|id| id.to_le_bytes()).collect()
}

/// A .npy file of version 1.0 around `data`.
pub fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let flag = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{descr}', 'fortran_order': {flag}, 'shape': {shape}, }}");
    let padding = (64 - (10 + header.len() + 1) % 64) % 64;
    let header = format!("{header}{}\n", " ".repeat(padding));
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

/// A zip archive.
pub fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut options = zip::write::SimpleFileOptions::default();
    if cfg!(miri) {
        // The compressor does not keep the rules that Miri looks after; it is no part of what is tested.
        options = options.compression_method(zip::CompressionMethod::Stored);
    }
    for (name, content) in members {
        archive.start_file(*name, options).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A tar archive.
pub fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

/// What `scipy.sparse.save_npz` writes of an n × n matrix, without values.
pub fn npz(format: &str, n: i64, starts: &[i32], indices: &[i32]) -> Vec<u8> {
    let list = |values: &[i32]| {
        let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        npy("<i4", false, &format!("({},)", values.len()), &data)
    };
    let shape: Vec<u8> = [n, n].iter().flat_map(|length| length.to_le_bytes()).collect();
    zip(&[
        ("indices.npy", &list(indices)),
        ("indptr.npy", &list(starts)),
        ("format.npy", &npy("|S3", false, "()", format.as_bytes())),
        ("shape.npy", &npy("<i8", false, "(2,)", &shape)),
    ])
}

/// What `scipy.sparse.save_npz` writes of an n × n matrix of the format `coo`, without values.
pub fn npz_of_coordinates(n: i64, rows: &[i64], columns: &[i64]) -> Vec<u8> {
    let list = |values: &[i64], shape: &str| {
        let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        npy("<i8", false, shape, &data)
    };
    let lengths = |values: &[i64]| format!("({},)", values.len());
    zip(&[
        ("row.npy", &list(rows, &lengths(rows))),
        ("col.npy", &list(columns, &lengths(columns))),
        ("format.npy", &npy("|S3", false, "()", b"coo")),
        ("shape.npy", &list(&[n, n], "(2,)")),
    ])
}

/// A GAP serialized graph; `lists` are offsets and neighbours, a second time where it is directed.
pub fn sg(directed: u8, entries: u64, vertices: u64, lists: &[(&[u64], &[u32])]) -> Vec<u8> {
    let mut bytes = vec![directed];
    bytes.extend(entries.to_le_bytes());
    bytes.extend(vertices.to_le_bytes());
    for (offsets, neighbours) in lists {
        bytes.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes()));
        bytes.extend(neighbours.iter().flat_map(|neighbour| neighbour.to_le_bytes()));
    }
    bytes
}

/// The graph of the edges 1-2, 2-3, 3-1, 3-4 and a vertex 5 without edges where the format can say
/// so, in every format.
pub fn kite() -> Vec<(&'static str, Vec<u8>)> {
    let edges = [[1u32, 2], [2, 3], [3, 1], [3, 4]];
    let rows: Vec<u8> =
        edges.iter().flatten().flat_map(|&id| u64::from(id).to_le_bytes()).collect();
    let columns: Vec<u8> =
        [1i16, 2, 3, 3, 2, 3, 1, 4].iter().flat_map(|id| id.to_le_bytes()).collect();
    vec![
        ("kite.txt", b"# Nodes: 4\n1\t2\r\n2\t3\r\n3\t1\r\n3\t4\r\n".to_vec()),
        ("kite.csv", b"//u,v,w\n1,2,0.5\n2, 3\n\n3 ,1\n3 , 4".to_vec()),
        ("kite.tsv", b"1\t2\t1\n2\t3\t1\n3\t1\t1\n3\t4\t1\n".to_vec()),
        ("kite.el", b"1 2\n2 3\n3 1\n3 4\n".to_vec()),
        ("kite", b"1 2\n2 3\n3 1\n3 4\n".to_vec()),
        (
            "kite.mtx",
            b"%%MatrixMarket matrix coordinate pattern symmetric\n% c\n5 5 4\n2 1\n3 2\n3 1\n4 3\n"
                .to_vec(),
        ),
        ("kite.graph", b"% c\n5 4\n2 3\n1 3\n1 2 4\n3\n\n".to_vec()),
        ("kite.gr", b"c kite\np sp 5 4\na 1 2 9\na 2 3 9\na 3 1 9\na 3 4 9\n".to_vec()),
        ("kite.adjlist", b"# kite\n1 2 3\n2 3\n3 4\n4\n".to_vec()),
        ("kite.bin", pairs(&edges)),
        ("kite.npy", npy("<i8", false, "(4, 2)", &rows)),
        ("fortran.npy", npy("<i2", true, "(4, 2)", &columns)),
        // Vertices from 0, so 0 and 5 have no edge.
        ("kite.npz", npz("csr", 6, &[0, 0, 1, 2, 4, 4, 4], &[2, 3, 1, 4])),
        ("columns.npz", npz("csc", 6, &[0, 0, 1, 2, 4, 4, 4], &[2, 3, 1, 4])),
        ("kite.sg", sg(0, 8, 6, &[(&[0, 0, 2, 4, 7, 8, 8], &[2, 3, 1, 3, 1, 2, 4, 3])])),
        (
            "directed.sg",
            sg(
                1,
                4,
                6,
                &[(&[0, 0, 1, 2, 4, 4, 4], &[2, 3, 1, 4]), (&[0, 0, 1, 2, 3, 4, 4], &[3, 1, 2, 3])],
            ),
        ),
    ]
}
