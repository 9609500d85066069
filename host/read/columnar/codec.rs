//! Decompression of the pages of Parquet files and the buffers of Arrow files, into memory that grows with what
//! is there.

use std::io::Read;

use super::super::memory::{self, NoMemory};

/// How a page or a buffer is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Codec {
    Zstd,
    /// LZ4's block format.
    #[cfg(feature = "parquet")]
    Lz4,
    /// LZ4 blocks behind their lengths, as Hadoop writes them.
    #[cfg(feature = "parquet")]
    HadoopLz4,
    /// LZ4's frame format.
    #[cfg(feature = "arrow")]
    Lz4Frame,
    #[cfg(feature = "parquet")]
    Snappy,
    #[cfg(feature = "parquet")]
    Gzip,
    #[cfg(feature = "parquet")]
    Brotli,
}

/// Why data were not decompressed.
#[derive(Debug)]
pub(super) enum Refused {
    Damaged,
    NoMemory(NoMemory),
}

impl From<NoMemory> for Refused {
    fn from(refused: NoMemory) -> Refused {
        Refused::NoMemory(refused)
    }
}

/// Bytes that LZ4 and Snappy make of one byte at most: a length of 255 a byte, and copies of 64 bytes in two.
#[cfg(feature = "parquet")]
const MOST_OF_A_BYTE: usize = 255;

/// Room that is made before anything is decompressed: as much as data compress as a rule.
const FIRST_FACTOR: usize = 16;
const FIRST: usize = 1 << 16;

/// Decompresses `from` to the `announced` number of bytes, no more and no less. They are the first of what is returned,
/// which is `reused` where that has room. Memory: at most 255 × `from`, or eight times what there is.
pub(super) fn decompress(
    codec: Codec,
    from: &[u8],
    announced: usize,
    reused: Vec<u8>,
) -> Result<Vec<u8>, Refused> {
    match codec {
        Codec::Zstd => zstd(from, announced, reused),
        #[cfg(feature = "parquet")]
        Codec::Lz4 => lz4(from, announced, reused),
        #[cfg(feature = "parquet")]
        Codec::HadoopLz4 => hadoop_lz4(from, announced).or_else(|refused| match refused {
            // Some programs wrote the block alone.
            Refused::Damaged => lz4(from, announced, Vec::new()),
            refused => Err(refused),
        }),
        #[cfg(feature = "arrow")]
        Codec::Lz4Frame => stream(lz4_flex::frame::FrameDecoder::new(from), from, announced),
        #[cfg(feature = "parquet")]
        Codec::Snappy => {
            if snap::raw::decompress_len(from).ok() != Some(announced) {
                return Err(Refused::Damaged);
            }
            let mut to = room(from, announced, reused)?;
            let read = snap::raw::Decoder::new().decompress(from, &mut to[..announced]);
            read.map(|_| to).map_err(|_| Refused::Damaged)
        }
        #[cfg(feature = "parquet")]
        Codec::Gzip => stream(flate2::read::MultiGzDecoder::new(from), from, announced),
        #[cfg(feature = "parquet")]
        Codec::Brotli => {
            stream(brotli_decompressor::Decompressor::new(from, 1 << 12), from, announced)
        }
    }
}

/// Room for what a byte-oriented compression can make of some bytes.
#[cfg(feature = "parquet")]
fn room(from: &[u8], announced: usize, reused: Vec<u8>) -> Result<Vec<u8>, Refused> {
    match announced <= from.len().saturating_mul(MOST_OF_A_BYTE) {
        true if reused.len() >= announced => Ok(reused),
        true => Ok(memory::zeroed(announced)?),
        false => Err(Refused::Damaged),
    }
}

#[cfg(feature = "parquet")]
fn lz4(from: &[u8], announced: usize, reused: Vec<u8>) -> Result<Vec<u8>, Refused> {
    let mut to = room(from, announced, reused)?;
    match lz4_flex::block::decompress_into(from, &mut to[..announced]) {
        Ok(length) if length == announced => Ok(to),
        _ => Err(Refused::Damaged),
    }
}

#[cfg(feature = "parquet")]
fn hadoop_lz4(mut from: &[u8], announced: usize) -> Result<Vec<u8>, Refused> {
    let mut all: Vec<u8> = Vec::new();
    while let Some((lengths, rest)) = from.split_first_chunk::<8>() {
        let length = |at: usize| {
            lengths[at..at + 4].iter().fold(0usize, |value, &byte| value << 8 | usize::from(byte))
        };
        let (length, compressed) = (length(0), length(4));
        if length > announced - all.len() || compressed > rest.len() {
            return Err(Refused::Damaged);
        }
        let block = lz4(&rest[..compressed], length, Vec::new())?;
        memory::reserve(&mut all, length)?;
        all.extend_from_slice(&block[..length]);
        from = &rest[compressed..];
    }
    if all.len() == announced && from.is_empty() { Ok(all) } else { Err(Refused::Damaged) }
}

fn zstd(from: &[u8], announced: usize, mut reused: Vec<u8>) -> Result<Vec<u8>, Refused> {
    let mut decompressor = zstd::bulk::Decompressor::new().map_err(|_| Refused::Damaged)?;
    // A frame has to fit as a whole: where it does not, there was more than was expected, and room for eight
    // times as much is made.
    let mut capacity = announced.min(FIRST.max(from.len().saturating_mul(FIRST_FACTOR)));
    loop {
        let mut to: Vec<u8> = match reused.capacity() >= capacity {
            true => std::mem::take(&mut reused),
            false => memory::with_capacity(capacity)?,
        };
        to.clear();
        match decompressor.decompress_to_buffer(from, &mut to) {
            Ok(length) if length == announced => return Ok(to),
            Err(_) if capacity < announced => {
                capacity = announced.min(capacity.saturating_mul(8));
            }
            _ => return Err(Refused::Damaged),
        }
    }
}

/// What a decoder gives.
fn stream(mut decoder: impl Read, from: &[u8], announced: usize) -> Result<Vec<u8>, Refused> {
    let mut capacity = announced.min(FIRST.max(from.len().saturating_mul(FIRST_FACTOR)));
    let mut to: Vec<u8> = memory::with_capacity(capacity)?;
    loop {
        let missing = (capacity - to.len()) as u64;
        let read = decoder.by_ref().take(missing).read_to_end(&mut to);
        match read {
            Ok(0) if missing > 0 => return Err(Refused::Damaged),
            Err(_) => return Err(Refused::Damaged),
            Ok(_) if to.len() < capacity => continue,
            Ok(_) if capacity < announced => {
                let more = capacity.min(announced - capacity);
                memory::check(more as u64)?;
                memory::reserve_exact(&mut to, more)?;
                capacity += more;
            }
            // Nothing may follow.
            Ok(_) => {
                return match decoder.read(&mut [0]) {
                    Ok(0) => Ok(to),
                    _ => Err(Refused::Damaged),
                };
            }
        }
    }
}
