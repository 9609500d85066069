//! Edges that come by: how many there are between each two colours, and those of some groups.

use std::sync::{Mutex, PoisonError};

use bytemuck::Zeroable;

use super::colours::{COLOURS, Pairs, colour_of};
use super::group::Group;
use crate::Result;
use tribin_base::Cancel;
use tribin_base::control::memory::{self, NoMemory};
use tribin_base::par;
use tribin_graph::{EdgeSink, EdgeSource, EntryBlock, Visited};

/// Bytes of a source that a task reads at a time.
const PIECE: usize = 1 << 20;

/// The figures of a source that was passed once: what the source says of itself, and its self-loops.
#[derive(Debug, Clone, Default)]
pub struct SeenSource {
    /// What the source says.
    pub visited: Visited,
    /// Entries that join a vertex with itself.
    pub self_loops: u64,
}

/// Looks at all edges of a source: how many entries there are between each two colours, and what else was seen.
///
/// # Errors
/// The errors of the source, and [`Error::Cancelled`](crate::Error::Cancelled).
pub fn look(source: &dyn EdgeSource, seed: u64, cancel: &Cancel) -> Result<(Pairs, SeenSource)> {
    let looking = Looking { seed, cancel, spare: Mutex::default() };
    let visited = source.visit(PIECE, &looking)?;
    let (mut pairs, mut self_loops) = (Pairs::default(), 0);
    for (some, loops) in looking.spare.into_inner().unwrap_or_else(PoisonError::into_inner) {
        pairs.add_words(some.words());
        self_loops += loops;
    }
    Ok((pairs, SeenSource { visited, self_loops }))
}

/// Counts of pairs and of self-loops, as many as tasks run at once.
struct Looking<'a> {
    seed: u64,
    cancel: &'a Cancel,
    spare: Mutex<Vec<(Pairs, u64)>>,
}

impl EdgeSink for Looking<'_> {
    fn take(&self, entries: EntryBlock) -> Result<()> {
        self.cancel.check()?;
        let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let left = spare().pop();
        let (mut pairs, mut loops) = left.unwrap_or_default();
        each(entries, self.seed, |[u, v], [one, other]| match u == v {
            true => loops += 1,
            false => pairs.add(one, other, 1),
        });
        spare().push((pairs, loops));
        Ok(())
    }

    fn restart(&self) -> Result<()> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }
}

/// Calls `see` with the ends of each entry and their colours.
fn each(entries: EntryBlock, seed: u64, mut see: impl FnMut([u64; 2], [u8; 2])) {
    let mut with_colours = |ends: [u64; 2]| see(ends, ends.map(|id| colour_of(id.into(), seed)));
    match entries {
        EntryBlock::Narrow(block) => {
            block.iter().for_each(|ends| with_colours(ends.map(u64::from)));
        }
        EntryBlock::Wide(block) => block.iter().for_each(|&ends| with_colours(ends)),
    }
}

/// Groups at most whose edges [`cut`] keeps in one reading: one bit each.
pub const AT_ONCE: usize = 64;

/// Reads a source and keeps the edges of up to [`AT_ONCE`] groups, self-loops left out: those of each group by themselves.
///
/// # Errors
/// The errors of the source, of memory that is not there, and [`Error::Cancelled`](crate::Error::Cancelled).
///
/// # Panics
/// If there are more groups.
pub fn cut(
    source: &dyn EdgeSource,
    groups: &[Group],
    seed: u64,
    cancel: &Cancel,
) -> Result<Vec<Vec<[u64; 2]>>> {
    assert!(groups.len() <= AT_ONCE, "{} groups", groups.len());
    let mut takers = vec![0u64; COLOURS * COLOURS];
    for (bit, group) in groups.iter().enumerate() {
        group.pairs(|one, other| takers[Pairs::place(one, other)] |= 1 << bit);
    }
    let kept = groups.iter().map(|_| Mutex::default()).collect();
    let cutting = Cutting { seed, cancel, takers, kept };
    source.visit(PIECE, &cutting)?;
    let kept = cutting.kept.into_iter();
    let blocks = kept.map(|kept| kept.into_inner().unwrap_or_else(PoisonError::into_inner));
    Ok(blocks.map(in_one).collect::<Result<_, _>>()?)
}

/// Blocks one after the other. Each is dropped as soon as it is copied.
pub(crate) fn in_one<T: Zeroable + Copy + Send + Sync>(
    blocks: Vec<Vec<T>>,
) -> Result<Vec<T>, NoMemory> {
    let mut all = memory::zeroed(blocks.iter().map(Vec::len).sum())?;
    let rooms = par::cut(&mut all, blocks.iter().map(Vec::len));
    par::for_each(rooms.into_iter().zip(blocks), |(room, block)| room.copy_from_slice(&block));
    Ok(all)
}

/// The sink that keeps the entries of some groups.
struct Cutting<'a> {
    seed: u64,
    cancel: &'a Cancel,
    /// The groups that take an entry between two colours, a bit each, by the place of the two.
    takers: Vec<u64>,
    kept: Vec<Mutex<Vec<Vec<[u64; 2]>>>>,
}

impl EdgeSink for Cutting<'_> {
    fn take(&self, entries: EntryBlock) -> Result<()> {
        self.cancel.check()?;
        let mut own: Vec<Vec<[u64; 2]>> = vec![Vec::new(); self.kept.len()];
        each(entries, self.seed, |[u, v], [one, other]| {
            let mut takers = if u == v { 0 } else { self.takers[Pairs::place(one, other)] };
            while takers > 0 {
                own[takers.trailing_zeros() as usize].push([u, v]);
                takers &= takers - 1;
            }
        });
        for (kept, own) in self.kept.iter().zip(own).filter(|(_, own)| !own.is_empty()) {
            kept.lock().unwrap_or_else(PoisonError::into_inner).push(own);
        }
        Ok(())
    }

    fn restart(&self) -> Result<()> {
        for kept in &self.kept {
            kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        Ok(())
    }
}
