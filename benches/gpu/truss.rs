//! Trussness by every peeler, checked against the others, against the definition, and against the CPU engine.

use std::time::Instant;

use rayon::prelude::*;
use tribin::{Context, Graph};
use tribin_analytics::cpu;
use tribin_device::launch::{Buffer, Device, Shape};
use tribin_gpu::analytics::support::{Method, choose, download, edge_support};
use tribin_gpu::analytics::truss::{PeelShape, trussness};
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::device_graph;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::prepare::{prepare_keeping_vertices, upload};
use tribin_kernels::live_edges::{BLOCK, KEEP_SHARED_BYTES, KEEP_TILE, bound_rows, keep_edges};
use tribin_plan::truss::{Peeler, list_bytes, row_bytes};

use super::Spread;

/// What is run and checked.
#[derive(Debug, Clone, clap::Args)]
pub struct What {
    /// Peelers: `lists`, `rows`, or `both`, which is rows until lists fit the GPU's free memory
    #[arg(long, value_delimiter = ',', default_value = "lists,rows")]
    peelers: Vec<String>,
    /// Bytes of device memory for `both`, instead of what is free
    #[arg(long)]
    memory: Option<u64>,
    /// How many trusses to check, by counting the support of what is left again and again
    #[arg(long, default_value_t = 0)]
    trusses: usize,
    /// Also on the CPU, whose result must be the same
    #[arg(long)]
    cpu: bool,
    /// Entries of a row that a warp searches for
    #[arg(long)]
    chunk: Option<u32>,
    /// When rows are laid out again, in thousandths of their edges
    #[arg(long)]
    laid_out_permille: Option<u64>,
    /// Blocks of the peeling on a multiprocessor
    #[arg(long)]
    blocks: Option<u32>,
}

impl What {
    fn shape(&self) -> PeelShape {
        let shape = PeelShape::default();
        PeelShape {
            chunk: self.chunk.unwrap_or(shape.chunk),
            laid_out_permille: self.laid_out_permille.unwrap_or(shape.laid_out_permille),
            blocks_per_multiprocessor: self.blocks.unwrap_or(shape.blocks_per_multiprocessor),
            ..shape
        }
    }

    fn peeler(&self, name: &str, gpu: &Gpu) -> tribin::Result<Peeler> {
        Ok(match name {
            "lists" => Peeler::Lists,
            "rows" => Peeler::Rows { memory: 0 },
            _ => Peeler::Rows { memory: self.memory.map_or_else(|| gpu.free_memory(), Ok)? },
        })
    }
}

/// Prints what every peeler took, and panics where two disagree.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize, what: &What) -> tribin::Result<()> {
    let (entries, _) = upload(gpu, graph)?;
    let ready = prepare_keeping_vertices(gpu, entries, graph.vertex_bound() as u64)?;
    let graph = &ready.graph;
    let method = Method::of(choose(gpu, graph, u64::MAX)?.choice, u64::MAX);
    let support = edge_support(gpu, graph, &method)?.per_edge;
    let support = download(gpu, &support, graph.edges)?;
    let listed = support.par_iter().map(|&count| u64::from(count)).sum::<u64>();
    let ranks = graph.rows.len() / 2;
    println!(
        "{name}: {} edges, {} triangles; lists take {} MB, rows {} MB",
        graph.edges,
        listed / 3,
        list_bytes(graph.edges, listed) / 1_000_000,
        row_bytes(graph.edges, ranks) / 1_000_000
    );
    let mut known: Option<Vec<u32>> = None;
    for by in &what.peelers {
        let mut samples = [const { Vec::new() }; 5];
        let mut peeling = None;
        gpu.take_peak_memory()?;
        for _ in 0..=runs {
            let peeler = what.peeler(by, gpu)?;
            let truss = trussness(gpu, graph, &method, peeler, what.shape())?;
            let s = truss.seconds;
            let row = [s.total(), s.support, s.peel_rows, s.list, s.peel];
            for (samples, seconds) in samples.iter_mut().zip(row) {
                samples.push(seconds * 1e3);
            }
            peeling = Some(truss.peeling);
            let found = download(gpu, &truss.per_edge, graph.edges)?;
            let known = known.get_or_insert_with(|| found.clone());
            assert!(*known == found, "{by} disagrees");
        }
        let [total, support, rows, list, peel] = samples.map(|mut samples| {
            if runs > 0 {
                samples.remove(0);
            }
            Spread(samples)
        });
        println!("  {by:6} {total}  support {support}  rows {rows}  list {list}  peel {peel}");
        println!("         {peeling:?}, peak {} MB", gpu.take_peak_memory()? / 1_000_000);
    }
    let known = known.unwrap_or_default();
    let largest = known.par_iter().copied().max().unwrap_or(2);
    let mut sizes = vec![0u64; largest as usize + 1];
    known.iter().for_each(|&trussness| sizes[trussness as usize] += 1);
    assert_eq!(sizes.iter().sum::<u64>(), graph.edges, "every edge has a trussness");
    if what.trusses > 0 {
        check(gpu, graph, &sizes, what.trusses)?;
    }
    if what.cpu {
        let start = Instant::now();
        let oriented = device_graph::download(gpu, graph)?;
        let by_cpu = cpu::truss::trussness(&oriented, support, &Context::silent())?;
        assert!(by_cpu == known, "the CPU disagrees");
        println!("  the CPU agrees, after {:.1} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// By definition: what is left when edges on fewer than k - 2 triangles go, until none does, with the support counted
/// anew each time.
fn check(gpu: &Gpu, graph: &DeviceGraph<Gpu>, sizes: &[u64], trusses: usize) -> tribin::Result<()> {
    let start = Instant::now();
    let largest = sizes.len() as u64 - 1;
    let mut left: Option<DeviceGraph<Gpu>> = None;
    let mut counts = 0;
    // The last is a truss that no edge has.
    let ks = (1..=trusses as u64).map(|i| 2 + (largest - 2) * i / trusses as u64);
    for k in ks.chain([largest + 1]) {
        loop {
            let from = left.as_ref().unwrap_or(graph);
            if from.edges == 0 {
                break;
            }
            counts += 1;
            let method = Method::of(choose(gpu, from, u64::MAX)?.choice, u64::MAX);
            let support = edge_support(gpu, from, &method)?.per_edge;
            let kept = keep(gpu, from, &support, k as u32 - 2)?;
            let done = kept.edges == from.edges;
            left = Some(kept);
            if done {
                break;
            }
        }
        let found = left.as_ref().map_or(graph.edges, |left| left.edges);
        let expected = sizes[(k as usize).min(sizes.len())..].iter().sum::<u64>();
        assert_eq!(found, expected, "edges of the {k}-truss");
        println!("  the {k}-truss has {found} edges, as its definition says");
    }
    println!("  {counts} counts of support in {:.2} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// The edges on `level` triangles or more, as a graph of their own.
fn keep(
    gpu: &Gpu,
    from: &DeviceGraph<Gpu>,
    support: &Buffer<u32, Gpu>,
    level: u32,
) -> tribin::Result<DeviceGraph<Gpu>> {
    let (m, ranks) = (from.edges, from.rows.len() / 2);
    let mut tails = Buffer::uninitialized(gpu, m)?;
    let mut heads = Buffer::uninitialized(gpu, m)?;
    let mut kept_support = Buffer::uninitialized(gpu, m)?;
    let mut places = Buffer::uninitialized(gpu, m)?;
    let mut kept = Buffer::<u64, Gpu>::zeroed(gpu, 1)?;
    let tiles = m.div_ceil(u64::from(KEEP_TILE));
    let mut words = Buffer::zeroed(gpu, tiles)?;
    let mut ticket = Buffer::zeroed(gpu, 1)?;
    keep_edges(
        gpu,
        Shape::new(tiles as u32, BLOCK).shared(KEEP_SHARED_BYTES),
        from.tails.view(),
        from.heads.view(),
        support.view(),
        from.tails.view(),
        tails.view_mut(),
        heads.view_mut(),
        kept_support.view_mut(),
        places.view_mut(),
        kept.view_mut(),
        words.view_mut(),
        ticket.view_mut(),
        m,
        level,
        1,
    )?;
    let edges = kept.to_vec(gpu)?[0];
    let mut rows = Buffer::zeroed(gpu, 2 * ranks)?;
    if edges > 0 {
        let shape = Shape::cover(edges, BLOCK, gpu.multiprocessors() * 32);
        bound_rows(gpu, shape, tails.view(), rows.view_mut(), edges)?;
    }
    Ok(DeviceGraph::of_rows(gpu, [tails, heads, rows], edges)?)
}
