//! Times what is done with whole arrays on a GPU, as a table with tabs.
//!
//! `cargo bench -p warpwise-primitives`, or `-- RUNS SIZE…` with the number of timed calls and powers of two. Before each call a fill of
//! 256 MiB clears the GPU's cache and gives the host time to ask for the call. The table has microseconds between events: the median, the
//! quartiles and the least. `check` is a number of the result, which another program finds in the same data.

use std::time::Instant;

use warpwise_cuda::{Error, Gpu, has_driver};
use warpwise_device::launch::{Buffer, Device, LaunchGraph};
use warpwise_device::memory::Element;
use warpwise_primitives::PTX;
use warpwise_primitives::histogram::histogram;
use warpwise_primitives::prefix_sums::{PrefixSum, prefix_sums};
use warpwise_primitives::radix_sort::{SortKey, SortPasses, sort_by, sort_pairs, sort_wide_pairs};
use warpwise_primitives::reduce::{Reduced, sum, sum_of_reals};
use warpwise_primitives::select::select;

/// Bytes that are filled before each call: more than the cache of any GPU has.
const FILLED: u64 = 256 << 20;

/// Launches that are captured as one graph.
const LAUNCHES: usize = 20;

fn main() -> Result<(), Error> {
    if !has_driver() {
        println!("skipped: no NVIDIA driver");
        return Ok(());
    }
    let arguments = std::env::args().skip(1);
    let mut numbers = arguments.filter_map(|argument| argument.parse::<u32>().ok());
    let runs = numbers.next().unwrap_or(21);
    let mut sizes: Vec<u32> = numbers.collect();
    if sizes.is_empty() {
        sizes = vec![20, 24, 28];
    }
    let gpu = Gpu::open(0, PTX)?;
    println!("# {}, {runs} runs", gpu.info().name);
    println!("operation\tn\tmedian_us\tq1_us\tq3_us\tleast_us\tcheck");
    for size in sizes {
        let mut bench = Bench::of(&gpu, 1 << size, runs)?;
        bench.words()?;
        bench.numbers()?;
    }
    launches(&gpu, runs)
}

/// Number `i` of the data, as SplitMix64 finds it.
fn noise(i: u64) -> u64 {
    let mut x = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Prints a line of the table.
fn print(operation: &str, n: u64, mut times: Vec<f64>, check: u64) {
    times.sort_by(f64::total_cmp);
    let at = |quarter: usize| times[(times.len() - 1) * quarter / 4];
    println!("{operation}\t{n}\t{:.2}\t{:.2}\t{:.2}\t{:.2}\t{check}", at(2), at(1), at(3), at(0));
}

/// Operations on `n` values.
struct Bench<'g> {
    gpu: &'g Gpu,
    filled: Buffer<u8, Gpu>,
    n: u64,
    runs: u32,
}

impl<'g> Bench<'g> {
    fn of(gpu: &'g Gpu, n: u64, runs: u32) -> Result<Self, Error> {
        Ok(Bench { gpu, filled: Buffer::zeroed(gpu, FILLED)?, n, runs })
    }

    /// Times calls of `call`, after two that are not timed, with what `given` makes. `check` finds the number of the result.
    fn time<I, R>(
        &mut self,
        operation: &str,
        given: impl Fn() -> Result<I, Error>,
        mut call: impl FnMut(I) -> Result<R, Error>,
        check: impl Fn(R) -> Result<u64, Error>,
    ) -> Result<(), Error> {
        let mut times = Vec::new();
        let mut found = None;
        for run in 0..self.runs + 2 {
            // Its memory is free before the next call asks for as much.
            drop(found.take());
            let given = given()?;
            self.filled.fill_bytes(self.gpu, 0)?;
            let start = self.gpu.record()?;
            found = Some(call(given)?);
            let end = self.gpu.record()?;
            let seconds = self.gpu.seconds_between(&start, &end)?;
            if run >= 2 {
                times.push(1e6 * seconds);
            }
        }
        print(operation, self.n, times, check(found.expect("two runs at least"))?);
        Ok(())
    }

    fn words(&mut self) -> Result<(), Error> {
        let (gpu, n) = (self.gpu, self.n);
        let host: Vec<u32> = (0..n).map(|i| noise(i) as u32).collect();
        let words = Buffer::from_host(gpu, &host)?;
        self.sum("reduce_u32", &words)?;
        let reals: Vec<f32> = host.iter().map(|word| (word & 15) as f32).collect();
        let reals = Buffer::from_host(gpu, &reals)?;
        self.time(
            "reduce_f32",
            || Ok(()),
            |()| sum_of_reals(gpu, reals.view()),
            |sum| Ok(at(gpu, &sum, 0)? as u64),
        )?;
        drop(reals);
        self.prefix_sums::<u32>("scan_u32", &words)?;
        self.prefix_sums::<u64>("scan_u32_to_u64", &words)?;
        self.sort("sort_u32", &words, u32::BITS)?;
        let places: Vec<u32> = (0..n as u32).collect();
        let places = Buffer::from_host(gpu, &places)?;
        let given = || Ok((copy(gpu, &words)?, copy(gpu, &places)?));
        self.time(
            "sort_pairs_u32_u32",
            given,
            |(keys, values)| sort_pairs(gpu, keys, values),
            |[_, values]| Ok(at(gpu, &values, n / 3)?.into()),
        )?;
        drop(places);
        let flags: Vec<u8> = host.iter().map(|word| (word & 1) as u8).collect();
        let flags = Buffer::from_host(gpu, &flags)?;
        let mut selected = Buffer::uninitialized(gpu, n)?;
        self.time(
            "select_half_by_flags",
            || Ok(()),
            |()| select(gpu, words.view(), flags.view(), selected.view_mut()),
            |count| Ok(at(gpu, &count, 0)?.into()),
        )?;
        for bins in [256, 1 << 16] {
            let values: Vec<u32> = host.iter().map(|word| word & (bins - 1)).collect();
            let values = Buffer::from_host(gpu, &values)?;
            self.time(
                &format!("histogram_{bins}"),
                || Buffer::zeroed(gpu, bins.into()),
                |mut counts| {
                    histogram(gpu, values.view(), counts.view_mut())?;
                    Ok(counts)
                },
                |counts| Ok(at(gpu, &counts, 7)?.into()),
            )?;
        }
        Ok(())
    }

    fn numbers(&mut self) -> Result<(), Error> {
        let host: Vec<u64> = (0..self.n).map(noise).collect();
        let numbers = Buffer::from_host(self.gpu, &host)?;
        self.sum("reduce_u64", &numbers)?;
        self.sort("sort_u64", &numbers, u64::BITS)?;
        let (gpu, n) = (self.gpu, self.n);
        let places: Vec<u32> = (0..n as u32).collect();
        let places = Buffer::from_host(gpu, &places)?;
        self.time(
            "sort_pairs_u64_u32",
            || Ok(()),
            |()| sort_wide_pairs(gpu, numbers.view(), places.view()),
            |(_, values)| Ok(at(gpu, &values, n / 3)?.into()),
        )
    }

    fn sum<T: Reduced>(&mut self, operation: &str, values: &Buffer<T, Gpu>) -> Result<(), Error> {
        let gpu = self.gpu;
        self.time(operation, || Ok(()), |()| sum(gpu, values.view()), |sum| at(gpu, &sum, 0))
    }

    fn prefix_sums<T: PrefixSum + Into<u64>>(
        &mut self,
        operation: &str,
        values: &Buffer<u32, Gpu>,
    ) -> Result<(), Error> {
        let (gpu, n) = (self.gpu, self.n);
        self.time(
            operation,
            || Buffer::<T, Gpu>::uninitialized(gpu, n + 1),
            |mut sums| {
                prefix_sums(gpu, values.view(), sums.view_mut())?;
                Ok(sums)
            },
            |sums| Ok(at(gpu, &sums, n - 1)?.into()),
        )
    }

    fn sort<K: SortKey + Into<u64>>(
        &mut self,
        operation: &str,
        keys: &Buffer<K, Gpu>,
        bits: u32,
    ) -> Result<(), Error> {
        let (gpu, n) = (self.gpu, self.n);
        self.time(
            operation,
            || copy(gpu, keys),
            |keys| sort_by(gpu, keys, 0, SortPasses::of_bits(bits)),
            |sorted| Ok(at(gpu, &sorted, n / 3)?.into()),
        )
    }
}

fn copy<T: Element>(gpu: &Gpu, from: &Buffer<T, Gpu>) -> Result<Buffer<T, Gpu>, Error> {
    let mut to = Buffer::uninitialized(gpu, from.len())?;
    to.copy_from(gpu, 0, gpu, from, 0..from.len())?;
    Ok(to)
}

fn at<T: Element>(gpu: &Gpu, buffer: &Buffer<T, Gpu>, i: u64) -> Result<T, Error> {
    let mut element = [T::zeroed()];
    buffer.download(gpu, i, &mut element)?;
    Ok(element[0])
}

/// Times launches of a small kernel, one by one and as a graph, by the host's clock: from the first call until the GPU is done.
fn launches(gpu: &Gpu, runs: u32) -> Result<(), Error> {
    let values: Vec<u32> = (0..1024).map(|i| noise(i) as u32 & 255).collect();
    let values = Buffer::from_host(gpu, &values)?;
    let mut counts = Buffer::zeroed(gpu, 256)?;
    let clock = |ask: &mut dyn FnMut() -> Result<(), Error>| -> Result<Vec<f64>, Error> {
        let mut times = Vec::new();
        for run in 0..100 * runs {
            gpu.synchronize()?;
            let start = Instant::now();
            ask()?;
            gpu.synchronize()?;
            if run >= runs {
                times.push(1e6 * start.elapsed().as_secs_f64());
            }
        }
        Ok(times)
    };
    let count = |counts: &Buffer<u32, Gpu>| at(gpu, counts, 7).map(u64::from);
    let singly = clock(&mut || {
        (0..LAUNCHES).try_for_each(|_| histogram(gpu, values.view(), counts.view_mut()))
    })?;
    print("20_launches_host_clock", 1024, singly, count(&counts)?);
    let mut graph = LaunchGraph::of(gpu);
    let values = graph.reads(values.view());
    let mut counts = graph.writes(counts.view_mut());
    graph.capture(|graph| {
        (0..LAUNCHES).try_for_each(|_| histogram(graph, values, counts.view_mut()))
    })?;
    let as_graph = clock(&mut || graph.launch())?;
    print("graph_of_20_launches_host_clock", 1024, as_graph, 0);
    Ok(())
}
