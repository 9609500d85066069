//! Peeling with every triangle in the lists of its edges.

use tribin_kernels::forward::BLOCKS_PER_MULTIPROCESSOR;
use tribin_kernels::live_edges::put_values;
use tribin_kernels::primitives::Oriented;
use tribin_kernels::triangle_lists::{
    ENTRIES, ITEMS, LENGTHS, LIST_BLOCK, PLACE_BLOCK, list_triangles, place_lists,
};
use tribin_kernels::truss_peel::{
    CONTROL_WORDS, DONE, LAST_LEVEL, ROUNDS, SCANS, SHARED_BYTES, STEP, peel_truss,
};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::left::EdgesLeft;
use super::{PeelShape, PeelingFigures};
use crate::analytics::{BLOCKS, over};

/// Peels the edges that are left, puts the trussness of each at its place among all edges, and says what that took.
///
/// # Errors
/// What the device reports.
pub(super) fn peel<D: Device>(
    device: &D,
    left: EdgesLeft<D>,
    shape: PeelShape,
    per_edge: &mut Buffer<u32, D>,
) -> Result<PeelingFigures, D::Error> {
    let rows = left.oriented_rows(device)?;
    let EdgesLeft { tails, heads, mut support, places, edges: m, .. } = left;
    let mut ends = Buffer::uninitialized(device, m)?;
    let mut lens = Buffer::uninitialized(device, m)?;
    let mut lengths = Buffer::<u64, D>::zeroed(device, LENGTHS)?;
    place_lists(
        device,
        Shape::cover(m, PLACE_BLOCK, device.multiprocessors() * BLOCKS),
        support.view(),
        ends.view_mut(),
        lens.view_mut(),
        lengths.view_mut(),
        m,
    )?;
    let lengths = lengths.to_vec(device)?;
    let in_lists = lengths[ENTRIES as usize];
    let mut entries = Buffer::uninitialized(device, in_lists)?;
    let mut round_of = Buffer::uninitialized(device, m)?;
    if in_lists > 0 {
        // Rounds come later: until then their words count what lists were given.
        round_of.fill_bytes(device, 0)?;
        let most = device.multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
        list_triangles(
            device,
            Shape::cover(m, LIST_BLOCK, most),
            Oriented { tails: tails.view(), heads: heads.view(), rows: rows.view().cast() },
            ends.view(),
            lens.view(),
            round_of.view_mut(),
            entries.view_mut(),
            m,
        )?;
    }

    // Every byte of `LIVE` is the same.
    round_of.fill_bytes(device, 0xff)?;
    let mut found = Buffer::uninitialized(device, m)?;
    let mut queue = Buffer::uninitialized(device, lengths[ITEMS as usize])?;
    let mut control = Buffer::<u64, D>::zeroed(device, CONTROL_WORDS)?;
    let grid = device.multiprocessors() * shape.blocks_per_multiprocessor;
    let mut words = [0; CONTROL_WORDS as usize];
    while words[STEP as usize] != DONE {
        peel_truss(
            device,
            Shape::new(grid, shape.block).shared(SHARED_BYTES).together(),
            entries.view(),
            ends.view(),
            lens.view(),
            support.view_mut(),
            round_of.view_mut(),
            found.view_mut(),
            queue.view_mut(),
            control.view_mut(),
            m,
            shape.steps_per_launch,
        )?;
        control.download(device, 0, &mut words)?;
    }
    put_values(device, over(device, m), found.view(), places.view(), per_edge.view_mut(), m)?;
    Ok(PeelingFigures {
        largest: words[LAST_LEVEL as usize] as u32 + 2,
        rounds: words[ROUNDS as usize],
        scans: words[SCANS as usize] + 1,
        layouts: 0,
        listed: in_lists / 3,
    })
}
