//! From edges in the memory of devices to a prepared graph.
//!
//! Edges come in shares, each in the memory of one device. Where the first device has all of them, it prepares the graph from
//! them where they lie. Otherwise they are copied to the host, and so are edges whose ids have to be numbered anew, and those of
//! which the device has no room for the sort.

mod share;

use std::sync::Arc;
use std::time::Instant;

use super::engine::FromDevice;
use super::gpu::{Accelerator, DrivenDevice, GpuGraph, beside_graph};
use super::team::OnTeam;
use crate::control::{Context, Phase};
use crate::graph::ids;
use crate::plan::{Chosen, Preparer, WHO_PREPARES, preparer};
use crate::{Error, Graph, Message, Result, VertexIds};
use tribin_gpu::device_graph::DeviceEdges;
use tribin_gpu::prepare;

/// What graphs of edges in device memory are called.
pub(super) const NAME: &str = "(device memory)";

fn fault(message: impl Into<Message>) -> Error {
    Error::Input { file: NAME.into(), message: message.into() }
}

/// How many vertices there are, where a share says so.
fn declared(shares: &[DeviceEdges]) -> Option<u64> {
    shares.iter().filter_map(|share| share.vertices).max()
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

/// The GPU that has each share.
fn owners<'g, D: Accelerator>(
    gpus: &'g [Arc<DrivenDevice<D>>],
    shares: &[DeviceEdges],
) -> Result<Vec<&'g DrivenDevice<D>>> {
    let owner = |share: &DeviceEdges| {
        let label = share.label();
        gpus.iter().find(|gpu| gpu.label == label).map(|gpu| &**gpu).ok_or_else(|| {
            let all: Vec<&str> = gpus.iter().map(|gpu| &*gpu.label).collect();
            let are = if all.len() == 1 { "device is" } else { "devices are" };
            let all = all.join(", ");
            let message = format!("the edges are in the memory of {label}, and the {are} {all}");
            Error::Usage(message.into())
        })
    };
    shares.iter().map(owner).collect()
}

impl<D: Accelerator> OnTeam<D> {
    /// Prepares edges that other libraries left on these devices: on the first where it has all of them and is to work alone, and
    /// else from the host's memory, as the graph that is returned.
    pub(crate) fn take_edges(
        &self,
        shares: &[DeviceEdges],
        context: &Context,
    ) -> Result<FromDevice> {
        check_alignment(shares)?;
        let first = &self.shared.first;
        let are_on_first = shares.iter().all(|share| share.label() == first.label);
        let gpus = match are_on_first {
            true => std::slice::from_ref(first),
            false => self.shared.opened()?.gpus(),
        };
        let owners = owners(gpus, shares)?;
        context.cancel().check()?;
        context.phase(Phase::Orient);
        for (share, owner) in shares.iter().zip(&owners) {
            if let Some(stream) = share.stream {
                // SAFETY: who made the edges promised that the stream is alive and of this device.
                owner.driver.run(|device| unsafe { device.wait_for_stream(stream) })?;
            }
        }
        let is_alone = self.shared.devices == 1 || self.named.is_none();
        let because = match are_on_first && is_alone {
            true => match first.prepare_edges(shares)? {
                Ok(prepared) => return Ok(prepared),
                Err(because) => because,
            },
            false => "several GPUs take their shares of them from the host's memory".to_owned(),
        };
        copied(shares, &owners, because)
    }
}

impl<D: Accelerator> DrivenDevice<D> {
    /// Prepares edges in this device's memory, or says why they are to be copied to the host.
    fn prepare_edges(
        self: &Arc<Self>,
        shares: &[DeviceEdges],
    ) -> Result<Result<FromDevice, String>> {
        let start = Instant::now();
        let entries = shares.iter().map(DeviceEdges::entries).sum();
        let declared = declared(shares);
        let into = |error: D::Error| -> Error { error.into() };
        let found = self.driver.run_with_threads(|device| -> Result<_> {
            device.take_peak_memory()?;
            let free = self.free_beside(device, 0)?;
            if 8 * entries > free {
                return Err(self.too_large(8 * entries, free));
            }
            let packed = share::pack(device, shares).map_err(into)?;
            let bound = match bound_of(shares, entries, &packed.largest) {
                Ok(bound) => bound,
                Err(because) => return Ok(Err(because)),
            };
            let beside = beside_graph(entries, bound.into());
            let placed = preparer(entries, bound.into(), beside, free);
            if placed.choice != Preparer::Device {
                return Ok(Err(rejected_because(&placed)));
            }
            let ready =
                prepare::prepare_keeping_vertices(device, packed.edges, bound.into()).map_err(into);
            let mut ready = ready?;
            ready.decisions.insert(0, placed.decision(WHO_PREPARES));
            let has_unknown = ready.figures.self_loops_dropped > 0 && declared.is_none();
            let looped = if has_unknown { looped(device, shares)? } else { Vec::new() };
            Ok(Ok((ready, bound, looped)))
        })?;
        Ok(found.map(|(ready, bound, looped)| {
            let held = GpuGraph::held(self.clone(), ready, None, start.elapsed());
            FromDevice::Prepared { held, ids: VertexIds::Identity { bound }, declared, looped }
        }))
    }
}

/// The bound of the vertices whose ids stand as they are, or why they do not. `largest` is the largest id of each share.
fn bound_of(shares: &[DeviceEdges], entries: u64, largest: &[u64]) -> Result<u32, String> {
    let is_negative = |(share, &id): (&DeviceEdges, &u64)| id > share.ids.largest();
    let is_wrong = shares.iter().zip(largest).any(is_negative);
    let largest = largest.iter().copied().max().unwrap_or(0);
    let bound = match declared(shares) {
        _ if is_wrong || entries == 0 => None,
        Some(vertices) if largest >= vertices => None,
        Some(vertices) => ids::checked_bound(vertices),
        None => ids::kept_bound(largest, entries),
    };
    bound.ok_or_else(|| match entries {
        0 => "there are no edges".to_owned(),
        _ => format!(
            "the largest id is {largest}, and {entries} edges are numbered anew on the host"
        ),
    })
}

/// The graph of the same edges in host memory, and why they are there.
///
/// # Errors
/// [`Error::Input`] for an id that is negative, or above those that were declared.
fn copied<D: Accelerator>(
    shares: &[DeviceEdges],
    owners: &[&DrivenDevice<D>],
    because: String,
) -> Result<FromDevice> {
    let declared = declared(shares);
    let mut pairs = Vec::with_capacity(shares.len());
    for (number, (share, owner)) in shares.iter().zip(owners).enumerate() {
        let edges = owner.driver.run(|device| share::download(device, share))?;
        let name = |row: usize| match shares {
            [_] => format!("edge {row}"),
            _ => format!("edge {row} of share {number} ({})", share.label()),
        };
        for (row, id) in edges.iter().enumerate().flat_map(|(row, ends)| ends.map(|id| (row, id))) {
            if id > share.ids.largest() {
                let id = match share.ids.bytes() {
                    4 => i64::from((id as u32).cast_signed()),
                    _ => id.cast_signed(),
                };
                return Err(fault(format!("{}: vertex {id} is negative", name(row))));
            }
            if let Some(vertices) = declared.filter(|&vertices| id >= vertices) {
                let edge = name(row);
                return Err(fault(format!(
                    "{edge} has vertex {id}: vertices are below {vertices}"
                )));
            }
        }
        pairs.push(edges);
    }
    let graph = Graph::from_u64_edges(pairs.into_iter().flatten())?.with_name(NAME.into());
    let graph = match declared {
        Some(vertices) => graph.with_vertices(vertices as usize)?,
        None => graph,
    };
    Ok(FromDevice::Copied { graph, because })
}

/// The vertices that have a self-loop, ascending.
fn looped<D: Accelerator>(device: &D, shares: &[DeviceEdges]) -> Result<Vec<u32>> {
    let packed = share::pack(device, shares).map_err(|error| -> Error { error.into() })?;
    let edges = packed.edges.to_vec(device).map_err(|error| -> Error { error.into() })?;
    let ends = edges.into_iter().map(|edge| (edge as u32, (edge >> 32) as u32));
    let mut looped: Vec<u32> = ends.filter(|(u, v)| u == v).map(|(u, _)| u).collect();
    looped.sort_unstable();
    looped.dedup();
    Ok(looped)
}

/// Why everything that a plan would rather have taken was rejected.
fn rejected_because<T>(chosen: &Chosen<T>) -> String {
    let reasons = chosen.rejected.iter().flat_map(|rejected| &rejected.because);
    reasons.map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
