//! Whole counts on graphs with a shape of their own.

use testkit::oracle::{Simple, brute_force};
use testkit::{devices, effort};
use tribin::Graph;
use tribin_papers::radix_binning as radix;
use tribin_papers::radix_binning::{Orientation, RadixCount, RadixOptions};
use warpwise_device::launch::Device;

use super::model;
use testkit::generators::{self, clique};

/// Counts, and compares everything with the model: figures of the levels only where there is one batch.
pub fn check<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    edges: &[[u32; 2]],
    options: &RadixOptions,
) -> RadixCount {
    let graph = Graph::from_edges(edges.to_vec());
    let count = radix::count(device, &graph, options).unwrap();
    let lists = model::Lists::of(edges, options.orientation);
    assert_eq!(count.triangles, brute_force(edges), "{options:?}");
    assert_eq!(count.edges, lists.edges.len() as u64, "{options:?}");
    assert_eq!(count.candidates, lists.candidates.len() as u64, "{options:?}");
    assert_eq!(count.figures.edges, Simple::of(edges).edges().len() as u64);
    if count.batches <= 1 {
        let (matches, levels) = lists.intersect(options);
        let closings = if options.orientation == Orientation::None { 3 } else { 1 };
        assert_eq!(matches, closings * count.triangles, "the model itself");
        assert_eq!(count.levels, levels, "{options:?}");
    }
    count
}

/// Known counts of graphs that are too large for the model, in these orientations.
fn check_count<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    name: &str,
    edges: Vec<[u32; 2]>,
    triangles: u64,
    options: &RadixOptions,
    orientations: impl Iterator<Item = Orientation>,
) {
    let graph = Graph::from_edges(edges);
    for orientation in orientations {
        let options = RadixOptions { orientation, ..*options };
        let count = radix::count(device, &graph, &options).unwrap();
        assert_eq!(count.triangles, triangles, "{name}, {options:?}");
    }
}

/// Cliques of four, side by side: 4 triangles each.
fn cliques_of_four(cliques: u32) -> Vec<[u32; 2]> {
    let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    (0..cliques).flat_map(|c| pairs.map(|pair| pair.map(|v| 4 * c + v))).collect()
}

const ORIENTATIONS: [Orientation; 2] = [Orientation::Degree, Orientation::None];

/// Trees of every shape: deep, wide, all keys in one bucket of every level but the last, and many tiny
/// buckets. A quick run takes each in one of the two orientations where `share` is two.
fn check_trees<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    scale: u32,
    far_vertex: u32,
    share: usize,
) {
    let some = |at| effort::some(ORIENTATIONS, at, share);
    let options = RadixOptions { threshold: 0, ..RadixOptions::default() };
    for (at, digit_bits) in [1, 3, 8].into_iter().enumerate() {
        let options = RadixOptions { digit_bits, ..options };
        let n = 10 * scale;
        check_count(device, "a clique", clique(n), choose_3(n), &options, some(at));
        let mut far = clique(n);
        far.push([0, far_vertex]);
        check_count(device, "a clique and a far vertex", far, choose_3(n), &options, some(at + 1));
    }
    for (at, threshold) in [0, 3, 200].into_iter().enumerate() {
        let options = RadixOptions { threshold, ..RadixOptions::default() };
        let cliques = 40 * scale * scale;
        let (edges, triangles) = (cliques_of_four(cliques), 4 * u64::from(cliques));
        check_count(device, "cliques of four", edges, triangles, &options, some(at));
    }
}

fn choose_3(n: u32) -> u64 {
    let n = u64::from(n);
    n * (n - 1) * (n - 2) / 6
}

#[test]
fn trees_of_every_shape_in_the_emulator() {
    if let Some(emulator) = devices::emulated(2) {
        // A graph of a million ranks takes the emulator long to prepare.
        let far_vertex = if effort::is_full() { 1 << 20 } else { 1 << 12 };
        check_trees(&emulator, 2, far_vertex, 2);
    }
}

#[test]
fn trees_of_every_shape_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        check_trees(&gpu, 60, 1 << 20, 1);
        // A million buckets that one warp finishes each.
        let options = RadixOptions { threshold: 16, ..RadixOptions::default() };
        let edges = cliques_of_four(1 << 20);
        let all = ORIENTATIONS.into_iter();
        check_count(&gpu, "a million cliques of four", edges, 4 << 20, &options, all);
    }
}

/// A side larger than a block's table, in several chunks, and thresholds above it.
#[test]
fn tasks_of_several_tables_and_chunks() {
    let Some(emulator) = devices::emulated(3) else { return };
    let options = RadixOptions { threshold: u32::MAX, ..RadixOptions::default() };
    check(&emulator, &clique(60), &options);
    let paper = RadixOptions { orientation: Orientation::None, ..options };
    let count = check(&emulator, &generators::uniform(700, 1700, 5), &paper);
    assert!(count.edges > 3000 && count.candidates > 4096, "{count:?}");
}
