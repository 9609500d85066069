//! Degrees on the GPU, and what else one pass over the edges as they came tells of them.

use std::ops::Range;

use tribin_kernels::degrees;
use warpwise_device::launch::{Buffer, Device, Shape, ViewMut};

use super::landmarks::{self, LandmarkLabels};
use super::summary::{self, add_figures, of_figures};
use super::vertex_order::add_near;
use crate::graph::Summary;
use crate::plan::preparation::{
    Buckets, ENTRIES_AT_ONCE, counted_at_once, degree_buckets, looks_for_landmarks,
};
use crate::plan::{EdgeOrder, EntryFacts, Share, Task};

/// Blocks a multiprocessor of the kernel that strides over edges: enough to fill it.
const BLOCKS: u32 = 8;

/// The word with the number of self-loops.
pub const LOOPS: u64 = 0;

/// The word with the number of edges that are kept, once duplicates are dropped.
pub const KEPT: u64 = 1;

/// The word with what holds of the edges' order, in its low half.
const ORDER: u64 = 2;

/// The word with the entries of a sample whose ends are near each other.
const NEAR: u64 = 3;

/// The first of the words with the figures of the degrees.
const SUMMARY: u64 = 4;

/// The first of the words with the wedges at landmarks.
const LANDMARKS: u64 = SUMMARY + summary::WORDS;

/// Words that stand together, so that the host waits once to read them.
pub const WORDS: u64 = LANDMARKS + landmarks::WORDS;

/// The degrees, and all else that one pass over the edges as they came tells of them.
pub struct DeviceDegrees<D: Device> {
    /// Degree of each vertex, duplicates counted, self-loops not.
    pub degree: Buffer<u32, D>,
    /// [`WORDS`] words.
    pub(super) words: Buffer<u64, D>,
    /// The labels of landmarks, where those are looked for, until all edges were looked at.
    pub landmarks: Option<LandmarkLabels<D>>,
}

/// How edges are sorted of which this holds.
fn order_of(word: u64) -> EdgeOrder {
    let holds = |not: u32| word as u32 & (degrees::UNSORTED | not) == 0;
    if holds(degrees::NOT_UPWARD) {
        EdgeOrder::Upward
    } else if holds(degrees::NOT_DOWNWARD) {
        EdgeOrder::Downward
    } else {
        EdgeOrder::Unsorted
    }
}

impl<D: Device> DeviceDegrees<D> {
    /// No edges yet, between the vertices `0..vertices`.
    ///
    /// # Errors
    /// What the device reports.
    pub fn zeroed(device: &D, vertices: u64) -> Result<Self, D::Error> {
        Ok(DeviceDegrees {
            degree: Buffer::zeroed(device, vertices)?,
            words: Buffer::zeroed(device, WORDS)?,
            landmarks: None,
        })
    }

    /// Degrees of no edges yet, of a graph of `entries` entries. Landmarks are found where degrees are counted if the order of
    /// its vertices may be decided by them.
    ///
    /// # Errors
    /// What the device reports.
    pub fn with_landmarks(device: &D, vertices: u64, entries: u64) -> Result<Self, D::Error> {
        let mut degrees = DeviceDegrees::zeroed(device, vertices)?;
        if looks_for_landmarks(entries, vertices) {
            degrees.find_landmarks(device, entries)?;
        }
        Ok(degrees)
    }

    /// Has landmarks found beside the edges that are added from now on, of a graph of `entries` entries.
    ///
    /// # Errors
    /// What the device reports.
    pub fn find_landmarks(&mut self, device: &D, entries: u64) -> Result<(), D::Error> {
        self.landmarks = Some(LandmarkLabels::none(device, self.degree.len(), entries)?);
        Ok(())
    }

    /// Counts the edges at these places, which follow on those counted before. Where there are many, that takes
    /// [`counting_bytes`](crate::plan::preparation::counting_bytes) of device memory.
    ///
    /// # Errors
    /// What the device reports.
    pub fn add(
        &mut self,
        device: &D,
        edges: &Buffer<u64, D>,
        places: Range<u64>,
    ) -> Result<(), D::Error> {
        let (vertices, entries) = (self.degree.len(), places.end - places.start);
        let buckets = degree_buckets(vertices, entries, device.most_shared_bytes());
        self.add_by(buckets, device, edges, places)
    }

    /// Counts the edges at these places through buckets, or by additions to device memory.
    ///
    /// # Errors
    /// What the device reports.
    pub fn add_by(
        &mut self,
        buckets: Option<Buckets>,
        device: &D,
        edges: &Buffer<u64, D>,
        places: Range<u64>,
    ) -> Result<(), D::Error> {
        let Some(buckets) = buckets else { return self.add_at_random(device, edges, places) };
        for first in places.clone().step_by(ENTRIES_AT_ONCE as usize) {
            let end = places.end.min(first + ENTRIES_AT_ONCE);
            self.add_in_buckets(buckets, device, edges, first..end)?;
        }
        Ok(())
    }

    /// Where kernels write; `nothing` has no elements.
    fn counts<'a>(&'a mut self, nothing: &'a mut Buffer<u32, D>) -> DegreeCounters<'a, D> {
        let (loops, rest) = self.words.view_mut().split_at(ORDER);
        let (labels, floor) = match &mut self.landmarks {
            Some(LandmarkLabels { labels, floor }) => (labels.view_mut(), *floor),
            None => (nothing.view_mut(), u32::MAX),
        };
        DegreeCounters {
            degrees: self.degree.view_mut(),
            labels,
            loops: loops.slice(LOOPS, 1),
            order: rest.slice(0, 1).cast(),
            floor,
        }
    }

    fn add_at_random(
        &mut self,
        device: &D,
        edges: &Buffer<u64, D>,
        places: Range<u64>,
    ) -> Result<(), D::Error> {
        let most = device.multiprocessors() * BLOCKS;
        let mut nothing = Buffer::uninitialized(device, 0)?;
        let to = self.counts(&mut nothing);
        degrees::count_degrees(
            device,
            Shape::cover(places.end - places.start, degrees::BLOCK, most)
                .shared(degrees::SHARED_BYTES),
            edges.view(),
            to.degrees,
            to.labels,
            to.loops,
            to.order,
            places.start,
            places.end,
            to.floor,
        )
    }

    /// Counts the ends of at most [`ENTRIES_AT_ONCE`] edges in buckets.
    fn add_in_buckets(
        &mut self,
        buckets: Buckets,
        device: &D,
        edges: &Buffer<u64, D>,
        places: Range<u64>,
    ) -> Result<(), D::Error> {
        let Buckets { bits, at_once, windows } = buckets;
        let (vertices, entries) = (self.degree.len(), places.end - places.start);
        let blocks = entries.div_ceil(u64::from(degrees::EDGE_TILE)).max(1);
        let blocks = blocks.min(u64::from(degrees::BUCKET_BLOCKS * device.multiprocessors()));
        let room = buckets.room(entries, vertices);
        // Four ends to a word.
        let words = u64::from(at_once) * u64::from(room) / 4;
        let mut ends = Buffer::<u64, D>::uninitialized(device, words)?;
        let mut nothing = Buffer::uninitialized(device, 0)?;
        for window in 0..windows {
            let at = |window: u64| ((window * u64::from(at_once)) << bits).min(vertices);
            let (from, below) = (at(window), at(window + 1));
            let filled = (below - from).div_ceil(1 << bits) as u32;
            let (from, below) = (from as u32, below as u32);
            let mut next = Buffer::zeroed(device, at_once.into())?;
            let to = self.counts(&mut nothing);
            degrees::bucket_ends(
                device,
                Shape::new(blocks as u32, degrees::BUCKET_BLOCK)
                    .shared(degrees::BUCKET_SHARED_BYTES),
                edges.view(),
                ends.view_mut().cast(),
                next.view_mut(),
                to.degrees,
                to.labels,
                to.loops,
                to.order,
                places.start,
                places.end,
                from,
                below,
                bits,
                room,
                to.floor,
                u32::from(window == 0),
            )?;
            degrees::count_ends(
                device,
                Shape::new(filled, degrees::COUNT_BLOCK).shared(degrees::count_shared_bytes(bits)),
                ends.view().cast(),
                ends.view(),
                next.view(),
                self.degree.view_mut(),
                from,
                below,
                bits,
                room,
            )?;
        }
        Ok(())
    }

    /// The facts of the edges, all of which were added, for this task. They may be a share of the `entries` entries of a graph, of which
    /// these are the degrees and the labels of landmarks then. One copy from the device; landmarks are forgotten.
    ///
    /// # Errors
    /// What the device reports.
    pub fn look(
        &mut self,
        device: &D,
        edges: &Buffer<u64, D>,
        entries: u64,
        task: Task,
    ) -> Result<EntryFacts, D::Error> {
        let figures = self.words.view_mut().slice(SUMMARY, summary::WORDS);
        add_figures(device, &self.degree, figures)?;
        let near = self.words.view_mut().slice(NEAR, 1);
        let sampled = add_near(device, edges, self.degree.len(), near)?;
        let at_landmarks = match self.landmarks.take() {
            Some(found) => {
                let (before, sums) = self.words.view_mut().split_at(LANDMARKS);
                let figures = before.into_view().slice(SUMMARY, summary::WORDS);
                Some(found.add_wedges(device, (edges, entries), &self.degree, figures, sums)?)
            }
            None => None,
        };
        let words = self.words.to_vec(device)?;
        let summary = of_figures(&words[SUMMARY as usize..LANDMARKS as usize]);
        let of_words = |sampled| landmarks::of_words(sampled, &words[LANDMARKS as usize..]);
        Ok(EntryFacts {
            entries,
            vertices: self.degree.len(),
            order: order_of(words[ORDER as usize]),
            most_shared_bytes: device.most_shared_bytes(),
            task,
            summary: Summary {
                edges: entries,
                self_loops_dropped: words[LOOPS as usize],
                ..summary
            },
            near: Share { sampled, found: words[NEAR as usize] },
            landmarks: at_landmarks.map(of_words).unwrap_or_default(),
        })
    }
}

/// The words that kernels write while they count degrees.
struct DegreeCounters<'a, D: Device> {
    degrees: ViewMut<'a, u32, D>,
    labels: ViewMut<'a, u32, D>,
    loops: ViewMut<'a, u64, D>,
    order: ViewMut<'a, u32, D>,
    /// The floor of the hashes of landmarks: none is above it where none are looked for.
    floor: u32,
}

/// Entries that arrive one after the other, whose degrees are counted when there are enough of them.
pub(super) struct Arriving {
    all: u64,
    /// How many are counted at a time, at least.
    at_once: u64,
    done: u64,
}

impl Arriving {
    /// The start of `all` entries.
    pub fn of(all: u64) -> Self {
        Arriving { all, at_once: counted_at_once(all), done: 0 }
    }

    /// The places of those whose turn it is now that all up to `seen` are there, if there are any.
    pub fn due(&mut self, seen: u64) -> Option<Range<u64>> {
        let is_due = seen == self.all || seen - self.done >= self.at_once;
        let places = self.done..seen;
        if is_due {
            self.done = seen;
        }
        (is_due && !places.is_empty()).then_some(places)
    }
}

/// Counts the degrees of the vertices `0..vertices`, looks at the edges' order on the way, and finds landmarks as
/// [`DeviceDegrees::with_landmarks`] says.
///
/// # Errors
/// What the device reports.
pub fn count_degrees<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    vertices: u64,
) -> Result<DeviceDegrees<D>, D::Error> {
    let mut degrees = DeviceDegrees::with_landmarks(device, vertices, edges.len())?;
    degrees.add(device, edges, 0..edges.len())?;
    Ok(degrees)
}

#[cfg(test)]
mod tests {
    use warpwise_device::emulated::{Config, Emulator};

    use super::*;

    /// Degrees of each vertex, and what else is seen of the edges.
    fn words_of(device: &Emulator, degrees: &DeviceDegrees<Emulator>) -> (Vec<u32>, Vec<u64>) {
        (degrees.degree.to_vec(device).unwrap(), degrees.words.to_vec(device).unwrap())
    }

    /// Edges of which some are self-loops.
    fn edges(device: &Emulator, vertices: u64) -> Buffer<u64, Emulator> {
        let edge = |i: u64| (i * 7_919 % vertices) | (i * i % vertices) << 32;
        let edges: Vec<u64> = (0..3_000).map(edge).collect();
        Buffer::from_host(device, &edges).unwrap()
    }

    #[test]
    fn all_ways_count_the_same() {
        let device = Emulator::with(Config::seeded(1));
        for vertices in [2, 101, 400] {
            let edges = edges(&device, vertices);
            let buckets = |bits| Some(Buckets::with_bits(vertices, bits));
            let ways = [None].into_iter().chain([0, 3, 6, 15].map(buckets));
            let mut found = ways.map(|by| {
                let mut degrees = DeviceDegrees::zeroed(&device, vertices).unwrap();
                for places in [0..1_000, 1_000..1_000, 1_000..3_000] {
                    degrees.add_by(by, &device, &edges, places).unwrap();
                }
                words_of(&device, &degrees)
            });
            let first = found.next().unwrap();
            let all: u64 = first.0.iter().map(|&degree| u64::from(degree)).sum();
            assert_eq!(all + 2 * first.1[LOOPS as usize], 6_000);
            assert!(found.all(|found_in| found_in == first), "{vertices} vertices");
        }
    }

    #[test]
    fn entries_are_counted_once_each_as_they_arrive() {
        for all in [0, 5, 1 << 20, 1 << 26, (1 << 26) + 12_345] {
            let (mut arriving, mut seen, mut counted) = (Arriving::of(all), 0, 0);
            while seen < all {
                seen = all.min(seen + 1_000_003);
                if let Some(places) = arriving.due(seen) {
                    assert_eq!((places.start, places.end), (counted, seen));
                    counted = seen;
                }
            }
            assert_eq!((counted, arriving.due(all)), (all, None));
        }
    }
}
