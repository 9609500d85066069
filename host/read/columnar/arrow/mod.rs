//! Arrow's IPC format: files, of which Feather's version 2 is one, and streams.
//!
//! The messages' heads are flatbuffers, which the arrow-ipc crate verifies. The buffers of the two columns are
//! looked up and decoded here, so that nothing is allocated that a head merely announces.
//!
//! Format: Apache Arrow, "Arrow Columnar Format" and "Serialization and Interprocess Communication".

mod decode;
mod schema;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_ipc::{
    BodyCompression, CompressionType, Endianness, Message, MessageHeader, RecordBatch,
    root_as_footer, root_as_message,
};

use self::decode::{Array, Buffers, Entries};
use self::schema::{Field, Node};
use super::codec::{self, Codec, Refused};
use super::values::{Role, Values};
use super::{Column, Fault, Reader, Stored, Table};
use crate::Result;

/// An Arrow file or stream.
pub(super) struct File<'a> {
    stored: Stored<'a>,
    called: &'static str,
    fields: Vec<Field>,
    columns: Vec<Column>,
    batches: Vec<Block>,
    rows: Vec<u64>,
    dictionaries: Vec<Dictionary>,
    decoded: Mutex<HashMap<(i64, usize, Role), Arc<Entries>>>,
    limit: u64,
}

/// A message: its head, a flatbuffer, and where its body is.
struct Block {
    head: Vec<u8>,
    body: Range<u64>,
    /// Dictionaries that came before.
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

impl<'a> File<'a> {
    pub(super) fn open(stored: Stored<'a>, limit: u64) -> Result<File<'a>> {
        let mut file = File {
            called: "Arrow stream",
            stored,
            fields: Vec::new(),
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
        if file.fields.is_empty() {
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
        let end = self.stored.read(len - 10, 10)?;
        if end[4..] != *MAGIC {
            return Err(self.damaged("it does not end with `ARROW1`"));
        }
        let footer = u64::from(u32::from_le_bytes([end[0], end[1], end[2], end[3]]));
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
        self.read_schema(schema)?;
        let lists = footer.dictionaries().into_iter().chain(footer.recordBatches());
        let blocks: Vec<(i64, i32, i64)> = lists
            .flat_map(|blocks| blocks.iter())
            .map(|block| (block.offset(), block.metaDataLength(), block.bodyLength()))
            .collect();
        // Heads of their own: many blocks that lead to one would take more memory than the file.
        let mut left = len;
        for (offset, head, body) in blocks {
            let at = u64::try_from(offset).ok().zip(u64::try_from(head).ok());
            let Some(((at, head), body)) = at.zip(u64::try_from(body).ok()) else {
                return Err(self.damaged("its footer leads to less than the beginning"));
            };
            left = match left.checked_sub(head) {
                Some(left) => left,
                None => return Err(self.damaged("its messages overlap")),
            };
            // The head's length stands before it, behind a mark in newer files.
            let bytes = self.stored.read(at, head)?;
            let skipped = if bytes.starts_with(&[0xff; 4]) { 8 } else { 4 };
            let (Some(length), Some(message)) =
                (bytes.get(skipped - 4..skipped), bytes.get(skipped..))
            else {
                return Err(self.damaged("a message has no head"));
            };
            // The body begins behind it: two lengths would be two bodies.
            if length != (message.len() as u32).to_le_bytes() {
                return Err(
                    self.damaged("its footer and a message differ in the length of its head")
                );
            }
            self.message(message.to_vec(), at + head..(at + head).saturating_add(body))?;
        }
        Ok(())
    }

    /// Finds the messages of a stream one after the other.
    fn read_stream(&mut self) -> Result<()> {
        let len = self.stored.len();
        let mut at = 0;
        while at + 4 <= len {
            let number =
                |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            let mut head = number(&self.stored.read(at, 4)?);
            at += 4;
            if head == u32::MAX {
                if at + 4 > len {
                    return Err(self.damaged("it ends in a message"));
                }
                head = number(&self.stored.read(at, 4)?);
                at += 4;
            }
            if head == 0 {
                return Ok(());
            }
            let bytes = self.stored.read(at, u64::from(head))?.into_owned();
            at += u64::from(head);
            let Ok(message) = root_as_message(&bytes) else {
                return Err(self.damaged("a message's head is malformed"));
            };
            let Ok(body) = u64::try_from(message.bodyLength()) else {
                return Err(self.damaged("a message has less than no bytes"));
            };
            if let Some(schema) = message.header_as_schema() {
                self.read_schema(schema)?;
                at = at.saturating_add(body);
                continue;
            }
            let end = at.saturating_add(body);
            self.message(bytes, at..end)?;
            at = end;
        }
        Ok(())
    }

    fn read_schema(&mut self, schema: arrow_ipc::Schema) -> Result<()> {
        if schema.endianness() != Endianness::Little {
            return Err(super::super::input::error(
                self.stored.name(),
                "the Arrow file is big-endian, which is not read: write it on another machine",
            ));
        }
        self.fields = schema::fields(schema);
        self.columns = self.fields.iter().map(Field::column).collect();
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
                let whole = |field: &Field| {
                    let nodes = batch.nodes().filter(|nodes| field.node.node < nodes.len());
                    nodes.is_some_and(|nodes| nodes.get(field.node.node).length() == batch.length())
                };
                if !self.fields.iter().all(whole) {
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

    /// Decodes the array that a message has for a node of the schema.
    fn array(
        &self,
        block: &Block,
        is_dictionary: bool,
        (node, role): (&Node, Role),
    ) -> Result<Array> {
        let malformed = || self.damaged("a record batch is malformed");
        let message = root_as_message(&block.head).map_err(|_| malformed())?;
        let batch = batch(&message, is_dictionary).ok_or_else(malformed)?;
        let codec = codec(batch.compression()).map_err(|why| self.damaged(why))?;
        let about =
            batch.nodes().filter(|nodes| node.node < nodes.len()).map(|nodes| nodes.get(node.node));
        let about = about.ok_or_else(malformed)?;
        let rows = usize::try_from(about.length()).map_err(|_| malformed())?;
        // Buffers of views vary in number: those of columns before are counted.
        let counts: Vec<i64> = batch.variadicBufferCounts().iter().flat_map(|c| c.iter()).collect();
        let varying = |range: Range<usize>| -> Option<usize> {
            let counts = counts.get(range)?;
            counts.iter().try_fold(0usize, |all, &n| all.checked_add(usize::try_from(n).ok()?))
        };
        let before = varying(0..node.views).ok_or_else(malformed)?;
        let own = match node.layout == schema::Layout::Views {
            true => varying(node.views..node.views + 1).ok_or_else(malformed)?,
            false => 0,
        };
        let first = node.buffer.checked_add(before).ok_or_else(malformed)?;
        let load = |place: usize| -> Result<Vec<u8>> {
            let buffers = batch.buffers().filter(|buffers| first + place < buffers.len());
            let buffer = buffers.ok_or_else(malformed)?.get(first + place);
            let place =
                u64::try_from(buffer.offset()).ok().zip(u64::try_from(buffer.length()).ok());
            let (at, len) = place.ok_or_else(malformed)?;
            let at = block.body.start.checked_add(at).ok_or_else(malformed)?;
            if at.checked_add(len).is_none_or(|end| end > block.body.end) {
                return Err(self.damaged("a buffer is longer than its message"));
            }
            let bytes = self.stored.read(at, len)?;
            match codec {
                Some(codec) if !bytes.is_empty() => self.decompress(codec, &bytes),
                _ => Ok(bytes.into_owned()),
            }
        };
        let has_missing = about.null_count() != 0;
        let buffers = Buffers { load: &load, views: own, has_missing };
        Array::decode((node.layout, role), rows, &buffers)?
            .ok_or_else(|| self.damaged("a column's buffers do not hold its rows"))
    }

    /// Decompresses a buffer, whose length stands before it; -1 says that it is not compressed.
    fn decompress(&self, codec: Codec, bytes: &[u8]) -> Result<Vec<u8>> {
        let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
            return Err(self.damaged("a compressed buffer has no length"));
        };
        let length = i64::from_le_bytes(*length);
        if length == -1 {
            return Ok(rest.to_vec());
        }
        let Some(length) = usize::try_from(length).ok() else {
            return Err(self.damaged("a buffer has less than no bytes"));
        };
        if length as u64 > self.limit {
            let message = format!(
                "a buffer decompresses to {length} bytes, which is more than {}",
                self.limit
            );
            let message = crate::Message::from(message).with_hint(crate::Hint::DecompressedLimit);
            return Err(super::super::input::error(self.stored.name(), message));
        }
        if length == 0 {
            return Ok(Vec::new());
        }
        codec::decompress(codec, rest, length, Vec::new()).map_err(|refused| match refused {
            Refused::Damaged => self.damaged("a buffer cannot be decompressed"),
            Refused::NoMemory(refused) => {
                super::super::input::no_memory(self.stored.name(), refused)
            }
        })
    }

    /// The values of a dictionary, as they are after the first `before` messages of dictionaries.
    fn dictionary(
        &self,
        id: i64,
        before: usize,
        (node, role): (&Node, Role),
    ) -> Result<Arc<Entries>> {
        let own = |dictionary: &&Dictionary| dictionary.id == id;
        let parts: Vec<(usize, &Dictionary)> =
            self.dictionaries[..before].iter().enumerate().filter(|(_, d)| own(d)).collect();
        let first = parts.iter().rposition(|(_, dictionary)| !dictionary.follows);
        let (Some(first), Some(&(last, _))) = (first, parts.last()) else {
            return Err(self.damaged("a column's dictionary is not there"));
        };
        // Held while it is decoded: others would decode the same.
        let mut decoded = self.decoded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entries) = decoded.get(&(id, last, role)) {
            return Ok(entries.clone());
        }
        let mut all = Entries::default();
        for (_, part) in &parts[first..] {
            let array = self.array(&part.block, true, (node, role))?;
            all.append(&array, self.limit)
                .ok_or_else(|| self.damaged("a dictionary's texts are longer than the file"))?;
        }
        let all = Arc::new(all);
        decoded.insert((id, last, role), all.clone());
        Ok(all)
    }
}

/// The record batch in a message.
fn batch<'a>(message: &Message<'a>, is_dictionary: bool) -> Option<RecordBatch<'a>> {
    match is_dictionary {
        true => message.header_as_dictionary_batch()?.data(),
        false => message.header_as_record_batch(),
    }
}

fn codec(compression: Option<BodyCompression>) -> Result<Option<Codec>, &'static str> {
    match compression.map(|compression| compression.codec()) {
        None => Ok(None),
        Some(CompressionType::LZ4_FRAME) => Ok(Some(Codec::Lz4Frame)),
        Some(CompressionType::ZSTD) => Ok(Some(Codec::Zstd)),
        Some(_) => Err("its compression is unknown"),
    }
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

    fn reader(&self, part: usize, column: usize, role: Role) -> Result<Box<dyn Reader + '_>> {
        let (block, field) = (&self.batches[part], &self.fields[column]);
        // The places in a dictionary are no weights themselves.
        let of_array = if field.dictionary.is_some() { Role::End } else { role };
        let array = self.array(block, false, (&field.node, of_array))?;
        let dictionary = match &field.dictionary {
            None => None,
            Some((id, values)) => Some(self.dictionary(*id, block.before, (values, role))?),
        };
        Ok(Box::new(Batch { stored: &self.stored, array, dictionary, at: 0 }))
    }
}

/// A column of a record batch.
struct Batch<'a> {
    stored: &'a Stored<'a>,
    array: Array,
    dictionary: Option<Arc<Entries>>,
    at: usize,
}

impl Reader for Batch<'_> {
    fn next(&mut self, most: usize, _: Values) -> Result<Values, Fault> {
        let from = self.at;
        let rows = from..self.array.rows().min(from + most);
        let fault = |(row, message)| Fault::Value(row as u64, message);
        let values = match &self.dictionary {
            None => self.array.values(rows).map_err(fault)?,
            Some(entries) => {
                let codes = self.array.codes(rows, entries).map_err(fault)?;
                let codes = codes.ok_or_else(|| {
                    self.stored.damaged("a value is not in its column's dictionary")
                })?;
                Values::Coded(entries.values(), codes)
            }
        };
        self.at += values.len();
        Ok(values)
    }
}
