//! How the entries of a graph are brought into an oriented graph on a GPU: in what order the vertices are
//! ranked, and by how much of a key the edges are sorted.
//!
//! Any order of the vertices gives the exact count. Where degrees differ much, their order is what keeps rows
//! short. Where they do not, rows are as short in any order, and an order that brings similar rows together
//! saves the caches most of the reads at random. docs/measured.md has the times.

use tribin_kernels::min_hash::first_degree;
use tribin_kernels::order_runs::MOST_STEPS;
use tribin_kernels::row_bins::{
    MOST_BINS, MOST_GROUPS, MOST_OF_SLOT, MOST_RANK_BITS, MOST_RANK_BITS_SORTED, MOST_RANKS,
    MOST_SHARED_BYTES, capacity,
};

pub use super::facts::CLASSES;
use super::facts::{EdgeOrder, EntryFacts, LandmarkClass, Landmarks, Share};
use super::reason::{Bound, Chosen, Figure, Reason, Rejected};
use crate::graph::{Summary, rank_bits};

/// In what order the vertices are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Order {
    /// By id, and the edges stay as they are: they are sorted and simple already.
    AsTheyAre,
    /// By id.
    Ids,
    /// By class of degree, the largest first, then by id.
    Degrees,
    /// By the greatest hash in each vertex's neighbourhood (MinHash), then by id.
    MinHash,
    /// Hubs by class of degree, the largest first, and then the others by MinHash of their neighbourhoods without
    /// hubs, then by id.
    HubsFirst {
        /// The largest degree of a vertex that is no hub.
        most_degree: u32,
        /// Neighbours of the others that are no hubs either, of all of them together, about.
        neighbours: u64,
    },
}

impl Order {
    /// The labels that the order needs of a graph of `entries` entries. The second number is the largest degree of a vertex that has
    /// one. The first is how many neighbours these vertices have among each other, of all of them together, about.
    pub fn labels(self, entries: u64) -> Option<(u64, u32)> {
        match self {
            Order::AsTheyAre | Order::Ids | Order::Degrees => None,
            Order::MinHash => Some((2 * entries, u32::MAX)),
            Order::HubsFirst { most_degree, neighbours } => Some((neighbours, most_degree)),
        }
    }
}

/// By how much of a key the edges are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum KeySort {
    /// By both ranks.
    Whole,
    /// By the larger rank, and by those highest bits of the smaller that fit the same passes. What then
    /// stands together is brought into order by comparing each key with all others of its run.
    Tails,
    /// By neither: a pass brings keys whose larger ranks are near each other into a bin, and a block has the shared memory
    /// to bring a bin into order.
    Bins,
    /// By the highest bits of the larger rank. Then the keys of a bin stand together, and there may be any number of bins.
    SortedBins {
        /// Passes of that sort: from 1 to 3.
        passes: u32,
    },
}

/// The groups of larger ranks whose keys are counted, for bins of whole groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupsOfRanks {
    /// How many.
    pub groups: u32,
    /// A group has 2^`shift` ranks.
    pub shift: u32,
    /// Bits of a key, less the first of its bin: 32 or 64.
    pub value_bits: u32,
    /// Most groups of a bin, so that it has few enough ranks.
    pub window: u32,
}

/// Groups whose keys fill a bin, at least. Where a group is larger, more of a bin's room is left free.
const GROUPS_OF_BIN: u64 = 8;

impl GroupsOfRanks {
    /// The groups of ranks of `rank_bits` bits for this many entries.
    pub fn of(entries: u64, rank_bits: u32) -> GroupsOfRanks {
        let few_groups = |ranks: u32| u64::from(ranks) * u64::from(MOST_GROUPS) >= 1 << rank_bits;
        let (value_bits, most_ranks) = values(entries, 1 << rank_bits, rank_bits, few_groups);
        let wanted = (GROUPS_OF_BIN * entries).div_ceil(capacity(value_bits).into());
        let wanted = wanted.next_power_of_two().clamp(1, MOST_GROUPS.into());
        let shift = rank_bits.saturating_sub(wanted.ilog2()).min(most_ranks.ilog2());
        let window = most_ranks >> shift;
        GroupsOfRanks { groups: 1 << (rank_bits - shift), shift, value_bits, window }
    }
}

/// The bits of a key less the first of its bin, and the most ranks of a bin, for keys of `ranks` ranks of `rank_bits` bits.
///
/// With 32 bits for a row and a head there are fewer ranks to a bin, and enough for its keys if they have many. `may_be` says whether
/// bins may have so few.
fn values(
    entries: u64,
    ranks: u64,
    rank_bits: u32,
    may_be: impl FnOnce(u32) -> bool,
) -> (u32, u32) {
    let narrow_ranks = MOST_RANKS.min(1u32.checked_shl(32 - rank_bits.min(32)).unwrap_or(u32::MAX));
    let keys = u128::from(entries) * u128::from(narrow_ranks) / u128::from(ranks);
    match may_be(narrow_ranks) && 2 * keys >= u128::from(capacity(u32::BITS)) {
        true => (u32::BITS, narrow_ranks),
        false => (u64::BITS, MOST_RANKS),
    }
}

/// The groups of larger ranks that keys are sorted by, for [`KeySort::SortedBins`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortedGroups {
    /// Bits of a rank in a key: one more than the ranks need where the last group would be that of the self-loops.
    pub rank_bits: u32,
    /// How many.
    pub groups: u32,
    /// A group has 2^`shift` ranks.
    pub shift: u32,
    /// Bits of a key, less the first of its bin: 32 or 64.
    pub value_bits: u32,
    /// Most groups of a bin, so that it has few enough ranks.
    pub window: u32,
    /// Bins that there is room for.
    pub most_bins: u32,
}

/// Most passes of such a sort: with one more there are as many as by both ranks, or groups are rows.
const MOST_PASSES: u32 = 3;

impl SortedGroups {
    /// The groups of these vertices after this number of passes; `None` where a bin could have too many ranks.
    pub fn of(entries: u64, vertices: u64, passes: u32) -> Option<SortedGroups> {
        let bits = rank_bits(vertices);
        let shift_of = |bits: u32| bits.saturating_sub(8 * passes);
        let is_of_loops = |bits: u32| {
            vertices > 0 && (vertices - 1) >> shift_of(bits) == ((1 << bits) - 1) >> shift_of(bits)
        };
        let rank_bits = if is_of_loops(bits) { bits + 1 } else { bits };
        let shift = shift_of(rank_bits);
        if rank_bits > MOST_RANK_BITS_SORTED || 1 << shift > MOST_RANKS {
            return None;
        }
        let groups = vertices.div_ceil(1 << shift).max(1);
        let have_a_group = |ranks: u32| ranks >= 1 << shift;
        let (value_bits, most_ranks) = values(entries, vertices.max(1), rank_bits, have_a_group);
        let window = most_ranks >> shift;
        let least_stretch = (1.0 - MOST_OF_LARGEST) * f64::from(capacity(value_bits));
        let most_bins = (entries as f64 / least_stretch) as u64 + groups / u64::from(window) + 2;
        // Fewer than 2³² entries, and as many vertices.
        let [groups, most_bins] = [groups, most_bins].map(|number| number as u32);
        Some(SortedGroups { rank_bits, groups, shift, value_bits, window, most_bins })
    }
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq)]
pub enum Next<T> {
    /// A fact is missing.
    Measure(Missing),
    /// All is known.
    Take(Chosen<T>),
}

/// A fact that a rule asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// [`EntryFacts::summary`].
    Summary,
    /// [`EntryFacts::self_loops`].
    SelfLoops,
    /// [`EntryFacts::near`].
    Near,
    /// [`EntryFacts::alike`].
    Alike,
    /// [`EntryFacts::neighbours`], after [`EntryFacts::alike`].
    Neighbours,
    /// [`EntryFacts::landmarks`].
    Landmarks,
}

/// Most wedges for an entry of a graph that keeps the order of degrees, whatever closes: there is little to save.
const FEW_WEDGES: u128 = 64;

/// Most wedges for an entry of a graph whose entries stay as they are, whatever closes, if it has at most
/// [`IN_CACHE`] entries; fewer in proportion where it has more. To sort entries anew takes 60 to 65 ps an entry on an
/// H200. Communities of 112 wedges an entry and 22 M entries save 29 ps, of 156 and 47 M 103 ps.
const FEW_WEDGES_SORTED: f64 = 250.0;

/// Entries up to which the rows that a count reads again are found in the caches of an H200, about.
const IN_CACHE: f64 = 16e6;

/// Larger graphs count as this many times that at most.
const BEYOND_CACHE: f64 = 3.0;

/// Sorted entries whose labels save the count something are sorted anew if pairs of neighbours are alike nearly as often as the
/// ends of an entry: this often for 1,000 times. (Communities 920 to 970, groups that overlap 460, where segments do not pay.)
const MIN_NEIGHBOURS_PERMILLE: u32 = 750;

/// Fewest entries of a graph for which landmarks are looked at, and neighbourhoods may be laid out: what others read again is in the
/// caches anyway.
pub const MIN_ENTRIES: u64 = 1 << 22;

/// Most wedges of the simple graph for each of its edges, and
const MAX_WEDGES_BY_ID: u128 = 200;

/// largest degree, of a graph whose vertices are as well in the order of their ids: one thread merges two rows
/// of that length in microseconds. A graph without hubs may have more of both ([`FLAT`]).
const MAX_DEGREE_BY_ID: u64 = 1_024;

/// Largest degree of a graph with few wedges whose entries are sorted: the merge of a hub's row costs less than the sort.
const MAX_DEGREE_SORTED: u64 = 4_096;

/// Ends of an edge are near if their ids, or ranks, differ by at most this part of the number of vertices.
pub const NEAR_PART: u64 = 256;

/// Picoseconds an entry on an H200, beside the order of ids, as benches/fit_choice.py fits them: to rank by degrees...
const DEGREES_ENTRY: f64 = 8.3;

/// ... for each vertex,
const DEGREES_VERTEX: f64 = 20.0;

/// and what the count then saves for each wedge of an entry that neighbours drawn at random would not have.
const DEGREES_SAVE: f64 = 0.33;

/// The same of MinHash labels: to make them and to rank by them...
const LABELS_ENTRY: f64 = 6.0;

/// ... for each vertex,
const LABELS_VERTEX: f64 = 120.0;

/// and what the count then saves for each wedge of an entry, if all ends are alike and the rows are in the caches.
const LABELS_SAVE: f64 = 0.75;

/// From so many wedges for an entry on, rows are long: they are looked up in tables, which read them at once, whatever the
/// order. Labels then save only what segments do,
const LONG_ROWS: f64 = 48.0;

/// so much for each wedge and for what is alike...
const LABELS_SAVE_LONG: f64 = 1.3;

/// ... beyond this.
const ALIKE_LONG: f64 = 0.24;

/// Ends are hardly ever alike more often than this.
const MOST_ALIKE: f64 = 0.8;

/// The order of the ids is kept if this share of the edges has ends that are near. Of ids without any order,
/// 0.8% are.
const MIN_NEAR_PERMILLE: u32 = 500;

/// Fewest neighbours on average, of all ids, for which vertices are ordered in any way but by degrees, and landmarks are looked
/// for. For fewer, nearly every vertex offers its hash to them, at random in memory, and there is less to read again. Looking
/// up ranks then costs more than shorter rows save.
const MIN_MEAN_DEGREE: u32 = 8;

/// The same where hubs come first: to rank the others takes more for each vertex.
const MIN_MEAN_DEGREE_HUBS: u32 = 20;

const HUBS_FIRST: &str = "hubs by degree, then MinHash";

/// Vertices of a class of degrees are no hubs if this share of the wedges at its entries closes.
const MIN_CLOSED_PERMILLE: u32 = 250;

/// Hubs come first and the others by their labels if this share of the wedges of entries without a hub closes. Where fewer do, the
/// order of degrees has the shorter rows, which tables look up. (On an H200, of hyperbolic:600000,60,2900,5 54% close: 2.1 ms with hubs
/// first and 1.7 by degrees; of affiliation:800000,150000,800,3 73%: 4.1 and 4.5.)
const MIN_CLOSED_HUBS_PERMILLE: u32 = 600;

/// Fewest neighbours on average where that share of all those wedges has to close. With fewer, rows are too short for tables. Then it
/// is enough if that share of the first class's wedges closes: all vertices of higher degrees are hubs. (hyperbolic:1500000,24,2600,1 is counted in 0.83 ms by degrees,
/// and in 0.60 with those above 48 neighbours first; hyperbolic:400000,80,2700,8 in 0.96 in tables, and in 1.08.)
const MIN_MEAN_DEGREE_TABLES: u64 = 40;

/// Degrees differ so much that [`MIN_CLOSED_PERMILLE`] is enough for that, if an entry has this many times as many wedges as a vertex has
/// neighbours. They are those of hubs, whose rows segments shorten. (hyperbolic:1000000,30,2200,5, of 380 times, takes 2.3 ms with hubs
/// first and 2.5 by degrees; hyperbolic:800000,60,2400,3, of 51 times, 3.7 and 3.5.)
const VERY_UNEVEN: u128 = 100;

/// Most wedges for an entry, by degrees that count duplicates, of a graph that is sorted by tails. A key is
/// compared with less than twice as many on average: a row is no longer than its vertex' degree.
const TAILS_MAX_WEDGES: u128 = 400;

/// The same in an order that brings the heads of a row together: then the bits of the smaller rank that are sorted
/// by are the same for most of a row. (Affiliation graph of 17 M edges and 344 wedges an entry: 2.3 ms.)
const TAILS_MAX_WEDGES_NEAR: u128 = 64;

/// Most entries a vertex of such a graph, unless
const TAILS_MAX_ROW: u64 = 20;

/// this many bits of the smaller rank are sorted by, too.
const TAILS_MIN_SPARE_BITS: u32 = 5;

/// Most entries a vertex where those bits are sorted by.
const TAILS_MAX_ROW_SPARE: u64 = 128;

/// Most wedges for an entry where those bits are sorted by, in the order of degrees: most wedges may be those of hubs. (On an H200,
/// ba:100000,100,2 has 621 wedges and takes 0.61 ms, and 0.78 sorted by both ranks. ws:300000,200,500,1 has 399 and 200 entries a vertex, and
/// takes 3.6 and 3.0.)
const TAILS_MAX_WEDGES_SPARE: u128 = 700;

/// Fewest entries that are brought into bins.
const MIN_ENTRIES_BINS: u64 = 1 << 20;

/// Most wedges for an entry, by degrees that count duplicates, of a graph in the order of degrees whose keys are brought into
/// bins: keys of a row with the same highest bits are compared with each other. (On an H200, ba:100000,100,2 of 621 takes 0.50 ms, and
/// 0.58 sorted by the larger rank; rmat:21,4,5 of 1,215 takes 1.24, and 1.08 by both.)
const BINS_MAX_WEDGES: u128 = 700;

/// Most wedges for an entry of a graph whose keys are brought into bins where
const BINS_MAX_WEDGES_CLOSED: u128 = 100;

/// so large a share of the wedges closes, at entries of vertices with up to twice the mean degree, and degrees differ. Then
/// neighbours of a vertex have ranks near each other more often, and share a slot, unless a bin has few rows: keys are sorted first. (On an
/// H200, affiliation:800000,150000,800,3 takes 2.2 ms in bins, 1.4 sorted first and 1.8 without bins; hyperbolic:600000,60,2900,5 takes
/// 0.83, 0.95 and 1.28.)
const MIN_CLOSED_SORTED_PERMILLE: u32 = 100;

/// Most of a bin's room that its largest group of rows may take: bins are filled up to where the next such group begins.
const MOST_OF_LARGEST: f64 = 0.55;

/// The same of keys that are sorted by groups, which one more pass makes small.
const MOST_OF_SORTED: f64 = 0.25;

/// Vertices have about the same number of neighbours if the largest number is at most this many times the wedges of an entry. An entry of a
/// uniform graph has as many wedges as a vertex has neighbours. (Uniform and clustered graphs have 1.7 to 2.1, and communities of
/// different sizes 2.4.)
const FLAT: f64 = 2.25;

/// Most entries whose ends have ids near each other, of 1,000, of a graph in the order of ids whose long rows are brought into bins. (On an H200,
/// ws:100000,200,100,1 of nearly all takes 2.1 ms in bins and 1.2 without, ws:100000,200,500,1 of about half 1.45 and 1.30,
/// er:50000,20000000,2 of 8 takes 1.41 and 1.64.)
const MAX_NEAR_PERMILLE_BINS: u32 = 250;

/// Shortest rows, about, for which the last pass pays: a sort by the larger rank takes as many. (On an H200, er22 of 31 takes 3.45 ms then
/// and 3.15 sorted, and clustered:1536,1 of 36 takes 8.7 and 11.1.)
const MIN_ROW_LAST_PASS: f64 = 32.0;

/// [`BINS_MAX_WEDGES`] of keys that are sorted by groups: without bins these are sorted by the larger rank, which compares fewer of them.
/// (On an H200, web:1500000,20,800,2 of 248 takes 1.3 times as long.)
const SORTED_BINS_MAX_WEDGES: u128 = 200;

/// Most bins of such keys that are foreseen: where a key repeats, every bin looks at all before it.
const MOST_SORTED_BINS: f64 = 65_536.0;

/// Most bins that are full of keys: with more, a tile has hardly two keys of each.
const MOST_FULL_BINS: f64 = 6_144.0;

/// The same by degrees, where fewer bins are foreseen than there are. (On an H200, web:1000000,40,800,3, of 40 M entries and
/// 4,900 bins, takes 1.16 times as long as sorted.)
const MOST_FULL_BINS_BY_DEGREES: f64 = 4_096.0;

/// Most bins that are foreseen: there is room for a few more.
const MOST_ALL_BINS: f64 = 0.875 * MOST_BINS as f64;

impl KeySort {
    /// The first bit of keys of two ranks that is sorted by.
    pub fn first_bit(self, rank_bits: u32) -> u32 {
        match self {
            // Keys of which a bin is too large are sorted by all bits.
            KeySort::Whole | KeySort::Bins => 0,
            // Passes take eight bits.
            KeySort::Tails => (2 * rank_bits).saturating_sub(rank_bits.next_multiple_of(8)),
            KeySort::SortedBins { passes } => rank_bits + rank_bits.saturating_sub(8 * passes),
        }
    }

    /// Bits of a rank in the keys of this many entries between `vertices` vertices.
    ///
    /// # Panics
    /// Where bins have no room for groups of these vertices.
    pub fn rank_bits(self, entries: u64, vertices: u64) -> u32 {
        match self {
            KeySort::Whole | KeySort::Tails | KeySort::Bins => rank_bits(vertices),
            KeySort::SortedBins { passes } => {
                let groups = SortedGroups::of(entries, vertices, passes);
                groups.expect("bins have room for groups").rank_bits
            }
        }
    }
}

/// Whether the degrees of a graph differ so little that its rows are nearly as short in any order.
///
/// The lengths of both rows, summed over all edges, are at most the squared degrees, which few wedges an edge
/// keep small. Or no vertex has many more neighbours than the mean.
fn flat(summary: &Summary) -> Vec<Reason> {
    let few = vec![
        wedges_an_entry(summary, MAX_WEDGES_BY_ID),
        Reason::whole_at_most(summary.max_degree, "is the largest degree", MAX_DEGREE_BY_ID),
    ];
    let even = even(summary);
    if even.holds && few.iter().any(|reason| !reason.holds) { vec![even] } else { few }
}

/// Whether no vertex has many more neighbours than the mean of those that have any.
fn even(summary: &Summary) -> Reason {
    let most = FLAT * 2.0 * summary.edges as f64 / summary.vertices.max(1) as f64;
    Reason::compared(
        summary.max_degree as f64 <= most,
        Figure::Whole(summary.max_degree),
        "is the largest degree",
        Bound::AtMost(Figure::Quotient(most, 1.0)),
    )
}

fn wedges_an_entry(summary: &Summary, most: u128) -> Reason {
    Reason::compared(
        summary.wedges <= most * u128::from(summary.edges),
        Figure::Quotient(summary.wedges as f64, summary.edges as f64),
        "wedges an entry",
        Bound::AtMost(Figure::Whole(most as u64)),
    )
}

/// How often the rows of `entries` entries would fill the caches, at least once.
fn beyond_cache(entries: u64) -> f64 {
    (entries as f64 / IN_CACHE).clamp(1.0, BEYOND_CACHE)
}

/// What an order costs beside that of ids, and what it saves the count, in picoseconds an entry.
#[derive(Debug, Clone, Copy)]
struct Pays {
    costs: f64,
    saves: f64,
}

impl Pays {
    /// The order of degrees.
    ///
    /// If neighbours were drawn at random, their mean degree were as that of all vertices and one more, and an entry
    /// had as many wedges as a vertex has neighbours. Where degrees differ more, it has more, and those are what the
    /// order of degrees saves.
    fn degrees(facts: &EntryFacts, summary: &Summary) -> Pays {
        let entries = facts.entries as f64;
        let (vertices, wedges) =
            (summary.vertices as f64 / entries, summary.wedges as f64 / entries);
        let at_random = 2.0 / vertices.max(f64::MIN_POSITIVE);
        let saves = DEGREES_SAVE * (wedges - at_random).max(0.0);
        Pays { costs: DEGREES_ENTRY + DEGREES_VERTEX * vertices, saves }
    }

    /// The order of neighbourhoods, if this share of the entries has ends of one label.
    fn labels(facts: &EntryFacts, summary: &Summary, alike: f64) -> Pays {
        let entries = facts.entries as f64;
        let (vertices, wedges) =
            (summary.vertices as f64 / entries, summary.wedges as f64 / entries);
        let alike = alike * beyond_cache(facts.entries);
        let saves = if wedges < LONG_ROWS {
            LABELS_SAVE * alike * wedges
        } else {
            LABELS_SAVE_LONG * (alike - ALIKE_LONG).max(0.0) * wedges
        };
        Pays { costs: LABELS_ENTRY + LABELS_VERTEX * vertices, saves }
    }

    fn gain(self) -> f64 {
        self.saves - self.costs
    }

    /// Whether it gains more than another order does; `what` says what it saves.
    fn more_than(self, gain: f64, what: &'static str) -> Reason {
        let least = Bound::AtLeast(Figure::Quotient(self.costs + gain, 1.0));
        Reason::compared(self.gain() > gain, Figure::Quotient(self.saves, 1.0), what, least)
    }
}

const SAVED_BY_DEGREES: &str = "ps an entry saved by the order of degrees";

const SAVED_BY_LABELS: &str = "ps an entry saved by the order of neighbourhoods";

fn are_near(near: Share) -> Reason {
    let of = "of the sampled entries join ids near each other";
    Reason::share(near.found, near.sampled, of, MIN_NEAR_PERMILLE)
}

fn close(wedges: LandmarkClass, least: u32) -> Reason {
    let of = "of the sampled wedges of edges without a hub close";
    Reason::share(wedges.closed, wedges.wedges.max(1), of, least)
}

/// The same for sorted entries, which the order of ids spares a sort.
fn flat_as_sorted(summary: &Summary) -> Vec<Reason> {
    let few = wedges_an_entry(summary, FEW_WEDGES);
    match few.holds {
        true => vec![
            few,
            Reason::whole_at_most(summary.max_degree, "is the largest degree", MAX_DEGREE_SORTED),
        ],
        false => flat(summary),
    }
}

/// The first reason why entries that are sorted, of degrees that differ little, are best left as they are. If there
/// is none, what speaks against that: the order of neighbourhoods saves the count more than the sort takes.
///
/// # Errors
/// A fact that is missing.
fn not_worth_a_sort(facts: &EntryFacts) -> Result<Reason, Missing> {
    let large = Reason::whole_at_least(facts.entries, "entries", MIN_ENTRIES);
    if !large.holds {
        return Ok(large.decided());
    }
    let Some(summary) = &facts.summary else { return Err(Missing::Summary) };
    let most = FEW_WEDGES_SORTED / beyond_cache(facts.entries);
    let few = wedges_an_entry(summary, most as u128);
    if few.holds {
        return Ok(few);
    }
    let near = are_near(facts.near.ok_or(Missing::Near)?);
    if near.holds {
        return Ok(near);
    }
    let mean = neighbours(facts.entries, facts.vertices);
    if !mean.holds {
        return Ok(mean.decided());
    }
    let alike = facts.foreseen_alike().ok_or(Missing::Landmarks)?;
    let saved = Pays::labels(facts, summary, alike).more_than(0.0, SAVED_BY_LABELS);
    if !saved.holds {
        return Ok(saved.decided());
    }
    let ends = facts.alike.ok_or(Missing::Alike)?;
    let neighbours = in_one_community(ends, facts.neighbours.ok_or(Missing::Neighbours)?);
    Ok(if neighbours.holds { few } else { neighbours.decided() })
}

/// Whether neighbours of a vertex have the same label nearly as often as the ends of an entry have.
///
/// A vertex of one community has neighbours that are as alike to each other as they are to it, and its row is a few
/// stretches of ranks. A vertex of several has neighbours that have nothing in common, and its row is all over.
fn in_one_community(ends: Share, pairs: Share) -> Reason {
    let [alike, of_ends] = [ends.found, ends.sampled].map(u128::from);
    let [found, sampled] = [pairs.found, pairs.sampled].map(u128::from);
    // Samples are below 2³².
    let holds = 1_000 * found * of_ends >= u128::from(MIN_NEIGHBOURS_PERMILLE) * alike * sampled;
    let least = f64::from(MIN_NEIGHBOURS_PERMILLE) * ends.found as f64;
    Reason::compared(
        holds,
        Figure::Percent(pairs.found as f64, pairs.sampled as f64),
        "of the sampled pairs of neighbours have one MinHash label",
        Bound::AtLeast(Figure::Percent(least, 1e3 * ends.sampled as f64)),
    )
}

/// Whether landmarks are looked for where the degrees are counted, of this many entries between `vertices` ids: where
/// [`order`] may ask for them.
pub fn looks_for_landmarks(entries: u64, vertices: u64) -> bool {
    entries >= MIN_ENTRIES && neighbours(entries, vertices).holds
}

fn neighbours(entries: u64, vertices: u64) -> Reason {
    Reason::at_least(2 * entries, vertices, "neighbours an id", MIN_MEAN_DEGREE)
}

/// The order with hubs first, from where on vertices are hubs, and whether it pays.
fn hubs_first(landmarks: &Landmarks, entries: u64, summary: &Summary) -> (Order, Reason) {
    let vertices = summary.vertices;
    let closes = |class: usize| {
        let class = landmarks.classes[class];
        class.closed * 1_000 >= u64::from(MIN_CLOSED_PERMILLE) * class.wedges && class.wedges > 0
    };
    let class = (0..CLASSES).rev().find(|&class| closes(class)).unwrap_or(0);
    let beyond = |class| hubs_beyond(class, landmarks, entries, vertices);
    let Summary { wedges, .. } = without_largest(summary, beyond(class));
    // Wedges are below 2⁹⁵.
    let is_very_uneven =
        wedges * u128::from(vertices) >= VERY_UNEVEN * 2 * u128::from(entries).pow(2);
    let least = if is_very_uneven { MIN_CLOSED_PERMILLE } else { MIN_CLOSED_HUBS_PERMILLE };
    let closed = close(landmarks.up_to(class), least);
    let has_short_rows = 2 * entries < MIN_MEAN_DEGREE_TABLES * vertices;
    if closed.holds || !has_short_rows {
        return (beyond(class), closed);
    }
    (beyond(0), close(landmarks.up_to(0), least))
}

/// The order with those for hubs that have a degree beyond a class of the landmarks.
pub fn hubs_beyond(class: usize, landmarks: &Landmarks, entries: u64, vertices: u64) -> Order {
    let beside = landmarks.up_to(class).edges;
    // Below 2⁹⁷.
    let neighbours =
        2 * u128::from(entries) * u128::from(beside) / u128::from(landmarks.sampled.max(1));
    let most_degree = first_degree(entries, vertices) << class;
    Order::HubsFirst { most_degree, neighbours: neighbours as u64 }
}

/// The order of the vertices. O(1); asks for one fact at a time, so that nothing is measured that no rule needs.
pub fn order(facts: &EntryFacts) -> Next<Order> {
    let mut rejected = Vec::new();
    let mut reject = |name, because: Vec<Reason>| {
        rejected
            .push(Rejected { name, because: because.into_iter().filter(|r| !r.holds).collect() });
    };
    let all = |reasons: &[Reason]| reasons.iter().all(|reason| reason.holds);
    let sorted = vec![
        match facts.order {
            EdgeOrder::Unsorted => Reason::new(
                false,
                "the entries are not sorted, or hold self-loops, duplicates or both directions",
            ),
            _ => Reason::new(true, "the entries are sorted, simple, and of one direction"),
        },
        match facts.keep_vertices {
            true => Reason::new(false, "results by vertex are wanted"),
            false => Reason::new(true, "no result by vertex is wanted"),
        },
    ];
    let large = Reason::whole_at_least(facts.entries, "entries", MIN_ENTRIES);
    let may_stay = all(&sorted);
    let flat = match &facts.summary {
        Some(summary) => flat(summary),
        None => return Next::Measure(Missing::Summary),
    };
    // What speaks for the order of sorted entries.
    let flat_as_sorted = match &facts.summary {
        Some(summary) if may_stay => flat_as_sorted(summary),
        _ => flat.clone(),
    };
    let to_stay = may_stay && all(&flat_as_sorted);
    let mut stays = [sorted, flat_as_sorted].concat();
    if to_stay {
        match not_worth_a_sort(facts) {
            Err(missing) => return Next::Measure(missing),
            Ok(reason) => stays.push(reason),
        }
    }
    if all(&stays) {
        return take(Order::AsTheyAre, "ids, as they are", stays, rejected);
    }
    reject("ids, as they are", stays);
    if !large.holds {
        let Some(summary) = &facts.summary else { return Next::Measure(Missing::Summary) };
        let degrees = Pays::degrees(facts, summary).more_than(0.0, SAVED_BY_DEGREES);
        let large = large.decided();
        if all(&flat) && !degrees.holds {
            reject("degrees", vec![degrees]);
            return take(Order::Ids, "ids", vec![large], rejected);
        }
        reject("ids", flat);
        return take(Order::Degrees, "degrees", vec![large], rejected);
    }
    if !all(&flat) {
        let differ = flat.iter().filter(|reason| !reason.holds).cloned().map(Reason::decided);
        let because: Vec<Reason> = differ.collect();
        reject("ids", flat);
        let vertices = facts.filled();
        let mean = Reason::at_least(
            2 * facts.entries,
            vertices,
            "neighbours a vertex",
            MIN_MEAN_DEGREE_HUBS,
        );
        let of_ids = neighbours(facts.entries, facts.vertices);
        let few = facts.summary.map(|summary| wedges_an_entry(&summary, FEW_WEDGES));
        let few = few.filter(|few| few.holds).map(|few| few.against());
        if !mean.holds || !of_ids.holds || few.is_some() {
            let against = [mean, of_ids].into_iter().chain(few).collect();
            reject(HUBS_FIRST, against);
            return take(Order::Degrees, "degrees", because, rejected);
        }
        let Some(landmarks) = &facts.landmarks else { return Next::Measure(Missing::Landmarks) };
        let Some(summary) = &facts.summary else { return Next::Measure(Missing::Summary) };
        let (choice, closes) = hubs_first(landmarks, facts.entries, summary);
        let checks = vec![mean, closes];
        if all(&checks) {
            return take(choice, HUBS_FIRST, [because, checks].concat(), rejected);
        }
        reject(HUBS_FIRST, checks);
        return take(Order::Degrees, "degrees", because, rejected);
    }
    let Some(near) = facts.near.map(are_near) else { return Next::Measure(Missing::Near) };
    if near.holds {
        return take(Order::Ids, "ids", [flat, vec![near]].concat(), rejected);
    }
    let mean = neighbours(facts.entries, facts.vertices);
    if !mean.holds {
        // Looking up ranks costs more than shorter rows save.
        return take(Order::Ids, "ids", vec![mean.decided()], rejected);
    }
    let Some(summary) = &facts.summary else { return Next::Measure(Missing::Summary) };
    let by_degrees = Pays::degrees(facts, summary);
    let others = by_degrees.gain().max(0.0);
    // Landmarks are not looked at where labels cannot pay.
    let pays = |alike| Pays::labels(facts, summary, alike).more_than(others, SAVED_BY_LABELS);
    let at_most = pays(MOST_ALIKE);
    let labels = match facts.foreseen_alike() {
        _ if !at_most.holds => at_most,
        None => return Next::Measure(Missing::Landmarks),
        Some(alike) => pays(alike),
    };
    if labels.holds {
        reject("ids", vec![near]);
        return take(Order::MinHash, "MinHash", vec![mean, labels], rejected);
    }
    let degrees = by_degrees.more_than(0.0, SAVED_BY_DEGREES);
    reject("MinHash", vec![labels]);
    if degrees.holds {
        reject("ids", vec![near]);
        return take(Order::Degrees, "degrees", vec![degrees], rejected);
    }
    reject("degrees", vec![degrees]);
    take(Order::Ids, "ids", Vec::new(), rejected)
}

/// How the edges of a whole graph come into rows, where they do not stay as they are.
pub fn key_sort(facts: &EntryFacts, order: Order) -> Next<KeySort> {
    let bins = match fit_bins(facts, order) {
        Err(missing) => return Next::Measure(missing),
        Ok(reasons) => reasons,
    };
    if bins.iter().all(|reason| reason.holds) {
        return take(KeySort::Bins, "bins of rows", bins, Vec::new());
    }
    let because = bins.into_iter().filter(|reason| !reason.holds).collect();
    let rejected = Rejected { name: "bins of rows", because };
    let (passes, sorted_bins) = match fit_sorted_bins(facts, order) {
        Err(missing) => return Next::Measure(missing),
        Ok(found) => found,
    };
    if sorted_bins.iter().all(|reason| reason.holds) {
        let sort = KeySort::SortedBins { passes };
        return take(sort, SORTED_BINS, sorted_bins, vec![rejected]);
    }
    let because = sorted_bins.into_iter().filter(|reason| !reason.holds).collect();
    let rejected = [rejected, Rejected { name: SORTED_BINS, because }];
    match sort_by_passes(facts, order) {
        Next::Take(mut chosen) => {
            chosen.rejected.splice(0..0, rejected);
            Next::Take(chosen)
        }
        measure => measure,
    }
}

const SORTED_BINS: &str = "bins of rows, after a sort by the highest bits of the larger rank";

/// Whether rows are short and even enough for bins, one reason after the other up to the first that speaks against it.
///
/// # Errors
/// A fact that is missing.
fn fit_bins(facts: &EntryFacts, order: Order) -> Result<Vec<Reason>, Missing> {
    let (entries, bits) = (facts.entries, rank_bits(facts.vertices));
    let mut reasons = fit_a_block(facts, bits, MOST_RANK_BITS);
    if !reasons.iter().all(|reason| reason.holds) {
        return Ok(reasons);
    }
    if let Some(closed) = neighbours_are_near(facts, order)? {
        reasons.push(closed.against());
        return Ok(reasons);
    }
    let most_wedges = match order {
        Order::Degrees => BINS_MAX_WEDGES,
        Order::AsTheyAre | Order::Ids | Order::MinHash => MAX_WEDGES_BY_ID,
        Order::HubsFirst { .. } => TAILS_MAX_WEDGES_NEAR,
    };
    let Rows { even, longest: row, .. } = rows(facts, order, Some(most_wedges))?;
    reasons.extend(even);
    let groups = GroupsOfRanks::of(entries, bits);
    let capacity = f64::from(capacity(groups.value_bits));
    let largest = row * f64::from(1u32 << groups.shift);
    reasons.push(Reason::compared(
        largest <= MOST_OF_LARGEST * capacity,
        Figure::Quotient(largest, 1.0),
        "keys of the largest group of rows, about",
        Bound::AtMost(Figure::Quotient(MOST_OF_LARGEST * capacity, 1.0)),
    ));
    let bins = entries as f64 / (capacity - largest).max(1.0);
    let most = match order {
        Order::Degrees => MOST_FULL_BINS_BY_DEGREES,
        _ => MOST_FULL_BINS,
    };
    reasons.push(Reason::compared(
        bins <= most,
        Figure::Quotient(bins, 1.0),
        "bins full of keys, about",
        Bound::AtMost(Figure::Quotient(most, 1.0)),
    ));
    let windows = f64::from(groups.groups / groups.window);
    reasons.push(Reason::compared(
        bins + windows <= MOST_ALL_BINS,
        Figure::Quotient(bins + windows, 1.0),
        "bins, about",
        Bound::AtMost(Figure::Quotient(MOST_ALL_BINS, 1.0)),
    ));
    Ok(reasons)
}

/// Whether rows are short and even enough for bins of keys that are sorted by groups, and the passes of that sort: as few as make the
/// groups small.
///
/// # Errors
/// A fact that is missing.
fn fit_sorted_bins(facts: &EntryFacts, order: Order) -> Result<(u32, Vec<Reason>), Missing> {
    let (entries, bits) = (facts.entries, rank_bits(facts.vertices));
    let mut reasons = fit_a_block(facts, bits, MOST_RANK_BITS_SORTED - 1);
    if !reasons.iter().all(|reason| reason.holds) {
        return Ok((1, reasons));
    }
    let near = neighbours_are_near(facts, order)?;
    let most_wedges = match order {
        // Heads are not those of a few hubs.
        Order::Degrees if near.is_some() => None,
        Order::Degrees => Some(SORTED_BINS_MAX_WEDGES),
        Order::AsTheyAre | Order::Ids | Order::MinHash => Some(MAX_WEDGES_BY_ID),
        // Most wedges are those of hubs, whose heads are hubs.
        Order::HubsFirst { .. } => None,
    };
    let Rows { even, longest: row, max_degree } = rows(facts, order, most_wedges)?;
    reasons.extend(even);
    reasons.extend(near);
    // The ranks of a neighbourhood are near each other.
    let near = match order {
        Order::MinHash => Some((max_degree, "neighbours of a vertex")),
        Order::HubsFirst { most_degree, .. } => {
            Some((most_degree.into(), "neighbours of a vertex that is no hub"))
        }
        Order::AsTheyAre | Order::Ids | Order::Degrees => None,
    };
    if let Some((most, of)) = near {
        reasons.push(Reason::whole_at_most(most, of, MOST_OF_SLOT.into()));
    }
    // Where all vertices have about as many neighbours, so have the groups.
    let is_flat = max_degree as f64 <= FLAT * row && order != Order::Degrees;
    let of_group = if is_flat { entries as f64 / facts.filled().max(1) as f64 } else { row };
    let after = |passes: u32| {
        let groups = SortedGroups::of(entries, facts.vertices, passes)?;
        let room = f64::from(capacity(groups.value_bits));
        // A pass more does not make a group smaller that is one row.
        let part = if groups.shift == 0 { MOST_OF_LARGEST } else { MOST_OF_SORTED };
        let fits = of_group * f64::from(1u32 << groups.shift) <= part * room;
        let pays = passes < MOST_PASSES || row >= MIN_ROW_LAST_PASS;
        (fits && pays).then_some((passes, groups))
    };
    let Some((passes, groups)) = (1..=MOST_PASSES).find_map(after) else {
        reasons.push(Reason::new(
            false,
            "groups of rows would be too large after the passes that pay",
        ));
        return Ok((1, reasons));
    };
    let capacity = f64::from(capacity(groups.value_bits));
    let bins = entries as f64 / ((1.0 - MOST_OF_SORTED) * capacity)
        + f64::from(groups.groups / groups.window);
    reasons.push(Reason::compared(
        bins <= MOST_SORTED_BINS,
        Figure::Quotient(bins, 1.0),
        "bins, about",
        Bound::AtMost(Figure::Quotient(MOST_SORTED_BINS, 1.0)),
    ));
    Ok((passes, reasons))
}

/// Whether neighbours of a vertex have ranks near each other in the order of degrees. In a graph with many wedges whose degrees differ,
/// they have if enough wedges close. The reason is the share that closes.
///
/// # Errors
/// A fact that is missing.
fn neighbours_are_near(facts: &EntryFacts, order: Order) -> Result<Option<Reason>, Missing> {
    let Some(all) = facts.summary else { return Err(Missing::Summary) };
    let few = wedges_an_entry(&without_largest(&all, order), BINS_MAX_WEDGES_CLOSED);
    let is_flat = flat(&all).iter().all(|reason| reason.holds);
    let looks = looks_for_landmarks(facts.entries, facts.vertices);
    if order != Order::Degrees || few.holds || is_flat || !looks {
        return Ok(None);
    }
    let Some(landmarks) = &facts.landmarks else { return Err(Missing::Landmarks) };
    let closed = close(landmarks.up_to(0), MIN_CLOSED_SORTED_PERMILLE);
    Ok(closed.holds.then_some(closed))
}

/// Whether there are enough entries, and whether a block can bring a bin into order.
fn fit_a_block(facts: &EntryFacts, bits: u32, most_bits: u32) -> Vec<Reason> {
    vec![
        Reason::whole_at_least(facts.entries, "entries", MIN_ENTRIES_BINS),
        Reason::whole_at_most(bits.into(), "bits of a rank", most_bits.into()),
        Reason::whole_at_least(
            facts.most_shared_bytes.into(),
            "bytes of shared memory of a block",
            MOST_SHARED_BYTES.into(),
        ),
    ]
}

/// What is foreseen of the rows.
struct Rows {
    /// Whether they are short and even enough for bins, where that is asked.
    even: Option<Reason>,
    /// About how long they are where they are longest.
    longest: f64,
    max_degree: u64,
}

/// What is foreseen of the rows. They are even where an entry has at most `most_wedges` wedges, or where no vertex has many
/// more neighbours than the mean and the heads of a row are far apart. Without a limit they are not looked at.
///
/// # Errors
/// A fact that is missing.
fn rows(facts: &EntryFacts, order: Order, most_wedges: Option<u128>) -> Result<Rows, Missing> {
    let Some(all) = facts.summary else { return Err(Missing::Summary) };
    let summary = without_largest(&all, order);
    // Vertices with many neighbours have ranks near each other in the order of neighbourhoods, where one is as long as an entry has
    // wedges. By degrees, it is the mean of those of a vertex and of an entry.
    let of_entry = summary.wedges as f64 / facts.entries as f64;
    let of_vertex = facts.entries as f64 / facts.filled().max(1) as f64;
    let longest = match order {
        Order::Degrees | Order::HubsFirst { .. } => (of_entry * of_vertex).sqrt(),
        _ => of_entry,
    };
    let max_degree = summary.max_degree;
    let Some(few) = most_wedges.map(|most| wedges_an_entry(&summary, most)) else {
        return Ok(Rows { even: None, longest, max_degree });
    };
    // Not where the heads of a row are near each other: long rows fill their slots.
    let are_apart = match order {
        Order::Degrees => true,
        Order::Ids if few.holds => true,
        Order::Ids => {
            let Share { sampled, found } = facts.near.ok_or(Missing::Near)?;
            found * 1_000 <= u64::from(MAX_NEAR_PERMILLE_BINS) * sampled
        }
        Order::AsTheyAre | Order::MinHash | Order::HubsFirst { .. } => false,
    };
    let even = even(&all);
    if !few.holds && even.holds && are_apart {
        return Ok(Rows { even: Some(even), longest: max_degree as f64, max_degree });
    }
    Ok(Rows { even: Some(few), longest, max_degree })
}

/// The figures without the largest vertex where it comes first, and its row is empty.
fn without_largest(summary: &Summary, order: Order) -> Summary {
    match order {
        Order::Degrees | Order::HubsFirst { .. } => {
            let largest = u128::from(summary.max_degree);
            let of_largest = largest * largest.saturating_sub(1) / 2;
            Summary { wedges: summary.wedges.saturating_sub(of_largest), ..*summary }
        }
        Order::AsTheyAre | Order::Ids | Order::MinHash => *summary,
    }
}

/// By how much of a key the edges are sorted, where no bins are made.
pub fn sort_by_passes(facts: &EntryFacts, order: Order) -> Next<KeySort> {
    let whole = |because: Vec<Reason>| {
        let because = because.into_iter().filter(|reason| !reason.holds).collect();
        let rejected = vec![Rejected { name: "sort by the larger rank", because }];
        take(KeySort::Whole, "sort by both ranks", Vec::new(), rejected)
    };
    let (entries, vertices) = (facts.entries, facts.vertices);
    let bits = rank_bits(vertices);
    let spare = bits.next_multiple_of(8) - bits;
    let large = Reason::whole_at_least(entries, "entries", MIN_ENTRIES);
    let entries_a_vertex = |most: u64| {
        Reason::compared(
            entries <= most * vertices,
            Figure::Quotient(entries as f64, vertices as f64),
            "entries a vertex",
            Bound::AtMost(Figure::Whole(most)),
        )
    };
    let short_rows = entries_a_vertex(TAILS_MAX_ROW);
    let spare_bits = Reason::whole_at_least(
        spare.into(),
        "spare bits of the sort for the smaller rank",
        TAILS_MIN_SPARE_BITS.into(),
    );
    let has_spare = spare_bits.holds;
    let short = match short_rows.holds {
        true => vec![short_rows],
        false => vec![entries_a_vertex(TAILS_MAX_ROW_SPARE), spare_bits],
    };
    let short = [vec![large], short].concat();
    if !short.iter().all(|reason| reason.holds) {
        return whole(short);
    }
    let Some(summary) = facts.summary else { return Next::Measure(Missing::Summary) };
    let most = match order {
        Order::MinHash | Order::HubsFirst { .. } => TAILS_MAX_WEDGES_NEAR,
        Order::Degrees if has_spare => TAILS_MAX_WEDGES_SPARE,
        Order::AsTheyAre | Order::Ids | Order::Degrees => TAILS_MAX_WEDGES,
    };
    let few = wedges_an_entry(&without_largest(&summary, order), most);
    if !few.holds {
        return whole(vec![few]);
    }
    // Self-loops are one run, and one that is too long is found after the sort.
    let Some(self_loops) = facts.self_loops else { return Next::Measure(Missing::SelfLoops) };
    let loops = Reason::whole_at_most(self_loops, "self-loops", MOST_STEPS.into());
    if !loops.holds {
        return whole(vec![loops]);
    }
    let because = [short, vec![few, loops]].concat();
    take(KeySort::Tails, "sort by the larger rank", because, Vec::new())
}

fn take<T>(
    choice: T,
    name: &'static str,
    because: Vec<Reason>,
    rejected: Vec<Rejected>,
) -> Next<T> {
    Next::Take(Chosen { choice, name, because, rejected, bytes: 0 })
}

#[cfg(test)]
mod tests {
    use super::super::facts::Share;
    use super::*;

    const FLAT_SUMMARY: Summary = Summary {
        vertices: MIN_ENTRIES / 4,
        edges: MIN_ENTRIES,
        self_loops_dropped: 0,
        duplicates_dropped: 0,
        reciprocal_dropped: None,
        wedges: 200 * MIN_ENTRIES as u128,
        max_degree: 1_024,
    };

    const FACTS: EntryFacts = EntryFacts {
        entries: MIN_ENTRIES,
        vertices: MIN_ENTRIES / 4,
        order: EdgeOrder::Unsorted,
        most_shared_bytes: 227 << 10,
        keep_vertices: false,
        summary: Some(FLAT_SUMMARY),
        self_loops: Some(0),
        near: Some(Share { sampled: 1_000, found: 499 }),
        alike: None,
        landmarks: Some(OPEN),
        neighbours: None,
    };

    /// No wedge closes.
    const OPEN: Landmarks = Landmarks {
        sampled: 1_000,
        classes: [LandmarkClass { edges: 100, wedges: 1_000, closed: 0 }; CLASSES],
    };

    /// Forty neighbours and 40 wedges an entry, as if neighbours were drawn at random: 20 entries a vertex.
    ///
    /// Degrees cost 8.3 + 20/20 = 9.3 ps an entry and save 0.33 for each wedge above 40. Labels cost 6 + 120/20 = 12, and save
    /// 0.75 for each wedge, times the share that is foreseen to be alike. Where c of the wedges close, that is
    /// (40c + 2) / (84 - 40c - 2).
    const RANDOM: Summary =
        Summary { vertices: MIN_ENTRIES / 20, wedges: 40 * MIN_ENTRIES as u128, ..FLAT_SUMMARY };

    fn ordered(facts: EntryFacts) -> Order {
        match order(&facts) {
            Next::Take(chosen) => chosen.choice,
            Next::Measure(missing) => panic!("{missing:?} is there"),
        }
    }

    fn asked(facts: EntryFacts) -> Missing {
        match order(&facts) {
            Next::Measure(missing) => missing,
            Next::Take(chosen) => panic!("{chosen:?} without the fact"),
        }
    }

    /// Every border of the order, from both sides.
    #[test]
    fn orders_are_taken_up_to_their_bounds() {
        let summary = |summary| EntryFacts { summary: Some(summary), ..FACTS };
        assert_eq!(ordered(FACTS), Order::Degrees);
        let near = EntryFacts { near: Some(Share { sampled: 1_000, found: 500 }), ..FACTS };
        assert_eq!(ordered(near), Order::Ids);
        // Degrees that differ, by wedges and by the largest.
        let skewed = |of| EntryFacts { near: near.near, ..summary(of) };
        let wedges = Summary { wedges: FLAT_SUMMARY.wedges + 1, ..FLAT_SUMMARY };
        assert_eq!(ordered(skewed(wedges)), Order::Degrees);
        let hub = Summary { max_degree: 1_025, ..FLAT_SUMMARY };
        assert_eq!(ordered(skewed(hub)), Order::Degrees);
        // Or not, whatever the wedges: 2.25 times the mean of 2,000 are 4,500.
        let dense = |max_degree| {
            let wedges = 100 * FLAT_SUMMARY.wedges;
            let vertices = MIN_ENTRIES / 1_000;
            let of = Summary { wedges, max_degree, vertices, edges: MIN_ENTRIES, ..FLAT_SUMMARY };
            ordered(skewed(of))
        };
        assert_eq!([dense(4_500), dense(4_501)], [Order::Ids, Order::Degrees]);
        // Fewer than eight neighbours an id.
        let sparse = EntryFacts { vertices: MIN_ENTRIES / 4 + 1, ..FACTS };
        assert_eq!(ordered(EntryFacts { landmarks: None, ..sparse }), Order::Ids);
        // Small graphs: by ids where degrees differ little and would save less than they cost.
        let entries = MIN_ENTRIES - 1;
        let small = EntryFacts { entries, ..near };
        assert_eq!(ordered(small), Order::Degrees);
        let small = |wedges| {
            let of = Summary { wedges: wedges * u128::from(MIN_ENTRIES), ..RANDOM };
            ordered(EntryFacts { entries, landmarks: None, ..summary(of) })
        };
        assert_eq!([small(68), small(69)], [Order::Ids, Order::Degrees]);
        assert_eq!(ordered(EntryFacts { entries, ..summary(hub) }), Order::Degrees);
    }

    #[test]
    fn the_order_that_saves_most_is_taken() {
        let with = |wedges: u128, closed| {
            let wedges = wedges * u128::from(MIN_ENTRIES);
            let summary = Some(Summary { wedges, ..RANDOM });
            EntryFacts { summary, landmarks: landmarks([closed; CLASSES]), ..FACTS }
        };
        // 40% are foreseen to be alike where 55% close: 0.75 · 40 wedges · 40% are 12.
        assert_eq!(ordered(with(40, 549)), Order::Ids);
        assert_eq!(ordered(with(40, 551)), Order::MinHash);
        // 28 and 29 wedges above those at random: 9.24 and 9.57.
        assert_eq!(ordered(with(68, 0)), Order::Ids);
        assert_eq!(ordered(with(69, 0)), Order::Degrees);
        // Of 80 wedges, degrees gain 3.9. Of rows that long, labels gain for what is alike beyond 24%: 3.88 for 39.27%, and
        // 3.98 for 39.36%.
        assert_eq!(ordered(with(80, 553)), Order::Degrees);
        assert_eq!(ordered(with(80, 554)), Order::MinHash);
        // Rows are long from 48 wedges on: 0.75 · 47 wedges · 35% are 12.4, and 1.3 · 48 · 11% are 6.9.
        assert_eq!(ordered(with(47, 500)), Order::MinHash);
        assert_eq!(ordered(with(48, 500)), Order::Ids);
        // Landmarks are looked at if labels pay where 80% are alike: from 20 wedges on.
        let unknown = |wedges| EntryFacts { landmarks: None, ..with(wedges, 0) };
        assert_eq!(ordered(unknown(19)), Order::Ids);
        assert_eq!(asked(unknown(21)), Missing::Landmarks);
        // Of three times what the caches hold, labels save three times as much: 40%, 20% and 13.3% are to be alike.
        let beyond = |times: u64, closed| {
            let entries = 16_000_000 * times;
            let facts = with(0, closed);
            let vertices = entries / 20;
            let wedges = 40 * u128::from(entries);
            let summary = Some(Summary { vertices, edges: entries, wedges, ..RANDOM });
            ordered(EntryFacts { entries, summary, ..facts })
        };
        assert_eq!([beyond(1, 549), beyond(1, 551)], [Order::Ids, Order::MinHash]);
        assert_eq!([beyond(2, 299), beyond(2, 301)], [Order::Ids, Order::MinHash]);
        assert_eq!([beyond(3, 197), beyond(3, 198)], [Order::Ids, Order::MinHash]);
        assert_eq!([beyond(4, 197), beyond(4, 198)], [Order::Ids, Order::MinHash]);
    }

    /// What is foreseen follows from the sizes of neighbourhoods: of two ends in a clique of 12 all is alike, and of two without
    /// a common neighbour each other.
    #[test]
    fn ends_are_foreseen_to_be_alike_as_their_neighbourhoods_are() {
        // In a clique of n vertices an entry has n - 2 wedges, half of those at both ends.
        let of = |wedges: u128, closed| {
            let summary = Some(Summary { wedges: wedges * 1_000, ..FLAT_SUMMARY });
            let landmarks = landmarks([closed; CLASSES]);
            EntryFacts { entries: 1_000, summary, landmarks, ..FACTS }.foreseen_alike().unwrap()
        };
        assert_eq!(of(10, 1_000), 1.0);
        // Of eleven neighbours each, and the ends themselves: 2 of 22.
        assert_eq!(of(10, 0), 2.0 / 22.0);
        // Half of ten are common, and so are the ends: 7 of 17.
        assert_eq!(of(10, 500), 7.0 / 17.0);
        assert_eq!(EntryFacts { landmarks: None, ..FACTS }.foreseen_alike(), None);
        assert_eq!(EntryFacts { summary: None, ..FACTS }.foreseen_alike(), None);
    }

    #[test]
    fn sorted_entries_stay_where_degrees_differ_little() {
        for sorted in [EdgeOrder::Upward, EdgeOrder::Downward] {
            let facts = EntryFacts { order: sorted, entries: 10, ..FACTS };
            assert_eq!(ordered(facts), Order::AsTheyAre);
            assert_eq!(ordered(EntryFacts { keep_vertices: true, ..facts }), Order::Degrees);
            let hub = Summary { max_degree: 1_025, ..FLAT_SUMMARY };
            assert_eq!(ordered(EntryFacts { summary: Some(hub), ..facts }), Order::Degrees);
            // With few wedges the largest degree may be larger.
            let of = |max_degree, more| {
                let wedges = FEW_WEDGES * u128::from(FLAT_SUMMARY.edges) + more;
                let summary = Some(Summary { max_degree, wedges, ..FLAT_SUMMARY });
                ordered(EntryFacts { summary, ..facts })
            };
            assert_eq!([of(4_096, 0), of(4_097, 0)], [Order::AsTheyAre, Order::Degrees]);
            assert_eq!([of(1_024, 1), of(1_025, 1)], [Order::AsTheyAre, Order::Degrees]);
        }
    }

    /// Landmarks with 1,000 wedges in each class; `closed` says how many of each class close.
    fn landmarks(closed: [u64; CLASSES]) -> Option<Landmarks> {
        let class = |closed| LandmarkClass { edges: 100, wedges: 1_000, closed };
        Some(Landmarks { sampled: 1_000, classes: closed.map(class) })
    }

    #[test]
    fn hubs_come_first_where_the_wedges_beside_them_close() {
        let hub = Summary { max_degree: 1_025, vertices: MIN_ENTRIES / 10, ..FLAT_SUMMARY };
        let facts = EntryFacts { summary: Some(hub), ..FACTS };
        let with = |closed| EntryFacts { landmarks: landmarks(closed), ..facts };
        assert_eq!(asked(EntryFacts { landmarks: None, ..facts }), Missing::Landmarks);
        assert_eq!(ordered(with([599; CLASSES])), Order::Degrees);
        // Where many ids have no neighbours, none are looked for.
        let ids = EntryFacts { vertices: MIN_ENTRIES / 4 + 1, ..with([600; CLASSES]) };
        assert_eq!(ordered(ids), Order::Degrees);
        // Twenty neighbours are the mean, and classes go up to 40, 80, 160, …; in each is a tenth of the entries.
        let first = |most_degree, tenths: u64| {
            let neighbours = 2 * MIN_ENTRIES * tenths * 100 / 1_000;
            Order::HubsFirst { most_degree, neighbours }
        };
        assert_eq!(ordered(with([600, 0, 0, 0, 0, 0])), first(40, 1));
        // The last class of whose own wedges a quarter closes, if six tenths of those of all classes up to it do.
        assert_eq!(ordered(with([900, 249, 651, 0, 0, 0])), first(160, 3));
        // If they do not, but those of the first class do, all others are hubs.
        assert_eq!(ordered(with([900, 249, 650, 0, 0, 0])), first(40, 1));
        assert_eq!(ordered(with([599, 600, 600, 0, 0, 0])), Order::Degrees);
        let longer = |vertices| {
            let facts = with([900, 249, 650, 0, 0, 0]);
            ordered(EntryFacts { summary: Some(Summary { vertices, ..hub }), ..facts })
        };
        assert_eq!(longer(MIN_ENTRIES / 20), Order::Degrees);
        assert!(matches!(longer(MIN_ENTRIES / 20 + 1), Order::HubsFirst { .. }));
        assert_eq!(ordered(with([700, 500, 249, 0, 0, 0])), first(80, 2));
        assert_eq!(ordered(with([600; CLASSES])), first(1_280, 6));
        // Twenty neighbours, and 2,000 wedges an entry beside those of the largest vertex: a quarter is enough.
        let uneven = |wedges: u128, closed| {
            let of_largest = 1_025 * 1_024 / 2;
            let wedges = wedges * u128::from(MIN_ENTRIES) + of_largest;
            let vertices = MIN_ENTRIES / 10;
            let summary = Summary { wedges, vertices, ..hub };
            ordered(EntryFacts { summary: Some(summary), ..with(closed) })
        };
        assert_eq!(uneven(2_001, [250, 0, 0, 0, 0, 0]), first(40, 1));
        assert_eq!(uneven(1_999, [250, 0, 0, 0, 0, 0]), Order::Degrees);
        assert_eq!(uneven(2_001, [249, 0, 0, 0, 0, 0]), Order::Degrees);
        // Without wedges nothing closes.
        let class = LandmarkClass { edges: 1, wedges: 0, closed: 0 };
        let none = Landmarks { sampled: 9, classes: [class; CLASSES] };
        let facts = EntryFacts { landmarks: Some(none), ..facts };
        assert_eq!(ordered(facts), Order::Degrees);
        // Fewer than twenty neighbours a vertex.
        let sparse = Summary { vertices: MIN_ENTRIES / 10 + 1, ..hub };
        let sparse = EntryFacts { summary: Some(sparse), ..with([600; CLASSES]) };
        assert_eq!(ordered(sparse), Order::Degrees);
    }

    #[test]
    fn sorted_entries_are_sorted_anew_where_their_neighbourhoods_are_alike() {
        // Three times what the caches hold: a third of 250 wedges is few.
        let entries = 48_000_000;
        let few = Summary { edges: entries, wedges: 83 * u128::from(entries), ..FLAT_SUMMARY };
        let facts = EntryFacts {
            entries,
            order: EdgeOrder::Upward,
            summary: Some(Summary { wedges: few.wedges + 1, ..few }),
            alike: Some(Share { sampled: 1_000, found: 200 }),
            landmarks: landmarks([174; CLASSES]),
            neighbours: Some(Share { sampled: 2_000, found: 300 }),
            ..FACTS
        };
        assert_eq!(ordered(facts), Order::MinHash);
        let stay = |facts| assert_eq!(ordered(facts), Order::AsTheyAre);
        stay(EntryFacts { summary: Some(few), ..facts });
        stay(EntryFacts { near: Some(Share { sampled: 1_000, found: 500 }), ..facts });
        stay(EntryFacts { vertices: entries / 4 + 1, ..facts });
        // Three times 10.7%, beyond 24%, of 83 wedges save 8.77 picoseconds. Labels cost 6 + 120 / 45.8 = 8.62.
        stay(EntryFacts { landmarks: landmarks([173; CLASSES]), ..facts });
        stay(EntryFacts { neighbours: Some(Share { sampled: 2_000, found: 299 }), ..facts });
        stay(EntryFacts { entries: MIN_ENTRIES - 1, ..facts });
        // One fact after the other.
        let facts = EntryFacts { near: None, alike: None, landmarks: None, ..facts };
        assert_eq!(asked(facts), Missing::Near);
        let facts = EntryFacts { near: FACTS.near, ..facts };
        assert_eq!(asked(facts), Missing::Landmarks);
        let facts = EntryFacts { landmarks: landmarks([174; CLASSES]), ..facts };
        assert_eq!(asked(facts), Missing::Alike);
        let alike = Some(Share { sampled: 1_000, found: 200 });
        let pairs = EntryFacts { alike, neighbours: None, ..facts };
        assert_eq!(asked(pairs), Missing::Neighbours);
        // What is to be laid out anew may have results by vertex, and then nothing stays.
        let facts = EntryFacts { keep_vertices: true, ..facts };
        assert_eq!(ordered(facts), Order::MinHash);
    }

    #[test]
    fn facts_are_asked_for_when_a_rule_needs_them() {
        let none = EntryFacts { summary: None, near: None, landmarks: None, ..FACTS };
        assert_eq!(asked(none), Missing::Summary);
        assert_eq!(asked(EntryFacts { summary: Some(FLAT_SUMMARY), ..none }), Missing::Near);
        assert_eq!(
            asked(EntryFacts { summary: Some(RANDOM), near: FACTS.near, ..none }),
            Missing::Landmarks
        );
        let small = EntryFacts { entries: 1, ..none };
        assert_eq!(asked(small), Missing::Summary);
        assert_eq!(asked(EntryFacts { order: EdgeOrder::Upward, ..small }), Missing::Summary);
        let unknown = EntryFacts { self_loops: None, ..FACTS };
        assert_eq!(sort_by_passes(&unknown, Order::Degrees), Next::Measure(Missing::SelfLoops));
        assert_eq!(key_sort(&none, Order::Degrees), Next::Measure(Missing::Summary));
    }

    fn sorted(facts: EntryFacts) -> KeySort {
        sorted_in(Order::Degrees, facts)
    }

    fn sorted_in(order: Order, facts: EntryFacts) -> KeySort {
        match sort_by_passes(&facts, order) {
            Next::Take(chosen) => chosen.choice,
            Next::Measure(missing) => panic!("{missing:?} is there"),
        }
    }

    fn in_bins(order: Order, facts: EntryFacts) -> bool {
        match key_sort(&facts, order) {
            Next::Take(chosen) => chosen.choice == KeySort::Bins,
            Next::Measure(missing) => panic!("{missing:?} is there"),
        }
    }

    /// 2²² entries of 2¹⁸ ranks, and degrees that differ.
    #[test]
    fn keys_are_sorted_first_where_neighbours_are_near() {
        let entries = 1 << 22;
        let with = |wedges: u128, closed: u64, max_degree: u64| {
            let of_largest = u128::from(max_degree * (max_degree - 1) / 2);
            let wedges = wedges * u128::from(entries) + of_largest;
            let summary =
                Summary { vertices: 1 << 18, edges: entries, wedges, max_degree, ..FLAT_SUMMARY };
            let landmarks = landmarks([closed, 0, 0, 0, 0, 0]);
            EntryFacts { entries, vertices: 1 << 18, summary: Some(summary), landmarks, ..FACTS }
        };
        let sort = |facts: EntryFacts| match key_sort(&facts, Order::Degrees) {
            Next::Take(chosen) => chosen.choice,
            Next::Measure(missing) => panic!("{missing:?} is there"),
        };
        let sorted_first = |facts| matches!(sort(facts), KeySort::SortedBins { .. });
        let large = 1 << 16;
        assert!(sorted_first(with(101, 100, large)));
        assert_eq!(sort(with(100, 100, large)), KeySort::Bins);
        assert_eq!(sort(with(101, 99, large)), KeySort::Bins);
        // Degrees that differ little.
        assert_eq!(sort(with(101, 100, 1_024)), KeySort::Bins);
        // More wedges than other graphs may have.
        assert!(sorted_first(with(5_000, 100, large)));
        assert!(!sorted_first(with(5_000, 99, large)));
        // Landmarks are asked for where they are found.
        let unknown = EntryFacts { landmarks: None, ..with(101, 100, large) };
        assert_eq!(key_sort(&unknown, Order::Degrees), Next::Measure(Missing::Landmarks));
        let few = EntryFacts { entries: entries - 1, ..unknown };
        assert_eq!(sort(few), KeySort::Bins);
    }

    /// Every border of the bins, from both sides.
    #[test]
    fn keys_are_brought_into_bins_where_rows_are_short_and_even() {
        // 20 entries a vertex and 40 wedges an entry, of 2²⁰ entries between 2¹⁶ vertices.
        let with = |entries: u64, vertices: u64, wedges: u128, filled: u64| {
            let wedges = wedges * u128::from(entries);
            let summary =
                Summary { vertices: filled, edges: entries, wedges, max_degree: 0, ..FLAT_SUMMARY };
            EntryFacts { entries, vertices, summary: Some(summary), ..FACTS }
        };
        // One vertex has many more neighbours than the others. Its wedges do not count where it comes first.
        let in_bins = |order, facts: EntryFacts| {
            let max_degree = 1 << 20;
            let counted = match order {
                Order::Degrees | Order::HubsFirst { .. } => max_degree * (max_degree - 1) / 2,
                Order::AsTheyAre | Order::Ids | Order::MinHash => 0,
            };
            let summary = facts.summary.map(|of| {
                let wedges = of.wedges + u128::from(counted);
                Summary { wedges, max_degree, ..of }
            });
            in_bins(order, EntryFacts { summary, ..facts })
        };
        let few = with(1 << 20, 1 << 16, 40, 1 << 16);
        assert!(in_bins(Order::Ids, few));
        assert!(!in_bins(Order::Ids, EntryFacts { entries: (1 << 20) - 1, ..few }));
        let shared = EntryFacts { most_shared_bytes: MOST_SHARED_BYTES, ..few };
        assert!(in_bins(Order::Ids, shared));
        let shared = EntryFacts { most_shared_bytes: MOST_SHARED_BYTES - 1, ..few };
        assert!(!in_bins(Order::Ids, shared));
        assert_eq!(
            key_sort(&EntryFacts { summary: None, ..few }, Order::Ids),
            Next::Measure(Missing::Summary)
        );
        // By wedges. 2²⁰ entries of 2¹⁶ ranks are 1,024 groups of 64 ranks: by ids a group of 7,872 keys is foreseen for 123.
        let first = Order::HubsFirst { most_degree: 9, neighbours: 9 };
        let bits_of_12 = |wedges| with(1 << 20, 1 << 12, wedges, 1 << 12);
        for (order, most) in
            [(Order::Ids, 200), (Order::MinHash, 200), (Order::Degrees, 700), (first, 64)]
        {
            assert!(in_bins(order, bits_of_12(most)), "{order:?}");
            assert!(!in_bins(order, bits_of_12(most + 1)), "{order:?}");
        }
        // Or no vertex has many more neighbours than the others: 2.25 times the mean of 512 are 1,152. A group has a rank. By ids, at
        // most a quarter of the entries may join ids near each other.
        let even = |order, max_degree, found| {
            let facts = bits_of_12(10_000);
            let summary = facts.summary.map(|of| Summary { max_degree, ..of });
            let near = Some(Share { sampled: 1_000, found });
            super::tests::in_bins(order, EntryFacts { summary, near, ..facts })
        };
        let by_ids = |max_degree| even(Order::Ids, max_degree, 250);
        assert_eq!([by_ids(1_152), by_ids(1_153)], [true, false]);
        let of = [even(Order::Ids, 1_152, 251), even(Order::Degrees, 1_152, 251)];
        assert_eq!(of, [false, true]);
        assert!(!even(Order::MinHash, 1_152, 0) && !even(first, 1_152, 0));
        // A group has 64 ranks, and 55% of the room for 15,872 keys are 8,729: 136 keys of each, but not 137. By degrees, that
        // is the root of the mean degree, of 16 entries a vertex, times the wedges: 300 are 69 keys of each.
        let wide = |wedges| with(1 << 20, 1 << 16, wedges, 1 << 16);
        assert_eq!([136, 137].map(|wedges| in_bins(Order::Ids, wide(wedges))), [true, false]);
        assert!(in_bins(Order::Degrees, wide(300)));
        // Of a sixteenth of the vertices that have edges, the mean is 256.
        let few_filled = |wedges| with(1 << 20, 1 << 16, wedges, 1 << 12);
        assert_eq!(
            [72, 73].map(|wedges| in_bins(Order::Degrees, few_filled(wedges))),
            [true, false]
        );
        // 2²⁶ entries of 2²⁰ ranks: 16,384 groups of 64 ranks. With 76 wedges 4,864 keys are foreseen in the largest, and
        // 6,096 bins; with 78, 4,992 and 6,168. By degrees the root of 64 · 0 is nothing, and 4,228 bins are too many.
        let large = |wedges| with(1 << 26, 1 << 20, wedges, 1 << 20);
        assert_eq!([76, 78].map(|wedges| in_bins(Order::Ids, large(wedges))), [true, false]);
        assert!(!in_bins(Order::Degrees, large(0)));
        assert!(in_bins(Order::Degrees, with(1 << 25, 1 << 20, 64, 1 << 20)));
        // 2²⁵ entries of 2²⁵ ranks: a key less the first of its bin has more than 32 bits. 3,473 bins, and 4,096 windows.
        assert!(!in_bins(Order::Ids, with(1 << 25, 1 << 25, 0, 1 << 24)));
        assert!(in_bins(Order::Ids, with(1 << 24, 1 << 25, 0, 1 << 24)));
        // A key has room for 25 bits of a rank.
        assert!(!in_bins(Order::Ids, with(1 << 24, (1 << 25) + 1, 0, 1 << 24)));
    }

    /// Every border of the bins of sorted keys, from both sides.
    #[test]
    fn keys_are_sorted_by_groups_where_there_are_too_many_bins() {
        let passes = |order, facts: EntryFacts| match key_sort(&facts, order) {
            Next::Take(Chosen { choice: KeySort::SortedBins { passes }, .. }) => passes,
            Next::Take(_) => 0,
            Next::Measure(missing) => panic!("{missing:?} is there"),
        };
        let with = |entries: u64, vertices: u64, wedges: u64, max_degree: u64| {
            let wedges = u128::from(wedges) * u128::from(entries);
            let summary = Summary { vertices, edges: entries, wedges, max_degree, ..FLAT_SUMMARY };
            EntryFacts { entries, vertices, summary: Some(summary), ..FACTS }
        };
        // 2²⁶ entries of 2²³ ranks: the key has 24 bits of a rank, and after two passes a group has 256 of them. 2,416 keys of a group may
        // be foreseen, which are 9 of each rank. There are 8 on average, for which 20 wedges and 45 neighbours are flat.
        let large = |wedges, max_degree| with(1 << 26, 1 << 23, wedges, max_degree);
        assert_eq!([9, 10].map(|wedges| passes(Order::Ids, large(wedges, 1_000))), [2, 0]);
        assert_eq!([45, 46].map(|most| passes(Order::Ids, large(20, most))), [2, 0]);
        assert_eq!(passes(Order::Degrees, large(20, 45)), 0);
        // A third pass pays from 32 wedges on.
        assert_eq!([31, 32].map(|wedges| passes(Order::Ids, large(wedges, 1_000))), [0, 3]);
        // By wedges.
        for (order, most) in [(Order::Ids, 200), (Order::MinHash, 200), (Order::Degrees, 200)] {
            let found = [most, most + 1].map(|wedges| passes(order, large(wedges, 500)));
            assert_eq!(found, [3, 0], "{order:?}");
        }
        // In the order of neighbourhoods, a row's heads are near each other.
        assert_eq!([512, 513].map(|most| passes(Order::MinHash, large(40, most))), [3, 0]);
        // So they are in the rows of vertices that are no hubs, and the wedges of hubs do not count. Rows of the root of 8 · 129 are
        // foreseen.
        let hubs = |most_degree| Order::HubsFirst { most_degree, neighbours: 9 };
        let found = [127, 129, 9_000].map(|wedges| passes(hubs(512), large(wedges, 5_000)));
        assert_eq!(found, [0, 3, 3]);
        assert_eq!(passes(hubs(513), large(129, 5_000)), 0);
        // Where no vertex has many more neighbours than the others, the wedges do not count either. A group of one row may take 55%
        // of the room for 15,872 keys.
        let dense = |most| passes(Order::Degrees, with(1 << 26, 1 << 15, 4_095, most));
        assert_eq!([8_729, 8_730, 9_217].map(dense), [2, 0, 0]);
        // What a block has no room for.
        let shared = |bytes| EntryFacts { most_shared_bytes: bytes, ..large(9, 1_000) };
        let found = [MOST_SHARED_BYTES, MOST_SHARED_BYTES - 1].map(shared);
        assert_eq!(found.map(|facts| passes(Order::Ids, facts)), [2, 0]);
        // Of 2²⁸ ranks there are 9,260 bins full of keys and 32,768 of 8,192 ranks; of 2²⁹ there are twice as many.
        let sparse = |vertices| passes(Order::Ids, with(1 << 26, vertices, 32, 1_000));
        assert_eq!([1 << 28, 1 << 29].map(sparse), [3, 0]);
    }

    #[test]
    fn sorted_groups_have_few_ranks_and_self_loops_none_of_them() {
        let around = |vertices: u64| vertices.saturating_sub(1)..vertices + 2;
        for vertices in (1..=29).flat_map(|bits| around(1 << bits)) {
            for (entries, passes) in [(1, 1), (1 << 22, 2), (1 << 31, 3)] {
                let Some(of) = SortedGroups::of(entries, vertices, passes) else {
                    assert!(rank_bits(vertices) + 1 > 8 * passes + 13, "{vertices}, {passes}");
                    continue;
                };
                let SortedGroups { rank_bits, groups, shift, value_bits, window, .. } = of;
                let of_loops = ((1u64 << rank_bits) - 1) >> shift;
                assert!(
                    vertices == 0 || (vertices - 1) >> shift < of_loops,
                    "{vertices}, {passes}"
                );
                assert_eq!(u64::from(groups), vertices.div_ceil(1 << shift).max(1));
                let first_bit = KeySort::SortedBins { passes }.first_bit(rank_bits);
                assert_eq!(first_bit, rank_bits + shift);
                assert!(2 * rank_bits - first_bit <= 8 * passes);
                let ranks = u64::from(window) << shift;
                assert!(window > 0 && ranks <= u64::from(MOST_RANKS), "{vertices}, {passes}");
                assert!(value_bits == 64 || ranks << rank_bits <= 1 << 32, "{vertices}, {passes}");
            }
        }
    }

    #[test]
    fn groups_have_few_keys_and_bins_few_ranks() {
        for bits in 1..=25 {
            for entries in [1, 1 << 10, 1 << 20, 30_000_000, 1 << 31] {
                let GroupsOfRanks { groups, shift, value_bits, window } =
                    GroupsOfRanks::of(entries, bits);
                assert!(u64::from(groups) << shift >= 1 << bits, "{bits} bits");
                assert!(groups <= MOST_GROUPS && window > 0, "{bits} bits");
                // A bin starts at any group.
                let ranks = u64::from(window) << shift;
                assert!(ranks <= u64::from(MOST_RANKS), "{bits} bits");
                assert!(value_bits == 64 || ranks << bits <= 1 << 32, "{bits} bits");
            }
        }
        // 8 groups to a bin: 2²⁰ · 8 / 15,872 are 529. With 24 bits and two entries a rank, 256 ranks are too few for a bin.
        let of = |entries, bits| {
            let GroupsOfRanks { groups, shift, value_bits, window } =
                GroupsOfRanks::of(entries, bits);
            (groups, shift, value_bits, window)
        };
        assert_eq!(of(1 << 20, 16), (1 << 10, 6, 32, 128));
        assert_eq!(of(1 << 25, 24), (1 << 14, 10, 64, 8));
    }

    #[test]
    fn large_graphs_with_short_rows_are_sorted_by_tails() {
        // 2²² vertices: 22 bits, 2 of the head beside the tail's.
        const FACTS: EntryFacts = EntryFacts { vertices: 1 << 22, ..super::tests::FACTS };
        let vertices = FACTS.vertices;
        for (entries, expected) in [
            (0, KeySort::Whole),
            (MIN_ENTRIES - 1, KeySort::Whole),
            (MIN_ENTRIES, KeySort::Tails),
            (20 * vertices, KeySort::Tails),
            (20 * vertices + 1, KeySort::Whole),
        ] {
            let summary = Some(Summary { edges: entries, wedges: 0, ..FLAT_SUMMARY });
            assert_eq!(sorted(EntryFacts { entries, summary, ..FACTS }), expected, "{entries}");
        }
        // 17 to 19 bits leave 5 to 7 for the head, 16 and 20 do not.
        for (bits, tails) in [(16, false), (17, true), (19, true), (20, false), (25, true)] {
            let facts = |entries| EntryFacts { entries, vertices: 1 << bits, ..FACTS };
            assert_eq!(sorted(facts(128 << bits)) == KeySort::Tails, tails, "{bits} bits");
            assert_eq!(sorted(facts((128 << bits) + 1)), KeySort::Whole, "{bits} bits");
        }
        // With those, most wedges may be a hub's.
        for (bits, most) in [(22, 400), (19, 700)] {
            let [few, many] = [0, 1].map(|more| {
                let wedges = most * u128::from(MIN_ENTRIES) + more;
                let summary = Some(Summary { wedges, max_degree: 0, ..FLAT_SUMMARY });
                sorted(EntryFacts { vertices: 1 << bits, summary, ..FACTS })
            });
            assert_eq!([few, many], [KeySort::Tails, KeySort::Whole], "{bits} bits");
        }
        let wedges = |wedges| {
            let summary = Some(Summary { wedges, max_degree: 0, ..FLAT_SUMMARY });
            EntryFacts { summary, ..FACTS }
        };
        assert_eq!(sorted(wedges(400 * u128::from(MIN_ENTRIES))), KeySort::Tails);
        assert_eq!(sorted(wedges(400 * u128::from(MIN_ENTRIES) + 1)), KeySort::Whole);
        let first = Order::HubsFirst { most_degree: 9, neighbours: 9 };
        for (order, most) in [(Order::Ids, 400), (Order::MinHash, 64), (first, 64)] {
            let [few, many] = [0, 1].map(|more| wedges(most * u128::from(MIN_ENTRIES) + more));
            let found = [few, many].map(|facts| sorted_in(order, facts));
            assert_eq!(found, [KeySort::Tails, KeySort::Whole], "{order:?}");
        }
        // The row of the largest vertex is empty if it comes first: 10 · 9/2 wedges are none.
        let largest = |order, more| {
            let wedges = 400 * u128::from(MIN_ENTRIES) + more;
            let summary = Some(Summary { wedges, max_degree: 10, ..FLAT_SUMMARY });
            sorted_in(order, EntryFacts { summary, ..FACTS })
        };
        assert_eq!(largest(Order::Degrees, 45), KeySort::Tails);
        assert_eq!(largest(Order::Degrees, 46), KeySort::Whole);
        assert_eq!(largest(Order::Ids, 1), KeySort::Whole);
        let loops = |self_loops| EntryFacts { self_loops: Some(self_loops), ..FACTS };
        assert_eq!(sorted(loops(u64::from(MOST_STEPS))), KeySort::Tails);
        assert_eq!(sorted(loops(u64::from(MOST_STEPS) + 1)), KeySort::Whole);
    }

    #[test]
    fn a_sort_by_tails_takes_all_bits_of_its_passes() {
        for rank_bits in 1..=32 {
            let sorted = 2 * rank_bits - KeySort::Tails.first_bit(rank_bits);
            assert!(sorted >= rank_bits);
            assert!(sorted.is_multiple_of(8) || sorted == 2 * rank_bits, "{rank_bits} bits");
            assert_eq!(KeySort::Whole.first_bit(rank_bits), 0);
        }
    }
}
