//! Arrow's IPC format, by the crate `arrow-ipc`: files, of which Feather's version 2 is one, and streams.
//!
//! Messages are found here, so that batches can be decoded side by side.
//!
//! Format: Apache Arrow, "Arrow Columnar Format" and "Serialization and Interprocess Communication".

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{Endianness, MetadataVersion, RecordBatch, root_as_footer, root_as_message};
use arrow_schema::SchemaRef;

use super::super::open_file::OpenFile;
use super::{Arrays, ColumnarHead, ColumnarTable, batches, slices};
use crate::{Message, Result, hint};

/// An Arrow file or stream.
pub(super) struct ArrowFile<'a> {
    head: ColumnarHead<'a>,
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

impl<'a> ArrowFile<'a> {
    pub(super) fn open(input: &'a OpenFile<'_>) -> Result<ArrowFile<'a>> {
        let mut found = ArrowFile {
            head: ColumnarHead::of(&input.file, "Arrow stream"),
            schema: SchemaRef::new(arrow_schema::Schema::empty()),
            version: MetadataVersion::V5,
            batches: Vec::new(),
            dictionaries: Arc::default(),
            limit: input.limit,
        };
        // Two bytes follow that fill the mark up, and that say nothing.
        if input.file.len() >= 8 && found.head.read(0, 8)?.starts_with(MAGIC) {
            found.head.called = "Arrow";
            found.read_footer()?;
        } else {
            found.read_stream()?;
        }
        if found.head.columns.is_empty() {
            return Err(found.head.damaged("it has no schema, or one without columns"));
        }
        Ok(found)
    }

    /// Finds the messages of a file by its footer.
    fn read_footer(&mut self) -> Result<()> {
        let len = self.head.file.len();
        if len < 8 + 10 || self.head.read(len - 6, 6)? != MAGIC {
            return Err(self.head.damaged("it does not end with `ARROW1`"));
        }
        let footer = self.head.number(len - 10)?;
        if footer > len - 18 {
            return Err(self.head.damaged("its footer is longer than the file"));
        }
        let footer = self.head.read(len - 10 - footer, footer)?;
        let footer =
            root_as_footer(&footer).map_err(|_| self.head.damaged("its footer is malformed"))?;
        let schema =
            footer.schema().ok_or_else(|| self.head.damaged("its footer has no schema"))?;
        self.read_schema(schema, footer.version())?;
        // Heads of their own: many blocks that lead to one would take more memory than the file.
        let mut left = len;
        for block in footer.dictionaries().into_iter().chain(footer.recordBatches()).flatten() {
            let (bytes, end) = self.message_head(block.offset().cast_unsigned())?;
            let overlap = || self.head.damaged("its messages overlap");
            left = left.checked_sub(bytes.len() as u64).ok_or_else(overlap)?;
            self.message(&bytes, end..end.saturating_add(block.bodyLength().cast_unsigned()))?;
        }
        Ok(())
    }

    /// The head of the message at a place, and where it ends. Its length stands before it, behind a mark in newer files.
    fn message_head(&self, mut at: u64) -> Result<(Vec<u8>, u64)> {
        let mut length = self.head.number(at)?;
        at += 4;
        if length == MARK {
            length = self.head.number(at)?;
            at += 4;
        }
        Ok((self.head.read(at, length)?, at + length))
    }

    /// Finds the messages of a stream one after the other.
    fn read_stream(&mut self) -> Result<()> {
        let mut at = 0;
        while at + 4 <= self.head.file.len() {
            let (bytes, end) = self.message_head(at)?;
            if bytes.is_empty() {
                return Ok(());
            }
            let message = root_as_message(&bytes).map_err(|_| self.head.damaged(NO_HEAD))?;
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
            return Err(self.head.error(
                "the Arrow file is big-endian, which is not read: write it on another machine",
            ));
        }
        let schema = self.head.decoded(|| try_fb_to_schema(schema))?;
        self.head.columns = schema.fields().iter().map(|field| batches::column(field)).collect();
        (self.schema, self.version) = (schema.into(), version);
        Ok(())
    }

    /// Takes in a message: a record batch, or a part of a dictionary.
    fn message(&mut self, head: &[u8], body: Range<u64>) -> Result<()> {
        if body.end > self.head.file.len() {
            return Err(self.head.damaged("a message is longer than the file"));
        }
        let message = root_as_message(head).map_err(|_| self.head.damaged(NO_HEAD))?;
        if let Some(batch) = message.header_as_record_batch() {
            // Also of a batch without rows, whose columns nobody will ask for.
            let columns = self.head.columns.len().max(1);
            let nodes = batch.nodes().filter(|nodes| nodes.len() >= columns);
            let rows = nodes.map(|nodes| nodes.get(0).length());
            let rows = rows.filter(|&rows| rows == batch.length()).map(u64::try_from);
            let Some(Ok(rows)) = rows else {
                return Err(self
                    .head
                    .damaged("a record batch and its columns differ in their rows"));
            };
            let (head, dictionaries) = (head.to_vec(), self.dictionaries.clone());
            self.batches.push(Batch { head, body, dictionaries });
            self.head.rows.push(rows);
            return Ok(());
        }
        if let Some(batch) = message.header_as_dictionary_batch() {
            let data =
                batch.data().ok_or_else(|| self.head.damaged("a dictionary is malformed"))?;
            let body = self.body(&body, data)?.into();
            let (schema, dictionaries) = (&self.schema, Arc::make_mut(&mut self.dictionaries));
            self.head
                .decoded(|| read_dictionary(&body, batch, schema, dictionaries, &self.version))?;
        }
        Ok(())
    }

    /// The body of a message, whose buffers may be compressed.
    fn body(&self, at: &Range<u64>, batch: RecordBatch) -> Result<Vec<u8>> {
        let body = self.head.read(at.start, at.end - at.start)?;
        // A length stands before each buffer then; -1 says that it is not compressed.
        let buffers = batch.compression().and_then(|_| batch.buffers()).into_iter().flatten();
        let lengths = buffers.filter_map(|buffer| {
            let length = body.get(usize::try_from(buffer.offset()).ok()?..)?.first_chunk()?;
            u64::try_from(i64::from_le_bytes(*length)).ok()
        });
        let decompressed = lengths.fold(0, u64::saturating_add);
        if decompressed > self.limit {
            let message = format!(
                "the buffers of a record batch decompress to {decompressed} bytes, which is more than {}",
                self.limit
            );
            return Err(self
                .head
                .error(Message::from(message).with_hint(hint::DECOMPRESSED_LIMIT)));
        }
        Ok(body)
    }

    /// Some columns of a record batch.
    fn decoded(&self, own: &Batch, columns: &[usize]) -> Result<arrow_array::RecordBatch> {
        let message = root_as_message(&own.head).ok();
        let batch = message.and_then(|message| message.header_as_record_batch());
        let batch = batch.ok_or_else(|| self.head.damaged(NO_HEAD))?;
        let body = self.body(&own.body, batch)?.into();
        let (schema, dictionaries) = (self.schema.clone(), &own.dictionaries);
        self.head.decoded(|| {
            read_record_batch(&body, batch, schema, dictionaries, Some(columns), &self.version)
        })
    }
}

impl ColumnarTable for ArrowFile<'_> {
    fn head(&self) -> &ColumnarHead<'_> {
        &self.head
    }

    fn arrays(&self, part: usize, columns: &[usize]) -> Result<Arrays<'_>> {
        Ok(slices(self.decoded(&self.batches[part], columns)?))
    }
}
