//! Blocks encoded on all threads and written in their order.

use std::io::{self, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;
use std::thread;

use crate::read::Compression;
use crate::report::compressed::member;
use tribin_base::par;

/// Writes `encode(0)`, `encode(1)`, … one after the other, each compressed on its own. A batch of them
/// is encoded while the one before is written; no more are in memory.
pub(super) fn stream(
    blocks: u64,
    compression: Compression,
    file: &mut (dyn Write + Send),
    encode: impl Fn(u64) -> Vec<u8> + Sync,
) -> io::Result<()> {
    let batch = 8 * par::threads() as u64;
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
            let bytes = par::try_map(blocks, |block| member(encode(block), compression))?;
            // Where the writer failed, its error is what to say.
            if encoded.send(bytes).is_err() {
                break;
            }
        }
        drop(encoded);
        writer.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Writes some bytes, compressed as a member of their own.
pub(super) fn part(
    bytes: Vec<u8>,
    compression: Compression,
    file: &mut (dyn Write + Send),
) -> io::Result<()> {
    file.write_all(&member(bytes, compression)?)
}
