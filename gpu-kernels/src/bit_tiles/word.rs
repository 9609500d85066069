use tribin_device::memory::Element;
use tribin_device::shared::{self, Shared};

/// The bits of a segment. In shared memory a word has a slot of 4 or 8 bytes.
pub trait Word: Element {
    /// Columns of a segment.
    const BITS: u32;
    /// Bytes of a slot.
    const SLOT_BYTES: u32;
    /// A word without a bit.
    const EMPTY: Self;
    /// An array of slots.
    type Slots: Copy;

    /// The word with the bit of a column.
    fn with(self, column: u32) -> Self;

    /// How many bits two words have in common.
    fn common(self, other: Self) -> u32;

    /// The array of `len` slots that starts `byte_offset` bytes into shared memory.
    fn slots(byte_offset: u32, len: u32) -> Self::Slots;

    /// The word in a slot.
    fn get(slots: Self::Slots, slot: u32) -> Self;

    /// Writes the word in a slot.
    fn set(slots: Self::Slots, slot: u32, word: Self);
}

macro_rules! word {
    ($word:ty, $slot:ty) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const SLOT_BYTES: u32 = size_of::<$slot>() as u32;
            const EMPTY: Self = 0;
            type Slots = Shared<$slot>;

            #[inline(always)]
            fn with(self, column: u32) -> Self {
                self | 1 << (column % Self::BITS)
            }

            #[inline(always)]
            fn common(self, other: Self) -> u32 {
                (self & other).count_ones()
            }

            #[inline(always)]
            #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
            fn slots(byte_offset: u32, len: u32) -> Self::Slots {
                shared::array::<$slot>(byte_offset, len)
            }

            #[inline(always)]
            #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
            fn get(slots: Self::Slots, slot: u32) -> Self {
                slots.get(slot) as $word
            }

            #[inline(always)]
            #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
            fn set(slots: Self::Slots, slot: u32, word: Self) {
                slots.set(slot, word as $slot);
            }
        }
    };
}

word!(u16, u32);
word!(u32, u32);
word!(u64, u64);
