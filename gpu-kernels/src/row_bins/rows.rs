use warpwise_device::memory::{Element, In, InOut};

use warpwise_device::registers::pin_32;
use warpwise_device::shared::{Layout, Place, Shared};
use warpwise_device::{kernel, shared, thread, warp};

use super::{
    BINS, FOUND, MOST_BINS, MOST_OF_SLOT, MOST_RANK_BITS_SORTED, MOST_RANKS, OVER, TOO_LARGE,
    capacity,
};
use crate::primitives::{Scanned, block_ticket, large_block_scan_exclusive};

/// Threads in a block of [`rows_of_bins`].
pub const ROWS_BLOCK: u32 = 1_024;

/// Slots of a bin, and two to a word.
const SLOTS: u32 = MOST_RANKS;

const SLOT_WORDS: u32 = SLOTS / 2;

/// Words of a thread.
const OWN_WORDS: u32 = SLOT_WORDS / ROWS_BLOCK;

/// Keys that a thread reads together.
const READS: usize = 4;

/// Values behind the last that are read with it.
const PADDING: u32 = 4;

/// The bit of a place whose key is in its slot already.
const REPEATED: u32 = 1 << 15;

/// The key of a bin: its row in the bin above its head, which has as many bits as the bin's last rank. A head is smaller than its
/// tail. So where rows are long, at the lowest ranks, their heads still go to different slots.
trait Value: Element + Ord {
    /// More than any key of a bin.
    const MAX: Self;
    const BITS: u32;

    /// The value of a key with `rank_bits` bits of a head, in a bin whose first possible key is `first`. Each row of the bin is
    /// `down` = 2^`rank_bits` - 2^`head_bits` values shorter than in keys.
    fn of(key: u64, first: u64, rank_bits: u32, down: u32) -> Self;

    /// Without its `bits` lowest bits, which leaves a slot's number.
    fn without(self, bits: u32) -> u32;
    fn row(self, head_bits: u32) -> u32;
    fn head(self, head_bits: u32) -> u32;

    /// One less, if there is one.
    fn less(self) -> Option<Self>;

    /// How many of the values are at most this one: all of those before `start`, and those among the values from there to
    /// `end` that are. What stands behind them is more.
    fn at_most(self, values_at: u32, start: u32, end: u32) -> u32;
}

impl Value for u32 {
    const MAX: u32 = u32::MAX;
    const BITS: u32 = u32::BITS;

    #[inline(always)]
    fn of(key: u64, first: u64, rank_bits: u32, down: u32) -> u32 {
        let wide = (key as u32).wrapping_sub(first as u32);
        wide.wrapping_sub((wide >> rank_bits).wrapping_mul(down))
    }

    #[inline(always)]
    fn without(self, bits: u32) -> u32 {
        self >> bits
    }

    #[inline(always)]
    fn row(self, head_bits: u32) -> u32 {
        self >> head_bits
    }

    #[inline(always)]
    fn head(self, head_bits: u32) -> u32 {
        self & (u32::MAX >> (32 - head_bits))
    }

    #[inline(always)]
    fn less(self) -> Option<u32> {
        self.checked_sub(1)
    }

    #[inline(always)]
    fn at_most(self, values_at: u32, start: u32, end: u32) -> u32 {
        let pairs = shared::array::<u64>(values_at, (capacity(u32::BITS) + PADDING) / 2);
        let of_pair =
            |two: u64| u32::from(two as u32 <= self) + u32::from((two >> 32) as u32 <= self);
        let mut pair = start / 2;
        let mut count = pair * 2;
        while pair * 2 < end {
            count += of_pair(pairs.get(pair)) + of_pair(pairs.get(pair + 1));
            // A loop that the compiler unrolls has lanes wait for those that take other ways through it.
            pair = pin_32(pair + 2);
        }
        count
    }
}

impl Value for u64 {
    const MAX: u64 = u64::MAX;
    const BITS: u32 = u64::BITS;

    #[inline(always)]
    fn of(key: u64, first: u64, rank_bits: u32, down: u32) -> u64 {
        let wide = key - first;
        wide - (wide >> rank_bits) * u64::from(down)
    }

    #[inline(always)]
    fn without(self, bits: u32) -> u32 {
        (self >> bits) as u32
    }

    #[inline(always)]
    fn row(self, head_bits: u32) -> u32 {
        (self >> head_bits) as u32
    }

    #[inline(always)]
    fn head(self, head_bits: u32) -> u32 {
        self as u32 & (u32::MAX >> (32 - head_bits))
    }

    #[inline(always)]
    fn less(self) -> Option<u64> {
        self.checked_sub(1)
    }

    #[inline(always)]
    fn at_most(self, values_at: u32, start: u32, end: u32) -> u32 {
        let values = shared::array::<u64>(values_at, capacity(u64::BITS) + PADDING);
        let mut count = start;
        let mut other = start;
        while other < end {
            count +=
                u32::from(values.get(other) <= self) + u32::from(values.get(other + 1) <= self);
            other = pin_32(other + 2);
        }
        count
    }
}

struct Bin<T: Element> {
    values: Place<T>,
    places: Place<u16>,
    ends: Place<u32>,
    kept: Place<u32>,
    kept_before: Place<u16>,
    sums: Place<u32>,
    /// What tells whether a key of the bin repeats.
    repeats: Place<u32>,
    bytes: u32,
}

impl<T: Value> Bin<T> {
    const CAPACITY: u32 = capacity(T::BITS);

    /// Words of a bit for each key.
    const BIT_WORDS: u32 = Self::CAPACITY.div_ceil(32);

    /// From the start of shared memory on: the values come first.
    const LAYOUT: Bin<T> = {
        let (layout, values) = Layout::new().array(Self::CAPACITY + PADDING);
        let (layout, ends) = layout.array(SLOT_WORDS);
        let (layout, kept) = layout.array(Self::BIT_WORDS);
        let (layout, sums) = layout.array(ROWS_BLOCK / warp::SIZE);
        let (layout, repeats) = layout.array(1);
        let (layout, places) = layout.array(Self::CAPACITY);
        let (layout, kept_before) = layout.array(Self::BIT_WORDS);
        let bytes = layout.bytes();
        Bin { values, places, ends, kept, kept_before, sums, repeats, bytes }
    };
}

/// Where a block keeps its ticket: behind a bin of either kind of values.
const TICKET: (Layout, Place<u32>) = {
    let (narrow, wide) = (Bin::<u32>::LAYOUT.bytes, Bin::<u64>::LAYOUT.bytes);
    let bin = if narrow > wide { narrow } else { wide };
    let (layout, _) = Layout::new().array::<u32>(bin.div_ceil(4));
    layout.array(1)
};

/// Bytes of shared memory of a block.
pub const ROWS_SHARED_BYTES: u32 = TICKET.0.bytes();

kernel!(
    /// Writes the distinct edges of each bin to `tails` (larger rank) and `heads`, in order, from the place of the bin's first key
    /// on. The bounds of the row of each rank `r` go to `rows[2r]` (first edge) and `rows[2r + 1]` (one past the last).
    /// How many edges a bin has goes to `kept_of_bin`, and their sum is added to `kept[0]`. Edges that repeat stand behind the
    /// distinct ones of their bin ([`close_gaps`](super::close_gaps)).
    ///
    /// `kept[0]` has the bit [`TOO_LARGE`] if some bin or slot is too large, and then nothing else is of use.
    ///
    /// `keys` are those of [`split_keys`](super::split_keys), or sorted by their groups. The larger rank of a key is above the smaller one. A
    /// key, less the first of its bin, has at most `BITS` bits. `kept[0]` and `ticket[0]` are 0 before. Any number of blocks.
    #[requires(
        |shape| first_key.len() > u64::from(MOST_BINS), first_rank.len() > u64::from(MOST_BINS), found.len() >= FOUND,
        (1..=MOST_RANK_BITS_SORTED).contains(&rank_bits), tails.len() >= keys.len(), heads.len() >= keys.len(),
        !kept.is_empty(),
        kept_of_bin.len() >= u64::from(MOST_BINS), !ticket.is_empty(), shape.block.x == ROWS_BLOCK, shape.shared_bytes >= ROWS_SHARED_BYTES,
    )]
    #[launch_bounds(ROWS_BLOCK, 2)]
    #[instances(32, 64)]
    pub unsafe fn rows_of_bins<const BITS: u32>(
        keys: In<u64>,
        first_key: In<u32>,
        first_rank: In<u32>,
        found: In<u32>,
        tails: InOut<u32>,
        heads: InOut<u32>,
        rows: InOut<u32>,
        kept_of_bin: InOut<u32>,
        kept: InOut<u64>,
        ticket: InOut<u32>,
        rank_bits: u32,
    ) {
        let to = Rows { tails, heads, rows };
        let bins = found.get(BINS);
        if found.get(OVER) != 0 {
            if thread::index_1d() == 0 {
                kept.atomic_or(0, TOO_LARGE);
            }
            return;
        }
        loop {
            let bin = block_ticket(ticket, TICKET.1.here());
            if bin >= bins {
                break;
            }
            let bounds = Bounds {
                start: first_key.get(u64::from(bin)),
                end: first_key.get(u64::from(bin) + 1),
                rank: first_rank.get(u64::from(bin)),
                ranks: first_rank.get(u64::from(bin) + 1) - first_rank.get(u64::from(bin)),
            };
            let edges = if BITS == 32 {
                rows_of_bin::<u32>(keys, bounds, to, rank_bits)
            } else {
                rows_of_bin::<u64>(keys, bounds, to, rank_bits)
            };
            if thread::thread_idx_x() == 0 {
                match edges {
                    Some(edges) => {
                        kept_of_bin.set(u64::from(bin), edges);
                        kept.atomic_add(0, u64::from(edges));
                    }
                    None => {
                        kept.atomic_or(0, TOO_LARGE);
                    }
                }
            }
            thread::sync_threads();
        }
    }
);

/// The keys and the ranks of a bin.
#[derive(Clone, Copy)]
struct Bounds {
    start: u32,
    end: u32,
    rank: u32,
    ranks: u32,
}

impl Bounds {
    /// Bits of its heads: at least one, and no more than a rank has.
    #[inline(always)]
    fn head_bits(self) -> u32 {
        u32::BITS - (self.rank + self.ranks).saturating_sub(1).max(1).leading_zeros()
    }
}

/// Which slot of a bin a value is in: a slot has as many of the head's highest bits as there are slots for. The slots of a row are side by
/// side, and in the order of its heads.
#[derive(Clone, Copy)]
struct Slots {
    bits_of_row: u32,
    /// The bits of a head that say nothing of its slot.
    lower_bits: u32,
}

impl Slots {
    #[inline(always)]
    fn of_bin(bounds: Bounds) -> Slots {
        let head_bits = bounds.head_bits();
        let bits_of_row = (31 - (SLOTS / bounds.ranks.max(1)).leading_zeros()).min(head_bits);
        Slots { bits_of_row, lower_bits: head_bits - bits_of_row }
    }

    #[inline(always)]
    fn of<T: Value>(self, value: T) -> u32 {
        value.without(self.lower_bits)
    }

    /// Slots of a row.
    #[inline(always)]
    fn of_row(self) -> u32 {
        1 << self.bits_of_row
    }
}

/// Where rows go.
#[derive(Clone, Copy)]
struct Rows {
    tails: InOut<u32>,
    heads: InOut<u32>,
    rows: InOut<u32>,
}

/// The rows of one bin; how many edges they have, or none if some slot is too large.
#[inline(always)]
fn rows_of_bin<T: Value>(keys: In<u64>, bounds: Bounds, to: Rows, rank_bits: u32) -> Option<u32> {
    let thread = thread::thread_idx_x();
    let Bounds { start, end, rank, ranks } = bounds;
    let Rows { tails, heads, rows } = to;
    let head_bits = bounds.head_bits();
    let down = (1 << rank_bits) - (1 << head_bits);
    let first = u64::from(rank) << rank_bits;
    let value_of = |key| T::of(key, first, rank_bits, down);
    let slots = Slots::of_bin(bounds);
    let len = end - start;
    if len == 0 {
        for row in thread::strided(thread..ranks, ROWS_BLOCK) {
            let at = 2 * u64::from(rank + row);
            rows.set(at, start);
            rows.set(at + 1, start);
        }
        return Some(0);
    }
    let bin_at = Bin::<T>::LAYOUT;
    let (values, ends, places) = (bin_at.values.here(), bin_at.ends.here(), bin_at.places.here());
    for word in thread::strided(thread..SLOT_WORDS, ROWS_BLOCK) {
        ends.set(word, 0);
    }
    if thread == 0 {
        bin_at.repeats.here().set(0, 0);
    }
    if thread < PADDING {
        values.set(len + thread, T::MAX);
    }
    thread::sync_threads();
    let in_slot = |value: T| add_to_slot(ends, slots.of(value));
    each_value::<T>(keys, start, end, value_of, in_slot, |_, _| {});
    thread::sync_threads();
    starts_of_slots(ends, bin_at.sums.here());
    // Each slot's start becomes its end.
    each_value::<T>(keys, start, end, value_of, in_slot, |place, value| values.set(place, value));
    thread::sync_threads();
    let mut sum = 0;
    let mut too_large = false;
    for at in thread::strided(thread..len, ROWS_BLOCK) {
        let value = values.get(at);
        let slot = slots.of(value);
        let (start, end) = (start_of_slot(ends, slot), end_of_slot(ends, slot));
        let mut place = at;
        if end - start > MOST_OF_SLOT {
            too_large = true;
        } else {
            // That of the last that is the same.
            let at_most = value.at_most(0, start, end);
            place = at_most - 1;
            sum += at_most;
        }
        places.set(at, place as u16);
    }
    let of_warp = warp::warp_reduce_add_32(warp::ALL, sum);
    if warp::lane_id() == 0 {
        bin_at.repeats.here().atomic_add(0, of_warp);
    }
    if thread::sync_threads_or(too_large) {
        return None;
    }
    // Where no key repeats, places are the numbers from 1 to `len`, and more together where one does.
    let repeats = bin_at.repeats.here().get(0) != len * (len + 1) / 2;
    let (kept_bits, kept_before) = (bin_at.kept.here(), bin_at.kept_before.here());
    let mut all = len;
    if repeats {
        for at in thread::strided(thread..len, ROWS_BLOCK) {
            let value = values.get(at);
            let slot = slots.of(value);
            // A key that is the only one of its kind has its place already.
            let start = start_of_slot(ends, slot);
            let less = match value.less() {
                Some(less) => less.at_most(0, start, end_of_slot(ends, slot)),
                None => 0,
            };
            if less < u32::from(places.get(at)) {
                places.set(at, place_among_repeated(values, at, value, less, start) as u16);
            }
        }
        if thread < Bin::<T>::BIT_WORDS {
            kept_bits.set(thread, 0);
        }
        thread::sync_threads();
        for at in thread::strided(thread..len, ROWS_BLOCK) {
            let place = u32::from(places.get(at));
            if place & REPEATED == 0 {
                kept_bits.atomic_or(place / 32, 1 << (place % 32));
            }
        }
        thread::sync_threads();
        let mut in_word = 0;
        if thread < Bin::<T>::BIT_WORDS {
            in_word = kept_bits.get(thread).count_ones();
        }
        let Scanned { before, all: in_bin } =
            large_block_scan_exclusive(bin_at.sums.here(), in_word);
        if thread < Bin::<T>::BIT_WORDS {
            kept_before.set(thread, before as u16);
        }
        all = in_bin;
    }
    // Of the last word's number of bits before, or of the places.
    thread::sync_threads();
    let place_of = |place: u32| {
        if !repeats {
            return start + place;
        }
        if place == len {
            return start + all;
        }
        let bits = kept_bits.get(place / 32) & ((1 << (place % 32)) - 1);
        start + u32::from(kept_before.get(place / 32)) + bits.count_ones()
    };
    for at in thread::strided(thread..len, ROWS_BLOCK) {
        let place = u32::from(places.get(at));
        let value = values.get(at);
        let (tail, head) = (rank + value.row(head_bits), value.head(head_bits));
        let mut to = place_of(place & !REPEATED);
        if place & REPEATED != 0 {
            // As many repeated keys are before this one as there are places more than kept keys.
            let repeated_before = (place & !REPEATED) - (to - start);
            to = start + all + repeated_before;
        }
        heads.set(u64::from(to), head);
        tails.set(u64::from(to), tail);
    }
    for row in thread::strided(thread..ranks, ROWS_BLOCK) {
        let row_start = start_of_slot(ends, row * slots.of_row());
        let row_end = end_of_slot(ends, (row + 1) * slots.of_row() - 1);
        let at = 2 * u64::from(rank + row);
        rows.set(at, place_of(row_start));
        rows.set(at + 1, place_of(row_end));
    }
    Some(all)
}

/// Finds a place for the value of each key of a bin that is this thread's, and takes it there. A few keys are on their way
/// together.
#[inline(always)]
fn each_value<T: Value>(
    keys: In<u64>,
    start: u32,
    end: u32,
    value_of: impl Fn(u64) -> T,
    place_of: impl Fn(T) -> u32,
    take: impl Fn(u32, T),
) {
    for at in thread::strided(start + thread::thread_idx_x()..end, READS as u32 * ROWS_BLOCK) {
        let mut values = [T::MAX; READS];
        for i in 0..READS {
            let place = at + i as u32 * ROWS_BLOCK;
            if place < end {
                values[i] = value_of(keys.get(u64::from(place)));
            }
        }
        let mut places = [0; READS];
        for i in 0..READS {
            if at + (i as u32) * ROWS_BLOCK < end {
                places[i] = place_of(values[i]);
            }
        }
        for i in 0..READS {
            if at + (i as u32) * ROWS_BLOCK < end {
                take(places[i], values[i]);
            }
        }
    }
}

/// The place of the value at `at`, which several keys have. Their slot begins at `start`, and `less` values of the bin are before
/// them. The first of them is kept, and the others are [`REPEATED`].
#[inline(always)]
fn place_among_repeated<T: Value>(
    values: Shared<T>,
    at: u32,
    value: T,
    less: u32,
    start: u32,
) -> u32 {
    let mut same_before = 0;
    let mut other = start;
    while other < at {
        same_before += u32::from(values.get(other) == value);
        other = pin_32(other + 1);
    }
    (less + same_before) | if same_before > 0 { REPEATED } else { 0 }
}

/// Adds a key to its slot; the keys that were counted there before.
#[inline(always)]
fn add_to_slot(ends: Shared<u32>, slot: u32) -> u32 {
    // A bin has fewer than 2^16 keys: no carry.
    ends.atomic_add(slot / 2, 1 << (slot % 2 * 16)) >> (slot % 2 * 16) & 0xffff
}

/// Where the keys of a slot end, once all are counted and placed.
#[inline(always)]
fn end_of_slot(ends: Shared<u32>, slot: u32) -> u32 {
    ends.get(slot / 2) >> (slot % 2 * 16) & 0xffff
}

/// Where they start.
#[inline(always)]
fn start_of_slot(ends: Shared<u32>, slot: u32) -> u32 {
    if slot == 0 { 0 } else { end_of_slot(ends, slot - 1) }
}

/// Turns the counts of the slots into where each starts. Contains barriers, one of them at the end.
#[inline(always)]
fn starts_of_slots(ends: Shared<u32>, sums: Shared<u32>) {
    let own = thread::thread_idx_x() * OWN_WORDS;
    let mut sum = 0;
    for word in 0..OWN_WORDS {
        let counts = ends.get(own + word);
        sum += (counts & 0xffff) + (counts >> 16);
    }
    let Scanned { before: mut start, .. } = large_block_scan_exclusive(sums, sum);
    for word in 0..OWN_WORDS {
        let counts = ends.get(own + word);
        let second = start + (counts & 0xffff);
        ends.set(own + word, start | second << 16);
        start = second + (counts >> 16);
    }
    thread::sync_threads();
}
