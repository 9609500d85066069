//! Triangles among hubs by every product, against sets: in the emulator always, and on a GPU where there is
//! one.

use testkit::generators;

use testkit::{devices, effort, oracle};
use tribin_gpu::analytics::support::download;
use tribin_gpu::device_graph::{DeviceGraph, EdgeShare};
use tribin_gpu::methods::Method;
use tribin_gpu::methods::hub_product::add_first_edges;
use tribin_gpu::plan::counting::{BitMatrix, Product};
use tribin_kernels::forward::TOTALS;
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::{Buffer, Device};

use super::oriented::oriented;

const PRODUCTS: [Product; 3] = [
    Product::CommonBits { lanes_log2: 0 },
    Product::CommonBits { lanes_log2: 3 },
    Product::TensorBits,
];

/// The triangles whose ranks are all below `hubs`: the larger is the tail of two of its edges.
fn triangles<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    graph: &DeviceGraph<D>,
    hubs: u32,
) -> u64 {
    // What stands behind the edges, where some were dropped, nobody wrote.
    let [tails, heads] =
        [&graph.tails, &graph.heads].map(|ends| download(device, ends, graph.edges).unwrap());
    let edges = tails.into_iter().zip(heads).filter(|(tail, _)| *tail < hubs);
    oracle::brute_force(&edges.map(|(tail, head)| [tail, head]).collect::<Vec<_>>())
}

/// The triangles that a product finds among the hubs.
fn count_hubs<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    graph: &DeviceGraph<D>,
    hubs: u32,
    by: Product,
) -> u64 {
    let mut totals = Buffer::zeroed(device, TOTALS).unwrap();
    add_first_edges(device, graph, graph.edges, hubs, by, &mut totals).unwrap();
    totals.to_vec(device).unwrap().iter().sum()
}

fn check<D: Device<Error: std::fmt::Debug>>(device: &D, edges: &[[u32; 2]], hubs: &[u32]) {
    let graph = oriented(device, edges);
    for &hubs in hubs {
        let expected = triangles(device, &graph, hubs);
        for by in PRODUCTS {
            assert_eq!(count_hubs(device, &graph, hubs, by), expected, "{hubs} hubs, {by:?}");
        }
    }
}

#[test]
fn every_product_counts_the_triangles_among_hubs_in_the_emulator() {
    let Some(device) = devices::emulated(1) else { return };
    check(&device, &[], &[512]);
    check(&device, &[[0, 0]], &[512]);
    check(&device, &generators::clique(70), &[512]);
    check(&device, &generators::rmat(9, 8, 7), &[512]);
    check(&device, &generators::watts_strogatz(600, 4, 100, 3), &[512, 1024]);
}

/// Every share of the edges has its own triangles, and all shares together have all.
fn check_shares<D: Device<Error: std::fmt::Debug>>(device: &D, edges: &[[u32; 2]]) {
    let mut graph = oriented(device, edges);
    let triangles = oracle::brute_force(edges);
    for (at, by) in PRODUCTS.into_iter().enumerate() {
        let matrix = BitMatrix { by };
        // A quick run takes half of the numbers of shares.
        for of in effort::some([1, 2, 3, 7], at, 2) {
            let share = |number| {
                graph.share = EdgeShare { number, of };
                matrix.count(device, &graph, &mut device.record().unwrap()).unwrap()
            };
            let shares: Vec<u64> = (0..of).map(share).collect();
            assert_eq!(shares.iter().sum::<u64>(), triangles, "{by:?}: {shares:?}");
        }
    }
}

#[test]
fn shares_of_a_matrix_of_all_ranks_have_all_triangles() {
    if devices::emulator() {
        let device = Emulator::with(Config::seeded(2));
        check_shares(&device, &generators::clique(90));
        check_shares(&device, &generators::rmat(9, 12, 5));
    }
    if let Some(gpu) = devices::gpu() {
        check_shares(&gpu, &generators::clique(700));
        check_shares(&gpu, &generators::rmat(12, 16, 7));
    }
}

#[test]
fn every_product_counts_the_triangles_among_hubs_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        for graph in
            [generators::clique(600), generators::rmat(12, 16, 7), generators::rmat(10, 8, 7)]
        {
            check(&gpu, &graph, &[512, 4_096, 16_384, 32_768]);
        }
    }
}

/// Which numbers of hubs can be a matrix, and the columns of its spans.
#[test]
fn spans_grow_with_the_hubs() {
    use tribin_kernels::hub_product::{is_matrix, span};
    assert_eq!([512, 16_384, 32_768, 65_536].map(span), [512, 512, 1_024, 2_048]);
    let matrices = [512, 1_536, 16_384, 32_768, 49_152, 65_536];
    assert!(matrices.into_iter().all(is_matrix));
    assert!(![0, 256, 513, 16_896, 40_960, 65_537, 81_920].into_iter().any(is_matrix));
}

#[test]
#[should_panic(expected = "hubs are a multiple of 512 up to 16,384, or of 16,384 up to 65,536")]
fn hubs_that_are_no_matrix_are_refused() {
    let device = Emulator::new();
    let graph = oriented(&device, &[]);
    count_hubs(&device, &graph, 500, Product::TensorBits);
}
