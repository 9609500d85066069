//! GAP's serialized graphs; [`crate::read`] has the layout.

use std::io;

use super::stream::MemberSink;
use super::{Adjacency, EdgeBlocks};

/// Numbers of a block.
const BLOCK: usize = 1 << 17;

/// GAP's vertex ids are signed.
pub(super) fn check(edges: &dyn EdgeBlocks) -> Result<(), String> {
    let vertices = edges.vertices();
    if vertices <= 1 << 31 {
        return Ok(());
    }
    Err(format!(
        "{vertices} vertices do not fit the 31 bits of a .sg file's ids: write .npz or .bin"
    ))
}

pub(super) fn write(graph: &Adjacency, to: &mut MemberSink) -> io::Result<()> {
    let undirected = [0];
    let mut head = undirected.to_vec();
    head.extend((graph.heads().len() as u64).to_le_bytes());
    head.extend(graph.vertices().to_le_bytes());
    to.part(head)?;
    let (offsets, heads) = (graph.offsets(), graph.heads());
    to.stream(offsets.len().div_ceil(BLOCK) as u64, |block| {
        let places = &offsets[block as usize * BLOCK..];
        places.iter().take(BLOCK).flat_map(|place| place.to_le_bytes()).collect()
    })?;
    to.stream(heads.len().div_ceil(BLOCK) as u64, |block| {
        let ids = &heads[block as usize * BLOCK..];
        ids.iter().take(BLOCK).flat_map(|id| id.to_le_bytes()).collect()
    })
}
