//! What the calls take that every count makes, however small its graph is.

use std::time::Instant;

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::prepare::summary::summary_of_degrees;
use tribin_kernels::ranks::id_keys;

use super::median;

/// Calls that are timed together.
const CALLS: u32 = 1_000;

/// Prints microseconds of each call by the host's clock: medians of `runs` after one warm-up.
pub fn bench(gpu: &Gpu, runs: usize) -> tribin::Result<()> {
    let mut keys = Buffer::uninitialized(gpu, 1 << 20)?;
    let timed = |name: &str, call: &mut dyn FnMut() -> tribin::Result<()>| {
        let mut samples = Vec::new();
        for _ in 0..=runs {
            gpu.synchronize()?;
            let start = Instant::now();
            for _ in 0..CALLS {
                call()?;
            }
            samples.push(1e6 * start.elapsed().as_secs_f64() / f64::from(CALLS));
        }
        println!("  {name:48} {:8.2}", median(samples));
        Ok::<(), tribin::Error>(())
    };
    for bytes in [0, 64, 16 << 10, 64 << 20] {
        timed(&format!("{bytes} bytes of memory, taken and given back"), &mut || {
            Buffer::<u8, Gpu>::uninitialized(gpu, bytes)?;
            Ok(())
        })?;
    }
    timed("64 bytes of memory, zeroed", &mut || {
        Buffer::<u8, Gpu>::zeroed(gpu, 64)?;
        Ok(())
    })?;
    timed("an event", &mut || {
        gpu.record()?;
        Ok(())
    })?;
    let launch = |keys: &mut Buffer<u64, Gpu>| id_keys(gpu, Shape::new(1, 32), keys.view_mut(), 32);
    timed("a kernel, asked for", &mut || Ok(launch(&mut keys)?))?;
    for words in [1, 64, 4_096, 4_097] {
        let mut to = vec![0; words];
        timed(&format!("a kernel, and {words} words to the host"), &mut || {
            launch(&mut keys)?;
            Ok(keys.download(gpu, 0, &mut to)?)
        })?;
    }
    for degrees in [1 << 16, 3 << 20] {
        let degrees = Buffer::from_host(gpu, &vec![7u32; degrees])?;
        timed(&format!("the figures of {} degrees", degrees.len()), &mut || {
            summary_of_degrees(gpu, &degrees)?;
            Ok(())
        })?;
    }
    Ok(())
}
