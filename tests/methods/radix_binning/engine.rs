//! Whole counts on graphs with a shape of their own.

use testkit::devices;
use testkit::oracle::{Simple, brute_force};
use tribin::Graph;
use tribin_device::emulated::{Config, Emulator};
use tribin_device::launch::Device;
use tribin_papers::radix_binning as radix;
use tribin_papers::radix_binning::{Orientation, RadixCount, RadixOptions};

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

/// Known counts of graphs that are too large for the model.
fn check_count<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    name: &str,
    edges: Vec<[u32; 2]>,
    triangles: u64,
    options: &RadixOptions,
) {
    let graph = Graph::from_edges(edges);
    for orientation in [Orientation::Degree, Orientation::None] {
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

/// Trees of every shape: deep, wide, all keys in one bucket of every level but the last, and many tiny
/// buckets.
fn check_trees<D: Device<Error: std::fmt::Debug>>(device: &D, scale: u32) {
    let options = RadixOptions { threshold: 0, ..RadixOptions::default() };
    for digit_bits in [1, 3, 8] {
        let options = RadixOptions { digit_bits, ..options };
        let n = 10 * scale;
        check_count(device, "a clique", clique(n), choose_3(n), &options);
        let mut far = clique(n);
        far.push([0, 1 << 20]);
        check_count(device, "a clique and a far vertex", far, choose_3(n), &options);
    }
    for threshold in [0, 3, 200] {
        let options = RadixOptions { threshold, ..RadixOptions::default() };
        let cliques = 40 * scale * scale;
        let edges = cliques_of_four(cliques);
        check_count(device, "cliques of four", edges, 4 * u64::from(cliques), &options);
    }
}

fn choose_3(n: u32) -> u64 {
    let n = u64::from(n);
    n * (n - 1) * (n - 2) / 6
}

#[test]
fn trees_of_every_shape_in_the_emulator() {
    if devices::emulator() {
        check_trees(&Emulator::with(Config::seeded(2)), 2);
    }
}

#[test]
fn trees_of_every_shape_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        check_trees(&gpu, 60);
        // A million buckets that one warp finishes each.
        let options = RadixOptions { threshold: 16, ..RadixOptions::default() };
        let edges = cliques_of_four(1 << 20);
        check_count(&gpu, "a million cliques of four", edges, 4 << 20, &options);
    }
}

/// A side larger than a block's table, in several chunks, and thresholds above it.
#[test]
fn tasks_of_several_tables_and_chunks() {
    if !devices::emulator() {
        return;
    }
    let emulator = Emulator::with(Config::seeded(3));
    let options = RadixOptions { threshold: u32::MAX, ..RadixOptions::default() };
    check(&emulator, &clique(60), &options);
    let paper = RadixOptions { orientation: Orientation::None, ..options };
    let count = check(&emulator, &generators::uniform(700, 1700, 5), &paper);
    assert!(count.edges > 3000 && count.candidates > 4096, "{count:?}");
}
