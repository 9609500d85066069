//! One GPU and several side by side: every step, the bytes that go between them, and the whole from edges in host
//! memory to the count.

use std::num::NonZeroUsize;
use std::time::Instant;

use tribin::count::CountOptions;
use tribin::{Graph, Input, Options, Session};
use tribin_gpu::device::cuda::{self, Gpu};
use tribin_gpu::device_graph::{DeviceColumn, DeviceEdges, DeviceIds};
use warpwise_device::launch::Buffer;

/// The first `gpus` GPUs, as `--device` takes them.
fn device(gpus: u32) -> String {
    match gpus {
        1 => "gpu:0".into(),
        _ => format!("gpu:0-{}", gpus - 1),
    }
}

/// Prints, for each number of GPUs and of parts, the steps' milliseconds: medians of `runs` after one warm-up. A
/// number of parts that is not given is the plan's, and one of threads the session's.
pub fn bench(
    name: &str,
    graph: &Graph,
    runs: usize,
    gpus: &[u32],
    parts: &[u32],
    threads: Option<NonZeroUsize>,
) -> Result<(), Box<dyn std::error::Error>> {
    println!("{name}: {} entries", graph.edges().len());
    let mut expected = None;
    for &gpus in gpus {
        for parts in numbers_of_parts(parts) {
            let mut options = Options::default();
            options.device = device(gpus).parse()?;
            options.parts = parts;
            options.threads = threads;
            let session = Session::open(options)?;
            let mut counting = CountOptions::default();
            counting.explain = true;
            let mut walls = Vec::new();
            let mut steps: Vec<(&str, Vec<f64>)> = Vec::new();
            let mut last = None;
            for run in 0..=runs {
                let start = Instant::now();
                let count = session.count(Input::from(graph).with_options(&counting))?;
                let wall = start.elapsed().as_secs_f64();
                let found = (count.triangles, count.edges, count.wedges);
                assert_eq!(*expected.get_or_insert(found), found, "{gpus} GPUs, {parts:?} parts");
                let explanation = count.explanation.expect("it was asked for");
                if run > 0 {
                    walls.push(wall);
                    for step in &explanation.steps {
                        match steps.iter_mut().find(|(name, _)| *name == step.step) {
                            Some((_, samples)) => samples.push(step.seconds),
                            None => steps.push((step.step, vec![step.seconds])),
                        }
                    }
                }
                last = Some((explanation, count.triangles));
            }
            let (explanation, triangles) = last.expect("at least one run");
            print!("  {:8} {:>2} parts", device(gpus), parts_name(parts));
            for (step, samples) in steps {
                print!("  {step} {:.3}", median(samples));
            }
            print!("  all {:.3} ms", median(walls));
            let moved = explanation.exchanged_bytes.unwrap_or(0);
            let peak = explanation.peak_bytes.unwrap_or(0);
            println!(
                "  moved {:.1} MB  peak {} MB of {} planned  {triangles} triangles",
                moved as f64 / 1e6,
                peak / 1_000_000,
                explanation.predicted_peak_bytes.unwrap_or(0) / 1_000_000
            );
        }
    }
    Ok(())
}

/// The same from edges that are in the memory of the GPUs, as many on each.
pub fn bench_on_devices(
    name: &str,
    graph: &Graph,
    runs: usize,
    gpus: &[u32],
    parts: &[u32],
) -> Result<(), Box<dyn std::error::Error>> {
    println!("{name}: {} entries on the GPUs", graph.edges().len());
    let mut expected = None;
    for &gpus in gpus {
        let held = (0..gpus)
            .map(|gpu| held(graph, gpu, gpus))
            .collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
        let shares: Vec<DeviceEdges> = held.iter().map(|(edges, _)| edges.clone()).collect();
        for parts in numbers_of_parts(parts) {
            let mut options = Options::default();
            options.device = device(gpus).parse()?;
            options.parts = parts;
            let session = Session::open(options)?;
            let (mut prepared, mut counted, mut walls) = (Vec::new(), Vec::new(), Vec::new());
            for run in 0..=runs {
                let start = Instant::now();
                let graph = session.prepare(Input::on_gpus(&shares))?;
                let between = Instant::now();
                let triangles = graph.count()?.triangles;
                let end = Instant::now();
                assert_eq!((*expected.get_or_insert(triangles), graph.copied()), (triangles, None));
                if run > 0 {
                    prepared.push((between - start).as_secs_f64());
                    counted.push((end - between).as_secs_f64());
                    walls.push((end - start).as_secs_f64());
                }
            }
            println!(
                "  {:8} {:>2} parts  prepare {:.3}  count {:.3}  all {:.3} ms  {} triangles",
                device(gpus),
                parts_name(parts),
                median(prepared),
                median(counted),
                median(walls),
                expected.unwrap_or(0)
            );
        }
    }
    Ok(())
}

/// The share of GPU `gpu` of `gpus`, and the memory that it is in.
fn held(
    graph: &Graph,
    gpu: u32,
    gpus: u32,
) -> Result<(DeviceEdges, Buffer<u32, Gpu>), Box<dyn std::error::Error>> {
    let on = cuda::open(gpu as usize)?;
    let all = graph.edges();
    let cut = |gpu: u32| all.len() * gpu as usize / gpus as usize;
    let share = &all[cut(gpu)..cut(gpu + 1)];
    let memory = Buffer::from_host(&on, share.as_flattened())?;
    let first = memory.view().address();
    let columns = [0, 4].map(|offset| DeviceColumn { address: first + offset, step: 2 });
    // SAFETY: the caller keeps the memory, and nothing writes to it.
    let edges = unsafe { DeviceEdges::new(gpu, DeviceIds::U32, columns, share.len() as u64) };
    Ok((edges.with_vertices(graph.vertex_bound() as u64), memory))
}

/// Those that were asked for, or the plan's.
fn numbers_of_parts(parts: &[u32]) -> Vec<Option<u32>> {
    match parts {
        [] => vec![None],
        named => named.iter().copied().map(Some).collect(),
    }
}

/// As benches print it.
fn parts_name(parts: Option<u32>) -> String {
    parts.map_or("-".into(), |parts| parts.to_string())
}

/// In milliseconds.
fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2] * 1e3
}
