//! Lists of neighbours, as METIS and GAP files hold them: from entries to edges.

use std::ops::Range;

use super::input::Input;
use super::memory::{self, NoMemory};
use crate::Result;
use crate::graph::Reading;
use tribin_base::par;

/// The neighbours of every vertex, one vertex after the other.
pub(super) trait Rows: Sync {
    fn vertices(&self) -> usize;

    /// The places of a vertex's neighbours; they begin where those of the vertex before end.
    fn row(&self, vertex: usize) -> Range<usize>;

    fn neighbour(&self, place: usize) -> u32;

    /// The number of entries.
    fn entries(&self) -> usize {
        match self.vertices() {
            0 => 0,
            n => self.row(n - 1).end,
        }
    }
}

/// What is wrong with rows that were read from a file of this many entries; `to` is the row that an entry leads to.
pub(super) fn fault(
    rows: &impl Rows,
    entries: usize,
    to: impl Fn(usize) -> u64 + Sync,
) -> Option<String> {
    let n = rows.vertices();
    let is_none = |&row: &usize| {
        let Range { start, end } = rows.row(row);
        start > end || end > entries || (row == 0 && start != 0)
    };
    if let Some(row) = par::find_map_first(par::blocks(n, BLOCK), |mut block| block.find(is_none)) {
        let Range { start, end } = rows.row(row);
        return Some(format!("row {row} is said to be the entries {start} to {end} of {entries}"));
    }
    let is_outside = |&place: &usize| to(place) >= n as u64;
    let blocks = par::blocks(rows.entries(), BLOCK);
    let outside = par::find_map_first(blocks, |mut block| block.find(is_outside));
    outside.map(|place| format!("entry {place} leads to row {}, and there are {n}", to(place)))
}

/// Rows of which the neighbours were sorted.
struct Sorted<'a, R> {
    rows: &'a R,
    neighbours: Vec<u32>,
}

impl<R: Rows> Rows for Sorted<'_, R> {
    fn vertices(&self) -> usize {
        self.rows.vertices()
    }

    fn row(&self, vertex: usize) -> Range<usize> {
        self.rows.row(vertex)
    }

    fn neighbour(&self, place: usize) -> u32 {
        self.neighbours[place]
    }
}

/// Vertices of one task.
const BLOCK: usize = 1 << 12;

/// What to report of a file in a format that lists every edge at both of its ends, where not all are: `None` where
/// all are.
pub(super) fn one_sided(format: &str, twice: bool, entries: usize) -> Option<Reading> {
    let note = "some edges are listed at one of their ends only, and the format lists them at both: each entry was \
                taken as an edge; if the file should be whole, fetch or write it again";
    let reading =
        || Reading { table: format.into(), warnings: vec![note.into()], ..Reading::default() };
    (!twice && entries > 0).then(reading)
}

/// Whether every entry `v -> w` has its own `w -> v`: exactly, whatever the entries are. O(n log d + m) for
/// n vertices of a degree up to d and m entries. Takes a copy of the entries where some row is not ascending.
pub(super) fn is_symmetric(input: &Input, rows: &impl Rows) -> Result<bool> {
    let no_memory = |refused| input.no_memory(refused);
    let ascends = |v: usize| {
        let row = rows.row(v);
        row.clone().skip(1).all(|place| rows.neighbour(place - 1) <= rows.neighbour(place))
    };
    let blocks = || par::blocks(rows.vertices(), BLOCK);
    if par::find_map_first(blocks(), |mut block| block.find(|&v| !ascends(v))).is_none() {
        return matches(rows).map_err(no_memory);
    }
    let mut neighbours = memory::zeroed(rows.entries()).map_err(no_memory)?;
    let entries = blocks().map(|block| rows.row(block.end - 1).end - rows.row(block.start).start);
    let parts = par::cut(&mut neighbours, entries);
    par::for_each(blocks().zip(parts), |(block, part): (_, &mut [u32])| {
        let mut at = 0;
        for v in block {
            let row = rows.row(v);
            let sorted = &mut part[at..at + row.len()];
            sorted.iter_mut().zip(row).for_each(|(to, place)| *to = rows.neighbour(place));
            sorted.sort_unstable();
            at += sorted.len();
        }
    });
    matches(&Sorted { rows, neighbours }).map_err(no_memory)
}

/// Parts for each thread: only as many counters as the threads work on are in memory at a time.
const PARTS: usize = 4;

/// The check itself, of ascending rows, each thread with the entries that lead to vertices of a range.
fn matches(rows: &impl Rows) -> std::result::Result<bool, NoMemory> {
    let n = rows.vertices();
    let parts = PARTS * par::threads();
    // Ranges with about equally many entries: vertices and entries both take time.
    let work = |v: usize| if v == 0 { 0 } else { v + rows.row(v - 1).end };
    let begin = |part: usize| {
        // Both factors are below 2⁶⁴.
        let wanted = work(n) as u128 * part as u128 / parts as u128;
        let (mut from, mut to) = (0, n);
        while from < to {
            let middle = from + (to - from) / 2;
            match (work(middle) as u128) < wanted {
                true => from = middle + 1,
                false => to = middle,
            }
        }
        from
    };
    let differs = par::find_map_first(0..parts, |part| {
        let end = if part + 1 == parts { n } else { begin(part + 1) };
        matches_up_to(rows, begin(part)..end).map(|matches| (!matches).then_some(())).transpose()
    });
    Ok(differs.transpose()?.is_none())
}

/// Whether the entries `v -> w` with `v < w`, for all `w` of a range, are those `w -> v`. They come in
/// ascending `v`, so they must name the lower neighbours of `w` one after the other.
fn matches_up_to(rows: &impl Rows, range: Range<usize>) -> std::result::Result<bool, NoMemory> {
    // How many of a row's neighbours were named. A row of 2³² entries has more than there are vertices, so
    // some are equal; that many are not counted wrong, but are no match.
    let mut named = memory::zeroed::<u32>(range.len())?;
    for v in 0..range.end {
        let row = rows.row(v);
        let lowest = range.start.max(v + 1);
        let (mut from, mut to) = (row.start, row.end);
        while from < to {
            let middle = from + (to - from) / 2;
            match (rows.neighbour(middle) as usize) < lowest {
                true => from = middle + 1,
                false => to = middle,
            }
        }
        for place in from..row.end {
            let w = rows.neighbour(place) as usize;
            if w >= range.end {
                break;
            }
            let other = rows.row(w);
            let named = &mut named[w - range.start];
            let at = other.start + *named as usize;
            // Vertices are below 2³², as neighbours are.
            if at >= other.end || rows.neighbour(at) != v as u32 || *named == u32::MAX {
                return Ok(false);
            }
            *named += 1;
        }
    }
    // The next neighbour of each is not a lower one.
    Ok(range.clone().zip(named).all(|(w, named)| {
        let row = rows.row(w);
        let at = row.start + named as usize;
        at >= row.end || rows.neighbour(at) as usize >= w
    }))
}

/// The entries, in the order of the rows; those that lead up or to the vertex itself where the file lists
/// each edge `twice`.
pub(super) fn edges(input: &Input, rows: &impl Rows, twice: bool) -> Result<Vec<[u32; 2]>> {
    let kept = |v: usize, w: u32| !twice || v <= w as usize;
    let blocks = || par::blocks(rows.vertices(), BLOCK);
    let counts: Vec<usize> = par::map(blocks(), |block| {
        let of = |v: usize| rows.row(v).filter(|&place| kept(v, rows.neighbour(place))).count();
        block.map(of).sum()
    });
    let mut edges =
        memory::zeroed(counts.iter().sum()).map_err(|refused| input.no_memory(refused))?;
    let parts = par::cut(&mut edges, counts);
    par::for_each(blocks().zip(parts), |(block, part): (_, &mut [[u32; 2]])| {
        let entries = block.flat_map(|v| {
            let neighbours = rows.row(v).map(|place| rows.neighbour(place));
            neighbours.filter(move |&w| kept(v, w)).map(move |w| [v as u32, w])
        });
        part.iter_mut().zip(entries).for_each(|(edge, entry)| *edge = entry);
    });
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::oracle;
    use super::*;

    struct Lists(Vec<usize>, Vec<u32>);

    impl Lists {
        fn of(lists: &[Vec<u32>]) -> Lists {
            let ends = lists.iter().scan(0, |end, list| {
                *end += list.len();
                Some(*end)
            });
            Lists(std::iter::once(0).chain(ends).collect(), lists.concat())
        }
    }

    impl Rows for Lists {
        fn vertices(&self) -> usize {
            self.0.len() - 1
        }

        fn row(&self, vertex: usize) -> Range<usize> {
            self.0[vertex]..self.0[vertex + 1]
        }

        fn neighbour(&self, place: usize) -> u32 {
            self.1[place]
        }
    }

    proptest! {
        /// Symmetry is what a comparison finds of all entries with all entries turned around.
        #[test]
        fn symmetry_is_exact(
            n in 1u32..7,
            pairs in prop::collection::vec((0u32..7, 0u32..7), 0..24),
            mirrored in any::<bool>(),
            change in prop::option::of((any::<prop::sample::Index>(), 0u32..7)),
        ) {
            let mut entries: Vec<[u32; 2]> =
                pairs.iter().map(|&(u, v)| [u % n, v % n]).collect();
            if mirrored {
                let turned: Vec<_> =
                    entries.iter().filter(|[u, v]| u != v).map(|&[u, v]| [v, u]).collect();
                entries.extend(turned);
            }
            if let (Some((at, to)), false) = (change, entries.is_empty()) {
                at.get_mut(&mut entries)[1] = to % n;
            }
            let mut lists = vec![vec![]; n as usize];
            entries.iter().for_each(|&[u, v]| lists[u as usize].push(v));
            let rows = Lists::of(&lists);
            let in_order: Vec<[u32; 2]> = lists
                .iter()
                .zip(0..)
                .flat_map(|(list, v)| list.iter().map(move |&w| [v, w]))
                .collect();
            let mut turned: Vec<_> = entries.iter().map(|&[u, v]| [v, u]).collect();
            entries.sort_unstable();
            turned.sort_unstable();
            oracle::with_chunk(b"", 1, |input| -> std::result::Result<(), TestCaseError> {
                prop_assert_eq!(is_symmetric(input, &rows).unwrap(), entries == turned);
                prop_assert_eq!(&edges(input, &rows, false).unwrap(), &in_order);
                let up: Vec<_> = in_order.iter().copied().filter(|[v, w]| v <= w).collect();
                prop_assert_eq!(edges(input, &rows, true).unwrap(), up);
                Ok(())
            })?;
        }
    }
}
