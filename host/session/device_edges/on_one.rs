//! One device has all shares, and prepares the graph.

use std::sync::Arc;
use std::time::Instant;

use super::super::gpu::{Accelerator, DrivenDevice, GpuGraph, beside_graph};
use super::{
    Shares, bound_of, check_alignment, copied, declared, entries_of, looped, rejected_because,
    share, without_edges,
};
use crate::control::{Context, Phase};
use crate::engine::FromDevice;
use crate::plan::{Preparer, WHO_PREPARES, preparer};
use crate::{Error, Result, VertexIds};
use tribin_gpu::device_graph::DeviceEdges;
use tribin_gpu::prepare as gpu;

/// Shares in the memory of one device.
struct OnOne<'s, D> {
    device: &'s D,
    shares: &'s [DeviceEdges],
}

impl<D> Shares<D> for OnOne<'_, D> {
    fn list(&self) -> &[DeviceEdges] {
        self.shares
    }

    fn each<R: Send>(
        &self,
        job: impl Fn(&D, &DeviceEdges) -> Result<R> + Send + Sync,
    ) -> Result<Vec<R>> {
        self.shares.iter().map(|share| job(self.device, share)).collect()
    }
}

impl<D: Accelerator> DrivenDevice<D> {
    /// Prepares edges that another library left on this device. They stay there, unless their ids have to be
    /// numbered anew or the device has no room for the sort: then the graph in host memory is returned.
    pub(crate) fn take_edges(
        self: &Arc<Self>,
        shares: &[DeviceEdges],
        context: &Context,
    ) -> Result<FromDevice> {
        let own = &self.label;
        for share in shares {
            let label = share.label();
            if label != *own {
                let message =
                    format!("the edges are in the memory of {label}, and the device is {own}");
                return Err(Error::Usage(message.into()));
            }
        }
        check_alignment(shares)?;
        let entries = entries_of(shares);
        if entries == 0 {
            return without_edges(shares);
        }
        context.cancel().check()?;
        context.phase(Phase::Orient);
        let start = Instant::now();
        let taken = self.driver.run_with_threads(|device| {
            let into = |error: D::Error| -> Error { error.into() };
            device.take_peak_memory()?;
            for stream in shares.iter().filter_map(|share| share.stream) {
                // SAFETY: who made the edges promised that the stream is alive and of this device.
                unsafe { device.wait_for_stream(stream) }?;
            }
            let (needed, free) = (8 * entries, self.free_beside(device, 0)?);
            if needed > free {
                return Err(self.too_large(needed, free));
            }
            let list: Vec<_> = shares.iter().collect();
            let packed = share::pack(device, &list).map_err(into)?;
            let shares = OnOne { device, shares };
            let bound = match bound_of(&shares, &packed.largest)? {
                Ok(bound) => bound,
                Err(because) => {
                    drop(packed);
                    return Ok(Err(copied(&shares, because)?));
                }
            };
            let beside = beside_graph(entries, bound.into());
            let placed = preparer(entries, u64::from(bound), beside, free);
            if placed.choice != Preparer::Device {
                drop(packed);
                return Ok(Err(copied(&shares, rejected_because(&placed))?));
            }
            let prepared = gpu::prepare_keeping_vertices(device, packed.edges, u64::from(bound));
            let mut ready = prepared.map_err(into)?;
            ready.decisions.insert(0, placed.decision(WHO_PREPARES));
            let looped = looped(&shares, ready.figures.self_loops_dropped)?;
            Ok(Ok((ready, bound, looped)))
        })?;
        let (on_device, bound, looped) = match taken {
            Ok(taken) => taken,
            Err(copied) => return Ok(copied),
        };
        Ok(FromDevice::Prepared {
            held: GpuGraph::held(self.clone(), on_device, None, start.elapsed()),
            ids: VertexIds::Identity { bound },
            declared: declared(shares),
            looped,
        })
    }
}
