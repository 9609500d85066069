//! A hash table in shared memory, of a [`Team`].

use core::marker::PhantomData;

use warpwise_device::memory::In;
use warpwise_device::shared::{self, Shared};
use warpwise_device::thread;

use super::team::Team;

/// Keys by hash: those of slot `s` are `keys[ends[s]..ends[s + 1]]`.
pub struct Table<T> {
    keys: Shared<u64>,
    ends: Shared<u32>,
    team: PhantomData<T>,
}

impl<T: Team> Table<T> {
    /// The table that begins at byte `at` of the block's shared memory, a multiple of 8.
    #[inline(always)]
    pub fn at(at: u32) -> Self {
        Table {
            keys: shared::array::<u64>(at, T::TABLE_KEYS),
            ends: shared::array::<u32>(at + T::TABLE_KEYS * 8, T::SLOTS + 1),
            team: PhantomData,
        }
    }

    /// Fills the table with `live` keys from `start` on, by counting.
    #[inline(always)]
    pub fn build(&self, keys: In<u64>, start: u64, live: u32) {
        let Table { keys: table, ends, .. } = *self;
        // Everyone is done with what was in it.
        T::sync();
        let mut slot = T::index();
        while slot <= T::SLOTS {
            ends.set(slot, 0);
            slot += T::THREADS;
        }
        T::sync();
        for i in thread::strided(T::index()..live, T::THREADS) {
            ends.atomic_add(slot_of::<T>(keys.get(start + u64::from(i))), 1);
        }
        T::sync();
        let first = T::index() * (T::SLOTS / T::THREADS);
        let mut own = 0;
        for slot in 0..T::SLOTS / T::THREADS {
            own += ends.get(first + slot);
        }
        let mut end = T::scan_exclusive(own);
        // Where a slot ends: placing its keys from the end on leaves there where it starts.
        for slot in 0..T::SLOTS / T::THREADS {
            end += ends.get(first + slot);
            ends.set(first + slot, end);
        }
        if T::index() == 0 {
            ends.set(T::SLOTS, live);
        }
        T::sync();
        for i in thread::strided(T::index()..live, T::THREADS) {
            let key = keys.get(start + u64::from(i));
            let after = ends.atomic_add(slot_of::<T>(key), u32::MAX);
            table.set(after - 1, key);
        }
        T::sync();
    }

    /// How often `key` is in the table.
    #[inline(always)]
    pub fn count(&self, key: u64) -> u32 {
        let slot = slot_of::<T>(key);
        let (mut at, end) = (self.ends.get(slot), self.ends.get(slot + 1));
        let mut count = 0;
        while at < end {
            count += u32::from(self.keys.get(at) == key);
            at += 1;
        }
        count
    }
}

/// A key's slot: the top bits of its product with 2⁶⁴ divided by the golden ratio, which tells keys
/// apart whose low or high bits are alike (Knuth, volume 3, section 6.4).
#[inline(always)]
fn slot_of<T: Team>(key: u64) -> u32 {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - T::SLOTS.trailing_zeros())) as u32
}
