//! Arrow's IPC format, by the crate `arrow-ipc`: files, of which Feather's version 2 is one, and streams.
//!
//! Messages are found here, so that batches can be decoded side by side and of each the buffers of one column alone are
//! read.
//!
//! Format: Apache Arrow, "Arrow Columnar Format" and "Serialization and Interprocess Communication".

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{Endianness, MetadataVersion, RecordBatch, root_as_footer, root_as_message};
use arrow_schema::{DataType, SchemaRef, UnionMode};

use super::super::memory;
use super::{Arrays, Head, Stored, Table, batches, contained, input, slices};
use crate::{Hint, Message, Result};

/// An Arrow file or stream.
pub(super) struct File<'a> {
    head: Head<'a>,
    schema: SchemaRef,
    version: MetadataVersion,
    batches: Vec<Batch>,
    /// The dictionaries as they are after the messages that came so far.
    dictionaries: Arc<HashMap<i64, ArrayRef>>,
    limit: u64,
}

/// A record batch: the head of its message, a flatbuffer, where its body is, and the dictionaries that it uses.
struct Batch {
    head: Vec<u8>,
    body: Range<u64>,
    dictionaries: Arc<HashMap<i64, ArrayRef>>,
}

const MAGIC: &[u8] = b"ARROW1";

const NO_HEAD: &str = "a message's head is malformed";

/// Stands before the length of a message's head in files since 2019.
const MARK: u64 = u32::MAX as u64;

impl<'a> File<'a> {
    pub(super) fn open(stored: Stored<'a>, limit: u64) -> Result<File<'a>> {
        let head = Head { stored, called: "Arrow stream", columns: Vec::new(), rows: Vec::new() };
        let mut file = File {
            head,
            schema: SchemaRef::new(arrow_schema::Schema::empty()),
            version: MetadataVersion::V5,
            batches: Vec::new(),
            dictionaries: Arc::default(),
            limit,
        };
        // Two bytes follow that fill the mark up, and that say nothing.
        let stored = &file.head.stored;
        if stored.len() >= 8 && stored.read(0, 8)?.starts_with(MAGIC) {
            file.head.called = "Arrow";
            file.read_footer()?;
        } else {
            file.read_stream()?;
        }
        if file.head.columns.is_empty() {
            return Err(file.damaged("it has no schema, or one without columns"));
        }
        Ok(file)
    }

    fn damaged(&self, why: &str) -> crate::Error {
        self.head.stored.damaged(why)
    }

    /// Finds the messages of a file by its footer.
    fn read_footer(&mut self) -> Result<()> {
        let stored = &self.head.stored;
        let len = stored.len();
        if len < 8 + 10 || stored.read(len - 6, 6)? != MAGIC {
            return Err(self.damaged("it does not end with `ARROW1`"));
        }
        let footer = stored.number(len - 10)?;
        if footer > len - 18 {
            return Err(self.damaged("its footer is longer than the file"));
        }
        let footer = stored.read(len - 10 - footer, footer)?;
        let footer =
            root_as_footer(&footer).map_err(|_| self.damaged("its footer is malformed"))?;
        let schema = footer.schema().ok_or_else(|| self.damaged("its footer has no schema"))?;
        self.read_schema(schema, footer.version())?;
        // Heads of their own: many blocks that lead to one would take more memory than the file.
        let mut left = len;
        for block in footer.dictionaries().into_iter().chain(footer.recordBatches()).flatten() {
            let (at, head) =
                (block.offset().cast_unsigned(), block.metaDataLength().cast_unsigned());
            let overlap = || self.damaged("its messages overlap");
            left = left.checked_sub(head.into()).ok_or_else(overlap)?;
            let (bytes, end) = self.message_head(at)?;
            // The body begins behind it: two lengths would be two bodies.
            if at + u64::from(head) != end {
                return Err(
                    self.damaged("its footer and a message differ in the length of its head")
                );
            }
            self.message(&bytes, end..end.saturating_add(block.bodyLength().cast_unsigned()))?;
        }
        Ok(())
    }

    /// The head of the message at a place, and where it ends. Its length stands before it, behind a mark in newer files.
    fn message_head(&self, mut at: u64) -> Result<(Vec<u8>, u64)> {
        let mut length = self.head.stored.number(at)?;
        at += 4;
        if length == MARK {
            length = self.head.stored.number(at)?;
            at += 4;
        }
        Ok((self.head.stored.read(at, length)?, at + length))
    }

    /// Finds the messages of a stream one after the other.
    fn read_stream(&mut self) -> Result<()> {
        let mut at = 0;
        while at + 4 <= self.head.stored.len() {
            let (bytes, end) = self.message_head(at)?;
            if bytes.is_empty() {
                return Ok(());
            }
            let message = root_as_message(&bytes).map_err(|_| self.damaged(NO_HEAD))?;
            at = end.saturating_add(message.bodyLength().cast_unsigned());
            match message.header_as_schema() {
                Some(schema) => self.read_schema(schema, message.version())?,
                None => self.message(&bytes, end..at)?,
            }
        }
        Ok(())
    }

    fn read_schema(&mut self, schema: arrow_ipc::Schema, version: MetadataVersion) -> Result<()> {
        if schema.endianness() != Endianness::Little {
            return Err(input::error(
                self.head.stored.name(),
                "the Arrow file is big-endian, which is not read: write it on another machine",
            ));
        }
        let schema = contained(|| try_fb_to_schema(schema)).map_err(|why| self.damaged(&why))?;
        self.head.columns = schema.fields().iter().map(|field| batches::column(field)).collect();
        (self.schema, self.version) = (schema.into(), version);
        Ok(())
    }

    /// Takes in a message: a record batch, or a part of a dictionary.
    fn message(&mut self, head: &[u8], body: Range<u64>) -> Result<()> {
        if body.end > self.head.stored.len() {
            return Err(self.damaged("a message is longer than the file"));
        }
        let message = root_as_message(head).map_err(|_| self.damaged(NO_HEAD))?;
        if let Some(batch) = message.header_as_record_batch() {
            // Also of a batch without rows, whose columns nobody will ask for.
            let columns = self.head.columns.len().max(1);
            let nodes = batch.nodes().filter(|nodes| nodes.len() >= columns);
            let rows = nodes.map(|nodes| nodes.get(0).length());
            let rows = rows.filter(|&rows| rows == batch.length()).map(u64::try_from);
            let Some(Ok(rows)) = rows else {
                return Err(self.damaged("a record batch and its columns differ in their rows"));
            };
            let (head, dictionaries) = (head.to_vec(), self.dictionaries.clone());
            self.batches.push(Batch { head, body, dictionaries });
            self.head.rows.push(rows);
            return Ok(());
        }
        if let Some(batch) = message.header_as_dictionary_batch() {
            let data = batch.data().ok_or_else(|| self.damaged("a dictionary is malformed"))?;
            let buffers = data.buffers().map_or(0, |buffers| buffers.len());
            let body = self.body(body, data, 0..buffers)?.into();
            let (schema, dictionaries) = (&self.schema, Arc::make_mut(&mut self.dictionaries));
            contained(|| read_dictionary(&body, batch, schema, dictionaries, &self.version))
                .map_err(|why| self.head.stored.damaged(&why))?;
        }
        Ok(())
    }

    /// The body of a message, of which some buffers are read; the others stay zeros.
    fn body(&self, at: Range<u64>, batch: RecordBatch, buffers: Range<usize>) -> Result<Vec<u8>> {
        let malformed = || self.damaged("a record batch is malformed");
        let all = batch.buffers().ok_or_else(malformed)?;
        let len = usize::try_from(at.end - at.start).map_err(|_| malformed())?;
        let mut body: Vec<u8> = memory::zeroed(len)
            .map_err(|refused| input::no_memory(self.head.stored.name(), refused))?;
        let mut decompressed = 0u64;
        for place in buffers {
            let buffer = Some(place).filter(|&place| place < all.len()).map(|place| all.get(place));
            let range = buffer.and_then(|buffer| {
                let at = usize::try_from(buffer.offset()).ok()?;
                Some(at..at.checked_add(usize::try_from(buffer.length()).ok()?)?)
            });
            let Some((range, into)) =
                range.and_then(|range| Some((range.clone(), body.get_mut(range)?)))
            else {
                return Err(self.damaged("a buffer is longer than its message"));
            };
            self.head.stored.read_into(at.start + range.start as u64, into)?;
            // The length before a buffer that is compressed; -1 says that it is not.
            if let (Some(_), Some(length)) = (batch.compression(), into.first_chunk()) {
                let length = u64::try_from(i64::from_le_bytes(*length)).unwrap_or(0);
                decompressed = decompressed.saturating_add(length);
            }
        }
        if decompressed > self.limit {
            let message = format!(
                "the buffers of a column decompress to {decompressed} bytes, which is more than {}",
                self.limit
            );
            let message = Message::from(message).with_hint(Hint::DecompressedLimit);
            return Err(input::error(self.head.stored.name(), message));
        }
        Ok(body)
    }

    /// A column of a record batch.
    fn array(&self, own: &Batch, column: usize) -> Result<ArrayRef> {
        let malformed = || self.damaged("a record batch is malformed");
        let message = root_as_message(&own.head).map_err(|_| malformed())?;
        let batch = message.header_as_record_batch().ok_or_else(malformed)?;
        let mut views = batch.variadicBufferCounts().into_iter().flatten();
        let mut count =
            |place: usize| buffers(self.schema.field(place).data_type(), self.version, &mut views);
        let before = (0..column).try_fold(0usize, |all, place| all.checked_add(count(place)?));
        let buffers = before.zip(count(column));
        let range = buffers.and_then(|(from, count)| Some(from..from.checked_add(count)?));
        let body = self.body(own.body.clone(), batch, range.ok_or_else(malformed)?)?;
        let array = contained(|| {
            let (schema, only) = (self.schema.clone(), Some(&[column][..]));
            let batch = read_record_batch(
                &body.into(),
                batch,
                schema,
                &own.dictionaries,
                only,
                &self.version,
            )?;
            Ok::<_, arrow_schema::ArrowError>(batch.column(0).clone())
        });
        array.map_err(|why| self.damaged(&why))
    }
}

/// The number of buffers that a message has for a column of a type; `views` has the numbers of those that vary. As the
/// crate `arrow-ipc` counts them where it passes a column.
fn buffers(
    data: &DataType,
    version: MetadataVersion,
    views: &mut dyn Iterator<Item = i64>,
) -> Option<usize> {
    let (own, within): (usize, Vec<&DataType>) = match data {
        DataType::Null => (0, vec![]),
        DataType::Utf8 | DataType::Binary | DataType::LargeUtf8 | DataType::LargeBinary => {
            (3, vec![])
        }
        DataType::Utf8View | DataType::BinaryView => {
            (usize::try_from(views.next()?).ok()?.checked_add(2)?, vec![])
        }
        DataType::List(field) | DataType::LargeList(field) | DataType::Map(field, _) => {
            (2, vec![field.data_type()])
        }
        DataType::ListView(field) | DataType::LargeListView(field) => (3, vec![field.data_type()]),
        DataType::FixedSizeList(field, _) => (1, vec![field.data_type()]),
        DataType::Struct(fields) => (1, fields.iter().map(|field| field.data_type()).collect()),
        DataType::RunEndEncoded(ends, values) => (0, vec![ends.data_type(), values.data_type()]),
        DataType::Union(fields, mode) => {
            let own = [version < MetadataVersion::V5, *mode == UnionMode::Dense].map(usize::from);
            let within = fields.iter().map(|(_, field)| field.data_type()).collect();
            (1 + own[0] + own[1], within)
        }
        _ => (2, vec![]),
    };
    let mut within = within.into_iter();
    within.try_fold(own, |all, data| all.checked_add(buffers(data, version, views)?))
}

impl Table for File<'_> {
    fn head(&self) -> &Head<'_> {
        &self.head
    }

    fn arrays(&self, part: usize, column: usize) -> Result<Arrays<'_>> {
        // Decoded when it is asked for, so that columns can be decoded side by side.
        let array = std::iter::once_with(move || self.array(&self.batches[part], column));
        Ok(Box::new(array.flat_map(|decoded| match decoded {
            Ok(array) => slices(array),
            Err(error) => Box::new(std::iter::once(Err(error.into()))),
        })))
    }
}
