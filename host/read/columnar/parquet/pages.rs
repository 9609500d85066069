//! The pages of a column chunk, each decompressed when it is its turn.

use std::ops::Range;

use bytes::Bytes;
use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::Page;
use parquet::schema::types::ColumnDescriptor;

use super::super::Stored;
use super::super::codec::{self, Codec, Refused};
use super::super::thrift::{Compact, I32, STRUCT};
use super::delta;
use super::pool::Pool;
use super::runs;
use crate::{Error, Hint, Message, Result};

/// Bytes that pages, or values with a shared beginning, may take at a time.
const AT_A_TIME: usize = 16 << 20;

/// What is known of a column's pages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    max_definition: i16,
    /// Bytes that a plain value has at least.
    width: u64,
}

impl Shape {
    pub(super) fn of(column: &ColumnDescriptor) -> Shape {
        let width = match column.physical_type() {
            Physical::INT64 | Physical::DOUBLE => 8,
            Physical::FIXED_LEN_BYTE_ARRAY => {
                u64::try_from(column.type_length()).unwrap_or(0).max(1)
            }
            Physical::INT96 => 12,
            Physical::BOOLEAN => 1,
            // The length of a text takes four.
            Physical::INT32 | Physical::FLOAT | Physical::BYTE_ARRAY => 4,
        };
        Shape { max_definition: column.max_def_level(), width }
    }
}

/// The pages of a column chunk.
pub(super) struct Pages<'a> {
    stored: &'a Stored<'a>,
    range: Range<u64>,
    codec: Option<Codec>,
    shape: Shape,
    limit: u64,
    most_at_a_time: usize,
    /// Whether a page whose values stand in streams of bytes has fewer than it announces: some are missing, or cut off.
    is_short: bool,
    /// Bytes of the pages since the last beginning.
    bytes: usize,
    pool: Pool,
}

/// A page's header. Sizes that are negative are none.
#[derive(Debug, Default, Clone, Copy)]
struct Header {
    kind: i64,
    /// The checksum of the page as it is stored, where its writer made one.
    crc: Option<i64>,
    uncompressed: i64,
    compressed: i64,
    values: i64,
    encoding: i64,
    definitions: i64,
    repetitions: i64,
    rows: i64,
    nulls: i64,
    definition_bytes: i64,
    repetition_bytes: i64,
    is_uncompressed: bool,
}

const DATA: i64 = 0;
const DICTIONARY: i64 = 2;
const DATA_2: i64 = 3;

impl<'a> Pages<'a> {
    pub(super) fn new(
        stored: &'a Stored<'a>,
        range: Range<u64>,
        codec: Option<Codec>,
        shape: Shape,
        limit: u64,
        pool: Pool,
    ) -> Pages<'a> {
        let (most_at_a_time, is_short, bytes) = (usize::MAX, false, 0);
        Pages { stored, range, codec, shape, limit, most_at_a_time, is_short, bytes, pool }
    }

    pub(super) fn damaged(&self, why: &str) -> Error {
        self.stored.damaged(why)
    }

    /// Values that may be decoded at a time: few where each may be as long as a page.
    pub(super) fn most_at_a_time(&self) -> usize {
        self.most_at_a_time
    }

    /// Whether values have to be missing in the pages until now.
    pub(super) fn is_short(&self) -> bool {
        self.is_short
    }

    /// Begins to count the bytes of pages.
    pub(super) fn begin(&mut self) {
        self.bytes = 0;
    }

    /// Whether the pages since the beginning are as large as may be in memory at a time.
    pub(super) fn have_many_bytes(&self) -> bool {
        self.bytes >= AT_A_TIME
    }

    /// The next page that holds values.
    pub(super) fn next(&mut self) -> Result<Option<Page>> {
        while !self.range.is_empty() {
            let header = self.header()?;
            let size = |size: i64| usize::try_from(size).ok();
            let sizes = size(header.compressed).zip(size(header.uncompressed));
            let Some((compressed, uncompressed)) = sizes else {
                return Err(self.damaged("a page has less than no bytes"));
            };
            if compressed as u64 > self.range.end - self.range.start {
                return Err(self.damaged("a page is longer than its column"));
            }
            if uncompressed as u64 > self.limit {
                let message = Message::from(format!(
                    "a page decompresses to {uncompressed} bytes, which is more than {}",
                    self.limit
                ));
                let message = message.with_hint(Hint::DecompressedLimit);
                return Err(super::super::super::input::error(self.stored.name(), message));
            }
            let at = self.range.start;
            self.range.start += compressed as u64;
            if !matches!(header.kind, DATA | DICTIONARY | DATA_2) {
                continue;
            }
            let mut buffer = self.pool.take();
            self.stored.read_into(at, compressed, &mut buffer)?;
            // Thrift's integers of 32 bits are signed.
            if header.crc.is_some_and(|crc| crc as u32 != crc32fast::hash(&buffer[..compressed])) {
                return Err(self.damaged("the checksum of a page is another one"));
            }
            let page = match (header.kind, self.codec) {
                (DATA_2, _) => {
                    let page =
                        self.levels_and_values(&header, &buffer[..compressed], uncompressed)?;
                    self.pool.give_back(buffer);
                    page
                }
                (_, None) if compressed != uncompressed => {
                    return Err(self.damaged("a page has not the length that it announces"));
                }
                (_, None) => self.page(&header, self.pool.lend(buffer, compressed))?,
                (_, Some(codec)) => {
                    let content = self.decompress(codec, &buffer[..compressed], uncompressed)?;
                    self.pool.give_back(buffer);
                    self.page(&header, self.pool.lend(content, uncompressed))?
                }
            };
            self.bytes = self.bytes.saturating_add(page.buffer().len());
            return Ok(Some(page));
        }
        Ok(None)
    }

    /// Reads a page's header, and goes behind it.
    fn header(&mut self) -> Result<Header> {
        // Statistics may be long; most headers are short.
        let mut window = 1 << 8;
        loop {
            let left = self.range.end - self.range.start;
            let bytes = self.stored.read(self.range.start, left.min(window))?;
            if let Some((header, length)) = parse(&bytes) {
                self.range.start += length as u64;
                return Ok(header);
            }
            if window >= left.min(1 << 24) {
                return Err(self.damaged("a page's header is malformed"));
            }
            window *= 8;
        }
    }

    /// The first `announced` bytes of what is returned are the content.
    fn decompress(&self, codec: Codec, from: &[u8], announced: usize) -> Result<Vec<u8>> {
        let reused = self.pool.take();
        codec::decompress(codec, from, announced, reused).map_err(|refused| match refused {
            Refused::Damaged => self.damaged("a page cannot be decompressed"),
            Refused::NoMemory(refused) => {
                super::super::super::input::no_memory(self.stored.name(), refused)
            }
        })
    }

    /// A page of version 2, whose levels are not compressed.
    fn levels_and_values(
        &mut self,
        header: &Header,
        bytes: &[u8],
        announced: usize,
    ) -> Result<Page> {
        let level_bytes = |bytes: i64| u32::try_from(bytes).ok();
        let lengths =
            level_bytes(header.definition_bytes).zip(level_bytes(header.repetition_bytes));
        let levels =
            lengths.map(|(definitions, repetitions)| definitions as usize + repetitions as usize);
        let levels = levels.filter(|&levels| levels <= bytes.len() && levels <= announced);
        let (Some((definitions, repetitions)), Some(levels)) = (lengths, levels) else {
            return Err(self.damaged("a page's levels are longer than the page"));
        };
        let (head, values) = bytes.split_at(levels);
        let mut content = head.to_vec();
        match self.codec.filter(|_| !header.is_uncompressed) {
            Some(codec) if !values.is_empty() => {
                let decompressed = self.decompress(codec, values, announced - levels)?;
                content.extend_from_slice(&decompressed[..announced - levels]);
                self.pool.give_back(decompressed);
            }
            _ => content.extend_from_slice(values),
        }
        if content.len() != announced {
            return Err(self.damaged("a page has not the length that it announces"));
        }
        let (values, encoding) = self.values(header, &content[levels..])?;
        Ok(Page::DataPageV2 {
            buf: Bytes::from(content),
            num_values: values,
            encoding,
            num_nulls: u32::try_from(header.nulls).unwrap_or(0).min(values),
            num_rows: u32::try_from(header.rows).unwrap_or(0).min(values),
            def_levels_byte_len: definitions,
            rep_levels_byte_len: repetitions,
            is_compressed: false,
            statistics: None,
        })
    }

    /// A dictionary, or a page of version 1.
    fn page(&mut self, header: &Header, buf: Bytes) -> Result<Page> {
        if header.kind == DICTIONARY {
            let values = u32::try_from(header.values).ok();
            let values = values.filter(|&values| {
                u64::from(values).saturating_mul(self.shape.width) <= buf.len() as u64
            });
            let Some(num_values) = values else {
                return Err(self.damaged("a dictionary is shorter than it announces"));
            };
            let encoding = match header.encoding {
                0 | 2 => Encoding::PLAIN,
                _ => return Err(self.damaged("a dictionary has an encoding that it cannot have")),
            };
            return Ok(Page::DictionaryPage { buf, num_values, encoding, is_sorted: false });
        }
        let levels = match (self.shape.max_definition, encoding(header.definitions)) {
            (0, _) => Some(0),
            (_, Some(Encoding::RLE)) => buf
                .first_chunk::<4>()
                .and_then(|length| 4usize.checked_add(u32::from_le_bytes(*length) as usize)),
            // One bit a value and more, for as many bits as the largest level has.
            (max, _) => usize::try_from(header.values).ok().and_then(|values| {
                let bits = (i16::BITS - max.leading_zeros()) as usize;
                Some(values.checked_mul(bits)?.div_ceil(8))
            }),
        };
        let Some(values) = levels.and_then(|levels| buf.get(levels..)) else {
            return Err(self.damaged("a page's levels are longer than the page"));
        };
        let (num_values, encoding) = self.values(header, values)?;
        let level_encoding = |level: i64| self::encoding(level).unwrap_or(Encoding::RLE);
        Ok(Page::DataPage {
            num_values,
            encoding,
            def_level_encoding: level_encoding(header.definitions),
            rep_level_encoding: level_encoding(header.repetitions),
            statistics: None,
            buf,
        })
    }

    /// The number of values of a data page and their encoding, after what the encoding announces was looked at.
    fn values(&mut self, header: &Header, data: &[u8]) -> Result<(u32, Encoding)> {
        let Some(values) = u32::try_from(header.values).ok().filter(|&v| v <= i32::MAX as u32)
        else {
            return Err(self.damaged("a page has less than no values"));
        };
        let Some(encoding) = encoding(header.encoding) else {
            return Err(self.damaged("a page has an unknown encoding"));
        };
        let most = u64::from(values);
        let fits = match encoding {
            Encoding::DELTA_BINARY_PACKED => delta::integers_fit(data, most),
            Encoding::DELTA_LENGTH_BYTE_ARRAY => delta::lengths_fit(data, most),
            Encoding::DELTA_BYTE_ARRAY => delta::prefixes_fit(data, most),
            Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY => runs::runs_fit(data, most),
            // The parquet crate puts values together from the wrong bytes where some are cut off.
            Encoding::BYTE_STREAM_SPLIT => {
                let (stored, width) = (data.len() as u64, self.shape.width);
                self.is_short |= stored < most.saturating_mul(width);
                stored.is_multiple_of(width) && stored <= most.saturating_mul(width)
            }
            _ => true,
        };
        if !fits {
            return Err(self.damaged("a page does not hold what it announces"));
        }
        self.most_at_a_time = match encoding {
            Encoding::DELTA_BYTE_ARRAY => (AT_A_TIME / data.len().max(1)).max(1),
            _ => usize::MAX,
        };
        Ok((values, encoding))
    }
}

fn encoding(number: i64) -> Option<Encoding> {
    Some(match number {
        0 => Encoding::PLAIN,
        2 => Encoding::PLAIN_DICTIONARY,
        3 => Encoding::RLE,
        #[expect(deprecated, reason = "old files have it")]
        4 => Encoding::BIT_PACKED,
        5 => Encoding::DELTA_BINARY_PACKED,
        6 => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        7 => Encoding::DELTA_BYTE_ARRAY,
        8 => Encoding::RLE_DICTIONARY,
        9 => Encoding::BYTE_STREAM_SPLIT,
        _ => return None,
    })
}

/// A page's header and its length; `None` where not all of it is there.
fn parse(bytes: &[u8]) -> Option<(Header, usize)> {
    let mut header =
        Header { kind: -1, uncompressed: -1, compressed: -1, values: -1, ..Header::default() };
    let mut compact = Compact::new(bytes);
    compact.structure(|compact, id, kind| {
        match (id, kind) {
            (1, I32) => header.kind = compact.integer()?,
            (2, I32) => header.uncompressed = compact.integer()?,
            (3, I32) => header.compressed = compact.integer()?,
            (4, I32) => header.crc = Some(compact.integer()?),
            // The headers of a data page, of a dictionary and of a data page of version 2.
            (5 | 7 | 8, STRUCT) => compact.structure(|compact, field, kind| {
                let place = match (id, field) {
                    (_, 1) => &mut header.values,
                    (5 | 7, 2) | (8, 4) => &mut header.encoding,
                    (5, 3) => &mut header.definitions,
                    (5, 4) => &mut header.repetitions,
                    (8, 2) => &mut header.nulls,
                    (8, 3) => &mut header.rows,
                    (8, 5) => &mut header.definition_bytes,
                    (8, 6) => &mut header.repetition_bytes,
                    (8, 7) => {
                        header.is_uncompressed = kind.is_false();
                        return Some(false);
                    }
                    _ => return Some(false),
                };
                if kind != I32 {
                    return Some(false);
                }
                *place = compact.integer()?;
                Some(true)
            })?,
            _ => return Some(false),
        }
        Some(true)
    })?;
    Some((header, compact.at()))
}
