//! From a file's bytes to the content that a format's reader gets: decompressed, and out of its archive.

use std::borrow::Cow;

use super::archive::{self, ArchiveKind};
use super::compression::{self, Compression};
use super::format::{is_raw, named};
use super::input::FileContent;
use super::inspect::scale;
use super::progress::Meter;
use super::source::RegularFile;
use super::{Options, recognise};
use crate::Result;

/// Bytes from the front of a file that tell what it is, and hold the headers that most files have.
const FRONT: u64 = 1 << 18;

/// Bytes from the front of a compressed file: the first block of bzip2 data may take 900 kB.
const COMPRESSED_FRONT: u64 = 1 << 20;

/// Bytes that the front of a compressed file may decompress to.
const MOST: u64 = 16 * FRONT;

/// The beginning of a file, without its compression.
pub(super) struct Beginning {
    pub(super) head: Vec<u8>,
    /// Bytes of the file that it was made of.
    pub(super) of: u64,
    pub(super) compression: Compression,
    pub(super) is_archive: bool,
}

impl Beginning {
    pub(super) fn of(file: &RegularFile, options: &Options) -> Result<Beginning> {
        let named = named(file.name(), options);
        let mut head = file.head(FRONT)?;
        let mut of = head.len() as u64;
        let compression = Compression::tell(file.name(), &head, named);
        if compression != Compression::None {
            let front = file.head(COMPRESSED_FRONT)?;
            of = front.len() as u64;
            head = compression::decompress_head(file.name(), &front, compression, MOST)?;
        }
        let is_archive = archive::tell(file.name(), &head, is_raw(named)).is_some();
        Ok(Beginning { head, of, compression, is_archive })
    }

    /// What a reader gets of the file.
    pub(super) fn content<'a>(
        &'a self,
        file: &'a RegularFile<'a>,
        options: &'a Options,
        meter: &'a Meter<'a>,
    ) -> FileContent<'a> {
        let Beginning { ref head, of, compression, .. } = *self;
        FileContent {
            is_whole: of == file.len() && (head.len() as u64) < MOST,
            // As many as if all is as compressible as its beginning.
            size: match compression {
                Compression::None => file.len(),
                _ => scale(head.len() as u64, file.len(), of),
            },
            compression,
            ..FileContent::beginning(file, head, options, meter)
        }
    }
}

/// A file, unpacked.
pub(super) struct Unpacked<'a> {
    /// The file's name; behind it, after a colon, that of the member where the file is an archive. Messages
    /// have it, and its extension tells the format.
    pub(super) label: String,
    /// How the file is compressed; not its member.
    pub(super) compression: Compression,
    /// Bytes that parts of the content may still decompress to.
    pub(super) limit: u64,
    pub(super) content: Cow<'a, [u8]>,
}

impl Unpacked<'_> {
    /// Whether the content is not the file's own bytes.
    pub(super) fn is_packed(&self, name: &str) -> bool {
        self.compression != Compression::None || self.label != name
    }
}

/// Decompresses a file and takes the graph out of it where it is an archive; that may be compressed in turn.
/// `meter` counts what was decompressed of the file.
pub(super) fn unpack<'a>(
    name: &str,
    bytes: &'a [u8],
    options: &Options,
    meter: &Meter,
) -> Result<Unpacked<'a>> {
    let most = options.most_decompressed();
    let (content, compression, limit) =
        decompress(name, Cow::Borrowed(bytes), options, most, meter)?;
    let whole = Unpacked { label: name.into(), compression, limit, content };
    let Some(kind) = archive::tell(name, &whole.content, is_raw(named(name, options))) else {
        return Ok(whole);
    };
    // Workbooks and models are zip archives, too.
    if options.format.is_none() {
        recognise::refuse(name, &whole.content, true)?;
    }
    let Some((path, member)) = archive::graph(name, &whole.content, kind, options, limit)? else {
        return Ok(whole);
    };
    drop(whole);
    let label = format!("{name}:{path}");
    // What a zip archive's member decompressed to counts.
    let limit = if kind == ArchiveKind::Zip { limit - member.len() as u64 } else { limit };
    let nobody = Meter::new(None, 0);
    let (content, _, limit) = decompress(&label, Cow::Owned(member), options, limit, &nobody)?;
    Ok(Unpacked { label, compression, limit, content })
}

/// A file's content, how it was compressed, and what is left of the limit.
fn decompress<'a>(
    name: &str,
    bytes: Cow<'a, [u8]>,
    options: &Options,
    limit: u64,
    meter: &Meter,
) -> Result<(Cow<'a, [u8]>, Compression, u64)> {
    let named = named(name, options);
    let compression = Compression::tell(name, &bytes, named);
    if compression == Compression::None {
        return Ok((bytes, compression, limit));
    }
    let content = compression::decompress(name, &bytes, compression, limit, meter)?;
    let left = limit - content.len() as u64;
    Ok((Cow::Owned(content), compression, left))
}
