//! On how many GPUs a graph is prepared and counted, in how many parts, and how much memory each of them needs.
//!
//! Each GPU uploads and orients a share of the entries, sorts some of the parts, takes all other parts from the
//! others, and counts a share of the edges. Only the counting method's own preparation is done by each for the
//! whole graph.

use super::memory::{MAX_ENTRIES, MemoryPlan, REST, key_sort_scratch_bytes};
use tribin_plan::bytes::countable;
use tribin_plan::reason::{Bound, Chosen, Reason, ReasonFigure, Rules};
use tribin_plan::time;

/// The facts by which one GPU or several are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TeamFacts {
    /// Edge entries.
    pub entries: u64,
    /// One more than the largest vertex.
    pub vertices: u64,
    /// Bytes for the vertices of the ranks, on each GPU.
    pub kept: u64,
    /// GPUs that there are.
    pub devices: u32,
    /// Whether the caller asked for all GPUs.
    pub named: bool,
    /// Whether edges are in the memory of others than the first.
    pub spread: bool,
    /// Whether all are in use already. Otherwise that takes [`OTHERS_START_UP`] first.
    pub open: bool,
    /// Bytes of memory that are free on the GPU that has the fewest.
    pub free: u64,
    /// Parts, if the caller asked for some number of them.
    pub parts: Option<u32>,
}

/// The number of GPUs and of parts by which a graph is prepared and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gpus {
    /// One GPU does the work.
    One,
    /// All GPUs do the work, in `parts` parts.
    All {
        /// The number of parts.
        parts: u32,
    },
}

/// Milliseconds until the other GPUs of a machine can be used, once the first is open: their contexts, and the kernels. The first
/// one waits for the driver as well, while a file is read (`START_UP` in `device.rs`). (On an H200, 120 ms for a
/// context, and as much where the driver has not compiled the kernels before.)
pub const OTHERS_START_UP: u64 = 250;

/// Milliseconds that several GPUs are to save at least. What is predicted may be off by as much.
pub const MIN_SAVED: u64 = 20;

/// A part of this many is what parts may be larger than their mean: in the order of degrees they differ by about a
/// thousandth.
const SLACK: u64 = 16;

/// Parts of a graph on `devices` GPUs: one for each, or as many more as keep the keys of a part in 32 bits.
pub fn parts(entries: u64, devices: u32) -> u32 {
    let devices = devices.max(1);
    let rounds =
        with_slack(countable(entries).div_ceil(devices.into())).div_ceil(MAX_ENTRIES).max(1);
    devices.saturating_mul(u32::try_from(rounds).unwrap_or(u32::MAX))
}

/// The mean and a little more, as the largest share of work that is nearly even.
pub fn with_slack(mean: u64) -> u64 {
    mean + mean / SLACK
}

impl TeamFacts {
    /// Parts of the graph.
    pub fn parts(&self) -> u32 {
        self.parts.unwrap_or_else(|| parts(self.entries, self.devices))
    }

    /// Bytes that each GPU needs.
    pub fn memory(&self) -> MemoryPlan {
        let (entries, n) = (countable(self.entries), countable(self.vertices));
        let (parts, devices) = (u64::from(self.parts().max(1)), u64::from(self.devices.max(1)));
        let share = entries.div_ceil(devices);
        let alone = MemoryPlan::new(share, n);
        let part = with_slack(entries.div_ceil(parts)) + 1;
        let turns = parts.div_ceil(devices);
        let own = part * turns;
        // The degrees of all, a share of them, and what it is summed from.
        let upload = alone.upload + 8 * n.div_ceil(devices);
        // Keys, and the same by their parts: as much as the entries and the keys before.
        let orient = alone.orient + 8 * n.div_ceil(devices) + 4 * n;
        // Degrees, what duplicates take off them, and the lengths of the rows; the rows of a part.
        let ranks = 12 * n + 8 * n;
        // The heads of the parts before, and the keys of all parts until the last was taken.
        let (before, of_later) = match turns {
            0 | 1 => (0, 0),
            _ => (4 * part * (turns - 1), 8 * share),
        };
        let exchanged = 8 * share + 8 * part + 4 * n + before;
        // A part is sorted in the memory of two.
        let sorted = 16 * part + key_sort_scratch_bytes(part) + ranks + before + of_later;
        let reduced = 4 * own + 12 * n + 8 * n.div_ceil(devices);
        // The heads of its own parts, and heads and tails of all; where all rows begin. More edges are not assembled.
        let edges = entries.min(MAX_ENTRIES);
        let assembled = 4 * own + 8 * edges + 12 * n + 8 * n + 8 * n + 8 * n;
        let clean = exchanged.max(sorted).max(reduced).max(assembled) + 2 * REST;
        let count = MemoryPlan::new(edges, n).count;
        MemoryPlan { upload, orient, clean, count }
    }

    /// Whether one GPU could prepare the graph alone.
    fn fits_one(&self) -> Reason {
        let needed = MemoryPlan::new(self.entries, self.vertices).peak() + self.kept;
        match self.entries <= MAX_ENTRIES {
            true => Reason::whole_at_most(needed, "bytes on one GPU", self.free),
            false => Reason::whole_at_most(self.entries, "entries on one GPU", MAX_ENTRIES),
        }
    }

    /// What speaks for all GPUs, or against them.
    fn why_all(&self) -> Reason {
        let fits_one = self.fits_one();
        if self.parts.is_some() {
            Reason::new(true, "the number of parts was asked for")
        } else if self.entries > MAX_ENTRIES {
            // Also one GPU sorts them in parts.
            fits_one.decided()
        } else if self.devices < 2 {
            Reason::whole_at_least(self.devices.into(), "GPUs", 2)
        } else if self.named {
            Reason::new(true, "several GPUs were asked for")
        } else if self.spread {
            let why = "edges are in the memory of several GPUs, or of another than the first";
            Reason::new(true, why)
        } else if fits_one.holds {
            self.saved()
        } else {
            fits_one.decided()
        }
    }

    /// Milliseconds that all GPUs together save, before anything is counted.
    fn saved(&self) -> Reason {
        let alone = time::upload_entries(self.entries)
            + time::orient(self.entries)
            + time::clean(self.entries);
        let together = time::prepare_together(self.entries, self.vertices, self.devices);
        let saved = ((alone - together) * 1e3).max(0.0) as u64;
        let least = MIN_SAVED + if self.open { 0 } else { OTHERS_START_UP };
        Reason::compared(
            saved >= least,
            ReasonFigure::Whole(saved),
            "ms saved, as predicted",
            Bound::AtLeast(ReasonFigure::Whole(least)),
        )
    }
}

/// Chooses by whom a graph is prepared and counted. O(1).
pub fn crew(facts: &TeamFacts) -> Chosen<Gpus> {
    let (parts, needed) = (facts.parts(), facts.memory().peak() + facts.kept);
    let fits = Reason::whole_at_most(needed, "bytes on each GPU", facts.free);
    Rules::unbounded()
        .rule("all GPUs", Gpus::All { parts }, 0, vec![facts.why_all(), fits])
        .or("one GPU", Gpus::One)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: TeamFacts = TeamFacts {
        entries: 1 << 30,
        vertices: 1 << 24,
        kept: 0,
        devices: 4,
        named: false,
        spread: false,
        open: false,
        free: 140 << 30,
        parts: None,
    };

    #[test]
    fn parts_keep_their_keys_in_32_bits() {
        let most = MAX_ENTRIES / 17 * 16;
        for (entries, devices, expected) in [
            (0, 1, 1),
            (0, 3, 3),
            (most, 1, 1),
            (most + 20, 1, 2),
            (8 * most, 8, 8),
            (8 * most + 200, 8, 16),
            (1 << 35, 1, 9),
        ] {
            let found = parts(entries, devices);
            assert_eq!(found, expected, "{entries} entries on {devices}");
            assert!(with_slack(entries.div_ceil(found.into())) <= MAX_ENTRIES);
        }
    }

    #[test]
    fn several_gpus_are_taken_where_they_pay() {
        let all = |parts| Gpus::All { parts };
        for (facts, expected) in [
            // 300 ms to save, and 250 to start.
            (TeamFacts { entries: 1 << 31, ..FACTS }, all(4)),
            (TeamFacts { entries: 1 << 28, ..FACTS }, Gpus::One),
            // Nothing to start.
            (TeamFacts { entries: 1 << 28, open: true, ..FACTS }, all(4)),
            (TeamFacts { entries: 1 << 20, open: true, ..FACTS }, Gpus::One),
            // One would save nothing.
            (TeamFacts { devices: 1, open: true, ..FACTS }, Gpus::One),
            // Asked for, whatever it saves.
            (TeamFacts { entries: 3, named: true, ..FACTS }, all(4)),
            (TeamFacts { entries: 3, named: true, devices: 1, ..FACTS }, Gpus::One),
            // Edges are on others already.
            (TeamFacts { entries: 3, spread: true, ..FACTS }, all(4)),
            (TeamFacts { entries: 1 << 28, spread: true, free: 1 << 30, ..FACTS }, Gpus::One),
            (TeamFacts { entries: 3, devices: 1, parts: Some(5), ..FACTS }, all(5)),
            // 32 bits do not number the entries: in parts on one GPU.
            (TeamFacts { entries: 1 << 32, devices: 1, ..FACTS }, all(2)),
            // One GPU has no room for the sort, or cannot number the entries.
            (TeamFacts { entries: 1 << 28, free: 4 << 30, ..FACTS }, all(4)),
            (TeamFacts { entries: 3 << 31, ..FACTS }, all(4)),
            // Nobody has room.
            (TeamFacts { entries: 1 << 28, free: 1 << 30, ..FACTS }, Gpus::One),
            (TeamFacts { entries: 1 << 28, free: 1 << 30, named: true, ..FACTS }, Gpus::One),
        ] {
            assert_eq!(crew(&facts).choice, expected, "{facts:?}");
        }
    }

    #[test]
    fn reasons_name_the_figures() {
        let because = |facts: &TeamFacts| -> Vec<String> {
            let chosen = crew(facts);
            let rejected = chosen.rejected.iter().flat_map(|rejected| rejected.because.clone());
            chosen.because.iter().cloned().chain(rejected).map(|why| why.to_string()).collect()
        };
        assert_eq!(
            because(&TeamFacts { devices: 1, open: true, ..FACTS })[0],
            "1 GPUs, at least 2"
        );
        let few = because(&TeamFacts { entries: 1 << 20, ..FACTS });
        assert_eq!(few, ["0 ms saved, as predicted, at least 270"]);
        let large = because(&TeamFacts { entries: 3 << 31, ..FACTS });
        assert_eq!(large[0], "6442450944 entries on one GPU, over 4294901760");
    }
}
