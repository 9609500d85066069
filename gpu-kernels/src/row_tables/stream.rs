//! Tail after tail: its row into the table, the rows of its heads past it, and out again.

use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::shared::{self, Shared};
use warpwise_device::thread;

use super::table::Table;
use super::{SPILLED, TAILS};
use crate::primitives::{Oriented, position};

/// What stands for no entry: an entry is the smaller rank of an edge.
const NO_ENTRY: u32 = u32::MAX;

/// Entries of a read.
const QUAD: u32 = 4;

/// Where the spilled entries stand behind the table and a row for each thread.
const fn spilled_at(table: u32, threads: u32) -> u32 {
    table + 8 * threads
}

/// Bytes up to the end of what a block has.
pub(super) const fn shared_end(table: u32, threads: u32) -> u32 {
    // Their number and the entries, and two tickets.
    spilled_at(table, threads) + 4 * (1 + SPILLED + 2)
}

/// A row up to its last whole read.
struct WholeReads {
    row: u64,
    /// How many of the entries behind it were found.
    cut_off: u32,
}

/// An oriented graph, and the edges of it that are counted.
#[derive(Clone, Copy)]
pub(super) struct TableEdges {
    pub(super) graph: Oriented,
    pub(super) quads: In<U64x2>,
    pub(super) first: u32,
    pub(super) m: u32,
    pub(super) lanes_log2: u32,
}

/// A row that goes past the table.
#[derive(Clone, Copy)]
struct Passing {
    start: u32,
    len: u32,
    /// The read that the group's first lane makes next, and one past the row's last.
    read: u32,
    reads_end: u32,
}

impl Passing {
    #[inline(always)]
    fn of(row: u64) -> Passing {
        let (start, end) = (row as u32, (row >> 32) as u32);
        Passing { start, len: end - start, read: start / QUAD, reads_end: end.div_ceil(QUAD) }
    }
}

impl TableEdges {
    /// The triangles that this thread finds, with a table of `table_bytes` bytes.
    #[inline(always)]
    pub(super) fn count<T: Table>(self, ticket: InOut<u32>, table: T, table_bytes: u32) -> u64 {
        let TableEdges { graph: Oriented { tails, heads, rows }, first, m, .. } = self;
        let thread = thread::thread_idx_x();
        let threads = thread::block_dim_x();
        let passing = shared::array::<u64>(table_bytes, threads);
        let spilled = shared::array::<u32>(spilled_at(table_bytes, threads), 1 + SPILLED + 2);

        let (first_tail, last_tail) = (tails.get(first.into()), tails.get(u64::from(m) - 1));
        // Drawn tails stand in two places by turns, so that one barrier a turn is enough.
        let mut ticket_at = 1 + SPILLED;
        let mut draw = || {
            if thread == 0 {
                spilled.set(ticket_at, ticket.atomic_add(0, TAILS));
            }
            thread::sync_threads();
            let drawn = spilled.get(ticket_at);
            ticket_at ^= (1 + SPILLED) ^ (2 + SPILLED);
            drawn
        };
        let mut drawn = draw();
        if drawn > last_tail - first_tail {
            // Blocks that come when all tails are drawn have nothing to clear.
            return 0;
        }
        table.clear();
        if thread <= SPILLED {
            spilled.set(thread, if thread == 0 { 0 } else { NO_ENTRY });
        }
        thread::sync_threads();
        let mut count = 0;
        while drawn <= last_tail - first_tail {
            let tails_end = (first_tail + drawn).saturating_add(TAILS).min(last_tail + 1);
            for tail in first_tail + drawn..tails_end {
                let row = rows.get(tail.into());
                let (start, end) = (row as u32, ((row >> 32) as u32).min(m));
                // The first edge of a row closes nothing.
                let from = (start + 1).max(first);
                if start < end && from < end {
                    for at in thread::strided(start + thread..end, threads) {
                        let entry = heads.get(at.into());
                        if !table.put(entry) {
                            let place = spilled.atomic_add(0, 1);
                            if place < SPILLED {
                                spilled.set(1 + place, entry);
                            }
                        }
                    }
                    for base in thread::strided(from..end, threads) {
                        let at = base + thread;
                        if at < end {
                            let row = rows.get(heads.get(at.into()).into());
                            let whole = self.whole_reads(row, start, end);
                            passing.set(thread, whole.row);
                            count += u64::from(whole.cut_off);
                        }
                        thread::sync_threads();
                        let here = threads.min(end - base);
                        let spills = if T::SPILLS { spilled.get(0) } else { 0 };
                        count += u64::from(if spills == 0 {
                            self.stream(passing, here, |entry| table.has(entry))
                        } else if spills <= 2 {
                            let [one, two] = [spilled.get(1), spilled.get(2)];
                            self.stream(passing, here, |entry| {
                                table.has(entry) | (entry == one) | (entry == two)
                            })
                        } else if spills <= SPILLED {
                            self.stream(passing, here, |entry| {
                                let mut found = table.has(entry);
                                let mut at = 1;
                                while at <= spills {
                                    found |= spilled.get(at) == entry;
                                    at += 1;
                                }
                                found
                            })
                        } else {
                            self.stream(passing, here, |entry| {
                                position(heads, start, end, entry).is_some()
                            })
                        });
                        thread::sync_threads();
                    }
                    for at in thread::strided(start + thread..end, threads) {
                        table.take_out(heads.get(at.into()));
                    }
                    if T::SPILLS && thread <= SPILLED {
                        spilled.set(thread, if thread == 0 { 0 } else { NO_ENTRY });
                    }
                    thread::sync_threads();
                }
            }
            drawn = draw();
        }
        count
    }

    /// A head's row without the entries behind the last whole read, and how many of those the row from `start` to before
    /// `end` has.
    #[inline(always)]
    fn whole_reads(self, row: u64, start: u32, end: u32) -> WholeReads {
        let whole = self.m / QUAD * QUAD;
        let (row_start, row_end) = (row as u32, (row >> 32) as u32);
        if row_end <= whole {
            return WholeReads { row, cut_off: 0 };
        }
        let mut found = 0;
        for at in row_start.max(whole)..row_end {
            let vertex = self.graph.heads.get(at.into());
            found += u32::from(position(self.graph.heads, start, end, vertex).is_some());
        }
        let row = u64::from(row_start.min(whole)) | u64::from(whole) << 32;
        WholeReads { row, cut_off: found }
    }

    /// How many of this lane's share of the first `here` rows `has` finds. The lanes of a group take a row together, and
    /// the next read is asked for before the entries of the last are looked up.
    #[inline(always)]
    fn stream(self, passing: Shared<u64>, here: u32, has: impl Fn(u32) -> bool) -> u32 {
        let lanes = 1 << self.lanes_log2;
        let thread = thread::thread_idx_x();
        let lane = thread & (lanes - 1);
        let mut edge = thread >> self.lanes_log2;
        let groups = thread::block_dim_x() >> self.lanes_log2;
        let mut count = 0;
        if edge >= here {
            return 0;
        }
        let quad = |row: Passing| {
            let read = row.read + lane;
            if read < row.reads_end { self.quads.get(read.into()).0 } else { [0; 2] }
        };
        let mut found = |row: Passing, [low, high]: [u64; 2]| {
            let entries = [low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32];
            // Entries before the row are at large distances.
            let distance = ((row.read + lane) * QUAD).wrapping_sub(row.start);
            for k in 0..QUAD {
                let inside = distance.wrapping_add(k) < row.len;
                count += u32::from(has(entries[k as usize]) & inside);
            }
        };
        let mut row = Passing::of(passing.get(edge));
        let mut entries = quad(row);
        loop {
            let mut next = Passing { read: row.read + lanes, ..row };
            if next.read >= next.reads_end {
                edge += groups;
                if edge >= here {
                    break;
                }
                next = Passing::of(passing.get(edge));
            }
            let ahead = quad(next);
            found(row, entries);
            row = next;
            entries = ahead;
        }
        found(row, entries);
        count
    }
}
