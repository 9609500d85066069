//! The pages of a column chunk, looked at before the crate `parquet` believes what they announce.

use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result as Decoded};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use super::super::stored::{Detached, damaged};
use super::super::{Stored, input};
use super::{delta, encrypted};
use crate::{Error, Hint, Message, Result};

/// Bytes that a byte of DEFLATE's becomes at most.
const MOST_OF_A_BYTE: u64 = 1032;

/// Bytes of a page, compressed, that are decompressed whatever the limit is.
const SMALL: u64 = 1 << 20;

/// The bytes of a column chunk.
#[derive(Clone)]
pub(super) struct ColumnBytes(Arc<Inner>);

struct Inner {
    /// The file's name, and the column's.
    names: [String; 2],
    bytes: Detached,
    range: Range<u64>,
    compression: Compression,
    limit: u64,
    /// Bytes at the beginning of the page whose header was read last that are not compressed.
    levels: AtomicUsize,
    /// Why reading ended, where that is known better than the crate says it.
    ended: Mutex<Option<Error>>,
}

impl ColumnBytes {
    pub(super) fn new(
        stored: &Stored,
        chunk: &ColumnChunkMetaData,
        column: &str,
        limit: u64,
    ) -> Result<ColumnBytes> {
        let compression = chunk.compression();
        if compression == Compression::LZO {
            let message = "pages compressed with LZO are not read: write the file with zstd";
            return Err(input::error(stored.name(), message));
        }
        let from = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
        let range = u64::try_from(from).ok().zip(u64::try_from(chunk.compressed_size()).ok());
        let range = range.and_then(|(from, len)| Some(from..from.checked_add(len)?));
        let Some(range) = range.filter(|range| range.end <= stored.len()) else {
            return Err(stored.damaged("a column is longer than the file"));
        };
        Ok(ColumnBytes(Arc::new(Inner {
            names: [stored.name().to_owned(), column.to_owned()],
            bytes: stored.detached(&range)?,
            range,
            compression,
            limit,
            levels: AtomicUsize::new(0),
            ended: Mutex::default(),
        })))
    }

    /// The error of a chunk that was not read to its end, of which the crate says `why`.
    pub(super) fn error(&self, why: &str) -> Error {
        let ended = self.0.ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        ended.unwrap_or_else(|| damaged(&self.0.names[0], why))
    }

    fn end(&self, error: Error) -> ParquetError {
        let text = error.to_string();
        self.0.ended.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        ParquetError::General(text)
    }

    fn damaged<T>(&self, why: &str) -> Decoded<T> {
        Err(self.end(damaged(&self.0.names[0], why)))
    }

    fn too_long<T>(&self, bytes: String) -> Decoded<T> {
        let limit = self.0.limit;
        let message = format!("a page decompresses to {bytes} bytes, which is more than {limit}");
        let message = Message::from(message).with_hint(Hint::DecompressedLimit);
        Err(self.end(input::error(&self.0.names[0], message)))
    }

    fn bytes(&self, at: u64, len: usize) -> Decoded<Bytes> {
        if at < self.0.range.start || at.saturating_add(len as u64) > self.0.range.end {
            return self.damaged("a page is longer than its column");
        }
        self.0.bytes.read(at, len).map_err(|error| self.end(error))
    }

    /// Compares what a page's header announces with the limit, before the crate makes room for it.
    ///
    /// Every writer puts the fields of the header in their order, and those before the levels' lengths are integers of 32
    /// bits; the crate decodes the header itself.
    fn look_at_header(&self, start: u64) -> Decoded<()> {
        let Inner { range, compression, limit, .. } = &*self.0;
        let head = self.bytes(start, (range.end.saturating_sub(start)).min(64) as usize)?;
        let mut at = 0;
        let [_, uncompressed, compressed, ..] = integers(&head, &mut at)[..] else {
            // An encrypted page begins with the length of its header, which holds 28 bytes at least.
            let length = head.first_chunk().map(|length| u32::from_le_bytes(*length));
            if start == range.start && length.is_some_and(|length| (28..1 << 16).contains(&length))
            {
                let [file, column] = &self.0.names;
                return Err(self.end(encrypted(file, &format!("column `{column}`"))));
            }
            return self.damaged("a page's header is malformed");
        };
        if uncompressed > *limit {
            return self.too_long(uncompressed.to_string());
        }
        let most = compressed.saturating_mul(MOST_OF_A_BYTE);
        let is_endless = matches!(compression, Compression::GZIP(_) | Compression::LZ4);
        if is_endless && compressed > SMALL && most > *limit {
            return self.too_long(format!("up to {most}"));
        }
        // The levels of a page of version 2 stand in a struct of its own, and are not compressed.
        at += 1;
        let levels = match integers(&head, &mut at)[..] {
            [_, _, _, _, definitions, repetitions, ..] => definitions.saturating_add(repetitions),
            _ => 0,
        };
        self.0.levels.store(levels.try_into().unwrap_or(usize::MAX), Relaxed);
        Ok(())
    }
}

/// The integers of 32 bits that a struct of Thrift's compact protocol begins with. Negative ones, which are none here, become large.
fn integers(head: &[u8], at: &mut usize) -> Vec<u64> {
    const NEXT_FIELD_IS_ONE: u8 = 0x15;
    let mut found = Vec::new();
    while head.get(*at) == Some(&NEXT_FIELD_IS_ONE) {
        *at += 1;
        let Some(value) = delta::varint(head, at) else { break };
        found.push(if value & 1 == 1 { u64::MAX } else { value >> 1 });
    }
    found
}

impl Length for ColumnBytes {
    fn len(&self) -> u64 {
        self.0.range.end
    }
}

impl ChunkReader for ColumnBytes {
    type T = BufReader<From>;

    /// The crate reads the headers of pages so, and nothing else.
    fn get_read(&self, start: u64) -> Decoded<BufReader<From>> {
        self.look_at_header(start)?;
        Ok(BufReader::with_capacity(1 << 8, From { source: self.clone(), at: start }))
    }

    /// The crate reads the contents of pages so.
    fn get_bytes(&self, start: u64, length: usize) -> Decoded<Bytes> {
        let bytes = self.bytes(start, length)?;
        // The crate decompresses to the end, wherever that is, and no ratio bounds it.
        if matches!(self.0.compression, Compression::BROTLI(_)) {
            let most = self.0.limit.saturating_add(1);
            let content = bytes.get(self.0.levels.load(Relaxed)..).unwrap_or_default();
            let mut content = brotli_decompressor::Decompressor::new(content, 1 << 12).take(most);
            if io::copy(&mut content, &mut io::sink()).is_ok_and(|bytes| bytes == most) {
                return self.too_long("more".into());
            }
        }
        Ok(bytes)
    }
}

/// Bytes from a place on.
pub(super) struct From {
    source: ColumnBytes,
    at: u64,
}

impl Read for From {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.source.0.range.end.saturating_sub(self.at);
        let some = left.min(buffer.len() as u64) as usize;
        let bytes = self.source.bytes(self.at, some).map_err(io::Error::other)?;
        buffer[..some].copy_from_slice(&bytes);
        self.at += some as u64;
        Ok(some)
    }
}

/// The pages of the one column chunk that is read.
pub(super) struct Chunk(Option<Box<dyn PageReader>>);

impl Chunk {
    pub(super) fn new(
        source: ColumnBytes,
        chunk: &ColumnChunkMetaData,
        rows: usize,
    ) -> Decoded<Chunk> {
        let pages = SerializedPageReader::new(Arc::new(source.clone()), chunk, rows, None)?;
        let max_definition = chunk.column_descr().max_def_level();
        Ok(Chunk(Some(Box::new(Pages { pages, source, max_definition }))))
    }
}

impl Iterator for Chunk {
    type Item = Decoded<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take().map(Ok)
    }
}

impl PageIterator for Chunk {}

/// Pages whose contents hold what they announce.
struct Pages {
    pages: SerializedPageReader<ColumnBytes>,
    source: ColumnBytes,
    max_definition: i16,
}

impl Pages {
    /// Whether the values of a page are there whose decoder makes room for what they announce.
    fn is_whole(&self, page: &Page) -> bool {
        let values = page.num_values() as usize;
        let levels = match page {
            // Each takes a byte at least.
            Page::DictionaryPage { buf, .. } => return values <= buf.len(),
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                Some((def_levels_byte_len + rep_levels_byte_len) as usize)
            }
            Page::DataPage { .. } if self.max_definition == 0 => Some(0),
            Page::DataPage { buf, def_level_encoding: Encoding::RLE, .. } => {
                buf.first_chunk().map(|length| 4 + u32::from_le_bytes(*length) as usize)
            }
            // As many bits a value as the largest level has.
            Page::DataPage { .. } => {
                let bits = i16::BITS - self.max_definition.leading_zeros();
                Some(values * bits as usize / 8)
            }
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

impl Iterator for Pages {
    type Item = Decoded<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Decoded<Option<Page>> {
        let page = self.pages.get_next_page()?;
        match &page {
            Some(page) if !self.is_whole(page) => {
                self.source.damaged("a page does not hold what it announces")
            }
            _ => Ok(page),
        }
    }

    fn peek_next_page(&mut self) -> Decoded<Option<PageMetadata>> {
        Ok(None)
    }

    fn skip_next_page(&mut self) -> Decoded<()> {
        Err(ParquetError::General("no page is skipped".into()))
    }

    fn at_record_boundary(&mut self) -> Decoded<bool> {
        // Columns of lists are not read.
        Ok(true)
    }
}
