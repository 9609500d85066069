//! Trussness from the oriented graph on the device, checked against the CPU engine.

use std::time::Instant;

use testkit::devices::prepared;
use tribin::analytics::WantedTruss;
use tribin::{Context, Graph};
use tribin_analytics::cpu;
use tribin_gpu::analytics::support::{SupportGroups, choose, download, edge_support};
use tribin_gpu::analytics::truss::{PeelShape, peel};
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::device_graph;
use tribin_gpu::plan::Task;
use tribin_gpu::plan::peeling::truss_bytes;
use warpwise_device::launch::Device;

use super::analytics::timed;

/// What is run and checked.
#[derive(Debug, Clone, clap::Args)]
pub struct What {
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
}

/// Prints what the peeling took, and panics where two runs disagree.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize, what: &What) -> tribin::Result<()> {
    let ready = prepared(gpu, graph, Task::AtVertices)?;
    let graph = &ready.graph;
    let predicted = truss_bytes(graph.edges, graph.rows.len() / 2);
    println!("{name}: {} edges; peeling takes {} MB at most", graph.edges, predicted / 1_000_000);
    let counter = choose(gpu, graph, u64::MAX)?.choice;
    let mut known: Option<Vec<u32>> = None;
    let mut rounds = 0;
    gpu.take_peak_memory()?;
    let [total, support, peeled] = timed(runs, || {
        let start = gpu.record()?;
        let support = edge_support(gpu, graph, counter, &SupportGroups::MEASURED)?;
        let supported = gpu.record()?;
        let truss = peel(gpu, graph, support, what.shape())?;
        let end = gpu.record()?;
        rounds = truss.rounds;
        let found = download(gpu, &truss.per_edge, graph.edges)?;
        let known = known.get_or_insert_with(|| found.clone());
        assert!(*known == found, "two runs disagree");
        let seconds = |start, end| gpu.seconds_between(start, end);
        Ok([seconds(&start, &end)?, seconds(&start, &supported)?, seconds(&supported, &end)?])
    })?;
    println!("  {total}  support {support}  peel {peeled}");
    let largest = known.iter().flatten().max().copied().unwrap_or(0);
    let peak = gpu.take_peak_memory()? / 1_000_000;
    println!("  largest trussness {largest}, {rounds} rounds, peak {peak} MB");
    if what.cpu {
        let oriented = device_graph::download(gpu, graph)?;
        let support = edge_support(gpu, graph, counter, &SupportGroups::MEASURED)?;
        let support = download(gpu, &support, graph.edges)?;
        let start = Instant::now();
        let by_cpu =
            cpu::truss::trussness(&oriented, support, WantedTruss::All, &Context::silent())?;
        assert!(Some(by_cpu) == known, "the CPU disagrees");
        println!("  the CPU agrees, after {:.1} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}
