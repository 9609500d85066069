//! A GPU that fails while several work. Without two GPUs the test says that it was skipped.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use testkit::skip;
use tribin::generate::{self, GRAPH500, Rmat};
use tribin::{Options, Session};
use warpwise_cuda::Gpu;
use warpwise_device::launch::{Buffer, Device, Shape};

/// Set in the process that loses its GPU.
const LOSES_ONE: &str = "TRIBIN_LOSES_A_GPU";

/// The kernels' PTX, in which stands what `add_words` takes.
const PTX: &str = include_str!("../../gpu-kernels/ptx/kernels.ptx");

/// `add_words`, which ends in a trap: the driver gives up the GPU for this process.
const TRAP: &str = "
.version 7.1
.target sm_80
.address_size 64
.visible .entry add_words(.param .u64 words, .param .u64 sums, .param .u64 n)
{
    trap;
}
";

/// Has a GPU run into a trap, as one that breaks does.
fn break_gpu(ordinal: usize) {
    let takes = PTX.lines().find(|line| line.contains(" add_words__takes_")).unwrap();
    let gpu = Gpu::open(ordinal, &format!("{TRAP}{takes}\n")).unwrap();
    let words = Buffer::<u32, _>::zeroed(&gpu, 1).unwrap();
    let mut sums = Buffer::<u32, _>::zeroed(&gpu, 1).unwrap();
    let shape = Shape::new(1, 32);
    let launched = tribin_kernels::parts::add_words(&gpu, shape, words.view(), sums.view_mut(), 1);
    assert!(launched.and_then(|()| gpu.synchronize()).is_err(), "a trap");
}

/// Counts on all GPUs again and again, until the last of them breaks.
#[test]
fn a_process_that_loses_a_gpu() {
    let Ok(gpus) = std::env::var(LOSES_ONE) else { return };
    let last = gpus.parse::<usize>().unwrap() - 1;
    let graph = generate::graph(&Rmat::new(20, 16, GRAPH500, 1).unwrap(), "rmat20");
    let mut options = Options::default();
    options.device = format!("gpu:0-{last}").parse().unwrap();
    let session = Session::open(options).unwrap();
    let expected = session.count(&graph).unwrap().triangles;
    let counts_again = AtomicBool::new(false);
    let (broken, error) = std::thread::scope(|scope| {
        let breaking = scope.spawn(|| {
            while !counts_again.load(Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            break_gpu(last);
            Instant::now()
        });
        let error = loop {
            match session.count(&graph) {
                Ok(count) => assert_eq!(count.triangles, expected),
                Err(error) => break error,
            }
            counts_again.store(true, Relaxed);
        };
        let noticed = Instant::now();
        let broke = breaking.join().unwrap();
        (noticed.saturating_duration_since(broke), error)
    });
    println!("\nafter {} ms: {error}", broken.as_millis());
    // What is left of the session fails as well, and does not hang.
    println!("then: {}", session.count(&graph).unwrap_err());
}

#[test]
fn a_gpu_that_fails_ends_the_count_with_an_error() {
    let gpus = warpwise_cuda::list().map_or(0, |gpus| gpus.len());
    if gpus < 2 {
        skip::whole("two GPUs are asked for");
        return;
    }
    // A process of its own, since its driver is of no use any more.
    let ended = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture", "session::failing::a_process_that_loses_a_gpu"])
        .env(LOSES_ONE, gpus.to_string())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&ended.stdout);
    let told: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("after ") || line.starts_with("then: "))
        .collect();
    println!("{}", told.join("\n"));
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{text}{errors}");
    assert_eq!(told.len(), 2, "{text}{errors}");
}
