//! Support and local counts from the oriented graph on the device, beside the count.

use testkit::devices::prepared;
use tribin::Graph;
use tribin_gpu::analytics::local::local_counts;
use tribin_gpu::analytics::support::{SupportGroups, choose, edge_support};
use tribin_gpu::counting::hybrid;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::plan::Task;
use tribin_gpu::plan::counting::CountingSettings;
use tribin_gpu::plan::support::SupportCounter;
use tribin_gpu::prepare::OnDevice;
use warpwise_device::launch::Device;

use super::Spread;

/// Milliseconds of `runs` runs after one warm-up, of each figure that `run` returns in seconds.
pub fn timed<const N: usize>(
    runs: usize,
    mut run: impl FnMut() -> tribin::Result<[f64; N]>,
) -> tribin::Result<[Spread; N]> {
    let mut samples = [const { Vec::new() }; N];
    run()?;
    for _ in 0..runs {
        for (samples, seconds) in samples.iter_mut().zip(run()?) {
            samples.push(seconds * 1e3);
        }
    }
    Ok(samples.map(Spread))
}

fn bench_support(
    gpu: &Gpu,
    ready: &OnDevice<Gpu>,
    runs: usize,
    (name, counter): (&str, SupportCounter),
) -> tribin::Result<()> {
    let [support] = timed(runs, || {
        let start = gpu.record()?;
        edge_support(gpu, &ready.graph, counter, &SupportGroups::MEASURED)?;
        let end = gpu.record()?;
        Ok([gpu.seconds_between(&start, &end)?])
    })?;
    println!("  {name:36} {support}");
    Ok(())
}

/// Prints the time of the hybrid count, and of each result by vertex and by edge.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize) -> tribin::Result<()> {
    let host_to_count = timed(runs, || {
        let start = gpu.record()?;
        let ready = prepared(gpu, graph, Task::AtVertices)?;
        let prepared = gpu.record()?;
        let counter = choose(gpu, &ready.graph, u64::MAX)?.choice;
        edge_support(gpu, &ready.graph, counter, &SupportGroups::MEASURED)?;
        let end = gpu.record()?;
        Ok([gpu.seconds_between(&start, &prepared)?, gpu.seconds_between(&start, &end)?])
    })?;
    let ready = prepared(gpu, graph, Task::AtVertices)?;
    println!("{name}: {} edges", ready.graph.edges);
    println!("  {:36} {}", "upload, orient, clean", host_to_count[0]);
    println!("  {:36} {}", "the same and support", host_to_count[1]);

    let mut triangles = 0;
    let [both, group, count] = timed(runs, || {
        let start = gpu.record()?;
        let hybrid =
            hybrid::count_within(gpu, &ready.graph, &CountingSettings::MEASURED, u64::MAX)?.0;
        let end = gpu.record()?;
        triangles = hybrid.counted.triangles;
        Ok([gpu.seconds_between(&start, &end)?, hybrid.counted.build, hybrid.counted.count])
    })?;
    println!("  {:36} {both}  group {group}  count {count}", "hybrid count");
    bench_support(gpu, &ready, runs, ("support, groups", SupportCounter::Groups))?;
    bench_support(gpu, &ready, runs, ("support, merge", SupportCounter::Merge))?;
    let counter = choose(gpu, &ready.graph, u64::MAX)?.choice;
    let support = edge_support(gpu, &ready.graph, counter, &SupportGroups::MEASURED)?;
    let [local] = timed(runs, || {
        let start = gpu.record()?;
        let local = local_counts(gpu, &ready.graph, &support)?;
        let end = gpu.record()?;
        assert_eq!(local.total(), triangles, "local counts");
        Ok([gpu.seconds_between(&start, &end)?])
    })?;
    println!("  {:36} {local}", "local counts, to the host");
    Ok(())
}
