//! Blocks encoded on all threads and written in their order.

use std::io::{self, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::Adjacency;
use crate::Work;
use crate::read::Compression;
use crate::report::compressed::member;
use tribin_base::par;

/// Vertices whose rows are a block.
const ROWS: u64 = 1 << 12;

/// The sink that bytes go to.
pub(super) struct MemberSink<'a> {
    pub(super) file: &'a mut (dyn Write + Send),
    /// How each member is compressed on its own.
    pub(super) compression: Compression,
    /// The gauge of the blocks that are encoded.
    pub(super) work: &'a Work,
}

impl MemberSink<'_> {
    /// Writes some bytes, compressed as a member of their own.
    pub(super) fn part(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        self.file.write_all(&member(bytes, self.compression)?)
    }

    /// Writes `encode(0)`, `encode(1)`, … one after the other, each compressed on its own. A batch of them
    /// is encoded while the one before is written; no more are in memory.
    pub(super) fn stream(
        &mut self,
        blocks: u64,
        encode: impl Fn(u64) -> Vec<u8> + Sync,
    ) -> io::Result<()> {
        let batch = 8 * par::threads() as u64;
        let MemberSink { file, compression, work } = self;
        work.begin(blocks);
        thread::scope(|scope| {
            let (encoded, to_write) = sync_channel::<Vec<Vec<u8>>>(1);
            let writer = thread::Builder::new().name("writer".into());
            let writer = writer.spawn_scoped(scope, move || -> io::Result<()> {
                for bytes in to_write.into_iter().flatten() {
                    file.write_all(&bytes)?;
                }
                file.flush()
            })?;
            for from in (0..blocks).step_by(batch as usize) {
                let blocks = from..blocks.min(from + batch);
                let bytes = par::try_map(blocks, |block| {
                    let bytes = member(encode(block), *compression);
                    work.add(1);
                    bytes
                })?;
                // Where the writer failed, its error is what to say.
                if encoded.send(bytes).is_err() {
                    break;
                }
            }
            drop(encoded);
            writer.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// Writes what `encode` adds for each vertex and its neighbours, in the order of the vertices.
    pub(super) fn rows(
        &mut self,
        graph: &Adjacency,
        encode: impl Fn(u32, &[u32], &mut Vec<u8>) + Sync,
    ) -> io::Result<()> {
        let n = graph.vertices();
        self.stream(n.div_ceil(ROWS), |block| {
            let mut bytes = Vec::new();
            for v in block * ROWS..n.min((block + 1) * ROWS) {
                encode(v as u32, graph.row(v as u32), &mut bytes);
            }
            bytes
        })
    }
}
