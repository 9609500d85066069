//! A device that counts the launches on it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tribin_device::launch::{Device, DeviceId, Launch};

/// A device as it is, and the number of kernels launched through this value.
pub struct Counted<'d, D> {
    device: &'d D,
    launches: AtomicU64,
}

impl<'d, D> Counted<'d, D> {
    /// Counts from zero.
    pub fn new(device: &'d D) -> Self {
        Counted { device, launches: AtomicU64::new(0) }
    }

    /// Launches so far.
    pub fn launches(&self) -> u64 {
        self.launches.load(Relaxed)
    }
}

impl<D: Device> Device for Counted<'_, D> {
    type Error = D::Error;
    type Memory = D::Memory;
    type Mark = D::Mark;

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
        self.launches.fetch_add(1, Relaxed);
        // SAFETY: as above.
        unsafe { self.device.launch(launch) }
    }

    fn synchronize(&self) -> Result<(), D::Error> {
        self.device.synchronize()
    }

    fn mark(&self) -> Result<D::Mark, D::Error> {
        self.device.mark()
    }

    fn seconds_between(&self, start: &D::Mark, end: &D::Mark) -> Result<f64, D::Error> {
        self.device.seconds_between(start, end)
    }

    fn multiprocessors(&self) -> u32 {
        self.device.multiprocessors()
    }
}
