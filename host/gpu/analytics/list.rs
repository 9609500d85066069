//! All triangles on the GPU, chunk by chunk in bounded device memory (docs/engines.md).
//!
//! Each triangle has a place: the number of those before it in the order of the edges. So any range of places can be
//! written at any time, and a chunk is as long as one likes.

use tribin_kernels::triangle_chunks::{BLOCK, CORNERS, TILE, count_tiles, write_triangles};
use warpwise_device::launch::{Buffer, Device, Shape};

use crate::device_graph::DeviceGraph;
use crate::prepare::parts::starts_of;

/// Blocks a multiprocessor of the kernel that counts: tiles differ in their wedges, and who is done early takes another.
const COUNT_BLOCKS: u32 = 512;

/// Blocks a multiprocessor of the kernel that writes a chunk, in which most tiles are not.
const WRITE_BLOCKS: u32 = 64;

/// The places of a graph's triangles, and memory for a chunk of them.
pub struct TriangleListing<D: Device> {
    /// Where the triangles of each tile begin, and the last one's end.
    places: Buffer<u64, D>,
    triangles: u64,
    chunk: Buffer<u32, D>,
}

impl<D: Device> TriangleListing<D> {
    /// Counts the triangles of every tile of the graph. Chunks have `at_a_time` triangles.
    ///
    /// O(m^1.5) work; memory: [`listing_bytes`](crate::plan::listing::listing_bytes).
    ///
    /// # Errors
    /// What the device reports.
    ///
    /// # Panics
    /// If the graph came without the vertex of each rank, or a chunk has no triangle.
    pub fn new(
        device: &D,
        graph: &DeviceGraph<D>,
        at_a_time: u64,
    ) -> Result<TriangleListing<D>, D::Error> {
        assert_eq!(graph.vertex_of_rank.len() * 2, graph.rows.len(), "prepared without vertices");
        assert!(at_a_time > 0, "chunks without triangles");
        let m = graph.edges;
        let tiles = m.div_ceil(u64::from(TILE));
        let mut counts = Buffer::uninitialized(device, tiles)?;
        if m > 0 {
            count_tiles(
                device,
                Shape::cover(m, BLOCK, device.multiprocessors() * COUNT_BLOCKS),
                graph.oriented(),
                counts.view_mut(),
                m,
            )?;
        }
        let places = starts_of(device, &counts)?;
        let mut triangles = [0];
        places.download(device, tiles, &mut triangles)?;
        let [triangles] = triangles;
        let at_a_time = at_a_time.min(triangles).max(1);
        let chunk = Buffer::uninitialized(device, CORNERS * at_a_time)?;
        Ok(TriangleListing { places, triangles, chunk })
    }

    /// The number of triangles.
    pub fn triangles(&self) -> u64 {
        self.triangles
    }

    /// Copies the triangles from place `from` on to the host, as many as fit `to`: vertices in ascending order.
    ///
    /// # Errors
    /// What the device reports.
    ///
    /// # Panics
    /// If there are fewer triangles.
    pub fn read(
        &mut self,
        device: &D,
        graph: &DeviceGraph<D>,
        from: u64,
        to: &mut [[u32; 3]],
    ) -> Result<(), D::Error> {
        let end = from + to.len() as u64;
        assert!(end <= self.triangles, "there are {} triangles, not {end}", self.triangles);
        let mut start = from;
        for to in to.chunks_mut((self.chunk.len() / CORNERS) as usize) {
            let end = start + to.len() as u64;
            write_triangles(
                device,
                Shape::cover(graph.edges, BLOCK, device.multiprocessors() * WRITE_BLOCKS),
                graph.oriented(),
                graph.vertex_of_rank.view(),
                self.places.view(),
                self.chunk.view_mut(),
                graph.edges,
                start,
                end,
            )?;
            self.chunk.download(device, 0, to.as_flattened_mut())?;
            start = end;
        }
        Ok(())
    }
}
