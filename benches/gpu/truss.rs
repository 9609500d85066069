//! Trussness by every peeler, checked against the others and against the CPU engine.

use std::time::Instant;

use rayon::prelude::*;
use testkit::devices::prepared;
use tribin::analytics::WantedTruss;
use tribin::{Context, Graph};
use tribin_analytics::cpu;
use tribin_gpu::analytics::support::{SupportGroups, choose, download, edge_support};
use tribin_gpu::analytics::truss::{PeelFacts, PeelShape, peel};
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::device_graph;
use tribin_gpu::plan::Task;
use tribin_gpu::plan::peeling::row_bytes;
use warpwise_device::launch::Device;

use super::Spread;

/// What is run and checked.
#[derive(Debug, Clone, clap::Args)]
pub struct What {
    /// Peelers: `rows`, or `both`, which is rows until lists fit the GPU's free memory
    #[arg(long, value_delimiter = ',', default_value = "rows,both")]
    peelers: Vec<String>,
    /// Bytes of device memory for `both`, instead of what is free
    #[arg(long)]
    memory: Option<u64>,
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

    /// Bytes that a peeler may use.
    fn memory_of(&self, peeler: &str, gpu: &Gpu) -> tribin::Result<u64> {
        Ok(match peeler {
            "rows" => 0,
            _ => self.memory.map_or_else(|| gpu.free_memory(), Ok)?,
        })
    }
}

/// Prints what every peeler took, and panics where two disagree.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize, what: &What) -> tribin::Result<()> {
    let ready = prepared(gpu, graph, Task::AtVertices)?;
    let graph = &ready.graph;
    let counter = choose(gpu, graph, u64::MAX)?.choice;
    let support = edge_support(gpu, graph, counter, &SupportGroups::MEASURED)?;
    let support = download(gpu, &support, graph.edges)?;
    let listed = support.par_iter().map(|&count| u64::from(count)).sum::<u64>();
    let ranks = graph.rows.len() / 2;
    println!(
        "{name}: {} edges, {} triangles; rows take {} MB",
        graph.edges,
        listed / 3,
        row_bytes(graph.edges, ranks) / 1_000_000
    );
    let mut known: Option<Vec<u32>> = None;
    for by in &what.peelers {
        let mut samples = [const { Vec::new() }; 3];
        let mut peeling = None;
        gpu.take_peak_memory()?;
        for _ in 0..=runs {
            let facts = PeelFacts { triangles: listed / 3, memory: what.memory_of(by, gpu)? };
            let start = gpu.record()?;
            let support = edge_support(gpu, graph, counter, &SupportGroups::MEASURED)?;
            let supported = gpu.record()?;
            let truss = peel(gpu, graph, support, facts, what.shape())?;
            let peeled = gpu.record()?;
            let row = [(&start, &peeled), (&start, &supported), (&supported, &peeled)];
            for (samples, (start, end)) in samples.iter_mut().zip(row) {
                let seconds = gpu.seconds_between(start, end)?;
                samples.push(seconds * 1e3);
            }
            peeling = Some(truss.peeling);
            let found = download(gpu, &truss.per_edge, graph.edges)?;
            let known = known.get_or_insert_with(|| found.clone());
            assert!(*known == found, "{by} disagrees");
        }
        let [total, support, peeled] = samples.map(|mut samples| {
            if runs > 0 {
                samples.remove(0);
            }
            Spread(samples)
        });
        println!("  {by:6} {total}  support {support}  peel {peeled}");
        println!("         {peeling:?}, peak {} MB", gpu.take_peak_memory()? / 1_000_000);
    }
    let known = known.unwrap_or_default();
    if what.cpu {
        let start = Instant::now();
        let oriented = device_graph::download(gpu, graph)?;
        let by_cpu =
            cpu::truss::trussness(&oriented, support, WantedTruss::All, &Context::silent())?;
        assert!(by_cpu == known, "the CPU disagrees");
        println!("  the CPU agrees, after {:.1} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}
