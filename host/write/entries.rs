//! Formats that hold entries one after the other.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::stream::MemberSink;
use super::{EdgeBlocks, Target};
use crate::VertexIds;
use crate::read::Format;
use crate::report::push_quoted;
use crate::report::table::npy_header;

/// The form in which an entry becomes bytes.
#[derive(Clone, Copy)]
pub(super) enum EntryForm {
    /// Two ids in decimal.
    Text { separator: u8 },
    /// Two little-endian integers of four bytes.
    Narrow,
    /// Two little-endian integers of eight bytes.
    Wide,
}

/// The form of entries in a format, and what stands before the first of them; or why it cannot hold them.
pub(super) fn layout(
    edges: &dyn EdgeBlocks,
    ids: &VertexIds,
    target: Target,
) -> Result<(EntryForm, Vec<u8>), String> {
    if target.format == Format::EdgeList {
        return Ok((EntryForm::Text { separator: target.separator }, Vec::new()));
    }
    if ids.names().is_some() {
        return Err(format!(
            "vertices have names, which {} files cannot hold: write an edge list, or a format that numbers vertices",
            target.format
        ));
    }
    let largest = ids.bound().checked_sub(1).map_or(0, |last| ids.number(last as u32));
    let is_narrow = largest <= u64::from(u32::MAX);
    if target.format == Format::Npy {
        // An array of 32 bits, or of 64 where an id needs them.
        let (entry, element) = match is_narrow {
            true => (EntryForm::Narrow, "'<u4'"),
            false => (EntryForm::Wide, "'<u8'"),
        };
        return Ok((entry, npy_header(element, &format!("({}, 2)", edges.entries()))));
    }
    if !is_narrow {
        return Err(format!(
            "the vertex id {largest} does not fit the 32 bits of a .bin file: write .npy or an edge list"
        ));
    }
    if edges.entries() == 0 {
        return Err("a .bin file without edges would be empty, which is read as a failed copy: write another format"
            .into());
    }
    Ok((EntryForm::Narrow, Vec::new()))
}

/// Writes entries behind a head; returns their number.
pub(super) fn write(
    edges: &dyn EdgeBlocks,
    ids: &VertexIds,
    (entry, head): &(EntryForm, Vec<u8>),
    to: &mut MemberSink,
) -> io::Result<u64> {
    to.part(head.clone())?;
    let entries = AtomicU64::new(0);
    to.stream(edges.blocks(), |block| {
        let mut pairs = Vec::new();
        edges.block(block, &mut pairs);
        entries.fetch_add(pairs.len() as u64, Relaxed);
        encode(pairs, ids, *entry)
    })?;
    let entries = entries.into_inner();
    if entries == 0 && head.is_empty() {
        // An empty file could as well be a copy that failed.
        to.part(b"# no edges\n".to_vec())?;
    }
    Ok(entries)
}

fn encode(mut pairs: Vec<[u32; 2]>, ids: &VertexIds, entry: EntryForm) -> Vec<u8> {
    match entry {
        EntryForm::Text { separator } => {
            let mut text = Vec::with_capacity(pairs.len() * 14);
            for &[u, v] in &pairs {
                push_id(&mut text, ids, u);
                text.push(separator);
                push_id(&mut text, ids, v);
                text.push(b'\n');
            }
            text
        }
        EntryForm::Narrow => {
            // It was checked that they fit.
            let narrow = |v: u32| (ids.number(v) as u32).to_le();
            pairs.as_flattened_mut().iter_mut().for_each(|v| *v = narrow(*v));
            bytemuck::cast_slice(&pairs).to_vec()
        }
        EntryForm::Wide => {
            pairs.as_flattened().iter().flat_map(|&v| ids.number(v).to_le_bytes()).collect()
        }
    }
}

/// Appends what a vertex is called.
pub(super) fn push_id(text: &mut Vec<u8>, ids: &VertexIds, v: u32) {
    match ids.names() {
        Some(names) => push_quoted(text, names.get(v)),
        None => push_number(text, ids.number(v)),
    }
}

/// Appends a number in decimal.
pub(super) fn push_number(text: &mut Vec<u8>, number: u64) {
    text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}
