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

/// A file, decompressed and out of its archive.
pub(super) struct Unpacked<'a> {
    /// The content. It has the file's name; behind it, after a colon, that of the member where the file is an archive. Messages
    /// have it, and its extension tells the format.
    pub(super) file: RegularFile<'a>,
    /// Bytes that parts of the content may still decompress to.
    pub(super) limit: u64,
}

/// Decompresses a file and takes the graph out of it where it is an archive; that may be compressed in turn.
/// `meter` counts what was decompressed of the file.
pub(super) fn unpack<'a>(
    name: &str,
    bytes: &'a [u8],
    options: &Options,
    meter: &Meter,
) -> Result<Unpacked<'a>> {
    let whole = decompress(name, bytes.into(), options, options.most_decompressed(), meter)?;
    let content = whole.file.in_memory().unwrap_or_default();
    let Some(kind) = archive::tell(name, content, is_raw(named(name, options))) else {
        return Ok(whole);
    };
    // Workbooks and models are zip archives, too.
    if options.format.is_none() {
        recognise::refuse(name, content, true)?;
    }
    let Some((path, member)) = archive::graph(name, content, kind, options, whole.limit)? else {
        return Ok(whole);
    };
    // What a zip archive's member decompressed to counts.
    let of_member = if kind == ArchiveKind::Zip { member.len() as u64 } else { 0 };
    let limit = whole.limit - of_member;
    drop(whole);
    decompress(&format!("{name}:{path}"), member.into(), options, limit, meter)
}

/// A file's content without its compression, and what is left of the limit.
fn decompress<'a>(
    name: &str,
    bytes: Cow<'a, [u8]>,
    options: &Options,
    limit: u64,
    meter: &Meter,
) -> Result<Unpacked<'a>> {
    let compression = Compression::tell(name, &bytes, named(name, options));
    if compression == Compression::None {
        return Ok(Unpacked { file: RegularFile::memory(name, bytes), limit });
    }
    let content = compression::decompress(name, &bytes, compression, limit, meter)?;
    let limit = limit - content.len() as u64;
    Ok(Unpacked { file: RegularFile::memory(name, content), limit })
}
