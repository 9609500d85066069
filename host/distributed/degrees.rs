//! Degrees: counted by each rank, summed by all.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::rows::bytes_of;
use crate::control::{Context, memory};
use crate::graph::Summary;
use crate::ranks::Ranks;
use crate::read::Share;
use tribin_base::{Result, par};
use tribin_cpu::prepare::rows::degree_figures;

/// Entries at each vertex over all ranks, duplicates counted, modulo 2³².
pub(super) fn summed(
    ranks: &Ranks,
    blocks: &[Vec<[u32; 2]>],
    bound: u32,
    context: &Context,
) -> Result<Vec<u32>> {
    let zeros: Vec<u32> = memory::zeroed(bound as usize)?;
    // In the same memory, as below.
    let counters: Vec<AtomicU32> = zeros.into_iter().map(AtomicU32::new).collect();
    par::try_for_each(blocks, |block| {
        context.cancel().check()?;
        for &v in block.iter().flatten() {
            counters[v as usize].fetch_add(1, Relaxed);
        }
        Ok::<(), crate::Error>(())
    })?;
    let own: Vec<u32> = counters.into_iter().map(AtomicU32::into_inner).collect();
    let sums = sum_of_own(ranks, &own)?;
    drop(own);
    let mut all: Vec<u32> = memory::zeroed(bound as usize)?;
    let mut places = begins(ranks, bound as usize);
    ranks.all_gather_into(bytes_of(&sums), |from, bytes| {
        put(&mut all, &mut places, from, bytes, |to, word| *to = word)
    })?;
    Ok(all)
}

/// Sums of all ranks' arrays, modulo 2³²: this rank has those of its range.
fn sum_of_own(ranks: &Ranks, words: &[u32]) -> Result<Vec<u32>> {
    let range = |rank| share(ranks, rank).range(words.len());
    let pieces: Vec<Vec<&[u8]>> =
        (0..ranks.ranks()).map(|rank| vec![bytes_of(&words[range(rank)])]).collect();
    let mut sums: Vec<u32> = memory::zeroed(range(ranks.rank()).len())?;
    let mut places = vec![0; ranks.ranks() as usize];
    ranks.all_to_all(&pieces, |from, bytes| {
        put(&mut sums, &mut places, from, bytes, |to, word| *to = to.wrapping_add(word))
    })?;
    Ok(sums)
}

/// Where the range of each rank begins.
fn begins(ranks: &Ranks, len: usize) -> Vec<usize> {
    (0..ranks.ranks()).map(|rank| share(ranks, rank).range(len).start).collect()
}

fn share(ranks: &Ranks, number: u32) -> Share {
    Share { number, of: ranks.ranks() }
}

/// Brings the next words of a rank to their places.
fn put(
    to: &mut [u32],
    places: &mut [usize],
    from: u32,
    bytes: &[u8],
    set: impl Fn(&mut u32, u32),
) -> Result<()> {
    let words = bytes.as_chunks::<4>().0;
    let place = &mut places[from as usize];
    let to =
        to.get_mut(*place..*place + words.len()).ok_or_else(|| super::rows::wrong_length(from))?;
    *place += words.len();
    to.iter_mut().zip(words).for_each(|(to, word)| set(to, u32::from_le_bytes(*word)));
    Ok(())
}

/// The degrees of the simple graph, of this rank's range of ranks of vertices. `removed` has what this rank's
/// duplicates take off.
pub(super) fn own_of_simple(
    ranks: &Ranks,
    degree_of_rank: Vec<u32>,
    removed: Vec<u32>,
) -> Result<Vec<u32>> {
    let mut own = sum_of_own(ranks, &removed)?;
    let range = share(ranks, ranks.rank()).range(degree_of_rank.len());
    // A simple degree is below 2³², so that the difference is exact.
    let blocks = own.chunks_mut(par::BLOCK).zip(degree_of_rank[range].chunks(par::BLOCK));
    par::for_each(blocks, |(own, degrees)| {
        own.iter_mut().zip(degrees).for_each(|(own, degree)| *own = degree.wrapping_sub(*own));
    });
    Ok(own)
}

/// The figures that follow from some degrees of the simple graph.
pub(super) fn figures(degrees: &[u32]) -> Summary {
    let degrees: Vec<AtomicU32> = degrees.iter().copied().map(AtomicU32::new).collect();
    degree_figures(&degrees)
}
