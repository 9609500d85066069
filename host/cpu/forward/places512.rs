//! The counting of [`places`](super::places), with AVX-512.
//!
//! One instruction adds three bits, and another takes the carry. What eight hubs share with a line is eight times eight
//! counts of a word's bits, none above 64. They are put into the bytes of one register, brought in the order of the hubs,
//! and added up eight at a time.

use std::arch::x86_64::*;
use std::ops::Range;

use super::avx512::{Filter, LANES, LONGEST, load, load_line, store};
use super::hub_bits::{HubBitmap, Line, WORDS};
use super::lines::for_each_line;
use super::places::{
    BLOCK, CommonWords, CountedRow, FoundInLine, HubLines, JoinedLine, PassedPlaces, PlacesScratch,
    PlainRow, ROOM, RowContext, RowSink, Thirds, WORDS_AT_A_TIME, test_each,
};
use super::prefetch;
use super::visit::{gallop, merge};
use crate::graph::RowRange;

/// The most places that are written at a time.
const AT_A_TIME: usize = 16;

/// Blocks of hubs between the request for their lines and the use.
const AHEAD: usize = 2;

/// Hands the triangles of some rows to a sink. The pairs of a row are sorted by their method first, as in counting.
#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512vl,avx512bw,avx512vbmi,avx512vpopcntdq"
)]
pub(super) fn count_places<'g, S: RowSink>(
    (around, tails): (&RowContext<'g>, &RowRange),
    scratch: &mut PlacesScratch<'g>,
    sink: &mut S,
    rows: Range<u32>,
) {
    let RowContext { heads, hubs: of_hubs, thresholds, .. } = around;
    let PlacesScratch {
        marks,
        hubs,
        firsts,
        shared,
        others,
        unmarked,
        passed,
        levels,
        common,
        counts,
    } = scratch;
    for u in rows {
        let row = tails.row(u);
        let places = heads.places_in(row);
        if places.is_empty() {
            continue;
        }
        hubs.clear();
        firsts.clear();
        others.clear();
        unmarked.clear();
        for place in places {
            let a = row[place];
            let words = of_hubs.bits.range(a);
            if !words.is_empty() {
                hubs.push(HubBitmap {
                    bitmap: words.start / WORDS,
                    lines: (words.len() / WORDS) as u32,
                    place: place as u32,
                });
                if S::Thirds::WANTED {
                    firsts.push(heads.first_place(a) as u64);
                }
            } else if (a as usize) <= thresholds.marked_ranks {
                let first = heads.first_place(a);
                others.push(PlainRow { row: heads.row(a), place: place as u32, first });
            } else {
                unmarked.push(place as u32);
            }
        }
        counts.resize(counts.len().max(row.len() + AT_A_TIME), 0);
        match hubs.last().copied() {
            None => counts[..row.len()].fill(0),
            Some(last) => {
                let number = hubs.len();
                hubs.extend([last; BLOCK]);
                firsts.resize(if S::Thirds::WANTED { hubs.len() } else { 0 }, 0);
                shared.clear();
                shared.resize(hubs.len(), 0);
                // Every place before the last hub is in one of the lines.
                for_each_line(&row[..last.place as usize], &hubs[..number], |line| {
                    let before = number - line.hubs.len();
                    let blocks = before..before + line.hubs.len().next_multiple_of(BLOCK);
                    let joined = JoinedLine {
                        bits: line.bits,
                        index: line.index,
                        ranks: &row[line.places.clone()],
                        hubs: line.hubs.len(),
                        blocks: &hubs[blocks.clone()],
                        firsts: firsts.get(blocks.clone()).unwrap_or_default(),
                    };
                    let found = FoundInLine {
                        shared: &mut shared[blocks],
                        counts: &mut counts[line.places.start..],
                        levels,
                        common,
                    };
                    join(of_hubs, &joined, found, sink.thirds());
                });
                counts[last.place as usize..row.len()].fill(0);
                for (hub, shared) in hubs[..number].iter().zip(&*shared) {
                    counts[hub.place as usize] += shared;
                }
            }
        }
        let counts = &mut counts[..row.len()];
        if !others.is_empty() {
            let marked = &row[..row.len() - 1];
            marks.set(marked);
            shared.clear();
            shared.resize(others.len(), 0);
            let counted = CountedRow {
                row: marked,
                marks: marks.bits(),
                counts: &mut *counts,
                shared: &mut *shared,
                thirds: sink.thirds(),
            };
            match marked.len() <= LONGEST {
                true => test_all(others, counted, passed),
                false => test_each(others, counted, passed),
            }
            for (other, shared) in others.iter().zip(&*shared) {
                counts[other.place as usize] += shared;
            }
            marks.clear(marked);
        }
        for (i, &place) in unmarked.iter().enumerate() {
            if let Some(&later) = unmarked.get(i + prefetch::AHEAD) {
                prefetch::row(heads.row(row[later as usize]));
            }
            let place = place as usize;
            let a = row[place];
            let (prefix, other) = (&row[..place], heads.row(a));
            let first = heads.first_place(a);
            let mut common = |q: usize, r: usize| {
                counts[q] += 1;
                counts[place] += 1;
                sink.thirds().add(first + r);
                true
            };
            if prefix.len() * thresholds.gallop_ratio < other.len() {
                gallop(prefix, other, common);
            } else if other.len() * thresholds.gallop_ratio < prefix.len() {
                gallop(other, prefix, |r, q| common(q, r));
            } else {
                merge(prefix, other, common);
            }
        }
        sink.row(tails, u, counts);
    }
    if S::Thirds::WANTED {
        count_common(common, sink.thirds());
    }
}

/// Joins a line with that line of each hub.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vbmi,avx512vpopcntdq,bmi2,popcnt")]
#[inline]
fn join<T: Thirds>(of: &HubLines, line: &JoinedLine, found: FoundInLine, thirds: &mut T) {
    let &JoinedLine { ref bits, index, ranks, hubs, blocks, firsts } = line;
    let FoundInLine { shared, counts, levels, common } = found;
    let (bits, lines) = (load_line(bits), of.bits.lines());
    let line_of = |hub: &HubBitmap| load_line(&lines[hub.bitmap + index]);
    let [mut ones, mut twos, mut fours] = [_mm512_setzero_si512(); 3];
    let mut used = 0;
    let (blocks, _) = blocks.as_chunks::<BLOCK>();
    let (shared, _) = shared.as_chunks_mut::<BLOCK>();
    for (block, (members, shared)) in blocks.iter().zip(shared).enumerate() {
        // Past the last hub the block has others, of which nothing counts.
        let rest = hubs - block * BLOCK;
        let both = match rest >= BLOCK {
            true => members.each_ref().map(|hub| _mm512_and_si512(bits, line_of(hub))),
            false => {
                let words = _bzhi_u64(u64::MAX, (WORDS * rest) as u32);
                let mut both = [_mm512_setzero_si512(); BLOCK];
                for (i, (both, hub)) in both.iter_mut().zip(members).enumerate() {
                    let mask = (words >> (WORDS * i)) as __mmask8;
                    *both = _mm512_maskz_and_epi64(mask, bits, line_of(hub));
                }
                both
            }
        };
        add_shared(&both, shared);
        if T::WANTED {
            if common.is_full() {
                count_common(common, thirds);
            }
            // With what is collected between them, the processor does not see the next lines coming.
            if let Some(later) = blocks.get(block + AHEAD) {
                for hub in later {
                    prefetch::element(lines, hub.bitmap + index);
                    prefetch::element(&of.edges, hub.bitmap + index);
                }
            }
            let firsts = &firsts[block * BLOCK..];
            for ((hub, &first), both) in members.iter().zip(firsts).zip(both) {
                collect(of, hub.bitmap + index, first, both, common);
            }
        }
        let [a, b, c, d, e, f, g, h] = both;
        let ab = add(&mut ones, a, b);
        let cd = add(&mut ones, c, d);
        let ef = add(&mut ones, e, f);
        let gh = add(&mut ones, g, h);
        let abcd = add(&mut twos, ab, cd);
        let efgh = add(&mut twos, ef, gh);
        let mut carry = add(&mut fours, abcd, efgh);
        for level in &mut levels[..used] {
            let before = load_line(level);
            store_line(level, _mm512_xor_si512(before, carry));
            carry = _mm512_and_si512(before, carry);
        }
        // The sum outgrows the levels only where the number of blocks becomes a power of two.
        if (block + 1).is_power_of_two() {
            store_line(&mut levels[used], carry);
            used += 1;
        }
    }
    let one = _mm512_set1_epi32(1);
    for (i, ranks) in ranks.chunks(LANES).enumerate() {
        let ranks = load(ranks);
        let word = _mm512_srli_epi32::<5>(ranks);
        let bit = _mm512_rolv_epi32(one, ranks);
        let mut sum = _mm512_setzero_si512();
        let mut read = |level: __m512i, value: __m512i| {
            let set = _mm512_test_epi32_mask(_mm512_permutexvar_epi32(word, level), bit);
            sum = _mm512_mask_add_epi32(sum, set, sum, value);
        };
        read(ones, one);
        read(twos, _mm512_set1_epi32(2));
        read(fours, _mm512_set1_epi32(4));
        let mut value = _mm512_set1_epi32(8);
        for level in &levels[..used] {
            read(load_line(level), value);
            value = _mm512_add_epi32(value, value);
        }
        store(&mut counts[LANES * i..], sum);
    }
}

/// Writes the words of a line.
#[target_feature(enable = "avx512f")]
#[inline]
fn store_line(line: &mut Line, words: __m512i) {
    // SAFETY: a line has the 64 bytes that are written.
    unsafe { _mm512_storeu_epi64(line.as_mut_ptr().cast(), words) };
}

/// Adds two lines to a level; returns the carry.
#[target_feature(enable = "avx512f")]
#[inline]
fn add(level: &mut __m512i, a: __m512i, b: __m512i) -> __m512i {
    let carry = _mm512_ternarylogic_epi64::<0xe8>(*level, a, b);
    *level = _mm512_ternarylogic_epi64::<0x96>(*level, a, b);
    carry
}

/// Adds the number of bits of each line to one of eight numbers.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vbmi,avx512vpopcntdq")]
#[inline]
fn add_shared(both: &[__m512i; BLOCK], shared: &mut [u32; BLOCK]) {
    let [a, b, c, d, e, f, g, h] = both.map(|both| _mm512_popcnt_epi64(both));
    // Byte i of word w is the number of bits that line i has in word w.
    let or = |a, b, c| _mm512_ternarylogic_epi64::<0xfe>(a, b, c);
    let low = or(a, _mm512_slli_epi64::<8>(b), _mm512_slli_epi64::<16>(c));
    let middle = or(low, _mm512_slli_epi64::<24>(d), _mm512_slli_epi64::<32>(e));
    let bytes = or(middle, _mm512_slli_epi64::<40>(f), _mm512_slli_epi64::<48>(g));
    let bytes = _mm512_or_si512(bytes, _mm512_slli_epi64::<56>(h));
    // Word i has the bytes of line i.
    let by_line = _mm512_permutexvar_epi8(transposed(), bytes);
    let sums = _mm512_cvtepi64_epi32(_mm512_sad_epu8(by_line, _mm512_setzero_si512()));
    // SAFETY: there are eight numbers of 32 bits.
    unsafe {
        let before = _mm256_loadu_si256(shared.as_ptr().cast());
        _mm256_storeu_si256(shared.as_mut_ptr().cast(), _mm256_add_epi32(before, sums));
    }
}

/// Where each byte comes from when eight words of eight bytes are transposed.
#[target_feature(enable = "avx512f")]
#[inline]
fn transposed() -> __m512i {
    const PLACES: [u64; WORDS] = {
        let mut words = [0; WORDS];
        let mut i = 0;
        while i < 64 {
            words[i / 8] |= ((i % 8 * 8 + i / 8) as u64) << (i % 8 * 8);
            i += 1;
        }
        words
    };
    load_line(&PLACES)
}

/// Collects the words in which a line of a row has ranks of a line of all bitmaps, of a hub whose row begins at `first`.
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
#[inline]
fn collect(of: &HubLines, line: usize, first: u64, both: __m512i, common: &mut CommonWords) {
    let bits = load_line(&of.bits.lines()[line]);
    let set = _mm512_test_epi64_mask(both, both);
    // How many edges stand before each word: of the row, and of the line.
    let zero = _mm512_setzero_si512();
    let each = _mm512_popcnt_epi64(bits);
    let sums = _mm512_add_epi64(each, _mm512_alignr_epi64::<7>(each, zero));
    let sums = _mm512_add_epi64(sums, _mm512_alignr_epi64::<6>(sums, zero));
    let sums = _mm512_add_epi64(sums, _mm512_alignr_epi64::<4>(sums, zero));
    let first = _mm512_set1_epi64((first + u64::from(of.edges[line])) as i64);
    let edges = _mm512_add_epi64(first, _mm512_sub_epi64(sums, each));
    let end = common.end;
    store_words(&mut common.both[end..], _mm512_maskz_compress_epi64(set, both));
    store_words(&mut common.bits[end..], _mm512_maskz_compress_epi64(set, bits));
    store_words(&mut common.edges[end..], _mm512_maskz_compress_epi64(set, edges));
    common.end = end + set.count_ones() as usize;
}

/// Counts the third edges of all words that were collected, each word's at once: its bits among those of the hub's row say
/// which counters of the row grow by one. Neighbours come long after one another: what was written a moment ago takes long to
/// be read in other pieces.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
#[inline]
fn count_common<T: Thirds>(common: &mut CommonWords, thirds: &mut T) {
    const STRIDES: usize = 8;
    const STEPS: usize = WORDS_AT_A_TIME / STRIDES;
    let end = std::mem::take(&mut common.end);
    common.both[end..].fill(0);
    let one = _mm512_set1_epi8(1);
    for at in (0..STEPS).flat_map(|step| (0..STRIDES).map(move |i| i * STEPS + step)) {
        let grow = _pext_u64(common.both[at], common.bits[at]);
        let edge = common.edges[at] as usize;
        let Some(counters) = thirds.lowest().get_mut(edge..edge + 64) else {
            common.count_one(at, thirds);
            continue;
        };
        // SAFETY: there are 64 counters of a byte.
        let wrapped = unsafe {
            let before = _mm512_loadu_epi8(counters.as_ptr().cast());
            let sums = _mm512_mask_add_epi8(before, grow, before, one);
            _mm512_storeu_epi8(counters.as_mut_ptr().cast(), sums);
            _mm512_mask_testn_epi8_mask(grow, sums, sums)
        };
        let mut rest = wrapped;
        while rest != 0 {
            thirds.carry(edge + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// Writes the first 8 words of a list that has as many.
///
/// # Panics
/// If the list has fewer.
#[target_feature(enable = "avx512f")]
#[inline]
fn store_words(list: &mut [u64], words: __m512i) {
    store_line(list.first_chunk_mut().expect("room for a line"), words);
}

/// Counts each rank of all `others` that is in the row.
#[target_feature(enable = "avx512f,avx512vl,bmi2,popcnt")]
#[inline]
fn test_all<T: Thirds>(others: &[PlainRow], mut counted: CountedRow<T>, passed: &mut PassedPlaces) {
    let filter = Filter::of(counted.row);
    let steps = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    let mut end = 0;
    for (i, other) in others.iter().enumerate() {
        if let Some(later) = others.get(i + prefetch::AHEAD) {
            prefetch::row(later.row);
        }
        let number = _mm512_set1_epi32(i as i32);
        let (mut rest, mut first) = (other.row, 0);
        loop {
            let ranks = load(rest);
            let passes = filter.passing(ranks, rest.len());
            if end > ROOM - LANES {
                passed.look_up(end, others, &mut counted);
                end = 0;
            }
            store(&mut passed.ranks[end..], _mm512_maskz_compress_epi32(passes, ranks));
            store(&mut passed.others[end..], number);
            if T::WANTED {
                let places = _mm512_add_epi32(steps, _mm512_set1_epi32(first));
                let places = _mm512_maskz_compress_epi32(passes, places);
                store(&mut passed.places[end..], places);
                first += LANES as i32;
            }
            end += passes.count_ones() as usize;
            match rest.get(LANES..) {
                Some(more @ [_, ..]) => rest = more,
                _ => break,
            }
        }
    }
    passed.look_up(end, others, &mut counted);
}
