//! The entries of a row in shared memory.

use warpwise_device::memory::Element;
use warpwise_device::shared::{self, Shared};

use super::bits_bytes;
use crate::primitives::block_fill;

/// A set of ranks.
pub(super) trait Table: Copy {
    /// Whether there is a place for every rank.
    const SPILLS: bool;

    /// Takes everything out; the block's threads together.
    fn clear(self);

    /// Puts an entry in, or says that its place is taken.
    fn put(self, entry: u32) -> bool;

    /// Whether an entry is in.
    fn has(self, entry: u32) -> bool;

    /// Takes out what stands at the place of an entry.
    fn take_out(self, entry: u32);
}

/// A bit for each rank.
#[derive(Clone, Copy)]
pub(super) struct Bits {
    bits: Shared<u32>,
    words: u32,
}

impl Bits {
    #[inline(always)]
    pub(super) fn of(ranks: u32) -> Bits {
        let words = bits_bytes(ranks) / 4;
        Bits { bits: shared::array(0, words), words }
    }
}

impl Table for Bits {
    const SPILLS: bool = false;

    #[inline(always)]
    fn clear(self) {
        block_fill(self.bits, self.words, 0);
    }

    #[inline(always)]
    fn put(self, entry: u32) -> bool {
        self.bits.atomic_or(entry / 32, 1 << (entry % 32));
        true
    }

    #[inline(always)]
    fn has(self, entry: u32) -> bool {
        self.bits.get(entry / 32) >> (entry % 32) & 1 != 0
    }

    #[inline(always)]
    fn take_out(self, entry: u32) {
        self.bits.atomic_and(entry / 32, 0);
    }
}

/// What a slot holds.
pub(super) trait Tag: Element {
    const BYTES: u32;
    /// No entry's.
    const NONE: Self;
    fn narrow(word: u32) -> Self;
    fn word(self) -> u32;
}

macro_rules! tag {
    ($tag:ty) => {
        impl Tag for $tag {
            const BYTES: u32 = <$tag>::BITS / 8;
            const NONE: $tag = <$tag>::MAX;

            #[inline(always)]
            fn narrow(word: u32) -> $tag {
                word as $tag
            }

            #[inline(always)]
            fn word(self) -> u32 {
                u32::from(self)
            }
        }
    };
}

tag!(u8);
tag!(u16);

/// Slots: an entry has the one that its lowest bits name, which holds the others.
#[derive(Clone, Copy)]
pub(super) struct Tags<T: Tag> {
    tags: Shared<T>,
    /// A bit for each slot: whether it is taken.
    taken: Shared<u32>,
    slots_log2: u32,
}

impl<T: Tag> Tags<T> {
    #[inline(always)]
    pub(super) fn of(slots_log2: u32) -> Tags<T> {
        let slots = 1 << slots_log2;
        let tags = shared::array(0, slots);
        Tags { tags, taken: shared::array(T::BYTES * slots, slots / 32), slots_log2 }
    }

    #[inline(always)]
    fn slot(self, entry: u32) -> u32 {
        entry & ((1 << self.slots_log2) - 1)
    }
}

impl<T: Tag> Table for Tags<T> {
    const SPILLS: bool = true;

    #[inline(always)]
    fn clear(self) {
        let slots = 1 << self.slots_log2;
        block_fill(self.tags, slots, T::NONE);
        block_fill(self.taken, slots / 32, 0);
    }

    #[inline(always)]
    fn put(self, entry: u32) -> bool {
        let slot = self.slot(entry);
        let bit = 1 << (slot % 32);
        let free = self.taken.atomic_or(slot / 32, bit) & bit == 0;
        if free {
            self.tags.set(slot, T::narrow(entry >> self.slots_log2));
        }
        free
    }

    #[inline(always)]
    fn has(self, entry: u32) -> bool {
        self.tags.get(self.slot(entry)).word() == entry >> self.slots_log2
    }

    #[inline(always)]
    fn take_out(self, entry: u32) {
        let slot = self.slot(entry);
        let bit = 1 << (slot % 32);
        if self.taken.atomic_and(slot / 32, !bit) & bit != 0 {
            self.tags.set(slot, T::NONE);
        }
    }
}
