//! Compression of what is written.

use std::io::{self, Write};

use crate::read::Compression;

/// Some bytes, compressed on their own where members may follow one another. Any number of threads may do this
/// side by side.
pub fn member(bytes: Vec<u8>, compression: Compression) -> io::Result<Vec<u8>> {
    if bytes.is_empty() {
        return Ok(bytes);
    }
    match compression {
        Compression::None => Ok(bytes),
        #[cfg(feature = "formats")]
        Compression::Gzip => {
            let mut encoder =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(&bytes)?;
            encoder.finish()
        }
        _ => Err(io::ErrorKind::Unsupported.into()),
    }
}

/// Hands `write` where to write to, and what it has to compress by itself, [`member`] by member: gzip.
///
/// zstd is compressed here, in one frame. Some readers take the first of several frames for the whole file and
/// say nothing, Python's `zstandard` and so pandas among them.
pub fn through<T>(
    compression: Compression,
    to: &mut (dyn Write + Send),
    write: impl FnOnce(&mut (dyn Write + Send), Compression) -> io::Result<T>,
) -> io::Result<T> {
    match compression {
        #[cfg(feature = "archives")]
        Compression::Zstd => {
            let mut encoder = zstd::stream::Encoder::new(to, zstd::DEFAULT_COMPRESSION_LEVEL)?;
            let written = write(&mut encoder, Compression::None)?;
            encoder.finish()?.flush()?;
            Ok(written)
        }
        members => write(to, members),
    }
}
