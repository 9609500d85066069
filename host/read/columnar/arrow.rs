//! Arrow's IPC format, by the crate `arrow-ipc`: files, of which Feather's version 2 is one, and streams.
//!
//! Messages are found here, so that batches can be decoded side by side and of each the buffers of one column alone are
//! read.
//!
//! Format: Apache Arrow, "Arrow Columnar Format" and "Serialization and Interprocess Communication".

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use arrow_array::ArrayRef;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{
    Endianness, MessageHeader, MetadataVersion, RecordBatch, root_as_footer, root_as_message,
};
use arrow_schema::{DataType, SchemaRef, UnionMode};

use super::super::memory;
use super::{Arrays, Column, Stored, Table, batches, contained, input, slices};
use crate::{Hint, Message, Result};

/// An Arrow file or stream.
pub(super) struct File<'a> {
    stored: Stored<'a>,
    called: &'static str,
    schema: SchemaRef,
    version: MetadataVersion,
    columns: Vec<Column>,
    batches: Vec<Block>,
    rows: Vec<u64>,
    dictionaries: Vec<Dictionary>,
    /// Dictionaries that were decoded, by their ids and the place of their last message.
    decoded: Mutex<HashMap<(i64, usize), ArrayRef>>,
    limit: u64,
}

/// A message: its head, a flatbuffer, and where its body is.
struct Block {
    head: Vec<u8>,
    body: Range<u64>,
    /// Messages of dictionaries that came before.
    before: usize,
}

/// A batch of values of a dictionary.
struct Dictionary {
    id: i64,
    /// Whether its values follow those of the one before.
    follows: bool,
    block: Block,
}

const MAGIC: &[u8] = b"ARROW1";

/// Stands before the length of a message's head in files since 2019.
const MARK: u64 = u32::MAX as u64;

impl<'a> File<'a> {
    pub(super) fn open(stored: Stored<'a>, limit: u64) -> Result<File<'a>> {
        let mut file = File {
            called: "Arrow stream",
            stored,
            schema: SchemaRef::new(arrow_schema::Schema::empty()),
            version: MetadataVersion::V5,
            columns: Vec::new(),
            batches: Vec::new(),
            rows: Vec::new(),
            dictionaries: Vec::new(),
            decoded: Mutex::default(),
            limit,
        };
        // Two bytes follow that fill the mark up, and that say nothing.
        let is_file = file.stored.len() >= 8 && file.stored.read(0, 8)?.starts_with(MAGIC);
        match is_file {
            true => file.read_footer()?,
            false => file.read_stream()?,
        }
        if file.columns.is_empty() {
            return Err(file.damaged("it has no schema, or one without columns"));
        }
        Ok(file)
    }

    fn damaged(&self, why: &str) -> crate::Error {
        self.stored.damaged(why)
    }

    /// Finds the messages of a file by its footer.
    fn read_footer(&mut self) -> Result<()> {
        self.called = "Arrow";
        let len = self.stored.len();
        if len < 8 + 10 {
            return Err(self.damaged("it has no footer"));
        }
        if self.stored.read(len - 6, 6)? != MAGIC {
            return Err(self.damaged("it does not end with `ARROW1`"));
        }
        let footer = self.stored.number(len - 10)?;
        if footer > len - 18 {
            return Err(self.damaged("its footer is longer than the file"));
        }
        let footer = self.stored.read(len - 10 - footer, footer)?;
        let Ok(footer) = root_as_footer(&footer) else {
            return Err(self.damaged("its footer is malformed"));
        };
        let Some(schema) = footer.schema() else {
            return Err(self.damaged("its footer has no schema"));
        };
        self.read_schema(schema, footer.version())?;
        // Heads of their own: many blocks that lead to one would take more memory than the file.
        let mut left = len;
        for block in footer.dictionaries().into_iter().chain(footer.recordBatches()).flatten() {
            let sizes = [block.offset(), block.metaDataLength().into(), block.bodyLength()];
            let [Ok(at), Ok(head), Ok(body)] = sizes.map(u64::try_from) else {
                return Err(self.damaged("its footer leads to less than the beginning"));
            };
            left = match left.checked_sub(head) {
                Some(left) => left,
                None => return Err(self.damaged("its messages overlap")),
            };
            // The head's length stands before it, behind a mark in newer files.
            let mut start = at;
            if self.stored.number(at)? == MARK {
                start += 4;
            }
            // The body begins behind it: two lengths would be two bodies.
            let length = self.stored.number(start)?;
            start += 4;
            if start + length != at + head {
                return Err(
                    self.damaged("its footer and a message differ in the length of its head")
                );
            }
            let message = self.stored.read(start, length)?;
            self.message(message, at + head..(at + head).saturating_add(body))?;
        }
        Ok(())
    }

    /// Finds the messages of a stream one after the other.
    fn read_stream(&mut self) -> Result<()> {
        let mut at = 0;
        while at + 4 <= self.stored.len() {
            let mut head = self.stored.number(at)?;
            at += 4;
            if head == MARK {
                head = self.stored.number(at)?;
                at += 4;
            }
            if head == 0 {
                return Ok(());
            }
            let bytes = self.stored.read(at, head)?;
            at += head;
            let Ok(message) = root_as_message(&bytes) else {
                return Err(self.damaged("a message's head is malformed"));
            };
            let Ok(body) = u64::try_from(message.bodyLength()) else {
                return Err(self.damaged("a message has less than no bytes"));
            };
            let end = at.saturating_add(body);
            match message.header_as_schema() {
                Some(schema) => self.read_schema(schema, message.version())?,
                None => self.message(bytes, at..end)?,
            }
            at = end;
        }
        Ok(())
    }

    fn read_schema(&mut self, schema: arrow_ipc::Schema, version: MetadataVersion) -> Result<()> {
        if schema.endianness() != Endianness::Little {
            return Err(input::error(
                self.stored.name(),
                "the Arrow file is big-endian, which is not read: write it on another machine",
            ));
        }
        let schema = contained(|| try_fb_to_schema(schema)).map_err(|why| self.damaged(&why))?;
        self.columns = schema.fields().iter().map(|field| batches::column(field)).collect();
        (self.schema, self.version) = (schema.into(), version);
        Ok(())
    }

    /// Takes in a message: a record batch, or a part of a dictionary.
    fn message(&mut self, head: Vec<u8>, body: Range<u64>) -> Result<()> {
        if body.end > self.stored.len() {
            return Err(self.damaged("a message is longer than the file"));
        }
        let Ok(message) = root_as_message(&head) else {
            return Err(self.damaged("a message's head is malformed"));
        };
        let before = self.dictionaries.len();
        match message.header_type() {
            MessageHeader::RecordBatch => {
                let Some(batch) = message.header_as_record_batch() else {
                    return Err(self.damaged("a record batch is malformed"));
                };
                let Ok(rows) = u64::try_from(batch.length()) else {
                    return Err(self.damaged("a record batch has less than no rows"));
                };
                // Also of a batch without rows, whose columns nobody will ask for.
                let nodes = batch.nodes().filter(|nodes| nodes.len() >= self.columns.len().max(1));
                if nodes.is_none_or(|nodes| nodes.get(0).length() != batch.length()) {
                    return Err(self.damaged("a record batch and its columns differ in their rows"));
                }
                self.batches.push(Block { head, body, before });
                self.rows.push(rows);
            }
            MessageHeader::DictionaryBatch => {
                let Some(batch) = message.header_as_dictionary_batch() else {
                    return Err(self.damaged("a dictionary is malformed"));
                };
                let (id, follows) = (batch.id(), batch.isDelta());
                let block = Block { head, body, before };
                self.dictionaries.push(Dictionary { id, follows, block });
            }
            _ => {}
        }
        Ok(())
    }

    /// The body of a message, of which the buffers from `first` on are read, `count` of them; the others stay zeros.
    fn body(&self, block: &Block, batch: RecordBatch, buffers: Range<usize>) -> Result<Vec<u8>> {
        let malformed = || self.damaged("a record batch is malformed");
        let all = batch.buffers().ok_or_else(malformed)?;
        let len = usize::try_from(block.body.end - block.body.start).map_err(|_| malformed())?;
        let mut body: Vec<u8> =
            memory::zeroed(len).map_err(|refused| input::no_memory(self.stored.name(), refused))?;
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
            self.stored.read_into(block.body.start + range.start as u64, into)?;
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
            return Err(input::error(self.stored.name(), message));
        }
        Ok(body)
    }

    /// A column of a record batch.
    fn array(&self, block: &Block, column: usize) -> Result<ArrayRef> {
        let malformed = || self.damaged("a record batch is malformed");
        let message = root_as_message(&block.head).map_err(|_| malformed())?;
        let batch = message.header_as_record_batch().ok_or_else(malformed)?;
        let mut views = batch.variadicBufferCounts().into_iter().flatten();
        let mut count =
            |place: usize| buffers(self.schema.field(place).data_type(), self.version, &mut views);
        let before = (0..column).try_fold(0usize, |all, place| all.checked_add(count(place)?));
        let own = before.zip(count(column));
        let range = own.and_then(|(from, count)| Some(from..from.checked_add(count)?));
        let body = self.body(block, batch, range.ok_or_else(malformed)?)?;
        let dictionaries = self.dictionary(column, block.before)?;
        let array = contained(|| {
            let (schema, only) = (self.schema.clone(), Some(&[column][..]));
            let batch =
                read_record_batch(&body.into(), batch, schema, &dictionaries, only, &self.version)?;
            Ok::<_, arrow_schema::ArrowError>(batch.column(0).clone())
        });
        array.map_err(|why| self.damaged(&why))
    }

    /// The dictionary of a column, if it has one, as it is after the first `before` messages of dictionaries.
    fn dictionary(&self, column: usize, before: usize) -> Result<HashMap<i64, ArrayRef>> {
        #[expect(deprecated, reason = "nothing else names a field's dictionary")]
        let Some(id) = self.schema.field(column).dict_id() else { return Ok(HashMap::new()) };
        let own = |&(_, dictionary): &(usize, &Dictionary)| dictionary.id == id;
        let parts = || self.dictionaries[..before].iter().enumerate().filter(own);
        let first = parts().rfind(|(_, dictionary)| !dictionary.follows);
        let (Some((first, _)), Some((last, _))) = (first, parts().next_back()) else {
            return Err(self.damaged("a column's dictionary is not there"));
        };
        // Held while it is decoded: others would decode the same.
        let mut decoded = self.decoded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entries) = decoded.get(&(id, last)) {
            return Ok(HashMap::from([(id, entries.clone())]));
        }
        let mut entries = HashMap::new();
        for (_, part) in parts().skip_while(|&(place, _)| place < first) {
            let malformed = || self.damaged("a dictionary is malformed");
            let message = root_as_message(&part.block.head).map_err(|_| malformed())?;
            let batch = message.header_as_dictionary_batch().ok_or_else(malformed)?;
            let data = batch.data().ok_or_else(malformed)?;
            let buffers = data.buffers().map_or(0, |buffers| buffers.len());
            let body = self.body(&part.block, data, 0..buffers)?.into();
            contained(|| read_dictionary(&body, batch, &self.schema, &mut entries, &self.version))
                .map_err(|why| self.damaged(&why))?;
        }
        let all = entries.get(&id).ok_or_else(|| self.damaged("a dictionary is malformed"))?;
        decoded.insert((id, last), all.clone());
        Ok(entries)
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
    fn stored(&self) -> &Stored<'_> {
        &self.stored
    }

    fn called(&self) -> &'static str {
        self.called
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn rows(&self) -> &[u64] {
        &self.rows
    }

    fn arrays(&self, part: usize, column: usize) -> Result<Arrays<'_>> {
        // Decoded when it is asked for, so that columns can be decoded side by side.
        let mut array = Some(move || self.array(&self.batches[part], column));
        let decoded = std::iter::from_fn(move || array.take()).flat_map(|decode| match decode() {
            Ok(array) => slices(array),
            Err(error) => Box::new(std::iter::once(Err(error.into()))),
        });
        Ok(Box::new(decoded))
    }
}
