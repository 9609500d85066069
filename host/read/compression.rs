//! gzip, zstd, bzip2 and xz: how they are told, and decompression.

use std::fmt;
use std::io::{self, BufReader, Read};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[cfg(feature = "formats")]
use flate2::bufread::GzDecoder;

use super::format::Format;
use super::input;
use super::memory::{self, Stopped};
use super::source::{FromFront, RegularFile};
use crate::error::Place;
use crate::features;
use crate::{Error, Message, Result, hint};

/// The compression of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, one member or several.
    Gzip,
    /// Zstandard, one frame or several.
    Zstd,
    /// bzip2, one stream or several.
    Bzip2,
    /// xz, one stream or several.
    Xz,
}

/// The names of a compression, and how its data begin.
struct Known {
    compression: Compression,
    name: &'static str,
    extensions: &'static [&'static str],
    /// The bytes that its data begin with.
    magic: &'static [u8],
    /// The feature of cargo that builds it in, and whether it is there.
    feature: (&'static str, bool),
}

impl Known {
    /// Whether bytes begin as its data do. A skippable frame of zstd may come first (RFC 8878, section 3.1.2).
    fn begins(&self, bytes: &[u8]) -> bool {
        let is_skippable = matches!(bytes, [first, 0x2a, 0x4d, 0x18, ..] if first & 0xf0 == 0x50);
        bytes.starts_with(self.magic) || (self.compression == Compression::Zstd && is_skippable)
    }
}

const FORMATS: (&str, bool) = ("formats", cfg!(feature = "formats"));

const ARCHIVES: (&str, bool) = ("archives", cfg!(feature = "archives"));

const fn known(
    compression: Compression,
    name: &'static str,
    extensions: &'static [&'static str],
    magic: &'static [u8],
    feature: (&'static str, bool),
) -> Known {
    Known { compression, name, extensions, magic, feature }
}

const KNOWN: [Known; 4] = [
    known(Compression::Gzip, "gzip", &[".gz"], b"\x1f\x8b", FORMATS),
    known(Compression::Zstd, "zstd", &[".zst", ".zstd"], b"\x28\xb5\x2f\xfd", ARCHIVES),
    known(Compression::Bzip2, "bzip2", &[".bz2"], b"BZh", ARCHIVES),
    known(Compression::Xz, "xz", &[".xz"], b"\xfd7zXZ\0", ARCHIVES),
];

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.known().map_or("none", |known| known.name))
    }
}

/// The reason why a compressed file, or one of zip members, cannot be read or written by this build; `None` where
/// it can be.
pub fn left_out(format: Format, compression: Compression) -> Option<String> {
    match compression.known() {
        None => super::format::reader(format).about().left_out(),
        Some(Known { name, feature: (feature, is_there), .. }) => {
            (!is_there).then(|| features::missing(feature, &format!("{name} needs")))
        }
    }
}

/// Bytes of compressed data that a decoder is given at a time.
const COMPRESSED: usize = 1 << 14;

/// Memory that an xz file may ask for before any data come: what `xz -9` needs.
#[cfg(feature = "archives")]
const XZ_MEMORY_KIB: u32 = 80 << 10;

impl Compression {
    fn known(self) -> Option<&'static Known> {
        KNOWN.iter().find(|known| known.compression == self)
    }

    /// The compression that the extension names, and the name without that extension.
    pub fn of_name(name: &str) -> (&str, Compression) {
        let lower = name.to_ascii_lowercase();
        let found = KNOWN.iter().find_map(|known| {
            let stem =
                known.extensions.iter().find_map(|extension| lower.strip_suffix(extension))?;
            Some((&name[..stem.len()], known.compression))
        });
        found.unwrap_or((name, Compression::None))
    }

    /// First bytes before extension.
    pub(super) fn tell(name: &str, head: &[u8], format: Option<Format>) -> Compression {
        let is_sure = |compression: Compression| match compression {
            Compression::Bzip2 => is_bzip2(head),
            compression => !may_be_raw(name, format) || decompresses(head, compression),
        };
        let mut found = KNOWN.iter().filter(|known| known.begins(head));
        match found.find(|known| is_sure(known.compression)) {
            Some(known) => known.compression,
            None => Self::of_name(name).1,
        }
    }

    /// Whether graphs are written so, too.
    pub fn is_written(self) -> bool {
        matches!(self, Compression::None | Compression::Gzip | Compression::Zstd)
    }
}

/// Whether data begin as bzip2's do: `BZh`, the size of the blocks, and the mark of a block or of the end.
fn is_bzip2(head: &[u8]) -> bool {
    let marks: [&[u8]; 2] = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];
    matches!(head, [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] if marks.iter().any(|mark| rest.starts_with(mark)))
}

/// Whether a file may hold raw pairs, which may begin as compressed data do: with vertex 559903, as gzip's.
fn may_be_raw(name: &str, format: Option<Format>) -> bool {
    super::format::is_raw(format) && Compression::of_name(name).1 == Compression::None
}

/// Whether the first bytes can be decompressed, as far as this build can.
fn decompresses(head: &[u8], compression: Compression) -> bool {
    /// Bytes that no others decompress to by chance.
    const ENOUGH: u64 = 1 << 10;
    let read = reader(head, compression)
        .and_then(|decoder| io::copy(&mut decoder.take(ENOUGH), &mut io::sink()));
    read.map_or_else(|error| error.kind() == io::ErrorKind::Unsupported, |_| true)
}

/// The whole content of a file in memory, of at most `most` bytes. Memory grows with what was decompressed, never with what a
/// header announces.
pub(super) fn decompress(
    file: &RegularFile,
    compression: Compression,
    most: u64,
) -> Result<Vec<u8>> {
    let name = &file.name;
    check_magic(name, file.in_memory().unwrap_or_default(), compression)?;
    let (read, mut content) = (AtomicU64::new(0), Vec::new());
    let from = BufReader::with_capacity(COMPRESSED, FromFront { file, place: &read });
    let result = reader(from, compression)
        .map_err(Stopped::Io)
        .and_then(|mut decoder| memory::read_to_end(&mut decoder, &mut content, most));
    let message: Message = match result {
        Ok(()) if content.is_empty() => format!(
            "the {compression} data decompress to nothing: a graph without edges is a file with only a comment line; check that \
             writing the file succeeded"
        )
        .into(),
        Ok(()) => return Ok(content),
        Err(Stopped::TooLong) => too_long(&compression.to_string(), most),
        Err(Stopped::NoMemory(refused)) => {
            format!("after {} decompressed bytes there is {refused}", content.len()).into()
        }
        Err(Stopped::Io(error)) => {
            return Err(broken(name, compression, read.load(Relaxed), error));
        }
    };
    Err(input::error(name, message))
}

/// What to say of compressed data that cannot be read from byte `at` on.
pub(super) fn broken(name: &str, compression: Compression, at: u64, error: io::Error) -> Error {
    // The file itself may be what failed, not its content.
    let error = match error.downcast::<Error>() {
        Ok(of_file) => return of_file,
        Err(error) => error,
    };
    let message = match error.kind() {
        io::ErrorKind::UnexpectedEof => format!(
            "the {compression} data stop in the middle: the file is cut off, fetch or compress it again"
        ),
        // zstd gives its reasons as text only.
        _ if error.to_string().contains("too much memory") => {
            "the zstd frame needs a window of more than 128 MiB: compress the file again without \
             `--ultra` and `--long`"
                .into()
        }
        io::ErrorKind::OutOfMemory => format!(
            "the {compression} data need more memory to decompress than `{compression} -9` asks for: \
             compress the file again"
        ),
        _ => {
            format!("the {compression} data are damaged here: fetch or compress the file again")
        }
    };
    let message = Message::from(message).with_source(error);
    Error::Malformed { file: name.into(), place: Place::Byte(at), message }
}

/// Reads what compressed data decompress to.
pub(super) fn reader<'a>(
    from: impl io::BufRead + Send + 'a,
    compression: Compression,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    Ok(match compression {
        Compression::None => Box::new(from),
        #[cfg(feature = "formats")]
        Compression::Gzip => Box::new(GzipMembers(Some(GzDecoder::new(from)))),
        #[cfg(feature = "archives")]
        Compression::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(from)?),
        #[cfg(feature = "archives")]
        Compression::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(from)),
        #[cfg(feature = "archives")]
        Compression::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(from, true, XZ_MEMORY_KIB)),
        #[cfg(not(feature = "archives"))]
        _ => return Err(io::ErrorKind::Unsupported.into()),
    })
}

/// The members of gzip data, one after the other. Zeros may stand behind the last, with which tapes and `tar` fill up their blocks.
#[cfg(feature = "formats")]
struct GzipMembers<R>(Option<GzDecoder<R>>);

#[cfg(feature = "formats")]
impl<R: io::BufRead> Read for GzipMembers<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let read = member.read(to)?;
            if read > 0 || to.is_empty() {
                return Ok(read);
            }
            let from = member.get_mut();
            let is_padded = from.fill_buf()?.first() == Some(&0);
            while from.fill_buf()?.first() == Some(&0) {
                from.consume(1);
            }
            let is_end = from.fill_buf()?.is_empty();
            if is_padded && !is_end {
                return Err(io::ErrorKind::InvalidData.into());
            }
            let from = self.0.take().map(GzDecoder::into_inner).filter(|_| !is_end);
            self.0 = from.map(GzDecoder::new);
        }
        Ok(0)
    }
}

/// What to say of data that decompress to more than `most` bytes.
pub(super) fn too_long(what: &str, most: u64) -> Message {
    Message::from(format!("the {what} data decompress to more than {most} bytes"))
        .with_hint(hint::DECOMPRESSED_LIMIT)
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
    let _ =
        reader(head, compression).and_then(|decoder| decoder.take(most).read_to_end(&mut content));
    if content.is_empty() {
        // Not even the first block is good: say what is wrong with it.
        return decompress(&RegularFile::memory(name, head), compression, most);
    }
    Ok(content)
}

/// Refuses a file that only its extension calls compressed, or that this build cannot decompress.
fn check_magic(name: &str, bytes: &[u8], compression: Compression) -> Result<()> {
    if let Some(message) = left_out(Format::EdgeList, compression) {
        return Err(input::error(name, message));
    }
    if compression.known().is_none_or(|known| known.begins(bytes)) {
        return Ok(());
    }
    let found = input::excerpt(&bytes[..bytes.len().min(8)]);
    let message = format!(
        "the extension says {compression} and the first bytes, {found}, do not: take the extension away if the file is not \
         compressed, or fetch it again"
    );
    Err(input::error(name, message))
}
