use anyhow::Result;
use warpwise_device::launch::Buffer;
use warpwise_harness::{Case, TestDevice, ensure_holds};
use warpwise_primitives::radix_sort::{
    SortPasses, TILE, scratch_bytes, sort_by, sort_pairs, sort_wide_pairs,
};

use crate::{Pattern, on_arrays};

#[derive(Debug)]
struct Sort(usize, Pattern);

impl Case for Sort {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Sort(n, pattern) = self;
        let mut numbers = pattern.numbers(n);
        let keys = Buffer::from_host(device, &numbers)?;
        let sorted = sort_by(device, keys, 0, SortPasses::of_bits(64))?;
        numbers.sort_unstable();
        ensure_holds("keys of 64 bits", device, &sorted, &numbers)?;
        let mut words = pattern.words(n);
        let keys = Buffer::from_host(device, &words)?;
        let sorted = sort_by(device, keys, 0, SortPasses::of_bits(32))?;
        words.sort_unstable();
        ensure_holds("keys of 32 bits", device, &sorted, &words)?;
        // By some of the bits: what else they have tells the order of equal ones.
        let mut words = pattern.words(n);
        let keys = Buffer::from_host(device, &words)?;
        let sorted = sort_by(device, keys, 13, SortPasses::of_bits(16))?;
        words.sort_by_key(|word| word >> 13 & 0xffff);
        ensure_holds("keys by 16 bits", device, &sorted, &words)
    }
}

#[test]
fn keys_are_sorted() {
    on_arrays("radix sort", TILE, Sort);
}

#[derive(Debug)]
struct SortPairs(usize, Pattern);

impl Case for SortPairs {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &SortPairs(n, pattern) = self;
        let keys = pattern.words(n);
        let mut pairs: Vec<(u32, u32)> = keys.iter().copied().zip(0..).collect();
        let values: Vec<u32> = (0..n as u32).collect();
        let (keys, values) =
            (Buffer::from_host(device, &keys)?, Buffer::from_host(device, &values)?);
        let [keys, values] = sort_pairs(device, keys, values)?;
        pairs.sort_by_key(|pair| pair.0);
        let (sorted, places): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        ensure_holds("keys", device, &keys, &sorted)?;
        ensure_holds("values", device, &values, &places)?;
        let keys = pattern.numbers(n);
        let mut pairs: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
        let values: Vec<u32> = (0..n as u32).collect();
        let (keys, values) =
            (Buffer::from_host(device, &keys)?, Buffer::from_host(device, &values)?);
        let (keys, values) = sort_wide_pairs(device, keys.view(), values.view())?;
        pairs.sort_by_key(|pair| pair.0);
        let (sorted, places): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        ensure_holds("wide keys", device, &keys, &sorted)?;
        ensure_holds("their values", device, &values, &places)
    }
}

#[test]
fn pairs_are_sorted_by_their_keys() {
    on_arrays("radix sort of pairs", TILE, SortPairs);
}

#[test]
fn each_digit_of_a_tile_has_a_word() {
    assert_eq!([0, TILE, TILE + 1].map(|n| scratch_bytes(n.into(), 8)), [0, 2048, 4096]);
}
