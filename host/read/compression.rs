//! gzip and zstd: how they are told, and decompression.

use std::fmt;
use std::io::{self, Read};

use super::format::Format;
use super::input;
use super::progress::Meter;
use crate::error::Place;
use crate::{Error, Result};

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, one member or several.
    Gzip,
    /// Zstandard, one frame or several.
    Zstd,
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Compression::None => "none",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        })
    }
}

/// Why a compressed file, or one of zip members, cannot be read or written by this build; `None` where
/// it can be.
pub(crate) fn left_out(format: Format, compression: Compression) -> Option<String> {
    let what = match (compression, format) {
        (Compression::None, Format::Npz) => ".npz",
        (Compression::None, _) => return None,
        (Compression::Gzip, _) => "gzip",
        (Compression::Zstd, _) => "zstd",
    };
    (!cfg!(feature = "formats"))
        .then(|| format!("this tribin was built without its feature `formats`, which {what} needs"))
}

const ZSTD_MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";

impl Compression {
    /// What the extension says, and the name without that extension.
    pub(crate) fn of_name(name: &str) -> (&str, Compression) {
        let lower = name.to_ascii_lowercase();
        for (extension, compression) in
            [(".gz", Compression::Gzip), (".zst", Compression::Zstd), (".zstd", Compression::Zstd)]
        {
            if lower.ends_with(extension) {
                return (&name[..name.len() - extension.len()], compression);
            }
        }
        (name, Compression::None)
    }

    /// First bytes before extension.
    pub(super) fn tell(name: &str, head: &[u8], format: Option<Format>) -> Compression {
        let (_, by_name) = Self::of_name(name);
        if head.starts_with(ZSTD_MAGIC) {
            return Compression::Zstd;
        }
        // Raw pairs may begin with any bytes, and vertex 559903 with gzip's: there, more of the
        // header has to be right.
        let raw = format == Some(Format::Pairs) && by_name == Compression::None;
        if head.starts_with(b"\x1f\x8b") && (!raw || is_gzip_header(head)) {
            return Compression::Gzip;
        }
        by_name
    }
}

/// Whether all of the ten fixed bytes are what gzip writers write (RFC 1952, section 2.3).
fn is_gzip_header(head: &[u8]) -> bool {
    matches!(head, [0x1f, 0x8b, 8, flags, _, _, _, _, extra, system, ..]
        if flags & 0xe0 == 0 && matches!(extra, 0 | 2 | 4) && (*system <= 13 || *system == 255))
}

/// Bytes decompressed between two reports of progress.
#[cfg(feature = "formats")]
const BLOCK: u64 = 8 << 20;

/// The whole content. Memory grows with what was decompressed, never with what a header announces.
pub(super) fn decompress(
    name: &str,
    bytes: &[u8],
    compression: Compression,
    #[cfg_attr(not(feature = "formats"), expect(unused_variables))] meter: &Meter,
) -> Result<Vec<u8>> {
    check_magic(name, bytes, compression)?;
    let mut rest = bytes;
    let mut content = Vec::new();
    let result = match compression {
        Compression::None => rest.read_to_end(&mut content).map(drop),
        #[cfg(feature = "formats")]
        Compression::Gzip => {
            let mut decoder = flate2::bufread::MultiGzDecoder::new(&mut rest);
            drain(&mut decoder, &mut content, |d| d.get_ref().len(), bytes.len(), meter)
        }
        #[cfg(feature = "formats")]
        Compression::Zstd => {
            zstd::stream::read::Decoder::with_buffer(&mut rest).and_then(|mut decoder| {
                drain(&mut decoder, &mut content, |d| d.get_ref().len(), bytes.len(), meter)
            })
        }
        #[cfg(not(feature = "formats"))]
        _ => Err(io::ErrorKind::Unsupported.into()),
    };
    let place = Place::Byte((bytes.len() - rest.len()) as u64);
    let malformed = |message| Err(Error::Malformed { file: name.into(), place, message });
    match result {
        Ok(()) if content.is_empty() => Err(input::error(
            name,
            format!(
                "the {compression} data decompress to nothing: a graph without edges is a file \
                 with only a comment line; check that writing the file succeeded"
            ),
        )),
        Ok(()) => Ok(content),
        Err(error) if error.kind() == io::ErrorKind::OutOfMemory => Err(input::error(
            name,
            format!("no memory left after {} decompressed bytes", content.len()),
        )),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => malformed(format!(
            "the {compression} data stop in the middle: the file is cut off, fetch or compress it \
             again"
        )),
        // zstd gives its reasons as text only.
        Err(error) if error.to_string().contains("too much memory") => malformed(
            "the zstd frame needs a window of more than 128 MiB: compress the file again without \
             `--ultra` and `--long`"
                .into(),
        ),
        Err(_) => malformed(format!(
            "the {compression} data are damaged here: fetch or compress the file again"
        )),
    }
}

/// Up to `most` bytes of the content: what can be decompressed from a file's head.
pub(super) fn decompress_head(
    name: &str,
    head: &[u8],
    compression: Compression,
    most: u64,
) -> Result<Vec<u8>> {
    check_magic(name, head, compression)?;
    let mut content = Vec::new();
    // The head of a good file stops in the middle of a block: what came before is the answer.
    let _ = match compression {
        Compression::None => head.take(most).read_to_end(&mut content),
        #[cfg(feature = "formats")]
        Compression::Gzip => {
            flate2::bufread::MultiGzDecoder::new(head).take(most).read_to_end(&mut content)
        }
        #[cfg(feature = "formats")]
        Compression::Zstd => zstd::stream::read::Decoder::with_buffer(head)
            .and_then(|decoder| decoder.take(most).read_to_end(&mut content)),
        #[cfg(not(feature = "formats"))]
        _ => Ok(0),
    };
    if content.is_empty() {
        // Not even the first block is good: say what is wrong with it.
        return decompress(name, head, compression, &Meter::new(None, 0));
    }
    Ok(content)
}

/// Refuses a file that only its extension calls compressed, or that this build cannot decompress.
fn check_magic(name: &str, bytes: &[u8], compression: Compression) -> Result<()> {
    if let Some(message) = left_out(Format::EdgeList, compression) {
        return Err(input::error(name, message));
    }
    let agrees = match compression {
        Compression::None => true,
        Compression::Gzip => bytes.starts_with(b"\x1f\x8b"),
        // A skippable frame may come first (RFC 8878, section 3.1.2).
        Compression::Zstd => {
            bytes.starts_with(ZSTD_MAGIC)
                || matches!(bytes, [first, 0x2a, 0x4d, 0x18, ..] if first & 0xf0 == 0x50)
        }
    };
    if agrees {
        return Ok(());
    }
    let found = input::excerpt(&bytes[..bytes.len().min(8)]);
    Err(input::error(
        name,
        format!(
            "the extension says {compression} and the first bytes, {found}, do not: take the \
             extension away if the file is not compressed, or fetch it again"
        ),
    ))
}

/// Reads to the end; `left` says how many of `total` bytes the decoder has not taken yet.
#[cfg(feature = "formats")]
fn drain<D: Read>(
    decoder: &mut D,
    content: &mut Vec<u8>,
    left: impl Fn(&D) -> usize,
    total: usize,
    meter: &Meter,
) -> io::Result<()> {
    let mut consumed = 0;
    loop {
        content.try_reserve(BLOCK as usize).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let read = decoder.by_ref().take(BLOCK).read_to_end(content)?;
        let now = total - left(decoder);
        meter.add(now - consumed);
        consumed = now;
        if read == 0 {
            return Ok(());
        }
    }
}

#[cfg(all(test, not(feature = "formats")))]
mod tests {
    use super::super::{Options, from_bytes};

    #[test]
    fn what_is_left_out_is_named() {
        let refused = |name: &str, bytes: &[u8]| {
            from_bytes(name, bytes, &Options::default()).unwrap_err().to_string()
        };
        let without = "this tribin was built without its feature `formats`, which";
        assert_eq!(refused("a.gz", b"\x1f\x8b\x08"), format!("a.gz: {without} gzip needs"));
        assert_eq!(refused("a", super::ZSTD_MAGIC), format!("a: {without} zstd needs"));
        assert_eq!(refused("a.npz", b"PK\x03\x04"), format!("a.npz: {without} .npz needs"));
    }
}
