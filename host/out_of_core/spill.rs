//! Scratch files take the entries while a source is read. Later the degrees of the vertices are counted from these files.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::scratch::{Record, Scratch, ScratchFile};
use super::workers;
use crate::Result;
use crate::control::{Context, memory};
use crate::graph::{EdgeSink, EntryBlock};
use crate::plan::SEGMENT;
use tribin_cpu::prepare::degree;

/// A file of entries, which goes when they were read again.
#[derive(Debug)]
pub(super) struct Segment<'s> {
    pub file: ScratchFile<'s>,
    /// Each record, and whether its ids have 64 bits.
    pub records: Mutex<Vec<(Record, bool)>>,
    bytes: AtomicU64,
}

impl Segment<'_> {
    /// The records, in no particular order.
    pub fn records(&self) -> Vec<(Record, bool)> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Takes the entries of a source.
pub(super) struct Spill<'s> {
    scratch: &'s Scratch,
    /// What the names of the files begin with.
    name: &'static str,
    /// Entries of a record.
    block: usize,
    state: RwLock<State<'s>>,
}

struct State<'s> {
    segments: Mutex<Vec<Arc<Segment<'s>>>>,
    entries: AtomicU64,
    self_loops: AtomicU64,
    /// One more than the largest id; 2⁶⁴-1 where the id is.
    bound: AtomicU64,
    generation: u64,
}

/// All that was taken.
pub(super) struct Spilled<'s> {
    pub segments: Vec<Arc<Segment<'s>>>,
    pub entries: u64,
    pub self_loops: u64,
    pub bound: u64,
}

impl<'s> Spill<'s> {
    /// Takes entries into files whose names begin with `name`, and records of `block` entries.
    pub fn new(scratch: &'s Scratch, name: &'static str, block: usize) -> Spill<'s> {
        Spill { scratch, name, block, state: RwLock::new(State::new(0)) }
    }

    pub fn finish(self) -> Spilled<'s> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        Spilled {
            segments: state.segments.into_inner().unwrap_or_else(PoisonError::into_inner),
            entries: state.entries.into_inner(),
            self_loops: state.self_loops.into_inner(),
            bound: state.bound.into_inner(),
        }
    }
}

impl Spilled<'_> {
    /// How many entries name each vertex, self-loops left out, modulo 2³². `None` where that takes more than `most` bytes. All ids have
    /// 32 bits.
    pub fn degrees(&self, most: u64, context: &Context) -> Result<Option<Vec<u32>>> {
        let bound = Some(self.bound).filter(|bound| 4 * bound <= most);
        let zeros = bound.and_then(|bound| memory::zeroed::<AtomicU32>(bound as usize).ok());
        let Some(degrees) = zeros else { return Ok(None) };
        context.work().begin(self.segments.len() as u64);
        workers::each(
            self.segments.len(),
            context,
            || Ok(Vec::new()),
            |entries, index| {
                let segment = &self.segments[index];
                segment.records().into_iter().try_for_each(|(record, _)| {
                    segment.file.read(record, entries)?;
                    degree::add(entries, &degrees);
                    Ok(())
                })
            },
        )?;
        Ok(Some(degrees.into_iter().map(AtomicU32::into_inner).collect()))
    }
}

impl<'s> State<'s> {
    fn new(generation: u64) -> State<'s> {
        State {
            segments: Mutex::default(),
            entries: AtomicU64::new(0),
            self_loops: AtomicU64::new(0),
            bound: AtomicU64::new(0),
            generation,
        }
    }

    /// The segment that the next record of some bytes belongs to.
    fn segment(&self, to: &Spill<'s>, bytes: u64) -> Arc<Segment<'s>> {
        let mut segments = self.segments.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room = |segment: &&Arc<Segment>| segment.bytes.load(Relaxed) < SEGMENT;
        let segment = match segments.last().filter(has_room) {
            Some(segment) => Arc::clone(segment),
            None => {
                let name = format!("{}-{}-{}", to.name, self.generation, segments.len());
                let segment = Arc::new(Segment {
                    file: to.scratch.file(name),
                    records: Mutex::default(),
                    bytes: AtomicU64::new(0),
                });
                segments.push(Arc::clone(&segment));
                segment
            }
        };
        segment.bytes.fetch_add(bytes, Relaxed);
        segment
    }

    fn keep<T: bytemuck::Pod>(&self, to: &Spill<'s>, entries: &[T], wide: bool) -> Result<()> {
        let segment = self.segment(to, size_of_val(entries) as u64);
        let record = segment.file.append(entries)?;
        segment.records.lock().unwrap_or_else(PoisonError::into_inner).push((record, wide));
        Ok(())
    }

    /// Takes some figures of entries.
    fn count<T: Copy + Into<u64> + Ord>(&self, entries: &[[T; 2]]) {
        let loops = entries.iter().filter(|[u, v]| u == v).count() as u64;
        self.entries.fetch_add(entries.len() as u64, Relaxed);
        self.self_loops.fetch_add(loops, Relaxed);
        if let Some(&max) = entries.as_flattened().iter().max() {
            self.bound.fetch_max(max.into().saturating_add(1), Relaxed);
        }
    }
}

impl EdgeSink for Spill<'_> {
    fn take(&self, entries: EntryBlock) -> Result<()> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        match entries {
            EntryBlock::Narrow(entries) => {
                state.count(entries);
                entries.chunks(self.block).try_for_each(|block| state.keep(self, block, false))
            }
            EntryBlock::Wide(entries) => {
                state.count(entries);
                entries.chunks(self.block).try_for_each(|block| state.keep(self, block, true))
            }
        }
    }

    fn restart(&self) -> Result<()> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let next = State::new(state.generation + 1);
        let old = std::mem::replace(&mut *state, next);
        let segments = old.segments.into_inner().unwrap_or_else(PoisonError::into_inner);
        segments.iter().try_for_each(|segment| segment.file.remove())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_is_counted_in_all_records() {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(place.path()).unwrap();
        let context = Context::silent();
        let spill = Spill::new(&scratch, "entries", 2);
        spill.take(EntryBlock::Narrow(&[[0, 1], [0, 1], [7, 0], [7, 7], [1, 0]])).unwrap();
        spill.take(EntryBlock::Narrow(&[[5, 7]])).unwrap();
        let spilled = spill.finish();
        assert_eq!((spilled.bound, spilled.entries, spilled.self_loops), (8, 6, 1));
        let degrees = spilled.degrees(32, &context).unwrap().unwrap();
        assert_eq!(degrees, [4, 3, 0, 0, 0, 1, 0, 2]);
        // Ids that are spread widely are left to the table.
        assert_eq!(spilled.degrees(31, &context).unwrap(), None);
    }
}
