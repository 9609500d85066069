//! The loops of a row's pairs that gain from AVX-512.
//!
//! A row is joined with the bitmaps of hubs a line at a time. A bitmap of a hub is long, and few of its lines have a rank of
//! the row. Only these are joined: a line for 512 ranks or for each rank of the row, whichever is less. On a Graph500
//! graph of scale 20 that is 84 million lines of 8 words, where whole bitmaps are 459 million words. Each line of the
//! row goes along all hubs, and not each hub along all lines: there are more hubs than lines, and the processor foresees
//! the end of a long loop better than the ends of many short ones. With AVX2, which has no instruction that counts the bits of
//! words, all of this takes 1.1 times as long as whole bitmaps do.
//!
//! Short rows are looked up in the marks of a row 16 ranks at a time. A lookup of 16 ranks in a bitmap in memory is as
//! many loads, and most ranks are not marked. So all are looked up first in a filter that stands in two registers: 1024
//! bits, of which a rank has the one that its lowest 10 bits name. Those that pass are collected, and looked up in the
//! marks when the row ends: in one loop, where a loop for each pair would end too early to be foreseen. On a uniform
//! graph of 100,000 vertices and 2,000,000 edges counting takes 0.6 times as long with it.

use std::arch::x86_64::*;

use super::Thresholds;
use super::hub_bits::{HubBitmap, HubBits, Line};
use super::intersect::test;
use super::lines::for_each_line;
use super::passed::{Passed, ROOM};
use super::prefetch;
use super::row::{MarkedRow, Ways, test_each};

/// Rows that are longer than this let too many ranks pass.
pub(super) const LONGEST: usize = 256;

/// Ranks of a block: lanes of a register.
pub(super) const LANES: usize = 16;

/// What a processor does that has these features.
pub(super) struct Wide(());

impl Wide {
    #[target_feature(enable = "avx512f,avx512vl,avx512vpopcntdq,bmi2,popcnt")]
    pub fn new() -> Wide {
        Wide(())
    }
}

impl Ways for Wide {
    /// Word by word.
    type Sums = Line;

    const HUBS_NEED_MARKS: bool = false;

    #[inline(always)]
    fn join(
        &self,
        MarkedRow { row, .. }: MarkedRow,
        hubs: &[HubBitmap],
        bits: &HubBits,
        _: &Thresholds,
        sums: &mut Line,
    ) {
        let Some(last) = hubs.last() else { return };
        for_each_line(&row[..last.place as usize], hubs, |line| {
            // SAFETY: only `new` makes this, which the processor has the features for.
            unsafe { join(&line.bits, line.index, line.hubs, bits.lines(), sums) }
        });
    }

    #[inline(always)]
    fn total(sums: Line) -> u64 {
        sums.iter().sum()
    }

    #[inline(always)]
    fn test_all(&self, row: MarkedRow, others: &[&[u32]], passed: &mut Passed) -> u64 {
        if others.is_empty() {
            return 0;
        }
        match row.row.len() <= LONGEST {
            // SAFETY: only `new` makes this, which the processor has the features for.
            true => unsafe { test_all(others, row.row, row.marks, passed) },
            false => test_each(others, row.marks),
        }
    }
}

/// How many ranks of all `others` are in `row`, whose ranks are those that `marks` has.
#[target_feature(enable = "avx512f,avx512vl,bmi2,popcnt")]
#[inline]
fn test_all(others: &[&[u32]], row: &[u32], marks: &[u64], passed: &mut Passed) -> u64 {
    let filter = Filter::of(row);
    let passed = &mut passed.ranks;
    let (mut end, mut found) = (0, 0);
    for (i, other) in others.iter().enumerate() {
        if let Some(&later) = others.get(i + prefetch::AHEAD) {
            prefetch::row(later);
        }
        let mut rest = *other;
        loop {
            let ranks = load(rest);
            let passes = filter.passing(ranks, rest.len());
            if end > ROOM - LANES {
                found += test(&passed[..end], marks);
                end = 0;
            }
            store(&mut passed[end..], _mm512_maskz_compress_epi32(passes, ranks));
            end += passes.count_ones() as usize;
            match rest.get(LANES..) {
                Some(more @ [_, ..]) => rest = more,
                _ => break,
            }
        }
    }
    found + test(&passed[..end], marks)
}

/// The filter of a row: 1024 bits, in two registers.
pub(super) struct Filter {
    low: __m512i,
    high: __m512i,
}

impl Filter {
    /// The filter of the ranks of a row.
    #[target_feature(enable = "avx512f,bmi2")]
    #[inline]
    pub fn of(row: &[u32]) -> Filter {
        let mut words = [[0u32; LANES]; 2];
        for &rank in row {
            words[(rank >> 9 & 1) as usize][(rank >> 5 & 15) as usize] |= 1 << (rank & 31);
        }
        let [low, high] = [load(&words[0]), load(&words[1])];
        Filter { low, high }
    }

    /// Which of the first `count` of 16 ranks pass.
    #[target_feature(enable = "avx512f,bmi2")]
    #[inline]
    pub fn passing(&self, ranks: __m512i, count: usize) -> __mmask16 {
        let word = _mm512_permutex2var_epi32(self.low, _mm512_srli_epi32::<5>(ranks), self.high);
        let bit = _mm512_rolv_epi32(_mm512_set1_epi32(1), ranks);
        _mm512_test_epi32_mask(word, bit) & lanes(count)
    }
}

/// A mask of as many lanes, 16 at most.
#[target_feature(enable = "bmi2")]
#[inline]
fn lanes(count: usize) -> __mmask16 {
    // More than 32 would be taken for all 32 as well: only the lowest 8 bits of the number count.
    _bzhi_u32(0xffff, count.min(LANES) as u32) as __mmask16
}

/// The first 16 elements, or all and zeros.
#[target_feature(enable = "avx512f,bmi2")]
#[inline]
pub(super) fn load(list: &[u32]) -> __m512i {
    // SAFETY: a lane that the mask leaves out is not read, and the others are elements of the list.
    unsafe { _mm512_maskz_loadu_epi32(lanes(list.len()), list.as_ptr().cast()) }
}

/// Writes the first 16 elements of a list that has as many.
///
/// # Panics
/// If the list has fewer.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn store(list: &mut [u32], elements: __m512i) {
    let list = &mut list[..LANES];
    // SAFETY: the list has 16 elements, each of 32 bits.
    unsafe { _mm512_storeu_epi32(list.as_mut_ptr().cast(), elements) };
}

/// Adds, word by word, what a line shares with that line of each of some hubs.
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
#[inline]
fn join(line: &Line, index: usize, hubs: &[HubBitmap], bitmaps: &[Line], sums: &mut Line) {
    let (line, mut sum) = (load_line(line), load_line(sums));
    for hub in hubs {
        let both = _mm512_and_si512(line, load_line(&bitmaps[hub.bitmap + index]));
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(both));
    }
    // SAFETY: a line has the 64 bytes that are written.
    unsafe { _mm512_storeu_epi64(sums.as_mut_ptr().cast(), sum) };
}

/// The words of a line.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn load_line(line: &Line) -> __m512i {
    // SAFETY: a line has the 64 bytes that are read.
    unsafe { _mm512_loadu_epi64(line.as_ptr().cast()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::forward::hub_bits::WORDS;
    use crate::forward::lines::RowLine;
    use crate::forward::marks::Marks;

    fn wide() -> Option<Wide> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        // SAFETY: the processor has the features.
        has.then(|| unsafe { Wide::new() })
    }

    /// `length` ranks below `ranks`, in ascending order.
    fn some(length: usize, ranks: u32, random: &mut fastrand::Rng) -> Vec<u32> {
        let mut list = std::collections::BTreeSet::new();
        while list.len() < length {
            list.insert(random.u32(..ranks));
        }
        list.into_iter().collect()
    }

    #[test]
    fn rows_of_every_length_are_looked_up() {
        let Some(wide) = wide() else { return };
        let mut random = fastrand::Rng::with_seed(7);
        let lengths = [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 1024, 1500];
        let mut passed = Passed::default();
        // Of few ranks most are in both rows, and of many nearly none.
        for ranks in [1500, 3000, 100_000] {
            let mut marks = Marks::new(ranks as usize);
            for length in [0, 1, 2, 31, 32, 33, LONGEST - 1, LONGEST, LONGEST + 1] {
                let row = some(length, ranks, &mut random);
                let others: Vec<Vec<u32>> =
                    lengths.iter().map(|&length| some(length, ranks, &mut random)).collect();
                let others: Vec<&[u32]> = others.iter().map(Vec::as_slice).collect();
                let expected =
                    others.concat().iter().filter(|rank| row.binary_search(rank).is_ok()).count();
                marks.set(&row);
                let marked = MarkedRow { row: &row, marks: marks.words() };
                let found = wide.test_all(marked, &others, &mut passed);
                assert_eq!(found, expected as u64, "{length} of {ranks}");
                marks.clear(&row);
            }
        }
    }

    proptest! {
        #[test]
        fn a_row_is_joined_with_the_hubs_behind_each_rank(
            row in prop::collection::btree_set(0u32..3000, 1..200),
            bits in prop::collection::vec(prop::collection::btree_set(0u32..3000, 0..900), 1..12),
            steps in prop::collection::vec(1usize..40, 12),
        ) {
            let row = Vec::from_iter(row);
            let mut bitmaps: Vec<Line> = vec![[0; WORDS]; 6 * bits.len()];
            for (i, set) in bits.iter().enumerate() {
                for &rank in set {
                    let line = &mut bitmaps[6 * i + rank as usize / 512];
                    line[rank as usize % 512 / 64] |= 1 << (rank % 64);
                }
            }
            // Places ascend, and the last is behind all of the row.
            let mut place = 0;
            let mut hubs: Vec<HubBitmap> = steps
                .iter()
                .zip(0..bits.len())
                .map(|(step, i)| {
                    place += step;
                    HubBitmap { bitmap: 6 * i, lines: 6, place: place.min(row.len()) as u32 }
                })
                .collect();
            hubs.last_mut().unwrap().place = row.len() as u32;
            // A hub meets every line that begins before its place.
            let begins = |line: u32| row.iter().position(|rank| rank / 512 == line).unwrap();
            let expected: usize = hubs.iter().zip(&bits).map(|(hub, bits)| {
                let met = |rank: &&u32| begins(**rank / 512) < hub.place as usize && bits.contains(rank);
                row.iter().filter(met).count()
            }).sum();
            let mut sums = [0; WORDS];
            for_each_line(&row, &hubs, |RowLine { bits: line, index, hubs, .. }| match wide() {
                // SAFETY: the processor has the features.
                Some(_) => unsafe { join(&line, index, hubs, &bitmaps, &mut sums) },
                None => {
                    for other in hubs.iter().map(|hub| &bitmaps[hub.bitmap + index]) {
                        for (sum, (a, b)) in sums.iter_mut().zip(line.iter().zip(other)) {
                            *sum += u64::from((a & b).count_ones());
                        }
                    }
                }
            });
            prop_assert_eq!(sums.iter().sum::<u64>(), expected as u64);
        }
    }
}
