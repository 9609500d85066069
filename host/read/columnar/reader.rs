//! The formats of tables of typed columns.

use super::super::format::{About, FileOnDisk, Format, Reader, is_raw};
use super::super::input::FileContent;
use super::super::inspect::{Content, Entries};
use super::super::{Options, names};
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
    fn sizes(&self, content: &Content, options: &Options) -> Result<(Option<u64>, Entries)> {
        let limit = options.most_decompressed();
        let Content { input, file, .. } = content;
        let Some(file) = file else { return Ok((None, Entries::Unknown)) };
        Ok((None, Entries::Declared(open(self.0, file, input.meter, limit)?.head().all())))
    }

    fn parse(&self, input: &FileContent, options: &Options) -> Result<Graph> {
        let limit = input.decompressed_limit;
        let file = input.file();
        graph(&*open(self.0, &file, input.meter, limit)?, options, limit)
    }

    fn stream(&self, from: &FileOnDisk, _: usize) -> Result<Option<Graph>> {
        let limit = from.options.most_decompressed();
        let table = open(self.0, from.file, from.meter, limit)?;
        graph(&*table, from.options, limit).map(Some)
    }

    fn visit(
        &self,
        from: &FileOnDisk,
        piece: usize,
        sink: &dyn EdgeSink,
    ) -> Result<Option<Visited>> {
        let limit = from.options.most_decompressed();
        let table = open(self.0, from.file, from.meter, limit)?;
        let (work, by_name, reading) = work(&*table, from.options)?;
        if by_name {
            let ends = &work.columns[..2];
            let read = |part: u32, pairs: &mut names::NamePairs| work.names_of(part, ends, pairs);
            names::visit(work.name(), work.parts() as u32, &read, sink)?;
        } else {
            work.visit_integers(piece, sink)?;
        }
        from.file.check_unchanged()?;
        let ids = if by_name { EntryIds::Names } else { EntryIds::AsTheyAre };
        Ok(Some(Visited { reading: Some(reading), ids, ..Visited::default() }))
    }
}
