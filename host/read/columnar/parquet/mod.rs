//! Apache Parquet.
//!
//! The parquet crate reads the footer and decodes values; the pages come from [`pages`], which trusts no length.
//!
//! Format: Apache Parquet, `parquet.thrift` and "Encodings".

mod delta;
mod pages;
mod pool;
mod runs;

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::basic::{Compression, ConvertedType, LogicalType, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{
    ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type,
};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use self::pages::{Pages, Shape};
use self::pool::Pool;
use super::super::contain;
use super::codec::Codec;
use super::values::{self, Role, Texts, Values};
use super::{Column, Fault, Kind, Reader, Stored, Table, thrift};
use crate::{Error, Message, Result};

/// A Parquet file.
pub(super) struct File<'a> {
    stored: Stored<'a>,
    metadata: ParquetMetaData,
    columns: Vec<Column>,
    rows: Vec<u64>,
    /// The places of the columns that are encrypted.
    encrypted: BTreeSet<usize>,
    limit: u64,
    pool: Pool,
}

const MAGIC: &[u8] = b"PAR1";

/// What is said of the whole file, or of a column, that is encrypted.
fn encrypted(stored: &Stored, what: &str) -> Error {
    let message =
        format!("the {what} is encrypted, which is not read: write it without encryption");
    super::super::input::error(stored.name(), message)
}

impl<'a> File<'a> {
    /// Reads the footer.
    pub(super) fn open(stored: Stored<'a>, limit: u64) -> Result<File<'a>> {
        let is_encrypted = || encrypted(&stored, "Parquet file");
        let len = stored.len();
        if len < 12 {
            return Err(stored.damaged("a Parquet file has 12 bytes at least"));
        }
        let end = stored.read(len - 8, 8)?;
        if end[4..] == *b"PARE" {
            return Err(is_encrypted());
        }
        if end[4..] != *MAGIC {
            return Err(stored.damaged("it does not end with `PAR1`"));
        }
        let footer = u64::from(u32::from_le_bytes([end[0], end[1], end[2], end[3]]));
        if footer > len - 12 {
            return Err(stored.damaged("its footer is longer than the file"));
        }
        let footer = stored.read(len - 8 - footer, footer)?;
        if thrift::ends(&footer).is_none() {
            return Err(stored.damaged("its footer does not hold what it announces"));
        }
        // The footer itself may be plain, and only signed.
        let encrypted_columns = thrift::encrypted_columns(&footer);
        let metadata =
            contained(|| ParquetMetaDataReader::decode_metadata(&footer)).map_err(|why| {
                if encrypted_columns.is_some() { is_encrypted() } else { stored.damaged(&why) }
            })?;
        let schema = metadata.file_metadata().schema_descr();
        let columns: Vec<Column> = schema
            .columns()
            .iter()
            .map(|column| Column { name: column.path().parts().join("."), kind: kind(column) })
            .collect();
        let mut rows = Vec::with_capacity(metadata.num_row_groups());
        for group in metadata.row_groups() {
            let count = u64::try_from(group.num_rows());
            rows.push(count.map_err(|_| stored.damaged("a row group has less than no rows"))?);
            if group.num_columns() != columns.len() {
                return Err(stored.damaged("a row group has not all columns"));
            }
        }
        // A group that says too few rows would be read in part.
        let announced = u64::try_from(metadata.file_metadata().num_rows()).ok();
        if rows.iter().try_fold(0u64, |sum, &count| sum.checked_add(count)) != announced {
            return Err(stored.damaged("its row groups have another number of rows than the file"));
        }
        let encrypted = encrypted_columns.unwrap_or_default();
        Ok(File { stored, metadata, columns, rows, encrypted, limit, pool: Pool::default() })
    }
}

/// What a column's values are.
fn kind(column: &ColumnDescriptor) -> Kind {
    let other = |what: &str| Kind::Other(what.into());
    if column.max_rep_level() > 0 {
        return other("list");
    }
    let whole_decimal = match column.logical_type_ref() {
        Some(LogicalType::Decimal(decimal)) => Some(decimal.scale == 0),
        None if column.converted_type() == ConvertedType::DECIMAL => Some(column.type_scale() == 0),
        _ => None,
    };
    match whole_decimal {
        Some(true) if column.physical_type() != Physical::INT96 => return Kind::Integer,
        Some(_) => return other("decimal with digits behind the point"),
        None => {}
    }
    match column.logical_type_ref() {
        Some(LogicalType::Date) => return other("date"),
        Some(LogicalType::Time(_)) => return other("time"),
        Some(LogicalType::Timestamp(_)) => return other("timestamp"),
        Some(LogicalType::Float16) => return other("16-bit float"),
        _ => {}
    }
    match column.converted_type() {
        ConvertedType::DATE => return other("date"),
        ConvertedType::TIME_MILLIS | ConvertedType::TIME_MICROS => return other("time"),
        ConvertedType::TIMESTAMP_MILLIS | ConvertedType::TIMESTAMP_MICROS => {
            return other("timestamp");
        }
        ConvertedType::INTERVAL => return other("interval"),
        _ => {}
    }
    match column.physical_type() {
        Physical::INT32 | Physical::INT64 => Kind::Integer,
        Physical::FLOAT | Physical::DOUBLE => Kind::Float,
        Physical::BYTE_ARRAY => Kind::Text,
        Physical::FIXED_LEN_BYTE_ARRAY => match usize::try_from(column.type_length()) {
            Ok(length) if length <= values::LONGEST_BINARY => Kind::Text,
            _ => other("binary of more than 1024 bytes"),
        },
        Physical::BOOLEAN => other("boolean"),
        Physical::INT96 => other("timestamp of 96 bits"),
    }
}

/// How values of a column become ids.
#[derive(Clone, Copy)]
struct As {
    unsigned: bool,
    /// Bits of an integer, where the schema says them.
    bits: Option<i8>,
    decimal: bool,
    uuid: bool,
}

impl As {
    fn of(column: &ColumnDescriptor) -> As {
        let logical = match column.logical_type_ref() {
            Some(LogicalType::Integer(integer)) => Some(integer),
            _ => None,
        };
        let by_logical = logical.map(|integer| !integer.is_signed);
        let bits = logical.map(|integer| integer.bit_width).or(match column.converted_type() {
            ConvertedType::UINT_8 | ConvertedType::INT_8 => Some(8),
            ConvertedType::UINT_16 | ConvertedType::INT_16 => Some(16),
            _ => None,
        });
        let unsigned = by_logical.unwrap_or(matches!(
            column.converted_type(),
            ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64
        ));
        let uuid = matches!(column.logical_type_ref(), Some(LogicalType::Uuid))
            && column.type_length() == 16;
        As { unsigned, bits, decimal: kind(column) == Kind::Integer, uuid }
    }
}

/// An integer of 8 or 16 bits, which is stored in 32.
fn short<T: TryFrom<i32> + Into<i64>>(role: Role, value: i32) -> Result<u64, Message> {
    let bits = 8 * size_of::<T>();
    let value = T::try_from(value).map_err(|_| {
        Message::from(format!("{value} is longer than the {bits} bits that the schema gives it"))
    })?;
    role.signed(value.into())
}

impl Table for File<'_> {
    fn stored(&self) -> &Stored<'_> {
        &self.stored
    }

    fn called(&self) -> &'static str {
        "Parquet"
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn rows(&self) -> &[u64] {
        &self.rows
    }

    fn reader(&self, part: usize, column: usize, role: Role) -> Result<Box<dyn Reader + '_>> {
        let group = self.metadata.row_group(part);
        let chunk = group.column(column);
        let damaged = |why: &str| Err(self.stored.damaged(why));
        if self.encrypted.contains(&column) {
            let name = &self.columns[column].name;
            return Err(encrypted(&self.stored, &format!("column `{name}`")));
        }
        if chunk.num_values() != group.num_rows() {
            return damaged("a column has another number of values than rows");
        }
        if chunk.file_path().is_some_and(|path| !path.is_empty()) {
            return Err(super::super::input::error(
                self.stored.name(),
                "the columns are in other files, which is not read: give the files that hold them",
            ));
        }
        let codec = match chunk.compression() {
            Compression::UNCOMPRESSED => None,
            Compression::SNAPPY => Some(Codec::Snappy),
            Compression::GZIP(_) => Some(Codec::Gzip),
            Compression::BROTLI(_) => Some(Codec::Brotli),
            Compression::LZ4 => Some(Codec::HadoopLz4),
            Compression::LZ4_RAW => Some(Codec::Lz4),
            Compression::ZSTD(_) => Some(Codec::Zstd),
            other => {
                return Err(super::super::input::error(
                    self.stored.name(),
                    format!("pages compressed with {other} are not read: write the file with zstd"),
                ));
            }
        };
        // A dictionary at byte 0, where the file's first bytes are, is none.
        let dictionary = chunk.dictionary_page_offset().filter(|&offset| offset > 0);
        let from =
            dictionary.map_or(chunk.data_page_offset(), |at| at.min(chunk.data_page_offset()));
        let range = u64::try_from(from).ok().zip(u64::try_from(chunk.compressed_size()).ok());
        let range = range.and_then(|(from, len)| Some(from..from.checked_add(len)?));
        let Some(range) = range.filter(|range| range.end <= self.stored.len()) else {
            return damaged("a column is longer than the file");
        };
        let descriptor = chunk.column_descr_ptr();
        let shape = Shape::of(&descriptor);
        let pages = Pages::new(&self.stored, range, codec, shape, self.limit, self.pool.clone());
        let how = As::of(&descriptor);
        Ok(match (descriptor.physical_type(), role) {
            (Physical::INT64, Role::End) if !how.unsigned => {
                Box::new(Signed { decoded: Decoded::<Int64Type>::new(pages, descriptor, role) })
            }
            // What a short integer stores in 32 bits may be longer in a damaged file.
            (Physical::INT32, _) if how.bits == Some(8) => match how.unsigned {
                true => Typed::<Int32Type>::boxed(pages, descriptor, role, short::<u8>),
                false => Typed::<Int32Type>::boxed(pages, descriptor, role, short::<i8>),
            },
            (Physical::INT32, _) if how.bits == Some(16) => match how.unsigned {
                true => Typed::<Int32Type>::boxed(pages, descriptor, role, short::<u16>),
                false => Typed::<Int32Type>::boxed(pages, descriptor, role, short::<i16>),
            },
            (Physical::INT32, _) if how.unsigned => {
                Typed::<Int32Type>::boxed(pages, descriptor, role, |role, value| {
                    role.unsigned(u64::from(value as u32))
                })
            }
            (Physical::INT32, _) => {
                Typed::<Int32Type>::boxed(pages, descriptor, role, |role, value| {
                    role.signed(i64::from(value))
                })
            }
            (Physical::INT64, _) if how.unsigned => {
                Typed::<Int64Type>::boxed(pages, descriptor, role, |role, value| {
                    role.unsigned(value as u64)
                })
            }
            (Physical::INT64, _) => {
                Typed::<Int64Type>::boxed(pages, descriptor, role, Role::signed)
            }
            (Physical::FLOAT, _) => {
                Typed::<FloatType>::boxed(pages, descriptor, role, |role, value| {
                    role.float(f64::from(value))
                })
            }
            (Physical::DOUBLE, _) => {
                Typed::<DoubleType>::boxed(pages, descriptor, role, Role::float)
            }
            (Physical::BYTE_ARRAY, _) => {
                let decoded = Decoded::<ByteArrayType>::new(pages, descriptor, role);
                Box::new(Bytes { decoded, decimal: how.decimal })
            }
            (Physical::FIXED_LEN_BYTE_ARRAY, _) => {
                let decoded = Decoded::<FixedLenByteArrayType>::new(pages, descriptor, role);
                Box::new(Fixed { decoded, how })
            }
            _ => return damaged("a column has another type than the schema says"),
        })
    }
}

/// Runs the parquet crate on bytes that may be anything. It answers many damaged files with an error, and
/// panics on some.
fn contained<T>(
    run: impl FnOnce() -> parquet::errors::Result<T>,
) -> std::result::Result<T, String> {
    match contain::contained(run) {
        Some(result) => result.map_err(|error| {
            // One line, whatever stands in it.
            let text = error.to_string();
            super::super::input::excerpt(text.as_bytes()).trim_matches('`').to_owned()
        }),
        None => Err("its values cannot be decoded".into()),
    }
}

/// Pages on their way to the parquet crate, which takes them from here.
#[derive(Clone, Default)]
struct Queue(Arc<Mutex<VecDeque<Page>>>);

impl Queue {
    fn push(&self, page: Page) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(page);
    }
}

impl Iterator for Queue {
    type Item = parquet::errors::Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Queue {
    fn get_next_page(&mut self) -> parquet::errors::Result<Option<Page>> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front())
    }

    fn peek_next_page(&mut self) -> parquet::errors::Result<Option<PageMetadata>> {
        Ok(None)
    }

    fn skip_next_page(&mut self) -> parquet::errors::Result<()> {
        Ok(())
    }
}

/// A column chunk while it is decoded.
struct Decoded<'a, T: DataType> {
    pages: Pages<'a>,
    queue: Queue,
    reader: ColumnReaderImpl<T>,
    max_definition: i16,
    role: Role,
    /// Rows that were decoded.
    row: u64,
    values: Vec<T::T>,
    definitions: Vec<i16>,
}

impl<'a, T: DataType> Decoded<'a, T> {
    fn new(pages: Pages<'a>, descriptor: ColumnDescPtr, role: Role) -> Decoded<'a, T> {
        let queue = Queue::default();
        let max_definition = descriptor.max_def_level();
        let reader = ColumnReaderImpl::new(descriptor, Box::new(queue.clone()));
        let (values, definitions) = (Vec::new(), Vec::new());
        Decoded { pages, queue, reader, max_definition, role, row: 0, values, definitions }
    }

    /// Decodes up to `most` rows to `values`. Returns the place of the first that is missing.
    fn decode(&mut self, most: usize) -> Result<Option<usize>, Fault> {
        self.values.clear();
        self.definitions.clear();
        self.pages.begin();
        let mut rows = 0;
        while rows < most {
            let few = self.pages.most_at_a_time();
            let wanted = (most - rows).min(few);
            let Decoded { reader, definitions, values, .. } = self;
            let levels = (self.max_definition > 0).then_some(definitions);
            let read = contained(|| reader.read_records(wanted, levels, None, values));
            let (records, _, _) = read.map_err(|why| self.pages.damaged(&why))?;
            rows += records;
            // Values may share the bytes of their pages.
            if rows > 0 && (rows >= few || self.pages.have_many_bytes()) {
                break;
            }
            if records < wanted {
                match self.pages.next()? {
                    Some(page) => self.queue.push(page),
                    None if records == 0 => break,
                    None => {}
                }
            }
        }
        if self.values.len() == rows {
            return match self.pages.is_short() {
                true => Err(self.pages.damaged("a page does not hold what it announces").into()),
                false => Ok(None),
            };
        }
        let missing = self.definitions.iter().position(|&level| level < self.max_definition);
        if missing.is_none() {
            return Err(self
                .pages
                .damaged("a column has another number of values than rows")
                .into());
        }
        Ok(missing)
    }

    /// Turns the decoded values into ids, one by one.
    fn convert(
        &mut self,
        missing: Option<usize>,
        mut convert: impl FnMut(&T::T) -> Result<(), Message>,
    ) -> Result<(), Fault> {
        let fault = |place: usize, message| Err(Fault::Value(self.row + place as u64, message));
        for (place, value) in self.values.iter().take(missing.unwrap_or(usize::MAX)).enumerate() {
            if let Err(message) = convert(value) {
                return fault(place, message);
            }
        }
        if let Some(place) = missing {
            return fault(place, self.role.missing());
        }
        self.row += self.values.len() as u64;
        Ok(())
    }
}

/// A column of numbers.
struct Typed<'a, T: DataType> {
    decoded: Decoded<'a, T>,
    convert: fn(Role, T::T) -> Result<u64, Message>,
}

impl<'a, T: DataType> Typed<'a, T>
where
    T::T: Copy,
{
    fn boxed(
        pages: Pages<'a>,
        descriptor: ColumnDescPtr,
        role: Role,
        convert: fn(Role, T::T) -> Result<u64, Message>,
    ) -> Box<dyn Reader + 'a> {
        Box::new(Typed { decoded: Decoded::<T>::new(pages, descriptor, role), convert })
    }
}

impl<T: DataType> Reader for Typed<'_, T>
where
    T::T: Copy,
{
    fn next(&mut self, most: usize, used: Values) -> Result<Values, Fault> {
        let missing = self.decoded.decode(most)?;
        let mut numbers = used.into_numbers();
        numbers.clear();
        numbers.reserve(self.decoded.values.len());
        let (convert, role) = (self.convert, self.decoded.role);
        self.decoded.convert(missing, |&value| {
            numbers.push(convert(role, value)?);
            Ok(())
        })?;
        Ok(Values::Numbers(numbers))
    }
}

/// A column of signed integers of 64 bits, as most files have: its memory becomes the ids'.
struct Signed<'a> {
    decoded: Decoded<'a, Int64Type>,
}

impl Reader for Signed<'_> {
    fn next(&mut self, most: usize, used: Values) -> Result<Values, Fault> {
        self.decoded.values = bytemuck::allocation::cast_vec(used.into_numbers());
        let missing = self.decoded.decode(most)?;
        // The sign of all together, without a question for each.
        let signs = self.decoded.values.iter().fold(0, |signs, &value| signs | value);
        if missing.is_some() || signs < 0 {
            self.decoded.convert(missing, |&value| values::of_signed(value).map(drop))?;
        }
        self.decoded.row += self.decoded.values.len() as u64;
        let values = std::mem::take(&mut self.decoded.values);
        Ok(Values::Numbers(bytemuck::allocation::cast_vec(values)))
    }
}

/// A column of texts, or of decimals.
struct Bytes<'a> {
    decoded: Decoded<'a, ByteArrayType>,
    decimal: bool,
}

impl Reader for Bytes<'_> {
    fn next(&mut self, most: usize, _: Values) -> Result<Values, Fault> {
        let missing = self.decoded.decode(most)?;
        let role = self.decoded.role;
        if self.decimal {
            let mut numbers = Vec::with_capacity(self.decoded.values.len());
            self.decoded.convert(missing, |value| {
                numbers.push(decimal(value.data(), role)?);
                Ok(())
            })?;
            return Ok(Values::Numbers(numbers));
        }
        self.decoded.convert(missing, |_| Ok(()))?;
        Ok(Values::Shared(std::mem::take(&mut self.decoded.values)))
    }
}

/// A column of binary of one length: decimals, UUIDs and hashes.
struct Fixed<'a> {
    decoded: Decoded<'a, FixedLenByteArrayType>,
    how: As,
}

impl Reader for Fixed<'_> {
    fn next(&mut self, most: usize, _: Values) -> Result<Values, Fault> {
        let missing = self.decoded.decode(most)?;
        let As { decimal: is_decimal, uuid, .. } = self.how;
        let role = self.decoded.role;
        let (mut numbers, mut texts) = (Vec::new(), Texts::default());
        self.decoded.convert(missing, |value| {
            match is_decimal {
                true => numbers.push(decimal(value.data(), role)?),
                false => values::push_binary(&mut texts, value.data(), uuid),
            }
            Ok(())
        })?;
        Ok(if is_decimal { Values::Numbers(numbers) } else { Values::Texts(texts) })
    }
}

/// A decimal: an integer whose most significant byte comes first.
fn decimal(bytes: &[u8], role: Role) -> Result<u64, Message> {
    let negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
    let sign = if negative { 0xff } else { 0 };
    let (high, low) = bytes.split_at(bytes.len().saturating_sub(16));
    if high.iter().any(|&byte| byte != sign) {
        return Err(match role {
            Role::End => "the vertex id is too large (ids go up to 2^64-1)".into(),
            Role::Weight => "the weight has more than 128 bits".into(),
        });
    }
    let start = if negative { -1i128 } else { 0 };
    role.large(low.iter().fold(start, |value, &byte| value << 8 | i128::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_integers() {
        assert_eq!(decimal(&[1, 0], Role::End).unwrap(), 256);
        assert_eq!(decimal(&[0; 20], Role::End).unwrap(), 0);
        assert_eq!(
            decimal(&[0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], Role::End).unwrap(),
            u64::MAX
        );
        let weight = |bytes: &[u8]| f64::from_bits(decimal(bytes, Role::Weight).unwrap());
        assert_eq!((weight(&[1, 0]), weight(&[0xff, 0xfe])), (256.0, -2.0));
        assert!(
            decimal(&[0xff, 0xfe], Role::End).unwrap_err().to_string().contains("-2 is negative")
        );
        assert!(decimal(&[1, 0, 0, 0, 0, 0, 0, 0, 0], Role::End).is_err());
        assert!(decimal(&[1; 20], Role::End).is_err());
    }
}
