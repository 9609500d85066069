//! What the options do: to time, to memory, to what is pruned.

use tribin::Graph;
use tribin_gpu::counting::forward as count_forward;
use tribin_gpu::device::cuda::Gpu;
use tribin_papers::radix_binning::{KeyOrder, Options, Orientation, RadixCount};

use super::{Args, Result, median, phases, run};

const ORDERS: [KeyOrder; 2] = [KeyOrder::Concatenated, KeyOrder::Interleaved];

/// Key orders, digit widths and thresholds against the clock.
pub fn sweep(
    gpu: &Gpu,
    name: &str,
    graph: &Graph,
    orientations: &[Orientation],
    args: &Args,
) -> Result<()> {
    for &orientation in orientations {
        for key_order in ORDERS {
            for digit_bits in [6, 7, 8] {
                for threshold in [256, 1024, 4096, 8192, 16_384, 32_768] {
                    let memory = gpu.free_memory()? / 4 * 3;
                    let options = Options { orientation, memory, digit_bits, threshold, key_order };
                    let count = median(gpu, graph, &options, args.runs)?;
                    println!(
                        "{name:18} {orientation:?} {key_order:?} d {digit_bits} thr {threshold:5} {}",
                        phases(&count)
                    );
                }
            }
        }
    }
    Ok(())
}

/// What each order eliminates, and how often candidates are moved until they are gone or found.
pub fn pruning(gpu: &Gpu, name: &str, graph: &Graph, orientation: Orientation) -> Result<()> {
    for digit_bits in [2, 4, 8] {
        for key_order in ORDERS {
            let memory = gpu.free_memory()? / 4 * 3;
            let options = Options { orientation, key_order, digit_bits, threshold: 0, memory };
            let count = run(gpu, graph, &options)?;
            let moved: u64 = count.levels.iter().skip(1).map(|level| level.candidates).sum();
            let left: Vec<u64> = count
                .levels
                .iter()
                .map(|level| level.candidates - level.candidates_pruned)
                .collect();
            println!(
                "{name:18} {orientation:?} d {digit_bits} {key_order:?}: {} candidates, moved {:.3} times, left after each level {left:?}",
                count.candidates,
                moved as f64 / count.candidates as f64
            );
        }
    }
    Ok(())
}

/// A generated graph with three quarters of the free memory, and with the budget that was asked for.
pub fn generated(gpu: &Gpu, name: &str, graph: &Graph, args: &Args) -> Result<()> {
    let expected = count_forward::count(gpu, graph)?.triangles;
    let free = gpu.free_memory()? / 4 * 3;
    for memory in [Some(free), args.memory].into_iter().flatten() {
        let options = Options { memory, ..args.options(Orientation::Degree) };
        gpu.take_peak_memory()?;
        let count = median(gpu, graph, &options, args.runs)?;
        let peak = gpu.take_peak_memory()?;
        assert_eq!(count.triangles, expected, "{name}");
        let seconds = count.seconds.candidates + count.seconds.intersect;
        let candidates = count.candidates as f64;
        let bytes = count.key_bytes() as f64;
        println!(
            "{name}, {memory} bytes: {} edges, {} candidates in {} batches, peak {} MB\n    {}\n    {:.2} ps a \
             candidate, {:.2} G candidates a second; {:.1} bytes of keys a candidate, {:.2} TB/s",
            count.edges,
            count.candidates,
            count.batches,
            peak / 1_000_000,
            phases(&count),
            seconds * 1e12 / candidates,
            candidates / seconds / 1e9,
            bytes / candidates,
            bytes / seconds / 1e12
        );
        details(&options, &count, args);
    }
    Ok(())
}

/// What every level did, where it was asked for.
pub fn details(options: &Options, count: &RadixCount, args: &Args) {
    if args.levels {
        for (depth, level) in count.levels.iter().enumerate() {
            println!("    {:?} level {depth}: {level:?}", options.orientation);
        }
    }
}
