//! Lines of two short integers and nothing else, three at a time, where the processor has AVX2.
//!
//! Comparisons of 64 bytes say which of them are no digits. The first six of those have to be what stands between two
//! numbers and a line end, in turn: then three lines end within the 64 bytes, and no branch depends on how long a number
//! is. Each number is one word of eight bytes, and the two of a line are added up side by side.
//!
//! Text to words of bits is from Langdale and Lemire, "Parsing gigabytes of JSON per second", The VLDB Journal 2019.

use std::arch::x86_64::*;

/// Bytes that are looked at together: three lines have 54 at most.
const BLOCK: usize = 64;

/// Calls `found` with the entries of plain lines from `at` on, and returns where the first line begins that may not be plain.
///
/// A plain line has two numbers of up to eight digits without leading zeros, one of the bytes `between` them, and a line feed.
/// A line near the end of the text is taken for one that is not, and so is every line where the processor lacks the instructions.
#[inline(always)]
pub(super) fn lines(
    text: &[u8],
    at: usize,
    between: [u8; 2],
    found: &mut impl FnMut(u64, u64),
) -> usize {
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
    {
        // SAFETY: the processor has the features.
        return unsafe { three_by_three(text, at, between, found) };
    }
    at
}

/// Which of 64 bytes are what: a bit for each.
struct Kinds {
    digits: u64,
    zeros: u64,
    between: u64,
    feeds: u64,
}

impl Kinds {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn of(block: &[u8; BLOCK], between: [u8; 2]) -> Kinds {
        let all = |byte: u8| _mm256_set1_epi8(byte as i8);
        let (halves, _) = block.as_chunks::<{ BLOCK / 2 }>();
        let halves = [0, 1].map(|half| {
            // SAFETY: a half has the 32 bytes that are read.
            unsafe { _mm256_loadu_si256(halves[half].as_ptr().cast()) }
        });
        let bits = |of: &dyn Fn(__m256i) -> __m256i| {
            let [low, high] = halves.map(|half| _mm256_movemask_epi8(of(half)) as u32);
            u64::from(low) | u64::from(high) << 32
        };
        let is = |byte: u8| bits(&|half| _mm256_cmpeq_epi8(half, all(byte)));
        let digits = bits(&|half| {
            let values = _mm256_sub_epi8(half, all(b'0'));
            _mm256_cmpeq_epi8(_mm256_min_epu8(values, all(9)), values)
        });
        let [one, other] = between.map(is);
        Kinds { digits, zeros: is(b'0'), between: one | other, feeds: is(b'\n') }
    }

    /// Where the two numbers of each of three lines end, if these are all that stands there.
    #[target_feature(enable = "bmi1,bmi2")]
    #[inline]
    fn ends(&self) -> Option<[[usize; 2]; 3]> {
        let Kinds { digits, zeros, between, feeds } = *self;
        let mut rest = !digits;
        let mut next = || {
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            bit
        };
        let ends = [[next(), next()], [next(), next()], [next(), next()]];
        let [middles, line_ends] = [0, 1].map(|i| ends[0][i] | ends[1][i] | ends[2][i]);
        let last = ends[2][1];
        // All bits up to the last end; of no end, all.
        let within = last | last.wrapping_sub(1);
        let begins = !digits << 1 | 1;
        let two = digits & digits >> 1;
        let four = two & two >> 2;
        let nine = four & four >> 4 & digits >> 8;
        let other = (begins & !digits) | (begins & zeros & digits >> 1) | nine;
        let are_plain =
            last != 0 && (other & within) | (middles & !between) | (line_ends & !feeds) == 0;
        are_plain.then(|| ends.map(|line| line.map(|end| end.trailing_zeros() as usize)))
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
fn three_by_three(
    text: &[u8],
    mut at: usize,
    between: [u8; 2],
    found: &mut impl FnMut(u64, u64),
) -> usize {
    while let Some(block) = text[at..].first_chunk::<BLOCK>() {
        let Some(lines) = Kinds::of(block, between).ends() else { break };
        let mut begin = 0;
        for [middle, end] in lines {
            let ids = two_ids(digits(block, begin, middle), digits(block, middle + 1, end));
            found(ids & u64::from(u32::MAX), ids >> 32);
            begin = end + 1;
        }
        at += begin;
    }
    at
}

/// The values of one to eight digits as bytes, the last in the highest, and zeros before the first.
#[inline(always)]
fn digits(block: &[u8; BLOCK], begin: usize, end: usize) -> u64 {
    let word = block[begin..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    (word ^ 0x3030_3030_3030_3030) << (64 - 8 * (end - begin))
}

/// Two numbers of eight digits each, the first in the lower half.
#[target_feature(enable = "avx2")]
#[inline]
fn two_ids(u: u64, v: u64) -> u64 {
    let ones = _mm_set_epi64x(v as i64, u as i64);
    let pairs = _mm_maddubs_epi16(ones, _mm_set1_epi16(1 << 8 | 10));
    let fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
    let fours = _mm_packus_epi32(fours, fours);
    let eights = _mm_madd_epi16(fours, _mm_set1_epi32(1 << 16 | 10_000));
    _mm_cvtsi128_si64(eights) as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::number::whole;

    /// The entries that are read, and the text that is left.
    fn read(text: &[u8], between: [u8; 2]) -> (Vec<[u64; 2]>, &[u8]) {
        let mut entries = Vec::new();
        let end = lines(text, 0, between, &mut |u, v| entries.push([u, v]));
        (entries, &text[end..])
    }

    /// The entry of a line by the definition, without its line feed.
    fn entry(line: &[u8], between: [u8; 2]) -> Option<[u64; 2]> {
        let middle = line.iter().position(|byte| between.contains(byte))?;
        let is_plain = |number: &[u8]| {
            (1..=8).contains(&number.len()) && (number.len() == 1 || number[0] != b'0')
        };
        let ends = [&line[..middle], &line[middle + 1..]];
        let [Some(u), Some(v)] = ends.map(whole) else { return None };
        ends.into_iter().all(is_plain).then_some([u, v])
    }

    #[test]
    fn every_length_of_both_numbers_is_read() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        let numbers = [0, 7, 10, 99, 100, 12_345, 654_321, 9_999_999, 10_000_000, 99_999_999];
        let edges = numbers.iter().flat_map(|&u| numbers.iter().map(move |&v| [u, v]));
        let edges: Vec<[u64; 2]> = edges.chain([[1, 2]; 60]).collect();
        let text: String = edges.iter().map(|[u, v]| format!("{u}\t{v}\n")).collect();
        let (entries, left) = read(text.as_bytes(), [b' ', b'\t']);
        assert_eq!(entries, edges[..entries.len()]);
        assert!(left.len() < BLOCK, "{}", left.len());
        assert_eq!(left, &text.as_bytes()[text.len() - left.len()..]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

        #[test]
        fn what_is_read_is_plain_and_as_it_stands(
            parts in prop::collection::vec(
                prop_oneof![
                    12 => "[1-9][0-9]{0,7}[ ,][0-9]\n",
                    12 => "[0-9],[1-9][0-9]{0,7}\n",
                    1 => "[0-9]{0,10}[ ,;.]?[0-9]{0,10}[ \r]?[\n/:]?",
                ],
                0..40,
            ),
        ) {
            let (text, between) = (parts.concat(), [b',', b' ']);
            let (entries, left) = read(text.as_bytes(), between);
            let taken = &text.as_bytes()[..text.len() - left.len()];
            prop_assert!(taken.is_empty() || taken.ends_with(b"\n"));
            let expected: Vec<_> =
                taken.split_inclusive(|&byte| byte == b'\n')
                    .map(|line| entry(&line[..line.len() - 1], between).expect("it is plain"))
                    .collect();
            prop_assert_eq!(entries, expected);
        }
    }
}
