//! Whole counts on graphs with a shape of their own.

use testkit::oracle::{Simple, brute_force};
use testkit::{devices, effort};
use tribin::Graph;
use tribin_device::emulated::{Config, Emulator};
use tribin_device::launch::Device;
use tribin_gpu::counting::radix;
use tribin_gpu::methods::radix_binning::{KeyOrder, Options, Orientation, RadixCount};

use super::model;
use testkit::generators::{self, clique, star, wheel};

/// Counts, and compares everything with the model: figures of the levels only where there is one batch.
pub fn check<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    edges: &[[u32; 2]],
    options: &Options,
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

fn cases() -> Vec<(String, Vec<[u32; 2]>)> {
    let mut cases = vec![
        ("nothing".into(), vec![]),
        ("a self-loop".into(), vec![[0, 0]]),
        ("an edge".into(), vec![[0, 1]]),
        ("an edge four times".into(), vec![[5, 1], [1, 5], [5, 1], [1, 5]]),
        ("a triangle with a gap".into(), vec![[9, 2], [4, 9], [2, 4], [4, 4]]),
        ("the largest id is a loop".into(), vec![[0, 1], [7, 7], [1, 2], [2, 0]]),
        ("bipartite".into(), (0..40).flat_map(|u| (40..75).map(move |v| [u, v])).collect()),
        ("far apart".into(), vec![[0, 70_000], [70_000, 65_536], [65_536, 0], [1, 69_999]]),
    ];
    for n in [3, 33, 64, 65] {
        cases.push((format!("clique {n} with loops"), clique(n)));
        cases.push((format!("wheel {n}"), wheel(n)));
    }
    cases.push(("star".into(), star(130)));
    for (scale, factor) in [(5, 16), (8, 8)] {
        let rmat = generators::rmat(scale, factor, 7);
        let both = rmat.iter().flat_map(|&[u, v]| [[u, v], [v, u]]).collect();
        cases.push((format!("rmat {scale} both directions"), both));
        cases.push((format!("rmat {scale}"), rmat));
    }
    cases.push(("watts-strogatz".into(), generators::watts_strogatz(500, 6, 100, 3)));
    cases.push(("barabasi-albert".into(), generators::barabasi_albert(300, 7, 3)));
    cases
}

/// Each graph with one in `share` of the options in a quick run, and each of them on one in `share` graphs.
fn check_all<D: Device<Error: std::fmt::Debug>>(device: &D, share: usize) {
    let options = [Orientation::Degree, Orientation::None].into_iter().flat_map(|orientation| {
        [(KeyOrder::Concatenated, 16), (KeyOrder::Interleaved, 16), (KeyOrder::Concatenated, 1024)]
            .map(|(key_order, threshold)| Options {
                orientation,
                key_order,
                threshold,
                ..Options::default()
            })
    });
    let options: Vec<Options> = options.collect();
    for (number, (name, edges)) in cases().into_iter().enumerate() {
        println!("{name}");
        for (at, options) in options.iter().enumerate() {
            if effort::takes(number + at, share) {
                check(device, &edges, options);
            }
        }
    }
}

#[test]
fn the_emulator_counts_what_the_model_counts() {
    if devices::emulator() {
        check_all(&Emulator::with(Config::seeded(1)), 3);
    }
}

#[test]
fn the_gpu_counts_what_the_model_counts() {
    if let Some(gpu) = devices::gpu() {
        check_all(&gpu, 1);
    }
}

/// Known counts of graphs that are too large for the model.
fn check_count<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    name: &str,
    edges: Vec<[u32; 2]>,
    triangles: u64,
    options: &Options,
) {
    let graph = Graph::from_edges(edges);
    for orientation in [Orientation::Degree, Orientation::None] {
        let options = Options { orientation, ..*options };
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
    let options = Options { threshold: 0, ..Options::default() };
    for digit_bits in [1, 3, 8] {
        let options = Options { digit_bits, ..options };
        let n = 10 * scale;
        check_count(device, "a clique", clique(n), choose_3(n), &options);
        let mut far = clique(n);
        far.push([0, 1 << 20]);
        check_count(device, "a clique and a far vertex", far, choose_3(n), &options);
    }
    for threshold in [0, 3, 200] {
        let options = Options { threshold, ..Options::default() };
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
        let options = Options { threshold: 16, ..Options::default() };
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
    let options = Options { threshold: u32::MAX, ..Options::default() };
    check(&emulator, &clique(60), &options);
    let paper = Options { orientation: Orientation::None, ..options };
    let count = check(&emulator, &generators::uniform(700, 1700, 5), &paper);
    assert!(count.edges > 3000 && count.candidates > 4096, "{count:?}");
}
