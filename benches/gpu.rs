//! The GPU pipeline against the clock: every phase on graphs of real skew, counts checked.
//!
//! `cargo bench --bench gpu -- [--runs N] [--ptx FILE] [--sorted] [--verify]
//! [--hybrid | --sweep | --engines | --cut-offs | --hubs | --orders | --analytics | --analytics-sweep] [GRAPH…]`, with
//! GRAPH a file or one of `sort` and the names of benches/graphs. `--sorted` gives the pipeline the simple
//! graph's edges in order, and `--verify` counts by the hubs' matrix, merge-path, bitmap and on the CPU too.
//! `--hybrid` times the hybrid engine beside the merge, `--sweep` also with every cut-off moved.
//! `--engines` times merge-path and bitmap beside one core of the CPU engine, `--cut-offs` also with
//! every cut-off moved. `--hubs` times products of matrices for the hubs alone.
//! `--orders` times the orders of the vertices, from raw edges to the count.
//! `--analytics` times support, local counts and trussness; `--peel-blocks N` peels with N blocks a
//! multiprocessor, which have to fit it.
//! Needs a GPU; says so and ends where there is none. Figures are kept in docs/measured.md.

#[path = "gpu/analytics.rs"]
mod analytics;
#[path = "gpu/engines.rs"]
mod engines;
mod graphs;
#[path = "gpu/hubs.rs"]
mod hubs;
#[path = "gpu/hybrid.rs"]
mod hybrid;
#[path = "gpu/orders.rs"]
mod orders;

use std::time::Instant;

use tribin::Graph;
use tribin::count::hybrid as hybrid_count;
use tribin::device::cuda::{Gpu, PTX};
use tribin::methods::Method;
use tribin::methods::bitmap::{self, Tiling};
use tribin::methods::forward::gpu::CountShape;
use tribin::methods::merge_path::Shares;
use tribin::plan::memory::MemoryPlan;
use tribin::plan::{Tuning, counting};
use tribin::prepare::gpu::radix_sort::{self, Histograms};
use tribin::prepare::gpu::{self as prepare_gpu};
use tribin_device::launch::{Buffer, Device};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut runs = 5;
    let mut names = Vec::new();
    let mut ptx = PTX.to_owned();
    let (mut shapes, mut folder) = (false, None);
    let (mut hybrid, mut sweep) = (false, false);
    let (mut sorted, mut verify) = (false, false);
    let (mut engines, mut cut_offs, mut hubs) = (false, false, false);
    let mut orders = false;
    let (mut analytics, mut analytics_sweep, mut peel_blocks) = (false, false, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => {}
            "--shapes" => shapes = true,
            "--hybrid" => hybrid = true,
            "--sorted" => sorted = true,
            "--verify" => verify = true,
            "--sweep" => (hybrid, sweep) = (true, true),
            "--engines" => engines = true,
            "--cut-offs" => (engines, cut_offs) = (true, true),
            "--hubs" => hubs = true,
            "--orders" => orders = true,
            "--peel-blocks" => {
                peel_blocks = Some(args.next().ok_or("--peel-blocks takes a number")?.parse()?);
            }
            "--analytics" => analytics = true,
            "--analytics-sweep" => (analytics, analytics_sweep) = (true, true),
            "--write" => folder = Some(args.next().ok_or("--write takes a folder")?),
            "--ptx" => {
                ptx = std::fs::read_to_string(args.next().ok_or("--ptx takes a file")?)?;
            }
            "--runs" => runs = args.next().ok_or("--runs takes a number")?.parse()?,
            name => names.push(name.to_owned()),
        }
    }
    if names.is_empty() {
        names = ["sort", "rmat20", "rmat22", "er22", "ba", "ws"].map(String::from).to_vec();
    }
    let gpu = match Gpu::open(0, &ptx) {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("skipped: {error}");
            return Ok(());
        }
    };
    println!("{}, median of {runs} runs after one warm-up (least .. most), ms", gpu.info().name);
    for name in names {
        if name == "sort" {
            bench_sort(&gpu, runs)?;
            continue;
        }
        let mut graph = if std::path::Path::new(&name).is_file() {
            Graph::open(&name)?
        } else {
            graphs::by_name(&name)?.ok_or("no such graph")?
        };
        if sorted {
            graph = Graph::from_edges(sorted_simple(graph.edges()));
        }
        if let Some(folder) = &folder {
            let file = std::path::Path::new(folder).join(&name).with_extension("bin");
            std::fs::write(file, bytemuck::cast_slice(graph.edges()))?;
        }
        if analytics {
            analytics::bench(&gpu, &name, &graph, runs, analytics_sweep, peel_blocks)?;
            continue;
        }
        if hybrid {
            hybrid::bench(&gpu, &name, &graph, runs, sweep)?;
            continue;
        }
        if engines {
            engines::bench(&gpu, &name, &graph, runs, cut_offs)?;
            continue;
        }
        if hubs {
            hubs::bench(&gpu, &name, &graph, runs)?;
            continue;
        }
        if orders {
            orders::bench(&gpu, &name, &graph, runs)?;
            continue;
        }
        bench_graph(&gpu, &name, &graph, runs, verify)?;
        if shapes {
            bench_shapes(&gpu, &graph, runs)?;
        }
    }
    Ok(())
}

/// The edges in order, the smaller vertex first, without self-loops and duplicates.
fn sorted_simple(edges: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut edges: Vec<[u32; 2]> =
        edges.iter().filter(|[u, v]| u != v).map(|&[u, v]| [u.min(v), u.max(v)]).collect();
    rayon::slice::ParallelSliceMut::par_sort_unstable(&mut edges[..]);
    edges.dedup();
    edges
}

/// Median, least and most of `runs` samples after one warm-up, in milliseconds.
struct Spread(Vec<f64>);

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let (least, most) = (sorted[0], sorted[sorted.len() - 1]);
        write!(f, "{:9.3} ({least:.3} .. {most:.3})", sorted[sorted.len() / 2])
    }
}

fn bench_sort(gpu: &Gpu, runs: usize) -> tribin::Result<()> {
    for (n, bits) in [(16u64 << 20, 44), (64 << 20, 44), (128 << 20, 44), (64 << 20, 64)] {
        let mut random = fastrand::Rng::with_seed(n);
        let keys: Vec<u64> = (0..n).map(|_| random.u64(..) >> (64 - bits)).collect();
        let mut samples = Vec::new();
        let mut sorted = Vec::new();
        for _ in 0..=runs {
            let input = Buffer::from_host(gpu, &keys)?;
            let other = Buffer::uninitialized(gpu, n)?;
            let start = gpu.record()?;
            let histograms = Histograms::of_keys(gpu, input.view(), 0, bits)?;
            let sorted_keys = radix_sort::sort(gpu, input, other, histograms, 0)?.keys;
            let end = gpu.record()?;
            samples.push(gpu.seconds_between(&start, &end)? * 1e3);
            sorted = sorted_keys.to_vec(gpu)?;
        }
        let mut expected = keys;
        rayon::slice::ParallelSliceMut::par_sort_unstable(&mut expected[..]);
        assert!(sorted == expected, "the sort is wrong");
        samples.remove(0);
        println!("sort {:4} M keys of {bits} bits  {}", n >> 20, Spread(samples));
    }
    Ok(())
}

fn bench_shapes(gpu: &Gpu, graph: &Graph, runs: usize) -> tribin::Result<()> {
    let mut edges = Buffer::uninitialized(gpu, graph.edges().len() as u64)?;
    edges.upload_bytes(gpu, 0, bytemuck::cast_slice(graph.edges()))?;
    let oriented = prepare_gpu::prepare_uploaded(gpu, edges, graph.vertex_bound() as u64)?.graph;
    for block in [32, 64, 128, 256, 512, 1024] {
        for blocks_per_multiprocessor in [8, 64, 256, 1024, 4096] {
            let shape = CountShape { block, blocks_per_multiprocessor };
            let mut samples = Vec::new();
            for _ in 0..=runs {
                let start = gpu.record()?;
                shape.count(gpu, &oriented, &())?;
                let end = gpu.record()?;
                samples.push(gpu.seconds_between(&start, &end)? * 1e3);
            }
            samples.remove(0);
            println!("    {block:4} threads x {blocks_per_multiprocessor:4} {}", Spread(samples));
        }
    }
    Ok(())
}

fn bench_graph(
    gpu: &Gpu,
    name: &str,
    graph: &Graph,
    runs: usize,
    verify: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let entries = graph.edges().len() as u64;
    let bound = graph.vertex_bound() as u64;
    let (major, minor) = gpu.info().compute_capability;
    let policy = Tuning::for_compute_capability(major, minor);
    let mut phases: [Vec<f64>; 9] = Default::default();
    let mut last = None;
    let mut peak = 0;
    for _ in 0..=runs {
        let wall = Instant::now();
        let ready = prepare_gpu::prepare(gpu, graph)?;
        let upload = ready.seconds.upload;
        let count = hybrid_count::count(gpu, &ready.graph, &policy)?;
        let wall = wall.elapsed().as_secs_f64();
        peak = gpu.take_peak_memory()?;
        drop(ready);

        // Once more from the device's memory, with both engines.
        let (edges, _) = prepare_gpu::upload(gpu, graph)?;
        let ready = prepare_gpu::prepare_uploaded(gpu, edges, bound)?;
        let start = gpu.record()?;
        let merged = CountShape::default().count(gpu, &ready.graph, &())?;
        let end = gpu.record()?;
        assert_eq!(merged, count.triangles, "two engines disagree");
        let again = hybrid_count::count(gpu, &ready.graph, &policy)?;
        assert_eq!(again.triangles, count.triangles, "two runs disagree");
        let s = ready.seconds;
        let row = [
            s.orient,
            s.clean,
            s.orient + s.clean,
            gpu.seconds_between(&start, &end)?,
            again.seconds.group,
            again.seconds.count(),
            s.orient + s.clean + again.seconds.group + again.seconds.count(),
            upload,
            wall,
        ];
        for (phase, seconds) in phases.iter_mut().zip(row) {
            phase.push(seconds * 1e3);
        }
        last = Some((count, ready.figures));
    }
    let (count, figures) = last.expect("at least one run");
    println!(
        "{name}: {entries} entries, {} edges, {} vertices, {} wedges, {} triangles, {:?}, peak {} MB of {} MB planned",
        figures.edges,
        figures.vertices,
        figures.wedges,
        count.triangles,
        count.edges,
        peak / 1_000_000,
        (MemoryPlan::new(entries, bound).peak() + counting::most_bytes(entries, bound, &policy))
            / 1_000_000
    );
    if verify {
        let ready = prepare_gpu::prepare(gpu, graph)?;
        let tiling = Tiling::for_ranks(ready.graph.rows.len() / 2);
        let with_hubs = Tuning { hub_min_edges: 0, hub_min_permille: 0, ..policy };
        let by_engine = [
            (
                "hybrid with hubs",
                hybrid_count::count_oriented(gpu, &ready.graph, &with_hubs)?.triangles,
            ),
            ("merge-path", Shares::default().count(gpu, &ready.graph, &())?),
            ("bitmap", bitmap::count_in_tiles(gpu, &ready.graph, &tiling)?.counted.triangles),
        ];
        for (engine, triangles) in by_engine {
            assert_eq!(triangles, count.triangles, "{engine} disagrees");
        }
        drop(ready);
        println!("  the hubs' matrix, merge-path and bitmap agree");
        let start = Instant::now();
        let prepared = tribin::prepare::cpu::prepare(graph.edges(), graph.vertex_bound());
        let triangles = tribin::methods::forward::cpu::count(&prepared.oriented);
        assert_eq!((triangles, prepared.figures), (count.triangles, figures), "the CPU disagrees");
        println!("  the CPU agrees, after {:.1} s", start.elapsed().as_secs_f64());
    }
    let labels = [
        "orient",
        "clean",
        "preprocessing (orient + clean)",
        "counting kernel, forward",
        "grouping, auto",
        "counting, auto",
        "edges on the device -> count, auto",
        "upload",
        "edges in host memory -> count, auto",
    ];
    for (label, mut samples) in labels.into_iter().zip(phases) {
        samples.remove(0);
        println!("  {label:36} {}", Spread(samples));
    }
    Ok(())
}
