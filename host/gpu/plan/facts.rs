//! What is known of a graph when a choice is made.

use super::counting::CountingSettings;
use crate::graph::Summary;
use crate::plan::Task;
use tribin_kernels::min_hash;
use tribin_kernels::wedge_sample::FIRST_RANKS;

/// The order in which the entries of a graph are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeOrder {
    /// Not, or with edges of both directions, self-loops or duplicates among them.
    Unsorted,
    /// Strictly ascending by first vertex, then second, and the first is the smaller.
    Upward,
    /// Strictly ascending by first vertex, then second, and the first is the larger.
    Downward,
}

/// A part of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Share {
    /// The number of things that were looked at.
    pub sampled: u64,
    /// The number of those that have the property in question.
    pub found: u64,
}

/// Classes of entries in [`Landmarks`].
pub const CLASSES: usize = min_hash::CLASSES as usize;

/// A sample of the entries, by the larger degree of their ends, and the wedges that they make with landmarks:
/// vertices that were drawn by their hashes, a quarter of one in a mean neighbourhood.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Landmarks {
    /// Entries that were looked at.
    pub sampled: u64,
    /// Classes of the sampled entries, by degrees up to 2, 4, 8, … times the mean, and in no class before.
    pub classes: [LandmarkClass; CLASSES],
}

/// The figures of a class of the entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct LandmarkClass {
    /// Entries of the class.
    pub edges: u64,
    /// Wedges at landmarks of the class's entries.
    pub wedges: u64,
    /// Wedges at landmarks that close.
    pub closed: u64,
}

impl Landmarks {
    /// The classes up to one, together.
    pub fn up_to(&self, class: usize) -> LandmarkClass {
        let classes = &self.classes[..=class];
        LandmarkClass {
            edges: classes.iter().map(|class| class.edges).sum(),
            wedges: classes.iter().map(|class| class.wedges).sum(),
            closed: classes.iter().map(|class| class.closed).sum(),
        }
    }
}

/// The facts of the entries before they are oriented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryFacts {
    /// Edge entries, self-loops and duplicates included.
    pub entries: u64,
    /// One more than the largest vertex.
    pub vertices: u64,
    /// How the entries are sorted.
    pub order: EdgeOrder,
    /// The most bytes of shared memory that a block of the device may have.
    pub most_shared_bytes: u32,
    /// Whether results by vertex are wanted.
    pub task: Task,
    /// The summary that follows from degrees that count duplicates, with the entries for edges.
    pub summary: Summary,
    /// Entries of a sample whose ends have ids near each other.
    pub near: Share,
    /// Entries of a sample, and the wedges that they make with landmarks; nothing where these were not looked for.
    pub landmarks: Landmarks,
}

impl EntryFacts {
    /// The share of the entries whose ends would have one MinHash label, by the wedges that close at landmarks, where degrees
    /// differ little.
    ///
    /// That is the share of what is in both neighbourhoods among what is in either. An entry of w wedges has ends of w + 1
    /// neighbours each. The share of the wedges that close is the share of one end's other neighbours that are the other
    /// end's too. The ends themselves are in both neighbourhoods.
    pub fn foreseen_alike(&self) -> f64 {
        let LandmarkClass { wedges, closed, .. } = self.landmarks.up_to(CLASSES - 1);
        let closed = closed as f64 / wedges.max(1) as f64;
        let of_entry = self.summary.wedges as f64 / self.entries.max(1) as f64;
        let in_both = closed * of_entry + 2.0;
        in_both / (2.0 * (of_entry + 2.0) - in_both)
    }
}

/// The wedges of an oriented graph, and the triangles of a sample of its edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WedgeSample {
    /// Edges of the graph.
    pub edges: u64,
    /// Pairs of entries of a row, of all rows.
    pub wedges: u64,
    /// Rows with an entry.
    pub rows: u64,
    /// Edges among the hubs that the settings name. As edges are sorted by their larger rank, these are the first.
    pub hub_edges: u64,
    /// Edges that were looked at.
    pub sampled: u64,
    /// Wedges of the edges that were looked at.
    pub sampled_wedges: u64,
    /// Sampled wedges that close, from at most `LANES` of an edge.
    pub triangles: u64,
    /// Sampled wedges that close and whose edge's head is among the ranks without a bit of their own.
    pub high_triangles: u64,
    /// Edges of the sample whose ranks are near each other.
    pub near: u64,
    /// Edges of the sample whose head is in a segment of 32 ranks with the entry before it in its row.
    pub joined: u64,
    /// Wedges of [`sampled_wedges`](Self::sampled_wedges) whose third vertex is in a segment with the entry
    /// before it in its row: of what a merge of entries steps to, what a merge of segments does not.
    pub joined_wedges: u64,
    /// Reads of 16 bytes of a matrix of bits that the edges of the sample would take: the row of each one's head, up to
    /// the head.
    pub matrix_reads: u64,
    /// Entries of the rows of the heads of those edges of the sample that have a wedge.
    pub head_entries: u64,
    /// The wedges at the first 1, 4 and 16 ranks, as in [`FIRST_RANKS`]: those of [`sampled_wedges`](Self::sampled_wedges) whose third
    /// vertex is one of these ranks.
    pub of_first: [OfFirstRanks; 3],
}

/// Wedges of a sample whose third vertex is one of the first ranks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OfFirstRanks {
    /// All wedges of that kind.
    pub wedges: u64,
    /// Wedges that close.
    pub triangles: u64,
}

#[cfg(test)]
impl WedgeSample {
    /// A sample in which nothing was found.
    pub(super) const NONE: WedgeSample = WedgeSample {
        edges: 0,
        wedges: 0,
        rows: 0,
        hub_edges: 0,
        sampled: 0,
        sampled_wedges: 0,
        triangles: 0,
        high_triangles: 0,
        near: 0,
        joined: 0,
        joined_wedges: 0,
        matrix_reads: 0,
        head_entries: 0,
        of_first: [OfFirstRanks { wedges: 0, triangles: 0 }; 3],
    };
}

impl WedgeSample {
    /// The mean length of a row from the view of an edge.
    pub fn row_of_edges(&self) -> u64 {
        // Wedges are below 2⁶³.
        2 * self.wedges / self.edges.max(1) + 1
    }

    /// The sampled wedges whose third vertex is one of the `exact` first ranks.
    fn of_first(&self, exact: u32) -> OfFirstRanks {
        let number = FIRST_RANKS.iter().position(|&ranks| ranks == exact);
        number.map_or(OfFirstRanks::default(), |number| self.of_first[number])
    }

    /// The wedges of all edges without those whose third vertex is one of the `exact` first ranks.
    pub(super) fn wedges_without_first(&self, exact: u32) -> u64 {
        let left = u128::from(self.sampled_wedges.saturating_sub(self.of_first(exact).wedges));
        // Wedges are below 2⁶³, and what is left is no more.
        (u128::from(self.wedges) * left / u128::from(self.sampled_wedges.max(1))) as u64
    }

    /// The triangles of the sampled edges without those whose third vertex is one of the `exact` first ranks.
    pub(super) fn triangles_without_first(&self, exact: u32) -> u64 {
        self.triangles.saturating_sub(self.of_first(exact).triangles)
    }

    /// Entries of the rows of the heads of all edges that have a wedge, about: below 2⁶⁴, as a row is shorter than 2³².
    pub(super) fn entries_of_heads(&self) -> u128 {
        u128::from(self.head_entries) * u128::from(self.edges) / u128::from(self.sampled.max(1))
    }

    /// Wedges of an edge: the steps of a merge along its tail's row.
    pub(super) fn steps_of_tail(&self) -> f64 {
        self.wedges as f64 / self.edges.max(1) as f64
    }

    /// Entries of the head's row of an edge: the steps of a merge along it.
    pub(super) fn steps_of_head(&self) -> f64 {
        self.entries_of_heads() as f64 / self.edges.max(1) as f64
    }

    /// 1,000 times the mean length of a row from the view of an edge over the mean from the view of a row:
    /// 1,000, or little less, for rows of one length.
    pub(super) fn inequality_permille(&self) -> u128 {
        // Wedges are below 2⁶³, rows and edges below 2³².
        let of_edges = 2_000 * u128::from(self.wedges) * u128::from(self.rows);
        of_edges / (u128::from(self.edges) * u128::from(self.edges)).max(1)
    }
}

/// The facts of an oriented graph by which the counting method is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountingFacts {
    /// What the sample found.
    pub sample: WedgeSample,
    /// Ranks, isolated vertices included.
    pub ranks: u64,
    /// Edges that have a place in a group; `None` until groups are laid out.
    pub grouped: Option<u64>,
    /// The settings of the rules.
    pub settings: CountingSettings,
}
