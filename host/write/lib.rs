//! Write: a graph becomes a file of any format that [`crate::read`] reads.
//!
//! | format | what is written | vertices are called | memory |
//! | --- | --- | --- | --- |
//! | [`Format::EdgeList`] | entries as they stand; commas in `.csv`, tabs in `.tsv`, else blanks | as in the source | a few blocks |
//! | [`Format::Pairs`] | entries as they stand | as in the source, up to 2³²-1 | a few blocks |
//! | [`Format::Npy`] | entries as they stand, `<u4` or `<u8` | as in the source | a few blocks |
//! | [`Format::MatrixMarket`] | the simple graph, its lower triangle: `pattern symmetric` | index + 1 | [`Adjacency`] |
//! | [`Format::Metis`] | the simple graph | index + 1 | [`Adjacency`] |
//! | [`Format::Npz`] | the simple graph, a symmetric CSR matrix of ones as `scipy.sparse.save_npz` writes | index | [`Adjacency`] |
//! | [`Format::Sg`] | the simple graph, undirected, as GAP's `converter` writes | index | [`Adjacency`] |
//!
//! Names stand in edge lists, between quotes where a reader could split them. .bin and .npy cannot hold them.
//!
//! Entries as they stand are in their order, with directions, self-loops and duplicates. A Matrix Market file
//! has neither, because its readers add up entries of one place. A name that ends in `.gz` or `.zst` is
//! compressed: gzip in a member for each block, zstd in one frame.
//!
//! The content is the same whatever the number of threads. Compressed, it is the same for the same
//! version of tribin.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

mod adjacency;
mod entries;
mod matrix_market;
mod metis;
#[cfg(feature = "archives")]
mod npz;
mod sg;
mod stream;
mod target;

use std::io::{self, Write};

use tribin_base::{Message, Work, hint};
use tribin_read as read;
use tribin_report as report;

pub use adjacency::Adjacency;
pub use target::{NamedFormat, Target};

use stream::MemberSink;
use tribin_base::control::memory;
use tribin_base::{Error, Result};
pub use tribin_graph::EdgeBlocks;
use tribin_graph::Graph;
use tribin_graph::VertexIds;
use tribin_read::{Format, left_out};
use tribin_report::OutputFile;
use tribin_report::compressed::through;

/// The way in which a format is written.
#[derive(Clone, Copy)]
enum FormatWriter {
    /// All entries, as they stand.
    Entries,
    /// The simple graph: whether the format can hold it, and who writes it.
    Simple(
        fn(&dyn EdgeBlocks) -> std::result::Result<(), String>,
        fn(&Adjacency, &mut MemberSink) -> io::Result<()>,
    ),
}

/// The formats that are written.
const WAYS: [(Format, FormatWriter); 7] = [
    (Format::EdgeList, FormatWriter::Entries),
    (Format::MatrixMarket, FormatWriter::Simple(|_| Ok(()), matrix_market::write)),
    (Format::Metis, FormatWriter::Simple(|_| Ok(()), metis::write)),
    (Format::Pairs, FormatWriter::Entries),
    (Format::Npy, FormatWriter::Entries),
    #[cfg(feature = "archives")]
    (Format::Npz, FormatWriter::Simple(|_| Ok(()), npz::write)),
    // It is left out, which was said before.
    #[cfg(not(feature = "archives"))]
    (Format::Npz, FormatWriter::Simple(|_| Ok(()), |_, _| Err(io::ErrorKind::Unsupported.into()))),
    (Format::Sg, FormatWriter::Simple(sg::check, sg::write)),
];

/// Writes edges, streaming them where the format allows it. `ids` are the names of the vertices.
/// Returns the number of entries written, or of the simple graph's edges. `work` is the gauge of the blocks that are written. Encoding runs on the current
/// rayon pool; O(m) for m entries, O(m log m) for the simple graph.
///
/// # Errors
/// [`Error::Input`] where the format cannot hold the graph, else the system's reason; the file is then
/// as it was before.
pub fn write(
    edges: &dyn EdgeBlocks,
    ids: &VertexIds,
    target: Target,
    output: &OutputFile,
    work: &Work,
) -> Result<u64> {
    let refuse = |message: String| Error::Input { file: output.name(), message: message.into() };
    let Target { format, compression, .. } = target;
    if let Some(message) = left_out(format, compression) {
        return Err(refuse(message));
    }
    let write = |write: &dyn Fn(&mut MemberSink) -> io::Result<u64>| {
        output.write_with(|file| {
            through(compression, file, |file, compression| {
                write(&mut MemberSink { file, compression, work })
            })
        })
    };
    let (check, rows) = match target.way() {
        Some(FormatWriter::Entries) => {
            let layout = entries::layout(edges, ids, target).map_err(refuse)?;
            return write(&|to| entries::write(edges, ids, &layout, to));
        }
        Some(FormatWriter::Simple(check, rows)) => (check, rows),
        None => unreachable!("no target has it"),
    };
    check(edges).map_err(refuse)?;
    let needed = Adjacency::bytes(edges);
    memory::check(needed).map_err(|refused| refuse(refused.to_string()))?;
    let adjacency = Adjacency::of(edges);
    write(&|to| rows(&adjacency, to).map(|()| adjacency.edges()))
}

/// Writes what vertices are called, one a line, in the order of their indexes. A name that would not be one
/// whole line of a table stands between quotes.
///
/// # Errors
/// The system's reason; the file is then as it was before.
pub fn ids(ids: &VertexIds, output: &OutputFile) -> Result<()> {
    output.write_with(|file| {
        let mut lines = Vec::new();
        for v in 0..ids.bound() as u32 {
            entries::push_id(&mut lines, ids, v);
            lines.push(b'\n');
            if lines.len() >= 1 << 20 {
                file.write_all(&lines)?;
                lines.clear();
            }
        }
        file.write_all(&lines)?;
        file.flush()
    })
}

/// Writes a graph: [`write()`] with its own ids.
///
/// ```
/// use tribin::report::OutputFile;
/// use tribin::write::{self, Target};
/// use tribin::Graph;
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("triangle.el");
/// let output = OutputFile::new(&path)?;
/// let target = Target::of_name(&output.name(), None)?;
/// write::graph(&Graph::from_edges(vec![[0, 1], [1, 2]]), target, &output)?;
/// assert_eq!(std::fs::read_to_string(path).unwrap(), "0 1\n1 2\n");
/// # Ok::<(), tribin::Error>(())
/// ```
///
/// # Errors
/// As [`write()`].
pub fn graph(graph: &Graph, target: Target, output: &OutputFile) -> Result<u64> {
    write(graph, graph.ids(), target, output, &Work::new())
}
