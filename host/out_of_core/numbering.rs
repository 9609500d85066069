//! Ids with wide gaps: those that occur are numbered from 0, as readers do in memory.

use std::sync::{Arc, Mutex, PoisonError};

use super::no_memory;
use super::spill::{Segment, Spill, Spilled};
use super::workers;
use crate::control::{Context, memory};
use crate::graph::{EdgeSink, EntryBlock};
use crate::graph::{IdIndex, MOST_VERTICES};
use crate::{Error, Result};
use tribin_base::par;

/// Ids of a record, in either width.
fn ids(
    segment: &Segment,
    record: (super::scratch::Record, bool),
    wide: &mut Vec<[u64; 2]>,
) -> Result<()> {
    let (record, is_wide) = record;
    if is_wide {
        return segment.file.read(record, wide);
    }
    let mut narrow: Vec<[u32; 2]> = Vec::new();
    segment.file.read(record, &mut narrow)?;
    wide.clear();
    memory::reserve_exact(wide, narrow.len()).map_err(no_memory)?;
    wide.extend(narrow.iter().map(|ends| ends.map(u64::from)));
    Ok(())
}

/// All distinct ids, ascending; those of self-loops too where `keeps_looped` says so.
fn table(
    segments: &[Arc<Segment>],
    (name, keeps_looped): (&str, bool),
    context: &Context,
) -> Result<Vec<u64>> {
    let all = Mutex::new(Merged::default());
    workers::each(
        segments.len(),
        context,
        || Ok((Vec::new(), Vec::<u64>::new())),
        |(entries, found), index| {
            for record in segments[index].records() {
                ids(&segments[index], record, entries)?;
                found.clear();
                memory::reserve(found, 2 * entries.len()).map_err(no_memory)?;
                found.extend(entries.iter().filter(|[u, v]| keeps_looped || u != v).flatten());
                found.sort_unstable();
                found.dedup();
                all.lock().unwrap_or_else(PoisonError::into_inner).add(found)?;
            }
            Ok(())
        },
    )?;
    let table = all.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
    if table.len() as u64 > MOST_VERTICES {
        let message = format!(
            "{} distinct vertices: at most {MOST_VERTICES} (2^32-2) can be counted, split the graph into its \
             connected components",
            table.len()
        );
        return Err(Error::Input { file: name.into(), message: message.into() });
    }
    Ok(table)
}

/// Distinct ids, and some that may be among them.
#[derive(Default)]
struct Merged {
    distinct: Vec<u64>,
    more: Vec<u64>,
}

impl Merged {
    fn add(&mut self, ids: &[u64]) -> Result<()> {
        memory::reserve(&mut self.more, ids.len()).map_err(no_memory)?;
        self.more.extend_from_slice(ids);
        // Merged where that takes about as long as what was added since.
        if self.more.len() >= self.distinct.len().max(1 << 20) {
            self.merge()?;
        }
        Ok(())
    }

    fn merge(&mut self) -> Result<()> {
        par::sort_unstable(&mut self.more);
        self.more.dedup();
        memory::reserve_exact(&mut self.distinct, self.more.len()).map_err(no_memory)?;
        self.distinct.append(&mut self.more);
        par::sort_runs(&mut self.distinct);
        self.distinct.dedup();
        self.more.shrink_to_fit();
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u64>> {
        self.merge()?;
        self.distinct.shrink_to_fit();
        Ok(self.distinct)
    }
}

/// Replaces ids by their numbers: the segments are written anew. The numbered ids come back, ascending; those of self-loops are
/// among them, and these entries, where `keeps_looped` says so.
pub(super) fn number<'s>(
    spilled: Spilled<'s>,
    renumbered: Spill<'s>,
    (name, keeps_looped): (&str, bool),
    context: &Context,
) -> Result<(Spilled<'s>, Vec<u64>)> {
    let Spilled { segments, self_loops, entries, .. } = spilled;
    context.work().begin(2 * segments.len() as u64);
    let table = table(&segments, (name, keeps_looped), context)?;
    let index = IdIndex::new(&table).map_err(no_memory)?;
    workers::each(
        segments.len(),
        context,
        || Ok((Vec::new(), Vec::<[u32; 2]>::new())),
        |(entries, numbered), at| {
            for record in segments[at].records() {
                ids(&segments[at], record, entries)?;
                numbered.clear();
                memory::reserve(numbered, entries.len()).map_err(no_memory)?;
                let kept = entries.iter().filter(|[u, v]| keeps_looped || u != v);
                numbered.extend(kept.map(|ends| ends.map(|id| index.vertex(id))));
                renumbered.take(EntryBlock::Narrow(numbered))?;
            }
            segments[at].file.remove()
        },
    )?;
    drop(index);
    let bound = table.len() as u64;
    Ok((Spilled { self_loops, entries, bound, ..renumbered.finish() }, table))
}
