//! What the hybrid engine chooses from a sample of the edges, to the borders of what it goes by.

use std::collections::{BTreeMap, BTreeSet};

use testkit::devices;
use testkit::oracle::brute_force;
use tribin::count::hybrid::{HybridCount, count};
use tribin::count::sample;
use tribin::methods::{InPlace, row_bits};
use tribin::plan::counting::hub_matrix_edges;
use tribin::plan::{Sample, Tuning};
use tribin_device::emulated::{Config, Emulator};
use tribin_device::launch::Metered;

use super::hybrid::{ALL_GROUPED, BYTES, SEGMENTS, check, oriented};
use testkit::generators::clique;

/// The first edges are those among the hubs: all of a graph with fewer ranks, and of a clique a clique.
#[test]
fn the_edges_among_the_hubs_are_counted_with_the_wedges() {
    if !devices::emulator() {
        return;
    }
    let device = Emulator::with(Config::seeded(4));
    let n = 40u64;
    let graph = oriented(&device, &clique(n as u32));
    let all = n * (n - 1) / 2;
    for hubs in [0, 1, 2, 39, 40, 41, 512] {
        let enough = Tuning {
            hub_product: tribin::methods::hub_product::Tuning { hubs, ..ALL_GROUPED.hub_product },
            ..ALL_GROUPED
        };
        let sample = sample::measure(&device, &graph, &enough).unwrap();
        let first = u64::from(hubs).min(n);
        let among = first * first.saturating_sub(1) / 2;
        assert_eq!(sample.hub_edges, among, "{hubs}");
        assert_eq!(hub_matrix_edges(&sample, &enough), among);
        let too_few = Tuning { hub_min_edges: among as u32 + 1, ..enough };
        assert_eq!(hub_matrix_edges(&sample, &too_few), 0);
        let permille = (among * 1_000 / all) as u32;
        let share = Tuning { hub_min_permille: permille, ..enough };
        assert_eq!(hub_matrix_edges(&sample, &share), among);
        let too_little = Tuning { hub_min_permille: permille + 1, ..enough };
        assert_eq!(hub_matrix_edges(&sample, &too_little), 0);
    }
}

/// Every wedge of a clique closes; whether that is at a head without a bit of its own decides.
#[test]
fn triangles_that_would_be_looked_up_keep_edges_in_place() {
    if !devices::emulator() {
        return;
    }
    let device = Emulator::with(Config::seeded(3));
    let n = 30u64;
    let graph = oriented(&device, &clique(n as u32));
    let tuning = Tuning {
        row_bits: row_bits::Tuning { filter_log2: 10, ..ALL_GROUPED.row_bits },
        high_max_permille: 300,
        sample_step: 1,
        ..ALL_GROUPED
    };
    let high = |exact: u32| {
        let tuning = Tuning { row_bits: row_bits::Tuning { exact, ..tuning.row_bits }, ..tuning };
        let sample = sample::measure(&device, &graph, &tuning).unwrap();
        // The edges of head a, of which there are n - 1 - a, have a triangles each.
        let all = n * (n - 1) * (n - 2) / 6;
        let of_high = (u64::from(exact)..n).map(|a| (n - 1 - a) * a).sum();
        let expected = Sample {
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
        let counted = count(&device, &graph, &tuning).unwrap();
        assert_eq!(counted.triangles, all);
        // Mean row of an edge over mean row, times 0.3.
        let most = 2 * all * (n - 1) * 1_000 / expected.edges.pow(2) * 300;
        assert_eq!(counted.edges.in_place > 0, of_high * 1_000_000 > all * most, "{exact}");
        counted.edges.in_place
    };
    assert_eq!((high(0), high(29)), (n * (n - 1) / 2, 0));
    for exact in 1..29 {
        high(exact);
    }
}

/// A ring whose vertices are joined to those so many further on: of one degree, and so ranked by id.
fn ring(vertices: u32, steps: &[u32]) -> Vec<[u32; 2]> {
    (0..vertices).flat_map(|v| steps.iter().map(move |s| [v, (v + s) % vertices])).collect()
}

/// Ranks are near if they are at most a 256th of all apart: four, of 1,024.
#[test]
fn a_sample_finds_edges_between_near_ranks() {
    if !devices::emulator() {
        return;
    }
    let device = Emulator::with(Config::seeded(5));
    // All but those across the end of the ring: one of step 1, and four of step 4.
    for (ranks, expected) in [(1_023u64, 1_023 - 1), (1_024, 2 * 1_024 - 1 - 4)] {
        let graph = oriented(&device, &ring(ranks as u32, &[1, 4, 5, 100]));
        let near = |sample_step| {
            let sample =
                sample::measure(&device, &graph, &Tuning { sample_step, ..BYTES }).unwrap();
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
    if !devices::emulator() {
        return;
    }
    let device = Emulator::with(Config::seeded(6));
    let ranks = 1_024u32;
    let bytes = Tuning { sample_step: 1, ..BYTES };
    // Steps 200, 300 and 500 close a triangle for every vertex; 1 to 3 close some more.
    for (steps, near) in
        [(&[200, 300, 500][..], false), (&[200, 500, 300, 1], false), (&[1, 2, 3, 200], true)]
    {
        let edges = ring(ranks, steps);
        let triangles = brute_force(&edges);
        assert!(triangles >= u64::from(ranks), "{triangles} triangles");
        let graph = oriented(&device, &edges);
        let filtered = |tuning: &Tuning| {
            let found = check(&device, &graph, triangles, tuning);
            assert_eq!(found.edges.in_place, graph.edges, "{found:?}");
            matches!(found.method, Some(InPlace::NarrowBloomFilters(_) | InPlace::BloomFilters(_)))
        };
        let m = graph.edges as u32;
        let sample = sample::measure(&device, &graph, &bytes).unwrap();
        assert_eq!(sample.near * 2 > sample.sampled, near, "{sample:?}");
        assert_eq!(filtered(&bytes), !near);
        // As many edges as are asked for are enough, and as many for each rank are too many.
        assert_eq!(filtered(&Tuning { filter_min_edges: m, narrow_min_edges: m, ..bytes }), !near);
        assert!(!filtered(&Tuning { filter_min_edges: m + 1, narrow_min_edges: m + 1, ..bytes }));
        // As many wedges for each edge as are allowed are few enough.
        let most = (sample.wedges.div_ceil(graph.edges)) as u32;
        assert_eq!(filtered(&Tuning { narrow_max_wedges: most, ..bytes }), !near);
        assert!(!filtered(&Tuning { narrow_max_wedges: most - 1, ..bytes }));
        // Rows that are not short go by the other filter, wherever their ranks are.
        let other = Tuning { filter_max_permille: u32::MAX, narrow_max_permille: 0, ..bytes };
        assert!(filtered(&Tuning { narrow_max_wedges: most - 1, ..other }));
        assert!(!filtered(&other));
        // Prefixes have at most three entries: the sample is exact.
        assert_eq!(sample.triangles, triangles);
        // Those of the first 16 ranks may have bits of their own.
        let rest = triangles - sample.of_first[2].triangles;
        let permille = (rest * 1_000).div_ceil(sample.sampled) as u32;
        assert_eq!(filtered(&Tuning { narrow_max_permille: permille, ..bytes }), !near);
        assert!(!filtered(&Tuning { narrow_max_permille: permille - 1, ..bytes }));
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
    if !devices::emulator() {
        return;
    }
    let emulator = Emulator::with(Config::seeded(7));
    let device = &Metered::new(&emulator);
    for steps in [&[1, 2, 3, 4, 5, 6, 200][..], &[1, 40, 41, 400], &[100, 200, 300]] {
        let edges = ring(1_024, steps);
        let triangles = brute_force(&edges);
        let graph = oriented(device, &edges);
        let m = graph.edges;
        let base = Tuning { sample_step: 1, group_min_wedges: u32::MAX, ..SEGMENTS };
        let merged_as_segments = |tuning: &Tuning| {
            let before = device.launches();
            let counted = count(device, &graph, tuning).unwrap();
            assert_eq!((counted.triangles, counted.edges.in_place), (triangles, m), "{tuning:?}");
            // One for the sample; then the cutting and the merge, or the merge alone.
            match device.launches() - before {
                3 => true,
                2 => false,
                other => panic!("{other} launches, {tuning:?}"),
            }
        };
        let sample = sample::measure(device, &graph, &base).unwrap();
        let (wedges, joined) = wedges_and_joined(&edges);
        assert_eq!((sample.wedges, sample.joined, sample.sampled), (wedges, joined, m));
        assert!(merged_as_segments(&base));
        let each = (wedges / m) as u32;
        assert!(merged_as_segments(&Tuning { segment_min_wedges: each, ..base }));
        assert!(!merged_as_segments(&Tuning { segment_min_wedges: each + 1, ..base }));
        let steps = wedges + sample.head_entries;
        let steps = steps * sample.joined_wedges / sample.sampled_wedges;
        let saved = (steps / m) as u32;
        let least = |segment_min_saved| Tuning { segment_min_saved, ..base };
        assert!(merged_as_segments(&least(saved)));
        assert!(!merged_as_segments(&least(saved + 1)));
        // A small graph has no groups, and a larger one has.
        let small = Tuning {
            group_min_wedges: 0,
            grouped_min_permille: 0,
            segment_min_saved: saved,
            merge_small_edges: m as u32,
            ..base
        };
        assert!(merged_as_segments(&small));
        assert!(!merged_as_segments(&Tuning { segment_min_saved: saved + 1, ..small }));
        assert!(!merged_as_segments(&Tuning { segment_min_wedges: each + 1, ..small }));
        let grouped = Tuning { merge_small_edges: m as u32 - 1, ..small };
        let counted = count(device, &graph, &grouped).unwrap();
        assert_eq!((counted.triangles, counted.edges.in_place), (triangles, 0), "{grouped:?}");
        // Where filters pay, they are taken.
        for narrow_max_wedges in [0, u32::MAX] {
            let filter =
                Tuning { filter_min_edges: 0, narrow_min_edges: 0, narrow_max_wedges, ..base };
            let filter = Tuning { narrow_max_permille: u32::MAX, ..filter };
            let HybridCount { edges, method, .. } = count(device, &graph, &filter).unwrap();
            let near = narrow_max_wedges > 0 && sample.near * 2 > m;
            assert_eq!(edges.in_place, m);
            let filters =
                matches!(method, Some(InPlace::NarrowBloomFilters(_) | InPlace::BloomFilters(_)));
            assert_eq!(filters, !near);
        }
    }
}
