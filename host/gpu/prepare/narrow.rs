//! Entries in as many bits as their ids need, as [`widen_entries`](tribin_kernels::narrow_entries) reads them.

use tribin_kernels::narrow_entries::{GROUP, LEAST_BITS, group_words};

/// Entries of a group.
const ENTRIES: usize = GROUP as usize;

/// Writes entries with ids below 2^`bits` to `to`: whole groups, the last of them filled up with zeros.
///
/// # Panics
/// If `to` has another number of groups.
pub(super) fn narrow(entries: &[[u32; 2]], bits: u32, to: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: this processor has these instructions.
        return unsafe { narrow_avx2(entries, bits, to) };
    }
    narrow_all(entries, bits, to);
}

/// [`narrow`] compiled for vectors of eight words.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn narrow_avx2(entries: &[[u32; 2]], bits: u32, to: &mut [u8]) {
    narrow_all(entries, bits, to);
}

#[inline(always)]
fn narrow_all(entries: &[[u32; 2]], bits: u32, to: &mut [u8]) {
    let (words, rest) = to.as_chunks_mut();
    let of_group = group_words(bits) as usize;
    assert!(rest.is_empty() && words.len() == entries.len().div_ceil(ENTRIES) * of_group);
    for (entries, to) in entries.chunks(ENTRIES).zip(words.chunks_exact_mut(of_group)) {
        match entries.as_array() {
            Some(entries) => narrow_group(entries, bits, to),
            None => {
                let mut filled_up = [[0; 2]; ENTRIES];
                filled_up[..entries.len()].copy_from_slice(entries);
                narrow_group(&filled_up, bits, to);
            }
        }
    }
}

/// A little-endian word of 32 bits.
type Word = [u8; 4];

#[inline(always)]
fn narrow_group(entries: &[[u32; 2]; ENTRIES], bits: u32, to: &mut [Word]) {
    let (lows, mut planes) = to.split_at_mut(ENTRIES);
    let mut highs = [0; ENTRIES];
    for (([u, v], high), low) in entries.iter().zip(&mut highs).zip(lows) {
        *low = (u | v << bits).to_le_bytes();
        *high = v >> (32 - bits);
    }
    let rest = 2 * (bits - LEAST_BITS);
    let mut taken = 0;
    for plane in [16, 8, 4, 2] {
        if rest & plane != 0 {
            let (words, others) = planes.split_at_mut(32 * plane as usize);
            // The number of bits is a constant in each, so that the compiler makes vectors of the loops.
            match plane {
                16 => write_plane::<16>(&highs, taken, words),
                8 => write_plane::<8>(&highs, taken, words),
                4 => write_plane::<4>(&highs, taken, words),
                _ => write_plane::<2>(&highs, taken, words),
            }
            taken += plane;
            planes = others;
        }
    }
}

/// Writes `BITS` bits of each number of a group from bit `first` on. Word by word, and not number by number: a word stays in a
/// register until it is whole. (All planes of ids of 22 bits on a core of an AMD EPYC: 0.4 ns an entry, and 1.8 number by number.)
#[inline(always)]
fn write_plane<const BITS: usize>(numbers: &[u32; ENTRIES], first: u32, to: &mut [Word]) {
    let words = 32 * BITS;
    for (j, to) in to[..words].iter_mut().enumerate() {
        let mut word = 0;
        let mut place = 0;
        while place < 32 / BITS {
            word |= (numbers[place * words + j] >> first & ((1 << BITS) - 1)) << (BITS * place);
            place += 1;
        }
        *to = word.to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::upload::group_bytes;

    /// The entries that the words stand for, as `widen_entries` documents them, bit by bit.
    fn widened(words: &[u8], bits: u32, entries: usize) -> Vec<[u32; 2]> {
        let word =
            |place: usize| u32::from_le_bytes(words[4 * place..4 * place + 4].try_into().unwrap());
        let of_group = group_words(bits) as usize;
        let entry = |i: usize| {
            let (group, j) = (i / 1024 * of_group, i % 1024);
            let mut number = u64::from(word(group + j));
            let (mut have, mut start) = (32, group + 1024);
            for plane in [16, 8, 4, 2] {
                if (2 * bits as usize - 32) & plane != 0 {
                    let word = word(start + j % (32 * plane)) >> (j / (32 * plane) * plane);
                    for bit in 0..plane {
                        number |= u64::from(word >> bit & 1) << (have + bit);
                    }
                    have += plane;
                    start += 32 * plane;
                }
            }
            [number & ((1 << bits) - 1), number >> bits].map(|id| id as u32)
        };
        (0..entries).map(entry).collect()
    }

    #[test]
    fn every_number_of_bits_and_entries() {
        for bits in LEAST_BITS..=31 {
            for len in [0, 1, 2, 1023, 1024, 1025, 2500] {
                let below = |i: usize, salt: u64| {
                    let mixed = (i as u64 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    (mixed >> 33) as u32 & ((1 << bits) - 1)
                };
                let mut entries: Vec<_> = (0..len).map(|i| [below(i, 1), below(i, 77)]).collect();
                if let Some(last) = entries.last_mut() {
                    *last = [(1 << bits) - 1; 2];
                }
                for narrow in [narrow, narrow_all] {
                    let mut words = vec![0xa5; len.div_ceil(1024) * group_bytes(bits) as usize];
                    narrow(&entries, bits, &mut words);
                    assert_eq!(widened(&words, bits, len), entries, "{bits} bits, {len} entries");
                }
            }
        }
    }
}
