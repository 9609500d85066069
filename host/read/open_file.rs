//! An opened file, and the content that a format's reader gets of it: decompressed, and out of its archive.

use super::archive::{self, ArchiveKind};
use super::compression::{self, Compression};
use super::format::{self, Format, Reader, ToldBy, is_raw};
use super::input::{self, Fault};
use super::inspect::scale;
use super::progress::Meter;
use super::source::RegularFile;
use super::table::encoding;
use super::{CHUNK, Options, recognise};
use crate::error::Place;
use crate::graph::{EdgeSink, Visited};
use crate::{Error, Message, Result};

/// Bytes from the front of a file that tell what it is, and hold the headers that most files have.
const FRONT: u64 = 1 << 18;

/// Bytes from the front of a compressed file: the first block of bzip2 data may take 900 kB.
const COMPRESSED_FRONT: u64 = 1 << 20;

/// Bytes that the front of a compressed file may decompress to.
const MOST: u64 = 16 * FRONT;

/// A file that was opened, and what its beginning tells: what a reader gets.
pub(super) struct OpenFile<'a> {
    /// The bytes as they are stored, or the content once that is [unpacked](Self::unpacked). The content of an archive has the
    /// archive's name and behind it, after a colon, that of the member. Messages have this name, and its extension tells the format.
    pub(super) file: RegularFile<'a>,
    /// The beginning without its compression; empty where nobody looked.
    head: Vec<u8>,
    /// Bytes of the file that the beginning was made of.
    looked_at: u64,
    /// How all of the file is compressed.
    pub(super) compression: Compression,
    pub(super) is_archive: bool,
    /// Bytes of one task.
    pub(super) chunk: usize,
    /// The largest number of bytes that parts of the content may still decompress to.
    pub(super) limit: u64,
    pub(super) options: &'a Options,
}

impl<'a> OpenFile<'a> {
    /// A file whose beginning is looked at.
    pub(super) fn of(file: RegularFile<'a>, options: &'a Options) -> Result<OpenFile<'a>> {
        if file.len() == 0 {
            return Err(input::empty(&file.name));
        }
        let mut open = OpenFile::unseen(file, options);
        let (file, named) = (&open.file, open.named());
        open.head = file.head(FRONT)?;
        open.looked_at = open.head.len() as u64;
        open.compression = Compression::tell(&file.name, &open.head, named);
        if open.compression != Compression::None {
            let front = file.head(COMPRESSED_FRONT)?;
            open.looked_at = front.len() as u64;
            open.head = compression::decompress_head(&file.name, &front, open.compression, MOST)?;
        }
        open.is_archive = archive::tell(&file.name, &open.head, is_raw(named)).is_some();
        Ok(open)
    }

    /// A file that is unpacked without a look at its beginning.
    pub(super) fn unseen(mut file: RegularFile<'a>, options: &'a Options) -> OpenFile<'a> {
        file.cancel = options.cancel.clone();
        file.meter = Meter::new(options.progress.clone(), file.len());
        OpenFile {
            file,
            head: Vec::new(),
            looked_at: 0,
            compression: Compression::None,
            is_archive: false,
            chunk: CHUNK,
            limit: options.most_decompressed(),
            options,
        }
    }

    /// A content that was made of this one. It is counted no more.
    pub(super) fn with_content(&self, name: &str, content: Vec<u8>) -> OpenFile<'a> {
        let mut made = OpenFile::unseen(RegularFile::memory(name, content), self.options);
        made.file.meter = Meter::default();
        OpenFile { chunk: self.chunk, limit: self.limit, ..made }
    }

    /// The format that options name, else that the name says.
    pub(super) fn named(&self) -> Option<Format> {
        format::named(self.name(), self.options)
    }

    /// The file in memory, decompressed and out of its archive, whose member may be compressed in turn. Text in UTF-16 becomes UTF-8.
    pub(super) fn unpacked(mut self) -> Result<OpenFile<'a>> {
        if self.file.in_memory().is_none() {
            let bytes = self.file.whole()?;
            self.file.hold(bytes);
        }
        self.decompress()?;
        let (name, bytes) = (self.name(), self.content());
        if let Some(kind) = archive::tell(name, bytes, is_raw(self.named())) {
            // Workbooks and models are zip archives, too.
            if self.options.format.is_none() {
                recognise::refuse(name, bytes, true)?;
            }
            if let Some((path, member)) = archive::graph(&self, kind)? {
                // What a zip archive's member decompressed to counts.
                let called = format!("{name}:{path}");
                self.limit -= if kind == ArchiveKind::Zip { member.len() as u64 } else { 0 };
                self.file.name = called;
                self.file.hold(member);
                self.decompress()?;
            }
        }
        if let Some(text) = encoding::utf_16(self.content()).filter(|_| !is_raw(self.named())) {
            self.file.hold(text.into_bytes());
        }
        self.is_archive = false;
        Ok(self)
    }

    /// Takes the compression off a file in memory.
    fn decompress(&mut self) -> Result<()> {
        self.compression = Compression::None;
        let bytes = self.content();
        if bytes.is_empty() {
            return Err(input::empty(self.name()));
        }
        let compression = Compression::tell(self.name(), bytes, self.named());
        if compression != Compression::None {
            let content = compression::decompress(&self.file, compression, self.limit)?;
            self.limit -= content.len() as u64;
            self.file.hold(content);
        }
        Ok(())
    }

    /// What messages call the file.
    pub(super) fn name(&self) -> &str {
        &self.file.name
    }

    fn in_memory(&self) -> Option<&[u8]> {
        self.file.in_memory().filter(|_| self.compression == Compression::None)
    }

    /// The content, or its beginning where that is not in memory.
    pub(super) fn content(&self) -> &[u8] {
        self.in_memory().unwrap_or(&self.head)
    }

    /// Whether the [content](Self::content) is all that there is.
    pub(super) fn is_whole(&self) -> bool {
        let is_all_seen = self.looked_at == self.file.len() && (self.head.len() as u64) < MOST;
        self.in_memory().is_some() || is_all_seen
    }

    /// About how many bytes the whole content has: as many as if all is as compressible as its beginning.
    pub(super) fn size(&self) -> u64 {
        match self.compression {
            Compression::None => self.file.len(),
            _ => scale(self.head.len() as u64, self.file.len(), self.looked_at),
        }
    }

    /// The error of a fault.
    pub(super) fn fault(&self, fault: Fault) -> Error {
        match fault {
            Fault::Line(at, message) => self.at_line_of(at, message),
            fault => fault.of(self.name()),
        }
    }

    /// An error on the line that holds byte `at`.
    pub(super) fn at_line_of(&self, at: usize, message: impl Into<Message>) -> Error {
        let before = &self.content()[..at.min(self.content().len())];
        self.malformed(Place::Line(1 + input::lines(before) as u64), message)
    }

    /// An error at byte `at`.
    pub(super) fn at_byte(&self, at: usize, message: impl Into<Message>) -> Error {
        self.malformed(Place::Byte(at as u64), message)
    }

    /// An error at a place.
    pub(super) fn malformed(&self, place: Place, message: impl Into<Message>) -> Error {
        Error::Malformed { file: self.name().into(), place, message: message.into() }
    }

    /// An error of the input as a whole.
    pub(super) fn error(&self, message: impl Into<Message>) -> Error {
        input::error(self.name(), message)
    }

    /// The first line from `at` on that is neither blank nor a comment after `%`, and where it begins.
    pub(super) fn first_line(&self, at: usize) -> Option<(usize, &[u8])> {
        input::lines_from(self.content(), at)
            .find(|(_, line)| line.first().is_some_and(|&b| b != b'%'))
    }

    /// The reader of the content, by its name and its beginning, and what tells it. Files of formats that are not read are
    /// refused, unless the caller named the format, and options that say nothing of files of its format.
    pub(super) fn reader(&self) -> Result<(&'static dyn Reader, ToldBy)> {
        let (name, content) = (self.name(), self.content());
        let (format, told_by) = format::tell(name, content, self.options.format);
        let reader = format::reader(format);
        reader.about().check(name, self.options)?;
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
        let needs_all = is_packed && !reader.about().is_text_table || reader.needs_all(self);
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
    pub(super) fn visit(mut self, piece: usize, sink: &dyn EdgeSink) -> Result<Option<Visited>> {
        self.chunk = piece;
        let Some(reader) = self.reader_in_pieces()? else { return Ok(None) };
        let visited = reader.visit(&self, sink).map_err(|fault| self.fault(fault))?;
        if visited.is_some() {
            self.file.meter.finish();
        }
        Ok(visited)
    }
}
