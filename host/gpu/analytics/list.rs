//! All triangles on the GPU, chunk by chunk in bounded device memory (docs/engines.md).
//!
//! Each triangle has a place: the number of those before it in the order of the edges. So any range of places can be
//! written at any time, and a chunk is as long as one likes. While one is copied to the host, the next is written.

use std::ops::Range;

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::triangle_chunks::{BLOCK, CORNERS, TILE, count_tiles, write_triangles};

use crate::device_graph::DeviceGraph;
use crate::prepare::parts::starts_of;

/// Blocks a multiprocessor of the kernel that counts: tiles differ in their wedges, and who is done early takes another.
const COUNT_BLOCKS: u32 = 512;

/// Blocks a multiprocessor of the kernel that writes a chunk, in which most tiles are not.
const WRITE_BLOCKS: u32 = 64;

/// The places of a graph's triangles, and memory for two chunks of them.
pub struct TriangleListing<D: Device> {
    /// Where the triangles of each tile begin, and the last one's end.
    places: Buffer<u64, D>,
    triangles: u64,
    at_a_time: u64,
    chunks: [Buffer<u32, D>; 2],
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
                graph.tails.view(),
                graph.heads.view(),
                graph.rows.view().cast(),
                counts.view_mut(),
                m,
            )?;
        }
        let places = starts_of(device, &counts)?;
        let mut triangles = [0];
        places.download(device, tiles, &mut triangles)?;
        let [triangles] = triangles;
        let at_a_time = at_a_time.min(triangles).max(1);
        let chunk = |first: u64| {
            let len = triangles.saturating_sub(first).min(at_a_time);
            Buffer::uninitialized(device, CORNERS * len)
        };
        let chunks = [chunk(0)?, chunk(at_a_time)?];
        Ok(TriangleListing { places, triangles, at_a_time, chunks })
    }

    /// The number of triangles.
    pub fn triangles(&self) -> u64 {
        self.triangles
    }

    /// Copies the triangles from place `from` on to the host, as many as fit `to`: vertices in ascending order. Each
    /// chunk is copied while the next is written.
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
        let mut chunks = self.chunks_of(from..from + to.len() as u64);
        let Some(mut chunk) = chunks.next() else { return Ok(()) };
        let (mut rest, mut side) = (to, 0);
        self.write(device, graph, side, &chunk)?;
        loop {
            let written = device.record()?;
            let next = chunks.next();
            if let Some(next) = &next {
                self.write(device, graph, 1 - side, next)?;
            }
            // No longer than the slice.
            let (here, after) = rest.split_at_mut((chunk.end - chunk.start) as usize);
            // SAFETY: what was asked for since writes the other buffer.
            unsafe {
                self.chunks[side].download_after(device, &written, 0, here.as_flattened_mut())?;
            }
            rest = after;
            side = 1 - side;
            match next {
                Some(next) => chunk = next,
                None => return Ok(()),
            }
        }
    }

    /// The chunks of some places.
    fn chunks_of(&self, places: Range<u64>) -> impl Iterator<Item = Range<u64>> + use<D> {
        let (end, step) = (places.end, self.at_a_time);
        assert!(end <= self.triangles, "there are {} triangles, not {end}", self.triangles);
        let starts = (0..places.end.saturating_sub(places.start).div_ceil(step))
            .map(move |chunk| places.start + chunk * step);
        starts.map(move |start| start..end.min(start + step))
    }

    /// Writes the triangles of a chunk to one of the two buffers. There is a triangle.
    fn write(
        &mut self,
        device: &D,
        graph: &DeviceGraph<D>,
        side: usize,
        chunk: &Range<u64>,
    ) -> Result<(), D::Error> {
        write_triangles(
            device,
            Shape::cover(graph.edges, BLOCK, device.multiprocessors() * WRITE_BLOCKS),
            graph.tails.view(),
            graph.heads.view(),
            graph.rows.view().cast(),
            graph.vertex_of_rank.view(),
            self.places.view(),
            self.chunks[side].view_mut(),
            graph.edges,
            chunk.start,
            chunk.end,
        )
    }
}
