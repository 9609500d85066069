//! Support, local counts and trussness from the oriented graph on the device, beside the count.

use tribin::Graph;
use tribin_device::launch::Device;
use tribin_gpu::analytics::local::local_counts;
use tribin_gpu::analytics::support::{LONGEST_WITH_THIRDS, Method, choose, edge_support};
use tribin_gpu::analytics::truss::{PeelShape, trussness};
use tribin_gpu::counting::hybrid;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::prepare::{OnDevice, prepare_keeping_vertices, upload};
use tribin_plan::counting::{CountingSettings, RowBits};
use tribin_plan::truss::Peeler;

use super::Spread;

/// Milliseconds of `runs` runs after one warm-up, of each figure that `run` returns in seconds.
fn timed<const N: usize>(
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

/// The method with every cut-off of the groups moved, one at a time.
fn sweep_of(base: RowBits, counters: u32) -> Vec<(String, Method)> {
    let mut sweep = Vec::new();
    let mut add = |name: String, row_bits: RowBits, counters: u32| {
        sweep.push((
            name,
            Method::Groups {
                row_bits,
                counters,
                longest_with_thirds: LONGEST_WITH_THIRDS,
                free: u64::MAX,
            },
        ));
    };
    for (exact, filter_log2) in [(4_096, 12), (8_192, 13), (12_288, 12), (28_672, 12), (57_344, 13)]
    {
        let row_bits = RowBits { exact, filter_log2, ..base };
        add(format!("exact {exact}, filter log2 {filter_log2}"), row_bits, counters);
    }
    for min_edges in [4, 16, 32] {
        add(format!("least edges {min_edges}"), RowBits { min_edges, ..base }, counters);
    }
    for chunk in [256, 512, 2_048, 8_192] {
        add(format!("chunk {chunk}"), RowBits { chunk, ..base }, counters);
    }
    for lanes in [1, 2, 4] {
        let row_bits = RowBits { stream_lanes_log2: lanes, ..base };
        add(format!("stream lanes log2 {lanes}"), row_bits, counters);
    }
    for (block, blocks_per_multiprocessor) in [(64, 32), (256, 8)] {
        let row_bits = RowBits { block, blocks_per_multiprocessor, ..base };
        add(format!("block {block}"), row_bits, counters);
    }
    for lanes in [0, 1, 3] {
        let row_bits = RowBits { search_lanes_log2: lanes, ..base };
        add(format!("search lanes log2 {lanes}"), row_bits, counters);
    }
    for counters in [0, 256, 512, 2_048] {
        add(format!("counters {counters}"), base, counters);
    }
    sweep
}

fn bench_support(
    gpu: &Gpu,
    ready: &OnDevice<Gpu>,
    runs: usize,
    (name, method): (&str, &Method),
) -> tribin::Result<()> {
    let [both, group, count] = timed(runs, || {
        let start = gpu.record()?;
        let seconds = edge_support(gpu, &ready.graph, method)?.seconds;
        let end = gpu.record()?;
        Ok([gpu.seconds_between(&start, &end)?, seconds.group, seconds.count])
    })?;
    println!("  {name:36} {both}  group {group}  count {count}");
    Ok(())
}

/// Prints the time of the hybrid count, and of each result by vertex and by edge.
///
/// `sweep`: with every cut-off of the groups moved. `peel_blocks`: other than the default.
pub fn bench(
    gpu: &Gpu,
    name: &str,
    graph: &Graph,
    runs: usize,
    sweep: bool,
    peel_blocks: Option<u32>,
) -> tribin::Result<()> {
    let bound = graph.vertex_bound() as u64;
    let host_to_count = timed(runs, || {
        let start = gpu.record()?;
        let (entries, _) = upload(gpu, graph)?;
        let ready = prepare_keeping_vertices(gpu, entries, bound)?;
        let prepared = gpu.record()?;
        edge_support(
            gpu,
            &ready.graph,
            &Method::of(choose(gpu, &ready.graph, u64::MAX)?.choice, u64::MAX),
        )?;
        let end = gpu.record()?;
        Ok([gpu.seconds_between(&start, &prepared)?, gpu.seconds_between(&start, &end)?])
    })?;
    let (entries, _) = upload(gpu, graph)?;
    let ready = prepare_keeping_vertices(gpu, entries, bound)?;
    println!("{name}: {} edges", ready.graph.edges);
    println!("  {:36} {}", "upload, orient, clean", host_to_count[0]);
    println!("  {:36} {}", "the same and support", host_to_count[1]);

    let mut triangles = 0;
    let [both, group, count] = timed(runs, || {
        let start = gpu.record()?;
        let hybrid = hybrid::count(gpu, &ready.graph, &CountingSettings::MEASURED)?;
        let end = gpu.record()?;
        triangles = hybrid.triangles;
        let seconds = hybrid.seconds;
        Ok([gpu.seconds_between(&start, &end)?, seconds.group, seconds.count()])
    })?;
    println!("  {:36} {both}  group {group}  count {count}", "hybrid count");
    bench_support(gpu, &ready, runs, ("support, groups", &Method::GROUPS))?;
    bench_support(gpu, &ready, runs, ("support, merge", &Method::Merge))?;
    if sweep && let Method::Groups { row_bits, counters, .. } = Method::GROUPS {
        for (name, method) in sweep_of(row_bits, counters) {
            bench_support(gpu, &ready, runs, (&name, &method))?;
        }
    }
    let method = Method::of(choose(gpu, &ready.graph, u64::MAX)?.choice, u64::MAX);
    let support = edge_support(gpu, &ready.graph, &method)?.per_edge;
    let [local] = timed(runs, || {
        let start = gpu.record()?;
        let local = local_counts(gpu, &ready.graph, &support)?;
        let end = gpu.record()?;
        assert_eq!(local.triangles.iter().sum::<u64>(), 3 * triangles, "local counts");
        Ok([gpu.seconds_between(&start, &end)?])
    })?;
    println!("  {:36} {local}", "local counts, to the host");
    drop(support);

    let shape = PeelShape::default();
    let blocks_per_multiprocessor = peel_blocks.unwrap_or(shape.blocks_per_multiprocessor);
    let shape = PeelShape { blocks_per_multiprocessor, ..shape };
    let mut peeling = None;
    let [total, support, list, peel] = timed(runs, || {
        let truss = trussness(gpu, &ready.graph, &method, Peeler::Lists, shape)?;
        assert_eq!(truss.peeling.listed, triangles, "trussness");
        peeling = Some(truss.peeling);
        let seconds = truss.seconds;
        Ok([seconds.total(), seconds.support, seconds.list, seconds.peel])
    })?;
    println!("  {:36} {total}  support {support}  list {list}  peel {peel}", "trussness");
    println!("  {peeling:?}, peak {} MB", gpu.take_peak_memory()? / 1_000_000);
    Ok(())
}
