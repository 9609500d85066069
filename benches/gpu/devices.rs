//! One GPU and several side by side: every step, the bytes that go between them, and the whole from edges in host
//! memory to the count.

use std::num::NonZeroUsize;
use std::time::Instant;

use tribin::count::CountOptions;
use tribin::{Graph, Options, Session};

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
            let session = Session::new(options)?;
            let mut counting = CountOptions::default();
            counting.explain = true;
            let mut walls = Vec::new();
            let mut steps: Vec<(&str, Vec<f64>)> = Vec::new();
            let mut last = None;
            for run in 0..=runs {
                let start = Instant::now();
                let count = session.count_with(graph, &counting)?;
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
