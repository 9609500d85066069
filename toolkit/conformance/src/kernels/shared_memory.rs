//! Shared memory: arrays of every type behind one another.

use warpwise_device::memory::{InOut, U64x2};
use warpwise_device::shared::{Layout, Place};
use warpwise_device::{kernel, thread};

use super::structures::{Colour, Record};

/// Threads of a block.
pub const BLOCK: u32 = 96;

/// Where a block has its arrays.
pub struct Tile {
    bytes: Place<u8>,
    words: Place<u64>,
    halves: Place<i16>,
    colours: Place<Colour>,
    reals: Place<f32>,
    pairs: Place<U64x2>,
    records: Place<Record>,
    /// How much shared memory they take.
    pub shared_bytes: u32,
}

/// The arrays of [`exchange_shared`], in an order that needs padding.
pub const TILE: Tile = {
    let (layout, bytes) = Layout::new().array(BLOCK - 1);
    let (layout, words) = layout.array(BLOCK);
    let (layout, halves) = layout.array(BLOCK - 1);
    let (layout, colours) = layout.array(BLOCK);
    let (layout, reals) = layout.array(BLOCK);
    let (layout, pairs) = layout.array(BLOCK);
    let (layout, records) = layout.array(BLOCK);
    Tile { bytes, words, halves, colours, reals, pairs, records, shared_bytes: layout.bytes() }
};

kernel!(
    /// Each thread writes to every array, and reads what the thread opposite wrote.
    #[requires(|shape| shape.block.x == BLOCK, shape.shared_bytes >= TILE.shared_bytes, out.len() >= 7 * shape.threads())]
    pub unsafe fn exchange_shared(out: InOut<u64>) {
        let me = thread::thread_idx_x();
        let (bytes, words, halves) = (TILE.bytes.here(), TILE.words.here(), TILE.halves.here());
        let (colours, reals) = (TILE.colours.here(), TILE.reals.here());
        let (pairs, records) = (TILE.pairs.here(), TILE.records.here());
        let (a, b) = (me as u8, u64::from(me));
        if me < BLOCK - 1 {
            bytes.set(me, a);
            halves.set(me, -(me as i16));
        }
        words.set(me, b << 33 | 1);
        colours.set(me, Colour { red: a, green: a + 1, blue: a + 2 });
        reals.set(me, me as f32 / 4.0);
        pairs.set(me, U64x2([b + 5, b << 40]));
        let (key, value) = (b << 35, f64::from(me) / 8.0);
        records.set(me, Record { key, value, count: me, flags: me as u16 + 1, kind: -3 });
        thread::sync_threads();
        let other = BLOCK - 1 - me;
        let i = 7 * thread::index_1d();
        let inside = other < BLOCK - 1;
        out.set(i, if inside { bytes.get(other).into() } else { 1000 });
        out.set(i + 1, words.get(other));
        out.set(i + 2, if inside { halves.get(other) as u64 } else { 1000 });
        let Colour { red, green, blue } = colours.get(other);
        out.set(i + 3, u64::from(red) << 16 | u64::from(green) << 8 | u64::from(blue));
        out.set(i + 4, reals.get(other).to_bits().into());
        let U64x2([low, high]) = pairs.get(other);
        out.set(i + 5, low ^ high);
        let Record { key, value, count, flags, kind } = records.get(other);
        let rest = u64::from(count) << 20 | u64::from(flags) << 4 | (kind as u64 & 15);
        out.set(i + 6, key ^ value.to_bits() ^ rest);
    }
);
