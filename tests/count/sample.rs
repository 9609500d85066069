//! What the hybrid engine chooses from a sample of the edges, to the borders of what it goes by.

use std::collections::{BTreeMap, BTreeSet};

use testkit::devices;
use testkit::oracle::brute_force;
use tribin_gpu::counting::hybrid::{HybridCount, count_within};
use tribin_gpu::counting::sample;
use tribin_gpu::plan::WedgeSample;
use tribin_gpu::plan::counting::{
    CountingSettings, FilterSettings, GroupSettings, HubSettings, InPlace, RowBits,
    SegmentSettings, hub_matrix_edges,
};
use warpwise_device::launch::Metered;

use super::hybrid::{
    BYTES, EVERY_SEGMENT, FEW_BITS, GROUPS, ROW_BITS, SEGMENTS, filtered, grouped,
    hubs as hub_settings, oriented,
};
use testkit::generators::clique;

/// The first edges are those among the hubs: all of a graph with fewer ranks, and of a clique a clique.
#[test]
fn the_edges_among_the_hubs_are_counted_with_the_wedges() {
    let Some(device) = devices::emulated(4) else { return };
    let n = 40u64;
    let graph = oriented(&device, &clique(n as u32));
    let all = n * (n - 1) / 2;
    for hubs in [0, 1, 2, 39, 40, 41, 512] {
        let enough = hub_settings(hubs);
        let settings = grouped(GroupSettings { hubs: Some(enough), ..GROUPS });
        let sample = sample::measure(&device, &graph, &settings.sample()).unwrap();
        let first = u64::from(hubs).min(n);
        let among = first * first.saturating_sub(1) / 2;
        assert_eq!(sample.hub_edges, among, "{hubs}");
        assert_eq!(hub_matrix_edges(&sample, Some(enough)), among);
        let too_few = HubSettings { min_edges: among as u32 + 1, ..enough };
        assert_eq!(hub_matrix_edges(&sample, Some(too_few)), 0);
        let permille = (among * 1_000 / all) as u32;
        let share = HubSettings { min_permille: permille, ..enough };
        assert_eq!(hub_matrix_edges(&sample, Some(share)), among);
        let too_little = HubSettings { min_permille: permille + 1, ..enough };
        assert_eq!(hub_matrix_edges(&sample, Some(too_little)), 0);
    }
}

/// Every wedge of a clique closes; whether that is at a head without a bit of its own decides.
#[test]
fn triangles_that_would_be_looked_up_keep_edges_in_place() {
    let Some(device) = devices::emulated(3) else { return };
    let n = 30u64;
    let graph = oriented(&device, &clique(n as u32));
    let high = |exact: u32| {
        let row_bits = RowBits { exact, filter_log2: 10, ..ROW_BITS };
        let groups = GroupSettings { row_bits, high_max_permille: 300, ..GROUPS };
        let settings = CountingSettings { sample_step: 1, ..grouped(groups) };
        let sample = sample::measure(&device, &graph, &settings.sample()).unwrap();
        // The edges of head a, of which there are n - 1 - a, have a triangles each.
        let all = n * (n - 1) * (n - 2) / 6;
        let of_high = (u64::from(exact)..n).map(|a| (n - 1 - a) * a).sum();
        let expected = WedgeSample {
            edges: n * (n - 1) / 2,
            wedges: all,
            rows: n - 1,
            hub_edges: 0,
            sampled: n * (n - 1) / 2,
            sampled_wedges: all,
            triangles: all,
            high_triangles: of_high,
            // Of fewer than 256 ranks, none are near.
            near: 0,
            // Of fewer than 33 ranks, all are in one segment: with the entry before, all but a row's first.
            joined: (n - 1) * (n - 2) / 2,
            // Eight of a prefix were looked at: the test of the kernel has how many of them are joined, and how many
            // are at the first ranks.
            of_first: sample.of_first,
            joined_wedges: sample.joined_wedges,
            matrix_reads: sample.matrix_reads,
            head_entries: sample.head_entries,
        };
        assert_eq!(sample, expected);
        let found = count_within(&device, &graph, &settings, u64::MAX).unwrap().0;
        assert_eq!(found.counted.triangles, all);
        // Mean row of an edge over mean row, times 0.3.
        let most = 2 * all * (n - 1) * 1_000 / expected.edges.pow(2) * 300;
        assert_eq!(found.edges.in_place > 0, of_high * 1_000_000 > all * most, "{exact}");
        found.edges.in_place
    };
    assert_eq!((high(0), high(29)), (n * (n - 1) / 2, 0));
    for exact in 1..29 {
        high(exact);
    }
}

/// A ring whose vertices are joined to those `steps` further on: of one degree, and so ranked by id.
fn ring(vertices: u32, steps: &[u32]) -> Vec<[u32; 2]> {
    (0..vertices).flat_map(|v| steps.iter().map(move |s| [v, (v + s) % vertices])).collect()
}

/// Ranks are near if they are at most a 256th of all apart: four, of 1,024.
#[test]
fn a_sample_finds_edges_between_near_ranks() {
    let Some(device) = devices::emulated(5) else { return };
    // All but those across the end of the ring: one of step 1, and four of step 4.
    for (ranks, expected) in [(1_023u64, 1_023 - 1), (1_024, 2 * 1_024 - 1 - 4)] {
        let graph = oriented(&device, &ring(ranks as u32, &[1, 4, 5, 100]));
        let near = |sample_step| {
            let settings = CountingSettings { sample_step, ..BYTES };
            let sample = sample::measure(&device, &graph, &settings.sample()).unwrap();
            assert_eq!(sample.sampled, (4 * ranks).div_ceil(u64::from(sample_step)));
            sample.near
        };
        assert_eq!(near(1), expected);
        // The row of rank 0 is empty: the first edge is that from 1 to 0.
        assert_eq!(near(1 << 30), 1);
    }
}

#[test]
fn bytes_tell_edges_apart_where_few_close_triangles_and_few_ranks_are_near() {
    let Some(device) = devices::emulated(6) else { return };
    let ranks = 1_024u32;
    let every = |filters| CountingSettings { sample_step: 1, ..filtered(filters) };
    // Steps 200, 300 and 500 close a triangle for every vertex; 1 to 3 close some more.
    for (steps, near) in
        [(&[200, 300, 500][..], false), (&[200, 500, 300, 1], false), (&[1, 2, 3, 200], true)]
    {
        let edges = ring(ranks, steps);
        let triangles = brute_force(&edges);
        assert!(triangles >= u64::from(ranks), "{triangles} triangles");
        let graph = oriented(&device, &edges);
        let taken = |filters: FilterSettings| {
            let found = count_within(&device, &graph, &every(filters), u64::MAX).unwrap().0;
            let in_place = found.edges.in_place;
            assert_eq!((found.counted.triangles, in_place), (triangles, graph.edges), "{found:?}");
            matches!(found.method, Some(InPlace::NarrowBloomFilters(_)))
        };
        let m = graph.edges as u32;
        let sample = sample::measure(&device, &graph, &every(FEW_BITS).sample()).unwrap();
        assert_eq!(sample.near * 2 > sample.sampled, near, "{sample:?}");
        assert_eq!(taken(FEW_BITS), !near);
        // As many edges as are asked for are enough, and as many for each rank are too many.
        let least = |m| FilterSettings { min_edges: m, ..FEW_BITS };
        assert_eq!(taken(least(m)), !near);
        assert!(!taken(least(m + 1)));
        // As many wedges for each edge as are allowed are few enough.
        let most = (sample.wedges.div_ceil(graph.edges)) as u32;
        assert_eq!(taken(FilterSettings { max_wedges: most, ..FEW_BITS }), !near);
        assert!(!taken(FilterSettings { max_wedges: most - 1, ..FEW_BITS }));
        // Prefixes have at most three entries: the sample is exact.
        assert_eq!(sample.triangles, triangles);
        // Those of the first 16 ranks may have bits of their own.
        let rest = triangles - sample.of_first[2].triangles;
        let permille = (rest * 1_000).div_ceil(sample.sampled) as u32;
        assert_eq!(taken(FilterSettings { max_permille: permille, ..FEW_BITS }), !near);
        assert!(!taken(FilterSettings { max_permille: permille - 1, ..FEW_BITS }));
    }
}

/// Wedges, and entries that are in one segment of 32 ranks with the entry before in their row, of a graph whose
/// vertices are ranked by id.
fn wedges_and_joined(edges: &[[u32; 2]]) -> (u64, u64) {
    let mut rows: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for [u, v] in edges {
        rows.entry(*u.max(v)).or_default().insert(*u.min(v));
    }
    let (mut wedges, mut joined) = (0, 0);
    for row in rows.values().map(Vec::from_iter) {
        wedges += (row.len() * (row.len() - 1) / 2) as u64;
        joined += row.windows(2).filter(|pair| *pair[0] >> 5 == *pair[1] >> 5).count() as u64;
    }
    (wedges, joined)
}

#[test]
fn segments_are_merged_where_rows_are_long_and_entries_joined() {
    let Some(emulator) = devices::emulated(7) else { return };
    let device = &Metered::of(&emulator);
    for steps in [&[1, 2, 3, 4, 200][..], &[1, 40, 41, 400], &[100, 200, 300]] {
        let edges = ring(1_024, steps);
        let triangles = brute_force(&edges);
        let graph = oriented(device, &edges);
        let m = graph.edges;
        let base = CountingSettings { sample_step: 1, ..SEGMENTS };
        let with = |segments| CountingSettings { segments: Some(segments), ..base };
        let merged_as_segments = |settings: &CountingSettings| {
            let before = device.launches();
            let found = count_within(device, &graph, settings, u64::MAX).unwrap().0;
            assert_eq!(
                (found.counted.triangles, found.edges.in_place),
                (triangles, m),
                "{settings:?}"
            );
            // One for the sample; then the cutting and the merge, or the merge alone.
            match device.launches() - before {
                3 => true,
                2 => false,
                other => panic!("{other} launches, {settings:?}"),
            }
        };
        let sample = sample::measure(device, &graph, &base.sample()).unwrap();
        let (wedges, joined) = wedges_and_joined(&edges);
        assert_eq!((sample.wedges, sample.joined, sample.sampled), (wedges, joined, m));
        assert!(merged_as_segments(&base));
        let each = (wedges / m) as u32;
        let long = |min_wedges| with(SegmentSettings { min_wedges, ..EVERY_SEGMENT });
        assert!(merged_as_segments(&long(each)));
        assert!(!merged_as_segments(&long(each + 1)));
        let steps = wedges + sample.head_entries;
        let steps = steps * sample.joined_wedges / sample.sampled_wedges;
        let saved = (steps / m) as u32;
        let least = |min_saved| with(SegmentSettings { min_saved, ..EVERY_SEGMENT });
        assert!(merged_as_segments(&least(saved)));
        assert!(!merged_as_segments(&least(saved + 1)));
        // A small graph has no groups, and a larger one has.
        let small = |segments: SegmentSettings, small_edges| CountingSettings {
            groups: Some(GroupSettings { small_edges, ..GROUPS }),
            ..with(segments)
        };
        let saves = SegmentSettings { min_saved: saved, ..EVERY_SEGMENT };
        let edges = m as u32;
        assert!(merged_as_segments(&small(saves, edges)));
        let more = SegmentSettings { min_saved: saved + 1, ..saves };
        assert!(!merged_as_segments(&small(more, edges)));
        let longer = SegmentSettings { min_wedges: each + 1, ..saves };
        assert!(!merged_as_segments(&small(longer, edges)));
        let larger = small(saves, edges - 1);
        let found = count_within(device, &graph, &larger, u64::MAX).unwrap().0;
        assert_eq!((found.counted.triangles, found.edges.in_place), (triangles, 0), "{larger:?}");
        // Where filters pay, they are taken.
        let settings = CountingSettings { filters: Some(FEW_BITS), ..base };
        let HybridCount { edges, method, .. } =
            count_within(device, &graph, &settings, u64::MAX).unwrap().0;
        assert_eq!(edges.in_place, m);
        let filters = matches!(method, Some(InPlace::NarrowBloomFilters(_)));
        assert_eq!(filters, sample.near * 2 <= m);
    }
}
