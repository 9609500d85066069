//! Rows sorted in registers.
//!
//! Most rows have a few dozen entries, and a sort by comparisons guesses wrong at most of its branches. A bitonic network has no
//! branches: Batcher, "Sorting networks and their applications", AFIPS 1968. With AVX-512 a register holds 16 entries.

/// The way in which this processor sorts rows.
#[derive(Debug, Clone, Copy)]
pub struct RowSort(SortInstructions);

#[derive(Debug, Clone, Copy)]
enum SortInstructions {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl RowSort {
    /// The fastest way.
    pub fn new() -> RowSort {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("bmi2") {
            return RowSort(SortInstructions::Avx512);
        }
        RowSort(SortInstructions::Baseline)
    }

    /// Sorts a row in ascending order.
    #[inline]
    pub fn sort(self, row: &mut [u32]) {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only `new` makes this level, where the processor has its features.
            SortInstructions::Avx512 if row.len() <= avx512::LONGEST => unsafe {
                avx512::sort(row)
            },
            _ => row.sort_unstable(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    /// Entries of a register.
    const LANES: usize = 16;

    /// Entries of the longest row that is sorted by a network. Of more than 32 registers' worth, most wait in the first-level
    /// cache.
    pub const LONGEST: usize = 64 * LANES;

    /// Sorts a row of at most [`LONGEST`] entries.
    #[target_feature(enable = "avx512f,bmi2")]
    pub fn sort(row: &mut [u32]) {
        match row.len() {
            0 | 1 => {}
            2..=16 => sort_registers::<1>(row),
            17..=32 => sort_registers::<2>(row),
            33..=64 => sort_registers::<4>(row),
            65..=128 => sort_registers::<8>(row),
            129..=256 => sort_registers::<16>(row),
            257..=512 => sort_registers::<32>(row),
            _ => sort_registers::<64>(row),
        }
    }

    /// Sorts a row of at most N registers, N being a power of two. The lanes past its end have the largest value, and stay there.
    #[target_feature(enable = "avx512f,bmi2")]
    #[inline]
    fn sort_registers<const N: usize>(row: &mut [u32]) {
        let mut registers = [_mm512_set1_epi32(-1); N];
        for (register, entries) in registers.iter_mut().zip(row.chunks(LANES)) {
            // SAFETY: a lane that the mask leaves out is not read, and the others are entries of the row.
            *register = unsafe {
                _mm512_mask_loadu_epi32(*register, lanes(entries), entries.as_ptr().cast())
            };
            *register = sort_one(*register);
        }
        let mut half = 1;
        while half < N {
            for block in registers.chunks_exact_mut(2 * half) {
                merge(block);
            }
            half *= 2;
        }
        for (register, entries) in registers.iter().zip(row.chunks_mut(LANES)) {
            // SAFETY: a lane that the mask leaves out is not written, and the others are entries of the row.
            unsafe {
                _mm512_mask_storeu_epi32(entries.as_mut_ptr().cast(), lanes(entries), *register);
            }
        }
    }

    /// The lanes that some entries, at most [`LANES`], take.
    #[target_feature(enable = "bmi2")]
    #[inline]
    fn lanes(entries: &[u32]) -> __mmask16 {
        _bzhi_u32(0xffff, entries.len() as u32) as __mmask16
    }

    /// Merges the two halves of a block, each in ascending order.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn merge(block: &mut [__m512i]) {
        let half = block.len() / 2;
        let reverse = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        // The first half and the second in reverse are bitonic: the lesser of each two belong below.
        block[half..].reverse();
        for i in 0..half {
            let other = _mm512_permutexvar_epi32(reverse, block[half + i]);
            let one = block[i];
            block[i] = _mm512_min_epu32(one, other);
            block[half + i] = _mm512_max_epu32(one, other);
        }
        let mut distance = half / 2;
        while distance > 0 {
            for i in (0..block.len()).filter(|i| i & distance == 0) {
                let (one, other) = (block[i], block[i + distance]);
                block[i] = _mm512_min_epu32(one, other);
                block[i + distance] = _mm512_max_epu32(one, other);
            }
            distance /= 2;
        }
        for register in block {
            *register = ascend(*register);
        }
    }

    /// Exchanges each lane with the one whose number differs in the bit `J`, if that brings the lesser into the lanes that
    /// `GREATER` leaves out.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn exchange<const J: i32, const GREATER: u16>(entries: __m512i) -> __m512i {
        let lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let partners = _mm512_xor_si512(lane, _mm512_set1_epi32(J));
        let others = _mm512_permutexvar_epi32(partners, entries);
        let lesser = _mm512_min_epu32(entries, others);
        _mm512_mask_max_epu32(lesser, GREATER, entries, others)
    }

    /// Sorts a register whose lanes are bitonic.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn ascend(entries: __m512i) -> __m512i {
        let entries = exchange::<8, 0xff00>(entries);
        let entries = exchange::<4, 0xf0f0>(entries);
        let entries = exchange::<2, 0xcccc>(entries);
        exchange::<1, 0xaaaa>(entries)
    }

    /// Sorts a register. Blocks of 2, 4 and 8 lanes ascend and descend in turn, so that two of them are bitonic.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn sort_one(entries: __m512i) -> __m512i {
        let entries = exchange::<1, 0x6666>(entries);
        let entries = exchange::<2, 0x3c3c>(entries);
        let entries = exchange::<1, 0x5a5a>(entries);
        let entries = exchange::<4, 0x0ff0>(entries);
        let entries = exchange::<2, 0x33cc>(entries);
        let entries = exchange::<1, 0x55aa>(entries);
        ascend(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_every_length_are_sorted() {
        let mut random = fastrand::Rng::with_seed(3);
        for length in (0..530).chain([1000, 1023, 1024, 1025, 1100]) {
            for most in [1, 10, 1000, u32::MAX] {
                let row: Vec<u32> = (0..length).map(|_| random.u32(..=most)).collect();
                let mut expected = row.clone();
                expected.sort();
                for sort in [RowSort(SortInstructions::Baseline), RowSort::new()] {
                    // Nothing beside the row is touched.
                    let mut found = [&[7][..], &row, &[9]].concat();
                    sort.sort(&mut found[1..=length]);
                    assert_eq!(found, [&[7][..], &expected, &[9]].concat(), "{sort:?}");
                }
            }
        }
    }

    #[test]
    fn every_network_of_zeros_and_ones_is_sorted() {
        // A network that sorts all rows of zeros and ones sorts all rows.
        for bits in 0..1u32 << 16 {
            let mut row: Vec<u32> = (0..16).map(|lane| bits >> lane & 1).collect();
            RowSort::new().sort(&mut row);
            assert!(row.is_sorted(), "{bits:b}");
        }
    }
}
