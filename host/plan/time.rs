//! How long a step takes: a few rates, which decide and are printed. The choice of the device, of the number of GPUs, of tables of rows and
//! of a matrix of all ranks go by these figures, and `--explain` prints them. What a counting method takes, its own file says
//! (`host/gpu/plan/counting`), in the terms of this one. The order of the vertices is chosen by what it saves an entry
//! (`host/gpu/plan/preparation/order.rs`).
//!
//! The rates of a GPU were read off `docs/benchmarks/gpu.json` (NVIDIA H200, driver's copy of page-locked memory
//! at 55 GB/s, 16 host threads); those of a CPU are a thread's, off docs/measured.md. Other machines are some
//! factor away; the report has what a step really took beside each prediction.

/// Seconds that any step of a GPU takes at least: launches, and waiting for them.
pub const GPU_STEP: f64 = 1e-4;

/// Bytes a second from ordinary host memory to a GPU.
const UPLOAD: f64 = 4.0e10;

/// Seconds an entry that goes to a GPU with fewer bits an id, with its degrees. (64 to 67 M entries of ids of 22 bits: 8.6 to 9.8 ms on
/// an H200.)
const UPLOAD_ENTRY: f64 = 1.45e-10;

/// Seconds an entry: ranks and keys, on a GPU.
const GPU_ORIENT: f64 = 1.9e-11;

/// Seconds an entry: sort and rows, on a GPU.
const GPU_CLEAN: f64 = 6.3e-11;

/// Bytes a second from one GPU to another, over NVLink. (Two H200: 396 GB/s.)
const LINK: f64 = 3.5e11;

/// Seconds that a step of several GPUs takes at least: handing it over, and waiting for the last.
const TEAM_STEP: f64 = 2e-4;

/// Steps of a preparation by several GPUs.
const TEAM_STEPS: f64 = 14.0;

/// Threads up to which each takes its whole share. (16 were measured.)
const THREADS: f64 = 16.0;

/// Entries from which on rows are looked up in memory that no cache holds.
const LARGE: f64 = 1.6e7;

/// Thread-seconds an entry, from entries in memory to rows, of at most [`LARGE`] entries: larger graphs take more by [`CPU_DOUBLING`]. (About
/// three fifths of what a count takes, docs/measured.md, "The CPU engine".)
const CPU_PREPARE: f64 = 4.5e-8;

/// Thread-seconds an entry, from rows to the count. (With the preparation on 16 threads of a Xeon 86 to 108 ns on five kinds of graphs of 2 to 17
/// million entries, and on larger ones 86 of a graph by preferential attachment, 125 of a uniform one and 143 to 174 of R-MAT: the middle of
/// these, so that neither device waits much longer than it had to.)
pub const CPU_COUNT: f64 = 3.0e-8;

/// Thread-seconds an edge, from rows to the number of 4-cliques. (rmat18 on two threads: 0.36 s, docs/measured.md. Larger cliques may take
/// any time.)
pub const CPU_CLIQUES: f64 = 1.9e-7;

/// The share of either that each doubling beyond [`LARGE`] adds. (Counting rmat20 takes 50 ns an entry on 16 threads, rmat22
/// 103, rmat24 176, and a uniform graph of 2²⁸ entries 86.)
const CPU_DOUBLING: f64 = 0.2;

/// Thread-seconds for each entry and each neighbour that a vertex has in the mean row: what is between two rows that are long. (A uniform graph of
/// 10,000 vertices and 10 million entries is counted in 70 ms on 16 threads with AVX-512, and in more without.)
const CPU_ROW: f64 = 1.5e-10;

/// The seconds that it takes to copy `bytes` bytes to a GPU.
pub fn upload(bytes: u64) -> f64 {
    GPU_STEP + bytes as f64 / UPLOAD
}

/// The seconds that it takes to bring `entries` entries to a GPU.
pub fn upload_entries(entries: u64) -> f64 {
    GPU_STEP + entries as f64 * UPLOAD_ENTRY
}

/// Seconds to rank the vertices and turn entries into keys on a GPU.
pub fn orient(entries: u64) -> f64 {
    GPU_STEP + entries as f64 * GPU_ORIENT
}

/// Seconds to sort keys and lay out rows on a GPU.
pub fn clean(entries: u64) -> f64 {
    GPU_STEP + entries as f64 * GPU_CLEAN
}

/// Seconds that several GPUs take for what they take from each other: the keys, the rows, and figures by vertex.
pub fn exchange(entries: u64, vertices: u64, devices: u32) -> f64 {
    let others = f64::from(devices.max(1) - 1) / f64::from(devices.max(1));
    let keys = 8.0 * entries as f64 / f64::from(devices.max(1));
    // Degrees, lengths, and what duplicates take off: each is summed and then brought to all.
    let by_vertex = 3.0 * 8.0 * vertices as f64;
    let steps = if devices > 1 { TEAM_STEPS * TEAM_STEP } else { 0.0 };
    steps + others * (keys + 4.0 * entries as f64 + by_vertex) / LINK
}

/// Seconds to prepare a graph on several GPUs.
pub fn prepare_together(entries: u64, vertices: u64, devices: u32) -> f64 {
    let share = entries.div_ceil(devices.max(1).into());
    upload_entries(share) + orient(share) + clean(share) + exchange(entries, vertices, devices)
}

/// How many threads a pool's are worth: nobody has measured more than 16, and memory does not keep up with many.
pub fn workers(threads: usize) -> f64 {
    let threads = threads.max(1) as f64;
    threads.min(THREADS) + (threads - THREADS).max(0.0) / 2.0
}

/// How much longer an entry takes in a graph that no cache holds.
fn far(entries: f64) -> f64 {
    1.0 + CPU_DOUBLING * (entries / LARGE).max(1.0).log2()
}

/// Seconds to prepare a graph on this many CPU threads.
pub fn prepare_on_cpu(entries: u64, threads: usize) -> f64 {
    let entries = entries as f64;
    entries * CPU_PREPARE * far(entries) / workers(threads)
}

/// Seconds to find something in a graph of rows on this many CPU threads, where an entry takes `rate` thread-seconds: [`CPU_COUNT`] for a
/// count. Nobody knows the number of vertices where it is 0.
pub fn find_on_cpu(entries: u64, vertices: u64, threads: usize, rate: f64) -> f64 {
    let entries = entries as f64;
    let row = if vertices > 0 { entries / vertices as f64 } else { 0.0 };
    entries * (rate * far(entries) + row * CPU_ROW) / workers(threads)
}
