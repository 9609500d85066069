//! The triangles of a graph on a device, listed there.

use super::{Accelerator, GpuGraph, held_bytes, report_choice};
use crate::control::Context;
use crate::plan::listing::{Lister, MOST_AT_A_TIME, lister};
use crate::results::TakeEdges;
use crate::{Error, Result};
use tribin_base::par;
use tribin_gpu::analytics::list::TriangleListing;

/// Triangles of a block.
const LISTED: usize = 1 << 18;

/// Hands the triangles to `take` in the order in which the device lists them; `false` where it has no memory to list them.
pub(super) fn each_triangle<D: Accelerator>(
    held: &GpuGraph<D>,
    context: &Context,
    take: &mut TakeEdges<'_>,
) -> Result<bool> {
    context.cancel().check()?;
    let GpuGraph { device: own, on_device, .. } = held;
    let graph = &on_device.graph;
    let into = |error: D::Error| -> Error { error.into() };
    let listing = own.driver.run(|device| {
        let free = own.free_beside(device, held_bytes(graph))?;
        let chosen = lister(graph.edges, free);
        report_choice(&own.label, "triangles are listed by", &chosen);
        let Lister::Gpu { at_a_time } = chosen.choice else { return Ok(None) };
        TriangleListing::new(device, graph, at_a_time).map(Some).map_err(into)
    })?;
    let Some(mut listing) = listing else { return Ok(false) };
    let (triangles, mut from) = (listing.triangles(), 0);
    while from < triangles {
        context.cancel().check()?;
        let mut found = vec![[0; 3]; (triangles - from).min(MOST_AT_A_TIME) as usize];
        own.driver.run(|device| listing.read(device, graph, from, &mut found)).map_err(into)?;
        from += found.len() as u64;
        if !take(par::map(found.chunks(LISTED), <[[u32; 3]]>::to_vec))? {
            break;
        }
    }
    Ok(true)
}
