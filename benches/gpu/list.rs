//! All triangles listed to host memory, checked against the CPU's list.

use std::time::Instant;

use rayon::prelude::*;
use testkit::devices::prepared;
use testkit::oracle::triangle_hash;
use tribin::analytics::cpu::list::each_triangle;
use tribin::{Context, DeviceChoice, Graph, OrientedGraph, Session};
use tribin_gpu::analytics::list::TriangleListing;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::device_graph;
use tribin_gpu::plan::Task;
use tribin_gpu::plan::listing::listing_bytes;
use warpwise_device::launch::Device;

use super::Spread;

/// What is run and checked.
#[derive(Debug, Clone, clap::Args)]
pub struct What {
    /// Triangles in a chunk on the device
    #[arg(long, value_delimiter = ',', default_value = "4194304")]
    chunks: Vec<u64>,
    /// Triangles in a chunk of host memory
    #[arg(long, value_delimiter = ',', default_value = "33554432")]
    on_host: Vec<usize>,
    /// Also by the CPU, whose list must have the same hash
    #[arg(long)]
    cpu: bool,
}

/// Prints how long every way takes, and panics where two disagree.
pub fn bench(gpu: &Gpu, name: &str, graph: &Graph, runs: usize, what: &What) -> tribin::Result<()> {
    let ready = prepared(gpu, graph, Task::AtVertices)?;
    let on_device = &ready.graph;
    let mut known = None;
    for &chunk in &what.chunks {
        gpu.take_peak_memory()?;
        let mut count = Vec::new();
        let mut to_host = vec![Vec::new(); what.on_host.len()];
        let mut triangles = 0;
        let before = gpu.take_peak_memory()?;
        for _ in 0..=runs {
            let start = gpu.record()?;
            let mut listing = TriangleListing::new(gpu, on_device, chunk)?;
            let counted = gpu.record()?;
            triangles = listing.triangles();
            count.push(gpu.seconds_between(&start, &counted)? * 1e3);
            for (samples, &most) in to_host.iter_mut().zip(&what.on_host) {
                let mut to = vec![[0; 3]; (most as u64).min(triangles) as usize];
                // Its pages are there before.
                to.par_iter_mut().for_each(|triangle| *triangle = [1; 3]);
                let (mut from, mut seconds, mut found) = (0, 0.0, TriangleHash::default());
                while from < triangles {
                    let len = (triangles - from).min(most as u64);
                    let start = Instant::now();
                    listing.read(gpu, on_device, from, &mut to[..len as usize])?;
                    seconds += start.elapsed().as_secs_f64();
                    found = join(found, hash_of(&to[..len as usize]));
                    from += len;
                }
                samples.push(seconds * 1e3);
                assert_eq!(*known.get_or_insert(found), found, "two lists differ");
            }
        }
        println!(
            "{name}: {} edges, {triangles} triangles, chunks of {chunk}: peak {} MB, {} MB planned beside the graph's {}",
            on_device.edges,
            gpu.take_peak_memory()? / 1_000_000,
            listing_bytes(on_device.edges, chunk) / 1_000_000,
            before / 1_000_000,
        );
        let print = |label: &str, mut samples: Vec<f64>| {
            samples.remove(0);
            let mut sorted = samples.clone();
            sorted.sort_by(f64::total_cmp);
            let rate = triangles as f64 / sorted[sorted.len() / 2] / 1e6;
            println!("  {label:44} {}  {rate:8.3} G/s", Spread(samples));
        };
        print("counting the places", count.clone());
        for (samples, most) in to_host.into_iter().zip(&what.on_host) {
            print(&format!("to host memory, {most} at a time"), samples.clone());
            let both = count.iter().zip(samples).map(|(count, copy)| count + copy).collect();
            print("  with the count", both);
        }
    }
    if what.cpu {
        check(&device_graph::download(gpu, on_device)?, known.unwrap_or_default());
        session(graph, known.unwrap_or_default())?;
    }
    Ok(())
}

/// The same by the CPU.
fn check(oriented: &OrientedGraph, known: TriangleHash) {
    let start = Instant::now();
    let (mut triangles, mut found) = (0, TriangleHash::default());
    let mut take = |blocks: Vec<Vec<[u32; 3]>>| {
        triangles += blocks.iter().map(|block| block.len() as u64).sum::<u64>();
        let hashes = blocks.par_iter().map(|block| hash_of(block));
        found = join(found, hashes.reduce(Default::default, join));
        Ok(true)
    };
    each_triangle(oriented, &Context::silent(), &mut take).expect("nothing stops it");
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(found, known, "the CPU disagrees");
    println!(
        "  the CPU's list hashes to the same {:016x} {:016x} after {:.1} ms on {} threads: {:.3} G/s",
        found.sum,
        found.odd,
        seconds * 1e3,
        rayon::current_num_threads(),
        triangles as f64 / seconds / 1e9
    );
}

/// Through the session's door.
fn session(graph: &Graph, known: TriangleHash) -> tribin::Result<()> {
    let mut options = tribin::Options::default();
    options.device = DeviceChoice::Gpu(Some(0));
    let prepared = Session::open(options)?.prepare(graph)?;
    let mut found = TriangleHash::default();
    let (mut triangles, mut hashing) = (0, 0.0);
    let start = Instant::now();
    prepared.each_triangle(|blocks| {
        let start = Instant::now();
        triangles += blocks.iter().map(Vec::len).sum::<usize>();
        let parts = blocks.par_iter().map(|block| hash_of(block));
        found = join(found, parts.reduce(Default::default, join));
        hashing += start.elapsed().as_secs_f64();
        Ok(true)
    })?;
    let seconds = start.elapsed().as_secs_f64() - hashing;
    assert_eq!(found, known, "the session disagrees");
    println!(
        "  PreparedGraph::each_triangle, memory and count included: {:.1} ms, {:.3} G/s; the same hash",
        seconds * 1e3,
        triangles as f64 / seconds / 1e9
    );
    Ok(())
}

/// The sum and the exclusive or of the hashes of some triangles, which do not depend on their order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct TriangleHash {
    sum: u64,
    odd: u64,
}

fn hash_of(triangles: &[[u32; 3]]) -> TriangleHash {
    let one = |&triangle: &[u32; 3]| {
        let hash = triangle_hash(triangle);
        TriangleHash { sum: hash, odd: hash }
    };
    triangles.par_iter().map(one).reduce(TriangleHash::default, join)
}

fn join(a: TriangleHash, b: TriangleHash) -> TriangleHash {
    TriangleHash { sum: a.sum.wrapping_add(b.sum), odd: a.odd ^ b.odd }
}
