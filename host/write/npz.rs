//! SciPy's sparse matrices: a zip archive of NumPy arrays.

use std::io::{self, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::Adjacency;
use super::stream::MemberSink;
use crate::read::Compression;
use crate::report::table::npy_header;

/// Numbers that are turned into bytes at once.
const BLOCK: usize = 1 << 16;

/// Writes what `scipy.sparse.save_npz` writes of a CSR matrix whose entries are 64-bit ones: sums and
/// products of them, as A² holds, do not overflow.
pub(super) fn write(graph: &Adjacency, to: &mut MemberSink) -> io::Result<()> {
    if to.compression != Compression::None {
        let mut archive = Vec::new();
        archive_of(graph, &mut archive)?;
        return to.part(archive);
    }
    archive_of(graph, io::BufWriter::with_capacity(1 << 20, &mut *to.file))
}

fn archive_of(graph: &Adjacency, file: impl Write) -> io::Result<()> {
    // SciPy's indices are signed and of one type.
    let narrow = graph.vertices().max(graph.heads().len() as u64) <= i32::MAX as u64;
    let index = |value: u64, bytes: &mut Vec<u8>| match narrow {
        true => bytes.extend((value as u32).to_le_bytes()),
        false => bytes.extend(value.to_le_bytes()),
    };
    let descr = if narrow { "'<i4'" } else { "'<i8'" };
    let mut archive = Archive(ZipWriter::new_stream(file));
    let n = graph.vertices();
    archive.array("indices", descr, graph.heads(), |&head, bytes| {
        index(head.into(), bytes);
    })?;
    archive.array("indptr", descr, graph.offsets(), |&place, bytes| {
        index(place, bytes);
    })?;
    archive.array("format", "'|S3'", &[*b"csr"], |letters, bytes| bytes.extend(letters))?;
    archive.array("shape", "'<i8'", &[n, n], |length, bytes| {
        bytes.extend(length.to_le_bytes());
    })?;
    archive.array("data", "'<i8'", graph.heads(), |_, bytes| {
        bytes.extend(1u64.to_le_bytes());
    })?;
    archive.0.finish()?.into_inner().flush()
}

struct Archive<W: Write>(ZipWriter<zip::write::StreamWriter<W>>);

impl<W: Write> Archive<W> {
    /// Adds a one-dimensional array; a text is a single value.
    fn array<T>(
        &mut self,
        name: &str,
        descr: &str,
        values: &[T],
        encode: impl Fn(&T, &mut Vec<u8>),
    ) -> io::Result<()> {
        // No time stamp: the same graph gives the same bytes.
        let options = SimpleFileOptions::default()
            .large_file(true)
            .last_modified_time(zip::DateTime::default());
        self.0.start_file(format!("{name}.npy"), options)?;
        let shape =
            if descr.contains('S') { "()".to_owned() } else { format!("({},)", values.len()) };
        self.0.write_all(&npy_header(descr, &shape))?;
        let mut bytes = Vec::new();
        for values in values.chunks(BLOCK) {
            bytes.clear();
            values.iter().for_each(|value| encode(value, &mut bytes));
            self.0.write_all(&bytes)?;
        }
        Ok(())
    }
}
