//! The formats of tables of typed columns.

use super::super::compression::Compression;
use super::super::format::{About, Format, Reader, is_raw};
use super::super::input::Fault;
use super::super::inspect::Foretold;
use super::super::names;
use super::super::open_file::OpenFile;
use super::{graph, open, work};
use crate::graph::{EdgeSink, EntryIds, Visited};
use crate::{Graph, Result};

/// Parquet or Arrow, and how a file is told to be that by its first bytes.
pub(crate) struct ColumnarFormat(pub(crate) Format, pub(crate) fn(&[u8]) -> bool);

impl Reader for ColumnarFormat {
    fn about(&self) -> About {
        About { is_table: true, has_names: true, has_weights: true, ..About::of(self.0) }
    }

    fn begins(&self, head: &[u8], named: Option<Format>) -> bool {
        !is_raw(named) && (self.1)(head)
    }

    /// The rows of a table, whose number stands at its end.
    fn sizes(&self, input: &OpenFile) -> Result<Option<Foretold>> {
        if input.compression != Compression::None {
            return Ok(None);
        }
        let table = open(self.0, input)?;
        Ok(Some(Foretold::declared(table.head().all(), None)))
    }

    fn needs_all(&self, _: &OpenFile) -> bool {
        false
    }

    fn parse(&self, input: &OpenFile) -> Result<Graph, Fault> {
        graph(&*open(self.0, input)?, input.options, input.limit)
    }

    fn visit(&self, input: &OpenFile, sink: &dyn EdgeSink) -> Result<Option<Visited>, Fault> {
        let table = open(self.0, input)?;
        let (work, by_name, reading) = work(&*table, input.options)?;
        if by_name {
            let parts = work.head.rows.len() as u32;
            names::visit(parts, &|part, block| work.names_of(part, block), sink)?;
        } else {
            work.visit_integers(input.chunk, sink)?;
        }
        input.file.check_unchanged()?;
        let ids = if by_name { EntryIds::Names } else { EntryIds::AsTheyAre };
        Ok(Some(Visited { reading: Some(reading), ids, ..Visited::default() }))
    }
}
