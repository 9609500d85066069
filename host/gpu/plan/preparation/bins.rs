//! Whether keys fit bins of rows, at once or after a sort by some of their bits.

use super::degrees::{FLAT, MAX_WEDGES_BY_ID, close, even, flat, wedges_an_entry, without_largest};
use super::{Order, SortPasses, looks_for_landmarks};
use crate::graph::rank_bits;
use crate::plan::facts::{EntryFacts, Share};
use tribin_kernels::row_bins::{
    MOST_BINS, MOST_GROUPS, MOST_OF_SLOT, MOST_RANK_BITS, MOST_RANK_BITS_SORTED, MOST_RANKS,
    MOST_SHARED_BYTES, capacity,
};
use tribin_plan::reason::Reason;

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
        let BinKeys { value_bits, most_ranks } =
            values(entries, 1 << rank_bits, rank_bits, few_groups);
        let wanted = (GROUPS_OF_BIN * entries).div_ceil(capacity(value_bits).into());
        let wanted = wanted.next_power_of_two().clamp(1, MOST_GROUPS.into());
        let shift = rank_bits.saturating_sub(wanted.ilog2()).min(most_ranks.ilog2());
        let window = most_ranks >> shift;
        GroupsOfRanks { groups: 1 << (rank_bits - shift), shift, value_bits, window }
    }
}

/// What the keys of a bin are.
struct BinKeys {
    /// Bits of a key, less the first of its bin: 32 or 64.
    value_bits: u32,
    /// The most ranks of a bin.
    most_ranks: u32,
}

/// The keys of a bin, for keys of `ranks` ranks of `rank_bits` bits.
///
/// With 32 bits for a row and a head there are fewer ranks to a bin, and enough for its keys if they have many. `may_be` says whether
/// bins may have so few.
fn values(entries: u64, ranks: u64, rank_bits: u32, may_be: impl FnOnce(u32) -> bool) -> BinKeys {
    let narrow_ranks = MOST_RANKS.min(1u32.checked_shl(32 - rank_bits.min(32)).unwrap_or(u32::MAX));
    let keys = u128::from(entries) * u128::from(narrow_ranks) / u128::from(ranks);
    match may_be(narrow_ranks) && 2 * keys >= u128::from(capacity(u32::BITS)) {
        true => BinKeys { value_bits: u32::BITS, most_ranks: narrow_ranks },
        false => BinKeys { value_bits: u64::BITS, most_ranks: MOST_RANKS },
    }
}

/// The groups of larger ranks that keys are sorted by, for [`KeySort::SortedBins`](super::KeySort::SortedBins).
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

impl SortedGroups {
    /// The passes that keys are sorted by groups of ranks with, the fastest first. With more there are as many as by both ranks, or
    /// groups are rows.
    pub const PASSES: [SortPasses; 4] =
        [SortPasses::narrow(1), SortPasses::narrow(2), SortPasses::wide(2), SortPasses::narrow(3)];

    /// The groups of these vertices after these passes; `None` where a bin could have too many ranks.
    pub fn of(entries: u64, vertices: u64, passes: SortPasses) -> Option<SortedGroups> {
        let bits = rank_bits(vertices);
        let shift_of = |bits: u32| bits.saturating_sub(passes.bits());
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
        let BinKeys { value_bits, most_ranks } =
            values(entries, vertices.max(1), rank_bits, have_a_group);
        let window = most_ranks >> shift;
        let least_stretch = (1.0 - MOST_OF_LARGEST) * f64::from(capacity(value_bits));
        let most_bins = (entries as f64 / least_stretch) as u64 + groups / u64::from(window) + 2;
        // Fewer than 2³² entries, and as many vertices.
        let [groups, most_bins] = [groups, most_bins].map(|number| number as u32);
        Some(SortedGroups { rank_bits, groups, shift, value_bits, window, most_bins })
    }
}

/// Fewest entries that are brought into bins.
const MIN_ENTRIES_BINS: u64 = 1 << 20;

/// Most wedges for an entry, by degrees that count duplicates, of a graph in the order of degrees whose keys are brought into
/// bins: keys of a row with the same highest bits are compared with each other. (On an H200, ba:100000,100,2 of 621 takes 0.50 ms, and
/// 0.78 sorted by both ranks; rmat:21,4,5 of 1,215 takes 1.24, and 1.08.)
const BINS_MAX_WEDGES: u128 = 700;

/// Most wedges for an entry of a graph with hubs first whose keys are brought into bins: the heads of a row are near each other.
const BINS_MAX_WEDGES_HUBS: u128 = 64;

/// Most wedges for an entry of a graph whose keys are brought into bins where
const BINS_MAX_WEDGES_CLOSED: u128 = 100;

/// so large a share of the wedges closes, at entries of vertices with up to twice the mean degree, and degrees differ. Then
/// neighbours of a vertex have ranks near each other more often, and share a slot, unless a bin has few rows: keys are sorted first. (On an
/// H200, affiliation:800000,150000,800,3 takes 2.2 ms in bins, 1.4 sorted first and 1.8 without bins; hyperbolic:600000,60,2900,5 takes
/// 0.83, 0.95 and 1.28.)
const MIN_CLOSED_SORTED_PERMILLE: u32 = 100;

/// Most of a bin's room that its largest group of rows may take: bins are filled up to where the next such group begins.
const MOST_OF_LARGEST: f64 = 0.55;

/// Most of a bin's room that the largest group of keys may take where keys are sorted by groups, which one more pass makes small.
const MOST_OF_SORTED: f64 = 0.25;

/// unless the largest degree is at most this many times what a row is where it is long. Then groups are about as large as each other, and a pass
/// more costs more than what fuller bins do. (On an H100, er:16777216,67108864,1 takes 2.65 ms after two passes and 3.91 after three, and
/// ws:30000000,6,100,1 6.44 and 9.46. Without bins they take 3.53 and 9.04.)
const EVEN_ROWS: f64 = 4.5;

/// The largest group of 2^`shift` rows, over the mean one: by five standard deviations of a sum of rows whose own is their mean.
fn largest_of_even(shift: u32) -> f64 {
    1.0 + 5.0 / f64::from(1u32 << shift).sqrt()
}

/// The keys of the largest group of `ranks` rows, where all vertices have about as many neighbours. Those of the last rank are all before it,
/// which is twice the mean row. A row differs from that about by the root of a degree, and the largest group by five standard deviations of their
/// sum. (On an H100, grid:8192,1 of 2 entries a vertex takes 5.0 ms after two passes of nine bits. After two of eight a group has 2,048 ranks. It
/// is too large, and 13.3 ms are gone before that is mended.)
fn largest_of_flat(ranks: f64, mean_row: f64, max_degree: u64) -> f64 {
    2.0 * mean_row * ranks + 5.0 * (max_degree as f64 * ranks).sqrt()
}

/// Most entries whose ends have ids near each other, of 1,000, of a graph in the order of ids whose long rows are brought into bins. (On an H200,
/// ws:100000,200,100,1 of nearly all takes 2.1 ms in bins and 1.2 without, ws:100000,200,500,1 of about half 1.45 and 1.30,
/// er:50000,20000000,2 of 8 takes 1.41 and 1.64.)
const MAX_NEAR_PERMILLE_BINS: u32 = 250;

/// [`BINS_MAX_WEDGES`] of keys that are sorted by groups: without bins these are sorted by the larger rank, which compares fewer of them.
/// (On an H200, web:1500000,20,800,2 of 248 takes 1.3 times as long.)
const SORTED_BINS_MAX_WEDGES: u128 = 200;

/// Most bins that are full of keys: with more, a tile has hardly two keys of each.
const MOST_FULL_BINS: f64 = 6_144.0;

/// Most bins that are full of keys in the order of degrees, where fewer bins are foreseen than there are. (On an H100,
/// web:1000000,40,800,3, of 40 M entries and 4,900 bins, takes 1.97 ms, and 2.35 sorted.)
const MOST_FULL_BINS_BY_DEGREES: f64 = 5_120.0;

/// Most bins that are foreseen: there is room for a few more.
const MOST_ALL_BINS: f64 = 0.875 * MOST_BINS as f64;

/// Whether rows are short and even enough for bins, one reason after the other up to the first that speaks against it.
pub(super) fn fit_bins(facts: &EntryFacts, order: Order) -> Vec<Reason> {
    let (entries, bits) = (facts.entries, rank_bits(facts.vertices));
    let mut reasons = fit_a_block(facts, bits, MOST_RANK_BITS);
    if !Reason::all_hold(&reasons) {
        return reasons;
    }
    if let Some(closed) = neighbours_are_near(facts, order) {
        reasons.push(closed.against());
        return reasons;
    }
    let most_wedges = match order {
        Order::Degrees => BINS_MAX_WEDGES,
        Order::AsTheyAre | Order::Ids | Order::MinHash => MAX_WEDGES_BY_ID,
        Order::HubsFirst { .. } => BINS_MAX_WEDGES_HUBS,
    };
    let RowForecast { even, longest: row, .. } = rows(facts, order, Some(most_wedges));
    reasons.extend(even);
    let groups = GroupsOfRanks::of(entries, bits);
    let capacity = f64::from(capacity(groups.value_bits));
    let largest = row * f64::from(1u32 << groups.shift);
    let most = MOST_OF_LARGEST * capacity;
    reasons.push(Reason::real_at_most(largest, "keys of the largest group of rows, about", most));
    let bins = entries as f64 / (capacity - largest).max(1.0);
    let most = match order {
        Order::Degrees => MOST_FULL_BINS_BY_DEGREES,
        _ => MOST_FULL_BINS,
    };
    reasons.push(Reason::real_at_most(bins, "bins full of keys, about", most));
    let windows = f64::from(groups.groups / groups.window);
    reasons.push(Reason::real_at_most(bins + windows, "bins, about", MOST_ALL_BINS));
    reasons
}

/// Whether rows are short and even enough for bins of keys that are sorted by groups, and the passes of that sort: as few as make the
/// groups small.
pub(super) fn fit_sorted_bins(facts: &EntryFacts, order: Order) -> (SortPasses, Vec<Reason>) {
    let (entries, bits) = (facts.entries, rank_bits(facts.vertices));
    let mut reasons = fit_a_block(facts, bits, MOST_RANK_BITS_SORTED - 1);
    if !Reason::all_hold(&reasons) {
        return (SortedGroups::PASSES[0], reasons);
    }
    let near = neighbours_are_near(facts, order);
    let most_wedges = match order {
        // Heads are not those of a few hubs.
        Order::Degrees if near.is_some() => None,
        Order::Degrees => Some(SORTED_BINS_MAX_WEDGES),
        Order::AsTheyAre | Order::Ids | Order::MinHash => Some(MAX_WEDGES_BY_ID),
        // Most wedges are those of hubs, whose heads are hubs.
        Order::HubsFirst { .. } => None,
    };
    let RowForecast { even, longest: row, max_degree } = rows(facts, order, most_wedges);
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
    let by_degrees = matches!(order, Order::Degrees | Order::HubsFirst { .. });
    let is_flat = max_degree as f64 <= FLAT * row;
    let is_even = max_degree as f64 <= EVEN_ROWS * row && !by_degrees;
    let mean_row = entries as f64 / facts.summary.vertices.max(1) as f64;
    let after = |passes: SortPasses| {
        let groups = SortedGroups::of(entries, facts.vertices, passes)?;
        let room = f64::from(capacity(groups.value_bits));
        let ranks = f64::from(1u32 << groups.shift);
        // A pass more does not make a group smaller that is one row.
        let even = MOST_OF_LARGEST / largest_of_even(groups.shift);
        let part = match groups.shift {
            0 => MOST_OF_LARGEST,
            _ if is_even => even.max(MOST_OF_SORTED),
            _ => MOST_OF_SORTED,
        };
        let fits = match order {
            Order::AsTheyAre | Order::Ids | Order::MinHash if is_flat => {
                largest_of_flat(ranks, mean_row, max_degree) <= MOST_OF_LARGEST * room
            }
            // Where all vertices that are no hubs have about as many neighbours, so have the groups.
            Order::HubsFirst { .. } if is_flat => mean_row * ranks <= part * room,
            _ => row * ranks <= part * room,
        };
        fits.then_some(passes)
    };
    let Some(passes) = SortedGroups::PASSES.into_iter().find_map(after) else {
        reasons.push(Reason::new(false, "groups of rows would be too large after three passes"));
        return (SortedGroups::PASSES[0], reasons);
    };
    (passes, reasons)
}

/// Whether neighbours of a vertex have ranks near each other in the order of degrees. In a graph with many wedges whose degrees differ,
/// they have if enough wedges close. The reason is the share that closes.
fn neighbours_are_near(facts: &EntryFacts, order: Order) -> Option<Reason> {
    let all = facts.summary;
    let few = wedges_an_entry(&without_largest(&all, order), BINS_MAX_WEDGES_CLOSED);
    let is_flat = Reason::all_hold(&flat(&all));
    let looks = looks_for_landmarks(facts.entries, facts.vertices);
    if order != Order::Degrees || few.holds || is_flat || !looks {
        return None;
    }
    let closed = close(facts.landmarks.up_to(0), MIN_CLOSED_SORTED_PERMILLE);
    closed.holds.then_some(closed)
}

/// Compares the number of entries, and what a block needs to bring a bin into order, with what there is.
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

/// The figures of rows that are foreseen.
struct RowForecast {
    /// Whether the rows are short and even enough for bins, where that is asked.
    even: Option<Reason>,
    /// The length of the longest rows, about.
    longest: f64,
    max_degree: u64,
}

/// What is foreseen of the rows. They are even where an entry has at most `most_wedges` wedges, or where no vertex has many
/// more neighbours than the mean and the heads of a row are far apart. Without a limit they are not looked at.
fn rows(facts: &EntryFacts, order: Order, most_wedges: Option<u128>) -> RowForecast {
    let all = facts.summary;
    let summary = without_largest(&all, order);
    // Vertices with many neighbours have ranks near each other in the order of neighbourhoods, where one is as long as an entry has
    // wedges. By degrees, it is the mean of those of a vertex and of an entry.
    let of_entry = summary.wedges as f64 / facts.entries as f64;
    let of_vertex = facts.entries as f64 / facts.summary.vertices.max(1) as f64;
    let longest = match order {
        Order::Degrees | Order::HubsFirst { .. } => (of_entry * of_vertex).sqrt(),
        _ => of_entry,
    };
    let max_degree = summary.max_degree;
    let Some(few) = most_wedges.map(|most| wedges_an_entry(&summary, most)) else {
        return RowForecast { even: None, longest, max_degree };
    };
    // Not where the heads of a row are near each other: long rows fill their slots.
    let are_apart = match order {
        Order::Degrees => true,
        Order::Ids if few.holds => true,
        Order::Ids => {
            let Share { sampled, found } = facts.near;
            found * 1_000 <= u64::from(MAX_NEAR_PERMILLE_BINS) * sampled
        }
        Order::AsTheyAre | Order::MinHash | Order::HubsFirst { .. } => false,
    };
    let even = even(&all);
    if !few.holds && even.holds && are_apart {
        return RowForecast { even: Some(even), longest: max_degree as f64, max_degree };
    }
    RowForecast { even: Some(few), longest, max_degree }
}
