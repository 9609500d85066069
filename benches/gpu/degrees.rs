//! Ways to count degrees side by side, of entries that are on the GPU.

use testkit::devices::entries_on;
use tribin::Graph;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::plan::preparation::{Buckets, degree_buckets};
use tribin_gpu::prepare::degrees::DeviceDegrees;
use tribin_kernels::degrees::MOST_BITS;
use warpwise_device::launch::Device;

use super::median;

/// Prints the milliseconds of each way: medians of `runs` after one warm-up. All must find the same degrees.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize) -> tribin::Result<()> {
    let (vertices, entries) = (graph.vertex_bound() as u64, graph.edges().len() as u64);
    let chosen = degree_buckets(vertices, entries, gpu.most_shared_bytes());
    println!("{name}: {entries} entries, {vertices} vertices, {chosen:?}");
    let edges = entries_on(gpu, graph.edges())?;
    let bits = [9, 11, 13, 14, MOST_BITS];
    let buckets = bits.map(|bits| Some(Buckets::with_bits(vertices, bits)));
    let mut expected = None;
    for by in [None].into_iter().chain(buckets) {
        let mut times = Vec::new();
        for _ in 0..=runs {
            let mut degrees = DeviceDegrees::with_landmarks(gpu, vertices, entries)?;
            let start = gpu.record()?;
            degrees.add_by(by, gpu, &edges, 0..entries)?;
            let end = gpu.record()?;
            times.push(gpu.seconds_between(&start, &end)? * 1e3);
            let found = degrees.degree.to_vec(gpu)?;
            assert!(*expected.get_or_insert_with(|| found.clone()) == found, "{by:?}");
        }
        println!("  {:8.3}  {by:?}", median(times));
    }
    Ok(())
}
