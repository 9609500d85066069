//! Entries of an R-MAT graph, made where they are counted: the same that a host makes of the same seed (Chakrabarti, Zhan,
//! Faloutsos, "R-MAT: A Recursive Model for Graph Mining", SDM 2004).
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`shuffle_keys`] | places | the place that each is exchanged with, as a key |
//! | [`first_of_places`] | sorted keys | the first exchange that brings another place's id to a place |
//! | [`shuffled_ids`] | sorted keys | the id that each place ends with |
//! | [`rmat_entries`] | entries | the descent through the quadrants |
//!
//! # The permutation
//!
//! Ids are shuffled as Fisher and Yates do it: from the last place down, place `i` is exchanged with a random place
//! `h(i)` of those up to `i`. Each exchange depends on those before it, but what a place ends with can be followed
//! back without them:
//!
//! - Place `i` ends with what place `h(i)` had just before the exchange of `i`. If no place after `i` was exchanged with `h(i)`,
//!   that is `h(i)` itself. Otherwise the last to be was the least such `j > i`, and it brought what place `j` had then.
//! - At its own exchange, place `j` had what the least `k > j` with `h(k) = j` brought there. That is what place `k` had then, and
//!   so on. Where there is no such `k`, it had `j` itself.
//!
//! With the pairs (`h(i)`, `i`) in order, the next pair has the `j` of the first rule. [`first_of_places`] finds the `k` of
//! the second one for each place, and [`shuffled_ids`] follows it. The `k` of a place is about as likely to be twice as far as not, so
//! that chains have about as many links as the number of places has digits.

mod entries;
mod shuffle;

pub use entries::rmat_entries;
pub use shuffle::{first_of_places, shuffle_keys, shuffled_ids};

/// Threads in a block of these kernels.
pub const BLOCK: u32 = 256;

/// What stands for no place.
pub const NOWHERE: u32 = u32::MAX;

/// γ of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 17: the golden ratio's fraction in
/// 64 bits.
pub const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// What the number of a stream is multiplied by, so that streams begin far from each other.
pub const APART: u64 = 0xd134_2543_de82_ef95;

/// The mix of the same figure: 64 random bits from a state.
#[inline(always)]
pub const fn mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
