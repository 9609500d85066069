//! The core number of every rank of a graph whose rows are on disk.
//!
//! Where memory holds the rows that are left, and what finding core numbers takes beside them, they are found there. Before that,
//! passes over the rows take away the ranks of the least degree, and with them their edges. Each rank that goes while the least
//! degree is k has core number k, since all that is left then is in the k-core. A rank that memory finds has at least the last k.
//!
//! The order is from Batagelj and Zaveršnik, "An O(m) algorithm for cores decomposition of networks", 2003. Vertices are in memory and
//! edges on disk as in Wen, Qin, Zhang, Lin and Yu, "I/O efficient core graph decomposition at web scale", ICDE 2016.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::no_memory;
use super::past::DiskWork;
use super::rows::RowFile;
use crate::Result;
use crate::control::memory;
use tribin_analytics::cpu::cores;
use tribin_base::par;

/// A rank whose core number is not known yet.
const LEFT: u32 = u32::MAX;

/// The core number of each rank. `degrees` has the neighbours of each. At most [`Sizes::edges_with_cores`](crate::plan::Sizes) edges
/// are in memory at a time. Memory beside them: 8 bytes a rank, and where memory finds the rest 4 bytes an edge and 28 a rank.
pub(super) fn core_numbers(work: DiskWork, mut degrees: Vec<u32>) -> Result<Vec<u32>> {
    let DiskWork { rows: whole, scratch, sizes, context } = work;
    let mut found: Vec<u32> = memory::zeroed(whole.ranks()).map_err(no_memory)?;
    found.fill(LEFT);
    degrees.resize(whole.ranks(), 0);
    // In the same memory.
    let degrees: Vec<AtomicU32> = degrees.into_iter().map(AtomicU32::new).collect();
    let degree = |rank: usize| degrees[rank].load(Relaxed);
    let mut left: Option<RowFile> = None;
    let (mut k, mut passes) = (0, 0);
    loop {
        let rows = left.as_ref().unwrap_or(whole);
        if rows.edges() <= sizes.edges_with_cores {
            let graph = rows.graph()?;
            let cores = cores::core_numbers(&graph, context)?;
            let both = found.iter_mut().zip(cores).filter(|(found, _)| **found == LEFT);
            both.for_each(|(found, core)| *found = core.max(k));
            break;
        }
        let blocks = || found.chunks(par::BLOCK).zip((0..).step_by(par::BLOCK));
        let least = par::map(blocks(), |(found, first)| {
            let left = (first..).zip(found).filter(|(_, found)| **found == LEFT);
            left.map(|(rank, _)| degree(rank)).min().unwrap_or(LEFT)
        });
        k = least.into_iter().fold(LEFT, u32::min).max(k);
        let goes = par::tabulate(found.len(), |rank| found[rank] == LEFT && degree(rank) <= k);
        passes += 1;
        let file = scratch.file(format!("cores-{passes}"));
        let fewer = rows.without(file, context, |rows, _, stays| {
            for (tail, ends) in (rows.first as usize..).zip(rows.offsets.windows(2)) {
                for &head in &rows.heads[ends[0] as usize..ends[1] as usize] {
                    let head = head as usize;
                    match (goes[tail], goes[head]) {
                        (true, false) => _ = degrees[head].fetch_sub(1, Relaxed),
                        (false, true) => _ = degrees[tail].fetch_sub(1, Relaxed),
                        _ => {}
                    }
                    stays.push(!goes[tail] && !goes[head]);
                }
            }
            Ok(())
        })?;
        if let Some(before) = left.replace(fewer) {
            before.file.remove()?;
        }
        found.iter_mut().zip(&goes).filter(|(_, goes)| **goes).for_each(|(found, _)| *found = k);
    }
    if let Some(left) = left {
        left.file.remove()?;
    }
    Ok(found)
}
