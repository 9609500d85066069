//! Triangles among the lowest ranks: products of matrices beside the other engines on the same edges.

use testkit::devices::{in_groups, prepared};
use tribin::Graph;
use tribin_gpu::counting::hybrid;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::hub_product::add_first_edges;
use tribin_gpu::methods::{Method, run};
use tribin_gpu::plan::Task;
use tribin_gpu::plan::counting::{CountShape, CountingSettings, GroupSettings, Product};
use tribin_kernels::forward::TOTALS;
use tribin_papers::bit_tiles::Tiling;
use warpwise_device::launch::{Buffer, Device};

/// The edges among the ranks below `hubs`, as a graph of its own.
fn among(gpu: &Gpu, graph: &DeviceGraph<Gpu>, hubs: u32) -> tribin::Result<DeviceGraph<Gpu>> {
    let mut rows = graph.rows.to_vec(gpu)?;
    rows.truncate(2 * hubs as usize);
    let edges = rows.iter().copied().max().unwrap_or(0);
    let part = |all: &Buffer<u32, Gpu>| -> tribin::Result<_> {
        let mut part = vec![0; edges as usize];
        all.download(gpu, 0, &mut part)?;
        Ok(Buffer::from_host(gpu, &part)?)
    };
    let rows = Buffer::from_host(gpu, &rows)?;
    let parts = [part(&graph.tails)?, part(&graph.heads)?, rows];
    Ok(DeviceGraph::of_rows(gpu, parts, u64::from(edges))?)
}

/// Medians, in milliseconds, of what `sample` gives for preprocessing and for counting, after one call
/// that is not counted.
fn medians(
    runs: usize,
    mut sample: impl FnMut() -> tribin::Result<[f64; 2]>,
) -> tribin::Result<[f64; 2]> {
    sample()?;
    let samples = (0..runs).map(|_| sample()).collect::<tribin::Result<Vec<_>>>()?;
    Ok([0, 1].map(|step| {
        let mut seconds: Vec<f64> = samples.iter().map(|sample| sample[step]).collect();
        seconds.sort_by(f64::total_cmp);
        seconds[seconds.len() / 2] * 1e3
    }))
}

/// Prints the times for the top 4,096 to 65,536 ranks of a graph.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize) -> tribin::Result<()> {
    // Entries that are sorted do not stay as they are.
    let oriented = prepared(gpu, graph, Task::AtVertices)?.graph;
    let all = CountShape::default().count(gpu, &oriented, &mut gpu.record()?)?;
    for hubs in [4_096, 16_384, 32_768, 65_536] {
        let part = among(gpu, &oriented, hubs)?;
        let triangles = CountShape::default().count(gpu, &part, &mut gpu.record()?)?;
        println!(
            "{name}, {hubs} hubs: {} edges of {}, {triangles} triangles of {all} ({:.1}%)",
            part.edges,
            oriented.edges,
            triangles as f64 / all as f64 * 100.0
        );
        let print = |name: &str, [before, count]: [f64; 2]| {
            println!("  {name:32} before {before:8.3}  count {count:8.3}");
        };
        let groups = GroupSettings { min_grouped_permille: 0, ..GroupSettings::MEASURED };
        let settings = CountingSettings { groups: Some(groups), ..CountingSettings::MEASURED };
        let row_bits = medians(runs, || {
            let found = hybrid::count_within(gpu, &part, &in_groups(&settings), u64::MAX)?.0;
            let count = found.counted;
            assert_eq!(count.triangles, triangles);
            Ok([count.build, count.count])
        })?;
        print("row bits (hybrid)", row_bits);
        let bitmap = medians(runs, || {
            let tiling = Tiling::for_ranks(u64::from(hubs));
            let start = gpu.record()?;
            let count = run(&tiling, gpu, &part, &start)?;
            assert_eq!(count.triangles, triangles);
            Ok([count.build, count.count])
        })?;
        print("bitmap", bitmap);
        let mut products: Vec<Product> =
            (1..=4).map(|lanes_log2| Product::CommonBits { lanes_log2 }).collect();
        products.push(Product::TensorBits);
        for by in products {
            let product = medians(runs, || {
                let start = gpu.record()?;
                let mut totals = Buffer::zeroed(gpu, TOTALS)?;
                let marks = add_first_edges(gpu, &part, part.edges, hubs, by, &mut totals)?;
                assert_eq!(totals.to_vec(gpu)?.iter().sum::<u64>(), triangles, "{by:?}");
                let Some([written, counted]) = marks else { return Ok([0.0, 0.0]) };
                let matrix = gpu.seconds_between(&start, &written)?;
                Ok([matrix, gpu.seconds_between(&written, &counted)?])
            })?;
            print(&format!("{by:?}"), product);
        }
    }
    Ok(())
}
