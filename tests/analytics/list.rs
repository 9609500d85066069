//! Triangles listed by the kernels, against the CPU's list and brute force: in the emulator always, and on a GPU where
//! there is one, there also on the reference graphs.

use std::collections::BTreeSet;
use std::fmt::Debug;

use proptest::prelude::*;
use testkit::devices::prepared;
use testkit::oracle::Simple;
use testkit::oracle::triangle_hash;
use testkit::reference::{self, Reference};
use testkit::{devices, effort, skip};
use tribin::analytics::cpu::list::each_triangle;
use tribin::{Context, Graph, OrientedGraph};
use tribin_gpu::analytics::list::TriangleListing;
use tribin_gpu::device_graph;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::plan::Task;
use tribin_gpu::plan::listing::listing_bytes;
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::{Device, Metered};

use super::gpu::{GPU, cases, gpu_beside_the_emulator};

/// The set of a list that has each triangle once.
fn set_of(triangles: &[[u32; 3]]) -> BTreeSet<[u32; 3]> {
    let set: BTreeSet<_> = triangles.iter().copied().collect();
    assert_eq!(set.len(), triangles.len(), "a triangle comes twice");
    assert!(set.iter().all(|[a, b, c]| a < b && b < c), "vertices ascend");
    set
}

/// The sum and the exclusive or of the hashes of some triangles, which do not depend on their order.
fn hash_of(triangles: &[[u32; 3]]) -> [u64; 2] {
    let hashes = || triangles.iter().map(|&triangle| triangle_hash(triangle));
    [hashes().fold(0, u64::wrapping_add), hashes().fold(0, |odd, hash| odd ^ hash)]
}

/// The blocks of the CPU's list.
fn each_block(graph: &OrientedGraph, mut see: impl FnMut(&[[u32; 3]]) + Send) {
    let mut take = |blocks: Vec<Vec<[u32; 3]>>| {
        blocks.iter().for_each(|block| see(block));
        Ok(true)
    };
    each_triangle(graph, &Context::silent(), &mut take).unwrap();
}

/// Lists in chunks of any size, and any part of the list.
fn check<D: Device<Error: Debug>>(device: &D, graph: &Graph, at_a_time: &[u64]) {
    let ready = prepared(device, graph, Task::AtVertices).unwrap();
    let on_host = device_graph::download(device, &ready.graph).unwrap();
    let mut listed = Vec::new();
    each_block(&on_host, |block| listed.extend_from_slice(block));
    let set = set_of(&listed);
    assert_eq!(
        set.len() as u64,
        Simple::with_vertices(graph.edges(), graph.vertex_bound()).triangles()
    );
    let mut first: Option<Vec<[u32; 3]>> = None;
    for &at_a_time in at_a_time {
        let all = check_chunks(device, &ready.graph, at_a_time);
        assert_eq!(set_of(&all), set, "in chunks of {at_a_time}");
        // The order is that of the edges, whatever the chunks.
        assert_eq!(*first.get_or_insert_with(|| all.clone()), all, "in chunks of {at_a_time}");
    }
}

fn check_chunks<D: Device<Error: Debug>>(
    device: &D,
    graph: &DeviceGraph<D>,
    at_a_time: u64,
) -> Vec<[u32; 3]> {
    let mut listing = TriangleListing::new(device, graph, at_a_time).unwrap();
    let triangles = listing.triangles();
    let mut read = |from: u64, to: u64| {
        let mut found = vec![[u32::MAX; 3]; (to - from) as usize];
        listing.read(device, graph, from, &mut found).unwrap();
        found
    };
    let all = read(0, triangles);
    for (from, to) in [(0, 0), (triangles / 2, triangles), (triangles / 3, triangles / 2)] {
        assert_eq!(read(from, to), all[from as usize..to as usize], "{from}..{to} of {triangles}");
    }
    all
}

#[test]
fn every_chunk_size_lists_the_cpus_triangles_in_the_emulator() {
    if !devices::emulator() {
        return;
    }
    for (name, edges) in cases() {
        println!("{name}");
        let graph = Graph::from_edges(edges);
        check(&Emulator::with(Config::seeded(2)), &graph, &[1_000, 313, u64::MAX]);
    }
    // One at a time: as many launches as triangles.
    let few = Graph::from_edges(testkit::generators::clique(7));
    check(&Emulator::with(Config::seeded(3)), &few, &[1, 2, 34, 35, 36]);
}

#[test]
fn every_chunk_size_lists_the_cpus_triangles_on_a_gpu() {
    match &*GPU {
        Ok(gpu) => {
            for (name, edges) in cases() {
                println!("{name}");
                check(gpu, &Graph::from_edges(edges), &[7, 1_000, u64::MAX]);
            }
        }
        Err(reason) => skip::whole(devices::without_gpu(reason)),
    }
}

#[test]
fn reference_graphs_have_the_cpus_triangles() {
    let gpu = gpu_beside_the_emulator();
    for row in reference::all() {
        let is_small = row.edges <= 3_200 && row.triangles <= 3_300;
        if gpu.is_none() && !(devices::emulator_wanted() && is_small) {
            continue;
        }
        println!("{}", row.file);
        let graph = tribin::open(&row.path).unwrap();
        if devices::emulator_wanted() && is_small {
            check(&Emulator::with(Config::seeded(5)), &graph, &[500]);
        }
        if let Some(gpu) = gpu {
            check_hash(gpu, &row, &graph);
        }
    }
}

/// Against the CPU's list of the graph as the CPU prepares it.
fn check_hash(gpu: &tribin_gpu::device::cuda::Gpu, row: &Reference, graph: &Graph) {
    let oriented = tribin::oriented(graph).0;
    let mut expected = [0u64; 2];
    each_block(&oriented, |block| {
        let [sum, odd] = hash_of(block);
        expected = [expected[0].wrapping_add(sum), expected[1] ^ odd];
    });
    let ready = prepared(gpu, graph, Task::AtVertices).unwrap();
    let mut listing = TriangleListing::new(gpu, &ready.graph, 100_000).unwrap();
    assert_eq!(listing.triangles(), row.triangles, "{}", row.file);
    let mut found = vec![[0; 3]; row.triangles as usize];
    listing.read(gpu, &ready.graph, 0, &mut found).unwrap();
    assert_eq!(hash_of(&found), expected, "{}", row.file);
}

/// A device that has the predicted bytes, and no more, lists all triangles.
#[test]
fn listing_takes_no_more_memory_than_predicted() {
    let Some(emulator) = devices::emulated(1) else { return };
    for (edges, at_a_time) in [(testkit::generators::clique(60), 500), (vec![[0, 1]], 7)] {
        let graph = Graph::from_edges(edges);
        let device = Metered::of(&emulator);
        let ready = prepared(&device, &graph, Task::AtVertices).unwrap();
        let before = device.live_bytes();
        device.reset_peak();
        let mut listing = TriangleListing::new(&device, &ready.graph, at_a_time).unwrap();
        let mut all = vec![[0; 3]; listing.triangles() as usize];
        listing.read(&device, &ready.graph, 0, &mut all).unwrap();
        let taken = device.peak_bytes() - before;
        assert!(taken <= listing_bytes(ready.graph.edges, at_a_time), "{taken}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort::cases(32)))]

    /// Loops, duplicates, isolated vertices and gaps between ids, in chunks of any size.
    #[test]
    fn any_multigraph_is_listed_in_any_chunks(
        edges in prop_oneof![
            prop::collection::vec(prop::array::uniform2(0u32..30), 0..250),
            prop::collection::vec([0u32..8, 0u32..60], 1..200),
        ],
        at_a_time in 5u64..400,
        seed in 0u64..8,
    ) {
        if devices::emulator_wanted() {
            let device = Emulator::with(Config::seeded(seed));
            check(&device, &Graph::from_edges(edges), &[at_a_time, 1_000]);
        }
    }
}
