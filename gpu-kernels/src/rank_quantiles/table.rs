use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, shared, thread, warp};

use super::{
    CELLS, MOST_RANK_BITS, MOST_RANKS, OCTAVES, QUANTILES, first_rank_of_cell, octave_of,
    width_bits, word_of_cell,
};
use crate::primitives::{Scanned, block_scan_exclusive};

/// Threads in the block of [`quantile_table`]: one for each cell.
pub const TABLE_BLOCK: u32 = 256;

const WARPS: u32 = TABLE_BLOCK / warp::SIZE;

/// Bytes of shared memory of the block.
pub const TABLE_SHARED_BYTES: u32 = WARPS * 4;

kernel!(
    /// `cells[c]` = the quantiles of each cell of `ranks` ranks ([`word_of_cell`]). `heads[o]` = how many ends of entries are foreseen to be the smaller
    /// rank and below the octave, out of `heads[32]`. One block.
    ///
    /// All cells but those past the last rank have as many quantiles as their keys ask for, and as many that none has more than
    /// [`MOST_RANKS`] ranks. The sum of all `volumes` is below 2^(31 + `down`).
    #[requires(
        |shape| volumes.len() >= u64::from(CELLS), cells.len() >= u64::from(CELLS), heads.len() >= u64::from(OCTAVES),
        ranks <= 1 << MOST_RANK_BITS, down < 64, shape.block.x == TABLE_BLOCK, shape.grid.count() == 1,
        shape.shared_bytes >= TABLE_SHARED_BYTES,
    )]
    #[launch_bounds(TABLE_BLOCK, 1)]
    pub unsafe fn quantile_table(
        volumes: In<u64>,
        cells: InOut<u64>,
        heads: InOut<u32>,
        ranks: u32,
        down: u32,
    ) {
        let sums = shared::array::<u32>(0, WARPS);
        let cell = thread::thread_idx_x();
        let exists = cell < CELLS && first_rank_of_cell(cell) < ranks;
        let (mut volume, mut width) = (0, 0u32);
        if exists {
            volume = (volumes.get(u64::from(cell)) >> down) as u32;
            width = 1 << width_bits(cell);
        }
        let Scanned { before, all } = block_scan_exclusive(sums, volume);
        // The mean, over the cell's ranks, of the share of the volume that smaller ranks have: keys, and not heads.
        let twice_before = 2 * u64::from(before) + u64::from(volume);
        let keys = (u64::from(volume) * twice_before / u64::from(all.max(1)) / 2) as u32;
        let Scanned { before: heads_before, all: all_heads } =
            block_scan_exclusive(sums, volume - keys);
        if cell == 0 {
            heads.set(u64::from(OCTAVES - 1), all_heads);
            // Rank 0 has no octave of its own.
            heads.set(0, 0);
        }
        // The first cell of its octave.
        let octave = if cell < 16 { octave_of(cell) } else { cell / 8 + 2 };
        if cell > 1 && cell < CELLS && first_rank_of_cell(cell) == 1 << octave {
            heads.set(u64::from(octave), heads_before);
        }
        let least = width.div_ceil(MOST_RANKS);
        let Scanned { all: all_keys, .. } = block_scan_exclusive(sums, keys);
        let Scanned { all: least_of_all, .. } = block_scan_exclusive(sums, least);
        let others = u64::from(QUANTILES - least_of_all) * u64::from(keys);
        let quantiles = width.min(least + (others / u64::from(all_keys.max(1))) as u32);
        let Scanned { before: first, .. } = block_scan_exclusive(sums, quantiles);
        if cell < CELLS {
            cells.set(u64::from(cell), word_of_cell(first, quantiles));
        }
    }
);

kernel!(
    /// `first[q]` = the first rank of quantile `q`, and `ranks` behind the last quantile.
    #[requires(cells.len() >= u64::from(CELLS), first.len() > u64::from(QUANTILES))]
    pub unsafe fn first_ranks(cells: In<u64>, first: InOut<u32>, ranks: u32) {
        let stride = thread::grid_size();
        let mut quantile = thread::index_1d();
        while quantile <= u64::from(QUANTILES) {
            first.set(quantile, first_rank_of(cells, quantile as u32, ranks));
            quantile += stride;
        }
    }
);

/// The first rank of a quantile.
#[inline(always)]
fn first_rank_of(cells: In<u64>, quantile: u32, ranks: u32) -> u32 {
    // The last cell that does not begin behind the quantile.
    let (mut cell, mut len) = (0, CELLS);
    while len > 1 {
        let half = len / 2;
        if cells.get(u64::from(cell + half)) as u32 <= quantile {
            cell += half;
            len -= half;
        } else {
            len = half;
        }
    }
    let word = cells.get(u64::from(cell));
    let (first, quantiles) = (word as u32, (word >> 32) as u32);
    let in_cell = quantile - first;
    if in_cell >= quantiles {
        return ranks;
    }
    let rank = (u64::from(in_cell) << width_bits(cell)).div_ceil(u64::from(quantiles.max(1)));
    (first_rank_of_cell(cell) + rank as u32).min(ranks)
}
