//! A device that times every launch, by kernel.

use std::collections::BTreeMap;
use std::sync::Mutex;

use tribin_device::launch::{Device, DeviceId, Launch};

/// A device as it is, with an event before and after each launch.
pub struct PerKernel<'d, D: Device> {
    device: &'d D,
    launches: Mutex<Vec<Timed<D>>>,
}

struct Timed<D: Device> {
    kernel: String,
    start: D::Event,
    end: D::Event,
}

impl<'d, D: Device> PerKernel<'d, D> {
    pub fn new(device: &'d D) -> Self {
        PerKernel { device, launches: Mutex::new(Vec::new()) }
    }

    /// Launches and seconds of each kernel so far.
    pub fn times(&self) -> Result<BTreeMap<String, (u64, f64)>, D::Error> {
        let mut times: BTreeMap<String, (u64, f64)> = BTreeMap::new();
        for Timed { kernel, start, end } in self.launches.lock().unwrap().iter() {
            let time = times.entry(kernel.clone()).or_default();
            time.0 += 1;
            time.1 += self.device.seconds_between(start, end)?;
        }
        Ok(times)
    }
}

impl<D: Device> Device for PerKernel<'_, D> {
    type Error = D::Error;
    type Memory = D::Memory;
    type Event = D::Event;

    fn id(&self) -> DeviceId {
        self.device.id()
    }

    fn allocate(&self, bytes: u64) -> Result<D::Memory, D::Error> {
        self.device.allocate(bytes)
    }

    fn address(memory: &D::Memory) -> u64 {
        D::address(memory)
    }

    unsafe fn fill(&self, address: u64, byte: u8, bytes: u64) -> Result<(), D::Error> {
        // SAFETY: the caller's promise, about the same device.
        unsafe { self.device.fill(address, byte, bytes) }
    }

    unsafe fn upload(&self, address: u64, from: &[u8]) -> Result<(), D::Error> {
        // SAFETY: as above.
        unsafe { self.device.upload(address, from) }
    }

    unsafe fn download(&self, address: u64, to: &mut [u8]) -> Result<(), D::Error> {
        // SAFETY: as above.
        unsafe { self.device.download(address, to) }
    }

    unsafe fn launch(&self, launch: Launch<'_>) -> Result<(), D::Error> {
        let kernel = launch.kernel.to_owned();
        let start = self.device.record()?;
        // SAFETY: as above.
        unsafe { self.device.launch(launch)? };
        let end = self.device.record()?;
        self.launches.lock().unwrap().push(Timed { kernel, start, end });
        Ok(())
    }

    fn synchronize(&self) -> Result<(), D::Error> {
        self.device.synchronize()
    }

    fn record(&self) -> Result<D::Event, D::Error> {
        self.device.record()
    }

    fn seconds_between(&self, start: &D::Event, end: &D::Event) -> Result<f64, D::Error> {
        self.device.seconds_between(start, end)
    }

    fn multiprocessors(&self) -> u32 {
        self.device.multiprocessors()
    }

    fn most_shared_bytes(&self) -> u32 {
        self.device.most_shared_bytes()
    }
}
