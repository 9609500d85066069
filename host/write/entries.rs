//! Formats that hold entries one after the other.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::stream::{part, stream};
use super::{EdgeBlocks, Target};
use crate::VertexIds;
use crate::read::Compression;
use crate::report::push_quoted;
use crate::report::table::npy_header;

/// How entries become bytes.
pub(super) struct Encoding<'a> {
    ids: &'a VertexIds,
    entry: Entry,
    /// What stands before the first entry.
    head: Vec<u8>,
}

#[derive(Clone, Copy)]
pub(super) enum Entry {
    /// Two ids in decimal.
    Text { separator: u8 },
    /// Two little-endian integers of four bytes.
    Narrow,
    /// Two little-endian integers of eight bytes.
    Wide,
}

/// How a format lays entries out, and what stands before the first of them; or why it cannot hold them.
pub(super) type Layout =
    fn(&dyn EdgeBlocks, &VertexIds, Target) -> Result<(Entry, Vec<u8>), String>;

/// Two ids a line.
pub(super) fn text_layout(
    _: &dyn EdgeBlocks,
    _: &VertexIds,
    target: Target,
) -> Result<(Entry, Vec<u8>), String> {
    Ok((Entry::Text { separator: target.separator }, Vec::new()))
}

/// Raw pairs of 32 bits.
pub(super) fn pairs_layout(
    edges: &dyn EdgeBlocks,
    ids: &VertexIds,
    target: Target,
) -> Result<(Entry, Vec<u8>), String> {
    let largest = largest(ids, target)?;
    if largest > u64::from(u32::MAX) {
        return Err(format!(
            "the vertex id {largest} does not fit the 32 bits of a .bin file: write .npy or an edge list"
        ));
    }
    if edges.entries() == 0 {
        return Err("a .bin file without edges would be empty, which is read as a failed copy: write another format"
            .into());
    }
    Ok((Entry::Narrow, Vec::new()))
}

/// A NumPy array of 32 bits, or of 64 where an id needs them.
pub(super) fn npy_layout(
    edges: &dyn EdgeBlocks,
    ids: &VertexIds,
    target: Target,
) -> Result<(Entry, Vec<u8>), String> {
    let (entry, element) = match largest(ids, target)? <= u64::from(u32::MAX) {
        true => (Entry::Narrow, "'<u4'"),
        false => (Entry::Wide, "'<u8'"),
    };
    Ok((entry, npy_header(element, &format!("({}, 2)", edges.entries()))))
}

/// The largest id, where ids are no names.
fn largest(ids: &VertexIds, target: Target) -> Result<u64, String> {
    if ids.names().is_some() {
        return Err(format!(
            "vertices have names, which {} files cannot hold: write an edge list, or a format that numbers vertices",
            target.format
        ));
    }
    Ok(ids.bound().checked_sub(1).map_or(0, |last| ids.number(last as u32)))
}

impl<'a> Encoding<'a> {
    /// The encoding for a target, or why it cannot hold the edges.
    pub(super) fn new(
        layout: Layout,
        edges: &dyn EdgeBlocks,
        ids: &'a VertexIds,
        target: Target,
    ) -> Result<Encoding<'a>, String> {
        let (entry, head) = layout(edges, ids, target)?;
        Ok(Encoding { ids, entry, head })
    }

    /// Writes head and entries; returns the number of entries.
    pub(super) fn write(
        &self,
        edges: &dyn EdgeBlocks,
        compression: Compression,
        file: &mut (dyn Write + Send),
    ) -> io::Result<u64> {
        part(self.head.clone(), compression, file)?;
        let entries = AtomicU64::new(0);
        stream(edges.blocks(), compression, file, |block| {
            let mut pairs = Vec::new();
            edges.block(block, &mut pairs);
            entries.fetch_add(pairs.len() as u64, Relaxed);
            self.encode(pairs)
        })?;
        let entries = entries.into_inner();
        if entries == 0 && self.head.is_empty() {
            // An empty file could as well be a copy that failed.
            part(b"# no edges\n".to_vec(), compression, file)?;
        }
        Ok(entries)
    }

    fn encode(&self, mut pairs: Vec<[u32; 2]>) -> Vec<u8> {
        let original = |v| self.ids.number(v);
        match self.entry {
            Entry::Text { separator } if self.ids.names().is_some() => {
                let mut text = Vec::with_capacity(pairs.len() * 24);
                for &[u, v] in &pairs {
                    push_id(&mut text, self.ids, u);
                    text.push(separator);
                    push_id(&mut text, self.ids, v);
                    text.push(b'\n');
                }
                text
            }
            Entry::Text { separator } => {
                text(&pairs, |&[u, v]| [original(u), original(v)], separator)
            }
            Entry::Narrow => {
                if !matches!(self.ids, VertexIds::Identity { .. }) {
                    // It was checked that they fit.
                    pairs.as_flattened_mut().iter_mut().for_each(|v| *v = original(*v) as u32);
                }
                pairs.as_flattened_mut().iter_mut().for_each(|v| *v = v.to_le());
                bytemuck::cast_slice(&pairs).to_vec()
            }
            Entry::Wide => {
                pairs.as_flattened().iter().flat_map(|&v| original(v).to_le_bytes()).collect()
            }
        }
    }
}

/// Appends what a vertex is called.
pub(super) fn push_id(text: &mut Vec<u8>, ids: &VertexIds, v: u32) {
    match ids.names() {
        Some(names) => push_quoted(text, names.get(v)),
        None => {
            text.extend_from_slice(itoa::Buffer::new().format(ids.number(v)).as_bytes());
        }
    }
}

fn text(pairs: &[[u32; 2]], ends: impl Fn(&[u32; 2]) -> [u64; 2], separator: u8) -> Vec<u8> {
    let mut text = Vec::with_capacity(pairs.len() * 14);
    let mut number = itoa::Buffer::new();
    for pair in pairs {
        let [first, second] = ends(pair);
        text.extend_from_slice(number.format(first).as_bytes());
        text.push(separator);
        text.extend_from_slice(number.format(second).as_bytes());
        text.push(b'\n');
    }
    text
}
