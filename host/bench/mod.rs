//! Bench: engines side by side on the same graph, checked against each other.
//!
//! [`measure`] runs every [`Contender`] once without looking at the clock and then in turn, so that a
//! machine that slows down slows all of them. The figures become a [`Record`], which is what the JSON
//! of `tribin bench` holds (docs/bench.md), and [`markdown`] makes tables of it.
//!
//! ```
//! use tribin::bench::{Contender, measure};
//! use tribin::count::{Counter, DeviceChoice, Options};
//! use tribin::generate::{self, Wheel};
//!
//! let mut options = Options::default();
//! options.device = DeviceChoice::Cpu;
//! let contender = Contender::new(Counter::new(options)?)?;
//!
//! let wheel = generate::graph(&Wheel::new(1000)?, "wheel");
//! let measured = measure(&wheel, &[contender], 3)?;
//! assert_eq!(measured.triangles, 1000);
//! assert_eq!(measured.results[0].seconds.total.runs, 3);
//! # Ok::<(), tribin::Error>(())
//! ```

pub mod markdown;
mod record;

use crate::count::{Count, Counter, Seconds};
use crate::device::{cpu, cuda::Gpu};
use crate::{Error, Graph, Result};

pub use record::{DeviceRecord, GraphRecord, Measured, PhaseSeconds, Record, Spread};

/// An engine on a device, ready to be measured.
pub struct Contender {
    counter: Counter,
    /// A second look at the device, for what the engine does not tell.
    gpu: Option<Gpu>,
}

impl Contender {
    /// Takes a counter; it must count on the device that it chose.
    ///
    /// # Errors
    /// What the device reports.
    pub fn new(counter: Counter) -> Result<Contender> {
        let ordinal = counter.selection().device.strip_prefix("gpu:").map(str::parse);
        let gpu = match ordinal {
            Some(Ok(ordinal)) => Some(Gpu::open(ordinal)?),
            _ => None,
        };
        Ok(Contender { counter, gpu })
    }

    /// A contender whose device is not looked at, as for an engine of your own.
    pub fn without_device(counter: Counter) -> Contender {
        Contender { counter, gpu: None }
    }

    /// The counter.
    pub fn counter(&self) -> &Counter {
        &self.counter
    }

    /// Measures how fast the device copies its memory.
    ///
    /// # Errors
    /// What the device reports.
    pub fn device(&self) -> Result<DeviceRecord> {
        let selection = self.counter.selection();
        let copy_bytes_per_second = match &self.gpu {
            Some(gpu) => gpu.copy_bandwidth()?,
            None => self.counter.install(cpu::copy_bandwidth),
        };
        Ok(DeviceRecord {
            device: selection.device.clone(),
            name: selection.device_name.clone(),
            threads: self.counter.threads(),
            copy_bytes_per_second,
        })
    }

    /// Counts once, with the device memory that it took where that is known.
    fn run(&self, graph: &Graph) -> Result<(Count, Option<u64>)> {
        if let Some(gpu) = &self.gpu {
            // The peak is that since the last look.
            gpu.take_peak_memory()?;
        }
        let count = self.counter.count(graph)?;
        let peak = self.gpu.as_ref().map(Gpu::take_peak_memory).transpose()?;
        Ok((count, peak))
    }
}

/// Measures contenders on a graph: `runs` counts each, in turn, after one that is not timed.
///
/// # Errors
/// [`Error::Disagreement`] where two of them differ in any figure, [`Error::Usage`] for no contender
/// and no run, and what the devices report.
pub fn measure(graph: &Graph, contenders: &[Contender], runs: usize) -> Result<GraphRecord> {
    if contenders.is_empty() || runs == 0 {
        return Err(Error::Usage("a measurement needs an engine and a run".into()));
    }
    let mut first: Option<Count> = None;
    let mut samples: Vec<(Vec<Seconds>, Option<u64>)> = vec![Default::default(); contenders.len()];
    for run in 0..=runs {
        for (contender, (seconds, peak)) in contenders.iter().zip(&mut samples) {
            let (count, bytes) = contender.run(graph)?;
            first.get_or_insert_with(|| count.clone()).compare(&count)?;
            if run > 0 {
                seconds.push(count.seconds);
                *peak = bytes.max(*peak);
            }
        }
    }
    let count = first.expect("a contender at least, and it counted");
    let entries = graph.edges().len() as u64;
    let results = contenders
        .iter()
        .zip(samples)
        .map(|(contender, (seconds, peak_device_bytes))| {
            let selection = contender.counter.selection();
            Measured {
                engine: selection.engine.clone(),
                device: selection.device.clone(),
                seconds: PhaseSeconds::of(&seconds),
                peak_device_bytes,
            }
        })
        .collect();
    Ok(GraphRecord {
        graph: graph.name().to_owned(),
        kind: None,
        entries,
        vertices: count.vertices,
        edges: count.edges,
        triangles: count.triangles,
        wedges: count.wedges,
        max_degree: count.max_degree,
        results,
    })
}
