//! Ids with wide gaps: each rank numbers those that their hash gives to it, and tells the others.

use super::input::Blocks;
use super::rows::{bytes_of, words_of};
use crate::control::{Context, memory};
use crate::graph::{IdIndex, MOST_VERTICES};
use crate::ranks::Ranks;
use crate::{Error, Result};
use tribin_base::par;

/// Replaces ids by numbers, the same on all ranks: the entries in blocks, and the number of all vertices.
pub(super) fn number(
    ranks: &Ranks,
    (narrow, wide): (Blocks<u32>, Blocks<u64>),
    name: &str,
    context: &Context,
) -> Result<(Blocks<u32>, u32)> {
    let p = ranks.ranks();
    let ids = distinct(&narrow, &wide)?;
    context.cancel().check()?;
    let owner = |id: u64| owner(id, p) as usize;
    let mut asked: Vec<Vec<u64>> = vec![Vec::new(); p as usize];
    for &id in &ids {
        asked[owner(id)].push(id);
    }
    let mut told: Vec<Vec<u64>> = vec![Vec::new(); p as usize];
    let pieces: Vec<Vec<&[u8]>> = asked.iter().map(|ids| vec![bytes_of(ids)]).collect();
    ranks.all_to_all(&pieces, |from, bytes| words_of(bytes, &mut told[from as usize]))?;
    drop(pieces);
    drop(asked);
    let mut own = told.concat();
    par::sort_unstable(&mut own);
    own.dedup();
    let sizes = super::together(ranks, [own.len() as u64])?;
    let all: u64 = sizes.iter().map(|[size]| size).sum();
    if all > MOST_VERTICES {
        let message = format!(
            "{all} distinct vertices: at most {MOST_VERTICES} (2^32-2) can be counted, split the graph into its \
             connected components"
        );
        return Err(Error::Input { file: name.into(), message: message.into() });
    }
    // Below 2³², as all are.
    let first: u64 = sizes[..ranks.rank() as usize].iter().map(|[size]| size).sum();
    let answers: Vec<Vec<u32>> = par::map(told, |ids| {
        // Ascending, as `own`: each is found behind the one before.
        let mut at = 0;
        let place = |id: u64| {
            at += own[at..].partition_point(|&other| other < id);
            (first + at as u64) as u32
        };
        ids.into_iter().map(place).collect()
    });
    drop(own);
    let mut numbers: Vec<Vec<u32>> = vec![Vec::new(); p as usize];
    let pieces: Vec<Vec<&[u8]>> = answers.iter().map(|numbers| vec![bytes_of(numbers)]).collect();
    ranks.all_to_all(&pieces, |from, bytes| words_of(bytes, &mut numbers[from as usize]))?;
    drop(pieces);
    drop(answers);
    let mut places = vec![0; p as usize];
    let mut of_id: Vec<u32> = memory::with_capacity(ids.len())?;
    for &id in &ids {
        let owner = owner(id);
        let number = numbers[owner].get(places[owner]).copied();
        places[owner] += 1;
        let Some(number) = number.filter(|&number| u64::from(number) < all) else {
            let message = "it has not numbered all ids that it was asked for";
            return Err(Error::Rank { rank: owner as u32, message: message.into() });
        };
        of_id.push(number);
    }
    drop(numbers);
    let index = IdIndex::new(&ids)?;
    let number = |id: u64| of_id[index.vertex(id) as usize];
    let mut numbered = par::map(narrow, |mut block| {
        block.iter_mut().for_each(|ends| *ends = ends.map(|id| number(id.into())));
        block
    });
    numbered.extend(par::try_map(wide, |block| -> Result<Vec<[u32; 2]>> {
        let mut numbered = memory::with_capacity(block.len())?;
        numbered.extend(block.into_iter().map(|ends| ends.map(number)));
        Ok(numbered)
    })?);
    Ok((numbered, all as u32))
}

/// The distinct ids of some entries, ascending.
fn distinct(narrow: &[Vec<[u32; 2]>], wide: &[Vec<[u64; 2]>]) -> Result<Vec<u64>> {
    let entries =
        narrow.iter().map(Vec::len).sum::<usize>() + wide.iter().map(Vec::len).sum::<usize>();
    let mut ids: Vec<u64> = memory::with_capacity(2 * entries)?;
    ids.extend(narrow.iter().flatten().flatten().map(|&id| u64::from(id)));
    ids.extend(wide.iter().flatten().flatten());
    par::sort_unstable(&mut ids);
    ids.dedup();
    ids.shrink_to_fit();
    Ok(ids)
}

/// The rank that numbers an id.
fn owner(id: u64, ranks: u32) -> u32 {
    // Ids that differ in a few bits, wherever these are, go to different ranks (Murmur3's finaliser).
    let mut hash = id;
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        hash = (hash ^ hash >> 33).wrapping_mul(factor);
    }
    ((u128::from(hash ^ hash >> 33) * u128::from(ranks)) >> 64) as u32
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn ids_are_spread_over_the_ranks() {
        for ranks in 1..=6u32 {
            for step in [1u64, 1 << 10, 1 << 32, 1 << 50] {
                let mut ids = vec![0; ranks as usize];
                (0..6000).for_each(|i| ids[owner(i * step, ranks) as usize] += 1);
                let expected = 6000 / ranks;
                assert!(ids.iter().all(|&ids| ids > expected * 4 / 5), "{ids:?}");
            }
        }
    }
}
