//! Shares of edges on their device.

use bytemuck::Pod;
use tribin_kernels::device_edges::{BLOCK, pack_edges_32, pack_edges_64};
use warpwise_device::launch::{Buffer, Device, Shape, View, ViewMut};

use super::super::gpu::Accelerator;
use super::fault;
use crate::control::memory;
use crate::{Error, Result};
use tribin_gpu::device_graph::{DeviceColumn, DeviceEdges};

/// Shares as tribin has edges, in memory of their device: one share after another.
pub(super) struct Packed<D: Device> {
    /// Two vertices a word.
    pub edges: Buffer<u64, D>,
    /// The largest id of each share.
    pub largest: Vec<u64>,
}

/// Ids from the first of a column to its last.
fn span(share: &DeviceEdges, column: DeviceColumn) -> u64 {
    match share.entries.checked_sub(1) {
        Some(last) => last.saturating_mul(column.step).saturating_add(1),
        None => 0,
    }
}

/// Packs shares that are all in the memory of this device. O(entries).
pub(super) fn pack<D: Device>(device: &D, shares: &[&DeviceEdges]) -> Result<Packed<D>, D::Error> {
    let entries = shares.iter().map(|share| share.entries).sum();
    let mut edges = Buffer::uninitialized(device, entries)?;
    let mut largest = Buffer::zeroed(device, shares.len() as u64)?;
    let mut start = 0;
    let some = shares.iter().enumerate().filter(|(_, share)| share.entries > 0);
    for (number, share) in some {
        let to = edges.view_mut().slice(start, share.entries);
        pack_one(device, share, to, largest.view_mut().slice(number as u64, 1))?;
        start += share.entries;
    }
    // The copy waits for the kernels.
    let largest = largest.to_vec(device)?;
    Ok(Packed { edges, largest })
}

fn pack_one<D: Device>(
    device: &D,
    share: &DeviceEdges,
    edges: ViewMut<'_, u64, D>,
    largest: ViewMut<'_, u64, D>,
) -> Result<(), D::Error> {
    let m = share.entries;
    let shape = Shape::cover(m, BLOCK, device.multiprocessors() * 8);
    let [sources, targets] = share.columns;
    let steps = [sources.step, targets.step];
    if share.ids.bytes() == 4 {
        // SAFETY: who made the share promised that the columns are alive, aligned, of this device and not written to;
        // they are read before the caller returns.
        let [sources, targets] = share.columns.map(|column| unsafe {
            View::<u32, D>::from_raw_parts(device, column.address, span(share, column))
        });
        pack_edges_32(device, shape, sources, targets, edges, largest, steps[0], steps[1], m)
    } else {
        // SAFETY: as above.
        let [sources, targets] = share.columns.map(|column| unsafe {
            View::<u64, D>::from_raw_parts(device, column.address, span(share, column))
        });
        pack_edges_64(device, shape, sources, targets, edges, largest, steps[0], steps[1], m)
    }
}

/// The edges of a share, in host memory.
pub(super) fn download<D: Accelerator>(device: &D, share: &DeviceEdges) -> Result<Vec<[u64; 2]>> {
    let [sources, targets] = share.columns.map(|column| match share.ids.bytes() {
        4 => download_column::<u32, D>(device, share, column),
        _ => download_column::<u64, D>(device, share, column),
    });
    let (sources, targets) = (sources?, targets?);
    let mut edges = memory::with_capacity(sources.len()).map_err(no_memory)?;
    edges.extend(sources.into_iter().zip(targets).map(|(u, v)| [u, v]));
    Ok(edges)
}

/// The ids of a column of a share, which are of this type.
fn download_column<T: Pod + Into<u64>, D: Accelerator>(
    device: &D,
    share: &DeviceEdges,
    column: DeviceColumn,
) -> Result<Vec<u64>> {
    let mut raw: Vec<T> = memory::zeroed(span(share, column) as usize).map_err(no_memory)?;
    if raw.is_empty() {
        return Ok(Vec::new());
    }
    // SAFETY: who made the share promised that this range is alive and of this device.
    unsafe { device.download(column.address, bytemuck::cast_slice_mut(&mut raw)) }
        .map_err(|error| -> Error { error.into() })?;
    let (entries, step) = (share.entries as usize, column.step as usize);
    let mut ids = memory::with_capacity(entries).map_err(no_memory)?;
    ids.extend((0..entries).map(|entry| -> u64 { raw[entry * step].into() }));
    Ok(ids)
}

fn no_memory(refused: memory::NoMemory) -> Error {
    fault(refused.to_string())
}
