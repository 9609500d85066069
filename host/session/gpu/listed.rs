//! The triangles of a graph on a device, listed there.

use std::sync::{Mutex, PoisonError};

use super::{Accelerator, GpuGraph, held_bytes, report_choice};
use crate::analytics::TriangleSource;
use crate::control::Context;
use crate::plan::listing::{Lister, lister};
use crate::{Error, Result};
use tribin_gpu::analytics::list::Listing;

/// The triangles of a graph on a device, with their places there.
struct ListedByGpu<'g, D: Accelerator> {
    held: &'g GpuGraph<D>,
    triangles: u64,
    /// The device does one job at a time: nobody waits here for longer than there.
    listing: Mutex<Listing<D>>,
}

impl<D: Accelerator> TriangleSource for ListedByGpu<'_, D> {
    fn triangles(&self) -> u64 {
        self.triangles
    }

    fn read(&self, from: u64, to: &mut [[u32; 3]]) -> Result<()> {
        let GpuGraph { device, on_device, .. } = self.held;
        device.driver.run(|device| {
            let mut listing = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
            listing.read(device, &on_device.graph, from, to).map_err(|error| error.into())
        })
    }
}

/// The triangles in the order in which the device lists them; `None` where it has no memory to list them.
pub(super) fn triangles<'g, D: Accelerator>(
    held: &'g GpuGraph<D>,
    context: &Context,
) -> Result<Option<Box<dyn TriangleSource + 'g>>> {
    context.cancel().check()?;
    let graph = &held.on_device.graph;
    let listing = held.device.driver.run(|device| {
        let free = held.device.free_beside(device, held_bytes(graph))?;
        let chosen = lister(graph.edges, free);
        report_choice(&held.device.label, "triangles are listed by", "", &chosen);
        let Lister::Gpu { at_a_time } = chosen.choice else { return Ok(None) };
        let listing = Listing::new(device, graph, at_a_time);
        listing.map(Some).map_err(|error: D::Error| -> Error { error.into() })
    })?;
    Ok(listing.map(|listing| -> Box<dyn TriangleSource + 'g> {
        let triangles = listing.triangles();
        Box::new(ListedByGpu { held, triangles, listing: Mutex::new(listing) })
    }))
}
