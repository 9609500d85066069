//! How the engine counts.

use tribin_kernels::binning::{KeyOrder, MOST_DIGIT_BITS};

use super::Orientation;

/// The options of the engine. None of them changes the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RadixOptions {
    /// Which wedges are candidates.
    pub orientation: Orientation,
    /// Bytes of device memory for candidates, edges as keys, and what binning takes beside them. A
    /// batch always has room for [`LEAST_BATCH`](super::RadixPlan::LEAST_BATCH) candidates, whatever it says.
    pub memory: u64,
    /// Bits of a digit, from 1 to 8: a bucket has 2^`digit_bits` buckets (the paper's d).
    pub digit_bits: u32,
    /// A bucket goes to the parallel tail when it has at most this many edges or candidates (the paper's
    /// thr). What is above 65536 counts as 65536.
    pub threshold: u32,
    /// What the digits are taken from.
    pub key_order: KeyOrder,
}

impl RadixOptions {
    /// The options that docs/radix-binning.md found best for an orientation, without a budget. The key order is the
    /// one that prunes more: neighbours by degree are alike in their first vertex, and those by number
    /// in nothing.
    pub fn of(orientation: Orientation) -> Self {
        RadixOptions {
            orientation,
            memory: u64::MAX,
            digit_bits: 8,
            threshold: 16_384,
            key_order: match orientation {
                Orientation::Degree => KeyOrder::Concatenated,
                Orientation::None => KeyOrder::Interleaved,
            },
        }
    }
}

impl Default for RadixOptions {
    /// The options for a graph that is oriented by degree.
    fn default() -> Self {
        RadixOptions::of(Orientation::Degree)
    }
}

impl RadixOptions {
    /// # Panics
    /// If an option is out of its range.
    pub fn check(&self) {
        let bits = self.digit_bits;
        assert!((1..=MOST_DIGIT_BITS).contains(&bits), "{bits} bits of a digit: from 1 to 8");
    }
}
