//! Triangles among the lowest ranks: products of matrices beside the other engines on the same edges.

use tribin::Graph;
use tribin_device::launch::Buffer;
use tribin_gpu::counting::hybrid;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::Method;
use tribin_gpu::methods::hub_product::count_hubs;
use tribin_papers::bit_tiles::{Tiling, count_in_tiles};
use tribin_plan::counting::CountShape;
use tribin_plan::counting::CountingSettings;
use tribin_plan::counting::GroupSettings;
use tribin_plan::counting::Product;

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
    mut sample: impl FnMut() -> tribin::Result<(f64, f64)>,
) -> tribin::Result<(f64, f64)> {
    sample()?;
    let samples = (0..runs).map(|_| sample()).collect::<tribin::Result<Vec<_>>>()?;
    let median = |of: &dyn Fn(&(f64, f64)) -> f64| {
        let mut seconds: Vec<f64> = samples.iter().map(of).collect();
        seconds.sort_by(f64::total_cmp);
        seconds[seconds.len() / 2] * 1e3
    };
    Ok((median(&|sample| sample.0), median(&|sample| sample.1)))
}

/// Prints the times for the top 4,096 to 65,536 ranks of a graph.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize) -> tribin::Result<()> {
    let mut edges = Buffer::uninitialized(gpu, graph.edges().len() as u64)?;
    edges.upload_bytes(gpu, 0, bytemuck::cast_slice(graph.edges()))?;
    let keys = tribin_gpu::prepare::decide::orient(gpu, edges, graph.vertex_bound() as u64)?;
    let oriented = tribin_gpu::prepare::rows::clean(gpu, keys)?;
    let all = CountShape::default().count(gpu, &oriented, &())?;
    for hubs in [4_096, 16_384, 32_768, 65_536] {
        let part = among(gpu, &oriented, hubs)?;
        let triangles = CountShape::default().count(gpu, &part, &())?;
        println!(
            "{name}, {hubs} hubs: {} edges of {}, {triangles} triangles of {all} ({:.1}%)",
            part.edges,
            oriented.edges,
            triangles as f64 / all as f64 * 100.0
        );
        let print = |name: &str, (before, count): (f64, f64)| {
            println!("  {name:32} before {before:8.3}  count {count:8.3}");
        };
        let groups = GroupSettings { min_grouped_permille: 0, ..GroupSettings::MEASURED };
        let settings = CountingSettings { groups: Some(groups), ..CountingSettings::MEASURED };
        let row_bits = medians(runs, || {
            let count = hybrid::count_oriented(gpu, &part, &settings)?;
            assert_eq!(count.triangles, triangles);
            Ok((count.seconds.group, count.seconds.count()))
        })?;
        print("row bits (hybrid)", row_bits);
        let bitmap = medians(runs, || {
            let tiling = Tiling::for_ranks(u64::from(hubs));
            let count = count_in_tiles(gpu, &part, &tiling)?;
            assert_eq!(count.counted.triangles, triangles);
            Ok((count.counted.build, count.counted.count))
        })?;
        print("bitmap", bitmap);
        let mut products: Vec<Product> =
            (1..=4).map(|lanes_log2| Product::CommonBits { lanes_log2 }).collect();
        products.push(Product::TensorBits);
        for by in products {
            let product = medians(runs, || {
                let count = count_hubs(gpu, &part, hubs, by)?;
                assert_eq!(count.triangles, triangles, "{by:?}");
                Ok((count.matrix, count.product))
            })?;
            print(&format!("{by:?}"), product);
        }
    }
    Ok(())
}
