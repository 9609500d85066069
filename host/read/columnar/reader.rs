//! The formats of tables of typed columns.

use super::super::Options;
use super::super::format::{About, Format, OnDisk, Reader};
use super::super::input::Input;
use super::super::inspect::{Content, Entries};
use super::Stored;
use crate::graph::{EdgeSink, Visited};
use crate::{Graph, Result};

/// Parquet or Arrow, and how a file is told to be that by its first bytes.
pub(crate) struct Columns(pub(crate) Format, pub(crate) fn(&[u8], Option<Format>) -> bool);

impl Reader for Columns {
    fn about(&self) -> About {
        About { is_table: true, has_names: true, has_weights: true, ..About::of(self.0) }
    }

    fn begins(&self, head: &[u8], named: Option<Format>) -> bool {
        (self.1)(head, named)
    }

    /// The rows of a table, whose number stands at its end.
    fn sizes(&self, content: &Content, options: &Options) -> Result<(Option<u64>, Entries)> {
        let limit = options.most_decompressed();
        let Content { input, file, whole, .. } = content;
        let stored = match file {
            Some(file) => Stored::file(file, input.meter),
            None if !whole => return Ok((None, Entries::Unknown)),
            None => Stored::memory(input.name, input.content, input.meter),
        };
        let rows = super::rows(self.0, stored, limit)?;
        Ok((None, Entries::Declared(rows)))
    }

    fn parse(&self, input: &Input, options: &Options) -> Result<Graph> {
        let stored = Stored::memory(input.name, input.content, input.meter);
        super::parse(self.0, stored, options, input.decompressed_limit)
    }

    fn stream(&self, from: &OnDisk, _: usize) -> Result<Option<Graph>> {
        let stored = Stored::file(from.file, from.meter);
        super::parse(self.0, stored, from.options, from.options.most_decompressed()).map(Some)
    }

    fn visit(&self, from: &OnDisk, piece: usize, sink: &dyn EdgeSink) -> Result<Option<Visited>> {
        let stored = Stored::file(from.file, from.meter);
        let limit = from.options.most_decompressed();
        super::visit(self.0, stored, from.options, limit, (piece, sink)).map(Some)
    }
}
