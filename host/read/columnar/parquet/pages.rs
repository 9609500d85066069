//! The pages of a column chunk, looked at before the crate `parquet` believes what they announce.

use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type as Physical};
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
    /// Bytes that a plain value has at least.
    width: u64,
    /// Of the page whose header was read last: bytes at its beginning that are not compressed, and the number that the
    /// others become where they are.
    lengths: Mutex<(usize, Option<u64>)>,
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
            width: match chunk.column_type() {
                Physical::INT64 | Physical::DOUBLE => 8,
                Physical::FIXED_LEN_BYTE_ARRAY => chunk.column_descr().type_length().max(1) as u64,
                Physical::INT96 => 12,
                Physical::BOOLEAN => 1,
                // The length of a text takes four.
                Physical::INT32 | Physical::FLOAT | Physical::BYTE_ARRAY => 4,
            },
            lengths: Mutex::default(),
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
        let Inner { range, compression, limit, width, .. } = &*self.0;
        let head = self.bytes(start, (range.end.saturating_sub(start)).min(64) as usize)?;
        let mut at = 0;
        let [kind, uncompressed, compressed, ..] = integers(&head, &mut at)[..] else {
            // An encrypted page begins with the length of its header, which holds 28 bytes at least.
            let length = head.first_chunk().map(|length| u32::from_le_bytes(*length));
            if start == range.start && length.is_some_and(|length| (28..1 << 16).contains(&length))
            {
                let [file, column] = &self.0.names;
                return Err(self.end(encrypted(file, &format!("column `{column}`"))));
            }
            return self.damaged("a page's header is malformed");
        };
        // The page's own header is a struct; pages of indexes, which are passed, may have none.
        const INDEXES: u64 = 1;
        if kind != INDEXES && head.get(at).is_none_or(|field| field & 0x0f != 0x0c) {
            return self.damaged("a page's header is malformed");
        }
        at += 1;
        let inner = integers(&head, &mut at);
        if uncompressed > *limit {
            return self.too_long(uncompressed.to_string());
        }
        let most = compressed.saturating_mul(MOST_OF_A_BYTE);
        let is_endless = matches!(compression, Compression::GZIP(_) | Compression::LZ4);
        if is_endless && compressed > SMALL && most > *limit {
            return self.too_long(format!("up to {most}"));
        }
        const DICTIONARY: u64 = 2;
        const VERSION_2: u64 = 3;
        if kind == DICTIONARY {
            // Values as they are, by their name now and that of old files.
            let [values, 0 | 2, ..] = inner[..] else {
                return self.damaged("a dictionary has an encoding that it cannot have");
            };
            if values.saturating_mul(*width) > uncompressed {
                return self.damaged("a dictionary is shorter than it announces");
            }
        }
        // The levels of a page of version 2.
        let levels = match inner[..] {
            [_, _, _, _, definitions, repetitions, ..] => definitions.saturating_add(repetitions),
            _ => 0,
        };
        // A page of version 2 may say that it is not compressed after all.
        const IS_COMPRESSED_IS_FALSE: u8 = 0x12;
        let is_plain = kind == VERSION_2 && head.get(at) == Some(&IS_COMPRESSED_IS_FALSE);
        let announced = (!is_plain).then(|| uncompressed.saturating_sub(levels));
        let lengths = (usize::try_from(levels).unwrap_or(usize::MAX), announced);
        *self.0.lengths.lock().unwrap_or_else(PoisonError::into_inner) = lengths;
        Ok(())
    }
}

/// The integers of 32 bits that follow one another in a struct of Thrift's compact protocol. Negative ones, which are none
/// here, become large.
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
        let (levels, announced) = *self.0.lengths.lock().unwrap_or_else(PoisonError::into_inner);
        let content = bytes.get(levels..).unwrap_or_default();
        match self.0.compression {
            // What is missing would be zeros.
            Compression::SNAPPY
                if announced.is_some()
                    && !content.is_empty()
                    && delta::varint(content, &mut 0) != announced =>
            {
                return self.damaged("a page has not the length that it announces");
            }
            // The crate decompresses to the end, wherever that is, and no ratio bounds it.
            Compression::BROTLI(_) => {
                let most = self.0.limit.saturating_add(1);
                let mut content =
                    brotli_decompressor::Decompressor::new(content, 1 << 12).take(most);
                let decompressed = io::copy(&mut content, &mut io::sink());
                if decompressed.is_ok_and(|bytes| bytes == most) {
                    return self.too_long("more".into());
                }
            }
            _ => {}
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
    /// Whether the values of a page are there whose decoder makes room for what they announce, or takes the wrong bytes
    /// where some are missing.
    fn is_whole(&self, page: &Page) -> bool {
        let (values, nulls, levels) = match page {
            Page::DictionaryPage { .. } => return true,
            Page::DataPageV2 { num_nulls, def_levels_byte_len, rep_levels_byte_len, .. } => (
                page.num_values(),
                Some(*num_nulls),
                Some((def_levels_byte_len + rep_levels_byte_len) as usize),
            ),
            Page::DataPage { buf, def_level_encoding, .. } if self.max_definition > 0 => {
                let levels = match def_level_encoding {
                    Encoding::RLE => {
                        buf.first_chunk().map(|length| 4 + u32::from_le_bytes(*length) as usize)
                    }
                    // As many bits a value as the largest level has.
                    _ => Some(
                        page.num_values() as usize
                            * (i16::BITS - self.max_definition.leading_zeros()) as usize
                            / 8,
                    ),
                };
                (page.num_values(), None, levels)
            }
            Page::DataPage { .. } => (page.num_values(), Some(0), Some(0)),
        };
        let Some(data) = levels.and_then(|levels| page.buffer().get(levels..)) else {
            return false;
        };
        let most = u64::from(values);
        match page.encoding() {
            Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY => {
                delta::integers_fit(data, most)
            }
            Encoding::DELTA_BYTE_ARRAY => delta::prefixes_fit(data, most),
            Encoding::BYTE_STREAM_SPLIT => {
                let (bytes, width) = (data.len() as u64, self.source.0.width);
                match nulls {
                    Some(nulls) => Some(bytes) == most.checked_sub(nulls.into()).map(|n| n * width),
                    None => bytes.is_multiple_of(width) && bytes <= most * width,
                }
            }
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
