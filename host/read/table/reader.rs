//! The format of tables of text.

use super::super::format::{About, Format, OnDisk, Reader};
use super::super::input::{self, Input};
use super::super::inspect::{Content, Entries, scale};
use super::super::sample::{Cuts, PIECE, PIECE_OF_NAMES};
use super::super::{Options, recognise};
use crate::graph::{EdgeSink, Visited};
use crate::{Graph, Result};

/// Tables of text, edge lists among them: what a file is whose name and first bytes say nothing else.
pub(crate) struct Text;

impl Reader for Text {
    fn about(&self) -> About {
        About {
            is_table: true,
            is_text_table: true,
            has_names: true,
            has_weights: true,
            ..About::of(Format::EdgeList)
        }
    }

    fn refuse_others(&self, name: &str, content: &[u8]) -> Result<()> {
        recognise::refuse(name, content, true)
    }

    fn sizes(&self, content: &Content, _: &Options) -> Result<(Option<u64>, Entries)> {
        let text = content.input.content;
        // Whole lines only, if there are any.
        let whole = memchr::memrchr2(b'\n', b'\r', text).map_or(text.len(), |at| at + 1);
        let lines = input::lines(text).max(1) as u64;
        Ok((None, Entries::Estimated(scale(lines, content.size, whole as u64))))
    }

    fn parse(&self, input: &Input, options: &Options) -> Result<Graph> {
        super::parse(input, options)
    }

    fn stream(&self, from: &OnDisk, chunk: usize) -> Result<Option<Graph>> {
        super::stream(from, chunk)
    }

    fn visit(&self, from: &OnDisk, piece: usize, sink: &dyn EdgeSink) -> Result<Option<Visited>> {
        super::visit(from, piece, sink)
    }

    fn cuts(&self, name: &str, head: &[u8], options: &Options) -> Option<Cuts> {
        let size = if super::has_names(name, head, options) { PIECE_OF_NAMES } else { PIECE };
        Some(Cuts { whole: whole_lines, step: 1, size, end: b"\n" })
    }
}

fn whole_lines(piece: &[u8], is_first: bool, is_last: bool) -> Option<(&[u8], usize)> {
    let begin = if is_first { 0 } else { memchr::memchr2(b'\n', b'\r', piece)? + 1 };
    let end = if is_last { piece.len() } else { memchr::memrchr2(b'\n', b'\r', piece)? + 1 };
    let part = piece.get(begin..end).filter(|part| !part.is_empty())?;
    Some((part, input::lines(part)))
}
