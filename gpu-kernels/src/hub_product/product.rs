use warpwise_device::matrix::mma_common_bits;
use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::{kernel, thread, warp};

use super::{BLOCK, READ, TILE, bit_words, is_matrix, span};
use crate::forward::TOTALS;
use crate::primitives::block_add_to;

const WARPS: u32 = BLOCK / warp::SIZE;

/// Rows of the first operand of a step.
const ROWS: u32 = 16;
/// Columns of the second operand of a step.
const COLUMNS: u32 = 8;

/// Steps down and across a tile of sums.
const DOWN: usize = (TILE / ROWS) as usize;
const ACROSS: usize = (TILE / COLUMNS) as usize;

type Sums = [[[u32; 4]; ACROSS]; DOWN];

/// The most items, which are of matrices of so many hubs: at most 2¹⁹.
pub const fn items(hubs: u32) -> u32 {
    let tiles = hubs / TILE;
    tiles * tiles.div_ceil(WARPS)
}

/// Whether the numbers of the items that begin with `first` stay below 2³², past the last one too.
fn has_items(hubs: u32, first: u32, step: u32) -> bool {
    step > 0 && u64::from(first) + 2 * u64::from(items(hubs)) * u64::from(step) < 1 << 32
}

kernel!(
    /// Adds triangles among the hubs to `totals`, by products of bits: those of the items `first`, `first + step`, …,
    /// of which there are [`items`]. An item is a row of eight tiles, and a triangle belongs to the tile of its two
    /// larger ranks.
    ///
    /// `bits` and `mask` are the matrix of `hub_matrix`, `spans` its spans. No rank from `ranks` on has an edge.
    ///
    /// Launch with blocks of [`BLOCK`] threads, at most one for each item. A sum is at most the hubs, 2¹⁶, and a lane adds up 32 of
    /// them in 32 bits.
    #[requires(
        is_matrix(hubs), bits.len() * 4 >= bit_words(hubs), mask.len() >= bit_words(hubs),
        spans.len() >= u64::from(hubs / TILE), totals.len() >= TOTALS, has_items(hubs, first, step),
    )]
    #[launch_bounds(256, 2)]
    pub unsafe fn hub_product_bits(
        bits: In<U64x2>,
        mask: In<u32>,
        spans: In<u32>,
        totals: InOut<u64>,
        ranks: u32,
        hubs: u32,
        first: u32,
        step: u32,
    ) {
        let count = count_tiles(bits, mask, spans, ranks, hubs, [first, step]);
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

/// The sums with an edge of this lane's tiles. A warp takes a tile of sums after the other: rows of `TILE`
/// hubs with rows of `TILE` hubs not above them.
///
/// A read is 16 bytes of a row, of which two steps take eight each. Which columns a word stands for is the
/// same in both operands, and nothing else matters to a sum.
#[inline(always)]
fn count_tiles(
    matrix: In<U64x2>,
    mask: In<u32>,
    spans: In<u32>,
    ranks: u32,
    hubs: u32,
    [first_item, every]: [u32; 2],
) -> u64 {
    let lane = warp::lane_id();
    let warp_index = thread::thread_idx_x() / warp::SIZE;
    let (group, in_group) = (lane / 4, lane % 4);
    let tiles = hubs / TILE;
    // Those that have a rank; the others are empty.
    let filled = ranks.min(hubs).div_ceil(TILE);
    let across = filled.div_ceil(WARPS);
    let row_reads = u64::from(hubs / READ);
    let span_reads = span(hubs) / READ;
    let mut count = 0;
    let mut item = first_item + thread::block_idx_x() * every;
    while item < filled * across {
        // The longest rows first.
        let down_tile = filled - 1 - item / across.max(1);
        let across_tile = item % across.max(1) * WARPS + warp_index;
        item += thread::grid_dim_x() * every;
        let mut edges = 0;
        if across_tile <= down_tile {
            edges = mask.get(
                u64::from(down_tile * TILE + lane) * u64::from(tiles) + u64::from(across_tile),
            );
        }
        if !warp::warp_vote_any(warp::ALL, edges != 0) {
            continue;
        }
        let mut sums: Sums = [[[0; 4]; ACROSS]; DOWN];
        let mut left = spans.get(u64::from(down_tile)) & spans.get(u64::from(across_tile));
        while left != 0 {
            let first = left.trailing_zeros() * span_reads;
            left &= left - 1;
            // A read of each of a group's four lanes is one of 64 bytes.
            let mut read = u64::from(first + in_group);
            let end = read + u64::from(span_reads);
            while read < end {
                let row = |tile: u32, row: u32| u64::from(tile * TILE + row) * row_reads + read;
                let mut rows = [[[0u32; 4]; 2]; DOWN];
                for down in 0..DOWN {
                    let first = down as u32 * ROWS + group;
                    rows[down] = [
                        words(matrix.get(row(down_tile, first))),
                        words(matrix.get(row(down_tile, first + 8))),
                    ];
                }
                let mut columns = [[0u32; 4]; ACROSS];
                for across in 0..ACROSS {
                    let column = across as u32 * COLUMNS + group;
                    columns[across] = words(matrix.get(row(across_tile, column)));
                }
                for down in 0..DOWN {
                    let [upper, lower] = rows[down];
                    for across in 0..ACROSS {
                        let column = columns[across];
                        let sum = sums[down][across];
                        let sum = mma_common_bits(
                            [upper[0], lower[0], upper[1], lower[1]],
                            [column[0], column[1]],
                            sum,
                        );
                        sums[down][across] = mma_common_bits(
                            [upper[2], lower[2], upper[3], lower[3]],
                            [column[2], column[3]],
                            sum,
                        );
                    }
                }
                read += 4;
            }
        }
        count += u64::from(with_edges(sums, edges, group, in_group));
    }
    count
}

/// The four words of a read.
#[inline(always)]
fn words(read: U64x2) -> [u32; 4] {
    let [low, high] = read.0;
    [low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32]
}

/// This lane's sums where there is an edge: lane r has row r of the tile in `edges`.
#[inline(always)]
fn with_edges(sums: Sums, edges: u32, group: u32, in_group: u32) -> u32 {
    let mut count = 0;
    for down in 0..DOWN {
        let row = down as u32 * ROWS + group;
        let upper = warp::warp_shuffle_idx(warp::ALL, edges, row);
        let lower = warp::warp_shuffle_idx(warp::ALL, edges, row + 8);
        for across in 0..ACROSS {
            let column = across as u32 * COLUMNS + 2 * in_group;
            let sum = sums[down][across];
            count += sum[0] * (upper >> column & 1);
            count += sum[1] * (upper >> (column + 1) & 1);
            count += sum[2] * (lower >> column & 1);
            count += sum[3] * (lower >> (column + 1) & 1);
        }
    }
    count
}
