//! The cut-offs that the rules of [`counting`](super::counting) go by, by compute capability.
//!
//! Every figure here is the fastest of a sweep, `cargo bench --bench gpu -- hybrid`, over the graphs
//! that it names. Where two graphs disagree, the one that loses less decides.

use super::counting::{GroupSettings, HubSettings};

/// Cut-offs of the counting rules, and the launch settings of the methods that have some.
///
/// A `permille` is in thousandths: 250 is a quarter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// The matrix of the hubs.
    pub hub_product: HubSettings,
    /// Groups of edges by head.
    pub row_bits: GroupSettings,
    /// The matrix is made if there are at least this many edges among the hubs...
    pub hub_min_edges: u32,
    /// ... and they are at least this share of all edges.
    pub hub_min_permille: u32,
    /// All ranks are a matrix of bits in graphs with at least this many edges...
    pub matrix_min_edges: u32,
    /// ... where that is predicted to take at most this share of the time of every other method.
    pub matrix_max_permille: u32,
    /// Edges are brought into groups if the oriented graph has at least this many wedges for each: a group
    /// is made an edge at a time, and gains a wedge at a time.
    pub group_min_wedges: u32,
    /// A graph without edges among the hubs has to have this many wedges more for each edge. The number falls in proportion to the
    /// share of the edges that are among the hubs, ...
    pub group_more_wedges: u32,
    /// ... and none more are asked for where that share is this one or larger.
    pub group_hub_permille: u32,
    /// Groups are made where in a sample at most this share of the wedges closes at a head from
    /// [`exact`](row_bits::Tuning::exact) on, where a set bit has to be looked up. The share holds where
    /// rows are of one length, and is larger where they are not ([`counting`](super::counting) says how).
    pub high_max_permille: u32,
    /// The share of [`high_max_permille`](Self::high_max_permille) grows in proportion where there
    /// are more than this many wedges an edge; at least 1.
    pub high_wedges: u32,
    /// Where more than this share of the sampled wedges closes and segments pay, nothing is brought into groups: hubs are beside
    /// each other, and their rows are few segments.
    pub group_segments_permille: u32,
    /// If a smaller share of the edges is in groups, none is: every edge is counted in place.
    pub grouped_min_permille: u32,
    /// Where no edge has a group, filters are considered for graphs with at least this many edges.
    pub filter_min_edges: u32,
    /// ... and filters of few bytes for graphs with at least this many, as a smaller one is in the caches. Half as many are
    /// enough where first ranks have a bit of their own.
    pub narrow_min_edges: u32,
    /// Filters have two to sixteen bytes a rank up to this many wedges for each edge, and 64 bytes beyond. Where first ranks
    /// have a bit of their own, the wedges at these are left out, and half as many again may be left.
    pub narrow_max_wedges: u32,
    /// One edge of this many is counted first, to see how many wedges close. At least 1, and best a prime:
    /// rows of equal lengths are not to meet it at the same place each time.
    pub sample_step: u32,
    /// Filters of 64 bytes are used if 1,000 edges of the sample have at most this many triangles,
    pub filter_max_permille: u32,
    /// and those of few bytes if they have at most this many whose third vertex has no bit of its own.
    pub narrow_max_permille: u32,
    /// Filters of 64 bytes are used up to this many wedges of the oriented graph for each edge: longer rows fill them.
    pub filter_max_wedges: u32,
    /// Rows are merged as segments of 32 ranks if the oriented graph has at least this many wedges for each
    /// edge...
    pub segment_min_wedges: u32,
    /// Segments are used if they save at least this many steps of a merge for each edge, which is about what it takes to cut the rows.
    /// A wedge is a step along the tail's row. Of the sampled wedges, those are saved whose third vertex is in a segment with the entry
    /// before it, beyond [`segment_min_joined_permille`](Self::segment_min_joined_permille).
    pub segment_min_saved: u32,
    /// The share of joined wedges, in thousandths, that makes up for a step over segments taking longer than one over entries.
    pub segment_min_joined_permille: u32,
    /// The share of joined entries of heads' rows, in thousandths, beyond which these are saved steps, too.
    pub segment_head_joined_permille: u32,
    /// The rows of heads are looked up in tables of their tails' rows if rows are long: a merge has at least this many steps along
    /// a row, in the mean of both rows of an edge, ...
    pub table_min_steps: u32,
    /// Steps that [`table_min_steps`](Self::table_min_steps) grows by if all sampled wedges have their third vertex in a segment with
    /// the entry before it, and in proportion if some have: a merge of such rows reads what the caches hold. The number also grows...
    pub table_joined_steps: u32,
    /// ... where the mean row of an edge is longer than this share of the mean row, which it is if entries are drawn at random, ...
    pub table_even_permille: u32,
    /// ... and at most this share, ...
    pub table_max_uneven_permille: u32,
    /// ... and if the rows of the heads have at most this many entries for 1,000 wedges. Where segments pay, ...
    pub table_max_entries_permille: u32,
    /// ... tables come before them if they are predicted to take at most this share of the segments' time.
    pub table_segments_permille: u32,
    /// In a graph of at most this many edges nothing is brought into groups.
    pub merge_small_edges: u32,
    /// Where entries are merged in place, with at least this many wedges of the oriented graph for each edge,
    /// a block has twice the threads of [`CountShape::default`](super::counting::CountShape).
    pub merge_long_wedges: u32,
    /// Where entries are merged in place, an edge is searched if its head has a much longer row than the edge has a prefix.
    /// Graphs are looked through for such edges if the rows of the heads of sampled edges have at least this many entries...
    pub search_min_entries: u32,
    /// ... and at least this many for 1,000 wedges.
    pub search_min_entries_permille: u32,
}

impl Tuning {
    /// Every edge is merged in place, whatever the graph. Other tunings are written as what they add to it.
    pub const MERGE_ONLY: Tuning = Tuning {
        hub_product: HubSettings { hubs: 0, lanes_log2: 0 },
        row_bits: GroupSettings {
            ranks: u32::MAX,
            exact: 57_344,
            filter_log2: 13,
            min_edges: 1,
            min_row: 1,
            chunk: 1_024,
            stream_lanes_log2: 3,
            block: 128,
            blocks_per_multiprocessor: 16,
            merge_max: u32::MAX,
            search_lanes_log2: 2,
            bins_min_edges: 1 << 21,
        },
        hub_min_edges: u32::MAX,
        hub_min_permille: 1_001,
        matrix_min_edges: u32::MAX,
        matrix_max_permille: 0,
        group_min_wedges: u32::MAX,
        group_more_wedges: 0,
        group_hub_permille: 1,
        high_max_permille: 0,
        high_wedges: u32::MAX,
        group_segments_permille: 1_000,
        grouped_min_permille: 0,
        filter_min_edges: u32::MAX,
        narrow_min_edges: u32::MAX,
        narrow_max_wedges: 7,
        sample_step: 251,
        filter_max_permille: 0,
        narrow_max_permille: 0,
        filter_max_wedges: u32::MAX,
        segment_min_wedges: u32::MAX,
        segment_min_saved: u32::MAX,
        segment_min_joined_permille: 0,
        segment_head_joined_permille: 0,
        merge_small_edges: 0,
        table_min_steps: u32::MAX,
        table_joined_steps: 0,
        table_even_permille: 1_000,
        table_max_uneven_permille: 0,
        table_max_entries_permille: 0,
        table_segments_permille: 0,
        merge_long_wedges: u32::MAX,
        search_min_entries: u32::MAX,
        search_min_entries_permille: 0,
    };
}

/// The tunings, each from the compute capability it was measured on; the last that is not above the
/// chip's is taken, or the first.
///
/// | from | cut-off | measured by |
/// | --- | --- | --- |
/// | 8.0 | as 9.0 | not measured |
/// | 9.0 | `min_edges` 8 | rmat20 (1.28 ms of counting against 1.51 with 48), rmat22 (6.42, 6.84), ba (0.47, 0.76) |
/// | 9.0 | `hub_min_edges` 1 M, `hub_min_permille` 90 | counting and grouping with the hubs as a matrix and without, on an H100, by edges among the hubs: rmat:17,32,1 (1.9 M: 0.34 ms, 0.48), rmat:18,16,7 (2.1 M: 0.37, 0.44), rmat:19,12,4 (2.0 M: 0.48, 0.58), kron:19,24,500,200,200,3 (1.4 M: 1.01, 1.06), rmat-sparse (1.9 M: 0.68, 0.72), rmat:23,16,1 (9.4% of all: 13.6, 15.3), ba:200000,60,7 (0.95 M, 8.0%: 1.00, 0.95), kron:20,16,450,220,220,1 (6.7%: 1.41, 1.35), kron:18,100,350,250,250,5 (5.5%: 2.30, 2.22) |
/// | 9.0 | `group_min_wedges` 24, `group_more_wedges` 42, `group_hub_permille` 70 | grouped and not, and the share of the edges among the hubs: rmat:21,4,5 (26.8 wedges an edge, 23%: 0.78 ms, 1.16), ba:200000,60,7 (29.5, 8.0%: 0.87 of the time), kron:18,100,350,250,250,5 (56.9, 5.5%: 0.51 of it), er:100000,10000000,4 (66.6, 2.7%: 0.99), kron:20,16,450,220,220,1 (18.0, 6.7%: 1.06), er-dense (40.7, 0.4%: 1.43), er:400000,20000000,6 (33.3, 0.2%: 1.57), sorted:er:800000,24000000,8 (20.0, none: 2.35) |
/// | 9.0 | `high_max_permille` 30 | grouped and not: ws:300000,60,500,2 (5.5% high, rows of one length: 3.05 ms, 1.70), ws:300000,60,200,2 (21%: 4.60, 1.48), er-dense (below 0.1%), rmat:26,20,1 (over 3%, rows unequal: 460, 8,740) |
/// | 9.0 | `high_wedges` 80 | grouped and not: ws:100000,200,500,1 (118 wedges an edge, 4.2% high: 3.37 ms, 5.51), ws:200000,120,500,1 (75, 5.9%: 4.16, 4.03) |
/// | 9.0 | `narrow_max_wedges` 7 | with few bits a row and with 64 bytes, making included: er:4000000,20000000,1 (3.3: 0.36 ms, 0.53), er:8000000,50000000,3 (4.2: 1.11, 1.40), web (5.9: 0.51, 0.56), er:3000000,30000000,3 (6.7: 0.74, 0.81), ba:1000000,16,2 (7.6: 0.43, 0.42), er:1048576,16000000,3 (10.2: 0.53, 0.48), ba:600000,24,6 (11.6: 0.57, 0.48); with a bit for the first rank, on an H100, hub:2000000,24000000,7 (7.1: 0.68, 0.92), hub:2000000,30000000,8 (8.9: 1.11, 1.18), hub:2000000,40000000,42 (12.0: 2.15, 1.75), hub:700000,15000000,2 (12.9: 0.64, 0.62), hub:1000000,23000000,1 (13.9: 1.16, 1.01) |
/// | 9.0 | `narrow_min_edges` 10 M | with few bits a row, making included, and merged: er:3000000,5000000,7 (0.09 ms, 0.08), grid (8.9 M edges: 0.20, 0.17), er:2000000,8000000,1 (0.17, 0.17), ba:3000000,4,3 (12 M: 0.17, 0.24); with a bit for the first rank, hub:1000000,5000000,2 (6 M: 0.13, 0.15), hub:2000000,6000000,3 (8 M: 0.13, 0.19); paths with chords on an H100 (66 M edges, 60 M ranks, 0.4 wedges a rank: 1.81, 1.54) |
/// | 9.0 | `filter_max_permille` 1,000 | web (1: 0.61, 0.92), ba (350: 0.94, 1.11), clustered (7,300: 3.82, 0.81), ws (8,700: 3.27, 0.99) |
/// | 9.0 | `filter_max_wedges` 18 | with 64 bytes a row, making included, and the better of merge and tables: er:1048576,16000000,3 (10.2: 0.48 ms, 0.59), er:1000000,23000000,1 (15.3: 0.89, 1.05), er:900000,24000000,1 (17.8: 1.06, 1.08), er:800000,24000000,8 (20.0: 1.20, 1.09), er:500000,16000000,5 (21.3: 0.85, 0.69), ws:1000000,40,600,1 (22.3: 2.69, 1.92) |
/// | 9.0 | `narrow_max_permille` 300 | with few bits a row and merged: grid:4096,2 (120: 0.57 ms, 0.89), ws:4000000,8,50,3 (3,000: 0.95, 0.37), hub:4000000,20000000,1 (830, of which none without the first rank: 0.33, 0.68) |
/// | 9.0 | `segment_min_wedges` 8, `segment_min_saved` 8, `segment_min_joined_permille` 600, `segment_head_joined_permille` 200 | segments, cutting included, over the better of merge and tables, on the graphs to choose by of benches/gpu/bed.rs in every order: these lose nothing there; heads' rows as long as the tails', ws:600000,30,100,2 (67% of the wedges joined, 14.6 an edge: 0.87), communities:400000,1000000,900,10,200,6 (72%, 32: 0.69); twice as long, ws (66%, 12: 1.03), hyperbolic:300000,100,2500,4 with hubs first (41%, 44: 0.88); four times, hyperbolic:1200000,30,2300,2 with hubs first (42%, 20: 0.71) |
/// | 9.0 | `merge_small_edges` 3 · 2²⁰ | segments and groups, making included: rmat14 (0.05 ms, 0.16), rmat17 (1.9 M edges: 0.20, 0.29), rmat:17,24,9 (2.7 M: 0.31, 0.41), rmat18 (3.8 M: 0.49, 0.49); merged and in groups, affiliation:200000,20000,400,7 (2.4 M: 0.21, 0.30) |
/// | 9.0 | `group_segments_permille` 800 | segments over groups: hyperbolic:700000,30,2100,3 (by degrees 99% close: 0.90; with hubs first 94%: 0.74), hyperbolic:1000000,40,2200,1 (95 to 99%: 0.93 to 1.16), affiliation:1500000,50000,1500,6 (99%: 0.26 to 1.09), kron:20,16,650,150,150,2 (60%: 2.06), rmat20 (40%: 2.41) |
/// | 9.0 | `table_min_steps` 16, `table_joined_steps` 25, `table_even_permille` 1,300 | tables over the best other method: ba:400000,40,5 shuffled (20 wedges an edge, and 38 entries in its head's row: 0.72), hyperbolic:600000,60,2900,5 by degrees (15, 32: 0.70), sorted:er:800000,24000000,8 (20, 20: 0.84), sorted:geometric:500000,50,5 (15, 19: 0.93), shuffled:ws:1000000,20,50,5 (13, 13: 1.09), sorted:ws:700000,40,300,8 (20, 38, 37% joined: 1.06), hyperbolic:600000,60,2900,5 with hubs first (19, 31, 25%: 1.09); rows unequal 1.7 times, communities:600000,8000000,500,20,400,3 (39, 39: 0.79), sorted:hyperbolic:700000,40,2600,8 with hubs first (17, 36, 29%: 1.20) |
/// | 9.0 | `table_max_uneven_permille` 3,000, `table_max_entries_permille` 4,600 | rows unequal 2.1 times, communities:524288,300000,400,10,500,2+rmat:19,8,3 (0.76), 2.5 times, sorted:communities:1200000,2000000,350,15,900,7 by degrees (0.83), 4.2 times, sorted:affiliation:600000,120000,600,9 by ids (1.20), and 6.5 times, rmat20 (2.44); 3.4 entries for each wedge, hyperbolic:300000,100,2500,4 by degrees (0.73), 4.6, hyperbolic:800000,60,2400,3 (0.69), 5.1, hyperbolic:2000000,24,2400,9 (1.30) |
/// | 9.0 | `table_segments_permille` 1,000 | tables over segments, cutting included, and what is predicted: hyperbolic:500000,80,2300,4 by degrees (0.61, predicted 0.85), shuffled:ws:100000,200,100,3 by neighbourhoods (0.86, 0.83), ws:300000,60,200,2 (0.91, 1.00), hyperbolic:300000,100,2500,4 with hubs first (1.14, 1.02), sorted:ws:120000,180,150,4 (1.25, 1.02), geometric:300000,120,3 by neighbourhoods (1.50, 1.25), ws:100000,200,100,1 (1.76, 1.22), ws:150000,150,50,2 (2.49, 1.6) |
/// | 9.0 | `merge_long_wedges` 20 | 128 threads and 64: ws:300000,200,500,1 (118 wedges an edge: 16.5 ms, 16.6), ws:1000000,40,600,1 (25: 2.83, 2.89), ws:4000000,8,50,3 (4: 0.34, 0.33); merged as entries, clustered (12: 0.54, 0.52) |
/// | 9.0 | `search_min_entries` 16, `search_min_entries_permille` 2,500 | unlike rows searched, and merged, on an H100: hyperbolic:3000000,16,2400,12 (35 entries, 5.4 for each wedge: 1.11 ms, 1.47), hyperbolic:1000000,40,2200,14 (4.4: 2.47, 3.48), rmat:18,16,7 (0.71, 0.92), affiliation:1000000,180000,1000,21 (1.1: 10.6, 12.2), ws (2.0, none unlike: 0.69, 0.65), rows:4096,2 (0.32, 0.29) |
/// | 9.0 | `matrix_min_edges` 2¹⁹, `matrix_max_permille` 900 | a matrix of all ranks and groups, making included: er:20000,50000000,1 (1.92 ms, 15.1), er:30000,90000000,1 (5.2, 52.9), er:8000,8000000,1 (0.36, 0.62), er:4000,3000000,1 (0.22, 0.86); by popcount and groups: er:40000,40000000,1 (7.9, 11.8); what is predicted of either, docs/engines.md has |
/// | 9.0 | the others | no other value of the sweep was faster on rmat20 and rmat22 by more than 3% |
const TUNINGS: [((u32, u32), Tuning); 1] = [(
    (8, 0),
    Tuning {
        hub_product: HubSettings { hubs: 16_384, lanes_log2: 2 },
        row_bits: GroupSettings {
            ranks: u32::MAX,
            exact: 57_344,
            filter_log2: 13,
            min_edges: 8,
            min_row: 1,
            chunk: 1_024,
            stream_lanes_log2: 3,
            block: 128,
            blocks_per_multiprocessor: 16,
            merge_max: 64,
            search_lanes_log2: 3,
            bins_min_edges: 1 << 21,
        },
        hub_min_edges: 1_000_000,
        hub_min_permille: 90,
        matrix_min_edges: 1 << 19,
        matrix_max_permille: 900,
        group_min_wedges: 24,
        group_more_wedges: 42,
        group_hub_permille: 70,
        high_max_permille: 30,
        high_wedges: 80,
        group_segments_permille: 800,
        grouped_min_permille: 125,
        filter_min_edges: 1 << 20,
        narrow_min_edges: 10_000_000,
        narrow_max_wedges: 7,
        sample_step: 251,
        filter_max_permille: 1_000,
        narrow_max_permille: 300,
        filter_max_wedges: 18,
        segment_min_wedges: 8,
        segment_min_saved: 8,
        segment_min_joined_permille: 600,
        segment_head_joined_permille: 200,
        merge_small_edges: 3 << 20,
        table_min_steps: 16,
        table_joined_steps: 25,
        table_even_permille: 1_300,
        table_max_uneven_permille: 3_000,
        table_max_entries_permille: 4_600,
        table_segments_permille: 1_000,
        merge_long_wedges: 20,
        search_min_entries: 16,
        search_min_entries_permille: 2_500,
    },
)];

impl Tuning {
    /// The tuning for chips of compute capability `major.minor`.
    pub fn for_compute_capability(major: u32, minor: u32) -> Tuning {
        let fits = TUNINGS.iter().rev().find(|(from, _)| *from <= (major, minor));
        fits.unwrap_or(&TUNINGS[0]).1
    }

    /// # Panics
    /// If a field is out of its bounds.
    pub fn check(&self) {
        self.hub_product.check();
        self.row_bits.check();
        assert!((1..1 << 31).contains(&self.sample_step), "a sample: {self:?}");
        assert!(self.high_wedges > 0, "no wedges an edge: {self:?}");
        assert!(self.table_even_permille > 0, "no even rows: {self:?}");
    }
}

#[cfg(test)]
mod tests {
    use std::panic;

    use super::*;

    #[test]
    fn every_chip_has_the_nearest_tuning_below() {
        assert!(TUNINGS.is_sorted_by(|(a, _), (b, _)| a < b));
        for (i, ((major, minor), tuning)) in TUNINGS.iter().enumerate() {
            assert_eq!(Tuning::for_compute_capability(*major, *minor), *tuning);
            let next = TUNINGS.get(i + 1).map(|(from, _)| *from);
            if next != Some((*major, minor + 1)) {
                assert_eq!(Tuning::for_compute_capability(*major, minor + 1), *tuning);
            }
        }
        assert_eq!(Tuning::for_compute_capability(5, 0), TUNINGS[0].1);
    }

    #[test]
    fn every_tuning_keeps_its_bounds() {
        for (_, tuning) in TUNINGS {
            tuning.check();
        }
    }

    #[test]
    fn a_field_out_of_its_bounds_is_told() {
        let base = TUNINGS[0].1;
        let is_told = |tuning: Tuning| panic::catch_unwind(|| tuning.check()).is_err();
        let least = Tuning {
            hub_product: HubSettings { hubs: 0, lanes_log2: 0 },
            row_bits: GroupSettings {
                exact: 0,
                filter_log2: 0,
                min_edges: 1,
                min_row: 1,
                chunk: 1,
                stream_lanes_log2: 0,
                block: 32,
                blocks_per_multiprocessor: 1,
                search_lanes_log2: 0,
                ..base.row_bits
            },
            high_wedges: 1,
            sample_step: 1,
            ..base
        };
        let most = Tuning {
            hub_product: HubSettings { hubs: 16_384, lanes_log2: 5 },
            row_bits: GroupSettings {
                exact: 1 << 15,
                filter_log2: 15,
                chunk: 1 << 15,
                stream_lanes_log2: 5,
                block: 1_024,
                search_lanes_log2: 5,
                ..base.row_bits
            },
            sample_step: (1 << 31) - 1,
            ..base
        };
        assert!(!is_told(least) && !is_told(most));
        let out_of_bounds = [
            Tuning { hub_product: HubSettings { hubs: 256, ..least.hub_product }, ..least },
            Tuning { hub_product: HubSettings { hubs: 16_384 + 512, ..most.hub_product }, ..most },
            Tuning { hub_product: HubSettings { lanes_log2: 6, ..most.hub_product }, ..most },
            Tuning { row_bits: GroupSettings { exact: (1 << 15) + 1, ..most.row_bits }, ..most },
            Tuning { row_bits: GroupSettings { filter_log2: 16, ..most.row_bits }, ..most },
            Tuning { row_bits: GroupSettings { filter_log2: 64, ..least.row_bits }, ..least },
            Tuning { row_bits: GroupSettings { min_edges: 0, ..least.row_bits }, ..least },
            Tuning { row_bits: GroupSettings { min_row: 0, ..least.row_bits }, ..least },
            Tuning { high_wedges: 0, ..least },
            Tuning { row_bits: GroupSettings { chunk: 0, ..least.row_bits }, ..least },
            Tuning { row_bits: GroupSettings { chunk: (1 << 15) + 1, ..most.row_bits }, ..most },
            Tuning { row_bits: GroupSettings { stream_lanes_log2: 6, ..most.row_bits }, ..most },
            Tuning { row_bits: GroupSettings { search_lanes_log2: 6, ..most.row_bits }, ..most },
            Tuning { sample_step: 0, ..least },
            Tuning { sample_step: 1 << 31, ..most },
            Tuning { row_bits: GroupSettings { block: 0, ..least.row_bits }, ..least },
            Tuning { row_bits: GroupSettings { block: 33, ..least.row_bits }, ..least },
            Tuning { row_bits: GroupSettings { block: 1_056, ..most.row_bits }, ..most },
            Tuning {
                row_bits: GroupSettings { blocks_per_multiprocessor: 0, ..least.row_bits },
                ..least
            },
        ];
        for tuning in out_of_bounds {
            assert!(is_told(tuning), "{tuning:?}");
        }
    }
}
