//! Whole counts on graphs with a shape of their own.

use tribin::Graph;
use tribin::engine::radix_gpu::{self, KeyOrder, Options, Orientation};
use tribin_device::emulated::{Config, Emulator};
use tribin_device::launch::Device;

use crate::{generators, model};

/// Counts, and compares everything with the model: figures of the levels only where there is one batch.
pub fn check<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    edges: &[[u32; 2]],
    options: &Options,
) -> radix_gpu::RadixCount {
    let graph = Graph::from_edges(edges.to_vec());
    let count = radix_gpu::count(device, &graph, options).unwrap();
    let lists = model::Lists::of(edges, options.orientation);
    assert_eq!(count.triangles, model::triangles(edges), "{options:?}");
    assert_eq!(count.edges, lists.edges.len() as u64, "{options:?}");
    assert_eq!(count.candidates, lists.candidates.len() as u64, "{options:?}");
    assert_eq!(count.figures.edges, model::simple(edges).len() as u64);
    if count.batches <= 1 {
        let (matches, levels) = lists.intersect(options);
        let closings = if options.orientation == Orientation::None { 3 } else { 1 };
        assert_eq!(matches, closings * count.triangles, "the model itself");
        assert_eq!(count.levels, levels, "{options:?}");
    }
    count
}

fn clique(n: u32) -> Vec<[u32; 2]> {
    (0..n).flat_map(|u| (u..n).map(move |v| [v, u])).collect()
}

fn star(n: u32) -> Vec<[u32; 2]> {
    (0..n).map(|leaf| [n, leaf]).collect()
}

fn wheel(n: u32) -> Vec<[u32; 2]> {
    (0..n).flat_map(|v| [[n, v], [v, (v + 1) % n]]).collect()
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

fn check_all<D: Device<Error: std::fmt::Debug>>(device: &D) {
    for (name, edges) in cases() {
        println!("{name}");
        for orientation in [Orientation::Degree, Orientation::None] {
            for key_order in [KeyOrder::Concatenated, KeyOrder::Interleaved] {
                for threshold in [1024, 16] {
                    let options =
                        Options { orientation, key_order, threshold, ..Options::default() };
                    check(device, &edges, &options);
                }
            }
        }
    }
}

#[test]
fn the_emulator_counts_what_the_model_counts() {
    check_all(&Emulator::with(Config::seeded(1)));
}

#[test]
fn the_gpu_counts_what_the_model_counts() {
    if let Some(gpu) = crate::gpu() {
        check_all(&gpu);
    }
}
