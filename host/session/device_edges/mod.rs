//! From edges in the memory of devices to a prepared graph.
//!
//! Edges come in shares, each in the memory of one device. They are read where they lie.
//!
//! | step | module | what happens |
//! | --- | --- | --- |
//! | pack | `share` | every share becomes entries of two 32-bit vertices, on the device that has it |
//! | number | here | ids are checked, and stand as they are or have to be numbered anew on the host |
//! | prepare | `shares` | one device or several prepare the graph |

mod share;
mod shares;

use super::engine::FromDevice;
use super::gpu::Accelerator;
use crate::graph::ids;
use crate::plan::Chosen;
use crate::{Error, Graph, Message, Result};
use shares::DeviceShares;
use tribin_gpu::device_graph::DeviceEdges;

/// What graphs of edges in device memory are called.
pub(super) const NAME: &str = "(device memory)";

fn fault(message: impl Into<Message>) -> Error {
    Error::Input { file: NAME.into(), message: message.into() }
}

/// Entries of all shares.
fn entries_of(shares: &[DeviceEdges]) -> u64 {
    shares.iter().map(|share| share.entries).sum()
}

/// How many vertices there are, where a share says so.
fn declared(shares: &[DeviceEdges]) -> Option<u64> {
    shares.iter().filter_map(|share| share.vertices).max()
}

/// An edge as messages name it.
fn edge_name(shares: &[DeviceEdges], share: usize, row: usize) -> String {
    match shares {
        [_] => format!("edge {row}"),
        _ => format!("edge {row} of share {share} ({})", shares[share].label()),
    }
}

fn check_alignment(shares: &[DeviceEdges]) -> Result<()> {
    for share in shares {
        let bytes = share.ids.bytes();
        if share.columns.iter().any(|column| !column.address.is_multiple_of(bytes)) {
            return Err(fault(format!("ids of {bytes} bytes are not aligned to {bytes} bytes")));
        }
    }
    Ok(())
}

/// The graph of shares without an edge.
fn without_edges(shares: &[DeviceEdges]) -> Result<FromDevice> {
    let graph = Graph::from_edges(Vec::<[u32; 2]>::new())
        .with_name(NAME.into())
        .with_vertices(declared(shares).unwrap_or(0) as usize)?;
    Ok(FromDevice::Copied { graph, because: "there are no edges".into() })
}

/// The bound of the vertices whose ids stand as they are, or why they are numbered anew. `largest` is the largest id of
/// each share.
///
/// # Errors
/// [`Error::Input`] for an id that is negative, or above those that were declared.
fn bound_of<D: Accelerator>(
    shares: &DeviceShares<D>,
    largest: &[u64],
) -> Result<Result<u32, String>> {
    let list = shares.list;
    if list.iter().zip(largest).any(|(share, &largest)| largest > share.ids.largest()) {
        let FoundId { share, row, id } = first_above(shares, |share| share.ids.largest())?;
        let id = match list[share].ids.bytes() {
            4 => i64::from((id as u32).cast_signed()),
            _ => id.cast_signed(),
        };
        let edge = edge_name(list, share, row);
        return Err(fault(format!("{edge}: vertex {id} is negative")));
    }
    let (entries, largest) = (entries_of(list), largest.iter().copied().max().unwrap_or(0));
    let bound = match declared(list) {
        Some(vertices) if largest >= vertices => {
            let found = first_above(shares, |_| vertices.saturating_sub(1))?;
            let FoundId { share, row, id } = found;
            let edge = edge_name(list, share, row);
            return Err(fault(format!("{edge} has vertex {id}: vertices are below {vertices}")));
        }
        Some(vertices) => ids::checked_bound(vertices),
        None => ids::kept_bound(largest, entries),
    };
    Ok(bound.ok_or_else(|| {
        format!("the largest id is {largest}, and {entries} edges are numbered anew on the host")
    }))
}

/// An id that is found in the edges of devices.
struct FoundId {
    share: usize,
    /// The place of its edge in the share.
    row: usize,
    id: u64,
}

/// The first id above `most`.
fn first_above<D: Accelerator>(
    shares: &DeviceShares<D>,
    most: impl Fn(&DeviceEdges) -> u64 + Send + Sync,
) -> Result<FoundId> {
    let found = shares.each(|device, edges| {
        let pairs = share::download(device, edges)?;
        Ok(pairs.into_iter().enumerate().find_map(|(row, ends)| {
            ends.into_iter().find(|&id| id > most(edges)).map(|id| (row, id))
        }))
    })?;
    let mut found = found.into_iter().enumerate();
    found
        .find_map(|(share, found)| found.map(|(row, id)| FoundId { share, row, id }))
        .ok_or_else(|| fault("the edges change while they are read"))
}

/// The graph of the same edges in host memory, and why they are there.
fn copied<D: Accelerator>(shares: &DeviceShares<D>, because: String) -> Result<FromDevice> {
    let pairs = shares.each(|device, edges| share::download(device, edges))?;
    let graph = Graph::from_u64_edges(pairs.into_iter().flatten())?.with_name(NAME.into());
    let graph = match declared(shares.list) {
        Some(vertices) => graph.with_vertices(vertices as usize)?,
        None => graph,
    };
    Ok(FromDevice::Copied { graph, because })
}

/// The vertices that have a self-loop, ascending, if there are such edges and nobody said how many vertices there are.
fn looped<D: Accelerator>(shares: &DeviceShares<D>, self_loops: u64) -> Result<Vec<u32>> {
    if self_loops == 0 || declared(shares.list).is_some() {
        return Ok(Vec::new());
    }
    let found = shares.each(|device, edges| {
        let packed = share::pack(device, &[edges]).map_err(|error| -> Error { error.into() })?;
        let edges = packed.edges.to_vec(device).map_err(|error| -> Error { error.into() })?;
        let ends = edges.into_iter().map(|edge| (edge as u32, (edge >> 32) as u32));
        Ok(ends.filter(|(u, v)| u == v).map(|(u, _)| u).collect::<Vec<u32>>())
    })?;
    let mut looped = found.concat();
    looped.sort_unstable();
    looped.dedup();
    Ok(looped)
}

/// The reasons why everything was rejected that a plan would rather have taken.
fn rejected_because<T>(chosen: &Chosen<T>) -> String {
    let reasons = chosen.rejected.iter().flat_map(|rejected| &rejected.because);
    reasons.map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
