//! The pages of a column chunk, looked at before the crate `parquet` believes what they announce.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::{Buf, Bytes, buf};
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result as Decoded};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use super::super::{ColumnarHead, damaged, input};
use super::{delta, encrypted};
use crate::{Error, Message, Result, hint};

/// Bytes that a byte of DEFLATE's becomes at most.
const MOST_OF_A_BYTE: u64 = 1032;

/// Bytes of a page, compressed, that are decompressed whatever the limit is.
const SMALL: u64 = 1 << 20;

/// The pages of a column chunk.
#[derive(Clone)]
pub(super) struct Pages(Arc<ColumnChunk>);

struct ColumnChunk {
    /// The file's name, and the column's.
    names: [String; 2],
    about: ColumnChunkMetaData,
    /// The bytes of the chunk, and where they begin in the file.
    bytes: Bytes,
    start: u64,
    limit: u64,
    /// Why reading ended, where that is known better than the crate says it.
    ended: Mutex<Option<Error>>,
}

impl Pages {
    /// Reads the bytes of a column chunk.
    pub(super) fn of(
        head: &ColumnarHead,
        column: usize,
        about: ColumnChunkMetaData,
        limit: u64,
    ) -> Result<Pages> {
        if matches!(about.compression(), Compression::LZO | Compression::BROTLI(_)) {
            return Err(head.error(
                "pages compressed with LZO or Brotli are not read: write the file with zstd",
            ));
        }
        let from = about.dictionary_page_offset().unwrap_or_else(|| about.data_page_offset());
        let place = u64::try_from(from).ok().zip(u64::try_from(about.compressed_size()).ok());
        let fits = |(from, len): &(u64, u64)| {
            from.checked_add(*len).is_some_and(|end| end <= head.file.len())
        };
        let Some((start, len)) = place.filter(fits) else {
            return Err(head.damaged("a column is longer than the file"));
        };
        let names = [head.file.name.clone(), head.columns[column].name.clone()];
        let (bytes, ended) = (head.read(start, len)?.into(), Mutex::default());
        Ok(Pages(Arc::new(ColumnChunk { names, about, bytes, start, limit, ended })))
    }

    /// Why reading ended, where that is known better than the crate says it.
    pub(super) fn ended(&self) -> Option<Error> {
        self.0.ended.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// A reader of the pages, of a chunk that has a value for each of its rows.
    pub(super) fn reader(&self, rows: usize) -> Decoded<PagesOnce> {
        let pages = SerializedPageReader::new(Arc::new(self.clone()), &self.0.about, rows, None)?;
        Ok(PagesOnce(Some(Box::new(CheckedPages { pages, of: self.clone() }))))
    }

    fn end(&self, error: Error) -> ParquetError {
        let text = error.to_string();
        self.0.ended.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        ParquetError::General(text)
    }

    fn damaged<T>(&self, why: &str) -> Decoded<T> {
        Err(self.end(damaged(&self.0.names[0], why)))
    }

    /// The bytes from a place in the file on.
    fn from(&self, at: u64) -> Decoded<Bytes> {
        let place = at.checked_sub(self.0.start).and_then(|at| usize::try_from(at).ok());
        match place.filter(|&at| at <= self.0.bytes.len()) {
            Some(at) => Ok(self.0.bytes.slice(at..)),
            None => self.damaged("a page is longer than its column"),
        }
    }

    /// Compares what a page's header announces with the limit, before the crate makes room for it.
    ///
    /// Every writer puts the fields of the header in their order, and the first three are integers of 32 bits; the crate decodes
    /// the header itself.
    fn look_at_header(&self, head: &[u8], is_first: bool) -> Decoded<()> {
        let [_, uncompressed, compressed, ..] = integers(head)[..] else {
            // An encrypted page begins with the length of its header, which holds 28 bytes at least.
            let length = head.first_chunk().map(|length| u32::from_le_bytes(*length));
            if is_first && length.is_some_and(|length| (28..1 << 16).contains(&length)) {
                let [file, column] = &self.0.names;
                return Err(self.end(encrypted(file, &format!("column `{column}`"))));
            }
            return self.damaged("a page's header is malformed");
        };
        let limit = self.0.limit;
        let most = compressed.saturating_mul(MOST_OF_A_BYTE);
        let is_endless =
            matches!(self.0.about.compression(), Compression::GZIP(_) | Compression::LZ4);
        let is_endless = is_endless && compressed > SMALL && most > limit;
        if uncompressed <= limit && !is_endless {
            return Ok(());
        }
        let bytes = if is_endless { format!("up to {most}") } else { uncompressed.to_string() };
        let message = format!("a page decompresses to {bytes} bytes, which is more than {limit}");
        let message = Message::from(message).with_hint(hint::DECOMPRESSED_LIMIT);
        Err(self.end(input::error(&self.0.names[0], message)))
    }

    /// Whether the values of a page are there whose decoder makes room for what they announce.
    fn is_whole(&self, page: &Page) -> bool {
        let values = page.num_values() as usize;
        let may_be_missing = self.0.about.column_descr().max_def_level() > 0;
        let levels = match page {
            // Each takes a byte at least.
            Page::DictionaryPage { buf, .. } => return values <= buf.len(),
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                Some((def_levels_byte_len + rep_levels_byte_len) as usize)
            }
            Page::DataPage { .. } if !may_be_missing => Some(0),
            Page::DataPage { buf, def_level_encoding: Encoding::RLE, .. } => {
                buf.first_chunk().map(|length| 4 + u32::from_le_bytes(*length) as usize)
            }
            // A bit for each value.
            Page::DataPage { .. } => Some(values / 8),
        };
        let Some(data) = levels.and_then(|levels| page.buffer().get(levels..)) else {
            return false;
        };
        match page.encoding() {
            Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY => {
                delta::integers_fit(data, values as u64)
            }
            Encoding::DELTA_BYTE_ARRAY => delta::prefixes_fit(data, values as u64),
            _ => true,
        }
    }
}

/// The integers of 32 bits that a struct of Thrift's compact protocol begins with. Negative ones, which are none here, become large.
fn integers(head: &[u8]) -> Vec<u64> {
    const NEXT_FIELD_IS_ONE: u8 = 0x15;
    let (mut found, mut at) = (Vec::new(), 0);
    while head.get(at) == Some(&NEXT_FIELD_IS_ONE) {
        at += 1;
        let Some(value) = delta::varint(head, &mut at) else { break };
        found.push(if value & 1 == 1 { u64::MAX } else { value >> 1 });
    }
    found
}

impl Length for Pages {
    fn len(&self) -> u64 {
        self.0.start + self.0.bytes.len() as u64
    }
}

impl ChunkReader for Pages {
    type T = buf::Reader<Bytes>;

    /// The crate reads the headers of pages so, and nothing else.
    fn get_read(&self, start: u64) -> Decoded<buf::Reader<Bytes>> {
        let bytes = self.from(start)?;
        self.look_at_header(&bytes, start == self.0.start)?;
        Ok(bytes.reader())
    }

    /// The crate reads the contents of pages so.
    fn get_bytes(&self, start: u64, length: usize) -> Decoded<Bytes> {
        let bytes = self.from(start)?;
        match length <= bytes.len() {
            true => Ok(bytes.slice(..length)),
            false => self.damaged("a page is longer than its column"),
        }
    }
}

/// The pages of one column chunk, which are read once.
pub(super) struct PagesOnce(Option<Box<dyn PageReader>>);

impl Iterator for PagesOnce {
    type Item = Decoded<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take().map(Ok)
    }
}

impl PageIterator for PagesOnce {}

/// Pages whose contents hold what they announce.
struct CheckedPages {
    pages: SerializedPageReader<Pages>,
    of: Pages,
}

impl Iterator for CheckedPages {
    type Item = Decoded<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Decoded<Option<Page>> {
        match self.pages.get_next_page()? {
            Some(page) if !self.of.is_whole(&page) => {
                self.of.damaged("a page does not hold what it announces")
            }
            page => Ok(page),
        }
    }

    fn peek_next_page(&mut self) -> Decoded<Option<PageMetadata>> {
        Ok(None)
    }

    fn skip_next_page(&mut self) -> Decoded<()> {
        Err(ParquetError::General("no page is skipped".into()))
    }
}
