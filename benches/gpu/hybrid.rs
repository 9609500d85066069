//! The hybrid engine from the oriented graph on the device: grouping and each method apart.

use testkit::devices::{in_groups, prepared};
use tribin::Graph;
use tribin_gpu::counting::hybrid::{HybridCount, count_within};
use tribin_gpu::counting::sample;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::{Method, run};
use tribin_gpu::plan::Task;
use tribin_gpu::plan::WedgeSample;
use tribin_gpu::plan::counting::{
    CountShape, CountingSettings, GroupSettings, HubSettings, NarrowBloomFilters, RowTables,
    Segments, TableKind,
};
use tribin_kernels::narrow_bloom_filters::BITS_LOG2;
use warpwise_device::launch::Device;

/// Prints the times of `settings`, medians of `runs` after one warm-up, in milliseconds.
fn bench_settings(
    gpu: &Gpu,
    graph: &DeviceGraph<Gpu>,
    triangles: u64,
    runs: usize,
    (name, settings): (&str, &CountingSettings),
) -> tribin::Result<()> {
    let mut samples: Vec<HybridCount> = Vec::new();
    for _ in 0..=runs {
        let count = count_within(gpu, graph, &in_groups(settings), u64::MAX)?.0;
        assert_eq!(count.counted.triangles, triangles, "{settings:?}");
        samples.push(count);
    }
    samples.remove(0);
    let median = |phase: &dyn Fn(&HybridCount) -> f64| {
        let mut seconds: Vec<f64> = samples.iter().map(phase).collect();
        seconds.sort_by(f64::total_cmp);
        seconds[seconds.len() / 2] * 1e3
    };
    let edges = samples[0].edges;
    println!(
        "  {name:36} count {:8.3}  group {:7.3}  {edges:?}",
        median(&|c| c.counted.count),
        median(&|c| c.counted.build),
    );
    Ok(())
}

/// Prints how long it takes to make what a count goes by, and to count, medians of `runs` after one warm-up.
fn bench_made(
    gpu: &Gpu,
    graph: &DeviceGraph<Gpu>,
    runs: usize,
    triangles: u64,
    (name, method): (&str, &impl Method),
) -> tribin::Result<()> {
    let (mut making, mut counting) = (Vec::new(), Vec::new());
    for _ in 0..=runs {
        let counted = run(method, gpu, graph, &gpu.record()?)?;
        assert_eq!(counted.triangles, triangles, "{name}");
        making.push(counted.build * 1e3);
        counting.push(counted.count * 1e3);
    }
    let [made, counted] = [making, counting].map(|mut samples| {
        samples.remove(0);
        samples.sort_by(f64::total_cmp);
        samples[samples.len() / 2]
    });
    println!("  {name:36} count {counted:8.3}  make {made:7.3}");
    Ok(())
}

/// The row tables that the plan would choose, and others beside them.
fn row_tables(sample: &WedgeSample, ranks: u64) -> Vec<RowTables> {
    let chosen = RowTables::for_rows(sample.row_of_edges(), ranks);
    let mut others = vec![chosen];
    for block in [chosen.block / 2, chosen.block * 2] {
        others.push(RowTables { block: block.clamp(32, 512), ..chosen });
    }
    for lanes_log2 in [chosen.lanes_log2 - 1, chosen.lanes_log2 + 1] {
        others.push(RowTables { lanes_log2, ..chosen });
    }
    for less in [1, 2] {
        let smaller = match chosen.table {
            TableKind::Bits => continue,
            TableKind::Slots8 { slots_log2 } => {
                TableKind::Slots16 { slots_log2: slots_log2 - less }
            }
            TableKind::Slots16 { slots_log2 } => {
                TableKind::Slots16 { slots_log2: slots_log2 - less }
            }
        };
        others.push(RowTables { table: smaller, ..chosen });
    }
    others
}

/// The merge, each method by itself, the hybrid engine as it comes, and all its edges listed.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize) -> tribin::Result<()> {
    // Entries that are sorted do not stay as they are.
    let oriented = prepared(gpu, graph, Task::AtVertices)?.graph;
    let merge = CountShape::default();
    let triangles = run(&merge, gpu, &oriented, &gpu.record()?)?.triangles;
    let sample = sample::measure(gpu, &oriented, &CountingSettings::MEASURED.sample())?;
    println!(
        "{name}: {} edges, {triangles} triangles, {:.1} oriented wedges an edge; sample: {:.2} \
         triangles an edge, {:.2}% of the wedges close, {:.2}% high; {:.1}% of the edges near, {:.1}% joined",
        oriented.edges,
        sample.wedges as f64 / sample.edges as f64,
        sample.triangles as f64 / sample.sampled as f64,
        100.0 * sample.triangles as f64 / sample.sampled_wedges as f64,
        100.0 * sample.high_triangles as f64 / sample.sampled_wedges as f64,
        100.0 * sample.near as f64 / sample.sampled as f64,
        100.0 * sample.joined as f64 / sample.sampled as f64,
    );
    bench_made(gpu, &oriented, runs, triangles, ("forward_merge", &merge))?;
    let or_search = CountShape { search: true };
    bench_made(gpu, &oriented, runs, triangles, ("merge_or_search", &or_search))?;
    for bits_log2 in BITS_LOG2.0..=BITS_LOG2.1 {
        for exact in [0, 1] {
            let filters = NarrowBloomFilters { bits_log2, exact };
            let name = format!("narrow_bloom_filters, {} bits, {exact} exact", 1 << bits_log2);
            bench_made(gpu, &oriented, runs, triangles, (&name, &filters))?;
        }
    }
    bench_made(gpu, &oriented, runs, triangles, ("row_segments", &Segments))?;
    for by in row_tables(&sample, oriented.rows.len() / 2) {
        let (table, threads, lanes) = (by.table, by.block, 1 << by.lanes_log2);
        let name = format!("row_tables {table:?}, {threads} threads, {lanes} lanes");
        bench_made(gpu, &oriented, runs, triangles, (&name, &by))?;
    }
    bench_settings(gpu, &oriented, triangles, runs, ("as measured", &CountingSettings::MEASURED))?;
    let groups = GroupSettings { min_grouped_permille: 0, ..GroupSettings::MEASURED };
    let with = |groups| CountingSettings { groups: Some(groups), ..CountingSettings::MEASURED };
    bench_settings(gpu, &oriented, triangles, runs, ("always in groups and lists", &with(groups)))?;
    for hubs in [0, 4_096, 8_192, 16_384] {
        for hub_lanes_log2 in 1..=4 {
            let matrix =
                HubSettings { hubs, lanes_log2: hub_lanes_log2, min_edges: 0, min_permille: 0 };
            let settings = with(GroupSettings { hubs: (hubs > 0).then_some(matrix), ..groups });
            let name = format!("hubs {hubs}, lanes log2 {hub_lanes_log2}");
            bench_settings(gpu, &oriented, triangles, runs, (&name, &settings))?;
            if hubs == 0 {
                break;
            }
        }
    }
    Ok(())
}
