//! An opened file, and the content that a format's reader gets of it: decompressed, and out of its archive.

use super::archive::{self, ArchiveKind};
use super::compression::{self, Compression};
use super::format::{self, Format, Reader, ToldBy, is_raw};
use super::input::{self, FileContent};
use super::inspect::scale;
use super::progress::Meter;
use super::source::RegularFile;
use super::table::encoding;
use super::{CHUNK, Options, recognise};
use crate::Result;
use crate::graph::{EdgeSink, Visited};

/// Bytes from the front of a file that tell what it is, and hold the headers that most files have.
const FRONT: u64 = 1 << 18;

/// Bytes from the front of a compressed file: the first block of bzip2 data may take 900 kB.
const COMPRESSED_FRONT: u64 = 1 << 20;

/// Bytes that the front of a compressed file may decompress to.
const MOST: u64 = 16 * FRONT;

/// A file that was opened, and what its beginning tells.
pub(super) struct OpenFile<'a> {
    /// The bytes as they are stored, or the content once that is [unpacked](Self::unpacked). The content of an archive has the
    /// archive's name and behind it, after a colon, that of the member. Messages have this name, and its extension tells the format.
    pub(super) file: RegularFile<'a>,
    /// The beginning without its compression; empty where nobody looked.
    head: Vec<u8>,
    /// Bytes of the file that the beginning was made of.
    looked_at: u64,
    pub(super) compression: Compression,
    pub(super) is_archive: bool,
    /// Bytes that parts of the content may still decompress to.
    limit: u64,
    options: &'a Options,
    meter: Meter<'a>,
}

impl<'a> OpenFile<'a> {
    /// A file whose beginning is looked at.
    pub(super) fn of(file: RegularFile<'a>, options: &'a Options) -> Result<OpenFile<'a>> {
        if file.len() == 0 {
            return Err(input::empty(file.name()));
        }
        let mut open = OpenFile::unseen(file, options);
        let (file, named) = (&open.file, open.named());
        open.head = file.head(FRONT)?;
        open.looked_at = open.head.len() as u64;
        open.compression = Compression::tell(file.name(), &open.head, named);
        if open.compression != Compression::None {
            let front = file.head(COMPRESSED_FRONT)?;
            open.looked_at = front.len() as u64;
            open.head = compression::decompress_head(file.name(), &front, open.compression, MOST)?;
        }
        open.is_archive = archive::tell(file.name(), &open.head, is_raw(named)).is_some();
        Ok(open)
    }

    /// A file that is unpacked without a look at its beginning.
    pub(super) fn unseen(file: RegularFile<'a>, options: &'a Options) -> OpenFile<'a> {
        let meter = Meter::new(options.progress.as_ref(), file.len()).until(&options.cancel);
        OpenFile {
            file,
            head: Vec::new(),
            looked_at: 0,
            compression: Compression::None,
            is_archive: false,
            limit: options.most_decompressed(),
            options,
            meter,
        }
    }

    /// The format that options name, else that the name says.
    fn named(&self) -> Option<Format> {
        format::named(self.file.name(), self.options)
    }

    /// The file in memory, decompressed and out of its archive, whose member may be compressed in turn. Text in UTF-16 becomes UTF-8.
    pub(super) fn unpacked(mut self) -> Result<OpenFile<'a>> {
        if self.file.in_memory().is_none() {
            let bytes = self.file.whole(&self.meter)?;
            if self.file.is_far() && self.file.has_ranges() {
                // What was counted as it came is not counted again.
                self.meter = Meter::new(None, 0).until(&self.options.cancel);
            }
            self.file = RegularFile::memory(self.file.name(), bytes);
        }
        self.decompress()?;
        let (name, bytes) = (self.file.name(), self.file.in_memory().unwrap_or_default());
        if let Some(kind) = archive::tell(name, bytes, is_raw(self.named())) {
            // Workbooks and models are zip archives, too.
            if self.options.format.is_none() {
                recognise::refuse(name, bytes, true)?;
            }
            if let Some((path, member)) =
                archive::graph(name, bytes, kind, self.options, self.limit)?
            {
                // What a zip archive's member decompressed to counts.
                self.limit -= if kind == ArchiveKind::Zip { member.len() as u64 } else { 0 };
                self.file = RegularFile::memory(&format!("{name}:{path}"), member);
                self.decompress()?;
            }
        }
        let bytes = self.file.in_memory().unwrap_or_default();
        if let Some(text) = encoding::utf_16(bytes).filter(|_| !is_raw(self.named())) {
            self.file = RegularFile::memory(self.file.name(), text.into_bytes());
        }
        (self.compression, self.is_archive) = (Compression::None, false);
        Ok(self)
    }

    /// Takes the compression off a file in memory.
    fn decompress(&mut self) -> Result<()> {
        let (name, bytes) = (self.file.name(), self.file.in_memory().unwrap_or_default());
        if bytes.is_empty() {
            return Err(input::empty(name));
        }
        let compression = Compression::tell(name, bytes, self.named());
        if compression != Compression::None {
            let content =
                compression::decompress(name, bytes, compression, self.limit, &self.meter)?;
            self.limit -= content.len() as u64;
            self.file = RegularFile::memory(name, content);
        }
        Ok(())
    }

    /// The content, or its beginning where that is not in memory.
    pub(super) fn content(&self) -> FileContent<'_> {
        let OpenFile { ref file, ref head, looked_at, compression, .. } = *self;
        let is_packed = compression != Compression::None;
        let in_memory = file.in_memory().filter(|_| !is_packed);
        FileContent {
            name: file.name(),
            content: in_memory.unwrap_or(head),
            is_whole: in_memory.is_some()
                || (looked_at == file.len() && (head.len() as u64) < MOST),
            // As many as if all is as compressible as its beginning.
            size: match is_packed {
                true => scale(head.len() as u64, file.len(), looked_at),
                false => file.len(),
            },
            file,
            compression,
            chunk: CHUNK,
            decompressed_limit: self.limit,
            options: self.options,
            meter: &self.meter,
        }
    }

    /// The reader of the content, by its name and its beginning, and what tells it. Files of formats that are not read are
    /// refused, unless the caller named the format, and options that say nothing of files of its format.
    pub(super) fn reader(&self) -> Result<(&'static dyn Reader, ToldBy)> {
        let FileContent { name, content, options, .. } = self.content();
        let (format, told_by) = format::tell(name, content, options.format);
        let reader = format::reader(format);
        reader.about().check(name, options)?;
        if matches!(told_by, ToldBy::Extension | ToldBy::Default) {
            reader.refuse_others(name, content)?;
        }
        Ok((reader, told_by))
    }

    /// The reader that gets the beginning of a file, and reads the rest in pieces; `None` where all has to be in memory.
    fn reader_in_pieces(&self) -> Result<Option<&'static dyn Reader>> {
        // A text is decoded as a whole.
        if self.is_archive || encoding::is_utf_16(&self.head) && !is_raw(self.named()) {
            return Ok(None);
        }
        let (reader, _) = self.reader()?;
        let is_packed = self.compression != Compression::None;
        let needs_all =
            is_packed && !reader.about().is_text_table || reader.needs_all(&self.content());
        Ok(Some(reader).filter(|_| !needs_all))
    }

    /// The reader that makes the graph where the file is; `None` where the file has to be in memory as a whole.
    pub(super) fn reader_in_place(&self) -> Result<Option<&'static dyn Reader>> {
        if self.looked_at == 0 || self.compression != Compression::None {
            return Ok(None);
        }
        // Threads read raw pairs at places far apart, each of which a server takes its time for.
        let is_slow = |reader: &dyn Reader| self.file.is_far() && reader.about().is_raw;
        Ok(self.reader_in_pieces()?.filter(|&reader| !is_slow(reader)))
    }

    /// Hands the edges over in pieces of some bytes; `None` where the file has to be in memory as a whole.
    pub(super) fn visit(&self, piece: usize, sink: &dyn EdgeSink) -> Result<Option<Visited>> {
        let Some(reader) = self.reader_in_pieces()? else { return Ok(None) };
        let input = FileContent { chunk: piece, ..self.content() };
        let visited = reader.visit(&input, sink).map_err(|fault| input.fault(fault))?;
        if visited.is_some() {
            self.meter.finish();
        }
        Ok(visited)
    }
}
