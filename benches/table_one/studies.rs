//! What the options do: to time, to memory, to what is pruned.

use testkit::devices::prepared;
use tribin::Graph;
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::methods::Method;
use tribin_gpu::plan::Task;
use tribin_gpu::plan::counting::CountShape;
use tribin_papers::radix_binning::{KeyOrder, Orientation, RadixCount, RadixOptions};
use warpwise_device::launch::Device as _;

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
                    let options =
                        RadixOptions { orientation, memory, digit_bits, threshold, key_order };
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
            let options = RadixOptions { orientation, key_order, digit_bits, threshold: 0, memory };
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

/// Bytes of keys that algorithm 2 and the generation read and wrote, counted from the levels'
/// figures: what the memory must move at least, the lists being larger than any cache.
///
/// A candidate is written once. At every level that it reaches a key is read to be counted and
/// read to be moved; if its bucket goes on it is written, and read again by the tail that ends it.
/// The edges are read and written once a batch. Not counted: the rows that the candidates come
/// from, the count matrix, the queues, and what a tail reads again. Where nothing was binned, one
/// tail reads both lists.
fn key_bytes(count: &RadixCount) -> u64 {
    let mut keys = 2 * count.batches * count.edges + count.candidates;
    let Some(root) = count.levels.first() else { return 8 * keys };
    for (depth, level) in count.levels.iter().enumerate() {
        let tail = level.candidates_tail + level.edges_tail;
        let next = count.levels.get(depth + 1).map_or(0, |next| next.edges + next.candidates);
        let is_last = depth + 1 == count.levels.len();
        let reads = if is_last { 1 } else { 2 };
        keys += reads * (level.edges + level.candidates) + (tail + next) + tail;
    }
    // Batches that one tail took alone.
    let binned = root.edges + root.candidates;
    8 * (keys + (count.batches * count.edges + count.candidates) - binned)
}

/// A generated graph with three quarters of the free memory, and with the budget that was asked for.
pub fn generated(gpu: &Gpu, name: &str, graph: &Graph, args: &Args) -> Result<()> {
    let ready = prepared(gpu, graph, Task::Count)?;
    let expected = CountShape::default().count(gpu, &ready.graph, &mut gpu.record()?)?;
    drop(ready);
    let free = gpu.free_memory()? / 4 * 3;
    for memory in [Some(free), args.memory].into_iter().flatten() {
        let options = RadixOptions { memory, ..args.options(Orientation::Degree) };
        gpu.take_peak_memory()?;
        let count = median(gpu, graph, &options, args.runs)?;
        let peak = gpu.take_peak_memory()?;
        assert_eq!(count.triangles, expected, "{name}");
        let seconds = count.seconds.candidates + count.seconds.intersect;
        let candidates = count.candidates as f64;
        let bytes = key_bytes(&count) as f64;
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
pub fn details(options: &RadixOptions, count: &RadixCount, args: &Args) {
    if args.levels {
        for (depth, level) in count.levels.iter().enumerate() {
            println!("    {:?} level {depth}: {level:?}", options.orientation);
        }
    }
}
