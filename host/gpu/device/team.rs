//! Several devices that work on one graph, each driven by a thread of its own.
//!
//! The work goes in steps. A step is one job on each device, all at the same time, and it ends when the work of all
//! is done: no device waits for another within a step. So a device that fails ends the work, and nothing hangs.

use std::ops::Range;
use std::sync::Arc;

use warpwise_device::launch::Device;

use super::driver::{Driver, run_on_all};

/// Several devices, and the threads that drive them.
pub struct Team<D: 'static> {
    drivers: Vec<Arc<Driver<D>>>,
}

/// Clones are the same devices.
impl<D> Clone for Team<D> {
    fn clone(&self) -> Self {
        Team { drivers: self.drivers.clone() }
    }
}

/// The places of the share of device `number`, where `devices` devices divide `n` things.
pub fn share(number: usize, devices: usize, n: u64) -> Range<u64> {
    let at = |number: usize| (u128::from(n) * number as u128 / devices as u128) as u64;
    at(number)..at(number + 1)
}

/// The error of a device of a team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed<E> {
    /// Which device of the process, from 0.
    pub device: usize,
    /// What the device reported.
    pub error: E,
}

impl<D: Device<Error: Send> + Send + Sync + 'static> Team<D> {
    /// A team of devices that are in use already.
    ///
    /// # Panics
    /// If there is no device.
    pub fn of(drivers: Vec<Arc<Driver<D>>>) -> Team<D> {
        assert!(!drivers.is_empty(), "a team of devices");
        Team { drivers }
    }

    /// How many devices there are.
    #[allow(clippy::len_without_is_empty, reason = "a team has one device at least")]
    pub fn len(&self) -> usize {
        self.drivers.len()
    }

    /// A device, for others to copy from, and to ask for what it is.
    pub fn device(&self, number: usize) -> &D {
        self.drivers[number].device()
    }

    /// A step: runs a job on every device, each with one of the inputs, and waits until all work is done.
    ///
    /// # Errors
    /// Of the devices that fail, what the first reports.
    ///
    /// # Panics
    /// If there is not an input for each device.
    pub fn step<T: Send, R: Send>(
        &self,
        inputs: Vec<T>,
        job: impl Fn(usize, &D, T) -> Result<R, D::Error> + Sync,
    ) -> Result<Vec<R>, Failed<D::Error>> {
        let results = run_on_all(&self.drivers, inputs, |number, device, input| {
            let result = job(number, device, input)?;
            device.synchronize()?;
            Ok(result)
        });
        let mut all = Vec::with_capacity(results.len());
        for (device, result) in results.into_iter().enumerate() {
            all.push(result.map_err(|error| Failed { device, error })?);
        }
        Ok(all)
    }

    /// A [step](Self::step) without inputs.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn each<R: Send>(
        &self,
        job: impl Fn(usize, &D) -> Result<R, D::Error> + Sync,
    ) -> Result<Vec<R>, Failed<D::Error>> {
        self.step(vec![(); self.len()], |number, device, ()| job(number, device))
    }
}
