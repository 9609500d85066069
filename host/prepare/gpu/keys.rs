//! Orient on the GPU: degrees, ranks, and every edge as a sort key (paper 004, sections II-B and
//! III-B).
//!
//! Degrees are counted before duplicates are known, which saves the sort that finding them would
//! take: any order of the vertices gives the exact count, and one by degrees with duplicates bounds
//! the rows by √(2m) for m edges with duplicates.

use std::ops::Range;

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::{degrees, orient, ranks};

use super::landmarks::{self, LandmarkLabels};
use super::radix_sort::Histograms;
use super::row_bins::{Groups, keys_to_groups};
use super::summary::{self, add_figures, of_figures, summary_of_degrees};
use super::vertex_order::{VertexOrder, add_near};
use crate::graph::Summary;
use crate::plan::preparation::{GroupsOfRanks, KeySort, SortedGroups, looks_for_landmarks};
use crate::plan::{EdgeOrder, Landmarks, Share};

/// Blocks a multiprocessor of the kernels that stride over edges or vertices: enough to fill it.
const BLOCKS: u32 = 8;

/// Fewest keys of a thread that makes keys and counts their digits. Each block adds all its counts once, and many blocks with few keys
/// would spend most of their time on that.
const KEYS: u64 = 8;

/// The edges as keys, not sorted yet.
pub struct OrientedKeys<D: Device> {
    /// Larger rank above smaller rank, `rank_bits` each; a self-loop has all bits set.
    pub keys: Buffer<u64, D>,
    /// As long as `keys`: the sort's other buffer.
    pub scratch: Buffer<u64, D>,
    /// What was counted of the keys.
    pub counted: Counted<D>,
    /// Degree of each rank, duplicates counted.
    pub degree_of_rank: Buffer<u32, D>,
    /// The vertex of each rank, or nothing where it was not asked for.
    pub vertex_of_rank: Buffer<u32, D>,
    /// [`WORDS`] words: the self-loops at [`LOOPS`], and a place at [`KEPT`].
    pub words: Buffer<u64, D>,
    /// Bits of a rank.
    pub rank_bits: u32,
}

/// What was counted of keys while they were made, for what brings them into rows.
pub enum Counted<D: Device> {
    /// The digits, for a sort.
    Digits {
        /// Those of the passes.
        histograms: Histograms<D>,
        /// The first bit that was counted, and that the keys are sorted by: 0 for all of them.
        sorted_from: u32,
    },
    /// The keys of each group of larger ranks, for bins.
    Groups(Groups<D>),
    /// The digits of groups of larger ranks, for bins of keys that are sorted by those.
    DigitsOfGroups {
        /// Those of the passes.
        histograms: Histograms<D>,
        /// The first bit that was counted, and that the keys are sorted by.
        sorted_from: u32,
        /// The groups.
        of: SortedGroups,
    },
}

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

/// Vertices whose degrees the cache of a GPU holds beside what else goes through it, about: 32 MB.
const IN_CACHE: u64 = 1 << 23;

/// Most windows: with more, the entries are read too often.
const MOST_WINDOWS: u64 = 12;

/// Fewest entries that are counted in windows: the cache takes in a window for each time that some are counted. The
/// pieces of an upload have fewer.
const LEAST_IN_WINDOWS: u64 = 1 << 23;

/// The number of windows of vertices in which the degrees of `entries` entries are counted. Up to two windows are
/// counted as one: a graph that is little larger than the cache gains nothing.
fn windows(vertices: u64, entries: u64) -> u64 {
    let windows = vertices.div_ceil(IN_CACHE);
    let pays = entries >= LEAST_IN_WINDOWS && (3..=MOST_WINDOWS).contains(&windows);
    if pays { windows } else { 1 }
}

/// What one pass over the edges as they came tells of them.
pub struct Degrees<D: Device> {
    /// Degree of each vertex, duplicates counted, self-loops not.
    pub degree: Buffer<u32, D>,
    /// [`WORDS`] words.
    pub(super) words: Buffer<u64, D>,
    /// Where they are looked for, until all edges were looked at.
    pub landmarks: Option<LandmarkLabels<D>>,
    seen: Option<Seen>,
}

/// What is known once all edges were passed, without a further pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// The figures of a graph with these degrees.
    pub summary: Summary,
    /// Self-loops.
    pub self_loops: u64,
    /// Entries of a sample whose ends have ids near each other.
    pub near: Share,
    /// How the edges are sorted.
    pub order: EdgeOrder,
    /// The wedges at landmarks, where those are looked for.
    pub landmarks: Option<Landmarks>,
}

/// What is known of some of the edges.
#[derive(Debug, Clone, Copy)]
pub(super) struct SoFar {
    /// The figures of their degrees.
    pub summary: Summary,
    /// Self-loops.
    pub self_loops: u64,
    /// How they are sorted.
    pub order: EdgeOrder,
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

impl<D: Device> Degrees<D> {
    /// No edges yet, between the vertices `0..vertices`.
    ///
    /// # Errors
    /// What the device reports.
    pub fn zeroed(device: &D, vertices: u64) -> Result<Self, D::Error> {
        Ok(Degrees {
            degree: Buffer::zeroed(device, vertices)?,
            words: Buffer::zeroed(device, WORDS)?,
            landmarks: None,
            seen: None,
        })
    }

    /// The same of a graph of `entries` entries, and landmarks are found where degrees are counted if the order of its vertices
    /// may be decided by them.
    ///
    /// # Errors
    /// What the device reports.
    pub fn with_landmarks(device: &D, vertices: u64, entries: u64) -> Result<Self, D::Error> {
        let mut degrees = Degrees::zeroed(device, vertices)?;
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

    /// The degrees of all edges, from those of the shares of several devices, on a device whose own share has these
    /// words and landmarks.
    pub(super) fn of_all(
        degree: Buffer<u32, D>,
        words: Buffer<u64, D>,
        landmarks: Option<LandmarkLabels<D>>,
    ) -> Self {
        Degrees { degree, words, landmarks, seen: None }
    }

    /// Counts the edges at these places, which follow on those counted before.
    ///
    /// # Errors
    /// What the device reports.
    pub fn add(
        &mut self,
        device: &D,
        edges: &Buffer<u64, D>,
        places: Range<u64>,
    ) -> Result<(), D::Error> {
        let windows = windows(self.degree.len(), places.end - places.start);
        self.add_in(windows, device, edges, places)
    }

    /// The same in this many windows of vertices.
    fn add_in(
        &mut self,
        windows: u64,
        device: &D,
        edges: &Buffer<u64, D>,
        places: Range<u64>,
    ) -> Result<(), D::Error> {
        let vertices = self.degree.len();
        let most = device.multiprocessors() * BLOCKS;
        let mut nothing = Buffer::uninitialized(device, 0)?;
        for window in 0..windows {
            let at = |window: u64| (vertices * window / windows) as u32;
            let (loops, rest) = self.words.view_mut().split_at(ORDER);
            let (labels, floor) = match &mut self.landmarks {
                Some(LandmarkLabels { labels, floor }) => (labels.view_mut(), *floor),
                None => (nothing.view_mut(), u32::MAX),
            };
            degrees::count_degrees(
                device,
                Shape::cover(places.end - places.start, degrees::BLOCK, most)
                    .shared(degrees::SHARED_BYTES),
                edges.view(),
                self.degree.view_mut(),
                labels,
                loops.slice(LOOPS, 1),
                rest.slice(0, 1).cast(),
                places.start,
                places.end,
                at(window),
                at(window + 1),
                floor,
                u32::from(window == 0),
            )?;
        }
        Ok(())
    }

    /// What is known of the edges, all of which were added. One copy from the device, the first time; landmarks are forgotten.
    ///
    /// # Errors
    /// What the device reports.
    pub fn look(&mut self, device: &D, edges: &Buffer<u64, D>) -> Result<Seen, D::Error> {
        if let Some(seen) = self.seen {
            return Ok(seen);
        }
        let figures = self.words.view_mut().slice(SUMMARY, summary::WORDS);
        add_figures(device, &self.degree, figures)?;
        let near = self.words.view_mut().slice(NEAR, 1);
        let sampled = add_near(device, edges, self.degree.len(), near)?;
        let at_landmarks = match self.landmarks.take() {
            Some(found) => {
                let (before, sums) = self.words.view_mut().split_at(LANDMARKS);
                let figures = before.into_view().slice(SUMMARY, summary::WORDS);
                Some(found.add_wedges(device, (edges, edges.len()), &self.degree, figures, sums)?)
            }
            None => None,
        };
        let words = self.words.to_vec(device)?;
        let summary = of_figures(&words[SUMMARY as usize..LANDMARKS as usize]);
        let order = order_of(words[ORDER as usize]);
        let seen = Seen {
            summary: Summary { edges: edges.len(), ..summary },
            self_loops: words[LOOPS as usize],
            near: Share { sampled, found: words[NEAR as usize] },
            order,
            landmarks: at_landmarks
                .map(|sampled| landmarks::of_words(sampled, &words[LANDMARKS as usize..])),
        };
        self.seen = Some(seen);
        Ok(seen)
    }

    /// What is known of the edges so far, whose figures are those of a graph that has no others. One copy from the device
    /// and another.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn so_far(&self, device: &D) -> Result<SoFar, D::Error> {
        let mut words = [0; NEAR as usize];
        let summary = summary_of_degrees(device, &self.degree)?;
        self.words.download(device, 0, &mut words)?;
        Ok(SoFar {
            summary,
            self_loops: words[LOOPS as usize],
            order: order_of(words[ORDER as usize]),
        })
    }

    /// Self-loops among the edges so far.
    ///
    /// # Errors
    /// What the device reports.
    pub fn self_loops(&self, device: &D) -> Result<u64, D::Error> {
        let mut loops = [0];
        self.words.download(device, LOOPS, &mut loops)?;
        Ok(loops[0])
    }
}

/// Counts the degrees of the vertices `0..vertices`, looks at the edges' order on the way, and finds landmarks as
/// [`Degrees::with_landmarks`] says.
///
/// # Errors
/// What the device reports.
pub fn count_degrees<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    vertices: u64,
) -> Result<Degrees<D>, D::Error> {
    let mut degrees = Degrees::with_landmarks(device, vertices, edges.len())?;
    degrees.add(device, edges, 0..edges.len())?;
    Ok(degrees)
}

/// How edges are turned into keys.
pub struct Orientation<D: Device> {
    /// The order of the vertices.
    pub order: VertexOrder<D>,
    /// By how much of a key the edges are sorted.
    pub sort: KeySort,
    /// Whether the vertex of each rank is kept: 4 bytes a vertex.
    pub keep_vertices: bool,
}

/// Vertices with ranks.
pub(super) struct Ranked<D: Device> {
    /// The rank of each vertex, or nothing where a vertex is its rank.
    pub rank: Buffer<u32, D>,
    /// Degree of each rank, duplicates counted.
    pub degree_of_rank: Buffer<u32, D>,
    /// The vertex of each rank, or nothing where it was not asked for.
    pub vertex_of_rank: Buffer<u32, D>,
}

/// Ranks the vertices, which have these degrees.
///
/// # Errors
/// What the device reports.
pub(super) fn rank_by<D: Device>(
    device: &D,
    degree: Buffer<u32, D>,
    order: VertexOrder<D>,
    keep_vertices: bool,
) -> Result<Ranked<D>, D::Error> {
    if !matches!(order, VertexOrder::Ids) {
        return rank_by_degrees(device, &degree, order, keep_vertices);
    }
    let in_order = order.vertices(device, &degree, keep_vertices)?;
    let vertex_of_rank = vertices_of_ranks(device, &in_order, keep_vertices)?;
    Ok(Ranked { rank: Buffer::uninitialized(device, 0)?, degree_of_rank: degree, vertex_of_rank })
}

/// Ranks the vertices, which have these degrees, in any order but that of their ids.
///
/// # Errors
/// What the device reports.
pub(super) fn rank_by_degrees<D: Device>(
    device: &D,
    degree: &Buffer<u32, D>,
    order: VertexOrder<D>,
    keep_vertices: bool,
) -> Result<Ranked<D>, D::Error> {
    let vertices = degree.len();
    let in_order = order.vertices(device, degree, keep_vertices)?;
    let mut rank = Buffer::uninitialized(device, vertices)?;
    let mut degree_of_rank = Buffer::uninitialized(device, vertices)?;
    ranks::assign_ranks(
        device,
        over_vertices(device, vertices),
        in_order.view(),
        degree.view(),
        rank.view_mut(),
        degree_of_rank.view_mut(),
        vertices,
    )?;
    let vertex_of_rank = vertices_of_ranks(device, &in_order, keep_vertices)?;
    Ok(Ranked { rank, degree_of_rank, vertex_of_rank })
}

/// A thread for each of `vertices` vertices, or some for each.
pub(super) fn over_vertices<D: Device>(device: &D, vertices: u64) -> Shape {
    Shape::cover(vertices, ranks::BLOCK, device.multiprocessors() * BLOCKS)
}

/// The vertex of each rank, from the vertices in their order; nothing where they are not to be kept.
fn vertices_of_ranks<D: Device>(
    device: &D,
    in_order: &Buffer<u64, D>,
    keep: bool,
) -> Result<Buffer<u32, D>, D::Error> {
    let n = if keep { in_order.len() } else { 0 };
    let mut kept = Buffer::uninitialized(device, n)?;
    if keep {
        let shape = over_vertices(device, n);
        ranks::vertices_of_ranks(device, shape, in_order.view(), kept.view_mut(), n)?;
    }
    Ok(kept)
}

/// Ranks the vertices by these degrees and turns the edges into keys.
///
/// # Errors
/// What the device reports.
pub fn orient_by<D: Device>(
    device: &D,
    edges: Buffer<u64, D>,
    degrees: Degrees<D>,
    orientation: Orientation<D>,
) -> Result<OrientedKeys<D>, D::Error> {
    let Orientation { order, sort, keep_vertices } = orientation;
    let Degrees { degree, words, .. } = degrees;
    let vertices = degree.len();
    let Ranked { rank, degree_of_rank, vertex_of_rank } =
        rank_by(device, degree, order, keep_vertices)?;
    let mut made = Keys::none(device, edges.len(), vertices, sort)?;
    made.add(device, &edges, &rank, 0..edges.len())?;
    let Keys { keys, counted, rank_bits } = made;
    Ok(OrientedKeys {
        keys,
        scratch: edges,
        counted,
        degree_of_rank,
        vertex_of_rank,
        words,
        rank_bits,
    })
}

/// Keys in the order of their edges, some of which may be still to come.
pub(super) struct Keys<D: Device> {
    /// As many as there will be.
    pub keys: Buffer<u64, D>,
    /// What was counted of those that there are.
    pub counted: Counted<D>,
    /// Bits of a rank.
    pub rank_bits: u32,
}

impl<D: Device> Keys<D> {
    /// None yet of `entries` edges between the vertices `0..vertices`.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn none(
        device: &D,
        entries: u64,
        vertices: u64,
        sort: KeySort,
    ) -> Result<Self, D::Error> {
        let rank_bits = sort.rank_bits(entries, vertices);
        let sorted_from = sort.first_bit(rank_bits);
        let histograms = || Histograms::zeroed(device, rank_bits * 2 - sorted_from);
        let counted = match sort {
            KeySort::Bins => {
                Counted::Groups(Groups::zeroed(device, GroupsOfRanks::of(entries, rank_bits))?)
            }
            KeySort::SortedBins { passes } => {
                let of = SortedGroups::of(entries, vertices, passes);
                let of = of.expect("bins have room for groups");
                Counted::DigitsOfGroups { histograms: histograms()?, sorted_from, of }
            }
            KeySort::Whole | KeySort::Tails => {
                Counted::Digits { histograms: histograms()?, sorted_from }
            }
        };
        Ok(Keys { keys: Buffer::uninitialized(device, entries)?, counted, rank_bits })
    }

    /// Turns the edges at these places into keys, and counts what brings them into rows. Where `rank` is empty, a vertex is its
    /// rank.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn add(
        &mut self,
        device: &D,
        edges: &Buffer<u64, D>,
        rank: &Buffer<u32, D>,
        places: Range<u64>,
    ) -> Result<(), D::Error> {
        let Keys { keys, counted, rank_bits } = self;
        let m = places.end - places.start;
        let edges = edges.view().slice(places.start, m);
        let keys = keys.view_mut().slice(places.start, m);
        let (histograms, sorted_from) = match counted {
            Counted::Groups(groups) => {
                return keys_to_groups(device, edges, rank, keys, *rank_bits, groups.counts());
            }
            Counted::Digits { histograms, sorted_from }
            | Counted::DigitsOfGroups { histograms, sorted_from, .. } => (histograms, *sorted_from),
        };
        let passes = histograms.passes;
        orient::orient_edges(
            device,
            Shape::cover(m.div_ceil(KEYS), orient::BLOCK, device.multiprocessors() * BLOCKS)
                .shared(orient::shared_bytes(passes)),
            edges,
            rank.view(),
            keys,
            histograms.counts.view_mut(),
            m,
            *rank_bits,
            sorted_from,
            passes,
            u32::from(rank.is_empty()),
        )
    }
}

#[cfg(test)]
mod tests {
    use tribin_device::emulated::{Config, Emulator};

    use super::*;

    #[test]
    fn many_vertices_are_counted_in_windows() {
        let few = LEAST_IN_WINDOWS - 1;
        for (vertices, entries, expected) in [
            (1_000, 1 << 30, 1),
            (2 * IN_CACHE, 1 << 30, 1),
            (2 * IN_CACHE + 1, 1 << 30, 3),
            (2 * IN_CACHE + 1, few, 1),
            (MOST_WINDOWS * IN_CACHE, LEAST_IN_WINDOWS, 12),
            (MOST_WINDOWS * IN_CACHE + 1, 1 << 30, 1),
        ] {
            assert_eq!(windows(vertices, entries), expected, "{entries} between {vertices}");
        }
    }

    /// Degrees of each vertex, and what else is seen of the edges.
    fn words_of(device: &Emulator, degrees: &Degrees<Emulator>) -> (Vec<u32>, Vec<u64>) {
        (degrees.degree.to_vec(device).unwrap(), degrees.words.to_vec(device).unwrap())
    }

    /// Edges of which some are self-loops.
    fn edges(device: &Emulator, vertices: u64) -> Buffer<u64, Emulator> {
        let edge = |i: u64| (i * 7_919 % vertices) | (i * i % vertices) << 32;
        let edges: Vec<u64> = (0..3_000).map(edge).collect();
        Buffer::from_host(device, &edges).unwrap()
    }

    #[test]
    fn any_number_of_windows_counts_the_same() {
        let device = Emulator::with(Config::seeded(1));
        let (vertices, places) = (101, 0..3_000);
        let edges = edges(&device, vertices);
        let found = [1, 2, 3, 12, 101].map(|windows| {
            let mut degrees = Degrees::zeroed(&device, vertices).unwrap();
            degrees.add_in(windows, &device, &edges, places.clone()).unwrap();
            words_of(&device, &degrees)
        });
        let all: u64 = found[0].0.iter().map(|&degree| u64::from(degree)).sum();
        assert_eq!(all + 2 * found[0].1[LOOPS as usize], 6_000);
        assert!(found.iter().all(|found_in| *found_in == found[0]));
    }
}
