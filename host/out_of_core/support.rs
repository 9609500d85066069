//! Support: the triangles on every edge, part by part as in counting.
//!
//! A part's edges have counters in memory. The rows that come past it have theirs in a scratch file, which each part reads
//! and writes anew: what the part adds to them is known when they are past. An edge's number is whole once its own part
//! was the one in memory.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::FoundOnDisk;
use super::no_memory;
use super::past::{Finder, each_part};
use super::rows::RowFile;
use super::scratch::{Record, Scratch, ScratchFile};
use crate::Result;
use crate::control::{Context, memory};
use crate::graph::{RowRange, Rows};
use crate::plan::Sizes;
use tribin_base::par;
use tribin_cpu::forward::{RowSink, Thirds};
use tribin_parts::EdgeNumbers;

/// A number for each edge, in records of the chunks of its rows. Any threads may write them, in any order.
pub(super) struct Numbers<'s> {
    file: ScratchFile<'s>,
    records: Vec<OnceLock<Record>>,
}

impl<'s> Numbers<'s> {
    fn none(file: ScratchFile<'s>, rows: &RowFile) -> Numbers<'s> {
        Numbers { file, records: rows.chunks.iter().map(|_| OnceLock::new()).collect() }
    }

    /// The numbers of a chunk's edges, in memory that is used again: zeros where none were written.
    pub fn read(&self, rows: &RowFile, chunk: usize, numbers: &mut Vec<u32>) -> Result<()> {
        if let Some(&record) = self.records[chunk].get() {
            return self.file.read(record, numbers);
        }
        let heads = rows.chunks[chunk].heads as usize;
        numbers.clear();
        memory::reserve_exact(numbers, heads).map_err(no_memory)?;
        numbers.resize(heads, 0);
        Ok(())
    }

    /// Writes the numbers of a chunk's edges, once.
    fn write(&self, chunk: usize, numbers: &[u32]) -> Result<()> {
        let record = self.file.append(numbers)?;
        assert!(self.records[chunk].set(record).is_ok(), "numbers of a chunk once");
        Ok(())
    }

    /// Takes the file away.
    pub fn remove(self) -> Result<()> {
        self.file.remove()
    }
}

/// Numbers of triangles in scratch files. The rows behind a part have theirs there until their own part is through.
pub(super) struct NumberFiles<'r, 's> {
    rows: &'r RowFile<'r>,
    scratch: &'s Scratch,
    /// The names of the files begin so: where a device fails, the CPU begins anew under other names.
    name: &'static str,
    /// Numbers of the parts that are through.
    whole: Numbers<'s>,
    /// What the parts before this one added to the rows behind them.
    so_far: Numbers<'s>,
    /// What the parts up to and with this one added to the rows behind them.
    past: Numbers<'s>,
    parts: u64,
}

impl<'r, 's> NumberFiles<'r, 's> {
    pub fn new(rows: &'r RowFile<'r>, scratch: &'s Scratch, name: &'static str) -> Self {
        let none = |end: &str| Numbers::none(scratch.file(format!("{name}{end}")), rows);
        let (whole, so_far, past) = (none(""), none("-0"), none("-1"));
        NumberFiles { rows, scratch, name, whole, so_far, past, parts: 1 }
    }

    fn next_part(&mut self) -> Result<()> {
        self.parts += 1;
        let file = self.scratch.file(format!("{}-{}", self.name, self.parts));
        let past = std::mem::replace(&mut self.past, Numbers::none(file, self.rows));
        std::mem::replace(&mut self.so_far, past).remove()
    }

    /// The numbers of all edges, once all parts are through.
    pub fn finish(self) -> Result<Numbers<'s>> {
        self.so_far.remove()?;
        Ok(self.whole)
    }

    /// Writes the numbers of each chunk, with what the parts before this one added.
    fn write(&self, to: &Numbers, units: Range<usize>, numbers: &[u32]) -> Result<()> {
        let (mut rest, mut sums) = (numbers, Vec::new());
        for index in units {
            self.so_far.read(self.rows, index, &mut sums)?;
            let (own, others) = rest.split_at(sums.len());
            sums.iter_mut().zip(own).for_each(|(sum, number)| *sum += number);
            rest = others;
            to.write(index, &sums)?;
        }
        Ok(())
    }
}

impl EdgeNumbers for NumberFiles<'_, '_> {
    fn add(&mut self, units: Range<usize>, numbers: &[u32]) -> Result<()> {
        self.write(&self.past, units, numbers)
    }

    fn finish(&mut self, units: Range<usize>, numbers: &[u32]) -> Result<()> {
        self.write(&self.whole, units, numbers)
    }

    fn end_part(&mut self) -> Result<()> {
        self.next_part()
    }
}

/// The triangles on each edge. O(m^1.5) work; memory: 4 bytes for each edge of a part beside its rows, and a chunk more for
/// each thread. Scratch files: 12 bytes an edge at the most, and 4 of them are left.
///
/// An edge is on at most n - 2 triangles, which is below 2³²: no number overflows.
pub(super) fn support<'s>(
    rows: &RowFile,
    scratch: &'s Scratch,
    sizes: &Sizes,
    context: &Context,
) -> Result<FoundOnDisk<Numbers<'s>>> {
    let mut files = NumberFiles::new(rows, scratch, "support");
    let parts = each_part(rows, sizes, context, |past| {
        let held = &past.held;
        let zeros: Vec<u32> = memory::zeroed(held.heads.len()).map_err(no_memory)?;
        // In the same memory.
        let counters: Vec<AtomicU32> = zeros.into_iter().map(AtomicU32::new).collect();
        let finder = Finder::new(held, rows.ranks(), true, sizes.hub_bytes)?;
        past.each(
            context,
            Vec::new,
            |numbers, of, index| {
                let is_held = past.part.contains(&index);
                if !is_held {
                    files.so_far.read(rows, index, numbers)?;
                }
                let own = if is_held { Own::Held } else { Own::Past(&mut numbers[..]) };
                let mut sink = SupportSink { held: PartCounters(&counters), own };
                finder.find(of, rows.chunks[index].ranks(), &mut sink, context)?;
                if is_held { Ok(()) } else { files.past.write(index, numbers) }
            },
            |_| (),
        )?;
        par::try_for_each(past.part.clone(), |index| {
            context.cancel().check()?;
            let mut numbers = Vec::new();
            files.so_far.read(rows, index, &mut numbers)?;
            let first = rows.chunks[index].first - held.first;
            let start = held.offsets[first as usize] as usize;
            for (number, counter) in numbers.iter_mut().zip(&counters[start..]) {
                *number += counter.load(Relaxed);
            }
            files.whole.write(index, &numbers)
        })?;
        files.next_part()?;
        Ok(true)
    })?;
    Ok(FoundOnDisk::on_cpu(files.finish()?, parts))
}

/// Where the numbers of the rows are that are visited.
enum Own<'a> {
    /// With those of the part, whose rows they are.
    Held,
    /// In numbers of the chunk's own.
    Past(&'a mut [u32]),
}

struct SupportSink<'a> {
    held: PartCounters<'a>,
    own: Own<'a>,
}

/// Counters of the edges of the part.
struct PartCounters<'a>(&'a [AtomicU32]);

impl Thirds for PartCounters<'_> {
    const WANTED: bool = true;

    #[inline(always)]
    fn add(&mut self, edge: usize) {
        self.0[edge].fetch_add(1, Relaxed);
    }

    #[inline(always)]
    fn lowest(&mut self) -> &mut [u8] {
        &mut []
    }

    fn carry(&mut self, _: usize) {
        unreachable!("no bits are apart")
    }
}

impl<'a> RowSink<RowRange> for SupportSink<'a> {
    type Thirds = PartCounters<'a>;

    #[inline(always)]
    fn thirds(&mut self) -> &mut PartCounters<'a> {
        &mut self.held
    }

    #[inline(always)]
    fn row(&mut self, tails: &RowRange, u: u32, counts: &[u32]) {
        let start = tails.first_place(u);
        match &mut self.own {
            Own::Held => {
                for (counter, &count) in self.held.0[start..].iter().zip(counts) {
                    if count > 0 {
                        counter.fetch_add(count, Relaxed);
                    }
                }
            }
            Own::Past(numbers) => {
                // The lengths of a chunk's rows stand before their heads.
                let start = start - tails.offsets[0] as usize;
                let numbers = numbers[start..].iter_mut();
                numbers.zip(counts).for_each(|(number, count)| *number += count);
            }
        }
    }
}
