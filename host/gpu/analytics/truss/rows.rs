//! Peeling with the triangles of every edge that goes found again, in memory that does not grow with their number.

use tribin_kernels::truss_peel::{
    CONTROL_WORDS, DONE, ENTRIES_AT_STOP, LAST_LEVEL, LEVEL, LIVE_AT_STOP, ROUNDS, SCANS,
    SHARED_BYTES, STEP, STOPPED, peel_rows,
};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::left::EdgesLeft;
use super::{PeelShape, PeelingFigures};

/// The graph that is left when its rows have been peeled for a while.
pub(super) struct PeeledGraph<D: Device> {
    pub left: EdgesLeft<D>,
    /// Every edge left has as many triangles, or more.
    pub level: u32,
    /// Three for each triangle.
    pub entries: u64,
}

/// Peels from `level` on, until few edges or fewer than `listed_below` entries are left; `None` if no edge is.
pub(super) fn peel<D: Device>(
    device: &D,
    mut left: EdgesLeft<D>,
    level: u32,
    listed_below: u64,
    shape: PeelShape,
    per_edge: &mut Buffer<u32, D>,
    peeling: &mut PeelingFigures,
) -> Result<Option<PeeledGraph<D>>, D::Error> {
    let m = left.edges;
    let rows = left.rows_of_both(device, shape.chunk)?;
    let mut round_of = Buffer::uninitialized(device, m)?;
    // Every byte of `LIVE` is the same.
    round_of.fill_bytes(device, 0xff)?;
    let mut queue = Buffer::uninitialized(device, rows.items)?;
    let mut words = [0; CONTROL_WORDS as usize];
    words[LEVEL as usize] = u64::from(level);
    let mut control = Buffer::from_host(device, &words)?;
    let grid = device.multiprocessors() * shape.blocks_per_multiprocessor;
    // Few edges are peeled to the end: nothing would be saved by laying them out once more.
    let stop_live = if m < shape.least_laid_out { 0 } else { m * shape.laid_out_permille / 1_000 };
    while ![DONE, STOPPED].contains(&words[STEP as usize]) {
        peel_rows(
            device,
            Shape::new(grid, shape.block).shared(SHARED_BYTES).together(),
            left.tails.view(),
            left.heads.view(),
            rows.rows.view().cast(),
            rows.neighbours.view(),
            rows.edge_at.view(),
            rows.parts.view(),
            left.places.view(),
            left.support.view_mut(),
            round_of.view_mut(),
            per_edge.view_mut(),
            queue.view_mut(),
            control.view_mut(),
            m,
            rows.chunk,
            shape.steps_per_launch,
            stop_live,
            listed_below,
        )?;
        control.download(device, 0, &mut words)?;
    }
    peeling.layouts += 1;
    peeling.rounds += words[ROUNDS as usize];
    peeling.scans += words[SCANS as usize] + 1;
    if words[LAST_LEVEL as usize] > 0 {
        peeling.largest = words[LAST_LEVEL as usize] as u32 + 2;
    }
    if words[STEP as usize] == DONE {
        return Ok(None);
    }
    drop((rows, round_of, queue));
    let level = words[LEVEL as usize] as u32;
    let left = left.keep(device, level, words[LIVE_AT_STOP as usize])?;
    Ok(Some(PeeledGraph { left, level, entries: words[ENTRIES_AT_STOP as usize] }))
}
